"""Matches: fair seats, equal results however they are computed, and sums that come out."""

from __future__ import annotations

from collections import Counter

import pytest

from parlour import bots
from parlour.kernel import Dice, OptionError, State
from parlour.lab.match import MatchError, MatchPlan, labels, play_match, play_one
from parlour.lab.play import play_out
from parlour.lab.seeds import seed_for
from parlour.lab.tally import tally
from parlour.records import verify
from tests.toys import bids


@pytest.fixture(autouse=True)
def _on_the_shelf_of_other_processes(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PARLOUR_PLUGINS", "tests.toys.bids:GAME")


def plan(*names: str, games: int = 12, pairs: bool = False, seed: int = 1) -> MatchPlan:
    return MatchPlan(bids.GAME, names, games, seed, pairs)


def test_one_process_or_two_the_same_match() -> None:
    """Every figure, every deal, every record."""
    match = plan("novice", "random", games=50)
    assert play_match(match, jobs=1, record=True) == play_match(match, jobs=2, record=True)


def test_the_seed_decides_everything() -> None:
    assert play_match(plan("random", "random")) == play_match(plan("random", "random"))
    assert play_match(plan("random", "random")) != play_match(plan("random", "random", seed=2))


def test_a_game_of_a_match_can_be_played_alone() -> None:
    match = plan("random", "random", "random", games=9)
    assert play_one(match, 7) == play_match(match)[7]


def test_every_game_is_another_deal() -> None:
    """R35: a thousand games are a thousand deals, and no two bots share their dice."""
    match = plan("random", "random", games=1000)
    seeds = {seed_for(match.seed, "deal", match.deal_of(index)) for index in range(1000)}
    assert len(seeds) == 1000
    assert match.deals == 1000
    assert all(0 <= seed < 2**53 for seed in seeds)


def test_everybody_sits_everywhere_equally_often() -> None:
    match = plan("random", "novice", "greedy", games=30)
    sat = Counter((bot, seat) for index in range(30) for seat, bot in enumerate(match.seats(index)))
    assert set(sat.values()) == {10}


def test_pairs_play_every_deal_in_every_seating() -> None:
    match = plan("random", "random", games=10, pairs=True)
    reports = play_match(match)
    assert [report.deal for report in reports] == [0, 0, 1, 1, 2, 2, 3, 3, 4, 4]
    assert [report.seats for report in reports[:4]] == [[0, 1], [1, 0], [0, 1], [1, 0]]
    assert reports[0].seed == reports[1].seed != reports[2].seed
    assert tally(match, reports).deals == 5


def test_pairs_of_three_play_every_deal_three_times() -> None:
    match = plan("random", "random", "random", games=6, pairs=True)
    assert [match.deal_of(index) for index in range(6)] == [0, 0, 0, 1, 1, 1]
    assert sorted(match.seats(index) for index in range(3)) == [[0, 1, 2], [1, 2, 0], [2, 0, 1]]


def test_pairs_want_a_whole_number_of_deals() -> None:
    with pytest.raises(MatchError, match="must be a multiple of 3; 10 is not"):
        plan("random", "random", "random", games=10, pairs=True)


def test_a_bot_for_every_player() -> None:
    with pytest.raises(MatchError, match="Sealed Bids takes 2 to 4 players, and every player needs a bot"):
        plan("random")


def test_a_match_has_games() -> None:
    with pytest.raises(MatchError, match="at least one game, not 0"):
        plan("random", "random", games=0)


def test_an_unknown_bot_is_refused_before_anything_is_played() -> None:
    with pytest.raises(bots.UnknownBot):
        plan("random", "nobody")


def test_an_unknown_option_is_refused_before_anything_is_played() -> None:
    with pytest.raises(OptionError):
        MatchPlan(bids.GAME, ("random", "random"), options={"colour": "red"})


class Nosy:
    """Keeps what it is handed, notes the hands it finds there, and spoils the copy."""

    def __init__(self) -> None:
        self.handed: list[State] = []
        self.hands: list[object] = []

    def choose(self, state: State, player: int) -> int:
        action = state.legal_actions(player)[0]
        self.handed.append(state)
        self.hands.append(state.position()["hands"])
        while not state.is_over:
            state.apply(state.current_player, state.legal_actions(state.current_player)[0])
        return action


def test_bots_are_handed_copies_with_the_hidden_part_dealt_anew() -> None:
    """R13: never the state itself, nor the others' true hands; and what a bot does to its copy changes nothing."""
    truth = bids.GAME.new_game(players=2, seed=3)
    replayed = truth.clone()
    nosy = Nosy()
    played = play_out(truth, [nosy, nosy], Dice(1))
    true_hands = []
    for player, action in played.actions:
        true_hands.append(replayed.position()["hands"])
        replayed.play(player, action)
    assert replayed == played.state
    assert all(state is not truth for state in nosy.handed)
    for (player, _), seen, true in zip(played.actions, nosy.hands, true_hands, strict=True):
        assert isinstance(seen, list)
        assert isinstance(true, list)
        assert seen[player] == true[player]
        assert seen[1 - player] != true[1 - player]


def test_the_tally_adds_up() -> None:
    match = plan("greedy", "random", games=40)
    reports = play_match(match)
    result = tally(match, reports)
    assert [bot.bot for bot in result.bots] == ["greedy", "random"]
    first = result.bots[0]
    by_hand = [report.result.returns[report.seats.index(0)] for report in reports]
    assert first.games == 40
    assert first.wins == sum(value == 1.0 for value in by_hand)
    assert first.shared == sum(value == 0.5 for value in by_hand)
    assert first.share == pytest.approx(sum(by_hand) / 40)
    assert first.share + result.bots[1].share == pytest.approx(1.0)
    assert first.share_interval.low < first.share < first.share_interval.high
    assert first.win_interval.low < first.win_rate < first.win_interval.high
    assert result.decisions.shortest == result.decisions.longest == 12
    assert result.decisions.mean == 12


def test_the_same_bots_are_told_apart() -> None:
    assert labels(("greedy", "random", "greedy", "greedy")) == ["greedy", "random", "greedy (2)", "greedy (3)"]


def test_records_of_a_match_are_true() -> None:
    for report in play_match(plan("random", "random", "random", games=6), record=True):
        assert report.record is not None
        assert verify(report.record).ok
        assert report.record.result == report.result
        assert len(report.record.actions) == report.decisions


def test_play_out_gives_back_what_was_done() -> None:
    state = bids.GAME.new_game(players=2, seed=8)
    again = state.clone()
    played = play_out(state, [bots.get("random", bids.GAME, seed) for seed in range(2)], Dice(1))
    for player, action in played.actions:
        again.play(player, action)
    assert again == played.state
    assert again.is_over
