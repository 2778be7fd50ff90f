"""Confidence intervals."""

from __future__ import annotations

from collections.abc import Sequence
from math import inf, sqrt
from statistics import fmean, stdev
from typing import NamedTuple

Z_95 = 1.959963984540054  # the 97.5 % point of the normal distribution


class Interval(NamedTuple):
    """Both ends of an interval."""

    low: float
    high: float


def wilson(successes: float, trials: int, z: float = Z_95) -> Interval:
    """The Wilson score interval of a proportion.

    E. B. Wilson, "Probable inference, the law of succession, and statistical inference", JASA 22 (1927), 209-212.

    >>> low, high = wilson(9, 10)
    >>> round(low, 4), round(high, 4)
    (0.5958, 0.9821)
    """
    if trials == 0:
        return Interval(0.0, 1.0)
    share = successes / trials
    centre = share + z * z / (2 * trials)
    reach = z * sqrt(share * (1 - share) / trials + z * z / (4 * trials * trials))
    scale = 1 + z * z / trials
    # At both ends the interval begins or ends exactly there; the formula misses it by the last bit of a float.
    low = 0.0 if successes == 0 else max(0.0, (centre - reach) / scale)
    high = 1.0 if successes == trials else min(1.0, (centre + reach) / scale)
    return Interval(low, high)


def mean_interval(values: Sequence[float], z: float = Z_95) -> Interval:
    """The normal interval of a mean of independent values, from their own spread; a single value bounds nothing."""
    if len(values) < 2:
        return Interval(-inf, inf)
    middle = fmean(values)
    reach = z * stdev(values) / sqrt(len(values))
    return Interval(middle - reach, middle + reach)
