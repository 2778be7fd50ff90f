"""A lane of its own for the one request that a busy server is full of: an action.

`POST /api/tables/{slug}/act` is answered here when its body is what the API describes; the general machinery costs ten
times what the rules, the log and the answer do together. Anything else, a body that cannot be read included, goes on
to the app, whose route for actions does the same and says what is wrong.
"""

from __future__ import annotations

from typing import Any

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
from parlour.web.wishes import Act, Done

HEAD, TAIL = "/api/tables/", "/act"
_decode = msgspec.json.Decoder(Act).decode
_encode = msgspec.json.Encoder().encode


class Lane:
    """The layer itself, inside the guard."""

    def __init__(self, app: Litestar, body_limit: int) -> None:
        self.app = app
        self.body_limit = body_limit

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] == ScopeType.HTTP and scope["method"] == "POST":
            path = scope["path"]
            if path.startswith(HEAD) and path.endswith(TAIL):
                await self._act(scope, path[len(HEAD) : -len(TAIL)], receive, send)
                return
        await self.app(scope, receive, send)

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
            document, more = document_of(error)
            await send_document(send, document, {**more, "cache-control": "no-store"})
            return
        body = _encode(Done(acted.ply, acted.held))
        pairs = [(b"content-type", b"application/json"), (b"content-length", str(len(body)).encode())]
        await send({"type": "http.response.start", "status": 200, "headers": pairs})
        await send({"type": "http.response.body", "body": body, "more_body": False})


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
