"""The house: all tables of a worker. Reads, writes, timers and bots meet here; the rules are asked through `Play`."""

from __future__ import annotations

import asyncio
import json
import logging
import secrets
import time
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Sequence

from sqlalchemy import insert, select, update

from parlour import games
from parlour.kernel import Game
from parlour.table import keepsakes, schema
from parlour.table.botdesk import BotDesk
from parlour.table.clock import ClockRule, Downtimes
from parlour.table.course import ABSENT
from parlour.table.entries import Entry, Kind
from parlour.table.live import Chair, Table
from parlour.table.model import TalkLine
from parlour.table.play import Play, Prepared
from parlour.table.problems import Conflict, NotFound, NotYours
from parlour.table.storage import Storage
from parlour.table.upkeep import check_play

log = logging.getLogger("parlour.table")

KEPT_TABLES = 1000
"""Tables kept in memory when nobody watches them."""
SIGN_EVERY = 5.0
DEAD_AFTER = 4 * SIGN_EVERY
TALK_KEPT = 200
LEAST_WAIT = 0.25
_HERE = "here:"
STOP_SECONDS = 5.0
NEWS_AT_ONCE = 200  # PostgreSQL takes 8,000 bytes in a notification

Publish = Callable[[list[list[int | str]]], Awaitable[None]]


