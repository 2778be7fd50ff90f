"""The tables that a worker holds in memory: read when first asked for, kept in step with what others have committed."""

from __future__ import annotations

import asyncio
import json
import time
from collections import OrderedDict
from collections.abc import Callable, Mapping, Sequence

import msgspec
from sqlalchemy import Connection, RowMapping, bindparam, func, insert, select

from parlour import games
from parlour.kernel import Game
from parlour.table import schema
from parlour.table.clock import ClockRule, Downtimes
from parlour.table.database import Often
from parlour.table.entries import Entry
from parlour.table.live import Chair, Table
from parlour.table.model import TalkLine
from parlour.table.play import Play
from parlour.table.problems import NotFound, NotYours
from parlour.table.storage import Storage, read_entries
from parlour.table.upkeep import check_play

KEPT_TABLES = 1000
"""Tables kept in memory when nobody watches them."""
TALK_KEPT = 200
_TABLE = select(schema.tables).where(schema.tables.c.slug == bindparam("slug"))
_CHAIRS = select(schema.seats).where(schema.seats.c.table_id == bindparam("number")).order_by(schema.seats.c.seat)
_TALK = (
    select(schema.talk)
    .where(schema.talk.c.table_id == bindparam("number"))
    .order_by(schema.talk.c.id.desc())
    .limit(TALK_KEPT)
)
_NEW_SEATS = insert(schema.seats)
_NEW_TABLE = insert(schema.tables).returning(schema.tables.c.id)


