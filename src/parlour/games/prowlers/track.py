"""The control track: five markers in one number (PP-21…PP-25).

Each marker has eight bits, its space and 64 added, so that the lanes never meet. A space is counted from the centre,
positive on the side of `first`.
"""

from typing import Final

from mypy_extensions import i64

from parlour.games.prowlers.tables import TYPES
from parlour.kernel.sets import bit

FIRST: Final[i64] = 0
SECOND: Final[i64] = 1
"""The two seats, `first` and `second`."""

CENTRE: Final[i64] = 64 | 64 << 8 | 64 << 16 | 64 << 24 | 64 << 32
"""PP-05: all five markers on space 0."""


def space(markers: i64, kind: i64) -> i64:
    """Where a marker stands, positive on the side of `first`."""
    return ((markers >> (8 * kind)) & 255) - 64


def own_value(markers: i64, kind: i64, seat: i64) -> i64:
    """Where a marker stands, counted from the centre toward this seat."""
    value: i64 = ((markers >> (8 * kind)) & 255) - 64
    return value if seat == FIRST else -value


def pulled(markers: i64, kind: i64, seat: i64) -> i64:
    """PP-23: the markers with one of them a space nearer to this seat."""
    step: i64 = bit(8 * kind)
    return markers + step if seat == FIRST else markers - step


def controls(markers: i64, seat: i64) -> i64:
    """PP-25: the types this seat controls, as a set."""
    held: i64 = 0
    for kind in range(TYPES):
        if own_value(markers, kind, seat) >= 1:
            held |= bit(kind)
    return held


def placed(spaces: list[int]) -> i64:
    """The markers on the given spaces."""
    markers: i64 = 0
    for kind in range(TYPES):
        markers |= (i64(spaces[kind]) + 64) << (8 * kind)
    return markers
