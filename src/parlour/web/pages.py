"""The pages: what a browser asks for by address, and the forms that it sends."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import msgspec
from litestar import MediaType, Request, Response, get, post
from litestar.response import Redirect
from litestar.status_codes import HTTP_200_OK, HTTP_303_SEE_OTHER

from parlour import games
from parlour.kernel import Game, OptionError
from parlour.table import opening
from parlour.table.clock import ClockRule
from parlour.table.live import Table
from parlour.table.model import TableModel
from parlour.table.problems import NotFound, NotYours, Problem, Unfit
from parlour.table.showing import show, show_at
from parlour.table.summary import record_of
from parlour.web import assets, render
from parlour.web.desk import (
    HOST,
    SEAT,
    Viewer,
    cookie,
    csrf_of,
    house_of,
    my_tables,
    token_fits,
    viewer_of,
)
from parlour.web.proof import proof

AnyRequest = Request[Any, Any, Any]
NAME = "name"
FOR_EVER = "public, max-age=31536000, immutable"
HTML = "text/html; charset=utf-8"


def page_model(table: Table, viewer: Viewer, at: int | None = None) -> TableModel:
    """The table as this viewer's page shows it; the stream pushes parts of exactly this."""
    seat = table.seats_by_hash.get(viewer.seat) if viewer.seat else None
    host = viewer.host is not None and viewer.host == table.host_hash
    model = show(table, seat, host=host, page=True) if at is None else show_at(table, seat, at, host=host)
    if seat is None or viewer.secret is None:
        return model
    return msgspec.structs.replace(model, seat_link=f"/s/{viewer.secret}")


def _html(text: str, status: int = HTTP_200_OK, cookies: Any = None) -> Response[str]:
    headers = {"cache-control": "no-store"}
    return Response(text, status_code=status, media_type=HTML, headers=headers, cookies=cookies)


def _see(path: str, cookies: Any = None) -> Redirect:
    return Redirect(path, status_code=HTTP_303_SEE_OTHER, cookies=cookies)


async def _form(request: AnyRequest) -> dict[str, str]:
    """A form from one of our own pages. Raises NotYours for one that is not."""
    form = await request.form()
    fields = {key: str(value) for key in form for value in form.getall(key)[-1:]}
    if not token_fits(request, fields.pop("_csrf_token", None)):
        raise NotYours("This form is too old, or came from elsewhere. Go back, load the page again, and send it anew.")
    return fields


def _game(name: str) -> Game:
    if name not in games.names():
        raise NotFound(f"There is no game called “{name}” on the shelf.")
    return games.get(name)


def _seated(request: AnyRequest, seated: opening.Seated) -> list[Any]:
    """The cookies of a seat just taken, and of a host."""
    slug = seated.table.slug
    made = []
    if seated.secret is not None:
        made.append(cookie(request, SEAT + slug, seated.secret))
    if seated.host_secret is not None:
        made.append(cookie(request, HOST + slug, seated.host_secret))
    return made


def _named(request: AnyRequest, name: str) -> list[Any]:
    """Remember the name somebody gave, for the next table."""
    return [cookie(request, NAME, name)] if name and name.isascii() and name.isprintable() and ";" not in name else []


def _name(request: AnyRequest) -> str:
    return request.cookies.get(NAME, "")


# --- the shelf ---------------------------------------------------------------------------------------------------


@get("/", include_in_schema=False)
async def shelf_page(request: AnyRequest) -> Response[str]:
    """Every game there is, and one's own tables."""
    return _html(render.shelf(opening.shelf(), await my_tables(request), csrf_of(request)))


@post("/play/{name:str}", include_in_schema=False)
async def play_now(request: AnyRequest, name: str) -> Redirect:
    """One click: a seat against club players."""
    await _form(request)
    game = _game(name)
    seats = ["me"] + ["bot:club"] * max(0, game.players.start - 1)
    seated = await opening.open_table(house_of(request), game.name, seats=seats, name=_name(request))
    return _see(f"/t/{seated.table.slug}", _seated(request, seated))


