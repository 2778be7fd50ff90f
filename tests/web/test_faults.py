"""What goes wrong outside: lost connections, full disks, a server that dies between two steps; and what leaks by it."""

from __future__ import annotations

import asyncio
import logging
from dataclasses import replace
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import msgspec
import pytest
from sqlalchemy import text

from parlour import games
from parlour.kernel import State
from parlour.table import opening
from parlour.table.live import Table
from parlour.table.seating import clean_talk, digest
from parlour.table.showing import show
from parlour.table.sqlite import SqliteDatabase
from parlour.table.storage import Storage, StorageError
from parlour.web.desk import NOBODY
from parlour.web.patch import patch
from parlour.web.stream import serve
from tests.table.places import POSTGRES, database, house_at, until
from tests.toys import bids
from tests.web.places import Site, site_at

pytestmark = pytest.mark.anyio


def test_workers_hear_each_other_again_after_the_database_cut_them_off(tmp_path: Path) -> None:
    with database("postgresql", tmp_path) as url:
        asyncio.run(_cut_off(url))


async def _cut_off(url: str) -> None:
    async with site_at(url) as one, site_at(url) as two:
        made = await one.open(seats=["me", "open"])
        slug, heads = made["slug"], {"authorization": f"Bearer {made['secret']}"}
        await two.client.get(f"/api/tables/{slug}")
        assert await _heard(one, two, slug, heads, "before")
        administrator = await asyncpg.connect(POSTGRES)
        await administrator.execute(
            "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = $1", url.rsplit("/", 1)[1]
        )
        await administrator.close()
        await asyncio.sleep(0.1)
        assert await _heard(one, two, slug, heads, "after it")
        assert await _heard(one, two, slug, heads, "and again")


async def _heard(one: Site, two: Site, slug: str, heads: dict[str, str], words: str) -> bool:
    """Whether what is said at one worker comes to the other by news alone."""
    said = await one.client.post(f"/api/tables/{slug}/talk", json={"text": words}, headers=heads)
    assert 200 == said.status_code, said.text
    talk = two.house.tables[slug]
    await until(lambda: any(line.text == words for line in talk.talk))
    return True


@pytest.mark.parametrize("how", ["retry", "reload", "restart"])
async def test_a_server_that_died_before_the_deal_deals_when_it_is_back(sqlite: str, how: str) -> None:
    """The last seat was taken and the deal not written: nobody could ever begin."""
    async with house_at(sqlite) as house:
        made = await opening.open_table(house, "bids", seats=["me", "open"])
        slug = made.table.slug

        async def fails(*_: object) -> bool:
            raise OSError("no space left on device")

        kept, house.storage.deal = house.storage.deal, fails  # type: ignore[method-assign, assignment]
        seated = await opening.claim(house, slug, 1, "Bob")
        assert seated.secret is not None, "he has his seat, whatever the deal does"
        assert 1 == house.seat_of(made.table, digest(seated.secret))
        assert "waiting" == made.table.status
        if how == "retry":
            house.storage.deal = kept  # type: ignore[method-assign]
            await until(lambda: made.table.play is not None and made.table.status == "playing")
        if how == "reload":
            house.storage.deal = kept  # type: ignore[method-assign]
            house.forget(made.table)
            table = await house.table(slug)
            await until(lambda: table.play is not None and table.status == "playing")
    async with house_at(sqlite) as house:
        table = await house.table(slug)
        await until(lambda: table.play is not None and table.status == "playing")


async def test_signs_of_life_go_on_after_the_database_failed_once(
    sqlite: str, caplog: pytest.LogCaptureFixture
) -> None:
    async with house_at(sqlite) as house:
        signs: list[int] = []

        async def sign(*_: object) -> None:
            signs.append(len(signs))
            if len(signs) == 1:
                raise OSError("not now")

        house.storage.sign_of_life = sign  # type: ignore[method-assign, assignment]
        kept, house.wait = house.wait, lambda _: kept(0.01)  # type: ignore[method-assign, assignment]
        house.spawn(house._signs())
        with caplog.at_level(logging.ERROR):
            await until(lambda: len(signs) > 3)
        assert "no sign of life" in caplog.text


