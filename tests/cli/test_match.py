"""`parlour match`, and the records it saves through `verify`, `replay` and `show`."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from parlour import games, records
from parlour.kernel import Dice
from tests.cli.conftest import Run


def test_the_table_and_the_line_below_it(run: Run) -> None:
    told = run("match", "bids", "novice", "random", "--games", 40, "--jobs", 1)
    assert told.exit_code == 0
    head, first, second, last = told.stdout.splitlines()
    assert " ".join(head.split()) == "bot wins shared win rate, 95 % part of win, 95 % mean score"
    assert first.split()[0] == "novice"
    assert second.split()[0] == "random"
    assert last.startswith("Sealed Bids: 40 games on 40 deals, seed 1; 12.0 decisions a game (12 to 12).")


def test_one_process_or_two_print_the_same(run: Run) -> None:
    told = [run("match", "bids", "random", "random", "random", "-n", 60, "--jobs", jobs).stdout for jobs in (1, 2)]
    assert told[0] == told[1] != ""


def test_json_has_every_figure(run: Run) -> None:
    told = run(
        "match", "bids", "random", "random", "-n", 10, "--seed", 7, "--pairs", "-o", "rounds=2", "--json", "--jobs", 1
    )
    figures = json.loads(told.stdout)
    assert told.stderr == ""
    assert figures["seed"] == 7
    assert figures["pairs"] is True
    assert (figures["games"], figures["deals"], figures["players"]) == (10, 5, 2)
    assert figures["options"] == {"rounds": 2}
    assert figures["decisions"] == {"mean": 6.0, "shortest": 6, "longest": 6}
    assert [bot["bot"] for bot in figures["bots"]] == ["random", "random (2)"]
    assert sum(bot["share"] for bot in figures["bots"]) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("bids", "random"), "every player needs a bot"),
        (("bids", "random", "randam"), "There is no bot called 'randam'"),
        (("bids", "random", "random", "--players", 3), "3 players need 3 bots, one each; 2 are named."),
        (("bids", "random", "random", "-n", 0), "at least one game, not 0"),
        (("bids", "random", "random", "-n", 5, "--pairs"), "must be a multiple of 2; 5 is not"),
        (("bids", "random", "random", "-o", "rounds"), "Write an option as NAME=VALUE, not 'rounds'."),
        (("bids", "random", "random", "-o", "rounds=9"), "The option rounds is a whole number from 1 to 6, not 9."),
        (("bids", "random", "random", "-o", "round=3"), "Sealed Bids has no option 'round'; it has: rounds."),
        (("bids", "random", "random", "--set", "a.b=1"), "Sealed Bids has no box that could be changed."),
        (("bids", "random", "random", "--jobs", 0), "--jobs is 1 to 61, not 0."),
        (("prowlers", "random", "random", "--set", "districts.bankin.bonus=1"), "Did you mean banking?"),
        (
            ("prowlers", "random", "random", "--set", "districts.banking.bonus=lots"),
            'a whole number (5), and "lots" is not',
        ),
        (("prowlers", "random", "random", "--set", "districts"), "write a change as KEY=VALUE"),
        (("prowlers", "random", "random", "--box", "nowhere.toml"), "this box cannot be read"),
    ],
)
def test_what_cannot_be_played_is_told_in_a_sentence(run: Run, arguments: tuple[object, ...], sentence: str) -> None:
    told = run("match", *arguments)
    assert told.exit_code == 2
    assert told.stdout == ""
    assert sentence in told.stderr
    assert len(told.stderr.splitlines()) == 1


def test_a_box_that_is_not_toml(run: Run, tmp_path: Path) -> None:
    box = tmp_path / "box.toml"
    box.write_text("bonus = = 4")
    told = run("match", "prowlers", "random", "random", "--box", box)
    assert told.exit_code == 2
    assert "this is not TOML" in told.stderr


def test_changed_numbers_are_played_with_and_written_down(run: Run, tmp_path: Path) -> None:
    """--set in a match of two processes, its record, and the record's proof."""
    told = run(
        "match",
        "prowlers",
        "random",
        "random",
        "-n",
        4,
        "--jobs",
        2,
        "--set",
        "districts.banking.bonus=40",
        "--save",
        tmp_path,
    )
    assert told.exit_code == 0
    files = sorted(tmp_path.iterdir())
    assert [file.name for file in files] == [f"prowlers-1-{index}.json" for index in range(4)]
    assert records.load(files[0]).box.changes == {"districts.banking.bonus": 40}
    assert run("verify", *files).exit_code == 0


