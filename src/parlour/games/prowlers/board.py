"""The board as it is drawn: hexes, districts, passageways and statues with their places.

Lengths are in hex sides, y grows downward as in SVG; the control track lies below.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple, final

from mypy_extensions import i64

from parlour.games.prowlers.actions import DISTRICT_NAMES, FACE_NAMES
from parlour.games.prowlers.box import DISTRICTS, FACES, SLOTS
from parlour.games.prowlers.city import City
from parlour.games.prowlers.rules import ProwlersState
from parlour.games.prowlers.shapes import BoardView, DistrictView, EdgeView, Point, SiteView, StatueView, VertexView
from parlour.games.prowlers.tables import Tables
from parlour.games.prowlers.track import FIRST, SECOND
from parlour.kernel.sets import bit, count, has, members

COLUMN = math.sqrt(3) / 2
ROW = 0.5
CORNERS = {
    "n": (0, 2),
    "ne": (1, 1),
    "se": (1, -1),
    "s": (0, -2),
    "sw": (-1, -1),
    "nw": (-1, 1),
}
"""The corners of a hex from its centre, in columns and rows."""
RHOMBI = {"w": ("n", "nw", "sw"), "e": ("n", "ne", "se"), "s": ("se", "s", "sw")}
"""The corners of each district beside the centre of its hex."""


def _point(column: float, row: float) -> Point:
    return (round(column * COLUMN, 4), round(-row * ROW, 4) + 0.0)


class Site(NamedTuple):
    """A place for a hex, and its three districts: what does not depend on what lies there."""

    id: str
    name: str
    x: float
    y: float
    corners: list[Point]
    slots: list[tuple[str, str, Point, list[Point]]]
    """Of each district its id, its slot, its middle and its polygon."""


class Plan(NamedTuple):
    """Where everything lies on a board, whatever is dealt."""

    left: float
    top: float
    width: float
    height: float
    sites: list[Site]
    vertices: list[VertexView]
    statues: list[VertexView]
    ends: list[tuple[Point, Point, Point]]
    """Of each passageway its start, its end and its middle."""


class Line(NamedTuple):
    """A passageway's place and names: what an EdgeView begins with, the label of a free one, and of a taken one."""

    id: str
    name: str
    free: str
    taken: str
    start: Point
    end: Point
    middle: Point
    ends: tuple[str, str]
    sides: tuple[str, str]
    types: tuple[str, str]
    tile: str
    face: str


@final
class Ground:
    """What never changes during a game, and was half of what a view cost: where everything lies, and the names.

    Beside it stands the board as it was drawn last. The next one is drawn from there, whichever position it is of: what
    looks the same is the same object, so it costs neither time here nor in finding what changed.
    """

    def __init__(self, plan: Plan, sites: list[SiteView], districts: list[DistrictView], lines: list[Line]) -> None:
        self.plan = plan
        self.sites = sites
        self.districts = districts
        self.lines = lines
        self.first: i64 = 0
        self.second: i64 = 0
        """The passages on the board, of each seat, as it was drawn last."""
        self.statues_first: i64 = 0
        self.statues_second: i64 = 0
        self.longest: i64 = 0
        """The passageways that were marked as part of a longest Tunnel."""
        self.last: i64 = 0
        """The passageway that was marked as the last one dug, as a set."""
        self.board: BoardView | None = None


def board_view(state: ProwlersState, ground: Ground, longest: i64) -> BoardView:
    """The board, with the passageways marked that are part of a longest Tunnel."""
    last: i64 = bit(state.last) if state.last >= 0 else 0
    before = ground.board
    dug: i64 = (ground.first ^ state.passages_first) | (ground.second ^ state.passages_second)
    taken: i64 = (ground.statues_first ^ state.statues_first) | (ground.statues_second ^ state.statues_second)
    edges: i64 = dug | (ground.longest ^ longest) | (ground.last ^ last)
    if before is None:
        edges = state.city.tables.everywhere
    elif edges == 0 and taken == 0:
        return before
    ground.board = None  # nothing of it holds while the next one is being drawn
    ground.first, ground.second = state.passages_first, state.passages_second
    ground.statues_first, ground.statues_second = state.statues_first, state.statues_second
    ground.longest, ground.last = longest, last
    plan = ground.plan
    ground.board = made = BoardView(
        plan.left,
        plan.top,
        plan.width,
        plan.height,
        ground.sites,
        ground.districts,
        plan.vertices,
        _edges(state, ground, edges, [] if before is None else before.edges),
        _statues(state, plan, dug, taken, None if before is None else before.statues),
    )
    return made


def _edges(state: ProwlersState, ground: Ground, changed: i64, before: list[EdgeView]) -> list[EdgeView]:
    edges = before.copy()
    for number in members(changed):
        made = _edge(state, ground, number)
        if number < len(edges):
            edges[number] = made
        else:
            edges.append(made)  # the first time, all of them in their order
    return edges


