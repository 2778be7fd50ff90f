"""The server under load: an ordinary one, that also tells its processor time and memory when a line comes in."""

from __future__ import annotations

import os
import resource
import sys
import threading
import time
from pathlib import Path

import msgspec

from parlour.web.settings import Settings, to_environment


def _answer_questions() -> None:
    for _ in sys.stdin:
        told = {"cpu": time.process_time(), "rss": _memory(), "pid": os.getpid()}
        print(msgspec.json.encode(told).decode(), flush=True)  # noqa: T201
    os._exit(0)  # the parent has gone


def _memory() -> int:
    """Resident bytes now; where the system does not say, the most there ever were."""
    statm = Path("/proc/self/statm")
    if statm.exists():
        return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


def main(port: int, database: str) -> None:
    """Serve on this port until standard input ends."""
    import uvicorn

    to_environment(Settings(database=database, limits=False, warm=False, bot_processes=1))
    threading.Thread(target=_answer_questions, daemon=True).start()
    uvicorn.run(
        "parlour.web.app:guarded", factory=True, host="127.0.0.1", port=port, log_level="warning", access_log=False
    )


if __name__ == "__main__":
    main(int(sys.argv[1]), sys.argv[2])
