"""Random games of every kind, and every law of every game checked on the way.

Short in `make test`, on the compiled build: 20,000 games of each game. Long in `make soak`: a million. In some of them
every position is checked, in all others one in the middle and the last.
"""

from __future__ import annotations

import os

import pytest

from parlour import compiled, games
from parlour.kernel import Dice, Game, State, random_step
from tests.shelf import option_mixes

SOAK = os.environ.get("PARLOUR_SOAK") == "1"
SHARES = 8
GAMES = 1_000_000 if SOAK else 20_000 if compiled() else 1_600
SHORT_GAMES = {"prowlers"}
"""Games of some thirty decisions: checking every position of every one of a million takes half an hour."""

pytestmark = [pytest.mark.soak, pytest.mark.timeout(0 if SOAK else 600)]


def check(game: Game, state: State) -> None:
    """Loading checks every law of the game by name; what is loaded must be what was written down."""
    document = state.to_dict()
    assert document == game.load(document).to_dict()


def play(game: Game, players: int, options: dict[str, object], seed: int, fully: bool) -> None:
    """One random game, with the laws that hold for any game at its end."""
    state = game.new_game(players=players, seed=seed, options=options)
    dice = Dice(seed)
    middle = 1 + dice.below(20)
    plies = 0
    while not state.is_over:
        random_step(state, dice)
        plies += 1
        if fully or plies == middle:
            check(game, state)
        assert plies < 5000
    check(game, state)
    returns = state.returns()
    assert all(0.0 <= share <= 1.0 for share in returns)
    standings = state.standings()
    assert list(range(players)) == sorted(standing.player for standing in standings)
    assert standings[0].place == 1
    assert [standing.place for standing in standings] == sorted(standing.place for standing in standings)


def kinds(game: Game) -> list[tuple[int, dict[str, object]]]:
    """Every number of players with every mix of options."""
    return [(players, options) for players in game.players for options in option_mixes(game)]


@pytest.mark.parametrize("share", range(SHARES))
@pytest.mark.parametrize("name", games.OWN)
def test_random_games_break_no_law(name: str, share: int) -> None:
    """Every kind of table in turn. A failure names the seed to play again."""
    game = games.get(name)
    tables = kinds(game)
    fully = (1 if SOAK else 10) if name in SHORT_GAMES else 200
    for seed in range(share, GAMES, SHARES):
        players, options = tables[seed % len(tables)]
        try:
            play(game, players, options, seed, seed // SHARES % fully == 0)
        except Exception as error:
            error.add_note(f"{name}, {players} players, options {options}, seed {seed}")
            raise


@pytest.mark.parametrize("name", games.OWN)
def test_there_are_games_enough_for_every_kind_of_table(name: str) -> None:
    assert len(kinds(games.get(name))) <= GAMES


def test_a_broken_law_is_noticed() -> None:
    """The check can fail: a position with a law broken is refused."""
    game = games.get("prowlers")
    state = game.new_game(seed=1)
    check(game, state)
    document = state.to_dict()
    position = document["position"]
    assert isinstance(position, dict)
    position["markers"]["castle"] = 99
    with pytest.raises(ValueError, match="PP-I6"):
        game.load(document)
