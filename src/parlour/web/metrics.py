"""What the server counts, for Prometheus. With several workers the figures of all of them are added up."""

from __future__ import annotations

import os

from prometheus_client import CollectorRegistry, Counter, Gauge, generate_latest, multiprocess

REQUESTS = Counter("parlour_requests", "Answers given, by class of status.", ["status"])
ACTIONS = Counter("parlour_actions", "Actions acknowledged: committed and durable.")
COMMITS = Counter("parlour_commits", "Transactions that entries were committed in.")
LOST_RACES = Counter("parlour_lost_races", "Entries that another worker had written first.")
BOT_MOVES = Counter("parlour_bot_moves", "Moves that bots have chosen.")
BOT_FAULTS = Counter("parlour_bot_faults", "Times a bot failed or was too slow, and a random move stood in.")
WATCHERS = Gauge("parlour_watchers", "Open streams.", multiprocess_mode="livesum")
TABLES = Gauge("parlour_tables", "Tables in memory.", multiprocess_mode="livesum")


def exposition() -> bytes:
    """Everything in Prometheus's text format."""
    if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
        registry = CollectorRegistry()
        multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
        return generate_latest(registry)
    return generate_latest()
