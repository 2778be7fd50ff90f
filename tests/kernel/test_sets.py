"""Bit sets against Python's own sets."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.kernel import count, has, lowest, members, nth

SETS = st.sets(st.integers(0, 61))


def bits(chosen: set[int]) -> int:
    return sum(1 << member for member in chosen)


@given(SETS)
def test_count_lowest_and_members_agree_with_a_set(chosen: set[int]) -> None:
    assert len(chosen) == count(bits(chosen))
    assert min(chosen, default=-1) == lowest(bits(chosen))
    assert sorted(chosen) == members(bits(chosen))


@given(SETS, st.integers(0, 61))
def test_has_agrees_with_a_set(chosen: set[int], member: int) -> None:
    assert (member in chosen) == has(bits(chosen), member)


@given(SETS.filter(bool), st.data())
def test_nth_walks_the_members_in_order(chosen: set[int], data: st.DataObject) -> None:
    index = data.draw(st.integers(0, len(chosen) - 1))
    assert sorted(chosen)[index] == nth(bits(chosen), index)


@pytest.mark.parametrize("member", range(62))
def test_one_member_sets(member: int) -> None:
    assert (1, member, [member]) == (count(1 << member), lowest(1 << member), members(1 << member))