@get("/new/{name:str}", include_in_schema=False)
async def new_page(request: AnyRequest, name: str) -> Response[str]:
    """The form for a table with options of one's own."""
    game = _game(name)
    box = next(box for box in opening.shelf() if box.name == game.name)
    return _html(render.new_table(box, csrf_of(request), form={"name": _name(request)}))


@post("/new/{name:str}", include_in_schema=False)
async def open_page(request: AnyRequest, name: str) -> Response[Any]:
    """Open the table that the form asks for; a wish that cannot be met comes back with the form."""
    fields = await _form(request)
    game = _game(name)
    try:
        options = _options(game, fields)
        seats = [value for n in range(game.players[-1]) if (value := fields.get(f"seat-{n}", "none")) != "none"]
        seated = await opening.open_table(
            house_of(request),
            game.name,
            options=options,
            seats=seats,
            name=fields.get("name", ""),
            clock=ClockRule(_clock(fields.get("clock", "none"))),
            talk=fields.get("talk") == "true",
        )
    except Problem as problem:
        box = next(box for box in opening.shelf() if box.name == game.name)
        text = render.new_table(box, csrf_of(request), problem.detail, fields)
        return _html(text, problem.status)
    cookies = _seated(request, seated) + _named(request, fields.get("name", ""))
    return _see(f"/t/{seated.table.slug}", cookies)


def _options(game: Game, fields: Mapping[str, str]) -> dict[str, object]:
    chosen: dict[str, object] = {}
    for option in game.options:
        text = fields.get(f"option-{option.name}")
        if text is not None:
            try:
                chosen[option.name] = option.parse(text)
            except OptionError as error:
                raise Unfit(str(error)) from None
    return chosen


def _clock(kind: str) -> Any:
    if kind not in ("none", "live", "days"):
        raise Unfit("A clock is none, live or days.")
    return kind


# --- a table -----------------------------------------------------------------------------------------------------


@get("/t/{slug:str}", include_in_schema=False)
async def table_page(request: AnyRequest, slug: str) -> Response[str]:
    """The table, as whoever asks may see it. Somebody new at a table with an open seat is asked whether to sit down."""
    table = await house_of(request).table(slug, fresh=True)
    viewer = viewer_of(request, slug)
    return _html(render.page_table(page_model(table, viewer), csrf_of(request)))


@get("/t/{slug:str}/fragments", include_in_schema=False)
async def table_fragments(request: AnyRequest, slug: str, at: int | None = None) -> Response[bytes]:
    """All the changing parts of the page, now or as they were after an earlier step."""
    table = await house_of(request).table(slug, fresh=True)
    model = page_model(table, viewer_of(request, slug), _step(table, at))
    parts = {"version": model.version, "ply": model.ply, "at": model.at, "fragments": render.fragments(model)}
    headers = {"cache-control": "no-store"}
    return Response(msgspec.json.encode(parts), media_type=MediaType.JSON, headers=headers)


@get("/t/{slug:str}/at/{step:int}", include_in_schema=False)
async def past_page(request: AnyRequest, slug: str, step: int) -> Response[str]:
    """The table as it was after an earlier step."""
    table = await house_of(request).table(slug, fresh=True)
    return _html(render.page_table(page_model(table, viewer_of(request, slug), _step(table, step)), csrf_of(request)))


def _step(table: Table, at: int | None) -> int | None:
    if at is None:
        return None
    last = 0 if table.play is None else table.play.ply
    if not 0 <= at <= last:
        raise NotFound(f"This game has no step {at}; it has 0 to {last}.")
    return at


@get("/t/{slug:str}/join", include_in_schema=False)
async def join_page(request: AnyRequest, slug: str) -> Response[str]:
    """Take a seat, by name."""
    table = await house_of(request).table(slug, fresh=True)
    return _html(render.join(page_model(table, viewer_of(request, slug)), csrf_of(request), name=_name(request)))


@post("/t/{slug:str}/join", include_in_schema=False)
async def join_form(request: AnyRequest, slug: str) -> Response[Any]:
    """Sit down."""
    fields = await _form(request)
    house, viewer = house_of(request), viewer_of(request, slug)
    seat = fields.get("seat", "")
    name = fields.get("name", "")
    try:
        wanted = int(seat) if seat.isdigit() else None
        seated = await opening.claim(house, slug, wanted, name, viewer.seat)
    except Problem as problem:
        if problem.status == 404:
            raise
        model = page_model(await house.table(slug, fresh=True), viewer)
        return _html(render.join(model, csrf_of(request), error=problem.detail, name=name), problem.status)
    return _see(f"/t/{slug}", _seated(request, seated) + _named(request, name))


