"""What a position of Prowler's Passage is worth, for bots: Wealth as it stands, and what is likely to come of it.

Everything is counted as a lead, mine less theirs, in Wealth.
"""

from typing import Final, final

from mypy_extensions import i64

from parlour.games.prowlers.achievements import progress
from parlour.games.prowlers.rules import OVER, ProwlersState
from parlour.games.prowlers.scoring import achievements, banking, castle, loot, market, political, residential
from parlour.games.prowlers.tables import (
    BANKING,
    LOOTS,
    MARKET,
    MID_TUNNEL,
    POLITICAL,
    RESIDENTIAL,
    TYPES,
    Tables,
)
from parlour.games.prowlers.track import FIRST, SECOND, controls, own_value
from parlour.games.prowlers.tunnels import group_of, longest_tunnel
from parlour.kernel.judge import Judge
from parlour.kernel.sets import bit, count, has, lowest
from parlour.kernel.state import State

# Found by self-play: hill climbing, a few thousand games a step.
LATER: Final = 0.6
GRIP: Final = 0.28
TIGHTENING: Final = 0.6
GROWTH: Final = 0.6
REACH: Final = 0.95
STATUE: Final = 2.0
CARDS: Final = 0.5


@final
class ProwlersJudge(Judge):
    """Weights for what is likely to come. Without a grip only what is counted counts."""

    def __init__(
        self,
        mind_the_other: bool,
        later: float,
        grip: float,
        tightening: float,
        growth: float,
        reach: float,
        statue: float,
        cards: float,
    ) -> None:
        self.mind_the_other = mind_the_other
        """Whether the opponent's Wealth counts at all."""
        self.later = later
        """The worth of the end scoring while the mid-game one is still to come, beside it."""
        self.grip = grip
        self.tightening = tightening
        """How sure a space on the track makes a district: always, and more the fewer turns are left."""
        self.growth = growth
        """A set that can still grow, for each tile of it."""
        self.reach = reach
        """A free passageway that would join one's largest group."""
        self.statue = statue
        """A statue that the next passage could take."""
        self.cards = cards
        """An open card, by how near it is."""

    def worth(self, state: State, player: i64) -> float:
        """Wealth ahead, now and to come; for a novice simply one's own Wealth."""
        if not isinstance(state, ProwlersState):
            raise TypeError("this judge knows Prowler's Passage.")
        mine: i64 = state.seat_of(player)
        theirs: i64 = SECOND if mine == FIRST else FIRST
        if not self.mind_the_other:
            return _counted(state, mine)
        if state.awaiting == OVER or self.grip == 0.0:
            return _counted(state, mine) - _counted(state, theirs)
        lead = float(state.total(mine) - state.total(theirs))
        phases = 1.0 if state.mid_turn != 0 else 1.0 + self.later
        lead += phases * (_lasting(state, mine) - _lasting(state, theirs) + self._districts(state, mine, theirs))
        lead += self.growth * (_growth(state, mine) - _growth(state, theirs))
        lead += self.reach * (_reach(state, mine) - _reach(state, theirs))
        lead += self.cards * (_near_cards(state, mine) - _near_cards(state, theirs))
        lead += _card_wealth(state, mine) - _card_wealth(state, theirs)
        return lead + self.statue * _statues_in_reach(state) * (1.0 if state.seat_to_act() == mine else -1.0)

    def _districts(self, state: ProwlersState, mine: i64, theirs: i64) -> float:
        """What the districts will bring, by how likely each is to be mine and what it pays me, or them."""
        left = float(state.city.tables.turns - state.turn + 1)
        sure = self.grip + self.tightening / left
        wealth = 0.0
        for kind in range(TYPES):
            chance = 0.5 + sure * float(own_value(state.markers, kind, mine))
            if chance > 1.0:
                chance = 1.0
            elif chance < 0.0:
                chance = 0.0
            wealth += chance * float(_reward(state, kind, mine))
            wealth -= (1.0 - chance) * float(_reward(state, kind, theirs))
        return wealth


def _passages(state: ProwlersState, seat: i64) -> i64:
    return state.passages_first if seat == FIRST else state.passages_second


