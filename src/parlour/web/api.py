"""The JSON API: all that a program, or a page's script, does at a table. Described at /api/openapi.json.

A table's news is at `GET /api/tables/{slug}/events` (see `lane`), as server-sent events: the caller's whole view when
it changes. With `?patch=1` only the first is whole, and any that follows a gap; others are JSON Patches (RFC 6902).
"""

from __future__ import annotations

from functools import partial
from typing import Annotated, Any

import msgspec
from litestar import Request, Response, Router, get, post
from litestar.openapi.datastructures import ResponseSpec
from litestar.params import FromPath, FromQuery, JSONBody
from msgspec import Meta

from parlour.records import Record
from parlour.table import acting, opening
from parlour.table.acting import Acted
from parlour.table.model import BoxModel, Instruction, LogLine, TableModel
from parlour.table.problems import Conflict, Stale
from parlour.table.reports import keep_report
from parlour.table.showing import all_lines, show, show_at
from parlour.table.summary import record_of
from parlour.web import lane
from parlour.web.desk import HOST, NOBODY, SEAT, cookie, house_of, viewer_of
from parlour.web.problem import ProblemDocument
from parlour.web.standing import instruction_of
from parlour.web.wishes import Act, Claim, Done, Name, Opened, Opening, Ply

AnyRequest = Request[Any, Any, Any]


Word = Annotated[str, Meta(max_length=80)]


class Order(msgspec.Struct, forbid_unknown_fields=True):
    """An answer to be given in one's absence: always, or when what stands at `path` of one's view compares to `value`.

    `answer` and `otherwise` are action ids; `how` is "among", "least" or "most"; several values have commas between.
    """

    decision: Word
    answer: Word = ""
    path: Word = ""
    how: Word = "among"
    value: Annotated[str, Meta(max_length=200)] = ""
    otherwise: Word = ""


class AtPly(msgspec.Struct, forbid_unknown_fields=True):
    """The public step that the wish is about."""

    ply: Ply


class VoteGiven(msgspec.Struct, forbid_unknown_fields=True):
    """A word on the question before the table."""

    agree: bool


class Said(msgspec.Struct, forbid_unknown_fields=True):
    """Something said, as plain text."""

    text: Annotated[str, Meta(max_length=4_000)]


class Renamed(msgspec.Struct, forbid_unknown_fields=True):
    """Another name for one's seat."""

    name: Name


class Filling(msgspec.Struct, forbid_unknown_fields=True):
    """An open seat to be given to a bot."""

    seat: Annotated[int, Meta(ge=0, le=63)]
    strength: Annotated[str, Meta(max_length=20)] = "club"


class Adoption(msgspec.Struct, forbid_unknown_fields=True):
    """The host's choice for a held table: end it, or go on under the present rules."""

    end: bool


class Report(msgspec.Struct, forbid_unknown_fields=True):
    """What somebody says is wrong."""

    text: Annotated[str, Meta(max_length=4_000)] = ""


class Reported(msgspec.Struct):
    """The number of a report, and a test that shows what it says."""

    id: int
    stub: str


def _said(description: str) -> ResponseSpec:
    return ResponseSpec(ProblemDocument, description=description, media_type="application/problem+json")


REFUSALS = {
    400: _said("The request cannot be read."),
    403: _said("Not the caller's seat or table."),
    404: _said("No such table, game or seat."),
    409: _said("The table has moved on (`model` is the newest view), or this is not the moment."),
    413: _said("The request is too large."),
    422: _said("The rules, or the table, do not allow it; with the rule's clause."),
    429: _said("Too many requests."),
}
_get, _post = partial(get, responses=REFUSALS), partial(post, responses=REFUSALS)


async def _done(request: AnyRequest, work: Any, slug: str) -> Done:
    """Await a wish; a stale one is answered with the newest view of the caller."""
    try:
        acted: Acted = await work
    except Stale as error:
        raise await lane.with_view(house_of(request), slug, viewer_of(request, slug), error) from None
    return Done(acted.ply, acted.held)


async def _model(request: AnyRequest, slug: str, at: FromQuery[int | None] = None) -> TableModel:
    house, viewer = house_of(request), viewer_of(request, slug)
    table = await house.table(slug, fresh=True, secret=viewer.seat)
    seat = house.seat_of(table, viewer.seat)
    host = viewer.host is not None and viewer.host == table.host_hash
    if at is not None:
        return show_at(table, seat, at, host=host, page=False)
    return show(table, seat, host=host)


@_get("/games", summary="The games on the shelf", sync_to_thread=False)
def shelf() -> list[BoxModel]:
    """Every game there is, with its options."""
    return opening.shelf()


