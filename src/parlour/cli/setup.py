"""The options of the commands that start games: which box, which numbers in it, which rule options."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from parlour.kernel import Game

GameName = Annotated[str, typer.Argument(metavar="GAME", help="A game on the shelf; `parlour games` lists them.")]
OptionTexts = Annotated[
    list[str] | None,
    typer.Option("--option", "-o", metavar="NAME=VALUE", help="A rule option; `parlour games GAME` lists them."),
]
BoxFile = Annotated[
    Path | None, typer.Option("--box", metavar="FILE", help="Play with the cards and numbers of this box.toml.")
]
BoxSets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="KEY=VALUE", help="Change one number of the box: districts.banking.bonus=4."),
]
ShelfBoxes = Annotated[
    list[str] | None,
    typer.Option("--box", metavar="GAME=FILE", help="Play a game out of a box of your own; may be repeated."),
]
ShelfSets = Annotated[
    list[str] | None,
    typer.Option("--set", metavar="GAME.KEY=VALUE", help="Change a number in a game's box; may be repeated."),
]


def open_game(name: str, box: Path | None, sets: list[str] | None) -> Game:
    """The game's card, with the box that was asked for."""
    from parlour import games

    game = games.get(name)
    return game.with_box(box, sets or ()) if box is not None or sets else game


def use_boxes(files: list[str] | None, sets: list[str] | None) -> None:
    """Boxes for a whole shelf: each file as GAME=FILE, each change as GAME.KEY=VALUE."""
    from parlour import games
    from parlour.cli.errors import CommandError

    boxes: dict[str, tuple[Path | None, list[str]]] = {}
    for text in files or ():
        name, equals, file = text.partition("=")
        if not equals or not file:
            raise CommandError(f"Write a box as GAME=FILE, not {text!r}.")
        boxes[name] = (Path(file), [])
    for text in sets or ():
        name, dot, change = text.partition(".")
        if not dot or "=" in name:
            raise CommandError(f"Write a change as GAME.KEY=VALUE, not {text!r}.")
        boxes.setdefault(name, (None, []))[1].append(change)
    for name, (path, changes) in boxes.items():
        games.use_box(name, path, changes)
