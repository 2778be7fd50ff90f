"""What workers tell each other: which tables have changed, and who is at their pages."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable
from typing import NamedTuple

import msgspec

from parlour.table.entries import Entry
from parlour.table.live import Chair, Table
from parlour.table.memory import Memory
from parlour.table.storage import Storage

log = logging.getLogger("parlour.table")

SIGN_EVERY = 5.0
"""Seconds between a worker's signs of life."""
DEAD_AFTER = 4 * SIGN_EVERY
MESSAGE_LIMIT = 7_500  # PostgreSQL takes 8,000 bytes in a notification
_HERE = "here:"

Publish = Callable[[str], Awaitable[None]]
_encode = msgspec.json.Encoder().encode


class _Sitting(NamedTuple):
    """A chair, on its way."""

    seat: int
    kind: str
    name: str
    strength: str
    secret_hash: str | None


class Told(NamedTuple):
    """What is told of one table: that its log, its seats or its talk have changed, or who is at its pages."""

    table: int
    what: str
    entry: Entry | None = None
    chairs: list[_Sitting] | None = None


_decode = msgspec.json.Decoder(tuple[str, list[Told]]).decode


class News(Memory):
    """The part of a worker that speaks with the others. `publish` sends a message to all of them."""

    def __init__(self, storage: Storage, shared: bool, now: Callable[[], float], publish: Publish | None) -> None:
        super().__init__(storage, shared, now)
        self.publish = publish
        self.worker = secrets.token_hex(8)
        self._own = b'["%b"' % self.worker.encode()
        self._news: list[bytes] = []
        self._news_task: asyncio.Task[None] | None = None

    def tell(self, table: Table, what: str, entry: Entry | None = None, chairs: list[Chair] | None = None) -> None:
        """Let the other workers know, in one message for all that changes in this turn of the loop."""
        if self.publish is None or not self.shared:
            return
        sitting = [_Sitting(c.seat, c.kind, c.name, c.strength, c.secret_hash) for c in chairs or ()]
        told = _encode(Told(table.id, what, entry, sitting or None))
        if len(told) > MESSAGE_LIMIT // 2:
            told = _encode(Told(table.id, what))  # too long to travel: the others read it for themselves
        self._news.append(told)
        if self._news_task is None or self._news_task.done():
            self._news_task = asyncio.create_task(self._send_news())

    async def _send_news(self) -> None:
        while self._news and self.publish is not None:
            size, count = 0, 0
            while count < len(self._news) and size + len(self._news[count]) < MESSAGE_LIMIT:
                size += len(self._news[count]) + 1
                count += 1
            news, self._news = self._news[:count], self._news[count:]
            message = b'["%b",[%b]]' % (self.worker.encode(), b",".join(news))
            try:
                await self.publish(message.decode())
            except Exception:
                log.exception("other workers could not be told")  # they catch up by themselves

    async def hear(self, message: bytes) -> None:
        """What another worker has told."""
        if message.startswith(self._own):  # what we tell comes back to us
            return
        worker, news = _decode(message)
        late = [
            (table, one)
            for one in news
            if (table := self.held(one.table)) is not None and not self._followed(table, worker, one)
        ]
        if late:
            await asyncio.gather(*(self._heard(table, one) for table, one in late))

    async def hear_again(self) -> None:
        """News may have been missed: look at every table that is held here."""
        for table in list(self.tables.values()):
            try:
                async with table.lock:
                    await self.catch_up_with(table)
            except Exception:  # the others are looked at all the same, and this one again with the next sign of life
                log.exception("the table %s cannot be caught up with", table.slug)

    def _followed(self, table: Table, worker: str, one: Told) -> bool:
        """Whether it could be taken in at once, the table at rest and having all that went before."""
        if one.what.startswith(_HERE):
            self._heard_here(table, worker, one.what)
            return True
        if one.what == "adopted":
            self.forget(table)  # it is read anew, and played under the present rules
            return True
        if table.lock.locked():
            return False
        if one.chairs is not None:
            self.sit_down(table, [Chair(*chair) for chair in one.chairs])
        if one.what == "seats":
            return one.chairs is not None
        entry = one.entry
        if one.what != "log" or entry is None or table.status == "held":
            return False
        if table.play is None:
            if entry.seq != 1 or any(chair.kind == "open" for chair in table.chairs):
                return False
            self.begin(table)
        assert table.play is not None
        if entry.seq == table.play.seq + 1:
            self.follow(table, entry)
        return entry.seq <= table.play.seq

    async def _heard(self, table: Table, one: Told) -> None:
        what = one.what
        async with table.lock:
            if what == "log":
                if one.entry is None or table.play is None or one.entry.seq > table.play.seq:
                    await self.refresh(table)
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

    def say_presence(self) -> None:
        """Say again who is here, and forget what workers said that say nothing any more."""
        for table in self.tables.values():
            if any(table.present.values()):
                self.announce(table)
            silent = [worker for worker, (at, _) in table.elsewhere.items() if time.monotonic() - at > DEAD_AFTER]
            if silent:
                for worker in silent:
                    del table.elsewhere[worker]
                table.touch()
