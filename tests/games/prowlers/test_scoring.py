"""Scoring phases, categories and the winner (PP-39…PP-55)."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.games.prowlers.rules import ProwlersState
from parlour.games.prowlers.scoring import Sheet, scored
from parlour.games.prowlers.track import FIRST, SECOND, placed
from parlour.kernel import Dice, random_playout, random_step
from tests.games.prowlers.fragments import (
    RING_12,
    TABLES,
    alternately,
    built,
    city_with,
    dealt,
    happened,
    holdings,
    lines_set,
    listed,
    loaded,
    others,
    r1,
    turns,
)


def of(
    loot: tuple[int, int, int, int],
    at: tuple[int, ...] = (0, 0, 0, 0, 0),
    shovels: int = 0,
    statues: int = 0,
    cards: int = 0,
    seat: int = FIRST,
    at_end: bool = False,
) -> Sheet:
    """The sheet of somebody who holds these tiles."""
    city, passages = city_with(*loot, shovels=shovels)
    standing = placed([space if seat == FIRST else -space for space in at])
    return scored(city, passages, statues, cards, cards, standing, seat, at_end)


def test_pp_39_two_statues_or_both_reserves_at_five() -> None:
    """PP-39: one statue is not enough, whoever has it."""
    state = turns(r1(), "sh_ab+market", "sp_c_n", "sh_ad", "sp_c_se")
    turns(state, "sh_bd")
    assert (1, 0) == (len(holdings(state, 0)["statues"]), state.mid_turn)
    turns(state, "sh_ef", "sp_c_sw", "sh_df", "sp_e_se")
    assert 0 == state.mid_turn
    events = happened(state, "place:sh_de")
    assert ("scored", "mid") == (events[-1].kind, events[-1].args["phase"])
    assert 10 == state.mid_turn


@pytest.mark.parametrize("seed", range(40))
def test_pp_40_the_phase_comes_once_between_turns_6_and_16(seed: int) -> None:
    """PP-40, PP-I9."""
    state = dealt(seed)
    state.events = []
    random_playout(state, Dice(seed))
    phases = [event.args["phase"] for event in state.events if event.kind == "scored"]
    assert ["mid", "end"] == phases
    assert 6 <= state.mid_turn <= 16


def test_pp_41_category_5_waits_for_the_end() -> None:
    """PP-41: a card held at mid-game is worth nothing yet, but the Market counts it (PP-49)."""
    state = r1(cards=("loot_4", "mid_tunnel", "mid_control"))
    alternately(state, ["sp_b_n", "sp_b_sw", "sp_f_se", "sh_bd"], ["sp_a_n", "sp_c_n", "sp_c_se", "sp_d_n"])
    assert ["loot_4"] == holdings(state, 0)["cards"]
    while not state.mid_turn:
        random_step(state, Dice(1))
    assert 0 == holdings(state, 0)["mid"]["achievements"]
    random_playout(state, Dice(2))
    assert 4 <= holdings(state, 0)["end"]["achievements"]


def test_pp_42_nothing_is_reset_and_the_opponent_is_next() -> None:
    """PP-42."""
    state = turns(r1(), "sh_ab+political", "sh_ad", "sh_bd", "sh_bc", "sh_be")
    before = holdings(state, 0)
    at = state.position()["markers"]
    turns(state, "sh_ce")
    after = holdings(state, 0)
    for what in ("loot", "shovels", "statues", "cards", "reserve", "longest"):
        assert before[what] == after[what]
    assert {"banking": -3, "residential": -1, "political": 1, "market": 0, "castle": 0} == state.position()["markers"]
    assert {"banking": -2, "residential": 0, "political": 1, "market": 0, "castle": 0} == at
    assert (7, 0) == (state.turn, state.current_player)


def test_pp_43_after_turn_26_the_cards_first_then_all_five_categories() -> None:
    """PP-43, PP-R12: the last turn claims like any other; the tile left over is nobody's."""
    state = dealt(3)
    random_playout(state, Dice(4))
    held = [holdings(state, player) for player in (0, 1)]
    assert 26 == sum(sum(mine["loot"].values()) + mine["shovels"] for mine in held)
    wealth = {card["id"]: card["wealth"] for card in state.view(None)["cards"]}  # type: ignore[attr-defined]
    for mine in held:
        assert sum(wealth[card] for card in mine["cards"]) == mine["end"]["achievements"]
    assert [] == state.legal_actions(0) == state.legal_actions(1)
    assert (0, 0, -1) == (state.choices(), state.actors(), state.current_player)


