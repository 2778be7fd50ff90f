"""The one command, `parlour`. Every command is a file here; each imports what it needs only when it runs."""

import sys

try:
    from parlour.cli.app import app, main
except KeyboardInterrupt:  # Ctrl+C before it has begun: no traceback then either
    sys.exit(130)

__all__ = ["app", "main"]
