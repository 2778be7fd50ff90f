"""The tables that a worker holds in memory: read when first asked for, kept in step with what others have committed."""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, NamedTuple

import msgspec
from sqlalchemy import func, select, text

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
from parlour.table.storage import ENTRIES, Storage
from parlour.table.upkeep import check_play

log = logging.getLogger("parlour.table")

KEPT_TABLES = 1000
"""Tables kept in memory when nobody watches them."""
IN_HAND = 10.0
"""Seconds for which a table that was asked for is kept in any case."""
TALK_KEPT = 200
_OF = "table_id = (SELECT id FROM tables WHERE slug = :slug)"
_TABLE = Often(
    text(
        "SELECT id, slug, game, version, box, title, options, clock, talk, opened, seed, commitment, host_hash, "
        "status, notice, created FROM tables WHERE slug = :slug"
    )
)
_LOG = Often(text(f"SELECT seq, kind, seat, action, at, text, body FROM log WHERE {_OF} ORDER BY seq"))  # noqa: S608
_CHAIR = "SELECT seat, kind, name, strength, secret_hash FROM seats WHERE"
_CHAIRS = Often(text(f"{_CHAIR} {_OF} ORDER BY seat"))
_CHAIRS_NOW = Often(text(f"{_CHAIR} table_id = :table ORDER BY seat"))
_LINE = "SELECT id, name, text, at, seat FROM talk WHERE"
_LAST = f"ORDER BY id DESC LIMIT {TALK_KEPT}"
_TALK = Often(text(f"{_LINE} {_OF} {_LAST}"))
_TALK_NOW = Often(text(f"{_LINE} table_id = :table {_LAST}"))
_SEATED = Often(
    text(
        "UPDATE seats SET kind = 'person', name = :name, secret_hash = :secret_hash "
        "WHERE table_id = :table AND seat = :seat AND kind = 'open'"
    )
)


