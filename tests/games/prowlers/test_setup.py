"""Set-up: the box, the board, and the draws of a new game (PP-01…PP-09)."""

from __future__ import annotations

import math
from collections import Counter

import pytest

from parlour.games.prowlers import GAME
from parlour.games.prowlers.box import BOX, DISTRICTS, PASSAGEWAYS
from parlour.games.prowlers.city import City
from parlour.games.prowlers.rules import ProwlersState
from parlour.kernel import Dice, OptionError
from tests.games.prowlers.fragments import R1_FACES, STATUE_LINES, TABLES, listed, loaded, markers, play, r1

SEEDS = 400


@pytest.fixture(scope="module")
def deals() -> list[ProwlersState]:
    found = [GAME.new_game(seed=seed) for seed in range(SEEDS)]
    return [state for state in found if isinstance(state, ProwlersState)]


def even(counts: Counter[object], kinds: int, draws: int) -> bool:
    """Whether so many draws fell evenly on so many kinds: each within five standard deviations of its share."""
    share = draws / kinds
    slack = 5 * math.sqrt(share * (1 - 1 / kinds))
    return len(counts) == kinds and all(abs(count - share) < slack for count in counts.values())


def test_pp_01_exactly_two_play_and_chance_seats_them(deals: list[ProwlersState]) -> None:
    """PP-01."""
    assert [2] == list(GAME.players)
    with pytest.raises(OptionError, match="exactly 2"):
        GAME.new_game(players=3)
    assert even(Counter(state.city.first for state in deals), 2, SEEDS)
    for state in deals[:20]:
        first = state.city.first
        assert (first, 1 - first) == (state.player_in(0), state.player_in(1))
        assert (0, 1) == (state.seat_of(first), state.seat_of(1 - first))


def test_pp_02_six_different_hexes_of_ten_each_as_likely(deals: list[ProwlersState]) -> None:
    """PP-02."""
    assert all(len(set(state.city.hexes)) == 6 for state in deals)
    for site in range(6):
        assert even(Counter(state.city.hexes[site] for state in deals), 10, SEEDS)


def test_pp_03_each_hex_lies_in_one_of_three_ways(deals: list[ProwlersState]) -> None:
    """PP-03, PP-R01."""
    for site in range(6):
        assert even(Counter(state.city.rotations[site] for state in deals), 3, SEEDS)


def test_pp_04_a_tile_on_each_passageway_either_side_up(deals: list[ProwlersState]) -> None:
    """PP-04."""
    assert all(sorted(state.city.tiles) == list(range(27)) for state in deals)
    for line in (0, 13, 26):
        assert even(Counter(state.city.tiles[line] for state in deals), 27, SEEDS)
    double = TABLES.tile_ids.index("golden_double")
    up = Counter(state.city.faces[state.city.tiles.index(double)] for state in deals)
    assert even(Counter(up), 2, SEEDS)


def test_pp_05_statues_stand_and_markers_are_in_the_centre(deals: list[ProwlersState]) -> None:
    """PP-05."""
    for state in deals[:20]:
        assert {"hub": None, "plat_abd": None, "plat_bce": None, "plat_def": None} == state.position()["statues"]
        assert (0, 0, 0, 0, 0) == markers(state)


def test_pp_06_three_different_cards_of_fifteen_each_as_likely(deals: list[ProwlersState]) -> None:
    """PP-06."""
    assert all(len(set(state.city.cards)) == 3 for state in deals)
    assert even(Counter(card for state in deals for card in state.city.cards), 15, 3 * SEEDS)
    assert all(set(state.position()["cards"].values()) == {None} for state in deals[:20])  # type: ignore[attr-defined]


def test_pp_07_reserves_of_thirteen_and_nothing_else(deals: list[ProwlersState]) -> None:
    """PP-07."""
    for state in deals[:20]:
        for player in state.view(None)["players"]:  # type: ignore[attr-defined]
            assert (13, 0, 0) == (player["reserve"], player["placed"], player["shovels"])
            assert {"gold": 0, "book": 0, "jewels": 0, "key": 0} == player["loot"]
            assert ([], []) == (player["statues"], player["cards"])


def test_pp_08_the_second_player_is_asked_before_turn_1(deals: list[ProwlersState]) -> None:
    """PP-08, PP-R23: six choices, none of which looks at a card."""
    for state in deals[:20]:
        second = 1 - state.city.first
        assert [1 << second, "bonus_move"] == [state.actors(), state.decision(second)]
        assert list(range(32, 38)) == state.legal_actions(second)
        assert [] == state.legal_actions(1 - second)