@get("/s/{secret:str}", include_in_schema=False)
async def seat_page(request: AnyRequest, secret: str) -> Response[str]:
    """A seat's own link: asks before the seat moves to this device, since a preview may fetch a link too."""
    table, seat = await opening.table_of_secret(house_of(request), secret)
    model = page_model(table, Viewer(None, None))
    return _html(render.join(model, csrf_of(request), secret=secret, name=table.names[seat], seat=seat))


@post("/s/{secret:str}", include_in_schema=False)
async def take_seat(request: AnyRequest, secret: str) -> Redirect:
    """Go on with this seat on this device."""
    await _form(request)
    table, _ = await opening.table_of_secret(house_of(request), secret)
    return _see(f"/t/{table.slug}", [cookie(request, SEAT + table.slug, secret)])


@get("/t/{slug:str}/record", include_in_schema=False)
async def record_page(request: AnyRequest, slug: str) -> Response[str]:
    """The record of a finished game."""
    table = await house_of(request).table(slug, fresh=True)
    record = record_of(table)
    text = msgspec.json.format(msgspec.json.encode(record), indent=1).decode()
    return _html(render.record(page_model(table, viewer_of(request, slug)), text, csrf_of(request)))


@get("/t/{slug:str}/verify", include_in_schema=False)
async def verify_page(request: AnyRequest, slug: str) -> Response[str]:
    """The shuffle, recomputed step by step."""
    table = await house_of(request).table(slug, fresh=True)
    steps, sound = proof(record_of(table), table.commitment)
    return _html(render.verify(page_model(table, viewer_of(request, slug)), steps, sound, csrf_of(request)))


@get("/rules/{name:str}", include_in_schema=False)
async def rules_page(request: AnyRequest, name: str, part: bool = False) -> Response[str]:
    """A game's rules: a page, or with `part` only what goes into the drawer."""
    game = _game(name)
    return _html(render.rules_part(game.name) if part else render.rules(game.name, csrf_of(request)))


# --- files -------------------------------------------------------------------------------------------------------


@get("/static/{edition:str}/{name:str}", include_in_schema=False, sync_to_thread=False)
def static_file(request: AnyRequest, edition: str, name: str) -> Response[bytes]:
    """A style sheet, module, icon or font. Its address holds its edition, so that it may be kept for ever."""
    return _file(request, assets.read_asset(name), edition == assets.edition())


@get("/static/game/{game:str}/{edition:str}/{name:str}", include_in_schema=False, sync_to_thread=False)
def game_file(request: AnyRequest, game: str, edition: str, name: str) -> Response[bytes]:
    """A game's own style sheet."""
    current = game in games.names() and edition == assets.game_edition(game)
    return _file(request, assets.read_game_asset(game, name), current)


@get("/favicon.ico", include_in_schema=False, sync_to_thread=False)
def favicon(request: AnyRequest) -> Response[bytes]:
    """For browsers that ask without being told."""
    return _file(request, assets.read_asset("icon.svg"), False)


def _file(request: AnyRequest, asset: assets.Asset | None, current: bool) -> Response[bytes]:
    if asset is None:
        raise NotFound("There is nothing at this address.")
    headers = {"cache-control": FOR_EVER if current else "no-cache", "vary": "accept-encoding"}
    if asset.packed is not None and "gzip" in request.headers.get("accept-encoding", ""):
        return Response(asset.packed, media_type=asset.type, headers={**headers, "content-encoding": "gzip"})
    return Response(asset.body, media_type=asset.type, headers=headers)


PAGES = [
    shelf_page,
    play_now,
    new_page,
    open_page,
    table_page,
    table_fragments,
    past_page,
    join_page,
    join_form,
    seat_page,
    take_seat,
    record_page,
    verify_page,
    rules_page,
    static_file,
    game_file,
    favicon,
]
"""The handlers of all pages."""
