"""Each clause, ruling, example and invariant of a game's contract is named by a test; the list of the missing is empty.

The ids come from the game's own `rules.md` and from `CONTRACT`, the numbers that each contract runs to. A test names an
id in its name (`test_pp_e09_double_steal`) or in its docstring or parametrization (`PP-E09`, `PP-16…PP-18`).
"""

from __future__ import annotations

import ast
import re
from pathlib import Path

import pytest

from parlour import games
from parlour.games.rulebook import Rulebook
from tests.source import parsed

TESTS = Path(__file__).parent / "games"

# Prefix of a game's ids, and the numbers in its contract: clauses, rulings, examples, invariants.
CONTRACT: dict[str, tuple[str, list[str]]] = {
    "prowlers": (
        "PP",
        [
            *(f"{n:02}" for n in range(1, 56)),
            *(f"R{n:02}" for n in range(1, 26)),
            *(f"E{n:02}" for n in range(1, 29)),
            *(f"I{n}" for n in range(1, 14)),
        ],
    ),
    "hellfire": (
        "HC",
        [
            *(f"{n:02}" for n in [*range(1, 18), *range(20, 27), *range(30, 40), *range(40, 48), *range(50, 58)]),
            *(f"{n:02}" for n in [*range(60, 66), *range(70, 75), *range(75, 80), *range(80, 93)]),
            *(f"R{n:02}" for n in range(1, 37)),
            *(f"E{n:02}" for n in range(1, 33)),
            *(f"I{n}" for n in range(1, 15)),
        ],
    ),
}


def contract(name: str) -> tuple[str, list[str]]:
    """Prefix and numbers of a game's contract; the clauses of its own rules.md where none is listed."""
    if name in CONTRACT:
        return CONTRACT[name]
    folder = games.get(name).folder
    assert folder is not None, f"{name} has no rules.md"
    clauses = [passage.clause for passage in Rulebook.read(folder / "rules.md").passages if passage.clause]
    assert clauses, f"the rules.md of {name} has no clauses"
    (prefix,) = {clause.partition("-")[0] for clause in clauses}
    return prefix, [clause.partition("-")[2] for clause in clauses]


def named_in(folder: Path, prefix: str) -> set[str]:
    """The ids that test functions under a folder name, `PP-07` and `PP-07…PP-09` in text, `pp_e09` in names."""
    found: set[str] = set()
    for path in folder.rglob("test_*.py"):
        for node in ast.walk(parsed(path)):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name.startswith("test_"):
                text = (ast.get_docstring(node) or "") + " " + " ".join(map(ast.unparse, node.decorator_list))
                name = node.name.lower()
                found |= {
                    letter.upper() + number
                    for letter, number in re.findall(rf"(?<![a-z]){prefix.lower()}_([rei]?)(\d+)", name)
                }
                found |= set(re.findall(rf"{prefix}-([REI]?\d+)", text))
                for letter, start, end in re.findall(rf"{prefix}-([REI]?)(\d+)…(?:{prefix}-)?\1(\d+)", text):
                    width = len(start)
                    found |= {f"{letter}{n:0{width}}" for n in range(int(start), int(end) + 1)}
    return found


@pytest.mark.parametrize("name", games.OWN)
def test_every_id_of_the_contract_is_named_by_a_test(name: str) -> None:
    prefix, ids = contract(name)
    named = named_in(TESTS / name, prefix)
    missing = [f"{prefix}-{number}" for number in ids if number not in named]
    assert missing == []


@pytest.mark.parametrize("name", games.OWN)
def test_every_clause_and_ruling_stands_in_the_rules_that_players_read(name: str) -> None:
    prefix, ids = contract(name)
    folder = games.get(name).folder
    assert folder is not None
    rules = (folder / "rules.md").read_text(encoding="utf-8")
    missing = [f"{prefix}-{n}" for n in ids if n[0] not in "EI" and f"{prefix}-{n}" not in rules]
    assert missing == []


@pytest.mark.parametrize("name", games.OWN)
def test_every_rule_clause_is_cited_in_the_game_s_code(name: str) -> None:
    """All but the rulings: whoever has the rulebook open finds its sentence in the code."""
    prefix, ids = contract(name)
    folder = Path(__file__).parent.parent / "src" / "parlour" / "games" / name
    code = " ".join(path.read_text(encoding="utf-8") for path in sorted(folder.glob("*.py")))
    cited = set(re.findall(rf"{prefix}-(\d+)", code))
    for start, end in re.findall(rf"{prefix}-(\d+)…(?:{prefix}-)?(\d+)", code):
        cited |= {f"{n:02}" for n in range(int(start), int(end) + 1)}
    missing = [f"{prefix}-{n}" for n in ids if n.isdigit() and n not in cited]
    assert missing == []


def test_the_search_for_names_sees_what_is_missing(tmp_path: Path) -> None:
    (tmp_path / "test_x.py").write_text(
        'def test_pp_e09_double_steal():\n    "PP-07, PP-10…PP-12"\n\ndef helper():\n    "PP-44"\n'
    )
    assert named_in(tmp_path, "PP") == {"E09", "07", "10", "11", "12"}
