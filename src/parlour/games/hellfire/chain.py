"""The chain: undercutting the undercut, until nobody goes lower (HC-40…HC-47)."""

from librt.vecs import vec
from mypy_extensions import i64, u8

from parlour.games.hellfire.box import BOASTS
from parlour.games.hellfire.tavern import Tavern
from parlour.games.hellfire.terms import (
    BOOKMAKER,
    CLEAN_UP,
    FIRST_CARD,
    NOBODY,
    RECHALLENGE,
    SETTLEMENT,
    suit_of,
    value_of,
)
from parlour.games.hellfire.window import ask, lowest_challenger, put_back, speak
from parlour.kernel.sets import bit, count


def lead(s: Tavern) -> i64:
    """HC-40: the card that spoke last."""
    return i64(s.spoken[len(s.spoken) - 1])


def leader(s: Tavern) -> i64:
    """HC-40: whose card it is."""
    return i64(s.speakers[len(s.speakers) - 1])


def open_rechallenge(s: Tavern) -> None:
    """HC-41: all but the leader who hold a Boast card are asked, unless the lead is a 1 or nobody holds any."""
    able: i64 = 0
    first: i64 = leader(s)  # HC-R35: not the leader
    if value_of(lead(s)) >= 2:
        for player in range(s.players):
            if player != first and (s.hands[2 * player] | s.hands[2 * player + 1]) != 0:
                able |= bit(player)
    if able == 0:
        s.step = SETTLEMENT
        return
    ask(s, able)
    s.step = RECHALLENGE
    if s.events is not None:
        s.report("window", first, {"card": BOASTS[lead(s)], "players": count(able)})


def undercuts(s: Tavern) -> None:
    """HC-43, HC-44: the lowest speaks and leads; if everybody passed the chain is over."""
    speaker: i64 = lowest_challenger(s)
    put_back(s, speaker)
    if speaker == NOBODY:
        ask(s, 0)
        s.step = SETTLEMENT
    else:
        speak(s, speaker, s.answers[speaker] - FIRST_CARD)


def settle(s: Tavern) -> None:
    """HC-45…HC-47: the lead is pocketed, all else is lost; the Bookmaker is paid; no Step 3 (HC-R04, HC-R10, R11)."""
    card: i64 = lead(s)
    winner: i64 = leader(s)
    lost: list[str] = []
    s.pocket(winner, card)
    suit: i64 = suit_of(card)
    s.record[suit] = max(s.record[suit], value_of(card))  # HC-R12
    for i in range(i64(len(s.row))):
        s.discard(i64(s.row[i]))
        if s.events is not None:
            lost.append(BOASTS[i64(s.row[i])])
    for i in range(i64(len(s.spoken)) - 1):
        s.discard(i64(s.spoken[i]))
        if s.events is not None:
            lost.append(BOASTS[i64(s.spoken[i])])
    if s.events is not None:
        args: dict[str, object] = {"card": BOASTS[card], "lost": lost, "storyteller": int(s.storyteller)}
        s.report("caught", winner, args)
    if s.terms.interrupter_bonus and winner != s.storyteller:
        pay(s, winner, s.value_pennies(card), "value")
    bookmaker: i64 = s.owner_in_force(BOOKMAKER)
    if bookmaker != NOBODY:
        pay(s, bookmaker, s.terms.pennies[BOOKMAKER], "o_bookmaker")
    s.row = vec[u8]()
    s.spoken = vec[u8]()
    s.speakers = vec[u8]()
    s.step = CLEAN_UP


def pay(s: Tavern, player: i64, pennies: i64, what_for: str) -> None:
    """Pennies from the bank, which never runs out (HC-R21)."""
    if pennies == 0:
        return
    s.purses[player] += pennies
    if s.events is not None:
        s.report("paid", player, {"pennies": int(pennies), "for": what_for})
