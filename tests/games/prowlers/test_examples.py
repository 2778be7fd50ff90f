"""The worked examples that are positions or turns (PP-E01…PP-E12, PP-E17, PP-E18, PP-E23, PP-E27, PP-E28)."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.games.prowlers.box import PASSAGEWAYS
from parlour.games.prowlers.ending import tie_break
from parlour.games.prowlers.rules import ProwlersState
from tests.games.prowlers.fragments import (
    STATUE_LINES,
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
from tests.games.prowlers.test_golden_games import GAME_A, GAME_B, moves


def sheet(state: ProwlersState, phase: str, player: int) -> dict[str, Any]:
    """A player's sheet of a phase, without the length of the Tunnel."""
    found: dict[str, Any] = dict(holdings(state, player)[phase])
    found.pop("longest")
    return found


def lines(*values: int | None) -> dict[str, int | None]:
    """A sheet as the contract writes it; None for "-"."""
    names = listed("tunnel statues loot banking political market residential castle districts achievements total")
    return dict(zip(names, values, strict=True))


def test_pp_e01_example_of_a_turn() -> None:
    """PP-E01: the rulebook's example of a turn."""
    state = r1()
    events = happened(state, "place:sp_d_sw")
    assert {"gold": 0, "book": 0, "jewels": 1, "key": 0} == holdings(state, 0)["loot"]
    assert (0, 1, 0, 0, 1) == markers(state)
    assert ["dug", "pulled"] == [event.kind for event in events]
    assert (1, 26) == (state.current_player, len(state.legal_actions(1)))


E02_PASSAGES = listed("sp_b_n sp_b_se sp_c_se sp_c_sw sp_d_n sp_e_se sp_f_n sh_ab sh_bc sh_bd sh_be sh_ce sh_de")


def e02() -> ProwlersState:
    """A whole final position around Gabrielle's: her tiles on her passages, her markers, statues and cards.

    One passageway (sp_a_n) is left over. Every statue vertex is full: three statues are hers, one is second's.
    Golden 3 and double 1 with first, double 1 with second, the free pull used: 3 + 2 - 2 - 1 = 2, less one step that
    first lost, is where the markers stand: 1 - 1 + 2 + 1 - 2 = 1.
    """
    second = others(E02_PASSAGES, ["sp_a_n"])
    hers = [
        *[(f"key_{i}", "key") for i in (1, 2, 3, 4)],
        *[(f"jewels_{i}", "jewels") for i in (1, 2, 3)],
        ("book_1", "book"),
        ("gold_1", "gold"),
        ("golden_1", "golden_shovel"),
        ("golden_2", "golden_shovel"),
        ("golden_double", "golden_shovel"),
        ("double_1", "double_shovel"),
    ]
    rest = [
        ("double_2", "double_shovel"),
        ("jewels_4", "jewels"),
        *[(f"gold_{i}", "gold") for i in (2, 3, 4)],
        *[(f"book_{i}", "book") for i in (2, 3, 4)],
        ("gold_book", "gold"),
        ("gold_jewels", "jewels"),
        ("gold_key", "gold"),
        ("book_jewels", "book"),
        ("book_key", "book"),
        ("jewels_key", "key"),
    ]
    dealt = dict(zip([*E02_PASSAGES, *second, "sp_a_n"], [*hers, *rest], strict=True))
    return built(
        E02_PASSAGES,
        second,
        at=(1, -1, 2, 1, -2),
        tiles={line: {"tile": dealt[line][0], "face": dealt[line][1]} for line in PASSAGEWAYS},
        bonus="used",
        lost={"first": 1, "second": 0},
        statues={"hub": "first", "plat_abd": "second", "plat_bce": "first", "plat_def": "first"},
        cards={"statues_2": "first", "loot_4": "first", "mid_tunnel": None},
        mid={"turn": 16, "first": {"tunnel": 2}, "second": {"tunnel": 2}},
    )


