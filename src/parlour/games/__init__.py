"""The shelf: which games there are, and how to get one.

A package elsewhere puts its games on the shelf through the entry-point group `parlour.games`; while one is being
written, the environment variable `PARLOUR_PLUGINS` (`module:ATTRIBUTE`, separated by commas) does it without
installing anything. `use_box` puts another box into a game for this process and all that it starts, by way of the
environment too (`PARLOUR_BOXES`).
"""

from __future__ import annotations

import copyreg
import difflib
import importlib
import json
import os
import pkgutil
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.metadata import entry_points
from pathlib import Path
from typing import Any

from parlour.kernel.game import Game
from parlour.kernel.state import PositionError, State

OWN = tuple(sorted(module.name for module in pkgutil.iter_modules(__path__) if module.ispkg))
"""The games in this package: each folder here is one, with a `GAME` in it."""

PLUGINS = "PARLOUR_PLUGINS"
BOXES = "PARLOUR_BOXES"

_registered: dict[str, Game] = {}


class UnknownGame(LookupError):  # noqa: N818 - the public name
    """A name that is not on the shelf; the message lists those that are."""


class PluginError(ValueError):
    """A plug-in that cannot be loaded, named, with the reason."""


def names() -> list[str]:
    """The names of the games on the shelf, in alphabetical order."""
    return sorted({*OWN, *_plugins(), *_registered})


def get(name: str) -> Game:
    """The card of a game. Raises UnknownGame, which lists the shelf."""
    if name in _registered:
        return _registered[name]
    where = _plugins().get(name) or (f"parlour.games.{name}:GAME" if name in OWN else "")
    if not where:
        shelf = names()
        near = difflib.get_close_matches(str(name), shelf, n=1)
        hint = f" Did you mean {near[0]}?" if near else ""
        raise UnknownGame(f"There is no game called {name!r} on the shelf.{hint} It holds: {', '.join(shelf)}.")
    changed = json.loads(os.environ.get(BOXES) or "{}").get(name)
    return _open(where) if changed is None else _reboxed(where, changed[0], tuple(changed[1]))


def use_box(name: str, file: Path | None, sets: Sequence[str]) -> None:
    """Play a game out of another box from now on, here and in every process that is started from here.

    Raises BoxError if the box will not do.
    """
    get(name).with_box(file, sets)
    boxes = json.loads(os.environ.get(BOXES) or "{}")
    os.environ[BOXES] = json.dumps({**boxes, name: [str(file.resolve()) if file else None, list(sets)]})


def load(document: Mapping[str, Any]) -> State:
    """A state from its dict form (`State.to_dict`), of whichever game it names. Raises PositionError or UnknownGame."""
    if not isinstance(document, Mapping) or not isinstance(document.get("game"), str):
        raise PositionError("", 'A position names its game: {"game": "prowlers", ...}.')
    return get(document["game"]).load(document)


def register(game: Game) -> None:
    """Put a game on the shelf of this process, in place of any of the same name."""
    _registered[game.name] = game


def reopen(name: str, document: str | None) -> Game:
    """A card back from its pickle, with its own box if it had one."""
    game = get(name)
    return game if document is None else game.with_box(json.loads(document))


def _pickle(game: Game) -> tuple[Any, ...]:
    """A card is pickled as its name: what is on the shelf is found there again."""
    document = None if game.box is None or game.standard_box else json.dumps(game.box.document)
    return (reopen, (game.name, document))


copyreg.pickle(Game, _pickle)


def _plugins() -> dict[str, str]:
    """Name of each game from outside this package -> where it is."""
    return _find(os.environ.get(PLUGINS, ""))


@cache
def _find(listed: str) -> dict[str, str]:
    found = {point.name: point.value for point in entry_points(group="parlour.games")}
    for where in filter(None, (part.strip() for part in listed.split(","))):
        found[_open(where).name] = where
    return found


@cache
def _reboxed(where: str, file: str | None, sets: tuple[str, ...]) -> Game:
    return _open(where).with_box(Path(file) if file else None, sets)


@cache
def _open(where: str) -> Game:
    module, _, attribute = where.partition(":")
    try:
        game = getattr(importlib.import_module(module), attribute or "GAME")
    except (ImportError, AttributeError) as error:
        raise PluginError(f"The game at {where!r} cannot be loaded: {error}.") from error
    if not isinstance(game, Game):
        raise PluginError(f"{where!r} is not a game's card: it is a {type(game).__name__}.")
    return game
