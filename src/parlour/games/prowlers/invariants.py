"""What holds in every position (PP-I1…PP-I12): a hand-written one is refused with the name of the law it breaks.

PP-I11 cannot fail in this form of a position, and PP-I13 speaks of two games; the tests hold them.
"""

from typing import final

from mypy_extensions import i64

from parlour.games.prowlers.achievements import meets
from parlour.games.prowlers.box import DISTRICTS
from parlour.games.prowlers.rules import (
    BONUS_MOVE,
    GOLDEN_PULL,
    OVER,
    PENDING,
    SEATS,
    USED,
    ProwlersState,
)
from parlour.games.prowlers.scoring import Sheet, held
from parlour.games.prowlers.tables import (
    BANKING,
    CASTLE,
    DOUBLE,
    GOLDEN,
    LOOT_SETS,
    LOOTS,
    MARKET,
    MID_TUNNEL,
    POLITICAL,
    RESIDENTIAL,
    STATUES,
    SURROUND,
    TUNNELS,
    TYPES,
    Tables,
)
from parlour.games.prowlers.track import FIRST, space
from parlour.games.prowlers.tunnels import longest_tunnel
from parlour.kernel.sets import count, has, members


@final
class Broken:
    """A law that a position breaks, and how."""

    def __init__(self, invariant: str, sentence: str) -> None:
        self.invariant = invariant
        self.sentence = sentence


def broken(state: ProwlersState) -> Broken | None:
    """The first law that this position breaks, None if it may stand."""
    sentence = i1_passages(state)
    if sentence:
        return Broken("PP-I1", sentence)
    sentence = _i2_tiles(state)
    if sentence:
        return Broken("PP-I2", sentence)
    sentence = _i3_faces(state)
    if sentence:
        return Broken("PP-I3", sentence)
    sentence = _i4_statues(state)
    if sentence:
        return Broken("PP-I4", sentence)
    sentence = _i6_markers(state)
    if sentence:
        return Broken("PP-I6", sentence)
    sentence = _i7_steps(state)
    if sentence:
        return Broken("PP-I7", sentence)
    sentence = _i5_cards(state)
    if sentence:
        return Broken("PP-I5", sentence)
    sentence = _i9_mid_game(state)
    if sentence:
        return Broken("PP-I9", sentence)
    sentence = _i10_sheets(state)
    if sentence:
        return Broken("PP-I10", sentence)
    sentence = _i8_growth(state)
    if sentence:
        return Broken("PP-I8", sentence)
    return None


def _passages(state: ProwlersState, seat: i64) -> i64:
    return state.passages_first if seat == FIRST else state.passages_second


def _statues(state: ProwlersState, seat: i64) -> i64:
    return state.statues_first if seat == FIRST else state.statues_second


def _cards(state: ProwlersState, seat: i64) -> i64:
    return state.cards_first if seat == FIRST else state.cards_second


def _laid(state: ProwlersState) -> i64:
    """k: turns completed, the one under way counted while its golden pull is awaited."""
    return count(state.passages_first) + count(state.passages_second)


def _completed(state: ProwlersState) -> i64:
    """Turns whose end has come."""
    return _laid(state) - (1 if state.awaiting == GOLDEN_PULL else 0)


def i1_passages(state: ProwlersState) -> str:
    """Turns alternate, each lays one passage, and a passageway holds one."""
    tables = state.city.tables
    both = state.passages_first & state.passages_second
    if both != 0:
        return f"{tables.passageway_ids[members(both)[0]]} cannot hold a passage of each player."
    first, second = count(state.passages_first), count(state.passages_second)
    laid = first + second
    if first - second < 0 or first - second > 1:
        return f"first and second lay passages in turn, so {first} and {second} cannot be."
    if laid > tables.turns:
        return f"there are {tables.passages} passages each, so {first} and {second} cannot be laid."
    if state.awaiting == BONUS_MOVE and laid > 0:
        return "the free pull comes before the first passage."
    if state.awaiting == OVER and laid != tables.turns:
        return f"the game is over when {tables.turns} passages lie, not {laid}."
    if state.awaiting == GOLDEN_PULL and laid == 0:
        return "nobody has taken a golden shovel yet."
    turn = laid
    if state.awaiting != OVER and state.awaiting != GOLDEN_PULL:
        turn = laid + 1
    if turn > tables.turns:
        return f"with {laid} passages laid the game is over."
    if state.turn != turn:
        return f"with {laid} passages laid it is turn {turn}, not {state.turn}."
    return ""


