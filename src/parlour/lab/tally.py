"""What a match comes to."""

from __future__ import annotations

from collections.abc import Sequence
from statistics import fmean

import msgspec

from parlour.lab.intervals import Interval, mean_interval, wilson
from parlour.lab.match import GameReport, MatchPlan, labels


class BotTally(msgspec.Struct, frozen=True):
    """How one bot did.

    A win is a game that it won alone (or with all its partners, where players win together); `shared` counts shared
    first places. `win_rate` is wins over games with its 95 % Wilson interval. `share` is its mean part of the win (1
    alone, a half for a tie of two), with a 95 % interval taken over deals, so that it holds with pairs too.
    """

    bot: str
    games: int
    wins: int
    shared: int
    win_rate: float
    win_interval: Interval
    share: float
    share_interval: Interval
    mean_score: float


class Length(msgspec.Struct, frozen=True):
    """How many decisions a game took."""

    mean: float
    shortest: int
    longest: int


class MatchTally(msgspec.Struct, frozen=True):
    """A whole match in numbers."""

    game: str
    game_version: int
    box: str
    players: int
    options: dict[str, bool | int | str]
    games: int
    deals: int
    seed: int
    pairs: bool
    bots: list[BotTally]
    decisions: Length


def tally(plan: MatchPlan, reports: Sequence[GameReport]) -> MatchTally:
    """Add a match up."""
    decisions = [report.decisions for report in reports]
    return MatchTally(
        game=plan.game.name,
        game_version=plan.game.version,
        box=plan.game.box_hash,
        players=plan.players,
        options=plan.game.check_options(plan.options),
        games=len(reports),
        deals=len({report.seed for report in reports}),
        seed=plan.seed,
        pairs=plan.pairs,
        bots=[_bot(label, bot, reports) for bot, label in enumerate(labels(plan.bots))],
        decisions=Length(fmean(decisions), min(decisions), max(decisions)),
    )


def _bot(label: str, bot: int, reports: Sequence[GameReport]) -> BotTally:
    returns: list[float] = []
    scores: list[float] = []
    by_deal: dict[int, list[float]] = {}
    for report in reports:
        seat = report.seats.index(bot)
        returns.append(report.result.returns[seat])
        scores.append(report.result.scores[seat])
        by_deal.setdefault(report.deal, []).append(report.result.returns[seat])
    low, high = mean_interval([fmean(shares) for shares in by_deal.values()])
    wins = sum(share == 1 for share in returns)
    return BotTally(
        bot=label,
        games=len(returns),
        wins=wins,
        shared=sum(0 < share < 1 for share in returns),
        win_rate=wins / len(returns),
        win_interval=wilson(wins, len(returns)),
        share=fmean(returns),
        share_interval=Interval(max(0.0, low), min(1.0, high)),
        mean_score=fmean(scores),
    )
