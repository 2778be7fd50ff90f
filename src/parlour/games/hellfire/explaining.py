"""Why something cannot be done: a sentence and its clause. Only asked about what `legal_actions` leaves out."""

from mypy_extensions import i64

from parlour.games.hellfire.chain import lead
from parlour.games.hellfire.tavern import Tavern
from parlour.games.hellfire.terms import (
    CARDS,
    CHOOSE_STARTER,
    CHOOSE_WITNESS,
    DISCARD_BOAST,
    FIRST_CARD,
    FIRST_SEAT,
    FORCED_DISCARD,
    INTERRUPT,
    NO,
    NONE,
    PATRON_GIVE,
    PATRON_SWAP,
    PATRON_TARGET,
    PLAY_PATRON,
    RECHALLENGE,
    TELL,
    YES,
    is_y,
    suit_of,
)
from parlour.games.hellfire.window import protected
from parlour.kernel.state import Refusal


def refusal(s: Tavern, player: i64, action: i64) -> Refusal:
    """The reason for an action that is not legal in the present decision."""
    step = s.step
    if FIRST_CARD <= action <= CARDS and step in (
        DISCARD_BOAST,
        PATRON_GIVE,
        TELL,
        INTERRUPT,
        RECHALLENGE,
        FORCED_DISCARD,
    ):
        return about_card(s, player, action - FIRST_CARD)
    if step == TELL and action == NO:
        return Refusal(
            f"You may stop only after {s.terms.minimum_attempts} attempts, and this turn has seen {s.attempts}.",
            "HC-21",
        )
    if action == YES and step == PLAY_PATRON:
        return about_patron_on_turn(s.patrons[player])
    if action == YES and step == INTERRUPT:
        return about_patron_in_window(s.patrons[player])
    if action == YES and step == RECHALLENGE:
        return Refusal("No Patron can be played once a challenge has spoken.", "HC-42")
    if step == PATRON_TARGET and FIRST_SEAT <= action < FIRST_SEAT + s.players:
        if action - FIRST_SEAT == player:
            return Refusal("The Pickpocket does not rob the one who pays him: choose another player.", "HC-15")
        return Refusal("There is nothing in that hand to take.", "HC-15")
    return otherwise(step)


def otherwise(step: i64) -> Refusal:
    """What would be right, for an action that means nothing in this decision."""
    if step == CHOOSE_STARTER:
        return Refusal("Name one of the players at the table.", "HC-07")
    if step == CHOOSE_WITNESS:
        return Refusal("Choose which of the four witnesses the new card replaces.", "HC-71")
    if step == DISCARD_BOAST:
        return Refusal("Discard one Boast card from your hand, or none.", "HC-11")
    if step == PATRON_SWAP:
        return Refusal("Draw a Patron, or leave it.", "HC-13")
    if step == PLAY_PATRON:
        return Refusal("Play your Patron, or hold it.", "HC-15")
    if step == PATRON_TARGET:
        return Refusal("Choose a player at the table who holds a Boast card.", "HC-15")
    if step == PATRON_GIVE:
        return Refusal("Give a Boast card from your hand.", "HC-15")
    if step == TELL:
        return Refusal("Play a Boast card from your hand, or stop if you may.", "HC-20")
    if step == INTERRUPT:
        return Refusal("Pass, challenge with a lower card of the suit, or play your Patron.", "HC-31")
    if step == RECHALLENGE:
        return Refusal("Pass, or challenge with a lower card of the suit.", "HC-42")
    return Refusal("Discard a Boast card from your hand.", "HC-36")


def about_card(s: Tavern, player: i64, card: i64) -> Refusal:
    """Why this Boast card cannot be chosen."""
    step = s.step
    if not s.holds(player, card):
        clauses = {2: "HC-11", 6: "HC-15", 7: "HC-20", 8: "HC-32", 9: "HC-42"}
        return Refusal("That card is not in your hand.", clauses.get(int(step), "HC-36"))
    if step == TELL:
        return Refusal("A witness of the same suit has a lower value, so that card may not be played.", "HC-73")
    clause = "HC-32" if step == INTERRUPT else "HC-42"
    against: i64 = s.contested if step == INTERRUPT else lead(s)
    if step == INTERRUPT and protected(s):
        return Refusal("The Deaf Pensioner will not hear a challenge to this card.", "HC-32")
    if suit_of(card) != suit_of(against):
        return Refusal("A challenge must be of the same suit.", clause)
    return Refusal("A challenge must be of a lower value.", clause)


def about_patron_on_turn(patron: i64) -> Refusal:
    """Why a Patron cannot be played at the start of one's turn."""
    if not is_y(patron):
        return Refusal("A Patron marked O is for another player's turn.", "HC-15")
    return Refusal("Nobody else holds a Boast card that the Pickpocket could take.", "HC-16")


def about_patron_in_window(patron: i64) -> Refusal:
    """Why a Patron cannot be played on the contested card."""
    if patron == NONE:
        return Refusal("You hold no Patron.", "HC-33")
    if is_y(patron):
        return Refusal("A Patron marked Y is for the start of your own turn.", "HC-33")
    return Refusal("Your Patron has nothing to say to this card.", "HC-33")
