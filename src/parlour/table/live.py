"""A table in memory: its card, its seats, its play, and who is watching it. A cache: all of it can be read again."""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from parlour.kernel import Game, State
from parlour.table.clock import ClockRule
from parlour.table.entries import Kind
from parlour.table.model import Choice, LogLine, TalkLine
from parlour.table.play import Play

PRIVATE = frozenset({Kind.ANSWER, Kind.RETRACT, Kind.INSTRUCT, Kind.WHISPER})
"""Entries of which nobody but their seat is shown anything."""


@dataclass(slots=True)
class Chair:
    """Who holds a seat."""

    seat: int
    kind: str  # open, person, bot
    name: str
    strength: str
    secret_hash: str | None


@dataclass(slots=True, eq=False)
class Table:
    """Everything a worker knows about a table."""

    id: int
    slug: str
    title: str
    game: Game
    version: int
    box: str
    options: dict[str, bool | int | str]
    clock: ClockRule
    talk_on: bool
    seed: bytes
    commitment: str
    host_hash: str
    status: str
    notice: str
    created: float
    chairs: list[Chair]
    play: Play | None = None
    talk: list[TalkLine] = field(default_factory=list)
    opened: dict[str, Any] = field(default_factory=dict)  # what was settled for the keepsake at the opening
    lock: asyncio.Lock = field(default_factory=asyncio.Lock)
    watchers: set[Callable[[], None]] = field(default_factory=set)
    present: dict[int, int] = field(default_factory=dict)  # seat -> open pages on this worker
    elsewhere: dict[str, tuple[float, frozenset[int]]] = field(default_factory=dict)  # other worker -> when said, seats
    epoch: str = field(default_factory=lambda: secrets.token_hex(3))
    public: int = 0  # counts what everybody may see change
    private: dict[int, int] = field(default_factory=dict)  # seat -> counts what only it may see change
    memory: dict[object, object] = field(default_factory=dict)  # what was made for a viewer at the present version
    position_view: tuple[State | None, Any] = (None, None)  # a position in which nothing is hidden, and its view
    shown: dict[tuple[str, bool, int | None], tuple[Any, Any]] = field(default_factory=dict)  # the last two renderings
    lines: dict[int | None, tuple[int, list[LogLine]]] = field(default_factory=dict)
    choices: dict[tuple[str, int], Choice] = field(default_factory=dict)
    seats_by_hash: dict[str, int] = field(default_factory=dict)
    timer: asyncio.TimerHandle | None = None
    warned_at: float = 0.0
    pending_bots: set[int] = field(default_factory=set)
    used: float = 0.0

    def __post_init__(self) -> None:
        self.index_secrets()

    def index_secrets(self) -> None:
        """Note whose secret is whose."""
        self.seats_by_hash = {chair.secret_hash: chair.seat for chair in self.chairs if chair.secret_hash}

    @property
    def names(self) -> list[str]:
        """The names of the seats, in order; the play shares this list."""
        return [chair.name or f"Seat {chair.seat + 1}" for chair in self.chairs]

    @property
    def people(self) -> frozenset[int]:
        """The seats that people hold."""
        return frozenset(chair.seat for chair in self.chairs if chair.kind == "person")

    def at_page(self, seat: int) -> bool:
        """Whether the seat's owner has the table open, here or on another worker."""
        return bool(self.present.get(seat)) or any(seat in seats for _, seats in self.elsewhere.values())

    def version_for(self, viewer: int | None) -> str:
        """The name of what this viewer sees now. Within a sealed window only an answerer's own changes."""
        ply = 0 if self.play is None else self.play.ply
        mine = 0 if viewer is None else self.private.get(viewer, 0)
        return f"{ply}.{self.epoch}.{self.public}.{mine}"

    def touch(self, only: int | None = None) -> None:
        """Something changed for everybody, or only for one seat. Watchers look again."""
        if only is None:
            self.public += 1
            self.memory.clear()
        else:
            self.private[only] = self.private.get(only, 0) + 1
            for key in [key for key in self.memory if isinstance(key, tuple) and key[-1] == only]:
                del self.memory[key]
        for wake in list(self.watchers):
            wake()

    def touch_for(self, kind: int, seat: int) -> None:
        """`touch`, as an entry of this kind asks for it."""
        self.touch(seat if kind in PRIVATE else None)
