"""What people type: the title (HC-80), and the words that come with a card (HC-83…HC-85). Play never sees it."""

from __future__ import annotations

import unicodedata
from collections.abc import Callable
from typing import Final

from parlour.games.hellfire.box import BOX, CODES, Spec

TEXT_LIMIT: Final = 400
"""HC-83, HC-90: characters with a Boast card, and in the epilogue."""
CHALLENGE_LIMIT: Final = 240
"""HC-83: characters with a challenge or re-challenge."""
LEAD_LIMIT: Final = 240
"""HC-83: characters that lead in to the first card of a turn."""
TITLE_LIMIT: Final = 120
TITLE_LEAST: Final = 3

_BREAKS = "\n\r\v\f\x1c\x1d\x1e\x85\u2028\u2029\t"
_TURNING = {*range(0x202A, 0x202F), *range(0x2066, 0x206A), 0x200E, 0x200F, 0x061C}
"""Marks that turn the direction of writing: left in, they would let one player's words rearrange the page."""


def cleaned(text: str, longest: int) -> str:
    """HC-85: line breaks to spaces, control characters out, spaces collapsed, trimmed, cut. "" if nothing is left.

    >>> cleaned("  We were\\n\\tstarving. ", 400)
    'We were starving.'
    """
    spaced = "".join(" " if mark in _BREAKS else mark for mark in text)
    plain = "".join(
        mark for mark in spaced if unicodedata.category(mark) not in ("Cc", "Cs") and ord(mark) not in _TURNING
    )
    return " ".join(plain.split())[:longest].rstrip()


def capital(text: str) -> str:
    """HC-87: the first letter, quotation marks not counted, made a capital.

    >>> capital('"sir," I said')
    '"Sir," I said'
    """
    for index, mark in enumerate(text):
        if mark.isalpha():
            return text[:index] + mark.upper() + text[index + 1 :]
        if mark not in "\"'“”‘’« ":
            break
    return text


def tied(text: str, card: str, spec: Spec | None = None) -> str:
    """HC-84: `[card]` becomes the card's phrase; a text that names the card nowhere has the phrase put after it.

    >>> tied("We were starving.", "teatime_10")
    "We were starving. (The Queen's own wedding-cake.)"
    """
    boast = (spec or BOX.spec).boasts[card]
    said = text.replace("[card]", boast.phrase)
    if boast.name.casefold() in said.casefold() or boast.phrase.casefold() in said.casefold():
        return said
    return f"{said} ({capital(boast.phrase)}.)"


def rolled_title(chance: Callable[[int], int], spec: Spec | None = None) -> tuple[str, str]:
    """HC-80: a side, and two dice read lower die first. `chance(n)` gives a number below n, and never from the game's
    own dice. Returns the title and where it stands, such as "side 1, 26".
    """
    side = 1 + chance(3)
    dice = sorted((1 + chance(6), 1 + chance(6)))
    code = f"{dice[0]}{dice[1]}"
    assert code in CODES  # noqa: S101
    return (spec or BOX.spec).titles[f"side_{side}"][code].title, f"side {side}, {code}"


def typed_title(text: str) -> str:
    """HC-80: a title of the host's own, 3 to 120 characters. Raises ValueError with a sentence for any other."""
    title = cleaned(text, len(text))
    if not TITLE_LEAST <= len(title) <= TITLE_LIMIT:
        raise ValueError(f"A title has {TITLE_LEAST} to {TITLE_LIMIT} characters; this one has {len(title)}.")
    return title


def title_clause(title: str, spec: Spec | None = None) -> str:
    """HC-80, 2.7: the title as it stands inside a sentence.

    >>> title_clause("How we stole a lighthouse."), title_clause("Lord Quill's Bath")
    ('how we stole a lighthouse', "the matter of Lord Quill's Bath")
    """
    bare = title.removesuffix(".")
    first = bare.split(maxsplit=1)[0].casefold() if bare.split() else ""
    if first in ("how", "why"):
        return bare[:1].lower() + bare[1:]
    return (spec or BOX.spec).grammar.other_title.replace("{title}", bare)
