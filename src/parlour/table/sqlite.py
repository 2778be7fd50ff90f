"""SQLite: one thread of its own, through which all that writes goes in turn, and one for whoever only looks."""

from __future__ import annotations

import asyncio
import logging
import sqlite3
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from dataclasses import dataclass
from queue import SimpleQueue
from typing import Any, TypeVar

from sqlalchemy import Connection, create_engine, event
from sqlalchemy.engine import URL

from parlour.table.database import (
    DEAL,
    NEW_SEATS,
    NEW_TABLE,
    PLAYING,
    ROW_NAMES,
    Fetched,
    Often,
    Row,
    Values,
    encoded,
    sqlite_driver,
)
from parlour.table.migrate import StorageError

log = logging.getLogger("parlour.storage")

T = TypeVar("T")
_Told = tuple[asyncio.Future[Any], Any, Exception | None]

WORKS_AT_ONCE = 4
"""Pieces of work that one transaction takes at most: rows of the log must not wait long."""
CHECKPOINT_SECONDS = 1.0
RESTART_PATIENCE = 0.1
LONGEST_LOG = 16_384
"""Pages that SQLite's write-ahead log may have (64 MiB) before writers wait until it begins anew."""
SQLITE_ALL = """
    INSERT INTO log (table_id, seq, kind, seat, action, at, text, body)
    SELECT json_extract(value, '$[0]'), json_extract(value, '$[1]'), json_extract(value, '$[2]'),
           json_extract(value, '$[3]'), json_extract(value, '$[4]'), json_extract(value, '$[5]'),
           json_extract(value, '$[6]'), json_extract(value, '$[7]')
    FROM json_each(?)"""
SQLITE_ONE = """
    INSERT INTO log (table_id, seq, kind, seat, action, at, text, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?)
    ON CONFLICT (table_id, seq) DO NOTHING"""


@dataclass(slots=True)
class _Work:
    """A piece of work for the thread."""

    work: Callable[[Connection], Any]
    done: asyncio.Future[Any]


@dataclass(slots=True)
class _Rows:
    """Rows for the log."""

    rows: Sequence[Row]
    done: asyncio.Future[list[bool]]


