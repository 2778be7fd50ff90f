"""The play window (HC-30…HC-39) and the O Patrons that are played in it."""

from __future__ import annotations

from itertools import permutations

import pytest

from parlour.games.hellfire.box import SUITS
from parlour.kernel import IllegalAction
from tests.games.hellfire.scene import SUITS as LETTER
from tests.games.hellfire.scene import Scene, card

FILL = {"B": "C9", "C": "C8", "D": "C7"}


@pytest.mark.parametrize(
    ("told", "hands", "patrons", "asked"),
    [
        ("W5", {"B": "C9", "C": "C8", "D": "C7"}, {}, "BCD"),
        ("W5", {"B": "C9", "D": "C7"}, {}, "BD"),
        ("W5", {"B": "C9"}, {"C": "y_crimes"}, "BC"),
        ("W1", {"B": "C9", "C": "C8"}, {"C": "o_crimes", "D": "y_weapons"}, "CD"),
        ("W2", {"B": "C9"}, {}, "B"),
    ],
)
def test_hc_30_responders(told: str, hands: dict[str, str], patrons: dict[str, str], asked: str) -> None:
    """HC-30, HC-R36: all who hold a Boast card, if a challenge is possible, or a Patron: whatever it is."""
    scene = Scene(hands={"A": f"{told} T9 T8", **hands}, patrons=patrons)
    scene.tell(told)
    assert scene.asked == asked
    assert scene.s.sealed()
    assert [event.args["players"] for event in scene.events("window")] == [len(asked)]


def test_hc_30_without_responders_the_card_stands() -> None:
    """HC-30, HC-R32: empty hands and no Patrons."""
    scene = Scene(hands={"A": "W5 T9 T8"})
    scene.tell("W5")
    assert scene.decision == "tell"
    assert [event.args["card"] for event in scene.events("stands")] == [card("W5")]


def test_hc_31_one_response_each() -> None:
    scene = Scene(hands={"A": "W5 T9 T8", **FILL, "B": "W4 W6 T1"}, patrons={"B": "o_weapons"})
    scene.tell("W5")
    assert scene.legal("B") == ["pass", "W4", "patron"]
    assert scene.legal("C") == ["pass"]
    scene.do("B", "pass")
    with pytest.raises(IllegalAction):
        scene.s.play(1, 0)


@pytest.mark.parametrize(("wrong", "why"), [("W6", "lower"), ("T1", "suit"), ("W3", "hand")])
def test_hc_32_same_suit_and_strictly_lower(wrong: str, why: str) -> None:
    """HC-32, HC-R02: lower, not equal (there is one copy of each), of the contested card's suit, and in hand."""
    scene = Scene(hands={"A": "W5 T9 T8", "B": "W4 W6 T1"})
    scene.tell("W5")
    with pytest.raises(IllegalAction) as refused:
        scene.do("B", wrong)
    assert refused.value.clause == "HC-32"
    assert why in refused.value.sentence


def test_hc_32_a_protected_card_cannot_be_challenged() -> None:
    scene = Scene(hands={"A": "W5 T9 T8", "B": "W4"}, in_force={"A": "y_deaf_pensioner"}, patrons={"B": "y_crimes"})
    scene.tell("W5")
    assert scene.legal("B") == ["pass"]
    with pytest.raises(IllegalAction) as refused:
        scene.do("B", "W4")
    assert (refused.value.clause, "Pensioner" in refused.value.sentence) == ("HC-32", True)


def test_the_deaf_pensioner_protects_only_the_first_card_and_does_not_stop_patrons() -> None:
    scene = Scene(hands={"A": "W8 T8 M3", "B": "T1"}, in_force={"A": "y_deaf_pensioner"}, patrons={"C": "o_weapons"})
    scene.tell("W8")
    assert scene.asked == "C"
    scene.window(C="patron")
    assert scene.discards == "W8"
    scene.tell("T8")
    assert scene.legal("B") == ["pass", "T1"]


@pytest.mark.parametrize("suit", SUITS)
def test_hc_33_a_sceptic_needs_its_suit(suit: str) -> None:
    other = "crimes" if suit != "crimes" else "motives"
    for name, legal in ((suit, ["pass", "patron"]), (other, ["pass"])):
        scene = Scene(hands={"A": f"{_letter(name)}5 T10 T9"}, patrons={"B": f"o_{suit}"})
        scene.tell(f"{_letter(name)}5")
        assert scene.legal("B") == legal
        if legal == ["pass"]:
            with pytest.raises(IllegalAction) as refused:
                scene.s.play(1, 101)
            assert refused.value.clause == "HC-33"
        else:
            scene.window(B="patron")
            assert scene.discards == f"{_letter(name)}5"
            assert scene.s.attempts == 1


