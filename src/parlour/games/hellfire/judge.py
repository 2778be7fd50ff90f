"""What a position is worth and which choices look good, for bots, from one player's own view alone.

How likely it is that somebody holds a lower card is counted from the cards that the player has not seen (or does not
remember having seen): novices remember nothing that has left the table, club players look at pockets and recall the
latest discards, masters keep books. How much a card is worth is a guess in pennies.
"""

from typing import Final, final

from mypy_extensions import i64

from parlour.games.hellfire.deserts import earns
from parlour.games.hellfire.ending import total
from parlour.games.hellfire.memory import PLACE
from parlour.games.hellfire.tavern import Tavern
from parlour.games.hellfire.terms import (
    BAILIFFS_MAN,
    BOOKMAKER,
    CHOOSE_WITNESS,
    DEAF_PENSIONER,
    DISCARD_BOAST,
    FIRST_CARD,
    FIRST_SEAT,
    FIRST_SLOT,
    FORCED_DISCARD,
    GENTLEMAN,
    HANGER_ON,
    INTERRUPT,
    NIGHT_CONSTABLE,
    NO,
    NONE,
    PATRON_GIVE,
    PATRON_SWAP,
    PATRON_TARGET,
    PENNY_NOVELIST,
    PLAY_PATRON,
    RECHALLENGE,
    SUIT_COUNT,
    TELL,
    WORD,
    YES,
    is_y,
    suit_of,
    value_of,
)
from parlour.games.hellfire.window import cancels, challengeable
from parlour.kernel.judge import Judge
from parlour.kernel.sets import bit, count
from parlour.kernel.state import State

NOVICE: Final[i64] = 0
CLUB: Final[i64] = 1
MASTER: Final[i64] = 2

RECALLED: Final[i64] = 20
"""How many of the latest discards a club player recalls."""

# Pennies and fractions of a penny, from the heuristic behind the measurements of the rules.
POCKETED: Final = 0.55
"""What a pocketed card is worth by itself, for majorities."""
SPENT: Final = 0.2
"""What a low card in hand is worth that a beaten challenge loses."""


@final
class Sight:
    """What one player reckons with: the cards not seen, how many there are, and how many of them others hold."""

    def __init__(self, s: Tavern, player: i64, memory: i64) -> None:
        self.first: i64 = s.hands[2 * player]
        self.second: i64 = s.hands[2 * player + 1]
        self.held: i64 = 0
        for other in range(s.players):
            if other != player:
                self.held += s.hand_size(other)
            if memory > NOVICE:
                self.first |= s.pockets[2 * other]
                self.second |= s.pockets[2 * other + 1]
        for i in range(i64(len(s.row))):
            self.see(i64(s.row[i]))
        for i in range(i64(len(s.spoken))):
            self.see(i64(s.spoken[i]))
        for i in range(i64(len(s.witnesses))):
            self.see(i64(s.witnesses[i]))
        if s.turned != NONE:
            self.see(s.turned)
        if memory > NOVICE:
            discarded: i64 = len(s.discards)
            start: i64 = 0 if memory == MASTER else max(i64(0), discarded - RECALLED)
            for i in range(start, discarded):
                self.see(i64(s.discards[i]))
        self.unseen: i64 = 100 - count(self.first) - count(self.second)
        # Cards that are known to lie in another hand: whoever has one may well use it.
        self.known_first: i64 = 0
        self.known_second: i64 = 0
        kept = s.memory
        if memory > NOVICE and kept is not None and len(kept.beliefs[player]) == 1:
            for place in kept.beliefs[player][0]:
                card: i64 = place // PLACE
                if card < WORD:
                    self.known_first |= bit(card)
                else:
                    self.known_second |= bit(card - WORD)

    def see(self, card: i64) -> None:
        """A card that lies open."""
        if card < WORD:
            self.first |= bit(card)
        else:
            self.second |= bit(card - WORD)

    def unseen_of_suit(self, suit: i64) -> i64:
        """The values of a suit not seen: bit 0 is value 1."""
        if suit < 5:
            return (~self.first >> (10 * suit)) & 0x3FF
        return (~self.second >> (10 * (suit - 5))) & 0x3FF

    def lower(self, card: i64) -> i64:
        """How many lower cards of its suit are unseen."""
        return count(self.unseen_of_suit(suit_of(card)) & (bit(card % 10) - 1))

    def higher(self, card: i64) -> i64:
        """How many higher cards of its suit are unseen."""
        return count(self.unseen_of_suit(suit_of(card)) >> (card % 10 + 1))

    def known_lower(self, card: i64) -> bool:
        """Whether somebody is known to hold a lower card of its suit."""
        suit: i64 = suit_of(card)
        known: i64 = self.known_first >> (10 * suit) if suit < 5 else self.known_second >> (10 * (suit - 5))
        return known & (bit(card % 10) - 1) != 0

    def risk(self, card: i64) -> float:
        """How likely it is that another hand holds a lower card of the suit."""
        if self.known_lower(card):
            return 1.0
        safe = 1.0
        for i in range(self.lower(card)):
            room: i64 = self.unseen - self.held - i
            if room <= 0:
                return 1.0
            safe *= float(room) / float(self.unseen - i)
        return 1.0 - safe


