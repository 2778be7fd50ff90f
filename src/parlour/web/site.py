"""The pages' addresses: what is shown at each, and what their forms do. All HTML comes from `render`."""

from __future__ import annotations

import asyncio
from functools import partial
from typing import Any
from urllib.parse import parse_qs

import msgspec
from litestar import Request, Response, get, post
from litestar.datastructures import Cookie
from litestar.params import FromPath, FromQuery

from parlour import games, records
from parlour.kernel import OptionError
from parlour.table import acting, opening
from parlour.table.clock import DAY, ClockRule
from parlour.table.house import House
from parlour.table.live import Table
from parlour.table.model import BoxModel, TableModel
from parlour.table.opening import Seated
from parlour.table.problems import NotFound, NotYours, Problem, Unfit
from parlour.table.seating import digest
from parlour.table.showing import show, show_at
from parlour.table.summary import record_of
from parlour.web import render
from parlour.web.assets import Asset, read_asset, read_game_asset
from parlour.web.desk import HOST, SEAT, Viewer, cookie, csrf_of, house_of, my_tables, token_fits, viewer_of
from parlour.web.proof import proof
from parlour.web.rulebook import rules_html
from parlour.web.standing import cases_of, instruction_of, redrawn
from parlour.web.stream import current_fragments

AnyRequest = Request[Any, Any, Any]
_get, _post = partial(get, include_in_schema=False), partial(post, include_in_schema=False)
HTML = "text/html"
FORM_LIMIT = 16 * 1024
CLOCKS = {
    "none": ClockRule(),
    "live": ClockRule("live"),
    "quick": ClockRule("live", 20.0, 300.0),
    "days": ClockRule("days"),
    "day": ClockRule("days", DAY, 0.0),
    "week": ClockRule("days", 7 * DAY, 0.0),
}


def _html(text: str, status: int = 200, cookies: list[Cookie] | None = None) -> Response[str]:
    headers = {"cache-control": "no-store"}
    return Response(text, media_type=HTML, status_code=status, cookies=cookies or [], headers=headers)


def _to(location: str, cookies: list[Cookie] | None = None) -> Response[None]:
    return Response(None, status_code=303, headers={"location": location}, cookies=cookies or [])


async def _form(request: AnyRequest) -> dict[str, str]:
    """The fields of a form that one of our own pages sent; of a repeated field, the last."""
    body = await request.body()
    if len(body) > FORM_LIMIT:
        raise Unfit("This form is too long.")
    try:
        fields = parse_qs(body.decode(), keep_blank_values=True, max_num_fields=200)
    except (UnicodeDecodeError, ValueError):
        raise Unfit("This form cannot be read.") from None
    form = {name: values[-1] for name, values in fields.items()}
    if not token_fits(request, form.get("_csrf_token")):
        raise NotYours("This form is no longer good. Go back, load the page again, and send it once more.")
    return form


def _box(name: str) -> BoxModel:
    for box in opening.shelf():
        if box.name == name:
            return box
    raise NotFound(f"There is no game called {name} on the shelf.")


def _seated(request: AnyRequest, made: Seated) -> list[Cookie]:
    slug, kept = made.table.slug, []
    if made.secret:
        kept.append(cookie(request, SEAT + slug, made.secret))
    if made.host_secret:
        kept.append(cookie(request, HOST + slug, made.host_secret))
    return kept


async def _looking(request: AnyRequest, slug: str) -> tuple[House, Table, Viewer, int | None, bool]:
    house, viewer = house_of(request), viewer_of(request, slug)
    table = await house.table(slug, fresh=True, secret=viewer.seat)
    host = viewer.host is not None and viewer.host == table.host_hash
    return house, table, viewer, house.seat_of(table, viewer.seat), host


async def _model(request: AnyRequest, slug: str, at: int | None = None) -> TableModel:
    _, table, viewer, seat, host = await _looking(request, slug)
    if at is not None:
        return show_at(table, seat, at, host=host, secret=viewer.secret)
    return show(table, seat, host=host, page=True, secret=viewer.secret)


# --- the shelf, and opening a table ------------------------------------------------------------------------------


@_get("/")
async def shelf(request: AnyRequest) -> Response[str]:
    """The shelf."""
    return _html(render.shelf(opening.shelf(), await my_tables(request), csrf_of(request)))


