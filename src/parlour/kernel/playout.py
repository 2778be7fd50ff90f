"""Random play through the base class: the same loop drives compiled and interpreted games."""

from mypy_extensions import i64

from parlour.kernel.dice import Dice
from parlour.kernel.sets import count, lowest, nth
from parlour.kernel.state import State


def random_playout(state: State, dice: Dice) -> i64:
    """Play the state to its end, every choice uniformly at random. Returns how many decisions that took.

    Several players who may act at once answer in ascending order; by the kernel's law the order does not matter.
    """
    decisions: i64 = 0
    while True:
        acting: i64 = state.actors()
        if acting == 0:
            return decisions
        player: i64 = lowest(acting)
        actions = state.legal_actions(player)
        state.apply(player, actions[dice.below(len(actions))])
        decisions += 1


def random_step(state: State, dice: Dice) -> None:
    """One uniformly random decision of a uniformly random actor. The game must not be over."""
    acting: i64 = state.actors()
    player: i64 = nth(acting, dice.below(count(acting)))
    actions = state.legal_actions(player)
    state.apply(player, actions[dice.below(len(actions))])