def test_a_box_file_is_played_with_and_written_down(run: Run, tmp_path: Path) -> None:
    folder = games.get("prowlers").folder
    assert folder is not None
    text = (folder / "box.toml").read_text(encoding="utf-8")
    box = tmp_path / "mine.toml"
    assert text.count("bonus = 5") == 1
    box.write_text(text.replace("bonus = 5", "bonus = 9"), encoding="utf-8")
    told = run(
        "match", "prowlers", "random", "random", "-n", 2, "--jobs", 1, "--box", box, "--save", tmp_path / "games"
    )
    assert told.exit_code == 0
    record = records.load(tmp_path / "games" / "prowlers-1-0.json")
    assert record.box.changes == {"districts.banking.bonus": 9}
    assert records.verify(record).ok


@pytest.fixture
def saved(run: Run, tmp_path: Path) -> Path:
    """The record of a game of three."""
    run("match", "bids", "random", "random", "random", "-n", 1, "--jobs", 1, "--save", tmp_path)
    return tmp_path / "bids-1-0.json"


def test_verify_says_what_it_proved(run: Run, saved: Path) -> None:
    told = run("verify", saved)
    assert told.exit_code == 0
    assert told.stdout == f"{saved}: proved: 16 moves, 2 position hashes and the result.\n"


def test_verify_tells_where_and_fails_with_1(run: Run, saved: Path) -> None:
    document = json.loads(saved.read_text())
    document["result"]["scores"][0] += 1
    changed = saved.with_name("changed.json")
    changed.write_text(json.dumps(document))
    told = run("verify", saved, changed)
    assert told.exit_code == 1
    assert told.stdout.startswith(f"{saved}: proved")
    assert told.stderr.startswith(f"{changed}: result.scores: The scores are ")


def test_verify_names_the_clause_that_a_move_breaks(run: Run, saved: Path) -> None:
    document = json.loads(saved.read_text())
    document["actions"][1] = [0, "call:bold", 22]
    saved.write_text(json.dumps(document))
    told = run("verify", saved)
    assert told.exit_code == 1
    assert "actions[1]: Move 2 (call:bold) is not allowed: The prize has been called already. (TOY-2)" in told.stderr


@pytest.mark.parametrize("command", ["verify", "replay", "show"])
def test_files_that_are_not_there_or_no_json(run: Run, tmp_path: Path, command: str) -> None:
    for file, sentence in ((tmp_path / "none.json", "no such file"), (tmp_path, "is a directory")):
        told = run(command, file)
        assert told.exit_code == 2
        assert sentence in told.stderr
    (tmp_path / "bad.json").write_bytes(b"\xff{")
    told = run(command, tmp_path / "bad.json")
    assert told.exit_code == 2
    assert "JSON" in told.stderr
    assert len(told.stderr.splitlines()) == 1


def test_replay_tells_the_whole_game(run: Run, saved: Path) -> None:
    told = run("replay", saved).stdout
    record = records.load(saved)
    for number, move in enumerate(record.actions, 1):
        assert f"{number:>4}  {record.names[move.player]}: " in told
    assert "takes the prize of" in told
    assert "You drew" not in told
    assert told.rstrip().splitlines()[-3].startswith("1. ")


def test_replay_as_one_player_saw_it(run: Run, saved: Path) -> None:
    winner = next(
        line.split(" bids ")[0].strip() for line in run("replay", saved).stdout.splitlines() if " bids " in line
    )
    player = records.load(saved).names.index(winner) + 1
    assert "You drew" in run("replay", saved, "--player", player).stdout


def test_replay_one_step_with_its_position(run: Run, saved: Path) -> None:
    told = run("replay", saved, "--step", 5).stdout
    assert told.startswith("   5  ")
    assert "discards" in told
    assert "seen by a spectator" in told
    assert "is asked: Bid a card from your hand, or pass." in told


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (("--step", 17), "This record has steps 0 to 16; there is no step 17."),
        (("--step", -1), "there is no step -1"),
        (("--player", 4), "The players of this record are 1 to 3; there is no player 4."),
        (("--json",), "--json goes with --step N."),
    ],
)
def test_replay_what_is_not_there(run: Run, saved: Path, arguments: tuple[object, ...], sentence: str) -> None:
    told = run("replay", saved, *arguments)
    assert told.exit_code == 2
    assert sentence in told.stderr


