"""The tale in print (HC-91, HC-92): Markdown, plain text, JSON, and a page of HTML that stands on its own."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import msgspec

from parlour.games.hellfire.box import BOX, Spec
from parlour.games.hellfire.tale import Beat, Chapter, Tale

STRUCK = ("lost", "cancelled", "beaten")
"""HC-91: the fates whose beats are struck through, and left out of the authorised tale."""

HEADINGS = {
    "believed": "is believed",
    "found out": "is found out",
    "nothing": "says nothing to the purpose",
    "": "takes up the tale",
}

STYLE = (Path(__file__).parent / "tale.css").read_text(encoding="utf-8")

Reckoning = Sequence[Mapping[str, Any]]
"""The final table, in the order of HC-65: `player`, `place`, `purse`, `majorities`, `benefactors`, `total`."""


def parts(tale: Tale, authorised: bool = False) -> Iterator[tuple[Chapter, int, list[Beat]]]:
    """The chapters with their numbers, and those of their beats that are printed (HC-92)."""
    for number, chapter in enumerate(tale.chapters, 1):
        beats = [beat for beat in chapter.beats if not authorised or _believed(beat)]
        if beats or not authorised:
            yield chapter, number, beats


def _believed(beat: Beat) -> bool:
    return beat.fate not in STRUCK and beat.kind not in ("patron", "outcome")


def heading(tale: Tale, chapter: Chapter, number: int) -> str:
    """HC-91: the heading of a chapter."""
    return f"Chapter {number}: in which {tale.names[chapter.teller]} {HEADINGS[chapter.outcome]}"


def byline(tale: Tale) -> str:
    """HC-91: the players' names in seat order."""
    return "as told by " + joined(tale.names)


def joined(names: Sequence[str]) -> str:
    """A, B and C."""
    return names[0] if len(names) == 1 else ", ".join(names[:-1]) + " and " + names[-1]


def drinkers(tale: Tale, reckoning: Reckoning) -> str:
    """HC-91: who drank."""
    return " and ".join(tale.names[line["player"]] for line in reckoning if line["place"] == 1)


def phrase_at(beat: Beat, spec: Spec | None = None) -> tuple[int, int] | None:
    """HC-91: where the card's phrase first occurs in its beat, case ignored."""
    if beat.card is None:
        return None
    found = re.search(re.escape((spec or BOX.spec).boasts[beat.card].phrase), beat.text, re.IGNORECASE)
    return found.span() if found else None


# --- Markdown -----------------------------------------------------------------------------------------------------


def markdown(tale: Tale, reckoning: Reckoning = (), authorised: bool = False, spec: Spec | None = None) -> str:
    """HC-91: the tale in Markdown."""
    blocks = [f"# {_escaped(tale.title)}", f"*{_escaped(byline(tale))}*"]
    for chapter, number, beats in parts(tale, authorised):
        blocks.append(f"## {_escaped(heading(tale, chapter, number))}")
        blocks += [_markdown_beat(beat, spec) for beat in beats]
    if tale.end:
        blocks.append("## What came of it")
        blocks += [_markdown_beat(beat, spec) for beat in tale.end]
    if tale.over and reckoning:
        rows = ["| | Purse | Majorities | Benefactors | Total |", "|---|---|---|---|---|"]
        for line in reckoning:
            sums = [line["purse"], line["majorities"], line["benefactors"], line["total"]]
            rows.append(f"| {_escaped(tale.names[line['player']])} | " + " | ".join(map(str, sums)) + " |")
        blocks += ["## The reckoning", "\n".join(rows), f"*{_escaped(drinkers(tale, reckoning))} drank.*"]
    return "\n\n".join(blocks) + "\n"


def _markdown_beat(beat: Beat, spec: Spec | None) -> str:
    at = phrase_at(beat, spec)
    if at is None:
        text = _escaped(beat.text)
    else:
        start, end = at
        before, phrase, after = beat.text[:start], beat.text[start:end], beat.text[end:]
        text = f"{_escaped(before)}**{_escaped(phrase)}**{_escaped(after)}"
    if beat.fate in STRUCK:
        text = f"~~{text}~~"
    if beat.kind == "patron":
        text = f"*{text}*"
    return f"> {text}" if beat.kind in ("challenge", "rechallenge") else text


def _escaped(text: str) -> str:
    """Nothing that people type is markup."""
    plain = re.sub(r"([\\`*_~\[\]<>|])", r"\\\1", text)
    return re.sub(r"^(\s*)([#+-]|\d+[.)])", r"\1\\\2", plain) if re.match(r"\s*([#+-]|\d+[.)])\s", plain) else plain


# --- plain text ---------------------------------------------------------------------------------------------------


