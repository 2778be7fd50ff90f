"""The Secret Adventures of The Old Hellfire Club, by clause. Reads beside `rules.md`; the steps of a turn are in
`refresh`, `recount`, `window`, `chain`, `deserts` and `ending`.
"""

from typing import final

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from parlour.games.hellfire.chain import lead, open_rechallenge, settle, undercuts
from parlour.games.hellfire.deserts import clean_up, just_deserts
from parlour.games.hellfire.ending import standings, total
from parlour.games.hellfire.explaining import refusal
from parlour.games.hellfire.recount import begin_recount, may_stop, tell
from parlour.games.hellfire.redeal import redeal
from parlour.games.hellfire.refresh import (
    begin_refresh,
    begin_turn,
    choose_witness,
    discard_boast,
    draw_boasts,
    may_play,
    patron_give,
    patron_swap,
    patron_target,
    play_patron,
    targets,
)
from parlour.games.hellfire.tavern import Tavern, cards_of
from parlour.games.hellfire.terms import (
    ACTIONS,
    CARDS,
    CHAIN,
    CHOOSE_STARTER,
    CHOOSE_WITNESS,
    CLEAN_UP,
    DECISIONS,
    DESERTS,
    DISCARD_BOAST,
    DRAW,
    FIRST_CARD,
    FIRST_SEAT,
    FORCED_DISCARD,
    INTERRUPT,
    NONE,
    OVER,
    PATRON_CARDS,
    PATRON_GIVE,
    PATRON_SWAP,
    PATRON_TARGET,
    PLAY_PATRON,
    RECHALLENGE,
    RECOUNT,
    REFRESH,
    RESPONSES,
    SETTLEMENT,
    TELL,
    TURN,
    UNDERCUTS,
    WINDOW,
    WORD,
)
from parlour.games.hellfire.window import (
    answer,
    challengeable,
    challengers_values,
    condition_met,
    forced_discard,
    open_window,
    responses,
)
from parlour.kernel.dice import Dice
from parlour.kernel.sets import bit, count, has, lowest, members
from parlour.kernel.state import Refusal, Standing


