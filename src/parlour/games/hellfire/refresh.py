"""Before and in Step 1: the witness (HC-71), then discard, draw, Patron, play, in that order (HC-10…HC-17)."""

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from parlour.games.hellfire.box import BOASTS, PATRONS
from parlour.games.hellfire.memory import nothing
from parlour.games.hellfire.tavern import Tavern
from parlour.games.hellfire.terms import (
    CHOOSE_WITNESS,
    DISCARD_BOAST,
    DRAW,
    FIRST_CARD,
    FIRST_SEAT,
    FIRST_SLOT,
    NO,
    NOBODY,
    NONE,
    OVER,
    PATRON,
    PATRON_GIVE,
    PATRON_TARGET,
    PICKPOCKET,
    PLAY_PATRON,
    POT_BOY,
    RECOUNT,
    REFRESH,
    WORD,
    is_y,
)
from parlour.kernel.sets import bit, count, lowest, nth

# --- the witness step ---------------------------------------------------------------------------------------------


def begin_turn(s: Tavern) -> None:
    """HC-08: the storyteller's turn begins; with two players by turning up a card (HC-71), else with Step 1 (HC-10)."""
    s.turn += 1
    s.attempts = 0
    if s.events is not None:
        s.report("turn", s.storyteller, {"turn": int(s.turn)})
    if not s.terms.two:
        s.step = REFRESH
        return
    if s.pile_size() == 0:
        end_game(s, "no_witness")  # HC-60, HC-R25
        return
    s.turned = s.draw_top()
    if s.events is not None:
        s.report("witness_turned", s.storyteller, {"card": BOASTS[s.turned]}, reveals=-1)
    if s.terms.deck_empty and s.pile_size() == 0:
        s.discard(s.turned)
        s.turned = NONE
        end_game(s, "last_card")
        return
    s.step = CHOOSE_WITNESS


def choose_witness(s: Tavern, action: i64) -> None:
    """HC-71, HC-R26: the new card takes the slot of an old witness, which is discarded; then Step 1 (HC-72)."""
    slot: i64 = action - FIRST_SLOT
    old: i64 = i64(s.witnesses[slot])
    s.discard(old)
    s.witnesses[slot] = u8(s.turned)
    if s.events is not None:
        args: dict[str, object] = {"slot": int(slot), "old": BOASTS[old], "card": BOASTS[s.turned]}
        s.report("witness", s.storyteller, args)
    s.turned = NONE
    s.step = REFRESH


# --- discard and draw ---------------------------------------------------------------------------------------------


def begin_refresh(s: Tavern) -> None:
    """HC-11: one card may be discarded; an empty hand has nothing to discard and is not asked."""
    s.step = DISCARD_BOAST if s.hand_size(s.storyteller) > 0 else DRAW


def discard_boast(s: Tavern, action: i64) -> None:
    """HC-11: one card, or none."""
    if action != NO:
        card: i64 = action - FIRST_CARD
        s.take_from_hand(s.storyteller, card)
        s.discard(card)
        if s.events is not None:
            s.report("discarded", s.storyteller, {"card": BOASTS[card]}, reveals=s.all_but(s.storyteller))
    s.step = DRAW


def draw_boasts(s: Tavern) -> None:
    """HC-12: draw up to the hand limit, or the game ends and nothing is drawn (HC-60, HC-R07…HC-R09)."""
    need: i64 = s.terms.hand_limit - s.hand_size(s.storyteller)
    if need > s.pile_size():
        end_game(s, "unable_to_draw")
        return
    s.step = PATRON
    if need > 0:
        draw(s, need)


def draw(s: Tavern, cards: i64) -> None:
    """Draw so many from the top; with `deck_empty` the game ends with the last card of the pile."""
    drawn: list[str] = []
    for _ in range(cards):
        card: i64 = s.draw_top()
        s.put_in_hand(s.storyteller, card)
        if s.events is not None:
            drawn.append(BOASTS[card])
    if s.events is not None:
        own = int(bit(s.storyteller))
        s.report("drew", s.storyteller, {"cards": int(cards), "left": int(s.pile_size())}, reveals=own)
        s.report("drew_cards", s.storyteller, {"cards": drawn}, seen=own, reveals=own)
    if s.terms.deck_empty and s.pile_size() == 0:
        end_game(s, "last_card")


# --- the Patron ---------------------------------------------------------------------------------------------------


def patron_swap(s: Tavern, action: i64) -> None:
    """HC-13: draw one if none is held; keep the one that is, or discard it and draw another."""
    player: i64 = s.storyteller
    if action != NO:
        old: i64 = s.patrons[player]
        if old != NONE:
            s.patrons[player] = NONE
            s.patron_discards = append(s.patron_discards, u8(old))
            if s.events is not None:
                s.report("patron_discarded", player, {"patron": PATRONS[old]}, reveals=s.all_but(player))
        draw_patron(s)
    s.step = PLAY_PATRON if s.patrons[player] != NONE else RECOUNT


