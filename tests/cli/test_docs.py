"""The documents: their examples run, their links lead somewhere, and their commands exist."""

from __future__ import annotations

import doctest
import re
from pathlib import Path

import pytest
import typer.main

from parlour.cli import app

ROOT = Path(__file__).parents[2]
DOCUMENTS = [ROOT / "README.md", ROOT / "CONTRIBUTING.md", ROOT / "CHANGELOG.md", *sorted((ROOT / "docs").glob("*.md"))]
NAMES = [document.name for document in DOCUMENTS]


@pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)
def test_examples_run(document: Path) -> None:
    result = doctest.testfile(str(document), module_relative=False)
    assert result.failed == 0
    assert result.attempted > 0 or ">>>" not in document.read_text(encoding="utf-8")


@pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)
def test_links_lead_somewhere(document: Path) -> None:
    for target in re.findall(r"\]\(([^)#]+)", document.read_text(encoding="utf-8")):
        assert target.startswith("https://") or (document.parent / target).exists(), target


@pytest.mark.parametrize("document", DOCUMENTS, ids=NAMES)
def test_commands_exist(document: Path) -> None:
    """Every `parlour WORD` is a command, with every option that is shown with it."""
    commands = typer.main.get_command(app).commands  # type: ignore[attr-defined]
    shown = re.findall(
        r"(?:^    |`)(?:\S*/)?parlour ([a-z][a-z-]*)([^`#\n]*)", document.read_text(encoding="utf-8"), re.MULTILINE
    )
    for name, rest in shown:
        assert name in commands, name
        options = {option for parameter in commands[name].params for option in parameter.opts} | {"--help"}
        assert set(re.findall(r"(?<=\s)--[a-z-]+", rest)) <= options, (name, rest)


def test_the_readme_shows_commands() -> None:
    assert len(re.findall(r"^    parlour ", (ROOT / "README.md").read_text(encoding="utf-8"), re.MULTILINE)) > 8
