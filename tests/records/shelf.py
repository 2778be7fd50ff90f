"""Records to test on: games of the toy, played at random."""

from __future__ import annotations

from parlour.kernel import Dice, Game, SealedDice
from parlour.records import Record
from tests.toys import bids

SECRET = bytes(range(32))


def random_actions(
    seed: int | bytes, players: int = 3, game: Game = bids.GAME, options: dict[str, object] | None = None
) -> list[tuple[int, int]]:
    """Who did what in a random game."""
    dice = Dice(seed) if isinstance(seed, int) else SealedDice(seed)
    state = game.new_game(players=players, options=options, dice=dice)
    choices = Dice(77)
    actions = []
    while not state.is_over:
        player = state.current_player
        legal = state.legal_actions(player)
        actions.append((player, legal[choices.below(len(legal))]))
        state.play(*actions[-1])
    return actions


def random_record(seed: int | bytes = 11, players: int = 3, options: dict[str, object] | None = None) -> Record:
    """The record of a random game."""
    actions = random_actions(seed, players, options=options)
    return Record.from_game(
        bids.GAME, actions, players=players, seed=seed, options=options, names=list("ABCD"[:players])
    )
