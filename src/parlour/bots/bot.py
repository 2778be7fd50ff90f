"""What every bot is."""

from __future__ import annotations

from typing import Protocol

from parlour.kernel import State


class Bot(Protocol):
    """A player that is not a person.

    A bot is given a position in which everything it cannot know has been dealt anew (`State.resample`), and that
    position is its own: it may play on in it as it likes. Two bots made with the same name, game and seed and asked
    the same questions in the same order give the same answers.
    """

    def choose(self, state: State, player: int) -> int:
        """One of `state.legal_actions(player)`; `player` must be among `state.actors()`."""
        ...
