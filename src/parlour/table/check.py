"""`parlour check-tables`: every live table replayed on the present code, before a server starts on it."""

from __future__ import annotations

import asyncio
import json

from rich.console import Console
from sqlalchemy import select

from parlour import games
from parlour.table import schema
from parlour.table.clock import ClockRule, Downtimes
from parlour.table.play import Play
from parlour.table.storage import Storage
from parlour.table.upkeep import Report, check_play


def check(database: str | None = None, console: Console | None = None) -> bool:
    """Print what would become of each live table; whether all of them would go on unchanged."""
    return asyncio.run(_check(database, console or Console()))


async def _check(database: str | None, console: Console) -> bool:
    storage = await Storage.open(database)
    try:
        reports = await reports_of(storage)
    finally:
        await storage.close()
    for slug, game, report in reports:
        said = report.verdict if report.ply is None else f"{report.verdict} at step {report.ply}"
        clause = f" ({report.clause})" if report.clause else ""
        console.print(f"{slug}  {game}: {said}{clause}")
        if report.sentence:
            console.print(f"    {report.sentence}")
    live = len(reports)
    bad = sum(report.verdict != "same" for _, _, report in reports)
    console.print(
        f"{live} live table{'' if live == 1 else 's'}; {'all go on as they are' if not bad else f'{bad} would not'}."
    )
    return not bad


async def reports_of(storage: Storage) -> list[tuple[str, str, Report]]:
    """Slug, game and report of every table that is being played or held."""
    columns = schema.tables.c
    rows = await storage.rows(select(schema.tables).where(columns.status.in_(("playing", "held"))).order_by(columns.id))
    found = []
    for row in rows:
        try:
            game = games.get(row["game"])
        except games.UnknownGame as error:
            found.append((row["slug"], row["game"], Report("cannot continue", 0, "", str(error))))
            continue
        play = Play(
            game,
            row["players"],
            json.loads(row["options"]),
            bytes.fromhex(row["seed"]),
            ClockRule(**json.loads(row["clock"])),
            frozenset(),
            [f"Player {seat + 1}" for seat in range(row["players"])],
            Downtimes(),
        )
        found.append((row["slug"], row["game"], check_play(play, await storage.entries(row["id"]))))
    return found
