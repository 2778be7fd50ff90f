"""The worked examples of the rules, one test each; the expected values are the examples' own."""

from __future__ import annotations

import pytest

from parlour.games.hellfire.ending import benefactor_pennies, majority_pennies, suit_majority, total
from parlour.games.hellfire.table import timeout_action
from parlour.kernel import members
from tests.games.hellfire.scene import SEATS, SUITS, Scene, card

FILL = {"B": "C9", "C": "C8", "D": "C7"}
"""Cards of no account, so that everybody is asked."""


def test_hc_e01_umbrella() -> None:
    scene = Scene(hands={"A": "W4 T2", "C": "W1"})
    scene.tell("W4")
    scene.window(C="W1")
    assert scene.pocket("C") == "W1"
    assert scene.discards == "W4"
    assert scene.record("W") == 1
    assert scene.purses == [0, 0, 0, 0]
    assert scene.benefactor("W") is None
    assert scene.pocket("A") == ""
    assert scene.teller == "B"


def test_hc_e02_objects_patron() -> None:
    scene = Scene(hands={"A": "O3 O8 T2", **FILL}, patrons={"A": "y_objects"}, decision="play_patron")
    scene.do("A", "play")
    scene.told("O3", "O8", "T2")
    scene.stop()
    assert scene.pocket("A") == "O3 O8 T2"
    assert scene.purse("A") == 3
    assert [event.args for event in scene.events("paid")] == [
        {"pennies": 1, "for": "value"},
        {"pennies": 2, "for": "y_objects"},
    ]
    assert scene.benefactor("O") == "A" == scene.benefactor("T")
    assert (scene.record("O"), scene.record("T")) == (8, 2)
    assert scene.position["patron_discards"] == ["y_objects"]


def test_hc_e03_caught_on_the_third_card() -> None:
    scene = Scene(hands={"A": "O3 O8 T2", **FILL, "B": "T1"}, patrons={"A": "y_objects"}, decision="play_patron")
    scene.do("A", "play")
    scene.tell("O3", "O8", "T2")
    scene.window(B="T1")
    assert scene.pocket("B") == "T1"
    assert scene.discards == "O3 O8 T2"
    assert scene.purse("A") == 0
    assert scene.position["patron_discards"] == ["y_objects"]
    assert (scene.record("T"), scene.record("O")) == (1, 0)
    assert scene.position["benefactors"] == {}


def test_hc_e04_storyteller_wins_the_chain() -> None:
    scene = Scene(hands={"A": "C2 P7 P3", **FILL, "B": "P5"})
    scene.told("C2")
    scene.tell("P7")
    scene.window(B="P5")
    assert scene.asked == "ACD"
    scene.window(A="P3")
    scene.window()
    assert scene.pocket("A") == "P3"
    assert scene.discards == "C2 P7 P5"
    assert scene.record("P") == 3
    assert scene.benefactor("P") is None
    assert scene.events("pocketed") == []  # no Step 3
    assert scene.teller == "B"


def test_hc_e05_the_lowest_of_the_sealed_cards_speaks() -> None:
    scene = Scene(hands={"A": "R9 T5", "B": "R6", "C": "R2", "D": "R1"})
    scene.tell("R9")
    scene.window(B="R6", C="R2")
    assert scene.asked == "ABD"
    assert scene.hand("B") == "R6"
    scene.window(D="R1")
    assert scene.pocket("D") == "R1"
    assert scene.discards == "R9 R2"
    assert scene.hand("B") == "R6"
    (returned,) = scene.events("returned")
    assert (returned.args["card"], returned.seen) == (card("R6"), 0b0010)


def test_hc_e06_benefactors_from_pool_and_player() -> None:
    scene = Scene(
        hands={"A": "V7 M8 I9 E10", **FILL},
        pockets={"B": "V8", "C": "I10", "D": "E9"},
        benefactors={"V": "B", "I": "C", "E": "D"},
    )
    scene.told("V7", "M8", "I9", "E10")
    scene.stop()
    assert scene.purse("A") == 6
    view = scene.s.view(0)["players"][0]  # type: ignore[index]
    assert (view["sixpences"], view["pennies"]) == (1, 0)
    assert [scene.benefactor(suit) for suit in "VIEM"] == ["B", "C", "A", "A"]
    assert [scene.record(suit) for suit in "VIEM"] == [8, 10, 10, 8]


