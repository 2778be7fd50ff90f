"""Requests put to the app itself, with no network between: an answer is every byte of it, its head included."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping, MutableMapping
from dataclasses import dataclass
from typing import Any

QUIET_TURNS = 12
"""A stream that has sent nothing for so many turns of the event loop waits for news: one message takes three."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answer as it goes out: the head as one would see it on the wire, and the body."""

    status: int
    head: bytes
    body: bytes

    @property
    def whole(self) -> bytes:
        """All of it; the sizes stand in the head."""
        return b"%d\n%b\n%b" % (self.status, self.head, self.body)


class Wire:
    """Speaks to an app as a server would."""

    def __init__(self, app: Any) -> None:
        self.app = app

    async def ask(self, method: str, path: str, headers: Mapping[str, str], body: bytes = b"") -> Answer:
        """One request, answered whole."""
        sent = False

        async def receive() -> dict[str, Any]:
            nonlocal sent
            if sent:
                await asyncio.Event().wait()  # nobody hangs up before the answer has come
            sent = True
            return {"type": "http.request", "body": body, "more_body": False}

        told: list[MutableMapping[str, Any]] = []

        async def send(message: MutableMapping[str, Any]) -> None:
            told.append(message)

        await self.app(_scope(method, path, headers), receive, send)
        return _answer(told)

    async def listen(self, path: str, headers: Mapping[str, str]) -> Answer:
        """A stream: all that is sent until it waits for news; then the caller hangs up."""
        gone = asyncio.Event()
        asked = False

        async def receive() -> dict[str, Any]:
            nonlocal asked
            if asked:
                await gone.wait()
                return {"type": "http.disconnect"}
            asked = True
            return {"type": "http.request", "body": b"", "more_body": False}

        told: list[MutableMapping[str, Any]] = []

        async def send(message: MutableMapping[str, Any]) -> None:
            told.append(message)

        stream = asyncio.ensure_future(self.app(_scope("GET", path, headers), receive, send))
        quiet, heard = 0, 0
        while quiet < QUIET_TURNS and not stream.done():
            await asyncio.sleep(0)
            quiet = quiet + 1 if heard == len(told) else 0
            heard = len(told)
        gone.set()
        await stream
        return _answer(told)


def _scope(method: str, path: str, headers: Mapping[str, str]) -> dict[str, Any]:
    plain, _, query = path.partition("?")
    pairs = [(b"host", b"localhost")]
    pairs += [(name.lower().encode(), value.encode()) for name, value in headers.items()]
    return {
        "type": "http",
        "asgi": {"version": "3.0"},
        "http_version": "1.1",
        "method": method,
        "scheme": "http",
        "path": plain,
        "raw_path": plain.encode(),
        "query_string": query.encode(),
        "root_path": "",
        "headers": pairs,
        "client": ("127.0.0.1", 1),
        "server": ("localhost", 80),
    }


def _answer(told: list[MutableMapping[str, Any]]) -> Answer:
    start = told[0]
    head = b"\n".join(b"%b: %b" % (bytes(name), bytes(value)) for name, value in start["headers"])
    return Answer(start["status"], head, b"".join(message.get("body", b"") for message in told[1:]))
