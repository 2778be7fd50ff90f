"""Fixtures of the web tests."""

from tests.table.fixtures import _toy_on_the_shelf, anyio_backend, clock, sqlite, url

__all__ = ["_toy_on_the_shelf", "anyio_backend", "clock", "sqlite", "url"]