def _statues(state: ProwlersState, seat: i64) -> i64:
    return state.statues_first if seat == FIRST else state.statues_second


def _cards(state: ProwlersState, seat: i64) -> i64:
    return state.cards_first if seat == FIRST else state.cards_second


def _counted(state: ProwlersState, seat: i64) -> float:
    """What is counted already, and what the next phase would give now."""
    wealth: i64 = state.total(seat)
    if state.awaiting != OVER:
        wealth += state.next_sheets()[seat].total()
    return float(wealth)


def _lasting(state: ProwlersState, seat: i64) -> float:
    """Tunnel, statues and loot: what can only grow."""
    tables = state.city.tables
    own: i64 = _passages(state, seat)
    wealth: i64 = tables.per_passage * longest_tunnel(tables, own)
    wealth += tables.per_statue * count(_statues(state, seat)) + loot(state.city, own)
    return float(wealth)


def _reward(state: ProwlersState, kind: i64, seat: i64) -> i64:
    """What a district would pay this player if they held it."""
    city = state.city
    own: i64 = _passages(state, seat)
    if kind == BANKING:
        return banking(city, own)
    if kind == POLITICAL:
        return political(city, own, count(controls(state.markers, seat) | bit(POLITICAL)))
    if kind == MARKET:
        value: i64 = own_value(state.markers, MARKET, seat)
        return market(city, own, count(_cards(state, seat)), count(_statues(state, seat)), max(1, value))
    if kind == RESIDENTIAL:
        return residential(city, own, longest_tunnel(city.tables, own))
    return castle(city, own)


def _card_wealth(state: ProwlersState, seat: i64) -> float:
    return float(achievements(state.city, _cards(state, seat)))


def _growth(state: ProwlersState, seat: i64) -> float:
    """How much the next tile of each loot would add, as far as some still lie about."""
    city = state.city
    own: i64 = _passages(state, seat)
    free: i64 = state.free()
    hope: i64 = 0
    for kind in range(LOOTS):
        if free & city.showing[kind] != 0:
            hope += count(own & city.showing[kind])
    return float(hope)


def _reach(state: ProwlersState, seat: i64) -> float:
    """Free passageways that would join one's largest group."""
    tables: Tables = state.city.tables
    rest: i64 = _passages(state, seat)
    largest: i64 = 0
    while rest != 0:
        group: i64 = group_of(tables, rest, rest & -rest)
        rest ^= group
        if count(group) > count(largest):
            largest = group
    beside: i64 = 0
    while largest != 0:
        beside |= tables.beside[lowest(largest)]
        largest &= largest - 1
    return float(count(beside & state.free()))


def _near_cards(state: ProwlersState, seat: i64) -> float:
    """The Wealth of open cards, by how much of what they ask for is there (squared: the last step counts most)."""
    city = state.city
    tables: Tables = city.tables
    near = 0.0
    rest: i64 = state.open_cards()
    while rest != 0:
        card: i64 = lowest(rest)
        rest &= rest - 1
        if tables.condition[card] >= MID_TUNNEL:
            continue
        done = progress(city, card, _passages(state, seat), _statues(state, seat), state.markers, seat)
        share = float(done.have) / float(done.need)
        near += float(tables.wealth[card]) * share * share
    return near


def _statues_in_reach(state: ProwlersState) -> float:
    """Statues that one more passage would take."""
    tables: Tables = state.city.tables
    taken: i64 = state.passages_first | state.passages_second
    gone: i64 = state.statues_first | state.statues_second
    found: i64 = 0
    for statue in range(len(tables.statue_lines)):
        lines: i64 = tables.statue_lines[statue]
        if not has(gone, statue) and count(lines & ~taken) == 1:
            found += 1
    return float(found)


def judge(strength: str) -> Judge:
    """A novice counts their own Wealth, a club player the lead, a master also what is likely to come."""
    if strength == "novice":
        return ProwlersJudge(False, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    if strength == "club":
        return ProwlersJudge(True, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0)
    return ProwlersJudge(True, LATER, GRIP, TIGHTENING, GROWTH, REACH, STATUE, CARDS)
