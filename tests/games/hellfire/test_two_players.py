"""The game for two (HC-70…HC-74)."""

from __future__ import annotations

import pytest

from parlour.games.hellfire import GAME
from parlour.kernel import IllegalAction
from tests.games.hellfire.scene import Scene, card

STANDING = "W3 W7 T5 P10"


def test_hc_70_all_else_is_as_with_three() -> None:
    """HC-70: hand limit 7; two attempts; pennies and Benefactors as ever."""
    scene = Scene(2, hands={"A": "V9 V8 M1", "B": "C9"}, witnesses=STANDING)
    assert scene.s.terms.hand_limit == 7
    scene.told("V9", "V8")
    scene.stop()
    assert (scene.purse("A"), scene.benefactor("V")) == (3, "A")


def test_hc_71_a_witness_is_turned_up_before_every_turn_the_first_included() -> None:
    """HC-71, HC-R26: seen before the choice, and replacing is compulsory."""
    state = GAME.new_game(players=2, seed=8)
    assert state.decision(state.current_player) == "choose_witness"
    assert state.legal_actions(state.current_player) == [110, 111, 112, 113]
    assert state.view(None)["turned_up"] is not None
    scene = Scene(2, hands={"A": "T1", "B": "C9"}, witnesses=STANDING, attempts=2)
    top = int(scene.s.pile[0])
    scene.told("T1")
    assert (scene.decision, scene.teller) == ("choose_witness", "B")
    assert scene.s.turned == top


@pytest.mark.parametrize("slot", range(4))
def test_hc_71_the_new_card_takes_the_slot_of_the_old(slot: int) -> None:
    scene = Scene(2, hands={"A": "T1", "B": "C9"}, witnesses=STANDING, turned_up=card("R4"), decision="choose_witness")
    scene.do("A", str(slot + 1))
    expected = STANDING.split()
    assert scene.discards == expected[slot]
    expected[slot] = "R4"
    assert scene.position["witnesses"] == [card(one) for one in expected]
    assert scene.position["turned_up"] is None


def test_hc_72_then_step_1() -> None:
    scene = Scene(2, hands={"A": "T1", "B": "C9"}, witnesses=STANDING, turned_up=card("R4"), decision="choose_witness")
    scene.do("A", "1")
    assert scene.decision == "discard_boast"


def test_hc_r25_no_card_for_the_witness_step_ends_the_game() -> None:
    """HC-60, HC-71, HC-R25."""
    scene = Scene(2, hands={"A": "T1", "B": "C9"}, witnesses=STANDING, pile="", attempts=2)
    scene.told("T1")
    assert (scene.decision, scene.s.ended_by, scene.teller) == ("over", "no_witness", "B")


def test_hc_73_the_lowest_witness_of_a_suit_rules() -> None:
    """HC-73, HC-R24: W3 and W7 stand; W2 may be told, W5 and W9 may not."""
    scene = Scene(2, hands={"A": "W2 W5 W9 T4 T6 M10", "B": "C9"}, witnesses=STANDING)
    assert scene.legal("A") == ["M10", "T4", "W2"]
    for barred in ("W5", "W9", "T6"):
        with pytest.raises(IllegalAction) as refused:
            scene.do("A", barred)
        assert refused.value.clause == "HC-73"


def test_hc_73_witnesses_are_in_nobodys_way_with_three() -> None:
    scene = Scene(3, hands={"A": "W2 W5 W9"})
    assert scene.legal("A") == ["W2", "W5", "W9"]


def test_hc_74_challenges_are_not_restricted() -> None:
    """HC-74, HC-R27: the opponent's P9 would be below P10, and W6, above W3, undercuts W7 told before W3 stood."""
    scene = Scene(2, hands={"A": "M9 M1 V1", "B": "M5 M3"}, witnesses="M4 W7 T5 P10".replace("M4", "V2"))
    scene.tell("M9")
    assert scene.legal("B") == ["pass", "M3", "M5"]
    scene.window(B="M5")
    assert scene.legal("A") == ["pass", "M1"]


def test_hc_74_a_challenge_may_stand_above_a_witness() -> None:
    scene = Scene(2, hands={"A": "P2 V1 V3", "B": "P1"}, witnesses="W3 W7 T5 P10")
    scene.tell("P2")
    assert scene.legal("B") == ["pass", "P1"]


def test_hc_22_from_two_attempts_on_the_question_comes_though_no_card_is_legal() -> None:
    """HC-22, HC-R36: a sudden stop would tell the opponent."""
    scene = Scene(2, hands={"A": "V1 V2 W9", "B": "C9"}, witnesses=STANDING)
    scene.told("V1", "V2")
    assert scene.decision == "tell"
    assert scene.legal("A") == ["stop"]
    scene.stop()
    assert scene.pocket("A") == "V1 V2"
    assert scene.s.memory is None  # nothing was told


def test_hc_22_before_two_attempts_the_stop_is_at_once_and_tells() -> None:
    scene = Scene(2, hands={"A": "V1 W9", "B": "C9"}, witnesses=STANDING)
    scene.told("V1")
    assert scene.teller == "B"
    assert scene.s.memory is not None
    opponents = scene.s.memory.silences[0]
    assert [one.kept for one in opponents] == [1]
    assert [opponents[0].bars(number) for number in (92, 91, 94, 10, 75)] == [True, True, False, True, True]
    # W3 is a witness and bars nothing below itself: W3 (92) and W2 (91) could be told, W5 (94) not; C1, P6 could.
