"""A connection to the database: pieces of work, each a transaction, and rows for the log.

SQLite has one thread of its own, through which everything goes in turn; PostgreSQL is asked through asyncpg.
"""

from __future__ import annotations

import asyncio
import sqlite3
import threading
from collections.abc import Callable, Sequence
from queue import SimpleQueue
from typing import Any, Protocol, TypeVar

import msgspec
from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import URL
from sqlalchemy.ext.asyncio import AsyncConnection, create_async_engine

from parlour.table.migrate import StorageError

T = TypeVar("T")
Row = tuple[Any, ...]
"""A table's number, then the fields of an Entry."""

_encode = msgspec.json.Encoder().encode


class Database(Protocol):
    """What the storage stands on."""

    dialect: str

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Do this in one transaction, which is committed when it returns and undone if it raises."""

    async def look(self, work: Callable[[Connection], T]) -> T:
        """The same for what only reads."""

    async def append(self, rows: Sequence[Row]) -> list[bool]:
        """Commit rows of the log; of each, whether it went in: False where (table, seq) had been written by another."""

    async def close(self) -> None:
        """Finish what was asked, then disconnect."""


SQLITE_ALL = """
    INSERT INTO log (table_id, seq, kind, seat, action, at, text, body)
    SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7 FROM json_each(?)"""
SQLITE_ONE = """
    INSERT INTO log (table_id, seq, kind, seat, action, at, text, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (table_id, seq) DO NOTHING"""
POSTGRES = """
    INSERT INTO log (table_id, seq, kind, seat, action, at, text, body)
    SELECT (value->>0)::int, (value->>1)::int, (value->>2)::smallint, (value->>3)::smallint, (value->>4)::bigint,
           (value->>5)::float8, value->>6, value->>7
    FROM json_array_elements($1::json)
    ON CONFLICT (table_id, seq) DO NOTHING RETURNING table_id, seq"""


class SqliteDatabase:
    """A SQLite file.

    Every step of a statement gives up the interpreter lock and must win it back from the event loop, so the log is
    written with one statement for a whole group, over a connection that commits by itself.
    """

    dialect = "sqlite"

    def __init__(self, url: URL) -> None:
        if url.database in (None, "", ":memory:"):
            raise StorageError("Tables are kept in a file. Write sqlite:///path/to/file.db.")
        self._path = str(url.database)
        self._engine = create_engine(url, connect_args={"timeout": 30})
        event.listen(self._engine, "connect", lambda connection, _record: _set_pragmas(connection))
        self._loop = asyncio.get_running_loop()
        self._inbox: SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]] | None] = SimpleQueue()
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._closing = False
        self._held: Connection | None = None
        self._log: sqlite3.Connection | None = None
        threading.Thread(target=self._serve, name="database", daemon=True).start()

    async def run(self, work: Callable[[Connection], T]) -> T:
        """See Database."""
        return await self._ask(lambda: self._transact(work))

    look = run

    async def append(self, rows: Sequence[Row]) -> list[bool]:
        """See Database."""
        return await self._ask(lambda: self._write(rows))

    async def close(self) -> None:
        """See Database."""
        self._closing = True
        self._inbox.put(None)
        await self._ended

    def _ask(self, work: Callable[[], T]) -> asyncio.Future[T]:
        if self._closing:
            raise StorageError("The database has been closed.")
        done: asyncio.Future[T] = self._loop.create_future()
        self._inbox.put((work, done))
        return done

    # --- in the thread ------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        while (asked := self._inbox.get()) is not None:
            work, done = asked
            try:
                answer = work()
            except BaseException as error:
                self._tell(_fail, done, error)
            else:
                self._tell(_answer, done, answer)
            del asked, work, done
        if self._log is not None:
            self._log.close()
        if self._held is not None:
            self._held.close()
        self._engine.dispose()
        self._tell(_answer, self._ended, None)

    def _tell(self, what: Callable[..., None], future: asyncio.Future[Any], value: object) -> None:
        try:
            self._loop.call_soon_threadsafe(what, future, value)
        except RuntimeError:  # the loop was closed without waiting: nobody is left to be told
            return

    def _transact(self, work: Callable[[Connection], T]) -> T:
        if self._held is None:
            self._held = self._engine.connect()
        with self._held.begin():
            return work(self._held)

    def _write(self, rows: Sequence[Row]) -> list[bool]:
        if self._log is None:
            self._log = sqlite3.connect(self._path, timeout=30, isolation_level=None)
            _set_pragmas(self._log)
        try:
            self._log.execute(SQLITE_ALL, (_encode(rows).decode(),))
        except sqlite3.IntegrityError:  # another process was faster with one of them: see with which
            return self._write_singly(self._log, rows)
        return [True] * len(rows)

    @staticmethod
    def _write_singly(log: sqlite3.Connection, rows: Sequence[Row]) -> list[bool]:
        log.execute("BEGIN IMMEDIATE")
        try:
            written = [log.execute(SQLITE_ONE, row).rowcount == 1 for row in rows]
            log.execute("COMMIT")
        except BaseException:
            log.execute("ROLLBACK")
            raise
        return written


def _answer(future: asyncio.Future[Any], value: object) -> None:
    if not future.done():
        future.set_result(value)


def _fail(future: asyncio.Future[Any], error: BaseException) -> None:
    if not future.done():
        future.set_exception(error)


def _set_pragmas(connection: Any) -> None:
    cursor = connection.cursor()
    # FULL: an acknowledged action survives a power cut, not only a killed process.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()


class PostgresDatabase:
    """A PostgreSQL database. The log is written over a connection kept open: to fetch one costs more than to write."""

    dialect = "postgresql"

    def __init__(self, url: URL) -> None:
        self._engine = create_async_engine(url, pool_size=8, max_overflow=8, pool_pre_ping=True)
        self._reading = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._log: AsyncConnection | None = None
        self._lasting: list[AsyncConnection] = []

    async def run(self, work: Callable[[Connection], T]) -> T:
        """See Database."""
        async with self._engine.begin() as connection:
            return await connection.run_sync(work)

    async def look(self, work: Callable[[Connection], T]) -> T:
        """See Database."""
        async with self._reading.connect() as connection:
            return await connection.run_sync(work)

    async def append(self, rows: Sequence[Row]) -> list[bool]:
        """See Database."""
        try:
            if self._log is None:
                self._log = await self._reading.connect()
            driver: Any = (await self._log.get_raw_connection()).driver_connection
            written = {(row[0], row[1]) for row in await driver.fetch(POSTGRES, _encode(rows).decode())}
        except BaseException:
            held, self._log = self._log, None  # whatever is wrong with it, the next group gets another
            if held is not None:
                await held.invalidate()
                await held.close()
            raise
        return [(row[0], row[1]) in written for row in rows]

    async def lasting(self) -> AsyncConnection:
        """A connection of its own, each statement committed by itself, that stays open until `close`."""
        connection = await self._reading.connect()
        self._lasting.append(connection)
        return connection

    async def close(self) -> None:
        """See Database."""
        for connection in [*self._lasting, *([] if self._log is None else [self._log])]:
            await connection.close()
        await self._engine.dispose()