@final
class Hellfire(Tavern):
    """One position of the game. `Tavern` says what lies where; here are the turn's order and what may be chosen."""

    # --- set-up -------------------------------------------------------------------------------------------------

    def set_up(self) -> None:
        """HC-01…HC-07: shuffle, deal, lay out; the starting player is drawn, or the host (player 0) names one."""
        self.lay_table()
        self.pile = shuffled(CARDS, self.dice)
        self.patron_pile = shuffled(PATRON_CARDS, self.dice)
        for player in range(self.players):
            for _ in range(self.terms.hand_limit):
                self.put_in_hand(player, self.draw_top())
        for player in range(self.players):
            self.patrons[player] = i64(self.patron_pile[self.patrons_drawn])
            self.patrons_drawn += 1
        if self.terms.two:
            for _ in range(i64(4)):  # HC-04
                self.witnesses = append(self.witnesses, u8(self.draw_top()))
        if self.terms.named_starter:
            self.step = CHOOSE_STARTER
        else:
            self.start(self.dice.below(self.players))

    def start(self, player: i64) -> None:
        """HC-07: the first turn is this player's."""
        self.storyteller = player
        self.step = TURN
        self.carry_on()

    # --- actors -------------------------------------------------------------------------------------------------

    def actors(self) -> i64:
        """Section 5: one player, or in a window all who have still to answer."""
        step = self.step
        if step in (INTERRUPT, RECHALLENGE):
            return self.responders & ~(self.answered | self.noted)
        if step == OVER:
            return 0
        if step == CHOOSE_STARTER:
            return 1
        return bit(self.storyteller)

    def late_actors(self) -> i64:
        """HC-78: with first_voice, those who have only passed so far may still speak."""
        step = self.step
        return self.noted if step in (INTERRUPT, RECHALLENGE) else 0

    @property
    def current_player(self) -> int:
        """Whom to ask next: in a window from the storyteller's left, in a chain the storyteller first (section 5)."""
        acting: i64 = self.actors()
        if self.step == INTERRUPT or self.step == RECHALLENGE:
            for distance in range(self.players):
                player: i64 = self.seat_from_left(distance)
                if has(acting, player):
                    return int(player)
        return lowest(acting)

    def sealed(self) -> bool:
        """HC-34: whether answers are being committed that nobody may see yet."""
        return (self.step == INTERRUPT or self.step == RECHALLENGE) and not self.terms.first_voice

    def first_voice(self) -> i64:
        """HC-78: while a window of first voices is open, a number that no other window of the game has."""
        step = self.step
        if not self.terms.first_voice or (step != INTERRUPT and step != RECHALLENGE):
            return 0
        return (self.turn * 16 + self.attempts) * 16 + i64(len(self.spoken)) + 1

    def voice_waits(self) -> bool:
        """HC-78: after the Bailiff's Man the window goes on only once the discard has been made."""
        return self.terms.first_voice and self.step == FORCED_DISCARD

    def withholds(self) -> bool:
        """HC-36: the answers are still face down while the Bailiff's Man waits."""
        return not self.terms.first_voice and self.step in (INTERRUPT, RECHALLENGE, FORCED_DISCARD)

    def decision(self, player: int) -> str:
        """Section 5: the name of what this player is asked."""
        if player < 0 or player >= int(self.players) or not has(self.actors() | self.late_actors(), player):
            return ""
        return DECISIONS[self.step]

    # --- legal actions ------------------------------------------------------------------------------------------

    def legal_actions(self, player: int) -> list[int]:
        """Section 5: what this player may choose, ascending; nothing for somebody who is not asked."""
        if player < 0 or player >= int(self.players) or not has(self.actors() | self.late_actors(), player):
            return []
        who: i64 = player
        step = self.step
        if step == INTERRUPT:
            choices: list[int] = [0]
            if challengeable(self):
                self.add_lower(choices, who, self.contested)
            patron: i64 = self.patrons[who]
            if patron != NONE and condition_met(self, patron):
                choices.append(101)
            return choices
        if step == RECHALLENGE:
            choices = [0]
            self.add_lower(choices, who, lead(self))
            return choices
        if step == TELL:
            return self.tellable(who)
        return self.legal_quietly(step, who)

    def add_lower(self, choices: list[int], player: i64, card: i64) -> None:
        """HC-32, HC-42: the cards of a hand that can undercut this one."""
        values: i64 = challengers_values(self, player, card)
        base: i64 = card - card % 10 + FIRST_CARD
        while values != 0:
            least: i64 = values & -values
            values ^= least
            choices.append(base + count(least - 1))

    def tellable(self, player: i64) -> list[int]:
        """HC-20, HC-21, HC-73."""
        choices: list[int] = []
        if may_stop(self):
            choices.append(0)
        two = self.terms.two
        for word in range(i64(2)):
            rest: i64 = self.hands[2 * player + word]
            while rest != 0:
                least: i64 = rest & -rest
                rest ^= least
                card: i64 = count(least - 1) + word * WORD
                if not two or not self.barred_by_witness(card):
                    choices.append(card + FIRST_CARD)
        return choices

    def legal_quietly(self, step: i64, player: i64) -> list[int]:
        """The decisions of set-up and Step 1, and the forced discard."""
        choices: list[int] = []
        if step == PATRON_SWAP:
            choices = [0, 101]
        elif step == PLAY_PATRON:
            choices = [0, 101] if may_play(self, self.patrons[player]) else [0]
        elif step in (DISCARD_BOAST, PATRON_GIVE, FORCED_DISCARD):
            if step == DISCARD_BOAST:
                choices.append(0)
            for card in cards_of(self.hands[2 * player], self.hands[2 * player + 1]):
                choices.append(card + 1)
        elif step == CHOOSE_WITNESS:
            choices = [110, 111, 112, 113]
        elif step == PATRON_TARGET:
            for seat in members(targets(self)):
                choices.append(seat + 102)
        elif step == CHOOSE_STARTER:
            for seat in range(int(self.players)):
                choices.append(seat + 102)
        return choices

    def explain(self, player: int, action: int) -> Refusal | None:
        """Why this is not allowed now, with its clause."""
        if self.step == OVER:
            return Refusal("The game is over.", "HC-60")
        legal = self.legal_actions(player)
        if len(legal) == 0:
            return Refusal("You are not asked anything at the moment.", "HC-08")
        if action in legal:
            return None
        return refusal(self, player, action if 0 <= action < int(ACTIONS) else ACTIONS)

    # --- apply --------------------------------------------------------------------------------------------------

    def apply(self, player: i64, action: i64) -> None:
        """Carry out a choice, then all that follows until somebody is asked again."""
        step = self.step
        if step in (INTERRUPT, RECHALLENGE):
            answer(self, player, action)
        elif step == TELL:
            tell(self, action)
        elif step == DISCARD_BOAST:
            discard_boast(self, action)
        elif step == PATRON_SWAP:
            patron_swap(self, action)
        elif step == PLAY_PATRON:
            play_patron(self, action)
        elif step == PATRON_TARGET:
            patron_target(self, action)
        elif step == PATRON_GIVE:
            patron_give(self, action)
        elif step == FORCED_DISCARD:
            forced_discard(self, action)
        elif step == CHOOSE_WITNESS:
            choose_witness(self, action)
        elif step == CHOOSE_STARTER:
            self.storyteller = action - FIRST_SEAT
            self.step = TURN
        self.carry_on()

    def carry_on(self) -> None:
        """HC-08: the turn's order. What asks nobody anything, until a decision is due or the game is over."""
        while self.step > OVER:
            step = self.step
            if step == WINDOW:
                open_window(self)
            elif step == RECOUNT:
                begin_recount(self)
            elif step == RESPONSES:
                responses(self)
            elif step == CHAIN:
                open_rechallenge(self)
            elif step == UNDERCUTS:
                undercuts(self)
            elif step == SETTLEMENT:
                settle(self)
            elif step == DESERTS:
                just_deserts(self)
            elif step == CLEAN_UP:
                clean_up(self)
            elif step == TURN:
                begin_turn(self)
            elif step == REFRESH:
                begin_refresh(self)
            elif step == DRAW:
                draw_boasts(self)
            else:
                self.step = PATRON_SWAP

    # --- scoring ------------------------------------------------------------------------------------------------

    def scores(self) -> list[float]:
        """HC-63, HC-64: pennies, counted as if the game ended now."""
        return [float(total(self, player)) for player in range(self.players)]

    def standings(self) -> list[Standing]:
        """HC-65."""
        return standings(self)

    # --- copies -------------------------------------------------------------------------------------------------

    def clone(self) -> "Hellfire":
        """An exact copy, dice included: not safe to plan on. For planning take `resample`."""
        return self.copied(self.dice.clone())

    def copied(self, dice: Dice) -> "Hellfire":
        """A copy with these dice. Draw piles, terms and memory are never changed in place, so they are shared."""
        copy = Hellfire(self.game, self.players, dice, self.terms)
        copy.step = self.step
        copy.turn = self.turn
        copy.storyteller = self.storyteller
        copy.attempts = self.attempts
        copy.pile = self.pile
        copy.drawn = self.drawn
        copy.patron_pile = self.patron_pile
        copy.patrons_drawn = self.patrons_drawn
        copy.discards = self.discards[:]
        copy.patron_discards = self.patron_discards[:]
        copy.hands = self.hands[:]
        copy.pockets = self.pockets[:]
        copy.purses = self.purses[:]
        copy.patrons = self.patrons[:]
        copy.in_force = self.in_force[:]
        copy.answers = self.answers[:]
        copy.record = self.record[:]
        copy.benefactors = self.benefactors[:]
        copy.witnesses = self.witnesses[:]
        copy.turned = self.turned
        copy.row = self.row[:]
        copy.contested = self.contested
        copy.cancelled = self.cancelled
        copy.spoken = self.spoken[:]
        copy.speakers = self.speakers[:]
        copy.responders = self.responders
        copy.answered = self.answered
        copy.noted = self.noted
        copy.looked_at = self.looked_at
        copy.target = self.target
        copy.ended_by = self.ended_by
        copy.memory = self.memory
        copy.shuffles = self.shuffles
        copy.patron_age = self.patron_age[:]
        return copy

    def resample(self, player: int, dice: Dice) -> "Hellfire":
        """A copy in which all that `player` (-1: a spectator) cannot know is dealt anew; see `redeal`."""
        observer = self.knower(player)
        copy = self.copied(dice.fork())
        redeal(copy, observer, dice)
        return copy

    # --- dict form ----------------------------------------------------------------------------------------------

    def position(self) -> dict[str, object]:
        """The whole position in readable ids; `position.py` says what each part means."""
        from parlour.games.hellfire.position import position_of

        return position_of(self)


def shuffled(cards: i64, dice: Dice) -> vec[u8]:
    """So many cards in a random order."""
    order: list[int] = list(range(int(cards)))
    dice.shuffle(order)
    found: vec[u8] = vec[u8]()
    for card in order:
        found = append(found, u8(i64(card)))
    return found
