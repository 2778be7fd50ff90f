"""What compiled modules must not write, since it means something else there."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

from parlour.kernel import bit
from tests.source import parsed

ROOT = Path(__file__).parents[2]
SOURCE = ROOT / "src" / "parlour"


def general() -> list[Path]:
    """The modules that setup.py lists."""
    for node in parsed(ROOT / "setup.py").body:
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id == "COMPILED":
            return [ROOT / "src" / name for name in ast.literal_eval(node.value)]
    raise AssertionError("setup.py has no list called COMPILED")


MODULES = sorted(
    general()
    + [
        listed.parent / name
        for listed in (SOURCE / "games").glob("*/compiled.txt")
        for name in listed.read_text().split()
    ]
)


def narrow_shifts(tree: ast.Module) -> Iterator[int]:
    """Lines that shift a plain number to the left by something that is not plain."""
    for node in ast.walk(tree):
        if isinstance(node, ast.BinOp) and isinstance(node.op, ast.LShift):
            left = node.left
            if isinstance(left, ast.Call) and isinstance(left.func, ast.Name) and left.func.id == "i64":
                left = left.args[0]
            if isinstance(left, ast.Constant) and not isinstance(node.right, ast.Constant):
                yield node.lineno


@pytest.mark.parametrize("module", MODULES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_no_number_is_shifted_to_the_left_by_a_variable(module: Path) -> None:
    """mypyc writes `1 << n` with a 32-bit 1, which is wrong from n = 31 on: write `bit(n)`."""
    assert [] == list(narrow_shifts(parsed(module)))


def classes_with_arguments(tree: ast.Module) -> list[str]:
    """Classes with arguments in their heads."""
    return [node.name for node in ast.walk(tree) if isinstance(node, ast.ClassDef) and node.keywords]


@pytest.mark.parametrize("module", MODULES, ids=lambda path: f"{path.parent.name}.{path.stem}")
def test_no_class_has_arguments_in_its_head(module: Path) -> None:
    """mypyc drops them: a Struct would be written with its defaults, a tagged one without its tag."""
    assert [] == classes_with_arguments(parsed(module))


def test_the_check_sees_such_a_class() -> None:
    assert ["A"] == classes_with_arguments(ast.parse("class A(Struct, tag=1): pass\nclass B(Struct): pass\n"))


def test_the_check_sees_both_ways_of_writing_it() -> None:
    assert [1, 2] == sorted(narrow_shifts(ast.parse("a = 1 << n\nb = i64(1) << (8 * n)\nc = 1 << 40\nd = x << n\n")))


@pytest.mark.parametrize("member", range(63))
def test_bit_is_the_power_of_two(member: int) -> None:
    assert 2**member == bit(member)
