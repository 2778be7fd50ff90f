"""Records of every game, at every number of players and with every option."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.kernel import Dice, SealedDice
from parlour.records import Record, dumps, loads, replay, verify
from tests.shelf import every_table


def played(name: str, players: int, options: dict[str, object], seed: int | bytes) -> list[tuple[int, int]]:
    """A random game, the answers of a window in no particular order."""
    dice = Dice(seed) if isinstance(seed, int) else SealedDice(seed)
    state = games.get(name).new_game(players=players, options=options, dice=dice)
    choices = Dice(5)
    actions = []
    while not state.is_over:
        asked = [player for player in range(players) if state.actors() >> player & 1]
        player = asked[choices.below(len(asked))]
        legal = state.legal_actions(player)
        actions.append((player, legal[choices.below(len(legal))]))
        state.play(*actions[-1])
    return actions


@pytest.mark.parametrize(("name", "players", "options"), every_table())
def test_a_random_game_is_proved_and_told(name: str, players: int, options: dict[str, object]) -> None:
    for seed in (9, bytes(range(1, 33))):
        actions = played(name, players, options, seed)
        record = Record.from_game(games.get(name), actions, players=players, seed=seed, options=options)
        assert loads(dumps(record)) == record
        assert verify(record).findings == ()
        assert [player for player, _ in actions] == [move.player for move in record.actions]
        steps = list(replay(record))
        assert len(actions) + 1 == len(steps)
        assert steps[-1].state.is_over
        assert any(step.words for step in steps)


@pytest.mark.parametrize(("name", "players", "options"), every_table())
def test_half_a_game_is_proved_as_far_as_it_goes(name: str, players: int, options: dict[str, object]) -> None:
    """Wherever it stops, inside a window too, what is written can be played again and has no result."""
    actions = played(name, players, options, 9)
    for stop in range(0, len(actions), max(1, len(actions) // 12)):
        record = Record.from_game(games.get(name), actions[:stop], players=players, seed=9, options=options)
        assert verify(record).findings == ()
        assert record.result is None
        assert len(record.actions) <= stop
