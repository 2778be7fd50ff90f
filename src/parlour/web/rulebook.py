"""A game's rules.md as HTML: every clause an anchor, every mention of a clause a link to it."""

from __future__ import annotations

import functools
import re

from markdown_it import MarkdownIt
from markdown_it.token import Token

from parlour import games

CLAUSE = re.compile(r"\b[A-Z]{2,3}-[A-Z]?\d{2,}\b")
_EMPTY_HEAD = re.compile(r"<thead>\s*<tr>\s*(?:<th[^>]*></th>\s*)+</tr>\s*</thead>")
_BEGINS = re.compile(r"^\s*([A-Z]{2,3}-[A-Z]?\d{2,})\b")


@functools.cache
def rules_html(name: str) -> str:
    """The rules of a game. Raw HTML in the file is shown as text."""
    folder = games.get(name).folder
    path = folder / "rules.md" if folder is not None else None
    if path is None or not path.is_file():
        return "<p>This game has brought no rules.</p>"
    return render(path.read_text(encoding="utf-8"))


def render(text: str) -> str:
    """Markdown with clauses as HTML."""
    markdown = MarkdownIt("commonmark", {"html": False}).enable("table")
    tokens = markdown.parse(text)
    known = _anchor(tokens)
    for token in tokens:
        if token.type == "inline" and token.children:
            token.children = _linked(token.children, known)
    html: str = markdown.renderer.render(tokens, markdown.options, {})
    html = _EMPTY_HEAD.sub("", html)
    return html.replace("<table>", '<div class="scroll-x" tabindex="0"><table>').replace("</table>", "</table></div>")


def _anchor(tokens: list[Token]) -> set[str]:
    """Give each block that begins with a bold clause its id; return all clauses that have one."""
    known: set[str] = set()
    for index, token in enumerate(tokens):
        if token.type != "inline" or not token.children:
            continue
        children = [child for child in token.children if child.type != "text" or child.content.strip()]
        if len(children) < 2 or children[0].type != "strong_open":
            continue
        begins = _BEGINS.match(children[1].content)
        if begins is None or begins[1] in known:
            continue
        known.add(begins[1])
        opener = next(t for t in reversed(tokens[:index]) if t.nesting == 1 and not t.hidden)
        opener.attrSet("id", f"clause-{begins[1]}")
    return known


def _linked(children: list[Token], known: set[str]) -> list[Token]:
    """Split text at each mention of a clause, and make the mention a link."""
    done: list[Token] = []
    heading = next((child.content for child in children if child.type == "text" and child.content.strip()), "")
    begins = _BEGINS.match(heading)
    first = begins[1] if begins else ""
    for child in children:
        if child.type != "text":
            done.append(child)
            continue
        at = 0
        for mention in CLAUSE.finditer(child.content):
            clause = mention[0]
            if clause not in known or clause == first:
                first = "" if clause == first else first
                continue
            done.append(_text(child.content[at : mention.start()]))
            link = Token("link_open", "a", 1, attrs={"href": f"#clause-{clause}", "data-clause-link": clause})
            done += [link, _text(clause), Token("link_close", "a", -1)]
            at = mention.end()
        done.append(_text(child.content[at:]))
    return done


def _text(content: str) -> Token:
    return Token("text", "", 0, content=content)
