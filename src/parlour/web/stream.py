"""Server-sent events: what changed, to everybody who watches, each message named by the version it makes.

Viewers of a kind (all spectators; all devices of one seat) share one rendering, and one compression of it: a message is
a run of DEFLATE blocks that refers to nothing before it, so the same bytes fit into every gzip stream and no watcher
needs a compressor of his own.
"""

from __future__ import annotations

import asyncio
import time
import zlib
from typing import Any, Literal, NamedTuple

import msgspec
from litestar.types import HTTPScope, Receive, Send

from parlour.table.house import House
from parlour.table.live import Table
from parlour.table.model import TableModel
from parlour.table.showing import SHARED_VIEW, show
from parlour.web.desk import Viewer
from parlour.web.metrics import WATCHERS
from parlour.web.patch import patch

Face = Literal["page", "api", "patch"]
"""Who is told: a page gets the fragments of HTML that changed, a program its whole view, or a patch of it."""
GZIP_HEAD = b"\x1f\x8b\x08\x00\x00\x00\x00\x00\x00\xff"
GRACE = 5.0
"""Seconds for which somebody whose page has gone still counts as present: a reload is no leaving."""
_encode = msgspec.json.Encoder().encode


class Watcher:
    """Somebody waiting for news; woken by the table, by the beat, or by the end of the connection."""

    __slots__ = ("_due", "_future", "_loop", "_timer", "changed", "gone")

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._future: asyncio.Future[None] | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._due = 0.0
        self.changed = False
        self.gone = False

    def wake(self) -> None:
        """There is news."""
        self.changed = True
        self._release()

    def leave(self, _task: object = None) -> None:
        """The connection has ended."""
        self.gone = True
        self._release()

    def _release(self) -> None:
        if self._future is not None and not self._future.done():
            self._future.set_result(None)

    async def wait(self, due: float) -> None:
        """Until there is news, the connection ends, or this moment of `time.monotonic` has come."""
        if self.changed or self.gone:
            return
        self._due, self._future = due, self._loop.create_future()
        if self._timer is None:  # one that is set already rings too early, and is set again then: cheaper than anew
            self._ring()
        try:
            await self._future
        finally:
            self._future = None

    def _ring(self) -> None:
        self._timer = None
        left = self._due - time.monotonic()
        if left > 0.0:
            self._timer = self._loop.call_later(left, self._ring)
        else:
            self._release()

    def rest(self) -> None:
        """Nobody waits any more."""
        if self._timer is not None:
            self._timer.cancel()


def message(table: Table, face: Face, seat: int | None, host: bool, secret: str | None, after: str) -> bytes:
    """The event that brings a viewer from one version to the newest; made once for all viewers of a kind."""
    after = _known(table, face, seat, host, secret, after)
    key = ("message", face, host, after, seat)
    made = table.memory.get(key)
    if made is None:
        if face == "page":
            told = _page_message(table, seat, host, secret, after)
        else:
            told = _patch_message(table, seat, host) if after else _api_message(table, seat, host)
        made = table.memory[key] = told
    assert isinstance(made, bytes)
    return made


def _known(table: Table, face: Face, seat: int | None, host: bool, secret: str | None, after: str) -> str:
    """The version that a viewer has, if it is the one before the newest; else "": he is sent everything."""
    if face == "api" or not after:
        return ""
    if face == "page":
        current_fragments(table, seat, host, secret)
    else:
        current_model(table, seat, host)
    previous = table.shown[face, host, seat][0]
    return after if previous is not None and previous[0] == after else ""


def packed(table: Table, face: Face, seat: int | None, host: bool, secret: str | None, after: str) -> bytes:
    """`message`, as DEFLATE blocks that fit anywhere in a gzip stream."""
    after = _known(table, face, seat, host, secret, after)
    key = ("packed", face, host, after, seat)
    made = table.memory.get(key)
    if made is None:
        made = table.memory[key] = deflate(message(table, face, seat, host, secret, after))
    assert isinstance(made, bytes)
    return made


