"""What anybody may see of Prowler's Passage, which is everything: the same for players and spectators (section 6).

Lengths are in hex sides, y grows downward as in SVG; the control track lies below the board. Players are numbers, as
everywhere outside the rules; the track counts toward the first player as positive.
"""

from __future__ import annotations

from parlour.games.prowlers.achievements import progress
from parlour.games.prowlers.actions import DISTRICT_NAMES
from parlour.games.prowlers.board import COLUMN, board_view, holder_in
from parlour.games.prowlers.box import DISTRICTS, LOOT
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
from parlour.games.prowlers.tables import DOUBLE, GOLDEN, MID_TUNNEL
from parlour.games.prowlers.track import FIRST, SECOND, controls, space
from parlour.games.prowlers.tunnels import groups_and_lengths, longest_walk
from parlour.kernel.sets import count, members
from parlour.kernel.state import State


def view(state: State, player: int | None) -> ProwlersView:
    """Everything, for anybody."""
    if not isinstance(state, ProwlersState):
        raise TypeError("this view is of Prowler’s Passage.")
    tables = state.city.tables
    walks = [longest_walk(tables, _passages(state, seat)) for seat in (FIRST, SECOND)]
    over = state.awaiting == OVER
    acting = state.current_player
    laid = set(state.city.hexes)
    return ProwlersView(
        you=player,
        turn=state.turn,
        turns=tables.turns,
        awaiting=ASKED[state.awaiting],
        to_act=None if acting < 0 else acting,
        first=state.city.first,
        phase="over" if over else "after_mid_game" if state.mid_turn else "before_mid_game",
        mid_turn=state.mid_turn or None,
        board=board_view(state, walks),
        track=_track(state),
        cards=[_card(state, card) for card in state.city.cards],
        players=[_player(state, one, walks) for one in range(state.players)],
        last=None if state.last < 0 else tables.passageway_ids[state.last],
        result=_result(state) if over else None,
        unused_hexes=[name for i, name in enumerate(tables.hex_ids) if i not in laid],
        options={"track_half_length": state.city.half_length, "mid_cards_count_for_market": state.city.count_mid_cards},
    )


def _track(state: ProwlersState) -> TrackView:
    drawn = state.city.tables.spec.track
    centre = round(drawn.column * COLUMN, 4)
    lanes = []
    for lane, kind in enumerate(DISTRICTS):
        at = int(space(state.markers, lane))
        holder = None if at == 0 else state.player_in(FIRST if at > 0 else SECOND)
        x = round(centre - drawn.space * at, 4)
        y = round(drawn.first_lane + drawn.lane_gap * lane, 4)
        lanes.append(LaneView(kind, DISTRICT_NAMES[kind], at, abs(at), holder, x, y))
    return TrackView(state.city.half_length, centre, drawn.space, lanes)


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


def _player(state: ProwlersState, player: int, walks: list[list[int]]) -> PlayerView:
    city = state.city
    tables = city.tables
    seat = state.seat_of(player)
    passages = _passages(state, seat)
    cards = state.cards_first if seat == FIRST else state.cards_second
    over = state.awaiting == OVER
    now = state.next_sheets()[seat]
    mid = state.mid_sheet(seat)
    banked = state.total(seat)
    return PlayerView(
        player=player,
        seat=SEATS[seat],
        to_act=state.current_player == player,
        reserve=tables.passages - count(passages),
        placed=count(passages),
        loot={loot: held(city, passages, i) for i, loot in enumerate(LOOT)},
        shovels=shovels(city, passages),
        golden_shovels=held(city, passages, GOLDEN),
        double_shovels=held(city, passages, DOUBLE),
        longest=len(walks[seat]),
        longest_walk=[tables.passageway_ids[line] for line in walks[seat]],
        groups=groups_and_lengths(tables, passages),
        statues=[tables.statue_ids[i] for i in members(_statues(state, seat))],
        cards=[tables.card_ids[card] for card in members(cards)],
        controls=[DISTRICTS[kind] for kind in members(controls(state.markers, seat))],
        mid=None if mid is None else _sheet(mid),
        end=_sheet(state.end_sheet(seat)) if over else None,
        now=_sheet(now),
        banked=banked,
        outlook=banked if over else banked + now.total(),
    )


def _sheet(sheet: Sheet) -> SheetView:
    return SheetView(**sheet.lines())  # type: ignore[arg-type]


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
