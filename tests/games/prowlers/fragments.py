"""Positions of Prowler's Passage for tests: the reference set-up R1, games played in words, and whole positions built
around a fragment, so that every invariant holds of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from parlour.games.prowlers import GAME
from parlour.games.prowlers.box import BOX, DISTRICTS, FACES, LOOT, PASSAGEWAYS
from parlour.games.prowlers.city import City
from parlour.games.prowlers.rules import ProwlersState
from parlour.games.prowlers.tables import Tables, tables_for
from parlour.games.prowlers.track import space
from parlour.kernel import Event, Game

TABLES: Tables = tables_for(GAME)
DEFAULT_CARDS = ("statues_2", "tunnel_6", "loot_4")
STATUE_LINES = {
    "hub": {"sp_b_n", "sp_d_se", "sp_e_sw", "sh_bd", "sh_be", "sh_de"},
    "plat_abd": {"sh_ab", "sh_ad", "sh_bd"},
    "plat_bce": {"sh_bc", "sh_be", "sh_ce"},
    "plat_def": {"sh_de", "sh_df", "sh_ef"},
}
"""Section 2.7, copied by hand."""

# Section 2.11, copied by hand: face and the two types of each passageway in R1.
R1_FACES = {
    "sp_a_n": "key",
    "sp_a_se": "key",
    "sp_a_sw": "jewels",
    "sp_b_n": "gold",
    "sp_b_se": "book",
    "sp_b_sw": "gold",
    "sp_c_n": "key",
    "sp_c_se": "key",
    "sp_c_sw": "jewels",
    "sp_d_n": "key",
    "sp_d_se": "jewels",
    "sp_d_sw": "jewels",
    "sp_e_n": "golden_shovel",
    "sp_e_se": "book",
    "sp_e_sw": "book",
    "sp_f_n": "book",
    "sp_f_se": "gold",
    "sp_f_sw": "double_shovel",
    "sh_ab": "golden_shovel",
    "sh_bc": "double_shovel",
    "sh_ad": "double_shovel",
    "sh_bd": "gold",
    "sh_be": "gold",
    "sh_ce": "book",
    "sh_de": "jewels",
    "sh_df": "book",
    "sh_ef": "book",
}


def listed(text: str) -> list[str]:
    """The words of a text, to write many ids in little room."""
    return text.split()


RING_12 = listed("sp_b_sw sh_ab sh_ad sp_d_sw sp_d_n sh_df sh_ef sp_e_n sp_e_se sh_ce sh_bc sp_b_se")
"""The twelve passageways of the ring around the hub, in its order (section 2.3)."""


def loaded(
    position: Mapping[str, Any], options: Mapping[str, object] | None = None, game: Game = GAME
) -> ProwlersState:
    """A position through the front door, every invariant checked."""
    state = game.load({"game": "prowlers", "players": 2, "options": dict(options or {}), "position": position})
    assert isinstance(state, ProwlersState)
    return state


def dealt(seed: int, **options: object) -> ProwlersState:
    """A new game."""
    state = GAME.new_game(seed=seed, options=options)
    assert isinstance(state, ProwlersState)
    return state


def r1(cards: Sequence[str] = DEFAULT_CARDS, bonus: str = "decline", **options: object) -> ProwlersState:
    """R1 before turn 1, first being player 0, the bonus settled."""
    state = loaded({"cards": dict.fromkeys(cards), "awaiting": "bonus_move"}, options)
    return play(state, f"bonus:{bonus}")


def play(state: ProwlersState, *ids: str) -> ProwlersState:
    """Play these actions, each by whoever has to act, checked."""
    for id_ in ids:
        player = state.current_player
        state.play(player, GAME.parse(state, player, id_))
    return state


def turns(state: ProwlersState, *moves: str) -> ProwlersState:
    """Play whole turns, a passageway each; `line+market` uses a golden shovel on the market."""
    for move in moves:
        line, _, pulled = move.partition("+")
        play(state, f"place:{line}", *([f"golden:{pulled}"] if pulled else []))
    return state


def alternately(state: ProwlersState, first: Iterable[str], second: Iterable[str]) -> ProwlersState:
    """Play these lines in turn. A golden shovel pulls whatever marker it can, the first in the box's order."""
    lines = [line for pair in zip(first, second, strict=False) for line in pair]
    for line in lines:
        play(state, f"place:{line}")
        settle(state)
    return state


def settle(state: ProwlersState) -> ProwlersState:
    """Use a golden shovel that waits, on the first marker that it can pull."""
    player = state.current_player
    if state.decision(player) == "golden":
        state.play(player, state.legal_actions(player)[0])
    return state


