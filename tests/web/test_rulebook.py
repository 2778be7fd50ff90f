"""Rules as HTML: clauses are anchors, mentions are links."""

from __future__ import annotations

import pytest

from parlour import games
from parlour.games.rulebook import Rulebook
from parlour.web.rulebook import render, rules_html

WITH_RULES = [name for name in games.names() if (folder := games.get(name).folder) and (folder / "rules.md").is_file()]


def test_a_clause_is_an_anchor_and_its_mention_a_link() -> None:
    html = render("- **PP-01** One thing, see PP-02.\n- **PP-02** Another; PP-02 stands alone, and so does PP-99.\n")
    assert 'id="clause-PP-01"' in html
    assert '<a href="#clause-PP-02" data-clause-link="PP-02">PP-02</a>' in html
    assert "PP-99</a>" not in html


def test_a_table_without_a_head_has_none() -> None:
    assert "<thead>" not in render("| | |\n|---|---|\n| a | b |\n")
    assert "<thead>" in render("| x | |\n|---|---|\n| a | b |\n")


def test_markup_in_a_rulebook_is_text() -> None:
    assert "<script>" not in render("**PP-01** <script>alert(1)</script>")


@pytest.mark.parametrize("name", WITH_RULES)
def test_every_clause_of_every_game_can_be_opened(name: str) -> None:
    folder = games.get(name).folder
    assert folder is not None
    html = rules_html(name)
    for passage in Rulebook.read(folder / "rules.md").passages:
        if passage.clause:
            assert f'id="clause-{passage.clause}"' in html, passage.clause
