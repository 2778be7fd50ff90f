"""What a page is given: geometry, pieces, players, cards, track and sheets."""

from __future__ import annotations

import json
import math
import random
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.games.prowlers import GAME
from parlour.games.prowlers.box import PASSAGEWAYS
from parlour.games.prowlers.rules import ProwlersState
from parlour.games.prowlers.view import shown_of, view
from parlour.kernel import Dice, random_step
from tests.games.prowlers.fragments import card, dealt, holdings, loaded, play, r1, turns
from tests.games.prowlers.test_golden_games import GAME_A, GAME_B, moves


def seen(state: ProwlersState, player: int | None = None) -> Any:
    return state.view(player)


def test_everybody_sees_the_same_but_for_who_looks() -> None:
    """Section 6: open information."""
    state = turns(r1(), "sh_ab+market", "sp_c_n")
    views = [seen(state, knower) for knower in (None, 0, 1)]
    assert [None, 0, 1] == [view.pop("you") for view in views]
    assert views[0] == views[1] == views[2]
    assert json.dumps(views[0]) == json.dumps(json.loads(json.dumps(views[0])))


def test_geometry_is_that_of_the_contract() -> None:
    """Section 2.3, y downward: centres, corners, passageways of length 1, districts of that area."""
    board = seen(r1())["board"]
    sites = {site["id"]: (site["x"], site["y"]) for site in board["sites"]}
    assert {
        "a": (0.0, 0.0),
        "b": (1.7321, 0.0),
        "c": (3.4641, 0.0),
        "d": (0.866, -1.5),
        "e": (2.5981, -1.5),
        "f": (1.7321, -3.0),
    } == sites
    vertices = {vertex["id"]: (vertex["x"], vertex["y"]) for vertex in board["vertices"]}
    assert ((1.7321, -1.0), (-0.866, 0.5), (4.3301, 0.5)) == (vertices["hub"], vertices["t_a"], vertices["t_c"])
    for edge in board["edges"]:
        assert vertices[edge["ends"][0]] == (edge["x1"], edge["y1"])
        assert vertices[edge["ends"][1]] == (edge["x2"], edge["y2"])
        assert math.isclose(1, math.hypot(edge["x1"] - edge["x2"], edge["y1"] - edge["y2"]), abs_tol=1e-3)
        assert math.isclose(edge["x"], (edge["x1"] + edge["x2"]) / 2, abs_tol=1e-3)
    for district in board["districts"]:
        assert math.isclose(math.sqrt(3) / 2, area(district["polygon"]), abs_tol=1e-3)
        assert district["id"] == f"{district['site']}_{district['slot']}"
        assert sites[district["site"]] == tuple(district["polygon"][0])
    for site in board["sites"]:
        assert math.isclose(3 * math.sqrt(3) / 2, area(site["corners"]), abs_tol=1e-3)
    assert (-0.866, -4.0, 5.1961, 5.0) == (board["left"], board["top"], board["width"], board["height"])


def area(points: list[list[float]]) -> float:
    pairs = zip(points, [*points[1:], points[0]], strict=True)
    return abs(sum(x1 * y2 - x2 * y1 for (x1, y1), (x2, y2) in pairs)) / 2


def test_a_passageway_lies_on_the_side_of_its_two_districts() -> None:
    """PP-21: the ends of each passageway are corners of both its districts, and their types are its types."""
    board = seen(dealt(9))["board"]
    districts = {district["id"]: district for district in board["districts"]}
    for edge in board["edges"]:
        for side, kind in zip(edge["districts"], edge["types"], strict=True):
            corners = [tuple(point) for point in districts[side]["polygon"]]
            assert (edge["x1"], edge["y1"]) in corners
            assert (edge["x2"], edge["y2"]) in corners
            assert kind == districts[side]["type"]


