"""What it costs to render one seat's update of the page, move by move through a game; how big it is on the wire."""

from __future__ import annotations

import asyncio
import random
import time

from parlour.table import acting, opening
from parlour.table.house import House
from parlour.table.seating import digest
from parlour.table.storage import Storage
from parlour.web.stream import deflate, message

GAMES = 4


def render_updates(database: str, name: str = "prowlers") -> tuple[list[float], list[float]]:
    """Of every update that the first seat gets in some random games: milliseconds of processor time, KiB compressed."""
    return asyncio.run(_render(database, name))


async def _render(database: str, name: str) -> tuple[list[float], list[float]]:
    storage, rng = await Storage.open(database), random.Random(1)  # noqa: S311 - a load
    house = House(storage)
    await house.start()
    took: list[float] = []
    sizes: list[float] = []
    for _ in range(GAMES):
        made = await opening.open_table(house, name, seats=["me", "open"])
        other = await opening.claim(house, made.table.slug, 1, "Bob")
        table, secrets = made.table, [made.secret or "", other.secret or ""]
        message(table, "page", 0, False, secrets[0], "")
        sent = table.version_for(0)
        while table.play is not None and not table.play.over:
            seat = next(seat for seat in table.play.asked() if table.play.wants(seat))
            code = rng.choice(table.play.position_for(seat).legal_actions(seat))
            await acting.act(house, table.slug, digest(secrets[seat]), table.play.ply, code)
            began = time.process_time()
            told = message(table, "page", 0, False, secrets[0], sent)
            took.append((time.process_time() - began) * 1000)
            sizes.append(len(deflate(told)) / 1024)
            sent = table.version_for(0)
    await house.stop()
    await storage.close()
    return took, sizes
