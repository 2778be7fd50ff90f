"""The board as it is drawn: hexes, districts, passageways and statues with their places.

Lengths are in hex sides, y grows downward as in SVG; the control track lies below.
"""

from __future__ import annotations

import math
from functools import lru_cache
from typing import NamedTuple

from parlour.games.prowlers.actions import DISTRICT_NAMES, FACE_NAMES
from parlour.games.prowlers.box import DISTRICTS, FACES, SLOTS
from parlour.games.prowlers.city import City
from parlour.games.prowlers.rules import ProwlersState
from parlour.games.prowlers.shapes import BoardView, DistrictView, EdgeView, Point, SiteView, StatueView, VertexView
from parlour.games.prowlers.tables import Tables
from parlour.games.prowlers.track import FIRST, SECOND
from parlour.kernel.sets import count, has

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


class Ground(NamedTuple):
    """What never changes during a game, and was half of what a view cost: where everything lies, and the names."""

    left: float
    top: float
    width: float
    height: float
    sites: list[SiteView]
    districts: list[DistrictView]
    vertices: list[VertexView]
    lines: list[Line]
    edges: dict[tuple[int, int | None, bool, bool], EdgeView]
    """Edges drawn before: by number, owner, whether it is the last one dug, and whether in a longest Tunnel."""


class Line(NamedTuple):
    """A passageway's place and names."""

    id: str
    name: str
    between: str
    start: Point
    end: Point
    middle: Point
    ends: tuple[str, str]
    sides: tuple[str, str]
    types: tuple[str, str]
    tile: str
    face: str


def board_view(state: ProwlersState, walks: list[list[int]]) -> BoardView:
    ground = _ground(state.city)
    longest = {line for walk in walks for line in walk}
    return BoardView(
        left=ground.left,
        top=ground.top,
        width=ground.width,
        height=ground.height,
        sites=ground.sites,
        districts=ground.districts,
        vertices=ground.vertices,
        edges=[_edge(state, ground, number, number in longest) for number in range(len(ground.lines))],
        statues=[_statue(state, i) for i in range(len(state.city.tables.statue_ids))],
    )


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
    ends: list[tuple[Point, Point, Point]]
    """Of each passageway its start, its end and its middle."""


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
    return Plan(
        left=left,
        top=top,
        width=round(max(x for x, _ in points) - left, 4),
        height=round(max(y for _, y in points) - top, 4),
        sites=sites,
        vertices=[
            VertexView(name, vertex.kind, vertex.name, *_point(vertex.column, vertex.row))
            for name, vertex in board.vertices.items()
        ],
        ends=ends,
    )


@lru_cache(maxsize=1024)  # a city belongs to one game, and all its positions share it
def _ground(city: City) -> Ground:
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
    return Ground(
        left=plan.left,
        top=plan.top,
        width=plan.width,
        height=plan.height,
        sites=sites,
        districts=districts,
        vertices=plan.vertices,
        lines=[_line(city, line, ends) for line, ends in enumerate(plan.ends)],
        edges={},
    )


def _line(city: City, line: int, ends: tuple[Point, Point, Point]) -> Line:
    name = city.tables.passageway_ids[line]
    passageway = city.tables.spec.board.passageways[name]
    types = (DISTRICTS[city.kind_1[line]], DISTRICTS[city.kind_2[line]])
    first, second = DISTRICT_NAMES[types[0]], DISTRICT_NAMES[types[1]]
    between = f"beside {first} twice" if first == second else f"between {first} and {second}"
    tile, face = city.tables.tile_ids[city.tiles[line]], FACES[city.faces[line]]
    start, end, middle = ends
    return Line(
        name, passageway.name, between, start, end, middle, passageway.ends, passageway.sides, types, tile, face
    )


def _middle(points: list[Point]) -> Point:
    return (round(sum(x for x, _ in points) / len(points), 4), round(sum(y for _, y in points) / len(points), 4))


def _edge(state: ProwlersState, ground: Ground, number: int, in_longest: bool) -> EdgeView:
    owner = holder_in(state, state.passages_first, state.passages_second, number)
    last = state.last == number
    known = ground.edges.get((number, owner, last, in_longest))
    if known is not None:
        return known
    line = ground.lines[number]
    made = ground.edges[number, owner, last, in_longest] = EdgeView(
        id=line.id,
        name=line.name,
        label=f"{line.between}, {FACE_NAMES[line.face]}" if owner is None else line.between,
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
        last=last,
        in_longest=in_longest,
    )
    return made


def _statue(state: ProwlersState, statue: int) -> StatueView:
    tables = state.city.tables
    name = tables.statue_ids[statue]
    vertex = tables.spec.board.vertices[name]
    lines = tables.statue_lines[statue]
    return StatueView(
        name,
        vertex.name,
        *_point(vertex.column, vertex.row),
        holder=holder_in(state, state.statues_first, state.statues_second, statue),
        filled=count(lines & (state.passages_first | state.passages_second)),
        need=count(lines),
    )


def holder_in(state: ProwlersState, first: int, second: int, member: int) -> int | None:
    if has(first, member):
        return state.player_in(FIRST)
    return state.player_in(SECOND) if has(second, member) else None
