"""What anybody may see of Prowler's Passage, which is everything: the same for players and spectators (section 6).

Lengths are in hex sides, y grows downward as in SVG; the control track lies below the board. Players are numbers, as
everywhere outside the rules; the track counts toward the first player as positive.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import final

from mypy_extensions import i64

from parlour.games.prowlers.achievements import progress
from parlour.games.prowlers.actions import DISTRICT_NAMES
from parlour.games.prowlers.board import COLUMN, board_view, ground_of, holder_in
from parlour.games.prowlers.box import DISTRICTS, LOOT
from parlour.games.prowlers.city import City
from parlour.games.prowlers.rules import ASKED, OVER, SEATS, ProwlersState
from parlour.games.prowlers.scoring import Sheet, held, shovels
from parlour.games.prowlers.shapes import (
    CardView,
    LaneView,
    PlayerView,
    ProgressView,
    ProwlersView,
    ResultView,
    SheetView,
    TrackView,
)
from parlour.games.prowlers.tables import (
    BANKING,
    CASTLE,
    DOUBLE,
    GOLDEN,
    MARKET,
    MID_TUNNEL,
    POLITICAL,
    RESIDENTIAL,
    Tables,
)
from parlour.games.prowlers.track import FIRST, SECOND, controls, space
from parlour.games.prowlers.tunnels import groups_and_lengths, longest_walk
from parlour.kernel.sets import bit, count, has, members
from parlour.kernel.state import State


@final
class Dug:
    """What a seat's passages decide alone, and they stay for good: made again when it has dug another."""

    def __init__(self, city: City, passages: i64) -> None:
        walk = longest_walk(city.tables, passages)
        longest: i64 = 0
        for line in walk:
            longest |= bit(line)
        self.passages = passages
        self.longest = longest
        """The passageways of `walk`, as a set."""
        self.walk: list[str] = [city.tables.passageway_ids[line] for line in walk]
        self.groups = groups_and_lengths(city.tables, passages)
        self.placed = int(count(passages))
        self.loot: dict[str, int] = {loot: int(held(city, passages, i)) for i, loot in enumerate(LOOT)}
        self.shovels = int(shovels(city, passages))
        self.golden_shovels = int(held(city, passages, GOLDEN))
        self.double_shovels = int(held(city, passages, DOUBLE))


@final
class Names:
    """The names of the members of a set, made again when it is another set."""

    def __init__(self, ids: Sequence[str]) -> None:
        self.ids = ids
        self.of: i64 = 0
        self.names: list[str] = []

    def said(self, of: i64) -> list[str]:
        """The names in ascending order."""
        if of != self.of:
            self.of, self.names = of, [self.ids[member] for member in members(of)]
        return self.names


@final
class Written:
    """A score sheet as it is shown, made again when it is another."""

    def __init__(self) -> None:
        self.sheet: Sheet | None = None
        self.view: SheetView | None = None

    def shown(self, sheet: Sheet) -> SheetView:
        """The sheet for the view."""
        kept = self.view
        if kept is None or sheet is not self.sheet:
            made = _sheet(sheet)
            if kept is None or made != kept:
                self.view = kept = made
            self.sheet = sheet
        return kept


@final
class Side:
    """What one seat was last shown to have."""

    def __init__(self, city: City) -> None:
        self.dug = Dug(city, 0)
        self.statues = Names(city.tables.statue_ids)
        self.cards = Names(city.tables.card_ids)
        self.controls = Names(DISTRICTS)
        self.mid = Written()
        self.now = Written()


@final
class Shown:
    """The parts of the view of a game that was made last. The next one takes over what is the same in it, whichever
    position it is of: those objects cost nothing to make, and nothing when it is asked what changed. Nobody changes
    them.
    """

    def __init__(self, city: City) -> None:
        tables = city.tables
        laid = set(city.hexes)
        self.ground = ground_of(city)
        self.sides = [Side(city), Side(city)]
        self.markers: i64 = -1
        self.track: TrackView | None = None
        self.cards: list[CardView] = []
        self.marks: list[int] = []
        """What may change about each card, in one number."""
        self.unused_hexes = [name for i, name in enumerate(tables.hex_ids) if i not in laid]
        self.options: dict[str, int | bool] = {
            "track_half_length": int(city.half_length),
            "mid_cards_count_for_market": city.count_mid_cards,
        }


