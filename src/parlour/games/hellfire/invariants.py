"""What holds in every position (HC-I1…HC-I14): a hand-written one is refused with the name of the law it breaks.

HC-I11, HC-I12 and HC-I14 speak of games and views rather than of one position, HC-I7 of two; tests hold them.
"""

from typing import NamedTuple

from mypy_extensions import i64

from parlour.games.hellfire.box import BOASTS, PATRONS, SUITS
from parlour.games.hellfire.doubts import fits
from parlour.games.hellfire.memory import PLACE, Silence
from parlour.games.hellfire.tavern import Tavern, cards_of
from parlour.games.hellfire.terms import (
    CARDS,
    CHOOSE_STARTER,
    CHOOSE_WITNESS,
    DISCARD_BOAST,
    FIRST_CARD,
    FORCED_DISCARD,
    INTERRUPT,
    NO,
    NOBODY,
    NONE,
    OVER,
    PATRON_CARDS,
    PATRON_GIVE,
    PATRON_TARGET,
    PICKPOCKET,
    PLAY_PATRON,
    RECHALLENGE,
    SUIT_COUNT,
    TELL,
    YES,
    is_y,
    suit_of,
)
from parlour.games.hellfire.window import challengeable, condition_met


class Fault(NamedTuple):
    """A broken law."""

    invariant: str
    sentence: str


def broken(s: Tavern) -> Fault | None:
    """The first law that a position breaks, None if it can be."""
    for law in (boasts_once, patrons_once, holders, purses, hand_sizes, chain_falls, stage, window, witnesses, memory):
        fault = law(s)
        if fault is not None:
            return fault
    return None


def boasts_once(s: Tavern) -> Fault | None:
    """HC-I1: each Boast card is in exactly one place."""
    seen: list[int] = [0] * int(CARDS)
    for i in range(s.drawn, i64(len(s.pile))):
        seen[i64(s.pile[i])] += 1
    for card in s.discards:
        seen[i64(card)] += 1
    for card in s.row:
        seen[i64(card)] += 1
    for card in s.spoken:
        seen[i64(card)] += 1
    for card in s.witnesses:
        seen[i64(card)] += 1
    if s.turned != NONE:
        seen[s.turned] += 1
    for player in range(s.players):
        for held in s.hand_list(player):
            seen[held] += 1
        for pocketed in cards_of(s.pockets[2 * player], s.pockets[2 * player + 1]):
            seen[pocketed] += 1
    for index in range(int(CARDS)):
        if seen[index] != 1:
            where = "nowhere" if seen[index] == 0 else f"in {seen[index]} places"
            return Fault("HC-I1", f"{BOASTS[index]} is {where}; each Boast card is in exactly one.")
    if s.step <= PATRON_GIVE and (len(s.row) > 0 or len(s.spoken) > 0):
        return Fault("HC-I1", "Before the tale is taken up the row is empty and no challenge lies on the table.")
    return None


def patrons_once(s: Tavern) -> Fault | None:
    """HC-I2: each Patron is in exactly one place; between turns none is in force."""
    seen: list[int] = [0] * int(PATRON_CARDS)
    for i in range(s.patrons_drawn, i64(len(s.patron_pile))):
        seen[i64(s.patron_pile[i])] += 1
    for patron in s.patron_discards:
        seen[i64(patron)] += 1
    for player in range(s.players):
        if s.patrons[player] != NONE:
            seen[s.patrons[player]] += 1
        if s.in_force[player] != NONE:
            seen[s.in_force[player]] += 1
    for index in range(int(PATRON_CARDS)):
        if seen[index] != 1:
            where = "nowhere" if seen[index] == 0 else f"in {seen[index]} places"
            return Fault("HC-I2", f"{PATRONS[index]} is {where}; each Patron is in exactly one.")
    for player in range(s.players):
        patron_in_force: i64 = s.in_force[player]
        if patron_in_force == NONE:
            continue
        if s.step < PATRON_TARGET:
            return Fault("HC-I2", "No Patron is in force before one has been played in this turn.")
        if is_y(patron_in_force) != (player == s.storyteller):
            return Fault("HC-I2", "A Y Patron is in force for the storyteller only, an O Patron for the others only.")
        if s.patrons[player] != NONE and s.step != OVER:
            return Fault("HC-I2", "Whoever has a Patron in force has drawn no other in the same turn.")
    return shuffles_fit(s)


