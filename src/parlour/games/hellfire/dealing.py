"""From the card on the shelf to a game on the table: the terms of the box and the options, and the deal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from parlour.games.hellfire.box import Spec
from parlour.games.hellfire.rules import Hellfire
from parlour.games.hellfire.terms import Terms
from parlour.kernel.dice import Dice
from parlour.kernel.state import State

if TYPE_CHECKING:
    from parlour.kernel.game import Game

_made: dict[tuple[object, ...], Terms] = {}


def deal(game: Game, players: int, options: Mapping[str, Any], dice: Dice) -> State:
    """HC-01…HC-07: a new game, up to its first decision."""
    state = Hellfire(game, players, dice, terms_for(game, players, options))
    state.set_up()
    return state


def terms_for(game: Game, players: int, options: Mapping[str, Any]) -> Terms:
    """The terms of a game, made once for each box, number of players and choice of options."""
    key = (game.box_hash, players, *sorted(options.items()))
    if key not in _made:
        assert game.box is not None  # noqa: S101
        _made[key] = _terms(game.box.spec, players, options)
    return _made[key]


def _terms(spec: Spec, players: int, options: Mapping[str, Any]) -> Terms:
    numbers = spec.numbers
    patrons = [(one.pennies, one.lowest, one.highest, one.cards, one.most) for one in spec.patrons.values()]
    return Terms(
        dict(options),
        players,
        numbers.hand_limit[players - 2],
        numbers.minimum_attempts,
        numbers.value_pennies,
        (numbers.majority_alone, numbers.majority_tied),
        numbers.benefactor_pennies,
        patrons,
    )
