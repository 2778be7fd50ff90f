"""The invariants at every position of random games (PP-I1…PP-I13), worked out here from the readable form, and by
the rules' own check."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from parlour.games.prowlers import GAME
from parlour.games.prowlers.box import BOX, DISTRICTS, LOOT, PASSAGEWAYS
from parlour.games.prowlers.invariants import broken, sheet_out_of_bounds
from parlour.games.prowlers.rules import ProwlersState
from parlour.kernel import Dice, Game, random_step
from tests.games.prowlers.fragments import STATUE_LINES, dealt, holdings, loaded, markers

SEATS = ("first", "second")
FEW = settings().max_examples // 5
"""Each example is a whole game: a fifth of what other properties get."""
GAMES = st.tuples(st.integers(0, 2**32), st.integers(6, 12), st.booleans())


def a_game(seed: int, length: int = 8, count_mid_cards: bool = True) -> Any:
    """Every position of a random game, as (state, who acted and how many spaces each marker moved)."""
    state = dealt(seed, track_half_length=length, mid_cards_count_for_market=count_mid_cards)
    dice = Dice(seed + 1)
    yield state, None
    while not state.is_over:
        seat = state.seat_to_act()
        before = markers(state)
        random_step(state, dice)
        yield state, (seat, [after - was for was, after in zip(before, markers(state), strict=True)])


def laid(position: Any) -> dict[str, list[str]]:
    found: dict[str, list[str]] = position["passages"]
    return found


@given(GAMES)
def test_no_random_game_breaks_a_law(setting: tuple[int, int, bool]) -> None:
    """PP-I1…PP-I12: by the check that also guards hand-written positions."""
    for state, _ in a_game(*setting):
        fault = broken(state)
        assert fault is None, (fault.invariant, fault.sentence)
    for seat in (0, 1):
        assert "" == sheet_out_of_bounds(state, state.end_sheet(seat), True)


@settings(max_examples=FEW)
@given(GAMES)
def test_pp_i1_passages_reserves_and_tiles(setting: tuple[int, int, bool]) -> None:
    """PP-I1, PP-I2: alternate turns; 13 each; a tile or one passage everywhere; as many tiles as passages."""
    for state, _ in a_game(*setting):
        own = laid(state.position())
        k = len(own["first"]) + len(own["second"])
        assert ((k + 1) // 2, k // 2) == (len(own["first"]), len(own["second"]))
        assert not set(own["first"]) & set(own["second"])
        for player in (0, 1):
            mine = holdings(state, player)
            assert 13 == mine["reserve"] + mine["placed"]
            assert mine["placed"] == sum(mine["loot"].values()) + mine["shovels"]
        edges: Any = state.view(None)["board"]["edges"]
        assert 27 - k == sum(edge["owner"] is None for edge in edges)


@settings(max_examples=FEW)
@given(GAMES)
def test_pp_i2_and_i3_tiles_never_change(setting: tuple[int, int, bool]) -> None:
    """PP-I2, PP-I3: 27 tiles, each once; 22 loot and 5 shovels; 4 to 7 of a loot, 2 or 3 of a shovel."""
    first: Any = None
    for state, _ in a_game(*setting):
        tiles: Any = state.position()["tiles"]
        if first is None:
            first = tiles
            assert sorted(BOX.spec.tiles.faces) == sorted(lying["tile"] for lying in tiles.values())
            up = Counter(lying["face"] for lying in tiles.values())
            assert 22 == sum(up[loot] for loot in LOOT)
            assert all(4 <= up[loot] <= 7 for loot in LOOT)
            assert {2, 3} == {up["golden_shovel"], up["double_shovel"]}
        assert first == tiles


@settings(max_examples=FEW)
@given(GAMES)
def test_pp_i4_statues(setting: tuple[int, int, bool]) -> None:
    """PP-I4: on its vertex exactly while a passageway there is free."""
    for state, _ in a_game(*setting):
        position: Any = state.position()
        taken = {line for lines in laid(position).values() for line in lines}
        for statue, holder in position["statues"].items():
            assert (holder is not None) == (STATUE_LINES[statue] <= taken)
    assert sum(holder is not None for holder in position["statues"].values()) in {2, 3, 4}


@settings(max_examples=FEW)
@given(GAMES)
def test_pp_i5_cards(setting: tuple[int, int, bool]) -> None:
    """PP-I5, PP-36: the same three all game, never given back; none open that somebody meets after a turn."""
    held: dict[str, str] = {}
    for state, _ in a_game(*setting):
        cards: Any = state.position()["cards"]
        assert 3 == len(cards)
        now = {name: holder for name, holder in cards.items() if holder}
        assert held.items() <= now.items()
        held = now
        if state.decision(state.current_player) == "golden":
            continue
        for card in state.view(None)["cards"]:
            if card["holder"] is None and card["checked"] == "turn":
                assert not any(near["met"] for near in card["progress"])


@settings(max_examples=FEW)
@given(GAMES)
def test_pp_i6_markers_stay_on_the_track_and_come_toward_who_acts(setting: tuple[int, int, bool]) -> None:
    """PP-I6."""
    for state, acted in a_game(*setting):
        assert all(-setting[1] <= at <= setting[1] for at in markers(state))
        if acted is not None:
            seat, moved = acted
            assert all(step >= 0 if seat == 0 else step <= 0 for step in moved)


@settings(max_examples=FEW)
@given(GAMES)
def test_pp_i7_the_markers_add_up(setting: tuple[int, int, bool]) -> None:
    """PP-I7, with the steps lost counted in."""
    for state, _ in a_game(*setting):
        position: Any = state.position()
        first, second = (holdings(state, state.player_in(seat)) for seat in (0, 1))
        expected = 2 * (first["placed"] - second["placed"])
        expected += first["golden_shovels"] - second["golden_shovels"]
        expected += 2 * (first["double_shovels"] - second["double_shovels"])
        if position["awaiting"] == "golden":
            expected -= 1 if state.seat_to_act() == 0 else -1
        expected -= position["bonus"] == "used"
        expected += position["lost"]["second"] - position["lost"]["first"]
        assert expected == sum(markers(state))


def test_pp_i7_steps_are_lost_at_all_in_these_games() -> None:
    """PP-I7, PP-24: the games above do meet the end of a short track, so the count is tested."""
    lost = 0
    for seed in range(30):
        for state, _ in a_game(seed, 6):  # noqa: B007
            pass
        position: Any = state.position()
        lost += position["lost"]["first"] + position["lost"]["second"]
    assert lost > 0


@settings(max_examples=FEW)
@given(GAMES)
def test_pp_i8_what_never_shrinks(setting: tuple[int, int, bool]) -> None:
    """PP-I8: Tunnels, tiles, statues and cards; 1 <= T <= passages; at the end 2 <= T <= 13."""
    had = dict.fromkeys((0, 1), (0, 0, 0, 0))
    for state, _ in a_game(*setting):
        for player in (0, 1):
            mine = holdings(state, player)
            now = (mine["longest"], mine["placed"], len(mine["statues"]), len(mine["cards"]))
            assert all(was <= is_ for was, is_ in zip(had[player], now, strict=True))
            had[player] = now
            assert min(1, mine["placed"]) <= mine["longest"] <= mine["placed"]
    assert all(2 <= longest <= 13 for longest, *_ in had.values())


@settings(max_examples=FEW)
@given(GAMES)
def test_pp_i9_the_mid_game_phase_happens_when_it_is_due(setting: tuple[int, int, bool]) -> None:
    """PP-I9: by the end of some completed turn two statues were gone, or 16 turns were over."""
    due = False
    for state, _ in a_game(*setting):
        position: Any = state.position()
        k = sum(map(len, laid(position).values()))
        if position["awaiting"] != "golden":
            gone = sum(holder is not None for holder in position["statues"].values())
            due = due or gone >= 2 or k >= 16
        assert due == (position["mid"] is not None)
    assert 6 <= position["mid"]["turn"] <= 16


@settings(max_examples=FEW)
@given(GAMES)
def test_pp_i10_sheets(setting: tuple[int, int, bool]) -> None:
    """PP-I10: a phase is the sum of its categories, within the contract's bounds."""
    *_, (state, _) = a_game(*setting)
    market = 14 + setting[1]
    bounds = {
        "tunnel": [*range(2, 27)],
        "statues": [*range(5)],
        "loot": [*range(50)],
        "banking": [None, *range(5, 13)],
        "political": [None, *range(2, 18)],
        "market": [None, *range(1, market + 1)],
        "residential": [None, *range(19)],
        "castle": [None, *range(-5, 19)],
        "achievements": [*range(17)],
    }
    for player in (0, 1):
        for phase in ("mid", "end"):
            sheet = holdings(state, player)[phase]
            assert all(sheet[line] in allowed for line, allowed in bounds.items())
            districts = sum(sheet[district] or 0 for district in DISTRICTS)
            assert districts == sheet["districts"]
            parts = sheet["tunnel"] + sheet["statues"] + sheet["loot"] + districts + sheet["achievements"]
            assert parts == sheet["total"]
        mine = holdings(state, player)
        assert mine["mid"]["total"] >= -3
        assert mine["end"]["total"] > 0
        assert mine["mid"]["total"] + mine["end"]["total"] == state.scores()[player]


