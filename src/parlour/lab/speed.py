"""How fast a game's rules run: the figures of `parlour bench`, on this build and on the interpreted one."""

from __future__ import annotations

import importlib
import json
import subprocess
import sys
import tracemalloc
from collections.abc import Callable, Mapping
from importlib.util import find_spec
from itertools import repeat
from time import perf_counter
from types import ModuleType

from parlour import compiled, games
from parlour.kernel import Dice, Game, State, random_playout

ROUNDS = 5
DEALS = 32
COPIES = 1000

Figures = dict[str, float]


def measure(game: Game, players: int | None = None, seconds: float = 1.0) -> Figures:
    """The figures of one game on the build that is running, each the best of five rounds of `seconds` / 5.

    `decisions_per_second`: whole random games from their deal, through the base class, on one core; the deals are made
    beforehand. `clones_per_second`, `resamples_per_second`, `legal_actions_per_second`: calls from Python, on positions
    from the middle of random games. `state_bytes`: what one more clone takes, everything that it does not share.
    A game may have a module `bench` beside its rules: `FIGURES`, what else to measure, name -> function of `seconds`.
    """
    own = _own_module(game)
    count = players if players is not None else game.usual_players
    deals = [game.new_game(players=count, seed=seed) for seed in range(DEALS)]
    middles = [_middle(state) for state in deals]
    dice = Dice(1)
    figures = {
        "players": float(count),
        "decisions_per_second": best_rate(_playouts(deals), seconds),
        "clones_per_second": best_rate(_clones(middles), seconds),
        "resamples_per_second": best_rate(_resamples(middles, dice), seconds),
        "legal_actions_per_second": best_rate(_legal_actions(middles), seconds),
        "state_bytes": float(state_bytes(middles[0])),
    }
    extra: Mapping[str, Callable[[float], float]] = getattr(own, "FIGURES", {})
    for name, figure in extra.items():
        figures[name] = figure(seconds)
    return figures


def measure_interpreted(name: str, players: int | None = None, seconds: float = 1.0) -> Figures:
    """The same figures from the very same source files, run by the interpreter in a process of its own."""
    done = subprocess.run(  # noqa: S603 - our own interpreter on our own code
        [sys.executable, "-c", _INTERPRETED, name, str(players or 0), str(seconds)],
        capture_output=True,
        text=True,
        check=False,
    )
    if done.returncode:
        raise RuntimeError(f"The interpreted build could not be measured: {done.stderr.strip().splitlines()[-1:]}")
    figures: Figures = json.loads(done.stdout)
    return figures


def state_bytes(state: State) -> int:
    """The memory that a clone takes of its own, on average over a thousand."""
    clone = state.clone
    tracemalloc.start()
    try:
        kept: list[State | None] = [None] * COPIES
        before, _ = tracemalloc.get_traced_memory()
        for index in range(COPIES):
            kept[index] = clone()
        after, _ = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    return (after - before) // COPIES


def _own_module(game: Game) -> ModuleType | None:
    """The module `bench` of the game's package, if it has one."""
    package = type(game.new_game()).__module__.rpartition(".")[0]
    where = f"{package}.bench"
    return importlib.import_module(where) if package and find_spec(where) is not None else None


def best_rate(work: Callable[[], int], seconds: float) -> float:
    """How many things a second `work` does at its best; each call says how many it did."""
    best = 0.0
    work()
    for _ in range(ROUNDS):
        done = 0
        start = perf_counter()
        elapsed = 0.0
        while elapsed < seconds / ROUNDS:
            done += work()
            elapsed = perf_counter() - start
        best = max(best, done / elapsed)
    return best


def _middle(deal: State) -> State:
    """A position halfway through a random game."""
    dice = Dice(2)
    half = random_playout(deal.clone(), dice.clone()) // 2
    state = deal.clone()
    for _ in range(half):
        player = state.current_player
        actions = state.legal_actions(player)
        state.apply(player, actions[dice.below(len(actions))])
    return state


def _playouts(deals: list[State]) -> Callable[[], int]:
    dice = Dice(3)

    def work() -> int:
        done = 0
        for deal in deals:
            done += random_playout(deal.clone(), dice)
        return done

    return work


def _clones(states: list[State]) -> Callable[[], int]:
    def work() -> int:
        for state in states:
            clone = state.clone
            for _ in repeat(None, 100):
                clone()
        return 100 * len(states)

    return work


def _resamples(states: list[State], dice: Dice) -> Callable[[], int]:
    def work() -> int:
        for state in states:
            player = state.current_player
            resample = state.resample
            for _ in repeat(None, 100):
                resample(player, dice)
        return 100 * len(states)

    return work


def _legal_actions(states: list[State]) -> Callable[[], int]:
    def work() -> int:
        for state in states:
            player = state.current_player
            legal_actions = state.legal_actions
            for _ in repeat(None, 100):
                legal_actions(player)
        return 100 * len(states)

    return work


# Extension modules beside the sources are passed over, for this package only: what is left is the interpreted build.
_INTERPRETED = """
import importlib.machinery as machinery, importlib.util as util, sys
root = next(iter(util.find_spec("parlour").submodule_search_locations))
def sources_only(folder):
    if not folder.startswith(root):
        raise ImportError
    return machinery.FileFinder(folder, (machinery.SourceFileLoader, machinery.SOURCE_SUFFIXES))
sys.path_hooks.insert(0, sources_only)
sys.path_importer_cache.clear()
from parlour.lab.speed import run_interpreted
run_interpreted(*sys.argv[1:])
"""


def run_interpreted(name: str, players: str, seconds: str) -> None:
    """What the process of `measure_interpreted` does: measure, and print the figures as JSON."""
    if compiled():
        raise RuntimeError("compiled modules were found where only sources should be")
    sys.stdout.write(json.dumps(measure(games.get(name), int(players) or None, float(seconds))))
