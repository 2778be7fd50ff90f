"""Table manners (HC-75…HC-79): times, time-outs, what a record shows, looking back."""

from __future__ import annotations

import pytest

from parlour.games.hellfire import GAME
from parlour.games.hellfire.table import ETIQUETTE, LIMITS, public_action, recall, timeout_action
from parlour.kernel import Dice, Event, members, random_step
from parlour.records.record import Record
from parlour.records.verify import verify
from tests.games.hellfire.scene import Scene, card


def test_hc_75_times() -> None:
    """HC-75: 45 for each step, 120 to tell, 20 and 15 for the windows; the host sets four of them."""
    assert set(ETIQUETTE.seconds) == set(GAME.actions.decisions)
    assert {ETIQUETTE.seconds[name] for name in LIMITS["Each step before the tale"]} == {45}
    assert [ETIQUETTE.seconds[name] for name in ("tell", "interrupt", "rechallenge")] == [120, 20, 15]
    assert sorted(name for names in ETIQUETTE.limits.values() for name in names) == sorted(ETIQUETTE.seconds)
    assert "forced_discard" in LIMITS["Each step before the tale"]


def test_hc_76_time_outs_in_step_1() -> None:
    """HC-76: slot 0; nothing discarded; draw if none is held, else keep; hold."""
    two = Scene(
        2, hands={"A": "T1", "B": "C9"}, witnesses="W3 W7 T5 P10", turned_up=card("R4"), decision="choose_witness"
    )
    assert timeout_action(two.s, 0) == two.find(0, "1")
    for patron, choice in ((None, "draw"), ("y_weapons", "keep")):
        scene = Scene(hands={"A": "W1 W2"}, patrons={"A": patron} if patron else {}, decision="discard_boast")
        assert timeout_action(scene.s, 0) == scene.find(0, "none")
        scene.do("A", "none")
        assert timeout_action(scene.s, 0) == scene.find(0, choice)
        scene.do("A", choice)
        assert timeout_action(scene.s, 0) == scene.find(0, "hold")


def test_hc_76_time_outs_with_the_pickpocket_and_the_bailiffs_man() -> None:
    """HC-76: the first legal seat to the left; the highest card, of equals the first suit."""
    scene = Scene(
        hands={"C": "I10 W10 T3", "B": "V3", "A": "C1"},
        patrons={"C": "y_pickpocket"},
        decision="play_patron",
        turn_of="C",
    )
    scene.do("C", "play")
    assert timeout_action(scene.s, 2) == scene.find(2, "1")  # D holds nothing, A is next
    scene.do("C", "1")
    assert timeout_action(scene.s, 2) == scene.find(2, "I10")
    bailiff = Scene(hands={"A": "W9 M4 T4 V2"}, patrons={"B": "o_bailiffs_man"})
    bailiff.tell("W9")
    bailiff.window(B="patron")
    assert timeout_action(bailiff.s, 0) == bailiff.find(0, "M4")


def test_hc_76_time_outs_in_the_tale_and_in_windows() -> None:
    """HC-76: the lowest legal card; with two players a barred one is not legal; stop if one may; pass."""
    scene = Scene(2, hands={"A": "W4 V9 M8", "B": "C9 V8"}, witnesses="W3 W7 T5 P10")
    assert timeout_action(scene.s, 0) == scene.find(0, "M8")
    scene.tell("V9")
    assert timeout_action(scene.s, 1) == scene.find(1, "pass")
    scene.window(B="V8")
    assert scene.decision == "rechallenge"
    assert timeout_action(scene.s, 0) == scene.find(0, "pass")


def test_hc_76_the_named_starter() -> None:
    state = GAME.new_game(players=3, seed=1, options={"starter": "named"})
    assert timeout_action(state, 0) == 102


@pytest.mark.parametrize("players", [2, 3, 6])
def test_hc_76_a_game_of_nothing_but_time_outs_ends(players: int) -> None:
    state = GAME.new_game(players=players, seed=4)
    while not state.is_over:
        for player in members(state.actors()):
            code = timeout_action(state, player)
            assert code in state.legal_actions(player)
            state.play(player, code)
            break
    assert state.is_over


def test_hc_77_away_after_three_and_windows_of_three_seconds() -> None:
    assert (ETIQUETTE.lapses, ETIQUETTE.absent_seconds, ETIQUETTE.min_window) == (3, 5, 3)