def _edge(state: ProwlersState, ground: Ground, number: i64) -> EdgeView:
    line = ground.lines[number]
    owner = holder_in(state, state.passages_first, state.passages_second, number)
    return EdgeView(
        id=line.id,
        name=line.name,
        label=line.free if owner is None else line.taken,
        x1=line.start[0],
        y1=line.start[1],
        x2=line.end[0],
        y2=line.end[1],
        x=line.middle[0],
        y=line.middle[1],
        ends=line.ends,
        districts=line.sides,
        types=line.types,
        tile=line.tile,
        face=line.face,
        owner=owner,
        last=has(ground.last, number),
        in_longest=has(ground.longest, number),
    )


def _statues(
    state: ProwlersState, plan: Plan, dug: i64, taken: i64, before: list[StatueView] | None
) -> list[StatueView]:
    """The statues; those that were not taken, and beside which nobody has dug, are as before."""
    lines = state.city.tables.statue_lines
    passages: i64 = state.passages_first | state.passages_second
    statues: list[StatueView] = []
    for i in range(len(lines)):
        around: i64 = lines[i]
        if before is not None and around & dug == 0 and not has(taken, i):
            statues.append(before[i])
            continue
        vertex = plan.statues[i]
        holder = holder_in(state, state.statues_first, state.statues_second, i)
        filled, need = int(count(around & passages)), int(count(around))
        statues.append(StatueView(vertex.id, vertex.name, vertex.x, vertex.y, holder, filled, need))
    return statues


@lru_cache(maxsize=8)
def _plan(tables: Tables) -> Plan:
    board = tables.spec.board
    sites: list[Site] = []
    points: list[Point] = []
    for name, site in board.sites.items():
        x, y = _point(site.column, site.row)
        corner = {key: _point(site.column + c, site.row + r) for key, (c, r) in CORNERS.items()}
        points += corner.values()
        slots = []
        for slot in SLOTS:
            polygon = [(x, y), *(corner[key] for key in RHOMBI[slot])]
            slots.append((f"{name}_{slot}", slot, _middle(polygon), polygon))
        sites.append(Site(name, site.name, x, y, list(corner.values()), slots))
    left, top = min(x for x, _ in points), min(y for _, y in points)
    ends = []
    for passageway in board.passageways.values():
        start, end = (_point(board.vertices[one].column, board.vertices[one].row) for one in passageway.ends)
        ends.append((start, end, _middle([start, end])))
    vertices = {
        name: VertexView(name, vertex.kind, vertex.name, *_point(vertex.column, vertex.row))
        for name, vertex in board.vertices.items()
    }
    return Plan(
        left=left,
        top=top,
        width=round(max(x for x, _ in points) - left, 4),
        height=round(max(y for _, y in points) - top, 4),
        sites=sites,
        vertices=list(vertices.values()),
        statues=[vertices[name] for name in tables.statue_ids],
        ends=ends,
    )


def ground_of(city: City) -> Ground:
    """The ground of a city, on which nothing has been drawn yet."""
    plan = _plan(city.tables)
    sites, districts = [], []
    for i, site in enumerate(plan.sites):
        hex_id = city.tables.hex_ids[city.hexes[i]]
        sites.append(SiteView(site.id, site.name, hex_id, city.rotations[i], site.x, site.y, site.corners))
        for j, (name, slot, middle, polygon) in enumerate(site.slots):
            kind = DISTRICTS[city.kinds[len(SLOTS) * i + j]]
            districts.append(
                DistrictView(name, site.id, slot, kind, DISTRICT_NAMES[kind], middle[0], middle[1], polygon)
            )
    return Ground(plan, sites, districts, [_line(city, line, ends) for line, ends in enumerate(plan.ends)])


def _line(city: City, line: int, ends: tuple[Point, Point, Point]) -> Line:
    name = city.tables.passageway_ids[line]
    passageway = city.tables.spec.board.passageways[name]
    types = (DISTRICTS[city.kind_1[line]], DISTRICTS[city.kind_2[line]])
    first, second = DISTRICT_NAMES[types[0]], DISTRICT_NAMES[types[1]]
    between = f"beside {first} twice" if first == second else f"between {first} and {second}"
    tile, face = city.tables.tile_ids[city.tiles[line]], FACES[city.faces[line]]
    free = f"{between}, {FACE_NAMES[face]}"
    return Line(name, passageway.name, free, between, *ends, passageway.ends, passageway.sides, types, tile, face)


def _middle(points: list[Point]) -> Point:
    return (round(sum(x for x, _ in points) / len(points), 4), round(sum(y for _, y in points) / len(points), 4))


def holder_in(state: ProwlersState, first: int, second: int, member: int) -> int | None:
    if has(first, member):
        return state.player_in(FIRST)
    return state.player_in(SECOND) if has(second, member) else None
