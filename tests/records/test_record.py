"""What stands in a record."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parlour.kernel import Box, Game, IllegalAction, SealedDice, State
from parlour.records import (
    Checkpoint,
    PlainSeed,
    Record,
    RecordError,
    SealedSeed,
    dumps,
    load,
    loads,
    replay,
    save,
    verify,
)
from parlour.records.boxes import box_used, with_box_used
from tests.records.shelf import SECRET, random_actions, random_record
from tests.toys import bids


def test_it_holds_what_was_played() -> None:
    record = random_record(11, options={"rounds": 5})
    assert (record.game, record.game_version, record.players) == ("bids", 1, 3)
    assert record.names == ["A", "B", "C"]
    assert record.options == {"rounds": 5}
    assert record.deal == PlainSeed(11)
    assert [(move.player, move.code) for move in record.actions] == random_actions(11, options={"rounds": 5})
    assert record.actions[0].action == "call:" + ("modest" if record.actions[0].code == bids.MODEST else "bold")
    assert record.result is not None
    assert sorted(record.result.places)[0] == 1
    assert sum(record.result.returns) == pytest.approx(1.0)


def test_players_without_names_are_numbered() -> None:
    record = Record.from_game(bids.GAME, [], players=2, seed=1)
    assert record.names == ["Player 1", "Player 2"]
    assert record.result is None


def test_hashes_stand_after_every_sixteenth_move_between_windows() -> None:
    """A round of three players is a call and three sealed bids, so windows close after moves 4, 8, 12, 16, 20."""
    record = random_record(11, options={"rounds": 5})
    state = bids.GAME.new_game(players=3, seed=11, options={"rounds": 5})
    for move in record.actions[:16]:
        state.play(move.player, move.code)
    assert record.hashes == [Checkpoint(16, state.position_hash())]


def test_a_hash_due_inside_a_window_waits_until_it_has_closed() -> None:
    """A round of four players takes five moves: move 16 is a call, its window closes with move 20."""
    record = random_record(11, players=4, options={"rounds": 6})
    assert [checkpoint.moves for checkpoint in record.hashes] == [20]
    assert verify(record).ok


def test_an_action_that_was_not_allowed_is_no_record() -> None:
    with pytest.raises(IllegalAction, match="Call modest or bold first"):
        Record.from_game(bids.GAME, [(0, 3)], players=2, seed=1)


def test_sealed_dice_commit_first_and_show_later() -> None:
    """N14: until the end only the commitment is written."""
    actions = random_actions(SECRET, players=2)
    commitment = SealedDice(SECRET).commitment
    live = Record.from_game(bids.GAME, actions, players=2, seed=SECRET, reveal=False)
    assert live.deal == SealedSeed(commitment, None)
    assert SECRET.hex() not in dumps(live)
    over = Record.from_game(bids.GAME, actions, players=2, seed=SECRET)
    assert over.deal == SealedSeed(commitment, SECRET.hex())
    assert verify(over).ok


def test_answers_in_an_open_window_are_left_off() -> None:
    """R11: a record of a game in progress says nothing of answers whose window is open."""
    actions = random_actions(11)
    before, inside = actions[:5], actions[:7]
    assert dumps(Record.from_game(bids.GAME, before, players=3, seed=11)) == dumps(
        Record.from_game(bids.GAME, inside, players=3, seed=11)
    )


def test_an_answer_that_never_came_out_stands_as_the_game_shows_it() -> None:
    """Only the winning bid of a round was ever seen; the others are written as a pass and replay to the same game."""

    def shown(closed: State, player: int, code: int) -> int:
        assert isinstance(closed, bids.Bids)
        won = bool(closed.discards) and closed.discards[-1] == code
        return code if won or code >= bids.PASS else bids.PASS

    game = replace(bids.GAME, public_action=shown)
    actions = random_actions(11)
    secretive = Record.from_game(game, actions, players=3, seed=11)
    open_ = Record.from_game(bids.GAME, actions, players=3, seed=11)
    assert secretive.final == open_.final
    assert secretive.hashes == open_.hashes
    assert secretive.result == open_.result
    assert verify(secretive).ok
    state = list(replay(open_))[-1].state
    assert isinstance(state, bids.Bids)
    assert [move.code for move in secretive.actions if move.code < bids.PASS] == state.discards
    assert len([code for _, code in actions if code < bids.PASS]) > len(state.discards)


def test_a_game_can_go_on_from_a_position() -> None:
    actions = random_actions(11)
    state = bids.GAME.new_game(players=3, seed=11)
    for player, code in actions[:4]:
        state.play(player, code)
    before = state.to_dict()
    record = Record.from_position(state, actions[4:])
    assert state.to_dict() == before
    assert record.final == random_record(11).final
    assert verify(loads(dumps(record))).ok


def test_a_file_gives_back_the_same_record(tmp_path: Path) -> None:
    for record in (random_record(11), random_record(SECRET), Record.from_game(bids.GAME, [], players=2, seed=1)):
        save(record, tmp_path / "record.json")
        assert load(tmp_path / "record.json") == record
        assert msgspec.json.decode(dumps(record), type=Record) == record


def test_a_file_has_one_move_a_line() -> None:
    lines = dumps(random_record(11)).splitlines()
    assert sum(line.startswith("    [") for line in lines) == 16 + 1  # moves, and one hash


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("", "This is not JSON"),
        ("{", "This is not JSON"),
        ("\x00\xff", "This is not JSON"),
        ("[]", "This is not a record of a game: expected object, got array."),
        ("{}", "This is not a record of a game: it lacks the field game."),
    ],
)
def test_what_is_no_record_is_told_so(text: str, sentence: str) -> None:
    with pytest.raises(RecordError) as told:
        loads(text)
    assert str(told.value).startswith(sentence)


def test_a_field_of_the_wrong_kind_is_named() -> None:
    document = json.loads(dumps(random_record(11)))
    document["actions"][3] = [0, "pass", "twenty"]
    with pytest.raises(RecordError, match=r"expected int, got str, at actions\[3\]\[2\]"):
        loads(json.dumps(document))


def test_an_unknown_field_is_refused() -> None:
    document = json.loads(dumps(random_record(11)))
    document["winner"] = "A"
    with pytest.raises(RecordError, match="unknown field winner"):
        loads(json.dumps(document))


# --- boxes -------------------------------------------------------------------------------------------------------


class Prize(msgspec.Struct, forbid_unknown_fields=True):
    low: int
    high: int


class PrizeBox(msgspec.Struct, forbid_unknown_fields=True):
    prize: Prize
    names: list[str]


DOCUMENT: dict[str, Any] = {"prize": {"low": 1, "high": 6}, "names": ["a", "b"]}


@pytest.fixture
def boxed(monkeypatch: pytest.MonkeyPatch) -> Game:
    """The toy with a box, on the shelf."""
    from parlour import games

    game = replace(bids.GAME, name="boxed", box=Box(DOCUMENT, PrizeBox))
    monkeypatch.setitem(games._registered, "boxed", game)
    return game


def boxed_record(game: Game) -> Record:
    return Record.from_game(game, random_actions(11, game=game), players=3, seed=11)


def test_the_standard_box_is_only_named(boxed: Game) -> None:
    record = boxed_record(boxed)
    assert json.loads(dumps(record))["box"] == {"hash": boxed.box_hash}
    assert verify(record).ok


def test_changed_numbers_are_listed(boxed: Game) -> None:
    other = boxed.with_box(sets=["prize.high=9", 'names.1="z"'])
    record = boxed_record(other)
    assert json.loads(dumps(record))["box"] == {
        "hash": other.box_hash,
        "changes": {"prize.high": 9, "names.1": "z"},
    }
    assert with_box_used(boxed, box_used(other)).box_hash == other.box_hash
    assert verify(loads(dumps(record))).ok


def test_a_box_of_another_shape_is_written_whole(boxed: Game) -> None:
    document: Mapping[str, Any] = {**DOCUMENT, "names": ["a", "b", "c"]}
    other = boxed.with_box(document)
    record = boxed_record(other)
    assert json.loads(dumps(record))["box"] == {"hash": other.box_hash, "document": document}
    assert verify(loads(dumps(record))).ok


@pytest.mark.parametrize(
    "box",
    [
        {"hash": "0000000000000000"},
        {"hash": "X", "changes": {"prize.high": 8}},
        {"hash": "X", "changes": {"prize.middle": 8}},
        {"hash": "X", "changes": {"prize.high.er": 8}},
        {"hash": "X", "changes": {"names.7": "z"}},
        {"hash": "X", "document": {"prize": 3}},
    ],
)
def test_another_box_is_never_played_as_this_one(boxed: Game, box: dict[str, Any]) -> None:
    """R4: a box hash that is not this one gives a sentence."""
    document = json.loads(dumps(boxed_record(boxed.with_box(sets=["prize.high=9"]))))
    document["box"] = {key: document["box"]["hash"] if value == "X" else value for key, value in box.items()}
    verdict = verify(loads(json.dumps(document)))
    assert [finding.where for finding in verdict.findings] == ["box"]
    assert verdict.moves == 0
