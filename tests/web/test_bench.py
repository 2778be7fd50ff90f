"""`parlour bench table`: its clients play, watch and count; what they report adds up."""

from __future__ import annotations

from pathlib import Path

from parlour.web.bench.load import Plan
from parlour.web.bench.report import Server, cold_start, percentile, updates
from tests.table.places import database


def test_players_and_watchers_are_counted(tmp_path: Path) -> None:
    with Server(f"sqlite:///{tmp_path / 'bench.db'}") as server:
        row = server.play(Plan("127.0.0.1", [server.port], 3, 1.0, warm=0.2))
        assert row["actions"] > 0
        assert (0, 0, 0) == (row["lost"], row["doubled"], row["refused"])
        assert row["per_cpu_second"] > 0
        assert 0 < row["ack_p50"] <= row["ack_p99"]
        assert row["other_p50"] is not None
        watched = server.watch(Plan("127.0.0.1", [server.port], 3, 1.5, think=0.2, warm=0.2), watchers=12)
        assert watched["messages seen"] > 0


def test_two_workers_on_postgresql(tmp_path: Path) -> None:
    with database("postgresql", tmp_path) as url, Server(url) as one, Server(url) as two:
        row = one.play(Plan("127.0.0.1", [one.port, two.port], 3, 1.0, warm=0.2), [two])
    assert row["actions"] > 0
    assert (0, 0) == (row["lost"], row["doubled"])


def test_percentiles() -> None:
    assert percentile([], 0.5) is None
    assert 3.0 == percentile([5.0, 1.0, 3.0], 0.5)
    assert 5.0 == percentile([5.0, 1.0, 3.0], 0.99)


def test_updates_and_a_cold_start_are_measured(tmp_path: Path) -> None:
    row = updates(tmp_path)
    assert 0 < row["p50 ms"] <= row["p99 ms"]
    assert 0 < row["p50 KiB"] <= row["most KiB"]
    assert cold_start(tmp_path) > 0
