"""The Secret Adventures of The Old Hellfire Club: boasts, undercuts, and a tale that nobody believes."""

from __future__ import annotations

from pathlib import Path

from parlour.games.hellfire.actions import ACTIONS, words_for
from parlour.games.hellfire.box import BOX
from parlour.games.hellfire.dealing import deal
from parlour.games.hellfire.judge import judge
from parlour.games.hellfire.keepsake import KEEPER
from parlour.games.hellfire.position import load
from parlour.games.hellfire.table import ETIQUETTE, public_action
from parlour.games.hellfire.view import view
from parlour.games.hellfire.words import words
from parlour.kernel import Game, Option

GAME = Game(
    name="hellfire",
    title="The Secret Adventures of The Old Hellfire Club",
    players=range(2, 9),
    deal=deal,
    load_position=load,
    actions=ACTIONS,
    view=view,
    words=words,
    words_for=words_for,
    version=1,
    options=(
        Option(
            "end_trigger",
            "unable_to_draw",
            "Whether the game ends when somebody cannot draw in full, or already as the last Boast card is drawn.",
            ("unable_to_draw", "deck_empty"),
        ),
        Option(
            "interrupter_high_bonus",
            False,
            "Whether a successful interrupter is paid for a high card, as the storyteller is.",
        ),
        Option(
            "interrupt_protocol",
            "sealed",
            "Whether interrupters put their cards face down and the lowest speaks, or the first voice counts.",
            ("sealed", "first_voice"),
        ),
        Option(
            "piles",
            "open",
            "Whether pockets and discards can be looked through, or must be remembered.",
            ("open", "closed"),
        ),
        Option(
            "clock",
            "live",
            "Whether there are time limits at the table, or none (play by post).",
            ("live", "none"),
        ),
        Option(
            "story",
            "typed",
            "Who writes the tale: the players, the grammar of the box, or nobody.",
            ("typed", "generated", "silent"),
        ),
        Option(
            "starter",
            "random",
            "Whether the starting player is drawn, or named by the first player at the table.",
            ("random", "named"),
        ),
    ),
    box=BOX,
    judge=judge,
    folder=Path(__file__).parent,
    blurb="Brag as far as you dare; anybody with a humbler card of the suit may tell the company what it really was.",
    kind="Competitive, hidden hands",
    minutes=(30, 60),
    sits_best=4,
    cloth="#4a1a22",
    etiquette=ETIQUETTE,
    public_action=public_action,
    extras={"keepsake": KEEPER},
)