class SqliteDatabase:
    """A SQLite file. Rows of the log go first; then what else waits, a few pieces to a transaction.

    Every step of a statement gives up the interpreter lock and must win it back from the event loop, so a group of the
    log's rows is written with one statement, which commits by itself.
    """

    dialect = "sqlite"
    patience = 0.0

    def __init__(self, url: URL) -> None:
        if url.database in (None, "", ":memory:"):
            raise StorageError("Tables are kept in a file. Write sqlite:///path/to/file.db.")
        self._path = str(url.database)
        # the driver is told to begin nothing by itself: transactions begin and end here
        self._engine = create_engine(url, connect_args={"timeout": 30}, isolation_level="AUTOCOMMIT")
        event.listen(self._engine, "connect", lambda connection, _record: _set_pragmas(connection))
        self._loop = asyncio.get_running_loop()
        self._rows: deque[_Rows] = deque()
        self._works: deque[_Work] = deque()
        self._bell: SimpleQueue[bool] = SimpleQueue()  # rung for each that is asked; True: no more will be
        self._ended: asyncio.Future[None] = self._loop.create_future()
        self._closing = False
        self._reader = ThreadPoolExecutor(1, thread_name_prefix="database reader")
        self._reading: Connection | None = None
        self._stop = threading.Event()
        self._keeper = threading.Thread(target=self._keep_log_short, name="checkpoints", daemon=True)
        threading.Thread(target=self._serve, name="database", daemon=True).start()

    async def run(self, work: Callable[[Connection], T]) -> T:
        """See Database."""
        self._check_open()
        done: asyncio.Future[T] = self._loop.create_future()
        self._works.append(_Work(work, done))
        self._bell.put(False)
        return await done

    async def look(self, work: Callable[[Connection], T]) -> T:
        """See Database. It has a thread of its own: whoever only looks does not wait for those who write."""
        self._check_open()
        return await self._loop.run_in_executor(self._reader, self._read, work)

    def _read(self, work: Callable[[Connection], T]) -> T:
        if self._reading is None:
            self._reading = self._engine.connect()
        with _transaction(sqlite_driver(self._reading), writes=False):
            return work(self._reading)

    async def fetch(self, *asked: tuple[Often, Values]) -> Fetched:
        """See Database."""
        return await self.look(lambda connection: [statement.rows(connection, values) for statement, values in asked])

    async def often(self, statement: Often, values: Values) -> int:
        """See Database."""
        return await self.run(lambda connection: statement(connection, values))

    async def store(self, table: Values, seats: Sequence[Values]) -> int:
        """See Database."""

        def write(connection: Connection) -> int:
            number = int(connection.execute(NEW_TABLE, table).scalar_one())
            connection.execute(NEW_SEATS, [{**seat, "table_id": number} for seat in seats])
            return number

        return await self.run(write)

    async def deal(self, row: Row) -> bool:
        """See Database."""

        def write(connection: Connection) -> bool:
            values = dict(zip(ROW_NAMES, row, strict=True))
            dealt = DEAL(connection, values) == 1
            PLAYING(connection, values)
            return dealt

        return await self.run(write)

    async def append(self, rows: Sequence[Row]) -> list[bool]:
        """See Database."""
        self._check_open()
        done: asyncio.Future[list[bool]] = self._loop.create_future()
        self._rows.append(_Rows(rows, done))
        self._bell.put(False)
        return await done

    async def close(self) -> None:
        """See Database."""
        self._closing = True
        await self._loop.run_in_executor(self._reader, self._end_reading)
        self._reader.shutdown()
        self._bell.put(True)
        await self._ended

    def _end_reading(self) -> None:
        if self._reading is not None:
            self._reading.close()

    def _check_open(self) -> None:
        if self._closing:
            raise StorageError("The database has been closed.")

    # --- in the thread ------------------------------------------------------------------------------------------

    def _serve(self) -> None:
        connection: Connection | None = None
        closing = False
        while not closing or self._rows or self._works:
            closing = closing or self._bell.get()
            try:
                if connection is None:
                    connection = self._engine.connect()
                    self._keeper.start()
            except Exception as error:
                self._fail_all(error)
                continue
            while self._rows:
                self._write(connection, self._rows.popleft())
            few = [self._works.popleft() for _ in range(min(WORKS_AT_ONCE, len(self._works)))]
            if few:
                self._do(connection, few)
        if connection is not None:
            self._stop.set()
            self._keeper.join()
            connection.close()
        self._engine.dispose()
        self._tell([(self._ended, None, None)])

    def _write(self, connection: Connection, asked: _Rows) -> None:
        driver = sqlite_driver(connection)
        written: list[bool] | None = None
        failed: Exception | None = None
        try:
            try:
                driver.execute(SQLITE_ALL, (encoded(asked.rows),))
                written = [True] * len(asked.rows)
            except sqlite3.IntegrityError:  # another process was faster with one of them: see with which
                with _transaction(driver, writes=True):
                    written = [driver.execute(SQLITE_ONE, row).rowcount == 1 for row in asked.rows]
        except Exception as error:
            failed = error
        self._tell([(asked.done, written, failed)])

    def _do(self, connection: Connection, asked: list[_Work]) -> None:
        """Do these in one transaction; if any of them fails, each in its own, so that nobody pays for another."""
        try:
            with _transaction(sqlite_driver(connection), writes=True):
                answers = [one.work(connection) for one in asked]
        except Exception as error:
            if len(asked) == 1:
                self._tell([(asked[0].done, None, error)])
            else:
                for one in asked:
                    self._do(connection, [one])
        else:
            self._tell([(one.done, answer, None) for one, answer in zip(asked, answers, strict=True)])

    def _fail_all(self, error: Exception) -> None:
        told: list[_Told] = []
        while self._rows:
            told.append((self._rows.popleft().done, None, error))
        while self._works:
            told.append((self._works.popleft().done, None, error))
        self._tell(told)

    def _keep_log_short(self) -> None:
        """Bring what is committed from the write-ahead log into the file. A commit that did so itself would make
        everybody wait for it, a twentieth of a second and more.
        """
        while not self._stop.wait(CHECKPOINT_SECONDS):
            try:
                # writers wait while a log begins anew, and it waits for whoever reads an old state: not for long
                with closing(sqlite3.connect(self._path, timeout=RESTART_PATIENCE, isolation_level=None)) as connection:
                    _, frames, done = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
                    if frames > LONGEST_LOG and frames == done:
                        connection.execute("PRAGMA wal_checkpoint(RESTART)")
            except sqlite3.Error:
                log.exception("the write-ahead log could not be shortened; it is tried again")

    def _tell(self, told: list[_Told]) -> None:
        try:
            self._loop.call_soon_threadsafe(_deliver, told)
        except RuntimeError:  # the loop was closed without waiting: nobody is left to be told
            return


@contextmanager
def _transaction(driver: sqlite3.Connection, writes: bool) -> Iterator[None]:
    driver.execute("BEGIN IMMEDIATE" if writes else "BEGIN")
    try:
        yield
        driver.execute("COMMIT")
    except BaseException:
        if driver.in_transaction:
            driver.execute("ROLLBACK")
        raise


def _deliver(told: list[_Told]) -> None:
    for future, answer, error in told:
        if future.done():
            continue
        if error is not None:
            future.set_exception(error)
        else:
            future.set_result(answer)


def _set_pragmas(connection: Any) -> None:
    cursor = connection.cursor()
    # FULL: an acknowledged action survives a power cut, not only a killed process.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.execute("PRAGMA wal_autocheckpoint=0")  # see _keep_log_short
    cursor.close()
