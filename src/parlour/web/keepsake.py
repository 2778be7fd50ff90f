"""What a game leaves behind, on the web: its page, its files, and what is said beside the moves."""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Meta

from parlour.table import acting, keepsakes
from parlour.table.problems import NotFound
from parlour.table.showing import show
from parlour.web import render
from parlour.web.api import REFUSALS
from parlour.web.desk import csrf_of, house_of, viewer_of
from parlour.web.wishes import Done

AnyRequest = Request[Any, Any, Any]
_get, _post = partial(get, responses=REFUSALS), partial(post, responses=REFUSALS)


class Chair(msgspec.Struct, forbid_unknown_fields=True):
    """A seat, counted from 0."""

    seat: Annotated[int, Meta(ge=0, le=63)]


@get("/t/{slug:str}/keepsake", include_in_schema=False)
async def keepsake_page(request: AnyRequest, slug: FromPath[str]) -> Response[str]:
    """The keepsake as a page of its own, to read and to print."""
    house, viewer = house_of(request), viewer_of(request, slug)
    table = await house.table(slug, fresh=True)
    host = viewer.host is not None and viewer.host == table.host_hash
    model = show(table, house.seat_of(table, viewer.seat), host=host, page=True)
    if model.keepsake is None:
        raise NotFound("This table has nothing of the kind to show.")
    text = render.keepsake(model, csrf_of(request))
    return Response(text, media_type="text/html", headers={"cache-control": "no-store"})


@_get("/tables/{slug:str}/keepsake", summary="The game's keepsake, as the caller may see it")
async def keepsake_view(request: AnyRequest, slug: FromPath[str]) -> dict[str, Any]:
    """What the game leaves behind besides its result, as far as the caller may see it now."""
    house, viewer = house_of(request), viewer_of(request, slug)
    table = await house.table(slug, fresh=True)
    host = viewer.host is not None and viewer.host == table.host_hash
    found = keepsakes.document(table, house.seat_of(table, viewer.seat), host, house.now())
    if found is None:
        raise NotFound("This table has nothing of the kind to show.")
    return found


@_get("/tables/{slug:str}/keepsake/{form:str}", summary="The game's keepsake as a file")
async def keepsake_file(
    request: AnyRequest, slug: FromPath[str], form: FromPath[str], choice: FromQuery[str] = ""
) -> Response[bytes]:
    """What the game leaves behind, as a file in one of its formats. `choice`: which version, where it has several."""
    house = house_of(request)
    export = keepsakes.export(await house.table(slug, fresh=True), form, choice, house.now())
    headers = {
        "content-disposition": f'attachment; filename="{export.name}"',
        "cache-control": "no-store",
    }
    return Response(export.text.encode(), media_type=export.media, headers=headers)


@_post("/tables/{slug:str}/aside", summary="Say something beside the moves", status_code=200)
async def aside(request: AnyRequest, slug: FromPath[str], data: JSONBody[dict[str, Any]]) -> Done:
    """Say something that goes into the game's keepsake, by a seat or by the host; what, is the game's to say.

    It never touches the game itself.
    """
    viewer = viewer_of(request, slug)
    table = await keepsakes.aside(house_of(request), slug, viewer.seat, viewer.host, data)
    return Done(0 if table.play is None else table.play.ply)


@_post("/tables/{slug:str}/replace", summary="Hand an away chair to a bot", status_code=200)
async def replace(request: AnyRequest, slug: FromPath[str], data: JSONBody[Chair]) -> Done:
    """For the host: a bot sits in for somebody who has let time run out too often."""
    acted = await acting.replace(house_of(request), slug, viewer_of(request, slug).host, data.seat)
    return Done(acted.ply)


API = Router("/api", route_handlers=[keepsake_view, keepsake_file, aside, replace])
