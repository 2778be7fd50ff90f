"""The end and the reckoning (HC-60…HC-65), and the options that bear on them."""

from __future__ import annotations

import pytest

from parlour.games.hellfire.ending import benefactor_pennies, majority_pennies, suit_majority
from parlour.kernel import IllegalAction
from tests.games.hellfire.scene import Scene


def test_hc_60_the_game_ends_at_once() -> None:
    """HC-60, HC-R07, HC-R33: no Patron, no tale, and nobody may act any more."""
    scene = Scene(hands={"A": "W1", "B": "T1"}, patrons={"A": "y_weapons"}, pile="T2", decision="discard_boast")
    scene.do("A", "none")
    assert scene.s.is_over
    assert (scene.s.actors(), scene.s.current_player, scene.decision) == (0, -1, "over")
    assert [event.args["why"] for event in scene.events("end")] == ["unable_to_draw"]
    assert scene.s.turn == 1
    assert scene.s.scores() == [0.0] * 4  # cards in hand and Patrons held are worth nothing


def test_hc_62_after_the_end_nothing_counts_any_more() -> None:
    """HC-62, HC-R33: the story may go on (HC-90), but no action is taken and no score moves."""
    scene = Scene(hands={"A": "W1", "B": "T1"}, purses={"B": 2}, decision="over")
    for player in range(4):
        assert scene.s.decision(player) == ""
        for number in (0, 1, 91, 101):
            with pytest.raises(IllegalAction):
                scene.s.play(player, number)
    assert scene.s.scores() == [0.0, 2.0, 0.0, 0.0]


@pytest.mark.parametrize(
    ("pockets", "paid"),
    [
        ({}, [0, 0, 0, 0]),
        ({"A": "W1"}, [2, 0, 0, 0]),
        ({"A": "W1", "B": "W10"}, [1, 1, 0, 0]),
        ({"A": "W1", "B": "W10", "C": "W3", "D": "W2"}, [1, 1, 1, 1]),
        ({"A": "W1 W2", "B": "W10", "D": "W3 W4 W5"}, [0, 0, 0, 2]),
        ({"A": "T1 T2", "B": "W10"}, [0, 2, 0, 0]),
    ],
)
def test_hc_63_majorities(pockets: dict[str, str], paid: list[int]) -> None:
    """HC-63, HC-R22: two alone, one each when tied, nothing where nobody has any."""
    scene = Scene(pockets=pockets, decision="over")
    assert paid == suit_majority(scene.s, 9)


def test_hc_63_majorities_of_all_suits_together() -> None:
    scene = Scene(pockets={"A": "W1 T1 V1", "B": "W2"}, decision="over")
    assert [majority_pennies(scene.s, player) for player in range(4)] == [5, 1, 0, 0]


def test_hc_64_benefactors() -> None:
    """HC-64: two each; those in the pool pay nobody."""
    scene = Scene(pockets={"A": "W1 T1 V1", "B": "M2"}, benefactors={"W": "A", "T": "A", "M": "B"}, decision="over")
    assert [benefactor_pennies(scene.s, player) for player in range(4)] == [4, 2, 0, 0]


def test_hc_65_most_pennies_win() -> None:
    scene = Scene(purses={"A": 3, "B": 5, "C": 4, "D": 1}, decision="over")
    assert [(one.player, one.place, one.score) for one in scene.s.standings()] == [
        (1, 1, 5.0),
        (2, 2, 4.0),
        (0, 3, 3.0),
        (3, 4, 1.0),
    ]
    assert scene.s.returns() == [0.0, 1.0, 0.0, 0.0]
    assert scene.s.standings()[0].reason == "5 pennies"
    assert scene.s.standings()[3].reason == "1 penny"


@pytest.mark.parametrize("value", range(10, 0, -1))
def test_hc_65_ties_are_broken_from_ten_down_to_one(value: int) -> None:
    """HC-65: both have pocketed one card of a suit of their own; the higher one decides, whichever value it is."""
    pockets = {"A": f"W{value}", "B": f"T{value - 1}"} if value > 1 else {"A": "W1", "B": "T1 T2"}
    purses = {"A": 0, "B": 0}
    scene = Scene(3, pockets=pockets, purses=purses, decision="over")
    first = scene.s.standings()[0]
    assert first.player == (0 if value > 1 else 1)
    assert first.place == 1
    assert f"value {value if value > 1 else 2}" in first.reason


def test_hc_65_the_tie_break_counts_cards_not_only_the_best() -> None:
    scene = Scene(3, pockets={"A": "W10 T3", "B": "M10 V10"}, decision="over")
    assert [one.player for one in scene.s.standings()][:2] == [1, 0]


def test_hc_r23_all_equal_shares_the_victory() -> None:
    """HC-65, HC-R23."""
    scene = Scene(3, pockets={"A": "W10 T3", "B": "M10 V3"}, purses={"C": 1}, decision="over")
    assert [(one.player, one.place) for one in scene.s.standings()] == [(0, 1), (1, 1), (2, 3)]
    assert scene.s.returns() == [0.5, 0.5, 0.0]
    assert "shared" in scene.s.standings()[0].reason


def test_end_trigger_deck_empty_at_a_refresh() -> None:
    """HC-R07: the literal first reading; the cards drawn stay in the hand."""
    scene = Scene(
        hands={"A": "W1 W2 W3 W4", "B": "C1"},
        pile="T1 T2",
        decision="discard_boast",
        options={"end_trigger": "deck_empty"},
    )
    scene.do("A", "none")
    assert (scene.decision, scene.s.ended_by) == ("over", "last_card")
    assert scene.hand("A") == "T1 T2 W1 W2 W3 W4"


def test_end_trigger_deck_empty_leaves_a_pile_that_is_not_emptied_alone() -> None:
    options: dict[str, object] = {"end_trigger": "deck_empty"}
    scene = Scene(hands={"A": "W1 W2 W3 W4"}, pile="T1 T2 T3", decision="discard_boast", options=options)
    scene.do("A", "none")
    assert scene.decision == "patron_swap"


def test_end_trigger_deck_empty_still_draws_nothing_where_the_pile_is_too_small() -> None:
    options: dict[str, object] = {"end_trigger": "deck_empty"}
    scene = Scene(hands={"A": "W1"}, pile="T1 T2 T3", decision="discard_boast", options=options)
    scene.do("A", "none")
    assert (scene.decision, scene.hand("A"), scene.s.ended_by) == ("over", "W1", "unable_to_draw")


def test_end_trigger_deck_empty_at_the_witness_step() -> None:
    """3.10: a witness drawn last is discarded instead of replacing one."""
    scene = Scene(
        2,
        hands={"A": "C9", "B": "T1"},
        witnesses="W3 W7 T5 P10",
        pile="M1",
        attempts=2,
        turn_of="B",
        options={"end_trigger": "deck_empty"},
    )
    scene.told("T1", seat="B")
    assert (scene.decision, scene.s.ended_by) == ("over", "last_card")
    assert scene.discards == "M1"
    assert scene.teller == "A"