def shuffles_fit(s: Tavern) -> Fault | None:
    """HC-I2, HC-14: a held Patron went into the shuffle from which it is said to come, and into no later one."""
    last: i64 = i64(len(s.shuffles)) - 1
    for player in range(s.players):
        patron: i64 = s.patrons[player]
        if patron == NONE:
            continue
        if s.patron_age[player] < 0 or s.patron_age[player] > last:
            return Fault("HC-I2", "A held Patron comes from one of the shuffles that have been made.")
        if latest_shuffle(s, patron) != s.patron_age[player]:
            return Fault("HC-I2", f"{PATRONS[patron]} does not come from that shuffle.")
    for i in range(s.patrons_drawn, i64(len(s.patron_pile))):
        if latest_shuffle(s, i64(s.patron_pile[i])) != last:
            return Fault("HC-I2", f"{PATRONS[i64(s.patron_pile[i])]} was not in the latest shuffle.")
    return None


def latest_shuffle(s: Tavern, patron: i64) -> i64:
    """The last shuffle that a Patron went into."""
    for age in range(i64(len(s.shuffles)) - 1, i64(-1), i64(-1)):
        if (s.shuffles[age] >> patron) & 1 == 1:
            return age
    return NOBODY


def holders(s: Tavern) -> Fault | None:
    """HC-I3, HC-I4, HC-56: who holds a Benefactor has pocketed its suit; the record is the highest pocketed value."""
    for suit in range(SUIT_COUNT):
        highest: i64 = 0
        for player in range(s.players):
            for value in range(i64(10)):
                if (s.suit_in_pocket(player, suit) >> value) & 1 == 1:
                    highest = max(highest, value + 1)
        if s.record[suit] != highest:
            return Fault("HC-I4", f"The record of {SUITS[suit]} is {highest}, the highest that is pocketed.")
        holder: i64 = s.benefactors[suit]
        if holder < NOBODY or holder >= s.players:
            return Fault("HC-I3", f"The Benefactor of {SUITS[suit]} is in the pool or with a player.")
        if holder != NOBODY and s.suit_in_pocket(holder, suit) == 0:
            return Fault("HC-I4", f"Whoever holds the Benefactor of {SUITS[suit]} has pocketed a card of it.")
    return None


def purses(s: Tavern) -> Fault | None:
    """HC-I5: pennies are not owed."""
    for player in range(s.players):
        if s.purses[player] < 0:
            return Fault("HC-I5", "A purse holds no fewer than 0 pennies.")
    return None


def hand_sizes(s: Tavern) -> Fault | None:
    """HC-I6: at most two above the limit, three between the Pickpocket's take and give."""
    most: i64 = s.terms.hand_limit + 2
    for player in range(s.players):
        room: i64 = most + 1 if s.step == PATRON_GIVE and player == s.storyteller else most
        if s.hand_size(player) > room:
            return Fault("HC-I6", f"A hand holds at most {room} Boast cards here, not {s.hand_size(player)}.")
    return None


def chain_falls(s: Tavern) -> Fault | None:
    """HC-I8, HC-I9: the cards that spoke fall strictly, all of the suit of the challenged card and below it."""
    if len(s.spoken) != len(s.speakers):
        return Fault("HC-I8", "Every card that spoke was somebody's.")
    if len(s.spoken) == 0:
        return None
    if len(s.row) == 0 or s.step != RECHALLENGE:
        return Fault("HC-I8", "A challenge lies on the table only in a chain, against the last card of the row.")
    before: i64 = i64(s.row[len(s.row) - 1])
    for i in range(i64(len(s.spoken))):
        card: i64 = i64(s.spoken[i])
        if suit_of(card) != suit_of(before) or card >= before:
            return Fault("HC-I8", "Each card that speaks is of the suit of the one before it, and lower.")
        if i > 0 and s.speakers[i] == s.speakers[i - 1]:
            return Fault("HC-I8", "Nobody undercuts a card of their own.")
        before = card
    return None


