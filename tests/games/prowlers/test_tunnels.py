"""Tunnels (PP-28…PP-33): the contract's sets, and a brute force that knows nothing of the clever search."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.games.prowlers.box import BOX, PASSAGEWAYS
from parlour.games.prowlers.tunnels import groups_and_lengths, groups_with_tunnel, longest_tunnel, longest_walk
from tests.games.prowlers.fragments import RING_12, TABLES, alternately, built, holdings, lines_set, others, r1, turns

ENDS = {name: line.ends for name, line in BOX.spec.board.passageways.items()}


def brute(lines: frozenset[str]) -> int:
    """The longest trail by trying every walk from every end of every passage (PP-29, PP-30)."""

    def on(vertex: str, unused: frozenset[str]) -> int:
        best = 0
        for line in unused:
            if vertex in ENDS[line]:
                one, two = ENDS[line]
                best = max(best, 1 + on(two if one == vertex else one, unused - {line}))
        return best

    return max((on(end, lines) for line in lines for end in ENDS[line]), default=0)


def groups(lines: frozenset[str]) -> list[frozenset[str]]:
    """Connected components, by merging (PP-33)."""
    found: list[frozenset[str]] = []
    for line in sorted(lines):
        touching = [group for group in found if any(set(ENDS[line]) & set(ENDS[other]) for other in group)]
        found = [group for group in found if group not in touching] + [frozenset({line}).union(*touching)]
    return found


LINES = st.frozensets(st.sampled_from(PASSAGEWAYS), max_size=13)


@given(LINES)
def test_pp_32_longest_tunnel_is_the_brute_force_s(lines: frozenset[str]) -> None:
    """PP-29…PP-32, PP-R06: for any passages of one player."""
    expected = brute(lines)
    assert expected == longest_tunnel(TABLES, lines_set(lines))
    walk = [PASSAGEWAYS[line] for line in longest_walk(TABLES, lines_set(lines))]
    assert expected == len(walk) == len(set(walk))
    assert set(walk) <= lines
    assert walks(walk)


def walks(walk: list[str]) -> bool:
    """Whether these passages can be walked in this order, one end into the next (PP-29)."""
    at = set(ENDS[walk[0]]) if walk else set()
    for line in walk[1:]:
        came_in = at & set(ENDS[line])
        at = {end for end in ENDS[line] for start in came_in if end != start}
        if not at:
            return False
    return True


@given(LINES, st.integers(1, 13))
def test_pp_31_an_early_stop_never_lies(lines: frozenset[str], enough: int) -> None:
    """PP-31: an answer that was stopped is at least what was asked for and at most the truth."""
    length = longest_tunnel(TABLES, lines_set(lines), enough)
    assert min(enough, brute(lines)) <= length <= brute(lines)


@given(LINES, st.integers(1, 7))
def test_pp_33_groups(lines: frozenset[str], length: int) -> None:
    """PP-28, PP-33."""
    expected = sorted(((len(group), brute(group)) for group in groups(lines)), reverse=True)
    assert expected == groups_and_lengths(TABLES, lines_set(lines))
    assert sum(tunnel >= length for _, tunnel in expected) == groups_with_tunnel(TABLES, lines_set(lines), length)


def test_the_longest_trail_on_the_whole_board_is_19() -> None:
    """PP-R01: section 2.3, on all 27 passageways."""
    assert 19 == longest_tunnel(TABLES, (1 << 27) - 1)


E13 = {
    "tripod": ("sp_b_n sp_b_se sp_b_sw", 2, [(3, 2)]),
    "hub_star": ("sp_b_n sp_d_se sp_e_sw sh_bd sh_be sh_de", 2, [(6, 2)]),
    "lollipop": ("sp_a_sw sp_a_n sp_a_se sh_ab sh_ad", 5, [(5, 5)]),
    "figure_eight": ("sp_b_n sp_b_sw sh_ab sh_bd sp_e_n sp_e_sw sh_de sh_ef", 8, [(8, 8)]),
    "ring_12": (" ".join(RING_12), 12, [(12, 12)]),
    "ring_plus_arm": (" ".join([*RING_12, "sh_bd"]), 13, [(13, 13)]),
    "example_e02": (
        "sp_b_n sp_b_se sp_c_se sp_c_sw sp_d_n sp_e_se sp_f_n sh_ab sh_bc sh_bd sh_be sh_ce sh_de",
        7,
        [(11, 7), (1, 1), (1, 1)],
    ),
    "eleven": (
        "sp_b_n sp_b_se sp_c_n sp_e_n sp_e_se sp_e_sw sp_f_se sp_f_sw sh_ab sh_bc sh_ce sh_de sh_df",
        11,
        [(12, 11), (1, 1)],
    ),
    "scattered": (
        "sp_a_n sp_a_se sp_a_sw sp_b_sw sp_c_sw sp_d_n sp_e_n sp_f_n sp_f_sw sh_ab sh_bc sh_ce sh_de",
        3,
        [(5, 3), (3, 3), (3, 3), (1, 1), (1, 1)],
    ),
}


@pytest.mark.parametrize("name", E13)
def test_pp_e13_longest_tunnel(name: str) -> None:
    """PP-E13, PP-30, PP-31, PP-32, PP-33, PP-R06."""
    text, length, expected = E13[name]
    lines = text.split()
    assert length == brute(frozenset(lines)) == longest_tunnel(TABLES, lines_set(lines))
    assert expected == groups_and_lengths(TABLES, lines_set(lines))


@pytest.mark.parametrize("name", E13)
def test_pp_e13_in_a_position(name: str) -> None:
    """PP-E13, PP-32: the same through a loaded position and what a page is shown."""
    text, length, expected = E13[name]
    lines = text.split()
    state = built(lines, cards={"mid_tunnel": None, "mid_control": None, "ctrl_1x5": "first"})
    mine = holdings(state, 0)
    assert (length, expected) == (mine["longest"], [tuple(group) for group in mine["groups"]])
    assert length == len(mine["longest_walk"])
    assert walks(mine["longest_walk"])
    assert set(mine["longest_walk"]) <= set(lines)


# Groups whose longest Tunnel is shorter than a count of odd vertices and dead ends allows: the search has to find out.
HARD = [
    (4, "sp_d_se sp_d_sw sp_e_se sp_e_sw sh_de sh_ef"),
    (4, "sp_a_n sp_a_se sp_a_sw sp_b_se sp_b_sw sh_ab sh_bd"),
    (5, "sp_b_n sp_d_n sp_d_sw sp_f_n sp_f_sw sh_de sh_df"),
    (4, "sp_b_n sp_b_se sp_d_n sp_d_se sp_e_n sp_e_sw sh_be sh_ce"),
    (6, "sp_d_n sp_d_se sp_f_n sp_f_sw sh_ad sh_bd sh_de sh_ef"),
    (5, "sp_b_n sp_b_se sp_b_sw sp_c_se sp_c_sw sp_e_sw sh_ab sh_bc sh_ce"),
    (6, "sp_d_n sp_d_sw sp_e_se sp_e_sw sp_f_n sp_f_se sh_de sh_df sh_ef"),
    (7, "sp_b_n sp_b_se sp_c_se sp_c_sw sp_e_se sh_bc sh_ce sh_de sh_df"),
    (6, "sp_b_n sp_b_sw sp_c_n sp_e_se sp_e_sw sp_f_se sh_ab sh_de sh_df sh_ef"),
    (7, "sp_c_n sp_c_sw sp_d_se sp_e_n sp_e_sw sh_bc sh_be sh_ce sh_de sh_df"),
    (5, "sp_b_n sp_b_se sp_b_sw sp_d_se sp_d_sw sp_e_se sp_e_sw sh_ab sh_bc sh_de sh_df"),
    (7, "sp_a_n sp_a_se sp_b_n sp_b_se sp_e_n sp_e_sw sh_ab sh_ad sh_bd sh_de sh_df"),
    (9, "sp_b_n sp_b_se sp_c_se sp_c_sw sp_e_n sp_e_se sh_bc sh_bd sh_be sh_de sh_ef"),
    (8, "sp_a_n sp_a_sw sp_c_n sp_c_se sp_e_n sp_e_sw sh_ad sh_bd sh_be sh_ce sh_df sh_ef"),
    (10, "sp_a_n sp_a_se sp_d_n sp_d_se sp_e_n sp_e_se sp_f_se sp_f_sw sh_ab sh_bd sh_df sh_ef"),
    (5, "sp_b_n sp_b_sw sp_c_sw sp_d_n sp_d_se sp_d_sw sp_e_se sp_e_sw sh_bc sh_bd sh_be sh_de sh_ef"),
    (7, "sp_b_n sp_b_sw sp_c_sw sp_d_n sp_d_sw sp_e_n sp_e_se sh_ab sh_bc sh_be sh_de sh_df sh_ef"),
    (9, "sp_a_n sp_a_se sp_c_n sp_c_sw sp_d_se sp_e_n sp_e_sw sh_bc sh_ad sh_bd sh_be sh_ce sh_ef"),
    (11, "sp_b_n sp_b_sw sp_c_n sp_d_n sp_d_sw sp_f_n sp_f_se sh_ad sh_bd sh_be sh_ce sh_df sh_ef"),
]


@pytest.mark.parametrize(("length", "text"), HARD)
def test_pp_32_where_counting_is_not_enough(length: int, text: str) -> None:
    """PP-30, PP-32, PP-R06: the length by brute force, and the same set with each passage taken away."""
    lines = frozenset(text.split())
    assert length == brute(lines) == longest_tunnel(TABLES, lines_set(lines))
    assert length == len(longest_walk(TABLES, lines_set(lines)))
    for line in lines:
        rest = lines - {line}
        assert brute(rest) == longest_tunnel(TABLES, lines_set(rest))


def test_pp_28_only_one_s_own_passages_join() -> None:
    """PP-28: the opponent's passage between two of mine joins nothing, their passages at my crossing part nothing."""
    state = turns(r1(), "sp_a_n", "sh_ad", "sh_bd", "sp_d_sw")
    assert [[1, 1], [1, 1]] == [list(group) for group in holdings(state, 0)["groups"]]
    assert 2 == holdings(state, 1)["longest"]  # sh_ad and sp_d_sw meet in n_ad, where sp_a_n ends too


