"""Hand-written positions: what may be left out, and what is refused by the name of the law it breaks (PP-I1…PP-I12)."""

from __future__ import annotations

import copy
import json
from typing import Any

import pytest

from parlour import games
from parlour.games.prowlers.box import BOX
from parlour.games.prowlers.rules import ProwlersState
from parlour.kernel import Dice, PositionError, random_step
from tests.games.prowlers.fragments import (
    RING_12,
    built,
    dealt,
    holdings,
    listed,
    loaded,
    markers,
    others,
    play,
    r1,
    turns,
)

PLAIN = {"tunnel": 2}


def refused(position: Any, **options: object) -> str:
    """The name of the law that a position breaks; its sentence must say more than the name."""
    with pytest.raises(PositionError) as caught:
        loaded(position, options)
    assert len(caught.value.sentence) > 20
    assert caught.value.sentence.endswith(".")
    return caught.value.invariant


def test_an_empty_position_is_r1_before_turn_1_with_the_bonus_declined() -> None:
    """PP-I12: everything has a sensible default."""
    assert r1() == loaded({})
    assert (1, 0, "place") == (loaded({}).turn, loaded({}).current_player, loaded({}).decision(0))


def test_owners_alone_make_a_position() -> None:
    """PP-I12: turn, player and markers follow from the passages."""
    state = loaded({"passages": {"first": ["sp_b_n", "sh_be"], "second": ["sp_d_sw", "sp_f_sw"]}})
    assert (5, 0) == (state.turn, state.current_player)
    assert (0, -3, -2, 3, 0) == markers(state)
    assert {"gold": 2, "book": 0, "jewels": 0, "key": 0} == holdings(state, 0)["loot"]


def test_every_position_of_a_game_comes_back() -> None:
    """PP-I12: through JSON, golden pulls and the end included."""
    for seed in range(12):
        state = dealt(seed, track_half_length=6 + seed % 7, mid_cards_count_for_market=seed % 2 == 0)
        dice = Dice(seed)
        while True:
            document = json.loads(json.dumps(state.to_dict()))
            assert state == games.load(document)
            if state.is_over:
                break
            random_step(state, dice)


def test_parts_that_say_nothing_new_may_be_left_out() -> None:
    """PP-I12: turn, what is awaited and the sums of a sheet follow from the rest."""
    state = dealt(5)
    dice = Dice(5)
    while not state.is_over:
        random_step(state, dice)
        position: Any = state.position()
        for part in ("turn", *(["awaiting"] if position["awaiting"] != "golden" else []), "seats"):
            if part != "seats" or position["seats"]["first"] == 0:
                position.pop(part)
        if position["mid"]:
            for seat in ("first", "second"):
                for line in ("districts", "total", "longest"):
                    position["mid"][seat].pop(line)
        assert state.position() == loaded(position).position() or state.city.first == 1


SHAPES: list[dict[str, Any]] = [
    {"passages": {"first": ["sp_x_n"], "second": []}},
    {"statues": {"c_a": "first"}},
    {"statues": {"hub": "third"}},
    {"cards": {"statues_2": None, "tunnel_6": None, "tunnel_7": None}},
    {"hexes": {"a": {"hex": "hex_01", "rotation": 0}}},
    {"hexes": {site: {"hex": "hex_01", "rotation": 0} for site in "abcdef"}},
    {"hexes": {**{site: {"hex": f"hex_0{i + 1}"} for i, site in enumerate("abcdef")}, "g": {"hex": "hex_07"}}},
    {"hexes": {site: {"hex": f"hex_0{i + 1}", "rotation": 3} for i, site in enumerate("abcdef")}},
    {"hexes": {site: {"hex": f"hex_9{i}"} for i, site in enumerate("abcdef")}},
    {"seats": {"first": 1, "second": 1}},
    {"seats": {"first": 2, "second": 0}},
    {"markers": {"harbour": 1}},
    {"last": "nowhere"},
    {"turn": "one"},
    {"turn": 1000},
    {"lost": {"first": 10**30, "second": 0}},
    {"whatever": 1},
    {"bonus": "maybe"},
    {"awaiting": "nothing"},
]


@pytest.mark.parametrize("position", SHAPES)
def test_pp_i12_what_is_no_position_at_all(position: dict[str, Any]) -> None:
    """PP-I12: unknown ids, parts and values."""
    assert "PP-I12" == refused(position)


