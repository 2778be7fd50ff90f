"""What makes one view into the next, as a JSON Patch (RFC 6902), found on the views themselves and not on their JSON.

Parts that were not made anew are the same objects and cost nothing to pass over: whoever makes views should keep them.
"""

from __future__ import annotations

from typing import Any

from msgspec import Struct
from msgspec.structs import astuple

LONGEST_SHIFT = 8
"""A list that moved up by so many (the last lines of a story) is told as that; one that changed otherwise, item by item
or as a whole."""


Operations = list[dict[str, Any]]


def patch(path: str, old: Any, new: Any) -> Operations:
    """What makes the value at `path`, which was `old`, into `new`. Both are as msgspec encodes them.

    1 and True, which are equal, are told apart where they are members of a struct.
    """
    found: Operations = []
    if old != new or (isinstance(new, Struct) and old is not new):
        _compare(path, old, new, "add", found)
    return found


def _compare(path: str, old: Any, new: Any, op: str, found: Operations) -> None:
    """The same for two values that are not equal. `op` is what sets the value at `path`: "add" for members of objects,
    whether they are there or not, "replace" for items of lists.
    """
    kind = type(new)
    if kind is type(old):
        if issubclass(kind, Struct) and not kind.__struct_config__.array_like:
            usual = _left_out(kind)
            for name, before, now in zip(kind.__struct_encode_fields__, astuple(old), astuple(new), strict=True):
                if before is not now and (before != now or type(before) is not type(now)):
                    if name in usual and _is(now, usual[name]):
                        found.append({"op": "remove", "path": f"{path}/{name}"})
                    elif name in usual and _is(before, usual[name]):
                        found.append({"op": "add", "path": f"{path}/{name}", "value": now})
                    else:
                        _compare(f"{path}/{name}", before, now, "add", found)
            return
        if kind is list and old and new:
            _compare_lists(path, old, new, op, found)
            return
        if kind is dict and old.keys() == new.keys() and all(isinstance(key, str) for key in new):
            for key, now in new.items():
                if old[key] != now or type(old[key]) is not type(now):
                    _compare(f"{path}/{key.replace('~', '~0').replace('/', '~1')}", old[key], now, "add", found)
            return
    found.append({"op": op, "path": path, "value": new})


def _compare_lists(path: str, old: list[Any], new: list[Any], op: str, found: Operations) -> None:
    for shift in range(min(LONGEST_SHIFT + 1, len(old))):
        stays = len(old) - shift
        if old[shift] == new[0] and stays <= len(new) and old[shift:] == new[:stays]:
            found += [{"op": "remove", "path": f"{path}/0"}] * shift
            found += [{"op": "add", "path": f"{path}/-", "value": value} for value in new[stays:]]
            return
    if len(old) == len(new):
        changed = [i for i, now in enumerate(new) if now is not old[i] and now != old[i]]
        if len(changed) * 2 <= len(new) or len(new) <= LONGEST_SHIFT:
            for i in changed:
                _compare(f"{path}/{i}", old[i], new[i], "replace", found)
            return
    found.append({"op": op, "path": path, "value": new})


_usual: dict[type, dict[str, Any]] = {}


def _left_out(kind: type[Struct]) -> dict[str, Any]:
    """The members that msgspec leaves out while they are as usual, with what that is."""
    known = _usual.get(kind)
    if known is None:
        defaults = kind.__struct_defaults__ if kind.__struct_config__.omit_defaults else ()
        names = kind.__struct_encode_fields__[len(kind.__struct_encode_fields__) - len(defaults) :]
        known = _usual[kind] = dict(zip(names, defaults, strict=True))
    return known


def _is(value: Any, usual: Any) -> bool:
    """Whether a value is the usual one, as msgspec sees it: the very object, or an empty container of its type."""
    factory = getattr(usual, "factory", None)
    if factory is None:
        return value is usual
    return type(value) is factory and factory in (list, dict, set) and not value
