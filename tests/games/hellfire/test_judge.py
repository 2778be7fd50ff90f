"""The judge: risks counted by hand, memory by strength, and that it plays well from its own view alone."""

from __future__ import annotations

import pytest

from parlour.games.hellfire import GAME
from parlour.games.hellfire.judge import CLUB, MASTER, NOVICE, Sight, judge
from parlour.kernel import Dice, Judge, State
from tests.games.hellfire.scene import Scene
from tests.shelf import random_game


def test_risk_is_one_minus_the_chance_that_no_lower_card_is_out() -> None:
    """U unseen cards, H of them in other hands: for two lower ones 1 - (U-H)(U-H-1) / (U(U-1))."""
    scene = Scene(3, hands={"A": "W3 T1", "B": "V1 V2", "C": "V3"}, discards="W4")
    sight = Sight(scene.s, 0, MASTER)
    assert (sight.unseen, sight.held) == (97, 3)
    assert sight.risk(92) == pytest.approx(1 - 94 * 93 / (97 * 96))
    assert sight.risk(80) == 0.0  # nothing is below T1
    assert (sight.lower(99), sight.higher(92)) == (7, 6)


def test_a_hand_that_must_hold_a_lower_card_is_certain() -> None:
    scene = Scene(3, hands={"A": "W3", "B": "W1 V2", "C": "V3"}, pile="")
    assert Sight(scene.s, 0, MASTER).risk(92) == 1.0


def test_memory_by_strength() -> None:
    """Novices see what lies open, club players pockets and the latest twenty discards, masters everything."""
    early, late = "M1 M2", " ".join(f"C{n}" for n in range(1, 11)) + " " + " ".join(f"I{n}" for n in range(1, 11))
    scene = Scene(3, hands={"A": "W3"}, pockets={"B": "W1"}, discards=f"{early} {late}")
    unseen = [int(Sight(scene.s, 0, memory).unseen) for memory in (NOVICE, CLUB, MASTER)]
    assert unseen == [99, 78, 76]


def test_a_card_that_was_slipped_is_remembered() -> None:
    scene = Scene(3, hands={"A": "W1 W3", "B": "V3", "C": "C1"}, patrons={"A": "y_pickpocket"}, decision="play_patron")
    scene.do("A", "play")
    scene.do("A", "2")
    scene.do("A", "W1")
    assert Sight(scene.s, 0, MASTER).risk(92) == 1.0
    assert Sight(scene.s, 0, NOVICE).risk(92) < 0.2


@pytest.mark.parametrize("strength", ["novice", "club", "master"])
def test_every_choice_of_every_decision_is_judged(strength: str) -> None:
    opinion = GAME.judge(strength) if GAME.judge else None
    assert isinstance(opinion, Judge)
    for players in (2, 4):
        for state in random_game("hellfire", players, 2):
            player = state.current_player
            if player < 0:
                continue
            legal = state.legal_actions(player)
            liked = opinion.preferences(state, player, legal)
            assert len(liked) == len(legal)
            assert all(-30 < one < 60 for one in liked)
            assert -80 < opinion.worth(state, player) < 80


def test_the_judge_knows_only_what_its_seat_knows() -> None:
    """R13: its opinion of a position and of any redeal of it for that seat are the same."""
    master = judge("master")
    dice = Dice(8)
    for state in random_game("hellfire", 4, 5):
        player = state.current_player
        if player < 0:
            continue
        other = state.resample(player, dice)
        legal = state.legal_actions(player)
        assert master.preferences(state, player, legal) == master.preferences(other, player, legal)
        assert master.worth(state, player) == master.worth(other, player)


def test_what_it_prefers() -> None:
    """A safe high card before a risky one; the row before one more risk; a sure challenge before a pass."""
    master = judge("master")
    hands = {"A": "W10 T10", "B": "W9 C9 C8 C7", "C": "C1 C2 C3"}
    scene = Scene(3, hands=hands, pile="V1", row="M9 V9")
    liked = dict(zip(scene.legal("A"), master.preferences(scene.s, 0, scene.s.legal_actions(0)), strict=True))
    assert liked["T10"] > liked["stop"] > liked["W10"]
    window = Scene(3, hands={"A": "W10 T1", "B": "W1 C9", "C": "C1"})
    window.tell("W10")
    passing, challenging = master.preferences(window.s, 1, window.s.legal_actions(1))
    assert challenging > passing == 0.0


def best(opinion: Judge, state: State, player: int, dice: Dice) -> int:
    """The greedy choice, from a redeal."""
    dealt = state.resample(player, dice)
    legal = dealt.legal_actions(player)
    liked = opinion.preferences(dealt, player, legal)
    return legal[liked.index(max(liked))]


def test_greedy_wins_at_least_twice_its_fair_share_against_random() -> None:
    """Four players, the seat going round: 0.5 is asked, about 0.7 is what it does (a game wins or not: sd 0.065)."""
    opinion = judge("master")
    won = 0.0
    games = 60
    for game in range(games):
        state = GAME.new_game(players=4, seed=game // 4)
        dice = Dice(game)
        mine = game % 4
        while not state.is_over:
            player = state.current_player
            if player == mine:
                state.apply(player, best(opinion, state, player, dice))
            else:
                legal = state.legal_actions(player)
                state.apply(player, legal[dice.below(len(legal))])
        won += state.returns()[mine]
    assert won / games >= 0.5
