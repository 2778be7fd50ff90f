"""The story: every event's sentence, once and exactly."""

from __future__ import annotations

from typing import Any

import pytest

from parlour.games.prowlers import GAME
from parlour.games.prowlers.rules import ProwlersState
from parlour.games.prowlers.words import words
from parlour.kernel import EVERYONE, Event
from tests.games.prowlers.fragments import built, happened, listed, loaded, play, r1, turns
from tests.games.prowlers.test_golden_games import GAME_A, GAME_B, moves

NAMES = ["Ada", "Mr Croft"]


def told(state: ProwlersState, *ids: str) -> list[str]:
    return [words(event, NAMES) for event in happened(state, *ids)]


def test_a_plain_turn() -> None:
    """PP-13, PP-19, PP-22."""
    assert [
        "Ada dug between *Castle* and *Market* and took a key.",
        "That pulled *Castle* and *Market* to 1 on Ada’s side.",
    ] == told(r1(), "place:sp_a_se")
    assert [
        "Ada dug beside *Castle* twice and took some gold.",
        "That pulled *Castle* to 2 on Ada’s side.",
    ] == told(r1(), "place:sh_bd")


def test_two_markers_that_part() -> None:
    """PP-22: one comes to the centre, one to the other player's side."""
    assert [
        "Mr Croft dug between *Castle* and *Political* and took some jewels.",
        "That pulled *Castle* to the centre and *Political* to 1 on Mr Croft’s side.",
    ] == told(turns(r1(), "sp_b_n"), "place:sp_d_sw")


def test_shovels() -> None:
    """PP-26, PP-27."""
    assert [
        "Ada dug beside *Castle* twice and took a golden shovel.",
        "That pulled *Castle* to 2 on Ada’s side.",
        "The golden shovel pulled *Political* to 1 on Ada’s side.",
    ] == told(r1(), "place:sh_ab", "golden:political")
    assert [
        "Ada dug between *Political* and *Market* and took a double shovel.",
        "That pulled *Political* and *Market* to 1 on Ada’s side.",
        "The double shovel pulled again: *Political* and *Market* to 2 on Ada’s side.",
    ] == told(r1(), "place:sp_f_sw")


def test_the_free_pull() -> None:
    """PP-08."""
    before = {"awaiting": "bonus_move"}
    assert ["Mr Croft, who plays second, pulled *Market* to 1 on Mr Croft’s side."] == told(
        loaded(before), "bonus:market"
    )
    assert ["Mr Croft, who plays second, left the markers where they were."] == told(loaded(before), "bonus:decline")


def test_steps_lost() -> None:
    """PP-24: one of one, two of four in two pulls, and one of two."""
    first, second = listed("sp_f_sw sh_bc sp_e_n sp_f_n"), listed("sp_a_sw sp_c_n sp_c_sw sp_d_n")
    assert [
        "Ada dug beside *Castle* twice and took a double shovel.",
        "That pulled *Castle* to 8 on Ada’s side.",
        "The double shovel pulled again: *Castle* no further (two steps lost at the end of the track).",
    ] == told(built(first, second, at=(0, 0, 0, 0, 6)), "place:sh_ad")
    assert "That pulled *Castle* to 8 on Ada’s side (one step lost at the end of the track)." in told(
        built(first, second, at=(0, 0, 0, 0, 7)), "place:sh_ab"
    )


def test_a_statue_a_card_and_the_mid_game() -> None:
    """PP-16, PP-35, PP-41: turn 7 of PP-E11."""
    state = r1(cards=("statues_2", "ctrl_3x2", "loot_2x3"))
    turns(state, "sh_ab+market", "sh_ad", "sh_bd", "sp_f_n", "sh_bc", "sh_be")
    assert [
        "Ada dug between *Banking* and *Residential* and took a book.",
        "Ada closed the last way to the lower right platform and stole the *statue* there.",
        "That pulled *Banking* to 2 on Ada’s side and *Residential* to 1 on Ada’s side.",
        "Ada earned the card *Steal two statues*.",
        "Mid-game scoring: Ada 14, Mr Croft 4.",
    ] == told(state, "place:sh_ce")


