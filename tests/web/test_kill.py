"""R21: kill -9 under playing clients, restart, and every acknowledged action stands, sealed answers and deals too."""

from __future__ import annotations

import asyncio
import json
import random
import time
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path

import httpx
import pytest

from parlour.table.entries import Kind
from parlour.table.storage import Storage
from parlour.web.bench.wire import events
from tests.table.places import SOAK, database, until
from tests.web.places import Server, server_at

TABLES = 20
KILLS = 20 if SOAK else 1
SECONDS = (2.0, 3.5)


@dataclass
class Client:
    """Two players at one table; what the server has acknowledged to them."""

    slug: str
    heads: list[dict[str, str]]
    acknowledged: list[tuple[int, int, int]] = field(default_factory=list)  # seat, ply, code
    hands: dict[int, object] = field(default_factory=dict)  # seat -> what it held after the deal
    over: bool = False


async def _open(client: httpx.AsyncClient, game: str) -> Client:
    made = (await client.post("/api/tables", json={"game": game, "seats": ["me", "open"]})).json()
    got = (await client.post(f"/api/tables/{made['slug']}/claim", json={})).json()
    return Client(made["slug"], [{"authorization": f"Bearer {one['secret']}"} for one in (made, got)])


async def _play(client: httpx.AsyncClient, one: Client, rng: random.Random, end: float) -> None:
    with suppress(httpx.TransportError):
        while time.monotonic() < end and not one.over:
            for seat, headers in enumerate(one.heads):
                seen = (await client.get(f"/api/tables/{one.slug}", headers=headers)).json()
                one.over = seen["status"] == "over"
                if seen["ply"] == 0 and "hand" in (seen.get("view") or {}):
                    hand = seen["view"]["hand"]
                    assert one.hands.setdefault(seat, hand) == hand, "the deal has changed"
                if seen.get("choices"):
                    code = rng.choice(seen["choices"])["code"]
                    body = {"ply": seen["ply"], "action": code}
                    answer = await client.post(f"/api/tables/{one.slug}/act", json=body, headers=headers)
                    if answer.status_code == 200:
                        one.acknowledged.append((seat, seen["ply"], code))


async def _under_load(server: Server, tables: list[Client], rng: random.Random, seconds: float) -> None:
    end = time.monotonic() + seconds + 3
    async with httpx.AsyncClient(base_url=server.base, timeout=10) as client:
        playing = [asyncio.create_task(_play(client, one, rng, end)) for one in tables]
        await asyncio.sleep(seconds)
        server.kill()
        await asyncio.gather(*playing)


async def _logs(url: str, tables: list[Client]) -> dict[str, list[tuple[int, int]]]:
    from sqlalchemy import select

    from parlour.table import schema

    storage = await Storage.open(url)
    found = {}
    for one in tables:
        rows = await storage.rows(select(schema.tables.c.id).where(schema.tables.c.slug == one.slug))
        entries = await storage.entries(rows[0]["id"])
        assert list(range(1, len(entries) + 1)) == [entry.seq for entry in entries], "the log has a gap"
        found[one.slug] = [(e.seat, e.action) for e in entries if e.kind in (Kind.ACTION, Kind.ANSWER)]
    await storage.close()
    return found


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_kill_9_under_20_playing_clients_loses_nothing_acknowledged(kind: str, tmp_path: Path) -> None:
    rng = random.Random(11)
    with database(kind, tmp_path) as url, server_at(url) as server:

        async def begin() -> list[Client]:
            async with httpx.AsyncClient(base_url=server.base, timeout=10) as client:
                return [await _open(client, "bids" if number % 2 else "prowlers") for number in range(TABLES)]

        tables = asyncio.run(begin())
        for _ in range(KILLS):
            asyncio.run(_under_load(server, tables, rng, rng.uniform(*SECONDS)))
            logs = asyncio.run(_logs(url, tables))
            for one in tables:
                wanted = [(seat, code) for seat, _, code in one.acknowledged]
                written = iter(logs[one.slug])
                assert all(pair in written for pair in wanted), "an acknowledged action is gone, or out of order"
                # whoever was cut off while he acted may find it written or not: at most one for each seat and kill
                assert len(logs[one.slug]) - len(wanted) <= 2 * KILLS
            server.start()
        assert sum(len(one.acknowledged) for one in tables) > 25

        async def finish() -> None:
            async with httpx.AsyncClient(base_url=server.base, timeout=10) as client:
                chosen = tables[:4]
                await asyncio.gather(*(_play(client, one, rng, time.monotonic() + 60) for one in chosen))
                assert all(one.over for one in chosen), "a table did not go on after the restart"

        asyncio.run(finish())


@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_a_restart_goes_on_with_bots_and_half_answered_windows(kind: str, tmp_path: Path) -> None:
    """Killed while a sealed answer is in and the bots are thinking: after the restart the window closes by itself."""
    with database(kind, tmp_path) as url, server_at(url) as server:
        with httpx.Client(base_url=server.base, timeout=10) as client:
            made = client.post("/api/tables", json={"game": "bids", "seats": ["me", "bot:random", "bot:random"]}).json()
            address, headers = f"/api/tables/{made['slug']}", {"authorization": f"Bearer {made['secret']}"}
            client.post(address + "/act", json={"ply": 0, "action": "call:modest"}, headers=headers)
            answer = client.post(address + "/act", json={"ply": 1, "action": "pass"}, headers=headers)
            assert answer.json()["held"] is True
        server.kill()
        time.sleep(1.0)
        server.start()
        with httpx.Client(base_url=server.base, timeout=10) as client:
            end = time.monotonic() + 20
            while time.monotonic() < end:
                seen = client.get(address, headers=headers).json()
                if seen["ply"] >= 2:
                    break
                assert seen["window"]["answered"] is True, "the sealed answer is gone"
                time.sleep(0.1)
            assert seen["ply"] >= 2