def test_a_record_of_another_version_is_not_replayed(run: Run, saved: Path) -> None:
    """R4."""
    document = json.loads(saved.read_text())
    document["game_version"] = 9
    saved.write_text(json.dumps(document))
    told = run("replay", saved)
    assert told.exit_code == 2
    assert told.stdout == ""
    assert "played under version 9 of its rules; here they are at version 1" in told.stderr


def test_a_step_goes_into_show(run: Run, saved: Path) -> None:
    position = run("replay", saved, "--step", 5, "--json").stdout
    record = records.load(saved)
    state = next(step for step in records.replay(record) if step.number == 5).state
    assert games.load(json.loads(position)) == state
    told = run("show", "-", stdin=position).stdout
    assert f"position {state.position_hash()}, seen by a spectator" in told
    assert "hands" not in told


def test_show_hides_what_is_hidden_unless_asked(run: Run, saved: Path) -> None:
    position = run("replay", saved, "--step", 1, "--json").stdout
    state = games.load(json.loads(position))
    hand = ", ".join(map(str, state.view(1)["hand"]))  # type: ignore[call-overload]
    assert hand not in run("show", "-", stdin=position).stdout
    assert hand not in run("show", "-", "--player", 1, stdin=position).stdout
    seen = run("show", "-", "--player", 2, stdin=position).stdout
    assert hand in seen
    assert "bid:card_" in seen
    assert hand in run("show", "-", "--whole", stdin=position).stdout


def test_show_a_finished_game(run: Run, saved: Path) -> None:
    position = run("replay", saved, "--step", 16, "--json").stdout
    told = run("show", "-", stdin=position).stdout
    assert "1. Player " in told
    assert "most points" in told


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("nonsense", "this is not JSON"),
        ("[]", "A position names its game"),
        ('{"game": "bids"}', "A position is written"),
        ('{"game": "whist", "position": {}}', "There is no game called 'whist' on the shelf."),
        ('{"game": "bids", "position": {"hands": [[1], [1]], "deck": [], "discards": [], "points": [0, 0]}}', "TOY-I1"),
        ('{"game": "bids", "players": 9, "position": {}}', "Sealed Bids takes 2 to 4 players, not 9."),
    ],
)
def test_a_position_that_cannot_be_is_refused(run: Run, text: str, sentence: str) -> None:
    """The law that it breaks is named."""
    told = run("show", "-", stdin=text)
    assert told.exit_code == 2
    assert sentence in told.stderr
    assert len(told.stderr.splitlines()) == 1


def test_show_a_player_who_is_not_there(run: Run, saved: Path) -> None:
    position = run("replay", saved, "--step", 0, "--json").stdout
    told = run("show", "-", "--player", 0, stdin=position)
    assert told.exit_code == 2
    assert "The players in this position are 1 to 3; there is no player 0." in told.stderr


def test_any_position_of_any_game_can_be_shown(run: Run) -> None:
    """Prowler's Passage, nothing hidden: the position, each player's things, and the choices with their clauses."""
    state = games.get("prowlers").new_game(seed=3)
    dice = Dice(1)
    while not state.is_over:
        told = run("show", "-", stdin=json.dumps(state.to_dict()))
        assert told.exit_code == 0
        player = state.current_player
        for action in state.legal_actions(player):
            assert state.game.describe(state, player, action).id in told.stdout
        actions = state.legal_actions(player)
        state.play(player, actions[dice.below(len(actions))])
    assert "1. Player " in run("show", "-", stdin=json.dumps(state.to_dict())).stdout


def test_ctrl_c_ends_a_match_quietly() -> None:
    """The workers too: no traceback from any of them."""
    # What runs the tests may itself have been started deaf to Ctrl+C, and children inherit that.
    script = (
        "import signal; signal.signal(signal.SIGINT, signal.default_int_handler); from parlour.cli import main; main()"
    )
    command = [sys.executable, "-c", script, "match", "prowlers", "master", "master", "-n", "100000", "--jobs", "2"]
    with subprocess.Popen(
        command, start_new_session=True, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True
    ) as process:
        time.sleep(3)
        os.killpg(process.pid, signal.SIGINT)
        told, _ = process.communicate(timeout=60)
    assert process.returncode == 130
    assert "Traceback" not in told
