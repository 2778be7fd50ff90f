"""The database: SQLite in a file by default, PostgreSQL by URL. One writer a process commits entries in groups.

An entry is acknowledged only when its transaction is committed. Two workers that write the same (table, seq) are told
apart by the primary key: the statement returns the rows that went in, and whoever finds his missing lost the race.
"""

from __future__ import annotations

import asyncio
import secrets
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TypeVar

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy import Connection, Executable, func, insert, select, text, update
from sqlalchemy.engine import RowMapping, make_url
from sqlalchemy.exc import IntegrityError

from parlour.table import schema
from parlour.table.database import Database, Fetched, Often, Values
from parlour.table.entries import Entry
from parlour.table.migrate import StorageError, migrate, needs_migration
from parlour.table.postgres import LOST, PostgresDatabase, notify
from parlour.table.sqlite import SqliteDatabase

T = TypeVar("T")

ENTRIES = Often(
    text(
        "SELECT seq, kind, seat, action, at, text, body FROM log WHERE table_id = :table AND seq > :after ORDER BY seq"
    )
)

_LIFE = 7042026  # the advisory lock of living workers

__all__ = ["Storage", "StorageError", "database_url"]

CLOSE_SECONDS = 5.0
TOGETHER = 5.0
"""Seconds within which workers count as begun at the same time."""
GROUP_LIMIT = 512
"""Entries that one transaction takes at most."""


