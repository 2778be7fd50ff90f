"""The command, run in this process."""

from __future__ import annotations

from collections.abc import Callable

import pytest
from typer.testing import CliRunner, Result

from parlour.cli import app

Run = Callable[..., Result]


@pytest.fixture
def run(monkeypatch: pytest.MonkeyPatch) -> Run:
    """Runs `parlour` with some arguments, the toy game on the shelf."""
    monkeypatch.setenv("PARLOUR_PLUGINS", "tests.toys.bids:GAME")
    monkeypatch.setenv("COLUMNS", "120")

    def parlour(*arguments: object, stdin: str = "") -> Result:
        return CliRunner().invoke(app, [str(argument) for argument in arguments], input=stdin)

    return parlour
