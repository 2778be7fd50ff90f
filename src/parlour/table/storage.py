"""The database: SQLite in a file by default, PostgreSQL by URL. One writer a process commits entries in groups.

An entry is acknowledged only when its transaction is committed. Two workers that write the same (table, seq) are told
apart by the primary key: the statement returns the rows that went in, and whoever finds his missing lost the race.
"""

from __future__ import annotations

import asyncio
import logging
import secrets
from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import msgspec
from sqlalchemy import event, func, insert, select, text, update
from sqlalchemy.engine import RowMapping, make_url
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

from parlour.table import schema
from parlour.table.entries import Entry
from parlour.table.migrate import StorageError, migrate

log = logging.getLogger("parlour.storage")

_APPEND = {
    "sqlite": """
        INSERT INTO log (table_id, seq, kind, seat, action, at, text, body)
        SELECT value->>0, value->>1, value->>2, value->>3, value->>4, value->>5, value->>6, value->>7
        FROM json_each(:rows) WHERE true
        ON CONFLICT (table_id, seq) DO NOTHING RETURNING table_id, seq""",
    "postgresql": """
        INSERT INTO log (table_id, seq, kind, seat, action, at, text, body)
        SELECT (value->>0)::int, (value->>1)::int, (value->>2)::smallint, (value->>3)::smallint, (value->>4)::bigint,
               (value->>5)::float8, value->>6, value->>7
        FROM json_array_elements(CAST(:rows AS json))
        ON CONFLICT (table_id, seq) DO NOTHING RETURNING table_id, seq""",
}
_ENTRIES = text(
    "SELECT seq, kind, seat, action, at, text, body FROM log WHERE table_id = :table AND seq > :after ORDER BY seq"
)
_NOTIFY = text("SELECT pg_notify(:channel, :message)")
_encode = msgspec.json.Encoder().encode

_LIFE = 7042026  # the advisory lock of living workers

__all__ = ["Storage", "StorageError", "database_url"]

GROUP_LIMIT = 512
"""Entries that one transaction takes at most."""


def database_url(given: str | None) -> str:
    """The URL for the asynchronous driver. None: a file in the user's data directory."""
    if not given:
        import platformdirs

        folder = Path(platformdirs.user_data_dir("parlour"))
        folder.mkdir(parents=True, exist_ok=True)
        return f"sqlite+aiosqlite:///{folder / 'tables.db'}"
    if "://" not in given:
        return f"sqlite+aiosqlite:///{Path(given).expanduser().resolve()}"
    scheme, _, rest = given.partition("://")
    drivers = {
        "sqlite": "sqlite+aiosqlite",
        "sqlite+aiosqlite": "sqlite+aiosqlite",
        "postgres": "postgresql+asyncpg",
        "postgresql": "postgresql+asyncpg",
        "postgresql+asyncpg": "postgresql+asyncpg",
    }
    if scheme not in drivers:
        raise StorageError(
            f"The database {scheme}://… is not one that tables can be kept in. "
            "Write sqlite:///path/to/file.db or postgresql://user@host/name."
        )
    return f"{drivers[scheme]}://{rest}"


