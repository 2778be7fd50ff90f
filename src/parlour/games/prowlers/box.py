"""The box of Prowler's Passage: what `box.toml` may hold, checked with sentences."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from parlour.kernel.box import Box, BoxError

DISTRICTS = ("banking", "political", "market", "residential", "castle")
LOOT = ("gold", "book", "jewels", "key")
"""LOOT[i] is the loot of DISTRICTS[i]; the castle has none."""
SHOVELS = ("golden_shovel", "double_shovel")
FACES = LOOT + SHOVELS
SLOTS = ("w", "e", "s")
CONDITIONS = ("statues", "tunnels", "surround", "loot", "control", "match", "mid_tunnel", "mid_control")

# fmt: off
PASSAGEWAYS = (
    "sp_a_n", "sp_a_se", "sp_a_sw",
    "sp_b_n", "sp_b_se", "sp_b_sw",
    "sp_c_n", "sp_c_se", "sp_c_sw",
    "sp_d_n", "sp_d_se", "sp_d_sw",
    "sp_e_n", "sp_e_se", "sp_e_sw",
    "sp_f_n", "sp_f_se", "sp_f_sw",
    "sh_ab", "sh_bc", "sh_ad",
    "sh_bd", "sh_be", "sh_ce",
    "sh_de", "sh_df", "sh_ef",
)
# fmt: on
"""The passageways in the order of their actions. Records hold these numbers: the list never changes."""

Natural = Annotated[int, Meta(ge=0, le=1000)]
Positive = Annotated[int, Meta(ge=1, le=1000)]
Loot = Literal["gold", "book", "jewels", "key"]
Face = Literal["gold", "book", "jewels", "key", "golden_shovel", "double_shovel"]
DistrictType = Literal["banking", "political", "market", "residential", "castle"]


class Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Any table of the box: it may say where its data come from."""

    provenance: str = ""


class Turns(Part, frozen=True):
    """PP-07, PP-39: reserves, and what starts the mid-game scoring."""

    passages: Positive
    mid_statues: Positive
    mid_reserve: Natural


class Scoring(Part, frozen=True):
    """PP-44…PP-46."""

    per_passage: Natural
    per_statue: Natural
    loot_table: tuple[Natural, ...]


class Banking(Part, frozen=True):
    """PP-48."""

    loot: Literal["gold"]
    colour: str
    per_loot: Natural
    bonus: Natural


class Political(Part, frozen=True):
    """PP-48."""

    loot: Literal["book"]
    colour: str
    per_loot: Natural
    per_control: Natural


class Market(Part, frozen=True):
    """PP-49."""

    loot: Literal["jewels"]
    colour: str
    per_loot: Natural
    per_card: Natural
    per_statue: Natural
    per_space: Natural


class Residential(Part, frozen=True):
    """PP-50."""

    loot: Literal["key"]
    colour: str
    per_loot: Natural
    from_passage: Positive
    per_passage: Natural


class Castle(Part, frozen=True):
    """PP-51."""

    colour: str
    per_pair: Natural
    per_shovel: Natural


class Districts(Part, frozen=True):
    """The rewards, by district type."""

    banking: Banking
    political: Political
    market: Market
    residential: Residential
    castle: Castle


class Site(Part, frozen=True):
    """Where a hex lies: its centre, in half widths and half sides."""

    column: int
    row: int
    name: str


class Vertex(Part, frozen=True):
    """Where passageways end."""

    kind: Literal["hub", "platform", "hex_centre", "notch", "tip"]
    column: int
    row: int
    name: str
    statue: bool = False


class Passageway(Part, frozen=True):
    """A line of the board: its two ends, and the districts on its two sides."""

    ends: tuple[str, str]
    sides: tuple[str, str]
    name: str


class Board(Part, frozen=True):
    """The board before any hex is laid."""

    sites: dict[str, Site]
    vertices: dict[str, Vertex]
    passageways: dict[str, Passageway]


