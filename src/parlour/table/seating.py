"""Secrets and names: one unguessable secret a seat, stored as its SHA-256, none derivable from another."""

from __future__ import annotations

import hashlib
import secrets
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from parlour.table.problems import Unfit

NAME_LIMIT = 24
_ALPHABET = "abcdefghjkmnpqrstuvwxyz23456789"  # without what is mistaken for something else
JOINERS = "\u200c\u200d"
"""Characters without a look of their own that some scripts and pictures need."""
BOT_NAMES = ("Mr Pinch", "Mrs Gaunt", "Dr Quill", "Miss Thorne", "Colonel Bray", "Lady Wick", "Mr Sallow", "Mrs Crake")


def new_secret() -> str:
    """192 random bits, fit for a link."""
    return secrets.token_urlsafe(24)


@lru_cache(maxsize=4096)  # the same few secrets come with every action, and each stream holds its own anyway
def digest(secret: str) -> str:
    """What is stored of a secret."""
    return hashlib.sha256(secret.encode()).hexdigest()


def new_slug() -> str:
    """The name of a table in its link: 60 random bits."""
    return "".join(secrets.choice(_ALPHABET) for _ in range(12))


def clean_name(name: str, fallback: str, limit: int = NAME_LIMIT) -> str:
    """A name as it may be shown: one line, no control characters, not too long."""
    kept = "".join(c for c in unicodedata.normalize("NFC", name) if unicodedata.category(c)[0] != "C")
    said = " ".join(kept.split())
    if len(said) > limit:
        raise Unfit(f"A name has at most {limit} characters.")
    return said or fallback


def name_apart(name: str, others: Iterable[str]) -> str:
    """The name, with a number behind it if somebody here is called that already: nobody can pass for another."""
    taken = {_folded(other) for other in others}
    called, number = name, 2
    while _folded(called) in taken:
        called, number = f"{name} {number}", number + 1
    return called


def _folded(name: str) -> str:
    return "".join(unicodedata.normalize("NFKC", name).casefold().split())


def clean_talk(text: str, limit: int) -> str:
    """A line of talk: line ends are spaces, nothing that steers how text runs, not too long."""
    kept = "".join(" " if c in "\r\n\t" else c for c in unicodedata.normalize("NFC", text))
    said = "".join(c for c in kept if c in JOINERS or unicodedata.category(c)[0] != "C").strip()
    if not said:
        raise Unfit("There is nothing in it to say.")
    if len(said) > limit:
        raise Unfit(f"A line of talk has at most {limit} characters.")
    return said
