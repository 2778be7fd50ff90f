"""The JSON Schema of a game's positions, for editors and for programs in other languages."""

from __future__ import annotations

import sys
from typing import Any

import msgspec

from parlour.kernel import Game, Option


class NoSchema(ValueError):  # noqa: N818 - a sentence for people
    """The game has not declared the form of its positions."""


def position_schema(game: Game) -> dict[str, Any]:
    """What `State.to_dict` gives and `games.load` takes, as JSON Schema (2020-12).

    The game's own part comes from the msgspec Struct called `Position` beside the function that loads positions. The
    laws that go beyond form (a card is in one place only) are checked by loading, not by the schema.
    """
    module = sys.modules[game.load_position.__module__]
    form = getattr(module, "Position", None)
    if not (isinstance(form, type) and issubclass(form, msgspec.Struct)):
        raise NoSchema(f"{game.title} does not declare the form of its positions (a Struct called Position).")
    (position,), parts = msgspec.json.schema_components([form], ref_template="#/$defs/{name}")
    whole = {"type": "integer"}
    dice = [
        _object({"kind": {"const": "plain"}, "state": whole}, ["kind", "state"]),
        _object({"kind": {"const": "sealed"}, "seed": {"type": "string", "pattern": "^[0-9a-f]{64}$"}, "drawn": whole}),
    ]
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": f"A position of {game.title}",
        **_object(
            {
                "game": {"const": game.name},
                "version": {"const": game.version},
                "box": {"type": "string", "description": "The hash of the box it is played with."},
                "players": {"enum": list(game.players)},
                "options": _object({option.name: _option(option) for option in game.options}),
                "dice": {"oneOf": dice},
                "position": position,
            },
            ["game", "position"],
        ),
        "$defs": parts,
    }


def _option(option: Option) -> dict[str, Any]:
    about = {"description": option.help, "default": option.default}
    if option.values is None:
        return {"type": "boolean", **about}
    if isinstance(option.values, range):
        if option.values.step != 1:
            return {"enum": list(option.values), **about}
        return {"type": "integer", "minimum": option.values[0], "maximum": option.values[-1], **about}
    return {"enum": list(option.values), **about}


def _object(properties: dict[str, Any], required: list[str] | None = None) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": properties,
        "additionalProperties": False,
        **({"required": required} if required else {}),
    }
