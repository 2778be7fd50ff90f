"""Bit sets on one 64-bit integer: members are 0 to 61, so that a set is never negative (but for `EVERYONE`).

Everything here gives the same answer compiled (where an `i64` wraps) and interpreted (where it does not).
"""

from typing import Final

from mypy_extensions import i64

EVERYONE: Final = -1
"""The set that holds every player; events that all may see carry it."""

# Population count by halving; the constants stay below 2**63, so that both builds agree.
_PAIRS: Final[i64] = 0x5555555555555555
_FOURS: Final[i64] = 0x3333333333333333
_BYTES: Final[i64] = 0x0F0F0F0F0F0F0F0F
_ONES: Final[i64] = 0x0101010101010101

_TOP: Final[i64] = 1 << 62


def bit(member: i64) -> i64:
    """The set of this member alone, 0 to 62.

    Compiled code must not write `1 << member`: mypyc hands the 1 to C as a 32-bit int, and the members from 31 on
    come out wrong. A shift to the right of a wide constant is done in 64 bits.

    >>> bit(0), bit(3), bit(40) == 2**40
    (1, 8, True)
    """
    return _TOP >> (62 - member)


def count(members: i64) -> i64:
    """How many members a set has.

    >>> count(0b1011)
    3
    """
    x: i64 = members - ((members >> 1) & _PAIRS)
    x = (x & _FOURS) + ((x >> 2) & _FOURS)
    x = (x + (x >> 4)) & _BYTES
    return ((x * _ONES) >> 56) & 0xFF


def lowest(members: i64) -> i64:
    """The least member of a set, -1 if it is empty.

    >>> lowest(0b1000), lowest(0)
    (3, -1)
    """
    if members == 0:
        return -1
    return count((members & -members) - 1)


def members(of: i64) -> list[int]:
    """The members in ascending order.

    >>> members(0b1011)
    [0, 1, 3]
    """
    found: list[int] = []
    rest: i64 = of
    while rest != 0:
        least: i64 = rest & -rest
        found.append(count(least - 1))
        rest ^= least
    return found


def has(of: i64, member: i64) -> bool:
    """Whether `member` is in the set.

    >>> has(0b100, 2), has(0b100, 1)
    (True, False)
    """
    return (of >> member) & 1 == 1


def nth(of: i64, index: i64) -> i64:
    """The member with this place, from 0, in ascending order. The caller sees to it that there is one.

    >>> nth(0b1011, 2)
    3
    """
    rest: i64 = of
    for _ in range(index):
        rest &= rest - 1
    return lowest(rest)
