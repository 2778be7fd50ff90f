"""The app in this process, and servers in processes of their own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import httpx

import parlour
from parlour.table.house import House
from parlour.web.app import create_app, served
from parlour.web.settings import Settings
from tests.table.places import HereBots

ROOT = Path(__file__).parents[2]


@dataclass
class Site:
    """An app with a client that speaks to it."""

    house: House
    client: httpx.AsyncClient
    app: Any
    served: Any  # the app behind the layers that every request passes

    async def open(self, **asked: Any) -> dict[str, Any]:
        """Open a table through the API."""
        answer = await self.client.post("/api/tables", json={"game": "bids", "seats": ["me", "open"], **asked})
        assert 201 == answer.status_code, answer.text
        return dict(answer.json())

    async def party(self, players: int = 3, **asked: Any) -> tuple[str, list[dict[str, str]]]:
        """A table with a person on every seat: its slug, and the headers of each seat."""
        made = await self.open(seats=["me"] + ["open"] * (players - 1), name="Ada", **asked)
        secrets = [made["secret"]]
        for name in ("Bob", "Cleo", "Dan")[: players - 1]:
            answer = await self.client.post(f"/api/tables/{made['slug']}/claim", json={"name": name})
            assert 201 == answer.status_code, answer.text
            secrets.append(answer.json()["secret"])
        return made["slug"], [{"authorization": f"Bearer {secret}"} for secret in secrets]


@asynccontextmanager
async def site_at(url: str, **settings: Any) -> AsyncIterator[Site]:
    """The app on this database, with bots in this process."""
    chosen = Settings(**{"database": url, "limits": False, "warm": False, **settings})
    app = create_app(chosen)
    async with app.lifespan():
        house: House = app.state.house
        house.bots = HereBots()
        layers = served(app, chosen)
        transport = httpx.ASGITransport(layers)  # type: ignore[arg-type]
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as client:
            yield Site(house, client, app, layers)


class Server:
    """A server in a process of its own, which may be killed."""

    def __init__(self, database: str, port: int, workers: int = 1) -> None:
        self.database, self.port, self.workers = database, port, workers
        self.base = f"http://127.0.0.1:{port}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        code = (
            "from parlour.web.serve import serve; "
            f"serve(port={self.port}, database={self.database!r}, browser=False, workers={self.workers}, limits=False)"
        )
        environment = {
            **os.environ,
            "PARLOUR_PLUGINS": "tests.toys.bids:GAME",
            "PYTHONPATH": os.pathsep.join([str(Path(parlour.__file__).parents[1]), str(ROOT)]),
        }
        self.process = subprocess.Popen([sys.executable, "-c", code], env=environment, cwd=ROOT, start_new_session=True)
        for _ in range(400):
            try:
                if httpx.get(self.base + "/health", timeout=1).status_code == 200:
                    return
            except httpx.TransportError:
                time.sleep(0.05)
        raise AssertionError("the server did not start")

    def kill(self) -> None:
        """kill -9, workers and bots too."""
        assert self.process is not None
        os.killpg(self.process.pid, signal.SIGKILL)
        self.process.wait()

    def stop(self) -> None:
        """An ordinary end."""
        if self.process is not None and self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGTERM)
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.kill()


@contextmanager
def server_at(url: str, workers: int = 1) -> Iterator[Server]:
    """A server on a free port, stopped afterwards."""
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        port = free.getsockname()[1]
    server = Server(url, port, workers)
    try:
        server.start()
        yield server
    finally:
        server.stop()
