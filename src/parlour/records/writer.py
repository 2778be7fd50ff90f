"""Plays a game again and notes down what a record holds of it."""

from __future__ import annotations

import msgspec

from parlour.kernel import IllegalAction, State, lowest

CHECKPOINT_EVERY = 16


class Move(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """One action: who, in words (`place:sp_d_sw`), and as the number that never changes its meaning."""

    player: int
    action: str
    code: int


class Checkpoint(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """The position hash after so many moves."""

    moves: int
    hash: str


def checkpoint_due(last: int, moves: int, state: State) -> bool:
    """Whether a hash is due after so many moves, the last one having been taken after `last` of them."""
    return moves // CHECKPOINT_EVERY > last // CHECKPOINT_EVERY and not state.withholds()


class Writer:
    """Collects moves and hashes. A sealed answer is held back until its window has closed."""

    def __init__(self, state: State) -> None:
        self.state = state
        self.moves: list[Move] = []
        self.hashes: list[Checkpoint] = []
        self._answers: list[tuple[State, int, int]] = []  # in the open window: position before it, player, code

    @property
    def final(self) -> str:
        """The hash of the last position that is written down."""
        return (self._answers[0][0] if self._answers else self.state).position_hash()

    def write(self, player: int, code: int) -> None:
        """Play one action and note it down. Raises IllegalAction if it is not allowed."""
        refusal = self.state.refusal(player, code)
        if refusal is not None:
            raise IllegalAction(refusal.sentence, refusal.clause)
        if not self.state.withholds():
            self._note(self.state, player, code)
            self.state.apply(player, code)
        else:
            before = self.state.clone()
            self.state.apply(player, code)
            self._answers.append((before, player, code))
            if _still_open(before, player, self.state):
                return
            self._close_window()
        last = self.hashes[-1].moves if self.hashes else 0
        if checkpoint_due(last, len(self.moves), self.state):
            self.hashes.append(Checkpoint(len(self.moves), self.state.position_hash()))

    def _close_window(self) -> None:
        shown = self.state.game.public_action
        for before, player, code in self._answers:
            self._note(before, player, code if shown is None else shown(self.state, player, code))
        self._answers.clear()

    def _note(self, before: State, player: int, code: int) -> None:
        self.moves.append(Move(player, before.game.describe(before, player, code).id, code))


def _still_open(before: State, player: int, after: State) -> bool:
    """Whether the answers of the window in which `player` answered are still hidden.

    They are while the others are still asked the same thing, or while something else is decided first.
    """
    if after.withholds() and not after.sealed():
        return True
    waiting = before.actors() & ~(1 << player)
    if waiting == 0 or not after.sealed() or after.actors() != waiting:
        return False
    other = lowest(waiting)
    return after.decision(other) == before.decision(other)