def _letter(suit: str) -> str:
    return next(letter for letter, name in LETTER.items() if name == suit)


@pytest.mark.parametrize(
    ("patron", "told", "legal"),
    [
        ("o_theatre_critic", "W8", False),
        ("o_theatre_critic", "W9", True),
        ("o_theatre_critic", "W10", True),
        ("o_bookmaker", "W1", True),
        ("o_hanger_on", "W1", True),
        ("o_night_constable", "W1", True),
        ("o_bailiffs_man", "W1", True),
        ("y_weapons", "W1", False),
    ],
)
def test_hc_33_conditions_of_the_others(patron: str, told: str, legal: bool) -> None:
    """HC-33, HC-R18: an O card whose condition is met; a Y is for its holder's own turn."""
    scene = Scene(hands={"A": f"{told} T9"}, patrons={"B": patron})
    scene.tell(told)
    assert scene.legal("B") == (["pass", "patron"] if legal else ["pass"])


def test_hc_33_the_bailiffs_man_needs_a_card_to_take() -> None:
    scene = Scene(hands={"A": "W1"}, patrons={"B": "o_bailiffs_man"})
    scene.tell("W1")
    assert scene.legal("B") == ["pass"]


@pytest.mark.parametrize("patron", ["o_bookmaker", "o_hanger_on", "o_night_constable"])
def test_hc_33_the_others_need_nothing_not_even_a_card_in_the_storytellers_hand(patron: str) -> None:
    scene = Scene(hands={"A": "W1"}, patrons={"B": patron})
    scene.tell("W1")
    assert scene.legal("B") == ["pass", "patron"]


def test_hc_33_without_a_patron() -> None:
    scene = Scene(hands={"A": "W2 T9", "B": "C9"})
    scene.tell("W2")
    with pytest.raises(IllegalAction) as refused:
        scene.s.play(1, 101)
    assert (refused.value.clause, refused.value.sentence) == ("HC-33", "You hold no Patron.")


def test_hc_34_answers_are_sealed_final_and_seen_by_nobody() -> None:
    """HC-34: no view of anybody else, and no event for them, before the window closes."""
    scene = Scene(hands={"A": "R9 T5", "B": "R6", "C": "R2", "D": "R1"})
    scene.tell("R9")
    before = {seat: scene.s.view(seat) for seat in (0, 2, 3)}
    scene.s.events = []
    scene.do("B", "R6")
    assert {seat: scene.s.view(seat) for seat in (0, 2, 3)} == before
    assert [(event.seen, event.args) for event in scene.s.events] == [(0b0010, {"answer": card("R6")})]
    assert scene.s.view(1)["window"]["answer"] == card("R6")  # type: ignore[index]
    assert scene.asked == "CD"


def test_hc_35_the_window_closes_with_the_last_answer_in_any_order() -> None:
    """HC-34, HC-35: five players, every order of four answers, one position."""
    found = set()
    for order in permutations("BCDE"):
        scene = Scene(
            5,
            hands={"A": "P8 P1 T4", "B": "C9", "C": "P5", "D": "P3", "E": "C7"},
            patrons={"B": "o_bookmaker", "E": "o_places"},
        )
        scene.tell("P8")
        answers = {"B": "patron", "C": "P5", "D": "P3", "E": "pass"}
        for seat in order[:-1]:
            scene.do(seat, answers[seat])
            kept = {"patron": "o_bookmaker", "pass": "pass"}.get(answers[seat]) or card(answers[seat])
            assert scene.events("answered")[-1].args == {"answer": kept}
            assert scene.s.in_window()
            assert not scene.events("challenge")
        scene.do(order[-1], answers[order[-1]])
        found.add(scene.s.position_hash())
    assert len(found) == 1


def test_hc_36_patrons_first_in_seat_order() -> None:
    """HC-36: from the storyteller's left, so that of D and B, with C telling, D comes first (HC-R19)."""
    scene = Scene(
        hands={"C": "W10 T1 T2", "A": "C9", "B": "C8", "D": "C7"},
        patrons={"B": "o_weapons", "D": "o_theatre_critic"},
        turn_of="C",
    )
    scene.tell("W10", seat="C")
    scene.window(B="patron", D="patron")
    assert (scene.force("D"), scene.force("B")) == ("o_theatre_critic", None)
    assert scene.patron("B") == "o_weapons"


