"""`parlour bench table`: what the server carries. The server and its clients run in processes of their own."""

from __future__ import annotations


def run(as_json: bool = False) -> None:
    """Measure, and print the figures."""
    from parlour.web.bench.report import run as measured

    measured(as_json)