def test_hc_e07_a_benefactor_travels() -> None:
    scene = Scene(
        hands={"B": "W9 W2", "C": "W8 P1", "D": "C7"}, pockets={"A": "W5"}, benefactors={"W": "A"}, turn_of="B"
    )
    scene.told("W9", "W2", seat="B")
    scene.stop("B")
    assert scene.purse("B") == 2
    assert (scene.benefactor("W"), scene.record("W")) == ("B", 9)
    assert scene.pocket("B") == "W2 W9"
    scene.refresh("C")
    scene.told("W8", "P1", seat="C")
    scene.stop("C")
    assert scene.purse("C") == 1
    assert (scene.benefactor("W"), scene.benefactor("P")) == ("B", "C")


@pytest.mark.parametrize(("bonus", "earned"), [(False, 0), (True, 1)])
def test_hc_e08_a_challenge_raises_the_record(bonus: bool, earned: int) -> None:
    scene = Scene(
        hands={"B": "W9", "C": "W8 W7 V1", "D": "C7", "A": "C6"},
        pockets={"A": "W6"},
        benefactors={"W": "A"},
        turn_of="B",
        options={"interrupter_high_bonus": bonus},
    )
    scene.tell("W9", seat="B")
    scene.window(C="W8")
    scene.window()
    assert scene.pocket("C") == "W8"
    assert scene.discards == "W9"
    assert (scene.record("W"), scene.benefactor("W")) == (8, "A")
    assert scene.purse("C") == earned
    scene.refresh("C")
    scene.told("W7", "V1", seat="C")
    scene.stop("C")
    assert scene.purse("C") == earned + 1
    assert (scene.benefactor("W"), scene.benefactor("V")) == ("A", "C")


def test_hc_e09_a_cancelled_card_is_an_attempt() -> None:
    scene = Scene(hands={"A": "I4 T2 M5", **FILL}, patrons={"B": "o_insults"})
    scene.tell("I4")
    scene.window(B="patron")
    assert scene.discards == "I4"
    assert scene.s.attempts == 1
    assert "stop" not in scene.legal("A")
    scene.told("T2")
    assert scene.s.attempts == 2
    scene.stop()
    assert scene.pocket("A") == "T2"
    assert scene.purse("A") == 0
    assert scene.benefactor("T") == "A"


def test_hc_e10_cannot_draw_in_full() -> None:
    scene = Scene(hands={"A": "W1 W2", **FILL}, pile="T1 T2 T3", decision="discard_boast")
    scene.do("A", "none")
    assert scene.decision == "over"
    assert scene.hand("A") == "W1 W2"
    assert scene.s.pile_size() == 3


def test_hc_e11_the_last_draw() -> None:
    hands = {"A": "W1 W2", "B": "C1 C2 C3 C4", "C": "C8", "D": "C7"}
    scene = Scene(hands=hands, pile="T1 T2 T3 T4", decision="discard_boast")
    scene.refresh("A")
    assert (scene.s.pile_size(), scene.decision) == (0, "tell")
    scene.told("W1", "W2")
    scene.stop()
    assert scene.decision == "discard_boast"
    scene.do("B", "none")
    assert scene.decision == "over"
    assert scene.s.ended_by == "unable_to_draw"

    scene = Scene(hands=hands, pile="T1 T2 T3 T4", decision="discard_boast", options={"end_trigger": "deck_empty"})
    scene.do("A", "none")
    assert scene.decision == "over"
    assert scene.hand("A") == "T1 T2 T3 T4 W1 W2"


def test_hc_e12_an_empty_pile_and_a_full_hand() -> None:
    hands = {"A": "C9", "B": "W1 W2 W3 W4 W5 W6", "C": "C8", "D": "C7"}
    scene = Scene(hands=hands, pile="", decision="discard_boast", turn_of="B")
    scene.refresh("B")
    assert scene.decision == "tell"
    scene = Scene(hands=hands, pile="", decision="discard_boast", turn_of="B")
    scene.do("B", "W6")
    assert scene.decision == "over"


