"""Step 1, Refresh (HC-10…HC-17), and the Patrons that are played there."""

from __future__ import annotations

from collections import Counter

import pytest

from parlour.games.hellfire import GAME
from parlour.games.hellfire.box import PATRONS
from parlour.kernel import IllegalAction
from tests.games.hellfire.scene import Scene, card

SIX = "W1 W2 W3 W4 W5 W6"


def test_hc_10_without_witnesses_the_turn_begins_with_step_1() -> None:
    """HC-08, HC-10: more than two players: straight to the discard."""
    state = GAME.new_game(players=3, seed=4)
    assert state.decision(state.current_player) == "discard_boast"


def test_hc_11_one_card_or_none_may_be_discarded_even_from_a_full_hand() -> None:
    scene = Scene(hands={"A": SIX}, decision="discard_boast")
    assert scene.legal("A") == ["none", "W1", "W2", "W3", "W4", "W5", "W6"]
    scene.do("A", "W3")
    assert scene.discards == "W3"
    assert scene.s.hand_size(0) == 6  # drawn up again
    assert scene.decision == "patron_swap"


def test_hc_11_an_empty_hand_has_nothing_to_discard() -> None:
    """HC-11, HC-R32: nobody is asked; the hand is drawn up."""
    scene = Scene(hands={"A": "T1", "B": ""}, decision="tell", attempts=2)
    scene.stop()
    assert (scene.teller, scene.decision) == ("B", "patron_swap")
    assert scene.s.hand_size(1) == 6


@pytest.mark.parametrize(("held", "drawn"), [("T9", 5), ("W1 W2", 4), (SIX, 0), (SIX + " W7 W8", 0)])
def test_hc_12_draw_up_to_the_limit(held: str, drawn: int) -> None:
    """HC-12: need = limit - hand, from the top; a hand above the limit draws and loses nothing."""
    scene = Scene(hands={"A": held, "D": "C9"}, decision="discard_boast")
    top = [int(one) for one in scene.s.pile[:drawn]]
    before = scene.s.hand_list(0)
    scene.do("A", "none")
    assert sorted(before + top) == scene.s.hand_list(0)
    assert [event.args["cards"] for event in scene.events("drew")] == ([drawn] if drawn else [])


def test_hc_12_a_need_of_nothing_never_ends_the_game() -> None:
    scene = Scene(hands={"A": SIX}, pile="", decision="discard_boast")
    scene.do("A", "none")
    assert scene.decision == "patron_swap"


def test_hc_12_need_equal_to_the_pile_is_drawn() -> None:
    """HC-R08: only a pile that is too small ends the game, and then nothing is drawn."""
    scene = Scene(hands={"A": "W1 W2 W3 W4"}, pile="T1 T2", decision="discard_boast")
    scene.do("A", "none")
    assert (scene.s.hand_size(0), scene.decision) == (6, "patron_swap")
    scene = Scene(hands={"A": "W1 W2 W3"}, pile="T1 T2", decision="discard_boast")
    scene.do("A", "none")
    assert (scene.hand("A"), scene.s.pile_size(), scene.decision) == ("W1 W2 W3", 2, "over")


def test_hc_r09_discarding_before_an_empty_pile_ends_the_game() -> None:
    scene = Scene(hands={"A": SIX}, pile="", decision="discard_boast")
    scene.do("A", "W1")
    assert scene.decision == "over"
    assert scene.hand("A") == "W2 W3 W4 W5 W6"


