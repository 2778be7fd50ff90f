"""Step 3, Just Deserts, and the clean-up (HC-50…HC-57)."""

from __future__ import annotations

import pytest

from tests.games.hellfire.scene import Scene, card

FILL = {"B": "C9", "C": "C8", "D": "C7"}


def test_hc_50_only_the_row_counts() -> None:
    """HC-50: a cancelled card pays nothing, to nobody's Patron either."""
    scene = Scene(
        hands={"A": "W9 T8 T7", **FILL}, in_force={"A": "y_weapons"}, patrons={"B": "o_weapons", "C": "o_hanger_on"}
    )
    scene.tell("W9")
    scene.window(B="patron", C="patron")
    scene.told("T8", "T7")
    scene.stop()
    assert scene.purses == [2, 0, 2, 0]
    assert scene.benefactor("W") is None


def test_hc_51_the_storyteller_pockets_the_whole_row() -> None:
    scene = Scene(hands={"A": "W9 T8 T7 C1", **FILL}, pockets={"A": "W1"})
    scene.told("W9", "T8", "T7")
    scene.stop()
    assert scene.pocket("A") == "T7 T8 W1 W9"
    assert scene.row == ""
    assert scene.hand("A") == "C1"


@pytest.mark.parametrize(
    ("value", "pennies"), [*((value, 0) for value in range(1, 7)), (7, 1), (8, 1), (9, 2), (10, 2)]
)
def test_hc_52_pennies_for_high_cards(value: int, pennies: int) -> None:
    scene = Scene(hands={"A": f"W{value} T1", **FILL})
    scene.told(f"W{value}", "T1")
    scene.stop()
    assert scene.purse("A") == pennies


@pytest.mark.parametrize(
    ("patron", "row", "pennies"),
    [
        ("y_weapons", "W1 W2 T3", 2),
        ("y_weapons", "T1 T2", 0),
        ("y_conveyances", "V1 T2", 1),
        ("y_penny_novelist", "W3 T4 M5 C6 V2", 3),
        ("y_penny_novelist", "W3 T3", 0),
        ("y_gentleman", "W1 T2", 0),
        ("y_gentleman", "W1 T2 M3", 2),
        ("y_gentleman", "W1 T2 M3 V1", 2),
        ("y_pot_boy", "W1 T2", 0),
        ("y_deaf_pensioner", "W1 T2", 0),
        ("y_pickpocket", "W1 T2", 0),
    ],
)
def test_hc_53_the_bonus_of_the_storytellers_patron(patron: str, row: str, pennies: int) -> None:
    scene = Scene(hands={"A": row, **FILL}, in_force={"A": patron})
    scene.told(*row.split())
    scene.stop()
    assert scene.purse("A") == pennies


@pytest.mark.parametrize(("row", "pennies"), [("W6 T5", 0), ("W7 T5", 1), ("W7 T8 M9", 3), ("W7 T8 M9 C10", 3)])
def test_hc_54_the_hanger_on(row: str, pennies: int) -> None:
    """HC-54: one for each 7 or more, three at most, to its owner."""
    scene = Scene(hands={"A": row, **FILL}, in_force={"C": "o_hanger_on"})
    scene.told(*row.split())
    scene.stop()
    assert scene.purse("C") == pennies


def test_hc_54_the_hanger_on_gets_nothing_from_a_caught_storyteller() -> None:
    scene = Scene(hands={"A": "W9 T8", "B": "T1"}, in_force={"C": "o_hanger_on"})
    scene.tell("W9", "T8")
    scene.window(B="T1")
    assert scene.purses == [0, 0, 0, 0]


def test_hc_55_only_the_highest_of_a_suit_is_compared_and_only_a_higher_one_wins() -> None:
    """HC-55, HC-R14: the turn's best against the record before the turn."""
    scene = Scene(hands={"A": "W3 W5 T4", **FILL}, pockets={"B": "W6", "C": "T2"}, benefactors={"W": "B", "T": "C"})
    scene.told("W5", "W3", "T4")
    scene.stop()
    assert [scene.benefactor(suit) for suit in "WT"] == ["B", "A"]
    assert (scene.record("W"), scene.record("T")) == (6, 4)
    assert [event.args for event in scene.events("benefactor")] == [{"suit": "teatime", "from": 2, "value": 4}]


def test_hc_55_one_may_hold_it_already_and_it_is_taken_by_itself() -> None:
    """HC-55, HC-R15: automatic; the record rises."""
    scene = Scene(hands={"A": "W7 T1", **FILL}, pockets={"A": "W6"}, benefactors={"W": "A"})
    scene.told("W7", "T1")
    scene.stop()
    assert (scene.benefactor("W"), scene.record("W")) == ("A", 7)
    assert [event.args["from"] for event in scene.events("benefactor")] == [-1, 0]


def test_hc_55_a_record_set_by_a_challenge_counts() -> None:
    """HC-R12: W6 came into a pocket by a challenge; W5 does not beat it, though the Benefactor lies in the pool."""
    scene = Scene(hands={"A": "W5 T1", **FILL}, pockets={"B": "W6"})
    scene.told("W5", "T1")
    scene.stop()
    assert scene.benefactor("W") is None


def test_hc_56_the_record_is_the_highest_pocketed_value() -> None:
    scene = Scene(hands={"A": "W5 T1", **FILL}, pockets={"B": "W6 M2", "C": "M8"})
    scene.told("W5", "T1")
    scene.stop()
    assert [scene.record(suit) for suit in "WTMV"] == [6, 1, 8, 0]


def test_hc_57_clean_up() -> None:
    """HC-57, HC-R29: Patrons in force are discarded, face up; the turn passes to the left."""
    scene = Scene(
        hands={"B": "W5 T1", "C": "C8", "D": "C7", "A": "C6"},
        in_force={"B": "y_weapons", "A": "o_hanger_on", "D": "o_bookmaker"},
        patron_discards=["y_crimes"],
        turn_of="B",
    )
    scene.told("W5", "T1", seat="B")
    scene.stop("B")
    assert scene.position["patron_discards"] == ["y_crimes", "y_weapons", "o_bookmaker", "o_hanger_on"]
    assert [scene.force(seat) for seat in "ABCD"] == [None] * 4
    assert (scene.teller, scene.s.turn, scene.s.attempts) == ("C", 2, 0)


def test_the_order_of_just_deserts() -> None:
    """HC-51…HC-55: pocket, values, own Patron, Hanger-On, Benefactors."""
    scene = Scene(hands={"A": "W9 T1", **FILL}, in_force={"A": "y_weapons", "B": "o_hanger_on"})
    scene.told("W9", "T1")
    scene.stop()
    kinds = [event.kind for event in scene.s.events or [] if event.kind in ("pocketed", "paid", "benefactor")]
    assert kinds == ["pocketed", "paid", "paid", "paid", "benefactor", "benefactor"]
    assert [(event.player, event.args["for"]) for event in scene.events("paid")] == [
        (0, "value"),
        (0, "y_weapons"),
        (1, "o_hanger_on"),
    ]
    assert scene.events("pocketed")[0].args["cards"] == [card("W9"), card("T1")]
