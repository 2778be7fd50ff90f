"""`parlour games`, `parlour rules`, `parlour --version`, and what is said when something is wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from parlour import __version__, bots, compiled, games
from parlour.cli import match
from parlour.games.rulebook import Rulebook
from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]


def test_the_version_says_which_build_it_is(run: Run) -> None:
    build = "compiled" if compiled() else "pure Python"
    assert run("--version").stdout == f"parlour {__version__} ({build} build)\n"


def test_the_command_starts_at_once() -> None:
    """The whole of it in a process of its own: no command loads what it does not need."""
    script = "import sys, parlour.cli; sys.argv = ['parlour', '--version']\ntry: parlour.cli.main()\nfinally: "
    script += "print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=True)
    version, loaded = done.stdout.splitlines()
    assert version.startswith(f"parlour {__version__} (")
    assert not {"rich", "litestar", "sqlalchemy", "parlour.web", "parlour.lab", "parlour.table"} & set(loaded.split())


def test_help_names_every_command(run: Run) -> None:
    told = run("--help").stdout
    for command in ("serve", "check-tables", "games", "rules", "show", "replay", "verify", "match", "bench", "new"):
        assert f" {command} " in told
        assert run(command, "--help").exit_code == 0


def test_the_shelf(run: Run) -> None:
    told = run("games").stdout
    for name in games.names():
        assert name in told
    assert "Sealed Bids" in told
    assert "2 to 4" in told


def test_one_game_and_its_options(run: Run) -> None:
    told = run("games", "prowlers").stdout
    assert "track_half_length" in told
    assert "a whole number from 6 to 12" in told
    assert games.get("prowlers").box_hash in told


def test_a_plug_in_that_does_not_load_does_not_hide_the_others(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(games._find("tests.toys.bids:GAME"), "broken", "no.such.module:GAME")
    told = run("games").stdout
    assert "It is listed, but cannot be opened" in told
    assert "Sealed Bids" in told
    asked = run("games", "broken")
    assert asked.exit_code == 2
    assert "'no.such.module:GAME' cannot be loaded" in asked.stderr


def test_a_name_that_is_not_on_the_shelf(run: Run) -> None:
    told = run("rules", "prowler")
    assert told.exit_code == 2
    assert told.stdout == ""
    assert told.stderr.startswith("parlour: There is no game called 'prowler' on the shelf. Did you mean prowlers?")
    assert len(told.stderr.splitlines()) == 1


def test_a_clause_by_its_id(run: Run) -> None:
    told = run("rules", "prowlers", "pp-16").stdout
    assert "PP-16" in told
    assert "PP-17" not in told


def test_clauses_by_their_words(run: Run) -> None:
    told = run("rules", "prowlers", "Golden", "shovel").stdout
    assert "PP-26" in told
    assert "PP-27" not in told


def test_the_whole_book(run: Run) -> None:
    told = run("rules", "prowlers").stdout
    for number in range(1, 56):
        assert f"PP-{number:02}" in told


def test_nothing_found(run: Run) -> None:
    told = run("rules", "prowlers", "submarine")
    assert told.exit_code == 1
    assert "have nothing on “submarine”" in told.stderr


def test_a_game_without_rules(run: Run) -> None:
    told = run("rules", "bids")
    assert told.exit_code == 2
    assert "Sealed Bids has no written rules" in told.stderr


def test_the_bots_named_in_the_help_are_all_there_are(run: Run) -> None:
    told = " ".join(run("match", "--help").stdout.replace("│", " ").split())
    assert f"A bot for every player: {', '.join(match.BOT_NAMES)}." in told
    assert sorted(match.BOT_NAMES) == bots.names()


def test_an_error_is_a_sentence_in_a_process_too() -> None:
    """No traceback, status 2, standard output left clean."""
    script = "import sys; from parlour.cli import main; sys.argv = ['parlour', 'replay', 'nowhere.json']; main()"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=False, env={**os.environ, "COLUMNS": "80"}
    )
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "parlour: nowhere.json: no such file or directory.\n"


# --- rulebooks ---------------------------------------------------------------------------------------------------

BOOK = Rulebook(
    """# A game

## Set-up

- **XX-01** Deal six cards
  to everybody.
- **XX-02** Cut.

Prose about cards.

| card | worth |
|---|---|
| ace | 11 |
| king | 4 |

## Rulings

**XX-R03 Six cards, not five.** So it is.
"""
)


def test_a_clause_ends_where_the_next_begins() -> None:
    clause = BOOK.clause("xx-01")
    assert clause is not None
    assert clause.text == "- **XX-01** Deal six cards\n  to everybody."
    assert clause.headings == ("A game", "Set-up")


def test_rulings_are_clauses_too() -> None:
    clause = BOOK.clause("XX-R03")
    assert clause is not None
    assert clause.headings == ("A game", "Rulings")
    assert BOOK.clause("XX-04") is None
    assert BOOK.search("XX-04") == []


def test_a_search_wants_every_word_in_any_case() -> None:
    assert [passage.clause for passage in BOOK.search("SIX cards")] == ["XX-01", "XX-R03"]
    assert [passage.text for passage in BOOK.search("prose")] == ["Prose about cards."]


def test_of_a_table_the_rows_that_match_stay_under_its_head() -> None:
    (found,) = BOOK.search("king")
    assert found.text == "| card | worth |\n|---|---|\n| king | 4 |"


@pytest.mark.parametrize("name", games.OWN)
def test_every_game_s_rulebook_has_clauses(name: str) -> None:
    folder = games.get(name).folder
    assert folder is not None
    clauses = [passage.clause for passage in Rulebook.read(folder / "rules.md").passages if passage.clause]
    assert len(clauses) > 30
    assert len(set(clauses)) == len(clauses)
