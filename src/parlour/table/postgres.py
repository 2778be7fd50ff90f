"""PostgreSQL. What is asked often goes to asyncpg directly, a third of the way through SQLAlchemy; the rest through it.

The log is written over a connection kept open: to fetch one costs more than to write. With the rows of a group goes
what the other workers are told of them, so that to write and to tell is one statement and one commit.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import suppress
from typing import TypeVar

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import Connection
from sqlalchemy.engine import URL
from sqlalchemy.exc import DBAPIError
from sqlalchemy.ext.asyncio import AsyncEngine, create_async_engine

from parlour.table.database import Fetched, Often, Row, Values, encoded
from parlour.table.migrate import StorageError

T = TypeVar("T")

CONNECTIONS = 8
CLOSE_SECONDS = 5.0
MESSAGE_LIMIT = 7_900
"""Bytes of a notification: PostgreSQL takes fewer than 8,000."""
MESSAGE_HEAD, MESSAGE_ROW = 60, 40
"""Bytes that a notification has beside its rows as JSON, and that PostgreSQL's way of writing adds to each row."""
LOST = (
    OSError,
    asyncpg.InterfaceError,
    asyncpg.InternalClientError,
    asyncpg.PostgresConnectionError,
    asyncpg.OperatorInterventionError,
)
"""What a connection says that has died meanwhile."""

_LOG = """
    INSERT INTO log (table_id, seq, kind, seat, action, at, text, body)
    SELECT (value->>0)::int, (value->>1)::int, (value->>2)::smallint, (value->>3)::smallint, (value->>4)::bigint,
           (value->>5)::float8, value->>6, value->>7
    FROM json_array_elements($1::json)
    ON CONFLICT (table_id, seq) DO NOTHING RETURNING """
_APPEND = _LOG + "table_id, seq"
_APPEND_AND_TELL = f"WITH won AS ({_LOG} *),"
_APPEND_AND_TELL += """
    told AS (SELECT pg_notify($2, json_build_array($3::text, json_agg(json_build_array(table_id, 'log',
                 json_build_array(seq, kind, seat, action, at, text, body))))::text) AS sent
             FROM won HAVING count(*) > 0)
    SELECT won.table_id, won.seq, told.sent FROM won, told"""
_DEAL = f"WITH dealt AS ({_LOG} 1),"
_DEAL += """
    playing AS (UPDATE tables SET status = 'playing'
                WHERE id = (($1::json)->0->>0)::int AND status = 'waiting')
    SELECT count(*) FROM dealt"""
_STORE = """
    WITH made AS (
        INSERT INTO tables (slug, game, version, box, players, title, options, clock, talk, opened, seed, commitment,
                            host_hash, status, created)
        SELECT slug, game, version, box, players, title, options, clock, talk, opened, seed, commitment, host_hash,
               status, created
        FROM json_populate_record(NULL::tables, $1::json) RETURNING id),
    seated AS (
        INSERT INTO seats (table_id, seat, kind, name, strength, secret_hash)
        SELECT made.id, given.seat, given.kind, given.name, given.strength, given.secret_hash
        FROM made, json_populate_recordset(NULL::seats, $2::json) AS given)
    SELECT id FROM made"""


