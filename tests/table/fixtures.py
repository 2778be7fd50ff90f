"""Fixtures that the tests of the table and of the web share: a database of each kind, a clock, the toy game."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour import games
from tests.table.places import KINDS, Clock, database
from tests.toys import bids


@pytest.fixture
def anyio_backend() -> str:
    return "asyncio"


@pytest.fixture(autouse=True)
def _toy_on_the_shelf() -> Iterator[None]:
    games.register(bids.GAME)
    yield
    games.register(bids.GAME)


@pytest.fixture(params=KINDS)
def url(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[str]:
    """A database of each kind."""
    with database(request.param, tmp_path) as found:
        yield found


@pytest.fixture
def sqlite(tmp_path: Path) -> str:
    """A SQLite database."""
    return f"sqlite:///{tmp_path / 'tables.db'}"


@pytest.fixture
def clock() -> Clock:
    return Clock()
