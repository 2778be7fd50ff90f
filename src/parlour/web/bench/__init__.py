"""`parlour bench table`: what the server carries. The server and its clients run in processes of their own."""

from __future__ import annotations

from parlour.web.bench.report import run

__all__ = ["run"]
