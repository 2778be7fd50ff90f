"""Achievement cards (PP-34…PP-38): when they are claimed, by whom, and what each asks for."""

from __future__ import annotations

import pytest

from parlour.games.prowlers.achievements import meets, mid_card_winner, progress
from parlour.games.prowlers.box import BOX, DISTRICTS, LOOT
from parlour.games.prowlers.track import FIRST, SECOND, placed
from tests.games.prowlers.fragments import (
    RING_12,
    TABLES,
    alternately,
    built,
    card,
    city_with,
    happened,
    holdings,
    lines_set,
    listed,
    markers,
    others,
    play,
    r1,
    turns,
)

CARDS = TABLES.card_ids
LOOT_AND_CONTROL = [
    "loot_each",
    "loot_2x3",
    "loot_3x2",
    "loot_4",
    "ctrl_4",
    "ctrl_1x5",
    "ctrl_2x3",
    "ctrl_3x2",
    "ctrl_3_match",
]

E21 = [
    ((1, 1, 1, 1), (1, 1, 1, 1, -1), "loot_each ctrl_4 ctrl_3_match"),
    ((2, 2, 1, 2), (5, 0, 0, 0, 0), "loot_each loot_2x3 ctrl_1x5"),
    ((3, 3, 0, 0), (2, 2, 1, 1, 0), "loot_3x2 ctrl_4"),
    ((4, 0, 0, 0), (3, 3, -8, 0, 0), "loot_4 ctrl_2x3"),
    ((0, 1, 1, 1), (2, 2, 2, 0, 2), "ctrl_4 ctrl_3x2"),
    ((0, 2, 1, 1), (0, 1, 1, 1, 0), "ctrl_3_match"),
    ((6, 1, 0, 0), (4, 3, 2, 0, 0), "loot_4 ctrl_2x3 ctrl_3x2"),
    ((3, 3, 3, 2), (0, 0, 0, 0, 0), "loot_each loot_2x3 loot_3x2"),
    ((0, 0, 0, 0), (7, 0, 0, 0, 8), "ctrl_1x5 ctrl_2x3"),
    ((2, 2, 0, 1), (4, 4, -1, -2, 1), "ctrl_2x3"),
]


@pytest.mark.parametrize(("loot", "at", "expected"), E21)
@pytest.mark.parametrize("seat", [FIRST, SECOND])
def test_pp_e21_card_predicates(loot: tuple[int, int, int, int], at: tuple[int, ...], expected: str, seat: int) -> None:
    """PP-E21, PP-R21, PP-R22: for first as given, for second with the track turned round."""
    city, passages = city_with(*loot)
    standing = placed([space if seat == FIRST else -space for space in at])
    met = {name for name in LOOT_AND_CONTROL if meets(city, CARDS.index(name), passages, 0, standing, seat)}
    assert set(expected.split()) == met
    for name in LOOT_AND_CONTROL:  # what a page shows agrees with what is claimed
        near = progress(city, CARDS.index(name), passages, 0, standing, seat)
        assert (name in met) == (near.have >= near.need)


def test_every_card_asks_for_what_the_contract_says() -> None:
    """PP-52: section 2.8: Wealth, and the sizes each condition asks for."""
    cards = BOX.spec.achievements.cards
    expected = {
        "statues_2": (3, "statues", 2, 1),
        "tunnel_6": (3, "tunnels", 1, 6),
        "two_tunnels": (5, "tunnels", 2, 3),
        "surround": (5, "surround", 1, 1),
        "loot_each": (5, "loot", 4, 1),
        "loot_2x3": (5, "loot", 3, 2),
        "loot_3x2": (4, "loot", 2, 3),
        "loot_4": (4, "loot", 1, 4),
        "ctrl_4": (4, "control", 4, 1),
        "ctrl_1x5": (6, "control", 1, 5),
        "ctrl_2x3": (4, "control", 2, 3),
        "ctrl_3x2": (4, "control", 3, 2),
        "ctrl_3_match": (4, "match", 3, 1),
        "mid_tunnel": (3, "mid_tunnel", 1, 1),
        "mid_control": (3, "mid_control", 1, 1),
    }
    assert expected == {name: (c.wealth, c.condition, c.how_many, c.at_least) for name, c in cards.items()}
    assert list(expected) == list(cards)


