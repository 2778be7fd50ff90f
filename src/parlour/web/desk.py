"""Who is asking: seat secrets from cookies or a bearer header, the visitor's cookie, tokens for forms."""

from __future__ import annotations

import hmac
import secrets
from dataclasses import dataclass
from typing import Any, cast

from litestar import Request
from litestar.connection import ASGIConnection
from litestar.datastructures import Cookie
from litestar.types import HTTPScope

from parlour.table.house import House
from parlour.table.model import TableSummary
from parlour.table.seating import digest
from parlour.table.summary import summary

SEAT, HOST, VISITOR = "seat_", "host_", "visitor"
KEEP_SECONDS = 180 * 86_400
TABLES_LISTED = 30

AnyConnection = ASGIConnection[Any, Any, Any, Any]


@dataclass(frozen=True, slots=True)
class Viewer:
    """What a caller can show for one table: hashes of a seat's secret and of the host's, where there are any."""

    seat: str | None
    host: str | None
    secret: str | None = None  # the seat's secret itself, to show its owner the link again


NOBODY = Viewer(None, None)


def house_of(connection: AnyConnection) -> House:
    """The house that this app serves."""
    return cast("House", connection.app.state.house)


def viewer_of(connection: AnyConnection, slug: str) -> Viewer:
    """The caller's credentials for a table: a bearer secret goes before cookies."""
    header = connection.headers.get("authorization")
    cookies = connection.cookies
    host = cookies.get(HOST + slug)
    if header is not None and header[:7].lower() == "bearer ":
        secret: str | None = header[7:].strip()
    else:
        secret = cookies.get(SEAT + slug)
    given_host = connection.headers.get("x-host-secret") or host
    return Viewer(digest(secret) if secret else None, digest(given_host) if given_host else None, secret)


def viewer_in(scope: HTTPScope, slug: str) -> Viewer:
    """`viewer_of`, before the app has seen the request; quick for a program, which shows its seat's secret only."""
    headers = dict(scope["headers"])
    bearer = headers.get(b"authorization", b"")
    if bearer[:7] != b"Bearer " or b"cookie" in headers or b"x-host-secret" in headers:
        return viewer_of(ASGIConnection(scope), slug)
    secret = bearer[7:].decode("latin-1").strip()
    return Viewer(digest(secret) if secret else None, None, secret)


def cookie(connection: AnyConnection, name: str, value: str) -> Cookie:
    """A cookie that no script reads and no other site sends along with a form."""
    return Cookie(
        key=name,
        value=value,
        max_age=KEEP_SECONDS if value else 0,
        path="/",
        httponly=True,
        samesite="lax",
        secure=bool(connection.app.state.settings.secure) or connection.url.scheme == "https",
    )


def visitor_of(connection: AnyConnection) -> str:
    """The visitor's cookie; a new one if there is none (the guard sets it with the answer)."""
    found = connection.cookies.get(VISITOR) or connection.scope["state"].get("new_visitor")
    if not found:
        found = secrets.token_urlsafe(18)
        connection.scope["state"]["new_visitor"] = found
    return str(found)


def csrf_of(connection: AnyConnection) -> str:
    """The token that this visitor's forms carry."""
    return token_for(connection.app.state.key, visitor_of(connection))


def token_for(key: str, visitor: str) -> str:
    """A visitor's token: nobody without the key can make it."""
    return hmac.new(key.encode(), visitor.encode(), "sha256").hexdigest()[:40]


def token_fits(connection: AnyConnection, given: str | None) -> bool:
    """Whether a form came from one of our own pages, shown to this visitor."""
    visitor = connection.cookies.get(VISITOR)
    if not visitor or not given:
        return False
    return hmac.compare_digest(token_for(connection.app.state.key, visitor), given)


async def my_tables(request: Request[Any, Any, Any]) -> list[TableSummary]:
    """The tables whose seats this browser holds, newest first."""
    house = house_of(request)
    slugs = [name[len(SEAT) :] for name in request.cookies if name.startswith(SEAT)]
    found = [await summary(house, slug, viewer_of(request, slug).seat) for slug in slugs[-TABLES_LISTED:]]
    return [table for table in reversed(found) if table is not None]
