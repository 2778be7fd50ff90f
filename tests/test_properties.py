"""Laws that hold for every game, at random positions, with every number of players and every option.

The three of who knows what: a view says nothing about what is hidden, nor do the legal actions, and what is dealt anew
breaks no invariant. Then copies, round trips, explanations, and answers that arrive in any order.
"""

from __future__ import annotations

import copy
import json
import pickle
import re
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour import games
from parlour.kernel import Dice, State, members, random_playout, random_step
from tests.shelf import ALL, every_table, random_game, random_position, tables

TABLES = pytest.mark.parametrize(("name", "players", "options"), every_table())
SEEDS = st.integers(0, 2**32)
PLIES = st.integers(0, 120)


def knowers(state: State) -> list[int]:
    """Every player and the spectator."""
    return [-1, *range(state.players)]


def view(state: State, knower: int) -> dict[str, object]:
    return state.view(None if knower < 0 else knower)


@pytest.mark.parametrize("name", ALL)
@given(seed=SEEDS, plies=PLIES, data=st.data())
def test_a_view_says_nothing_about_what_is_hidden(name: str, seed: int, plies: int, data: st.DataObject) -> None:
    players, options = data.draw(st.sampled_from(tables(name)))
    state = random_position(name, players, seed, plies, options)
    dice = Dice(seed ^ 0xBEEF)
    for knower in knowers(state):
        other = state.resample(knower, dice)
        assert json.dumps(view(state, knower)) == json.dumps(view(other, knower))
        if knower >= 0 and state.actors() >> knower & 1:
            assert state.legal_actions(knower) == other.legal_actions(knower)
            assert state.decision(knower) == other.decision(knower)
        assert state.sealed() == other.sealed()


@pytest.mark.parametrize("name", ALL)
@given(seed=SEEDS, plies=PLIES, data=st.data())
def test_what_is_dealt_anew_breaks_no_invariant_and_can_be_played_on(
    name: str, seed: int, plies: int, data: st.DataObject
) -> None:
    players, options = data.draw(st.sampled_from(tables(name)))
    state = random_position(name, players, seed, plies, options)
    before = state.to_dict()
    dice = Dice(seed)
    for knower in knowers(state):
        other = state.resample(knower, dice)
        assert other.dice != state.dice
        assert games.load(other.to_dict()) == other  # loading checks every invariant
        random_playout(other, dice)
        assert other.is_over
    assert before == state.to_dict()


@pytest.mark.parametrize("name", ALL)
def test_resample_always_has_fresh_dice_and_clone_never(name: str) -> None:
    state = games.get(name).new_game(seed=5)
    dice = Dice(1)
    drawn = {state.resample(0, dice).dice.word() for _ in range(20)}
    assert len(drawn) == 20
    expected = state.clone().dice.word()
    assert expected not in drawn
    assert [expected] * 2 == [state.clone().dice.word(), state.dice.word()]


@TABLES
def test_copies_of_every_kind_are_equal_and_go_their_own_way(
    name: str, players: int, options: dict[str, object]
) -> None:
    """At every position: clone, deepcopy, pickle and JSON; then original and copy are played on, each unmoved by the
    other."""
    for step, state in enumerate(random_game(name, players, seed=11, options=options)):
        document = json.loads(json.dumps(state.to_dict()))
        copies = [state.clone(), copy.deepcopy(state), copy.copy(state)]
        if step % 4 == 0:
            copies += [pickle.loads(pickle.dumps(state)), games.load(document)]
        for other in copies:
            assert state == other
            assert hash(state) == hash(other)
            assert state.position_hash() == other.position_hash()
        if state.is_over:
            continue
        first, *others = copies
        random_step(first, Dice(step))
        for other in others:
            assert other == state
            assert other != first
        assert document == state.to_dict()
        original = state.clone()
        random_step(original, Dice(step))
        assert first == original  # the same choice, the same dice: the same position


@TABLES
def test_explain_speaks_exactly_of_illegal_actions(name: str, players: int, options: dict[str, object]) -> None:
    for step, state in enumerate(random_game(name, players, seed=23, options=options)):
        if step % 3:
            continue
        for player in members(state.actors()):
            legal = state.legal_actions(player)
            assert legal == sorted(set(legal))
            assert legal
            for code in range(state.game.actions.size):
                refusal = state.explain(player, code)
                assert (code in legal) == (refusal is None), (code, refusal)
                if refusal is not None:
                    assert refusal.sentence[:1].isupper()
                    assert refusal.sentence.endswith((".", "!"))
                    assert refusal.clause


FAR = [99, -5, 61, 62, 63, 64, 2**31, 2**62, 2**63, -(2**63) - 1, 10**30, -(10**30)]
"""Numbers that are no player's anywhere: beside the bit sets' edges, the machine word's and beyond."""


