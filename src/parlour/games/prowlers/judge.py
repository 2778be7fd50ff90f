"""What a position of Prowler's Passage is worth, for bots: Wealth as it stands, and what is likely to come of it.

Everything is counted as a lead, mine less theirs, in Wealth.
"""

from typing import Final, final

from mypy_extensions import i64

from parlour.games.prowlers.achievements import progress
from parlour.games.prowlers.city import City
from parlour.games.prowlers.rules import OVER, ProwlersState
from parlour.games.prowlers.tables import MID_TUNNEL, TYPES, Tables
from parlour.games.prowlers.track import FIRST, SECOND, own_value
from parlour.games.prowlers.tunnels import group_of
from parlour.kernel.judge import Judge
from parlour.kernel.sets import count, has, lowest
from parlour.kernel.state import State

# The weights were found by self-play: hill climbing from equal weights, a few thousand games a step.
LATER: Final = 0.2
MARGIN: Final = 3.8
REACH: Final = 1.2
STATUE: Final = 1.5
CARDS: Final = 0.6

FAR: Final[i64] = 4
"""Beyond this space a marker is as safe as it gets."""


@final
class ProwlersJudge(Judge):
    """Weights for what is likely to come; all of them 0 for somebody who only counts what is there."""

    def __init__(
        self,
        mind_the_other: bool,
        later: float,
        margin: float,
        reach: float,
        statue: float,
        cards: float,
    ) -> None:
        self.mind_the_other = mind_the_other
        self.later = later
        self.margin = margin
        self.reach = reach
        self.statue = statue
        self.cards = cards

    def worth(self, state: State, player: i64) -> float:
        """Wealth ahead, now and to come; for a novice simply one's own Wealth."""
        if not isinstance(state, ProwlersState):
            raise TypeError("this judge knows Prowler's Passage.")
        mine: i64 = state.seat_of(player)
        theirs: i64 = SECOND if mine == FIRST else FIRST
        if not self.mind_the_other:
            return self._wealth(state, mine)
        lead = self._wealth(state, mine) - self._wealth(state, theirs)
        if state.awaiting == OVER:
            return lead
        lead += self.margin * (_margins(state.markers, mine) - _margins(state.markers, theirs))
        lead += self.reach * (_reach(state, mine) - _reach(state, theirs))
        lead += self.cards * (_near_cards(state, mine) - _near_cards(state, theirs))
        return lead + self.statue * _statues_in_reach(state) * (1.0 if state.seat_to_act() == mine else -1.0)

    def _wealth(self, state: ProwlersState, seat: i64) -> float:
        """What is counted already, what the next phase would give now, and a share of the one after."""
        wealth = float(state.total(seat))
        if state.awaiting == OVER:
            return wealth
        end = float(state.end_sheet(seat).total())
        if state.mid_turn != 0:
            return wealth + end
        return end - float(state.end_sheet(seat).achievements) + self.later * end


def _passages(state: ProwlersState, seat: i64) -> i64:
    return state.passages_first if seat == FIRST else state.passages_second


def _margins(markers: i64, seat: i64) -> float:
    """How firmly the districts are held: spaces on one's own side."""
    spaces: i64 = 0
    for kind in range(TYPES):
        value: i64 = own_value(markers, kind, seat)
        if value > 0:
            spaces += min(value, FAR)
    return float(spaces)


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
    city: City = state.city
    tables: Tables = city.tables
    statues: i64 = state.statues_first if seat == FIRST else state.statues_second
    near = 0.0
    rest: i64 = state.open_cards()
    while rest != 0:
        card: i64 = lowest(rest)
        rest &= rest - 1
        if tables.condition[card] >= MID_TUNNEL:
            continue
        done = progress(city, card, _passages(state, seat), statues, state.markers, seat)
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
        return ProwlersJudge(False, 0.0, 0.0, 0.0, 0.0, 0.0)
    if strength == "club":
        return ProwlersJudge(True, 0.0, 0.0, 0.0, 0.0, 0.0)
    return ProwlersJudge(True, LATER, MARGIN, REACH, STATUE, CARDS)
