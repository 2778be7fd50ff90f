"""Models to HTML: whole pages, and the parts of a table's page that are pushed when something changes.

Everything here gets models and views, never a state. A game's page is its `page.html`, whose macros (see `MACROS`)
are called with the view and a `Pieces`; a game without one gets the plain page.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import jinja2
from markupsafe import Markup

from parlour import games
from parlour.table.model import BoxModel, SeatModel, TableModel, TableSummary
from parlour.web import standing, words
from parlour.web.assets import asset, fonts_at_hand, game_asset
from parlour.web.pieces import Pieces, clause_link, emphasis
from parlour.web.rulebook import rules_html

REGIONS = (
    "prompt",
    "choices",
    "past",
    "status",
    "vote",
    "board",
    "result",
    "prizes",
    "hand",
    "players",
    "keepsake",
    "orders",
    "log",
    "talk",
    "about",
)
"""The parts of a table's page that change, by the id of the element they fill."""

MACROS = ("board", "hand", "prizes", "player", "sheet", "scores", "keepsake", "words", "choice", "settings", "printed")
"""What a game's page.html may bring; see `GamePage`."""

GAME_REGIONS = {"board": "board", "hand": "hand", "prizes": "prizes"}
MODULES = ("swap.js", "stream.js", "note.js", "choose.js", "drawers.js", "settings.js", "frame.js", "scrub.js")
HERE = Path(__file__).parent / "templates"

env = jinja2.Environment(
    loader=jinja2.FileSystemLoader(HERE), autoescape=True, trim_blocks=True, lstrip_blocks=True, auto_reload=False
)
env.filters.update(
    hundred=lambda length: Markup(f"{length * 100:.1f}".removesuffix(".0")),  # noqa: S704 - a number
    words=words.spaced,
    is_id=lambda text: bool(text) and text.islower() and "_" in text and " " not in text,
    is_table=lambda rows: (
        len(rows) > 0
        and all(isinstance(row, Mapping) and list(row) == list(rows[0]) for row in rows)
        and len(rows[0]) > 1
    ),
    seat_name=lambda seat, model: words.seat_names(model, [seat]),
)
env.globals.update(
    asset=asset,
    clause_link=clause_link,
    emphasis=emphasis,
    question=words.question,
    idle=words.idle,
    seat_state=words.seat_state,
    bot_words=words.bot_words,
    clock_words=words.clock_words,
    has_time=words.has_time,
    window_words=words.window_words,
    result_title=words.result_title,
    ordinal=words.ordinal,
    number=words.number,
    joined=words.joined,
    away=words.away,
    refused=words.refused,
    lid_lines=words.lid_lines,
    seat_choices=words.seat_choices,
    clock_choices=words.clock_choices,
    askable=standing.askable,
    stands=standing.stands,
    hints=standing.hints,
    hows=standing.HOWS,
)


@dataclass(frozen=True)
class GamePage:
    """What a game brings to its page; None where it leaves it to the plain page."""

    board: Any = None
    hand: Any = None
    prizes: Any = None
    player: Any = None
    sheet: Any = None
    scores: Any = None
    keepsake: Any = None
    words: Any = None
    choice: Any = None
    settings: Any = None
    printed: Any = None
    art: str = ""
    style: str = ""


@functools.cache
def game_page(name: str) -> GamePage:
    """The page of a game, compiled once."""
    folder = games.get(name).folder
    if folder is None or not (folder / "page.html").is_file():
        return GamePage()
    own = env.overlay(loader=jinja2.FileSystemLoader([folder, HERE]))
    module = own.get_template("page.html").module
    macros = {part: getattr(module, part, None) for part in MACROS}
    art = folder / "art.svg"
    return GamePage(
        **macros,
        art=Markup(art.read_text(encoding="utf-8")) if art.is_file() else Markup(""),  # noqa: S704 - the game's own file
        style=game_asset(name, "style.css") if (folder / "style.css").is_file() else "",
    )


@functools.cache
def _emblems() -> Markup:
    return Markup((HERE / "emblems.svg").read_text(encoding="utf-8"))  # noqa: S704 - our own file


def _page(template: str, csrf: str = "", **more: Any) -> str:
    return env.get_template(template).render(csrf=csrf, fonts=fonts_at_hand(), emblems=_emblems(), **more)


# --- the table ---------------------------------------------------------------------------------------------------