def test_mid_cards() -> None:
    """PP-38: one to somebody, one to nobody."""
    state = r1(cards=("mid_tunnel", "mid_control", "loot_each"), bonus=GAME_B.bonus)
    steps = moves(GAME_B)
    turns(state, *steps[:15])
    story = told(state, f"place:{steps[15]}")
    assert "Mr Croft earned the card *Most districts at mid-game*." in story
    assert "Neither was ahead, so the card *Longest Tunnel at mid-game* goes to nobody." in story


def test_the_end() -> None:
    """PP-43, PP-53."""
    state = turns(r1(cards=GAME_A.cards, bonus=GAME_A.bonus), *moves(GAME_A)[:-1])
    assert ["End-of-game scoring: Ada 81, Mr Croft 61.", "Ada wins. 115 Wealth to 85."] == told(state, "place:sp_a_sw")[
        -2:
    ]


def test_a_draw() -> None:
    """PP-55."""
    event = Event("ended", -1, {"totals": [80, 80], "decided": "nothing", "reason": "Equal: a draw."})
    assert "The game is over. Equal: a draw." == words(event, NAMES)


def test_names_that_end_in_s() -> None:
    assert ["Mrs Bliss, who plays second, pulled *Castle* to 1 on Mrs Bliss’ side."] == [
        words(event, ["Ada", "Mrs Bliss"]) for event in happened(loaded({"awaiting": "bonus_move"}), "bonus:castle")
    ]


def test_an_event_of_another_game_is_refused() -> None:
    with pytest.raises(ValueError, match="knows no event"):
        words(Event("bid", 0, {}), NAMES)


def test_events_are_public_and_reveal_nothing() -> None:
    """Section 6: all see all, so that a move can be taken back until the opponent has moved."""
    state = r1()
    for id_ in ("place:sh_ab", "golden:market", "place:sp_f_sw"):
        for event in happened(state, id_):
            assert (EVERYONE, 0) == (event.seen, event.reveals)
            assert GAME.words(event, NAMES).endswith(".")


def test_events_carry_readable_ids() -> None:
    """For pages and reports: what moved, from what, to where."""
    dug, pulled = happened(r1(), "place:sp_a_se")
    assert {
        "passageway": "sp_a_se",
        "districts": ["castle", "market"],
        "tile": "key_3",
        "face": "key",
        "turn": 1,
    } == dug.args
    assert {
        "by": "passage",
        "moves": [
            {"district": "castle", "steps": 1, "lost": 0, "space": 1, "value": 1, "side": 0},
            {"district": "market", "steps": 1, "lost": 0, "space": 1, "value": 1, "side": 0},
        ],
    } == pulled.args


def dicts(state: ProwlersState, *ids: str) -> list[dict[str, object]]:
    return [event.to_dict() for event in happened(state, *ids)]


def moved(district: str, space: int, steps: int = 1, lost: int = 0, side: int | None = None) -> dict[str, object]:
    """A marker's move as events tell it; `side` is the player it came to, by default on R1's seats."""
    if side is None:
        side = -1 if space == 0 else int(space < 0)
    return {"district": district, "steps": steps, "lost": lost, "space": space, "value": abs(space), "side": side}


def test_events_of_the_free_pull() -> None:
    """PP-08."""
    before = {"awaiting": "bonus_move"}
    assert [{"kind": "declined", "player": 1, "args": {}}] == dicts(loaded(before), "bonus:decline")
    pulled = {"by": "bonus", "moves": [moved("market", -1)]}
    assert [{"kind": "pulled", "player": 1, "args": pulled}] == dicts(loaded(before), "bonus:market")
    seats = {"first": 1, "second": 0}
    theirs = {"by": "bonus", "moves": [moved("castle", -1, side=0)]}
    assert [{"kind": "pulled", "player": 0, "args": theirs}] == dicts(
        loaded({**before, "seats": seats}), "bonus:castle"
    )