def test_pp_34_a_claimed_card_is_gone_for_the_other() -> None:
    """PP-34: first has four gold on turn 7; second's fourth book on turn 10 comes too late."""
    state = r1(cards=("loot_4", "mid_tunnel", "mid_control"))
    books = ["sp_b_se", "sp_e_se", "sp_e_sw", "sp_f_n"]
    gold = ["sp_b_n", "sp_b_sw", "sp_f_se"]
    alternately(state, gold, books)
    assert [] == holdings(state, 0)["cards"]
    events = happened(state, "place:sh_bd")
    assert [("loot_4", 0)] == [(event.args["card"], event.player) for event in events if event.kind == "card"]
    late = happened(state, "place:sp_f_n")
    assert 4 == holdings(state, 1)["loot"]["book"]
    assert [] == [event for event in late if event.kind == "card"]
    assert 0 == card(state, "loot_4")["holder"]


def test_pp_35_cards_are_looked_at_after_the_markers_and_for_the_active_player_only() -> None:
    """PP-35, PP-R15, PP-12: the golden pull can earn a card; a turn claims nothing for the other."""
    state = turns(r1(cards=("ctrl_4", "mid_tunnel", "mid_control")), "sp_e_n+castle", "sh_bc")
    assert (-1, 0, 1, -2, 1) == markers(state)
    turns(state, "sp_f_se", "sp_a_sw")  # banking, political / market, political
    assert (0, 0, 0, -2, 1) == markers(state)
    turns(state, "sp_f_n", "sp_d_sw")  # market, banking / castle, political
    assert (1, -1, 1, -2, 0) == markers(state)
    state = play(turns(r1(cards=("ctrl_4", "mid_tunnel", "mid_control")), "sp_a_n", "sp_c_se"), "place:sp_e_n")
    assert (1, 0, 1, -1, 1) == markers(state)
    assert [] == holdings(state, 0)["cards"]
    assert ["card"] == [e.kind for e in happened(state, "golden:political") if e.kind == "card"]
    assert ["ctrl_4"] == holdings(state, 0)["cards"]


def test_pp_36_a_card_is_kept_when_its_condition_is_lost() -> None:
    """PP-36: control of four types for one turn is enough."""
    state = turns(r1(cards=("ctrl_4", "mid_tunnel", "mid_control")), "sp_a_n", "sp_c_se", "sp_e_n+political")
    assert ["ctrl_4"] == holdings(state, 0)["cards"]
    turns(state, "sp_b_n")
    assert 3 == len(holdings(state, 0)["controls"])
    assert ["ctrl_4"] == holdings(state, 0)["cards"]


E16 = {
    "a": (listed("sp_a_n sp_a_se sh_ab sh_ad"), [], True, 4),
    "b": (listed("sp_a_se sh_ab sh_ad sp_f_n"), ["sp_a_n"], False, 3),
    "c": (listed("sp_a_se sp_a_sw"), [], False, 2),
    "d": (
        RING_12,
        [],
        False,
        12,
    ),
    "e": (
        [*RING_12, "sh_bd"],
        [],
        False,
        13,
    ),
}


@pytest.mark.parametrize("name", E16)
def test_pp_e16_surrounding(name: str) -> None:
    """PP-E16, PP-37, PP-R08: all four sides, all of them one's own; two sides at the rim never count."""
    lines, theirs, claimed, longest = E16[name]
    state = r1(cards=("surround", "mid_tunnel", "mid_control"))
    alternately(state, lines, [*theirs, *others(lines, theirs)])
    assert claimed == ("surround" in holdings(state, 0)["cards"])
    assert longest == holdings(state, 0)["longest"]


@pytest.mark.parametrize("district", ["a_e", "b_w", "b_e", "c_w", "d_e", "d_s", "e_w", "e_s", "f_s"])
def test_pp_37_each_of_the_nine_districts_can_be_surrounded(district: str) -> None:
    """PP-37."""
    board = BOX.spec.board.passageways
    lines = [name for name, line in board.items() if district in line.sides]
    city, _ = city_with()
    surround = CARDS.index("surround")
    assert meets(city, surround, lines_set(lines), 0, placed([0] * 5), FIRST)
    for missing in lines:
        assert not meets(city, surround, lines_set(set(lines) - {missing}), 0, placed([0] * 5), FIRST)


def test_pp_37_the_card_speaks_of_one_district_not_of_a_type() -> None:
    """PP-37: four passages beside Castle districts, two beside each of two, surround nothing."""
    state = built(
        ["sp_a_n", "sp_a_se", "sp_b_n", "sp_b_sw"],
        ["sp_c_n", "sp_c_se", "sp_e_se", "sp_f_n"],
        cards={"surround": None, "mid_tunnel": None, "mid_control": None},
    )
    assert [2, 4, False] == list(card(state, "surround")["progress"][0].values())