@settings(max_examples=FEW)
@given(GAMES)
def test_pp_i11_every_type_is_controlled_by_one_or_nobody(setting: tuple[int, int, bool]) -> None:
    """PP-I11."""
    for state, _ in a_game(*setting):
        controlled = [holdings(state, player)["controls"] for player in (0, 1)]
        assert 5 == len(controlled[0]) + len(controlled[1]) + markers(state).count(0)
        assert not set(controlled[0]) & set(controlled[1])


def decisions(seed: int) -> tuple[ProwlersState, list[str]]:
    """A finished random game and its decisions, in readable ids."""
    state = dealt(seed)
    dice = Dice(seed + 1)
    ids = []
    while not state.is_over:
        player = state.current_player
        legal = state.legal_actions(player)
        code = legal[dice.below(len(legal))]
        ids.append(GAME.describe(state, player, code).id)
        state.play(player, code)
    return state, ids


@pytest.mark.parametrize("seed", range(8))
def test_pp_i13_the_same_decisions_from_the_same_set_up_give_the_same_game(seed: int) -> None:
    """PP-I13, PP-I12."""
    finished, ids = decisions(seed)
    again = dealt(seed)
    for id_ in ids:
        again.play(again.current_player, GAME.parse(again, again.current_player, id_))
    assert finished == again
    assert finished.scores() == again.scores()


