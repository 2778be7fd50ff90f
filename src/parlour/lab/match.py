"""Matches: the same bots, many games, and who won how often."""

from __future__ import annotations

import multiprocessing
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import Future, ProcessPoolExecutor
from dataclasses import dataclass, field
from itertools import islice

from parlour import bots
from parlour.kernel import Dice, Game
from parlour.lab.play import Played, play_out
from parlour.lab.seeds import seed_for
from parlour.records import Record, Result
from parlour.records.record import result_of

GAMES_A_TASK = 20
AHEAD = 4
"""Tasks handed out ahead for each process."""


class MatchError(ValueError):
    """A match that cannot be played as asked; the message says what would do."""


@dataclass(frozen=True)
class MatchPlan:
    """What is to be played. Raises MatchError, OptionError or UnknownBot when it cannot be.

    Seats go round: in game k the bot at place i of the list sits in seat (i + k) modulo the number of players, so over
    any run of games that is a multiple of it everybody has sat everywhere equally often. Every game is another deal,
    except with `pairs`: then every deal is played once in each of those seatings, by two players twice.
    """

    game: Game
    bots: tuple[str, ...]
    games: int = 100
    seed: int = 1
    pairs: bool = False
    options: Mapping[str, object] = field(default_factory=dict)

    def __post_init__(self) -> None:
        for name in self.bots:
            bots.summary(name)
        low, high = self.game.players.start, self.game.players[-1]
        if len(self.bots) not in self.game.players:
            takes = f"{low}" if low == high else f"{low} to {high}"
            raise MatchError(
                f"{self.game.title} takes {takes} players, and every player needs a bot: name {takes} of them, "
                f"not {len(self.bots)}. A name may stand more than once."
            )
        self.game.check_options(self.options)
        if self.games < 1:
            raise MatchError(f"A match has at least one game, not {self.games}.")
        if self.pairs and self.games % self.players:
            raise MatchError(
                f"With pairs every deal is played {self.players} times, so the number of games must be a multiple of "
                f"{self.players}; {self.games} is not."
            )

    @property
    def players(self) -> int:
        """How many play."""
        return len(self.bots)

    @property
    def deals(self) -> int:
        """How many different deals are played."""
        return self.games // self.players if self.pairs else self.games

    def deal_of(self, index: int) -> int:
        """Which deal game `index` is played on."""
        return index // self.players if self.pairs else index

    def seats(self, index: int) -> list[int]:
        """For each seat of game `index`, the place in the list of the bot that sits there."""
        return [(seat - index) % self.players for seat in range(self.players)]


@dataclass(frozen=True)
class GameReport:
    """One game of a match. `seats[s]` is the bot in seat s; the result goes by seats."""

    index: int
    deal: int
    seed: int
    seats: list[int]
    result: Result
    decisions: int
    record: Record | None


def play_match(
    plan: MatchPlan,
    jobs: int = 1,
    record: bool = False,
    progress: Callable[[int], None] | None = None,
    keep: Callable[[GameReport], None] | None = None,
) -> list[GameReport]:
    """Play all games of a plan, in order. The outcome depends on the plan alone, not on `jobs`.

    `jobs` processes share the work; they start afresh, so the game must be one that `games.get` finds, and a script
    that asks for more than one needs the usual `if __name__ == "__main__":`. `record` keeps each game's record, `keep`
    is handed each report as it comes, in order, and `progress` is told how many more games are done.
    """
    reports: list[GameReport] = []
    for some in _batches(plan, jobs, record):
        if keep is not None:
            for report in some:
                keep(report)
        reports += some
        if progress is not None:
            progress(len(some))
    return reports


def play_one(plan: MatchPlan, index: int, record: bool = False) -> GameReport:
    """Game `index` of a match."""
    deal = plan.deal_of(index)
    seed = seed_for(plan.seed, "deal", deal)
    seats = plan.seats(index)
    players = [bots.get(plan.bots[bot], plan.game, seed_for(plan.seed, "bot", index, bot)) for bot in seats]
    state = plan.game.new_game(players=plan.players, seed=seed, options=plan.options)
    played = play_out(state, players, Dice(seed_for(plan.seed, "resample", index)))
    result = result_of(played.state)
    if result is None:
        raise AssertionError("play_out goes on to the end")
    return GameReport(
        index, deal, seed, seats, result, len(played.actions), _record(plan, seed, seats, played) if record else None
    )


def labels(names: tuple[str, ...]) -> list[str]:
    """The bots' names, told apart: `greedy`, `greedy (2)`."""
    told: list[str] = []
    for place, name in enumerate(names):
        before = names[:place].count(name)
        told.append(f"{name} ({before + 1})" if before else name)
    return told


def _record(plan: MatchPlan, seed: int, seats: list[int], played: Played) -> Record:
    named = labels(plan.bots)
    return Record.from_game(
        plan.game,
        played.actions,
        players=plan.players,
        seed=seed,
        options=plan.options,
        names=[named[bot] for bot in seats],
    )


def _batches(plan: MatchPlan, jobs: int, record: bool) -> Iterator[list[GameReport]]:
    """The reports in order, some at a time, from this process or from several."""
    starts = range(0, plan.games, GAMES_A_TASK)
    jobs = min(jobs, len(starts))
    if jobs <= 1:
        for start in starts:
            yield _play_some(plan, start, record)
        return
    # Fresh processes, not forked ones: a fork of a process that draws a progress bar from a thread may hang.
    context = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(jobs, mp_context=context, initializer=_leave_interrupts_to_the_parent) as pool:
        # Only a few tasks are handed out ahead: a match of any length takes no more room than a short one.
        rest = iter(starts)
        tasks: deque[Future[list[GameReport]]] = deque()
        try:
            _hand_out(pool, tasks, islice(rest, AHEAD * jobs), plan, record)
            while tasks:
                yield tasks.popleft().result()
                _hand_out(pool, tasks, islice(rest, 1), plan, record)
        finally:
            for task in tasks:
                task.cancel()


def _hand_out(
    pool: ProcessPoolExecutor,
    tasks: deque[Future[list[GameReport]]],
    starts: Iterator[int],
    plan: MatchPlan,
    record: bool,
) -> None:
    """Submit the tasks that begin at these games. A process started by it ignores Ctrl+C from its first moment."""
    in_main = threading.current_thread() is threading.main_thread()
    before = signal.signal(signal.SIGINT, signal.SIG_IGN) if in_main else None
    try:
        tasks.extend(pool.submit(_play_some, plan, start, record) for start in starts)
    finally:
        if before is not None:
            signal.signal(signal.SIGINT, before)


def _leave_interrupts_to_the_parent() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)


def _play_some(plan: MatchPlan, start: int, record: bool) -> list[GameReport]:
    return [play_one(plan, index, record) for index in range(start, min(start + GAMES_A_TASK, plan.games))]
