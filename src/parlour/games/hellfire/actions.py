"""What a player may be asked in The Old Hellfire Club, declared once: codes, ids, words and targets follow from here.

Ids begin with the decision: `tell:weapons_04`, `tell:stop`, `interrupt:challenge:weapons_01`, `interrupt:pass`.
"""

from __future__ import annotations

from parlour.games.hellfire.box import BOASTS, BOX, SUITS
from parlour.games.hellfire.rules import Hellfire
from parlour.games.hellfire.terms import FIRST_CARD, FIRST_SEAT, FIRST_SLOT, NO, YES
from parlour.kernel import Action, ActionSpace, ActionType, Decision, State

SEATS = tuple(str(seat) for seat in range(1, 9))
SLOTS = tuple(str(slot) for slot in range(1, 5))
SEAT_NAMES = {seat: f"player {seat}" for seat in SEATS}
SLOT_NAMES = dict(zip(SLOTS, ("first", "second", "third", "fourth"), strict=True))


def _card_name(card: str) -> str:
    suit, _, value = card.rpartition("_")
    return f"{BOX.spec.boasts[card].name} ({BOX.spec.suits[suit].name} {int(value)})"


CARD_NAMES = {card: _card_name(card) for card in BOASTS}


def _one(name: str, code: int, value: str, words: str, clause: str, target: str = "") -> ActionType:
    return ActionType(name=name, first=code, values=(value,), words=words, target=target, clause=clause, arg="choice")


def _cards(name: str, words: str, clause: str) -> ActionType:
    return ActionType(
        name=name,
        first=int(FIRST_CARD),
        values=BOASTS,
        words=words,
        target="card",
        clause=clause,
        names=CARD_NAMES,
        arg="card",
    )


def _seats(name: str, words: str, clause: str) -> ActionType:
    return ActionType(
        name=name,
        first=int(FIRST_SEAT),
        values=SEATS,
        words=words,
        target="seat",
        clause=clause,
        names=SEAT_NAMES,
        arg="seat",
    )


_NO = int(NO)
_YES = int(YES)

ACTIONS = ActionSpace(
    [
        Decision(
            "choose_starter",
            (_seats("starter", "Let {value} begin", "HC-07"),),
            "Who begins?",
            "HC-07",
        ),
        Decision(
            "choose_witness",
            (
                ActionType(
                    name="witness",
                    first=int(FIRST_SLOT),
                    values=SLOTS,
                    words="Replace the {value} witness",
                    target="witness",
                    clause="HC-71",
                    names=SLOT_NAMES,
                    arg="slot",
                ),
            ),
            "A new witness has come in: choose which of the four it replaces.",
            "HC-71",
        ),
        Decision(
            "discard_boast",
            (
                _one("discard", _NO, "none", "Discard nothing", "HC-11"),
                _cards("discard", "Discard {value}", "HC-11"),
            ),
            "You may discard one Boast card before you draw.",
            "HC-11",
        ),
        Decision(
            "patron_swap",
            (
                _one("patron", _NO, "keep", "Leave the Patrons as they are", "HC-13"),
                _one("patron", _YES, "draw", "Draw a Patron", "HC-13"),
            ),
            "Will you draw a Patron? One that you hold is discarded first.",
            "HC-13",
        ),
        Decision(
            "play_patron",
            (
                _one("patron", _NO, "hold", "Hold your Patron", "HC-15"),
                _one("patron", _YES, "play", "Play your Patron", "HC-15", "patron"),
            ),
            "Play your Patron now, or hold it?",
            "HC-15",
        ),
        Decision(
            "patron_target",
            (_seats("rob", "Send the Pickpocket to {value}", "HC-15"),),
            "Whose pocket shall the Pickpocket pick?",
            "HC-15",
        ),
        Decision(
            "patron_give",
            (_cards("give", "Give {value}", "HC-15"),),
            "Give a Boast card in exchange; it may be the one just taken.",
            "HC-15",
        ),
        Decision(
            "tell",
            (
                _one("tell", _NO, "stop", "Stop, and pocket the row", "HC-21"),
                _cards("tell", "Tell of {value}", "HC-20"),
            ),
            "Go on with your tale: play a Boast card, or stop if you have made enough attempts.",
            "HC-20",
        ),
        Decision(
            "interrupt",
            (
                _one("interrupt", _NO, "pass", "Let it pass", "HC-31"),
                _cards("interrupt:challenge", "Challenge with {value}", "HC-32"),
                _one("interrupt", _YES, "patron", "Play your Patron", "HC-33", "patron"),
            ),
            "Will you let that pass? You may challenge with a lower card of its suit, or play a Patron marked O.",
            "HC-31",
        ),
        Decision(
            "rechallenge",
            (
                _one("rechallenge", _NO, "pass", "Let it pass", "HC-42"),
                _cards("rechallenge:challenge", "Challenge with {value}", "HC-42"),
            ),
            "Somebody has spoken: let it pass, or go lower in the same suit.",
            "HC-42",
        ),
        Decision(
            "forced_discard",
            (_cards("give_up", "Give up {value}", "HC-36"),),
            "The Bailiff’s Man is waiting: give up one Boast card from your hand.",
            "HC-36",
        ),
    ]
)


def words_for(state: State, player: int, action: Action) -> Action:
    """Words that depend on the position: which witness, which Patron."""
    assert isinstance(state, Hellfire)  # noqa: S101
    decision = state.decision(player)
    if decision == "choose_witness":
        old, new = (BOASTS[int(card)] for card in (state.witnesses[action.code - FIRST_SLOT], state.turned))
        return action._replace(text=f"Replace {CARD_NAMES[old]} by {CARD_NAMES[new]}")
    patron = int(state.patrons[player])
    if patron < 0:
        return action._replace(text="Draw no Patron") if action.id == "patron:keep" else action
    name = list(BOX.spec.patrons.values())[patron].name
    texts = {
        "patron:keep": f"Keep {name}",
        "patron:draw": f"Discard {name} and draw another Patron",
        "patron:hold": f"Hold {name}",
        "patron:play": f"Play {name}",
        "interrupt:patron": f"Play {name}",
    }
    return action._replace(text=texts.get(action.id, action.text))


def suit_name(card: str) -> str:
    """The name of a card's suit."""
    return BOX.spec.suits[card.rpartition("_")[0]].name


assert tuple(BOX.spec.suits) == SUITS  # noqa: S101 - the box is checked; this file rests on it
