"""What happened, in sentences: the log. The tale, which people and the grammar write, is `tale.py`."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, NamedTuple

from parlour.games.hellfire.box import BOX
from parlour.kernel import Event


def words(event: Event, names: Sequence[str]) -> str:
    """One sentence for an event; "" for one that needs none."""
    who = names[event.player] if event.player >= 0 else ""
    return SENTENCES[event.kind](Told(who, event.args, names))


class Told(NamedTuple):
    """An event with names instead of numbers."""

    who: str
    args: Mapping[str, Any]
    names: Sequence[str]


def boast(card: object) -> str:
    """A Boast card as the log names it."""
    suit, _, value = str(card).rpartition("_")
    return f"{BOX.spec.boasts[str(card)].name} ({BOX.spec.suits[suit].name} {int(value)})"


def patron(name: object) -> str:
    """A Patron by name."""
    return BOX.spec.patrons[str(name)].name


def cards(number: int, kind: str = "card") -> str:
    """So many cards, in words that fit."""
    return f"one {kind}" if number == 1 else f"{number} {kind}s"


def money(pennies: int) -> str:
    """So many pennies."""
    return "a penny" if pennies == 1 else f"{pennies} pennies"


def listed(items: Sequence[str]) -> str:
    """A, B and C."""
    if len(items) < 2:
        return "".join(items)
    return ", ".join(items[:-1]) + " and " + items[-1]


def _turn(told: Told) -> str:
    return f"Turn {told.args['turn']}: {told.who} takes up the tale."


def _witness(told: Told) -> str:
    return f"{told.who} sends {boast(told.args['old'])} away; {boast(told.args['card'])} stands witness instead."


def _drew(told: Told) -> str:
    left = told.args["left"]
    rest = "none is left" if left == 0 else f"{left} left"
    return f"{told.who} draws {cards(told.args['cards'], 'Boast card')}; {rest}."


def _stopped(told: Told) -> str:
    return {
        "": f"{told.who} stops.",
        "constable": f"{told.who} must be brief, and stops.",
        "no_card": f"{told.who} has no card left, and stops.",
        "no_legal_card": f"{told.who} has no card that the witnesses would allow, and stops.",
    }[told.args["why"]]


def _window(told: Told) -> str:
    number = told.args["players"]
    asked = "one player is" if number == 1 else f"{number} players are"
    return f"{boast(told.args['card'])}: {asked} asked whether to let it pass."


def _caught(told: Told) -> str:
    teller = told.names[told.args["storyteller"]]
    lost = listed([boast(card) for card in told.args["lost"]])
    if told.who == teller:
        return f"{told.who} has the last word, and pockets {boast(told.args['card'])} alone. Lost: {lost}."
    return f"{teller} is caught. {told.who} pockets {boast(told.args['card'])}. Lost: {lost}."


def _paid(told: Told) -> str:
    if told.args["for"] == "value":
        return f"{told.who} is paid {money(told.args['pennies'])} for high cards."
    return f"{patron(told.args['for'])} is good for {money(told.args['pennies'])} to {told.who}."


def _pocketed(told: Told) -> str:
    if not told.args["cards"]:
        return f"{told.who} pockets nothing."
    return f"{told.who} pockets {listed([boast(card) for card in told.args['cards']])}."


def _benefactor(told: Told) -> str:
    suit, before = told.args["suit"], told.args["from"]
    name, best = BOX.spec.benefactors[f"benefactor_{suit}"].name, f"{BOX.spec.suits[suit].name} {told.args['value']}"
    if before >= 0 and told.names[before] == told.who:
        return f"{best} is the highest so far: {name} stays with {told.who}."
    left = f", leaving {told.names[before]}" if before >= 0 else ""
    return f"{best} is the highest so far: {name} moves to {told.who}{left}."


def _end(told: Told) -> str:
    return {
        "unable_to_draw": f"{told.who} cannot draw back up to a full hand: the game is over.",
        "no_witness": "There is no card left to stand witness: the game is over.",
        "last_card": "The last Boast card has been drawn: the game is over.",
    }[told.args["why"]]


SENTENCES: dict[str, Callable[[Told], str]] = {
    "turn": _turn,
    "witness_turned": lambda told: f"{told.who} turns up {boast(told.args['card'])}.",
    "witness": _witness,
    "discarded": lambda told: f"{told.who} discards {boast(told.args['card'])}.",
    "drew": _drew,
    "drew_cards": lambda told: f"You draw {listed([boast(card) for card in told.args['cards']])}.",
    "patron_discarded": lambda told: f"{told.who} sends {patron(told.args['patron'])} home.",
    "patron_drawn": lambda told: f"{told.who} draws a Patron.",
    "patron_drawn_card": lambda told: f"Your Patron is {patron(told.args['patron'])}.",
    "patrons_shuffled": lambda told: (
        f"The {told.args['cards']} Patrons that had gone home are shuffled, and come back."
    ),
    "patron_played": lambda told: (
        f"{told.who} plays {patron(told.args['patron'])}"
        + (f" on {boast(told.args['card'])}." if "card" in told.args else ".")
    ),
    "patron_returned": lambda told: f"{patron(told.args['patron'])} was not needed and comes back to you.",
    "robbed": lambda told: (
        f"The Pickpocket takes a card from {told.names[told.args['target']]} for {told.who}, who gives one back."
    ),
    "slipped": lambda told: f"{boast(told.args['card'])} goes from {told.who} to {told.names[told.args['to']]}.",
    "boast": lambda told: f"{told.who} tells of {boast(told.args['card'])}.",
    "window": _window,
    "answered": lambda told: _answered(told.args["answer"]),
    "cancelled": lambda told: f"{boast(told.args['card'])} is struck out, and nobody may challenge it.",
    "gave_up": lambda told: f"{told.who} gives up {boast(told.args['card'])}.",
    "returned": lambda told: f"{boast(told.args['card'])} goes back to your hand; nobody saw it.",
    "challenge": lambda told: (
        f"{told.who} interrupts: it was not {boast(told.args['against'])}, it was {boast(told.args['card'])}!"
    ),
    "rechallenge": lambda told: f"{told.who} goes lower: it was {boast(told.args['card'])}!",
    "stands": lambda told: f"{boast(told.args['card'])} stands.",
    "stopped": _stopped,
    "caught": _caught,
    "paid": _paid,
    "pocketed": _pocketed,
    "benefactor": _benefactor,
    "patron_leaves": lambda told: f"{patron(told.args['patron'])} goes home.",
    "end": _end,
}


def _answered(answer: str) -> str:
    if answer == "pass":
        return "You let it pass."
    if answer in BOX.spec.patrons:
        return f"You have put {patron(answer)} face down."
    return f"You have put {boast(answer)} face down."
