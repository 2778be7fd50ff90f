"""The longest record there is: how long a table takes to open when nothing of it is in memory."""

from __future__ import annotations

import asyncio
import random
import time
import urllib.request

from parlour import games
from parlour.kernel import Dice, random_step
from parlour.table import acting, opening
from parlour.table.house import House
from parlour.table.seating import digest
from parlour.table.storage import Storage

DEALS = 20
"""Random games of each kind that are looked at for the longest."""


def longest_kind() -> tuple[str, int, int]:
    """Game, number of players and seed of the longest of some random games."""
    found = (0, "", 0, 0)
    for name in games.names():
        game = games.get(name)
        for players in game.players:
            for seed in range(DEALS):
                state, dice, steps = game.new_game(players=players, seed=seed), Dice(seed), 0
                while not state.is_over:
                    random_step(state, dice)
                    steps += 1
                found = max(found, (steps, name, players, seed))
    return found[1:]


def play_longest(database: str) -> tuple[str, str, int]:
    """Play such a game at a table of this database: its slug, a seat's secret, and how many entries its log has."""
    name, players, seed = longest_kind()
    return asyncio.run(_play(database, name, players, seed))


async def _play(database: str, name: str, players: int, seed: int) -> tuple[str, str, int]:
    storage, rng, clock = await Storage.open(database), random.Random(seed), [time.time()]  # noqa: S311 - a load
    house = House(storage, now=lambda: clock[0])
    await house.start()
    made = await opening.open_table(house, name, seats=["me"] + ["open"] * (players - 1))
    secrets = [made.secret or ""]
    for seat in range(1, players):
        claimed = await opening.claim(house, made.table.slug, seat, f"Player {seat + 1}")
        secrets.append(claimed.secret or "")
    play = made.table.play
    assert play is not None
    while not play.over:
        asked = [seat for seat in play.asked() if play.wants(seat)]
        if not asked:  # a window waits for its least time
            clock[0] += 60.0
            await house.tick(made.table)
            continue
        seat = rng.choice(asked)
        code = rng.choice(play.position_for(seat).legal_actions(seat))
        await acting.act(house, made.table.slug, digest(secrets[seat]), play.ply, code)
    entries = play.seq
    await house.stop()
    await storage.close()
    return made.table.slug, secrets[0], entries


def opened_in(base: str, path: str, secret: str) -> float:
    """Milliseconds until this is answered in full."""
    request = urllib.request.Request(base + path, headers={"authorization": f"Bearer {secret}"})  # noqa: S310 - our own
    began = time.perf_counter()
    with urllib.request.urlopen(request, timeout=10) as answer:  # noqa: S310
        answer.read()
    return (time.perf_counter() - began) * 1000.0