TURN = {"a": "c", "c": "f", "f": "a", "b": "e", "e": "d", "d": "b"}
TURN_CORNER = {"n": "sw", "sw": "se", "se": "n"}
MIRROR = {"a": "c", "c": "a", "d": "e", "e": "d", "b": "b", "f": "f"}
MIRROR_CORNER = {"n": "n", "se": "sw", "sw": "se"}


def moved(line: str, sites: dict[str, str], corners: dict[str, str]) -> str:
    """Where a symmetry takes a passageway (section 2.3)."""
    kind, *rest = line.split("_")
    if kind == "sp":
        return f"sp_{sites[rest[0]]}_{corners[rest[1]]}"
    return "sh_" + "".join(sorted(sites[site] for site in rest[0]))


def turned_hex(rotation: int) -> int:
    """A third of a turn of the whole board takes slot w to s, e to w and s to e: each hex turns back by one."""
    return (rotation - 1) % 3


@pytest.mark.parametrize("seed", range(10))
@pytest.mark.parametrize("thirds", [1, 2])
def test_pp_i13_a_turned_board_gives_the_same_scores(seed: int, thirds: int) -> None:
    """PP-I13: hexes, tiles and moves turned alike."""
    finished, ids = decisions(seed)
    position: Any = dealt(seed).position()
    for _ in range(thirds):
        position = {
            **position,
            "hexes": {
                TURN[site]: {"hex": laid["hex"], "rotation": turned_hex(laid["rotation"])}
                for site, laid in position["hexes"].items()
            },
            "tiles": {moved(line, TURN, TURN_CORNER): tile for line, tile in position["tiles"].items()},
        }
        ids = [f"place:{moved(id_[6:], TURN, TURN_CORNER)}" if id_.startswith("place") else id_ for id_ in ids]
    state = loaded(position)
    for id_ in ids:
        state.play(state.current_player, GAME.parse(state, state.current_player, id_))
    assert finished.scores() == state.scores()
    assert markers(finished) == markers(state)
    assert finished.mid_turn == state.mid_turn


@pytest.mark.parametrize("seed", range(10))
def test_pp_i13_a_mirrored_board_gives_the_same_scores(seed: int) -> None:
    """PP-I13: the hexes are mirrored too, so their districts go round the other way in the box."""
    document: Any = BOX.document
    clockwise = {name: [o[0], o[2], o[1]] for name, o in document["hexes"]["clockwise"].items()}
    mirror: Game = GAME.with_box({**document, "hexes": {**document["hexes"], "clockwise": clockwise}})
    finished, ids = decisions(seed)
    start = dealt(seed)
    position: Any = start.position()
    hexes = {}
    for site, laid_hex in position["hexes"].items():
        slots = [DISTRICTS[start.city.kinds[3 * "abcdef".index(site) + slot]] for slot in range(3)]
        wanted = [slots[1], slots[0], slots[2]]  # w and e exchanged
        order = clockwise[laid_hex["hex"]]
        rotation = next(k for k in range(3) if [order[(slot - k) % 3] for slot in range(3)] == wanted)
        hexes[MIRROR[site]] = {"hex": laid_hex["hex"], "rotation": rotation}
    tiles = {moved(line, MIRROR, MIRROR_CORNER): tile for line, tile in position["tiles"].items()}
    state = loaded({**position, "hexes": hexes, "tiles": tiles}, game=mirror)
    for id_ in ids:
        to = f"place:{moved(id_[6:], MIRROR, MIRROR_CORNER)}" if id_.startswith("place") else id_
        state.play(state.current_player, GAME.parse(state, state.current_player, to))
    assert finished.scores() == state.scores()
    assert markers(finished) == markers(state)


def test_the_symmetries_are_symmetries() -> None:
    """PP-I13: section 2.3: they map passageways onto passageways, each once, and back after three or two."""
    turned = [moved(line, TURN, TURN_CORNER) for line in PASSAGEWAYS]
    mirrored = [moved(line, MIRROR, MIRROR_CORNER) for line in PASSAGEWAYS]
    assert sorted(PASSAGEWAYS) == sorted(turned) == sorted(mirrored)
    assert list(PASSAGEWAYS) == [moved(line, MIRROR, MIRROR_CORNER) for line in mirrored]
    thrice = list(PASSAGEWAYS)
    for _ in range(3):
        thrice = [moved(line, TURN, TURN_CORNER) for line in thrice]
    assert list(PASSAGEWAYS) == thrice