@final
class HellfireJudge(Judge):
    """The judge of a strength: how much it remembers."""

    def __init__(self, memory: i64) -> None:
        self.memory = memory

    def worth(self, state: State, player: i64) -> float:
        """Pennies ahead of the best of the others, as if the game ended now, with what lies in the row at its risk."""
        assert isinstance(state, Tavern)  # noqa: S101
        s: Tavern = state
        best: i64 = -1000
        for other in range(s.players):
            if other != player:
                best = max(best, total(s, other))
        ahead = float(total(s, player) - best)
        at_stake = 0.0
        if len(s.row) > 0 and len(s.spoken) == 0:
            sight = Sight(s, player, self.memory)
            at_stake = row_worth(s, sight)
        if s.storyteller == player:
            return ahead + 0.6 * at_stake
        return ahead - 0.6 * at_stake / float(s.players - 1)

    def preferences(self, state: State, player: i64, actions: list[int]) -> list[float]:
        """How good each choice looks, in pennies; 0 is what passing, holding, stopping or keeping is worth."""
        assert isinstance(state, Tavern)  # noqa: S101
        s: Tavern = state
        step = s.step
        sight = Sight(s, player, self.memory)
        liked: list[float] = []
        for action in actions:
            code: i64 = action
            if step == TELL:
                liked.append(self.tell(s, sight, player, code))
            elif step == INTERRUPT:
                liked.append(self.interrupt(s, sight, player, code, len(actions)))
            elif step == RECHALLENGE:
                liked.append(self.rechallenge(s, sight, code))
            elif step == DISCARD_BOAST:
                liked.append(self.discard(s, sight, player, code))
            elif step == PATRON_SWAP:
                liked.append(self.swap(s, player, code))
            elif step == PLAY_PATRON:
                liked.append(self.play(s, sight, player, code))
            elif step == PATRON_TARGET:
                liked.append(float(total(s, code - FIRST_SEAT)) + 0.1 * float(s.hand_size(code - FIRST_SEAT)))
            elif step in (PATRON_GIVE, FORCED_DISCARD):
                liked.append(-keeping(s, sight, code - FIRST_CARD))
            elif step == CHOOSE_WITNESS:
                liked.append(self.witness(s, sight, player, code - FIRST_SLOT))
            else:
                liked.append(0.0)
        return liked

    # --- the tale -----------------------------------------------------------------------------------------------

    def tell(self, s: Tavern, sight: Sight, player: i64, code: i64) -> float:
        """Another card for what it brings, against the row for what it may lose; stopping is 0."""
        if code == NO:
            return 0.0
        card: i64 = code - FIRST_CARD
        free = s.in_force[player] == DEAF_PENSIONER and s.attempts == 0
        risk = 0.0 if free and value_of(card) <= s.terms.highest[DEAF_PENSIONER] else sight.risk(card)
        score = (1.0 - risk) * worth_of(s, sight, card) - risk * row_worth(s, sight)
        if s.attempts + 1 < s.terms.minimum_attempts:
            score = (1.0 - risk) * (worth_of(s, sight, card) + self.best_next(s, sight, player, card))
        if s.attempts >= s.terms.minimum_attempts or free:
            score -= 0.35 if value_of(card) <= 3 else 0.1
        elif value_of(card) <= 3:
            score -= 0.1
        return score

    def best_next(self, s: Tavern, sight: Sight, player: i64, first: i64) -> float:
        """The minimum is not reached with this card: what the best one after it will bring, or at least cost."""
        best = -1.0
        mine = worth_of(s, sight, first)
        for held in s.hand_list(player):
            card: i64 = held
            if card == first or (s.terms.two and s.barred_by_witness(card)):
                continue
            risk = sight.risk(card)
            best = max(best, (1.0 - risk) * worth_of(s, sight, card) - risk * mine)
        return best if best > -1.0 else 0.0

    def interrupt(self, s: Tavern, sight: Sight, player: i64, code: i64, choices: i64) -> float:
        """A challenge for the card it pockets and the row it takes from the storyteller; a Patron for what it does."""
        if code == NO:
            return 0.0
        if code == YES:
            return self.patron(s, sight, player, choices)
        card: i64 = code - FIRST_CARD
        safe = 1.0 - sight.risk(card)
        share = row_worth(s, sight) / float(s.players - 1)
        return POCKETED * safe + share - SPENT * (1.0 - safe) - 0.015 * float(10 - value_of(card))

    def patron(self, s: Tavern, sight: Sight, player: i64, choices: i64) -> float:
        """An O Patron on the contested card."""
        patron: i64 = s.patrons[player]
        if cancels(patron):
            return 0.05 if choices == 2 else 0.01
        caught = sight.risk(s.contested) if challengeable(s) else 0.0
        if patron == BOOKMAKER:
            return 0.5 if s.attempts <= 2 and caught > 0.3 else -0.1
        if patron == HANGER_ON:
            high = 0.0
            for i in range(i64(len(s.row))):
                if earns(s, HANGER_ON, i64(s.row[i])):
                    high += 1.0
            return (1.0 - caught) * min(high, 3.0) - 0.9
        if patron == NIGHT_CONSTABLE:
            return 0.1 if s.attempts == 1 else -0.1
        return 0.1 if patron == BAILIFFS_MAN and choices == 2 else -0.1

    def rechallenge(self, s: Tavern, sight: Sight, code: i64) -> float:
        """A card in a chain: the row is lost already, only the one card counts."""
        if code == NO:
            return 0.0
        card: i64 = code - FIRST_CARD
        safe = 1.0 - sight.risk(card)
        others = POCKETED / float(s.players - 1)
        return POCKETED * safe + others - SPENT * (1.0 - safe) - 0.015 * float(10 - value_of(card))

    # --- Step 1 -------------------------------------------------------------------------------------------------

    def discard(self, s: Tavern, sight: Sight, player: i64, code: i64) -> float:
        """The weakest card, if it is weak enough and the pile is not about to run out."""
        if code == NO:
            return 0.0
        need: i64 = s.terms.hand_limit - s.hand_size(player) + 1
        if need > s.pile_size() - s.terms.hand_limit:
            return -1.0
        return 0.75 - keeping(s, sight, code - FIRST_CARD)

    def swap(self, s: Tavern, player: i64, code: i64) -> float:
        """Draw if none is held; swap a suit patron whose suit is not in hand."""
        patron: i64 = s.patrons[player]
        if code == NO:
            return 0.0
        if patron == NONE:
            return 1.0
        return 0.5 if patron < SUIT_COUNT and s.suit_in_hand(player, patron) == 0 else -0.5

    def play(self, s: Tavern, sight: Sight, player: i64, code: i64) -> float:
        """A suit patron if enough of its suit should succeed, any other Y at once."""
        if code == NO:
            return 0.0
        patron: i64 = s.patrons[player]
        if patron >= SUIT_COUNT and patron != PENNY_NOVELIST:
            return 0.5 if patron != GENTLEMAN or self.safe_cards(s, sight, player) >= 1.6 else -0.1
        expected = 0.0
        for held in s.hand_list(player):
            card: i64 = held
            if earns(s, patron, card):
                expected += 1.0 - sight.risk(card)
        return expected - 0.4

    def safe_cards(self, s: Tavern, sight: Sight, player: i64) -> float:
        """How many cards of a hand should stand."""
        safe = 0.0
        for held in s.hand_list(player):
            safe += max(0.0, 1.0 - 2.0 * sight.risk(held))
        return safe

    def witness(self, s: Tavern, sight: Sight, player: i64, slot: i64) -> float:
        """The slot that frees most worth in hand."""
        freed = 0.0
        for held in s.hand_list(player):
            card: i64 = held
            barred = s.turned < card and suit_of(s.turned) == suit_of(card)
            for i in range(i64(len(s.witnesses))):
                standing: i64 = i64(s.witnesses[i])
                if i != slot and standing < card and suit_of(standing) == suit_of(card):
                    barred = True
            if not barred:
                freed += (1.0 - sight.risk(card)) * worth_of(s, sight, card)
        return freed


