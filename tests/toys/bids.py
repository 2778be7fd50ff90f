"""Sealed Bids: a toy game for the tests, with a secret hand, a window of sealed answers and one chance draw.

Twenty cards, 1 to 20; everybody holds four. In each of four rounds the leader calls *modest* (the prize is 3) or *bold*
(the prize is rolled, 1 to 6). Then all bid at once, in secret: a card from hand, or a pass. The highest bid takes the
prize; only that card is shown and discarded, and its owner draws another unseen. The other bids go back unseen.
Most points win; shared if equal.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import msgspec

from parlour.kernel import (
    ActionSpace,
    ActionType,
    Decision,
    Dice,
    Etiquette,
    Event,
    Game,
    Look,
    Option,
    PositionError,
    Refusal,
    Standing,
    State,
    members,
)

CARDS = 20
PASS = CARDS
MODEST, BOLD = 21, 22
CALL, BID = "call", "bid"
MODEST_PRIZE = 3

ACTIONS = ActionSpace(
    [
        Decision(
            CALL,
            (ActionType("call", MODEST, ("modest", "bold"), "Call {value}", "call", "TOY-2"),),
            "Call a modest prize or roll for a bold one.",
            "TOY-2",
        ),
        Decision(
            BID,
            (
                ActionType("bid", 0, tuple(f"card_{i + 1:02}" for i in range(CARDS)), "Bid {value}", "card", "TOY-3"),
                ActionType("pass", PASS, ("",), "Pass", "", "TOY-3"),
            ),
            "Bid a card from your hand, or pass.",
            "TOY-3",
        ),
    ]
)


class BidsPosition(msgspec.Struct, forbid_unknown_fields=True):
    hands: list[list[int]]
    deck: list[int]
    discards: list[int]
    points: list[int]
    leader: int = 0
    round: int = 0
    prize: int = 0
    answers: dict[str, int] = {}


class SeatView(msgspec.Struct):
    cards: int
    points: int
    asked: bool


class BidsView(msgspec.Struct):
    round: int
    rounds: int
    leader: int
    prize: int
    deck: int
    discards: list[int]
    seats: list[SeatView]
    hand: list[int]
    answer: str


class Bids(State):
    """One position of Sealed Bids."""

    def __init__(self, game: Game, players: int, dice: Dice, rounds: int) -> None:
        super().__init__(game, players, dice)
        self.rounds = rounds
        self.hands = [0] * players
        self.deck: list[int] = []
        self.discards: list[int] = []
        self.points = [0] * players
        self.leader = 0
        self.round = 0
        self.prize = 0
        self.answers: dict[int, int] = {}

    def actors(self) -> int:
        if self.round >= self.rounds:
            return 0
        if self.prize == 0:
            return 1 << self.leader
        return ((1 << self.players) - 1) & ~sum(1 << player for player in self.answers)

    def legal_actions(self, player: int) -> list[int]:
        if not self._is_asked(player):
            return []
        if self.prize == 0:
            return [MODEST, BOLD]
        return [*members(self.hands[player]), PASS]

    def _is_asked(self, player: int) -> bool:
        return player in members(self.actors())

    def apply(self, player: int, action: int) -> None:
        if self.prize == 0:
            self.prize = MODEST_PRIZE if action == MODEST else 1 + self.dice.below(6)
            rolled = 0 if action == MODEST else -1
            self._tell("called", player, {"call": "modest" if action == MODEST else "bold"})
            self._tell("prize", -1, {"prize": self.prize}, reveals=rolled)
            return
        self.answers[player] = action
        if len(self.answers) == self.players:
            self._close_window()

    def _close_window(self) -> None:
        """TOY-4: the highest bid takes the prize; the rest go back unseen."""
        best, winner = max((-1 if bid == PASS else bid, player) for player, bid in self.answers.items())
        if best < 0:
            self._tell("nobody", -1, {})
        else:
            self.hands[winner] &= ~(1 << best)
            self.discards.append(best)
            self.points[winner] += self.prize
            self._tell("won", winner, {"card": best + 1, "prize": self.prize}, reveals=-1)
            if self.deck:
                drawn = self.deck.pop()
                self.hands[winner] |= 1 << drawn
                self._tell("drew", winner, {})
                self._tell("drew_card", winner, {"card": drawn + 1}, seen=1 << winner, reveals=1 << winner)
        self.answers = {}
        self.prize = 0
        self.round += 1
        self.leader = (self.leader + 1) % self.players

    def _tell(self, kind: str, player: int, args: dict[str, object], seen: int = -1, reveals: int = 0) -> None:
        if self.events is not None:
            self.events.append(Event(kind, player, args, seen, reveals))

    def scores(self) -> list[float]:
        return [float(points) for points in self.points]

    def standings(self) -> list[Standing]:
        order = sorted(range(self.players), key=lambda player: -self.points[player])
        return [
            Standing(
                player,
                1 + sum(1 for other in self.points if other > self.points[player]),
                float(self.points[player]),
                "most points" if self.points[player] == max(self.points) else "fewer points",
            )
            for player in order
        ]

    def clone(self) -> Bids:
        copy = Bids(self.game, self.players, self.dice.clone(), self.rounds)
        copy.hands = list(self.hands)
        copy.deck = list(self.deck)
        copy.discards = list(self.discards)
        copy.points = list(self.points)
        copy.leader, copy.round, copy.prize = self.leader, self.round, self.prize
        copy.answers = dict(self.answers)
        return copy

    def resample(self, player: int, dice: Dice) -> Bids:
        self.knower(player)
        copy = self.clone()
        copy.dice = dice.fork()
        unknown = [*copy.deck, *(card for p in range(self.players) if p != player for card in members(copy.hands[p]))]
        unknown.sort()
        dice.shuffle(unknown)
        for p in range(self.players):
            if p != player:
                size = len(members(copy.hands[p]))
                copy.hands[p] = sum(1 << card for card in unknown[:size])
                unknown = unknown[size:]
        copy.deck = unknown
        copy.answers = {p: answer for p, answer in copy.answers.items() if p == player}
        return copy

    def explain(self, player: int, action: int) -> Refusal | None:
        if action in self.legal_actions(player):
            return None
        if not self._is_asked(player):
            return Refusal("You are asked nothing now.", "TOY-2")
        if self.prize == 0:
            return Refusal("Call modest or bold first.", "TOY-2")
        if action < CARDS:
            return Refusal("You hold no such card.", "TOY-3")
        return Refusal("The prize has been called already.", "TOY-2")

    def decision(self, player: int) -> str:
        if not self._is_asked(player):
            return ""
        return CALL if self.prize == 0 else BID

    def sealed(self) -> bool:
        return self.round < self.rounds and self.prize != 0

    def position(self) -> dict[str, object]:
        return {
            "hands": [[card + 1 for card in members(hand)] for hand in self.hands],
            "deck": [card + 1 for card in self.deck],
            "discards": [card + 1 for card in self.discards],
            "points": list(self.points),
            "leader": self.leader,
            "round": self.round,
            "prize": self.prize,
            "answers": {str(player): self.answers[player] for player in sorted(self.answers)},
        }

    def options(self) -> Mapping[str, object]:
        return {"rounds": self.rounds}


def deal(game: Game, players: int, options: Mapping[str, Any], dice: Dice) -> Bids:
    state = Bids(game, players, dice, options["rounds"])
    state.deck = list(range(CARDS))
    dice.shuffle(state.deck)
    for player in range(players):
        for _ in range(4):
            state.hands[player] |= 1 << state.deck.pop()
    return state


def load(game: Game, players: int, options: Mapping[str, Any], dice: Dice, position: Mapping[str, Any]) -> Bids:
    try:
        given = msgspec.convert(position, BidsPosition)
    except msgspec.ValidationError as error:
        raise PositionError("TOY-I0", str(error)) from None
    state = Bids(game, players, dice, options["rounds"])
    state.hands = [sum(1 << (card - 1) for card in hand) for hand in given.hands]
    state.deck = [card - 1 for card in given.deck]
    state.discards = [card - 1 for card in given.discards]
    state.points = list(given.points)
    state.leader, state.round, state.prize = given.leader, given.round, given.prize
    state.answers = {int(player): answer for player, answer in given.answers.items()}
    check(state)
    return state


def check(state: State) -> None:
    """TOY-I1: every card is in exactly one place. TOY-I2: one hand and one score for every player."""
    assert isinstance(state, Bids)
    if len(state.hands) != state.players or len(state.points) != state.players:
        raise PositionError("TOY-I2", "there is one hand and one score for every player.")
    everywhere = [*state.deck, *state.discards, *(card for hand in state.hands for card in members(hand))]
    if sorted(everywhere) != list(range(CARDS)):
        raise PositionError("TOY-I1", "every card is in exactly one place.")


def view(state: State, player: int | None) -> BidsView:
    assert isinstance(state, Bids)
    asked = state.sealed()
    mine = [] if player is None else [card + 1 for card in members(state.hands[player])]
    answer = "" if player is None or player not in state.answers else ACTIONS.describe(BID, state.answers[player]).id
    return BidsView(
        round=state.round,
        rounds=state.rounds,
        leader=state.leader,
        prize=state.prize,
        deck=len(state.deck),
        discards=[card + 1 for card in state.discards],
        seats=[
            SeatView(len(members(state.hands[p])), state.points[p], asked or (state.actors() >> p & 1) == 1)
            for p in range(state.players)
        ],
        hand=mine,
        answer=answer,
    )


def words(event: Event, names: Sequence[str]) -> str:
    who = names[event.player] if event.player >= 0 else ""
    return {
        "called": f"{who} calls a {event.args.get('call')} prize.",
        "prize": f"The prize is {event.args.get('prize')}.",
        "nobody": "Nobody bids.",
        "won": f"{who} bids {event.args.get('card')} and takes the prize of {event.args.get('prize')}.",
        "drew": f"{who} draws a card.",
        "drew_card": f"You drew the {event.args.get('card')}.",
    }[event.kind]


GAME = Game(
    name="bids",
    title="Sealed Bids",
    players=range(2, 5),
    deal=deal,
    load_position=load,
    actions=ACTIONS,
    view=view,
    words=words,
    options=(Option("rounds", 4, "How many rounds are played.", range(1, 7)),),
    blurb="A toy for the tests: bid in secret, the highest card takes the prize.",
    kind="test",
    etiquette=Etiquette(windows={BID: (Look("the prize", "prize"),)}),
)