async def test_checkpoints_go_on_after_one_has_failed(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    import sqlite3

    from parlour.table import sqlite as module

    asked: list[Any] = []

    def connect(*given: Any, **more: Any) -> sqlite3.Connection:
        asked.append(given)
        if len(asked) == 1:
            raise sqlite3.OperationalError("disk I/O error")
        made: sqlite3.Connection = sqlite3.connect(*given, **more)
        return made

    monkeypatch.setattr(module, "CHECKPOINT_SECONDS", 0.02)
    monkeypatch.setattr(module, "sqlite3", type("Other", (), {**vars(sqlite3), "connect": staticmethod(connect)}))
    storage = await Storage.open(f"sqlite:///{tmp_path / 'a.db'}")
    await storage.key("forms")
    await until(lambda: len(asked) > 2)
    assert "could not be shortened" in caplog.text
    await storage.close()


async def test_whoever_looks_does_not_wait_for_a_writer_who_is_kept_waiting(tmp_path: Path) -> None:
    """Another program holds the file: actions wait for it, looking does not."""
    import sqlite3

    storage = await Storage.open(f"sqlite:///{tmp_path / 'a.db'}")
    other = sqlite3.connect(tmp_path / "a.db", isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    writing = asyncio.create_task(storage.key("forms"))
    await asyncio.sleep(0.05)
    assert 1 == (await asyncio.wait_for(storage.rows(text("SELECT 1 AS one")), 5))[0]["one"]
    assert not writing.done()
    other.execute("COMMIT")
    assert 64 == len(await writing)
    await storage.close()
    with pytest.raises(StorageError, match="closed"):
        await storage.rows(text("SELECT 1 AS one"))
    other.close()


def test_tables_are_kept_in_a_file() -> None:
    from sqlalchemy.engine import make_url

    with pytest.raises(StorageError, match="kept in a file"):
        SqliteDatabase(make_url("sqlite://"))


async def test_n4_signs_of_life_come_whatever_others_do_unseen(sqlite: str) -> None:
    """Their times would tell a spectator that somebody has answered in a sealed window."""
    async with site_at(sqlite) as site:
        slug, _ = await site.party(3)
        table = site.house.tables[slug]
        beats: list[bytes] = []
        gone = asyncio.Event()

        async def receive() -> Any:
            await gone.wait()
            return {"type": "http.disconnect"}

        async def send(message: Any) -> None:
            if b"event: beat" in message.get("body", b""):
                beats.append(message["body"])

        scope: Any = {"type": "http", "headers": []}
        door = asyncio.Semaphore(2)
        watching = asyncio.create_task(serve(site.house, table, NOBODY, "api", 0.2, door, scope, receive, send))
        for _ in range(40):
            await asyncio.sleep(0.025)
            table.touch(only=0)  # seat 0 answers, and takes it back, and answers …
        gone.set()
        await watching
        assert len(beats) >= 2, "what only seat 0 may know has put off everybody's signs of life"


async def test_an_open_game_with_sealed_answers_shares_no_view(sqlite: str) -> None:
    """What is made once for all is the present position, never one with somebody's own answer in it."""

    def view(state: State, player: int | None) -> bids.BidsView:
        """As if all were open: everybody sees what has been answered in this position."""
        assert isinstance(state, bids.Bids)
        seen = bids.view(state, None)
        seen.answer = ", ".join(str(code) for _, code in sorted(state.answers.items()))
        return seen

    games.register(replace(bids.GAME, open_information=True, view=view))
    async with house_at(sqlite) as house:
        made = await opening.open_table(house, "bids", seats=["me", "open", "open"])
        for seat in (1, 2):
            await opening.claim(house, made.table.slug, seat, f"P{seat}")
        table = made.table
        play = table.play
        assert play is not None
        while not play.in_window:
            seat = play.asked()[0]
            prepared = play.prepare_act(seat, play.ply, play.position_for(seat).legal_actions(seat)[0], None, 0.0)
            assert prepared.entry is not None
            await house.write(table, prepared.entry, prepared)
        seat = play.asked()[0]
        before = _views(table, seat)
        prepared = play.prepare_act(seat, play.ply, play.position_for(seat).legal_actions(seat)[-1], None, 0.0)
        assert prepared.entry is not None
        await house.write(table, prepared.entry, prepared)
        for first in (seat, None):
            table.touch()
            show(table, first)
            assert before == _views(table, seat)
            assert play.private[seat].answers, "the answer is in"  # type: ignore[attr-defined]
            own = msgspec.json.encode(view(play.private[seat], seat))
            assert own == msgspec.json.encode(show(table, seat).view), "whoever has answered sees his answer"


def _views(table: Table, but: int) -> list[bytes]:
    others = [seat for seat in (0, 1, 2) if seat != but]
    return [msgspec.json.encode(show(table, seat).view) for seat in (*others, None)]


async def test_every_way_of_writing_an_address_counts_toward_the_limit(sqlite: str) -> None:
    async with site_at(sqlite, limits=True) as site:
        statuses = []
        for number in range(90):
            path = ("/api/tables", "/api/tables/", "//api/tables", "/api//tables")[number % 4]
            body = {"game": "bids", "seats": ["open", "open"]}
            statuses.append((await site.client.post("http://localhost" + path, json=body)).status_code)
        assert 429 in statuses[40:60]
        assert 201 not in statuses[60:]


async def test_a_body_that_is_too_long_is_refused_whole(sqlite: str) -> None:
    async with site_at(sqlite, body_limit=1000) as site:
        slug, heads = await site.party(2)
        body = b'{"ply": 0, "action": "call:modest", "text": "' + b"x" * 1500 + b'"}'
        answer = await site.client.post(f"/api/tables/{slug}/act", content=body, headers=heads[0])
        assert 413 == answer.status_code
        assert 413 == answer.json()["status"]


class Renamed(msgspec.Struct, rename="camel"):
    """Members have other names on the wire."""

    to_act: int
    pair: msgspec.Struct


class Pair(msgspec.Struct, array_like=True):
    """A list on the wire."""

    one: int
    two: bool | int


def test_a_patch_speaks_of_what_is_on_the_wire() -> None:
    old, new = Renamed(1, Pair(1, 1)), Renamed(2, Pair(1, 1))
    assert [{"op": "add", "path": "/toAct", "value": 2}] == patch("", old, new)
    new = Renamed(1, Pair(2, 1))
    assert [{"op": "add", "path": "/pair", "value": new.pair}] == patch("", old, new)
    assert [{"op": "add", "path": "/toAct", "value": True}] == patch(
        "", Renamed(1, Pair(1, 2)), Renamed(True, Pair(1, 2))
    )


async def test_an_action_taken_back_and_sent_again_at_its_old_step_is_stale(sqlite: str) -> None:
    """It was acknowledged once; to say so again would be to say that it stands."""
    async with site_at(sqlite) as site:
        slug, heads = await site.party(2, game="prowlers")
        address, table = f"/api/tables/{slug}", site.house.tables[slug]
        play = table.play
        assert play is not None
        seat = play.asked()[0]
        body = {"ply": 0, "action": play.position_for(seat).legal_actions(seat)[0]}
        assert 200 == (await site.client.post(address + "/act", json=body, headers=heads[seat])).status_code
        assert 200 == (await site.client.post(address + "/act", json=body, headers=heads[seat])).status_code
        undone = await site.client.post(address + "/undo", json={"ply": 1}, headers=heads[seat])
        assert 200 == undone.status_code
        again = await site.client.post(address + "/act", json=body, headers=heads[seat])
        assert (409, play.ply) == (again.status_code, again.json()["model"]["ply"])


def test_talk_holds_nothing_that_steers_how_text_runs() -> None:
    assert "abc d" == clean_talk("a\u202eb\u2066c\nd\u0007", 100)
    family = "\U0001f468\u200d\U0001f469"
    assert family == clean_talk(family, 100)


async def test_what_is_not_there_is_said_so(sqlite: str) -> None:
    async with site_at(sqlite) as site:
        slug, heads = await site.party(2)
        for at in ("7", "-1"):
            page = await site.client.get(f"/t/{slug}?at={at}", headers=heads[0])
            assert (409, True) == (page.status_code, f"There is no step {at} to look at" in page.text)
        empty = await site.client.post(f"/api/tables/{slug}/act", headers=heads[0])
        assert (400, "The request has no body; it is to be JSON.") == (empty.status_code, empty.json()["detail"])
