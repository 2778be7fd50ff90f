"""One seed gives a whole match: every deal and every bot gets its own from it, whoever plays it and in what order."""

from __future__ import annotations

import hashlib


def seed_for(*parts: object) -> int:
    """A seed that depends on all the parts and on nothing else.

    It stays below 2**53, so that any reader of JSON, whatever its language, keeps every digit of it.
    """
    text = "/".join(map(str, parts))
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest(), "big") >> 11