def test_pp_29_a_walk_leaves_a_passage_at_its_other_end() -> None:
    """PP-29: three passages at one point are no Tunnel of three."""
    assert 2 == longest_tunnel(TABLES, lines_set(["sh_ab", "sh_ad", "sh_bd"]))
    assert 3 == longest_tunnel(TABLES, lines_set(["sp_a_n", "sh_ad", "sh_bd"]))


def test_pp_30_a_walk_may_cross_itself_and_close_but_repeat_nothing() -> None:
    """PP-30: two loops of four through the hub make eight; a loop of four makes four, not more."""
    loop = ["sp_b_n", "sp_b_sw", "sh_ab", "sh_bd"]
    assert 4 == longest_tunnel(TABLES, lines_set(loop))
    assert 8 == longest_tunnel(TABLES, lines_set([*loop, "sp_e_n", "sp_e_sw", "sh_de", "sh_ef"]))


def test_pp_e14_no_cutting() -> None:
    """PP-E14, PP-28, PP-R06: two passages meet in the hub, whoever holds the rest of it."""
    rest = ["sp_e_sw", "sh_bd", "sh_be", "sh_de"]
    filled = alternately(r1(), ["sp_b_n", "sp_d_se", "sp_f_n", "sp_c_se"], rest)
    assert (2, ["hub"]) == (holdings(filled, 0)["longest"], holdings(filled, 1)["statues"])
    free = alternately(r1(), ["sp_b_n", "sp_d_se"], ["sp_a_n", "sp_f_n"])
    assert (2, []) == (holdings(free, 0)["longest"], holdings(free, 1)["statues"])