def test_edges_tell_tile_owner_and_last_move() -> None:
    """PP-13, PP-19."""
    state = turns(r1(), "sp_a_n", "sh_bd")
    edges = {edge["id"]: edge for edge in seen(state)["board"]["edges"]}
    assert list(PASSAGEWAYS) == list(edges)
    assert (0, "key", "jewels_key", False) == tuple(edges["sp_a_n"][key] for key in ("owner", "face", "tile", "last"))
    assert (1, "gold", "gold_2", True) == tuple(edges["sh_bd"][key] for key in ("owner", "face", "tile", "last"))
    assert (None, False) == (edges["sh_ab"]["owner"], edges["sh_ab"]["in_longest"])
    assert "between Political and Castle" == edges["sp_a_n"]["label"]
    assert "beside Castle twice, a golden shovel" == edges["sh_ab"]["label"]
    assert "between Castle and Market, a key" == edges["sp_a_se"]["label"]
    assert ("sh_bd", 3, 26, 0) == tuple(seen(state)[key] for key in ("last", "turn", "turns", "to_act"))
    assert (None, "before_mid_game", None) == tuple(seen(r1())[key] for key in ("last", "phase", "mid_turn"))


def test_the_longest_tunnel_is_marked() -> None:
    """PP-32: exactly the passages of one longest walk of each player."""
    state = dealt(4)
    dice = Dice(4)
    while not state.is_over:
        random_step(state, dice)
        marked = {edge["id"]: edge["owner"] for edge in seen(state)["board"]["edges"] if edge["in_longest"]}
        for player in (0, 1):
            mine = holdings(state, player)
            assert set(mine["longest_walk"]) == {line for line, owner in marked.items() if owner == player}
            assert mine["longest"] == len(mine["longest_walk"])


def test_statues_tell_how_full_they_are() -> None:
    """PP-16."""
    state = turns(r1(), "sh_bc", "sp_b_n", "sh_be")
    statues = {statue["id"]: (statue["filled"], statue["need"], statue["holder"]) for statue in _statues(state)}
    assert {
        "hub": (2, 6, None),
        "plat_abd": (0, 3, None),
        "plat_bce": (2, 3, None),
        "plat_def": (0, 3, None),
    } == statues
    turns(state, "sh_ce")
    assert (3, 3, 1) == next((s["filled"], s["need"], s["holder"]) for s in _statues(state) if s["id"] == "plat_bce")


def _statues(state: ProwlersState) -> Any:
    return seen(state)["board"]["statues"]


def test_the_track() -> None:
    """Section 2.6: lanes below the board, first at the left end."""
    state = turns(r1(), "sp_b_n", "sp_d_sw")
    track = seen(state)["track"]
    lanes = {lane["district"]: lane for lane in track["lanes"]}
    assert (8, 1.7321, 0.28) == (track["half_length"], track["centre"], track["step"])
    assert (1, 1, 0) == tuple(lanes["residential"][key] for key in ("space", "value", "holder"))
    assert (-1, 1, 1) == tuple(lanes["political"][key] for key in ("space", "value", "holder"))
    assert (0, 0, None) == tuple(lanes["castle"][key] for key in ("space", "value", "holder"))
    assert [1.7321, 2.0121, 1.7321, 1.4521, 1.7321] == [lane["x"] for lane in track["lanes"]]
    assert [1.8, 2.15, 2.5, 2.85, 3.2] == [lane["y"] for lane in track["lanes"]]


def test_seats_exchanged_turn_owners_not_the_track() -> None:
    """PP-01: with player 1 sitting first, positive spaces are player 1's."""
    state = loaded({"seats": {"first": 1, "second": 0}})
    turns(state, "sp_b_n")
    assert (1, 0) == (seen(state)["first"], seen(state)["to_act"])
    lane = seen(state)["track"]["lanes"][3]
    assert ("residential", 1, 1) == (lane["district"], lane["space"], lane["holder"])
    assert [0, 1] == [holdings(state, player)["placed"] for player in (0, 1)]
    assert ["second", "first"] == [holdings(state, player)["seat"] for player in (0, 1)]


def test_cards_tell_progress() -> None:
    """PP-34, PP-38: have and need by player; a mid-game card that was tied has lapsed."""
    state = turns(r1(), "sp_b_n", "sp_a_n", "sp_b_sw")
    assert [{"have": 2, "need": 4, "met": False}, {"have": 1, "need": 4, "met": False}] == card(state, "loot_4")[
        "progress"
    ]
    assert [2, 1] == [near["have"] for near in card(state, "tunnel_6")["progress"]]
    assert ("turn", False, 3, "Steal two statues") == tuple(
        card(state, "statues_2")[key] for key in ("checked", "lapsed", "wealth", "title")
    )
    tied = r1(cards=("mid_tunnel", "mid_control", "loot_each"), bonus=GAME_B.bonus)
    turns(tied, *moves(GAME_B)[:15])
    assert not card(tied, "mid_tunnel")["lapsed"]
    assert {"have": 4, "need": 0, "met": False} in card(tied, "mid_tunnel")["progress"]
    turns(tied, moves(GAME_B)[15])
    assert (True, None) == (card(tied, "mid_tunnel")["lapsed"], card(tied, "mid_tunnel")["holder"])
    assert (False, 1) == (card(tied, "mid_control")["lapsed"], card(tied, "mid_control")["holder"])
    assert [1, 2] == [near["have"] for near in card(tied, "mid_control")["progress"]]