def _i2_tiles(state: ProwlersState) -> str:
    """Every tile is in one place; a player holds those that lay where their passages are."""
    tables = state.city.tables
    seen: set[int] = set()
    for line in range(tables.passageways):
        tile = state.city.tiles[line]
        if tile in seen:
            return f"the tile {tables.tile_ids[tile]} lies in two places."
        seen.add(tile)
    if state.last >= 0 and not has(state.passages_first | state.passages_second, state.last):
        return f"{tables.passageway_ids[state.last]} is said to be the latest passage, and none lies there."
    return ""


def _i3_faces(state: ProwlersState) -> str:
    """Loot and shovels in all, and of each face as many as the tiles can show."""
    tables = state.city.tables
    for face in range(LOOTS + 2):
        least: i64 = 0
        most: i64 = 0
        for tile in range(len(tables.tile_ids)):
            sides: i64 = 0
            if tables.tiles[2 * tile] == face:
                sides += 1
            if tables.tiles[2 * tile + 1] == face:
                sides += 1
            if sides == 2:
                least += 1
            if sides > 0:
                most += 1
        shown = count(state.city.showing[face])
        if shown < least or shown > most:
            return f"{state.city.face_id(face)} is up {shown} times; the tiles can show it {least} to {most} times."
    return ""


def _i4_statues(state: ProwlersState) -> str:
    """A statue is held exactly when its last passageway is filled."""
    tables = state.city.tables
    taken = state.passages_first | state.passages_second
    both = state.statues_first & state.statues_second
    if both != 0:
        return f"the statue of {tables.statue_ids[members(both)[0]]} is held by both."
    gone = state.statues_first | state.statues_second
    for statue in range(len(tables.statue_lines)):
        lines: i64 = tables.statue_lines[statue]
        full = taken & lines == lines
        name = tables.statue_ids[statue]
        if full and not has(gone, statue):
            return f"every passageway at {name} is filled, so somebody holds its statue: say who."
        if not full and has(gone, statue):
            return f"a passageway at {name} is free, so its statue still stands there."
    return ""


def _i5_cards(state: ProwlersState) -> str:
    """A card is in one place; none lies open that somebody should have claimed at the end of a turn."""
    city = state.city
    names = city.tables.card_ids
    both = state.cards_first & state.cards_second
    if both != 0:
        return f"the card {names[members(both)[0]]} is held by both."
    for seat in range(2):
        if state.awaiting == GOLDEN_PULL and seat == state.seat_to_act():
            continue  # their cards are looked at when the marker has been pulled
        for card in members(state.open_cards()):
            if meets(city, card, _passages(state, seat), _statues(state, seat), state.markers, seat):
                return f"{SEATS[seat]} meets {names[card]}, so it cannot lie open."
    return ""


def _i6_markers(state: ProwlersState) -> str:
    """Every marker is on the track."""
    length = state.city.half_length
    for kind in range(TYPES):
        at = space(state.markers, kind)
        if at > length or at < -length:
            return f"the {DISTRICTS[kind]} marker stands on {at}, and the track ends at {length}."
    return ""