class PostgresDatabase:
    """A PostgreSQL database.

    A connection that has died meanwhile is noticed by its first statement. What only reads is then done over another
    one; so is, once, a piece of work for `run`, unless it was being committed and nobody can tell whether it is.
    """

    dialect = "postgresql"
    patience = 0.0015
    """To write and to tell costs as much for one entry as for ten: a twentieth of a busy worker's time."""

    def __init__(self, url: URL) -> None:
        self._dsn = url.set(drivername="postgresql").render_as_string(hide_password=False)
        # all connections are made the same way, and understand the same of the URL
        self._engine = create_async_engine("postgresql+asyncpg://", async_creator=self._connect, pool_size=4)
        self._reading = self._engine.execution_options(isolation_level="AUTOCOMMIT")
        self._pool: asyncpg.Pool | None = None
        self._log: asyncpg.Connection | None = None
        self._lasting: list[asyncpg.Connection] = []
        self._opening = asyncio.Lock()
        self._closed = False
        self.herald: tuple[str, str] | None = None
        """Channel and worker: what is appended to the log is told there under this name."""

    async def run(self, work: Callable[[Connection], T]) -> T:
        """See Database."""
        return await self._over(self._engine, work, commit=True)

    async def look(self, work: Callable[[Connection], T]) -> T:
        """See Database."""
        return await self._over(self._reading, work, commit=False)

    async def _over(self, engine: AsyncEngine, work: Callable[[Connection], T], commit: bool) -> T:
        self._check_open()
        for again in (False, True):
            committing = False
            try:
                async with engine.connect() as connection:
                    answer = await connection.run_sync(work)
                    committing = commit
                    if commit:
                        await connection.commit()
                    return answer
            except DBAPIError as error:
                if again or committing or not error.connection_invalidated:
                    raise
        raise AssertionError("unreachable")

    async def fetch(self, *asked: tuple[Often, Values]) -> Fetched:
        """See Database."""
        for tries in range(CONNECTIONS + 1):  # all that lie ready may have died together
            try:
                async with (await self._connections()).acquire() as connection:
                    return [
                        await connection.fetch(text, *given)
                        for text, given in [one.asked(self._engine.dialect, values) for one, values in asked]
                    ]
            except LOST:
                if tries == CONNECTIONS:
                    raise
        raise AssertionError("unreachable")

    async def often(self, statement: Often, values: Values) -> int:
        """See Database."""
        text, given = statement.asked(self._engine.dialect, values)
        async with (await self._connections()).acquire() as connection:
            status: str = await connection.execute(text, *given)
        return int(status.rpartition(" ")[2])

    async def store(self, table: Values, seats: Sequence[Values]) -> int:
        """See Database."""
        async with (await self._connections()).acquire() as connection:
            return int(await connection.fetchval(_STORE, encoded(table), encoded(seats)))

    async def deal(self, row: Row) -> bool:
        """See Database."""
        async with (await self._connections()).acquire() as connection:
            return bool(await connection.fetchval(_DEAL, encoded([row])))

    async def append(self, rows: Sequence[Row]) -> list[bool]:
        """See Database. With a herald, the other workers are told of what went in."""
        try:
            if self._log is None or self._log.is_closed():
                self._log = await self._connect()
            found = await self._write(self._log, rows)
        except BaseException:
            held, self._log = self._log, None  # whatever is wrong with it, the next group gets another
            if held is not None:
                held.terminate()
            raise
        written = {(row[0], row[1]) for row in found}
        won: list[bool] = []
        for row in rows:
            won.append((row[0], row[1]) in written)
            written.discard((row[0], row[1]))  # of two with the same number one went in
        return won

    async def _write(self, connection: asyncpg.Connection, rows: Sequence[Row]) -> list[asyncpg.Record]:
        text = encoded(rows)
        if self.herald is None:
            return list(await connection.fetch(_APPEND, text))
        if MESSAGE_HEAD + len(text.encode()) + MESSAGE_ROW * len(rows) < MESSAGE_LIMIT:
            return list(await connection.fetch(_APPEND_AND_TELL, text, *self.herald))
        if len(rows) > 1:  # too much for one notification
            half = len(rows) // 2
            return [*await self._write(connection, rows[:half]), *await self._write(connection, rows[half:])]
        found = list(await connection.fetch(_APPEND, text))
        if found:  # the others read it for themselves
            channel, worker = self.herald
            await notify(connection, channel, encoded([worker, [[rows[0][0], "log"]]]))
        return found

    async def lasting(self) -> asyncpg.Connection:
        """A connection of its own, each statement committed by itself, that stays open until `close`."""
        connection = await self._connect()
        self._lasting.append(connection)
        return connection

    async def _connect(self) -> asyncpg.Connection:
        self._check_open()
        return await asyncpg.connect(self._dsn)

    async def _connections(self) -> asyncpg.Pool:
        self._check_open()
        if self._pool is None:
            async with self._opening:
                if self._pool is None:
                    self._pool = await asyncpg.create_pool(self._dsn, min_size=1, max_size=CONNECTIONS, reset=_as_it_is)
        return self._pool

    def _check_open(self) -> None:
        if self._closed:
            raise StorageError("The database has been closed.")

    async def close(self) -> None:
        """See Database."""
        self._closed = True
        for connection in [*self._lasting, *([] if self._log is None else [self._log])]:
            with suppress(*LOST):  # one that has died, or that does not answer, is closed
                await connection.close(timeout=CLOSE_SECONDS)
        if self._pool is not None:
            try:
                async with asyncio.timeout(CLOSE_SECONDS):
                    await self._pool.close()
            except TimeoutError:
                self._pool.terminate()
        await self._engine.dispose()


async def notify(connection: asyncpg.Connection, channel: str, message: str) -> None:
    """Tell everybody who listens on a channel of PostgreSQL."""
    await connection.execute("SELECT pg_notify($1, $2)", channel, message)


async def _as_it_is(_connection: asyncpg.Connection) -> None:
    """What is done to a connection that goes back to the pool: nothing, for nobody has left anything on it."""