def stage(s: Tavern) -> Fault | None:
    """HC-I10: what is asked agrees with what lies on the table."""
    if s.storyteller < 0 or s.storyteller >= s.players:
        return Fault("HC-I10", "The storyteller is one of the players.")
    if s.attempts < len(s.row):
        return Fault("HC-I10", "Every card in the row was an attempt.")
    if (s.turned != NONE) != (s.step == CHOOSE_WITNESS):
        return Fault("HC-I1", "A card lies turned up while, and only while, it is to become a witness.")
    teller: i64 = s.storyteller
    if s.step == CHOOSE_STARTER and (s.turn != 0 or not s.terms.named_starter):
        return Fault("HC-I10", "The starter is named before the first turn, and only where that was agreed.")
    if s.step == DISCARD_BOAST and s.hand_size(teller) == 0:
        return Fault("HC-I10", "With an empty hand there is nothing to discard and nothing is asked.")
    if s.step == PLAY_PATRON and s.patrons[teller] == NONE:
        return Fault("HC-I10", "Only a storyteller who holds a Patron is asked to play it.")
    if (s.step == PATRON_TARGET or s.step == PATRON_GIVE) and s.in_force[teller] != PICKPOCKET:
        return Fault("HC-I10", "Only the Pickpocket takes and gives.")
    if (s.target != NOBODY) != (s.step == PATRON_GIVE) or s.target == teller or s.target >= s.players:
        return Fault("HC-I10", "Another player has been robbed while, and only while, a card is to be given back.")
    if s.step == TELL and s.attempts < s.terms.minimum_attempts and not s.may_tell_any(teller):
        return Fault("HC-I10", "Before the second attempt only a storyteller with a legal card is asked to tell.")
    if s.step == TELL and s.hand_size(teller) == 0:
        return Fault("HC-I10", "A storyteller with an empty hand is not asked to tell.")
    if s.step <= TELL and s.step >= CHOOSE_WITNESS and s.turn < 1:
        return Fault("HC-I10", "Turns are counted from 1.")
    return None


def window(s: Tavern) -> Fault | None:
    """HC-I9, HC-I11: who is asked, and what has been answered, is what the window allows."""
    step = s.step
    open_window = step in (INTERRUPT, FORCED_DISCARD)
    if (s.contested != NONE) != open_window:
        return Fault("HC-I9", "A card is contested while, and only while, the window on it is open.")
    if open_window and s.cancelled == (len(s.row) > 0 and i64(s.row[len(s.row) - 1]) == s.contested):
        return Fault("HC-I9", "A contested card lies at the end of the row unless it has been cancelled.")
    if not open_window and step != RECHALLENGE:
        if s.responders != 0 or s.answered != 0 or s.noted != 0:
            return Fault("HC-I11", "Nobody has a window to answer.")
        return None
    if s.responders == 0 and step != FORCED_DISCARD:
        return Fault("HC-I11", "A window is open only while somebody has to answer.")
    if (s.answered | s.noted) & ~s.responders != 0 or s.answered & s.noted != 0:
        return Fault("HC-I11", "Only those who are asked have answered, each once.")
    if step != FORCED_DISCARD and (s.answered | s.noted) == s.responders:
        return Fault("HC-I11", "When all have answered a window is closed.")
    if s.noted != 0 and not s.terms.first_voice:
        return Fault("HC-I11", "Passes are noted only where the first voice counts.")
    return answers(s)


