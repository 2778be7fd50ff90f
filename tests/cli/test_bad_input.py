"""Whatever is typed, or stands in a file, is answered in one sentence; nothing falls over."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from parlour import records
from tests.cli.conftest import Run

GOLDEN = Path(__file__).parent.parent / "records" / "golden" / "pp_e25_game_a.json"
MARKED = ["[/bold]\x1b[31mAnn", "[link=x]Bert"]


def changed(target: Path, **changes: object) -> Path:
    """The golden record with other values in it."""
    document = {**json.loads(GOLDEN.read_text(encoding="utf-8")), **changes}
    target.write_text(json.dumps(document), encoding="utf-8")
    return target


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        (["--volume"], "No such option: --volume. parlour --help tells what it takes."),
        (["whist"], "No such command 'whist'. parlour --help tells what it takes."),
        (["match"], "Missing argument 'GAME'. parlour match --help tells what it takes."),
        (["match", "prowlers"], "Missing argument 'BOT'. parlour match --help tells what it takes."),
        (["match", "bids", "random", "random", "-n", "many"], "--games / -n is a whole number."),
        (["bench", "--seconds", "long"], "--seconds is a number."),
        (["bench", "--seconds", "nan"], "--seconds is more than 0 and at most 3600, not nan."),
        (["bench", "--seconds", "inf"], "--seconds is more than 0 and at most 3600, not inf."),
        (["match", "prowlers", "random", "random", "--jobs", "62"], "--jobs is 1 to 61, not 62."),
        (
            ["match", "prowlers", "random", "random", "-o", "track_half_length=²"],
            "a whole number from 6 to 12, not '²'.",
        ),
        (
            ["match", "prowlers", "random", "random", "--save", str(GOLDEN)],
            f"{GOLDEN} is a file; --save names a folder.",
        ),
        (["new", "tests"], "'tests' cannot be a game's name"),
        (["new", "conkers_"], "'conkers_' cannot be a game's name"),
        (["new", "conkers\n"], "'conkers\\n' cannot be a game's name"),
        (["new", "c" * 41], "cannot be a game's name"),
    ],
)
def test_a_command_line_that_does_not_fit_is_answered_in_a_sentence(run: Run, typed: list[str], sentence: str) -> None:
    told = run(*typed)
    assert told.exit_code == 2
    assert told.stdout == ""
    assert told.stderr.startswith("parlour: ")
    assert sentence in told.stderr
    assert told.stderr.count("\n") == 1


@pytest.mark.parametrize("command", ["show", "replay", "verify"])
def test_brackets_nested_too_deep(run: Run, tmp_path: Path, command: str) -> None:
    deep = tmp_path / "deep.json"
    deep.write_text('{"game": "prowlers", "position": ' + "[" * 100_000, encoding="utf-8")
    told = run(command, deep)
    assert told.exit_code == 2
    assert told.stderr.startswith(f"parlour: {deep}: ")
    assert told.stderr.count("\n") == 1


def test_a_record_is_no_position(run: Run) -> None:
    told = run("show", GOLDEN)
    assert told.exit_code == 2
    assert "this is a record of a game. parlour replay FILE tells it" in told.stderr


def test_one_bad_file_does_not_keep_the_others_from_being_verified(run: Run, tmp_path: Path) -> None:
    none, tampered = tmp_path / "none.json", changed(tmp_path / "tampered.json", final="0" * 16)
    told = run("verify", none, GOLDEN)
    assert told.exit_code == 2
    assert f"{none}: no such file" in told.stderr
    assert f"{GOLDEN}: proved" in told.stdout
    told = run("verify", none, tampered, GOLDEN)
    assert told.exit_code == 1
    assert f"{tampered}: final: " in told.stderr
    assert f"{GOLDEN}: proved" in told.stdout


@pytest.mark.parametrize("names", [[], ["Ann"], ["Ann", "Bert", "Cass"]])
def test_too_few_or_too_many_names(run: Run, tmp_path: Path, names: list[str]) -> None:
    file = changed(tmp_path / "named.json", names=names)
    told = run("replay", file)
    assert told.exit_code == 2
    assert f"There are {len(names)} names for a game of 2 players." in told.stderr


def test_names_are_shown_as_they_are_and_steer_no_terminal(run: Run, tmp_path: Path) -> None:
    file = changed(tmp_path / "marked.json", names=MARKED)
    for arguments in ((), ("--step", 26)):
        told = run("replay", file, *arguments)
        assert told.exit_code == 0
        assert "[/bold]\N{REPLACEMENT CHARACTER}[31mAnn" in told.stdout
        assert "[link=x]Bert" in told.stdout
        assert "\x1b[31m" not in told.stdout


@pytest.mark.parametrize(
    "claimed",
    [
        None,
        {"scores": [99.0, 85.0], "returns": [1.0, 0.0], "places": [1, 2]},
        {"scores": [115.0, 85.0], "returns": [1.0, 0.0], "places": [1]},
        {"scores": [], "returns": [], "places": []},
    ],
)
def test_replay_tells_the_real_result(run: Run, tmp_path: Path, claimed: object) -> None:
    """PP-E25: 115 to 85, whatever the record claims."""
    told = run("replay", changed(tmp_path / "claimed.json", result=claimed))
    assert told.exit_code == 2
    assert told.stdout.splitlines()[-2].startswith("1. ")
    assert told.stdout.splitlines()[-2].endswith(": 115")
    assert "another result than its moves come to" in told.stderr


def test_a_match_overwrites_no_records(run: Run, tmp_path: Path) -> None:
    once = ("match", "bids", "random", "random", "-n", 2, "--jobs", 1, "--save", tmp_path)
    assert run(*once).exit_code == 0
    written = {file.name: file.read_bytes() for file in tmp_path.iterdir()}
    told = run(*once)
    assert told.exit_code == 2
    assert "holds records of such a match already, bids-1-0.json for one" in told.stderr
    assert run(*once, "--seed", 2).exit_code == 0
    assert written == {file.name: file.read_bytes() for file in tmp_path.glob("bids-1-*")}


@pytest.mark.parametrize("encoding", ["ascii", "cp1252", "utf-8"])
def test_a_terminal_that_cannot_show_every_letter(encoding: str) -> None:
    command = [sys.executable, "-c", "from parlour.cli import main; main()", "replay", str(GOLDEN)]
    done = subprocess.run(command, capture_output=True, env={**os.environ, "PYTHONIOENCODING": encoding}, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert ("Prowler’s Passage" if encoding != "ascii" else "Prowler?s Passage") in done.stdout.decode(encoding)


def test_a_closed_pipe_ends_a_command_quietly() -> None:
    """As `parlour rules prowlers | head -1` closes it."""
    reading, writing = os.pipe()
    os.close(reading)
    command = [sys.executable, "-c", "from parlour.cli import main; main()", "rules", "prowlers"]
    with os.fdopen(writing, "wb") as pipe:
        done = subprocess.run(command, stdout=pipe, stderr=subprocess.PIPE, text=True, check=False)
    assert "Traceback" not in done.stderr
    assert done.returncode == 1


def test_an_answer_too_long_is_no_move() -> None:
    """A move is player, id and code; what stands behind them is not passed over."""
    text = GOLDEN.read_text(encoding="utf-8")
    record = json.loads(text)
    for part in ("actions", "hashes"):
        longer = json.loads(text)
        longer[part][0] = [*record[part][0], 0]
        with pytest.raises(records.RecordError, match="not a record of a game"):
            records.loads(json.dumps(longer))


def test_ctrl_c_while_the_command_is_being_loaded(tmp_path: Path) -> None:
    (tmp_path / "typer.py").write_text("raise KeyboardInterrupt\n", encoding="utf-8")
    script = f"import sys; sys.path.insert(0, {str(tmp_path)!r}); from parlour.cli import main"
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout, done.stderr) == (130, "", "")


def test_a_position_of_another_box_is_shown_with_that_box(run: Run, tmp_path: Path) -> None:
    other = ("--set", "districts.banking.bonus=4")
    played = run("match", "prowlers", "random", "random", "-n", 1, "--jobs", 1, "--save", tmp_path, *other)
    assert played.exit_code == 0
    position = run("replay", tmp_path / "prowlers-1-0.json", "--step", 9, "--json").stdout
    told = run("show", "-", stdin=position)
    assert told.exit_code == 2
    assert "This position needs the box" in told.stderr
    told = run("show", "-", *other, stdin=position)
    assert told.exit_code == 0
    assert json.loads(position)["position"]["last"] in told.stdout
