"""The reckoning: majorities, Benefactors, and who drinks (HC-60…HC-65)."""

from mypy_extensions import i64

from parlour.games.hellfire.tavern import Tavern
from parlour.games.hellfire.terms import SUIT_COUNT
from parlour.kernel.sets import count
from parlour.kernel.state import Standing


def cards_of_suit(s: Tavern, player: i64, suit: i64) -> i64:
    """How many cards of a suit a player has pocketed."""
    return count(s.suit_in_pocket(player, suit))


def suit_majority(s: Tavern, suit: i64) -> list[int]:
    """HC-63, HC-R22: what each player gets for most cards of a suit; a suit that nobody has pocketed pays nothing."""
    most: i64 = 0
    leaders: i64 = 0
    for player in range(s.players):
        cards: i64 = cards_of_suit(s, player, suit)
        if cards > most:
            most = cards
            leaders = 1
        elif cards == most:
            leaders += 1
    each: i64 = s.terms.majority_alone if leaders == 1 else s.terms.majority_tied
    return [each if most > 0 and cards_of_suit(s, player, suit) == most else 0 for player in range(s.players)]


def majority_pennies(s: Tavern, player: i64) -> i64:
    """HC-63: over all suits."""
    pennies: i64 = 0
    for suit in range(SUIT_COUNT):
        pennies += suit_majority(s, suit)[player]
    return pennies


def benefactor_pennies(s: Tavern, player: i64) -> i64:
    """HC-64: for each Benefactor held; those in the pool pay nobody."""
    held: i64 = 0
    for suit in range(SUIT_COUNT):
        if s.benefactors[suit] == player:
            held += 1
    return held * s.terms.benefactor_pennies


def total(s: Tavern, player: i64) -> i64:
    """Purse, majorities and Benefactors, as if the game ended now."""
    return s.purses[player] + majority_pennies(s, player) + benefactor_pennies(s, player)


def pocketed_of_value(s: Tavern, player: i64, value: i64) -> i64:
    """How many cards of a value a player has pocketed."""
    cards: i64 = 0
    for suit in range(SUIT_COUNT):
        cards += (s.suit_in_pocket(player, suit) >> (value - 1)) & 1
    return cards


def rank_key(s: Tavern, player: i64) -> list[int]:
    """HC-65, HC-R23: total, then pocketed tens, nines and so on, each the more the better."""
    return [int(total(s, player)), *[int(pocketed_of_value(s, player, value)) for value in range(10, 0, -1)]]


def standings(s: Tavern) -> list[Standing]:
    """HC-65: best first; equal ones share a place, in seat order."""
    keys = [rank_key(s, player) for player in range(s.players)]
    order = sorted(range(len(keys)), key=lambda player: ([-number for number in keys[player]], player))
    found: list[Standing] = []
    place = 0
    for index, player in enumerate(order):
        if index == 0 or keys[player] != keys[order[index - 1]]:
            place = index + 1
        found.append(Standing(player, place, float(keys[player][0]), reason(keys, order, index)))
    return found


def reason(keys: list[list[int]], order: list[int], index: int) -> str:
    """What decided a place: pennies, or the value of the cards that broke the tie."""
    mine = keys[order[index]]
    rivals = [keys[order[i]] for i in (index - 1, index + 1) if 0 <= i < len(order)]
    tied = [key for key in rivals if key[0] == mine[0]]
    pennies = f"{mine[0]} {'penny' if mine[0] == 1 else 'pennies'}"
    if not tied:
        return pennies
    for column in range(1, 11):
        if any(key[column] != mine[column] for key in tied):
            value = 11 - column
            plural = "" if mine[column] == 1 else "s"
            return f"{pennies}; of those with as many, {mine[column]} pocketed card{plural} of value {value}"
    return f"{pennies}, and the same cards of every value: shared"
