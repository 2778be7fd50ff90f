"""`parlour replay`: step through a record."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli.errors import CommandError, legible

if TYPE_CHECKING:
    from parlour.kernel import State
    from parlour.records import Record, Step


def replay(
    file: Annotated[Path, typer.Argument(metavar="FILE", help="A record, as `match --save` or a table wrote it.")],
    step: Annotated[
        int | None, typer.Option(metavar="N", help="Only step N, with the position after it; 0 is the deal.")
    ] = None,
    player: Annotated[
        int | None, typer.Option(metavar="N", help="See it as player N (1, 2, ...) did; otherwise as a spectator.")
    ] = None,
    as_json: Annotated[
        bool, typer.Option("--json", help="With --step: the whole position as JSON, for `parlour show`.")
    ] = False,
) -> None:
    """Tell a recorded game move by move, or show the position after one of them.

    Examples: `parlour replay game.json`, `parlour replay game.json --step 13`
    """
    from parlour import records

    record = records.load(file)
    viewer = _viewer(record, player)
    if step is None:
        if as_json:
            raise CommandError("--json goes with --step N.")
        for taken in records.replay(record, viewer):
            _tell(record, taken)
        _tell_result(record, taken.state)
        return
    if not 0 <= step <= len(record.actions):
        raise CommandError(f"This record has steps 0 to {len(record.actions)}; there is no step {step}.")
    taken = next(taken for taken in records.replay(record, viewer) if taken.number == step)
    if as_json:
        import json

        typer.echo(json.dumps(taken.state.to_dict(), indent=2, ensure_ascii=False))
        return
    _tell(record, taken)
    from parlour.cli.layout import print_position

    print_position(taken.state, None if player is None else player - 1, [legible(name) for name in record.names])


def _viewer(record: Record, player: int | None) -> int:
    from parlour.kernel import SPECTATOR

    if player is None:
        return SPECTATOR
    if not 1 <= player <= record.players:
        raise CommandError(f"The players of this record are 1 to {record.players}; there is no player {player}.")
    return player - 1


def _tell(record: Record, taken: Step) -> None:
    from rich.console import Console
    from rich.text import Text

    from parlour.cli.layout import emphasised

    console = Console()
    if taken.move is None:
        title = taken.state.game.title
        names = legible(", ".join(record.names))
        console.print(Text.assemble((title, "bold"), f": {names}. The game is dealt."))
        return
    name = legible(record.names[taken.move.player])
    said = f"  {name}: {taken.text} "
    console.print(Text.assemble((f"{taken.number:>4}", "bold"), said, (taken.move.action, "dim")))
    for words in taken.words:
        console.print(emphasised(legible(f"      {words}")))


def _tell_result(record: Record, end: State) -> None:
    """How it really ended: what the record says of it is only its word."""
    from parlour.records.record import result_of

    result = result_of(end)
    if result is None:
        typer.echo("The game was not played to its end.")
    else:
        for player in sorted(range(record.players), key=lambda player: result.places[player]):
            typer.echo(f"{result.places[player]}. {legible(record.names[player])}: {result.scores[player]:g}")
    if record.result != result:
        raise CommandError("The record gives another result than its moves come to; parlour verify tells more.")
