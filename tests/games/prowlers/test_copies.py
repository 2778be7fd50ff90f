"""Copies: a clone is exact, dice included; a resampled state is the same position with other dice."""

from __future__ import annotations

import copy
import pickle

from parlour.games.prowlers.rules import ProwlersState
from parlour.kernel import Dice, random_step
from tests.games.prowlers.fragments import dealt, r1, turns


def positions(seed: int) -> list[ProwlersState]:
    """Every position of a random game, as copies made by loading, so that they share nothing."""
    state = dealt(seed, track_half_length=6, mid_cards_count_for_market=False)
    dice = Dice(seed)
    found = []
    while True:
        loaded = state.game.load(state.to_dict())
        assert isinstance(loaded, ProwlersState)
        found.append(loaded)
        if state.is_over:
            return found
        random_step(state, dice)


def test_copies_are_equal_and_independent() -> None:
    """PP-I12, PP-I13: whatever a position holds, its copy holds, and playing on in one leaves the other."""
    for seed in range(4):
        for state in positions(seed):
            before = state.to_dict()
            for other in (state.clone(), copy.deepcopy(state), pickle.loads(pickle.dumps(state))):
                assert before == other.to_dict()
                assert state == other
                assert hash(state) == hash(other)
                if not state.is_over:
                    random_step(other, Dice(seed))
                    assert before == state.to_dict() != other.to_dict()


def test_a_clone_draws_what_the_original_draws_and_collects_no_events() -> None:
    """The kernel's law for clones."""
    state = dealt(3)
    state.events = []
    other = state.clone()
    assert None is other.events
    assert [other.dice.below(1000) for _ in range(5)] == [state.dice.below(1000) for _ in range(5)]


def test_resample_has_the_same_position_and_fresh_dice() -> None:
    """Section 6: nothing is hidden, so only the dice differ, for players and spectators."""
    state = turns(r1(), "sh_ad", "sp_c_n")
    dice = Dice(5)
    for knower in (-1, 0, 1):
        other = state.resample(knower, dice)
        assert state.position() == other.position()
        assert state.dice != other.dice
        assert 2 == other.players


def test_a_position_is_not_equal_to_one_that_differs_in_anything() -> None:
    """PP-I12."""
    state = turns(r1(), "sh_ad", "sp_c_n")
    others = [
        turns(r1(), "sh_ad", "sp_c_se"),
        turns(r1(), "sh_ad"),
        turns(r1(cards=("statues_2", "tunnel_6", "surround")), "sh_ad", "sp_c_n"),
        turns(r1(bonus="castle"), "sh_ad", "sp_c_n"),
        turns(r1(track_half_length=9), "sh_ad", "sp_c_n"),
        turns(r1(mid_cards_count_for_market=False), "sh_ad", "sp_c_n"),
    ]
    assert state == turns(r1(), "sh_ad", "sp_c_n")
    for other in others:
        assert state != other
        assert state.position_hash() != other.position_hash()