@_post("/tables", summary="Open a table", status_code=201)
async def open_table(request: AnyRequest, data: JSONBody[Opening]) -> Opened:
    """Open a table. Nothing is dealt before every seat is taken."""
    return await lane.open_table(house_of(request), "", NOBODY, data)


@_post("/tables/{slug:str}/claim", summary="Take an open seat", status_code=201)
async def claim(request: AnyRequest, slug: FromPath[str], data: JSONBody[Claim]) -> Opened:
    """Take a seat. The secret that comes back is the seat: `Authorization: Bearer <secret>`."""
    return await lane.claim(house_of(request), slug, viewer_of(request, slug), data)


@_get("/tables/{slug:str}", summary="What the caller may see")
async def view(
    request: AnyRequest, slug: FromPath[str], at: FromQuery[Annotated[int, Meta(ge=0, le=2**31 - 1)] | None] = None
) -> TableModel:
    """The table as the caller may see it: with his choices, or the public view. `at`: as it was after that step."""
    return await _model(request, slug, at)


@_get("/tables/{slug:str}/log", summary="The whole story")
async def story(request: AnyRequest, slug: FromPath[str]) -> list[LogLine]:
    """All lines of the story that the caller may know."""
    house = house_of(request)
    table = await house.table(slug, fresh=True)
    return all_lines(table, house.seat_of(table, viewer_of(request, slug).seat))


@_post("/tables/{slug:str}/act", summary="Act, or answer", status_code=200)
async def act(request: AnyRequest, slug: FromPath[str], data: JSONBody[Act]) -> Done:
    """Act. The answer comes when the action is committed; the same action for the same ply may be sent again safely."""
    return await lane.act(house_of(request), slug, viewer_of(request, slug), data)


@_post("/tables/{slug:str}/undo", summary="Take back", status_code=200)
async def undo(request: AnyRequest, slug: FromPath[str], data: JSONBody[AtPly]) -> Done:
    """Take back one's last move: at once where nobody has learnt anything, else by asking the others."""
    return await _done(request, acting.undo(house_of(request), slug, viewer_of(request, slug).seat, data.ply), slug)


@_post("/tables/{slug:str}/redo", summary="Put back", status_code=200)
async def redo(request: AnyRequest, slug: FromPath[str], data: JSONBody[AtPly]) -> Done:
    """Put back what was taken back."""
    return await _done(request, acting.redo(house_of(request), slug, viewer_of(request, slug).seat, data.ply), slug)


@_post("/tables/{slug:str}/vote", summary="Agree, or not", status_code=200)
async def vote(request: AnyRequest, slug: FromPath[str], data: JSONBody[VoteGiven]) -> Done:
    """Answer the question before the table."""
    return await _done(request, acting.vote(house_of(request), slug, viewer_of(request, slug).seat, data.agree), slug)


@_post("/tables/{slug:str}/withdraw", summary="Withdraw one's question", status_code=200)
async def withdraw(request: AnyRequest, slug: FromPath[str]) -> Done:
    """Withdraw the question that one has put to the table."""
    return await _done(request, acting.withdraw(house_of(request), slug, viewer_of(request, slug).seat), slug)


@_post("/tables/{slug:str}/pause", summary="Ask for a pause", status_code=200)
async def pause(request: AnyRequest, slug: FromPath[str]) -> Done:
    """Pause, if the others agree."""
    return await _done(request, acting.pause(house_of(request), slug, viewer_of(request, slug).seat), slug)


@_post("/tables/{slug:str}/resume", summary="Go on", status_code=200)
async def resume(request: AnyRequest, slug: FromPath[str]) -> Done:
    """End a pause."""
    return await _done(request, acting.resume(house_of(request), slug, viewer_of(request, slug).seat), slug)


@_post("/tables/{slug:str}/leave", summary="Leave the chair to a bot", status_code=200)
async def leave(request: AnyRequest, slug: FromPath[str]) -> Done:
    """A bot sits in until one is back."""
    return await _done(request, acting.leave(house_of(request), slug, viewer_of(request, slug).seat), slug)


@_post("/tables/{slug:str}/back", summary="Take the chair again", status_code=200)
async def back(request: AnyRequest, slug: FromPath[str]) -> Done:
    """The chair is one's own again."""
    return await _done(request, acting.back(house_of(request), slug, viewer_of(request, slug).seat), slug)


@_post("/tables/{slug:str}/instructions", summary="Leave standing instructions", status_code=200)
async def instructions(request: AnyRequest, slug: FromPath[str], data: JSONBody[list[Instruction]]) -> Done:
    """Standing instructions for sealed windows, in place of those left before; evaluated when a window closes."""
    return await _done(request, acting.instruct(house_of(request), slug, viewer_of(request, slug).seat, data), slug)


