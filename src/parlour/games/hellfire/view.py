"""What one player or a spectator may see (section 6). Pages, remote players and the public ever get only this.

In a window nothing here depends on who has answered or what, on who could, or on whether anybody has a choice at all.
With `piles = closed` pockets and discards are sizes until the end.
"""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct

from parlour.games.hellfire.box import BOASTS, BOX, PATRONS, SUITS
from parlour.games.hellfire.ending import benefactor_pennies, majority_pennies, standings, suit_majority, total
from parlour.games.hellfire.memory import PLACE
from parlour.games.hellfire.rules import Hellfire
from parlour.games.hellfire.tavern import cards_of
from parlour.games.hellfire.terms import (
    DECISIONS,
    FIRST_CARD,
    INTERRUPT,
    NO,
    OVER,
    PATRON_GIVE,
    RECHALLENGE,
    YES,
)
from parlour.games.hellfire.window import protected
from parlour.kernel.sets import members
from parlour.kernel.state import State


class CardView(Struct):
    """A Boast card, face up."""

    id: str
    suit: str
    value: int
    name: str
    phrase: str
    aside: str


class HandCardView(Struct):
    """A card in the viewer's hand. `lower_unseen`: how many lower cards of its suit the viewer has not seen (the
    bookkeeper's help; null where pockets and discards are closed). `legal`: whether it can be chosen now.
    """

    card: CardView
    lower_unseen: int | None
    legal: bool


class PatronView(Struct):
    """A Patron, face up. `playable`: whether its holder may play it now."""

    id: str
    name: str
    symbol: str
    effect: str
    playable: bool = False


class PocketView(Struct):
    """What a player has pocketed of one suit, ascending."""

    suit: str
    cards: list[CardView]


class PlayerView(Struct):
    """What everybody may know of one player."""

    player: int
    storyteller: bool
    hand_size: int
    hand: list[CardView] | None
    """Shown when the game is over."""
    has_patron: bool
    in_force: PatronView | None
    purse: int
    sixpences: int
    pennies: int
    """The purse as coins."""
    pocket_size: int
    pockets: list[PocketView] | None
    benefactors: list[str]
    """Suits."""
    known: list[CardView]
    """Cards that the viewer knows to be in this hand, by the Pickpocket's doing."""


class SuitView(Struct):
    """A suit, how high it has been pocketed, and who has its Benefactor (null: the pool)."""

    id: str
    letter: str
    name: str
    colour: str
    glyph: str
    record: int
    benefactor: str
    holder: int | None


class SpokenView(Struct):
    """A challenge that has spoken."""

    player: int
    card: CardView
    lead: bool


class WindowView(Struct):
    """An open window: the card in question and who is asked, which everybody knows. `you_are_asked` and `answer`
    (`pass`, a card or a Patron) are the viewer's own.
    """

    kind: str
    card: CardView
    asked: list[int]
    protected: bool
    you_are_asked: bool
    answer: str | None


class ReckoningView(Struct):
    """A line of the final table, best first."""

    player: int
    place: int
    purse: int
    majorities: int
    benefactors: int
    total: int
    by_suit: dict[str, int]
    """Majority pennies."""
    reason: str


class HellfireView(Struct):
    """The whole table as one viewer sees it."""

    you: int | None
    turn: int
    storyteller: int
    decision: str
    """What is being asked, of the storyteller or of all in a window; `over` at the end."""
    to_act: int | None
    """Whom the table waits for; null in a window, where nobody may know."""
    hand_limit: int
    attempts: int
    minimum_attempts: int
    may_stop: bool
    draw_pile: int
    patron_pile: int
    discard_size: int
    discards: list[CardView] | None
    """In the order in which they were discarded."""
    patron_discards: list[PatronView] | None
    patron_discard_size: int
    players: list[PlayerView]
    suits: list[SuitView]
    hand: list[HandCardView]
    patron: PatronView | None
    row: list[CardView]
    contested: CardView | None
    cancelled: bool
    chain: list[SpokenView]
    window: WindowView | None
    witnesses: list[CardView]
    turned_up: CardView | None
    robbed: int | None
    ended_by: str
    reckoning: list[ReckoningView] | None
    options: dict[str, int | bool | str]