class _TableRow(NamedTuple):
    """A row of _TABLE."""

    id: int
    slug: str
    game: str
    version: int
    box: str
    title: str
    options: str
    clock: str
    talk: bool
    opened: str
    seed: str
    commitment: str
    host_hash: str
    status: str
    notice: str
    created: float


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
        self._unheard: set[int] = set()  # numbers of tables of which something was told while some were being read

    def loaded(self, table: Table) -> None:
        """A table has just been read."""

    def ready(self, table: Table) -> None:
        """It is known who sits at a table; perhaps nobody is missing."""

    # --- tables -------------------------------------------------------------------------------------------------

    async def table(self, slug: str, *, fresh: bool = False, secret: str | None = None, ply: int = 0) -> Table:
        """A table by its name in links. `fresh`: with everything that other workers have committed.

        A hashed `secret` that is not known here may be of a seat that was taken at another worker a moment ago, and
        whoever has seen a later `ply` has seen it there: then it is read again in any case.
        """
        table = self.tables.get(slug)
        if table is None:
            table = await self._load_once(slug)
        elif self.shared:
            behind = fresh or ply > (0 if table.play is None else table.play.ply)
            if behind or (secret is not None and secret not in table.seats_by_hash):
                async with table.lock:
                    if behind:
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
            if table.id in self._unheard:
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
            if not self._loading:
                self._unheard.clear()

    def held(self, number: int) -> Table | None:
        """A table that is held here, by its number; news of one that is just being read is noted."""
        table = self.by_id.get(number)
        if table is None and self._loading:
            self._unheard.add(number)
        return table

    def keep(self, table: Table) -> None:
        """Hold a table in memory; those unused for longest and watched by nobody make room."""
        self.tables[table.slug] = table
        self.by_id[table.id] = table
        table.used = time.monotonic()
        if len(self.tables) > KEPT_TABLES:
            # whoever has just asked for a table may still be about to act at it
            idle = [
                kept
                for kept in self.tables.values()
                if not kept.watchers
                and not kept.pending_bots
                and kept.timer is None
                and not kept.lock.locked()
                and table.used - kept.used > IN_HAND
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

        table.id = await self.storage.store(row, seats)
        self.keep(table)
        self.loaded(table)

    async def _load(self, slug: str) -> Table:
        if not (slug.isascii() and slug.isalnum() and len(slug) <= 32):
            raise NotFound("There is no such table. The link may have been cut short.")
        given = {"slug": slug}
        # the log before the seats: whoever is named by it has sat down before
        rows, entries, chairs, talk = await self.storage.fetch(
            *((one, given) for one in (_TABLE, _LOG, _CHAIRS, _TALK))
        )
        if not rows:
            raise NotFound("There is no such table. The link may have been cut short.")
        row = _TableRow(*rows[0])
        table = Table(
            id=row.id,
            slug=row.slug,
            title=row.title,
            game=self.game(row.game),
            version=row.version,
            box=row.box,
            options=json.loads(row.options),
            clock=ClockRule(**json.loads(row.clock)),
            talk_on=bool(row.talk),
            seed=bytes.fromhex(row.seed),
            commitment=row.commitment,
            host_hash=row.host_hash,
            status="playing" if entries and row.status == "waiting" else row.status,
            notice=row.notice,
            created=row.created,
            chairs=[Chair(*chair) for chair in chairs],
            opened=json.loads(row.opened),
        )
        table.talk = _talk_of(talk)
        if entries:
            self._replay(table, [Entry(*one) for one in entries])
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
        (lines,) = await self.storage.fetch((_TALK_NOW, {"table": table}))
        return _talk_of(lines)

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
        number = {"table": table.id}
        entries, chairs, talk = await self.storage.fetch(
            (ENTRIES, {**number, "after": seq}), (_CHAIRS_NOW, number), (_TALK_NOW, number)
        )
        self._reseated(table, [Chair(*chair) for chair in chairs])
        if (lines := _talk_of(talk)) != table.talk:
            table.talk = lines
            table.touch()
        self._fold(table, [Entry(*one) for one in entries])

    def _fold(self, table: Table, entries: Sequence[Entry]) -> None:
        if not entries or table.status == "held":
            return
        if table.play is None:
            self.begin(table)
        for entry in entries:
            self.follow(table, entry)

    def begin(self, table: Table) -> None:
        """The game has been dealt: its entries are to be folded in."""
        table.play = self.new_play(table)
        table.status = "playing"

    def follow(self, table: Table, entry: Entry) -> None:
        """Fold in one entry that another worker has committed. The caller holds the table's lock."""
        assert table.play is not None
        table.play.accept(entry)
        table.touch_for(entry.kind, entry.seat)
        if table.play.over:
            table.status = "over"

    async def catch_up(self) -> None:
        """Look whether a table has gone on unheard: news can be lost, and nobody may be left behind for it, nor go on
        with a secret that was replaced.
        """
        known = list(self.by_id)
        if not known:
            return
        entries = schema.log.c
        newest = select(entries.table_id, func.max(entries.seq).label("seq"))
        newest = newest.where(entries.table_id.in_(known)).group_by(entries.table_id)
        behind = {
            row["table_id"]
            for row in await self.storage.rows(newest)
            if (table := self.by_id.get(row["table_id"])) is not None
            and row["seq"] > (0 if table.play is None else table.play.seq)
        }
        told = select(schema.talk.c.table_id, func.max(schema.talk.c.id).label("id"))
        for row in await self.storage.rows(told.where(schema.talk.c.table_id.in_(known)).group_by("table_id")):
            table = self.by_id.get(row["table_id"])
            if table is not None and row["id"] > (table.talk[-1].id if table.talk else 0):
                behind.add(row["table_id"])
        behind |= await self._wrongly_seated(known)
        for number in behind:
            table = self.by_id.get(number)
            if table is not None:
                async with table.lock:
                    await self.catch_up_with(table)

    async def _wrongly_seated(self, known: list[int]) -> set[int]:
        """The tables at which other people sit than is known here, or with other secrets."""
        seats = schema.seats.c
        found: dict[int, list[Chair]] = {}
        columns = (seats.table_id, seats.seat, seats.kind, seats.name, seats.strength, seats.secret_hash)
        for row in await self.storage.rows(select(*columns).where(seats.table_id.in_(known)).order_by(seats.seat)):
            chair = Chair(row["seat"], row["kind"], row["name"], row["strength"], row["secret_hash"])
            found.setdefault(row["table_id"], []).append(chair)
        return {one for one, chairs in found.items() if (held := self.by_id.get(one)) and held.chairs != chairs}

    async def take_seat(self, table: Table, seat: int, name: str, secret_hash: str) -> bool:
        """Commit that somebody sits down; False if another was faster. The caller holds the table's lock."""
        values = {"table": table.id, "seat": seat, "name": name, "secret_hash": secret_hash}
        try:
            if await self.storage.often(_SEATED, values) != 1:
                return False
        except Exception:
            if not await self.holds(table, seat, secret_hash):
                raise
            return True
        table.chairs[seat] = replace(table.chairs[seat], kind="person", name=name, secret_hash=secret_hash)
        self.seated(table)
        return True

    async def holds(self, table: Table, seat: int, secret_hash: str) -> bool:
        """Whether this secret has got the seat, where the answer to its commit was lost."""
        try:
            await self.reseat(table)
        except Exception:
            log.exception("the seats of %s cannot be read", table.slug)
        return table.chairs[seat].secret_hash == secret_hash

    def sit_down(self, table: Table, chairs: Sequence[Chair]) -> None:
        """Another worker has told who sits where. Only what was open changes hands so: the rest is read."""
        for chair in chairs:
            if table.chairs[chair.seat].kind == "open" and chair.kind != "open":
                table.chairs[chair.seat] = chair
        self.seated(table)

    async def reseat(self, table: Table) -> None:
        """Read seats and names again."""
        (chairs,) = await self.storage.fetch((_CHAIRS_NOW, {"table": table.id}))
        self._reseated(table, [Chair(*chair) for chair in chairs])

    def _reseated(self, table: Table, chairs: list[Chair]) -> None:
        if chairs != table.chairs:
            table.chairs = chairs
            self.seated(table)

    def seated(self, table: Table) -> None:
        """Seats have changed, and with them names: the story is told anew."""
        table.index_secrets()
        table.lines.clear()
        if table.play is not None:
            table.play.names[:] = table.names
            table.play.people = table.people
        table.touch()
        self.ready(table)

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


def _talk_of(rows: Sequence[tuple[Any, ...]]) -> list[TalkLine]:
    return [TalkLine(*row) for row in reversed(rows)]