def _i7_steps(state: ProwlersState) -> str:
    """The markers add up to the steps that were made."""
    city = state.city
    if state.awaiting == BONUS_MOVE and state.bonus != PENDING:
        return "the free pull is awaited and has been settled already; one of the two."
    if state.awaiting != BONUS_MOVE and state.bonus == PENDING:
        return "the free pull is settled before the first turn: say used or declined."
    made: i64 = 2 * (count(state.passages_first) - count(state.passages_second))
    made += held(city, state.passages_first, GOLDEN) - held(city, state.passages_second, GOLDEN)
    made += 2 * (held(city, state.passages_first, DOUBLE) - held(city, state.passages_second, DOUBLE))
    if state.awaiting == GOLDEN_PULL:
        seat = state.seat_to_act()
        if state.last < 0:
            return "a golden pull is awaited: say by `last` where the shovel was found."
        if not has(_passages(state, seat), state.last) or city.faces[state.last] != GOLDEN:
            return f"{SEATS[seat]} did not find a golden shovel at {city.tables.passageway_ids[state.last]}."
        if state.choices() == 0:
            return f"{SEATS[seat]} has every marker on the last space, so no pull is awaited."
        made -= 1 if seat == FIRST else -1
    if state.bonus == USED:
        made -= 1
    made += state.lost_second - state.lost_first
    total: i64 = 0
    for kind in range(TYPES):
        total += space(state.markers, kind)
    if total != made:
        return (
            f"the markers add up to {total}; passages, shovels, the free pull and the steps lost make {made}. "
            "Say by `lost` if steps were lost at the end of the track."
        )
    for seat in range(2):
        lost = state.lost_first if seat == FIRST else state.lost_second
        own = _passages(state, seat)
        most = 2 * count(own) + held(city, own, GOLDEN) + 2 * held(city, own, DOUBLE)
        if lost < 0 or lost > most:
            return f"{SEATS[seat]} has made at most {most} steps and cannot have lost {lost}."
    return ""


def _i8_growth(state: ProwlersState) -> str:
    """What never shrinks: Tunnels, tiles, statues; so what they once earned is still there."""
    city = state.city
    tables = city.tables
    for seat in range(2):
        passages = _passages(state, seat)
        statues = _statues(state, seat)
        for card in members(_cards(state, seat)):
            condition: i64 = tables.condition[card]
            lasting = condition in (STATUES, SURROUND, LOOT_SETS)
            if condition == TUNNELS and tables.how_many[card] == 1:
                lasting = True
            if lasting and not meets(city, card, passages, statues, state.markers, seat):
                return f"{SEATS[seat]} holds {tables.card_ids[card]} without what it asks for."
        mid = state.mid_sheet(seat)
        if mid is not None:
            if mid.longest > longest_tunnel(tables, passages):
                return f"the longest Tunnel of {SEATS[seat]} was {mid.longest} at mid-game and cannot be shorter now."
            if mid.statues > tables.per_statue * count(statues):
                return f"{SEATS[seat]} had more statues at mid-game than now."
            if mid.loot > state.end_sheet(seat).loot:
                return f"{SEATS[seat]} had more loot at mid-game than now."
    return ""


def _i9_mid_game(state: ProwlersState) -> str:
    """The mid-game phase has happened exactly when it was due."""
    tables = state.city.tables
    done = _completed(state)
    gone: i64 = 0
    for statue in members(state.statues_first | state.statues_second):
        if not (state.awaiting == GOLDEN_PULL and has(tables.statue_lines[statue], state.last)):
            gone += 1
    due = gone >= tables.mid_statues or done >= tables.mid_turn
    if due and state.mid_turn == 0:
        return "the mid-game scoring has taken place: give both of its sheets."
    if not due and state.mid_turn != 0:
        return "the mid-game scoring cannot have taken place yet."
    if state.mid_turn != 0:
        latest = min(done, tables.mid_turn)
        if state.mid_turn < tables.first_mid_turn or state.mid_turn > latest:
            span = f"{tables.first_mid_turn} to {latest}"
            return f"the mid-game scoring came after a turn from {span}, not {state.mid_turn}."
    if state.mid_turn == 0:
        for card in members(state.cards_first | state.cards_second):
            if tables.condition[card] >= MID_TUNNEL:
                return f"{tables.card_ids[card]} is not given before the mid-game scoring."
    return ""


