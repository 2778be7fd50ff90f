"""Runs the measurements, one after another, and prints them."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Sequence
from pathlib import Path
from typing import IO, Any

import msgspec

from parlour.web.bench.load import Plan, Seen
from parlour.web.bench.longest import opened_in, play_longest
from parlour.web.bench.updates import render_updates

POSTGRES = "PARLOUR_BENCH_POSTGRES"
"""URL of a PostgreSQL database that may be filled with tables; without it PostgreSQL is not measured."""


def run(as_json: bool = False, seconds: float = 8.0) -> None:
    """Measure, and print a table or JSON."""
    with tempfile.TemporaryDirectory(prefix="parlour-bench-") as folder:
        figures = measure(Path(folder), seconds)
    if as_json:
        print(msgspec.json.format(msgspec.json.encode(figures)).decode())  # noqa: T201
        return
    from rich.console import Console
    from rich.table import Table

    table = Table(title="The server under load", title_justify="left", box=None)
    for column in ("", "a second", "per CPU s", "ack p50", "p99 ms", "other seat p50", "p99 ms", "load CPU"):
        table.add_column(column, justify="left" if not column else "right")
    for name, row in figures.items():
        if "rate" in row:
            cells = ("rate", "per_cpu_second", "ack_p50", "ack_p99", "other_p50", "other_p99", "load_cpu")
            table.add_row(name, *(f"{row[cell]:.1f}" if row[cell] is not None else "" for cell in cells))
    console = Console()
    console.print(table)
    for name, row in figures.items():
        if "rate" not in row:
            console.print(f"{name}: " + ", ".join(f"{key} {value:.1f}" for key, value in row.items()))


def measure(folder: Path, seconds: float) -> dict[str, dict[str, Any]]:
    """All the figures, by name."""
    figures: dict[str, dict[str, Any]] = {}
    for tables in (50, 200):
        with Server(f"sqlite:///{folder / f'flat{tables}.db'}") as server:
            figures[f"{tables} tables, flat out"] = server.play(Plan("127.0.0.1", [server.port], tables, seconds))
        with Server(f"sqlite:///{folder / f'poll{tables}.db'}") as server:
            plan = Plan("127.0.0.1", [server.port], tables, seconds, streams=False)
            figures[f"{tables} tables, flat out, no streams"] = server.play(plan)
    with Server(f"sqlite:///{folder / 'think.db'}") as server:
        plan = Plan("127.0.0.1", [server.port], 50, seconds, think=1.0)
        figures["50 tables, an action a second each"] = server.play(plan)
    with Server(f"sqlite:///{folder / 'watch.db'}") as server:
        figures["1,000 watchers, 50 tables"] = server.watch(Plan("127.0.0.1", [server.port], 50, seconds, think=1.0))
    figures["the longest record, from a cold start"] = longest(folder)
    figures["a seat's update of the page"] = updates(folder)
    figures["a cold start"] = {"first page ms": cold_start(folder)}
    postgres = os.environ.get(POSTGRES)
    if postgres:
        with Server(postgres) as one, Server(postgres) as two:
            plan = Plan("127.0.0.1", [one.port, two.port], 50, seconds)
            figures["50 tables, flat out, PostgreSQL, two workers"] = one.play(plan, [two])
    return figures


def longest(folder: Path) -> dict[str, float]:
    """How soon a server that has just started has opened the table with the longest record."""
    database = f"sqlite:///{folder / 'longest.db'}"
    slug, secret, entries = play_longest(database)
    told = {"entries in the log": float(entries)}
    for name, path in (("page ms", f"/t/{slug}"), ("view ms", f"/api/tables/{slug}")):
        with Server(database) as server:
            told[name] = opened_in(f"http://127.0.0.1:{server.port}", path, secret)
    return told


def updates(folder: Path) -> dict[str, float]:
    """What it takes to render one, and its size."""
    took, sizes = render_updates(f"sqlite:///{folder / 'updates.db'}")
    return {
        "p50 ms": percentile(took, 0.5) or 0.0,
        "p99 ms": percentile(took, 0.99) or 0.0,
        "p50 KiB": percentile(sizes, 0.5) or 0.0,
        "most KiB": max(sizes),
    }


def cold_start(folder: Path) -> float:
    """Milliseconds from `parlour serve`, in a folder where it has never been, to the first page."""
    port = _free_port()
    command = [
        sys.executable,
        "-c",
        "import parlour.cli; parlour.cli.main()",
        "serve",
        "--no-browser",
        "--port",
        str(port),
    ]
    began = time.perf_counter()
    process = subprocess.Popen([*command, "--database", f"sqlite:///{folder / 'cold.db'}"])  # noqa: S603
    try:
        while True:
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=5).close()
            except OSError:
                if process.poll() is not None:
                    raise RuntimeError("The server did not start.") from None
                time.sleep(0.01)
            else:
                return (time.perf_counter() - began) * 1000
    finally:
        process.terminate()
        process.wait(10)


class Server:
    """A server process on a free port, pinned to the first core where that can be done."""

    def __init__(self, database: str) -> None:
        self.port = _free_port()
        self.database = database

    def __enter__(self) -> Server:
        command = [sys.executable, "-m", "parlour.web.bench.server", str(self.port), self.database]
        self.process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603
        for _ in range(200):
            try:
                urllib.request.urlopen(f"http://127.0.0.1:{self.port}/health", timeout=1).close()
                break
            except OSError:
                if self.process.poll() is not None:
                    raise RuntimeError("The server did not start.") from None
                time.sleep(0.05)
        _pin(self.process.pid, 0)
        return self

    def __exit__(self, *_: object) -> None:
        _pipe(self.process.stdin).close()
        self.process.wait(10)

    def told(self) -> dict[str, float]:
        """Processor seconds and resident bytes of the server."""
        _pipe(self.process.stdin).write("?\n")
        _pipe(self.process.stdin).flush()
        answer: dict[str, float] = msgspec.json.decode(_pipe(self.process.stdout).readline())
        return answer

    def load(self, plan: Plan, others: Sequence[Server] = ()) -> tuple[Seen, dict[str, float], dict[str, float]]:
        """Run the clients in a process of their own; what they saw, and the servers together before and after."""
        command = [sys.executable, "-m", "parlour.web.bench.load", msgspec.json.encode(plan).decode()]
        clients = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True)  # noqa: S603
        _pin(clients.pid, 1)
        out, into = _pipe(clients.stdout), _pipe(clients.stdin)
        marks = []
        for word in ("begin", "end"):
            said = out.readline().strip()
            if said != word:
                raise RuntimeError(f"The clients failed: {said!r}.")
            told = [server.told() for server in (self, *others)]
            marks.append({name: sum(one[name] for one in told) for name in ("cpu", "rss")})
            into.write("go\n")
            into.flush()
        seen = msgspec.json.decode(out.readline(), type=Seen)
        clients.wait(20)
        return seen, marks[0], marks[1]

    def play(self, plan: Plan, others: Sequence[Server] = ()) -> dict[str, Any]:
        """Figures of playing clients."""
        seen, before, after = self.load(plan, others)
        cpu = after["cpu"] - before["cpu"]
        return {
            "actions": seen.actions,
            "rate": seen.actions / seen.seconds,
            "per_cpu_second": seen.actions / cpu,
            "ack_p50": percentile(seen.ack, 0.5),
            "ack_p99": percentile(seen.ack, 0.99),
            "other_p50": percentile(seen.other, 0.5),
            "other_p99": percentile(seen.other, 0.99),
            "load_cpu": seen.cpu / seen.seconds,
            "server_cpu": cpu / seen.seconds,
            "lost": seen.lost,
            "doubled": seen.doubled,
            "refused": seen.refused,
        }

    def watch(self, plan: Plan, watchers: int = 1000) -> dict[str, float]:
        """How soon watchers see a move, and what one of them costs in memory."""
        seen, before, _ = self.load(plan)
        plan.watchers = watchers
        plan.warm = 3.0
        seen, full, _ = self.load(plan)
        return {
            "p50 ms": percentile(seen.watched, 0.5) or 0.0,
            "p95 ms": percentile(seen.watched, 0.95) or 0.0,
            "messages seen": float(len(seen.watched)),
            "KiB a watcher": (full["rss"] - before["rss"]) / watchers / 1024,
        }


def percentile(values: list[float], part: float) -> float | None:
    """The value below which this part of them lies; None of none."""
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * part))] if ordered else None


def _free_port() -> int:
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        return int(free.getsockname()[1])


def _pin(pid: int, core: int) -> None:
    if hasattr(os, "sched_setaffinity") and (os.cpu_count() or 1) > core:
        os.sched_setaffinity(pid, {core})


def _pipe(pipe: IO[str] | None) -> IO[str]:
    if pipe is None:
        raise RuntimeError("The process has no such pipe.")
    return pipe