E15 = {
    "a": ("sp_a_sw sp_a_n sh_ad sp_c_se sp_c_n sh_ce", True),
    "b": ("sp_a_sw sp_a_n sh_ad sp_f_n sp_f_se sp_f_sw", False),
    "c": ("sp_a_sw sp_a_n sh_bd sh_be sh_ce sh_ad sp_c_n sp_c_se", False),
    "d": ("sp_a_sw sp_a_n sh_ad sh_ab sp_b_sw sp_b_se", False),
    "e": ("sp_a_sw sp_a_n sh_ad sh_be sh_bc sh_bd", False),
}
E15_LENGTH = {"a": 3, "b": 3, "c": 8, "d": 6, "e": 6}


@pytest.mark.parametrize("name", E15)
def test_pp_e15_two_unconnected_tunnels(name: str) -> None:
    """PP-E15 (a) to (e), PP-33, PP-R07: first places these in order, second stays out of the way."""
    text, claimed = E15[name]
    lines = text.split()
    state = r1(cards=("two_tunnels", "tunnel_6", "mid_control"))
    alternately(state, lines, others(lines))
    assert E15_LENGTH[name] == holdings(state, 0)["longest"]
    assert claimed == ("two_tunnels" in holdings(state, 0)["cards"])
    assert (E15_LENGTH[name] >= 6) == ("tunnel_6" in holdings(state, 0)["cards"])


def test_pp_e15_the_card_stays_when_the_tunnels_are_joined() -> None:
    """PP-E15 (f), PP-36."""
    lines = [*E15["a"][0].split(), "sh_bd", "sh_be"]
    state = r1(cards=("two_tunnels", "tunnel_6", "mid_control"))
    alternately(state, lines, others(lines))
    assert 1 == len(holdings(state, 0)["groups"])
    assert "two_tunnels" in holdings(state, 0)["cards"]
