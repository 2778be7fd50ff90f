"""`parlour games`: what is on the shelf."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli.errors import CommandError

if TYPE_CHECKING:
    from parlour.kernel import Game


def games(
    name: Annotated[str | None, typer.Argument(metavar="[GAME]", help="One game, to see its options.")] = None,
    schema: Annotated[
        bool, typer.Option("--schema", help="Print the JSON Schema of that game's positions instead.")
    ] = False,
) -> None:
    """List the games on the shelf, or one game's options.

    Examples: `parlour games`, `parlour games prowlers`, `parlour games prowlers --schema`
    """
    from parlour import games as shelf

    if schema:
        _print_schema(name)
    elif name is None:
        _list_all()
    else:
        _tell(shelf.get(name))


def _list_all() -> None:
    from rich.console import Console
    from rich.table import Table

    from parlour import games as shelf

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("name", "title", "players", "minutes", "in a sentence"):
        table.add_column(column, no_wrap=column == "name")
    for name in shelf.names():
        try:
            game = shelf.get(name)
        except shelf.PluginError as error:
            table.add_row(name, "-", "-", "-", f"It is listed, but cannot be opened: {error}")
            continue
        table.add_row(name, game.title, players(game), "{} to {}".format(*game.minutes), game.blurb)
    Console().print(table)


def _print_schema(name: str | None) -> None:
    import json

    from parlour import games as shelf
    from parlour.games.schema import NoSchema, position_schema

    if name is None:
        raise CommandError("Name a game: parlour games GAME --schema.")
    try:
        typer.echo(json.dumps(position_schema(shelf.get(name)), indent=2, ensure_ascii=False))
    except NoSchema as error:
        raise CommandError(str(error)) from None


def _tell(game: Game) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    console.print(f"[bold]{game.title}[/bold] ({game.name}), for {players(game)} players, rules version {game.version}")
    console.print(game.blurb)
    if game.box is not None:
        console.print(f"Box {game.box_hash}: {', '.join(game.box.document)}.", highlight=False)
    if not game.options:
        console.print("It has no options.")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("option", "may be", "unless you say", "meaning"):
        table.add_column(column)
    for option in game.options:
        table.add_row(option.name, option.allowed(), str(option.default).lower(), option.help)
    console.print(table)


def players(game: Game) -> str:
    """How many can play, in words: `2`, `2 to 5`."""
    low, high = game.players.start, game.players[-1]
    return str(low) if low == high else f"{low} to {high}"