class Memory:
    """A cache of tables. Everything in it can be read again."""

    def __init__(self, storage: Storage, shared: bool, now: Callable[[], float]) -> None:
        self.storage = storage
        self.shared = shared  # whether other workers write to the same database
        self.now = now
        self.down = Downtimes()
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.by_id: dict[int, Table] = {}
        self._loading: dict[str, asyncio.Future[Table]] = {}

    def loaded(self, table: Table) -> None:
        """A table has just been read."""

    # --- tables -------------------------------------------------------------------------------------------------

    async def table(self, slug: str, *, fresh: bool = False, secret: str | None = None) -> Table:
        """A table by its name in links. `fresh`: with everything that other workers have committed.

        A hashed `secret` that is not known here may be of a seat that was taken at another worker a moment ago.
        """
        table = self.tables.get(slug)
        if table is None:
            table = await self._load_once(slug)
        elif fresh and self.shared:
            async with table.lock:
                await self.refresh(table)
                if secret is not None and secret not in table.seats_by_hash:
                    await self.reseat(table)
        table.used = time.monotonic()
        return table

    async def _load_once(self, slug: str) -> Table:
        waiting = self._loading.get(slug)
        if waiting is not None:
            return await asyncio.shield(waiting)
        future: asyncio.Future[Table] = asyncio.get_running_loop().create_future()
        self._loading[slug] = future
        try:
            table = await self._load(slug)
            self.keep(table)
            if self.shared:  # what was told of it while it was being read went unheard
                async with table.lock:
                    await self.catch_up_with(table)
        except BaseException as error:
            future.set_exception(error)
            future.exception()  # heard, if nobody else waits
            raise
        else:
            self.loaded(table)
            future.set_result(table)
            return table
        finally:
            del self._loading[slug]

    def keep(self, table: Table) -> None:
        """Hold a table in memory; those unused for longest and watched by nobody make room."""
        self.tables[table.slug] = table
        self.by_id[table.id] = table
        if len(self.tables) > KEPT_TABLES:
            idle = [
                kept
                for kept in self.tables.values()
                if not kept.watchers and not kept.pending_bots and kept.timer is None and not kept.lock.locked()
            ]
            for old in sorted(idle, key=lambda kept: kept.used)[: len(self.tables) - KEPT_TABLES]:
                if old is not table:
                    del self.tables[old.slug]
                    del self.by_id[old.id]

    def forget(self, table: Table) -> None:
        """Drop a table from memory; it is read again when it is next asked for."""
        if table.timer is not None:
            table.timer.cancel()
        self.tables.pop(table.slug, None)
        self.by_id.pop(table.id, None)
        table.touch()  # its streams end, and come again to the new one

    async def store(self, table: Table) -> None:
        """Write a new table down, give it its number, and hold it."""
        row = {
            "slug": table.slug,
            "game": table.game.name,
            "version": table.version,
            "box": table.box,
            "players": len(table.chairs),
            "title": table.title,
            "options": json.dumps(table.options),
            "clock": msgspec.json.encode(table.clock).decode(),
            "talk": table.talk_on,
            "opened": json.dumps(table.opened),
            "seed": table.seed.hex(),
            "commitment": table.commitment,
            "host_hash": table.host_hash,
            "status": table.status,
            "created": table.created,
        }
        seats = [
            {
                "seat": chair.seat,
                "kind": chair.kind,
                "name": chair.name,
                "strength": chair.strength,
                "secret_hash": chair.secret_hash,
            }
            for chair in table.chairs
        ]

        def write(connection: Connection) -> int:
            number = int(connection.execute(_NEW_TABLE, row).scalar_one())
            connection.execute(_NEW_SEATS, [{**seat, "table_id": number} for seat in seats])
            return number

        table.id = await self.storage.run(write)
        self.keep(table)
        self.loaded(table)

    async def _load(self, slug: str) -> Table:
        if not (slug.isascii() and slug.isalnum() and len(slug) <= 32):
            raise NotFound("There is no such table. The link may have been cut short.")
        found = await self.storage.look(lambda connection: _read(connection, slug))
        if found is None:
            raise NotFound("There is no such table. The link may have been cut short.")
        row, chairs, talk, entries = found
        table = Table(
            id=row["id"],
            slug=row["slug"],
            title=row["title"],
            game=self.game(row["game"]),
            version=row["version"],
            box=row["box"],
            options=json.loads(row["options"]),
            clock=ClockRule(**json.loads(row["clock"])),
            talk_on=bool(row["talk"]),
            seed=bytes.fromhex(row["seed"]),
            commitment=row["commitment"],
            host_hash=row["host_hash"],
            status=row["status"],
            notice=row["notice"],
            created=row["created"],
            chairs=chairs,
            opened=json.loads(row["opened"]),
        )
        table.talk = talk
        if entries:
            self._replay(table, entries)
        return table

    def _replay(self, table: Table, entries: Sequence[Entry]) -> None:
        table.play = self.new_play(table)
        changed = (table.version, table.box) != (table.game.version, table.game.box_hash)
        if changed and table.status in ("playing", "held"):
            report = check_play(table.play, entries)
            if report.verdict != "same":
                table.status = "held"
                table.notice = report.sentence
            return
        for entry in entries:
            table.play.accept(entry)

    def game(self, name: str) -> Game:
        """A game of the shelf. Raises NotFound with the shelf's own sentence."""
        try:
            return games.get(name)
        except games.UnknownGame as error:
            raise NotFound(str(error)) from None

    def new_play(self, table: Table) -> Play:
        """A play of this table, before its first entry."""
        return Play(
            table.game,
            len(table.chairs),
            table.options,
            table.seed,
            table.clock,
            table.people,
            table.names,
            self.down,
        )

    async def _talk(self, table: int) -> list[TalkLine]:
        return await self.storage.look(lambda connection: _read_talk(connection, table))

    async def refresh(self, table: Table) -> None:
        """Fold in what other workers have committed. The caller holds the table's lock."""
        seq = 0 if table.play is None else table.play.seq
        entries = await self.storage.entries(table.id, seq)
        if entries and table.play is None and table.status != "held":
            await self.reseat(table)
        self._fold(table, entries)

    async def catch_up_with(self, table: Table) -> None:
        """Seats, names and log as they are now, in one look. The caller holds the table's lock."""
        seq = 0 if table.play is None else table.play.seq
        # the log first: whoever is named by it has sat down before
        entries, table.chairs = await self.storage.look(
            lambda connection: (read_entries(connection, table.id, seq), _read_chairs(connection, table.id))
        )
        table.index_secrets()
        self.renamed(table)
        self._fold(table, entries)

    def _fold(self, table: Table, entries: Sequence[Entry]) -> None:
        if not entries or table.status == "held":
            return
        if table.play is None:
            table.play = self.new_play(table)
            table.status = "playing"
        for entry in entries:
            self.follow(table, entry)

    def follow(self, table: Table, entry: Entry) -> None:
        """Fold in one entry that another worker has committed. The caller holds the table's lock."""
        assert table.play is not None
        table.play.accept(entry)
        table.touch_for(entry.kind, entry.seat)
        if table.play.over:
            table.status = "over"

    async def catch_up(self) -> None:
        """Look whether a watched table has gone on unheard: news can be lost, and nobody may be left behind for it."""
        watched = [table.id for table in self.tables.values() if table.watchers]
        if not watched:
            return
        log = schema.log.c
        newest = (
            select(log.table_id, func.max(log.seq).label("seq")).where(log.table_id.in_(watched)).group_by(log.table_id)
        )
        for row in await self.storage.rows(newest):
            table = self.by_id.get(row["table_id"])
            if table is not None and row["seq"] > (0 if table.play is None else table.play.seq):
                async with table.lock:
                    await self.refresh(table)

    async def change_seats(self, table: Table, statement: Often, values: Mapping[str, object]) -> int:
        """Change seats, then read them all again; how many were changed. The caller holds the table's lock.

        The reading must come after the commit: of two who take the last two seats at two workers, at least one must see
        that nobody is missing any more.
        """
        changed = await self.storage.often(statement, values)
        await self.reseat(table)
        return changed

    async def reseat(self, table: Table) -> None:
        """Read seats and names again."""
        table.chairs = await self.storage.look(lambda connection: _read_chairs(connection, table.id))
        table.index_secrets()
        self.renamed(table)

    def renamed(self, table: Table) -> None:
        """Names have changed: the story is told anew."""
        table.lines.clear()
        if table.play is not None:
            table.play.names[:] = table.names
            table.play.people = table.people
        table.touch()

    # --- who is who ---------------------------------------------------------------------------------------------

    def seat_of(self, table: Table, hashed: str | None) -> int | None:
        """The seat that a hashed secret opens, None for a spectator."""
        return None if hashed is None else table.seats_by_hash.get(hashed)

    def my_seat(self, table: Table, hashed: str | None) -> int:
        """The caller's seat. Raises NotYours for everybody else."""
        seat = self.seat_of(table, hashed)
        if seat is None:
            raise NotYours("You have no seat at this table, or its link has been replaced by a new one.")
        return seat


def _read(connection: Connection, slug: str) -> tuple[RowMapping, list[Chair], list[TalkLine], list[Entry]] | None:
    row = connection.execute(_TABLE, {"slug": slug}).mappings().first()
    if row is None:
        return None
    number = row["id"]
    entries = read_entries(connection, number)  # the log first: whoever is named by it has sat down before
    return row, _read_chairs(connection, number), _read_talk(connection, number), entries


def _read_chairs(connection: Connection, table: int) -> list[Chair]:
    rows = connection.execute(_CHAIRS, {"number": table}).mappings()
    return [Chair(row["seat"], row["kind"], row["name"], row["strength"], row["secret_hash"]) for row in rows]


def _read_talk(connection: Connection, table: int) -> list[TalkLine]:
    rows = connection.execute(_TALK, {"number": table}).mappings().all()
    return [TalkLine(row["id"], row["name"], row["text"], row["at"], row["seat"]) for row in reversed(rows)]