class Storage:
    """An open database. Make it with `await Storage.open(url)`, end it with `await storage.close()`."""

    def __init__(self, engine: AsyncEngine, url: str) -> None:
        self.engine = engine
        self.url = url
        self.dialect = engine.dialect.name
        self.lost_races = 0
        self.commits = 0
        self._append = text(_APPEND[self.dialect])
        self._waiting: list[tuple[int, Entry, asyncio.Future[bool]]] = []
        self._in_hand: list[tuple[int, Entry, asyncio.Future[bool]]] = []
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._closing = False
        self._life: AsyncConnection | None = None  # on PostgreSQL: held from begin_life to close
        self._telling = asyncio.Lock()
        # SQLite takes one writer at a time: our own transactions queue here rather than in its busy handler.
        self._turn = asyncio.Lock()

    @classmethod
    async def open(cls, url: str | None = None) -> Storage:
        """Connect, bring the schema up to date, start the writer."""
        full = database_url(url)
        parsed = make_url(full)
        if parsed.get_backend_name() == "sqlite":
            engine = create_async_engine(full, pool_size=4, max_overflow=4, connect_args={"timeout": 30})
            event.listen(engine.sync_engine, "connect", _sqlite_pragmas)
        else:
            engine = create_async_engine(full, pool_size=8, max_overflow=8, pool_pre_ping=True)
        storage = cls(engine, full)
        try:
            await migrate(engine)
        except BaseException:
            await engine.dispose()
            raise
        storage._writer = asyncio.create_task(storage._write(), name="log writer")
        return storage

    async def close(self) -> None:
        """Commit what waits, then disconnect."""
        self._closing = True
        self._wake.set()
        if self._writer is not None:
            await self._writer
        if self._life is not None:
            await self._life.close()
        await self.engine.dispose()

    # --- the log ------------------------------------------------------------------------------------------------

    def append(self, table: int, entry: Entry) -> asyncio.Future[bool]:
        """Write an entry. The future is True once it is committed, False if another worker had written that seq."""
        if self._closing:
            raise StorageError("The server is stopping.")
        done: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.append((table, entry, done))
        self._wake.set()
        return done

    async def _write(self) -> None:
        """Commit what waits, in groups, over one connection kept open: to fetch one costs more than to write."""
        while not self._closing or self._waiting:
            try:
                async with self.engine.execution_options(isolation_level="AUTOCOMMIT").connect() as connection:
                    await self._write_over(connection)
            except Exception as error:  # whoever waits must hear of it, whatever it was; the writer begins anew
                group, self._in_hand = self._in_hand, []
                for _, _, done in group:
                    if not done.done():
                        done.set_exception(error)
                if not group:
                    log.exception("the log cannot be written")
                    await asyncio.sleep(0.2)

    async def _write_over(self, connection: AsyncConnection) -> None:
        while True:
            if not self._waiting:
                if self._closing:
                    return
                self._wake.clear()
                await self._wake.wait()
                continue
            self._in_hand, self._waiting = self._waiting[:GROUP_LIMIT], self._waiting[GROUP_LIMIT:]
            rows = _encode([(table, *entry) for table, entry, _ in self._in_hand]).decode()
            async with self._turn:
                result = await connection.execute(self._append, {"rows": rows})
                written = {(row[0], row[1]) for row in result}
            self.commits += 1
            group, self._in_hand = self._in_hand, []
            for table, entry, done in group:
                won = (table, entry.seq) in written
                self.lost_races += not won
                if not done.done():
                    done.set_result(won)

    async def entries(self, table: int, after: int = 0) -> list[Entry]:
        """The committed entries of a table with a seq above `after`, in order."""
        async with self.engine.connect() as connection:
            result = await connection.execute(_ENTRIES, {"table": table, "after": after})
            return [Entry(*row) for row in result]

    # --- everything else ----------------------------------------------------------------------------------------

    @asynccontextmanager
    async def transaction(self) -> AsyncIterator[AsyncConnection]:
        """A transaction for the rare writes: seats, talk, reports."""
        if self.dialect == "sqlite":
            async with self._turn, self.engine.begin() as connection:
                yield connection
        else:
            async with self.engine.begin() as connection:
                yield connection

    async def rows(self, statement: Any, parameters: dict[str, Any] | None = None) -> Sequence[RowMapping]:
        """The rows of a query, as mappings."""
        async with self.engine.connect() as connection:
            result = await connection.execute(statement, parameters)
            return result.mappings().all()

    async def notify(self, channel: str, message: str) -> None:
        """Tell everybody who listens on a channel of PostgreSQL, over the connection that is kept open anyway."""
        assert self._life is not None
        async with self._telling:
            await self._life.execute(_NOTIFY, {"channel": channel, "message": message})

    async def key(self, name: str) -> str:
        """A secret of this installation, the same in every worker; made when first asked for."""
        wanted = select(schema.keys.c.value).where(schema.keys.c.name == name)
        for _ in range(2):
            found = await self.rows(wanted)
            if found:
                return str(found[0]["value"])
            try:
                async with self.transaction() as connection:
                    await connection.execute(insert(schema.keys).values(name=name, value=secrets.token_hex(32)))
            except IntegrityError:
                continue  # another worker was faster: take his
        return str((await self.rows(wanted))[0]["value"])

    # --- signs of life: time that no server was up is charged to nobody -----------------------------------------

    async def begin_life(self, worker: str, now: float) -> None:
        """Note that a worker lives. If no other does, the time since the last sign of life was a downtime."""
        alone = True
        if self.dialect == "postgresql":
            # Every living worker holds this lock shared; PostgreSQL frees it when a process dies, however it dies.
            self._life = await self.engine.execution_options(isolation_level="AUTOCOMMIT").connect()
            # news need not be durable: what it tells of has been committed before
            await self._life.execute(text("SET synchronous_commit TO off"))
            alone = bool((await self._life.execute(text(f"SELECT pg_try_advisory_lock({_LIFE})"))).scalar())
        async with self.transaction() as connection:
            last = (await connection.execute(select(func.max(schema.workers.c.at)))).scalar()
            if alone:
                if last is not None and now > last:
                    await connection.execute(insert(schema.downtimes).values(since=last, until=now))
                await connection.execute(schema.workers.delete())
            await connection.execute(insert(schema.workers).values(id=worker, at=now))
        if self._life is not None:
            await self._life.execute(text(f"SELECT pg_advisory_lock_shared({_LIFE})"))
            if alone:
                await self._life.execute(text(f"SELECT pg_advisory_unlock({_LIFE})"))

    async def sign_of_life(self, worker: str, now: float) -> None:
        """Note that a worker still lives."""
        async with self.transaction() as connection:
            await connection.execute(update(schema.workers).where(schema.workers.c.id == worker).values(at=now))

    async def dead_workers(self, worker: str, before: float) -> bool:
        """Whether another worker has given no sign since `before`; takes over from it, so that only one caller does."""
        async with self.transaction() as connection:
            gone = await connection.execute(
                schema.workers.delete()
                .where(schema.workers.c.at < before, schema.workers.c.id != worker)
                .returning(schema.workers.c.id)
            )
            return bool(gone.all())

    async def downtimes(self) -> list[tuple[float, float]]:
        """All the times in which no server was up."""
        found = await self.rows(select(schema.downtimes.c.since, schema.downtimes.c.until).order_by("since"))
        return [(float(row["since"]), float(row["until"])) for row in found]


def _sqlite_pragmas(connection: Any, _record: Any) -> None:
    cursor = connection.cursor()
    # FULL: an acknowledged action survives a power cut, not only a killed process.
    for pragma in ("journal_mode=WAL", "synchronous=FULL", "foreign_keys=ON", "busy_timeout=30000"):
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