@pytest.mark.parametrize(("lines", "wealth"), [([], 0), (["sp_a_n"], 2), (["sp_a_n", "sp_a_se", "sh_ab"], 6)])
def test_pp_44_two_for_each_passage_of_the_longest_tunnel(lines: list[str], wealth: int) -> None:
    """PP-44."""
    city, _ = city_with()
    assert wealth == scored(city, lines_set(lines), 0, 0, 0, placed([0] * 5), FIRST, False).tunnel


@pytest.mark.parametrize(("statues", "wealth"), [(0, 0), (0b0100, 1), (0b1011, 3), (0b1111, 4)])
def test_pp_45_one_for_each_statue(statues: int, wealth: int) -> None:
    """PP-45."""
    assert wealth == of((0, 0, 0, 0), statues=statues).statues


def test_pp_46_loot_is_counted_by_kind() -> None:
    """PP-46: 10 + 6 + 3 + 1; shovels score nothing."""
    assert 20 == of((4, 3, 2, 1), shovels=3).loot
    assert 49 == of((7, 6, 0, 0)).loot


def test_pp_47_only_types_on_one_s_own_side_pay() -> None:
    """PP-47: centre and the other side give nothing, for either player."""
    for seat in (FIRST, SECOND):
        sheet = of((2, 2, 2, 2), (0, -1, -8, 0, 0), seat=seat)
        assert (0, 0) == (sheet.districts(), sheet.controlled)
        assert 5 + 2 == of((2, 2, 2, 2), (1, 0, 0, 0, 0), seat=seat).districts()


def test_pp_48_banking_and_political() -> None:
    """PP-48, PP-R19, PP-E20."""
    assert [5, 9, 12] == [of((gold, 0, 0, 0), (1, 0, 0, 0, 0)).banking for gold in (0, 4, 7)]
    assert 11 == of((0, 3, 0, 0), (1, 1, 1, 0, 1)).political
    assert 5 == of((0, 3, 0, 0), (0, 1, 0, 0, 0)).political
    assert 2 == of((0, 0, 0, 0), (0, 8, 0, 0, 0)).political


def test_pp_49_market() -> None:
    """PP-49, PP-E20: value 8, 2 jewels, 1 card, 4 statues make 15; each part alone."""
    assert 15 == of((0, 0, 2, 0), (0, 0, 8, 0, 0), statues=0b1111, cards=0b100).market
    assert 1 == of((0, 0, 0, 0), (0, 0, 1, 0, 0)).market
    assert 3 == of((0, 0, 2, 0), (0, 0, 1, 0, 0)).market
    assert 4 == of((0, 0, 0, 0), (0, 0, 1, 0, 0), cards=0b111).market
    assert 3 == of((0, 0, 0, 0), (0, 0, 1, 0, 0), statues=0b101).market


@pytest.mark.parametrize(("longest", "wealth"), [(1, 0), (2, 0), (3, 1), (7, 5), (13, 11)])
def test_pp_50_residential(longest: int, wealth: int) -> None:
    """PP-50, PP-R17, PP-E20: with no key."""
    ring = [*RING_12, "sh_bd"]
    city, _ = city_with()
    keys = [line for line in range(27) if city.face_id(city.faces[line]) == "key"]
    own = lines_set(ring[:longest])
    sheet = scored(city, own, 0, 0, 0, placed([0, 0, 0, 1, 0]), FIRST, False)
    assert longest == sheet.longest
    assert wealth == sheet.residential - sum(own >> line & 1 for line in keys)


@pytest.mark.parametrize(
    ("loot", "shovels", "wealth"),
    [((5, 2, 1, 0), 3, 6), ((1, 1, 1, 0), 2, -2), ((0, 0, 0, 7), 0, 9), ((0, 0, 0, 0), 5, -5)],
)
def test_pp_e19_castle(loot: tuple[int, int, int, int], shovels: int, wealth: int) -> None:
    """PP-E19, PP-51, PP-R18: disjoint pairs within a loot, less the shovels; nothing without control."""
    assert wealth == of(loot, (0, 0, 0, 0, 1), shovels=shovels).castle
    assert wealth == of(loot, (0, 0, 0, 0, 1), shovels=shovels).districts()
    assert 0 == of(loot, (0, 0, 0, 0, 0), shovels=shovels).castle
    assert 0 == of(loot, (0, 0, 0, 0, -1), shovels=shovels).castle


def test_pp_e20_other_rewards() -> None:
    """PP-E20, PP-46: the loot table, and no reward for a marker in the centre whatever is held."""
    assert [0, 1, 3, 6, 10, 15, 21, 28] == [TABLES.loot_wealth(n) for n in range(8)]
    assert 0 == of((4, 4, 4, 1), statues=0b1111, cards=0b111).districts()


