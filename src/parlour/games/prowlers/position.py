"""A position in readable form: what `to_dict()["position"]` holds and what `games.load` takes back.

Every part may be left out. The set-up is then the reference one of box.toml, the seats are players 0 and 1, the free
pull was declined, nothing was lost at the end of the track, and whatever follows from the rest is worked out. What does
not follow (who took a statue that is gone, what a golden shovel pulled) has to be said.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Literal

import msgspec
from msgspec import UNSET, Struct, UnsetType

from parlour.games.prowlers.box import DISTRICTS, FACES, Face, Spec
from parlour.games.prowlers.city import City
from parlour.games.prowlers.invariants import broken, i1_passages
from parlour.games.prowlers.rules import (
    ASKED,
    BONUS,
    BONUS_MOVE,
    GOLDEN_PULL,
    OVER,
    PLACE,
    USED,
    ProwlersState,
)
from parlour.games.prowlers.scoring import Sheet
from parlour.games.prowlers.tables import DOUBLE, GOLDEN, Tables, tables_for
from parlour.games.prowlers.track import placed
from parlour.kernel.dice import Dice
from parlour.kernel.sets import has, members
from parlour.kernel.state import PositionError, State

if TYPE_CHECKING:
    from parlour.kernel.game import Game

Seat = Literal["first", "second"]
District = Literal["banking", "political", "market", "residential", "castle"]


class Seats(Struct, forbid_unknown_fields=True):
    """PP-01: which player has which seat."""

    first: Literal[0, 1]
    second: Literal[0, 1]


class LaidHex(Struct, forbid_unknown_fields=True):
    """A hex on a site, turned clockwise by so many thirds."""

    hex: str
    rotation: Literal[0, 1, 2] = 0


class LaidTile(Struct, forbid_unknown_fields=True):
    """The tile dealt to a passageway, and the face that was up."""

    tile: str
    face: Face


class Passages(Struct, forbid_unknown_fields=True):
    """The passageways on which each seat has its passages."""

    first: list[str] = []
    second: list[str] = []


class Lost(Struct, forbid_unknown_fields=True):
    """PP-24: marker steps lost at the end of the track, by whose steps they were."""

    first: int = 0
    second: int = 0


class SheetLines(Struct, forbid_unknown_fields=True):
    """A score sheet; null for a district not held. The sums may be left out; given, they must be right."""

    tunnel: int
    statues: int = 0
    loot: int = 0
    banking: int | None = None
    political: int | None = None
    market: int | None = None
    residential: int | None = None
    castle: int | None = None
    districts: int | UnsetType = UNSET
    achievements: int = 0
    total: int | UnsetType = UNSET
    longest: int | UnsetType = UNSET


class MidGame(Struct, forbid_unknown_fields=True):
    """The mid-game phase: after which turn, and both sheets."""

    turn: int
    first: SheetLines
    second: SheetLines


class Position(Struct, forbid_unknown_fields=True):
    """The whole position (PP-I12)."""

    seats: Seats | UnsetType = UNSET
    hexes: dict[str, LaidHex] | UnsetType = UNSET
    tiles: dict[str, LaidTile] | UnsetType = UNSET
    cards: dict[str, Seat | None] | UnsetType = UNSET
    """The cards of this game, each with its holder (null: open)."""
    passages: Passages | UnsetType = UNSET
    statues: dict[str, Seat | None] | UnsetType = UNSET
    """Each statue with its holder (null: still on its vertex)."""
    markers: dict[District, int] | UnsetType = UNSET
    """Spaces from the centre, positive on the side of `first`; a marker not named stands on 0."""
    lost: Lost | UnsetType = UNSET
    bonus: Literal["pending", "used", "declined"] | UnsetType = UNSET
    turn: int | UnsetType = UNSET
    """The number of the turn under way, of the last one when the game is over."""
    awaiting: Literal["bonus_move", "place", "golden", "over"] | UnsetType = UNSET
    last: str | UnsetType | None = UNSET
    """The passageway of the latest passage; needed only while a golden pull is awaited."""
    mid: MidGame | UnsetType | None = UNSET


def load(game: Game, players: int, options: Mapping[str, Any], dice: Dice, document: Mapping[str, Any]) -> State:
    """The state of a position. Raises PositionError with the name of the invariant that it breaks."""
    try:
        position = msgspec.convert(dict(document), Position)
    except msgspec.ValidationError as error:
        raise PositionError("PP-I12", f"{str(error).replace('`', '')}.") from None
    tables = tables_for(game)
    state = ProwlersState(game, players, dice, _city(tables, position, options))
    _put_passages(state, position)
    _put_stage(state, position)
    _put_holders(state, position)
    fault = i1_passages(state)  # markers that are not given follow from the passages, so these come first
    if fault:
        raise PositionError("PP-I1", _sentence(fault))
    _put_markers(state, position)
    _put_mid_game(state, position)
    law = broken(state)
    if law is not None:
        raise PositionError(law.invariant, _sentence(law.sentence))
    return state


def _city(tables: Tables, position: Position, options: Mapping[str, Any]) -> City:
    spec: Spec = tables.spec
    hexes = {site: LaidHex(laid.hex, laid.rotation) for site, laid in spec.reference.hexes.items()}  # type: ignore[arg-type]
    if position.hexes is not UNSET:
        hexes = position.hexes
    tiles = {line: LaidTile(lying.tile, lying.face) for line, lying in spec.reference.tiles.items()}
    if position.tiles is not UNSET:
        tiles = position.tiles
    cards = list(spec.reference.cards) if position.cards is UNSET else list(position.cards)
    first = 0 if position.seats is UNSET else position.seats.first
    if position.seats is not UNSET and position.seats.second == first:
        raise PositionError("PP-I12", "first and second are two different players.")

    _same_keys("hexes", hexes, tables.site_ids)
    _same_keys("tiles", tiles, tables.passageway_ids)
    hex_numbers = [_index("hex", hexes[site].hex, tables.hex_ids) for site in tables.site_ids]
    if len(set(hex_numbers)) < len(hex_numbers):
        raise PositionError("PP-I12", "a hex lies on two sites.")
    tile_numbers, sides = [], []
    for line in tables.passageway_ids:
        lying = tiles[line]
        tile_numbers.append(_index("tile", lying.tile, tables.tile_ids))
        faces = spec.tiles.faces[lying.tile]
        if lying.face not in faces:
            raise PositionError("PP-I3", f"The tile {lying.tile} has no {lying.face} on either side.")
        sides.append(faces.index(lying.face))
    if len(cards) != tables.drawn:
        raise PositionError("PP-I5", f"A game has {tables.drawn} cards, not {len(cards)}.")
    return City(
        tables,
        hex_numbers,
        [hexes[site].rotation for site in tables.site_ids],
        tile_numbers,
        sides,
        [_index("card", card, tables.card_ids) for card in cards],
        first,
        options["track_half_length"],
        options["mid_cards_count_for_market"],
    )


def _put_passages(state: ProwlersState, position: Position) -> None:
    if position.passages is UNSET:
        return
    ids = state.city.tables.passageway_ids
    for lines in (position.passages.first, position.passages.second):
        if len(set(lines)) < len(lines):
            raise PositionError("PP-I1", "A passageway holds one passage; one is named twice.")
    state.passages_first = _set(ids, "passageway", position.passages.first)
    state.passages_second = _set(ids, "passageway", position.passages.second)


def _put_stage(state: ProwlersState, position: Position) -> None:
    """What is asked, and the number of the turn: as given, else as the passages have it."""
    tables = state.city.tables
    laid = len(members(state.passages_first)) + len(members(state.passages_second))
    if position.awaiting is not UNSET:
        state.awaiting = ASKED.index(position.awaiting)
    elif position.bonus == "pending":
        state.awaiting = BONUS_MOVE
    else:
        state.awaiting = OVER if laid == tables.turns else PLACE
    if position.bonus is not UNSET:
        state.bonus = BONUS.index(position.bonus)
    else:
        state.bonus = BONUS.index("pending" if state.awaiting == BONUS_MOVE else "declined")
    if position.turn is not UNSET:
        state.turn = _small("turn", position.turn)
    else:
        state.turn = laid if state.awaiting in (OVER, GOLDEN_PULL) else laid + 1
    if position.last is not UNSET and position.last is not None:
        state.last = _index("passageway", position.last, tables.passageway_ids)


def _put_holders(state: ProwlersState, position: Position) -> None:
    tables = state.city.tables
    if position.statues is not UNSET:
        _set(tables.statue_ids, "statue", list(position.statues))
        state.statues_first = _set(tables.statue_ids, "statue", _held_by("first", position.statues))
        state.statues_second = _set(tables.statue_ids, "statue", _held_by("second", position.statues))
    if position.cards is not UNSET:
        state.cards_first = _set(tables.card_ids, "card", _held_by("first", position.cards))
        state.cards_second = _set(tables.card_ids, "card", _held_by("second", position.cards))


def _held_by(seat: Seat, holders: Mapping[str, Seat | None]) -> list[str]:
    return [name for name, holder in holders.items() if holder == seat]


def _put_markers(state: ProwlersState, position: Position) -> None:
    if position.lost is not UNSET:
        state.lost_first = _small("lost.first", position.lost.first)
        state.lost_second = _small("lost.second", position.lost.second)
    if position.markers is UNSET:
        spaces = _steps_made(state)
    else:
        spaces = [_small(kind, position.markers.get(kind, 0)) for kind in DISTRICTS]  # type: ignore[call-overload]
    state.markers = placed(spaces)


def _steps_made(state: ProwlersState) -> list[int]:
    """Where the markers stand by the passages alone, if nothing else can have moved them."""
    city = state.city
    spaces = [0] * len(DISTRICTS)
    for line in range(city.tables.passageways):
        taken = has(state.passages_first, line) or has(state.passages_second, line)
        if not taken:
            continue
        if city.faces[line] == GOLDEN and not (state.awaiting == GOLDEN_PULL and line == state.last):
            raise PositionError("PP-I7", "A golden shovel has pulled a marker: say where the markers stand.")
        step = 1 if has(state.passages_first, line) else -1
        times = 2 if city.faces[line] == DOUBLE else 1
        spaces[city.kind_1[line]] += step * times
        spaces[city.kind_2[line]] += step * times
    if state.bonus == USED:
        raise PositionError("PP-I7", "The free pull was used: say where the markers stand.")
    if any(abs(space) > city.half_length for space in spaces):
        raise PositionError("PP-I7", "A marker has met the end of the track: say where the markers stand.")
    return spaces


def _put_mid_game(state: ProwlersState, position: Position) -> None:
    if position.mid is UNSET or position.mid is None:
        return
    state.mid_turn = _small("mid.turn", position.mid.turn)
    if state.mid_turn < 1:
        raise PositionError("PP-I9", "The mid-game scoring comes after a turn, the first being 1.")
    state.mid_first = _sheet(state, "first", position.mid.first)
    state.mid_second = _sheet(state, "second", position.mid.second)


def _sheet(state: ProwlersState, seat: Seat, lines: SheetLines) -> Sheet:
    """A sheet from its lines. A line is a small number: larger ones could not be told from each other's sums."""
    rewards = [lines.banking, lines.political, lines.market, lines.residential, lines.castle]
    for wealth in [lines.tunnel, lines.statues, lines.loot, lines.achievements, *rewards]:
        _small(f"mid.{seat}", wealth or 0)
    longest = lines.tunnel // max(1, state.city.tables.per_passage) if lines.longest is UNSET else lines.longest
    sheet = Sheet(
        lines.tunnel,
        lines.statues,
        lines.loot,
        lines.banking or 0,
        lines.political or 0,
        lines.market or 0,
        lines.residential or 0,
        lines.castle or 0,
        lines.achievements,
        sum(1 << kind for kind, wealth in enumerate(rewards) if wealth is not None),
        _small(f"mid.{seat}.longest", longest),
    )
    for name, said, right in (
        ("districts", lines.districts, sheet.districts()),
        ("total", lines.total, sheet.total()),
    ):
        if said is not UNSET and said != right:
            raise PositionError("PP-I10", f"The mid-game {name} of {seat} are {right} by their lines, not {said}.")
    return sheet


def _set(ids: list[str], what: str, chosen: list[str]) -> int:
    return sum(1 << _index(what, one, ids) for one in set(chosen))


def _index(what: str, one: str, ids: list[str]) -> int:
    if one not in ids:
        raise PositionError("PP-I12", f"There is no {what} “{one}”; there are {', '.join(ids)}.")
    return ids.index(one)


def _same_keys(what: str, given: Mapping[str, object], ids: list[str]) -> None:
    for one in given:
        if one not in ids:
            raise PositionError("PP-I12", f"There is nothing called “{one}” among the {what} of a position.")
    for one in ids:
        if one not in given:
            raise PositionError("PP-I2" if what == "tiles" else "PP-I12", f"The {what} of a position need {one} too.")


def _small(what: str, number: int) -> int:
    """Numbers of a position fit its fields; anything wilder is refused before it is stored."""
    if not -60 <= number <= 60:
        raise PositionError(
            "PP-I6" if what in DISTRICTS else "PP-I12",
            f"The number for {what} lies between -60 and 60; {number} does not.",
        )
    return number


def _sentence(text: str) -> str:
    return text[:1].upper() + text[1:] if not text.startswith(("sp_", "sh_", *FACES)) else text
