"""What the view of a table is made of. Not compiled: msgspec makes these classes.

A table keeps hundreds of the small ones, which hold nothing that could hold them: the garbage collector need not look.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

Point = tuple[float, float]


class SiteView(Struct, gc=False):
    """A laid hex."""

    id: str
    name: str
    hex: str
    rotation: int
    x: float
    y: float
    corners: list[Point]


class DistrictView(Struct, gc=False):
    """One rhombus of a hex. `x`, `y` is its middle."""

    id: str
    site: str
    slot: str
    type: str
    name: str
    x: float
    y: float
    polygon: list[Point]


class EdgeView(Struct, gc=False):
    """A passageway. `x`, `y` is its middle."""

    id: str
    name: str
    """Where it is, in words."""
    label: str
    """What it is, in words: between which districts, with what on it."""
    x1: float
    y1: float
    x2: float
    y2: float
    x: float
    y: float
    ends: tuple[str, str]
    districts: tuple[str, str]
    types: tuple[str, str]
    tile: str
    face: str
    """The face that is up, or was up when the tile was taken."""
    owner: int | None
    """Whose passage lies there; None while the tile does."""
    last: bool
    in_longest: bool
    """Whether it is part of its owner's longest Tunnel (of one of them, if there are several)."""


class VertexView(Struct, gc=False):
    """Where passageways end."""

    id: str
    kind: str
    name: str
    x: float
    y: float


class StatueView(Struct, gc=False):
    """A statue: `holder` is None while it stands on its vertex. `filled` of `need` passageways are taken."""

    id: str
    name: str
    x: float
    y: float
    holder: int | None
    filled: int
    need: int


class BoardView(Struct):
    """The city."""

    left: float
    top: float
    width: float
    height: float
    sites: list[SiteView]
    districts: list[DistrictView]
    vertices: list[VertexView]
    edges: list[EdgeView]
    statues: list[StatueView]


class LaneView(Struct, gc=False):
    """A marker on its lane. `space` is positive on the first player's side; `holder` controls the type."""

    district: str
    name: str
    space: int
    value: int
    holder: int | None
    x: float
    y: float


class TrackView(Struct):
    """The control track: spaces from `half_length` at the left (the first player's end) to -`half_length`."""

    half_length: int
    centre: float
    step: float
    lanes: list[LaneView]


class ProgressView(Struct, gc=False):
    """How near a player is to a card. `need` is 0 for a card that is decided by comparison at mid-game."""

    have: int
    need: int
    met: bool


class CardView(Struct):
    """An achievement card of this game."""

    id: str
    title: str
    condition: str
    how_many: int
    """Of what `condition` names, each of `at_least`: what the card's picture shows."""
    at_least: int
    wealth: int
    checked: Literal["turn", "mid"]
    holder: int | None
    lapsed: bool
    """Whether nobody can gain it any more: a mid-game card that was tied."""
    progress: list[ProgressView]
    """By player; for a held card as things stand now."""


class SheetView(Struct, gc=False):
    """A score sheet; None for a district not held."""

    tunnel: int
    statues: int
    loot: int
    banking: int | None
    political: int | None
    market: int | None
    residential: int | None
    castle: int | None
    districts: int
    achievements: int
    total: int
    longest: int


class PlayerView(Struct):
    """A player's things."""

    player: int
    seat: Literal["first", "second"]
    to_act: bool
    reserve: int
    placed: int
    loot: dict[str, int]
    shovels: int
    golden_shovels: int
    double_shovels: int
    longest: int
    longest_walk: list[str]
    """The passageways of a longest Tunnel, in the order of the walk."""
    groups: list[tuple[int, int]]
    """Groups of joined passages: (passages, longest Tunnel in it), largest first."""
    statues: list[str]
    cards: list[str]
    controls: list[str]
    mid: SheetView | None
    end: SheetView | None
    now: SheetView
    """What the next scoring phase would give if it came now; the end-of-game sheet once the game is over."""
    banked: int
    """Wealth from the phases that have taken place."""
    outlook: int
    """Banked Wealth and `now` together; the final total once the game is over."""


class ResultView(Struct):
    """How it ended, by player."""

    totals: list[int]
    winner: int | None
    reason: str


class ProwlersView(Struct):
    """The whole table."""

    you: int | None
    """The player looking; None for a spectator."""
    turn: int
    turns: int
    awaiting: str
    to_act: int | None
    first: int
    """The player in the seat `first`."""
    phase: Literal["before_mid_game", "after_mid_game", "over"]
    mid_turn: int | None
    """The turn after which the mid-game scoring took place."""
    board: BoardView
    track: TrackView
    cards: list[CardView]
    players: list[PlayerView]
    last: str | None
    result: ResultView | None
    unused_hexes: list[str]
    options: dict[str, int | bool]