class House:
    """The tables of one worker. `publish` tells the other workers which tables have changed."""

    def __init__(
        self,
        storage: Storage,
        bots: BotDesk | None = None,
        *,
        shared: bool | None = None,
        now: Callable[[], float] = time.time,
        publish: Publish | None = None,
    ) -> None:
        self.storage = storage
        self.bots = bots or BotDesk()
        self.shared = storage.dialect == "postgresql" if shared is None else shared
        self.now = now
        self.publish = publish
        self.draw = secrets.SystemRandom().random
        self.worker = secrets.token_hex(8)
        self.down = Downtimes()
        self.tables: OrderedDict[str, Table] = OrderedDict()
        self.by_id: dict[int, Table] = {}
        self.tasks: set[asyncio.Task[None]] = set()
        self.actions = 0
        self.streams: set[Callable[[], None]] = set()  # ends every open stream
        self.open = False
        self.stopping = asyncio.Event()
        self._loading: dict[str, asyncio.Future[Table]] = {}
        self._news: list[list[int | str]] = []
        self._news_task: asyncio.Task[None] | None = None

    # --- beginning and end --------------------------------------------------------------------------------------

    async def start(self, *, resume: bool = True) -> None:
        """Note the downtime, then go on with every table that was being played."""
        await self.storage.begin_life(self.worker, self.now())
        self.down = Downtimes(await self.storage.downtimes())
        self.open = True
        self.spawn(self._signs())
        if resume:
            self.spawn(self.resume_all())

    async def stop(self) -> None:
        """Stop timers and bots, leave a last sign of life."""
        self.open = False
        for end in list(self.streams):
            end()
        for table in self.tables.values():
            if table.timer is not None:
                table.timer.cancel()
        self.stopping.set()
        # what is being written is finished; what only waits, for time or for a bot, has just been told
        if self.tasks:
            _, late = await asyncio.wait(list(self.tasks), timeout=STOP_SECONDS)
            for task in late:
                task.cancel()
        await self.bots.close()
        await self.storage.sign_of_life(self.worker, self.now())

    def warm_bots(self) -> None:
        """Start a bot's process before the first move needs it."""
        if self.open:
            self.bots.warm()

    def spawn(self, work: Awaitable[None]) -> None:
        """Run something in the background; a failure is logged, never lost."""

        async def run() -> None:
            try:
                await work
            except asyncio.CancelledError:
                raise
            except Exception:
                log.exception("background work failed")

        task = asyncio.create_task(run())
        self.tasks.add(task)
        task.add_done_callback(self.tasks.discard)

    async def resume_all(self) -> None:
        """Load every table that is being played: its timers and bots go on."""
        wanted = select(schema.tables.c.slug).where(schema.tables.c.status == "playing")
        for row in await self.storage.rows(wanted):
            table = await self.table(row["slug"])
            self.after(table)

    async def wait(self, seconds: float) -> bool:
        """Let time pass; False if the server stops meanwhile."""
        try:
            await asyncio.wait_for(self.stopping.wait(), seconds)
        except TimeoutError:
            return True
        return False

    async def _signs(self) -> None:
        while await self.wait(SIGN_EVERY):
            await self.storage.sign_of_life(self.worker, self.now())
            if self.shared:
                self._presence()
            if self.shared and await self.storage.dead_workers(self.worker, self.now() - DEAD_AFTER):
                await self.resume_all()  # what a dead worker had in hand is ours now

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
        except BaseException as error:
            future.set_exception(error)
            future.exception()  # heard, if nobody else waits
            raise
        else:
            self.keep(table)
            keepsakes.arrange(self, table)
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

    async def _load(self, slug: str) -> Table:
        if not (slug.isascii() and slug.isalnum() and len(slug) <= 32):
            raise NotFound("There is no such table. The link may have been cut short.")
        found = await self.storage.rows(select(schema.tables).where(schema.tables.c.slug == slug))
        if not found:
            raise NotFound("There is no such table. The link may have been cut short.")
        row = found[0]
        chairs = await self._chairs(row["id"])
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
        table.talk = await self._talk(table.id)
        entries = await self.storage.entries(table.id)
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

    async def _chairs(self, table: int) -> list[Chair]:
        wanted = select(schema.seats).where(schema.seats.c.table_id == table).order_by(schema.seats.c.seat)
        return [
            Chair(row["seat"], row["kind"], row["name"], row["strength"], row["secret_hash"])
            for row in await self.storage.rows(wanted)
        ]

    async def _talk(self, table: int) -> list[TalkLine]:
        columns = schema.talk.c
        wanted = select(schema.talk).where(columns.table_id == table).order_by(columns.id.desc()).limit(TALK_KEPT)
        rows = await self.storage.rows(wanted)
        return [TalkLine(row["id"], row["name"], row["text"], row["at"], row["seat"]) for row in reversed(rows)]

    async def refresh(self, table: Table) -> None:
        """Fold in what other workers have committed. The caller holds the table's lock."""
        seq = 0 if table.play is None else table.play.seq
        entries = await self.storage.entries(table.id, seq)
        if not entries or table.status == "held":
            return
        if table.play is None:
            await self.reseat(table)
            table.play = self.new_play(table)
            table.status = "playing"
        for entry in entries:
            table.play.accept(entry)
            table.touch_for(entry.kind, entry.seat)
        if table.play.over:
            table.status = "over"

    async def reseat(self, table: Table) -> None:
        """Read seats, names and talk again."""
        table.chairs = await self._chairs(table.id)
        table.index_secrets()
        self.renamed(table)

    def renamed(self, table: Table) -> None:
        """Names have changed: the story is told anew."""
        table.lines.clear()
        if table.play is not None:
            table.play.names[:] = table.names
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

    # --- writing ------------------------------------------------------------------------------------------------

    async def write(self, table: Table, entry: Entry, prepared: Prepared | None = None) -> bool:
        """Commit an entry and fold it in; False if another worker came first. The caller holds the table's lock."""
        assert table.play is not None
        try:
            won = await self.storage.append(table.id, entry)
            if won:
                table.play.accept(entry, prepared)
        except BaseException:
            # committed or not, we cannot tell: read it back before anybody looks
            self.spawn(self._heal(table))
            raise
        if not won:
            await self.refresh(table)
            return False
        table.touch_for(entry.kind, entry.seat)
        self.tell(table, "log")
        self.after(table)
        return True

    async def _heal(self, table: Table) -> None:
        async with table.lock:
            await self.refresh(table)
        self.after(table)

    def tell(self, table: Table, what: str) -> None:
        """Let the other workers know, in one message for all that changes in this turn of the loop."""
        if self.publish is None or not self.shared:
            return
        self._news.append([table.id, what])
        if self._news_task is None or self._news_task.done():
            self._news_task = asyncio.create_task(self._send_news())

    async def _send_news(self) -> None:
        while self._news and self.publish is not None:
            news, self._news = self._news[:NEWS_AT_ONCE], self._news[NEWS_AT_ONCE:]
            try:
                await self.publish([[self.worker, ""], *news])
            except Exception:
                log.exception("other workers could not be told")  # their readers refresh by themselves

    async def hear(self, news: list[list[int | str]]) -> None:
        """What another worker has told."""
        if not news or news[0][0] == self.worker:
            return
        for number, what in news[1:]:
            table = self.by_id.get(int(number))
            if table is None:
                continue
            async with table.lock:
                if what == "log":
                    await self.refresh(table)
                elif isinstance(what, str) and what.startswith(_HERE):
                    self._heard_here(table, str(news[0][0]), what)
                elif what == "talk":
                    table.talk = await self._talk(table.id)
                    table.touch()
                else:
                    await self.reseat(table)

    def announce(self, table: Table) -> None:
        """Tell the other workers who has this table open here."""
        self.tell(table, _HERE + ",".join(str(seat) for seat, pages in table.present.items() if pages))

    def _heard_here(self, table: Table, worker: str, what: str) -> None:
        seats = frozenset(int(seat) for seat in what[len(_HERE) :].split(",") if seat)
        known = table.elsewhere.get(worker, (0.0, frozenset()))[1]
        table.elsewhere[worker] = (time.monotonic(), seats)
        if seats != known:
            table.touch()

    def _presence(self) -> None:
        """Say again who is here, and forget what workers said that say nothing any more."""
        for table in self.tables.values():
            if any(table.present.values()):
                self.announce(table)
            silent = [worker for worker, (at, _) in table.elsewhere.items() if time.monotonic() - at > DEAD_AFTER]
            if silent:
                for worker in silent:
                    del table.elsewhere[worker]
                table.touch()

    def after(self, table: Table) -> None:
        """What follows from a change: the end, the next timer, the bots' moves."""
        play = table.play
        if play is None or not self.open:
            return
        if play.over:
            if table.status != "over":
                table.status = "over"
                self.spawn(self._note_end(table))
            if table.timer is not None:
                table.timer.cancel()
                table.timer = None
            keepsakes.arrange(self, table)
            return
        self.set_timer(table)
        self.call_bots(table)

    async def _note_end(self, table: Table) -> None:
        async with self.storage.transaction() as connection:
            await connection.execute(
                update(schema.tables).where(schema.tables.c.id == table.id).values(status="over", ended=self.now())
            )

    # --- time ---------------------------------------------------------------------------------------------------

    def set_timer(self, table: Table, least: float = 0.0) -> None:
        """Wake up when something is due at this table."""
        play = table.play
        if table.timer is not None:
            table.timer.cancel()
            table.timer = None
        if play is None or table.status == "held" or not self.open:
            return
        if play.over:
            keepsakes.arrange(self, table)
            return
        moments = [play.next_due()]
        if play.rule.kind != "none" and play.paused is None:
            halves = (clock.half_time(play.down) for clock in play.clocks)
            moments += [half for half in halves if half is not None and half > table.warned_at]
        due = min((moment for moment in moments if moment is not None), default=None)
        if due is not None:
            delay = max(least, due - self.now())
            table.timer = asyncio.get_running_loop().call_later(min(delay, 86_400), self._ring, table)

    def _ring(self, table: Table) -> None:
        table.timer = None
        self.spawn(self.tick(table))

    async def tick(self, table: Table) -> None:
        """Do what is due: close a window, let a vote have its way, hand an expired chair to a bot, warn."""
        async with table.lock:
            await self._tick(table)
        self.set_timer(table, LEAST_WAIT)

    async def _tick(self, table: Table) -> None:
        play = table.play
        while play is not None and not play.over and table.status != "held" and play.paused is None:
            now = self.now()
            outcome = play.prepare_outcome(now)
            if outcome is not None:
                await self.write(table, outcome)
                continue
            absent = play.gone_absent()
            if absent is not None:
                await self.write(table, Entry(play.seq + 1, Kind.TAKEOVER, absent, 0, now, ABSENT))
                continue
            due = play.window_due()
            if due is not None and due <= now:
                late = play.late_in_window()
                if not late:
                    prepared = play.prepare_close(now)
                    assert prepared.entry is not None
                    await self.write(table, prepared.entry, prepared)
                    continue
                gone = [seat for seat in late if not play.played_by_bot(seat)]
            else:
                gone = play.clock_expired(now)
                if gone and table.game.etiquette.timeout_action is not None:
                    prepared = play.prepare_lapse(gone[0], now)
                    assert prepared.entry is not None
                    await self.write(table, prepared.entry, prepared)
                    continue
            if gone:
                await self.write(table, Entry(play.seq + 1, Kind.TAKEOVER, gone[0], 0, now, "clock"))
                continue
            halves = [clock.half_time(play.down) for clock in play.clocks if clock.started is not None]
            if any(half is not None and table.warned_at < half <= now for half in halves):
                table.warned_at = now
                table.touch()
            return

    # --- bots ---------------------------------------------------------------------------------------------------

    def call_bots(self, table: Table) -> None:
        """Let every bot that is asked begin to think."""
        play = table.play
        if play is None or play.question is not None or table.status == "held":
            return
        for seat in play.asked():
            if seat not in table.pending_bots and play.played_by_bot(seat) and play.wants(seat):
                table.pending_bots.add(seat)
                self.spawn(self._bot_move(table, seat))

    async def _bot_move(self, table: Table, seat: int) -> None:
        play = table.play
        assert play is not None
        try:
            began, ply = time.monotonic(), play.ply
            wait = self.bot_pause(play)
            strength = table.chairs[seat].strength or "club"
            given = len(play.answers.get(seat, ()))
            code = await self._asked_bot(play, seat, strength)
            if code is None or not await self.wait(max(0.0, wait - (time.monotonic() - began))):
                return
            async with table.lock:
                same = play.ply == ply and len(play.answers.get(seat, ())) == given and play.question is None
                if same and play.wants(seat) and play.played_by_bot(seat) and table.status != "held":
                    prepared = play.prepare_act(seat, ply, code, None, self.now(), given)
                    if prepared.entry is not None:
                        await self.write(table, prepared.entry, prepared)
        finally:
            table.pending_bots.discard(seat)
        self.after(table)

    def bot_pause(self, play: Play) -> float:
        """How long a bot seems to think: drawn before it chooses, so that it tells nothing of what it holds."""
        if not play.people:
            return 0.0
        low, high = play.game.etiquette.bot_pause
        return low + (high - low) * self.draw()

    async def _asked_bot(self, play: Play, seat: int, strength: str) -> int | None:
        """The bot's choice; None if the server stops before it comes."""
        choice = asyncio.create_task(self.bots.choose(play.position_for(seat), seat, strength))
        stop = asyncio.create_task(self.stopping.wait())
        done, _ = await asyncio.wait({choice, stop}, return_when=asyncio.FIRST_COMPLETED)
        stop.cancel()
        if choice in done:
            return choice.result()
        choice.cancel()
        return None

    # --- beginning a game ---------------------------------------------------------------------------------------

    async def deal_if_full(self, table: Table) -> None:
        """R40: when the last seat is taken, and not before, the game is dealt. The caller holds the table's lock."""
        if table.play is not None or table.status != "waiting":
            return
        if any(chair.kind == "open" for chair in table.chairs):
            return
        play = self.new_play(table)
        entry = Entry(1, Kind.DEAL, -1, 0, self.now())
        won = await self.storage.append(table.id, entry)
        if won:
            play.accept(entry)
            table.play = play
        else:
            await self.refresh(table)
        async with self.storage.transaction() as connection:
            await connection.execute(
                update(schema.tables)
                .where(schema.tables.c.id == table.id, schema.tables.c.status == "waiting")
                .values(status="playing")
            )
        table.status = "playing"
        table.touch()
        self.tell(table, "log")
        self.after(table)

    async def say(self, table: Table, seat: int | None, name: str, text: str) -> TalkLine:
        """Store a line of talk and show it."""
        at = self.now()
        async with self.storage.transaction() as connection:
            number = (
                await connection.execute(
                    insert(schema.talk)
                    .values(table_id=table.id, seat=seat, name=name, text=text, at=at)
                    .returning(schema.talk.c.id)
                )
            ).scalar_one()
        line = TalkLine(number, name, text, at, seat)
        table.talk = [*table.talk, line][-TALK_KEPT:]
        table.touch()
        self.tell(table, "talk")
        return line

    def must_play(self, table: Table) -> Play:
        """The play of a table that may be acted at. Raises Conflict with the reason."""
        if table.status == "held":
            raise Conflict(table.notice or "The table is held until its players have chosen.")
        if table.play is None:
            raise Conflict("The game has not begun: a seat is still open.")
        return table.play
