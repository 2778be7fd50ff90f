"""Step 3, Just Deserts, and the clean-up (HC-50…HC-57)."""

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from parlour.games.hellfire.box import BOASTS, PATRONS, SUITS
from parlour.games.hellfire.chain import pay
from parlour.games.hellfire.tavern import Tavern
from parlour.games.hellfire.terms import (
    CLEAN_UP,
    GENTLEMAN,
    HANGER_ON,
    NOBODY,
    NONE,
    PENNY_NOVELIST,
    SUIT_COUNT,
    TURN,
    suit_of,
    value_of,
)


def just_deserts(s: Tavern) -> None:
    """HC-50…HC-55, in their order, for a storyteller who was not caught."""
    pocket_row(s)
    pay_values(s)
    pay_patron(s)
    pay_hanger_on(s)
    take_benefactors(s)
    s.row = vec[u8]()
    s.step = CLEAN_UP


def pocket_row(s: Tavern) -> None:
    """HC-50, HC-51: the whole row, and only the row."""
    for i in range(i64(len(s.row))):
        s.pocket(s.storyteller, i64(s.row[i]))
    if s.events is not None:
        cards = [BOASTS[i64(card)] for card in s.row]
        s.report("pocketed", s.storyteller, {"cards": cards})


def pay_values(s: Tavern) -> None:
    """HC-52: a penny for a 7 or 8, two for a 9 or 10."""
    pennies: i64 = 0
    for i in range(i64(len(s.row))):
        pennies += s.value_pennies(i64(s.row[i]))
    pay(s, s.storyteller, pennies, "value")


def pay_patron(s: Tavern) -> None:
    """HC-53: the bonus of the storyteller's own Patron."""
    patron: i64 = s.in_force[s.storyteller]
    if patron != NONE:
        pay(s, s.storyteller, patron_bonus(s, patron), PATRONS[patron])


def patron_bonus(s: Tavern, patron: i64) -> i64:
    """HC-53: what a Y Patron pays for the row as it lies."""
    each: i64 = s.terms.pennies[patron]
    cards: i64 = len(s.row)
    if patron == GENTLEMAN:
        return each if cards >= s.terms.cards[GENTLEMAN] else 0
    earning: i64 = 0
    for i in range(cards):
        if earns(s, patron, i64(s.row[i])):
            earning += 1
    return each * earning


def earns(s: Tavern, patron: i64, card: i64) -> bool:
    """HC-53, HC-54: whether a Patron pays for this card by itself."""
    if patron < SUIT_COUNT:
        return suit_of(card) == patron
    if patron in (PENNY_NOVELIST, HANGER_ON):
        return s.terms.lowest[patron] <= value_of(card) <= s.terms.highest[patron]
    return False


def pay_hanger_on(s: Tavern) -> None:
    """HC-54: a penny for each card of 7 or more, three at most, to the Hanger-On's owner."""
    owner: i64 = s.owner_in_force(HANGER_ON)
    if owner != NOBODY:
        pay(s, owner, min(patron_bonus(s, HANGER_ON), s.terms.most[HANGER_ON]), "o_hanger_on")


def take_benefactors(s: Tavern) -> None:
    """HC-55, HC-R11…HC-R15: for each suit whose record the row beats, the Benefactor; then the record rises."""
    best: vec[i64] = vec[i64]([0] * 10)
    for i in range(i64(len(s.row))):
        card: i64 = i64(s.row[i])
        best[suit_of(card)] = max(best[suit_of(card)], value_of(card))
    for suit in range(SUIT_COUNT):
        if best[suit] > s.record[suit]:
            s.record[suit] = best[suit]  # HC-56
            before: i64 = s.benefactors[suit]
            s.benefactors[suit] = s.storyteller
            if s.events is not None:
                args: dict[str, object] = {"suit": SUITS[suit], "from": int(before), "value": int(best[suit])}
                s.report("benefactor", s.storyteller, args)


def clean_up(s: Tavern) -> None:
    """HC-57: Patrons in force are discarded, from the storyteller leftwards; the turn passes to the left."""
    for distance in range(s.players):
        player: i64 = s.seat_from_left(distance)
        patron: i64 = s.in_force[player]
        if patron != NONE:
            s.patron_discards = append(s.patron_discards, u8(patron))
            s.in_force[player] = NONE
            if s.events is not None:
                s.report("patron_leaves", player, {"patron": PATRONS[patron]})
    s.storyteller = s.seat_from_left(1)
    s.step = TURN
