"""`parlour serve`: the server, one process or several."""

from __future__ import annotations

import errno
import os
import shutil
import socket
import tempfile
import threading
import time
import webbrowser
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from pathlib import Path

import uvicorn

from parlour.table.storage import StorageError, database_url
from parlour.web.settings import Settings, to_environment

FIGURES = "parlour-metrics-"
MULTIPROC = "PROMETHEUS_MULTIPROC_DIR"


def serve(
    host: str = "127.0.0.1",
    port: int = 8000,
    database: str | None = None,
    browser: bool = True,
    workers: int = 1,
    hosts: tuple[str, ...] = (),
    secure: bool = False,
    limits: bool = True,
    announce: Callable[[str], object] = str,
) -> None:
    """Serve until stopped. `hosts` are the names to answer to; without any, addresses and this machine's own names.

    `announce` is told the address, once it is known that nobody else serves there.
    """
    url = database_url(database)
    _must_be_free(host, port)
    if workers > 1 and url.startswith("sqlite"):
        raise StorageError(
            "Several workers need PostgreSQL: --database postgresql://user@host/name. SQLite serves one worker."
        )
    shown = "localhost" if host in ("127.0.0.1", "0.0.0.0", "::", "::1") else host  # noqa: S104 - compared only
    address = f"http://{shown}:{port}/"
    announce(address)
    to_environment(Settings(database=database, hosts=hosts, secure=secure, limits=limits))
    if browser:
        threading.Thread(target=_open_when_ready, args=(address,), daemon=True).start()
    with shared_figures() if workers > 1 else nullcontext():
        uvicorn.run(
            "parlour.web.app:guarded",
            factory=True,
            host=host,
            port=port,
            workers=workers if workers > 1 else None,
            log_level="warning",
            access_log=False,
            server_header=False,
            timeout_graceful_shutdown=2,  # streams would go on for ever
            backlog=2048,
        )


def _must_be_free(host: str, port: int) -> None:
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            if error.errno == errno.EADDRINUSE:
                raise StorageError(
                    f"Port {port} is taken: another program answers there. Give another: --port {port + 1}."
                ) from None
            raise StorageError(f"Parlour cannot be served at {host}, port {port}: {error.strerror}.") from None


@contextmanager
def shared_figures() -> Iterator[None]:
    """A folder in which several workers add up what they count, gone afterwards; so are those of servers that died."""
    if MULTIPROC in os.environ:
        yield
        return
    for old in Path(tempfile.gettempdir()).glob(FIGURES + "*"):
        owner = old.name[len(FIGURES) :].partition("-")[0]
        if not owner.isdigit() or not _lives(int(owner)):
            shutil.rmtree(old, ignore_errors=True)
    with tempfile.TemporaryDirectory(prefix=f"{FIGURES}{os.getpid()}-") as folder:
        os.environ[MULTIPROC] = folder
        try:
            yield
        finally:
            del os.environ[MULTIPROC]


def _lives(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True


def _open_when_ready(address: str) -> None:
    import urllib.request

    for _ in range(100):
        try:
            urllib.request.urlopen(address + "health", timeout=1).close()  # noqa: S310 - our own address
        except OSError:
            time.sleep(0.1)
        else:
            webbrowser.open(address)
            return
