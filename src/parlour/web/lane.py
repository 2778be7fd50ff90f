"""A lane of its own for what a busy server is full of: actions, and streams of news.

The general machinery costs ten times what the rules, the log and the answer to an action do together. An action whose
body is not what the API describes goes on to the app, whose route for actions does the same and says what is wrong.
"""

from __future__ import annotations

from typing import Any
from urllib.parse import parse_qs

import msgspec
from litestar import Litestar
from litestar.enums import ScopeType
from litestar.types import HTTPScope, Receive, Scope, Send

from parlour.table import acting
from parlour.table.acting import Acted
from parlour.table.house import House
from parlour.table.problems import Problem, Stale
from parlour.table.showing import show
from parlour.web.desk import Viewer, viewer_in
from parlour.web.metrics import ACTIONS
from parlour.web.problem import document_of, send_document
from parlour.web.stream import Face, serve
from parlour.web.wishes import Act, Done

API, PAGE, ACT, EVENTS = "/api/tables/", "/t/", "/act", "/events"
_decode = msgspec.json.Decoder(Act).decode
_encode = msgspec.json.Encoder().encode


class Lane:
    """The layer itself, inside the guard."""

    def __init__(self, app: Litestar, body_limit: int, beat: float) -> None:
        self.app = app
        self.body_limit = body_limit
        self.beat = beat

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == ScopeType.HTTP:
            method, path = scope["method"], scope["path"]
            if method == "POST":
                if path.startswith(API) and path.endswith(ACT):
                    await self._act(scope, path[len(API) : -len(ACT)], receive, send)
                    return
            elif method == "GET" and path.endswith(EVENTS):
                if path.startswith(API):
                    face: Face = "patch" if _wants_patches(scope) else "api"
                    await self._stream(scope, path[len(API) : -len(EVENTS)], face, receive, send)
                    return
                if path.startswith(PAGE):
                    await self._stream(scope, path[len(PAGE) : -len(EVENTS)], "page", receive, send)
                    return
        await self.app(scope, receive, send)

    async def _stream(self, scope: HTTPScope, slug: str, face: Face, receive: Receive, send: Send) -> None:
        house: House = self.app.state.house
        viewer = viewer_in(scope, slug)
        try:
            table = await house.table(slug, fresh=True, secret=viewer.seat)
        except Exception as error:
            await _refuse(send, error)
            return
        await serve(house, table, viewer, face, self.beat, scope, receive, send)

    async def _act(self, scope: HTTPScope, slug: str, receive: Receive, send: Send) -> None:
        body, whole = await _taken(receive, self.body_limit)
        wish: Act | None = None
        if whole:
            try:
                wish = _decode(body)
            except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
                wish = None
        if wish is None:
            await self.app(scope, _again(body, whole, receive), send)
            return
        house: House = self.app.state.house
        try:
            acted = await act(house, slug, viewer_in(scope, slug), wish)
        except Exception as error:
            await _refuse(send, error)
            return
        body = _encode(Done(acted.ply, acted.held))
        pairs = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": pairs})
        await send({"type": "http.response.body", "body": body, "more_body": False})


async def _refuse(send: Send, error: Exception) -> None:
    document, more = document_of(error)
    await send_document(send, document, {**more, "cache-control": "no-store"})


def _wants_patches(scope: HTTPScope) -> bool:
    given = parse_qs(scope["query_string"].decode("latin-1")).get("patch", ["0"])[-1]
    return given.lower() in ("1", "true", "yes")


async def act(house: House, slug: str, viewer: Viewer, wish: Act) -> Acted:
    """Act, and count it. A stale wish is refused with the newest view of the caller."""
    try:
        acted = await acting.act(
            house, slug, viewer.seat, wish.ply, wish.action, wish.text, wish.part, wish.seat, wish.lead
        )
    except Stale as error:
        raise await with_view(house, slug, viewer, error) from None
    ACTIONS.inc()
    return acted


async def with_view(house: House, slug: str, viewer: Viewer, error: Problem) -> Problem:
    """The same problem, with the caller's newest view."""
    table = await house.table(slug, fresh=True, secret=viewer.seat)
    host = viewer.host is not None and viewer.host == table.host_hash
    error.more["model"] = msgspec.Raw(_encode(show(table, house.seat_of(table, viewer.seat), host=host)))
    return error


async def _taken(receive: Receive, limit: int) -> tuple[bytes, bool]:
    """The body, and whether it is whole; what has come of it where it is too long, or the caller has gone."""
    body = b""
    while True:
        message = await receive()
        if message["type"] != "http.request":
            return body, False
        body += message["body"]
        if not message["more_body"]:
            return body, True
        if len(body) > limit:
            return body, False


def _again(body: bytes, whole: bool, receive: Receive) -> Receive:
    """`receive`, with what was taken already given once more."""
    left = [{"type": "http.request", "body": body, "more_body": not whole}]

    async def taken() -> Any:
        return left.pop() if left else await receive()

    return taken