def test_pp_e02_example_of_scoring() -> None:
    """PP-E02: the rulebook's example, 67 Wealth in the end-of-game phase."""
    state = e02()
    assert lines(14, 3, 18, 6, None, 10, 9, None, 25, 7, 67) == sheet(state, "end", 0)
    assert 7 == holdings(state, 0)["longest"]
    assert ["banking", "market", "residential"] == holdings(state, 0)["controls"]
    assert 2 + 67 == state.scores()[0]


def test_pp_e03_same_type_twice() -> None:
    """PP-E03."""
    state = turns(r1(), "sh_bd")
    assert (0, 0, 0, 0, 2) == markers(state)
    assert {"gold": 1, "book": 0, "jewels": 0, "key": 0} == holdings(state, 0)["loot"]


def test_pp_e04_double_shovel_two_types() -> None:
    """PP-E04."""
    state = turns(r1(), "sp_f_sw")
    assert (0, 2, 2, 0, 0) == markers(state)
    assert (1, 0) == (holdings(state, 0)["shovels"], sum(holdings(state, 0)["loot"].values()))


def test_pp_e05_double_shovel_same_type() -> None:
    """PP-E05."""
    assert (0, 0, 0, 0, 4) == markers(turns(r1(), "sh_ad"))


def test_pp_e06_golden_shovel() -> None:
    """PP-E06."""
    state = play(r1(), "place:sh_ab")
    assert (0, 5) == (state.current_player, len(state.legal_actions(0)))
    assert (0, 1, 0, 0, 2) == markers(turns(r1(), "sh_ab+political"))
    assert (0, 0, 0, 0, 3) == markers(turns(r1(), "sh_ab+castle"))


# First's doubles and goldens account for markers far on first's side (PP-I7).
E07_FIRST = ["sp_f_sw", "sh_bc", "sp_e_n", "sp_f_n"]
E07_SECOND = ["sp_a_sw", "sp_c_n", "sp_c_sw", "sp_d_n"]


def test_pp_e07_track_end_one_step() -> None:
    """PP-E07 (a): castle is at the end, market comes to it."""
    first = ["sp_f_sw", "sh_bc", "sh_ad", "sp_e_n", "sh_ab"]
    state = built(first, [*E07_SECOND, "sp_d_sw"], at=(0, 0, 7, 0, 8))
    lost = _lost(state)
    events = happened(state, "place:sp_a_se")
    assert (0, 0, 8, 0, 8) == markers(state)
    assert lost + 1 == _lost(state)
    assert [("castle", 0, 1), ("market", 1, 0)] == _pulls(events)


def test_pp_e07_track_end_two_steps() -> None:
    """PP-E07 (b): the second two of four steps are lost."""
    state = built(E07_FIRST, E07_SECOND, at=(0, 0, 0, 0, 6))
    lost = _lost(state)
    turns(state, "sh_ad")
    assert (0, 0, 0, 0, 8) == markers(state)
    assert lost + 2 == _lost(state)


def test_pp_e07_track_end_golden_and_what_follows() -> None:
    """PP-E07 (c), (d)."""
    state = built(E07_FIRST, E07_SECOND, at=(0, 0, 0, 0, 7))
    lost = _lost(state)
    play(state, "place:sh_ab")
    assert (0, 0, 0, 0, 8) == markers(state)
    assert lost + 1 == _lost(state)
    choices = [state.game.describe(state, 0, code).id for code in state.legal_actions(0)]
    assert ["golden:banking", "golden:political", "golden:market", "golden:residential"] == choices
    play(state, "golden:market")
    turns(state, "sp_d_sw")
    assert (0, -1, 1, 0, 7) == markers(state)


def _lost(state: ProwlersState) -> int:
    lost: Any = state.position()["lost"]
    return int(lost["first"])


def _pulls(events: list[Any]) -> list[tuple[str, int, int]]:
    pulled = [event for event in events if event.kind == "pulled"]
    return [(move["district"], move["steps"], move["lost"]) for event in pulled for move in event.args["moves"]]


