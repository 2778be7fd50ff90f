"""Several workers on one database: what one of them leaves undone another does, and what was not heard is caught up."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest
from sqlalchemy import select

from parlour.table import acting, opening, schema
from parlour.table.house import House
from parlour.table.problems import NotYours
from parlour.table.seating import digest
from parlour.table.storage import Storage
from tests.table.places import HereBots, house_at, until

pytestmark = pytest.mark.anyio


@pytest.fixture(autouse=True)
def _soon(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("parlour.table.house.DEAL_AGAIN", 0.05)


async def _nothing(*_: object) -> None:
    return None


def _dies_after_the_seat(house: House) -> None:
    """Killed when the seat is committed: it deals nothing and tells nobody."""
    house.sat_down = _nothing  # type: ignore[method-assign, assignment]
    house.ready = lambda table: None  # type: ignore[method-assign]


async def test_r40_another_worker_deals_where_the_one_that_gave_the_last_seat_died(url: str) -> None:
    async with house_at(url, shared=True) as one, house_at(url, shared=True) as two:
        made = await opening.open_table(one, "bids", seats=["me", "open"])
        there = await two.table(made.table.slug)
        _dies_after_the_seat(one)
        await opening.claim(one, made.table.slug, 1, "Bob")
        await two.catch_up()
        await until(lambda: there.play is not None and there.status == "playing")


async def test_r40_a_server_that_begins_deals_what_was_left_undealt(url: str) -> None:
    async with house_at(url) as one:
        made = await opening.open_table(one, "bids", seats=["me", "open"])
        _dies_after_the_seat(one)
        await opening.claim(one, made.table.slug, 1, "Bob")
    async with house_at(url) as two:
        await until(lambda: made.table.slug in two.tables and two.tables[made.table.slug].play is not None)


async def test_a_secret_that_was_replaced_opens_nothing_at_a_worker_that_has_not_heard(url: str) -> None:
    async with house_at(url, shared=True) as one, house_at(url, shared=True) as two:
        made = await opening.open_table(one, "bids", seats=["me", "open"])
        slug, old = made.table.slug, digest(made.secret or "")
        await opening.claim(one, slug, 1, "Bob")
        await two.table(slug)
        fresh = await opening.reissue(one, slug, old)
        with pytest.raises(NotYours):
            await opening.reissue(two, slug, old)
        fresh_again = await opening.reissue(two, slug, digest(fresh.secret or ""))
        await one.catch_up()
        with pytest.raises(NotYours):
            await acting.act(one, slug, digest(fresh.secret or ""), 0, "call:modest")
        await acting.act(one, slug, digest(fresh_again.secret or ""), 0, "call:modest")


async def test_talk_that_was_not_heard_is_caught_up_with(url: str) -> None:
    async with house_at(url, shared=True) as one, house_at(url, shared=True) as two:
        made = await opening.open_table(one, "bids", seats=["me", "open"])
        there = await two.table(made.table.slug)
        await acting.talk(one, made.table.slug, digest(made.secret or ""), "Who is there?")
        assert [] == there.talk
        await two.catch_up()
        assert ["Who is there?"] == [line.text for line in there.talk]


async def test_two_who_sit_down_at_once_are_told_apart(url: str) -> None:
    async with house_at(url, shared=True) as one, house_at(url, shared=True) as two:
        for _ in range(8):
            made = await opening.open_table(one, "bids", seats=["me", "open", "open"], name="Ada")
            slug = made.table.slug
            await two.table(slug)
            await asyncio.gather(opening.claim(one, slug, 1, "Bob"), opening.claim(two, slug, 2, "Bob"))
            await one.catch_up()
            assert 3 == len(set(one.tables[slug].names)), one.tables[slug].names


async def test_a_seat_is_his_where_the_answer_to_the_commit_was_lost(url: str) -> None:
    async with house_at(url, shared=True) as house:
        made = await opening.open_table(house, "bids", seats=["me", "open"])
        often = house.storage.often

        async def lost(*asked: Any) -> int:
            await often(*asked)
            raise ConnectionError("the answer was lost")

        house.storage.often = lost  # type: ignore[method-assign, assignment]
        bob = await opening.claim(house, made.table.slug, 1, "Bob")
        assert 1 == house.seat_of(made.table, digest(bob.secret or ""))
        assert made.table.play is not None


async def test_after_a_short_outage_the_bots_go_on(url: str) -> None:
    async with house_at(url, shared=True, bots=HereBots()) as house:
        house.bot_pause = lambda play: 0.0  # type: ignore[method-assign]
        append, entries, failed = house.storage.append, house.storage.entries, []

        async def fails(*_: object) -> Any:
            failed.append(1)
            if len(failed) > 3:
                house.storage.append, house.storage.entries = append, entries  # type: ignore[method-assign]
            raise ConnectionError("the database does not answer")

        made = await opening.open_table(house, "prowlers", seats=["me", "bot"])
        play = made.table.play
        assert play is not None
        await until(lambda: play.asked() == [0])
        house.storage.append, house.storage.entries = fails, fails  # type: ignore[method-assign, assignment]
        state = play.state
        assert state is not None
        ply, code = play.ply, state.legal_actions(0)[0]
        with pytest.raises(ConnectionError):
            await acting.act(house, made.table.slug, digest(made.secret or ""), ply, code)
        await until(lambda: house.storage.append == append)
        await acting.act(house, made.table.slug, digest(made.secret or ""), play.ply, code)
        await until(lambda: play.over or (play.ply > ply + 1 and play.asked() == [0]))


async def test_news_of_a_choice_about_a_held_table_makes_the_others_read_it_anew(url: str) -> None:
    async with house_at(url, shared=True) as one, house_at(url, shared=True) as two:
        made = await opening.open_table(one, "bids", seats=["me", "open"])
        there = await two.table(made.table.slug)
        one.publish = lambda message: two.hear(message.encode())
        one.tell(made.table, "adopted")
        await until(lambda: made.table.slug not in two.tables)
        assert await two.table(made.table.slug) is not there


async def test_a_made_up_secret_wakes_nobody(url: str) -> None:
    async with house_at(url, shared=True) as house:
        made = await opening.open_table(house, "bids", seats=["me", "open"])
        woken: list[int] = []
        made.table.watchers.add(lambda: woken.append(1))
        for number in range(5):
            await house.table(made.table.slug, fresh=True, secret=digest(f"made up {number}"))
        assert [] == woken


async def test_workers_that_begin_together_all_stand_in_the_list(url: str) -> None:
    async def listed(storage: Storage) -> set[str]:
        return {str(row["id"]) for row in await storage.rows(select(schema.workers.c.id))}

    one, two = await Storage.open(url), await Storage.open(url)
    await one.begin_life("one", 1000.0)
    await one.change(schema.workers.insert().values(id="two", at=1000.0))  # it has begun as well, and holds no lock yet
    await one.change(schema.workers.insert().values(id="old", at=900.0))
    await two.begin_life("three", 1000.5)
    assert {"one", "two", "three"} <= await listed(one)
    await one.change(schema.workers.delete())  # taken for dead
    await one.sign_of_life("one", 1005.0)
    await one.sign_of_life("one", 1010.0)
    assert {"one"} == await listed(one)
    await one.close()
    await two.close()
