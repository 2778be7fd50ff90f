"""Step 2, Recount (HC-20…HC-26)."""

from __future__ import annotations

import pytest

from parlour.kernel import IllegalAction
from tests.games.hellfire.scene import Scene, card

FILL = {"B": "C9", "C": "C8", "D": "C7"}


def test_hc_20_every_card_in_hand_is_legal_with_three_or_more() -> None:
    scene = Scene(hands={"A": "T1 V3 W10", **FILL})
    assert scene.legal("A") == ["V3", "T1", "W10"]
    with pytest.raises(IllegalAction) as refused:
        scene.do("A", "W9")
    assert refused.value.clause == "HC-20"


def test_hc_21_stopping_needs_two_attempts() -> None:
    """HC-21, HC-R06: not even with one; a refusal says how many there were."""
    scene = Scene(hands={"A": "T1 V3 W10", **FILL})
    for told in ("T1", "V3"):
        assert "stop" not in scene.legal("A")
        with pytest.raises(IllegalAction) as refused:
            scene.s.play(0, 0)
        assert refused.value.clause == "HC-21"
        scene.told(told)
    assert scene.legal("A") == ["stop", "W10"]


def test_hc_22_an_empty_hand_stops_by_itself_whatever_the_attempts() -> None:
    """HC-22, HC-R05: with one card one plays it, and that is that."""
    scene = Scene(hands={"A": "T1", **FILL})
    scene.told("T1")
    assert scene.pocket("A") == "T1"
    assert scene.events("stopped")[0].args["why"] == "no_card"
    assert scene.teller == "B"


def test_hc_22_a_night_constable_waives_the_minimum() -> None:
    scene = Scene(hands={"A": "T1 T2 T3", **FILL}, patrons={"C": "o_night_constable"})
    scene.tell("T2")
    scene.window(C="patron")
    assert scene.pocket("A") == "T2"
    assert scene.hand("A") == "T1 T3"
    assert scene.events("stopped")[0].args["why"] == "constable"


def test_hc_23_a_card_goes_to_the_end_of_the_row_and_is_contested() -> None:
    scene = Scene(hands={"A": "T5 V3 W9", **FILL})
    scene.told("V3")
    scene.tell("W9")
    assert scene.row == "V3 W9"
    assert scene.s.attempts == 2
    assert scene.position["contested"] == card("W9")
    assert scene.asked == "BCD"


def test_hc_24_after_a_card_that_stands_or_is_cancelled_the_tale_goes_on() -> None:
    scene = Scene(hands={"A": "I5 V3 W9", **FILL}, patrons={"B": "o_insults"})
    scene.told("V3")
    assert scene.decision == "tell"
    scene.tell("I5")
    scene.window(B="patron")
    assert (scene.decision, scene.row) == ("tell", "V3")


def test_hc_25_a_card_that_stands_cannot_be_challenged_later_but_may_be_lost() -> None:
    """HC-25, HC-R01: only the card just played, in its own window."""
    scene = Scene(hands={"A": "W9 T5 V3", "B": "W2 T1"})
    scene.told("W9")
    scene.tell("T5")
    with pytest.raises(IllegalAction) as refused:
        scene.do("B", "W2")
    assert refused.value.clause == "HC-32"
    scene.window(B="T1")
    assert scene.discards == "W9 T5"


def test_hc_26_a_storyteller_who_stops_goes_to_step_3() -> None:
    scene = Scene(hands={"A": "W9 T5 V3", **FILL})
    scene.told("W9", "T5")
    scene.stop()
    assert scene.pocket("A") == "T5 W9"
    assert scene.events("stopped")[0].args == {"why": "", "cards": 2}


def test_attempts_count_cancelled_cards() -> None:
    """HC-09, HC-R05: two cancelled cards are two attempts, and the row may be empty."""
    scene = Scene(hands={"A": "I5 W9 T1", **FILL}, patrons={"B": "o_insults", "C": "o_weapons"})
    scene.tell("I5")
    scene.window(B="patron")
    scene.tell("W9")
    scene.window(C="patron")
    scene.stop()
    assert scene.pocket("A") == ""
    assert scene.purses == [0, 0, 0, 0]
    assert scene.discards == "I5 W9"