def test_pp_e08_statue_through_mixed_passages_and_a_card_is_kept() -> None:
    """PP-E08, PP-36."""
    state = r1(cards=("ctrl_1x5", "statues_2", "loot_4"))
    turns(state, "sh_ab+political")
    assert (0, 1, 0, 0, 2) == markers(state)
    turns(state, "sp_f_n")
    assert (-1, 1, -1, 0, 2) == markers(state)
    turns(state, "sh_ad")
    assert (-1, 1, -1, 0, 6) == markers(state)
    assert ["ctrl_1x5"] == holdings(state, 0)["cards"]
    events = happened(state, "place:sh_bd")
    assert (-1, 1, -1, 0, 4) == markers(state)
    assert [(1, "plat_abd")] == [(event.player, event.args["statue"]) for event in events if event.kind == "statue"]
    assert (["ctrl_1x5"], []) == (holdings(state, 0)["cards"], holdings(state, 1)["cards"])
    assert (0, 1) == (len(holdings(state, 0)["statues"]), len(holdings(state, 1)["statues"]))
    assert 0 == state.mid_turn


def test_pp_e09_double_steal() -> None:
    """PP-E09, PP-17, PP-R09, PP-R10: the hub and a platform at once, from none to two."""
    state = r1(cards=("statues_2", "tunnel_6", "loot_4"))
    after = {
        "sp_b_n": (0, 0, 0, 1, 1),
        "sp_d_se": (0, 0, 0, 0, 0),
        "sp_e_sw": (1, 0, 0, 1, 0),
        "sh_bd": (1, 0, 0, 1, -2),
        "sh_be": (1, 0, 0, 3, -2),
        "sh_df": (1, -1, 0, 2, -2),
        "sh_ef": (2, 0, 0, 2, -2),
    }
    for line, expected in after.items():
        turns(state, line)
        assert expected == markers(state)
    events = happened(state, "place:sh_de")
    assert (1, 0, 0, 1, -2) == markers(state)
    assert ["hub", "plat_def"] == [event.args["statue"] for event in events if event.kind == "statue"]
    assert ["statues_2"] == [event.args["card"] for event in events if event.kind == "card"]
    assert 8 == state.mid_turn
    assert lines(4, 0, 6, 7, None, None, 0, None, 7, 0, 17) == sheet(state, "mid", 0)
    assert lines(6, 2, 5, None, None, None, None, 3, 3, 0, 16) == sheet(state, "mid", 1)
    assert (2, 3) == (holdings(state, 0)["mid"]["longest"], holdings(state, 1)["mid"]["longest"])
    assert (9, 0) == (state.turn, state.current_player)


def test_pp_e10_fastest_trigger() -> None:
    """PP-E10, PP-40: two platforms in six turns."""
    state = r1()
    for move, expected in {
        "sh_ab+political": (0, 1, 0, 0, 2),
        "sh_ad": (0, 1, 0, 0, -2),
        "sh_bd": (0, 1, 0, 0, 0),
        "sh_bc": (-2, 1, 0, -2, 0),
        "sh_be": (-2, 1, 0, 0, 0),
        "sh_ce": (-3, 1, 0, -1, 0),
    }.items():
        assert 0 == state.mid_turn
        turns(state, move)
        assert expected == markers(state)
    assert (6, ["plat_abd"], ["plat_bce"]) == (
        state.mid_turn,
        holdings(state, 0)["statues"],
        holdings(state, 1)["statues"],
    )
    assert lines(6, 1, 3, None, 2, None, None, None, 2, 0, 12) == sheet(state, "mid", 0)
    assert lines(4, 1, 1, 5, None, None, 0, None, 5, 0, 11) == sheet(state, "mid", 1)
    assert (7, 0) == (state.turn, state.current_player)