def test_hc_13_draw_keep_or_swap_a_patron() -> None:
    """HC-13, HC-R16: with the new hand in view and before the new Patron is."""
    scene = Scene(hands={"A": SIX}, decision="patron_swap")
    assert scene.legal("A") == ["keep", "draw"]
    scene.do("A", "draw")
    assert scene.patron("A") == "y_conveyances"  # the top of the pile
    scene = Scene(hands={"A": SIX}, decision="patron_swap")
    scene.do("A", "keep")
    assert (scene.patron("A"), scene.decision) == (None, "tell")
    scene = Scene(hands={"A": SIX}, patrons={"A": "o_crimes"}, decision="patron_swap")
    scene.do("A", "keep")
    assert (scene.patron("A"), scene.decision) == ("o_crimes", "play_patron")
    scene = Scene(hands={"A": SIX}, patrons={"A": "o_crimes"}, decision="patron_swap")
    scene.do("A", "draw")
    assert scene.position["patron_discards"] == ["o_crimes"]
    assert scene.patron("A") == "y_conveyances"


def test_hc_14_only_an_empty_pile_is_shuffled() -> None:
    """HC-14, HC-R20: the discards, the one just discarded included, become the pile; Boasts never come back."""
    rest = [name for name in PATRONS if name not in ("o_crimes", "y_crimes")]
    scene = Scene(
        hands={"A": SIX},
        patrons={"A": "o_crimes"},
        decision="patron_swap",
        patron_pile=["y_crimes"],
        patron_discards=rest,
    )
    scene.do("A", "draw")
    assert scene.patron("A") == "y_crimes"
    assert len(scene.position["patron_discards"]) == 29
    assert scene.events("patrons_shuffled") == []
    scene.do("A", "hold")
    scene = Scene(
        hands={"A": SIX},
        patrons={"A": "o_crimes", "B": "y_crimes"},
        decision="patron_swap",
        patron_pile=[],
        patron_discards=rest,
        discards="T1 T2",
        seed=3,
    )
    scene.do("A", "draw")
    assert scene.position["discard_pile"] == [card("T1"), card("T2")]
    assert sorted([*scene.position["patron_pile"], scene.patron("A") or ""]) == sorted([*rest, "o_crimes"])
    assert [len(shuffle) for shuffle in scene.position["shuffles"]] == [30, 29]
    assert [event.args for event in scene.events("patrons_shuffled")] == [{"cards": 29}]


@pytest.mark.parametrize("patron", PATRONS)
def test_hc_15_every_holder_is_asked_and_only_a_y_can_be_played(patron: str) -> None:
    """HC-15, HC-R36: the question comes whatever the symbol is, so that it tells nothing."""
    scene = Scene(hands={"A": SIX, "B": "T1"}, patrons={"A": patron}, decision="patron_swap")
    scene.do("A", "keep")
    assert scene.decision == "play_patron"
    assert scene.legal("A") == (["hold", "play"] if patron.startswith("y_") else ["hold"])
    if patron.startswith("o_"):
        with pytest.raises(IllegalAction) as refused:
            scene.s.play(0, 101)
        assert refused.value.clause == "HC-15"
    scene.do("A", "hold")
    assert scene.patron("A") == patron


def test_hc_15_a_storyteller_without_a_patron_is_not_asked() -> None:
    scene = Scene(hands={"A": SIX}, decision="patron_swap")
    scene.do("A", "keep")
    assert scene.decision == "tell"


def test_hc_r17_a_fresh_patron_may_be_played_at_once() -> None:
    scene = Scene(hands={"A": SIX}, decision="patron_swap")
    scene.do("A", "draw")
    scene.do("A", "play")
    assert scene.force("A") == "y_conveyances"
    assert scene.patron("A") is None


def test_hc_16_the_pickpocket_needs_a_victim() -> None:
    scene = Scene(hands={"A": SIX}, patrons={"A": "y_pickpocket"}, decision="play_patron")
    assert scene.legal("A") == ["hold"]
    with pytest.raises(IllegalAction) as refused:
        scene.s.play(0, 101)
    assert refused.value.clause == "HC-16"


