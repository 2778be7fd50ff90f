"""`parlour bench`: every figure by name."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from parlour import compiled, games
from parlour.kernel import Game
from parlour.lab import speed
from tests.cli.conftest import Run


def test_json_has_every_figure(run: Run) -> None:
    told = run("bench", "--json", "--seconds", 0.02, "--game", "prowlers")
    assert told.exit_code == 0, told.stderr
    figures = json.loads(told.stdout)
    assert figures["compiled"] is compiled()
    assert figures["prowlers.players"] == 2
    assert figures["prowlers.longest_trail_microseconds"] <= figures["prowlers.hardest_trail_microseconds"]
    for name in ("decisions_per_second", "clones_per_second", "resamples_per_second", "legal_actions_per_second"):
        assert figures[f"prowlers.{name}"] > 1000
    assert 0 < figures["prowlers.state_bytes"] <= 1024 * (1 if compiled() else 4)
    assert ("prowlers.compiled_over_interpreted" in figures) is compiled()


def test_as_many_players_as_wanted(run: Run) -> None:
    told = run("bench", "--json", "--seconds", 0.02, "--game", "hellfire", "--players", 6)
    assert json.loads(told.stdout)["hellfire.players"] == 6
    assert "takes exactly 2 players, not 6" in run("bench", "--game", "prowlers", "--players", 6).stderr


def test_the_table_has_the_same(run: Run) -> None:
    told = run("bench", "--seconds", 0.02, "--game", "bids")
    assert told.exit_code == 0, told.stderr
    assert "decisions in random games" in told.stdout
    assert "clones" in told.stdout


def test_a_game_is_measured_out_of_the_box_that_was_named(
    run: Run, monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    """Both builds: the interpreted one runs in a process of its own, which finds the box in its environment."""
    monkeypatch.setenv(games.BOXES, "")
    standard = games.get("prowlers")
    assert standard.folder is not None
    box = tmp_path / "my-box.toml"
    box.write_text((standard.folder / "box.toml").read_text(encoding="utf-8"), encoding="utf-8")
    measured: list[str] = []

    def measure(game: Game, players: int | None, seconds: float) -> dict[str, float]:
        measured.append(game.box_hash)
        return {"decisions_per_second": 1.0}

    def elsewhere(name: str, players: int | None, seconds: float) -> dict[str, float]:
        return measure(games.get(name), players, seconds)

    monkeypatch.setattr(speed, "measure", measure)
    monkeypatch.setattr(speed, "measure_interpreted", elsewhere)
    changes = ("--box", f"prowlers={box}", "--set", "prowlers.districts.banking.bonus=4")
    told = run("bench", "--json", "--game", "prowlers", *changes)
    assert told.exit_code == 0, told.stderr
    expected = standard.with_box(None, ["districts.banking.bonus=4"]).box_hash
    assert expected != standard.box_hash
    assert [expected] * (2 if compiled() else 1) == measured


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--box", "my-box.toml"), "Write a box as GAME=FILE, not 'my-box.toml'."),
        (("--box", "prowlers=nowhere.toml"), "nowhere.toml"),
        (("kettle",), "There is nothing called 'kettle' to measure; there are engine and table."),
        (("--seconds", 0), "--seconds is more than 0 and at most 3600, not 0."),
        (("--game", "whist"), "There is no game called 'whist' on the shelf."),
    ],
)
def test_what_cannot_be_measured(run: Run, arguments: tuple[object, ...], sentence: str) -> None:
    told = run("bench", *arguments)
    assert told.exit_code == 2
    assert sentence in told.stderr


def test_the_interpreted_build_is_measured_from_the_same_sources() -> None:
    """In a process that passes over compiled modules: the same figures by name."""
    here = speed.measure(games.get("prowlers"), None, 0.02)
    there = speed.measure_interpreted("prowlers", None, 0.02)
    assert set(here) == set(there)
    if compiled():
        assert here["decisions_per_second"] > 3 * there["decisions_per_second"]


def test_a_game_that_cannot_be_measured_there_is_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PARLOUR_PLUGINS", raising=False)
    with pytest.raises(RuntimeError, match="could not be measured"):
        speed.measure_interpreted("whist", None, 0.02)


def test_rates_count_what_was_done() -> None:
    """A piece of work that does ten things in about two milliseconds."""
    from time import sleep

    def work() -> int:
        sleep(0.002)
        return 10

    assert 500 < speed.best_rate(work, 0.05) <= 5000
