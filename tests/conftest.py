"""What every test may use: the toy game on the shelf, profiles for Hypothesis, and the long-run switch."""

from __future__ import annotations

import os

import pytest
from hypothesis import HealthCheck, settings

from parlour import games
from tests.toys import bids

SOAK = os.environ.get("PARLOUR_SOAK") == "1"

settings.register_profile(
    "parlour",
    deadline=None,  # these machines are noisy, and timing never decides a test
    max_examples=2000 if SOAK else 60,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.differing_executors],
)
settings.load_profile("parlour")

games.register(bids.GAME)


@pytest.fixture(scope="session")
def soak() -> bool:
    """Whether this is a long run (`make soak`)."""
    return SOAK
