"""The shelf and the card: names, options, numbers of players, and what is said when one is wrong."""

import pickle

import pytest

from parlour import games
from parlour.games import UnknownGame
from parlour.kernel import IllegalAction, OptionError, PositionError
from tests.shelf import ALL


def test_an_unknown_name_is_answered_with_the_shelf() -> None:
    with pytest.raises(UnknownGame, match=r"bids.*hellfire.*prowlers"):
        games.get("chess")
    with pytest.raises(UnknownGame, match="Did you mean prowlers"):
        games.get("prowler")


@pytest.mark.parametrize("name", ALL)
def test_a_card_pickles_as_its_name(name: str) -> None:
    game = games.get(name)
    assert pickle.loads(pickle.dumps(game)) is game


@pytest.mark.parametrize("name", ALL)
def test_wrong_numbers_of_players_and_options_are_refused(name: str) -> None:
    game = games.get(name)
    for players in (0, game.players[-1] + 1, True, "two"):
        with pytest.raises(OptionError, match="players"):
            game.new_game(players=players)  # type: ignore[arg-type]
    with pytest.raises(OptionError, match="has no option 'volume'"):
        game.new_game(options={"volume": 11})
    for option in game.options:
        with pytest.raises(OptionError, match=option.name):
            game.new_game(options={option.name: "no such value"})
        assert option.parse(str(option.default)) == option.default


@pytest.mark.parametrize("name", ALL)
def test_play_refuses_and_leaves_the_state_as_it_was(name: str) -> None:
    state = games.get(name).new_game(seed=3)
    before = state.to_dict()
    player = state.current_player
    outsider = next((p for p in range(state.players) if not state.actors() >> p & 1), state.players)
    legal = set(state.legal_actions(player))
    wrong = [(outsider, min(legal)), (player, -1), (player, state.game.actions.size), (-1, 0), (99, 0)]
    wrong += [(player, code) for code in range(state.game.actions.size) if code not in legal]
    for who, code in wrong:
        with pytest.raises(IllegalAction) as caught:
            state.play(who, code)
        assert caught.value.sentence.endswith(".")
        assert state.to_dict() == before
    state.play(player, min(legal))
    assert state.to_dict() != before


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"game": "chess"}, "not of"),
        ({"version": 999}, "version 999"),
        ({"box": "0" * 16}, "box"),
        ({"players": 99}, "players"),
        ({"dice": {"kind": "loaded"}}, "dice"),
        ({"options": {"volume": 11}}, "volume"),
        ({"weather": "wet"}, "weather"),
        ({"position": None}, "position"),
    ],
)
def test_a_broken_envelope_is_refused_in_a_sentence(name: str, change: dict[str, object], said: str) -> None:
    game = games.get(name)
    with pytest.raises(PositionError, match=said):
        game.load({**game.new_game().to_dict(), **change})


def test_a_position_must_name_its_game() -> None:
    with pytest.raises(PositionError, match="names its game"):
        games.load({"position": {}})
