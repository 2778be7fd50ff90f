"""The box: a designer may change a number; what the rules rely on is checked, with sentences."""

from __future__ import annotations

import copy
from typing import Any

import pytest

from parlour.games.prowlers import GAME
from parlour.games.prowlers.box import BOX
from parlour.games.prowlers.rules import ProwlersState
from parlour.kernel import BoxError, Dice, Game, random_playout
from tests.games.prowlers.fragments import card, holdings, loaded, turns
from tests.games.prowlers.test_golden_games import GAME_A, GAME_B, moves


def end_of(game: Game, golden: Any, player: int, **options: object) -> Any:
    """The sheets of a golden game played out of another box."""
    state = loaded({"cards": dict.fromkeys(golden.cards), "awaiting": "bonus_move"}, options, game=game)
    state.play(1, game.parse(state, 1, f"bonus:{golden.bonus}"))
    return holdings(turns(state, *moves(golden)), player)


@pytest.mark.parametrize(
    ("change", "golden", "player", "line", "expected"),
    [
        ("districts.banking.bonus=4", GAME_A, 0, "banking", 5),
        ("districts.banking.per_loot=3", GAME_A, 0, "banking", 8),
        ("districts.political.per_control=1", GAME_A, 0, "political", 9),
        ("districts.political.per_loot=2", GAME_A, 0, "political", 18),
        ("districts.market.per_card=3", GAME_A, 0, "market", 14),
        ("districts.market.per_statue=0", GAME_A, 0, "market", 6),
        ("districts.market.per_space=2", GAME_A, 0, "market", 12),
        ("districts.market.per_loot=0", GAME_A, 0, "market", 8),
        ("districts.residential.from_passage=4", GAME_A, 1, "residential", 10),
        ("districts.residential.per_passage=2", GAME_A, 1, "residential", 17),
        ("districts.residential.per_loot=2", GAME_A, 1, "residential", 16),
        ("districts.castle.per_pair=4", GAME_B, 1, "castle", 13),
        ("districts.castle.per_shovel=2", GAME_B, 1, "castle", 6),
        ("scoring.per_passage=3", GAME_A, 0, "tunnel", 24),
        ("scoring.per_statue=2", GAME_A, 0, "statues", 8),
        ("scoring.loot_table=[0, 1, 3]", GAME_A, 0, "loot", 25),
        ("scoring.loot_table=[0, 2, 4, 4, 10, 10, 22]", GAME_A, 0, "loot", 28),
        ("achievements.cards.surround.wealth=9", GAME_A, 0, "achievements", 12),
    ],
)
def test_a_changed_number_changes_its_line(change: str, golden: Any, player: int, line: str, expected: int) -> None:
    """PP-44…PP-52: worked from the end sheets of PP-E25 and PP-E26 by hand."""
    assert expected == end_of(GAME.with_box(sets=[change]), golden, player)["end"][line]


def test_the_numbers_of_a_card_can_be_changed() -> None:
    """PP-34: one control less, and game B's first holds loot_each and four of a loot for a card that asks three."""
    easier = GAME.with_box(sets=["achievements.cards.tunnel_6.at_least=5"])
    assert ["tunnel_6", "loot_each"] == end_of(easier, GAME_B, 0)["cards"]
    harder = GAME.with_box(sets=["achievements.cards.tunnel_6.at_least=7"])
    assert ["loot_each"] == end_of(harder, GAME_B, 0)["cards"]


def test_a_card_may_ask_for_two_surrounded_districts() -> None:
    """PP-37: progress then counts districts, not passages; in PP-E25 first surrounds two."""
    twice = GAME.with_box(sets=["achievements.cards.surround.how_many=2"])
    state = loaded({"cards": dict.fromkeys(GAME_A.cards), "awaiting": "bonus_move"}, game=twice)
    state.play(1, twice.parse(state, 1, f"bonus:{GAME_A.bonus}"))
    steps = moves(GAME_A)
    turns(state, *steps[:19])
    assert ({"have": 1, "need": 2, "met": False}, None) == (surround(state)["progress"][0], surround(state)["holder"])
    turns(state, *steps[19:25])
    assert ({"have": 2, "need": 2, "met": True}, 0) == (surround(state)["progress"][0], surround(state)["holder"])


def surround(state: ProwlersState) -> Any:
    return card(state, "surround")


def test_fewer_passages_make_a_shorter_game() -> None:
    """PP-07, PP-39: ten each; five left after turn 10."""
    short = GAME.with_box(sets=["turns.passages=10", "turns.mid_statues=4"])
    state = short.new_game(seed=1)
    assert isinstance(state, ProwlersState)
    random_playout(state, Dice(1))
    assert (20, 10) == (state.turn, state.mid_turn)
    assert short.load(state.to_dict()) == state


def test_a_changed_box_has_another_name_and_is_its_own_game() -> None:
    """Records and positions say which box they need."""
    changed = GAME.with_box(sets=["districts.banking.bonus=4"])
    assert changed.box_hash != GAME.box_hash
    assert 4 == changed.box.spec.districts.banking.bonus  # type: ignore[union-attr]
    assert 5 == BOX.spec.districts.banking.bonus
    with pytest.raises(ValueError, match="box"):
        GAME.load(changed.new_game(seed=1).to_dict())