def test_hc_e13_the_bookmaker_is_shuffled_in() -> None:
    held = {"A": "o_bookmaker", "B": "o_weapons", "C": "o_crimes", "D": "o_motives"}
    everyone = [f"{kind}_{suit}" for kind in "yo" for suit in SUITS.values()] + [
        *("y_deaf_pensioner", "y_penny_novelist", "y_gentleman", "y_pot_boy", "y_pickpocket"),
        *("o_bookmaker", "o_hanger_on", "o_bailiffs_man", "o_theatre_critic", "o_night_constable"),
    ]
    out = [name for name in everyone if name not in held.values()]
    drawn = set()
    for seed in range(400):
        scene = Scene(
            hands={"A": "W1 W2 W3 W4 W5 W6"},
            patrons=held,
            decision="patron_swap",
            patron_pile=[],
            patron_discards=out,
            seed=seed,
        )
        scene.do("A", "draw")
        drawn.add(scene.patron("A"))
        position = scene.position
        assert (len(position["patron_pile"]), len(position["patron_discards"])) == (26, 0)
    assert drawn == {*out, "o_bookmaker"}  # 27 ways; 400 draws miss one with a chance below 1 in 100 000


def test_hc_e14_final_scoring_of_three() -> None:
    scene = Scene(
        3,
        pockets={"A": "W1 W3 W9 T2 P5 P6", "B": "W4 W8 T7 T10 P1 E3", "C": "T1 P9 E8 E2 M6"},
        purses={"A": 4, "B": 6, "C": 3},
        benefactors={"W": "A", "T": "B", "P": "C", "E": "C", "M": "C"},
        decision="over",
    )
    assert [majority_pennies(scene.s, p) for p in range(3)] == [4, 2, 4]
    assert [benefactor_pennies(scene.s, p) for p in range(3)] == [2, 2, 6]
    assert [total(scene.s, p) for p in range(3)] == [10, 10, 13]
    assert scene.s.scores() == [10.0, 10.0, 13.0]
    assert scene.s.returns() == [0.0, 0.0, 1.0]
    suits = list(SUITS.values())
    by_suit = {suit: suit_majority(scene.s, suits.index(SUITS[suit])) for suit in "WTPEM"}
    assert by_suit == {"W": [2, 0, 0], "T": [0, 2, 0], "P": [2, 0, 0], "E": [0, 0, 2], "M": [0, 0, 2]}


def test_hc_e15_majorities_of_four() -> None:
    scene = Scene(
        pockets={"A": "V1 V2 C3 C4 I5", "B": "V3 V4 C1 I6", "C": "V5 V6 C2 I7", "D": "M1"},
        decision="over",
    )
    assert [majority_pennies(scene.s, p) for p in range(4)] == [4, 2, 2, 2]
    suits = list(SUITS.values())
    assert {suit: suit_majority(scene.s, suits.index(SUITS[suit])) for suit in SUITS} == {
        **{suit: [0, 0, 0, 0] for suit in SUITS},
        "V": [1, 1, 1, 0],
        "C": [2, 0, 0, 0],
        "I": [1, 1, 1, 0],
        "M": [0, 0, 0, 2],
    }


def test_hc_e16_tens_then_nines() -> None:
    # Majorities: A 2 + 2 (W, M), B 2 + 2 + 2 (T, E, R), C 2 (P): the purses make it 14, 14, 9.
    scene = Scene(
        3,
        pockets={"A": "W10 W1 M2", "B": "T10 E9 R1", "C": "P8 P9 P7"},
        purses={"A": 10, "B": 8, "C": 7},
        decision="over",
    )
    assert scene.s.scores() == [14.0, 14.0, 9.0]
    standings = scene.s.standings()
    assert [(one.player, one.place) for one in standings] == [(1, 1), (0, 2), (2, 3)]
    assert "value 9" in standings[0].reason


def test_hc_e17_witnesses_bar_what_is_above_them() -> None:
    scene = Scene(
        2,
        hands={"A": "W1 W2 W5 T4 T6 P9 R10", "B": "C9"},
        witnesses="W3 W7 T5 P10",
        turned_up=card("R4"),
        decision="choose_witness",
    )
    scene.do("A", "2")
    assert scene.discards == "W7"
    assert scene.position["witnesses"] == [card(one) for one in ("W3", "R4", "T5", "P10")]
    scene.refresh("A")
    assert scene.legal("A") == ["P9", "T4", "W1", "W2"]


