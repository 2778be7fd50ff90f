"""The option `first_voice` (HC-78)."""

from __future__ import annotations

import pytest

from parlour.games.hellfire import GAME
from parlour.kernel import IllegalAction
from tests.games.hellfire.scene import Scene, card

OPTIONS: dict[str, object] = {"interrupt_protocol": "first_voice"}
HANDS = {"A": "W9 T1 T2", "B": "W4 C9", "C": "W2 C8", "D": "C7"}


def scene(**rest: object) -> Scene:
    """A has told W9; B, C and D are asked."""
    found = Scene(hands=HANDS, options=OPTIONS, **rest)  # type: ignore[arg-type]
    found.tell("W9")
    return found


def test_hc_78_nothing_is_sealed() -> None:
    window = scene()
    assert not window.s.sealed()
    assert not window.s.withholds()
    assert window.s.first_voice() == (1 * 16 + 1) * 16 + 1  # turn 1, first attempt, nobody has spoken
    assert not window.s.voice_waits()
    assert Scene(hands=HANDS).s.first_voice() == 0


def test_hc_78_the_first_challenge_speaks_at_once() -> None:
    window = scene()
    first = window.s.first_voice()
    window.do("B", "W4")
    assert window.position["spoken"] == [{"player": 1, "card": card("W4")}]
    assert window.asked == "ACD"
    assert window.s.first_voice() == first + 1


def test_hc_78_a_pass_is_only_noted() -> None:
    """HC-78: whoever has passed may still speak while the window is open; a second pass changes nothing."""
    window = scene()
    window.do("C", "pass")
    assert window.asked == "BD"
    assert window.s.late_actors() == 0b0100
    assert window.legal("C") == ["pass", "W2"]
    same = window.s.position_hash()
    window.do("C", "pass")
    assert window.s.position_hash() == same
    window.do("C", "W2")
    assert window.position["spoken"] == [{"player": 2, "card": card("W2")}]


def test_hc_78_passes_are_not_shown() -> None:
    window = scene()
    before = {seat: window.s.view(seat) for seat in (None, 0, 1, 3)}
    window.do("C", "pass")
    assert {seat: window.s.view(seat) for seat in (None, 0, 1, 3)} == before
    assert window.s.view(2)["window"]["answer"] == "pass"  # type: ignore[index]


def test_hc_78_the_window_closes_when_all_have_passed() -> None:
    window = scene()
    for seat in "CBD":
        window.do(seat, "pass")
    assert (window.decision, window.row) == ("tell", "W9")
    with pytest.raises(IllegalAction):
        window.s.play(2, 92)


def test_hc_78_a_rechallenge_window_closes_in_the_same_way() -> None:
    window = scene()
    window.do("B", "W4")
    for seat in "ADC":
        window.do(seat, "pass")
    assert window.pocket("B") == "W4"
    assert window.discards == "W9"


def test_hc_78_a_cancelling_patron_closes_the_window() -> None:
    window = scene(patrons={"D": "o_weapons"})
    window.do("D", "patron")
    assert window.discards == "W9"
    assert window.decision == "tell"


def test_hc_78_another_patron_is_resolved_and_the_window_goes_on() -> None:
    """HC-78: its owner has then answered for good."""
    window = scene(patrons={"B": "o_hanger_on"})
    first = window.s.first_voice()
    window.do("B", "patron")
    assert window.force("B") == "o_hanger_on"
    assert window.asked == "CD"
    assert window.s.first_voice() == first
    with pytest.raises(IllegalAction):
        window.s.play(1, 94)
    assert window.s.view(1)["window"]["answer"] == "o_hanger_on"  # type: ignore[index]
    window.do("C", "pass")
    window.do("D", "pass")
    assert window.decision == "tell"


def test_hc_78_who_passed_may_play_a_patron_late() -> None:
    window = scene(patrons={"B": "o_hanger_on"})
    window.do("B", "pass")
    window.do("B", "patron")
    assert window.force("B") == "o_hanger_on"
    assert window.s.late_actors() == 0


def test_hc_78_after_the_bailiffs_man_only_once_the_discard_is_made() -> None:
    window = scene(patrons={"B": "o_bailiffs_man"})
    first = window.s.first_voice()
    window.do("C", "pass")
    window.do("B", "patron")
    assert (window.decision, window.asked) == ("forced_discard", "A")
    assert window.s.voice_waits()
    assert (window.s.first_voice(), window.s.late_actors()) == (0, 0)
    for player, number in ((2, 92), (3, 0)):
        with pytest.raises(IllegalAction):
            window.s.play(player, number)
    window.do("A", "T1")
    assert (window.asked, window.s.first_voice()) == ("D", first)
    window.do("C", "W2")
    assert window.position["spoken"] == [{"player": 2, "card": card("W2")}]


def test_hc_78_the_bailiffs_man_as_the_last_to_answer() -> None:
    window = scene(patrons={"B": "o_bailiffs_man"})
    window.do("C", "pass")
    window.do("D", "pass")
    window.do("B", "patron")
    window.do("A", "T1")
    assert (window.decision, window.row) == ("tell", "W9")


def test_hc_78_the_bailiffs_man_and_a_single_card() -> None:
    window = Scene(hands={"A": "W9 T1", "B": "W4 C9", "C": "W2"}, patrons={"B": "o_bailiffs_man"}, options=OPTIONS)
    window.tell("W9")
    window.do("B", "patron")
    assert (window.discards, window.asked) == ("T1", "C")
    window.do("C", "pass")
    assert window.pocket("A") == "W9"


def test_hc_78_sequential_agents_are_asked_from_the_storytellers_left() -> None:
    """HC-78, section 5: in a chain the storyteller first."""
    window = Scene(hands={"C": "W9 W1", "D": "W4", "A": "W3", "B": "C9"}, turn_of="C", options=OPTIONS)
    window.tell("W9", seat="C")
    assert window.s.current_player == 3
    window.do("D", "pass")
    assert window.s.current_player == 0
    window.do("A", "W3")
    assert window.s.current_player == 2
    assert GAME.new_game(players=4, seed=1).current_player >= 0
