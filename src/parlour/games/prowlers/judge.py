"""What a position of Prowler's Passage is worth, for bots."""

from typing import final

from mypy_extensions import i64

from parlour.games.prowlers.rules import OVER, ProwlersState
from parlour.kernel.judge import Judge
from parlour.kernel.state import State


@final
class ProwlersJudge(Judge):
    """Wealth: what is banked, and what the next phase would give now, mine less theirs."""

    def worth(self, state: State, player: i64) -> float:
        """Wealth ahead."""
        if not isinstance(state, ProwlersState):
            raise TypeError("this judge knows Prowler's Passage.")
        seat: i64 = state.seat_of(player)
        lead: i64 = state.total(seat) - state.total(1 - seat)
        if state.awaiting != OVER:
            sheets = state.next_sheets()
            lead += sheets[seat].total() - sheets[1 - seat].total()
        return float(lead)


def judge(strength: str) -> Judge:
    """The judge; every strength has the same."""
    return ProwlersJudge()
