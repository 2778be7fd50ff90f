"""R40 between workers: one seat goes to one person, whoever serves the request."""

from __future__ import annotations

import asyncio

import pytest

from parlour.table import opening
from parlour.table.live import Table
from parlour.table.problems import Conflict, NotFound, Unfit
from parlour.table.seating import clean_name, clean_talk, digest, new_secret
from tests.table.places import house_at, party, until

pytestmark = pytest.mark.anyio


async def test_two_workers_give_a_seat_to_one_person(url: str) -> None:
    async with house_at(url, shared=True) as one, house_at(url, shared=True) as two:
        for _ in range(15):
            made = await opening.open_table(one, "bids", seats=["me", "open", "open"])
            slug = made.table.slug
            await two.table(slug)
            got = await asyncio.gather(
                opening.claim(one, slug, 1, "Bob"), opening.claim(two, slug, 1, "Cleo"), return_exceptions=True
            )
            assert 1 == sum(isinstance(one_of, opening.Seated) for one_of in got)
            assert 1 == sum(isinstance(one_of, Conflict) for one_of in got)
            winner = next(one_of for one_of in got if isinstance(one_of, opening.Seated))
            assert winner.secret is not None
            for house in (one, two):
                table = await house.table(slug, fresh=True, secret=digest(winner.secret))
                assert 1 == house.seat_of(table, digest(winner.secret))


async def test_the_last_seat_deals_once_whoever_takes_it(url: str) -> None:
    async with house_at(url, shared=True) as one, house_at(url, shared=True) as two:
        made = await opening.open_table(one, "bids", seats=["me", "open", "open"])
        slug = made.table.slug
        await two.table(slug)
        await asyncio.gather(opening.claim(one, slug, 1, "Bob"), opening.claim(two, slug, 2, "Cleo"))
        tables = [await house.table(slug, fresh=True) for house in (one, two)]
        await opening.table_of_secret(one, made.secret or "")
        assert 1 == len(await one.storage.entries(made.table.id))
        states = [table.play.state for table in tables if table.play is not None]
        assert 2 == len(states)
        assert states[0] == states[1]


async def test_a_seat_that_is_not_there_or_not_open(sqlite: str) -> None:
    async with house_at(sqlite) as house:
        made = await opening.open_table(house, "bids", seats=["me", "bot:random", "open"])
        slug = made.table.slug
        with pytest.raises(NotFound, match="There is no seat 3"):
            await opening.claim(house, slug, 3, "")
        with pytest.raises(Conflict, match="taken"):
            await opening.claim(house, slug, 1, "")
        with pytest.raises(Conflict, match="You have a seat"):
            await opening.claim(house, slug, 2, "", digest(made.secret or ""))
        with pytest.raises(NotFound, match="opens no seat"):
            await opening.table_of_secret(house, new_secret())


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ({"players": 9}, "takes 2 to 4 players"),
        ({"options": {"rounds": 99}}, "whole number from 1 to 6"),
        ({"options": {"pace": 1}}, "has no option"),
        ({"seats": ["me", "me"]}, "one seat only"),
        ({"seats": ["me", "cat"]}, "A seat is"),
        ({"seats": ["me", "bot:genius"]}, "no computer player"),
        ({"players": 3, "seats": ["me", "open"]}, "3 seats, and 2"),
        ({"name": "x" * 30}, "at most 24"),
    ],
)
async def test_a_table_that_cannot_be_opened_is_refused_in_a_sentence(
    sqlite: str, asked: dict[str, object], said: str
) -> None:
    async with house_at(sqlite) as house:
        with pytest.raises(Unfit, match=said):
            await opening.open_table(house, "bids", **asked)  # type: ignore[arg-type]


def test_names_and_talk_are_cleaned() -> None:
    assert "Ada Lovelace" == clean_name("  Ada\u0000 \n Lovelace\u202e ", "x")
    assert "Player 1" == clean_name("\u200b\u0007 ", "Player 1")
    assert "one line" == clean_talk("one\nline\u0000", 99)
    with pytest.raises(Unfit):
        clean_talk("\u0000\n", 99)


def test_secrets_are_long_and_all_different() -> None:
    secrets = {new_secret() for _ in range(2000)}
    assert 2000 == len(secrets)
    assert {32} == {len(secret) for secret in secrets}