def test_pp_09_the_draws_come_in_the_published_order() -> None:
    """PP-09: hexes, rotations, tiles, sides, cards, seat; nothing before, between or after."""
    for seed in range(30):
        dice = Dice(seed)
        hexes = dice.sample(10, 6)
        rotations = [dice.below(3) for _ in range(6)]
        tiles = list(range(27))
        dice.shuffle(tiles)
        sides = [dice.below(2) for _ in range(27)]
        cards = dice.sample(15, 3)
        first = dice.below(2)
        state = GAME.new_game(seed=seed)
        assert isinstance(state, ProwlersState)
        city = state.city
        assert (hexes, rotations, tiles) == (city.hexes, city.rotations, city.tiles)
        assert (sides, cards, first) == (city.sides, city.cards, city.first)
        assert dice == state.dice


def test_pp_r01_the_board_is_that_of_the_contract() -> None:
    """PP-R01: 27 passageways from a centre or platform to the hub, a notch or a tip; 19 points, 18 districts."""
    board = BOX.spec.board
    assert (27, 19, 18) == (len(board.passageways), len(board.vertices), len(TABLES.district_ids))
    for line in board.passageways.values():
        kinds = [board.vertices[end].kind for end in line.ends]
        assert kinds[0] in {"hex_centre", "platform"}
        assert kinds[1] in {"hub", "notch", "tip"}
    meeting = Counter(end for line in board.passageways.values() for end in line.ends)
    arms = {"hub": 6, "platform": 3, "hex_centre": 3, "notch": 3, "tip": 1}
    assert {name: arms[vertex.kind] for name, vertex in board.vertices.items()} == meeting
    for line in board.passageways.values():  # every passageway has length 1: a hex side
        one, two = (board.vertices[end] for end in line.ends)
        assert 4 == 3 * (one.column - two.column) ** 2 + (one.row - two.row) ** 2


def test_pp_r01_every_district_is_the_rhombus_between_its_lines() -> None:
    """PP-R01: a passageway runs along a side of both of its districts, as the corners of the hexes have it."""
    corner = {"n": (0, 2), "ne": (1, 1), "se": (1, -1), "s": (0, -2), "sw": (-1, -1), "nw": (-1, 1)}
    around = {"w": ("n", "nw", "sw"), "e": ("n", "ne", "se"), "s": ("se", "s", "sw")}
    board = BOX.spec.board
    for name, line in board.passageways.items():
        ends = {(board.vertices[end].column, board.vertices[end].row) for end in line.ends}
        beside = set()
        for site, centre in board.sites.items():
            for slot, (one, middle, two) in around.items():
                points = [
                    (centre.column, centre.row),
                    *((centre.column + corner[c][0], centre.row + corner[c][1]) for c in (one, middle, two)),
                ]
                sides = [{points[i], points[(i + 1) % 4]} for i in range(4)]
                if ends in sides:
                    beside.add(f"{site}_{slot}")
        assert set(line.sides) == beside, name


def test_pp_r02_every_set_of_three_types_once() -> None:
    """PP-R02: ten hexes, each pair of types in clockwise order once or twice."""
    hexes = BOX.spec.hexes.clockwise
    assert 10 == len({frozenset(types) for types in hexes.values()}) == len(hexes)
    pairs = Counter((types[i], types[(i + 1) % 3]) for types in hexes.values() for i in range(3))
    assert 20 == len(pairs)
    assert {1, 2} == set(pairs.values())


def test_pp_r03_the_tiles_are_four_plain_of_each_loot_and_one_of_each_pair() -> None:
    """PP-R03: 22 loot and 5 shovels; at most seven of a loot, where the table ends, and n(n+1)/2 beyond."""
    faces: Counter[frozenset[str]] = Counter(frozenset(sides) for sides in BOX.spec.tiles.faces.values())
    loots = ["gold", "book", "jewels", "key"]
    assert all(faces[frozenset([loot])] == 4 for loot in loots)
    assert all(faces[frozenset([one, two])] == 1 for one in loots for two in loots if one != two)
    shovels = [faces[frozenset(["golden_shovel"])], faces[frozenset(["double_shovel"])]]
    assert [2, 2, 1] == [*shovels, faces[frozenset(["golden_shovel", "double_shovel"])]]
    assert 27 == sum(faces.values())
    assert [28, 36, 45] == [TABLES.loot_wealth(n) for n in (7, 8, 9)]