def deflate(plain: bytes) -> bytes:
    """Blocks that refer to nothing before them and leave nothing open."""
    work = zlib.compressobj(6, zlib.DEFLATED, -15)
    return work.compress(plain) + work.flush(zlib.Z_FULL_FLUSH)


def _event(kind: str, version: str, body: dict[str, Any]) -> bytes:
    return b"id: %b\nevent: %b\ndata: %b\n\n" % (version.encode(), kind.encode(), _encode(body))


def current_model(table: Table, seat: int | None, host: bool) -> TableModel:
    """The API's view as it is now, made once for all viewers of a kind. It holds no links."""
    key = ("model", host, seat)
    made = table.memory.get(key)
    if made is None:
        made = table.memory[key] = show(table, seat, host=host)
        _remember(table, "patch", host, seat, (made.version, made, table.memory.get(SHARED_VIEW)))
    assert isinstance(made, TableModel)
    return made


def _remember(table: Table, face: Face, host: bool, seat: int | None, made: tuple[Any, ...]) -> None:
    """Keep what a kind of viewers is shown beside what it was shown before, each with its version first."""
    before = table.shown.get((face, host, seat))
    if before is None or before[1][0] != made[0]:
        table.shown[face, host, seat] = (None if before is None else before[1], made)


def _api_message(table: Table, seat: int | None, host: bool) -> bytes:
    model = current_model(table, seat, host)
    return b"id: %b\nevent: table\ndata: %b\n\n" % (model.version.encode(), _encode(model))


def _patch_message(table: Table, seat: int | None, host: bool) -> bytes:
    (after, before, shared_before), (version, model, shared) = table.shown["patch", host, seat]
    if shared is None or shared_before is None:
        told = _inside(_encode(patch("", before, model)))
    else:
        told = _inside(_encode(patch("", before, model, apart="view")))
        told += (b"," if told else b"") + _shared_patch(table, shared_before, shared)
    names = (version.encode(), version.encode(), after.encode(), model.ply, told.rstrip(b","))
    return b'id: %b\nevent: patch\ndata: {"version":"%b","after":"%b","ply":%d,"patch":[%b]}\n\n' % names


def _shared_patch(table: Table, before: Any, shared: Any) -> bytes:
    """The patch of a view that is the same for all viewers, found once for all of them."""
    key = ("shared patch", id(before), None)
    made = table.memory.get(key)
    if made is None:
        made = table.memory[key] = (before, _inside(_encode(patch("/view", before, shared))))
    return made[1]  # type: ignore[index,no-any-return]


def _inside(array: bytes) -> bytes:
    """What stands between the brackets of an encoded list."""
    return array[1:-1]


def current_fragments(
    table: Table, seat: int | None, host: bool, secret: str | None
) -> tuple[str, int, dict[str, str]]:
    """Version, ply and every part of the page as they are now, rendered once for all viewers of a kind."""
    key = ("fragments", host, seat)
    made = table.memory.get(key)
    if made is None:
        from parlour.web import render

        model = show(table, seat, host=host, page=True, secret=secret if seat is not None else None)
        made = table.memory[key] = (model.version, model.ply, render.fragments(model))
        _remember(table, "page", host, seat, made)
    return made  # type: ignore[return-value]


def _page_message(table: Table, seat: int | None, host: bool, secret: str | None, after: str) -> bytes:
    version, ply, fragments = current_fragments(table, seat, host, secret)
    if after:
        previous = table.shown["page", host, seat][0]
        fragments = {name: html for name, html in fragments.items() if previous[2].get(name) != html}
    return _event("update", version, {"version": version, "after": after, "ply": ply, "fragments": fragments})