def answers(s: Tavern) -> Fault | None:
    """HC-I11: each committed answer was allowed."""
    for player in range(s.players):
        answer: i64 = s.answers[player]
        if answer == NO:
            continue
        if (s.answered >> player) & 1 == 0 or s.terms.first_voice:
            return Fault("HC-I11", "An answer lies face down only of a player who has committed it.")
        if answer == YES:
            patron: i64 = s.patrons[player]
            if s.step == RECHALLENGE or patron == NONE or is_y(patron):
                return Fault("HC-I11", "A Patron was answered with that cannot have been.")
            if not s.cancelled and not condition_met(s, patron):
                return Fault("HC-I11", f"{PATRONS[patron]} has nothing to say to this card.")
            continue
        if answer < FIRST_CARD or answer > CARDS or not s.holds(player, answer - FIRST_CARD):
            return Fault("HC-I11", "A challenge is committed with a card in hand.")
        against: i64 = s.contested if s.step != RECHALLENGE else i64(s.spoken[len(s.spoken) - 1])
        if suit_of(answer - FIRST_CARD) != suit_of(against) or answer - FIRST_CARD >= against:
            return Fault("HC-I8", "A committed challenge is of the same suit, and lower.")
        if s.step != RECHALLENGE and not challengeable(s):
            return Fault("HC-I9", "This card cannot be challenged.")
    return None


def witnesses(s: Tavern) -> Fault | None:
    """HC-I13: four witnesses with two players, none with more; no card in the row is above one of its suit."""
    wanted = 4 if s.terms.two else 0
    if len(s.witnesses) != wanted:
        return Fault("HC-I13", f"There are {wanted} witnesses, not {len(s.witnesses)}.")
    for card in s.row:
        if s.barred_by_witness(i64(card)):
            return Fault("HC-I13", f"{BOASTS[i64(card)]} lies in the row above a witness of its suit.")
    return None


def memory(s: Tavern) -> Fault | None:
    """HC-I14: what is remembered of hidden cards is true of the position."""
    kept = s.memory
    if kept is None:
        return None
    if len(kept.beliefs) != s.players or len(kept.silences) != (4 if s.terms.two else 0):
        return Fault("HC-I14", "Every player has beliefs; silences are for two players.")
    for ways in kept.beliefs:
        true = 0
        for way in ways:
            holds = True
            for place in way:
                if place // PLACE >= CARDS or place % PLACE >= s.players:
                    return Fault("HC-I14", "A belief speaks of a card and a player.")
                if not s.holds(place % PLACE, place // PLACE):
                    holds = False
            true += holds
        if true == 0:
            return Fault("HC-I14", "One of the ways in which a player believes cards to lie is how they lie.")
    if s.terms.two and (len(kept.beliefs[0]) != 1 or len(kept.beliefs[1]) != 1):
        return Fault("HC-I14", "With two players nobody is in doubt about a card that has changed hands.")
    for index in range(i64(len(kept.silences))):
        player: i64 = index % 2
        followed = kept.beliefs[1 - player][0] if index < 2 else []
        least: i64 = 0
        for i in range(len(kept.silences[index])):
            if kept.silences[index][i].kept < 0:
                return Fault("HC-I14", "No fewer than 0 cards are kept.")
            least += kept.silences[index][i].kept
            free: i64 = 0
            for card in s.hand_list(player):
                if card * PLACE + player not in followed and not_barred(kept.silences[index], i, card):
                    free += 1
            if free < least:
                return Fault("HC-I14", "A hand holds the cards that its silences say it must.")
    if len(kept.doubts) > 0 and not (s.terms.two and fits(kept.doubts, [s.hand_list(0), s.hand_list(1)])):
        return Fault("HC-I14", "Two players: one of the ways in which a spectator thinks bound cards to lie is true.")
    return None


def not_barred(silences: list[Silence], start: int, card: int) -> bool:
    """Whether no silence from `start` on bars the card."""
    return all(not silences[i].bars(card) for i in range(start, len(silences)))
