"""The examples in docstrings and in the README do what they say."""

from __future__ import annotations

import ast
import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import parlour.kernel
from tests.source import parsed

MODULES = [f"parlour.kernel.{module.name}" for module in pkgutil.iter_modules(parlour.kernel.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_of_the_kernel(name: str) -> None:
    """Compiled modules keep their docstrings in the source only, so the examples are read from there."""
    module = importlib.import_module(name)
    source = Path(parlour.kernel.__path__[0]) / f"{name.rpartition('.')[2]}.py"
    runner = doctest.DocTestRunner()
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef):
            text = ast.get_docstring(node) or ""
            where = getattr(node, "name", name)
            runner.run(doctest.DocTestParser().get_doctest(text, dict(vars(module)), where, str(source), 0))
    assert runner.summarize().failed == 0
    assert runner.tries > 0 or name.rpartition(".")[2] not in {"sets", "dice"}


def test_the_readme() -> None:
    result = doctest.testfile(str(Path(__file__).parent.parent / "README.md"), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0