@pytest.mark.parametrize(
    "position",
    [
        {"passages": {"first": ["sp_a_n"], "second": ["sp_a_n"]}},
        {"passages": {"first": ["sp_a_n", "sp_a_n"], "second": ["sp_a_se"]}},
        {"passages": {"first": [], "second": ["sp_a_n"]}},
        {"passages": {"first": ["sp_a_n", "sp_a_se"], "second": []}},
        {"turn": 2},
        {"turn": 0},
        {"passages": {"first": ["sp_a_n"], "second": []}, "turn": 1},
        {"awaiting": "over"},
        {"awaiting": "golden"},
        {"awaiting": "bonus_move", "passages": {"first": ["sp_a_n"], "second": []}},
        {"passages": {"first": [*RING_12, "sh_bd", "sp_f_n"], "second": others(RING_12, ["sh_bd", "sp_f_n"])}},
    ],
)
def test_pp_i1_passages_and_turns(position: dict[str, Any]) -> None:
    """PP-I1: one passage a turn, in turn, one on a passageway."""
    assert "PP-I1" == refused(position)


def test_pp_i1_thirteen_each_and_then_it_is_over() -> None:
    """PP-I1, PP-07: with all 26 laid nothing is awaited."""
    state = built(
        [*RING_12, "sh_bd"],
        others(RING_12, ["sh_bd", "sp_a_n"]),
        cards={"mid_tunnel": None, "mid_control": None, "ctrl_1x5": None},
    )
    assert (True, 26) == (state.is_over, state.turn)
    position: Any = state.position()
    assert "PP-I1" == refused({**position, "awaiting": "place", "turn": 27})
    assert "PP-I1" == refused({**position, "awaiting": "place"})
    assert "PP-I1" == refused({**position, "turn": 25})


def test_pp_i2_every_tile_in_one_place() -> None:
    """PP-I2."""
    tiles: Any = r1().position()["tiles"]
    twice = {**tiles, "sp_a_se": {"tile": "key_1", "face": "key"}}
    assert "PP-I2" == refused({"tiles": twice})
    missing = {line: tile for line, tile in tiles.items() if line != "sp_a_se"}
    assert "PP-I2" == refused({"tiles": missing})
    assert "PP-I2" == refused({"last": "sp_a_n"})


def test_pp_i3_faces_are_those_printed_on_the_tile() -> None:
    """PP-I3: so the counts of section 2.5 hold."""
    tiles: Any = r1().position()["tiles"]
    assert "PP-I3" == refused({"tiles": {**tiles, "sp_a_se": {"tile": "key_3", "face": "gold"}}})
    assert "PP-I3" == refused({"tiles": {**tiles, "sh_ab": {"tile": "golden_1", "face": "double_shovel"}}})
    turned = loaded({"tiles": {**tiles, "sp_a_n": {"tile": "jewels_key", "face": "jewels"}}})
    assert {"gold": 0, "book": 0, "jewels": 1, "key": 0} == holdings(turns(turned, "sp_a_n"), 0)["loot"]


def test_pp_i4_a_statue_is_held_when_and_only_when_its_vertex_is_full() -> None:
    """PP-I4."""
    passages = {"first": ["sh_bc", "sh_be"], "second": ["sh_ce", "sp_a_n"]}
    at = {"residential": 2, "political": -1, "castle": -1, "banking": 0, "market": 0}
    given = {"passages": passages, "markers": {**at, "residential": 3, "banking": 1}}
    assert "PP-I4" == refused(given)
    assert "PP-I4" == refused({"statues": {"plat_bce": "first"}})
    assert "PP-I4" == refused({**given, "statues": {"plat_bce": "first", "hub": "second"}})
    state = loaded({**given, "statues": {"plat_bce": "first"}})
    assert ["plat_bce"] == holdings(state, 0)["statues"]


def test_pp_i5_cards() -> None:
    """PP-I5: three of them, each in one place, none open whose condition somebody meets after a turn."""
    assert "PP-I5" == refused({"cards": {"statues_2": None}})
    assert "PP-I5" == refused({"cards": dict.fromkeys(listed("statues_2 tunnel_6 loot_4 surround"))})
    gold = {"first": listed("sp_b_n sp_b_sw sp_f_se sh_bd"), "second": listed("sp_a_n sp_a_se sp_c_n sp_f_n")}
    assert "PP-I5" == refused({"passages": gold})
    mirrored = {"first": gold["second"], "second": gold["first"]}
    assert "PP-I5" == refused({"passages": mirrored})
    cards = {"statues_2": None, "tunnel_6": None, "loot_4": "first"}
    assert ["loot_4"] == holdings(loaded({"passages": gold, "cards": cards}), 0)["cards"]


