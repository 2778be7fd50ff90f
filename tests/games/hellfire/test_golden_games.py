"""Whole games written down: the same seed and choices must give the same game for ever, on every machine and build.

A change here is a change of the rules, of the dice, or of the written form: it needs a new version of the game.
"""

from __future__ import annotations

import pytest

from parlour.games.hellfire import GAME
from parlour.kernel import Dice, random_playout

GOLDEN: dict[tuple[int, tuple[tuple[str, object], ...]], str] = {
    (2, ()): "ac408e4f9639e8fb",
    (3, ()): "345dd8ebce1baf8c",
    (4, ()): "7ddf9923bb716169",
    (5, ()): "6cb2f308fbf1b214",
    (6, ()): "c1656c453896748d",
    (7, ()): "e5cbcade1d214d86",
    (8, ()): "ab0173f2c99fe3ff",
    (4, (("interrupt_protocol", "first_voice"),)): "8034ab14b35735d2",
    (4, (("end_trigger", "deck_empty"),)): "d4b46cb72fda2bef",
    (2, (("end_trigger", "deck_empty"),)): "b55c17e7094a2a3b",
    (5, (("interrupter_high_bonus", True),)): "892a9a63bb811611",
    (3, (("starter", "named"),)): "225d4a60cd8a96ef",
    (6, (("piles", "closed"),)): "2862697b83f0fd27",
}


@pytest.mark.parametrize(("players", "options"), GOLDEN)
def test_the_same_seed_is_the_same_game(players: int, options: tuple[tuple[str, object], ...]) -> None:
    state = GAME.new_game(players=players, seed=2019, options=dict(options))
    random_playout(state, Dice(1848))
    assert GOLDEN[players, options] == state.position_hash()
