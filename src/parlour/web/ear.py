"""PostgreSQL's notifications, heard again after the connection to the database was lost."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import Any

import asyncpg  # type: ignore[import-untyped]
from litestar.channels.backends.asyncpg import AsyncPgChannelsBackend

log = logging.getLogger("parlour.web")
AGAIN_SECONDS = 1.0


class Ear(AsyncPgChannelsBackend):
    """Litestar's backend for channels on PostgreSQL, which connects anew; then `missed` is called."""

    def __init__(self, dsn: str) -> None:
        super().__init__(dsn)
        self.missed: Callable[[], None] = lambda: None
        self._ending = False
        self._again: asyncio.Task[None] | None = None

    async def on_startup(self) -> None:
        """Connect."""
        await super().on_startup()
        self._listener_conn.add_termination_listener(self._lost)

    async def on_shutdown(self) -> None:
        """Disconnect."""
        self._ending = True
        if self._again is not None:
            self._again.cancel()
        await super().on_shutdown()

    def _lost(self, _connection: Any) -> None:
        if not self._ending:
            self._again = asyncio.create_task(self._connect_again())

    async def _connect_again(self) -> None:
        while True:
            try:
                connection = await self._connect()
                for channel in self._subscribed_channels:
                    await connection.add_listener(channel, self._listener)
            except (OSError, asyncpg.PostgresError, asyncpg.InterfaceError):
                log.warning("the database cannot be heard; it is tried again")
                await asyncio.sleep(AGAIN_SECONDS)
                continue
            async with self._listener_lock:
                self._listener_conn = connection
            connection.add_termination_listener(self._lost)
            self.missed()
            return