def test_two_workers_on_postgresql_neither_lose_nor_double_an_action(tmp_path: Path) -> None:
    """Requests go to either worker as the system deals them out; both serve every table, and streams see every move."""
    rng = random.Random(5)
    with database("postgresql", tmp_path) as url, server_at(url, workers=2) as server:

        async def run() -> list[Client]:
            async with httpx.AsyncClient(
                base_url=server.base, timeout=20, limits=httpx.Limits(max_keepalive_connections=0)
            ) as client:
                tables = [await _open(client, "bids" if number % 2 else "prowlers") for number in range(8)]
                await asyncio.gather(*(_play(client, one, rng, time.monotonic() + 6) for one in tables))
                return tables

        tables = asyncio.run(run())
        logs = asyncio.run(_logs(url, tables))
        for one in tables:
            assert [(seat, code) for seat, _, code in one.acknowledged] == logs[one.slug]
        assert sum(len(one.acknowledged) for one in tables) > 50


@pytest.mark.soak
def test_two_actions_for_one_ply_at_the_same_instant_from_two_workers(tmp_path: Path) -> None:
    """One is accepted and the other gets 409 with the newest view, every time."""
    rounds = 500 if SOAK else 40
    with database("postgresql", tmp_path) as url, server_at(url) as one, server_at(url) as two:

        async def run() -> None:
            async with (
                httpx.AsyncClient(base_url=one.base, timeout=20) as first,
                httpx.AsyncClient(base_url=two.base, timeout=20) as second,
            ):
                done = 0
                while done < rounds:
                    table = await _open(first, "prowlers")
                    for _ in range(20):
                        seen = [(await first.get(f"/api/tables/{table.slug}", headers=h)).json() for h in table.heads]
                        seat = 0 if seen[0].get("choices") else 1
                        choices = seen[seat].get("choices", [])
                        if len(choices) < 2:
                            break
                        bodies = [{"ply": seen[seat]["ply"], "action": c["code"]} for c in (choices[0], choices[-1])]
                        address, headers = f"/api/tables/{table.slug}/act", table.heads[seat]
                        answers = await asyncio.gather(
                            first.post(address, json=bodies[0], headers=headers),
                            second.post(address, json=bodies[1], headers=headers),
                        )
                        assert [200, 409] == sorted(answer.status_code for answer in answers)
                        refused = next(answer for answer in answers if answer.status_code == 409)
                        assert refused.json()["model"]["ply"] > seen[seat]["ply"]
                        done += 1

        asyncio.run(run())


async def _sit(server: Server, address: str, secret: str) -> None:
    async for _ in events("127.0.0.1", server.port, address + "/events", secret):
        pass


def test_a_stream_on_one_worker_tells_of_moves_made_on_another(tmp_path: Path) -> None:
    """Between workers the news travels by PostgreSQL's LISTEN and NOTIFY: talk, seats, presence and moves alike."""
    with database("postgresql", tmp_path) as url, server_at(url) as one, server_at(url) as two:

        async def run() -> None:
            async with httpx.AsyncClient(base_url=one.base, timeout=20) as client:
                made = (await client.post("/api/tables", json={"game": "prowlers", "seats": ["me", "open"]})).json()
                address = f"/api/tables/{made['slug']}"
                heads = [{"authorization": f"Bearer {made['secret']}"}]
                told: list[dict[str, object]] = []

                async def listen() -> None:
                    async for message in events("127.0.0.1", two.port, address + "/events"):
                        if b"event: table" not in message:
                            continue
                        told.append(json.loads(message.split(b"data: ", 1)[1]))

                listening = asyncio.create_task(listen())
                await until(lambda: bool(told))
                got = (await client.post(address + "/claim", json={"name": "Bob"})).json()
                heads.append({"authorization": f"Bearer {got['secret']}"})
                at_once = await client.get(f"{two.base}{address}", headers=heads[1])
                assert 1 == at_once.json()["viewer"], "a seat is good at every worker from its first moment"
                await until(lambda: told[-1]["status"] == "playing", 3)
                assert "Bob" in str(told[-1]["seats"])
                for ply in range(3):
                    seen = [(await client.get(address, headers=headers)).json() for headers in heads]
                    seat = 0 if seen[0].get("choices") else 1
                    body = {"ply": ply, "action": seen[seat]["choices"][0]["code"]}
                    assert 200 == (await client.post(address + "/act", json=body, headers=heads[seat])).status_code
                    await until(lambda p=ply: told[-1]["ply"] == p + 1, 3)  # type: ignore[misc]
                assert not told[-1]["seats"][1].get("present")  # type: ignore[index]
                sitting = asyncio.create_task(_sit(one, address, got["secret"]))
                await until(lambda: bool(told[-1]["seats"][1].get("present")), 4)  # type: ignore[index]
                sitting.cancel()
                await client.post(address + "/talk", json={"text": "good evening"}, headers=heads[0])
                await until(lambda: "good evening" in str(told[-1].get("talk")), 3)
                listening.cancel()

        asyncio.run(run())
