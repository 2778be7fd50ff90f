"""`parlour games GAME --schema`: the form of positions, for editors and other languages."""

from __future__ import annotations

import json

import jsonschema_rs
import pytest

from parlour import games
from parlour.kernel import SealedDice
from tests.cli.conftest import Run
from tests.shelf import random_game, tables


@pytest.mark.parametrize("name", games.OWN)
def test_every_position_of_a_random_game_has_that_form(run: Run, name: str) -> None:
    """With every number of players and every option."""
    told = run("games", name, "--schema")
    assert told.exit_code == 0, told.stderr
    validator = jsonschema_rs.validator_for(json.loads(told.stdout))
    for players, options in tables(name):
        for ply, state in enumerate(random_game(name, players, 5, options)):
            if ply % 11 == 0 or state.is_over:
                validator.validate(json.loads(json.dumps(state.to_dict())))


@pytest.mark.parametrize("name", games.OWN)
def test_sealed_dice_have_it_too(run: Run, name: str) -> None:
    validator = jsonschema_rs.validator_for(json.loads(run("games", name, "--schema").stdout))
    assert validator.is_valid(games.get(name).new_game(dice=SealedDice(bytes(32))).to_dict())


def test_what_does_not_have_it_is_refused(run: Run) -> None:
    validator = jsonschema_rs.validator_for(json.loads(run("games", "prowlers", "--schema").stdout))
    good = games.get("prowlers").new_game(seed=1).to_dict()
    assert validator.is_valid(good)
    for changed in (
        {**good, "players": 3},
        {**good, "winner": 1},
        {**good, "options": {"track_half_length": 99}},
        {**good, "dice": {"kind": "loaded"}},
        {**good, "position": {"markers": {"treasury": 1}}},
        {"game": "prowlers"},
    ):
        assert not validator.is_valid(changed)


def test_a_schema_is_of_a_game(run: Run) -> None:
    told = run("games", "--schema")
    assert told.exit_code == 2
    assert told.stderr == "parlour: Name a game: parlour games GAME --schema.\n"


def test_a_game_that_declares_no_form(run: Run) -> None:
    told = run("games", "bids", "--schema")
    assert told.exit_code == 2
    assert "Sealed Bids does not declare the form of its positions" in told.stderr
