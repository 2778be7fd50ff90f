"""Achievement cards: what they ask for, and how near a player is (PP-34…PP-38, PP-R07, PP-R08, PP-R21, PP-R22)."""

from typing import final

from mypy_extensions import i64

from parlour.games.prowlers.city import City
from parlour.games.prowlers.tables import (
    CASTLE,
    CONTROL,
    LOOT_SETS,
    LOOTS,
    MATCH,
    MID_CONTROL,
    MID_TUNNEL,
    STATUES,
    SURROUND,
    TUNNELS,
    TYPES,
    Tables,
)
from parlour.games.prowlers.track import controls, own_value
from parlour.games.prowlers.tunnels import groups_with_tunnel, longest_tunnel
from parlour.kernel.sets import count


def turn_cards_met(city: City, among: i64, passages: i64, statues: i64, markers: i64, seat: i64) -> i64:
    """PP-35: those `turn` cards among the given ones whose condition holds for this seat, as a set."""
    met: i64 = 0
    rest: i64 = among
    while rest != 0:
        card: i64 = rest & -rest
        if meets(city, count(card - 1), passages, statues, markers, seat):
            met |= card
        rest ^= card
    return met


def meets(city: City, card: i64, passages: i64, statues: i64, markers: i64, seat: i64) -> bool:
    """Whether the condition of a `turn` card holds. A `mid` card is never met in a turn (PP-38)."""
    tables = city.tables
    condition: i64 = tables.condition[card]
    how_many: i64 = tables.how_many[card]
    at_least: i64 = tables.at_least[card]
    if condition == STATUES:
        return count(statues) >= how_many
    if condition == TUNNELS:
        if how_many == 1:
            return count(passages) >= at_least and longest_tunnel(tables, passages, at_least) >= at_least
        return count(passages) >= how_many * at_least and groups_with_tunnel(tables, passages, at_least) >= how_many
    if condition == SURROUND:
        return surrounded(tables, passages) >= how_many
    if condition == LOOT_SETS:
        return loots_with(city, passages, at_least) >= how_many
    if condition == CONTROL:
        return types_held(markers, seat, at_least) >= how_many
    if condition == MATCH:
        return types_matched(city, passages, markers, seat, at_least) >= how_many
    return False


def surrounded(tables: Tables, passages: i64) -> i64:
    """PP-37, PP-R08: how many districts have four passageways, all taken by these passages."""
    found: i64 = 0
    for i in range(len(tables.rhombi)):
        lines: i64 = tables.rhombi[i]
        if passages & lines == lines:
            found += 1
    return found


def loots_with(city: City, passages: i64, at_least: i64) -> i64:
    """PP-R21: how many loots are held at least so many times."""
    found: i64 = 0
    for loot in range(LOOTS):
        if count(passages & city.showing[loot]) >= at_least:
            found += 1
    return found


def types_held(markers: i64, seat: i64, at_least: i64) -> i64:
    """PP-R21: how many types stand at least so far on this seat's side."""
    found: i64 = 0
    for kind in range(TYPES):
        if own_value(markers, kind, seat) >= at_least:
            found += 1
    return found


def types_matched(city: City, passages: i64, markers: i64, seat: i64, at_least: i64) -> i64:
    """PP-R22: how many types but Castle are controlled by somebody who holds that much of their loot."""
    found: i64 = 0
    for kind in range(CASTLE):
        if own_value(markers, kind, seat) >= 1 and count(passages & city.showing[kind]) >= at_least:
            found += 1
    return found


def mid_card_winner(city: City, card: i64, passages_first: i64, passages_second: i64, markers: i64) -> i64:
    """PP-38: the seat that has more of what a `mid` card asks for; -1 on a tie, or if it is no `mid` card."""
    tables = city.tables
    condition: i64 = tables.condition[card]
    lead: i64 = 0
    if condition == MID_TUNNEL:
        lead = longest_tunnel(tables, passages_first) - longest_tunnel(tables, passages_second)
    elif condition == MID_CONTROL:
        lead = count(controls(markers, 0)) - count(controls(markers, 1))
    if lead == 0:
        return -1
    return 0 if lead > 0 else 1


@final
class Progress:
    """How far a player is with a card: `have` of `need`."""

    def __init__(self, have: i64, need: i64) -> None:
        self.have = have
        self.need = need


def progress(city: City, card: i64, passages: i64, statues: i64, markers: i64, seat: i64) -> Progress:
    """How near this seat is. A `turn` card is met exactly when have reaches need.

    A card that asks for one thing of a certain size counts the size of the best; one that asks for several counts
    those that are large enough. A `mid` card counts what is compared, and needs nothing fixed (0).
    """
    tables = city.tables
    condition: i64 = tables.condition[card]
    how_many: i64 = tables.how_many[card]
    at_least: i64 = tables.at_least[card]
    if condition == STATUES:
        return Progress(count(statues), how_many)
    if condition == TUNNELS:
        if how_many == 1:
            return Progress(longest_tunnel(tables, passages), at_least)
        return Progress(groups_with_tunnel(tables, passages, at_least), how_many)
    if condition == SURROUND:
        if how_many == 1:
            return Progress(_best_rhombus(tables, passages), 4)
        return Progress(surrounded(tables, passages), how_many)
    if condition == LOOT_SETS:
        if how_many == 1:
            return Progress(_best_loot(city, passages), at_least)
        return Progress(loots_with(city, passages, at_least), how_many)
    if condition == CONTROL:
        if how_many == 1:
            return Progress(_best_value(markers, seat), at_least)
        return Progress(types_held(markers, seat, at_least), how_many)
    if condition == MATCH:
        return Progress(types_matched(city, passages, markers, seat, at_least), how_many)
    if condition == MID_TUNNEL:
        return Progress(longest_tunnel(tables, passages), 0)
    return Progress(count(controls(markers, seat)), 0)


def _best_rhombus(tables: Tables, passages: i64) -> i64:
    best: i64 = 0
    for i in range(len(tables.rhombi)):
        best = max(best, count(passages & tables.rhombi[i]))
    return best


def _best_loot(city: City, passages: i64) -> i64:
    best: i64 = 0
    for loot in range(LOOTS):
        best = max(best, count(passages & city.showing[loot]))
    return best


def _best_value(markers: i64, seat: i64) -> i64:
    best: i64 = 0
    for kind in range(TYPES):
        best = max(best, own_value(markers, kind, seat))
    return best