def test_hc_e18_no_legal_card() -> None:
    held = {"A": "W5 W8 T6 T9 R10 R7 W9", "B": "C9"}
    scene = Scene(2, hands=held, witnesses="W3 R4 T5 P10", decision="patron_swap")
    scene.do("A", "keep")
    assert (scene.teller, scene.s.turn) == ("B", 2)  # stopped at once
    assert scene.pocket("A") == ""
    (stopped,) = scene.events("stopped")
    assert stopped.args == {"why": "no_legal_card", "cards": 0}

    held["A"] = "W5 W8 T6 T9 R10 T1 W9"
    scene = Scene(2, hands=held, witnesses="W3 R4 T5 P10", decision="patron_swap")
    scene.do("A", "keep")
    assert scene.legal("A") == ["T1"]
    scene.do("A", "T1")
    assert scene.events("window") == []
    assert scene.teller == "B"
    assert scene.pocket("A") == "T1"
    assert scene.benefactor("T") == "A"
    assert scene.events("stopped")[0].args == {"why": "no_legal_card", "cards": 1}


def test_hc_e19_the_night_constable() -> None:
    scene = Scene(hands={"A": "E9 T1", **FILL}, patrons={"B": "o_night_constable"})
    scene.tell("E9")
    scene.window(B="patron")
    assert scene.events("stands")
    assert scene.pocket("A") == "E9"
    assert scene.purse("A") == 2
    assert scene.benefactor("E") == "A"
    assert scene.hand("A") == "T1"
    assert scene.teller == "B"


@pytest.mark.parametrize("rechallenged", [False, True])
def test_hc_e20_the_bookmaker(rechallenged: bool) -> None:
    scene = Scene(hands={"A": "O10 T1", "B": "O2", "C": "O4", "D": "C7"}, patrons={"B": "o_bookmaker"})
    scene.tell("O10")
    scene.window(B="patron", C="O4")
    kinds = [event.kind for event in scene.s.events or []]
    assert kinds.index("patron_played") < kinds.index("challenge")
    if rechallenged:
        scene.window(B="O2")
        scene.window()
        assert scene.pocket("B") == "O2"
        assert scene.discards == "O10 O4"
    else:
        scene.window()
        assert scene.pocket("C") == "O4"
        assert scene.discards == "O10"
    assert scene.purses == [0, 2, 0, 0]


def test_hc_e21_the_theatre_critic() -> None:
    scene = Scene(hands={"A": "T1 E9 M5", **FILL, "B": "E4"}, patrons={"D": "o_theatre_critic"})
    scene.told("T1")
    scene.tell("E9")
    scene.window(B="E4", D="patron")
    assert scene.discards == "E9"
    assert scene.hand("B") == "E4"
    assert [event.args["card"] for event in scene.events("returned")] == [card("E4")]
    assert scene.s.attempts == 2
    scene.stop()
    assert scene.pocket("A") == "T1"
    assert scene.purse("A") == 0
    assert scene.benefactor("T") == "A"


def test_hc_e22_two_cancelling_patrons() -> None:
    scene = Scene(hands={"A": "W10 T1 T2", **FILL}, patrons={"B": "o_weapons", "C": "o_theatre_critic"})
    scene.tell("W10")
    scene.window(B="patron", C="patron")
    assert scene.force("B") == "o_weapons"
    assert scene.patron("C") == "o_theatre_critic"
    assert scene.discards == "W10"
    (returned,) = scene.events("patron_returned")
    assert returned.seen == 0b0100


def test_hc_e23_the_deaf_pensioner() -> None:
    hands = {"A": "R8 R9 T1", "B": "R3 R2"}
    scene = Scene(hands=hands, patrons={"A": "y_deaf_pensioner"}, decision="play_patron")
    scene.do("A", "play")
    scene.tell("R8")
    assert scene.events("window") == []  # nobody is a responder
    assert scene.decision == "tell"
    scene.tell("R9")
    scene.window(B="R3")
    scene.window()
    assert scene.pocket("B") == "R3"
    assert scene.discards == "R8 R9"

    scene = Scene(hands=hands, patrons={"A": "y_deaf_pensioner"}, decision="play_patron")
    scene.do("A", "play")
    scene.tell("R9")
    scene.window(B="R3")
    scene.window()
    assert scene.pocket("B") == "R3"
    assert scene.discards == "R9"


def test_hc_e24_the_hanger_on() -> None:
    scene = Scene(hands={"A": "V7 V8 M9 C10", **FILL}, patrons={"B": "o_hanger_on"})
    scene.tell("V7")
    scene.window(B="patron")
    scene.told("V8", "M9", "C10")
    scene.stop()
    assert scene.purses == [6, 3, 0, 0]
    assert [scene.benefactor(suit) for suit in "VMC"] == ["A", "A", "A"]