def test_what_if_scored_now() -> None:
    """PP-41: before the phase it is the mid-game sheet as it would be, mid cards included; then the end sheet."""
    state = r1(cards=GAME_A.cards, bonus=GAME_A.bonus)
    for step in moves(GAME_A):
        before = [holdings(state, player) for player in (0, 1)]
        had_mid = state.mid_turn
        assert before[0]["outlook"] == before[0]["banked"] + before[0]["now"]["total"]
        assert had_mid == state.mid_turn  # looking changes nothing
        turns(state, step)
        after = [holdings(state, player) for player in (0, 1)]
        if state.mid_turn and not had_mid:
            assert [34, 24] == [mine["mid"]["total"] for mine in after] == [mine["banked"] for mine in after]
    assert [115, 85] == [mine["outlook"] for mine in after] == [mine["banked"] for mine in after]
    assert after[0]["end"] == after[0]["now"]
    assert {"totals": [115, 85], "winner": 0, "reason": "115 Wealth to 85."} == seen(state)["result"]
    assert ("over", None, "over") == tuple(seen(state)[key] for key in ("phase", "to_act", "awaiting"))


def test_before_the_mid_game_the_what_if_gives_the_mid_cards() -> None:
    """PP-38, PP-49: with the longer Tunnel and the Market, the card counts in the Market of that very sheet."""
    for count_it, market in ((True, 2), (False, 1)):
        state = turns(r1(cards=("mid_tunnel", "loot_4", "tunnel_6"), mid_cards_count_for_market=count_it), "sp_a_se")
        assert market == holdings(state, 0)["now"]["market"]
        assert [] == holdings(state, 0)["cards"]


def test_the_four_unused_hexes_are_told() -> None:
    """Section 6."""
    assert ["hex_03", "hex_05", "hex_06", "hex_07"] == seen(r1())["unused_hexes"]


def test_what_is_awaited() -> None:
    """PP-08, PP-26."""
    assert ("bonus_move", 1) == tuple(seen(loaded({"awaiting": "bonus_move"}))[key] for key in ("awaiting", "to_act"))
    assert ("golden", 0) == tuple(seen(play(r1(), "place:sh_ab"))[key] for key in ("awaiting", "to_act"))
    assert [True, False] == [holdings(r1(), player)["to_act"] for player in (0, 1)]


def test_a_view_of_another_game_is_refused() -> None:
    from tests.toys import bids

    with pytest.raises(TypeError, match="Prowler"):
        GAME.view(bids.GAME.new_game(), None)


@settings(max_examples=15)
@given(st.integers(0, 10_000))
def test_a_view_does_not_depend_on_what_was_looked_at_before(seed: int) -> None:
    rng = random.Random(seed)
    state = GAME.new_game(2, seed=seed)
    positions = [state.clone()]
    while not state.is_over:
        player = state.current_player
        state.apply(player, rng.choice(state.legal_actions(player)))
        positions.append(state.clone())
    alone = []
    for position in positions:
        shown_of.cache_clear()
        alone.append(msgspec.json.encode(GAME.view(position, None)))
    shown_of.cache_clear()
    order = [*range(len(positions)), *(rng.randrange(len(positions)) for _ in positions)]
    assert [alone[i] for i in order] == [msgspec.json.encode(GAME.view(positions[i], None)) for i in order]


def test_what_did_not_change_is_the_same_object() -> None:
    state = GAME.new_game(2, seed=4)
    one, two = view(state, None), view(state.clone(), 0)
    for part in ("board", "track", "cards", "unused_hexes", "options"):
        assert getattr(one, part) is getattr(two, part)
    player = state.current_player
    state.apply(player, state.legal_actions(player)[0])
    three = view(state, None)
    moved = [one.track.lanes[i] is not three.track.lanes[i] for i in range(5)]
    assert 1 == sum(moved)
    assert one.board is three.board
