"""R19, R20: the streams. Cut anywhere, resumed by the last id, compressed alike for all; a page equals a fresh load."""

from __future__ import annotations

import asyncio
import json
import random
import zlib
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from parlour.web.bench.wire import events
from parlour.web.stream import GZIP_HEAD, deflate, message
from tests.table.places import SOAK, database
from tests.web.places import Server, server_at, site_at

pytestmark = pytest.mark.anyio
CUTS = 1000 if SOAK else 60


class Page:
    """What a page does with the stream: it puts in what changed, and fetches anew after a gap."""

    def __init__(self, server: Server, slug: str, headers: dict[str, str]) -> None:
        self.server, self.slug, self.headers = server, slug, headers
        self.version, self.parts = "", dict[str, str]()
        self.refetched = 0

    async def listen(self, messages: int, seconds: float, *, packed: bool) -> None:
        """Take so many messages, or as many as come in so long; then the line is cut."""
        secret = self.headers.get("authorization", "")[7:]
        path = f"/t/{self.slug}/events"
        stream = events("127.0.0.1", self.server.port, path, secret, packed, last=self.version)
        try:
            async with asyncio.timeout(seconds):
                async for told in stream:
                    if b"event: update" in told:
                        await self.take(json.loads(told.split(b"data: ", 1)[1]))
                        messages -= 1
                    if messages <= 0:
                        return
        except TimeoutError:
            return
        finally:
            await stream.aclose()  # type: ignore[attr-defined]

    async def take(self, update: dict[str, Any]) -> None:
        if update["after"] not in ("", self.version):
            self.refetched += 1
            update = await self.fresh()
        self.version = update["version"]
        self.parts |= update["fragments"]

    async def fresh(self) -> dict[str, Any]:
        async with httpx.AsyncClient(base_url=self.server.base, headers=self.headers) as client:
            return dict((await client.get(f"/t/{self.slug}/fragments")).json())


async def play_on(server: Server, slug: str, heads: list[dict[str, str]], rng: random.Random) -> None:
    async with httpx.AsyncClient(base_url=server.base) as client:
        while True:
            for headers in heads:
                seen = (await client.get(f"/api/tables/{slug}", headers=headers)).json()
                if seen["status"] == "over":
                    return
                if seen.get("choices"):
                    body = {"ply": seen["ply"], "action": rng.choice(seen["choices"])["code"]}
                    await client.post(f"/api/tables/{slug}/act", json=body, headers=headers)
                if rng.random() < 0.3:
                    await client.post(f"/api/tables/{slug}/talk", json={"text": f"{rng.random()}"}, headers=headers)
                await asyncio.sleep(0.03)


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_r19_cut_anywhere_the_page_equals_a_fresh_load(kind: str, tmp_path: Path) -> None:
    rng = random.Random(3)
    with database(kind, tmp_path) as url, server_at(url) as server:

        async def run() -> None:
            cuts = 0
            while cuts < CUTS:
                async with httpx.AsyncClient(base_url=server.base) as client:
                    asked = {"game": "prowlers", "seats": ["me", "open"]}
                    made = (await client.post("/api/tables", json=asked)).json()
                    got = (await client.post(f"/api/tables/{made['slug']}/claim", json={})).json()
                heads = [{"authorization": f"Bearer {one['secret']}"} for one in (made, got)]
                playing = asyncio.create_task(play_on(server, made["slug"], heads, rng))
                pages = [Page(server, made["slug"], headers) for headers in (heads[0], heads[1], {})]
                while not playing.done():
                    await asyncio.gather(
                        *(p.listen(rng.randrange(4), rng.random() / 4, packed=rng.random() < 0.5) for p in pages)
                    )
                    cuts += len(pages)
                await playing
                for page in pages:
                    await page.listen(99, 0.6, packed=True)
                    fresh = await page.fresh()
                    for _ in range(20):  # presence settles some seconds after the last cut
                        if page.version == fresh["version"]:
                            break
                        await page.listen(1, 1.0, packed=False)
                        fresh = await page.fresh()
                    assert fresh["fragments"] == page.parts
                    assert 0 == page.refetched

        asyncio.run(run())


