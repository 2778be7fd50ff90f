"""The bot that takes what looks best now."""

from __future__ import annotations

from parlour.kernel import Dice, Judge, State


class GreedyBot:
    """One ply: the action the judge prefers; equal preferences are drawn by the bot's own seeded dice."""

    def __init__(self, judge: Judge, dice: Dice) -> None:
        self._judge = judge
        self._dice = dice

    def choose(self, state: State, player: int) -> int:
        """The judge's favourite among the legal actions."""
        actions = state.legal_actions(player)
        if len(actions) == 1:
            return actions[0]
        preferences = self._judge.preferences(state, player, actions)
        best = max(preferences)
        favourites = [action for action, liking in zip(actions, preferences, strict=True) if liking == best]
        return favourites[self._dice.below(len(favourites))]
