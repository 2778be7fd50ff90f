"""The app: routes, errors, OpenAPI, and what begins and ends with it."""

from __future__ import annotations

import asyncio
import gc
import logging
import multiprocessing
import multiprocessing.process
import signal
import sys
import threading
from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from types import FrameType
from typing import Any

from litestar import Litestar, Request, Response, get
from litestar.channels import ChannelsPlugin, Subscriber
from litestar.channels.backends.memory import MemoryChannelsBackend
from litestar.config.compression import CompressionConfig
from litestar.datastructures import State
from litestar.openapi import OpenAPIConfig
from litestar.openapi.plugins import JsonRenderPlugin
from litestar.types import ASGIApp
from sqlalchemy.engine import make_url

from parlour import __version__, games
from parlour.table.botdesk import BotDesk
from parlour.table.house import House
from parlour.table.storage import Storage, database_url
from parlour.web import api, keepsake, metrics, site, why
from parlour.web.ear import Ear
from parlour.web.guard import Guard
from parlour.web.lane import Lane
from parlour.web.problem import answer_to
from parlour.web.settings import Settings, from_environment

log = logging.getLogger("parlour.web")

NEWS = "tables"
PACKED_ELSEWHERE = [r"^/api", r"^/static", r"/events$", r"^/metrics"]
"""Pages are packed on the way out; these are not, or pack themselves."""
SWITCH_SECONDS = 0.0005
"""How long a busy event loop keeps the log's writer waiting for the interpreter lock. With the usual 5 ms a commit took
15 ms under load; a change of hands costs some microseconds, and there are two to a commit."""

PARENT_SECONDS = 1.0
LOOK_SECONDS = 20.0
"""Seconds between looks at whether the garbage collector may work now."""
YOUNG_LIMIT = 3_000_000
"""Objects made and kept since the last look, at which it works whether anybody waits or not."""


@get("/health", include_in_schema=False)
async def health(state: State) -> Response[dict[str, str]]:
    """Whether the database answers."""
    from sqlalchemy import text

    try:
        await state.house.storage.rows(text("SELECT 1 AS one"))
    except Exception:
        return Response({"status": "the database does not answer"}, status_code=503)
    return Response({"status": "well", "version": __version__})


@get("/metrics", include_in_schema=False, sync_to_thread=False)
def figures(state: State) -> Response[bytes]:
    """What the server counts."""
    house: House = state.house
    metrics.TABLES.set(len(house.tables))
    for counter, now in (
        (metrics.COMMITS, house.storage.commits),
        (metrics.LOST_RACES, house.storage.lost_races),
        (metrics.BOT_MOVES, house.bots.moves),
        (metrics.BOT_FAULTS, house.bots.faults),
    ):
        counter.inc(max(0, now - state.counted.get(id(counter), 0)))
        state.counted[id(counter)] = now
    return Response(metrics.exposition(), media_type="text/plain; version=0.0.4; charset=utf-8")


@get("/api/openapi.json", include_in_schema=False, sync_to_thread=False)
def openapi(request: Request[Any, Any, Any]) -> dict[str, Any]:
    """The API's description."""
    return request.app.openapi_schema.to_schema()