def worth_of(s: Tavern, sight: Sight, card: i64) -> float:
    """What the storyteller may hope for from pocketing this card."""
    player: i64 = s.storyteller
    worth = POCKETED + float(s.value_pennies(card))
    patron: i64 = s.in_force[player]
    if patron != NONE and is_y(patron) and earns(s, patron, card):
        worth += float(s.terms.pennies[patron])
    if value_of(card) > s.record[suit_of(card)]:
        hold = float(s.terms.benefactor_pennies)
        for _ in range(sight.higher(card)):
            hold *= 0.6
        worth += 0.3 * hold if s.benefactors[suit_of(card)] == player else hold
    return worth


def row_worth(s: Tavern, sight: Sight) -> float:
    """What lies in the row, as the storyteller may hope for it."""
    worth = 0.0
    for i in range(i64(len(s.row))):
        worth += worth_of(s, sight, i64(s.row[i]))
    return worth


def keeping(s: Tavern, sight: Sight, card: i64) -> float:
    """What a card is worth in hand."""
    return (1.0 - sight.risk(card)) * worth_of(s, sight, card) + 0.015 * float(10 - value_of(card))


def judge(strength: str) -> Judge:
    """The judge of a strength: novice, club or master."""
    if strength == "novice":
        return HellfireJudge(NOVICE)
    if strength == "club":
        return HellfireJudge(CLUB)
    return HellfireJudge(MASTER)