def test_pp_i5_while_a_golden_pull_is_awaited_the_active_player_s_cards_wait() -> None:
    """PP-I5, PP-35: the fourth of four types may still be on its way."""
    state = turns(
        r1(cards=("loot_4", "surround", "ctrl_1x5")), "sp_b_n", "sp_a_n", "sh_ad", "sp_c_n", "sh_bd", "sp_c_se"
    )
    assert 6 <= abs(markers(state)[4])
    assert ["ctrl_1x5"] == holdings(state, 0)["cards"]
    waiting: Any = play(state, "place:sh_ab").position()
    waiting["cards"]["ctrl_1x5"] = None
    assert "golden" == loaded(waiting).decision(0)
    waiting["cards"]["ctrl_1x5"] = "first"
    settled: Any = play(loaded(waiting), "golden:market").position()
    settled["cards"]["ctrl_1x5"] = None
    assert "PP-I5" == refused(settled)


@pytest.mark.parametrize(("length", "at"), [(8, 9), (8, -9), (6, 7), (12, -13), (8, 61), (8, -(10**20))])
def test_pp_i6_markers_on_the_track(length: int, at: int) -> None:
    """PP-I6."""
    assert "PP-I6" == refused({"markers": {"castle": at}}, track_half_length=length)


def test_pp_i7_markers_add_up_to_the_steps() -> None:
    """PP-I7."""
    assert "PP-I7" == refused({"markers": {"castle": 1}})
    assert "PP-I7" == refused({"bonus": "used", "markers": {"castle": 1}})
    assert "PP-I7" == refused({"bonus": "pending", "awaiting": "place"})
    assert "PP-I7" == refused({"bonus": "used", "awaiting": "bonus_move"})
    assert (0, 0, 0, 0, -1) == markers(loaded({"bonus": "used", "markers": {"castle": -1}}))
    one = {"passages": {"first": ["sp_a_n"], "second": []}}
    assert "PP-I7" == refused({**one, "markers": {"castle": 1}})
    assert (0, 0, 0, 0, 2) == markers(loaded({**one, "markers": {"castle": 2}}))
    assert (0, 0, 0, 0, 1) == markers(loaded({**one, "markers": {"castle": 1}, "lost": {"first": 1, "second": 0}}))
    assert "PP-I7" == refused({**one, "markers": {"castle": -1}, "lost": {"first": 3, "second": 0}})
    assert "PP-I7" == refused({**one, "markers": {"castle": 3}, "lost": {"first": -1, "second": 0}})
    assert "PP-I7" == refused({**one, "markers": {"castle": 3}, "lost": {"first": 0, "second": 1}})


def test_pp_i7_each_shovel_counts_by_its_kind_and_owner() -> None:
    """PP-I7: golden one more, double two more, for whoever holds it."""
    passages = {"first": ["sh_ab", "sh_ad"], "second": ["sp_f_sw", "sp_e_n"]}
    assert (0, 1, 0, 0, -1) == markers(loaded({"passages": passages, "markers": {"political": 1, "castle": -1}}))
    assert "PP-I7" == refused({"passages": passages, "markers": {"political": 1}})
    more = {"first": ["sh_ab", "sh_ad", "sp_a_n"], "second": ["sp_c_n", "sp_c_se"]}
    assert (3, 2, 0, 0, 0) == markers(loaded({"passages": more, "markers": {"banking": 3, "political": 2}}))


def test_pp_i7_what_cannot_be_worked_out_is_asked_for() -> None:
    """PP-I7: a golden pull, the free pull and the end of the track leave the markers open."""
    assert "PP-I7" == refused({"passages": {"first": ["sh_ab"], "second": []}})
    assert "PP-I7" == refused({"bonus": "used"})
    far = {"first": ["sh_ad", "sh_ab", "sh_bd"], "second": ["sp_c_n", "sp_c_se"]}
    assert "PP-I7" == refused({"passages": far, "statues": {"plat_abd": "first"}})
    castle = {"first": ["sh_ad", "sh_bd", "sp_a_n"], "second": ["sp_c_n", "sp_c_se"]}
    assert "PP-I7" == refused({"passages": castle}, track_half_length=6)
    assert (-1, -1, 0, -1, 7) == markers(loaded({"passages": castle}))