def test_pp_52_the_wealth_printed_on_the_cards() -> None:
    """PP-52: at the end only. statues_2 (3), tunnel_6 (3) and two_tunnels (5)."""
    assert 11 == of((0, 0, 0, 0), cards=0b111, at_end=True).achievements
    assert 0 == of((0, 0, 0, 0), cards=0b111).achievements


def final(at: tuple[int, ...], first_mid: dict[str, Any], second_mid: dict[str, Any]) -> ProwlersState:
    """A finished game on R1: first on a ring of twelve and sh_bd, T 13; second on the rest but sp_a_n."""
    ring = [*RING_12, "sh_bd"]
    return built(
        ring,
        others(ring, ["sp_a_n"]),
        at=at,
        cards={"mid_tunnel": None, "mid_control": None, "ctrl_1x5": None},
        mid={"turn": 16, "first": first_mid, "second": second_mid},
    )


def test_pp_53_the_total_is_the_sum_of_both_phases() -> None:
    """PP-53."""
    plain = {"tunnel": 2}
    richer = {"tunnel": 2, "banking": 5}
    ends = [holdings(final((0, 0, 0, 0, 0), plain, plain), player)["end"]["total"] for player in (0, 1)]
    state = final((0, 0, 0, 0, 0), plain, richer)
    assert [2.0 + ends[0], 7.0 + ends[1]] == state.scores()
    better = 0 if ends[0] + 2 > ends[1] + 7 else 1
    assert (better, 1, 2) == (
        state.standings()[0].player,
        state.standings()[0].place,
        state.standings()[1].place,
    )
    high, low = sorted([2 + ends[0], 7 + ends[1]], reverse=True)
    assert f"{high} Wealth to {low}." == state.standings()[0].reason


def test_pp_53_before_the_end_the_standings_say_so() -> None:
    """PP-53: equal before any scoring; then whoever has more from the mid-game, by their number at the table."""
    state = r1()
    assert [(0, 1, 0.0), (1, 1, 0.0)] == [standing[:3] for standing in state.standings()]
    assert [0.0, 0.0] == state.returns()
    turns(state, "sh_ab+political", "sh_ad", "sh_bd", "sh_bc", "sh_be", "sh_ce")
    assert [(0, 1, 12.0), (1, 2, 11.0)] == [standing[:3] for standing in state.standings()]
    assert "The game is not over; this is the Wealth counted so far." == state.standings()[0].reason
    other = loaded({"seats": {"first": 1, "second": 0}})
    turns(other, "sh_ab+political", "sh_ad", "sh_bd", "sh_bc", "sh_be", "sh_ce")
    assert [(1, 1, 12.0), (0, 2, 11.0)] == [standing[:3] for standing in other.standings()]
    assert [0.0, 0.0] == other.returns()
    assert [11.0, 12.0] == other.scores()


def test_pp_54_a_tie_goes_to_the_longer_tunnel() -> None:
    """PP-54: totals made equal at mid-game; first has T 13, second less."""
    plain = {"tunnel": 2}
    ends = [holdings(final((0, 0, 0, 0, 0), plain, plain), player)["end"]["total"] for player in (0, 1)]
    assert ends[0] > ends[1]
    state = final((0, 0, 0, 0, 0), plain, {"tunnel": 2, **missing(ends[0] - ends[1])})
    assert state.scores()[0] == state.scores()[1]
    assert (0, [1.0, 0.0]) == (state.standings()[0].player, state.returns())
    assert "the longer Tunnel decides, 13 passages to" in state.standings()[0].reason


def missing(wealth: int) -> dict[str, int]:
    """Lines of a mid-game sheet that make up so much."""
    lines = {}
    for name, least, most in (("castle", -5, 18), ("political", 2, 17), ("banking", 5, 12), ("market", 1, 22)):
        part = min(most, wealth)
        if part < max(least, 1):
            break
        lines[name] = part
        wealth -= part
    assert wealth == 0
    return lines


def test_pp_55_equal_in_everything_is_a_draw() -> None:
    """PP-55, PP-R24: told in words, half a win each, both in place 1."""
    state, reason = drawn()
    assert [1, 1] == [standing.place for standing in state.standings()]
    assert [0.5, 0.5] == state.returns()
    assert reason in state.standings()[0].reason