@pytest.mark.parametrize("name", ALL)
@given(seed=SEEDS, plies=PLIES, data=st.data())
def test_whoever_is_not_asked_has_the_same_answers_in_every_game(
    name: str, seed: int, plies: int, data: st.DataObject
) -> None:
    """A spectator, those who wait, those behind the last seat and any number far away."""
    players, options = data.draw(st.sampled_from(tables(name)))
    state = random_position(name, players, seed, plies, options)
    before = state.to_dict()
    asked = members(state.actors() | state.late_actors())
    known = range(state.game.actions.size)
    unknown = [code for code in (-1, len(known), *FAR) if code not in known]
    for player in [p for p in [-1, *range(players + 2), *FAR] if p not in asked]:
        assert state.legal_actions(player) == []
        assert state.decision(player) == ""
        assert state.game.prompt(state, player) == ""
        for code in (*known, *unknown):
            for refusal in (state.explain(player, code), state.refusal(player, code)):
                assert refusal is not None
                assert refusal.sentence.endswith(".")
    for player in asked:
        assert state.decision(player)
        for code in unknown:
            said = state.explain(player, code)
            assert said is not None
            assert said.sentence.endswith(".")
    assert before == state.to_dict()


@pytest.mark.parametrize("name", ALL)
@given(seed=SEEDS, plies=PLIES, data=st.data())
def test_what_somebody_knows_can_be_asked_of_players_and_spectators_only(
    name: str, seed: int, plies: int, data: st.DataObject
) -> None:
    players, options = data.draw(st.sampled_from(tables(name)))
    state = random_position(name, players, seed, plies, options)
    before, dice = state.to_dict(), Dice(seed)
    for nobody in (-2, players, players + 1, *FAR):
        said = f"There is no player {nobody} here; they are 0 to {players - 1}, and -1 is a spectator."
        with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
            state.view(nobody)
        with pytest.raises(ValueError, match=f"^{re.escape(said)}$"):
            state.resample(nobody, dice)
    assert dice == Dice(seed)
    assert before == state.to_dict()


@TABLES
def test_every_choice_has_words_and_an_id_that_leads_back(name: str, players: int, options: dict[str, object]) -> None:
    for state in random_game(name, players, seed=31, options=options):
        for player in members(state.actors()):
            assert state.game.prompt(state, player)
            for code in state.legal_actions(player):
                action = state.game.describe(state, player, code)
                assert action.text
                assert "{" not in action.text
                assert action.clause
                assert code == action.code == state.game.parse(state, player, action.id)


@TABLES
def test_words_that_are_said_to_stay_do_stay(name: str, players: int, options: dict[str, object]) -> None:
    """A table asks for them once in a game, and shows them to everybody."""
    if not games.get(name).words_stay:
        return
    first: dict[tuple[str, int], object] = {}
    for state in random_game(name, players, seed=37, options=options):
        for player in members(state.actors()):
            for code in state.legal_actions(player):
                action = state.game.describe(state, player, code)
                assert action == first.setdefault((state.decision(player), code), action)


@TABLES
def test_where_nothing_is_hidden_all_see_the_same(name: str, players: int, options: dict[str, object]) -> None:
    """A table makes the view once for all, with only `you` different, and tells one story."""
    if not games.get(name).open_information:
        return
    state = games.get(name).new_game(players=players, seed=43, options=options)
    dice = Dice(44)
    state.events = []
    while not state.is_over:
        for player in range(players):
            assert {**view(state, -1), "you": player} == {"you": player, **view(state, player)}
        random_step(state, dice)
        assert all(event.visible_to(-1) for event in state.events)
        state.events.clear()


@TABLES
def test_every_event_has_words(name: str, players: int, options: dict[str, object]) -> None:
    names = [f"Player {chr(65 + p)}" for p in range(players)]
    state = games.get(name).new_game(players=players, seed=41, options=options)
    state.events = []
    silent = state.clone()
    dice = Dice(42)
    told = 0
    while not state.is_over:
        random_step(silent, dice.clone())
        random_step(state, dice)
        for event in state.events:
            line = state.game.words(event, names)
            told += bool(line)
            assert "{" not in line
            json.dumps(event.to_dict())
        state.events.clear()
        assert silent == state  # telling changes nothing
    assert told


@pytest.mark.parametrize("name", ALL)
def test_answers_to_a_window_arrive_in_any_order(name: str) -> None:
    """R18: for up to five players, every order of the same sealed answers gives the same position."""
    game = games.get(name)
    seen = 0
    for players in [count for count in game.players if count <= 5]:
        for seed in range(6):
            for state in random_game(name, players, seed):
                waiting = members(state.actors())
                if not state.sealed() or len(waiting) < 2 or seen > 4000:
                    continue
                dice = Dice(seed)
                answers = {p: (legal := state.legal_actions(p))[dice.below(len(legal))] for p in waiting}
                results = set()
                for order in permutations(waiting):
                    other = state.clone()
                    for player in order:
                        assert answers[player] in other.legal_actions(player)
                        other.play(player, answers[player])
                    results.add(json.dumps(other.to_dict()))
                assert len(results) == 1
                seen += 1
    has_windows = name in {"bids", "hellfire"}
    assert (seen > 0) == has_windows


@TABLES
def test_results_are_fair_shares(name: str, players: int, options: dict[str, object]) -> None:
    for state in random_game(name, players, seed=51, options=options):
        returns = state.returns()
        assert len(returns) == players == len(state.scores())
        if not state.is_over:
            assert returns == [0.0] * players
    assert sum(returns) == pytest.approx(1)
    standings = state.standings()
    assert sorted(standing.player for standing in standings) == list(range(players))
    assert standings[0].place == 1
    assert [standing.place for standing in standings] == sorted(standing.place for standing in standings)
    assert all(standing.reason for standing in standings)
    winners = {standing.player for standing in standings if standing.place == 1}
    assert winners == {p for p in range(players) if returns[p] > 0}