def test_pp_i7_a_golden_pull_that_is_awaited() -> None:
    """PP-I7: the shovel under way is left out; where it was found is said, and by whom."""
    waiting = {"passages": {"first": ["sh_ab"], "second": []}, "awaiting": "golden", "last": "sh_ab"}
    state = loaded(waiting)
    assert ((0, 0, 0, 0, 2), [27, 28, 29, 30, 31]) == (markers(state), state.legal_actions(0))
    assert play(r1(), "place:sh_ab") == state
    assert "PP-I7" == refused({**waiting, "markers": {"castle": 3}})
    assert "PP-I7" == refused({**waiting, "last": None, "markers": {"castle": 2}})
    other = {"passages": {"first": ["sp_a_n"], "second": []}, "awaiting": "golden", "last": "sp_a_n"}
    assert "PP-I7" == refused(other)
    theirs = {"passages": {"first": ["sh_ab"], "second": ["sp_a_n"]}, "awaiting": "golden", "last": "sh_ab"}
    assert "PP-I7" == refused({**theirs, "markers": {"castle": 1, "political": -1, "banking": 1}})
    second = {"passages": {"first": ["sp_a_n"], "second": ["sh_ab"]}, "awaiting": "golden", "last": "sh_ab"}
    assert (0, 1, 0, 0, -1) == markers(loaded(second))


def test_pp_i8_what_was_earned_by_things_that_stay_is_still_there() -> None:
    """PP-I8: a card for loot, statues, a Tunnel or a surrounded district, without them; sheets above today."""
    for name in ("loot_each", "statues_2", "tunnel_6", "surround"):
        cards = {name: "first", "mid_tunnel": None, "mid_control": None}
        assert "PP-I8" == refused({"cards": cards})
    for name in ("ctrl_4", "two_tunnels", "ctrl_3_match"):  # these can pass
        assert [name] == holdings(loaded({"cards": {name: "first", "mid_tunnel": None, "mid_control": None}}), 0)[
            "cards"
        ]
    lines = listed("sp_a_n sp_a_se sp_f_n sp_c_n sp_b_se sp_d_n sp_e_se sp_c_sw")
    state = built(
        lines,
        listed("sh_ab sh_bc sh_be sh_de sp_d_sw sp_f_se sp_e_n sp_a_sw"),
        cards={"mid_tunnel": None, "mid_control": None, "ctrl_1x5": None},
    )
    position: Any = state.position()
    good = position["mid"]["first"]
    for wrong in ({"tunnel": 26}, {"tunnel": 2, "statues": 1}, {"tunnel": 2, "loot": 40}):
        assert "PP-I8" == refused({**position, "mid": {**position["mid"], "first": wrong}})
    assert (2, 0) == (good["tunnel"], good["statues"])


def test_pp_i9_the_mid_game_phase_has_happened_when_it_was_due() -> None:
    """PP-I9."""
    mid = {"turn": 6, "first": PLAIN, "second": PLAIN}
    assert "PP-I9" == refused({"mid": mid})
    assert "PP-I9" == refused({"mid": {**mid, "turn": 0}})
    state = turns(r1(), "sh_ab+political", "sh_ad", "sh_bd", "sh_bc", "sh_be", "sh_ce", "sp_a_n")
    position: Any = state.position()
    assert "PP-I9" == refused({**position, "mid": None})
    for turn in (5, 8):
        assert "PP-I9" == refused({**position, "mid": {**position["mid"], "turn": turn}})
    assert 7 == loaded({**position, "mid": {**position["mid"], "turn": 7}}).mid_turn
    late = {**position, "cards": {"mid_tunnel": "first", "loot_4": None, "tunnel_6": None}}
    assert ["mid_tunnel"] == holdings(loaded(late), 0)["cards"]
    assert "PP-I9" == refused({"cards": {"mid_tunnel": "first", "loot_4": None, "tunnel_6": None}})


