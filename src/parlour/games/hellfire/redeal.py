"""Dealing anew what somebody cannot know: every arrangement that agrees with all they know is equally likely.

What is known: one's own hand and Patron; every card that has been shown; the sizes of hands and piles; what `Memory`
holds; from which shuffle a held Patron came (what was shuffled was public, HC-14); and, with two players, that a
storyteller who is asked to tell before the minimum has a legal card (HC-22).

Answers in an open window are no part of the arrangement: in the copy nobody but the observer has answered yet. While
the Bailiff's Man waits (HC-36) the window is closed, so each of the others is given an answer there, drawn evenly from
those that the new hand allows and that have not already come out.
"""

from librt.vecs import append, vec
from mypy_extensions import i64, u8

from parlour.games.hellfire.doubts import fits
from parlour.games.hellfire.memory import PLACE, Silence
from parlour.games.hellfire.tavern import Tavern
from parlour.games.hellfire.terms import (
    FIRST_CARD,
    FORCED_DISCARD,
    INTERRUPT,
    NO,
    NOBODY,
    NONE,
    OVER,
    RECHALLENGE,
    TELL,
    WORD,
    YES,
)
from parlour.games.hellfire.window import challengeable, challengers_values, condition_met
from parlour.kernel.dice import Dice
from parlour.kernel.sets import bit, count


def redeal(s: Tavern, observer: i64, dice: Dice) -> None:
    """Deal anew, in place, all that the observer (-1: a spectator) cannot know. `s` is a copy with dice of its own."""
    if s.step == OVER:
        deal_patrons(s, observer, dice)  # all else is public now
        return
    if s.memory is not None or asked_with_a_legal_card(s, observer):
        deal_with_care(s, observer, dice)
    else:
        deal_boasts(s, observer, dice, unseen_boasts(s, observer))
    memory = s.memory
    if memory is not None:
        s.memory = memory.as_known_to(observer)
    deal_patrons(s, observer, dice)
    forget_answers(s, observer, dice)


# --- Boast cards --------------------------------------------------------------------------------------------------


def unseen_boasts(s: Tavern, observer: i64) -> vec[u8]:
    """The cards whose place is hidden: those in the other hands and in the pile."""
    first: i64 = 0
    second: i64 = 0
    for player in range(s.players):
        if player != observer:
            first |= s.hands[2 * player]
            second |= s.hands[2 * player + 1]
    found: vec[u8] = s.pile[s.drawn :]
    while first != 0:
        least: i64 = first & -first
        first ^= least
        found = append(found, u8(count(least - 1)))
    while second != 0:
        last: i64 = second & -second
        second ^= last
        found = append(found, u8(count(last - 1) + WORD))
    return found


def shuffle(cards: vec[u8], dice: Dice) -> None:
    """Fisher and Yates, in place. One draw settles four places (their product is below 2**31): measured, the draws were
    more than half of the time of a whole redeal.
    """
    last: i64 = i64(len(cards)) - 1
    while last >= 4:
        drawn: i64 = dice.below((last + 1) * last * (last - 1) * (last - 2))
        for _ in range(i64(4)):
            at: i64 = drawn % (last + 1)
            drawn //= last + 1
            held = cards[last]
            cards[last] = cards[at]
            cards[at] = held
            last -= 1
    while last >= 1:
        place: i64 = dice.below(last + 1)
        kept = cards[last]
        cards[last] = cards[place]
        cards[place] = kept
        last -= 1


def deal_boasts(s: Tavern, observer: i64, dice: Dice, cards: vec[u8]) -> None:
    """Nothing is known of any other hand but its size: shuffle, fill the hands, the rest is the pile."""
    shuffle(cards, dice)
    at: i64 = 0
    for player in range(s.players):
        if player == observer:
            continue
        size: i64 = s.hand_size(player)
        first: i64 = 0
        second: i64 = 0
        for i in range(at, at + size):
            card: i64 = i64(cards[i])
            if card < WORD:
                first |= bit(card)
            else:
                second |= bit(card - WORD)
        s.hands[2 * player] = first
        s.hands[2 * player + 1] = second
        at += size
    s.pile = cards[at:]
    s.drawn = 0


# --- Boast cards, where more is known than sizes -----------------------------------------------------------------


def asked_with_a_legal_card(s: Tavern, observer: i64) -> bool:
    """HC-22, two players: whoever is asked to tell before the minimum has a legal card, and the others know it."""
    return s.terms.two and s.step == TELL and s.attempts < s.terms.minimum_attempts and s.storyteller != observer


