"""A lane of its own for what a busy server is full of: tables opened, seats taken, actions, and streams of news.

The general machinery costs ten times what the rules, the log and the answer to an action do together. A wish whose body
is not what the API describes goes on to the app, whose routes do the same and say what is wrong.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any, NamedTuple
from urllib.parse import parse_qs

import msgspec
from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import HTTPScope, Receive, Scope, Send

from parlour.table import acting, opening
from parlour.table.house import House
from parlour.table.problems import Problem, Stale
from parlour.table.showing import show
from parlour.web.desk import Viewer, viewer_in
from parlour.web.metrics import ACTIONS
from parlour.web.problem import document_of, send_document
from parlour.web.stream import Face, serve
from parlour.web.wishes import Act, Claim, Done, Opened, Opening

AT_THE_DOOR = 2
"""Newcomers who are let in at a time: opening a table, sitting down and the first look take longer than an action, and
when many come at once those who play go first.
"""
PLY_DIGITS = 10
TABLES, PAGE, EVENTS = "/api/tables", "/t/", "/events"
_encode = msgspec.json.Encoder().encode


class Lane:
    """The layer itself, inside the guard."""

    def __init__(self, app: Litestar, body_limit: int, beat: float) -> None:
        self.app = app
        self.body_limit = body_limit
        self.beat = beat
        self.door, self.first_look = asyncio.Semaphore(AT_THE_DOOR), asyncio.Semaphore(AT_THE_DOOR)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == ScopeType.HTTP:
            method, path = scope["method"], scope["path"]
            if method == "POST" and (path == TABLES or path.startswith(TABLES + "/")):
                slug, _, verb = path[len(TABLES) + 1 :].partition("/")
                wish = WISHES.get(verb)
                if wish is not None and (slug == "") == (verb == ""):
                    await self._grant(wish, scope, slug, receive, send)
                    return
            elif method == "GET" and path.endswith(EVENTS):
                if path.startswith(TABLES + "/"):
                    face: Face = "patch" if _wants_patches(scope) else "api"
                    await self._stream(scope, path[len(TABLES) + 1 : -len(EVENTS)], face, receive, send)
                    return
                if path.startswith(PAGE):
                    await self._stream(scope, path[len(PAGE) : -len(EVENTS)], "page", receive, send)
                    return
        await self.app(scope, receive, send)

    async def _stream(self, scope: HTTPScope, slug: str, face: Face, receive: Receive, send: Send) -> None:
        house: House = self.app.state.house
        viewer = viewer_in(scope, slug)
        try:
            table = await house.table(slug, secret=viewer.seat, ply=_ply_seen(scope))
        except Exception as error:
            await _refuse(send, error)
            return
        await serve(house, table, viewer, face, self.beat, self.first_look, scope, receive, send)

    async def _grant(self, wish: Wish, scope: HTTPScope, slug: str, receive: Receive, send: Send) -> None:
        body, more, fits = await _taken(receive, self.body_limit)
        said: Any = None
        if fits:
            try:
                said = wish.read(body)
            except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
                said = None
        if said is None:
            await self.app(scope, _again(body, more, receive), send)
            return
        try:
            viewer = viewer_in(scope, slug)
            if wish.waits:
                async with self.door:
                    await asyncio.sleep(0)
                    answer = await wish.grant(self.app.state.house, slug, viewer, said)
            else:
                answer = await wish.grant(self.app.state.house, slug, viewer, said)
        except Exception as error:
            await _refuse(send, error)
            return
        told = _encode(answer)
        pairs = [(b"content-type", b"application/json"), (b"content-length", str(len(told)).encode())]
        await send({"type": "http.response.start", "status": wish.status, "headers": pairs})
        await send({"type": "http.response.body", "body": told, "more_body": False})


async def _refuse(send: Send, error: Exception) -> None:
    document, more = document_of(error)
    await send_document(send, document, {**more, "cache-control": "no-store"})


def _ply_seen(scope: HTTPScope) -> int:
    """The step up to which the caller has seen the table, here or at another worker: its number begins the id."""
    for name, value in scope["headers"]:
        if name == b"last-event-id":
            seen = value.partition(b".")[0]
            return int(seen) if seen.isdigit() and len(seen) < PLY_DIGITS else 0
    return 0


def _wants_patches(scope: HTTPScope) -> bool:
    given = parse_qs(scope["query_string"].decode("latin-1")).get("patch", ["0"])[-1]
    return given.lower() in ("1", "true", "yes")


async def open_table(house: House, _slug: str, _viewer: Viewer, wish: Opening) -> Opened:
    """Open a table."""
    made = await opening.open_table(
        house,
        wish.game,
        players=wish.players,
        options=wish.options,
        seats=wish.seats,
        name=wish.name,
        title=wish.title,
        clock=wish.clock,
        talk=wish.talk,
        given=wish.given,
    )
    slug = made.table.slug
    return Opened(slug, f"/api/tables/{slug}", made.host_secret or "", made.seat, made.secret or "")


async def claim(house: House, slug: str, viewer: Viewer, wish: Claim) -> Opened:
    """Take a seat."""
    made = await opening.claim(house, slug, wish.seat, wish.name, viewer.seat)
    return Opened(slug, f"/api/tables/{slug}", "", made.seat, made.secret or "")


async def act(house: House, slug: str, viewer: Viewer, wish: Act) -> Done:
    """Act, and count it. A stale wish is refused with the newest view of the caller."""
    try:
        acted = await acting.act(
            house, slug, viewer.seat, wish.ply, wish.action, wish.text, wish.part, wish.seat, wish.lead
        )
    except Stale as error:
        raise await with_view(house, slug, viewer, error) from None
    ACTIONS.inc()
    return Done(acted.ply, acted.held)


async def with_view(house: House, slug: str, viewer: Viewer, error: Problem) -> Problem:
    """The same problem, with the caller's newest view."""
    table = await house.table(slug, fresh=True, secret=viewer.seat)
    host = viewer.host is not None and viewer.host == table.host_hash
    error.more["model"] = msgspec.Raw(_encode(show(table, house.seat_of(table, viewer.seat), host=host)))
    return error


async def _taken(receive: Receive, limit: int) -> tuple[bytes, bool, bool]:
    """The body, whether more of it is to come, and whether it is whole and not too long."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":  # the caller has gone
            return body, True, False
        body += message["body"]
        if len(body) > limit:
            return body, message["more_body"], False
        if not message["more_body"]:
            return body, False, True


def _again(body: bytes, more: bool, receive: Receive) -> Receive:
    """`receive`, with what was taken already given once more."""
    left = [{"type": "http.request", "body": body, "more_body": more}]

    async def taken() -> Any:
        return left.pop() if left else await receive()

    return taken


class Wish(NamedTuple):
    """A kind of wish: how its body is read, how it is granted, the status of the answer, and whether it waits."""

    read: Callable[[bytes], Any]
    grant: Callable[[House, str, Viewer, Any], Awaitable[Any]]
    status: int
    waits: bool


WISHES = {
    "": Wish(msgspec.json.Decoder(Opening).decode, open_table, 201, True),
    "claim": Wish(msgspec.json.Decoder(Claim).decode, claim, 201, True),
    "act": Wish(msgspec.json.Decoder(Act).decode, act, 200, False),
}
"""By the last part of the path."""
