"""Prowler's Passage: two thieves, one city, and a passage under every street."""

from __future__ import annotations

from pathlib import Path

from parlour.games.prowlers.actions import ACTIONS, words_for
from parlour.games.prowlers.box import BOX
from parlour.games.prowlers.judge import judge
from parlour.games.prowlers.position import load
from parlour.games.prowlers.rules import deal
from parlour.games.prowlers.view import view
from parlour.games.prowlers.words import words
from parlour.kernel import Game, Option

GAME = Game(
    name="prowlers",
    title="Prowler’s Passage",
    players=range(2, 3),
    deal=deal,
    load_position=load,
    actions=ACTIONS,
    view=view,
    words=words,
    words_for=words_for,
    words_stay=True,
    version=1,
    options=(
        Option(
            "track_half_length",
            8,
            "How many spaces the control track has on either side of its centre.",
            range(6, 13),
        ),
        Option(
            "mid_cards_count_for_market",
            True,
            "Whether a card gained at the mid-game scoring counts for the Market in that same scoring.",
        ),
    ),
    box=BOX,
    judge=judge,
    folder=Path(__file__).parent,
    blurb="Dig under a city of thieves: long tunnels, stolen statues, and a tug of war for five districts.",
    kind="Competitive, open information",
    minutes=(20, 30),
    cloth="#23433b",
    open_information=True,
)
