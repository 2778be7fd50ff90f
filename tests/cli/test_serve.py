"""`parlour serve`, `parlour check-tables` and `parlour bench table`: what they hand on, and a server for real."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import tempfile
import time
import urllib.request
from collections.abc import Callable
from pathlib import Path

import pytest

from parlour.web.serve import shared_figures
from tests.cli.conftest import Run

Calls = list[dict[str, object]]


@pytest.fixture
def served(monkeypatch: pytest.MonkeyPatch) -> Calls:
    """What `serve` was asked for."""
    calls: Calls = []

    def serve(announce: Callable[[str], None], **asked: object) -> None:
        calls.append(asked)
        announce(f"http://localhost:{asked['port']}/")

    monkeypatch.setattr("parlour.web.serve.serve", serve)
    return calls


def test_serve_without_a_word(run: Run, served: Calls, tmp_path: Path) -> None:
    told = run("serve", "--database", f"sqlite:///{tmp_path}/tables.db")
    assert told.exit_code == 0
    assert told.stderr == "Parlour is at http://localhost:8000/ (Ctrl+C ends it; the tables keep).\n"
    assert served == [
        {
            "host": "127.0.0.1",
            "port": 8000,
            "database": f"sqlite:///{tmp_path}/tables.db",
            "browser": True,
            "workers": 1,
            "hosts": (),
            "secure": False,
        }
    ]


def test_serve_with_everything(run: Run, served: Calls) -> None:
    database = "postgresql://user@host/name"
    options = ("--host", "0.0.0.0", "--port", 80, "--no-browser", "--workers", 3, "--secure")
    told = run("serve", *options, "--database", database, "--name", "games.example", "--name", "example")
    assert told.exit_code == 0
    assert served == [
        {
            "host": "0.0.0.0",
            "port": 80,
            "database": database,
            "browser": False,
            "workers": 3,
            "hosts": ("games.example", "example"),
            "secure": True,
        }
    ]


def test_a_database_that_will_not_do(run: Run, served: Calls) -> None:
    told = run("serve", "--database", "mysql://host/name")
    assert told.exit_code == 2
    assert told.stderr.startswith("parlour: The database mysql://")
    assert len(told.stderr.splitlines()) == 1
    assert served == []


@pytest.mark.parametrize(("same", "status"), [(True, 0), (False, 1)])
def test_check_tables_ends_with_what_it_found(
    run: Run, monkeypatch: pytest.MonkeyPatch, same: bool, status: int
) -> None:
    asked: list[str | None] = []

    def check(database: str | None) -> bool:
        asked.append(database)
        return same

    monkeypatch.setattr("parlour.table.check.check", check)
    assert run("check-tables", "--database", "here.db").exit_code == status
    assert asked == ["here.db"]


def test_bench_table_is_the_server_s(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: Calls = []
    monkeypatch.setattr("parlour.web.bench.run", lambda **how: asked.append(how))
    assert run("bench", "table", "--json").exit_code == 0
    assert asked == [{"as_json": True}]


def test_a_server_for_real(tmp_path: Path) -> None:
    """It says where it is, answers there, and ends with Ctrl+C without a traceback."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    script = "from parlour.cli import main; main()"
    arguments = ["serve", "--no-browser", "--port", str(port), "--database", str(tmp_path / "tables.db")]
    with subprocess.Popen(
        [sys.executable, "-c", script, *arguments], stderr=subprocess.PIPE, text=True, env={**os.environ}
    ) as server:
        try:
            assert server.stderr is not None
            assert f"http://localhost:{port}/" in server.stderr.readline()
            assert _answer(f"http://127.0.0.1:{port}/health")
        finally:
            server.send_signal(signal.SIGINT)
            try:
                server.wait(30)
            finally:
                server.kill()
        assert "Traceback" not in server.stderr.read()


def _answer(url: str) -> str:
    for _ in range(300):
        try:
            with urllib.request.urlopen(url, timeout=5) as answer:
                return str(answer.read().decode())
        except OSError:
            time.sleep(0.1)
    raise AssertionError(f"nothing at {url}")


def test_what_workers_count_is_swept_away(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that was killed leaves its folder; the next one takes it away, and its own when it ends."""
    monkeypatch.setattr(tempfile, "tempdir", str(tmp_path))
    monkeypatch.delenv("PROMETHEUS_MULTIPROC_DIR", raising=False)
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for name in (f"parlour-metrics-{gone.pid}-x", "parlour-metrics-old", f"parlour-metrics-{os.getpid()}-x", "other"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "counter.db").write_bytes(b"1")
    with shared_figures():
        folder = Path(os.environ["PROMETHEUS_MULTIPROC_DIR"])
        assert folder.parent == tmp_path
        assert sorted(["other", f"parlour-metrics-{os.getpid()}-x", folder.name]) == sorted(os.listdir(tmp_path))
    assert not folder.exists()
    assert "PROMETHEUS_MULTIPROC_DIR" not in os.environ


def test_a_port_that_is_taken_is_told_in_a_sentence_and_nothing_else(tmp_path: Path) -> None:
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = str(other.getsockname()[1])
        command = [sys.executable, "-c", "import parlour.cli; parlour.cli.main()", "serve", "--no-browser"]
        command += ["--port", port, "--database", f"sqlite:///{tmp_path}/tables.db"]
        told = subprocess.run(command, capture_output=True, text=True, timeout=60, check=False)
    assert told.returncode != 0
    assert f"Port {port} is taken" in " ".join(told.stderr.split())
    assert "--port" in told.stderr
    assert "Parlour is at" not in told.stderr
    assert "Traceback" not in told.stderr
