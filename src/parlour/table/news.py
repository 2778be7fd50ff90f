"""What workers tell each other: which tables have changed, and who is at their pages."""

from __future__ import annotations

import asyncio
import logging
import secrets
import time
from collections.abc import Awaitable, Callable

from parlour.table.live import Table
from parlour.table.memory import Memory
from parlour.table.storage import Storage

log = logging.getLogger("parlour.table")

SIGN_EVERY = 5.0
"""Seconds between a worker's signs of life."""
DEAD_AFTER = 4 * SIGN_EVERY
NEWS_AT_ONCE = 200  # PostgreSQL takes 8,000 bytes in a notification
_HERE = "here:"

Publish = Callable[[list[list[int | str]]], Awaitable[None]]


class News(Memory):
    """The part of a worker that speaks with the others. `publish` sends a message to all of them."""

    def __init__(self, storage: Storage, shared: bool, now: Callable[[], float], publish: Publish | None) -> None:
        super().__init__(storage, shared, now)
        self.publish = publish
        self.worker = secrets.token_hex(8)
        self._news: list[list[int | str]] = []
        self._news_task: asyncio.Task[None] | None = None

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
