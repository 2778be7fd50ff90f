"""Intervals against published figures."""

from __future__ import annotations

import doctest

import pytest

import parlour.lab.intervals
from parlour.lab.intervals import mean_interval, wilson


def test_the_docstring() -> None:
    assert doctest.testmod(parlour.lab.intervals).failed == 0


@pytest.mark.parametrize(
    ("successes", "trials", "low", "high"),
    [
        # R. G. Newcombe, Statistics in Medicine 17 (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0000, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_wilson_as_newcombe_tabulates_it(successes: int, trials: int, low: float, high: float) -> None:
    assert wilson(successes, trials) == pytest.approx((low, high), abs=5e-5)


def test_wilson_knows_nothing_from_no_games() -> None:
    assert wilson(0, 0) == (0.0, 1.0)


def test_the_mean_of_ten() -> None:
    """The variance is 2.5 / 9, so the standard error is a sixth."""
    low, high = mean_interval([0.0, 1.0] * 5)
    assert (low, high) == pytest.approx((0.5 - 1.959964 / 6, 0.5 + 1.959964 / 6), abs=1e-6)


def test_a_single_value_bounds_nothing() -> None:
    low, high = mean_interval([0.5])
    assert low == -float("inf")
    assert high == float("inf")