async def test_a_message_holds_only_what_changed_and_is_small(sqlite: str) -> None:
    """An update is at most 12 KiB compressed."""
    async with site_at(sqlite) as site:
        slug, heads = await site.party(2, game="prowlers")
        table = site.house.tables[slug]
        first = json.loads(message(table, "page", 0, False, None, "").split(b"data: ", 1)[1])
        assert "" == first["after"]
        play = table.play
        assert play is not None
        seat = play.asked()[0]
        body = {"ply": 0, "action": play.position_for(seat).legal_actions(seat)[0]}
        await site.client.post(f"/api/tables/{slug}/act", json=body, headers=heads[seat])
        second = json.loads(message(table, "page", 0, False, None, first["version"]).split(b"data: ", 1)[1])
        assert first["version"] == second["after"]
        assert 0 < len(second["fragments"]) < len(first["fragments"])
        whole = message(table, "page", 0, False, None, "")
        assert len(deflate(whole)) < 12 * 1024
        fresh = (await site.client.get(f"/t/{slug}/fragments", headers=heads[0])).json()
        assert fresh["fragments"] == first["fragments"] | second["fragments"]


def test_blocks_fit_into_any_gzip_stream_in_any_order() -> None:
    told = [b"id: 1\n\n" * 50, b"", "é".encode() * 300, b"x"]
    for order in ([0, 1, 2, 3], [3, 2, 0, 0, 1]):
        unpack = zlib.decompressobj(31)
        got = unpack.decompress(GZIP_HEAD + b"".join(deflate(told[number]) for number in order))
        assert b"".join(told[number] for number in order) == got


async def test_a_resumed_stream_says_nothing_twice(tmp_path: Path) -> None:
    def run() -> None:
        with database("sqlite", tmp_path) as url, server_at(url) as server:
            asyncio.run(_resume(server))

    await asyncio.to_thread(run)


async def _resume(server: Server) -> None:
    async with httpx.AsyncClient(base_url=server.base) as client:
        made = (await client.post("/api/tables", json={"game": "bids", "seats": ["open", "open"]})).json()
        page = Page(server, made["slug"], {})
        await page.listen(1, 2.0, packed=False)
        assert page.parts
        page.parts.clear()
        await page.listen(1, 0.5, packed=False)
        assert {} == page.parts, "nothing has changed since the last id"
        await client.post(f"/api/tables/{made['slug']}/claim", json={})
        await page.listen(1, 2.0, packed=False)
        assert page.parts
        with suppress(httpx.ReadTimeout):
            answer = await client.get("/api/tables/nosuch/events")
            assert 404 == answer.status_code


async def test_a_stream_ends_when_its_seat_link_dies(tmp_path: Path) -> None:
    """A device whose seat has been carried elsewhere under a new link hears nothing more."""

    def run() -> None:
        with database("sqlite", tmp_path) as url, server_at(url) as server:
            asyncio.run(_dies(server))

    await asyncio.to_thread(run)


async def _dies(server: Server) -> None:
    async with httpx.AsyncClient(base_url=server.base) as client:
        made = (await client.post("/api/tables", json={"game": "bids", "seats": ["me", "open"]})).json()
        told: list[bytes] = []

        async def listen() -> None:
            path = f"/api/tables/{made['slug']}/events"
            told.extend([one async for one in events("127.0.0.1", server.port, path, made["secret"])])

        listening = asyncio.create_task(listen())
        await asyncio.sleep(0.5)
        heads = {"authorization": f"Bearer {made['secret']}"}
        assert 200 == (await client.post(f"/api/tables/{made['slug']}/seat-link", headers=heads)).status_code
        await asyncio.wait_for(listening, 5)
        assert any(b'"viewer":0' in one for one in told)
