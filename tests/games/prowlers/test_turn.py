"""The turn: order, placing, statues, tiles, markers and shovels (PP-10…PP-27)."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.games.prowlers import GAME
from parlour.games.prowlers.box import PASSAGEWAYS
from parlour.games.prowlers.rules import ProwlersState
from parlour.kernel import Dice, IllegalAction, random_step
from tests.games.prowlers.fragments import (
    alternately,
    built,
    happened,
    holdings,
    listed,
    loaded,
    markers,
    others,
    play,
    r1,
    settle,
    turns,
)

PLACE = {line: code for code, line in enumerate(PASSAGEWAYS)}
GOLDEN = {"banking": 27, "political": 28, "market": 29, "residential": 30, "castle": 31}


def test_pp_10_first_has_odd_turns_and_second_even_ones_to_the_end() -> None:
    """PP-10, PP-42: 26 turns in strict alternation, scoring phases or not."""
    state = r1()
    for turn in range(1, 27):
        player = state.current_player
        assert (turn, (turn + 1) % 2) == (state.turn, player)
        state.play(player, state.legal_actions(player)[0])
        settle(state)
    assert state.is_over


def test_pp_11_the_order_within_a_turn() -> None:
    """PP-11: place, steal, pull, shovel, cards, scoring; the tile is taken with the placing."""
    state = turns(
        r1(cards=("ctrl_3x2", "statues_2", "loot_4")), "sh_df", "sp_f_sw", "sh_de", "sp_c_sw", "sh_bc", "sh_be"
    )
    steal = happened(state, "place:sh_ce")
    assert ["dug", "statue", "pulled"] == [event.kind for event in steal]
    final = happened(turns(state, "sp_a_n"), "place:sh_ef")
    assert ["dug", "statue", "pulled", "card", "scored"] == [event.kind for event in final]
    assert ["passage", "double_shovel"] == [
        event.args["by"] for event in happened(r1(), "place:sh_ad") if event.kind == "pulled"
    ]
    assert ["passage", "golden_shovel"] == [
        event.args["by"] for event in happened(r1(), "place:sh_ab", "golden:market") if event.kind == "pulled"
    ]


def test_pp_12_nothing_can_be_passed_and_the_opponent_never_acts() -> None:
    """PP-12."""
    state = r1()
    assert not any("pass" in action or "decline" in action for action in GAME.actions.table()["place"])
    refusal = state.explain(1, 0)
    assert refusal is not None
    assert "PP-12" == refusal.clause
    with pytest.raises(IllegalAction):
        state.play(1, 0)
    play(state, "place:sh_ab")  # a golden shovel waits: still the same player's turn
    assert (0, []) == (state.current_player, state.legal_actions(1))
    assert ("golden", "") == (state.decision(0), state.decision(1))


def test_pp_13_only_where_a_tile_lies() -> None:
    """PP-13, PP-07: from a reserve that shrinks by one."""
    state = turns(r1(), "sp_a_n", "sp_c_n")
    for taken in ("sp_a_n", "sp_c_n"):
        refusal = state.explain(0, PLACE[taken])
        assert refusal is not None
        assert "PP-13" == refusal.clause
        assert PLACE[taken] not in state.legal_actions(0)
    assert (12, 12) == (holdings(state, 0)["reserve"], holdings(state, 1)["reserve"])


def test_pp_14_any_free_passageway_will_do() -> None:
    """PP-14: the whole board on turn 1, all that is free later, touching anything or not."""
    state = r1()
    assert list(range(27)) == state.legal_actions(0)
    turns(state, "sp_f_n")
    assert [code for line, code in PLACE.items() if line != "sp_f_n"] == state.legal_actions(1)


def test_pp_15_a_passage_stays_where_it_is() -> None:
    """PP-15, PP-19: once owned, always owned, to the end of the game."""
    state = r1()
    owned: dict[str, int] = {}
    dice = Dice(3)
    while not state.is_over:
        random_step(state, dice)
        edges = state.view(None)["board"]["edges"]  # type: ignore[index]
        now = {edge["id"]: edge["owner"] for edge in edges if edge["owner"] is not None}
        assert owned.items() <= now.items()
        owned = now
    assert 26 == len(owned)


def test_pp_16_whoever_fills_the_last_passageway_takes_the_statue() -> None:
    """PP-16, PP-R09: two passages are first's, second places the last and takes it."""
    state = turns(r1(), "sh_bc", "sp_a_n", "sh_be", "sp_d_n", "sp_c_n")
    assert [] == holdings(state, 1)["statues"]
    events = happened(state, "place:sh_ce")
    assert [(1, "plat_bce")] == [(e.player, e.args["statue"]) for e in events if e.kind == "statue"]
    assert (["plat_bce"], []) == (holdings(state, 1)["statues"], holdings(state, 0)["statues"])


