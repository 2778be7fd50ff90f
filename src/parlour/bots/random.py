"""The bot that plays anything."""

from __future__ import annotations

from parlour.kernel import Dice, State


class RandomBot:
    """Every legal action with the same chance."""

    def __init__(self, dice: Dice) -> None:
        self._dice = dice

    def choose(self, state: State, player: int) -> int:
        """Any of the legal actions."""
        actions = state.legal_actions(player)
        return actions[self._dice.below(len(actions))]
