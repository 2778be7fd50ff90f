"""What makes one view into the next, as a JSON Patch (RFC 6902), found on the views themselves and not on their JSON.

Parts that were not made anew are the same objects and cost nothing to pass over: whoever makes views should keep them.
"""

from __future__ import annotations

from typing import Any, Final

from msgspec import Struct
from msgspec.structs import astuple

LONGEST_SHIFT: Final = 8
"""A list that moved up by so many (the last lines of a story) is told as that; one that changed otherwise, item by item
or as a whole."""


Operations = list[dict[str, Any]]


def patch(path: str, old: Any, new: Any, apart: str = "") -> Operations:
    """What makes the value at `path`, which was `old`, into `new`. Both are as msgspec encodes them.

    1 and True, which are equal, are told apart where they are members of a struct. `apart` names a member of `new` that
    is not looked at: it is told elsewhere.
    """
    found: Operations = []
    if isinstance(new, Struct) or old != new:
        _compare(path, old, new, "add", found, f"/{apart}" if apart else "")
    return found


class _Kind:
    """A type of values. Of a struct that is encoded as an object: its members, and what is left out while as usual."""

    def __init__(self, of: type) -> None:
        self.struct = issubclass(of, Struct) and not of.__struct_config__.array_like
        self.paths: list[str] = []
        """Of each member the end of its path."""
        self.always = 0
        """How many members are never left out; they come first."""
        self.usual: list[object] = []
        self.factories: list[object] = []
        if issubclass(of, Struct) and self.struct:
            fields = of.__struct_encode_fields__
            defaults = of.__struct_defaults__ if of.__struct_config__.omit_defaults else ()
            self.paths = [f"/{name}" for name in fields]
            self.always = len(fields) - len(defaults)
            self.usual = list(defaults)
            self.factories = [getattr(usual, "factory", None) for usual in defaults]

    def leaves_out(self, member: int, value: object) -> bool:
        """Whether a value is the usual one, as msgspec sees it: the very object, or an empty container of its type."""
        factory = self.factories[member - self.always]
        if factory is None:
            return value is self.usual[member - self.always]
        return type(value) is factory and factory in (list, dict, set) and not value


_kinds: Final[dict[type, _Kind]] = {}


def _kind(of: type) -> _Kind:
    known = _kinds.get(of)
    if known is None:
        known = _kinds[of] = _Kind(of)
    return known


def _compare(path: str, old: Any, new: Any, op: str, found: Operations, apart: str = "") -> None:
    """The same for two structs, or two values that are not equal. `op` is what sets the value at `path`: "add" for
    members of objects, whether they are there or not, "replace" for items of lists.
    """
    of = type(new)
    if of is type(old):
        kind = _kind(of)
        if kind.struct:
            _compare_members(path, old, new, kind, found, apart)
            return
        if of is list and old and new:
            _compare_lists(path, old, new, op, found)
            return
        if of is dict and old.keys() == new.keys() and all(isinstance(key, str) for key in new):
            for key, now in new.items():
                if old[key] != now or type(old[key]) is not type(now):
                    _compare(f"{path}/{key.replace('~', '~0').replace('/', '~1')}", old[key], now, "add", found)
            return
        if old == new:
            return
    found.append({"op": op, "path": path, "value": new})


def _compare_members(path: str, old: Any, new: Any, kind: _Kind, found: Operations, apart: str) -> None:
    """Member by member. What is itself a struct is not compared as a whole first: each level would do so again."""
    before: tuple[Any, ...] = astuple(old)
    after: tuple[Any, ...] = astuple(new)
    paths, always = kind.paths, kind.always
    for i in range(len(paths)):
        was = before[i]
        now = after[i]
        if was is now or paths[i] == apart:
            continue
        of = type(now)
        same = of is type(was)
        below = same and _kind(of).struct
        if same and not below and was == now:
            continue
        if i >= always:
            if kind.leaves_out(i, now):
                if not kind.leaves_out(i, was):
                    found.append({"op": "remove", "path": path + paths[i]})
                continue
            same = same and not kind.leaves_out(i, was)
        if same and (below or of is list or of is dict):
            _compare(path + paths[i], was, now, "add", found)
        else:
            found.append({"op": "add", "path": path + paths[i], "value": now})


def _compare_lists(path: str, old: list[Any], new: list[Any], op: str, found: Operations) -> None:
    """Two lists that are not equal, and not empty."""
    changed: list[int] = []
    few = False
    if len(old) == len(new):
        changed = [i for i, now in enumerate(new) if now is not old[i] and now != old[i]]
        few = len(changed) * 2 <= len(new) or len(new) <= LONGEST_SHIFT
    if len(changed) != 1:  # one item that changed is told sooner than that all the others moved
        shift = _shift(old, new)
        if shift >= 0:
            found += [{"op": "remove", "path": f"{path}/0"}] * shift
            found += [{"op": "add", "path": f"{path}/-", "value": value} for value in new[len(old) - shift :]]
            return
    if few:
        for i in changed:
            _compare(f"{path}/{i}", old[i], new[i], "replace", found)
        return
    found.append({"op": op, "path": path, "value": new})


def _shift(old: list[Any], new: list[Any]) -> int:
    """By how much a list moved up, 0 if it only grew; -1 if neither."""
    first = new[0]
    for shift in range(min(LONGEST_SHIFT + 1, len(old))):
        if old[shift] is first or old[shift] == first:
            stays = len(old) - shift
            if stays <= len(new) and old[shift:] == new[:stays]:
                return shift
    return -1