def test_pp_17_one_placement_can_take_two_statues_never_three() -> None:
    """PP-17: a passageway touches at most two of the four statue vertices, and only three touch two."""
    ends = {edge["id"]: edge["ends"] for edge in r1().view(None)["board"]["edges"]}  # type: ignore[index]
    statues = {"hub", "plat_abd", "plat_bce", "plat_def"}
    touching = {line: len(statues & set(two)) for line, two in ends.items()}
    assert {"sh_bd", "sh_be", "sh_de"} == {line for line, count in touching.items() if count == 2}
    assert 2 == max(touching.values())


def test_pp_18_statues_are_kept_and_hinder_nothing() -> None:
    """PP-18: a Tunnel runs through a vertex with its statue standing; a taken statue stays taken."""
    state = alternately(r1(), ["sh_ab", "sh_bd", "sp_b_n"], ["sp_c_n", "sp_c_se", "sp_c_sw"])
    assert (3, 0) == (holdings(state, 0)["longest"], sum(s["holder"] is not None for s in _statues(state)))
    turns(state, "sh_ad")
    assert [0] == [s["holder"] for s in _statues(state) if s["id"] == "plat_abd"]
    while not state.is_over:
        settle(turns(state, others(state.position()["passages"]["first"], state.position()["passages"]["second"])[0]))  # type: ignore[index]
        assert 0 == next(s["holder"] for s in _statues(state) if s["id"] == "plat_abd")


def _statues(state: object) -> list[dict[str, object]]:
    found: list[dict[str, object]] = state.view(None)["board"]["statues"]  # type: ignore[attr-defined]
    return found


def test_pp_19_the_tile_is_kept_same_face_up() -> None:
    """PP-19: jewels_key lies with its key up, so it is a key."""
    state = turns(r1(), "sp_a_n")
    assert {"gold": 0, "book": 0, "jewels": 0, "key": 1} == holdings(state, 0)["loot"]
    assert {"tile": "jewels_key", "face": "key"} == state.position()["tiles"]["sp_a_n"]  # type: ignore[index]


def test_pp_20_either_shovel_is_one_shovel_and_no_loot() -> None:
    """PP-20."""
    state = turns(r1(), "sh_ad", "sp_a_n", "sh_ab+market")
    first = holdings(state, 0)
    assert (2, 1, 1, 0) == (
        first["shovels"],
        first["golden_shovels"],
        first["double_shovels"],
        sum(first["loot"].values()),
    )


def test_pp_21_the_types_come_from_the_hexes_laid_there() -> None:
    """PP-21: with the hexes of a and c exchanged, sp_a_n runs between other districts."""
    hexes = r1().position()["hexes"]
    assert isinstance(hexes, dict)
    swapped = {**hexes, "a": hexes["c"], "c": hexes["a"]}
    assert (0, 1, 0, 0, 1) == markers(turns(r1(), "sp_a_n"))  # political, castle
    assert (1, 1, 0, 0, 0) == markers(turns(loaded({"hexes": swapped}), "sp_a_n"))  # banking, political


def test_pp_22_both_markers_come_one_space_or_one_comes_two() -> None:
    """PP-22."""
    assert (0, 0, 0, 1, 1) == markers(turns(r1(), "sp_b_n"))
    assert (0, 0, 0, 2, 0) == markers(turns(r1(), "sh_be"))


def test_pp_23_toward_the_player_is_up_for_first_and_down_for_second() -> None:
    """PP-23."""
    assert (0, 0, 0, 1, 1) == markers(turns(r1(), "sp_b_n"))
    assert (0, 0, 0, 0, 0) == markers(turns(r1(), "sp_b_n", "sp_d_se"))
    assert (-1, 0, 0, 0, 1) == markers(turns(r1(), "sp_b_n", "sp_e_sw"))


def test_pp_24_a_step_beyond_the_last_space_is_lost() -> None:
    """PP-24, PP-I6: for second as for first; the marker stays, nothing else moves, and the loss is told."""
    state = built(["sp_a_sw", "sp_f_n", "sp_c_n"], ["sh_bc", "sh_ad"], at=(0, 0, 0, -8, 0))
    assert {"first": 6, "second": 0} == _balance(state)
    events = happened(state, "place:sp_d_n")  # political, residential
    assert (0, -1, 0, -8, 0) == markers(state)
    moves = next(event.args["moves"] for event in events if event.kind == "pulled")
    assert [("political", 1, 0), ("residential", 0, 1)] == [
        (move["district"], move["steps"], move["lost"])
        for move in moves  # type: ignore[attr-defined]
    ]
    assert 1 == state.position()["lost"]["second"]  # type: ignore[index]