def draw_patron(s: Tavern) -> None:
    """HC-13, HC-14, HC-17: one Patron; if the pile is empty the discards are shuffled into a new one first (HC-R20)."""
    if s.patrons_drawn == i64(len(s.patron_pile)):
        shuffle_patrons(s)
    patron: i64 = i64(s.patron_pile[s.patrons_drawn])
    s.patrons_drawn += 1
    s.patrons[s.storyteller] = patron
    s.patron_age[s.storyteller] = i64(len(s.shuffles)) - 1
    if s.events is not None:
        own = int(bit(s.storyteller))
        s.report("patron_drawn", s.storyteller, {}, reveals=own)
        s.report("patron_drawn_card", s.storyteller, {"patron": PATRONS[patron]}, seen=own, reveals=own)


def shuffle_patrons(s: Tavern) -> None:
    """HC-14: the Patron discard pile becomes the draw pile. The Boast discards never do."""
    order = [int(patron) for patron in s.patron_discards]
    s.dice.shuffle(order)
    pile: vec[u8] = vec[u8]()
    shuffled: i64 = 0
    for patron in order:
        pile = append(pile, u8(i64(patron)))
        shuffled |= bit(i64(patron))
    s.patron_pile = pile
    s.patrons_drawn = 0
    s.patron_discards = vec[u8]()
    s.shuffles = append(s.shuffles[:], shuffled)
    if s.events is not None:
        s.report("patrons_shuffled", NOBODY, {"cards": len(order)}, reveals=-1)


def may_play(s: Tavern, patron: i64) -> bool:
    """HC-15, HC-16: only a Y, and the Pickpocket only if another player holds a Boast card."""
    if not is_y(patron):
        return False
    return patron != PICKPOCKET or targets(s) != 0


def play_patron(s: Tavern, action: i64) -> None:
    """HC-15, HC-R17: the Patron now held is played or kept; an instant effect is carried out at once."""
    s.step = RECOUNT
    if action == NO:
        return
    player: i64 = s.storyteller
    patron: i64 = s.patrons[player]
    s.patrons[player] = NONE
    s.in_force[player] = patron
    if s.events is not None:
        s.report("patron_played", player, {"patron": PATRONS[patron]}, reveals=s.all_but(player))
    if patron == POT_BOY:
        pot_boy(s)
    elif patron == PICKPOCKET:
        s.step = PATRON_TARGET
        able = targets(s)
        if count(able) == 1:
            patron_target(s, FIRST_SEAT + lowest(able))


def pot_boy(s: Tavern) -> None:
    """HC-61: draw until two above the limit, or until the pile is empty; this never ends the game by itself."""
    need: i64 = s.terms.hand_limit + s.terms.cards[POT_BOY] - s.hand_size(s.storyteller)
    need = min(need, s.pile_size())
    if need > 0:
        draw(s, need)


def targets(s: Tavern) -> i64:
    """Whom the Pickpocket may rob: the bit set of the other players who hold a Boast card."""
    able: i64 = 0
    for player in range(s.players):
        if player != s.storyteller and (s.hands[2 * player] | s.hands[2 * player + 1]) != 0:
            able |= bit(player)
    return able


def patron_target(s: Tavern, action: i64) -> None:
    """HC-15: the Pickpocket takes a card at random from the chosen hand."""
    victim: i64 = action - FIRST_SEAT
    s.target = victim
    if s.events is not None:
        s.report("robbed", s.storyteller, {"target": int(victim)})
    at: i64 = s.dice.below(s.hand_size(victim))
    in_first: i64 = count(s.hands[2 * victim])
    card: i64 = nth(s.hands[2 * victim], at) if at < in_first else WORD + nth(s.hands[2 * victim + 1], at - in_first)
    slip(s, card, victim, s.storyteller)
    s.step = PATRON_GIVE
    if s.hand_size(s.storyteller) == 1:
        patron_give(s, FIRST_CARD + card)


def patron_give(s: Tavern, action: i64) -> None:
    """HC-15: and gives one back, of the storyteller's choice."""
    slip(s, action - FIRST_CARD, s.storyteller, s.target)
    s.target = NOBODY
    s.step = RECOUNT


def slip(s: Tavern, card: i64, giver: i64, taker: i64) -> None:
    """A card passes from hand to hand; only the two know which."""
    if card < WORD:
        s.hands[2 * giver] &= ~bit(card)
    else:
        s.hands[2 * giver + 1] &= ~bit(card - WORD)
    s.put_in_hand(taker, card)
    memory = s.memory if s.memory is not None else nothing(s.players)
    s.memory = memory.slipped(card, giver, taker, s.hand_size(giver)).or_none()
    if s.events is not None:
        both = int(bit(giver) | bit(taker))
        s.report("slipped", giver, {"card": BOASTS[card], "to": int(taker)}, seen=both, reveals=both)


# --- the end ------------------------------------------------------------------------------------------------------


def end_game(s: Tavern, why: str) -> None:
    """HC-60: the game ends at once; the player concerned does not get the turn."""
    s.step = OVER
    s.ended_by = why
    if s.events is not None:
        s.report("end", s.storyteller, {"why": why})
