"""Stepping through a record."""

from __future__ import annotations

import msgspec
import pytest

from parlour.kernel import SPECTATOR
from parlour.records import RecordError, SealedSeed, replay
from tests.records.shelf import SECRET, random_actions, random_record
from tests.toys import bids


def test_the_deal_is_step_0_and_every_move_one_more() -> None:
    record = random_record(11)
    steps = list(replay(record))
    assert [step.number for step in steps] == list(range(17))
    assert steps[0].move is None
    assert [step.move for step in steps[1:]] == record.actions
    state = bids.GAME.new_game(players=3, seed=11)
    assert steps[0].state == state
    for (player, code), step in zip(random_actions(11), steps[1:], strict=True):
        state.play(player, code)
        assert step.state == state


def test_the_reader_may_do_what_it_likes_with_a_step() -> None:
    record = random_record(11)
    quiet = [step.state.position_hash() for step in replay(record)]
    loud = []
    for step in replay(record):
        loud.append(step.state.position_hash())
        if not step.state.is_over:
            step.state.play(step.state.current_player, step.state.legal_actions(step.state.current_player)[0])
    assert quiet == loud


def test_the_words_are_those_that_the_viewer_was_told() -> None:
    """A drawn card is its owner's affair; that a card was drawn is everybody's."""
    record = random_record(11)
    told = {viewer: [words for step in replay(record, viewer) for words in step.words] for viewer in (SPECTATOR, 0, 1)}
    assert not any(words.startswith("You drew") for words in told[SPECTATOR])
    winners = [words.split()[0] for words in told[SPECTATOR] if "takes the prize" in words]
    for player, name in ((0, "A"), (1, "B")):
        assert sum(words.startswith("You drew") for words in told[player]) == winners.count(name)
    assert len(winners) == 4


def test_names_stand_in_the_words() -> None:
    first = list(replay(random_record(11)))[1]
    assert first.words[0] in {"A calls a modest prize.", "A calls a bold prize."}
    assert first.text in {"Call modest", "Call bold"}


def test_an_impossible_move_stops_it_where_it_stands() -> None:
    record = random_record(11)
    moves = list(record.actions)
    moves[5] = moves[0]
    steps: list[int] = []
    with pytest.raises(RecordError, match=r"Move 6 .* is not allowed") as told:
        steps.extend(step.number for step in replay(msgspec.structs.replace(record, actions=moves)))
    assert told.value.where == "actions[5]"
    assert steps == [0, 1, 2, 3, 4, 5]


def test_a_sealed_game_cannot_be_replayed_before_its_end() -> None:
    record = random_record(SECRET)
    assert isinstance(record.deal, SealedSeed)
    closed = msgspec.structs.replace(record.deal, secret=None)
    with pytest.raises(RecordError, match="still sealed"):
        next(replay(msgspec.structs.replace(record, deal=closed)))