def test_events_of_a_turn_with_everything() -> None:
    """PP-11: turn 7 of PP-E11, event by event."""
    state = r1(cards=("statues_2", "ctrl_3x2", "loot_2x3"))
    turns(state, "sh_ab+market", "sh_ad", "sh_bd", "sp_f_n", "sh_bc", "sh_be")
    dug, statue, pulled, card, scored = dicts(state, "place:sh_ce")
    assert {
        "passageway": "sh_ce",
        "districts": ["banking", "residential"],
        "tile": "book_jewels",
        "face": "book",
        "turn": 7,
    } == dug["args"]
    where = {"statue": "plat_bce", "where": "the lower right platform"}
    assert {"kind": "statue", "player": 0, "args": where} == statue
    moves = [moved("banking", 2), moved("residential", 1)]
    assert {"kind": "pulled", "player": 0, "args": {"by": "passage", "moves": moves}} == pulled
    earned = {"card": "statues_2", "title": "Steal two statues", "wealth": 3}
    assert {"kind": "card", "player": 0, "args": earned} == card
    assert ("scored", -1) == (scored["kind"], scored["player"])


def test_events_of_shovels_and_lost_steps() -> None:
    """PP-24, PP-26, PP-27."""
    golden = dicts(play(r1(), "place:sp_e_n"), "golden:political")
    pulled = {"by": "golden_shovel", "moves": [moved("political", 1)]}
    assert [{"kind": "pulled", "player": 0, "args": pulled}] == golden
    first, second = listed("sp_f_sw sh_bc sp_e_n sp_f_n"), listed("sp_a_sw sp_c_n sp_c_sw sp_d_n")
    _, once, again = dicts(built(first, second, at=(0, 0, 0, 0, 7)), "place:sh_ad")
    assert {"by": "passage", "moves": [moved("castle", 8, steps=1, lost=1)]} == once["args"]
    assert {"by": "double_shovel", "moves": [moved("castle", 8, steps=0, lost=2)]} == again["args"]
    assert [0, 0] == [once["player"], again["player"]]
    _, both = dicts(built(first, second, at=(0, 8, -5, 0, 8)), "place:sp_a_n")
    assert {"by": "passage", "moves": [moved("political", 8, 0, 1), moved("castle", 8, 0, 1)]} == both["args"]


def test_a_marker_in_the_centre_is_on_nobody_s_side() -> None:
    """PP-25: told as side -1."""
    _, pulled = dicts(turns(r1(), "sp_b_n"), "place:sp_d_sw")
    assert {"by": "passage", "moves": [moved("castle", 0), moved("political", -1)]} == pulled["args"]


def test_events_of_the_mid_cards_and_the_phases() -> None:
    """PP-38, PP-41, PP-43, PP-53: sheets by player, whoever sits first."""
    for seats, order in (({"first": 0, "second": 1}, [0, 1]), ({"first": 1, "second": 0}, [1, 0])):
        cards = dict.fromkeys(("mid_control", "mid_tunnel", "surround"))
        state = loaded({"seats": seats, "cards": cards, "awaiting": "bonus_move"})
        play(state, "bonus:banking")
        turns(state, *moves(GAME_A)[:12])
        *_, tunnel, control, mid = dicts(state, "place:sh_ad")
        first, second = seats["first"], seats["second"]
        assert ("mid_card", first, "mid_control", 3) == _card(control)
        assert ("mid_card", second, "mid_tunnel", 3) == _card(tunnel)
        sheets: Any = mid["args"]
        assert ("mid", [34, 24]) == (sheets["phase"], [sheets["sheets"][player]["total"] for player in order])
        turns(state, *moves(GAME_A)[13:-1])
        *_, end, ended = dicts(state, "place:sp_a_sw")
        sheets = end["args"]
        assert ("end", [81, 61]) == (sheets["phase"], [sheets["sheets"][player]["total"] for player in order])
        result = {"totals": [115, 85] if first == 0 else [85, 115], "decided": "wealth", "reason": "115 Wealth to 85."}
        assert {"kind": "ended", "player": first, "args": result} == ended


def _card(event: dict[str, Any]) -> tuple[object, ...]:
    return event["kind"], event["player"], event["args"]["card"], event["args"]["wealth"]
