"""R1–R4, R36: tables and the code that plays them. A change of the rules is found out before it touches a table."""

from __future__ import annotations

import io
import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest
from rich.console import Console
from sqlalchemy import update

from parlour import games
from parlour.kernel import Dice, Game, Refusal
from parlour.table import acting, opening, schema
from parlour.table.check import _check, reports_of
from parlour.table.entries import Kind
from parlour.table.problems import Conflict, NotYours
from parlour.table.seating import digest
from parlour.table.showing import show, show_at
from parlour.table.timeline import CHECKPOINT_EVERY
from tests.table.places import Party, house_at, party, until
from tests.toys import bids

pytestmark = pytest.mark.anyio


class Changed(bids.Bids):
    """The toy game under other rules."""

    def clone(self) -> bids.Bids:
        copy = super().clone()
        copy.__class__ = type(self)
        return copy


class OtherPrize(Changed):
    """A modest prize is 4."""

    def apply(self, player: int, action: int) -> None:
        super().apply(player, action)
        if self.prize == bids.MODEST_PRIZE and action == bids.MODEST:
            self.prize = 4


class NoBold(Changed):
    """Nobody may call bold."""

    def refusal(self, player: object, action: object) -> Refusal | None:
        if action == bids.BOLD:
            return Refusal("Bold calls are no more.", "TOY-9")
        return super().refusal(player, action)


def changed(kind: type[bids.Bids], version: int = 2) -> Game:
    """The card of the toy game with these rules."""

    def deal(game: Game, players: int, options: Mapping[str, Any], dice: Dice) -> bids.Bids:
        state = bids.deal(game, players, options, dice)
        state.__class__ = kind
        return state

    return replace(bids.GAME, version=version, deal=deal)


async def play_on(here: Party, steps: int, rng: random.Random) -> None:
    for _ in range(steps):
        if here.play.over:
            return
        wanting = [seat for seat in here.play.asked() if here.play.wants(seat)]
        if not wanting:
            here.play.opened -= 60
            await here.house.tick(here.table)
            continue
        state = here.play.position_for(wanting[0])
        await here.act(wanting[0], rng.choice(state.legal_actions(wanting[0])))


@pytest.mark.parametrize(
    ("kind", "call", "verdict"),
    [
        (bids.Bids, "call:bold", "same"),
        (OtherPrize, "call:modest", "differs"),
        (NoBold, "call:bold", "cannot continue"),
    ],
)
async def test_r2_a_dry_run_says_what_becomes_of_every_table(
    url: str, kind: type[bids.Bids], call: str, verdict: str
) -> None:
    async with house_at(url) as house:
        here = await party(house, "bids", ("me", "open"), options={"rounds": 6})
        for _ in range(6):
            await here.act(here.play.asked()[0], call)
            for seat in (0, 1):
                await here.act(seat, "pass")
            here.play.opened -= 60
            await house.tick(here.table)
            if here.play.ply >= 9:
                break
        await here.act(here.play.asked()[0], call)
        while here.play.ply < 11 and not here.play.over:
            await play_on(here, 1, random.Random(1))
        slug = here.table.slug
        # the hash that the log keeps every 16 steps stands for all of them: put one where this game has got to
        await _note_hash(here)
    games.register(changed(kind))
    async with house_at(url) as house:
        table = await house.table(slug)
        ((_, _, report),) = await reports_of(house.storage)
        assert verdict == report.verdict
        if verdict == "same":
            assert "playing" == table.status
            return
        assert "held" == table.status
        assert report.sentence == table.notice
        with pytest.raises(Conflict, match=r"Under the present rules|rules have changed"):
            await acting.act(house, slug, here.hash(0), here.play.ply, "pass")
        model = show(table, 0)
        assert "held" == model.status
        assert [] == model.choices
        with pytest.raises(NotYours):
            await opening.adopt(house, slug, here.hash(1), end=False)
        host = digest(here.host)
        if verdict == "differs":
            fresh = await opening.adopt(house, slug, host, end=False)
            assert "playing" == fresh.status
        else:
            assert "TOY-9" == report.clause
            with pytest.raises(Conflict, match="can only be ended"):
                await opening.adopt(house, slug, host, end=False)
            assert "over" == (await opening.adopt(house, slug, host, end=True)).status


