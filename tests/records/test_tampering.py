"""Any change anywhere in a record is found out, and no change makes the reader fall over."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.records import Record, RecordError, dumps, load, loads, start, verify
from tests.records.shelf import SECRET, random_record

UNPROVED = {"names", "parlour"}
GOLDEN = Path(__file__).parent / "golden" / "pp_e25_game_a.json"

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 40) | st.floats(-2, 100) | st.text(max_size=6),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=4,
)


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """Every place in a document."""
    if path:
        yield path
    if isinstance(value, dict):
        for key, item in value.items():
            yield from places(item, (*path, key))
    elif isinstance(value, list):
        for index, item in enumerate(value):
            yield from places(item, (*path, index))


def with_value(document: Any, path: tuple[Any, ...], value: Any) -> Any:
    """A copy with another value there."""
    copy = json.loads(json.dumps(document))
    holder = copy
    for part in path[:-1]:
        holder = holder[part]
    holder[path[-1]] = value
    return copy


RECORDS: dict[str, Record] = {
    "plain": random_record(11),
    "sealed": random_record(SECRET, 4),
    "position": load(GOLDEN),
}


@pytest.mark.parametrize("name", RECORDS)
@given(data=st.data())
def test_any_other_value_anywhere_is_found_out(name: str, data: st.DataObject) -> None:
    document = json.loads(dumps(RECORDS[name]))
    path = data.draw(st.sampled_from([path for path in places(document) if path[0] not in UNPROVED]))
    changed = with_value(document, path, data.draw(JSON))
    try:
        record = loads(json.dumps(changed))
    except RecordError:
        return
    verdict = verify(record)
    if record == RECORDS[name] or _means_the_same(record, RECORDS[name]):
        assert verdict.ok
    else:
        assert not verdict.ok
        assert all(finding.where and finding.sentence.endswith((".", "!", "?")) for finding in verdict.findings)


def _means_the_same(changed: Record, original: Record) -> bool:
    """Whether only the beginning is written differently, and it begins with the same position.

    What follows from the rest of a position may be left out, options may be left at their defaults, and dice that are
    never thrown in the game prove nothing.
    """
    if msgspec.structs.replace(changed, deal=original.deal, options=original.options, box=original.box) != original:
        return False
    try:
        return start(changed).position_hash() == start(original).position_hash()
    except RecordError:
        return False


@pytest.mark.parametrize("name", RECORDS)
@given(data=st.data())
def test_any_move_left_out_or_put_in_is_found_out(name: str, data: st.DataObject) -> None:
    record = RECORDS[name]
    moves = list(record.actions)
    index = data.draw(st.integers(0, len(moves) - 1))
    if data.draw(st.booleans()):
        del moves[index]
    else:
        moves.insert(index, data.draw(st.sampled_from(record.actions)))
    assert not verify(msgspec.structs.replace(record, actions=moves)).ok


@given(text=st.text(max_size=60) | JSON.map(json.dumps))
def test_whatever_is_in_the_file_the_reader_says_what_it_is(text: str) -> None:
    with pytest.raises(RecordError):
        loads(text)