def test_hc_77_nobody_is_answered_for_because_there_was_no_choice() -> None:
    """HC-77, section 5: the engine never answers a window, holds a Patron, or tells, by itself."""
    scene = Scene(hands={"A": "W5 T2", "B": "C9", "C": "C8"}, patrons={"A": "o_crimes"}, decision="patron_swap")
    scene.do("A", "keep")
    assert (scene.decision, scene.legal("A")) == ("play_patron", ["hold"])
    scene.do("A", "hold")
    scene.tell("W5")
    assert (scene.asked, scene.legal("B"), scene.legal("C")) == ("BC", ["pass"], ["pass"])


def test_hc_79_bots_pause_alike_whatever_they_hold() -> None:
    """HC-79: 0.8 to 2.5 seconds, and every decision is asked of a seat, whoever has it."""
    assert ETIQUETTE.bot_pause == (0.8, 2.5)


def test_an_answer_that_never_came_out_is_shown_as_a_pass() -> None:
    """Section 6: cards and Patrons that returned; what spoke or was revealed stands as it was."""
    scene = Scene(
        hands={"A": "R9 T5 V1", "B": "R6 C1", "C": "R2", "D": "R1"}, patrons={"A": "y_crimes", "D": "o_bookmaker"}
    )
    scene.tell("R9")
    scene.window(B="R6", C="R2", D="patron")
    answers = {"B": scene.s.game.actions.code("interrupt", f"interrupt:challenge:{card('R6')}")}
    assert public_action(scene.s, 1, answers["B"]) == 0
    assert public_action(scene.s, 2, 62) == 62
    assert public_action(scene.s, 3, 101) == 101
    assert public_action(scene.s, 0, 0) == 0
    kept = Scene(hands={"A": "W10 T1"}, patrons={"B": "o_weapons", "C": "o_theatre_critic"})
    kept.tell("W10")
    kept.window(B="patron", C="patron")
    assert [public_action(kept.s, player, 101) for player in (1, 2)] == [101, 0]


@pytest.mark.parametrize("protocol", ["sealed", "first_voice"])
def test_records_show_no_sealed_card_and_replay_to_the_same_game(protocol: str) -> None:
    """Section 6: whole random games, written, read and verified; the Bailiff's Man's pause included."""
    paused = 0
    for seed in range(14):
        options: dict[str, object] = {"interrupt_protocol": protocol}
        state = GAME.new_game(players=4, seed=seed, options=options)
        dice = Dice(seed)
        done = []
        hidden = 0
        while not state.is_over:
            player = members(state.actors())[dice.below(len(members(state.actors())))]
            legal = state.legal_actions(player)
            code = legal[dice.below(len(legal))]
            state.events = []
            state.apply(player, code)
            hidden += sum(event.kind in ("returned", "patron_returned") for event in state.events or [])
            paused += state.decision(state.current_player) == "forced_discard" if not state.is_over else 0
            done.append((player, code))
        record = Record.from_game(GAME, done, players=4, seed=seed, options=options)
        shown = [(move.player, move.code) for move in record.actions]
        assert sum(one != other for one, other in zip(sorted(done), sorted(shown), strict=True)) >= min(hidden, 1)
        again = GAME.new_game(players=4, seed=seed, options=options)
        for player, code in shown:
            again.play(player, code)
        assert again == state
        assert verify(record)
    assert paused > 0


def test_closed_piles_cannot_be_read_back_beyond_the_previous_turn() -> None:
    """3.10."""
    turn = Event("turn", 0, {"turn": 2})
    other = Event("boast", 0, {})
    closed = Scene(hands={"A": "W1 W2"}, options={"piles": "closed"}).s
    steps = [[other], [other, turn], [other], [turn], [other], [turn, other]]
    assert recall(closed, steps) == 3
    assert recall(closed, steps[:3]) == 0
    assert recall(closed, []) == 0
    assert recall(Scene(hands={"A": "W1 W2"}).s, steps) == 0
    over = Scene(options={"piles": "closed"}, decision="over").s
    assert recall(over, steps) == 0


def test_random_steps_leave_the_table_as_it_was() -> None:
    """The tests' own driver: a random step of a state that withholds answers is like any other."""
    state = GAME.new_game(players=3, seed=2)
    random_step(state, Dice(1))
    assert not state.is_over