@_post("/play/{game:str}")
async def play_now(request: AnyRequest, game: FromPath[str]) -> Response[None]:
    """Sit down at once against club players."""
    form = await _form(request)
    box = _box(game)
    strength = form.get("strength", "club")
    seats = ["me"] + [f"bot:{strength}"] * (box.usual - 1)
    made = await opening.open_table(house_of(request), game, seats=seats, name=form.get("name", ""))
    return _to(f"/t/{made.table.slug}", _seated(request, made))


@_get("/new/{game:str}")
async def new_form(request: AnyRequest, game: FromPath[str]) -> Response[str]:
    """The form for a table of one's own."""
    return _html(render.new_table(_box(game), csrf_of(request)))


@_post("/new/{game:str}")
async def new_table(request: AnyRequest, game: FromPath[str]) -> Response[Any]:
    """Open the table, or show the form again with the reason."""
    form = await _form(request)
    box = _box(game)
    try:
        made = await _open(house_of(request), box, form)
    except Unfit as error:
        return _html(render.new_table(box, csrf_of(request), error.detail, form), 422)
    cookies = _seated(request, made)
    waiting = any(chair.kind == "open" for chair in made.table.chairs)
    return _to(f"/t/{made.table.slug}" + ("/links" if waiting else ""), cookies)


async def _open(house: House, box: BoxModel, form: dict[str, str]) -> Seated:
    game = games.get(box.name)
    seats = [form.get(f"seat-{n}", "none") for n in range(box.most)]
    try:
        options = game.parse_options(
            [f"{name[7:]}={value}" for name, value in form.items() if name.startswith("option-")]
        )
    except OptionError as error:
        raise Unfit(str(error)) from None
    clock = CLOCKS.get(form.get("clock", "none"))
    if clock is None:
        raise Unfit("There is no such clock.")
    return await opening.open_table(
        house,
        box.name,
        options=options,
        seats=[seat for seat in seats if seat != "none"],
        name=form.get("name", ""),
        title=form.get("title", ""),
        clock=_with_limits(clock, box, form),
        talk=form.get("talk", "true") == "true",
        given={name[6:]: value for name, value in form.items() if name.startswith("given-")},
    )


def _with_limits(clock: ClockRule, box: BoxModel, form: dict[str, str]) -> ClockRule:
    """The clock with the host's own times, where they differ from the game's usual ones."""
    seconds: dict[str, float] = {}
    for index, limit in enumerate(box.limits):
        text = form.get(f"limit-{index}", "").strip()
        if clock.kind != "live" or not text:
            continue
        try:
            wished = float(text)
        except ValueError:
            raise Unfit(f"{limit.label}: write a number of seconds, not “{text[:20]}”.") from None
        if wished != limit.seconds:
            seconds |= dict.fromkeys(limit.decisions, wished)
    return msgspec.structs.replace(clock, seconds=seconds) if seconds else clock


@_get("/t/{slug:str}/links")
async def links(request: AnyRequest, slug: FromPath[str]) -> Response[str]:
    """What to send to the others."""
    return _html(render.links(await _model(request, slug), [], csrf_of(request)))


# --- the table ---------------------------------------------------------------------------------------------------


@_get("/t/{slug:str}")
async def table_page(request: AnyRequest, slug: FromPath[str], at: FromQuery[int | None] = None) -> Response[str]:
    """The table. `at`: as it was after that step."""
    return _html(render.page_table(await _model(request, slug, at), csrf_of(request)))


@_get("/t/{slug:str}/fragments")
async def fragments(request: AnyRequest, slug: FromPath[str], at: FromQuery[int | None] = None) -> dict[str, Any]:
    """All the changing parts of the table's page."""
    _, table, viewer, seat, host = await _looking(request, slug)
    if at is not None:
        model = show_at(table, seat, at, host=host, secret=viewer.secret)
        return {"version": model.version, "ply": model.ply, "after": "", "fragments": render.fragments(model)}
    version, ply, parts = current_fragments(table, seat, host, viewer.secret)
    return {"version": version, "ply": ply, "after": "", "fragments": parts}


@_post("/t/{slug:str}/instruct")
async def instruct(request: AnyRequest, slug: FromPath[str]) -> Response[Any]:
    """Leave a standing instruction, or take it back; or show its form again with a case more or fewer."""
    form = await _form(request)
    if "more" in form or "fewer" in form:
        return _html(render.page_table(await _model(request, slug), csrf_of(request), redrawn(form)))
    house = house_of(request)
    decision = form.get("decision", "")
    first, *more = cases_of(form)
    condition = (first.answer, first.path, first.how or "among", first.value, form.get("otherwise", ""))
    left = instruction_of((await house.table(slug)).game, decision, *condition, more)
    await acting.instruct_on(house, slug, viewer_of(request, slug).seat, decision, left)
    if "application/json" in request.headers.get("accept", ""):
        return Response({}, status_code=200, headers={"cache-control": "no-store"})
    return _to(f"/t/{slug}#away")


