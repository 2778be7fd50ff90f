"""Bots in processes of their own, outside the event loop. They get a resampled position, never the table's own."""

from __future__ import annotations

import asyncio
import logging
import multiprocessing
import os
import secrets
import threading
from concurrent.futures import BrokenExecutor, ProcessPoolExecutor

from parlour.kernel import Dice, State

log = logging.getLogger("parlour.bots")

BUDGET = 20.0
"""Seconds after which a bot's silence counts as a fault. The presets answer in a fraction of it."""


def choose(state: State, seat: int, strength: str, seed: int) -> int:
    """One bot's choice; runs in a worker process."""
    from parlour import bots

    return bots.get(strength, state.game, seed).choose(state, seat)


def _ready(names: tuple[str, ...]) -> None:
    """Load what the first move would otherwise wait for, leave Ctrl-C to the server, and end when it ends, however."""
    import signal

    from parlour import bots, games

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()
    bots.names()
    for name in names:
        games.get(name)


def _end_with_parent() -> None:
    parent = multiprocessing.parent_process()
    if parent is not None:
        parent.join()
        os._exit(0)


class BotDesk:
    """Takes a position and a seat, gives back an action. Starts its processes when first needed or warmed."""

    def __init__(self, processes: int | None = None, games: tuple[str, ...] = ()) -> None:
        self._processes = processes or max(1, (os.cpu_count() or 2) - 1)
        self._games = games
        self._pool: ProcessPoolExecutor | None = None
        self.faults = 0
        self.moves = 0

    def warm(self) -> None:
        """Start a process now rather than at the first move."""
        self._executor().submit(int)

    def _executor(self) -> ProcessPoolExecutor:
        if self._pool is None:
            # spawn: a fork of a process with threads and an event loop in it is not safe
            context = multiprocessing.get_context("spawn")
            self._pool = ProcessPoolExecutor(
                self._processes, mp_context=context, initializer=_ready, initargs=(self._games,)
            )
        return self._pool

    async def choose(self, state: State, seat: int, strength: str) -> int:
        """What the bot in that seat plays. If it fails or is too slow, a random legal move stands in, logged."""
        dice = Dice(secrets.randbits(63))
        known = state.resample(seat, dice)
        loop = asyncio.get_running_loop()
        for _ in range(2):
            try:
                work = loop.run_in_executor(self._executor(), choose, known, seat, strength, secrets.randbits(53))
                code = await asyncio.wait_for(work, BUDGET)
                self.moves += 1
                return code
            except BrokenExecutor:  # the process died: once more with a new one
                log.exception("a bot's process died")
                self._pool = None
            except TimeoutError:
                log.error("the bot %s of %s took more than %s s", strength, state.game.name, BUDGET)
                break
            except asyncio.CancelledError:
                raise
            except Exception:
                log.exception("the bot %s of %s failed", strength, state.game.name)
                break
        self.faults += 1
        legal = state.legal_actions(seat)
        return legal[dice.below(len(legal))]

    async def close(self) -> None:
        """End the processes; what they still think about is dropped."""
        pool, self._pool = self._pool, None
        if pool is not None:
            await asyncio.to_thread(pool.shutdown, wait=True, cancel_futures=True)