async def _note_hash(here: Party) -> None:
    import json

    log = schema.log.c
    entries = await here.house.storage.entries(here.table.id)
    last = max(entry.seq for entry in entries if entry.kind == Kind.ACTION)
    fresh = here.house.new_play(here.table)
    for entry in entries[:last]:
        fresh.accept(entry)
    assert fresh.state is not None
    body = json.dumps({"hash": fresh.state.position_hash()})
    await here.house.storage.change(
        update(schema.log).where(log.table_id == here.table.id, log.seq == last).values(body=body)
    )


async def test_check_tables_prints_a_line_for_each_and_fails_when_one_would_not_go_on(sqlite: str) -> None:
    async with house_at(sqlite) as house:
        here = await party(house, "bids", ("me", "open"))
        await here.act(0, "call:bold")
    text = io.StringIO()
    assert await _check(sqlite, Console(file=text, width=200))
    assert "same" in text.getvalue()
    games.register(changed(NoBold))
    text = io.StringIO()
    assert not await _check(sqlite, Console(file=text, width=200))
    assert "cannot continue at step 1 (TOY-9)" in text.getvalue()
    assert "Bold calls are no more." in text.getvalue()


async def test_hashes_stand_in_the_log_and_never_inside_a_window(sqlite: str) -> None:
    async with house_at(sqlite) as house:
        here = await party(house, "prowlers", ("me", "open"))
        await play_on(here, 40, random.Random(2))
        noted = [entry for entry in await house.storage.entries(here.table.id) if entry.body and "hash" in entry.body]
        assert noted


class Counted(Changed):
    """The toy game, counting what is played."""

    applied = 0

    def apply(self, player: int, action: int) -> None:
        Counted.applied += 1
        super().apply(player, action)


async def test_r36_a_long_record_is_opened_and_looked_at_with_little_work(url: str) -> None:
    """Moves taken back among them: opening it plays each once, looking at its past plays a few, at the present none.

    How long it takes is measured by `parlour bench table`.
    """
    games.register(changed(Counted))
    async with house_at(url) as house:
        here = await party(house, "bids", ("me", "open"), options={"rounds": 6})
        rng = random.Random(5)
        for number in range(90):
            seat = number % 2
            if here.play.over:
                break
            if number % 5 > 2 and not here.play.in_window and here.play.undo_depth(seat):
                await acting.undo(house, here.table.slug, here.hash(seat), here.play.ply)
                if here.play.question is not None:
                    await acting.vote(house, here.table.slug, here.hash(1 - seat), agree=True)
                await house.tick(here.table)
            else:
                await play_on(here, 1, rng)
        entries = await house.storage.entries(here.table.id)
        assert len(entries) > 30
        assert Kind.UNDO in [entry.kind for entry in entries]
        house.forget(here.table)
        Counted.applied = 0
        table = await house.table(here.table.slug)
        assert table.play is not None
        moves = sum(len(step.moves) for step, kind in table.play.timeline if kind in (Kind.ACTION, Kind.CLOSE))
        assert moves > 15
        answers = sum(entry.kind == Kind.ANSWER for entry in entries)  # each is tried out on a copy as well
        undone = sum(entry.kind == Kind.UNDO for entry in entries)  # and the position before is found again
        assert moves <= Counted.applied <= moves + answers + undone * CHECKPOINT_EVERY
        Counted.applied = 0
        show(table, 0, page=True)
        assert 0 == Counted.applied
        for ply in range(table.play.ply):
            Counted.applied = 0
            show_at(table, 0, ply)
            assert Counted.applied <= CHECKPOINT_EVERY * 2


async def test_a_table_that_cannot_be_read_keeps_no_other_from_going_on(
    url: str, caplog: pytest.LogCaptureFixture
) -> None:
    """R21: a game that is on the shelf no more is named in the log; the tables of other games are resumed."""
    async with house_at(url) as house:
        gone = await party(house, "bids", ("me", "open"))
        await house.storage.change(
            update(schema.tables).where(schema.tables.c.id == gone.table.id).values(game="whist")
        )
        here = await party(house, "bids", ("me", "bot"))
        await here.act(0, "call:modest")
        await here.act(0, "pass")
    async with house_at(url) as house:
        await until(lambda: here.table.slug in house.tables)
        play = house.tables[here.table.slug].play
        assert play is not None
        await until(lambda: not play.in_window, 15)
    assert f"the table {gone.table.slug} cannot be resumed" in caplog.text
    assert "There is no game called 'whist'" in caplog.text
