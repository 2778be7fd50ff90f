"""What may be concluded about hands that one cannot see, exactly.

Two things tell something. The Pickpocket moves cards between two hands before the eyes of those two players alone: they
know where those cards are; when he robs one of them again, whoever was not concerned knows only which places are
possible. And with two players, somebody who has to stop before the minimum (HC-22) shows that every card left in that
hand is barred by a witness.

This is exact. For a spectator of two, once the Pickpocket has moved cards after a silence that still binds, what the
silences ask of the hands is necessary and not yet enough; `doubts` then says the rest.

A `Memory` is never changed: each method gives a new one (or None, when nothing is left to remember), so that copies of
a state share it.
"""

from typing import Final, final

from mypy_extensions import i64

from parlour.games.hellfire.doubts import Bound, after_shown, after_silence, after_slip
from parlour.games.hellfire.terms import WORD

PLACE: Final = 8
"""A card's whereabouts are one number: card x 8 + player."""


@final
class Silence:
    """Two players, HC-22: when somebody had to stop, no card in that hand was one of `barred` (two words).

    `kept` is how many cards must at least still be in the hand of those that came into it before this silence and
    after the one before, each shown card being counted as the oldest that it can have been.
    """

    def __init__(self, kept: i64, first: i64, second: i64) -> None:
        self.kept = kept
        self.first = first
        self.second = second

    def bars(self, card: i64) -> bool:
        """Whether the card cannot have been in the hand."""
        if card < WORD:
            return (self.first >> card) & 1 == 1
        return (self.second >> (card - WORD)) & 1 == 1


@final
class Memory:
    """Who knows what about whose hand.

    `beliefs[p]` are the ways in which the cards that player p follows may lie in the other hands, each a sorted list of
    places, all equally good. `silences[q]` is what player q's opponent may conclude from q's silences, and
    `silences[2 + q]` what a spectator may; both lists are empty with three or more players. `doubts` are a spectator's
    ways in which bound cards may lie, one of them true; empty as long as the silences say it all.
    """

    def __init__(
        self,
        players: i64,
        beliefs: list[list[list[int]]],
        silences: list[list[Silence]],
        doubts: list[list[Bound]],
    ) -> None:
        self.players = players
        self.beliefs = beliefs
        self.silences = silences
        self.doubts = doubts

    def or_none(self) -> "Memory | None":
        """This memory, or None if there is nothing in it."""
        for ways in self.beliefs:
            if len(ways) != 1 or len(ways[0]) != 0:
                return self
        for kept in self.silences:
            if len(kept) > 0:
                return self
        return self if len(self.doubts) > 0 else None

    def shown(self, player: i64, card: i64, left: i64) -> "Memory | None":
        """A card of a player's has come out of the hand, before all eyes; `left` cards are still in it."""
        beliefs: list[list[list[int]]] = []
        silences = self.silences[:]
        for observer in range(self.players):
            ways = self.beliefs[observer]
            followed = follows(ways, card)
            if observer == player:
                beliefs.append(ways)
                continue
            beliefs.append(without(ways, card, player, left))
            if len(silences) > 0 and not followed:
                silences[player] = shown_by_silent(silences[player], card)
        if len(silences) > 0:
            silences[2 + player] = shown_by_silent(silences[2 + player], card)
        return Memory(self.players, beliefs, silences, after_shown(self.doubts, player, card, left)).or_none()

    def slipped(self, card: i64, giver: i64, taker: i64, left: i64) -> "Memory":
        """The Pickpocket has moved a card, seen by both players concerned; the giver holds `left` cards after it."""
        beliefs: list[list[list[int]]] = []
        silences = self.silences[:]
        for observer in range(self.players):
            ways = self.beliefs[observer]
            if observer == giver:
                beliefs.append(added(ways, card, taker))
            elif observer == taker:
                if len(silences) > 0 and not follows(ways, card):
                    silences[giver] = shown_by_silent(silences[giver], card)
                beliefs.append(without(ways, card, giver, left))
            else:
                beliefs.append(branched(ways, giver, taker, left))
        doubts = self.doubts
        if len(silences) > 0:
            if len(doubts) == 0 and len(silences[2]) + len(silences[3]) > 0:
                doubts = [bounds_of(0, silences[2]) + bounds_of(1, silences[3])]
            silences[2 + giver] = slipped_from_silent(silences[2 + giver])
        return Memory(self.players, beliefs, silences, after_slip(doubts, giver, taker, left))

    def silent(self, player: i64, hand: i64, first: i64, second: i64) -> "Memory":
        """Two players: `player` had to stop with so many cards in hand, none of them in the set given."""
        silences = self.silences[:]
        followed: i64 = len(self.beliefs[1 - player][0])
        for who in range(i64(2)):
            list_of = silences[player + 2 * who][:]
            kept: i64 = hand if who == 1 else hand - followed
            for silence in list_of:
                kept -= silence.kept
            list_of.append(Silence(kept, first, second))
            silences[player + 2 * who] = trimmed(list_of)
        return Memory(self.players, self.beliefs, silences, after_silence(self.doubts, player, hand, first, second))

    def as_known_to(self, observer: i64) -> "Memory | None":
        """What may stand in a copy that is dealt anew for one observer (-1: a spectator): nobody there knows more.

        What the others know of cards that the observer cannot see is hidden too, and the copy has other cards there.
        """
        beliefs: list[list[list[int]]] = [
            self.beliefs[player] if player == observer else [[]] for player in range(self.players)
        ]
        silences = self.silences[:]
        if len(silences) > 0:
            for player in range(i64(2)):
                if observer < 0:
                    silences[player] = silences[2 + player]
                elif player != observer:
                    silences[2 + player] = silences[player]
        return Memory(self.players, beliefs, silences, self.doubts if observer < 0 else []).or_none()