def test_pp_e11_trigger_on_an_odd_turn() -> None:
    """PP-E11, PP-42: first triggers it, and second plays next."""
    state = r1(cards=("statues_2", "ctrl_3x2", "loot_2x3"))
    for move, expected in {
        "sh_ab+market": (0, 0, 1, 0, 2),
        "sh_ad": (0, 0, 1, 0, -2),
        "sh_bd": (0, 0, 1, 0, 0),
        "sp_f_n": (-1, 0, 0, 0, 0),
        "sh_bc": (1, 0, 0, 2, 0),
        "sh_be": (1, 0, 0, 0, 0),
        "sh_ce": (2, 0, 0, 1, 0),
    }.items():
        assert 0 == state.mid_turn
        turns(state, move)
        assert expected == markers(state)
    assert (7, ["statues_2"]) == (state.mid_turn, holdings(state, 0)["cards"])
    assert lines(4, 2, 2, 6, None, None, 0, None, 6, 0, 14) == sheet(state, "mid", 0)
    assert lines(2, 0, 2, None, None, None, None, None, 0, 0, 4) == sheet(state, "mid", 1)
    assert (8, 1) == (state.turn, state.current_player)


def test_pp_e12_reserves() -> None:
    """PP-E12, PP-R11: after turn 15 nothing, after turn 16 the phase, and only one in a game."""
    state = r1(cards=GAME_B.cards, bonus=GAME_B.bonus)
    steps = moves(GAME_B)
    turns(state, *steps[:15])
    assert (5, 6, 0) == (holdings(state, 0)["reserve"], holdings(state, 1)["reserve"], state.mid_turn)
    turns(state, steps[15])
    assert (5, 5, 16) == (holdings(state, 0)["reserve"], holdings(state, 1)["reserve"], state.mid_turn)
    sheets = (sheet(state, "mid", 0), sheet(state, "mid", 1))
    for step in steps[16:]:
        turns(state, step)
        assert (16, sheets) == (state.mid_turn, (sheet(state, "mid", 0), sheet(state, "mid", 1)))
    other = r1(cards=GAME_A.cards, bonus=GAME_A.bonus)
    for turn, step in enumerate(moves(GAME_A), start=1):
        turns(other, step)
        assert (13 if turn >= 13 else 0) == other.mid_turn


def test_pp_e17_three_cards_in_one_turn() -> None:
    """PP-E17, PP-36."""
    state = built(
        ["sh_ab", "sh_bc", "sh_be", "sp_b_n", "sp_f_se"],
        ["sh_ad", "sh_ce", "sp_a_n", "sp_c_n", "sp_d_n"],
        at=(2, 2, 0, 0, 0),
        statues={"plat_bce": "first"},
        cards={"statues_2": None, "loot_4": None, "ctrl_3x2": None},
    )
    assert (11, 0, 3) == (state.turn, state.current_player, holdings(state, 0)["loot"]["gold"])
    events = happened(state, "place:sh_bd")
    assert ["plat_abd"] == [event.args["statue"] for event in events if event.kind == "statue"]
    assert 4 == holdings(state, 0)["loot"]["gold"]
    assert (2, 2, 0, 0, 2) == markers(state)
    assert {"statues_2", "loot_4", "ctrl_3x2"} == {event.args["card"] for event in events if event.kind == "card"}
    assert {"statues_2", "loot_4", "ctrl_3x2"} == set(holdings(state, 0)["cards"])
    assert 11 == state.mid_turn


@pytest.mark.parametrize(("count_it", "market", "total"), [(True, 5, 34), (False, 4, 33)])
def test_pp_e18_mid_cards_and_the_market(count_it: bool, market: int, total: int) -> None:
    """PP-E18 (a), PP-38, PP-R16, PP-R20, PP-49: 0 jewels, 1 card, 2 statues, position 2."""
    state = r1(cards=GAME_A.cards, bonus=GAME_A.bonus, mid_cards_count_for_market=count_it)
    turns(state, *moves(GAME_A)[:13])
    assert (["mid_control"], ["mid_tunnel"]) == (holdings(state, 0)["cards"], holdings(state, 1)["cards"])
    assert (4, 5) == (holdings(state, 0)["mid"]["longest"], holdings(state, 1)["mid"]["longest"])
    assert (market, total) == (holdings(state, 0)["mid"]["market"], holdings(state, 0)["mid"]["total"])
    turns(state, *moves(GAME_A)[13:])
    assert lines(16, 4, 25, 6, 12, 10, None, None, 28, 8, 81) == sheet(state, "end", 0)


