"""Every game there is to test, the toy too, and ways to reach positions in them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product

from parlour import games
from parlour.kernel import Dice, Game, State, random_step

ALL = ("bids", *games.OWN)


def tables(name: str) -> list[tuple[int, dict[str, object]]]:
    """Every number of players of a game with the default options, and every value of every option at the fewest."""
    game = games.get(name)
    found: list[tuple[int, dict[str, object]]] = [(count, {}) for count in game.players]
    for option in game.options:
        values: tuple[object, ...] = (True, False) if option.values is None else tuple(option.values)
        found += [(game.players.start, {option.name: value}) for value in values if value != option.default]
    return found


def every_table() -> list[tuple[str, int, dict[str, object]]]:
    """`tables` of all games, as parameters for tests."""
    return [(name, count, options) for name in ALL for count, options in tables(name)]


def random_game(name: str, players: int, seed: int, options: dict[str, object] | None = None) -> Iterator[State]:
    """Every position of one random game, the first and the last too (the same object, moved on)."""
    state = games.get(name).new_game(players=players, seed=seed, options=options)
    dice = Dice(seed + 1)
    yield state
    while not state.is_over:
        random_step(state, dice)
        yield state


def random_position(name: str, players: int, seed: int, plies: int, options: dict[str, object] | None = None) -> State:
    """The position after so many random decisions, or the last one of a shorter game."""
    state: State | None = None
    for step, state in enumerate(random_game(name, players, seed, options)):  # noqa: B007
        if step == plies:
            break
    assert state is not None
    return state


def option_mixes(game: Game) -> list[dict[str, object]]:
    """All combinations of options, ranges by their ends only."""
    values: list[list[object]] = []
    for option in game.options:
        if option.values is None:
            values.append([True, False])
        elif isinstance(option.values, range):
            values.append([option.values[0], option.default, option.values[-1]])
        else:
            values.append(list(option.values))
    return [dict(zip((o.name for o in game.options), mix, strict=True)) for mix in product(*values)]