def test_hc_e25_the_pot_boy_at_the_last_card() -> None:
    hands = {"A": "W1 W2 W3 W4 W5 W6", **FILL}
    scene = Scene(hands=hands, patrons={"A": "y_pot_boy"}, pile="T1", decision="play_patron")
    scene.do("A", "play")
    assert (scene.s.pile_size(), scene.hand("A")) == (0, "T1 W1 W2 W3 W4 W5 W6")
    assert scene.decision == "tell"
    scene = Scene(
        hands=hands,
        patrons={"A": "y_pot_boy"},
        pile="T1",
        decision="play_patron",
        options={"end_trigger": "deck_empty"},
    )
    scene.do("A", "play")
    assert scene.decision == "over"


def test_hc_e26_the_pickpocket() -> None:
    scene = Scene(
        hands={"A": "I10 W1 W2 W3 W4 W5", "B": "C9", "C": "R1"}, patrons={"A": "y_pickpocket"}, decision="play_patron"
    )
    scene.do("A", "play")
    scene.do("A", "3")
    assert scene.hand("A") == "I10 R1 W1 W2 W3 W4 W5"
    scene.do("A", "I10")
    assert scene.s.hand_size(0) == 6
    assert scene.hand("C") == "I10"
    slips = scene.events("slipped")
    assert [(event.args["card"], event.seen) for event in slips] == [(card("R1"), 0b0101), (card("I10"), 0b0101)]
    known = {seat: [one["id"] for one in scene.s.view(0)["players"][seat]["known"]] for seat in range(4)}  # type: ignore[index]
    assert known == {0: [], 1: [], 2: [card("I10")], 3: []}


def test_hc_e27_who_is_a_responder_to_a_one() -> None:
    hands = {"A": "M1 T1 T2", "B": "M5", "C": "M6"}
    scene = Scene(hands=hands, patrons={"D": "y_weapons"})
    scene.tell("M1")
    assert scene.asked == "D"
    scene = Scene(hands=hands)
    scene.tell("M1")
    assert scene.decision == "tell"
    assert scene.events("window") == []


@pytest.mark.parametrize("given", ["T4", "P1"])
def test_hc_e28_the_bailiffs_man(given: str) -> None:
    scene = Scene(hands={"A": "P8 P1 T4 V1 V2 V3", "B": "C9", "C": "P5", "D": "C7"}, patrons={"B": "o_bailiffs_man"})
    scene.tell("P8")
    scene.window(B="patron", C="P5")
    assert (scene.decision, scene.asked) == ("forced_discard", "A")
    assert scene.events("challenge") == []  # no challenge is revealed before the discard
    scene.do("A", given)
    assert scene.position["spoken"] == [{"player": 2, "card": card("P5")}]
    if given == "T4":
        scene.window(A="P1")
        assert scene.pocket("A") == "P1"
        assert scene.discards == "T4 P8 P5"
    else:
        scene.window()
        assert scene.pocket("C") == "P5"
        assert scene.discards == "P1 P8"


def test_hc_e29_first_voice() -> None:
    scene = Scene(
        hands={"A": "R9 T5", "B": "R6 C9", "C": "R2", "D": "R1"}, options={"interrupt_protocol": "first_voice"}
    )
    scene.tell("R9")
    scene.do("B", "R6")
    assert scene.asked == "ACD"  # the window closed, a new one is open: C's card was not heard in the first
    scene.do("C", "R2")
    assert scene.asked == "ABD"
    scene.do("D", "R1")
    assert scene.pocket("D") == "R1"
    assert scene.discards == "R9 R6 R2"
    assert scene.hand("B") == "C9"


def test_hc_e30_time_outs() -> None:
    scene = Scene(hands={"A": "T6 C3 M3", **FILL}, row="W1")
    assert scene.find(0, "C3") == timeout_action(scene.s, 0)
    scene.told("C3")
    assert scene.s.attempts == 2
    assert scene.find(0, "stop") == timeout_action(scene.s, 0)
    scene.tell("T6")
    assert [scene.find(p, "pass") for p in (1, 2, 3)] == [timeout_action(scene.s, p) for p in (1, 2, 3)]
    assert SEATS[members(scene.s.actors())[0]] == "B"