@_post("/tables/{slug:str}/instruct", summary="Leave one standing instruction", status_code=200)
async def instruct(request: AnyRequest, slug: FromPath[str], data: JSONBody[Order]) -> Done:
    """A standing instruction for one decision, as the page's form has it; an empty `answer` takes it back."""
    house, secret = house_of(request), viewer_of(request, slug).seat
    table = await house.table(slug)
    left = instruction_of(table.game, **msgspec.structs.asdict(data))
    return await _done(request, acting.instruct_on(house, slug, secret, data.decision, left), slug)


@_post("/tables/{slug:str}/talk", summary="Say something", status_code=200)
async def talk(request: AnyRequest, slug: FromPath[str], data: JSONBody[Said]) -> Done:
    """Say something at the table, as plain text."""
    return await _done(request, acting.talk(house_of(request), slug, viewer_of(request, slug).seat, data.text), slug)


@_post("/tables/{slug:str}/rename", summary="Another name", status_code=200)
async def rename(request: AnyRequest, slug: FromPath[str], data: JSONBody[Renamed]) -> Done:
    """Another name for one's seat."""
    table = await opening.rename(house_of(request), slug, viewer_of(request, slug).seat, data.name)
    return Done(0 if table.play is None else table.play.ply)


@_post("/tables/{slug:str}/seat-link", summary="A new link for one's seat", status_code=200)
async def seat_link(request: AnyRequest, slug: FromPath[str]) -> Response[Opened]:
    """A new secret for the caller's seat; the old one opens nothing any more."""
    made = await opening.reissue(house_of(request), slug, viewer_of(request, slug).seat)
    secret = made.secret or ""
    body = Opened(slug, f"/s/{secret}", "", made.seat, secret)
    return Response(body, cookies=[cookie(request, SEAT + slug, secret)], headers={"cache-control": "no-store"})


@_post("/tables/{slug:str}/fill", summary="Give an open seat to a bot", status_code=200)
async def fill(request: AnyRequest, slug: FromPath[str], data: JSONBody[Filling]) -> Done:
    """For the host: an open seat goes to a bot."""
    table = await opening.fill(house_of(request), slug, viewer_of(request, slug).host, data.seat, data.strength)
    return Done(0 if table.play is None else table.play.ply)


@_post("/tables/{slug:str}/adopt", summary="Choose for a held table", status_code=200)
async def adopt(request: AnyRequest, slug: FromPath[str], data: JSONBody[Adoption]) -> Done:
    """For the host of a table that the present rules would play differently: go on under them, or end it."""
    table = await opening.adopt(house_of(request), slug, viewer_of(request, slug).host, end=data.end)
    return Done(0 if table.play is None else table.play.ply)


@_post("/tables/{slug:str}/rematch", summary="Another game", status_code=201)
async def rematch(request: AnyRequest, slug: FromPath[str]) -> Response[Opened]:
    """A new table like this one."""
    made = await opening.rematch(house_of(request), slug, viewer_of(request, slug).seat)
    new = made.table.slug
    kept = [cookie(request, SEAT + new, made.secret or ""), cookie(request, HOST + new, made.host_secret or "")]
    body = Opened(new, f"/t/{new}", made.host_secret or "", made.seat, made.secret or "")
    return Response(body, cookies=kept, status_code=201, headers={"cache-control": "no-store"})


@_get("/tables/{slug:str}/record", summary="The record of a finished game")
async def record(request: AnyRequest, slug: FromPath[str]) -> Record:
    """The record, seed included; only when the game is over."""
    return record_of(await house_of(request).table(slug, fresh=True))


@_post("/tables/{slug:str}/report", summary="Report a fault", status_code=201)
async def report(request: AnyRequest, slug: FromPath[str], data: JSONBody[Report]) -> Reported:
    """Keep the record, ply, version and the caller's view with what he says, and give back a test that shows it."""
    house, viewer = house_of(request), viewer_of(request, slug)
    table = await house.table(slug, fresh=True, secret=viewer.seat)
    if table.play is None:
        raise Conflict("The game has not begun: there is no position to report.")
    number, stub = await keep_report(house, table, house.seat_of(table, viewer.seat), data.text)
    return Reported(number, stub)


ROUTER = Router(
    "/api",
    route_handlers=[
        shelf,
        open_table,
        claim,
        view,
        story,
        act,
        undo,
        redo,
        vote,
        withdraw,
        pause,
        resume,
        leave,
        back,
        instructions,
        instruct,
        talk,
        rename,
        seat_link,
        fill,
        adopt,
        rematch,
        record,
        report,
    ],
)