class Hexes(Part, frozen=True):
    """The district hexes: types clockwise, slots w, e, s when not turned."""

    clockwise: dict[str, tuple[DistrictType, DistrictType, DistrictType]]


class Tiles(Part, frozen=True):
    """The object tiles: sides A and B."""

    faces: dict[str, tuple[Face, Face]]


class Card(Part, frozen=True):
    """An achievement card: so many (`how_many`) of something, each of a certain size (`at_least`)."""

    condition: Literal["statues", "tunnels", "surround", "loot", "control", "match", "mid_tunnel", "mid_control"]
    wealth: Natural
    title: str
    how_many: Positive = 1
    at_least: Positive = 1


class Achievements(Part, frozen=True):
    """The cards, and how many are laid out in a game."""

    drawn: Natural
    cards: dict[str, Card]


class LaidHex(Part, frozen=True):
    """A hex on a site."""

    hex: str
    rotation: Annotated[int, Meta(ge=0, le=2)]


class LaidTile(Part, frozen=True):
    """A tile on a passageway."""

    tile: str
    face: Face


class Reference(Part, frozen=True):
    """A set-up to speak about (R1)."""

    hexes: dict[str, LaidHex]
    tiles: dict[str, LaidTile]
    cards: tuple[str, ...]


class Track(Part, frozen=True):
    """How the control track is drawn, in hex sides."""

    column: int
    first_lane: float
    lane_gap: float
    space: float


class Spec(Part, frozen=True):
    """The whole box."""

    turns: Turns
    scoring: Scoring
    districts: Districts
    board: Board
    hexes: Hexes
    tiles: Tiles
    achievements: Achievements
    reference: Reference
    track: Track


def check(spec: Spec) -> None:
    """Everything the rules rely on. Raises BoxError with the key and a sentence."""
    _check_board(spec.board)
    _check_turns(spec)
    _check_loot_table(spec.scoring.loot_table)
    _check_hexes(spec)
    _check_tiles(spec)
    _check_cards(spec)
    check_layout(spec, spec.reference)


def _check_board(board: Board) -> None:
    if tuple(board.passageways) != PASSAGEWAYS:
        raise BoxError("board.passageways", "the 27 passageways must stand in their published order; records use it.")
    if not 1 <= len(board.vertices) <= 60:
        raise BoxError("board.vertices", f"there can be 1 to 60 vertices, not {len(board.vertices)}.")
    slots = {f"{site}_{slot}" for site in board.sites for slot in SLOTS}
    for name, line in board.passageways.items():
        for end in line.ends:
            if end not in board.vertices:
                raise BoxError(f"board.passageways.{name}.ends", f"there is no vertex “{end}”.")
        if line.ends[0] == line.ends[1]:
            raise BoxError(f"board.passageways.{name}.ends", "a passageway ends in two different vertices.")
        for side in line.sides:
            if side not in slots:
                raise BoxError(f"board.passageways.{name}.sides", f"there is no district “{side}”.")
        if line.sides[0] == line.sides[1]:
            raise BoxError(f"board.passageways.{name}.sides", "a passageway has a different district on each side.")
    used = {end for line in board.passageways.values() for end in line.ends}
    for name, vertex in board.vertices.items():
        if vertex.statue and name not in used:
            raise BoxError(f"board.vertices.{name}.statue", "a statue needs a passageway that ends at it.")


def _check_turns(spec: Spec) -> None:
    turns = spec.turns
    if 2 * turns.passages > len(spec.board.passageways):
        most = len(spec.board.passageways) // 2
        raise BoxError("turns.passages", f"there is room for at most {most} passages each, not {turns.passages}.")
    if turns.mid_reserve >= turns.passages:
        raise BoxError(
            "turns.mid_reserve", f"the mid-game reserve must be below the {turns.passages} passages one begins with."
        )


def _check_loot_table(table: tuple[int, ...]) -> None:
    if not table or table[0] != 0:
        raise BoxError("scoring.loot_table", "the table begins with the Wealth for no tile, which is 0.")
    for n in range(1, len(table)):
        if table[n] < table[n - 1]:
            raise BoxError("scoring.loot_table", f"{n} tiles cannot be worth less than {n - 1}.")


