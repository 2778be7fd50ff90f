"""Tables and games in short, for lists; and a table's record."""

from __future__ import annotations

from typing import Any

import msgspec

from parlour.records import Record
from parlour.table.house import House
from parlour.table.live import Table
from parlour.table.model import TableSummary
from parlour.table.problems import Conflict, NotFound
from parlour.table.showing import show
from parlour.table.timeline import line


async def summary(house: House, slug: str, seat_hash: str | None) -> TableSummary | None:
    """A table in short, for somebody who has a seat there; None if it is gone, or the seat is no longer his."""
    try:
        table = await house.table(slug)
    except NotFound:
        return None
    seat = house.seat_of(table, seat_hash)
    if seat is None:
        return None
    model = show(table, seat)
    yours = table.play is not None and table.play.wants(seat)
    return TableSummary(table.slug, table.title, table.game.title, model.status, model.seats, seat, yours)


def record_of(table: Table) -> Record:
    """The record of a game, with its seed. Raises Conflict while the game goes on: a record would tell too much."""
    play = table.play
    if play is None or not play.over or play.step is None:
        raise Conflict("The record can be had when the game is over.")
    moves = [move for step in line(play.step) for move in step.moves]
    return Record.from_game(
        table.game, moves, players=play.players, seed=table.seed, options=table.options, names=table.names
    )


def record_document(table: Table) -> dict[str, Any]:
    """The record as plain values."""
    document: dict[str, Any] = msgspec.to_builtins(record_of(table))
    return document
