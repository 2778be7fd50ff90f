"""What the table's tests stand on: databases of both kinds, a clock that is set by hand, a house, people at a table."""

from __future__ import annotations

import asyncio
import os
import secrets
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path

import asyncpg  # type: ignore[import-untyped]
from sqlalchemy.engine import make_url

from parlour import games
from parlour.kernel import Game, State
from parlour.table import acting, opening
from parlour.table.botdesk import BotDesk
from parlour.table.house import House
from parlour.table.live import Table
from parlour.table.play import Play
from parlour.table.seating import digest
from parlour.table.storage import Storage
from tests.toys import bids

POSTGRES = os.environ.get("PARLOUR_TEST_POSTGRES", "postgresql://postgres@127.0.0.1:5432/postgres")
SOAK = os.environ.get("PARLOUR_SOAK") == "1"
KINDS = ("sqlite", "postgresql")


@contextmanager
def database(kind: str, folder: Path) -> Iterator[str]:
    """The URL of a database of its own, gone afterwards."""
    if kind == "sqlite":
        yield f"sqlite:///{folder / 'tables.db'}"
        return
    name = f"parlour_test_{secrets.token_hex(6)}"

    async def administer(statement: str) -> None:
        try:
            connection = await asyncpg.connect(make_url(POSTGRES).render_as_string(hide_password=False))
        except OSError as error:
            raise AssertionError(
                f"These tests need a PostgreSQL in which they may make databases, and none answers at {POSTGRES} "
                f"({error}). Name one in PARLOUR_TEST_POSTGRES."
            ) from error
        await connection.execute(statement)
        await connection.close()

    asyncio.run(administer(f"CREATE DATABASE {name}"))
    try:
        yield make_url(POSTGRES).set(database=name).render_as_string(hide_password=False)
    finally:
        asyncio.run(administer(f"DROP DATABASE {name} WITH (FORCE)"))


class Clock:
    """Time that passes only when it is told to."""

    def __init__(self, start: float = 1_800_000_000.0) -> None:
        self.at = start

    def __call__(self) -> float:
        return self.at

    def pass_(self, seconds: float) -> None:
        """Let time go by."""
        self.at += seconds


class HereBots(BotDesk):
    """Bots that choose in this process: the tests' own choice, or the first legal action."""

    def __init__(self, choose: Callable[[State, int], int] | None = None) -> None:
        super().__init__()
        self.asked: list[tuple[State, int]] = []
        self._choose = choose or (lambda state, seat: state.legal_actions(seat)[0])

    async def choose(self, state: State, seat: int, strength: str) -> int:
        from parlour.kernel import Dice

        known = state.resample(seat, Dice(secrets.randbits(60)))
        self.asked.append((known, seat))
        return self._choose(known, seat)


@asynccontextmanager
async def house_at(
    url: str, *, now: Callable[[], float] | None = None, bots: BotDesk | None = None, shared: bool | None = None
) -> AsyncIterator[House]:
    """A house on this database, started, and stopped afterwards."""
    storage = await Storage.open(url)
    house = House(storage, bots or HereBots(), shared=shared, now=now or time.time)
    await house.start()
    try:
        yield house
    finally:
        await house.stop()
        await storage.close()


class Party:
    """People at one table of a house, by seat."""

    def __init__(self, house: House, table: Table, secrets_: dict[int, str], host: str) -> None:
        self.house, self.table, self.secrets, self.host = house, table, secrets_, host

    def hash(self, seat: int) -> str:
        return digest(self.secrets[seat])

    @property
    def play(self) -> Play:
        play = self.house.tables[self.table.slug].play
        assert play is not None
        return play

    @property
    def state(self) -> State:
        state = self.play.state
        assert state is not None
        return state

    async def act(self, seat: int, action: int | str, ply: int | None = None) -> acting.Acted:
        here = self.play.ply if ply is None else ply
        return await acting.act(self.house, self.table.slug, self.hash(seat), here, action)


async def party(
    house: House, game: str = "bids", seats: tuple[str, ...] = ("me", "open", "open"), **more: object
) -> Party:
    """A table with people on every open seat."""
    made = await opening.open_table(house, game, seats=list(seats), name="Ada", **more)  # type: ignore[arg-type]
    kept = {} if made.secret is None or made.seat is None else {made.seat: made.secret}
    for seat, wish in enumerate(seats):
        if wish == "open":
            got = await opening.claim(house, made.table.slug, seat, ("Ada", "Bob", "Cleo", "Dan")[seat])
            assert got.secret is not None
            kept[seat] = got.secret
    assert made.host_secret is not None
    return Party(house, made.table, kept, made.host_secret)


def toy(**etiquette: object) -> Game:
    """The toy game with another etiquette, on the shelf under its own name."""
    from dataclasses import replace

    from parlour.kernel import Etiquette

    game = replace(bids.GAME, etiquette=Etiquette(**etiquette))  # type: ignore[arg-type]
    games.register(game)
    return game


async def until(condition: Callable[[], bool], seconds: float = 10.0) -> None:
    """Wait for something to become true."""
    end = asyncio.get_running_loop().time() + seconds
    while not condition():
        if asyncio.get_running_loop().time() > end:
            raise AssertionError("it did not happen in time")
        await asyncio.sleep(0.005)


Work = Callable[[], Awaitable[None]]
