"""How the game wants to be treated at a table on the web (HC-75…HC-79): times, time-outs, words, looking back.

Pure functions and data. What a table does with them is the table's affair.
"""

from __future__ import annotations

from collections.abc import Sequence

from parlour.games.hellfire.box import BOX
from parlour.games.hellfire.rules import Hellfire
from parlour.games.hellfire.telling import CHALLENGE_LIMIT, LEAD_LIMIT, TEXT_LIMIT, cleaned
from parlour.games.hellfire.terms import FIRST_CARD, FIRST_SEAT, FIRST_SLOT, NO, NONE, TELL, YES, value_of
from parlour.kernel import Etiquette, Event, Look, State

STEPS = (
    "choose_starter",
    "choose_witness",
    "discard_boast",
    "patron_swap",
    "play_patron",
    "patron_target",
    "patron_give",
    "forced_discard",
)
"""HC-75: the decisions that `t_step` is for."""

SECONDS = {**dict.fromkeys(STEPS, 45.0), "tell": 120.0, "interrupt": 20.0, "rechallenge": 15.0}
"""HC-75: the times as they are unless the host sets others."""

LIMITS = {
    "Each step before the tale": STEPS,
    "Telling, with what you type": ("tell",),
    "A window on a boast": ("interrupt",),
    "A window in a chain": ("rechallenge",),
}

CARD_LOOKS = (
    Look("the value of the card", "window.card.value"),
    Look("the suit of the card", "window.card.suit", {name: suit.name for name, suit in BOX.spec.suits.items()}),
)
"""What an answer to a window may depend on: the card in question, which everybody sees (HC-31, HC-42)."""

LAPSES = 3
"""HC-77: so many time-outs in a row make a seat away."""
AWAY_SECONDS = 5.0
MIN_WINDOW = 3.0
BOT_PAUSE = (0.8, 2.5)
"""HC-79: how long a bot at a table with people takes to answer a window, whatever it holds."""


def timeout_action(state: State, player: int) -> int:
    """HC-76: what the table plays for somebody whose time is up."""
    assert isinstance(state, Hellfire)  # noqa: S101
    decision = state.decision(player)
    legal = state.legal_actions(player)
    if decision == "choose_witness":
        return int(FIRST_SLOT)
    if decision == "patron_swap":
        return int(YES) if state.patrons[player] == NONE else int(NO)
    if decision == "patron_target":
        left = [(player + distance) % state.players for distance in range(1, state.players)]
        return next(seat + int(FIRST_SEAT) for seat in left if seat + int(FIRST_SEAT) in legal)
    if decision in ("patron_give", "forced_discard"):
        return max(legal, key=lambda code: (value_of(code - FIRST_CARD), -code))
    if decision == "tell" and int(NO) not in legal:
        return min(legal, key=lambda code: (value_of(code - FIRST_CARD), code))
    if decision == "choose_starter":
        return legal[0]
    return int(NO)  # discard nothing, hold the Patron, stop, pass


def text_limit(state: State, player: int, action: int) -> int:
    """HC-83: how many characters may come with an action: 400 with a Boast card, 240 with a challenge, else none."""
    assert isinstance(state, Hellfire)  # noqa: S101
    if state.options()["story"] != "typed" or not FIRST_CARD <= action < YES:
        return 0
    return {"tell": TEXT_LIMIT, "interrupt": CHALLENGE_LIMIT, "rechallenge": CHALLENGE_LIMIT}.get(
        state.decision(player), 0
    )


def lead_limit(state: State, player: int, action: int) -> int:
    """HC-83: how many characters may lead in to an action: 240 with the first card of a turn, else none."""
    assert isinstance(state, Hellfire)  # noqa: S101
    first = state.step == TELL and state.attempts == 0
    return LEAD_LIMIT if first and text_limit(state, player, action) else 0


def keep_words(state: State, player: int, action: int, text: str, lead: str) -> str:
    """HC-83, HC-85: what is kept of the words with an action: the lead-in if there is one, a line break, the text.

    Words that may not come with it are not kept; words that are too long are cut (HC-85 refuses nobody).
    """
    kept = cleaned(text, text_limit(state, player, action))
    led = cleaned(lead, lead_limit(state, player, action))
    return f"{led}\n{kept}" if led else kept


def recall(state: State, steps: Sequence[Sequence[Event]]) -> int:
    """3.10, `piles = closed`: how many steps lie before the start of the previous turn, out of reach until the end."""
    assert isinstance(state, Hellfire)  # noqa: S101
    if state.is_over or not state.terms.closed:
        return 0
    began = [index for index, events in enumerate(steps) if any(event.kind == "turn" for event in events)]
    return began[-2] if len(began) >= 2 else 0


def public_action(state: State, player: int, action: int) -> int:
    """Section 6: what a record shows for an answer, once its window is closed: one that never came out is a pass.

    A card that has come out is no longer in the hand, nor is a Patron: nobody can draw one before the next decision.
    """
    assert isinstance(state, Hellfire)  # noqa: S101
    if action == YES:
        return int(NO) if state.patrons[player] != NONE else action
    if FIRST_CARD <= action < YES and state.holds(player, action - FIRST_CARD):
        return int(NO)
    return action


ETIQUETTE = Etiquette(
    seconds=SECONDS,
    limits=LIMITS,
    bank=0.0,
    clock_option="clock",
    lapses=LAPSES,
    absent_seconds=AWAY_SECONDS,
    windows={"interrupt": CARD_LOOKS, "rechallenge": CARD_LOOKS},
    min_window=MIN_WINDOW,
    bot_pause=BOT_PAUSE,
    timeout_action=timeout_action,
    text_limit=text_limit,
    keep_words=keep_words,
    recall=recall,
)