def test_pp_24_second_loses_steps_as_first_does() -> None:
    """PP-24: the mirror of PP-E07 (b): two of the four steps of a double shovel, added to those lost before."""
    first, second = listed("sp_a_sw sp_c_n sp_c_sw sp_d_n sp_f_n"), listed("sp_f_sw sh_bc sp_e_n sp_a_n")
    state = built(first, second, at=(0, 0, 0, 0, -6))
    before = _balance(state)
    turns(state, "sh_ad")
    assert (0, 0, 0, 0, -8) == markers(state)
    assert {"first": before["first"], "second": before["second"] + 2} == _balance(state)


def _balance(state: ProwlersState) -> dict[str, int]:
    lost: Any = state.position()["lost"]
    return {seat: int(steps) for seat, steps in lost.items()}


def test_pp_25_control_begins_at_one_and_nobody_has_the_centre() -> None:
    """PP-25."""
    state = turns(r1(), "sp_b_n", "sp_d_sw")
    assert (0, -1, 0, 1, 0) == markers(state)
    assert (["residential"], ["political"]) == (holdings(state, 0)["controls"], holdings(state, 1)["controls"])


def test_pp_26_golden_shovel_pulls_one_more_marker_of_any_type() -> None:
    """PP-26, PP-R13: after the two pulls, also a marker just pulled; it cannot be declined."""
    state = turns(r1(), "sp_e_n+castle")
    assert (1, 0, 1, 0, 1) == markers(state)
    state = play(r1(), "place:sp_e_n")
    assert (1, 0, 1, 0, 0) == markers(state)
    assert sorted(GOLDEN.values()) == state.legal_actions(0)
    assert "PP-26" == state.explain(0, PLACE["sp_a_n"]).clause  # type: ignore[union-attr]
    play(state, "golden:banking")
    assert (2, 0, 1, 0, 0) == markers(state)


def test_pp_26_with_all_markers_at_the_end_the_pull_is_skipped() -> None:
    """PP-26: all five on first's last space: the turn goes on to second at once."""
    state = _near_the_end((6, 6, 6, 6, 6))
    play(state, "place:sp_e_n")
    assert (1, "place") == (state.current_player, state.decision(1))
    assert (6, 6, 6, 6, 6) == markers(state)


def test_pp_r13_a_marker_that_cannot_move_is_not_offered_and_a_single_choice_is_still_asked() -> None:
    """PP-R13, PP-26."""
    state = _near_the_end((6, 5, 6, 6, 6))
    play(state, "place:sp_e_n")
    assert [GOLDEN["political"]] == state.legal_actions(0)
    refusal = state.explain(0, GOLDEN["banking"])
    assert refusal is not None
    assert ("PP-26", True) == (refusal.clause, "Banking" in refusal.sentence)
    play(state, "golden:political")
    assert (6, 6, 6, 6, 6) == markers(state)


def _near_the_end(at: tuple[int, ...]) -> ProwlersState:
    """Turn 25 on a track of six, first to move, sp_e_n with its golden shovel free."""
    first = [
        "sh_bc",
        "sh_ad",
        "sp_f_sw",
        "sh_ab",
        "sp_a_n",
        "sp_c_n",
        "sp_d_n",
        "sp_b_n",
        "sp_a_sw",
        "sp_c_se",
        "sp_f_n",
        "sh_be",
    ]
    second = [line for line in others(first) if line not in {"sp_e_n", "sh_de", "sh_df"}]
    cards = {"ctrl_3x2": "first", "mid_tunnel": None, "mid_control": None}
    return built(first, second, at=at, cards=cards, options={"track_half_length": 6})


def test_pp_27_double_shovel_pulls_both_twice() -> None:
    """PP-27: two each, or four for one type."""
    assert (0, 2, 2, 0, 0) == markers(turns(r1(), "sp_f_sw"))
    assert (0, 0, 0, 0, 4) == markers(turns(r1(), "sh_ad"))


def test_pp_r14_a_double_shovel_pulls_again_though_a_step_was_lost() -> None:
    """PP-R14, PP-27: political is at the end already, market one before it: three of the four steps are lost."""
    state = built(
        ["sh_bc", "sh_ad", "sh_ab", "sp_c_n", "sp_b_n"],
        ["sp_c_se", "sp_d_n", "sp_e_se", "sp_a_n", "sp_a_sw"],
        at=(0, 8, 7, 0, 0),
        cards={"surround": None, "mid_tunnel": None, "ctrl_3x2": None},
    )
    before = _balance(state)["first"]
    play(state, "place:sp_f_sw")
    assert (0, 8, 8, 0, 0) == markers(state)
    assert before + 3 == _balance(state)["first"]
