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
    from rich.text import Text

    from parlour import games as shelf

    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("name", "title", "players", "minutes", "in a sentence"):
        table.add_column(column, no_wrap=column == "name")
    for name in shelf.names():
        try:
            game = shelf.get(name)
        except shelf.PluginError as error:
            table.add_row(Text(name), "-", "-", "-", Text(f"It is listed, but cannot be opened: {error}"))
            continue
        minutes = "{} to {}".format(*game.minutes)
        table.add_row(Text(name), Text(game.title), players(game), minutes, Text(game.blurb))
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
    from rich.text import Text

    console = Console()
    rest = f" ({game.name}), for {players(game)} players, rules version {game.version}"
    console.print(Text.assemble((game.title, "bold"), rest))
    console.print(Text(game.blurb))
    if game.box is not None:
        console.print(Text(f"Box {game.box_hash}: {', '.join(game.box.document)}."))
    if not game.options:
        console.print("It has no options.")
        return
    table = Table(box=None, pad_edge=False, header_style="bold")
    for column in ("option", "may be", "unless you say", "meaning"):
        table.add_column(column)
    for option in game.options:
        default = str(option.default).lower() if isinstance(option.default, bool) else str(option.default)
        table.add_row(*map(Text, (option.name, option.allowed(), default, option.help)))
    console.print(table)


def players(game: Game) -> str:
    """How many can play, in words: `2`, `2 to 5`."""
    low, high = game.players.start, game.players[-1]
    return str(low) if low == high else f"{low} to {high}"
