"""The house: all tables of a worker. Reads, writes, timers and bots meet here; the rules are asked through `Play`."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable

from sqlalchemy import insert, select, text, update

from parlour.table import keepsakes, schema
from parlour.table.botdesk import BotDesk
from parlour.table.clock import Downtimes
from parlour.table.course import ABSENT
from parlour.table.database import Often
from parlour.table.entries import Entry, Kind
from parlour.table.live import Table
from parlour.table.memory import TALK_KEPT
from parlour.table.model import TalkLine
from parlour.table.news import DEAD_AFTER, SIGN_EVERY, News, Publish
from parlour.table.play import Play, Prepared
from parlour.table.problems import Conflict
from parlour.table.seating import name_apart
from parlour.table.storage import Storage

log = logging.getLogger("parlour.table")

LEAST_WAIT = 0.25
DEAL_AGAIN = 1.0
"""Seconds before a deal that could not be written is tried again."""
_OVER = Often(text("UPDATE tables SET status = 'over', ended = :now WHERE id = :number"))
STOP_SECONDS = 5.0


class House(News):
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
        super().__init__(storage, storage.dialect == "postgresql" if shared is None else shared, now, publish)
        self.bots = bots or BotDesk()
        self.draw = secrets.SystemRandom().random
        self.tasks: set[asyncio.Task[None]] = set()
        self.actions = 0
        self.streams: set[Callable[[], None]] = set()  # ends every open stream
        self.open = False
        self.appending_tells = False  # whether the database tells the other workers of what goes into the log
        self.stopping = asyncio.Event()

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
        self.end_streams()
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
        try:
            async with asyncio.timeout(STOP_SECONDS):
                await self.storage.sign_of_life(self.worker, self.now())
        except Exception:
            log.exception("no last sign of life could be given")

    def end_streams(self) -> None:
        """Let go of everybody who watches; whoever still wants to comes again, to whoever serves then."""
        for end in list(self.streams):
            end()

    def publish_on(self, channel: str) -> None:
        """Tell the other workers on this channel of PostgreSQL; what goes into the log is told by the database."""
        self.publish = lambda message: self.storage.notify(channel, message)
        self.storage.tell_appended(channel, self.worker)
        self.appending_tells = True

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
        columns, seats = schema.tables.c, schema.seats.c
        missing = select(seats.seat).where(seats.table_id == columns.id, seats.kind == "open").exists()
        full = (columns.status == "waiting") & ~missing  # somebody died between the last seat and the deal
        wanted = select(columns.slug).where((columns.status == "playing") | full)
        for row in await self.storage.rows(wanted):
            try:
                table = await self.table(row["slug"], fresh=True)
            except Exception:  # one table that cannot be read, its game gone perhaps, keeps no other from going on
                log.exception("the table %s cannot be resumed", row["slug"])
                continue
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
            try:
                await self._sign()
            except Exception:  # the database does not answer now: the next sign may come through
                log.exception("no sign of life could be given")

    async def _sign(self) -> None:
        await self.storage.sign_of_life(self.worker, self.now())
        if self.shared:
            self.say_presence()
            await self.catch_up()
            if await self.storage.dead_workers(self.worker, self.now() - DEAD_AFTER):
                await self.resume_all()  # what a dead worker had in hand is ours now

    def loaded(self, table: Table) -> None:
        """A table has just been read: what its game does at certain times is arranged again."""
        keepsakes.arrange(self, table)
        if self.open and can_be_dealt(table):
            self.spawn(self._deal_late(table))

    def ready(self, table: Table) -> None:
        """See Memory. Whoever took the last seat deals at once; if he cannot, any worker that knows of it does."""
        if self.open and can_be_dealt(table):
            asyncio.get_running_loop().call_later(DEAL_AGAIN, self._deal_if_nobody_has, table)

    def _deal_if_nobody_has(self, table: Table) -> None:
        if self.open and can_be_dealt(table) and self.tables.get(table.slug) is table:
            self.spawn(self._deal_late(table))

    async def _deal_late(self, table: Table) -> None:
        """The last seat was taken, and the server failed before it could deal: deal as soon as it can be done."""
        while self.tables.get(table.slug) is table:
            try:
                async with table.lock:
                    if self.shared:
                        await self.reseat(table)
                    await self.deal_if_full(table)
            except Exception:
                log.exception("the table %s cannot be dealt yet", table.slug)
                if await self.wait(DEAL_AGAIN):
                    continue
            return

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
        if not self.appending_tells:
            self.tell(table, "log", entry)
        self.after(table)
        return True

    async def _heal(self, table: Table) -> None:
        while True:
            try:
                async with table.lock:
                    await self.refresh(table)
            except Exception:
                log.exception("the table %s cannot be read back yet", table.slug)
                if await self.wait(DEAL_AGAIN):
                    continue
                return
            self.after(table)
            return

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
        await self.storage.often(_OVER, {"number": table.id, "now": self.now()})

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
        least = DEAL_AGAIN  # if it fails, it is tried again
        try:
            async with table.lock:
                await self._tick(table)
            least = LEAST_WAIT
        finally:
            self.set_timer(table, least)

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
        if not can_be_dealt(table):
            return
        play = self.new_play(table)
        entry = Entry(1, Kind.DEAL, -1, 0, self.now())
        dealt = await self.storage.deal(table.id, entry)
        if dealt:
            play.accept(entry)
            table.play = play
        else:
            await self.refresh(table)
        table.status = "playing"
        table.touch()
        if dealt:
            self.tell(table, "log", entry, table.chairs)
        self.after(table)

    async def sat_down(self, table: Table) -> None:
        """What follows when somebody has sat down: the others hear of it, and if nobody is missing any more the game is
        dealt. He has his seat whatever fails here; it is then done later. The caller holds the table's lock.
        """
        try:
            if self.shared:
                # after his own seat was committed: of two who take the last two seats at two workers, at least one
                # must see that nobody is missing any more
                await self.reseat(table)
                await self._tell_namesakes_apart(table)
            if can_be_dealt(table):
                await self.deal_if_full(table)
            else:
                self.tell(table, "seats", None, table.chairs)
        except Exception:
            log.exception("the table %s cannot be dealt now", table.slug)
            self.tell(table, "seats")
            self.spawn(self._deal_late(table))

    async def _tell_namesakes_apart(self, table: Table) -> None:
        """Two who sat down at the same moment at two workers may have given one name: the later seat gets a number."""
        names: list[str] = []
        for chair in table.chairs:
            if chair.kind != "open":
                apart = name_apart(chair.name, names)
                if apart != chair.name:
                    columns = schema.seats.c
                    mine = (columns.table_id == table.id) & (columns.seat == chair.seat) & (columns.name == chair.name)
                    await self.storage.change(update(schema.seats).where(mine).values(name=apart))
                    await self.reseat(table)
                names.append(apart)

    async def say(self, table: Table, seat: int | None, name: str, text: str) -> TalkLine:
        """Store a line of talk and show it."""
        at = self.now()
        number = await self.storage.number(
            insert(schema.talk)
            .values(table_id=table.id, seat=seat, name=name, text=text, at=at)
            .returning(schema.talk.c.id)
        )
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


def can_be_dealt(table: Table) -> bool:
    """R40: all seats are taken, and the game has not begun."""
    return table.play is None and table.status == "waiting" and all(chair.kind != "open" for chair in table.chairs)
