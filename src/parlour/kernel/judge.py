"""What a game can tell a bot about its positions."""

from mypy_extensions import i64, mypyc_attr

from parlour.kernel.state import State


@mypyc_attr(allow_interpreted_subclasses=True)
class Judge:
    """A game's opinion of a position, for bots. Bigger is better; the scale is the game's own.

    It is only ever asked about states in which the hidden part has been dealt anew, so it cannot cheat.
    """

    def worth(self, state: State, player: i64) -> float:
        """What the position is worth to this player."""
        raise NotImplementedError

    def preferences(self, state: State, player: i64, actions: list[int]) -> list[float]:
        """How good each of these actions looks to this player: by default the worth of the position just after it."""
        liked: list[float] = []
        for action in actions:
            after = state.clone()
            after.apply(player, action)
            liked.append(self.worth(after, player))
        return liked
