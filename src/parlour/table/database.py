"""What the storage asks of a database, whichever it is; the statements that are executed often.

`parlour.table.sqlite` and `parlour.table.postgres` answer it.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol, TypeVar, cast

import msgspec
from sqlalchemy import ClauseElement, Connection, Executable, insert, text
from sqlalchemy.engine import Dialect

from parlour.table import schema

T = TypeVar("T")
Values = Mapping[str, Any]
Row = tuple[Any, ...]
"""A table's number, then the fields of an Entry."""
Fetched = list[list[tuple[Any, ...]]]
"""Of each statement its rows."""

_encoder = msgspec.json.Encoder()


class Often:
    """A statement that is executed often, with named values: without what SQLAlchemy does each time."""

    def __init__(self, statement: Executable) -> None:
        self._statement = statement
        self._compiled: dict[str, tuple[str, list[str]]] = {}

    def __call__(self, connection: Connection, values: Values) -> int:
        """Execute it on SQLite; how many rows it changed."""
        return self._execute(connection, values).rowcount

    def rows(self, connection: Connection, values: Values) -> list[tuple[Any, ...]]:
        """Execute it on SQLite; its rows."""
        return self._execute(connection, values).fetchall()

    def _execute(self, connection: Connection, values: Values) -> sqlite3.Cursor:
        return sqlite_driver(connection).execute(*self.asked(connection.dialect, values))

    def asked(self, dialect: Dialect, values: Values) -> tuple[str, list[Any]]:
        """Its text for a driver, and the values in the order of their places."""
        compiled = self._compiled.get(dialect.name)
        if compiled is None:
            made = cast("ClauseElement", self._statement).compile(dialect=dialect)
            compiled = self._compiled[dialect.name] = (str(made), list(made.positiontup or ()))  # type: ignore[attr-defined]
        return compiled[0], [values[name] for name in compiled[1]]


class Database(Protocol):
    """What the storage stands on."""

    dialect: str
    patience: float
    """Seconds that a busy writer of the log waits for more to write at once."""

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Do this in one transaction, which is committed when it returns and undone if it raises."""

    async def look(self, work: Callable[[Connection], T]) -> T:
        """The same for what only reads."""

    async def fetch(self, *asked: tuple[Often, Values]) -> Fetched:
        """The rows of these statements, executed in this order."""

    async def often(self, statement: Often, values: Values) -> int:
        """Execute one statement, committed by itself; how many rows it changed."""

    async def store(self, table: Values, seats: Sequence[Values]) -> int:
        """Commit a new table with its seats; its number."""

    async def deal(self, row: Row) -> bool:
        """Commit the entry that begins a game, and that it is being played; False if another has dealt."""

    async def append(self, rows: Sequence[Row]) -> list[bool]:
        """Commit rows of the log; of each, whether it went in: False where (table, seq) had been written by another."""

    async def close(self) -> None:
        """Finish what was asked, then disconnect."""


NEW_TABLE = insert(schema.tables).returning(schema.tables.c.id)
NEW_SEATS = insert(schema.seats)
DEAL = Often(
    text(
        "INSERT INTO log (table_id, seq, kind, seat, action, at, text, body) "
        "VALUES (:table, :seq, :kind, :seat, :action, :at, :text, :body) ON CONFLICT (table_id, seq) DO NOTHING"
    )
)
PLAYING = Often(text("UPDATE tables SET status = 'playing' WHERE id = :table AND status = 'waiting'"))
ROW_NAMES = ("table", "seq", "kind", "seat", "action", "at", "text", "body")


def encoded(value: object) -> str:
    """Something as JSON: rows of the log, as many as there are, are one value of one statement."""
    return _encoder.encode(value).decode()


def sqlite_driver(connection: Connection) -> sqlite3.Connection:
    """SQLite's own connection."""
    return cast("sqlite3.Connection", connection.connection.driver_connection)
