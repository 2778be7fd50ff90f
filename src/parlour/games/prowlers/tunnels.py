"""Tunnels: the longest walk through one's own passages that uses none of them twice (PP-28…PP-33)."""

from mypy_extensions import i64

from parlour.games.prowlers.tables import Tables
from parlour.kernel.sets import count, lowest


def longest_tunnel(tables: Tables, passages: i64, enough: i64 = 64) -> i64:
    """PP-31, PP-32: the length of the longest Tunnel in these passages.

    Stops at `enough`: the answer is then any number from `enough` up to the true length.
    """
    best: i64 = 0
    rest: i64 = passages
    while best < enough and count(rest) > best:
        group: i64 = group_of(tables, rest, rest & -rest)
        rest ^= group
        if count(group) > best:
            length: i64 = longest_in_group(tables, group, enough)
            if length > best:
                best = length
    return best


def groups_with_tunnel(tables: Tables, passages: i64, length: i64) -> i64:
    """PP-33, PP-R07: how many separate groups hold a Tunnel at least this long."""
    found: i64 = 0
    rest: i64 = passages
    while rest != 0:
        group: i64 = group_of(tables, rest, rest & -rest)
        rest ^= group
        if count(group) >= length and longest_in_group(tables, group, length) >= length:
            found += 1
    return found


def group_of(tables: Tables, passages: i64, seed: i64) -> i64:
    """PP-28, PP-33: all of the passages that hang together with the seed."""
    group: i64 = 0
    new: i64 = seed
    while new != 0:
        group |= new
        reached: i64 = 0
        while new != 0:
            reached |= tables.beside[lowest(new)]
            new &= new - 1
        new = reached & passages & ~group
    return group


def groups_and_lengths(tables: Tables, passages: i64) -> list[tuple[int, int]]:
    """PP-33: every group as (passages, longest Tunnel inside), largest first."""
    found: list[tuple[int, int]] = []
    rest: i64 = passages
    while rest != 0:
        group: i64 = group_of(tables, rest, rest & -rest)
        rest ^= group
        found.append((int(count(group)), int(longest_in_group(tables, group, 64))))
    found.sort(reverse=True)
    return found


def longest_in_group(tables: Tables, group: i64, enough: i64) -> i64:
    """PP-29, PP-30: the longest trail in a connected group.

    Vertices where an odd number of the passages meet decide it (Euler): without any, or with two, one walk takes the
    whole group. Otherwise a longest walk begins and ends at two of them, and of each further pair, and of every dead
    end beyond two, at least one passage stays out of it: that bound ends most searches at once.
    """
    size: i64 = count(group)
    odd: i64 = 0
    rest: i64 = group
    while rest != 0:
        odd ^= tables.parity[lowest(rest)]
        rest &= rest - 1
    pairs: i64 = count(odd) >> 1
    if pairs <= 1:
        return size
    dead: i64 = 0  # passages that end where nothing else does
    starts: i64 = odd
    while starts != 0:
        lines: i64 = tables.meeting[lowest(starts)] & group
        if lines & (lines - 1) == 0:
            dead |= lines
        starts &= starts - 1
    bound: i64 = min(enough, size - max(pairs - 1, count(dead) - 2))
    best: i64 = 0
    starts = odd & (odd - 1)  # a walk has two ends, so one of the odd vertices need not be tried
    while starts != 0 and best < bound:
        vertex: i64 = lowest(starts)
        starts &= starts - 1
        first: i64 = tables.meeting[vertex] & dead
        length: i64 = 0
        if first != 0 and first == tables.meeting[vertex] & group:
            vertex = tables.ends[lowest(first)] - vertex
            length = 1
        else:
            first = 0
        others: i64 = dead & ~first
        left: i64 = size - count(dead)
        if others != 0:
            left += 1
        best = _walk(tables, vertex, group & ~dead, others, length, left, best, bound)
    return best


def _walk(tables: Tables, vertex: i64, unused: i64, dead: i64, length: i64, left: i64, best: i64, bound: i64) -> i64:
    """The longest walk that goes on from here, if it beats `best`.

    A walk ends with a dead end, so those are apart from the passages still unused; `left` is how many passages can
    follow at most.
    """
    if length > best:
        best = length
    if tables.meeting[vertex] & dead != 0 and length + 1 > best:
        best = length + 1
    ways: i64 = tables.meeting[vertex] & unused
    while ways != 0 and best < bound and length + left > best:
        way: i64 = ways & -ways
        line: i64 = lowest(way)
        best = _walk(tables, tables.ends[line] - vertex, unused ^ way, dead, length + 1, left - 1, best, bound)
        ways ^= way
    return best


def longest_walk(tables: Tables, passages: i64) -> list[int]:
    """PP-29: the passages of one longest Tunnel, in the order of the walk; there may be others as long."""
    length: i64 = longest_tunnel(tables, passages)
    for start in range(len(tables.vertex_ids)):
        walk: list[int] = []
        if _follow(tables, start, passages, length, walk):
            return walk
    return []


def _follow(tables: Tables, vertex: i64, unused: i64, left: i64, walk: list[int]) -> bool:
    """Whether a walk of exactly that length goes on from here; it is put into `walk`."""
    if left == 0:
        return True
    ways: i64 = tables.meeting[vertex] & unused
    while ways != 0:
        way: i64 = ways & -ways
        line: i64 = lowest(way)
        walk.append(line)
        if _follow(tables, tables.ends[line] - vertex, unused ^ way, left - 1, walk):
            return True
        walk.pop()
        ways ^= way
    return False
