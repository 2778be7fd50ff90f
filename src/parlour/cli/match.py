"""`parlour match`: bots against bots."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli.errors import CommandError
from parlour.cli.setup import BoxFile, BoxSets, GameName, OptionTexts, open_game

if TYPE_CHECKING:
    from parlour.lab.match import GameReport, MatchPlan
    from parlour.lab.tally import MatchTally

BOT_NAMES = ("random", "novice", "club", "master", "greedy")
"""Weakest first. The roster has them; it is not loaded only to print the help, and a test holds the two together."""

MOST_JOBS = 61
"""More processes at once than some systems can wait for."""


def match(
    name: GameName,
    bots: Annotated[
        list[str],
        typer.Argument(metavar="BOT", help=f"A bot for every player: {', '.join(BOT_NAMES)}."),
    ],
    games: Annotated[int, typer.Option("--games", "-n", metavar="N", help="How many games.")] = 100,
    seed: Annotated[int, typer.Option(metavar="N", help="The same seed gives the same match.")] = 1,
    players: Annotated[
        int | None, typer.Option(metavar="N", help="How many play, to be sure: as many as there are bots.")
    ] = None,
    pairs: Annotated[
        bool, typer.Option("--pairs", help="Play every deal once in each seating: by two players, twice.")
    ] = False,
    option: OptionTexts = None,
    box: BoxFile = None,
    sets: BoxSets = None,
    jobs: Annotated[
        int | None, typer.Option(metavar="N", help="Processes to share the work. It changes nothing but the time.")
    ] = None,
    save: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a record of every game into this folder.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the figures as JSON.")] = False,
) -> None:
    """Let bots play a game against each other, many times, and count.

    Seats go round from game to game, so over a multiple of the number of players everybody sits everywhere equally
    often. Win rates come with 95 % Wilson intervals.

    Example: `parlour match prowlers greedy random --games 1000 --seed 1`
    """
    import msgspec

    from parlour.lab.match import MatchPlan
    from parlour.lab.tally import tally

    game = open_game(name, box, sets)
    if players is not None and players != len(bots):
        raise CommandError(f"{players} players need {players} bots, one each; {len(bots)} are named.")
    plan = MatchPlan(game, tuple(bots), games, seed, pairs, game.parse_options(option or []))
    if save is not None:
        _make_room(save, plan)
    reports = _play(plan, jobs if jobs is not None else _cores(), save, quiet=as_json)
    result = tally(plan, reports)
    if as_json:
        typer.echo(msgspec.json.format(msgspec.json.encode(result), indent=2).decode())
    else:
        _print(game.title, result)


def _cores() -> int:
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _play(plan: MatchPlan, jobs: int, save: Path | None, quiet: bool) -> list[GameReport]:
    """Play with a progress bar (on stderr, so that the output stays clean), writing records as they come."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

    from parlour.lab.match import play_match
    from parlour.records import save as write

    if not 1 <= jobs <= MOST_JOBS:
        raise CommandError(f"--jobs is 1 to {MOST_JOBS}, not {jobs}.")
    digits = len(str(plan.games - 1))

    def keep(report: GameReport) -> None:
        if save is not None and report.record is not None:
            write(report.record, save / f"{_stem(plan)}{report.index:0{digits}}.json")

    columns = (TextColumn("playing"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True, disable=quiet) as bar:
        task = bar.add_task("", total=plan.games)
        return play_match(plan, jobs, save is not None, lambda done: bar.advance(task, done), keep)


def _stem(plan: MatchPlan) -> str:
    """How the names of a match's records begin; the number of the game follows."""
    return f"{plan.game.name}-{plan.seed}-"


def _make_room(folder: Path, plan: MatchPlan) -> None:
    """Make the folder. Raises CommandError where it holds records that this match would overwrite."""
    if folder.exists() and not folder.is_dir():
        raise CommandError(f"{folder} is a file; --save names a folder.")
    folder.mkdir(parents=True, exist_ok=True)
    taken = sorted(file.name for file in folder.glob(f"{_stem(plan)}*.json"))
    if taken:
        raise CommandError(
            f"{folder} holds records of such a match already, {taken[0]} for one; name another folder, or another "
            "--seed for other games."
        )


def _print(title: str, result: MatchTally) -> None:
    from rich.console import Console
    from rich.table import Table

    console = Console()
    table = Table(box=None, pad_edge=False, header_style="bold")
    table.add_column("bot")
    for column in ("wins", "shared", "win rate, 95 %", "part of win, 95 %", "mean score"):
        table.add_column(column, justify="right")
    for bot in result.bots:
        table.add_row(
            bot.bot,
            str(bot.wins),
            str(bot.shared),
            f"{bot.win_rate:.1%} ({100 * bot.win_interval.low:.1f} to {100 * bot.win_interval.high:.1f})",
            f"{bot.share:.2f} ({bot.share_interval.low:.2f} to {bot.share_interval.high:.2f})",
            f"{bot.mean_score:.1f}",
        )
    console.print(table)
    length = result.decisions
    console.print(
        f"{title}: {result.games} games on {result.deals} deals, seed {result.seed}; "
        f"{length.mean:.1f} decisions a game ({length.shortest} to {length.longest}).",
        highlight=False,
    )
