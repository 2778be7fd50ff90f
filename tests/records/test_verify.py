"""A record is proved, or told where it is not true."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from parlour.records import dumps, loads, verify
from tests.records.shelf import SECRET, random_record

Document = dict[str, Any]


@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("seed", [1, 2**52, SECRET])
def test_a_true_record_is_proved(seed: int | bytes, players: int) -> None:
    record = random_record(seed, players, {"rounds": 6})
    verdict = verify(loads(dumps(record)))
    assert verdict.ok
    assert verdict.findings == ()
    assert verdict.moves == 6 * (players + 1)
    assert verdict.checkpoints == len(record.hashes) + 1


def tampered(change: Callable[[Document], object], seed: int | bytes = 11) -> tuple[list[str], str, str]:
    """Where a changed record is found untrue, and the first sentence and clause."""
    document = json.loads(dumps(random_record(seed)))
    change(document)
    findings = verify(loads(json.dumps(document))).findings
    return [finding.where for finding in findings], findings[0].sentence, findings[0].clause


def put(*path: Any, value: Any) -> Callable[[Document], None]:
    """Change one thing in a document."""

    def change(document: Document) -> None:
        holder: Any = document
        for part in path[:-1]:
            holder = holder[part]
        assert holder[path[-1]] != value
        holder[path[-1]] = value

    return change


@pytest.mark.parametrize(
    ("change", "where", "sentence"),
    [
        (put("format", value=2), ["format"], "This record has format 2; this version of Parlour reads format 1."),
        (put("game", value="whist"), ["game"], "This is a record of a game that is not on the shelf."),
        (
            put("game_version", value=7),
            ["game_version"],
            "played under version 7 of its rules; here they are at version 1",
        ),
        (
            put("box", value={"hash": "0123456789abcdef"}),
            ["box"],
            "with the box 0123456789abcdef; the one here is (none)",
        ),
        (put("players", value=9), ["players"], "Sealed Bids takes 2 to 4 players, not 9."),
        (put("options", value={"rounds": 70}), ["options"], "The option rounds is a whole number from 1 to 6, not 70."),
        (put("options", value={"colour": "red"}), ["options"], "Sealed Bids has no option 'colour'"),
        (put("names", value=["A", "B"]), ["names"], "There are 2 names for a game of 3 players."),
        (put("hashes", 0, 1, value="0" * 16), ["hashes[0]"], "the record says 0000000000000000 after move 16"),
        (put("hashes", 0, 0, value=15), ["hashes[0]"], "after move 15"),
        (put("hashes", value=[]), ["hashes"], "The hash after move 16 is missing."),
        (lambda d: d["hashes"].append([32, "0" * 16]), ["hashes[1]"], "no hash to be had after move 32"),
        (put("final", value="0" * 16), ["final"], "and the record says 0000000000000000."),
        (put("result", "scores", 1, value=99.0), ["result.scores"], "the record says"),
        (put("result", "returns", value=[1.0, 1.0, 1.0]), ["result.returns"], "the record says [1.0, 1.0, 1.0]"),
        (put("result", "places", value=[3, 3, 3]), ["result.places"], "the record says [3, 3, 3]"),
        (put("result", value=None), ["result"], "over after its last move, but the record gives no result"),
    ],
)
def test_each_kind_of_field(change: Callable[[Document], object], where: list[str], sentence: str) -> None:
    """R4 among them: an unknown game, version, box or format is told in a sentence and nothing is played."""
    found, told, _ = tampered(change)
    assert found == where
    assert sentence in told


def test_a_move_by_somebody_else() -> None:
    where, sentence, _ = tampered(put("actions", 0, 0, value=2))
    assert where == ["actions[0]"]
    assert sentence.endswith("is not allowed: It is not for you to act now.")


def test_a_move_that_breaks_a_rule_names_its_clause() -> None:
    where, sentence, clause = tampered(put("actions", 1, value=[0, "call:bold", 22]))
    assert where == ["actions[1]"]
    assert sentence == "Move 2 (call:bold) is not allowed: The prize has been called already."
    assert clause == "TOY-2"


def test_words_and_code_must_mean_the_same() -> None:
    """R3: neither the words nor the code is believed against the other."""
    for change in (
        put("actions", 0, 1, value="call:no"),
        lambda d: d["actions"][0].__setitem__(2, 43 - d["actions"][0][2]),
    ):
        where, sentence, _ = tampered(change)
        assert where == ["actions[0]"]
        assert sentence.startswith("Move 1 says call:")


def test_a_code_that_does_not_exist() -> None:
    where, sentence, _ = tampered(put("actions", 4, 2, value=4000))
    assert where == ["actions[4]"]
    assert "There is no action 4000 here" in sentence


def test_a_move_after_the_end() -> None:
    where, sentence, _ = tampered(lambda d: d["actions"].append([0, "pass", 20]))
    assert where == ["actions[16]"]
    assert sentence.endswith("The game is over.")


def test_a_missing_move() -> None:
    """Another game may go on for a while without it, but it is found out."""
    for index in range(16):
        where, _, _ = tampered(lambda d, index=index: d["actions"].pop(index))  # type: ignore[misc]
        assert where


def test_a_game_cut_short_gives_no_result() -> None:
    where, sentence, _ = tampered(lambda d: d["actions"].__delitem__(slice(12, None)))
    assert "result" in where
    assert "hashes[0]" in where
    assert "no hash to be had after move 16" in sentence


def test_another_allowed_move_shows_in_the_hashes() -> None:
    def change(document: Document) -> None:
        move = document["actions"][13]
        assert move[2] != 20
        document["actions"][13] = [move[0], "pass", 20]

    where, _, _ = tampered(change, seed=12)
    assert where[0] == "hashes[0]"
    assert "final" in where


def test_another_seed_is_another_game() -> None:
    where, _, _ = tampered(put("deal", "value", value=12))
    assert where


# --- sealed seeds (N14) ------------------------------------------------------------------------------------------


def test_a_seed_other_than_the_promised_one() -> None:
    where, sentence, _ = tampered(put("deal", "secret", value=bytes(32).hex()), SECRET)
    assert where == ["deal"]
    assert sentence == "The seed that was shown after the game is not the one committed to before it."


def test_a_promise_other_than_the_one_kept() -> None:
    where, _, _ = tampered(put("deal", "commitment", value="0" * 64), SECRET)
    assert where == ["deal"]


@pytest.mark.parametrize("secret", ["", "00", "zz" * 32, "00" * 33])
def test_a_secret_that_is_none(secret: str) -> None:
    where, sentence, _ = tampered(put("deal", "secret", value=secret), SECRET)
    assert where == ["deal.secret"]
    assert "64 hex digits" in sentence


def test_a_game_still_going_on_cannot_be_proved_yet() -> None:
    where, sentence, _ = tampered(put("deal", "secret", value=None), SECRET)
    assert where == ["deal.secret"]
    assert "still sealed" in sentence


# --- given positions ---------------------------------------------------------------------------------------------


def test_a_position_that_cannot_be() -> None:
    """The law that it breaks is named."""

    def change(document: Document) -> None:
        position = {"hands": [[1], [2], [2]], "deck": [], "discards": [], "points": [0, 0, 0]}
        document["deal"] = {"kind": "position", "position": position, "dice": {"kind": "plain", "state": 0}}

    where, sentence, _ = tampered(change)
    assert where == ["deal.position"]
    assert "TOY-I1" in sentence


def test_dice_that_are_none() -> None:
    def change(document: Document) -> None:
        document["deal"] = {"kind": "position", "position": {}, "dice": {"kind": "loaded"}}

    where, sentence, _ = tampered(change)
    assert where == ["deal.position"]
    assert "dice are written" in sentence
