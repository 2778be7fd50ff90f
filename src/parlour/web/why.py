"""Why a piece that somebody pointed at cannot be chosen: the rules' own sentence and clause. Asking does nothing."""

from __future__ import annotations

from typing import Annotated, Any

import msgspec
from litestar import MediaType, Request, Response, post
from litestar.params import FromPath, JSONBody
from litestar.status_codes import HTTP_200_OK
from msgspec import Meta

from parlour.kernel import Refusal
from parlour.table.live import Table
from parlour.table.problems import NotFound
from parlour.web.desk import house_of, viewer_of

AnyRequest = Request[Any, Any, Any]


class Why(msgspec.Struct, forbid_unknown_fields=True):
    """An action that somebody pointed at."""

    action: Annotated[str, Meta(max_length=200)]


@post("/t/{slug:str}/why", include_in_schema=False, status_code=HTTP_200_OK)
async def why(request: AnyRequest, slug: FromPath[str], data: JSONBody[Why]) -> Response[bytes]:
    """Why this cannot be chosen now: the sentence and the clause. Both empty if it can. Nothing is done."""
    house = house_of(request)
    table = await house.table(slug, fresh=True)
    seat = house.my_seat(table, viewer_of(request, slug).seat)
    refusal = _refusal(table, seat, data.action)
    said = {"sentence": refusal.sentence, "clause": refusal.clause} if refusal else {"sentence": "", "clause": ""}
    return Response(msgspec.json.encode(said), media_type=MediaType.JSON, headers={"cache-control": "no-store"})


def _refusal(table: Table, seat: int, action: str) -> Refusal | None:
    if table.play is None or table.play.state is None:
        return Refusal("Nothing is dealt yet: a seat is still open.", "")
    state = table.play.position_for(seat)
    space = table.game.actions
    present = state.decision(seat)
    for decision in [present, *space.decisions] if present else space.decisions:
        try:
            return state.explain(seat, space.code(decision, action))
        except KeyError:
            continue
    raise NotFound(f"There is no action “{action}” in this game.")
