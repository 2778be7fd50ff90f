"""One game between bots."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from parlour.bots import Bot
from parlour.kernel import Dice, State


@dataclass(frozen=True)
class Played:
    """How a game went: what was done, in order, and the position at the end."""

    actions: list[tuple[int, int]]
    state: State


def play_out(state: State, bots: Sequence[Bot], dice: Dice) -> Played:
    """Let the bots (one a player, in order) play the state to its end.

    No bot is ever shown the state itself: each gets a copy in which all that it cannot know is dealt anew from `dice`.
    Where several may act at once they answer in ascending order, which by the kernel's law makes no difference.
    """
    actions: list[tuple[int, int]] = []
    while not state.is_over:
        player = state.current_player
        action = bots[player].choose(state.resample(player, dice), player)
        state.play(player, action)
        actions.append((player, action))
    return Played(actions, state)