def nothing(players: i64) -> Memory:
    """A memory of nothing."""
    beliefs: list[list[list[int]]] = [[[]] for _ in range(players)]
    silences: list[list[Silence]] = []
    if players == 2:
        silences = [[], [], [], []]
    return Memory(players, beliefs, silences, [])


def follows(ways: list[list[int]], card: i64) -> bool:
    """Whether a player follows this card (every way then says where it is)."""
    return any(place // PLACE == card for place in ways[0])


def held_by(way: list[int], player: i64) -> i64:
    """How many of the followed cards this way puts in a player's hand."""
    held: i64 = 0
    for place in way:
        if place % PLACE == player:
            held += 1
    return held


def without(ways: list[list[int]], card: i64, player: i64, left: i64) -> list[list[int]]:
    """The ways that still can be, once `card` has been seen to leave `player`, who holds `left` cards more."""
    kept: list[list[int]] = []
    followed = follows(ways, card)
    place = int(card * PLACE + player)
    for way in ways:
        if followed:
            if place not in way:
                continue
            way = [other for other in way if other != place]
        if held_by(way, player) <= left:
            kept.append(way)
    return once(kept)


def added(ways: list[list[int]], card: i64, player: i64) -> list[list[int]]:
    """A card from one's own hand is now in another's."""
    return [sorted([*way, int(card * PLACE + player)]) for way in ways]


def branched(ways: list[list[int]], giver: i64, taker: i64, left: i64) -> list[list[int]]:
    """An unseen card went from one hand to another: any of the followed ones, or one that is not followed."""
    found: list[list[int]] = []
    for way in ways:
        if held_by(way, giver) <= left:
            found.append(way)
        for place in way:
            if place % PLACE == giver:
                moved = [other for other in way if other != place]
                moved.append(place - int(giver) + int(taker))
                found.append(sorted(moved))
    return once(found)


def once(ways: list[list[int]]) -> list[list[int]]:
    """Each way only once."""
    kept: list[list[int]] = []
    for way in ways:
        if way not in kept:
            kept.append(way)
    return kept


def shown_by_silent(silences: list[Silence], card: i64) -> list[Silence]:
    """A shown card may have been one of those kept, unless a later silence says that it came after."""
    start: i64 = 0
    for i in range(i64(len(silences))):
        if silences[i].bars(card):
            start = i + 1
    return lessened(silences, start)


def slipped_from_silent(silences: list[Silence]) -> list[Silence]:
    """A card left the hand unseen: it may have been the oldest."""
    return lessened(silences, 0)


def lessened(silences: list[Silence], start: i64) -> list[Silence]:
    """One card less of those kept, the first possible from `start` on."""
    changed = silences[:]
    for i in range(start, i64(len(changed))):
        old = changed[i]
        if old.kept > 0:
            changed[i] = Silence(old.kept - 1, old.first, old.second)
            break
    return trimmed(changed)


def trimmed(silences: list[Silence]) -> list[Silence]:
    """Silences that bind nothing any more, at the front, are forgotten."""
    kept = silences
    while len(kept) > 0 and kept[0].kept == 0:
        kept = kept[1:]
    return kept


def bounds_of(player: i64, silences: list[Silence]) -> list[Bound]:
    """What the silences say of single cards: those kept from before one are none of what it and all later ones bar."""
    bounds: list[Bound] = []
    first: i64 = 0
    second: i64 = 0
    for i in range(i64(len(silences)) - 1, i64(-1), i64(-1)):
        first |= silences[i].first
        second |= silences[i].second
        bounds += [Bound(player, first, second)] * int(silences[i].kept)
    return bounds
