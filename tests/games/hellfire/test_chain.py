"""The chain (HC-40…HC-47)."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.kernel import IllegalAction
from tests.games.hellfire.scene import Scene, card

FILL = {"B": "C9", "C": "C8", "D": "C7"}


def caught(**rest: Any) -> Scene:
    """A has told T2 and W9; C has just spoken with W6."""
    scene = Scene(hands={"A": "T2 W9 W5 W1", "B": "W3 W8", "C": "W6 W2", "D": "C7"}, **rest)
    scene.told("T2")
    scene.tell("W9")
    scene.window(C="W6")
    return scene


def test_hc_40_the_card_that_spoke_leads() -> None:
    scene = caught()
    view = scene.s.view(None)
    assert view["chain"] == [{"player": 2, "card": view["chain"][0]["card"], "lead": True}]  # type: ignore[index]
    assert view["chain"][0]["card"]["id"] == card("W6")


def test_hc_41_all_but_the_leader_are_asked_the_storyteller_too() -> None:
    """HC-41, HC-R35: the leader may not undercut a card of their own."""
    scene = caught()
    assert (scene.decision, scene.asked) == ("rechallenge", "ABD")
    with pytest.raises(IllegalAction):
        scene.s.play(2, 92)


def test_hc_41_a_lead_of_one_or_empty_hands_end_the_chain() -> None:
    scene = Scene(hands={"A": "W9 T1", "B": "C9", "C": "W1"})
    scene.tell("W9")
    scene.window(C="W1")
    assert scene.pocket("C") == "W1"
    scene = Scene(hands={"A": "W9", "C": "W6 W2"})
    scene.tell("W9")
    scene.window(C="W6")
    assert scene.pocket("C") == "W6"
    assert [event.player for event in scene.events("window")] == [0]


def test_hc_42_same_suit_lower_than_the_lead_and_no_patrons() -> None:
    scene = caught(patrons={"B": "o_weapons"})
    assert scene.legal("A") == ["pass", "W1", "W5"]
    assert scene.legal("B") == ["pass", "W3"]
    assert scene.legal("D") == ["pass"]
    for number, words in ((101, "Patron"), (98, "lower"), (67, "suit"), (1, "hand")):
        with pytest.raises(IllegalAction) as refused:
            scene.s.play(1 if number != 67 else 3, number if number != 67 else 17)
        assert refused.value.clause == "HC-42"
        assert words in refused.value.sentence


def test_hc_43_the_lowest_becomes_the_lead_and_passing_bars_nobody() -> None:
    scene = caught()
    scene.window(A="W5", B="W3")
    assert [one["card"] for one in scene.position["spoken"]] == [card("W6"), card("W3")]
    assert scene.hand("A") == "W1 W5"
    assert scene.asked == "ACD"  # beaten C and the others may speak again
    scene.window(C="W2")
    assert scene.asked == "ABD"
    scene.window(A="W1")
    assert scene.pocket("A") == "W1"
    assert scene.discards == "T2 W9 W6 W3 W2"


def test_hc_43_who_passed_in_one_window_may_speak_in_the_next() -> None:
    scene = caught()
    scene.window(B="W3")
    scene.window(A="W1")
    assert scene.pocket("A") == "W1"


def test_hc_44_everybody_passes() -> None:
    scene = caught()
    scene.window()
    assert scene.pocket("C") == "W6"
    assert scene.s.turn == 2


def test_hc_45_settlement() -> None:
    """HC-45, HC-R12, HC-R13: the lead raises the record, what is lost does not; row first, then the beaten."""
    scene = caught()
    scene.window(B="W3")
    scene.window()
    assert scene.pocket("B") == "W3"
    assert scene.discards == "T2 W9 W6"
    assert (scene.record("W"), scene.record("T")) == (3, 0)
    assert scene.events("caught")[0].args == {
        "card": card("W3"),
        "lost": [card("T2"), card("W9"), card("W6")],
        "storyteller": 0,
    }


def test_hc_45_a_record_never_falls() -> None:
    scene = caught(pockets={"D": "W7"})
    scene.window()
    assert scene.record("W") == 7


def test_hc_46_no_step_3_for_a_storyteller_who_leads() -> None:
    """HC-46, HC-R04, HC-R31: only the one card is kept; the Patron pays nothing, what it did at once stays done."""
    scene = Scene(hands={"A": "W9 W1 T10", "B": "C9", "C": "W6"}, in_force={"A": "y_weapons", "B": "o_hanger_on"})
    scene.told("T10")
    scene.tell("W9")
    scene.window(C="W6")
    scene.window(A="W1")
    assert scene.pocket("A") == "W1"
    assert scene.purses == [0, 0, 0, 0]
    assert scene.position["benefactors"] == {}
    assert scene.position["patron_discards"] == ["y_weapons", "o_hanger_on"]


def test_hc_r31_what_the_pot_boy_brought_stays() -> None:
    scene = Scene(hands={"A": "W9 T2", "C": "W1"}, patrons={"A": "y_pot_boy"}, decision="play_patron")
    scene.do("A", "play")
    scene.tell("W9")
    scene.window(C="W1")
    assert scene.s.hand_size(0) == 7


@pytest.mark.parametrize(("bonus", "card_won", "pennies"), [(False, "W9", 0), (True, "W9", 2), (True, "W8", 1)])
def test_hc_47_no_pennies_and_no_benefactor_for_the_leader(bonus: bool, card_won: str, pennies: int) -> None:
    """HC-47, HC-R10, HC-R11; the option changes the pennies only."""
    scene = Scene(hands={"A": "W10 T2", "B": "C9", "C": card_won}, options={"interrupter_high_bonus": bonus})
    scene.tell("W10")
    scene.window(C=card_won)
    scene.window()
    assert scene.purse("C") == pennies
    assert scene.benefactor("W") is None


def test_hc_47_the_option_pays_no_storyteller() -> None:
    scene = Scene(hands={"A": "W10 W7", "B": "C9", "C": "W8"}, options={"interrupter_high_bonus": True})
    scene.tell("W10")
    scene.window(C="W8")
    scene.window(A="W7")
    scene.window()
    assert scene.pocket("A") == "W7"
    assert scene.purses == [0, 0, 0, 0]
