"""How a record says which box a game was played with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

import msgspec

from parlour import games
from parlour.kernel import Game


class BoxUsed(msgspec.Struct, frozen=True, omit_defaults=True, forbid_unknown_fields=True):
    """The hash of the box ("" for a game without one), and what made it differ from the game's own."""

    hash: str
    changes: dict[str, Any] | None = None
    """Dotted key -> value, where only values differ."""
    document: dict[str, Any] | None = None
    """The whole box, where its shape differs too."""


def box_used(game: Game) -> BoxUsed:
    """The box that this card plays with, as a record has it."""
    if game.box is None or game.standard_box:
        return BoxUsed(game.box_hash)
    standard = games.get(game.name).box
    changes: dict[str, Any] = {}
    if standard is not None and _same_shape(standard.document, game.box.document, "", changes):
        return BoxUsed(game.box_hash, changes=changes)
    return BoxUsed(game.box_hash, document=game.box.document)


def with_box_used(game: Game, used: BoxUsed) -> Game:
    """The card with the box of a record. Raises BoxError if that box is not one for this game."""
    if used.document is not None:
        return game.with_box(used.document)
    if not used.changes or game.box is None:
        return game
    document = json.loads(json.dumps(game.box.document))
    for key, value in used.changes.items():
        *path, last = key.split(".")
        holder: Any = document
        for part in path:
            holder = _inside(holder, part)
        if isinstance(holder, list) and last in _places(holder):
            holder[int(last)] = value
        elif isinstance(holder, dict):
            holder[last] = value
    return game.with_box(document)


def _inside(holder: Any, part: str) -> Any:
    if isinstance(holder, list):
        return holder[int(part)] if part in _places(holder) else None
    return holder.get(part) if isinstance(holder, Mapping) else None


def _places(holder: list[Any]) -> list[str]:
    return [str(index) for index in range(len(holder))]


def _same_shape(old: Any, new: Any, key: str, changes: dict[str, Any]) -> bool:
    """Whether two documents have the same keys and lengths throughout; collects the values that differ."""
    if isinstance(old, dict) and isinstance(new, dict):
        pairs = [(name, old[name], new.get(name)) for name in old]
        if old.keys() != new.keys() or any("." in name for name in old):
            return False
    elif isinstance(old, list) and isinstance(new, list):
        pairs = [(str(i), old[i], new[i]) for i in range(min(len(old), len(new)))]
        if len(old) != len(new):
            return False
    elif isinstance(old, dict | list) or isinstance(new, dict | list):
        return False
    else:
        if type(old) is not type(new) or old != new:
            changes[key] = new
        return True
    return all(_same_shape(a, b, f"{key}.{name}" if key else name, changes) for name, a, b in pairs)