def test_pp_e18_a_tied_mid_card_goes_to_nobody() -> None:
    """PP-E18 (b), PP-38, PP-41: at 4 to 4 the card stays open, though first has the longer Tunnel at the end."""
    state = r1(cards=("mid_tunnel", "mid_control", "loot_each"), bonus=GAME_B.bonus)
    steps = moves(GAME_B)
    turns(state, *steps[:15])
    events = happened(state, f"place:{steps[15]}")
    awarded = {event.args["card"]: event.player for event in events if event.kind == "mid_card"}
    assert {"mid_tunnel": -1, "mid_control": 1} == awarded
    turns(state, *steps[16:])
    assert {"mid_tunnel": None, "mid_control": "second", "loot_each": "first"} == state.position()["cards"]
    assert (6, 5) == (holdings(state, 0)["longest"], holdings(state, 1)["longest"])
    assert [70.0, 83.0] == state.scores()


@pytest.mark.parametrize(
    ("tunnels", "controlled", "better"),
    [
        ((8, 7), (1, 3), (0, "tunnel")),
        ((7, 8), (3, 1), (1, "tunnel")),
        ((8, 8), (2, 3), (1, "control")),
        ((8, 8), (3, 2), (0, "control")),
        ((8, 8), (2, 2), (-1, "nothing")),
    ],
)
def test_pp_e23_tie_breaks(tunnels: tuple[int, int], controlled: tuple[int, int], better: tuple[int, str]) -> None:
    """PP-E23, PP-54, PP-55, PP-R24: on 80 to 80; each also the other way round."""
    assert better == tie_break(*tunnels, *controlled)


@pytest.mark.parametrize("left", PASSAGEWAYS)
def test_pp_e27_left_over_passageway(left: str) -> None:
    """PP-E27, PP-I4: 4 statues are taken, less those the left-over passageway touches."""
    state = r1()
    for line in others([left]):
        settle(turns(state, line) if state.decision(state.current_player) == "place" else state)
    assert state.is_over
    touched = {name for name, around in STATUE_LINES.items() if left in around}
    statues: Any = state.position()["statues"]
    assert touched == {name for name, holder in statues.items() if holder is None}
    expected = 2 if left in {"sh_bd", "sh_be", "sh_de"} else 4 - len(touched)
    assert expected == sum(holder is not None for holder in statues.values())


def test_pp_e27_in_the_golden_games() -> None:
    """PP-E27: game A leaves sp_f_n and takes 4, game B leaves sh_ce and takes 3."""
    for game, left, taken in ((GAME_A, "sp_f_n", 4), (GAME_B, "sh_ce", 3)):
        state = turns(r1(cards=game.cards, bonus=game.bonus), *moves(game))
        lying: Any = state.position()["passages"]
        assert [left] == others(lying["first"], lying["second"])
        assert taken == sum(len(holdings(state, player)["statues"]) for player in (0, 1))


def test_pp_e28_legal_moves_shrink() -> None:
    """PP-E28, PP-13: 28 less the turn, and never a passageway with a passage of either colour."""
    state = r1(cards=GAME_A.cards, bonus=GAME_A.bonus)
    for turn, step in enumerate(moves(GAME_A), start=1):
        player = state.current_player
        legal = [PASSAGEWAYS[code] for code in state.legal_actions(player)]
        lying: Any = state.position()["passages"]
        assert others(lying["first"], lying["second"]) == legal
        assert 28 - turn == len(legal)
        if turn == 26:
            assert ["sp_a_sw", "sp_f_n"] == legal
        turns(state, step)
    assert [] == state.legal_actions(0) == state.legal_actions(1)
    assert loaded(state.position()) == state