def fragments(model: TableModel) -> dict[str, str]:
    """Every changing part of the table's page, by element id, as inner HTML."""
    page = game_page(model.game.name)
    pieces = Pieces(model)
    context = {"m": model, "t": pieces, "game": page, "scores": _scores(page, model, pieces)}
    done: dict[str, str] = {}
    for region in REGIONS:
        if region in GAME_REGIONS:
            macro = getattr(page, GAME_REGIONS[region])
            if macro is not None and model.view is not None:
                done[region] = str(macro(model.view, pieces)).strip()
            elif region == "board":
                done[region] = _region("plain" if model.view is not None else "waiting", context)
            else:
                done[region] = ""
        elif region == "keepsake":
            kept = getattr(model, "keepsake", None)
            wanted = page.keepsake is not None and kept is not None
            done[region] = str(page.keepsake(model.view, pieces, kept)).strip() if wanted else ""
        else:
            done[region] = _region(region, context)
    return done


def _region(name: str, context: Mapping[str, Any]) -> str:
    return env.get_template(f"regions/{name}.html").render(context).strip()


def _scores(page: GamePage, model: TableModel, pieces: Pieces) -> dict[int, str]:
    """What stands beside each name: the game's own running figure, or the result."""
    if model.standings and model.live:
        return {line.seat: words.number(line.score) for line in model.standings}
    if page.scores is None or model.view is None:
        return {}
    return {seat.seat: str(page.scores(model.view, seat.seat, pieces)).strip() for seat in model.seats}


def page_table(model: TableModel, csrf: str = "", drafts: Mapping[str, standing.Draft] | None = None) -> str:
    """The whole page of a table. `drafts`: forms for standing instructions that somebody is filling in."""
    page = game_page(model.game.name)
    parts = {name: Markup(html) for name, html in fragments(model).items()}  # noqa: S704 - our own templates' output
    return _page(
        "table.html",
        csrf,
        m=model,
        t=Pieces(model),
        r=parts,
        art=page.art,
        style=page.style,
        modules=MODULES,
        settings=_settings(page),
        asked=standing.askable(model),
        drafts=drafts or {},
        blank=standing.Draft(),
        most_cases=standing.MOST_CASES,
    )


def _settings(page: GamePage) -> str:
    return page.settings() if page.settings is not None else ""


# --- the other pages ---------------------------------------------------------------------------------------------


def shelf(boxes: Sequence[BoxModel], tables: Sequence[TableSummary] = (), csrf: str = "") -> str:
    """The shelf: every game, and the viewer's tables in progress."""
    return _page("shelf.html", csrf, boxes=boxes, tables=tables, lids={box.name: _lid(box.name) for box in boxes})


@functools.cache
def _lid(name: str) -> Markup:
    """The picture on a game's box, its `lid.svg`; empty if it brings none."""
    folder = games.get(name).folder
    path = folder / "lid.svg" if folder is not None else None
    if path is None or not path.is_file():
        return Markup("")
    return Markup(path.read_text(encoding="utf-8"))  # noqa: S704 - the game's own file


def new_table(box: BoxModel, csrf: str = "", error: str = "", form: Mapping[str, str] | None = None) -> str:
    """The form that opens a table with options of one's own."""
    return _page("new.html", csrf, box=box, error=error, form=form or {})


def join(model: TableModel, csrf: str = "", error: str = "", name: str = "") -> str:
    """Take an open seat, by name."""
    return _page("join.html", csrf, m=model, t=Pieces(model), error=error, name=name)


def links(model: TableModel, seat_links: Sequence[tuple[SeatModel, str]] = (), csrf: str = "") -> str:
    """What to send to the others, once the table is open."""
    return _page("links.html", csrf, m=model, t=Pieces(model), seat_links=seat_links)


def record(model: TableModel, text: str, csrf: str = "") -> str:
    """The record of a finished game, to read and to take away."""
    return _page("record.html", csrf, m=model, text=text)


def verify(model: TableModel, steps: Sequence[Mapping[str, object]], sound: bool, csrf: str = "") -> str:
    """The shuffle, recomputed step by step. A step: title, text, and what was expected and found."""
    return _page("verify.html", csrf, m=model, steps=steps, sound=sound)


def keepsake(model: TableModel, csrf: str = "") -> str:
    """What the game leaves behind besides its result, as a page to read and to print."""
    page = game_page(model.game.name)
    text = page.printed(model.keepsake, Pieces(model)) if page.printed is not None else ""
    return _page("keepsake.html", csrf, m=model, printed=text, art=page.art, style=page.style)


def rules(name: str, csrf: str = "") -> str:
    """A game's rules as a page."""
    game = games.get(name)
    return _page("rules.html", csrf, game=game, html=Markup(rules_html(name)))  # noqa: S704 - rendered from the game's own file


def rules_part(name: str) -> str:
    """A game's rules, for the drawer."""
    return rules_html(name)


def error(status: int, title: str, detail: str, clause: str = "", csrf: str = "") -> str:
    """What went wrong, in a sentence, and where to go from here."""
    return _page("error.html", csrf, status=status, title=title, detail=detail, clause=clause)