def test_pp_i9_a_statue_of_the_turn_under_way_has_not_counted_yet() -> None:
    """PP-I9: the second statue falls by a passage that finds a golden shovel; the phase waits for the pull."""
    state = turns(r1(), "sh_bc", "sh_be", "sh_ce", "sh_ad", "sp_a_n", "sh_bd")
    play(state, "place:sh_ab")
    assert (["plat_abd", "plat_bce"], "golden", 0) == (holdings(state, 0)["statues"], state.decision(0), state.mid_turn)
    position: Any = state.position()
    assert state == loaded(position)
    mid = {"turn": 7, "first": PLAIN, "second": PLAIN}
    assert "PP-I9" == refused({**position, "mid": mid})
    play(state, "golden:market")
    assert 7 == state.mid_turn


def test_pp_i9_after_turn_16_it_has_happened_whatever_the_statues() -> None:
    """PP-I9, PP-R11."""
    first = listed("sp_a_n sp_a_se sp_f_n sp_c_n sp_b_se sp_d_n sp_e_se sp_c_sw")
    second = listed("sh_ab sh_bc sh_be sh_de sp_d_sw sp_f_se sp_e_n sp_a_sw")
    cards = {"mid_tunnel": None, "mid_control": None, "ctrl_1x5": None}
    assert 16 == built(first, second, cards=cards).mid_turn
    with pytest.raises(PositionError, match="PP-I9"):
        built(first, second, cards=cards, mid=None)
    with pytest.raises(PositionError, match="PP-I9"):
        built(first, second, cards=cards, mid={"turn": 17, "first": PLAIN, "second": PLAIN})
    assert 0 == built(first, second[:7], cards=cards).mid_turn


@pytest.mark.parametrize(
    "lines",
    [
        {"tunnel": 3},
        {"tunnel": 0},
        {"tunnel": 28},
        {"tunnel": 2, "longest": 2},
        {"tunnel": 2, "total": 3},
        {"tunnel": 2, "districts": 1},
        {"tunnel": 2, "statues": -1},
        {"tunnel": 2, "statues": 5},
        {"tunnel": 2, "loot": -1},
        {"tunnel": 2, "loot": 50},
        {"tunnel": 2, "banking": 4},
        {"tunnel": 2, "banking": 13},
        {"tunnel": 2, "political": 1},
        {"tunnel": 2, "political": 18},
        {"tunnel": 2, "market": 0},
        {"tunnel": 2, "market": 23},
        {"tunnel": 2, "residential": -1},
        {"tunnel": 2, "residential": 19},
        {"tunnel": 2, "castle": -6},
        {"tunnel": 2, "castle": 19},
        {"tunnel": 2, "achievements": 1},
        {"tunnel": 2, "achievements": -1},
    ],
)
@pytest.mark.parametrize("seat", ["first", "second"])
def test_pp_i10_sheets_are_sums_within_bounds(seat: str, lines: dict[str, int]) -> None:
    """PP-I10."""
    state = turns(r1(), "sh_ab+political", "sh_ad", "sh_bd", "sh_bc", "sh_be", "sh_ce")
    position: Any = copy.deepcopy(state.position())
    position["mid"][seat] = lines
    assert "PP-I10" == refused(position)


@pytest.mark.parametrize(
    "lines",
    [
        {"tunnel": 2, "banking": 5},
        {"tunnel": 2, "banking": 12, "political": 2, "market": 1, "residential": 0, "castle": -5},
        {"tunnel": 2, "political": 17, "market": 22, "residential": 18, "castle": 18},
    ],
)
def test_pp_i10_the_bounds_themselves_are_allowed(lines: dict[str, int]) -> None:
    """PP-I10: the least and the most of each reward; the total is at least -3."""
    state = turns(r1(), "sh_ab+political", "sh_ad", "sh_bd", "sh_bc", "sh_be", "sh_ce")
    position: Any = copy.deepcopy(state.position())
    position["mid"]["first"] = lines
    kept = holdings(loaded(position), 0)["mid"]
    assert lines.items() <= kept.items()
    assert sum(lines.values()) == kept["total"] >= -3


def test_a_position_says_which_box_and_game_it_is_of() -> None:
    """PP-I12: the envelope around it."""
    document = r1().to_dict()
    assert ("prowlers", 1, BOX.hash, 2) == tuple(document[key] for key in ("game", "version", "box", "players"))
    assert isinstance(games.load(document), ProwlersState)
