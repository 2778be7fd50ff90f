"""Bots: by name, by seed, and only on what they may know."""

from __future__ import annotations

import doctest
from collections.abc import Callable
from dataclasses import replace

import pytest

import parlour.bots
from parlour import bots
from parlour.kernel import Dice, Judge, State
from tests.toys import bids


class HighCards(Judge):
    """Likes the actions with the highest codes, all bids of 11 and more alike."""

    def preferences(self, state: State, player: int, actions: list[int]) -> list[float]:
        return [float(min(action, 10)) for action in actions]


def window(seed: int = 5) -> State:
    """A window of sealed bids, nobody having answered."""
    state = bids.GAME.new_game(players=3, seed=seed)
    state.play(0, bids.MODEST)
    return state


def hand(*cards: int) -> State:
    """Player 0 of two holds these cards and is asked for a bid."""
    others = [card for card in range(1, 21) if card not in cards]
    position = {
        "hands": [list(cards), others[:4]],
        "deck": others[4:],
        "discards": [],
        "points": [0, 0],
        "prize": 3,
    }
    return bids.GAME.load({"game": "bids", "position": position})


def test_the_docstring_lists_the_roster() -> None:
    assert doctest.testmod(parlour.bots).failed == 0


def test_an_unknown_name_is_told_the_known_ones() -> None:
    with pytest.raises(
        bots.UnknownBot, match=r"no bot called 'greedi'; there are club, greedy, master, novice, random"
    ):
        bots.get("greedi", bids.GAME, 1)


@pytest.mark.parametrize("name", bots.names())
def test_every_bot_answers_with_a_legal_action_and_repeats_itself(name: str) -> None:
    state = window()
    answers = [[bot.choose(state.resample(1, Dice(i)), 1) for i in range(5)] for bot in _two(name)]
    assert answers[0] == answers[1]
    assert set(answers[0]) <= set(state.legal_actions(1))


def _two(name: str) -> list[bots.Bot]:
    return [bots.get(name, bids.GAME, 3) for _ in range(2)]


@pytest.mark.parametrize("name", ["random", "novice", "greedy"])
def test_a_bot_does_not_see_what_is_hidden(name: str) -> None:
    """R13: in two positions that differ only in what the player cannot know, with equal seeds, it does the same."""
    truth = window()
    other = truth.resample(1, Dice(99))
    assert other != truth
    for seed in range(10):
        told = [
            bots.get(name, bids.GAME, seed).choose(position.resample(1, Dice(seed)), 1) for position in (truth, other)
        ]
        assert told[0] == told[1]


def test_random_takes_every_action_about_equally_often() -> None:
    state = window()
    bot = bots.get("random", bids.GAME, 1)
    chosen = [bot.choose(state, 1) for _ in range(5000)]
    counts = [chosen.count(action) for action in state.legal_actions(1)]
    assert sum(counts) == 5000
    assert all(900 < count < 1100 for count in counts)


def test_greedy_takes_what_the_judge_likes_best() -> None:
    game = replace(bids.GAME, judge=lambda strength: HighCards())
    state = hand(2, 5, 8, 9)
    assert all(bots.get("greedy", game, seed).choose(state, 0) == bids.PASS for seed in range(20))


def test_greedy_draws_between_equals_by_its_own_dice() -> None:
    game = replace(bids.GAME, judge=lambda strength: HighCards())
    state = hand(2, 12, 15, 20)
    bot = bots.get("greedy", game, 1)
    chosen = [bot.choose(state, 0) for _ in range(400)]
    assert set(chosen) == {11, 14, 19, bids.PASS}
    assert all(70 < chosen.count(action) < 130 for action in set(chosen))


@pytest.mark.parametrize(("name", "strength"), [("novice", "novice"), ("club", "club"), ("master", "master")])
def test_strengths_ask_the_judge_of_that_name(name: str, strength: str) -> None:
    asked: list[str] = []
    bots.get(name, replace(bids.GAME, judge=_noting(asked)), 1)
    assert asked == [strength]


def test_greedy_asks_the_strongest_judge() -> None:
    asked: list[str] = []
    bots.get("greedy", replace(bids.GAME, judge=_noting(asked)), 1)
    assert asked == ["master"]


def _noting(asked: list[str]) -> Callable[[str], Judge]:
    def judge(strength: str) -> Judge:
        asked.append(strength)
        return HighCards()

    return judge


def test_without_a_judge_random_games_decide() -> None:
    """The last round, and nobody has a point: the highest card wins the game, any other bid loses it or nearly."""
    others = [card for card in range(1, 21) if card not in (3, 7, 11, 20)]
    position = {
        "hands": [[3, 7, 11, 20], others[:4]],
        "deck": others[4:],
        "discards": [],
        "points": [0, 0],
        "prize": 3,
        "round": 3,
    }
    state = bids.GAME.load({"game": "bids", "position": position})
    assert bids.GAME.judge is None
    dice = Dice(4)
    for seed in range(5):
        assert bots.get("master", bids.GAME, seed).choose(state.resample(0, dice), 0) == 19


def test_a_rollout_judge_values_a_finished_game_by_its_result() -> None:
    state = hand(17, 18, 19, 20)
    dice = Dice(1)
    while not state.is_over:
        player = state.current_player
        state.play(player, state.legal_actions(player)[0])
    judge = bots.RolloutJudge(3, dice)
    assert [judge.worth(state, player) for player in range(2)] == state.returns()


def test_a_rollout_judge_leaves_the_position_alone() -> None:
    state = window()
    before = state.to_dict()
    bots.RolloutJudge(2, Dice(1)).preferences(state, 1, state.legal_actions(1))
    bots.RolloutJudge(2, Dice(1)).worth(state, 1)
    assert state.to_dict() == before
