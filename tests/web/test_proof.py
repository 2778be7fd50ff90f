"""N14: the shuffle of a finished game, recomputed for people to read."""

from __future__ import annotations

import random

import msgspec

from parlour import games
from parlour.kernel import SealedDice
from parlour.records import Record
from parlour.records.record import SealedSeed
from parlour.web.proof import Witness, proof


def finished(seed: bytes) -> Record:
    """A game played to its end on sealed dice."""
    game = games.get("prowlers")
    state = game.new_game(dice=SealedDice(seed))
    chance = random.Random(1)
    moves = []
    while not state.is_over:
        player = state.current_player
        action = chance.choice(state.legal_actions(player))
        moves.append((player, action))
        state.apply(player, action)
    return Record.from_game(game, moves, players=2, seed=seed, names=["Ada", "Bell"])


SEED = bytes(range(32))


def test_n14_an_honest_game_fits_in_every_step() -> None:
    steps, sound = proof(finished(SEED), SealedDice(SEED).commitment)
    assert sound
    assert ["The seal", "The draws", "The moves", "The result"] == [step["title"] for step in steps]


def test_n14_another_seed_than_the_sealed_one_is_found() -> None:
    steps, sound = proof(finished(SEED), SealedDice(bytes(32)).commitment)
    assert not sound
    assert steps[0]["sound"] is False


def test_n14_a_changed_move_is_found() -> None:
    record = finished(SEED)
    changed = msgspec.structs.replace(record, actions=[*record.actions[:-1], record.actions[0]])
    _, sound = proof(changed, SealedDice(SEED).commitment)
    assert not sound


def test_n14_a_seed_that_is_not_shown_proves_nothing() -> None:
    record = finished(SEED)
    hidden = msgspec.structs.replace(record, deal=SealedSeed(SealedDice(SEED).commitment, None))
    _, sound = proof(hidden, SealedDice(SEED).commitment)
    assert not sound


def test_a_witness_draws_what_sealed_dice_draw() -> None:
    witness, dice = Witness(SEED), SealedDice(SEED)
    assert [dice.below(27) for _ in range(50)] == [witness.below(27) for _ in range(50)]
    assert [(27, drawn) for drawn in [SealedDice(SEED).below(27)]] == witness.draws[:1]
