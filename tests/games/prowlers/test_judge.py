"""The judge: what it likes, and that greedy play on it beats random play."""

from __future__ import annotations

import pytest

from parlour.bots.greedy import GreedyBot
from parlour.games.prowlers import GAME
from parlour.games.prowlers.judge import ProwlersJudge, judge
from parlour.kernel import Dice, random_playout
from tests.games.prowlers.fragments import dealt, r1, turns
from tests.games.prowlers.test_golden_games import GAME_A, moves


@pytest.mark.parametrize("strength", ["novice", "club", "master"])
def test_at_the_end_worth_is_wealth(strength: str) -> None:
    """PP-53: own Wealth for a novice, the lead for the others; 115 to 85 in PP-E25."""
    state = turns(r1(cards=GAME_A.cards, bonus=GAME_A.bonus), *moves(GAME_A))
    worths = [judge(strength).worth(state, player) for player in (0, 1)]
    assert ([115, 85] if strength == "novice" else [30, -30]) == worths


@pytest.mark.parametrize("strength", ["club", "master"])
def test_one_player_s_hope_is_the_other_s_fear(strength: str) -> None:
    for seed in range(10):
        state = dealt(seed)
        dice = Dice(seed)
        for _ in range(14):
            player = state.current_player
            legal = state.legal_actions(player)
            state.apply(player, legal[dice.below(len(legal))])
            assert judge(strength).worth(state, 0) == pytest.approx(-judge(strength).worth(state, 1))


def test_it_sees_a_card_within_reach() -> None:
    """PP-34: three gold held and `loot_4` open, the fourth gold is liked better than a book."""
    state = r1(cards=("loot_4", "mid_tunnel", "mid_control"))
    turns(state, "sp_b_n", "sp_a_n", "sp_b_sw", "sp_c_n", "sp_f_se", "sp_d_n")
    gold, book = (GAME.parse(state, 0, f"place:{line}") for line in ("sh_be", "sp_b_se"))
    for strength in ("novice", "club", "master"):
        liked = judge(strength).preferences(state, 0, [gold, book])
        assert liked[0] > liked[1]


def test_it_sees_a_statue_that_the_opponent_could_take() -> None:
    """PP-16: with one passageway free at a platform, the statue is half in the hands of who moves next."""
    blind, wary = (ProwlersJudge(True, 0.0, 0.1, 0.0, 0.0, 0.0, statue, 0.0) for statue in (0.0, 5.0))
    state = turns(r1(), "sh_df", "sp_a_n")
    assert blind.worth(state, 0) == wary.worth(state, 0)
    turns(state, "sh_ef")
    assert blind.worth(state, 0) - 5 == pytest.approx(wary.worth(state, 0))
    assert blind.worth(state, 1) + 5 == pytest.approx(wary.worth(state, 1))


def wins(strength: str, against: str, games: int) -> float:
    """Wins of one strength against another (`random` too), each deal once from either seat."""
    won = 0.0
    for number in range(games):
        state = dealt(number // 2)
        me = number % 2
        mine = GreedyBot(judge(strength), Dice(2 * number))
        dice = Dice(2 * number + 1)
        theirs = None if against == "random" else GreedyBot(judge(against), dice)
        while not state.is_over:
            player = state.current_player
            legal = state.legal_actions(player)
            if player == me:
                action = mine.choose(state, player)
            elif theirs is None:
                action = legal[dice.below(len(legal))]
            else:
                action = theirs.choose(state, player)
            state.apply(player, action)
        won += state.returns()[me]
    return won / games


def test_greedy_beats_random() -> None:
    """At least nine in ten; it wins more than 99 in 100 (1,000 games in the long run of the soak)."""
    assert wins("master", "random", 40) >= 0.9


def test_strengths_are_in_order() -> None:
    """A master beats a club player, and a club player a novice: measured about 0.7 and 0.6."""
    assert wins("master", "club", 60) > 0.5
    assert wins("master", "novice", 60) > 0.6


def test_random_games_are_those_of_the_contract() -> None:
    """Section 1: 20,000 games gave 89.1 Wealth each (28.7 and 60.4), 56.5 % for second, 94.7 % scored after turn 16."""
    games, totals, mids, second, late = 1200, 0.0, 0.0, 0, 0
    for seed in range(games):
        state = dealt(seed)
        dice = Dice(seed + 10_000)
        state.apply(state.current_player, 32 + dice.below(5))  # there the free pull is always used
        random_playout(state, dice)
        totals += sum(state.scores()) / 2
        mids += sum(sheet.total() for sheet in (state.mid_first, state.mid_second) if sheet is not None) / 2
        second += state.total(1) > state.total(0)
        late += state.mid_turn == 16
    assert abs(totals / games - 89.1) < 1.5
    assert abs(mids / games - 28.7) < 1.0
    assert abs(second / games - 0.565) < 0.07
    assert abs(late / games - 0.947) < 0.033