def _check_hexes(spec: Spec) -> None:
    sites, hexes = len(spec.board.sites), spec.hexes.clockwise
    if not sites <= len(hexes) <= 60:
        raise BoxError("hexes.clockwise", f"there must be {sites} to 60 hexes, not {len(hexes)}.")
    for name, types in hexes.items():
        if len(set(types)) != len(types):
            raise BoxError(f"hexes.clockwise.{name}", "the three districts of a hex are of different types (PP-R02).")


def _check_tiles(spec: Spec) -> None:
    lines, tiles = len(spec.board.passageways), spec.tiles.faces
    if len(tiles) != lines:
        raise BoxError("tiles.faces", f"there must be one tile for each of the {lines} passageways, not {len(tiles)}.")
    for name, faces in tiles.items():
        if (faces[0] in LOOT) != (faces[1] in LOOT):
            raise BoxError(f"tiles.faces.{name}", "a tile shows loot on both sides or shovels on both.")


def _check_cards(spec: Spec) -> None:
    drawn, cards = spec.achievements.drawn, spec.achievements.cards
    if not drawn <= len(cards) <= 60:
        raise BoxError("achievements.cards", f"there must be {drawn} to 60 cards, not {len(cards)}.")
    statues = sum(vertex.statue for vertex in spec.board.vertices.values())
    most = {
        "statues": statues,
        "tunnels": spec.turns.passages,
        "surround": 9,
        "loot": len(LOOT),
        "control": len(DISTRICTS),
        "match": len(LOOT),
    }
    for name, card in cards.items():
        if card.how_many > most.get(card.condition, 1):
            raise BoxError(
                f"achievements.cards.{name}.how_many",
                f"nobody can have {card.how_many}; the most for “{card.condition}” is {most.get(card.condition, 1)}.",
            )
        if card.at_least > 1 and card.condition not in {"tunnels", "loot", "control", "match"}:
            raise BoxError(f"achievements.cards.{name}.at_least", f"“{card.condition}” knows no size.")


def check_layout(spec: Spec, layout: Reference) -> None:
    """PP-02…PP-04, PP-06: a set-up as the rules allow it. Raises BoxError with the key and a sentence."""
    if list(layout.hexes) != list(spec.board.sites):
        raise BoxError("reference.hexes", f"there must be a hex on each of the sites {', '.join(spec.board.sites)}.")
    for site, laid in layout.hexes.items():
        if laid.hex not in spec.hexes.clockwise:
            raise BoxError(f"reference.hexes.{site}.hex", f"there is no hex “{laid.hex}”.")
    _check_once("reference.hexes", [laid.hex for laid in layout.hexes.values()])
    if list(layout.tiles) != list(spec.board.passageways):
        raise BoxError("reference.tiles", "there must be a tile on each passageway, in their published order.")
    for line, lying in layout.tiles.items():
        if lying.face not in spec.tiles.faces.get(lying.tile, ()):
            raise BoxError(f"reference.tiles.{line}", f"there is no tile “{lying.tile}” with a side “{lying.face}”.")
    _check_once("reference.tiles", [lying.tile for lying in layout.tiles.values()])
    for card in layout.cards:
        if card not in spec.achievements.cards:
            raise BoxError("reference.cards", f"there is no card “{card}”.")
    _check_once("reference.cards", list(layout.cards))
    if len(layout.cards) != spec.achievements.drawn:
        raise BoxError("reference.cards", f"{spec.achievements.drawn} cards are laid out, not {len(layout.cards)}.")


def _check_once(key: str, ids: list[str]) -> None:
    name, times = Counter(ids).most_common(1)[0] if ids else ("", 1)
    if times > 1:
        raise BoxError(key, f"“{name}” is there {times} times; it can be there once.")


BOX: Box[Spec] = Box.load(Path(__file__).parent / "box.toml", Spec, check)