def deal_with_care(s: Tavern, observer: i64, dice: Dice) -> None:
    """Followed cards go where one of their ways puts them; silences and legal cards are respected."""
    cards = unseen_boasts(s, observer)
    way = draw_way(s, observer, dice)
    rooms: list[int] = [0 if player == observer else s.hand_size(player) for player in range(s.players)]
    for place in way:
        rooms[place % PLACE] -= 1
    loose: vec[u8] = vec[u8]()
    for i in range(i64(len(cards))):
        if not in_way(way, i64(cards[i])):
            loose = append(loose, cards[i])
    while True:
        shuffle(loose, dice)
        for player in range(s.players):
            if player != observer:
                s.hands[2 * player] = 0
                s.hands[2 * player + 1] = 0
        for place in way:
            s.put_in_hand(place % PLACE, place // PLACE)
        filled = fill_rooms(s, observer, dice, loose, rooms) and doubts_allow(s, observer)
        if filled and (not asked_with_a_legal_card(s, observer) or s.may_tell_any(s.storyteller)):
            return


def doubts_allow(s: Tavern, observer: i64) -> bool:
    """Two players: whether a spectator who followed the whole game could think that the hands are these."""
    memory = s.memory
    if memory is None or observer != NOBODY or len(memory.doubts) == 0:
        return True
    return fits(memory.doubts, [s.hand_list(0), s.hand_list(1)])


def in_way(way: list[int], card: i64) -> bool:
    """Whether this way says where the card is."""
    return any(place // PLACE == card for place in way)


def draw_way(s: Tavern, observer: i64, dice: Dice) -> list[int]:
    """One of the ways in which the followed cards may lie, each as likely as it has arrangements of the rest.

    The loose cards are dealt to what room is left in the hands; with t followed cards in a hand of h, the number of
    arrangements goes with h! / (h - t)!.
    """
    memory = s.memory
    if memory is None or observer == NOBODY:
        return []
    ways = memory.beliefs[observer]
    weights: list[i64] = []
    total: i64 = 0
    for way in ways:
        weight: i64 = 1
        rooms: list[int] = [s.hand_size(player) for player in range(s.players)]
        for place in way:
            weight *= rooms[place % PLACE]
            rooms[place % PLACE] -= 1
        weights.append(weight)
        total += weight
    at: i64 = draw_below(dice, total)
    chosen = ways[0]
    for i in range(i64(len(ways))):
        if at >= 0:
            chosen = ways[i]
        at -= weights[i]
    return chosen


def draw_below(dice: Dice, n: i64) -> i64:
    """A uniform draw from 0 to n - 1 for any n below 2**61."""
    if n < 0x7FFFFFFF:
        return dice.below(n)
    reach: i64 = 0x4000000000000000
    reach -= reach % n
    while True:
        drawn: i64 = (dice.word() << 30) | (dice.word() >> 2)
        if drawn < reach:
            return drawn % n


def fill_rooms(s: Tavern, observer: i64, dice: Dice, loose: vec[u8], rooms: list[int]) -> bool:
    """Deal the loose cards, already shuffled, into the rooms of the other hands; what is left is the pile.

    False: this deal is to be thrown away. Where two silent hands are dealt (to a spectator), the second must be able to
    follow the first, and the first is kept as often as the second has ways to do so.
    """
    rest = loose
    checked = False
    for player in range(s.players):
        if rooms[player] == 0:
            continue
        silences = silences_of(s, observer, player)
        room: i64 = rooms[player]
        if checked and len(silences) > 0:
            free: i64 = choose(i64(len(rest)), room)
            if draw_below(dice, free) >= ways_to_fill(rest, room, silences):
                return False
        rest = fill_room(s, player, dice, rest, room, silences)
        checked = True
    s.pile = rest
    s.drawn = 0
    return True


def silences_of(s: Tavern, observer: i64, player: i64) -> list[Silence]:
    """What this observer may conclude from a player's silences."""
    memory = s.memory
    if memory is None or len(memory.silences) == 0:
        return []
    return memory.silences[player + 2] if observer == NOBODY else memory.silences[player]


def fill_room(s: Tavern, player: i64, dice: Dice, cards: vec[u8], room: i64, silences: list[Silence]) -> vec[u8]:
    """Deal so many of the shuffled cards to a hand, as its silences allow. Returns the cards that are left."""
    levels = levels_of(cards, silences)
    takes = draw_takes(dice, levels, room, silences)
    left: vec[u8] = vec[u8]()
    for i in range(i64(len(cards))):
        level = levels[i]
        if takes[level] > 0:
            takes[level] -= 1
            s.put_in_hand(player, i64(cards[i]))
        else:
            left = append(left, cards[i])
    if len(silences) > 0:
        shuffle(left, dice)  # what a silence leaves behind is not in a random order
    return left


# --- hands under silences: how many cards of which level ---------------------------------------------------------


def levels_of(cards: vec[u8], silences: list[Silence]) -> list[int]:
    """For each card, after how many silences it must have come into the hand (0: it may have been there all along)."""
    levels: list[int] = []
    for i in range(i64(len(cards))):
        level = 0
        for j in range(len(silences)):
            if silences[j].bars(i64(cards[i])):
                level = j + 1
        levels.append(level)
    return levels


def fill_table(levels: list[int], room: i64, silences: list[Silence]) -> list[list[i64]]:
    """table[l][k]: in how many ways k cards can be chosen from those of level l and more.

    Of a hand, as many cards as were kept from before silence l must be of a level below l.
    """
    top = len(silences)
    counts: list[int] = [0] * (top + 1)
    for level in levels:
        counts[level] += 1
    most: list[i64] = []
    kept: i64 = 0
    most.append(room)
    for silence in silences:
        kept += silence.kept
        most.append(room - kept)
    table: list[list[i64]] = []
    above: list[i64] = [1] + [0] * int(room)
    for level in range(top, -1, -1):
        row: list[i64] = []
        for k in range(room + 1):
            ways: i64 = 0
            if k <= most[level]:
                for of_level in range(k + 1):
                    ways += choose(counts[level], of_level) * above[k - of_level]
            row.append(ways)
        table.append(row)
        above = row
    table.reverse()
    return table


def ways_to_fill(cards: vec[u8], room: i64, silences: list[Silence]) -> i64:
    """In how many ways a hand can be filled from these cards."""
    return fill_table(levels_of(cards, silences), room, silences)[0][room]


def draw_takes(dice: Dice, levels: list[int], room: i64, silences: list[Silence]) -> list[int]:
    """How many cards of each level to take, as likely as that has ways."""
    top = len(silences)
    takes: list[int] = [0] * (top + 1)
    if top == 0:
        takes[0] = int(room)
        return takes
    table = fill_table(levels, room, silences)
    counts: list[int] = [0] * (top + 1)
    for level in levels:
        counts[level] += 1
    to_take: i64 = room
    for level in range(top):
        at: i64 = draw_below(dice, table[level][to_take])
        of_level: i64 = 0
        while True:
            at -= choose(counts[level], of_level) * table[level + 1][to_take - of_level]
            if at < 0:
                break
            of_level += 1
        takes[level] = int(of_level)
        to_take -= of_level
    takes[top] = int(to_take)
    return takes


def choose(n: i64, k: i64) -> i64:
    """The binomial coefficient."""
    if k < 0 or k > n:
        return 0
    found: i64 = 1
    for i in range(k):
        found = found * (n - i) // (i + 1)
    return found


# --- Patrons ------------------------------------------------------------------------------------------------------


def deal_patrons(s: Tavern, observer: i64, dice: Dice) -> None:
    """Each shuffle by itself: the unseen Patrons that went into it lie with those who drew from it, or in the pile."""
    seen: i64 = 0
    if observer != NOBODY and s.patrons[observer] != NONE:
        seen |= bit(s.patrons[observer])
    for player in range(s.players):
        if s.in_force[player] != NONE:
            seen |= bit(s.in_force[player])
    for i in range(i64(len(s.patron_discards))):
        seen |= bit(i64(s.patron_discards[i]))
    last: i64 = i64(len(s.shuffles)) - 1
    for age in range(last, i64(-1), i64(-1)):
        unseen: i64 = s.shuffles[age] & ~seen
        seen |= s.shuffles[age]
        order: vec[u8] = vec[u8]()
        while unseen != 0:
            least: i64 = unseen & -unseen
            unseen ^= least
            order = append(order, u8(count(least - 1)))
        shuffle(order, dice)
        at: i64 = 0
        for player in range(s.players):
            if player != observer and s.patrons[player] != NONE and s.patron_age[player] == age:
                s.patrons[player] = i64(order[at])
                at += 1
        if age == last:
            s.patron_pile = order[at:]
            s.patrons_drawn = 0


# --- answers ------------------------------------------------------------------------------------------------------


def forget_answers(s: Tavern, observer: i64, dice: Dice) -> None:
    """In an open window only the observer's own answer is known; in a closed one the others' are drawn anew."""
    own: i64 = 0 if observer == NOBODY else bit(observer)
    if s.step == INTERRUPT or s.step == RECHALLENGE:
        if s.terms.first_voice:
            s.noted &= own
            return
        s.answered &= own
        for player in range(s.players):
            if player != observer:
                s.answers[player] = NO
    elif s.step == FORCED_DISCARD and not s.terms.first_voice:
        for distance in range(i64(1), s.players):
            player = s.seat_from_left(distance)
            if player != observer and (s.responders >> player) & 1 == 1 and s.in_force[player] == NONE:
                s.answers[player] = draw_answer(s, player, distance, dice)


def draw_answer(s: Tavern, player: i64, distance: i64, dice: Dice) -> i64:
    """An answer from the new hand that fits a window in which the Patrons up to `looked_at` have been looked at."""
    possible: list[int] = [0]
    if challengeable(s):
        values: i64 = challengers_values(s, player, s.contested)
        base: i64 = s.contested - s.contested % 10 + FIRST_CARD
        while values != 0:
            least: i64 = values & -values
            values ^= least
            possible.append(base + count(least - 1))
    if distance >= s.looked_at and s.patrons[player] != NONE and could_have_answered(s, s.patrons[player]):
        possible.append(YES)
    return possible[dice.below(len(possible))]


def could_have_answered(s: Tavern, patron: i64) -> bool:
    """HC-33 as it was when the window was open: the card was not cancelled yet."""
    cancelled = s.cancelled
    s.cancelled = False
    met = condition_met(s, patron)
    s.cancelled = cancelled
    return met