def test_hc_36_a_patron_that_does_not_cancel_acts_though_the_card_is_cancelled() -> None:
    scene = Scene(
        hands={"A": "W10 T1 T2", **FILL},
        patrons={"B": "o_weapons", "C": "o_bookmaker", "D": "o_bailiffs_man"},
    )
    scene.tell("W10")
    scene.window(B="patron", C="patron", D="patron")
    assert [scene.force(seat) for seat in "BCD"] == ["o_weapons", "o_bookmaker", "o_bailiffs_man"]
    assert scene.decision == "forced_discard"
    assert scene.position["cancelled"] is True
    scene.do("A", "T1")
    assert scene.discards == "W10 T1"
    assert (scene.decision, scene.row) == ("tell", "")


def test_hc_36_the_last_card_is_given_up_without_a_question() -> None:
    """Section 5: one card, one choice, known to all."""
    scene = Scene(hands={"A": "W10 T1", "C": "W2"}, patrons={"B": "o_bailiffs_man"})
    scene.tell("W10")
    scene.window(B="patron", C="W2")
    assert scene.discards == "T1 W10"
    assert scene.pocket("C") == "W2"  # nobody holds a Boast card any more who could go lower


def test_hc_36_answers_stay_face_down_while_the_bailiffs_man_waits() -> None:
    scene = Scene(hands={"A": "W10 T1 T2", "C": "W2", "D": "W4"}, patrons={"B": "o_bailiffs_man"})
    scene.tell("W10")
    scene.window(B="patron", C="W2")
    assert (scene.decision, scene.s.sealed(), scene.s.withholds()) == ("forced_discard", False, True)
    assert scene.s.view(3)["window"] is None
    with pytest.raises(IllegalAction) as refused:
        scene.s.play(0, 0)
    assert refused.value.clause == "HC-36"


def test_hc_37_challenges_to_a_cancelled_card_return_unrevealed() -> None:
    scene = Scene(hands={"A": "W10 T1 T2", "B": "W4", "C": "W2", "D": "C7"}, patrons={"D": "o_weapons"})
    scene.tell("W10")
    scene.window(B="W4", C="W2", D="patron")
    assert (scene.hand("B"), scene.hand("C")) == ("W4", "W2")
    assert [(event.player, event.seen) for event in scene.events("returned")] == [(1, 0b0010), (2, 0b0100)]
    assert scene.decision == "tell"


def test_hc_38_the_lowest_speaks_and_the_others_return() -> None:
    """HC-38, HC-R03."""
    scene = Scene(hands={"A": "W10 T1 T2", "B": "W4", "C": "W2", "D": "W3"})
    scene.tell("W10")
    scene.window(B="W4", C="W2", D="W3")
    assert scene.position["spoken"] == [{"player": 2, "card": card("W2")}]
    assert (scene.hand("B"), scene.hand("C"), scene.hand("D")) == ("W4", "", "W3")
    assert scene.decision == "rechallenge"


def test_hc_39_otherwise_it_stands() -> None:
    scene = Scene(hands={"A": "W10 T1 T2", **FILL})
    scene.tell("W10")
    scene.window()
    assert [event.args for event in scene.events("stands")] == [{"card": card("W10")}]
    assert scene.row == "W10"


@pytest.mark.parametrize("seat", ["B", "D"])
def test_the_bookmaker_pays_for_a_catch_on_a_later_card(seat: str) -> None:
    """On this card or a later one, by anyone, himself included."""
    scene = Scene(hands={"A": "W10 T9 T2", "B": "T1", "C": "C8", "D": "T4"}, patrons={"D": "o_bookmaker"})
    scene.tell("W10")
    scene.window(D="patron")
    scene.tell("T9")
    scene.window(**{seat: "T1" if seat == "B" else "T4"})
    scene.window()
    assert scene.purses == [0, 0, 0, 2]


def test_the_bookmaker_gets_nothing_from_a_storyteller_who_is_not_caught() -> None:
    scene = Scene(hands={"A": "W1 T2 T3", **FILL}, patrons={"D": "o_bookmaker"})
    scene.tell("W1")
    scene.window(D="patron")
    scene.told("T2")
    scene.stop()
    assert scene.purses == [0, 0, 0, 0]
    assert scene.position["patron_discards"] == ["o_bookmaker"]


def test_the_night_constable_ends_the_turn_after_a_chain_too() -> None:
    """The card is resolved first: a challenge to it is still heard."""
    scene = Scene(hands={"A": "W9 T5", "B": "C9", "C": "W3"}, patrons={"B": "o_night_constable"})
    scene.tell("W9")
    scene.window(B="patron", C="W3")
    scene.window()
    assert scene.pocket("C") == "W3"
    assert scene.teller == "B"
