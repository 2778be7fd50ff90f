"""`parlour show`: a position, legibly."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Annotated

import typer

from parlour.cli.errors import CommandError
from parlour.cli.setup import BoxFile, BoxSets, open_game


def show(
    file: Annotated[
        Path, typer.Argument(metavar="POSITION", help="A JSON file with a position, or - for standard input.")
    ],
    player: Annotated[
        int | None, typer.Option(metavar="N", help="What player N (1, 2, ...) may see; otherwise what a spectator may.")
    ] = None,
    box: BoxFile = None,
    sets: BoxSets = None,
    whole: Annotated[bool, typer.Option("--whole", help="Everything in the position, hidden or not.")] = False,
) -> None:
    """Print any position legibly, with what may be done in it.

    The position is checked first: one that breaks a law of its game is refused with the name of that law. One that was
    played with another box needs that box again: `--box` or `--set`.

    Example: `parlour replay game.json --step 13 --json | parlour show -`
    """
    from parlour import games
    from parlour.cli.layout import print_position, print_whole

    text = typer.get_binary_stream("stdin").read() if str(file) == "-" else file.read_bytes()
    try:
        document = json.loads(text)
    except ValueError as error:  # bad JSON, or bytes that are no text
        raise CommandError(f"{file}: this is not JSON: {error}.") from None
    except RecursionError:
        raise CommandError(f"{file}: this is no position: its brackets are nested too deep.") from None
    if isinstance(document, dict) and "actions" in document:
        raise CommandError(
            f"{file}: this is a record of a game. parlour replay FILE tells it, and gives a position out of it with "
            "--step N --json."
        )
    named = document.get("game") if isinstance(document, dict) else None
    if isinstance(named, str) and (box is not None or sets):
        state = open_game(named, box, sets).load(document)
    else:
        state = games.load(document)
    if player is not None and not 1 <= player <= state.players:
        raise CommandError(f"The players in this position are 1 to {state.players}; there is no player {player}.")
    names = [f"Player {seat + 1}" for seat in range(state.players)]
    if whole:
        print_whole(state)
    else:
        print_position(state, None if player is None else player - 1, names)
