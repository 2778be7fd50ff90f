"""What `parlour bench` measures of this game besides what it measures of every game: the longest trail (PP-32)."""

from __future__ import annotations

from time import perf_counter

from parlour import games
from parlour.games.prowlers.tables import Tables, tables_for
from parlour.games.prowlers.tunnels import longest_tunnel
from parlour.kernel import Dice

PASSAGES = 13
EDGES = 27


def longest_trail(seconds: float) -> float:
    """Microseconds for the longest Tunnel of a whole reserve laid at random, on average over such sets."""
    tables = tables_for(games.get("prowlers"))
    return 1e6 * _time(tables, _sets(1000), seconds)


def hardest_trail(seconds: float) -> float:
    """Microseconds for the one of 4,000 such sets that takes longest."""
    tables = tables_for(games.get("prowlers"))
    hard = sorted(_sets(4_000), key=lambda passages: _time(tables, [passages], 0.0))[-20:]
    return 1e6 * max(_time(tables, [passages], seconds / len(hard)) for passages in hard)


FIGURES = {"longest_trail_microseconds": longest_trail, "hardest_trail_microseconds": hardest_trail}


def _sets(number: int) -> list[int]:
    dice = Dice(13)
    return [sum(1 << edge for edge in dice.sample(EDGES, PASSAGES)) for _ in range(number)]


def _time(tables: Tables, sets: list[int], seconds: float) -> float:
    """Seconds for one of the sets, from the best of the rounds that fit into the time (three at least)."""
    best = float("inf")
    end = perf_counter() + seconds
    rounds = 0
    while rounds < 3 or perf_counter() < end:
        start = perf_counter()
        for passages in sets:
            longest_tunnel(tables, passages)
        best = min(best, (perf_counter() - start) / len(sets))
        rounds += 1
    return best
