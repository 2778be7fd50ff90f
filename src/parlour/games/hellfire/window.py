"""The play window: who may answer a Boast card, and what their answers do (HC-30…HC-39; first_voice HC-78)."""

from librt.vecs import append, pop
from mypy_extensions import i64, u8

from parlour.games.hellfire.box import BOASTS, PATRONS
from parlour.games.hellfire.tavern import Tavern
from parlour.games.hellfire.terms import (
    BAILIFFS_MAN,
    CHAIN,
    DEAF_PENSIONER,
    FIRST_CARD,
    FIRST_SCEPTIC,
    FORCED_DISCARD,
    INTERRUPT,
    NO,
    NOBODY,
    NONE,
    RECHALLENGE,
    RECOUNT,
    RESPONSES,
    THEATRE_CRITIC,
    UNDERCUTS,
    YES,
    is_y,
    suit_of,
    value_of,
)
from parlour.kernel.sets import bit, count

# --- who is asked, and what they may say --------------------------------------------------------------------------


def protected(s: Tavern) -> bool:
    """The Deaf Pensioner: the first card of the turn, if its value is 8 or lower, cannot be challenged."""
    return (
        s.in_force[s.storyteller] == DEAF_PENSIONER
        and s.attempts == 1
        and value_of(s.contested) <= s.terms.highest[DEAF_PENSIONER]
    )


def challengeable(s: Tavern) -> bool:
    """HC-30: whether the contested card can be challenged at all."""
    return value_of(s.contested) >= 2 and not protected(s)


def open_window(s: Tavern) -> None:
    """HC-30: the others who hold a Boast card (if a challenge is possible) or a Patron; nobody: the card stands."""
    open_to_challenge = challengeable(s)
    able: i64 = 0
    for player in range(s.players):
        if player == s.storyteller:
            continue
        if s.patrons[player] != NONE or (open_to_challenge and (s.hands[2 * player] | s.hands[2 * player + 1]) != 0):
            able |= bit(player)
    ask(s, able)
    s.looked_at = 1
    if able == 0:
        card_stands(s)
        return
    s.step = INTERRUPT
    if s.events is not None:
        s.report("window", s.storyteller, {"card": BOASTS[s.contested], "players": count(able)})


def ask(s: Tavern, responders: i64) -> None:
    """HC-31, HC-34: everybody who is asked has yet to answer."""
    s.responders = responders
    s.answered = 0
    s.noted = 0
    for player in range(s.players):
        s.answers[player] = NO


def challengers_values(s: Tavern, player: i64, card: i64) -> i64:
    """HC-32, HC-42, HC-R02: the values (bit 0 is 1) of a hand that are below a card, in its suit; witnesses do not bind
    challenges (HC-74).
    """
    return s.suit_in_hand(player, suit_of(card)) & (bit(card % 10) - 1)


def condition_met(s: Tavern, patron: i64) -> bool:
    """HC-33, HC-36: whether an O Patron can act on the contested card now; a cancelling one needs it uncancelled."""
    if is_y(patron):
        return False
    if patron < FIRST_SCEPTIC + 10:
        return not s.cancelled and suit_of(s.contested) == patron - FIRST_SCEPTIC
    if patron == THEATRE_CRITIC:
        return not s.cancelled and value_of(s.contested) >= s.terms.lowest[THEATRE_CRITIC]
    if patron == BAILIFFS_MAN:
        return s.hand_size(s.storyteller) > 0
    return True


def cancels(patron: i64) -> bool:
    """Whether an O Patron is one that cancels the card."""
    return patron < FIRST_SCEPTIC + 10 or patron == THEATRE_CRITIC


# --- answers ------------------------------------------------------------------------------------------------------


def answer(s: Tavern, player: i64, action: i64) -> None:
    """HC-31: one response. Sealed, it waits for the others; with first_voice it is heard at once."""
    if s.terms.first_voice:
        hear(s, player, action)
        return
    s.answers[player] = action
    s.answered |= bit(player)
    if s.events is not None:
        s.report("answered", player, {"answer": answer_id(s, player, action)}, seen=int(bit(player)))
    if s.answered == s.responders:
        s.step = RESPONSES if s.step == INTERRUPT else UNDERCUTS  # HC-35


def answer_id(s: Tavern, player: i64, action: i64) -> str:
    """The readable id of what was answered: pass, a card, or the Patron."""
    if action == NO:
        return "pass"
    if action == YES:
        return PATRONS[s.patrons[player]]
    return BOASTS[action - FIRST_CARD]


def responses(s: Tavern) -> None:
    """HC-36…HC-39: Patrons in seat order; then, unless the card was cancelled, the lowest challenge speaks."""
    while s.looked_at < s.players:
        player: i64 = s.seat_from_left(s.looked_at)
        s.looked_at += 1
        if (s.responders >> player) & 1 == 1 and s.answers[player] == YES and look_at_patron(s, player):
            return
    if s.cancelled:
        put_back(s, NOBODY)
        close(s)
        return
    speaker: i64 = lowest_challenger(s)
    put_back(s, speaker)
    if speaker == NOBODY:
        card_stands(s)
    else:
        speak(s, speaker, s.answers[speaker] - FIRST_CARD)