def test_pp_38_mid_cards_are_never_claimed_in_a_turn() -> None:
    """PP-38: with the longest Tunnel and most districts on every turn, they stay open until the phase."""
    state = r1(cards=("mid_tunnel", "mid_control", "surround"))
    for line in ("sp_a_n", "sp_f_n", "sp_a_se", "sp_f_se", "sp_b_sw", "sp_c_n"):
        turns(state, line)
        assert ([], []) == (holdings(state, 0)["cards"], holdings(state, 1)["cards"])
    assert (3, 2) == (holdings(state, 0)["longest"], holdings(state, 1)["longest"])


@pytest.mark.parametrize(
    ("name", "mine", "theirs", "at", "winner"),
    [
        ("mid_tunnel", "sp_a_n sp_a_se", "sp_c_n", (0, 0, 0, 0, 0), 0),
        ("mid_tunnel", "sp_a_n", "sp_c_n sp_c_se", (5, 5, 5, 5, 5), 1),
        ("mid_tunnel", "sp_a_n", "sp_c_n", (5, 5, 5, 5, 5), -1),
        ("mid_control", "sp_a_n", "sp_c_n sp_c_se", (1, 1, -8, 0, 0), 0),
        ("mid_control", "sp_a_n sp_a_se", "sp_c_n", (8, -1, -1, 0, 0), 1),
        ("mid_control", "sp_a_n sp_a_se", "sp_c_n", (8, -1, 0, 0, 0), -1),
        ("loot_each", "sp_a_n sp_a_se", "sp_c_n", (1, 1, 1, 1, 1), -1),
    ],
)
def test_pp_38_a_mid_card_goes_to_whoever_has_more(
    name: str, mine: str, theirs: str, at: tuple[int, ...], winner: int
) -> None:
    """PP-38: the longer Tunnel, the more types; nobody on a tie; and no other card is settled so."""
    city, _ = city_with()
    own, other = lines_set(mine.split()), lines_set(theirs.split())
    assert winner == mid_card_winner(city, CARDS.index(name), own, other, placed(list(at)))


@pytest.mark.parametrize(("loot", "shovels"), [("gold", 5), ("key", 0)])
def test_pp_r21_more_than_asked_for_also_qualifies(loot: str, shovels: int) -> None:
    """PP-R21: seven of a loot are at least four, and shovels are no loot."""
    city, passages = city_with(**{loot: 7}, shovels=shovels)
    met = [
        name
        for name in ("loot_each", "loot_2x3", "loot_3x2", "loot_4")
        if meets(city, CARDS.index(name), passages, 0, placed([0] * 5), FIRST)
    ]
    assert ["loot_4"] == met


def test_pp_r22_controlled_types_without_loot_and_castle_do_no_harm_nor_good() -> None:
    """PP-R22."""
    city, passages = city_with(1, 1, 1, 0)
    match = CARDS.index("ctrl_3_match")
    assert meets(city, match, passages, 0, placed([1, 1, 1, 1, 1]), FIRST)
    assert not meets(city, match, passages, 0, placed([1, 1, 0, 1, 1]), FIRST)
    assert dict(zip(DISTRICTS, [*LOOT, None], strict=True))["residential"] == "key"


@pytest.mark.parametrize(("statues", "met"), [(0, False), (0b0001, False), (0b1010, True), (0b1111, True)])
def test_statues_2(statues: int, met: bool) -> None:
    """PP-34, PP-R21: two statues or more."""
    city, _ = city_with()
    assert met == meets(city, CARDS.index("statues_2"), 0, statues, placed([0] * 5), FIRST)


@pytest.mark.parametrize(("length", "met"), [(5, False), (6, True), (7, True)])
def test_tunnel_6(length: int, met: bool) -> None:
    """PP-32, PP-R21: passages round the ring."""
    ring = listed("sp_b_sw sh_ab sh_ad sp_d_sw sp_d_n sh_df sh_ef")
    city, _ = city_with()
    own = lines_set(ring[:length])
    assert met == meets(city, CARDS.index("tunnel_6"), own, 0, placed([0] * 5), FIRST)
    near = progress(city, CARDS.index("tunnel_6"), own, 0, placed([0] * 5), FIRST)
    assert (length, 6) == (near.have, near.need)