@_get("/t/{slug:str}/join")
async def join_form(request: AnyRequest, slug: FromPath[str]) -> Response[str]:
    """Who is there, and which seats are open."""
    return _html(render.join(await _model(request, slug), csrf_of(request)))


@_post("/t/{slug:str}/join")
async def join(request: AnyRequest, slug: FromPath[str]) -> Response[Any]:
    """Take a seat."""
    form = await _form(request)
    wanted = form.get("seat", "")
    seat = int(wanted) if wanted.isascii() and wanted.isdigit() and len(wanted) < 4 else None
    house = house_of(request)
    try:
        made = await opening.claim(house, slug, seat, form.get("name", ""), viewer_of(request, slug).seat)
    except NotFound:
        raise
    except Problem as error:
        model = await _model(request, slug)
        return _html(render.join(model, csrf_of(request), error=error.detail), error.status)
    return _to(f"/t/{slug}", _seated(request, made))


@_get("/s/{secret:str}")
async def seat_link(request: AnyRequest, secret: FromPath[str]) -> Response[None]:
    """A seat's own link: it carries the seat to this device."""
    table, _ = await opening.table_of_secret(house_of(request), secret)
    return _to(f"/t/{table.slug}", [cookie(request, SEAT + table.slug, secret)])


@_post("/s/{secret:str}")
async def seat_named(request: AnyRequest, secret: FromPath[str]) -> Response[None]:
    """The same, from a form that may give a name."""
    form = await _form(request)
    table, _ = await opening.table_of_secret(house_of(request), secret)
    if form.get("name", "").strip():
        await opening.rename(house_of(request), table.slug, digest(secret), form["name"])
    return _to(f"/t/{table.slug}", [cookie(request, SEAT + table.slug, secret)])


# --- afterwards --------------------------------------------------------------------------------------------------


@_get("/t/{slug:str}/record")
async def record_page(request: AnyRequest, slug: FromPath[str]) -> Response[str]:
    """The record of a finished game."""
    model = await _model(request, slug)
    table = await house_of(request).table(slug)
    return _html(render.record(model, records.dumps(record_of(table)), csrf_of(request)))


@_get("/t/{slug:str}/verify")
async def verify_page(request: AnyRequest, slug: FromPath[str]) -> Response[str]:
    """The shuffles, recomputed step by step."""
    model = await _model(request, slug)
    table = await house_of(request).table(slug)
    steps, sound = await asyncio.to_thread(proof, record_of(table), table.commitment)
    return _html(render.verify(model, steps, sound, csrf_of(request)))


@_get("/rules/{game:str}")
async def rules_page(request: AnyRequest, game: FromPath[str], part: FromQuery[bool] = False) -> Response[str]:
    """A game's rules; `part`: without the page around them, for the drawer."""
    _box(game)
    return _html(rules_html(game) if part else render.rules(game, csrf_of(request)))


# --- files -------------------------------------------------------------------------------------------------------


def _asset(request: AnyRequest, found: Asset | None) -> Response[bytes]:
    if found is None:
        raise NotFound("There is no such file.")
    headers = {"cache-control": "public, max-age=31536000, immutable", "vary": "accept-encoding"}
    body = found.body
    if found.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        body, headers["content-encoding"] = found.packed, "gzip"
    return Response(body, media_type=found.type, headers=headers)


@_get("/static/{edition:str}/{name:str}", sync_to_thread=False)
def static_file(request: AnyRequest, edition: FromPath[str], name: FromPath[str]) -> Response[bytes]:  # noqa: ARG001 - names the edition
    """A file that pages load."""
    return _asset(request, read_asset(name))


@_get("/static/game/{game:str}/{edition:str}/{name:str}", sync_to_thread=False)
def game_file(request: AnyRequest, game: FromPath[str], edition: FromPath[str], name: FromPath[str]) -> Response[bytes]:  # noqa: ARG001
    """A file of a game's own."""
    return _asset(request, read_game_asset(game, name))


ROUTES = [
    shelf,
    play_now,
    new_form,
    new_table,
    links,
    table_page,
    fragments,
    instruct,
    join_form,
    join,
    seat_link,
    seat_named,
    record_page,
    verify_page,
    rules_page,
    static_file,
    game_file,
]