def plain(tale: Tale, reckoning: Reckoning = (), authorised: bool = False) -> str:
    """HC-91: the tale in plain text. What was struck out stands in square brackets; challenges are set in."""
    blocks = [tale.title, byline(tale)]
    for chapter, number, beats in parts(tale, authorised):
        blocks.append(heading(tale, chapter, number).upper())
        blocks += [_plain_beat(beat) for beat in beats]
    if tale.end:
        blocks.append("WHAT CAME OF IT")
        blocks += [_plain_beat(beat) for beat in tale.end]
    if tale.over and reckoning:
        width = max(len(name) for name in tale.names)
        rows = [" " * width + "  Purse  Majorities  Benefactors  Total"]
        for line in reckoning:
            name = tale.names[line["player"]].ljust(width)
            sums = f"{line['purse']:>5}{line['majorities']:>12}{line['benefactors']:>13}{line['total']:>7}"
            rows.append(f"{name}  {sums}")
        blocks += ["THE RECKONING", "\n".join(rows), f"{drinkers(tale, reckoning)} drank."]
    return "\n\n".join(blocks) + "\n"


def _plain_beat(beat: Beat) -> str:
    text = f"[struck out: {beat.text}]" if beat.fate in STRUCK else beat.text
    return f"    {text}" if beat.kind in ("challenge", "rechallenge") else text


# --- JSON ---------------------------------------------------------------------------------------------------------


def document(tale: Tale, reckoning: Reckoning = (), authorised: bool = False) -> dict[str, Any]:
    """HC-91: the tale as plain values."""
    return {
        "title": tale.title,
        "names": tale.names,
        "authorised": authorised,
        "story_seed": tale.seed,
        "chapters": [
            {
                "number": number,
                "turn": chapter.turn,
                "teller": chapter.teller,
                "heading": heading(tale, chapter, number),
                "beats": msgspec.to_builtins(beats),
            }
            for chapter, number, beats in parts(tale, authorised)
        ],
        "end": msgspec.to_builtins(tale.end),
        "reckoning": [dict(line) for line in reckoning] if tale.over else [],
    }


def as_json(tale: Tale, reckoning: Reckoning = (), authorised: bool = False) -> str:
    """HC-91: the tale in JSON."""
    return json.dumps(document(tale, reckoning, authorised), indent=2, ensure_ascii=False) + "\n"


# --- HTML ---------------------------------------------------------------------------------------------------------


def page(tale: Tale, reckoning: Reckoning = (), authorised: bool = False, spec: Spec | None = None) -> str:
    """HC-91: the tale as a page of its own: title, by-line, drop capital, the challenges in the margin."""
    body: list[str] = []
    for chapter, number, beats in parts(tale, authorised):
        first = " first" if number == 1 else ""
        body.append(f'<section class="chapter{first}">\n<h2>{_text(heading(tale, chapter, number))}</h2>')
        body += [html_beat(beat, spec) for beat in beats]
        body.append("</section>")
    if tale.end:
        body.append('<section class="end">\n<h2>What came of it</h2>')
        body += [html_beat(beat, spec) for beat in tale.end]
        body.append("</section>")
    if tale.over and reckoning:
        body += _html_reckoning(tale, reckoning)
    edition = "The tale as the company believed it" if authorised else "The tale entire"
    return _PAGE.format(
        title=_text(tale.title),
        style=STYLE,
        edition=edition,
        byline=_text(byline(tale)),
        body="\n".join(body),
    )


def html_beat(beat: Beat, spec: Spec | None = None) -> str:
    """One paragraph. Everything in it is escaped."""
    at = phrase_at(beat, spec)
    text = _text(beat.text)
    if at is not None:
        start, end = at
        before, phrase, after = (_text(piece) for piece in (beat.text[:start], beat.text[start:end], beat.text[end:]))
        text = f"{before}<b>{phrase}</b>{after}"
    if beat.fate in STRUCK:
        text = f"<s>{text}</s>"
    if beat.kind in ("challenge", "rechallenge"):
        return f'<aside class="{beat.kind}"><p>{text}</p></aside>'
    return f'<p class="{beat.kind}">{text}</p>'


def _html_reckoning(tale: Tale, reckoning: Reckoning) -> list[str]:
    rows = ['<section class="reckoning">', "<h2>The reckoning</h2>", "<table>"]
    heads = "".join(f'<th scope="col">{head}</th>' for head in ("Purse", "Majorities", "Benefactors", "Total"))
    rows.append(f"<thead><tr><td></td>{heads}</tr></thead>\n<tbody>")
    for line in reckoning:
        sums = "".join(f"<td>{line[key]}</td>" for key in ("purse", "majorities", "benefactors", "total"))
        rows.append(f'<tr><th scope="row">{_text(tale.names[line["player"]])}</th>{sums}</tr>')
    rows += ["</tbody>", "</table>", f'<p class="drank">{_text(drinkers(tale, reckoning))} drank.</p>', "</section>"]
    return rows


def _text(words: str) -> str:
    return html.escape(words, quote=True)


_PAGE = """<!doctype html>
<html lang="en-GB">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<style>
{style}</style>
</head>
<body>
<main>
<header>
<p class="edition">{edition}</p>
<h1>{title}</h1>
<p class="byline">{byline}</p>
</header>
{body}
</main>
</body>
</html>
"""
