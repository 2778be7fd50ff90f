"""Lays out positions in the terminal: any view of any game, as tables."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from parlour.kernel import members

if TYPE_CHECKING:
    from parlour.kernel import State

_EMPHASIS = re.compile(r"\*([^*\s][^*]*)\*")


def print_position(state: State, player: int | None, names: Sequence[str]) -> None:
    """What a player (None: a spectator) may see, and what those who are to act may do."""
    console = Console()
    _print_head(console, state, "a spectator" if player is None else names[player])
    console.print(laid_out(state.view(player)))
    if state.is_over:
        for standing in state.standings():
            console.print(
                f"{standing.place}. {names[standing.player]}: {standing.score:g}, {standing.reason}", highlight=False
            )
    for actor in members(state.actors()):
        if player is None and not state.game.open_information:
            console.print(f"{names[actor]} is asked: {state.game.prompt(state, actor)}", highlight=False)
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
    console.print(
        f"[bold]{game.title}[/bold], {state.players} players{', ' + options if options else ''}", highlight=False
    )
    console.print(f"[dim]position {state.position_hash()}, seen by {seen_by}[/dim]", highlight=False)


def _print_choices(console: Console, state: State, actor: int, name: str) -> None:
    prompt = state.game.prompt(state, actor)
    actions = state.legal_actions(actor)
    console.print(f"[bold]{name}[/bold], {len(actions)} choices: {prompt}", highlight=False)
    table = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2))
    for code in actions:
        action = state.game.describe(state, actor, code)
        table.add_row(Text(f"  {action.id}"), Text(action.text), Text(action.clause, style="dim"))
    console.print(table)


def _mapping(value: Mapping[str, Any]) -> RenderableType:
    if _is_small(value):
        return Text(_plain(value))
    parts: list[RenderableType] = []
    facts = Table(box=None, pad_edge=False, show_header=False, padding=(0, 2, 0, 0))
    for key, item in value.items():
        if _is_small(item):
            facts.add_row(Text(_words(key), style="bold"), Text(_plain(item)))
    if facts.row_count:
        parts.append(facts)
    for key, item in value.items():
        if not _is_small(item):
            parts += [Text(_words(key), style="bold"), Padding(laid_out(item), (0, 0, 0, 2))]
    return Group(*parts)


def _sequence(value: Sequence[Any]) -> RenderableType:
    if value and all(isinstance(item, Mapping) for item in value):
        keys = list(dict.fromkeys(key for item in value for key in item))
        if all(_is_small(item.get(key)) for item in value for key in keys):
            return _table(keys, value)
    if _is_small(value):
        return Text(_plain(value))
    return Group(*(laid_out(item) for item in value))


def _table(keys: Sequence[str], rows: Sequence[Mapping[str, Any]]) -> Table:
    """Like things side by side; what is the same for all of them, and empty, is left out."""
    kept = [key for key in keys if any(_plain(row.get(key)) not in ("", "-") for row in rows)]
    table = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for key in kept:
        numbers = all(isinstance(row.get(key), int | float) and not isinstance(row.get(key), bool) for row in rows)
        table.add_column(_words(key), justify="right" if numbers else "left")
    for row in rows:
        table.add_row(*(Text(_plain(row.get(key))) for key in kept))
    return table


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
        return ", ".join(f"{_words(str(key))} {_plain(item)}" for key, item in value.items())
    if isinstance(value, Sequence) and not isinstance(value, str):
        return ", ".join(_plain(item) for item in value) or "-"
    return str(value)


def _words(key: str) -> str:
    return key.replace("_", " ")
