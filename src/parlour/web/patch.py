"""What makes one view into the next, as a JSON Patch (RFC 6902), found on the views themselves and not on their JSON.

Parts that were not made anew are the same objects and cost nothing to pass over: whoever makes views should keep them.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct

LONGEST_SHIFT = 8
"""A list that moved up by so many (the last lines of a story) is told as that; one that changed otherwise, item by item
or as a whole."""


class Operation(Struct):
    """An operation that sets something. Members of objects are set with `add`, there or not, as the RFC has it."""

    op: str
    path: str
    value: Any


class Removal(Struct, tag_field="op", tag="remove"):
    """The operation that has no value."""

    path: str


Operations = list[Operation | Removal]


def patch(path: str, old: Any, new: Any) -> Operations:
    """What makes the value at `path`, which was `old`, into `new`. Both are as msgspec encodes them."""
    found: Operations = []
    _compare(path, old, new, "add", found)
    return found


def _compare(path: str, old: Any, new: Any, op: str, found: Operations) -> None:
    if old is new:
        return
    kind = type(new)
    if kind is not type(old):
        found.append(Operation(op, path, new))
    elif issubclass(kind, Struct):
        for name in kind.__struct_fields__:
            before, now = getattr(old, name), getattr(new, name)
            if before is not now:
                _compare(f"{path}/{name}", before, now, "add", found)
    elif old != new:
        if kind is list and old and new:
            _compare_lists(path, old, new, op, found)
        elif kind is dict and old.keys() == new.keys() and all(isinstance(key, str) for key in new):
            for key, now in new.items():
                _compare(f"{path}/{key.replace('~', '~0').replace('/', '~1')}", old[key], now, "add", found)
        else:
            found.append(Operation(op, path, new))


def _compare_lists(path: str, old: list[Any], new: list[Any], op: str, found: Operations) -> None:
    for shift in range(min(LONGEST_SHIFT + 1, len(old))):
        stays = len(old) - shift
        if old[shift] == new[0] and stays <= len(new) and old[shift:] == new[:stays]:
            found += [Removal(f"{path}/0")] * shift
            found += [Operation("add", f"{path}/-", value) for value in new[stays:]]
            return
    if len(old) == len(new):
        changed = [i for i, now in enumerate(new) if now is not old[i] and now != old[i]]
        if len(changed) * 2 <= len(new) or len(new) <= LONGEST_SHIFT:
            for i in changed:
                _compare(f"{path}/{i}", old[i], new[i], "replace", found)
            return
    found.append(Operation(op, path, new))
