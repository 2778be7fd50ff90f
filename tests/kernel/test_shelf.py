"""The shelf and the card: names, options, numbers of players, and what is said when one is wrong."""

import pickle

import pytest

from parlour import games
from parlour.games import UnknownGame
from parlour.kernel import Dice, IllegalAction, OptionError, PositionError, random_step
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


class Numpyish:
    """A whole number that is no `int`, as numpy's are."""

    def __init__(self, number: int) -> None:
        self.number = number

    def __index__(self) -> int:
        return self.number


class Arrayish:
    """Has the method of a whole number and is none, as an array of several numbers."""

    def __index__(self) -> int:
        raise TypeError("only single numbers can be whole")


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("strange", [True, 1.0, "0", None, b"0", [], Arrayish()])
def test_players_and_actions_are_whole_numbers(name: str, strange: object) -> None:
    state = games.get(name).new_game(seed=3)
    before, player = state.to_dict(), state.current_player
    for who, code in ((strange, state.legal_actions(player)[0]), (player, strange)):
        with pytest.raises(IllegalAction, match="whole numbers"):
            state.play(who, code)  # type: ignore[arg-type]
    assert before == state.to_dict()


@pytest.mark.parametrize("name", ALL)
@pytest.mark.parametrize("huge", [2**62, 2**63, 10**30, -(2**63) - 1, -(10**30)])
def test_huge_numbers_are_refused_like_any_other(name: str, huge: int) -> None:
    state = games.get(name).new_game(seed=3)
    before, player = state.to_dict(), state.current_player
    with pytest.raises(IllegalAction, match="There is no player"):
        state.play(huge, state.legal_actions(player)[0])
    with pytest.raises(IllegalAction, match="There is no action"):
        state.play(player, huge)
    assert before == state.to_dict()


@pytest.mark.parametrize("name", ALL)
def test_whole_numbers_of_other_kinds_are_taken(name: str) -> None:
    state = games.get(name).new_game(seed=3)
    expected, player = state.clone(), state.current_player
    action = state.legal_actions(player)[0]
    expected.play(player, action)
    assert state.view(player) == state.view(Numpyish(player))
    state.play(Numpyish(player), Numpyish(action))
    assert expected == state


@pytest.mark.parametrize("name", ALL)
def test_a_view_is_of_somebody_who_is_here(name: str) -> None:
    state = games.get(name).new_game(seed=3)
    assert state.view(None) == state.view(-1)
    for nobody in (state.players, 999, 2**40, 10**30, -2, True, "0"):
        with pytest.raises(ValueError, match="There is no player"):
            state.view(nobody)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", ["²", "--6", "-", "", "6.0", "6e0", " 6", "٦", "9" * 5000])
def test_an_option_that_is_no_whole_number_is_refused_in_a_sentence(text: str) -> None:
    with pytest.raises(OptionError, match="a whole number from 6 to 12"):
        games.get("prowlers").parse_options([f"track_half_length={text}"])


@pytest.mark.parametrize("name", ALL)
def test_whoever_waits_may_do_nothing_and_is_told_why(name: str) -> None:
    state, dice = games.get(name).new_game(seed=5), Dice(5)
    while not state.is_over:
        for player in range(state.players):
            legal = state.legal_actions(player)
            assert bool(legal) == bool((state.actors() | state.late_actors()) >> player & 1)
            for code in range(state.game.actions.size):
                assert (state.explain(player, code) is None) == (code in legal)
        random_step(state, dice)
    assert not any(state.legal_actions(player) for player in range(state.players))
