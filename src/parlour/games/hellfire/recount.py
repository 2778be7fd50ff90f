"""Step 2, Recount: one Boast card after another, or stop (HC-20…HC-26)."""

from librt.vecs import append
from mypy_extensions import i64, u8

from parlour.games.hellfire.box import BOASTS
from parlour.games.hellfire.memory import nothing
from parlour.games.hellfire.tavern import Tavern
from parlour.games.hellfire.terms import CARDS, DESERTS, FIRST_CARD, NO, TELL, WINDOW, WORD
from parlour.kernel.sets import bit


def begin_recount(s: Tavern) -> None:
    """HC-20, HC-22: the storyteller tells on, or must stop.

    With two players, HC-22 and HC-R36: from the second attempt on the question comes even if no card is legal, so that
    a sudden stop tells nothing; before it, a stop shows that every card left is barred, and that is remembered.
    """
    player: i64 = s.storyteller
    if s.silenced():
        stop(s, "constable")
    elif s.hand_size(player) == 0:
        stop(s, "no_card")
    elif s.may_tell_any(player) or s.attempts >= s.terms.minimum_attempts:
        s.step = TELL
    else:
        remember_silence(s)
        stop(s, "no_legal_card")


def remember_silence(s: Tavern) -> None:
    """Two players: none of the cards that the witnesses would allow is in the storyteller's hand."""
    first: i64 = 0
    second: i64 = 0
    for card in range(CARDS):
        if not s.barred_by_witness(card):
            if card < WORD:
                first |= bit(card)
            else:
                second |= bit(card - WORD)
    memory = s.memory if s.memory is not None else nothing(s.players)
    s.memory = memory.silent(s.storyteller, s.hand_size(s.storyteller), first, second).or_none()


def may_stop(s: Tavern) -> bool:
    """HC-21, HC-R06: only after two attempts; a cancelled card counts as one (HC-R05)."""
    return s.attempts >= s.terms.minimum_attempts


def tell(s: Tavern, action: i64) -> None:
    """HC-20: play a Boast card, or stop."""
    if action == NO:
        stop(s, "")
    else:
        boast(s, action - FIRST_CARD)


def boast(s: Tavern, card: i64) -> None:
    """HC-23: the card goes to the right-hand end of the row and is contested."""
    s.take_from_hand(s.storyteller, card)
    s.row = append(s.row, u8(card))
    s.attempts += 1
    s.contested = card
    s.cancelled = False
    if s.events is not None:
        args: dict[str, object] = {"card": BOASTS[card], "attempt": int(s.attempts)}
        s.report("boast", s.storyteller, args, reveals=s.all_but(s.storyteller))
    s.step = WINDOW


def stop(s: Tavern, why: str) -> None:
    """HC-26: uncaught, on to Step 3. `why` is empty if it was the storyteller's own choice."""
    if s.events is not None:
        s.report("stopped", s.storyteller, {"why": why, "cards": len(s.row)})
    s.step = DESERTS
