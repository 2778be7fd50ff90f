"""A judge for games that bring none: play the position out at random, many times, and count."""

from __future__ import annotations

from parlour.kernel import Dice, Judge, State, random_playout


class RolloutJudge(Judge):
    """Flat Monte-Carlo: an action is worth the mean result of random games that begin with it.

    Every action is tried on the same `rollouts` re-dealings of what the player cannot know, so that luck in the deal
    weighs on all actions alike; the games themselves are then played out with dice of their own.
    """

    def __init__(self, rollouts: int, dice: Dice) -> None:
        self.rollouts = rollouts
        self._dice = dice

    def worth(self, state: State, player: int) -> float:
        """The mean of `returns()[player]` over random games from here."""
        if state.is_over:
            return state.returns()[player]
        total = 0.0
        for _ in range(self.rollouts):
            total += self._play_out(state.resample(player, self._dice), player)
        return total / self.rollouts

    def preferences(self, state: State, player: int, actions: list[int]) -> list[float]:
        """The mean of `returns()[player]` over random games that begin with each action."""
        totals = [0.0] * len(actions)
        for _ in range(self.rollouts):
            deal = state.resample(player, self._dice)
            for i, action in enumerate(actions):
                game = deal.clone()
                game.apply(player, action)
                totals[i] += self._play_out(game, player)
        return [total / self.rollouts for total in totals]

    def _play_out(self, game: State, player: int) -> float:
        if not game.is_over:
            random_playout(game, self._dice)
        return game.returns()[player]
