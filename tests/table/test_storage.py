"""The log on both databases: what is acknowledged is there, and of two writers of one seq only one has written."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import asyncpg  # type: ignore[import-untyped]
import msgspec
import pytest
from alembic.autogenerate import compare_metadata
from alembic.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import Connection, insert, text

from parlour.table import opening, schema
from parlour.table.entries import Entry, Kind
from parlour.table.migrate import FOLDER, HEAD, migrate
from parlour.table.storage import Storage, StorageError, database_url
from tests.table.places import database, house_at, until

pytestmark = pytest.mark.anyio
RACES = 500


async def _table(storage: Storage, slug: str = "abc") -> int:
    return await storage.number(
        insert(schema.tables)
        .values(
            slug=slug,
            game="bids",
            version=1,
            box="",
            players=2,
            title="A table",
            options="{}",
            clock="{}",
            talk=True,
            seed="00" * 32,
            commitment="",
            host_hash="",
            status="playing",
            created=0.0,
        )
        .returning(schema.tables.c.id)
    )


async def test_an_entry_comes_back_as_it_was_written(url: str) -> None:
    storage = await Storage.open(url)
    table = await _table(storage)
    entries = [
        Entry(1, Kind.DEAL, -1, 0, 1.5),
        Entry(2, Kind.ACTION, 0, 2**53, 1796052850.123456, "said “so”\u2028", '{"hash":"x"}'),
        Entry(3, Kind.ANSWER, 1, 7, 3.25),
    ]
    assert [True, True, True] == [await storage.append(table, entry) for entry in entries]
    assert entries == await storage.entries(table)
    assert entries[1:] == await storage.entries(table, 1)
    await storage.close()
    again = await Storage.open(url)
    assert entries == await again.entries(table)
    await again.close()


async def test_entries_of_many_tables_share_transactions(url: str) -> None:
    storage = await Storage.open(url)
    tables = [await _table(storage, f"t{number}") for number in range(20)]
    before = storage.commits

    async def play(table: int) -> None:
        for seq in range(1, 11):
            assert await storage.append(table, Entry(seq, Kind.ACTION, 0, seq, 0.0))

    await asyncio.gather(*(play(table) for table in tables))
    assert storage.commits - before < 100, "200 entries took a transaction each"
    for table in tables:
        assert list(range(1, 11)) == [entry.seq for entry in await storage.entries(table)]
    await storage.close()


async def test_two_workers_race_for_one_ply_500_times(url: str) -> None:
    """One of two writers of a seq is told that it is written, the other that it is not: never both, never neither."""
    one, two = await Storage.open(url), await Storage.open(url)
    table = await _table(one)
    outcomes = [
        await asyncio.gather(
            one.append(table, Entry(seq, Kind.ACTION, 0, 1, 0.0)),
            two.append(table, Entry(seq, Kind.ACTION, 1, 2, 0.0)),
        )
        for seq in range(1, RACES + 1)
    ]
    assert RACES == sum(sorted(outcome) == [False, True] for outcome in outcomes)
    entries = await one.entries(table)
    assert [1 if first else 2 for first, _ in outcomes] == [entry.action for entry in entries]
    await one.close()
    await two.close()


async def test_schema_and_migrations_agree(url: str) -> None:
    storage = await Storage.open(url)

    def difference(connection: Connection) -> list[object]:
        context = MigrationContext.configure(connection, opts={"compare_type": True})
        return [change for change in compare_metadata(context, schema.metadata) if "alembic" not in str(change)]

    assert [] == await storage.run(difference)
    await storage.close()


def test_the_newest_revision_is_the_one_that_a_start_compares_with() -> None:
    assert ScriptDirectory(str(FOLDER)).get_current_head() == HEAD


async def test_two_workers_may_migrate_at_once(url: str) -> None:
    storages = await asyncio.gather(*(Storage.open(url) for _ in range(3)))
    keys = await asyncio.gather(*(storage.key("forms") for storage in storages))
    assert 1 == len(set(keys))
    assert 64 == len(keys[0])
    for storage in storages:
        await storage.close()


async def test_a_fault_in_the_database_reaches_whoever_waits(sqlite: str) -> None:
    storage = await Storage.open(sqlite)
    with pytest.raises(Exception, match="FOREIGN KEY"):
        await storage.append(999, Entry(1, Kind.ACTION, 0, 1, 0.0))
    table = await _table(storage)
    assert await storage.append(table, Entry(1, Kind.ACTION, 0, 1, 0.0)), "the writer has died of another's fault"
    await storage.close()


async def test_downtime_is_noted_once_and_not_while_another_worker_lives(url: str) -> None:
    first = await Storage.open(url)
    await first.begin_life("first", 1000.0)
    assert [] == await first.downtimes()
    await first.sign_of_life("first", 1100.0)
    second = await Storage.open(url)
    if first.dialect == "postgresql":
        await second.begin_life("second", 1200.0)
        assert [] == await second.downtimes(), "the first worker lives"
        await second.sign_of_life("second", 1200.0)
    await first.close()
    await second.close()
    third = await Storage.open(url)
    await third.begin_life("third", 5000.0)
    last = 1200.0 if third.dialect == "postgresql" else 1100.0
    assert [(last, 5000.0)] == await third.downtimes()
    await third.close()


def test_a_database_that_cannot_be_used_is_refused_in_a_sentence() -> None:
    with pytest.raises(StorageError, match="Write sqlite:///path"):
        database_url("mysql://root@host/name")
    assert database_url("postgres://a@b/c") == "postgresql+asyncpg://a@b/c"
    assert database_url("sqlite:///x.db") == "sqlite:///x.db"


async def test_a_database_that_is_up_to_date_is_opened_without_migrations(
    url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[int] = []

    def counted(connection: Connection) -> None:
        asked.append(1)
        migrate(connection)

    monkeypatch.setattr("parlour.table.storage.migrate", counted)
    await (await Storage.open(url)).close()
    assert [1] == asked
    await (await Storage.open(url)).close()
    assert [1] == asked


async def test_a_database_of_a_newer_parlour_is_refused_in_a_sentence(url: str) -> None:
    storage = await Storage.open(url)
    await storage.change(text("UPDATE alembic_version SET version_num = '9999'"))
    await storage.close()
    with pytest.raises(StorageError, match="newer Parlour"):
        await Storage.open(url)


def test_whatever_goes_into_the_log_is_told_and_nothing_else(tmp_path: Path) -> None:
    """Few entries, more than one notification holds, one that no notification holds, and one that lost its race."""
    with database("postgresql", tmp_path) as url:
        asyncio.run(_tell_all(url))


async def _tell_all(postgres: str) -> None:
    storage = await Storage.open(postgres)
    table = await _table(storage)
    heard: list[Any] = []
    listener = await asyncpg.connect(postgres)
    await listener.add_listener("tables", lambda *told: heard.append(msgspec.json.decode(told[3])))
    storage.tell_appended("tables", "one")
    entries = [Entry(seq, Kind.ACTION, 0, 2**53, 1796052850.0 + seq, "said “so”\n" * 8) for seq in range(1, 101)]
    entries.append(Entry(101, Kind.ANSWER, 1, 7, 3.25, "long " * 2000, '{"a":"b"}'))
    assert all(await asyncio.gather(*(storage.append(table, entry) for entry in entries)))
    assert not await storage.append(table, entries[0]), "it was there already"
    last = Entry(102, Kind.ACTION, 0, 1, 4.0)
    assert await storage.append(table, last)

    def told() -> list[Any]:
        return [one for message in heard for one in message[1]]

    await until(lambda: len(told()) >= 102)
    assert {"one"} == {message[0] for message in heard}
    assert 2 < len(heard) < 60
    assert [[table, "log", list(entry)] for entry in entries[:100]] == told()[:100]
    assert [[table, "log"], [table, "log", list(last)]] == told()[100:]
    await listener.close()
    await storage.close()


async def test_tables_that_nobody_uses_make_room(sqlite: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """One that was asked for a moment ago stays, even where nobody watches it: somebody may be about to act there."""
    monkeypatch.setattr("parlour.table.memory.KEPT_TABLES", 2)
    async with house_at(sqlite) as house:
        made = [(await opening.open_table(house, "bids", seats=["me", "open"])).table for _ in range(4)]
        assert [table.slug for table in made] == list(house.tables)
        watched, *others = made
        watched.watchers.add(lambda: None)
        for number, table in enumerate(made):
            table.used -= 60 - number
        newest = (await opening.open_table(house, "bids", seats=["me", "open"])).table
        assert {watched.slug, newest.slug} == set(house.tables)
        assert {watched.id, newest.id} == set(house.by_id)
        again = await house.table(others[0].slug)
        assert again is not others[0]
        assert again.slug in house.tables


def test_a_postgresql_url_says_how_to_connect(tmp_path: Path) -> None:
    """What stands after the question mark is PostgreSQL's own: `sslmode`, `application_name`."""

    async def names(url: str) -> list[str]:
        storage = await Storage.open(f"{url}?sslmode=disable&application_name=parlour-here")
        await storage.key("forms")
        await storage.begin_life("one", 1.0)
        table = await _table(storage)
        assert await storage.append(table, Entry(1, Kind.ACTION, 0, 1, 0.0))
        assert 1 == len(await storage.entries(table))
        found = await storage.rows(
            text("SELECT application_name FROM pg_stat_activity WHERE datname = current_database()")
        )
        await storage.close()
        return [str(row["application_name"]) for row in found]

    with database("postgresql", tmp_path) as url:
        found = asyncio.run(names(url))
    assert ["parlour-here"] * 4 == found