def create_app(settings: Settings | None = None, own_process: bool = False) -> Litestar:
    """The whole app, not started yet. `own_process`: it may tend the garbage collector as it likes."""
    chosen = settings or Settings()
    url = database_url(chosen.database)
    backend = _backend(url)
    channels = ChannelsPlugin(backend, channels=[NEWS])

    @asynccontextmanager
    async def life(app: Litestar) -> AsyncIterator[None]:
        async with AsyncExitStack() as stack:
            storage = await Storage.open(url)
            stack.push_async_callback(storage.close)
            house = app.state.house = House(storage, BotDesk(chosen.bot_processes, tuple(games.names())))
            stack.push_async_callback(house.stop)  # while the storage is open
            app.state.key = await storage.key("forms")
            yield

    async def begin(app: Litestar) -> None:
        house: House = app.state.house
        if house.shared:
            house.publish_on(NEWS)
            if isinstance(backend, Ear):
                backend.missed = lambda: house.spawn(house.hear_again())
            app.state.ear = asyncio.create_task(_listen(house, await channels.subscribe([NEWS])))
        await house.start()
        if own_process:
            house.spawn(_collect_when_nobody_waits(house))
            _let_go_when_told_to_stop(house)
            parent = multiprocessing.parent_process()
            if parent is not None:
                house.spawn(_end_with(parent, house))
        if chosen.warm:
            asyncio.get_running_loop().call_later(1.0, house.warm_bots)  # not before the first page is out

    async def end(app: Litestar) -> None:
        if "ear" in app.state:
            app.state.ear.cancel()

    app = Litestar(
        [*site.ROUTES, why.why, keepsake.keepsake_page, api.ROUTER, keepsake.API, health, figures, openapi],
        plugins=[channels],
        lifespan=[life],
        on_startup=[begin],  # after the channels are open
        on_shutdown=[end],
        exception_handlers={Exception: answer_to},
        request_max_body_size=chosen.body_limit,
        compression_config=CompressionConfig(
            "gzip", minimum_size=2000, gzip_compress_level=5, exclude=PACKED_ELSEWHERE
        ),
        openapi_config=OpenAPIConfig(
            title="Parlour",
            version=__version__,
            description="Tables for period games: open one, take a seat, see what your seat may see, act.",
            path="/api/schema",
            render_plugins=[JsonRenderPlugin(path="/openapi.json")],
        ),
        logging_config=None,
    )
    app.state.settings = chosen
    app.state.counted = {}
    return app


async def _collect_when_nobody_waits(house: House) -> None:
    """The garbage collector's work, at times of our own choosing.

    Left to itself it went through every table in memory again and again, a sixth of a busy server's time, in pauses of
    a twentieth of a second; and it found nothing: 10,000 actions leave no cycle behind.
    """
    gc.collect()
    gc.freeze()
    gc.disable()
    seen = looked_at = -1
    while await house.wait(LOOK_SECONDS):
        resting, seen = house.actions == seen, house.actions
        if resting and not house.streams and looked_at != seen:
            gc.collect()  # nobody is at any table
            looked_at = seen
        elif resting or gc.get_count()[0] > YOUNG_LIMIT:
            gc.collect(0)
    gc.enable()


def _let_go_when_told_to_stop(house: House) -> None:
    """Streams go on for ever; the server waits for them when it is told to stop, unless they end at that moment."""
    if threading.current_thread() is not threading.main_thread():
        return
    loop = asyncio.get_running_loop()
    for sign in (signal.SIGINT, signal.SIGTERM):
        server_s = signal.getsignal(sign)
        if callable(server_s):

            def told(number: int, frame: FrameType | None, server_s: Callable[..., Any] = server_s) -> None:
                loop.call_soon_threadsafe(house.end_streams)
                server_s(number, frame)

            signal.signal(sign, told)


async def _end_with(parent: multiprocessing.process.BaseProcess, house: House) -> None:
    """A worker whose supervisor was killed stops: nobody would replace it, and it would keep the port."""
    while await house.wait(PARENT_SECONDS):
        if not parent.is_alive():
            log.error("the process that started this worker has died: it stops")
            signal.raise_signal(signal.SIGTERM)
            return


async def _listen(house: House, subscriber: Subscriber) -> None:
    async for message in subscriber.iter_events():
        try:
            await house.hear(message)
        except Exception:  # the next may be heard; what was missed is caught up with
            log.exception("news from another worker could not be taken in")


def _backend(url: str) -> Any:
    parsed = make_url(url)
    if parsed.get_backend_name() != "postgresql":
        return MemoryChannelsBackend()
    return Ear(parsed.set(drivername="postgresql").render_as_string(hide_password=False))


def guarded(settings: Settings | None = None) -> ASGIApp:
    """The app as it is served: behind the guard."""
    sys.setswitchinterval(SWITCH_SECONDS)
    chosen = settings or from_environment()
    return served(create_app(chosen, own_process=True), chosen)


def served(app: Litestar, settings: Settings) -> ASGIApp:
    """An app with the layers that every request passes first."""
    return Guard(Lane(app, settings.body_limit, settings.beat), settings)
