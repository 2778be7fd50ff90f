"""How strong the named bots are at Prowler's Passage, over paired deals."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.lab.match import MatchPlan, play_match
from parlour.lab.tally import tally


def test_greedy_beats_random_in_nine_games_of_ten() -> None:
    plan = MatchPlan(games.get("prowlers"), ("greedy", "random"), games=1000, seed=1)
    assert tally(plan, play_match(plan)).bots[0].wins >= 900


@pytest.mark.parametrize(("stronger", "weaker"), [("novice", "random"), ("club", "novice"), ("master", "club")])
def test_each_strength_beats_the_one_below(stronger: str, weaker: str) -> None:
    """N17: the interval is clear of an even share, on deals that both sides have played."""
    plan = MatchPlan(games.get("prowlers"), (stronger, weaker), games=400, seed=3, pairs=True)
    assert tally(plan, play_match(plan)).bots[0].share_interval.low > 0.5
