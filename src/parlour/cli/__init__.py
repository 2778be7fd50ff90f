"""The one command, `parlour`. Every command is a file here; each imports what it needs only when it runs."""

from parlour.cli.app import app, main

__all__ = ["app", "main"]