async def test_a_worker_that_missed_the_news_catches_up(url: str) -> None:
    """Where news was lost, or came while a table was being read, nobody who watches there is left behind."""
    async with house_at(url, shared=True) as one, house_at(url, shared=True) as two:
        here = await party(one, "prowlers", ("me", "open"))
        behind = await two.table(here.table.slug)
        woken: list[int] = []
        behind.watchers.add(lambda: woken.append(1))
        seat = here.play.asked()[0]
        await here.act(seat, here.state.legal_actions(seat)[0])
        assert behind.play is not None
        assert 0 == behind.play.ply
        await two.catch_up()
        assert 1 == behind.play.ply
        assert woken


async def test_what_is_written_while_a_table_is_read_is_not_missed(url: str) -> None:
    async with house_at(url, shared=True) as one, house_at(url, shared=True) as two:
        made = await opening.open_table(one, "bids", seats=["me", "open"])
        load, heard = two._load, []

        async def publish(message: str) -> None:
            heard.append(message)
            await two.hear(message.encode())

        async def slowly(slug: str) -> Table:
            table = await load(slug)
            await opening.claim(one, slug, 1, "Bob")  # the last seat: the game is dealt meanwhile
            await until(lambda: bool(heard))
            return table

        one.publish = publish

        two._load = slowly  # type: ignore[method-assign]
        table = await two.table(made.table.slug)
        assert table.play is not None
        assert "Bob" == table.names[1]


async def test_who_sits_down_and_the_deal_are_heard_without_a_look_at_the_database(url: str) -> None:
    async with house_at(url, shared=True) as one, house_at(url, shared=True) as two:
        made = await opening.open_table(one, "bids", seats=["me", "open", "open"])
        there = await two.table(made.table.slug)
        woken: list[int] = []
        there.watchers.add(lambda: woken.append(1))

        async def publish(message: str) -> None:
            await two.hear(message.encode())

        async def fetch(*_: object) -> None:
            raise AssertionError("the database was asked")

        one.publish = publish
        two.storage.fetch = fetch  # type: ignore[method-assign, assignment]
        bob = await opening.claim(one, made.table.slug, 1, "Bob")
        await until(lambda: there.names[1] == "Bob")
        assert 1 == two.seat_of(there, digest(bob.secret or ""))
        assert "waiting" == there.status
        await opening.claim(one, made.table.slug, 2, "Cid")
        await until(lambda: there.play is not None and there.status == "playing")
        assert made.table.play is not None
        assert there.play is not None
        assert made.table.play.state == there.play.state
        assert made.table.names == there.play.names
        assert woken


async def test_old_news_of_the_seats_undoes_nothing(url: str) -> None:
    """Somebody sat down at one worker and took a new link at the other; the news of the first comes last."""
    async with house_at(url, shared=True) as one, house_at(url, shared=True) as two:
        made = await opening.open_table(one, "bids", seats=["me", "open", "open"])
        slug = made.table.slug
        there = await two.table(slug)
        late: list[str] = []

        async def publish(message: str) -> None:
            late.append(message)

        one.publish = publish
        bob = await opening.claim(one, slug, 1, "Bob")
        await until(lambda: bool(late))
        fresh = await opening.reissue(two, slug, digest(bob.secret or ""))
        for message in late:
            await two.hear(message.encode())
        assert two.seat_of(there, digest(bob.secret or "")) is None
        assert 1 == two.seat_of(there, digest(fresh.secret or ""))


async def test_nobody_can_pass_for_another_at_the_table(sqlite: str) -> None:
    """A name that is taken gets a number, whoever took it first: a person, or a computer player."""
    async with house_at(sqlite) as house:
        made = await opening.open_table(house, "bids", seats=["me", "bot:random", "open", "open"], name="Mrs Gaunt")
        slug, secret = made.table.slug, digest(made.secret or "")
        assert ["Mrs Gaunt", "Mrs Gaunt 2"] == made.table.names[:2]
        bert = await opening.claim(house, slug, 2, "mrs  gaunt")
        assert "mrs gaunt 3" == bert.table.names[2]
        renamed = await opening.rename(house, slug, secret, "Mrs\u00a0Gaunt 2")
        assert "Mrs Gaunt 2 2" == renamed.names[0]
        same = await opening.rename(house, slug, secret, "Mrs Gaunt 2 2")
        assert "Mrs Gaunt 2 2" == same.names[0]