class _Reader(NamedTuple):
    """Who asks for a stream, and how it is sent to him."""

    seat: int | None
    host: bool
    sent: str  # the version that he has
    gzip: bool

    def next(self, table: Table, face: Face, secret: str | None, sent: str) -> bytes:
        """The message that brings him to the newest version."""
        make = packed if self.gzip else message
        return make(table, face, self.seat, self.host, secret, sent)


def _reader(house: House, table: Table, viewer: Viewer, scope: HTTPScope) -> _Reader:
    headers = dict(scope["headers"])
    return _Reader(
        seat=house.seat_of(table, viewer.seat),
        host=viewer.host is not None and viewer.host == table.host_hash,
        sent=headers.get(b"last-event-id", b"").decode("latin-1")[:80],
        gzip=b"gzip" in headers.get(b"accept-encoding", b""),
    )


async def serve(
    house: House,
    table: Table,
    viewer: Viewer,
    face: Face,
    beat: float,
    door: asyncio.Semaphore,
    scope: HTTPScope,
    receive: Receive,
    send: Send,
) -> None:
    """Answer a request for a table's news: a stream, until the caller goes or the server stops.

    The first look is taken through `door`. Signs of life come every `beat` seconds after the last message, whatever
    else went on meanwhile: in a sealed window their times tell nothing of who has answered.
    """
    reader = _reader(house, table, viewer, scope)
    seat, sent, gzip = reader.seat, reader.sent, reader.gzip
    watcher = Watcher()
    listening = asyncio.create_task(_until_gone(receive))
    listening.add_done_callback(watcher.leave)
    table.watchers.add(watcher.wake)
    house.streams.add(watcher.leave)
    WATCHERS.inc()
    _arrive(house, table, seat)
    answer = [
        (b"content-type", b"text/event-stream; charset=utf-8"),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        (b"vary", b"accept-encoding"),
    ]
    if gzip:
        answer.append((b"content-encoding", b"gzip"))
    try:
        await send({"type": "http.response.start", "status": 200, "headers": answer})
        first = b"retry: 1500\n\n"
        await _body(send, GZIP_HEAD + deflate(first) if gzip else first)
        async with door:
            await asyncio.sleep(0)
            if table.version_for(seat) != sent:
                reader.next(table, face, viewer.secret, sent)  # kept for the message below
        due = time.monotonic() + beat
        while not watcher.gone and house.seat_of(table, viewer.seat) == seat and house.tables.get(table.slug) is table:
            watcher.changed = False
            version = table.version_for(seat)
            if version != sent:
                await _body(send, reader.next(table, face, viewer.secret, sent))
                sent = version
                due = time.monotonic() + beat
                continue
            await watcher.wait(due)
            if not watcher.changed and not watcher.gone:
                due = time.monotonic() + beat
                ply = 0 if table.play is None else table.play.ply
                plain = _event("beat", sent, {"version": sent, "ply": ply})
                await _body(send, deflate(plain) if gzip else plain)
        end = deflate(b"") + zlib.compressobj(6, zlib.DEFLATED, -15).flush() if gzip else b""
        await send({"type": "http.response.body", "body": end, "more_body": False})
    finally:
        watcher.rest()
        listening.cancel()
        table.watchers.discard(watcher.wake)
        house.streams.discard(watcher.leave)
        WATCHERS.dec()
        _depart(house, table, seat)


async def _until_gone(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


async def _body(send: Send, body: bytes) -> None:
    await send({"type": "http.response.body", "body": body, "more_body": True})


def _arrive(house: House, table: Table, seat: int | None) -> None:
    if seat is None:
        return
    known = table.present.get(seat, 0)
    table.present[seat] = known + 1
    if not known:
        table.touch()
        house.announce(table)


def _depart(house: House, table: Table, seat: int | None) -> None:
    if seat is not None:
        asyncio.get_running_loop().call_later(GRACE, _gone, house, table, seat)


def _gone(house: House, table: Table, seat: int) -> None:
    table.present[seat] -= 1
    if not table.present[seat]:
        table.touch()
        if house.open:
            house.announce(table)
