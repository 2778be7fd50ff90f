"""What a spectator of two may conclude once the Pickpocket has moved cards that a silence speaks of (HC-15, HC-22).

Then nobody but the two knows where those cards are: they may be in either hand. A spectator reckons with every way in
which it may have gone. A way is a list of bounds: each says of one card of a hand, and of another one each time, what
it cannot be. Nothing here is ever changed in place.
"""

from typing import Final, final

from mypy_extensions import i64

from parlour.games.hellfire.terms import WORD


@final
class Bound:
    """One card of this player's hand is none of these (two words)."""

    def __init__(self, player: i64, first: i64, second: i64) -> None:
        self.player: Final = player
        self.first: Final = first
        self.second: Final = second

    def bars(self, card: i64) -> bool:
        """Whether that card cannot be this one."""
        if card < WORD:
            return (self.first >> card) & 1 == 1
        return (self.second >> (card - WORD)) & 1 == 1

    def same(self, other: "Bound") -> bool:
        """Whether both say the same."""
        return self.player == other.player and self.first == other.first and self.second == other.second


def after_slip(ways: list[list[Bound]], giver: i64, taker: i64, left: i64) -> list[list[Bound]]:
    """An unseen card went from hand to hand: any of the bound ones, or a free one, if there were any."""
    found: list[list[Bound]] = []
    for way in ways:
        if bound_in(way, giver) <= left:
            found.append(way)
        found += [
            [*without(way, i), Bound(taker, way[i].first, way[i].second)]
            for i in range(i64(len(way)))
            if way[i].player == giver
        ]
    return weakest(found)


def after_shown(ways: list[list[Bound]], player: i64, card: i64, left: i64) -> list[list[Bound]]:
    """A card has come out of a hand: any of the bound ones that it can have been, or a free one."""
    found: list[list[Bound]] = []
    for way in ways:
        if bound_in(way, player) <= left:
            found.append(way)
        found += [without(way, i) for i in range(i64(len(way))) if way[i].player == player and not way[i].bars(card)]
    return weakest(found)


def after_silence(ways: list[list[Bound]], player: i64, hand: i64, first: i64, second: i64) -> list[list[Bound]]:
    """A hand of so many cards has none of these: all that are in it are bound now."""
    found: list[list[Bound]] = []
    for way in ways:
        others = [one for one in way if one.player != player]
        bound = [Bound(player, one.first | first, one.second | second) for one in way if one.player == player]
        free = [Bound(player, first, second) for _ in range(hand - bound_in(way, player))]
        found.append(others + bound + free)
    return weakest(found)


def fits(ways: list[list[Bound]], hands: list[list[int]]) -> bool:
    """Whether it can have gone so that the hands are these."""
    return any(way_fits(way, hands) for way in ways)


def way_fits(way: list[Bound], hands: list[list[int]]) -> bool:
    """Whether every bound has a card of its own that meets it."""
    for player in range(i64(len(hands))):
        bounds = [one for one in way if one.player == player]
        cards = hands[player]
        taken: list[int] = [-1] * len(cards)
        for i in range(len(bounds)):
            if not found_room(bounds, cards, taken, i, [False] * len(cards)):
                return False
    return True


def found_room(bounds: list[Bound], cards: list[int], taken: list[int], which: int, tried: list[bool]) -> bool:
    """Find this bound a card, others making room for it where they can; `taken` says whose each card is."""
    for at in range(len(cards)):
        if tried[at] or bounds[which].bars(cards[at]):
            continue
        tried[at] = True
        if taken[at] < 0 or found_room(bounds, cards, taken, taken[at], tried):
            taken[at] = which
            return True
    return False


def bound_in(way: list[Bound], player: i64) -> i64:
    """How many cards of a hand are bound."""
    bound: i64 = 0
    for one in way:
        if one.player == player:
            bound += 1
    return bound


def without(way: list[Bound], index: i64) -> list[Bound]:
    """A way without one of its bounds."""
    return way[:index] + way[index + 1 :]


def weakest(ways: list[list[Bound]]) -> list[list[Bound]]:
    """The ways without those that allow nothing that another does not; none at all if one allows everything."""
    kept: list[list[Bound]] = []
    for i in range(i64(len(ways))):
        needed = True
        for j in range(i64(len(ways))):
            if j != i and within(ways[j], ways[i]) and (j < i or not within(ways[i], ways[j])):
                needed = False
                break
        if needed:
            if len(ways[i]) == 0:
                return []
            kept.append(ways[i])
    return kept


def within(few: list[Bound], many: list[Bound]) -> bool:
    """Whether all bounds of the one are among those of the other, as often."""
    if len(few) > len(many):
        return False
    rest = many[:]
    for one in few:
        for i in range(i64(len(rest))):
            if rest[i].same(one):
                del rest[i]
                break
        else:
            return False
    return True