def test_hc_17_nobody_holds_two_patrons() -> None:
    """HC-17: the old one goes before the new one comes; none is drawn at any other moment."""
    scene = Scene(hands={"A": SIX}, patrons={"A": "y_crimes", "B": "y_motives"}, decision="patron_swap")
    before = len(scene.position["patron_pile"])
    scene.do("A", "draw")
    scene.do("A", "hold")
    scene.told("W1", "W2")
    scene.stop()
    assert len(scene.position["patron_pile"]) == before - 1


def test_hc_r34_the_pot_boy_passes_the_hand_limit() -> None:
    """HC-R34, HC-61: two above the limit."""
    scene = Scene(hands={"A": "W1 W2 W3"}, patrons={"A": "y_pot_boy"}, decision="play_patron")
    scene.do("A", "play")
    assert scene.s.hand_size(0) == 8
    assert scene.decision == "tell"
    assert scene.force("A") == "y_pot_boy"


def test_hc_61_the_pot_boy_does_not_end_the_game() -> None:
    scene = Scene(hands={"A": SIX, "B": "C9"}, patrons={"A": "y_pot_boy"}, pile="", decision="play_patron")
    scene.do("A", "play")
    assert (scene.s.hand_size(0), scene.decision) == (6, "tell")


def test_the_pot_boy_has_nothing_to_bring_to_a_full_hand() -> None:
    scene = Scene(hands={"A": SIX + " W7 W8"}, patrons={"A": "y_pot_boy"}, decision="play_patron")
    scene.do("A", "play")
    assert scene.s.hand_size(0) == 8
    assert scene.events("drew") == []


# --- the Pickpocket -----------------------------------------------------------------------------------------------


def test_the_pickpocket_takes_each_card_alike() -> None:
    """HC-15: at random from the whole hand, whichever word of the set a card lies in."""
    taken: Counter[str] = Counter()
    for seed in range(900):
        scene = Scene(
            hands={"A": "I1", "B": "V3 W9 T2", "C": "C1"},
            patrons={"A": "y_pickpocket"},
            decision="play_patron",
            seed=seed,
        )
        scene.do("A", "play")
        assert scene.legal("A") == ["2", "3"]
        scene.do("A", "2")
        taken[scene.hand("A").replace("I1", "").strip()] += 1
    assert set(taken) == {"V3", "W9", "T2"}
    assert min(taken.values()) > 240  # 300 expected, standard deviation 14


def test_the_pickpocket_may_give_back_what_he_took() -> None:
    scene = Scene(hands={"A": "I1", "B": "V3", "C": "C1"}, patrons={"A": "y_pickpocket"}, decision="play_patron")
    scene.do("A", "play")
    scene.do("A", "2")
    assert (scene.decision, scene.position["robbed"]) == ("patron_give", 1)
    assert scene.legal("A") == ["V3", "I1"]
    scene.do("A", "V3")
    assert (scene.hand("A"), scene.hand("B")) == ("I1", "V3")
    assert scene.decision == "tell"
    assert scene.position["robbed"] is None


def test_a_single_victim_and_a_single_card_need_no_question() -> None:
    """Section 5: choices that are public anyway are made without asking."""
    scene = Scene(hands={"A": "", "B": "V3"}, patrons={"A": "y_pickpocket"}, decision="play_patron")
    scene.do("A", "play")
    assert scene.decision == "discard_boast"  # robbed, gave back, had no card to tell, and the turn passed
    assert scene.teller == "B"
    assert [event.args["target"] for event in scene.events("robbed")] == [1]
    assert len(scene.events("slipped")) == 2


@pytest.mark.parametrize(("action", "clause"), [("1", "HC-15"), ("4", "HC-15"), ("7", "HC-15")])
def test_whom_the_pickpocket_may_not_rob(action: str, clause: str) -> None:
    scene = Scene(hands={"A": "I1", "B": "V3", "C": "C1"}, patrons={"A": "y_pickpocket"}, decision="play_patron")
    scene.do("A", "play")
    with pytest.raises(IllegalAction) as refused:
        scene.s.play(0, 101 + int(action))
    assert refused.value.clause == clause