@pytest.mark.parametrize(
    ("change", "key", "says"),
    [
        ("districts.bank.bonus=4", "districts.bank.bonus", "banking"),
        ("districts.banking.bonus=four", "districts.banking.bonus", "whole number"),
        ("districts.banking.bonus=-1", "districts.banking.bonus", ">= 0"),
        ("turns.passages=14", "turns.passages", "at most 13"),
        ("turns.mid_reserve=13", "turns.mid_reserve", "below the 13"),
        ("scoring.loot_table=[1, 2]", "scoring.loot_table", "which is 0"),
        ("scoring.loot_table=[]", "scoring.loot_table", "which is 0"),
        ("scoring.loot_table=[0, 3, 2]", "scoring.loot_table", "2 tiles cannot be worth less than 1"),
        ("hexes.clockwise.hex_01.0=market", "hexes.clockwise.hex_01", "different types"),
        ("tiles.faces.gold_1.1=golden_shovel", "tiles.faces.gold_1", "loot on both sides"),
        ("achievements.drawn=16", "achievements.cards", "16 to 60 cards"),
        ("achievements.cards.loot_4.how_many=5", "achievements.cards.loot_4.how_many", "most for “loot” is 4"),
        ("achievements.cards.statues_2.how_many=5", "achievements.cards.statues_2.how_many", "nobody can have 5"),
        ("board.passageways.sp_a_n.ends.0=c_z", "board.passageways.sp_a_n.ends", "no vertex “c_z”"),
        ("board.passageways.sp_a_n.ends.0=n_ad", "board.passageways.sp_a_n.ends", "two different vertices"),
        ("board.passageways.sp_a_n.sides.0=a_n", "board.passageways.sp_a_n.sides", "no district “a_n”"),
        ("board.passageways.sp_a_n.sides.0=a_e", "board.passageways.sp_a_n.sides", "different district"),
        ("reference.hexes.a.hex=hex_11", "reference.hexes.a.hex", "no hex “hex_11”"),
        ("reference.hexes.a.hex=hex_01", "reference.hexes", "2 times"),
        ("reference.hexes.a.rotation=3", "reference.hexes[...].rotation", "<= 2"),
        ("reference.tiles.sp_a_n.face=gold", "reference.tiles.sp_a_n", "with a side “gold”"),
        ("reference.tiles.sp_a_se.tile=key_1", "reference.tiles", "2 times"),
        ("reference.cards.0=statues_9", "reference.cards", "no card “statues_9”"),
        ("reference.cards.0=loot_4", "reference.cards", "2 times"),
    ],
)
def test_what_cannot_be_played_is_refused_in_a_sentence(change: str, key: str, says: str) -> None:
    with pytest.raises(BoxError) as caught:
        GAME.with_box(sets=[change])
    assert key == caught.value.key
    assert says in caught.value.sentence


def broken_document(part: str) -> Any:
    document: Any = copy.deepcopy(BOX.document)
    if part == "order":
        lines = document["board"]["passageways"]
        document["board"]["passageways"] = dict(reversed(lines.items()))
    elif part == "tile":
        del document["tiles"]["faces"]["gold_1"]
    elif part == "hexes":
        document["hexes"]["clockwise"] = dict(list(document["hexes"]["clockwise"].items())[:5])
    elif part == "size":
        document["achievements"]["cards"]["surround"]["at_least"] = 2
    elif part == "statue":
        document["board"]["vertices"]["far"] = {"kind": "tip", "column": 9, "row": 9, "name": "far", "statue": True}
    elif part == "reference":
        document["reference"]["cards"] = ["loot_4"]
    elif part == "site":
        del document["reference"]["hexes"]["a"]
    elif part == "line":
        del document["reference"]["tiles"]["sp_a_n"]
    elif part == "unknown":
        document["districts"]["harbour"] = {}
    return document


@pytest.mark.parametrize(
    ("part", "key"),
    [
        ("order", "board.passageways"),
        ("tile", "tiles.faces"),
        ("hexes", "hexes.clockwise"),
        ("size", "achievements.cards.surround.at_least"),
        ("statue", "board.vertices.far.statue"),
        ("reference", "reference.cards"),
        ("site", "reference.hexes"),
        ("line", "reference.tiles"),
        ("unknown", "districts"),
    ],
)
def test_a_box_with_parts_missing_or_too_many_is_refused(part: str, key: str) -> None:
    with pytest.raises(BoxError) as caught:
        GAME.with_box(broken_document(part))
    assert key == caught.value.key


def test_every_table_says_where_it_comes_from() -> None:
    """Provenance for every datum: on the table itself or on one around it."""

    def bare(table: dict[str, Any], inherited: bool, where: str) -> list[str]:
        covered = inherited or "provenance" in table
        loose = [where] if not covered and any(not isinstance(value, dict) for value in table.values()) else []
        for key, value in table.items():
            if isinstance(value, dict):
                loose += bare(value, covered, f"{where}.{key}")
        return loose

    assert [] == bare(BOX.document, False, "box")