@pytest.mark.parametrize("length", [6, 8, 12])
def test_pp_r04_the_track_is_as_long_as_the_option_says(length: int) -> None:
    """PP-R04."""
    state = r1(track_half_length=length)
    assert length == state.city.half_length
    assert {"track_half_length": length, "mid_cards_count_for_market": True} == state.options()
    for wrong in (5, 13):
        with pytest.raises(OptionError, match="6 to 12"):
            GAME.new_game(options={"track_half_length": wrong})


def test_pp_r05_one_type_on_both_sides_only_between_hexes(deals: list[ProwlersState]) -> None:
    """PP-R05."""
    same = {
        line for state in deals for i, line in enumerate(PASSAGEWAYS) if state.city.kind_1[i] == state.city.kind_2[i]
    }
    assert {line for line in PASSAGEWAYS if line.startswith("sh_")} == same


def test_pp_e22_bonus() -> None:
    """PP-E22, PP-08, PP-R23."""
    state = loaded({"awaiting": "bonus_move"})
    assert (2, 6) == (state.actors(), len(state.legal_actions(1)))
    play(state, "bonus:market")
    assert (0, 0, -1, 0, 0) == markers(state)
    play(state, "place:sp_a_se")
    assert (0, 0, 0, 0, 1) == markers(state)
    view = state.view(None)
    assert [None] == [lane["holder"] for lane in view["track"]["lanes"] if lane["district"] == "market"]  # type: ignore[index]
    declined = play(loaded({"awaiting": "bonus_move"}), "bonus:decline", "place:sp_a_se")
    assert (0, 0, 1, 0, 1) == markers(declined)


@pytest.mark.parametrize(
    ("hex_", "rotation", "types"),
    [
        ("hex_08", 0, ("political", "castle", "market")),
        ("hex_08", 1, ("market", "political", "castle")),
        ("hex_08", 2, ("castle", "market", "political")),
        ("hex_10", 2, ("castle", "residential", "market")),
    ],
)
def test_pp_e24_rotation(hex_: str, rotation: int, types: tuple[str, str, str]) -> None:
    """PP-E24, PP-03: a hex turned clockwise shows in each slot what was in the slot before."""
    hexes = [TABLES.hex_ids.index(hex_), *(i for i, name in enumerate(TABLES.hex_ids) if name != hex_)][:6]
    city = City(TABLES, hexes, [rotation] * 6, list(range(27)), [0] * 27, [0, 1, 2], 0, 8, True)
    assert types == tuple(DISTRICTS[city.kinds[slot]] for slot in range(3))


def test_the_reference_set_up_is_r1() -> None:
    """Section 2.11, by hand: faces, and the types on both sides of each passageway."""
    city = r1().city
    assert R1_FACES == {line: city.face_id(city.faces[i]) for i, line in enumerate(PASSAGEWAYS)}
    letters = {"b": "banking", "p": "political", "m": "market", "r": "residential", "c": "castle"}
    sides = listed("pc cm mp cr rm mc bp pr rb pr rc cp bm mr rb mb bp pm cc rb cc cc rr br rb rp bp")
    expected = {line: tuple(letters[x] for x in two) for line, two in zip(PASSAGEWAYS, sides, strict=True)}
    found = {line: (DISTRICTS[city.kind_1[i]], DISTRICTS[city.kind_2[i]]) for i, line in enumerate(PASSAGEWAYS)}
    assert expected == found


def test_statues_and_surrounded_districts_are_those_of_the_contract() -> None:
    """Section 2.3 and 2.7: nine districts with four passageways, nine with two."""
    board = BOX.spec.board
    for name, lines in STATUE_LINES.items():
        assert board.vertices[name].statue
        assert lines == {line for line, passageway in board.passageways.items() if name in passageway.ends}
    assert list(STATUE_LINES) == TABLES.statue_ids
    around = Counter(side for line in board.passageways.values() for side in line.sides)
    four = {"a_e", "b_w", "b_e", "c_w", "d_e", "d_s", "e_w", "e_s", "f_s"}
    assert four == {district for district, lines in around.items() if lines == 4}
    assert {2} == {lines for district, lines in around.items() if district not in four}
    assert (18, 9) == (len(around), len(TABLES.rhombi))
