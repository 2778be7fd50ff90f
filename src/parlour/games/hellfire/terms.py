"""What one game is played by: the numbers of its box, the options that the players agreed on, and the codes.

Cards are numbers: a Boast card is 10 x suit + value - 1, a Patron is its place in the box. A set of Boast cards is two
words of 50 bits, suits 0 to 4 in the first and 5 to 9 in the second.
"""

from collections.abc import Mapping, Sequence
from typing import Final, final

from librt.vecs import append, vec
from mypy_extensions import i64

SUIT_COUNT: Final[i64] = 10
CARDS: Final[i64] = 100
WORD: Final[i64] = 50
"""Boast cards in the first word of a set."""
SUIT_MASK: Final[i64] = 0x3FF
PATRON_CARDS: Final[i64] = 30
NOBODY: Final[i64] = -1
NONE: Final[i64] = -1

# --- what can be asked, in the order of the decisions; then what needs nobody -------------------------------------

CHOOSE_STARTER: Final[i64] = 0
CHOOSE_WITNESS: Final[i64] = 1
DISCARD_BOAST: Final[i64] = 2
PATRON_SWAP: Final[i64] = 3
PLAY_PATRON: Final[i64] = 4
PATRON_TARGET: Final[i64] = 5
PATRON_GIVE: Final[i64] = 6
TELL: Final[i64] = 7
INTERRUPT: Final[i64] = 8
RECHALLENGE: Final[i64] = 9
FORCED_DISCARD: Final[i64] = 10
OVER: Final[i64] = 11
TURN: Final[i64] = 12
REFRESH: Final[i64] = 13
DRAW: Final[i64] = 14
PATRON: Final[i64] = 15
RECOUNT: Final[i64] = 16
WINDOW: Final[i64] = 17
RESPONSES: Final[i64] = 18
CHAIN: Final[i64] = 19
UNDERCUTS: Final[i64] = 20
SETTLEMENT: Final[i64] = 21
DESERTS: Final[i64] = 22
CLEAN_UP: Final[i64] = 23

DECISIONS: Final = (
    "choose_starter",
    "choose_witness",
    "discard_boast",
    "patron_swap",
    "play_patron",
    "patron_target",
    "patron_give",
    "tell",
    "interrupt",
    "rechallenge",
    "forced_discard",
)

# --- action codes, which records hold -----------------------------------------------------------------------------

NO: Final[i64] = 0
"""pass, none, keep, hold, stop"""
FIRST_CARD: Final[i64] = 1
YES: Final[i64] = 101
"""draw, play, patron"""
FIRST_SEAT: Final[i64] = 102
FIRST_SLOT: Final[i64] = 110
ACTIONS: Final[i64] = 114

# --- Patrons by what they do (their place in the box) -------------------------------------------------------------

DEAF_PENSIONER: Final[i64] = 10
PENNY_NOVELIST: Final[i64] = 11
GENTLEMAN: Final[i64] = 12
POT_BOY: Final[i64] = 13
PICKPOCKET: Final[i64] = 14
FIRST_SCEPTIC: Final[i64] = 15
BOOKMAKER: Final[i64] = 25
HANGER_ON: Final[i64] = 26
BAILIFFS_MAN: Final[i64] = 27
THEATRE_CRITIC: Final[i64] = 28
NIGHT_CONSTABLE: Final[i64] = 29


def suit_of(card: i64) -> i64:
    """The suit of a Boast card, 0 to 9."""
    return card // 10


def value_of(card: i64) -> i64:
    """The value of a Boast card, 1 to 10."""
    return card % 10 + 1


def is_y(patron: i64) -> bool:
    """Whether a Patron is marked Y: for its holder's own turn."""
    return patron < FIRST_SCEPTIC


@final
class Terms:
    """The numbers and options of one game. Shared by all copies of a state and never changed."""

    def __init__(
        self,
        options: Mapping[str, object],
        players: i64,
        hand_limit: i64,
        minimum_attempts: i64,
        value_pennies: Sequence[int],
        majorities: tuple[int, int],
        benefactor_pennies: i64,
        patrons: Sequence[tuple[int, int, int, int, int]],
    ) -> None:
        self.options = options
        self.two = players == 2  # HC-70
        self.deck_empty = options["end_trigger"] == "deck_empty"
        self.interrupter_bonus = options["interrupter_high_bonus"] is True
        self.first_voice = options["interrupt_protocol"] == "first_voice"
        self.closed = options["piles"] == "closed"
        self.named_starter = options["starter"] == "named"
        self.hand_limit = hand_limit
        self.minimum_attempts = minimum_attempts
        self.majority_alone: i64 = majorities[0]
        self.majority_tied: i64 = majorities[1]
        self.benefactor_pennies = benefactor_pennies
        self.value_pennies: vec[i64] = vec[i64]()
        for pennies in value_pennies:
            self.value_pennies = append(self.value_pennies, pennies)
        self.pennies: vec[i64] = vec[i64]()
        self.lowest: vec[i64] = vec[i64]()
        self.highest: vec[i64] = vec[i64]()
        self.cards: vec[i64] = vec[i64]()
        self.most: vec[i64] = vec[i64]()
        for each in patrons:
            self.pennies = append(self.pennies, each[0])
            self.lowest = append(self.lowest, each[1])
            self.highest = append(self.highest, each[2])
            self.cards = append(self.cards, each[3])
            self.most = append(self.most, each[4])