def others(*taken: Iterable[str]) -> list[str]:
    """The passageways not among these, in order."""
    gone = {line for lines in taken for line in lines}
    return [line for line in PASSAGEWAYS if line not in gone]


def markers(state: ProwlersState) -> tuple[int, ...]:
    """The markers as the contract writes them: (b, p, m, r, c), positive on first's side."""
    return tuple(int(space(state.markers, kind)) for kind in range(5))


def happened(state: ProwlersState, *ids: str) -> list[Event]:
    """What these actions made happen."""
    state.events = []
    play(state, *ids)
    events = state.events
    state.events = None
    return events


def holdings(state: ProwlersState, player: int) -> dict[str, Any]:
    """What the view says of a player."""
    players: Any = state.view(None)["players"]
    found: dict[str, Any] = players[player]
    return found


def card(state: ProwlersState, id_: str) -> dict[str, Any]:
    """What the view says of a card."""
    cards: Any = state.view(None)["cards"]
    found: dict[str, Any] = next(one for one in cards if one["id"] == id_)
    return found


def spaces(*values: int) -> dict[str, int]:
    """Markers for a position, from (b, p, m, r, c)."""
    return dict(zip(DISTRICTS, values, strict=True))


def lines_set(lines: Iterable[str]) -> int:
    """Passageways as the rules' bit set."""
    return sum(1 << PASSAGEWAYS.index(line) for line in lines)


def built(
    first: Sequence[str],
    second: Sequence[str] | None = None,
    at: Sequence[int] | None = None,
    options: Mapping[str, object] | None = None,
    **given: Any,
) -> ProwlersState:
    """A whole position around a fragment, loaded and so checked.

    `second` defaults to as many of the remaining passageways, in order. What the fragment leaves open is filled in so
    that the invariants hold: statues that must be gone are second's, a mid-game sheet that must be there is a plain
    one, and the steps lost account for where the markers stand (`at`, as (b, p, m, r, c), default all in the centre).
    """
    rest = others(first)
    mine, theirs = list(first), list(rest[: len(first)] if second is None else second)
    taken = {*mine, *theirs}
    position: dict[str, Any] = {"passages": {"first": mine, "second": theirs}, **given}
    statues = {name: "second" for name, lines in STATUE_LINES.items() if lines <= taken}
    position["statues"] = {**statues, **given.get("statues", {})}
    at = (0, 0, 0, 0, 0) if at is None else at
    position["markers"] = spaces(*at)
    faces = {line: lying["face"] for line, lying in given["tiles"].items()} if "tiles" in given else R1_FACES
    worth = {"golden_shovel": 3, "double_shovel": 4}
    steps = sum(worth.get(faces[line], 2) for line in mine) - sum(worth.get(faces[line], 2) for line in theirs)
    missing = sum(at) - steps + (1 if given.get("bonus") == "used" else 0)
    if "lost" not in given:
        position["lost"] = {"first": max(0, -missing), "second": max(0, missing)}
    laid = len(taken)
    if "mid" not in given and (len(statues) >= 2 or laid >= 16):
        plain = {"tunnel": 2}
        position["mid"] = {"turn": min(laid, 16), "first": plain, "second": plain}
    return loaded(position, options)


def city_with(gold: int = 0, book: int = 0, jewels: int = 0, key: int = 0, shovels: int = 0) -> tuple[City, int]:
    """A city, and a set of passageways in it that holds exactly these tiles.

    The two-faced tiles lie so that the asked-for loots are there: more of a loot than it has plain tiles uses them.
    """
    wanted = dict(zip(LOOT, (gold, book, jewels, key), strict=True))
    short = {loot: number - 4 for loot, number in wanted.items()}
    faces: list[tuple[int, int, str]] = []
    for tile, sides in enumerate(BOX.spec.tiles.faces.values()):
        side = 1 if short.get(sides[1], 0) > short.get(sides[0], 0) else 0
        short[sides[side]] = short.get(sides[side], 0) - (sides[0] != sides[1])
        faces.append((tile, side, sides[side]))
    city = City(
        TABLES,
        list(range(6)),
        [0] * 6,
        [tile for tile, _, _ in faces],
        [side for _, side, _ in faces],
        [0, 1, 2],
        0,
        8,
        True,
    )
    held = 0
    for loot, number in wanted.items():
        lying = [line for line, (_, _, face) in enumerate(faces) if face == loot]
        assert len(lying) >= number, f"no {number} of {loot} here"
        held |= sum(1 << line for line in lying[:number])
    lying = [line for line, (_, _, face) in enumerate(faces) if face in FACES[4:]]
    return city, held | sum(1 << line for line in lying[:shovels])
