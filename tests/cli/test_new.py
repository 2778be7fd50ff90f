"""`parlour new`: what it writes is a whole game, on the shelf, in matches and in its own tests."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import Run

ROOT = Path(__file__).parents[2]
PARLOUR = (sys.executable, "-c", "from parlour.cli import main; main()")


def inside(folder: Path, *command: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a command in the folder of a new game, as its author would."""
    kept = {key: value for key, value in os.environ.items() if key not in {"PARLOUR_PLUGINS", "PYTHONPATH"}}
    path = os.pathsep.join(filter(None, [environment.pop("PYTHONPATH", ""), str(ROOT / "src") if _editable() else ""]))
    return subprocess.run(
        command,
        cwd=folder,
        env={**kept, "COLUMNS": "120", "PYTHONPATH": path, **environment},
        capture_output=True,
        text=True,
        check=False,
    )


def _editable() -> bool:
    """Whether the package under test is the source tree itself."""
    import parlour

    return Path(parlour.__path__[0]).is_relative_to(ROOT / "src")


@pytest.fixture(scope="module")
def written(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new game called snow_balls."""
    folder = tmp_path_factory.mktemp("games")
    done = inside(folder, *PARLOUR, "new", "snow_balls")
    assert done.returncode == 0, done.stderr
    assert "parlour match snow_balls greedy random --games 200" in done.stdout
    return folder / "snow_balls"


def test_it_is_a_package_of_a_few_files(written: Path) -> None:
    files = {str(file.relative_to(written)) for file in written.rglob("*") if file.suffix in {".py", ".md", ".toml"}}
    assert files == {
        "README.md",
        "pyproject.toml",
        "src/snow_balls/__init__.py",
        "src/snow_balls/rules.md",
        "src/snow_balls/rules.py",
        "tests/test_snow_balls.py",
    }
    assert not any("{{" in file.read_text() for file in written.rglob("*") if file.is_file() and file.suffix != ".pyc")


def test_its_own_tests_pass(written: Path) -> None:
    done = inside(written, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider")
    assert done.returncode == 0, done.stdout
    assert "8 passed" in done.stdout


def test_it_plays_without_being_installed(written: Path) -> None:
    plugin = {"PYTHONPATH": "src", "PARLOUR_PLUGINS": "snow_balls:GAME"}
    done = inside(written, *PARLOUR, "match", "snow_balls", "greedy", "random", "random", "-n", "40", **plugin)
    assert done.returncode == 0, done.stderr
    assert "Snow Balls: 40 games on 40 deals" in done.stdout
    assert "Snow Balls" in inside(written, *PARLOUR, "games", **plugin).stdout
    assert "SN-04" in inside(written, *PARLOUR, "rules", "snow_balls", "last", **plugin).stdout


def test_it_plays_once_installed(written: Path, tmp_path: Path) -> None:
    """Through the entry point `parlour.games`: installed into a folder of its own, offline, with nothing else set."""
    done = inside(
        written,
        *(sys.executable, "-m", "pip", "install", "--quiet", "--no-deps", "--no-build-isolation"),
        *("--disable-pip-version-check", "--root-user-action=ignore", "--target", str(tmp_path), "."),
    )
    assert done.returncode == 0, done.stderr
    installed = {"PYTHONPATH": str(tmp_path)}
    done = inside(
        tmp_path, *PARLOUR, "match", "snow_balls", "random", "random", "-n", "4", "--save", "records", **installed
    )
    assert done.returncode == 0, done.stderr
    done = inside(tmp_path, *PARLOUR, "verify", "records/snow_balls-1-0.json", **installed)
    assert done.returncode == 0, done.stderr
    assert "proved" in done.stdout


def test_it_is_typed_and_tidy(written: Path) -> None:
    for command in (("mypy", "--strict", "src"), ("ruff", "check", "."), ("ruff", "format", "--check", ".")):
        done = inside(written, sys.executable, "-m", *command)
        assert done.returncode == 0, done.stdout


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("Whist", "cannot be a game's name"),
        ("two words", "cannot be a game's name"),
        ("2cv", "cannot be a game's name"),
        ("../up", "cannot be a game's name"),
        ("lambda", "cannot be a game's name"),
        ("prowlers", "There is a game called prowlers on the shelf already."),
        ("bids", "There is a game called bids on the shelf already."),
        ("random", "There is a Python module called random already"),
    ],
)
def test_names_that_will_not_do(run: Run, tmp_path: Path, name: str, sentence: str) -> None:
    told = run("new", name, "--dir", tmp_path)
    assert told.exit_code == 2
    assert sentence in told.stderr
    assert list(tmp_path.iterdir()) == []


def test_what_is_there_already_is_left_alone(run: Run, tmp_path: Path) -> None:
    (tmp_path / "conkers").mkdir()
    told = run("new", "conkers", "--dir", tmp_path)
    assert told.exit_code == 2
    assert "is there already; nothing was written." in told.stderr
    assert list((tmp_path / "conkers").iterdir()) == []


@pytest.mark.parametrize("name", ["x", "a1", "state", "position"])
def test_odd_names_make_games_too(run: Run, tmp_path: Path, name: str) -> None:
    assert run("new", name, "--dir", tmp_path).exit_code == 0
    played = (
        f"from {name} import GAME; state = GAME.new_game(seed=1); state.play(0, 2); print(state.position()['turn'])"
    )
    done = inside(tmp_path / name, sys.executable, "-c", played, PYTHONPATH="src")
    assert done.stdout == "1\n", done.stderr


def test_it_can_move_into_the_package(written: Path, tmp_path: Path) -> None:
    """One folder among the games, nothing else changed: it is on the shelf, its clauses are all cited and tested."""
    tree = tmp_path / "parlour_tree"
    shutil.copytree(ROOT / "src" / "parlour", tree / "src" / "parlour", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(written / "src" / "snow_balls", tree / "src" / "parlour" / "games" / "snow_balls")
    tests = tree / "tests" / "games" / "snow_balls"
    tests.mkdir(parents=True)
    moved = (written / "tests" / "test_snow_balls.py").read_text(encoding="utf-8")
    moved = moved.replace("from snow_balls import", "from parlour.games.snow_balls import")
    (tests / "test_snow_balls.py").write_text(moved, encoding="utf-8")
    for name in ("test_traceability.py", "source.py"):
        shutil.copy(ROOT / "tests" / name, tree / "tests")
    shutil.copy(ROOT / "pyproject.toml", tree)
    here = {"PYTHONPATH": str(tree / "src")}
    done = inside(tree, *PARLOUR, "match", "snow_balls", "club", "random", "-n", "4", **here)
    assert done.returncode == 0, done.stderr
    picked = ("-k", "snow_balls", "tests/games/snow_balls", "tests/test_traceability.py")
    done = inside(tree, sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *picked, **here)
    assert done.returncode == 0, done.stdout
    assert "11 passed" in done.stdout


def test_whoever_waits_may_do_nothing(written: Path) -> None:
    asked = (
        "from snow_balls import GAME; state = GAME.new_game(players=3, seed=1); "
        "print([state.legal_actions(p) for p in range(3)], [state.explain(p, 0) is None for p in range(3)])"
    )
    done = inside(written, sys.executable, "-c", asked, PYTHONPATH="src")
    assert done.stdout == "[[0, 1, 2], [], []] [True, False, False]\n", done.stderr