def _i10_sheets(state: ProwlersState) -> str:
    """Every line of a sheet is within what the box allows."""
    if state.mid_turn == 0:
        return ""
    for seat in range(2):
        mid = state.mid_sheet(seat)
        if mid is None:
            return f"the mid-game sheet of {SEATS[seat]} is missing."
        sentence = sheet_out_of_bounds(state, mid, False)
        if sentence:
            return f"the mid-game sheet of {SEATS[seat]} {sentence}"
    return ""


def sheet_out_of_bounds(state: ProwlersState, sheet: Sheet, at_end: bool) -> str:
    """Which line of a sheet cannot be, "" if all can."""
    tables = state.city.tables
    passages = tables.passages
    if sheet.tunnel != tables.per_passage * sheet.longest or sheet.longest < 1 or sheet.longest > passages:
        return f"cannot have {sheet.tunnel} for a Tunnel of {sheet.longest}."
    if sheet.statues < 0 or sheet.statues > tables.per_statue * len(tables.statue_lines):
        return f"cannot have {sheet.statues} for statues."
    if sheet.loot < 0 or sheet.loot > _most_loot(tables):
        return f"cannot have {sheet.loot} for loot."
    most = _most_of_a_loot(tables)
    shovel_tiles: i64 = 0
    for tile in range(len(tables.tile_ids)):
        if tables.tiles[2 * tile] >= LOOTS:
            shovel_tiles += 1
    top_cards: i64 = 0
    for card in members(state.city.dealt):
        top_cards += tables.wealth[card]
    lines = [
        (BANKING, sheet.banking, tables.banking_bonus, tables.banking_bonus + tables.per_loot[BANKING] * most),
        (
            POLITICAL,
            sheet.political,
            tables.political_per_control,
            tables.per_loot[POLITICAL] * most + tables.political_per_control * TYPES,
        ),
        (
            MARKET,
            sheet.market,
            tables.market_per_space,
            tables.per_loot[MARKET] * most
            + tables.market_per_card * tables.drawn
            + tables.market_per_statue * len(tables.statue_lines)
            + tables.market_per_space * state.city.half_length,
        ),
        (
            RESIDENTIAL,
            sheet.residential,
            i64(0),
            tables.per_loot[RESIDENTIAL] * most
            + tables.residential_per_passage * max(i64(0), passages - tables.residential_from + 1),
        ),
        (CASTLE, sheet.castle, -tables.castle_per_shovel * shovel_tiles, tables.castle_per_pair * (passages >> 1)),
    ]
    for kind, wealth, low, high in lines:
        if not has(sheet.controlled, kind):
            low = 0
            high = 0
        if wealth < low or wealth > high:
            return f"cannot have {wealth} for {DISTRICTS[kind]}."
    if sheet.achievements < 0 or sheet.achievements > (top_cards if at_end else 0):
        return f"cannot have {sheet.achievements} for achievements."
    return ""


def _most_of_a_loot(tables: Tables) -> i64:
    best: i64 = 0
    for loot in range(LOOTS):
        best = max(best, _can_show(tables, loot))
    return best


def _can_show(tables: Tables, loot: i64) -> i64:
    tiles: i64 = 0
    for tile in range(len(tables.tile_ids)):
        if tables.tiles[2 * tile] == loot or tables.tiles[2 * tile + 1] == loot:
            tiles += 1
    return tiles


def _most_loot(tables: Tables) -> i64:
    """As much of each loot as there can be, as long as there are passages."""
    left: i64 = tables.passages
    wealth: i64 = 0
    shown = sorted([int(_can_show(tables, loot)) for loot in range(LOOTS)], reverse=True)
    for tiles in shown:
        taken: i64 = min(left, i64(tiles))
        wealth += tables.loot_wealth(taken)
        left -= taken
    return wealth
