"""The games whose secrets are watched on the web: the toy with hidden hands, and The Old Hellfire Club."""

from parlour.games.hellfire.box import BOASTS, PATRONS
from tests.web.evening import Subject
from tests.web.worlds import Secrets

BIDS = Subject(
    game="bids",
    options=({"rounds": 4}, {"rounds": 6}),
    players=(2, 3, 4),
    secrets=Secrets({"card": range(1, 21)}, range(23), {"bid": ("pass", "bid:card_07", "bid:card_20")}),
    ids=("bid:card_01", "bid:card_12", "bid:card_20", "pass", "call:modest", "call:bold"),
)
HELLFIRE = Subject(
    game="hellfire",
    options=(
        {"clock": "none"},
        {"clock": "live"},
        {"clock": "none", "piles": "closed"},
        {"clock": "none", "interrupt_protocol": "first_voice"},
        {"clock": "live", "interrupt_protocol": "first_voice"},
        {"clock": "none", "story": "generated"},
    ),
    players=(2, 3, 4),
    secrets=Secrets(
        {"card": BOASTS, "cards": BOASTS, "patron": PATRONS, "answer": ("pass", *BOASTS, *PATRONS)},
        range(120),
        {
            "interrupt": ("interrupt:pass", "interrupt:challenge:weapons_02", "interrupt:patron"),
            "rechallenge": ("rechallenge:pass", "rechallenge:challenge:crimes_03"),
        },
    ),
    ids=(
        "interrupt:pass",
        "interrupt:patron",
        "patron:play",
        "patron:draw",
        *(f"{verb}:{card}" for verb in ("tell", "discard", "give", "interrupt:challenge") for card in BOASTS[::9]),
        *(f"rechallenge:challenge:{card}" for card in BOASTS[::17]),
    ),
    worded=True,
)