@lru_cache(maxsize=1024)  # a city belongs to one game, and all its positions share it
def shown_of(city: City) -> Shown:
    """What of the game in this city was shown last."""
    return Shown(city)


def view(state: State, player: int | None) -> ProwlersView:
    """Everything, for anybody."""
    if not isinstance(state, ProwlersState):
        raise TypeError("this view is of Prowler’s Passage.")
    tables = state.city.tables
    shown = shown_of(state.city)
    longest: i64 = 0
    for seat in (FIRST, SECOND):
        side = shown.sides[seat]
        if side.dug.passages != _passages(state, seat):
            side.dug = Dug(state.city, _passages(state, seat))
        longest |= side.dug.longest
    over = state.awaiting == OVER
    acting = state.current_player
    now = state.next_sheets()
    return ProwlersView(
        you=player,
        turn=state.turn,
        turns=tables.turns,
        awaiting=ASKED[state.awaiting],
        to_act=None if acting < 0 else acting,
        first=state.city.first,
        phase="over" if over else "after_mid_game" if state.mid_turn else "before_mid_game",
        mid_turn=state.mid_turn or None,
        board=board_view(state, shown.ground, longest),
        track=_track(state, shown),
        cards=_cards(state, shown),
        players=[_player(state, one, shown, now) for one in range(state.players)],
        last=None if state.last < 0 else tables.passageway_ids[state.last],
        result=_result(state) if over else None,
        unused_hexes=shown.unused_hexes,
        options=shown.options,
    )


@final
class Lanes:
    """Where the markers of the control track are drawn, the same for every game of a box."""

    def __init__(self, tables: Tables) -> None:
        drawn = tables.spec.track
        self.step = drawn.space
        self.centre = round(drawn.column * COLUMN, 4)
        self.heights: list[float] = [round(drawn.first_lane + drawn.lane_gap * i, 4) for i in range(len(DISTRICTS))]
        self.known: dict[int, float] = {}

    def across(self, at: int) -> float:
        """Where a space lies."""
        x = self.known.get(at)
        if x is None:
            x = self.known[at] = round(self.centre - self.step * at, 4)
        return x


@lru_cache(maxsize=8)
def _lanes(tables: Tables) -> Lanes:
    return Lanes(tables)


def _track(state: ProwlersState, shown: Shown) -> TrackView:
    known = shown.track
    if known is not None and shown.markers == state.markers:
        return known
    lanes = _lanes(state.city.tables)
    made: list[LaneView] = []
    for lane in range(len(DISTRICTS)):
        if known is not None and space(shown.markers, lane) == space(state.markers, lane):
            made.append(known.lanes[lane])
        else:
            made.append(_lane(state, lane, lanes))
    shown.track = track = TrackView(state.city.half_length, lanes.centre, lanes.step, made)
    shown.markers = state.markers
    return track


def _lane(state: ProwlersState, lane: int, lanes: Lanes) -> LaneView:
    kind, at = DISTRICTS[lane], int(space(state.markers, lane))
    holder = None if at == 0 else state.player_in(FIRST if at > 0 else SECOND)
    return LaneView(kind, DISTRICT_NAMES[kind], at, abs(at), holder, lanes.across(at), lanes.heights[lane])


def _cards(state: ProwlersState, shown: Shown) -> list[CardView]:
    known, marks = shown.cards, [_mark(state, card) for card in state.city.cards]
    if marks != shown.marks:
        shown.cards = [
            known[i] if known and marks[i] == shown.marks[i] else _card(state, card)
            for i, card in enumerate(state.city.cards)
        ]
        shown.marks = marks
    return shown.cards


