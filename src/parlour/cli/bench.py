"""`parlour bench`: how fast it all is, here."""

from __future__ import annotations

from typing import Annotated

import typer

from parlour.cli.errors import CommandError
from parlour.cli.setup import ShelfBoxes, ShelfSets, use_boxes

UNITS = {
    "players": ("players", ""),
    "decisions_per_second": ("decisions in random games", "a second"),
    "clones_per_second": ("clones", "a second"),
    "resamples_per_second": ("resamples", "a second"),
    "legal_actions_per_second": ("lists of legal actions", "a second"),
    "state_bytes": ("one more position", "bytes"),
}

LONGEST = 3600


def bench(
    what: Annotated[
        str, typer.Argument(metavar="[WHAT]", help="`engine` for the rules, `table` for the server under load.")
    ] = "engine",
    game: Annotated[
        list[str] | None, typer.Option("--game", metavar="GAME", help="Only this game; otherwise the whole shelf.")
    ] = None,
    players: Annotated[
        int | None, typer.Option(metavar="N", help="With so many players; otherwise what the game proposes.")
    ] = None,
    seconds: Annotated[float, typer.Option(metavar="S", help="How long to measure each figure.")] = 1.0,
    as_json: Annotated[bool, typer.Option("--json", help="Print every figure by name, as JSON.")] = False,
    box: ShelfBoxes = None,
    sets: ShelfSets = None,
) -> None:
    """Measure how fast the rules run on one core, compiled and interpreted, or how much the server carries.

    The figures are the best of several rounds; a busy machine makes them worse, never better.

    Examples: `parlour bench`, `parlour bench --json`, `parlour bench table`, `parlour bench --box prowlers=my-box.toml`
    """
    use_boxes(box, sets)
    if what == "engine":
        if not 0 < seconds <= LONGEST:
            raise CommandError(f"--seconds is more than 0 and at most {LONGEST}, not {seconds:g}.")
        _engine(game, players, seconds, as_json)
    elif what == "table":
        from parlour.web.bench import run

        run(as_json=as_json)
    else:
        raise CommandError(f"There is nothing called {what!r} to measure; there are engine and table.")


def _engine(chosen: list[str] | None, players: int | None, seconds: float, as_json: bool) -> None:
    from parlour import __version__, compiled, games
    from parlour.lab.speed import measure, measure_interpreted

    figures: dict[str, object] = {"version": __version__, "compiled": compiled()}
    for name in chosen or games.names():
        here = measure(games.get(name), players, seconds)
        figures.update({f"{name}.{figure}": value for figure, value in here.items()})
        if compiled():
            there = measure_interpreted(name, players, seconds)
            figures.update({f"{name}.interpreted.{figure}": value for figure, value in there.items()})
            figures[f"{name}.compiled_over_interpreted"] = here["decisions_per_second"] / there["decisions_per_second"]
    if as_json:
        import json

        typer.echo(json.dumps(figures, indent=2))
    else:
        _print(figures, list(chosen or games.names()))


def _print(figures: dict[str, object], names: list[str]) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    compiled = figures["compiled"] is True
    for name in names:
        table = Table(title=name, title_justify="left", title_style="bold", box=None, pad_edge=False)
        table.add_column("")
        table.add_column("compiled" if compiled else "interpreted", justify="right")
        if compiled:
            table.add_column("interpreted", justify="right")
        table.add_column("")
        prefix = f"{name}."
        for key, value in figures.items():
            figure = key.removeprefix(prefix)
            if key.startswith(prefix) and "." not in figure and figure != "compiled_over_interpreted":
                words, unit = UNITS.get(figure, (figure.replace("_", " "), ""))
                other = [_number(figures[f"{name}.interpreted.{figure}"])] if compiled else []
                table.add_row(words, _number(value), *other, unit)
        console.print(table)
        if compiled:
            console.print(f"Compiled over interpreted: {_number(figures[f'{name}.compiled_over_interpreted'])} times.")
    if not compiled:
        console.print("This is the pure Python build; CONTRIBUTING.md says how the compiled one is made.")


def _number(value: object) -> str:
    whole = isinstance(value, float) and (value >= 100 or value.is_integer())
    return f"{value:,.0f}" if whole else f"{value:.2f}"