def look_at_patron(s: Tavern, player: i64) -> bool:
    """HC-36: reveal it if its condition still holds, else it goes back unseen. True: the Bailiff's Man waits."""
    patron: i64 = s.patrons[player]
    if not condition_met(s, patron):
        s.answers[player] = NO
        if s.events is not None:
            s.report("patron_returned", player, {"patron": PATRONS[patron]}, seen=int(bit(player)))
        return False
    s.answers[player] = NO
    s.patrons[player] = NONE
    s.in_force[player] = patron
    if s.events is not None:
        args: dict[str, object] = {"patron": PATRONS[patron], "card": BOASTS[s.contested]}
        s.report("patron_played", player, args, reveals=s.all_but(player))
    if cancels(patron):
        cancel(s, player)
    elif patron == BAILIFFS_MAN:
        s.step = FORCED_DISCARD
        if s.hand_size(s.storyteller) == 1:
            forced_discard(s, FIRST_CARD + s.hand_list(s.storyteller)[0])
            return s.step != RESPONSES
        return True
    return False


def cancel(s: Tavern, player: i64) -> None:
    """HC-09: the contested card goes to the discard pile, and nobody may challenge it."""
    s.cancelled = True
    s.row, card = pop(s.row)
    s.discard(i64(card))
    if s.events is not None:
        s.report("cancelled", s.storyteller, {"card": BOASTS[i64(card)], "by": int(player)})


def forced_discard(s: Tavern, action: i64) -> None:
    """HC-36: the Bailiff's Man takes a card of the storyteller's own choice, before any challenge is revealed."""
    card: i64 = action - FIRST_CARD
    s.take_from_hand(s.storyteller, card)
    s.discard(card)
    if s.events is not None:
        s.report("gave_up", s.storyteller, {"card": BOASTS[card]}, reveals=s.all_but(s.storyteller))
    if s.terms.first_voice:
        s.step = INTERRUPT
        close_if_all_heard(s)
    else:
        s.step = RESPONSES


def lowest_challenger(s: Tavern) -> i64:
    """HC-38, HC-R03: who committed the lowest card; cards never tie."""
    best: i64 = NOBODY
    for player in range(s.players):
        if (s.responders >> player) & 1 == 0 or s.answers[player] == NO:
            continue
        if best == NOBODY or s.answers[player] < s.answers[best]:
            best = player
    return best


def put_back(s: Tavern, speaker: i64) -> None:
    """HC-37, HC-38: all committed cards but the one that speaks return to their owners unrevealed."""
    if s.events is None:
        return
    for player in range(s.players):
        if player != speaker and (s.responders >> player) & 1 == 1 and s.answers[player] != NO:
            args: dict[str, object] = {"card": BOASTS[s.answers[player] - FIRST_CARD]}
            s.report("returned", player, args, seen=int(bit(player)))


def speak(s: Tavern, player: i64, card: i64) -> None:
    """HC-38, HC-43: a card is revealed and laid on the table; it is the lead."""
    s.take_from_hand(player, card)
    beaten: i64 = s.contested if len(s.spoken) == 0 else i64(s.spoken[len(s.spoken) - 1])
    s.spoken = append(s.spoken, u8(card))
    s.speakers = append(s.speakers, u8(player))
    if s.events is not None:
        kind = "challenge" if len(s.spoken) == 1 else "rechallenge"
        args: dict[str, object] = {"card": BOASTS[card], "against": BOASTS[beaten]}
        s.report(kind, player, args, reveals=s.all_but(player))
    close(s)
    s.step = CHAIN


def card_stands(s: Tavern) -> None:
    """HC-39, HC-24, HC-25, HC-R01: nobody spoke; the card cannot be challenged any more."""
    if s.events is not None:
        s.report("stands", s.storyteller, {"card": BOASTS[s.contested]})
    close(s)


def close(s: Tavern) -> None:
    """The window is over."""
    ask(s, 0)
    s.looked_at = 0
    s.contested = NONE
    s.cancelled = False
    s.step = RECOUNT


# --- first_voice --------------------------------------------------------------------------------------------------


def hear(s: Tavern, player: i64, action: i64) -> None:
    """HC-78: answers one by one as they come. A pass is only noted; the first challenge speaks and ends the window."""
    if action == NO:
        s.noted |= bit(player)
        if s.events is not None:
            s.report("answered", player, {"answer": "pass"}, seen=int(bit(player)))
        close_if_all_heard(s)
    elif action == YES:
        s.noted &= ~bit(player)
        s.answered |= bit(player)
        s.answers[player] = NO
        if not look_at_patron(s, player):
            if s.cancelled:
                close(s)
            elif s.step == INTERRUPT:
                close_if_all_heard(s)
    else:
        speak(s, player, action - FIRST_CARD)


def close_if_all_heard(s: Tavern) -> None:
    """HC-78: a window that nobody has closed ends when every responder has passed or played a Patron."""
    if (s.answered | s.noted) != s.responders:
        return
    if s.step == RECHALLENGE:
        s.step = UNDERCUTS
    else:
        card_stands(s)
