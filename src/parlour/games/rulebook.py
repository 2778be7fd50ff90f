"""A game's `rules.md`, clause by clause.

A clause begins where a line begins (a list mark may stand before it) with its id in bold: `- **PP-13** The active
player ...` or `**PP-R05 Both sides alike.** ...`; it ends at the next clause, heading, table or blank line. Everything
else is prose and belongs to its heading.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

_HEADING = re.compile(r"^(#{1,6})\s+(.*?)\s*#*$")
_CLAUSE = re.compile(r"^(?:[-*]\s+)?\*\*([A-Z]{2,3}-[A-Z]?\d+)\b")
_ID = re.compile(r"^[A-Z]{2,3}-[A-Z]?\d+$")


@dataclass(frozen=True)
class Passage:
    """A clause, a paragraph, a list or a table. `clause` is "" where it is no clause."""

    headings: tuple[str, ...]
    clause: str
    text: str

    @property
    def is_table(self) -> bool:
        """Whether the text is a Markdown table."""
        return self.text.startswith("|")


class Rulebook:
    """The rules of one game, in order."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.passages = _passages(text)

    @classmethod
    def read(cls, path: Path) -> Rulebook:
        """The rulebook in a Markdown file."""
        return cls(path.read_text(encoding="utf-8"))

    def clause(self, clause: str) -> Passage | None:
        """The clause with that id, in whatever case it is written; None when there is none."""
        wanted = clause.upper()
        return next((passage for passage in self.passages if passage.clause == wanted), None)

    def search(self, words: str) -> list[Passage]:
        """The passages that hold every word, or the clause itself when the words are its id.

        Of a table only the rows that hold every word are kept, under its head.
        """
        if _ID.match(words.strip().upper()):
            found = self.clause(words.strip())
            return [found] if found else []
        wanted = words.casefold().split()
        hits: list[Passage] = []
        for passage in self.passages:
            if passage.is_table:
                head, rows = _head_and_rows(passage.text)
                kept = [row for row in rows if _holds(row, wanted)]
                if kept:
                    hits.append(Passage(passage.headings, "", "\n".join(head + kept)))
            elif _holds(passage.text, wanted):
                hits.append(passage)
        return hits


def _holds(text: str, words: list[str]) -> bool:
    folded = text.casefold()
    return all(word in folded for word in words)


def _head_and_rows(table: str) -> tuple[list[str], list[str]]:
    lines = table.splitlines()
    return lines[:2], lines[2:]


def _passages(text: str) -> list[Passage]:
    headings: list[str] = []
    passages: list[Passage] = []
    block: list[str] = []

    def close() -> None:
        if block:
            clause = _CLAUSE.match(block[0])
            passages.append(Passage(tuple(filter(None, headings)), clause[1] if clause else "", "\n".join(block)))
            block.clear()

    for line in text.splitlines():
        heading = _HEADING.match(line)
        into_or_out_of_table = bool(block) and line.startswith("|") != block[-1].startswith("|")
        if heading or not line.strip() or into_or_out_of_table or _CLAUSE.match(line):
            close()
        if heading:
            level = len(heading[1])
            headings[level - 1 :] = [""] * (level - 1 - len(headings)) + [heading[2]]
        elif line.strip():
            block.append(line)
    close()
    return passages
