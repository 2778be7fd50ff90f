"""The table in the gin shop: everything that lies on it or is held, and the small motions that every step makes.

The steps of a turn are in files of their own, in the rulebook's order (`refresh`, `recount`, `window`, `chain`,
`deserts`, `ending`); `rules` ties them together.
"""

from collections.abc import Mapping

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from parlour.games.hellfire.memory import Memory
from parlour.games.hellfire.terms import (
    INTERRUPT,
    NIGHT_CONSTABLE,
    NOBODY,
    NONE,
    OVER,
    RECHALLENGE,
    SUIT_MASK,
    WORD,
    Terms,
    suit_of,
    value_of,
)
from parlour.kernel.dice import Dice
from parlour.kernel.game import Game
from parlour.kernel.sets import EVERYONE, bit, count
from parlour.kernel.state import Event, State


class Tavern(State):
    """What lies on the table and what is held, and by whom.

    Hidden from all: the order of `pile` and `patron_pile`. Its owner's alone: a hand, a held Patron, an answer until
    its window closes. All the rest is public (with `piles = closed` pockets and discards are remembered, not shown).
    """

    def __init__(self, game: Game, players: i64, dice: Dice, terms: Terms) -> None:
        super().__init__(game, players, dice)
        self.terms = terms
        self.step: i64 = OVER
        self.turn: i64 = 0
        self.storyteller: i64 = 0
        self.attempts: i64 = 0
        # Draw piles: drawn from the front, never changed in place, so that copies can share them.
        self.pile: vec[u8] = vec[u8]()
        self.drawn: i64 = 0
        self.patron_pile: vec[u8] = vec[u8]()
        self.patrons_drawn: i64 = 0
        self.discards: vec[u8] = vec[u8]()
        self.patron_discards: vec[u8] = vec[u8]()
        # By player; sets of Boast cards take two words each.
        self.hands: vec[i64] = vec[i64]()
        self.pockets: vec[i64] = vec[i64]()
        self.purses: vec[i64] = vec[i64]()
        self.patrons: vec[i64] = vec[i64]()
        self.in_force: vec[i64] = vec[i64]()
        self.answers: vec[i64] = vec[i64]()
        # By suit.
        self.record: vec[i64] = vec[i64]()
        self.benefactors: vec[i64] = vec[i64]()
        # Two players: the witnesses in their slots, and the card turned up to replace one.
        self.witnesses: vec[u8] = vec[u8]()
        self.turned: i64 = NONE
        # The turn's tale: the row, the contested card, the chain in the order in which its cards spoke.
        self.row: vec[u8] = vec[u8]()
        self.contested: i64 = NONE
        self.cancelled: bool = False
        self.spoken: vec[u8] = vec[u8]()
        self.speakers: vec[u8] = vec[u8]()
        # The window: who is asked, who has answered for good, who has only passed so far (first_voice), and how many
        # seats from the storyteller's left have had their Patrons looked at (HC-36).
        self.responders: i64 = 0
        self.answered: i64 = 0
        self.noted: i64 = 0
        self.looked_at: i64 = 0
        self.target: i64 = NOBODY
        self.ended_by: str = ""
        self.memory: Memory | None = None
        # HC-14: which Patrons went into each shuffle, and from which shuffle each held Patron came.
        self.shuffles: vec[i64] = vec[i64]()
        self.patron_age: vec[i64] = vec[i64]()

    def lay_table(self) -> None:
        """HC-05: nothing held, nothing pocketed, purses and records 0, all Benefactors in the pool."""
        players = int(self.players)
        self.hands = vec[i64]([0] * (2 * players))
        self.pockets = vec[i64]([0] * (2 * players))
        self.purses = vec[i64]([0] * players)
        self.patrons = vec[i64]([-1] * players)
        self.in_force = vec[i64]([-1] * players)
        self.answers = vec[i64]([0] * players)
        self.record = vec[i64]([0] * 10)
        self.benefactors = vec[i64]([-1] * 10)
        self.shuffles = vec[i64]([0x3FFFFFFF])
        self.patron_age = vec[i64]([0] * players)

    # --- hands --------------------------------------------------------------------------------------------------

    def hand_size(self, player: i64) -> i64:
        """How many Boast cards a player holds."""
        return count(self.hands[2 * player]) + count(self.hands[2 * player + 1])

    def holds(self, player: i64, card: i64) -> bool:
        """Whether a player holds this Boast card."""
        if card < WORD:
            return (self.hands[2 * player] >> card) & 1 == 1
        return (self.hands[2 * player + 1] >> (card - WORD)) & 1 == 1

    def suit_in_hand(self, player: i64, suit: i64) -> i64:
        """The values of one suit in a hand: bit 0 is value 1."""
        if suit < 5:
            return (self.hands[2 * player] >> (10 * suit)) & SUIT_MASK
        return (self.hands[2 * player + 1] >> (10 * (suit - 5))) & SUIT_MASK

    def put_in_hand(self, player: i64, card: i64) -> None:
        """Add a Boast card to a hand."""
        if card < WORD:
            self.hands[2 * player] |= bit(card)
        else:
            self.hands[2 * player + 1] |= bit(card - WORD)

    def take_from_hand(self, player: i64, card: i64) -> None:
        """A card leaves a hand, face up: everybody may conclude from it what they can."""
        if card < WORD:
            self.hands[2 * player] &= ~bit(card)
        else:
            self.hands[2 * player + 1] &= ~bit(card - WORD)
        memory = self.memory
        if memory is not None:
            self.memory = memory.shown(player, card, self.hand_size(player))

    def hand_list(self, player: i64) -> list[int]:
        """A hand in suit order."""
        return cards_of(self.hands[2 * player], self.hands[2 * player + 1])

    # --- piles --------------------------------------------------------------------------------------------------

    def pile_size(self) -> i64:
        """How many Boast cards can still be drawn."""
        return len(self.pile) - self.drawn

    def draw_top(self) -> i64:
        """The top Boast card leaves the draw pile. There must be one."""
        card: i64 = i64(self.pile[self.drawn])
        self.drawn += 1
        return card

    def discard(self, card: i64) -> None:
        """A Boast card goes to the discard pile, face up (HC-R29)."""
        self.discards = append(self.discards, u8(card))

    def pocket(self, player: i64, card: i64) -> None:
        """HC-09: a card is pocketed, that is, successfully played."""
        if card < WORD:
            self.pockets[2 * player] |= bit(card)
        else:
            self.pockets[2 * player + 1] |= bit(card - WORD)

    def suit_in_pocket(self, player: i64, suit: i64) -> i64:
        """The values of one suit in a pocket: bit 0 is value 1."""
        if suit < 5:
            return (self.pockets[2 * player] >> (10 * suit)) & SUIT_MASK
        return (self.pockets[2 * player + 1] >> (10 * (suit - 5))) & SUIT_MASK

    # --- terms that several steps share -------------------------------------------------------------------------

    def seat_from_left(self, distance: i64) -> i64:
        """HC-01: the seat so many places to the storyteller's left; 0 is the storyteller."""
        seat: i64 = self.storyteller + distance
        return seat - self.players if seat >= self.players else seat

    def value_pennies(self, card: i64) -> i64:
        """HC-52: what a card pays in Just Deserts for its value."""
        return self.terms.value_pennies[value_of(card) - 1]

    def owner_in_force(self, patron: i64) -> i64:
        """Who has this Patron in force, NOBODY if it is not."""
        for player in range(self.players):
            if self.in_force[player] == patron:
                return player
        return NOBODY

    def silenced(self) -> bool:
        """HC-22: whether a Night Constable is in force."""
        return self.owner_in_force(NIGHT_CONSTABLE) != NOBODY

    def barred_by_witness(self, card: i64) -> bool:
        """HC-73, HC-R24: whether a witness has the same suit and a lower value."""
        suit: i64 = suit_of(card)
        for i in range(i64(len(self.witnesses))):
            witness: i64 = i64(self.witnesses[i])
            if witness < card and suit_of(witness) == suit:
                return True
        return False

    def may_tell_any(self, player: i64) -> bool:
        """Whether a hand has a card that HC-20 and HC-73 allow."""
        if not self.terms.two:
            return (self.hands[2 * player] | self.hands[2 * player + 1]) != 0
        rest: i64 = 0
        for word in range(i64(2)):
            rest = self.hands[2 * player + word]
            while rest != 0:
                least: i64 = rest & -rest
                rest ^= least
                if not self.barred_by_witness(count(least - 1) + word * WORD):
                    return True
        return False

    def in_window(self) -> bool:
        """Whether a window is open."""
        return self.step == INTERRUPT or self.step == RECHALLENGE

    # --- the story of what happens ------------------------------------------------------------------------------

    def report(
        self, kind: str, player: i64, args: Mapping[str, object], seen: int = EVERYONE, reveals: int = 0
    ) -> None:
        """Add an event, if anybody listens. Callers on hot paths ask first, so as not to make `args` for nothing."""
        events = self.events
        if events is not None:
            events.append(Event(kind, int(player), args, seen, reveals))

    def all_but(self, player: i64) -> int:
        """Everybody at the table but one."""
        return int((bit(self.players) - 1) & ~bit(player))

    def options(self) -> Mapping[str, object]:
        """The game's options as this state was set up."""
        return dict(self.terms.options)


def cards_of(first: i64, second: i64) -> list[int]:
    """The Boast cards of a set, in suit order."""
    found: list[int] = []
    rest: i64 = first
    while rest != 0:
        least: i64 = rest & -rest
        found.append(count(least - 1))
        rest ^= least
    rest = second
    while rest != 0:
        last: i64 = rest & -rest
        found.append(count(last - 1) + WORD)
        rest ^= last
    return found
