"""A small HTTP client for load: keep-alive posts and event streams over plain sockets, to cost little itself."""

from __future__ import annotations

import asyncio
import zlib
from collections.abc import AsyncIterator

import msgspec

PATIENCE = 30.0
"""Seconds to wait for an answer before the run counts as failed."""


class Line:
    """One keep-alive connection."""

    def __init__(self, host: str, port: int) -> None:
        self.host, self.port = host, port
        self.reader: asyncio.StreamReader | None = None
        self.writer: asyncio.StreamWriter | None = None

    async def _open(self) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        if self.reader is not None and self.reader.at_eof():
            self.close()  # it was idle for so long that the server has hung up
        if self.reader is None or self.writer is None:
            self.reader, self.writer = await asyncio.open_connection(self.host, self.port, limit=1 << 20)
        return self.reader, self.writer

    async def ask(self, method: str, path: str, body: object = None, secret: str = "") -> tuple[int, bytes]:
        """One request; status and body. Raises TimeoutError where none comes."""
        try:
            async with asyncio.timeout(PATIENCE):
                return await self._ask(method, path, body, secret)
        except BaseException:
            self.close()  # an answer that may still come must not be taken for that of the next request
            raise

    async def _ask(self, method: str, path: str, body: object, secret: str) -> tuple[int, bytes]:
        reader, writer = await self._open()
        text = b"" if body is None else msgspec.json.encode(body)
        bearer = f"authorization: Bearer {secret}\r\n" if secret else ""
        head = (
            f"{method} {path} HTTP/1.1\r\nhost: {self.host}:{self.port}\r\n{bearer}"
            f"content-type: application/json\r\ncontent-length: {len(text)}\r\n\r\n"
        )
        writer.write(head.encode() + text)
        status, size = 0, 0
        while True:
            line = await reader.readline()
            if not line:
                raise ConnectionError("the server has closed the connection")
            if not status:
                status = int(line[9:12])
            elif line == b"\r\n":
                break
            elif line[:15].lower() == b"content-length:":
                size = int(line[15:])
        return status, await reader.readexactly(size) if size else b""

    def close(self) -> None:
        """Hang up."""
        if self.writer is not None:
            self.writer.close()
            self.reader = self.writer = None


async def events(
    host: str, port: int, path: str, secret: str = "", packed: bool = False, last: str = ""
) -> AsyncIterator[bytes]:
    """The data of each message of a stream, heartbeats included (their event name is in the first line)."""
    reader, writer = await asyncio.open_connection(host, port, limit=1 << 20)
    bearer = f"authorization: Bearer {secret}\r\n" if secret else ""
    coding = "accept-encoding: gzip\r\n" if packed else ""
    coding += f"last-event-id: {last}\r\n" if last else ""
    writer.write(f"GET {path} HTTP/1.1\r\nhost: {host}:{port}\r\n{bearer}{coding}\r\n".encode())
    unpack = zlib.decompressobj(31) if packed else None
    try:
        while (await reader.readline()) not in (b"\r\n", b""):
            pass
        rest = b""
        while True:
            size = await reader.readline()
            if not size or size == b"0\r\n":
                return
            chunk = await reader.readexactly(int(size, 16))
            await reader.readexactly(2)
            rest += unpack.decompress(chunk) if unpack is not None else chunk
            while b"\n\n" in rest:
                message, rest = rest.split(b"\n\n", 1)
                yield message
    finally:
        writer.close()
