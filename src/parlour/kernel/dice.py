"""Chance. `Dice` for study and research, `SealedDice` for tables where people must be able to check the shuffles.

Both are values: a clone draws what the original would have drawn. Both draw the same way from a stream of 32-bit
words, without bias (rejection, never a plain remainder), so that only the source of the words differs.
"""

import hashlib
import secrets
from collections.abc import MutableSequence
from typing import Final

from mypy_extensions import i64, mypyc_attr

_I64_MAX: Final[i64] = 0x7FFFFFFFFFFFFFFF
_I64_MIN: Final[i64] = -0x8000000000000000
_WORD: Final[i64] = 1 << 32
_WORD_MASK: Final[i64] = 0xFFFFFFFF

# SplitMix64 (Steele, Lea, Flood: Fast Splittable Pseudorandom Number Generators, OOPSLA 2014), constants as signed.
_GAMMA: Final[i64] = 0x9E3779B97F4A7C15 - (1 << 64)
_MIX_1: Final[i64] = 0xBF58476D1CE4E5B9 - (1 << 64)
_MIX_2: Final[i64] = 0x94D049BB133111EB - (1 << 64)

SEED_BYTES: Final = 32


def _wrap(x: i64) -> i64:
    """The low 64 bits of x as a signed number: what a compiled i64 holds anyway, for the interpreter's sake."""
    return (x & _I64_MAX) + _I64_MIN * ((x >> 63) & 1)


@mypyc_attr(allow_interpreted_subclasses=True)
class Dice:
    """A stream of chance from a 64-bit seed (SplitMix64). The same seed gives the same draws on every machine.

    >>> dice = Dice(7)
    >>> [dice.below(6) for _ in range(8)]
    [2, 0, 5, 3, 2, 1, 2, 1]
    """

    def __init__(self, seed: int = 0) -> None:
        self._state: i64 = _signed(seed)

    def word(self) -> i64:
        """The next 32 random bits, 0 to 2**32 - 1."""
        self._state = _wrap(self._state + _GAMMA)
        z: i64 = self._state
        z = _wrap((z ^ ((z >> 30) & 0x3FFFFFFFF)) * _MIX_1)
        z = _wrap((z ^ ((z >> 27) & 0x1FFFFFFFFF)) * _MIX_2)
        z = z ^ ((z >> 31) & 0x1FFFFFFFF)
        return (z >> 32) & _WORD_MASK

    def below(self, n: i64) -> i64:
        """A uniform draw from 0 to n - 1; n from 1 to 2**31 - 1. Lemire's method, unbiased by rejection.

        Source: D. Lemire, Fast Random Integer Generation in an Interval, ACM TOMACS 29 (2019).
        """
        if n < 1 or n >= 0x80000000:
            raise ValueError(f"below takes a number from 1 to {0x7FFFFFFF}, not {n}.")
        scaled: i64 = self.word() * n
        low: i64 = scaled & _WORD_MASK
        if low < n:
            threshold: i64 = (_WORD - n) % n
            while low < threshold:
                scaled = self.word() * n
                low = scaled & _WORD_MASK
        return scaled >> 32

    def shuffle(self, items: MutableSequence[int]) -> None:
        """Put the items in a uniformly random order, in place (Fisher and Yates, from the end)."""
        for i in range(len(items) - 1, 0, -1):
            j = self.below(i + 1)
            items[i], items[j] = items[j], items[i]

    def sample(self, n: i64, k: i64) -> list[int]:
        """k different numbers from 0 to n - 1, in the order in which they were drawn."""
        if k < 0 or k > n:
            raise ValueError(f"cannot draw {k} different numbers out of {n}.")
        pool: list[int] = list(range(n))
        for i in range(k):
            j = i + self.below(n - i)
            pool[i], pool[j] = pool[j], pool[i]
        return pool[:k]

    def clone(self) -> "Dice":
        """The same dice at the same place in the same stream."""
        copy = Dice(0)
        copy._state = self._state
        return copy

    def fork(self) -> "Dice":
        """New plain dice, seeded by two words of this stream."""
        high: i64 = self.word()
        low: i64 = self.word()
        return Dice((int(high) << 32) | int(low))

    def position(self) -> int:
        """How far the stream has run, in a number that changes with every draw."""
        return int(self._state)

    def to_dict(self) -> dict[str, object]:
        """The dice as they stand, JSON-ready. Whoever has this knows every draw to come."""
        return {"kind": "plain", "state": int(self._state)}

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Dice):
            return False
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return hash(self.position())


@mypyc_attr(allow_interpreted_subclasses=True)
class SealedDice(Dice):
    """A stream of chance that can be proved afterwards: keyed BLAKE2b over a counter, under a 256-bit seed.

    `commitment` (SHA-256 of the seed, hex) is published before the first draw, the seed after the last. Block i of the
    stream is BLAKE2b(key=seed, message=i as 8 bytes little-endian, 64 bytes); words are its 16 little-endian 32-bit
    groups in order.
    """

    def __init__(self, seed: bytes = b"") -> None:
        super().__init__(0)
        key = seed if seed else secrets.token_bytes(SEED_BYTES)
        if len(key) != SEED_BYTES:
            raise ValueError(f"a sealed seed has {SEED_BYTES} bytes, not {len(key)}.")
        self.seed: bytes = key
        self._drawn: i64 = 0
        self._block: bytes = b""

    @property
    def commitment(self) -> str:
        """SHA-256 of the seed, 64 hex digits: safe to publish at any time."""
        return hashlib.sha256(self.seed).hexdigest()

    def word(self) -> i64:
        """The next 32 random bits, 0 to 2**32 - 1."""
        offset = int(self._drawn & 15) * 4
        if offset == 0 or not self._block:
            counter = int(self._drawn >> 4)
            self._block = hashlib.blake2b(counter.to_bytes(8, "little"), key=self.seed, digest_size=64).digest()
        self._drawn += 1
        return int.from_bytes(self._block[offset : offset + 4], "little")

    def clone(self) -> "SealedDice":
        """The same dice at the same place in the same stream."""
        copy = SealedDice(self.seed)
        copy._drawn = self._drawn
        copy._block = self._block
        return copy

    def position(self) -> int:
        """How many words have been drawn."""
        return int(self._drawn)

    def to_dict(self) -> dict[str, object]:
        """The dice as they stand, JSON-ready. Whoever has this knows every draw to come."""
        return {"kind": "sealed", "seed": self.seed.hex(), "drawn": int(self._drawn)}


def dice_from_dict(document: object) -> Dice:
    """Dice from their dict form. Raises ValueError with a sentence if it is not one."""
    if isinstance(document, dict):
        kind = document.get("kind")
        state = document.get("state")
        if kind == "plain" and isinstance(state, int):
            return _at(state)
        seed = document.get("seed")
        drawn = document.get("drawn", 0)
        if kind == "sealed" and isinstance(seed, str) and isinstance(drawn, int) and 0 <= drawn < 1 << 60:
            try:
                sealed = SealedDice(bytes.fromhex(seed))
            except ValueError:
                raise ValueError("a sealed seed is written as 64 hex digits.") from None
            sealed._drawn = drawn
            return sealed
    raise ValueError(
        'dice are written {"kind": "plain", "state": 0} or {"kind": "sealed", "seed": "64 hex digits", "drawn": 0}.'
    )


def _at(state: int) -> Dice:
    dice = Dice(0)
    dice._state = _signed(state)
    return dice


def _signed(number: int) -> i64:
    """Any integer, folded into the signed 64-bit range."""
    folded = number % (1 << 64)
    if folded >= 1 << 63:
        folded -= 1 << 64
    return folded
