"""The examples in docstrings and in the README do what they say."""

from __future__ import annotations

import doctest
import importlib
import pkgutil
from pathlib import Path

import pytest

import parlour.kernel

MODULES = [f"parlour.kernel.{module.name}" for module in pkgutil.iter_modules(parlour.kernel.__path__)]


@pytest.mark.parametrize("name", MODULES)
def test_docstrings_of_the_kernel(name: str) -> None:
    """Compiled modules keep their docstrings in the source only, so the examples are read from there."""
    source = Path(str(importlib.import_module("parlour.kernel").__file__)).parent / f"{name.rpartition('.')[2]}.py"
    parser = doctest.DocTestParser()
    examples = parser.get_doctest(source.read_text(), dict(vars(importlib.import_module(name))), name, str(source), 0)
    assert doctest.DocTestRunner().run(examples).failed == 0


def test_the_readme() -> None:
    result = doctest.testfile(str(Path(__file__).parent.parent / "README.md"), module_relative=False)
    assert result.attempted > 5
    assert result.failed == 0
