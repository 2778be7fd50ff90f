"""Reading Python source in tests."""

from __future__ import annotations

import ast
import gc
from pathlib import Path


def parsed(path: Path) -> ast.Module:
    """The syntax tree of a file.

    Garbage is not collected meanwhile: CPython 3.11 refuses a tree (`AST constructor recursion depth mismatch`) if a
    forgotten greenlet is ended while it is being made.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        return ast.parse(path.read_text(encoding="utf-8"))
    finally:
        if collecting:
            gc.enable()