def drawn() -> tuple[ProwlersState, str]:
    """Passages that are mirror images of each other (sites a and c, d and e), so that both have the same T."""
    first = listed("sp_a_n sp_a_se sp_a_sw sh_ab sh_ad sp_d_n sp_d_se sp_d_sw sp_b_sw sh_bd sh_df sp_f_sw sp_f_n")
    second = listed("sp_c_n sp_c_se sp_c_sw sh_bc sh_ce sp_e_n sp_e_se sp_e_sw sp_b_se sh_be sh_ef sp_f_se sp_b_n")
    cards = {"mid_tunnel": None, "mid_control": None, "ctrl_1x5": None}

    def at_mid(first_more: int, second_more: int) -> ProwlersState:
        return built(
            first,
            second,
            at=(0, 0, 0, 0, 0),
            cards=cards,
            mid={
                "turn": 16,
                "first": {"tunnel": 2, **missing(first_more)},
                "second": {"tunnel": 2, **missing(second_more)},
            },
        )

    plain = at_mid(0, 0)
    assert holdings(plain, 0)["longest"] == holdings(plain, 1)["longest"]
    lead = int(plain.scores()[0] - plain.scores()[1])
    return at_mid(max(0, -lead), max(0, lead)), "a draw"


def test_pp_54_then_to_more_districts() -> None:
    """PP-54: equal totals and Tunnels; first controls political, market and residential, second the other two."""
    state, _ = drawn()
    position: Any = state.position()
    position["markers"] = {"political": 1, "banking": -1, "market": 1, "castle": -1, "residential": 1}
    position["lost"] = _shifted(position["lost"], 1)
    lead = _lead(position)
    for seat, more in (("first", max(0, -lead)), ("second", max(0, lead))):
        lines = position["mid"][seat]
        already = sum(lines[name] or 0 for name in ("castle", "political", "banking", "market"))
        position["mid"][seat] = {"tunnel": 2, **missing(already + more)}
    state = loaded(position)
    assert state.scores()[0] == state.scores()[1]
    assert "districts controlled decide, 3 to 2" in state.standings()[0].reason
    assert (0, [1.0, 0.0]) == (state.standings()[0].player, state.returns())


def _lead(position: dict[str, Any]) -> int:
    scores = loaded(position).scores()
    return int(scores[0] - scores[1])


def _shifted(lost: Any, more: int) -> dict[str, int]:
    """One step more lost by second (or one less by first) lets a marker stand one space nearer first."""
    if lost["first"] >= more:
        return {"first": lost["first"] - more, "second": lost["second"]}
    return {"first": 0, "second": lost["second"] + more - lost["first"]}


def test_pp_r10_two_or_more_by_both_together() -> None:
    """PP-R10: PP-E10 has one each, PP-E09 two at once; either is two in all."""
    one_each = turns(r1(), "sh_ab+political", "sh_ad", "sh_bd", "sh_bc", "sh_be", "sh_ce")
    assert (1, 1, 6) == (
        len(holdings(one_each, 0)["statues"]),
        len(holdings(one_each, 1)["statues"]),
        one_each.mid_turn,
    )


def test_pp_r11_and_r12_both_reserves_exactly_five_and_the_last_turn() -> None:
    """PP-R11, PP-R12: 16 is the turn of five and five; 26 that of none and none."""
    assert (16, 26) == (TABLES.mid_turn, TABLES.turns)
    state = dealt(8)
    random_playout(state, Dice(8))
    assert (0, 0) == (holdings(state, 0)["reserve"], holdings(state, 1)["reserve"])


def test_pp_r18_the_loss_for_shovels_cannot_be_declined() -> None:
    """PP-R18, PP-47: it counts against whoever controls Castle, and only then."""
    assert -3 == of((1, 0, 0, 0), (0, 0, 0, 0, 1), shovels=3).districts()
    assert 0 == of((1, 0, 0, 0), (0, 0, 0, 0, -1), shovels=3).districts()


def test_pp_r25_a_score_has_no_floor() -> None:
    """PP-R25: T 1, five shovels and Castle at mid-game make -3."""
    city, _ = city_with()
    apart = lines_set(["sp_a_sw"])
    sheet = scored(city, apart, 0, 0, 0, placed([0, 0, 0, 0, 1]), FIRST, False)
    assert 2 == sheet.tunnel
    assert -3 == Sheet(2, 0, 0, 0, 0, 0, 0, -5, 0, 0b10000, 1).total()
    assert -5 == of((0, 0, 0, 0), (0, 0, 0, 0, 1), shovels=5).castle


def test_pp_49_and_r16_the_market_leaves_out_the_cards_it_is_told_to() -> None:
    """PP-R16, PP-R20: what the Market counts and what a player holds may differ in that one phase."""
    city, _ = city_with()
    both = scored(city, 1, 0, 0b11, 0b11, placed([0, 0, 1, 0, 0]), FIRST, True)
    one = scored(city, 1, 0, 0b11, 0b01, placed([0, 0, 1, 0, 0]), FIRST, True)
    assert (1, 0) == (both.market - one.market, both.achievements - one.achievements)