def database_url(given: str | None) -> str:
    """The URL with its driver. None: a file in the user's data directory."""
    if not given:
        import platformdirs

        folder = Path(platformdirs.user_data_dir("parlour"))
        folder.mkdir(parents=True, exist_ok=True)
        return f"sqlite:///{folder / 'tables.db'}"
    if "://" not in given:
        return f"sqlite:///{Path(given).expanduser().resolve()}"
    scheme, _, rest = given.partition("://")
    drivers = {
        "sqlite": "sqlite",
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

    def __init__(self, database: Database, url: str) -> None:
        self.database = database
        self.url = url
        self.dialect = database.dialect
        self.lost_races = 0
        self.commits = 0
        self._waiting: list[tuple[int, Entry, asyncio.Future[bool]]] = []
        self._wake = asyncio.Event()
        self._writer: asyncio.Task[None] | None = None
        self._closing = False
        self._life: asyncpg.Connection | None = None  # on PostgreSQL: held from begin_life to close
        self._telling = asyncio.Lock()

    @classmethod
    async def open(cls, url: str | None = None) -> Storage:
        """Connect, bring the schema up to date, start the writer."""
        full = database_url(url)
        parsed = make_url(full)
        sqlite = parsed.get_backend_name() == "sqlite"
        database: Database = SqliteDatabase(parsed) if sqlite else PostgresDatabase(parsed)
        storage = cls(database, full)
        try:
            if await database.look(needs_migration):
                await database.run(migrate)
        except BaseException:
            await database.close()
            raise
        storage._writer = asyncio.create_task(storage._write(), name="log writer")
        return storage

    async def close(self) -> None:
        """Commit what waits, then disconnect."""
        self._closing = True
        self._wake.set()
        if self._writer is not None:
            _, late = await asyncio.wait([self._writer], timeout=CLOSE_SECONDS)
            for writer in late:  # the database does not answer
                writer.cancel()
        await self.database.close()

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
        """Commit what waits, in groups."""
        many = False
        while self._waiting or not self._closing:
            if not self._waiting:
                self._wake.clear()
                await self._wake.wait()
                continue
            if many and self.database.patience and not self._closing:
                await asyncio.sleep(self.database.patience)
            many = len(self._waiting) > 1
            group, self._waiting = self._waiting[:GROUP_LIMIT], self._waiting[GROUP_LIMIT:]
            try:
                written = await self.database.append([(table, *entry) for table, entry, _ in group])
            except Exception as error:  # whoever waits must hear of it, whatever it was
                for _, _, done in group:
                    if not done.done():
                        done.set_exception(error)
                continue
            self.commits += 1
            for (_, _, done), won in zip(group, written, strict=True):
                self.lost_races += not won
                if not done.done():
                    done.set_result(won)

    async def entries(self, table: int, after: int = 0) -> list[Entry]:
        """The committed entries of a table with a seq above `after`, in order."""
        (rows,) = await self.database.fetch((ENTRIES, {"table": table, "after": after}))
        return [Entry(*row) for row in rows]

    async def deal(self, table: int, entry: Entry) -> bool:
        """Write the entry that begins a game, and that it is being played; False if another worker has dealt."""
        dealt = await self.database.deal((table, *entry))
        self.commits += 1
        self.lost_races += not dealt
        return dealt

    # --- everything else ----------------------------------------------------------------------------------------

    async def look(self, work: Callable[[Connection], T]) -> T:
        """Do this, which only reads. On SQLite it runs in another thread."""
        return await self.database.look(work)

    async def run(self, work: Callable[[Connection], T]) -> T:
        """Do this in one transaction: the rare writes, of seats, talk, reports. On SQLite it runs in another thread."""
        return await self.database.run(work)

    async def change(self, statement: Executable) -> int:
        """Execute a statement in a transaction of its own; how many rows it changed."""
        return await self.database.run(lambda connection: connection.execute(statement).rowcount)

    async def often(self, statement: Often, values: Values) -> int:
        """The same for a statement that is executed often."""
        return await self.database.often(statement, values)

    async def fetch(self, *asked: tuple[Often, Values]) -> Fetched:
        """The rows of statements that are executed often, in this order: of each statement a list."""
        return await self.database.fetch(*asked)

    async def store(self, table: Values, seats: Sequence[Values]) -> int:
        """Write a new table and its seats; its number."""
        return await self.database.store(table, seats)

    async def number(self, statement: Executable) -> int:
        """The same, for the number that the statement returns."""
        return await self.database.run(lambda connection: int(connection.execute(statement).scalar_one()))

    async def rows(self, statement: Executable) -> Sequence[RowMapping]:
        """The rows of a query, as mappings."""
        return await self.database.look(lambda connection: connection.execute(statement).mappings().all())

    async def notify(self, channel: str, message: str) -> None:
        """Tell everybody who listens on a channel of PostgreSQL, over the connection that is kept open anyway."""
        async with self._telling:
            assert self._life is not None
            try:
                await notify(self._life, channel, message)
            except LOST:  # the connection is gone, and with it what it held: another takes its place
                await self._live(await self._connect_life())
                await notify(self._life, channel, message)

    def tell_appended(self, channel: str, worker: str) -> None:
        """From now on whatever goes into the log is told on this channel of PostgreSQL, as news from this worker."""
        assert isinstance(self.database, PostgresDatabase)
        self.database.herald = (channel, worker)

    async def key(self, name: str) -> str:
        """A secret of this installation, the same in every worker; made when first asked for."""
        wanted = select(schema.keys.c.value).where(schema.keys.c.name == name)
        for _ in range(2):
            found = await self.rows(wanted)
            if found:
                return str(found[0]["value"])
            try:
                await self.change(insert(schema.keys).values(name=name, value=secrets.token_hex(32)))
            except IntegrityError:
                continue  # another worker was faster: take his
        return str((await self.rows(wanted))[0]["value"])

    # --- signs of life: time that no server was up is charged to nobody -----------------------------------------

    async def begin_life(self, worker: str, now: float) -> None:
        """Note that a worker lives. If no other does, the time since the last sign of life was a downtime."""
        alone = True
        if isinstance(self.database, PostgresDatabase):
            self._life = await self._connect_life()
            alone = bool(await self._life.fetchval("SELECT pg_try_advisory_lock($1)", _LIFE))

        def note(connection: Connection) -> None:
            last = connection.execute(select(func.max(schema.workers.c.at))).scalar()
            if alone:
                if last is not None and now > last:
                    connection.execute(insert(schema.downtimes).values(since=last, until=now))
                # others may have begun together with this one
                connection.execute(schema.workers.delete().where(schema.workers.c.at < now - TOGETHER))
            connection.execute(insert(schema.workers).values(id=worker, at=now))

        await self.run(note)
        if self._life is not None:
            await self._live(self._life)
            if alone:
                await self._life.execute("SELECT pg_advisory_unlock($1)", _LIFE)

    async def _connect_life(self) -> asyncpg.Connection:
        assert isinstance(self.database, PostgresDatabase)
        connection = await self.database.lasting()
        # news need not be durable: what it tells of has been committed before
        await connection.execute("SET synchronous_commit TO off")
        return connection

    async def _live(self, connection: asyncpg.Connection) -> None:
        """Every living worker holds this lock shared; PostgreSQL frees it when a process dies, however it dies."""
        await connection.execute("SELECT pg_advisory_lock_shared($1)", _LIFE)
        self._life = connection

    async def sign_of_life(self, worker: str, now: float) -> None:
        """Note that a worker still lives."""
        mine = update(schema.workers).where(schema.workers.c.id == worker).values(at=now)
        if await self.change(mine) == 0:  # taken for dead, after a long silence
            await self.change(insert(schema.workers).values(id=worker, at=now))

    async def dead_workers(self, worker: str, before: float) -> bool:
        """Whether another worker has given no sign since `before`; takes over from it, so that only one caller does."""
        gone = schema.workers.delete().where(schema.workers.c.at < before, schema.workers.c.id != worker)
        return await self.change(gone) > 0

    async def downtimes(self) -> list[tuple[float, float]]:
        """All the times in which no server was up."""
        found = await self.rows(select(schema.downtimes.c.since, schema.downtimes.c.until).order_by("since"))
        return [(float(row["since"]), float(row["until"])) for row in found]
