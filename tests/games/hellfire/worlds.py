"""An observer who keeps every arrangement of the hidden cards that agrees with what has been seen, by enumeration.

It knows nothing of the game's own bookkeeping: it reads the events that its seat may see, and filters. What `resample`
deals must lie among its worlds, and each of them must come as often as any other.
"""

from __future__ import annotations

from itertools import combinations

from parlour.games.hellfire.box import BOASTS
from parlour.games.hellfire.rules import Hellfire
from parlour.games.hellfire.terms import PATRON_GIVE, TELL
from parlour.kernel import Event

World = tuple[tuple[frozenset[int], ...], frozenset[int]]
"""The hands by player (the observer's own is left empty), and the draw pile as a set."""


class Observer:
    """Everything that one seat (-1: a spectator) thinks possible."""

    def __init__(self, state: Hellfire, seat: int) -> None:
        self.seat = seat
        self.players = int(state.players)
        self.owed: tuple[int, int] | None = None
        self.witnesses = [int(card) for card in state.witnesses]
        hidden = {int(card) for card in state.pile[state.drawn :]}
        for player in range(self.players):
            if player != seat:
                hidden |= set(state.hand_list(player))
        self.worlds: set[World] = {((), frozenset(hidden))}
        for player in range(self.players):
            size = 0 if player == seat else int(state.hand_size(player))
            self.worlds = {
                ((*hands, frozenset(cards)), pile - set(cards))
                for hands, pile in self.worlds
                for cards in combinations(sorted(pile), size)
            }

    def see(self, events: list[Event]) -> None:
        """What happened, as far as this seat may see it."""
        for event in events:
            if event.visible_to(self.seat):
                if event.kind != "robbed":
                    self.given_back()
                self.one(event)

    def given_back(self) -> None:
        """The Pickpocket's card in return, which those who are not concerned do not see."""
        if self.owed is not None:
            self.slips(*self.owed)
            self.owed = None

    def one(self, event: Event) -> None:
        args = event.args
        if event.kind == "drew" and event.player != self.seat:
            self.draws(event.player, int(args["cards"]))  # type: ignore[call-overload]
        elif event.kind == "drew_cards":
            for name in args["cards"]:  # type: ignore[attr-defined]
                self.leaves_pile(BOASTS.index(name))
        elif event.kind == "witness_turned":
            self.leaves_pile(BOASTS.index(str(args["card"])))
        elif event.kind == "witness":
            slot = args["slot"]
            assert isinstance(slot, int)
            self.witnesses[slot] = BOASTS.index(str(args["card"]))
        elif event.kind in ("discarded", "boast", "challenge", "rechallenge", "gave_up"):
            self.shows(event.player, BOASTS.index(str(args["card"])))
        elif event.kind == "slipped":
            self.moves(BOASTS.index(str(args["card"])), event.player, int(args["to"]))  # type: ignore[call-overload]
        elif event.kind == "stopped" and args["why"] == "no_legal_card":
            self.keep(event.player, legal=False)
        elif event.kind == "robbed":
            target = args["target"]
            assert isinstance(target, int)
            if self.seat not in (event.player, target):
                self.slips(target, event.player)
                self.owed = (event.player, target)

    def asked(self, state: Hellfire) -> None:
        """Two players: a storyteller who is asked to tell before the minimum has a legal card."""
        if state.step != PATRON_GIVE:
            self.given_back()
        if self.players == 2 and state.step == TELL and state.attempts < 2 and state.storyteller != self.seat:
            self.keep(int(state.storyteller), legal=True)

    def keep(self, player: int, legal: bool) -> None:
        """Only the worlds in which this hand has a legal card, or has none."""
        if player != self.seat:
            self.worlds = {world for world in self.worlds if any(map(self.legal, world[0][player])) == legal}

    def legal(self, card: int) -> bool:
        return not any(card // 10 == other // 10 and card > other for other in self.witnesses)

    def draws(self, player: int, number: int) -> None:
        self.worlds = {
            (_put(hands, player, set(cards)), pile - set(cards))
            for hands, pile in self.worlds
            for cards in combinations(sorted(pile), number)
        }

    def leaves_pile(self, card: int) -> None:
        self.worlds = {(hands, pile - {card}) for hands, pile in self.worlds if card in pile}

    def shows(self, player: int, card: int) -> None:
        if player != self.seat:
            self.worlds = {(_take(hands, player, card), pile) for hands, pile in self.worlds if card in hands[player]}

    def moves(self, card: int, giver: int, taker: int) -> None:
        """A card that this seat has seen go."""
        self.shows(giver, card)
        if taker != self.seat:
            self.worlds = {(_put(hands, taker, {card}), pile) for hands, pile in self.worlds}

    def slips(self, giver: int, taker: int) -> None:
        """A card that it has not."""
        self.worlds = {
            (_put(_take(hands, giver, card), taker, {card}), pile)
            for hands, pile in self.worlds
            for card in hands[giver]
        }

    def world_of(self, state: Hellfire) -> World:
        """The arrangement of a state, as this seat would write it."""
        hands = tuple(
            frozenset() if player == self.seat else frozenset(state.hand_list(player)) for player in range(self.players)
        )
        return hands, frozenset(int(card) for card in state.pile[state.drawn :])


def _put(hands: tuple[frozenset[int], ...], player: int, cards: set[int]) -> tuple[frozenset[int], ...]:
    return (*hands[:player], hands[player] | cards, *hands[player + 1 :])


def _take(hands: tuple[frozenset[int], ...], player: int, card: int) -> tuple[frozenset[int], ...]:
    return (*hands[:player], hands[player] - {card}, *hands[player + 1 :])