def card_view(card: int) -> CardView:
    """A Boast card by number."""
    name = BOASTS[card]
    boast = BOX.spec.boasts[name]
    return CardView(name, SUITS[card // 10], card % 10 + 1, boast.name, boast.phrase, boast.aside)


def patron_view(patron: int, playable: bool = False) -> PatronView:
    """A Patron by number."""
    name = PATRONS[patron]
    one = BOX.spec.patrons[name]
    return PatronView(name, one.name, one.symbol, one.effect, playable)


def view(state: State, player: int | None) -> HellfireView:
    """The table as this player sees it; None is a spectator."""
    assert isinstance(state, Hellfire)  # noqa: S101
    s = state
    viewer = -1 if player is None or player < 0 else player
    over = s.step == OVER
    shown = over or not s.terms.closed
    windowed = s.step in (INTERRUPT, RECHALLENGE)
    decision = "over" if over else DECISIONS[s.step]
    return HellfireView(
        you=viewer if viewer >= 0 else None,
        turn=int(s.turn),
        storyteller=int(s.storyteller),
        decision=decision,
        to_act=None if windowed or over else int(s.current_player),
        hand_limit=int(s.terms.hand_limit),
        attempts=int(s.attempts),
        minimum_attempts=int(s.terms.minimum_attempts),
        may_stop=decision == "tell" and s.attempts >= s.terms.minimum_attempts,
        draw_pile=int(s.pile_size()),
        patron_pile=len(s.patron_pile) - int(s.patrons_drawn),
        discard_size=len(s.discards),
        discards=[card_view(int(card)) for card in s.discards] if shown else None,
        patron_discards=[patron_view(int(one)) for one in s.patron_discards] if shown else None,
        patron_discard_size=len(s.patron_discards),
        players=[_player(s, seat, viewer, shown) for seat in range(s.players)],
        suits=[_suit(s, index) for index in range(len(SUITS))],
        hand=_hand(s, viewer, shown),
        patron=_own_patron(s, viewer),
        row=[card_view(int(card)) for card in s.row],
        contested=card_view(int(s.contested)) if s.contested >= 0 else None,
        cancelled=bool(s.cancelled),
        chain=_chain(s),
        window=_window(s, viewer) if windowed else None,
        witnesses=[card_view(int(card)) for card in s.witnesses],
        turned_up=card_view(int(s.turned)) if s.turned >= 0 else None,
        robbed=int(s.target) if s.step == PATRON_GIVE else None,
        ended_by=s.ended_by,
        reckoning=_reckoning(s) if over else None,
        options=dict(s.options()),  # type: ignore[arg-type]
    )


def _player(s: Hellfire, seat: int, viewer: int, shown: bool) -> PlayerView:
    purse = int(s.purses[seat])
    sixpence = BOX.spec.numbers.sixpence
    pocket = cards_of(s.pockets[2 * seat], s.pockets[2 * seat + 1])
    return PlayerView(
        player=seat,
        storyteller=seat == s.storyteller,
        hand_size=int(s.hand_size(seat)),
        hand=[card_view(card) for card in s.hand_list(seat)] if s.step == OVER else None,
        has_patron=s.patrons[seat] >= 0,
        in_force=patron_view(int(s.in_force[seat])) if s.in_force[seat] >= 0 else None,
        purse=purse,
        sixpences=purse // sixpence,
        pennies=purse % sixpence,
        pocket_size=len(pocket),
        pockets=_pockets(pocket) if shown else None,
        benefactors=[suit for index, suit in enumerate(SUITS) if s.benefactors[index] == seat],
        known=[card_view(card) for card in _known(s, viewer, seat)],
    )


def _pockets(cards: Sequence[int]) -> list[PocketView]:
    return [
        PocketView(suit, [card_view(card) for card in cards if card // 10 == index])
        for index, suit in enumerate(SUITS)
        if any(card // 10 == index for card in cards)
    ]


def _known(s: Hellfire, viewer: int, seat: int) -> list[int]:
    """The cards that are in this hand in all the ways that the viewer thinks possible."""
    if s.memory is None or viewer < 0:
        return []
    ways = [set(way) for way in s.memory.beliefs[viewer]]
    sure = set.intersection(*ways)
    return sorted(place // PLACE for place in sure if place % PLACE == seat)


def _suit(s: Hellfire, index: int) -> SuitView:
    name = SUITS[index]
    suit = BOX.spec.suits[name]
    holder = int(s.benefactors[index])
    benefactor = BOX.spec.benefactors[f"benefactor_{name}"].name
    return SuitView(
        name,
        suit.letter,
        suit.name,
        suit.colour,
        suit.glyph,
        int(s.record[index]),
        benefactor,
        holder if holder >= 0 else None,
    )


def _hand(s: Hellfire, viewer: int, shown: bool) -> list[HandCardView]:
    if viewer < 0:
        return []
    mask = 1 << viewer
    asked = bool((s.actors() | s.late_actors()) & mask)
    legal = set(s.legal_actions(viewer)) if asked else set()
    seen = seen_cards(s, viewer)
    return [
        HandCardView(
            card_view(card),
            sum(1 for lower in range(card - card % 10, card) if lower not in seen) if shown else None,
            card + int(FIRST_CARD) in legal,
        )
        for card in s.hand_list(viewer)
    ]


def seen_cards(s: Hellfire, viewer: int) -> set[int]:
    """Every Boast card whose place the viewer knows, or that is out of the game: what a bookkeeper would have noted."""
    seen = {int(card) for pile in (s.discards, s.row, s.spoken, s.witnesses) for card in pile}
    seen |= {int(s.turned), int(s.contested)}
    for player in range(s.players):
        seen |= set(cards_of(s.pockets[2 * player], s.pockets[2 * player + 1]))
    return seen | set(s.hand_list(viewer)) if viewer >= 0 else seen


def _own_patron(s: Hellfire, viewer: int) -> PatronView | None:
    if viewer < 0 or s.patrons[viewer] < 0:
        return None
    asked = bool((s.actors() | s.late_actors()) >> viewer & 1)
    playable = asked and s.decision(viewer) in ("play_patron", "interrupt") and int(YES) in s.legal_actions(viewer)
    return patron_view(int(s.patrons[viewer]), playable)


def _chain(s: Hellfire) -> list[SpokenView]:
    last = len(s.spoken) - 1
    return [
        SpokenView(int(player), card_view(int(card)), index == last)
        for index, (player, card) in enumerate(zip(s.speakers, s.spoken, strict=True))
    ]


def _window(s: Hellfire, viewer: int) -> WindowView:
    play = s.step == INTERRUPT
    card = int(s.contested) if play else int(s.spoken[len(s.spoken) - 1])
    return WindowView(
        kind="interrupt" if play else "rechallenge",
        card=card_view(card),
        asked=members(s.responders),
        protected=play and protected(s),
        you_are_asked=viewer >= 0 and bool((s.actors() | s.late_actors()) >> viewer & 1),
        answer=_answer(s, viewer),
    )


def _answer(s: Hellfire, viewer: int) -> str | None:
    """The viewer's own answer, as far as there is one."""
    if viewer < 0:
        return None
    if s.noted >> viewer & 1:
        return "pass"
    if not s.answered >> viewer & 1:
        return None
    code = int(s.answers[viewer])
    if code == YES:
        return PATRONS[int(s.patrons[viewer])]
    if code == NO:
        return "pass" if not s.terms.first_voice else PATRONS[int(s.in_force[viewer])]
    return BOASTS[code - int(FIRST_CARD)]


def _reckoning(s: Hellfire) -> list[ReckoningView]:
    return [
        ReckoningView(
            player=standing.player,
            place=standing.place,
            purse=int(s.purses[standing.player]),
            majorities=int(majority_pennies(s, standing.player)),
            benefactors=int(benefactor_pennies(s, standing.player)),
            total=int(total(s, standing.player)),
            by_suit={suit: suit_majority(s, index)[standing.player] for index, suit in enumerate(SUITS)},
            reason=standing.reason,
        )
        for standing in standings(s)
    ]
