"""What every request passes first: host names, request limits, forged forms; and the headers every answer carries.

One small ASGI layer around the whole app, since it runs on every action.
"""

from __future__ import annotations

import time
from collections import OrderedDict
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from litestar.enums import ScopeType
from litestar.types import ASGIApp, HTTPScope, Message, Receive, Scope, Send

from parlour.table.seating import digest
from parlour.web.desk import KEEP_SECONDS, VISITOR
from parlour.web.metrics import REQUESTS
from parlour.web.problem import problem_answer
from parlour.web.settings import Settings

CSP = (
    b"default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; "
    b"connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'; manifest-src 'self'"
)
HEADERS = [
    (b"content-security-policy", CSP),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", b"same-origin"),
    (b"cross-origin-opener-policy", b"same-origin"),
    (b"cross-origin-resource-policy", b"same-origin"),
    (b"permissions-policy", b"camera=(), geolocation=(), microphone=()"),
]
SAFE = frozenset({"GET", "HEAD", "OPTIONS"})
BY_ADDRESS = (60.0, 300.0)  # requests a second in the long run, and at once
BY_SEAT = (20.0, 60.0)
OPENING = (0.5, 40.0)  # opening tables, by address
REMEMBERED = 20_000
REMEMBERED_HOSTS = 100
ANSWERED = {hundred: REQUESTS.labels(f"{hundred}xx") for hundred in range(1, 6)}


class Buckets:
    """A token bucket for each key: `rate` a second, `burst` at once."""

    def __init__(self, rate: float, burst: float) -> None:
        self.rate, self.burst = rate, burst
        self._levels: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def take(self, key: str, now: float) -> float:
        """0 if one more is allowed, else the seconds to wait."""
        level, then = self._levels.get(key, (self.burst, now))
        level = min(self.burst, level + (now - then) * self.rate)
        if level < 1:
            self._levels[key] = (level, now)
            return (1 - level) / self.rate
        self._levels[key] = (level - 1, now)
        self._levels.move_to_end(key)
        if len(self._levels) > REMEMBERED:
            self._levels.popitem(last=False)
        return 0.0


class Guard:
    """The layer itself."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self.app = app
        self.settings = settings
        self.hosts = frozenset(name.lower() for name in settings.hosts)
        self._fits: dict[str, bool] = {}
        self.by_address, self.by_seat, self.opening = Buckets(*BY_ADDRESS), Buckets(*BY_SEAT), Buckets(*OPENING)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One request."""
        if scope["type"] != ScopeType.HTTP:
            await self.app(scope, receive, send)
            return
        state: dict[str, Any] = scope.setdefault("state", {})

        async def answer(message: Message) -> None:
            if message["type"] == "http.response.start":
                headers = [*message.get("headers", []), *HEADERS]
                visitor = state.get("new_visitor")
                if visitor:
                    secure = "; Secure" if scope["scheme"] == "https" or self.settings.secure else ""
                    said = f"{VISITOR}={visitor}; Path=/; Max-Age={KEEP_SECONDS}; HttpOnly; SameSite=Lax{secure}"
                    headers.append((b"set-cookie", said.encode()))
                message["headers"] = headers
                ANSWERED[message["status"] // 100].inc()
            await send(message)

        async def head(message: Message) -> None:
            if message["type"] == "http.response.body":
                message["body"] = b""
            await answer(message)

        refused = self._refusal(scope)
        if refused is not None:
            await problem_answer(answer, *refused)
        elif scope["method"] == "HEAD" and not scope["path"].endswith("/events"):
            # the same answer as to GET, without its body
            await self.app({**scope, "method": "GET"}, receive, head)
        else:
            await self.app(scope, receive, answer)

    def _refusal(self, scope: HTTPScope) -> tuple[int, str, str, dict[str, str]] | None:
        headers: dict[bytes, bytes] = dict(scope["headers"])
        host = headers.get(b"host", b"").decode("latin-1")
        fits = self._fits.get(host)
        if fits is None:
            fits = self._host_fits(host)
            if len(self._fits) < REMEMBERED_HOSTS:
                self._fits[host] = fits
        if not fits:
            return 400, "bad-host", "This server does not answer to that name.", {}
        method = str(scope["method"])
        if method not in SAFE and not _same_site(headers, host):
            return 403, "forged", "This request came from another site. Nothing was done.", {}
        if not self.settings.limits:
            return None
        now = time.monotonic()
        client = scope.get("client")
        address = client[0] if client else "?"
        wait = self.by_address.take(address, now)
        path = "/" + "/".join(filter(None, scope["path"].split("/")))  # as the routes read it
        if not wait and method == "POST":
            if path == "/api/tables" or path.startswith(("/play/", "/new/")):
                wait = self.opening.take(address, now)
            secret = headers.get(b"authorization")
            if not wait and secret:
                wait = self.by_seat.take(digest(secret.decode("latin-1")), now)
            elif not wait and (pair := _seat_cookie(headers.get(b"cookie", b""), path)):
                wait = self.by_seat.take(digest(pair), now)
        if wait:
            said = "Too many requests at once. Wait a moment and try again."
            return 429, "too-many-requests", said, {"retry-after": str(int(wait) + 1)}
        return None

    def _host_fits(self, host: str) -> bool:
        try:
            parts = urlsplit("//" + host)
            name = parts.hostname or ""
            _ = parts.port  # "localhost:80.elsewhere" is no address
        except ValueError:
            return False
        if self.hosts:
            return name in self.hosts
        # a name without a dot, or under these, is one of this network's: no page elsewhere can make it mean us
        if name and ("." not in name or name.endswith((".localhost", ".local", ".lan", ".home.arpa"))):
            return True
        try:
            ip_address(name)
        except ValueError:
            return False
        return True


def _seat_cookie(cookies: bytes, path: str) -> str | None:
    slug = path.split("/")[3] if path.startswith("/api/tables/") and path.count("/") > 3 else ""
    start = cookies.find(f"seat_{slug}=".encode()) if slug else -1
    return cookies[start:].split(b";", 1)[0].decode("latin-1") if start >= 0 else None


def _same_site(headers: dict[bytes, bytes], host: str) -> bool:
    """Whether an unsafe request comes from our own pages, or from no browser at all."""
    site = headers.get(b"sec-fetch-site")
    if site is not None:
        return site in (b"same-origin", b"none")
    origin = headers.get(b"origin")
    if origin is None:
        return True
    return urlsplit(origin.decode("latin-1")).netloc == host
