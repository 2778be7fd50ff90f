"""What the browser tests stand on: a server of their own, a line that can be cut, and people who act by the API."""

from __future__ import annotations

import contextlib
import json
import os
import random
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx

ROOT = Path(__file__).parents[2]
PATIENCE = 60.0


def free_port() -> int:
    """A port that nobody listens at just now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextmanager
def server(folder: Path, plugins: str = "tests.toys.bids:GAME") -> Iterator[str]:
    """A server in a process of its own, with the toy game, or others, on its shelf. Gives its address."""
    port = free_port()
    settings = {"database": f"sqlite:///{folder / 'tables.db'}", "limits": False, "bot_processes": 1, "beat": 2.0}
    environment = {
        **os.environ,
        "PARLOUR_SERVER": json.dumps(settings),
        "PARLOUR_PLUGINS": plugins,
        "PYTHONPATH": os.pathsep.join(filter(None, [str(ROOT), os.environ.get("PYTHONPATH")])),
    }
    command = [sys.executable, "-m", "uvicorn", "parlour.web.app:guarded", "--factory", "--port", str(port)]
    log = (folder / "server.log").open("wb")
    process = subprocess.Popen(
        [*command, "--log-level", "warning"], env=environment, cwd=ROOT, stdout=log, stderr=subprocess.STDOUT
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_for(address, process, folder / "server.log")
        yield address
    finally:
        process.terminate()
        try:
            process.wait(15)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        log.close()


def _wait_for(address: str, process: subprocess.Popen[bytes], log: Path) -> None:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if process.poll() is not None:
            raise AssertionError("The server stopped at once:\n" + log.read_text()[-4000:])
        with contextlib.suppress(httpx.HTTPError):
            if httpx.get(address + "/health", timeout=2).status_code == 200:
                return
        time.sleep(0.1)
    raise AssertionError("The server did not start:\n" + log.read_text()[-4000:])


class Line:
    """A line to a server (a plain TCP relay) that can be cut, and mended."""

    def __init__(self, address: str) -> None:
        self._target = ("127.0.0.1", int(address.rsplit(":", 1)[1]))
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._open: set[socket.socket] = set()
        self._lock = threading.Lock()
        self.whole = True
        self.address = f"http://127.0.0.1:{self._listener.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    def cut(self) -> None:
        """Every connection ends in the middle of whatever it carried; new ones are refused."""
        self.whole = False
        self.drop()

    def mend(self) -> None:
        """New connections go through again."""
        self.whole = True

    def drop(self) -> None:
        """Every connection ends; new ones go through."""
        with self._lock:
            open_now, self._open = self._open, set()
        for one in open_now:
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)

    def close(self) -> None:
        """No more."""
        self._listener.close()
        self.drop()

    def _listen(self) -> None:
        while True:
            try:
                near, _ = self._listener.accept()
            except OSError:
                return
            if not self.whole:
                near.close()
                continue
            try:
                far = socket.create_connection(self._target)
            except OSError:
                near.close()
                continue
            with self._lock:
                self._open |= {near, far}
            for one, other in ((near, far), (far, near)):
                threading.Thread(target=self._carry, args=(one, other), daemon=True).start()

    def _carry(self, source: socket.socket, sink: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while received := source.recv(65536):
                sink.sendall(received)
        for one in (source, sink):
            with contextlib.suppress(OSError):
                one.shutdown(socket.SHUT_RDWR)
            with self._lock:
                self._open.discard(one)
        source.close()


class Person:
    """Somebody who sits at a table and acts by the API."""

    def __init__(self, address: str, slug: str, secret: str, seed: int = 1) -> None:
        self.client = httpx.Client(base_url=address, headers={"authorization": f"Bearer {secret}"}, timeout=30)
        self.slug = slug
        self.secret = secret
        self.random = random.Random(seed)

    def look(self) -> dict[str, Any]:
        """What this person may see."""
        answer = self.client.get(f"/api/tables/{self.slug}")
        answer.raise_for_status()
        model: dict[str, Any] = answer.json()
        return model

    def post(self, what: str, body: dict[str, Any]) -> httpx.Response:
        """A wish."""
        return self.client.post(f"/api/tables/{self.slug}/{what}", json=body)

    def act(self, action: str | None = None) -> bool:
        """Act if it is time to: as told, else at random. Whether anything was done."""
        model = self.look()
        choices = [choice["id"] for choice in model.get("choices", [])]
        if not choices:
            return False
        chosen = action or self.random.choice(choices)
        answer = self.post("act", {"ply": model["ply"], "action": chosen})
        assert answer.status_code == 200, answer.text
        return True

    def close(self) -> None:
        """Go."""
        self.client.close()


def open_table(address: str, game: str = "prowlers", seats: tuple[str, ...] = ("me", "open"), **more: Any) -> Any:
    """A new table by the API: slug, seat, secret, host_secret."""
    body = {"game": game, "seats": list(seats), "name": "Ada", **more}
    answer = httpx.post(address + "/api/tables", json=body, timeout=30)
    assert answer.status_code == 201, answer.text
    return answer.json()


def take_seat(address: str, slug: str, name: str = "Bell", seat: int | None = None) -> Any:
    """An open seat by the API."""
    body = {"name": name} | ({} if seat is None else {"seat": seat})
    answer = httpx.post(f"{address}/api/tables/{slug}/claim", json=body, timeout=30)
    assert answer.status_code == 201, answer.text
    return answer.json()