def _mark(state: ProwlersState, card: int) -> int:
    """What may change about a card, in one number."""
    mark: i64 = 1 if state.mid_turn > 0 else 0
    if has(state.cards_first, card):
        mark += 2
    if has(state.cards_second, card):
        mark += 4
    first = progress(state.city, card, state.passages_first, state.statues_first, state.markers, FIRST)
    second = progress(state.city, card, state.passages_second, state.statues_second, state.markers, SECOND)
    return mark | first.have << 8 | second.have << 16


def _card(state: ProwlersState, card: int) -> CardView:
    tables = state.city.tables
    holder = holder_in(state, state.cards_first, state.cards_second, card)
    asked = tables.spec.achievements.cards[tables.card_ids[card]]
    at_mid = tables.condition[card] >= MID_TUNNEL
    return CardView(
        id=tables.card_ids[card],
        title=tables.card_titles[card],
        condition=asked.condition,
        how_many=asked.how_many,
        at_least=asked.at_least,
        wealth=tables.wealth[card],
        checked="mid" if at_mid else "turn",
        holder=holder,
        lapsed=at_mid and holder is None and state.mid_turn > 0,
        progress=[_progress(state, card, player) for player in range(state.players)],
    )


def _progress(state: ProwlersState, card: int, player: int) -> ProgressView:
    seat = state.seat_of(player)
    near = progress(state.city, card, _passages(state, seat), _statues(state, seat), state.markers, seat)
    return ProgressView(near.have, near.need, near.need > 0 and near.have >= near.need)


def _player(state: ProwlersState, player: int, shown: Shown, sheets: list[Sheet]) -> PlayerView:
    seat = state.seat_of(player)
    side = shown.sides[seat]
    dug = side.dug
    over = state.awaiting == OVER
    now = sheets[seat]
    mid = state.mid_sheet(seat)
    banked = state.total(seat)
    return PlayerView(
        player=player,
        seat=SEATS[seat],
        to_act=state.current_player == player,
        reserve=state.city.tables.passages - dug.placed,
        placed=dug.placed,
        loot=dug.loot,
        shovels=dug.shovels,
        golden_shovels=dug.golden_shovels,
        double_shovels=dug.double_shovels,
        longest=len(dug.walk),
        longest_walk=dug.walk,
        groups=dug.groups,
        statues=side.statues.said(_statues(state, seat)),
        cards=side.cards.said(state.cards_first if seat == FIRST else state.cards_second),
        controls=side.controls.said(controls(state.markers, seat)),
        mid=None if mid is None else side.mid.shown(mid),
        end=Written().shown(state.end_sheet(seat)) if over else None,
        now=side.now.shown(now),
        banked=banked,
        outlook=banked if over else banked + now.total(),
    )


def _sheet(sheet: Sheet) -> SheetView:
    """`Sheet.lines`, without a dict between."""
    types = sheet.controlled
    return SheetView(
        tunnel=sheet.tunnel,
        statues=sheet.statues,
        loot=sheet.loot,
        banking=sheet.banking if has(types, BANKING) else None,
        political=sheet.political if has(types, POLITICAL) else None,
        market=sheet.market if has(types, MARKET) else None,
        residential=sheet.residential if has(types, RESIDENTIAL) else None,
        castle=sheet.castle if has(types, CASTLE) else None,
        districts=sheet.districts(),
        achievements=sheet.achievements,
        total=sheet.total(),
        longest=sheet.longest,
    )


def _result(state: ProwlersState) -> ResultView:
    seat, _ = state.verdict()
    return ResultView(
        totals=[state.total(state.seat_of(player)) for player in range(state.players)],
        winner=None if seat < 0 else state.player_in(seat),
        reason=state.standings()[0].reason,
    )


def _passages(state: ProwlersState, seat: int) -> int:
    return state.passages_first if seat == FIRST else state.passages_second


def _statues(state: ProwlersState, seat: int) -> int:
    return state.statues_first if seat == FIRST else state.statues_second
