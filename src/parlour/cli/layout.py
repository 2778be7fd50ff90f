"""Lays out positions in the terminal: any view of any game, as tables."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from parlour.kernel import members

if TYPE_CHECKING:
    from parlour.kernel import State

DRAWING = frozenset(
    ["x", "y", "x1", "y1", "x2", "y2", "left", "top", "width", "height", "centre", "step", "corners", "polygon"]
    + ["points", "colour", "glyph"]
)
"""Keys of a view that only a picture needs."""

_EMPHASIS = re.compile(r"\*([^*\s][^*]*)\*")


def print_position(state: State, player: int | None, names: Sequence[str]) -> None:
    """What a player (None: a spectator) may see, and what those who are to act may do.

    Where nothing is hidden it is the position as it is written down, whose ids are those of the actions, and what the
    view tells of each player besides.
    """
    console = Console()
    _print_head(console, state, "a spectator" if player is None else names[player])
    view = without_drawing(state.view(player))
    by_player = {key: item for key, item in view.items() if _all_mappings(item) and len(item) == state.players}
    if state.game.open_information:
        console.print(laid_out(state.position()))
    else:
        console.print(laid_out({key: item for key, item in view.items() if key not in {*by_player, "options"}}))
    for key, item in by_player.items():
        console.print(Text(key, style="bold"), Padding(_side_by_side(item, names), (0, 0, 0, 2)))
    if state.is_over:
        for standing in state.standings():
            console.print(Text(f"{standing.place}. {names[standing.player]}: {standing.score:g}, {standing.reason}"))
    for actor in members(state.actors()):
        if player is None and not state.game.open_information:
            console.print(Text(f"{names[actor]} is asked: {state.game.prompt(state, actor)}"))
        elif player in (None, actor):
            _print_choices(console, state, actor, names[actor])


def print_whole(state: State) -> None:
    """The position as it is written down, hidden parts too."""
    console = Console()
    _print_head(console, state, "nobody at the table: everything")
    console.print(laid_out(state.position()))


def emphasised(words: str) -> Text:
    """A log line, its *so* marked words in italics."""
    text = Text()
    end = 0
    for found in _EMPHASIS.finditer(words):
        text.append(words[end : found.start()])
        text.append(found[1], style="italic")
        end = found.end()
    text.append(words[end:])
    return text


def without_drawing(value: Any) -> Any:
    """A view without coordinates."""
    if isinstance(value, Mapping):
        return {key: without_drawing(item) for key, item in value.items() if key not in DRAWING}
    if isinstance(value, list):
        return [without_drawing(item) for item in value]
    return value


def laid_out(value: Any) -> RenderableType:
    """Any JSON-ready value: plain values in a list, lists of like things as tables, the rest indented."""
    if isinstance(value, Mapping):
        return _mapping(value)
    if isinstance(value, Sequence) and not isinstance(value, str):
        return _sequence(value)
    return Text(_plain(value))


def _print_head(console: Console, state: State, seen_by: str) -> None:
    game = state.game
    options = ", ".join(f"{name} {_plain(value)}" for name, value in state.options().items())
    rest = f", {state.players} players{', ' + options if options else ''}"
    console.print(Text.assemble((game.title, "bold"), rest))
    console.print(Text(f"position {state.position_hash()}, seen by {seen_by}", style="dim"))


def _print_choices(console: Console, state: State, actor: int, name: str) -> None:
    prompt = state.game.prompt(state, actor)
    actions = state.legal_actions(actor)
    console.print(Text.assemble((name, "bold"), f", {len(actions)} choices: {prompt}"))
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2))
    for code in actions:
        action = state.game.describe(state, actor, code)
        table.add_row(Text(f"  {action.id}"), Text(action.text), Text(action.clause, style="dim"))
    console.print(table)


def _mapping(value: Mapping[str, Any]) -> RenderableType:
    if _is_small(value):
        return Text(_plain(value))
    if _all_mappings(value.values()) and len(value) > 1:
        return _table([{"": key, **item} for key, item in value.items()])
    parts: list[RenderableType] = []
    facts = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for key, item in value.items():
        if _is_small(item):
            facts.add_row(Text(key, style="bold"), Text(_plain(item)))
    if facts.row_count:
        parts.append(facts)
    for key, item in value.items():
        if not _is_small(item):
            parts += [Text(key, style="bold"), Padding(laid_out(item), (0, 0, 0, 2))]
    return Group(*parts)


def _sequence(value: Sequence[Any]) -> RenderableType:
    if _is_small(value):
        return Text(_plain(value))
    if _all_mappings(value):
        return _table(value)
    return Group(*(laid_out(item) for item in value))


def _table(rows: Sequence[Mapping[str, Any]]) -> Table:
    """Like things under each other. A column without anything in it is left out."""
    kept = _keys(rows)
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for key in kept:
        table.add_column(Text(key), justify="right" if all(_is_number(row.get(key)) for row in rows) else "left")
    for row in rows:
        table.add_row(*(Text(_plain(row.get(key))) for key in kept))
    return table


def _side_by_side(items: Sequence[Mapping[str, Any]], names: Sequence[str]) -> Table:
    """A few things of many parts: a column each."""
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for head in ("", *names):
        table.add_column(Text(head), ratio=1 if head else None)
    for key in _keys(items):
        table.add_row(Text(key, style="bold"), *(Text(_plain(item.get(key))) for item in items))
    return table


def _keys(rows: Sequence[Mapping[str, Any]]) -> list[str]:
    """The keys of all rows, in order, but for those that hold nothing in any."""
    keys = dict.fromkeys(key for row in rows for key in row)
    return [key for key in keys if any(row.get(key) not in (None, "", [], {}) for row in rows)]


def _all_mappings(values: Any) -> bool:
    """Whether these are several values, and mappings all of them."""
    return isinstance(values, Collection) and bool(values) and all(isinstance(value, Mapping) for value in values)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_small(value: Any) -> bool:
    """Whether it can be said in a few words on one line."""
    if isinstance(value, Mapping):
        return len(value) <= 8 and all(_is_scalar(item) for item in value.values())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return all(_is_scalar(item) for item in value)
    return True


def _is_scalar(value: Any) -> bool:
    return value is None or isinstance(value, str | int | float)


def _plain(value: Any) -> str:
    if value is None:
        return "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:g}"
    if isinstance(value, Mapping):
        if "id" in value and "name" in value:
            return _plain(value["id"])  # a thing with a name: its id says enough, and is what actions call it
        return ", ".join(f"{key} {_plain(item)}" for key, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_plain(item) for item in value) or "-"
    return str(value)
