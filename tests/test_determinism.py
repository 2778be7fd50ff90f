"""The same seed and actions give the same game: in two processes, with two hash seeds, compiled or not (R31)."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from parlour import compiled
from tests.shelf import every_table

ROOT = Path(__file__).parent.parent


def chain(hash_seed: str, pure: bool) -> list[str]:
    path = [str(ROOT), *([str(ROOT / "src")] if pure else [])]
    env = {**os.environ, "PYTHONHASHSEED": hash_seed, "PYTHONPATH": os.pathsep.join(path)}
    done = subprocess.run(
        [sys.executable, "-P", "-m", "tests.chain"], env=env, capture_output=True, text=True, check=False, timeout=500
    )
    assert done.returncode == 0, done.stderr
    return done.stdout.splitlines()


@pytest.fixture(scope="module")
def here() -> list[str]:
    return chain("1", pure=False)


def test_two_processes_with_different_hash_seeds_play_the_same_games(here: list[str]) -> None:
    other = chain("2", pure=False)
    assert len(here) > 2 * len(every_table())
    assert here == other


def test_pure_and_compiled_builds_play_the_same_games_ply_by_ply(here: list[str]) -> None:
    if not compiled() and os.environ.get("CI") != "true":
        pytest.skip("only the pure build is installed here; `make test` installs the compiled one")
    pure = chain("3", pure=True)
    assert (here[0], pure[0]) == ("compiled", "pure")
    assert here[1:] == pure[1:]
