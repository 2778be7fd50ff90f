"""R22, R24–R27: clocks that end every game, hand a chair over rather than end a table, and charge no downtime."""

from __future__ import annotations

from itertools import product

import pytest

from parlour.table import acting
from parlour.table.clock import DAY, ClockRule, Downtimes, SeatClock
from parlour.table.entries import Kind
from parlour.table.problems import Conflict
from parlour.table.showing import show
from tests.table.places import Clock, HereBots, house_at, party, until

pytestmark = pytest.mark.anyio
LIVE = ClockRule("live", 45.0, 100.0)


def test_a_move_comes_out_of_its_own_time_first_and_then_out_of_the_bank() -> None:
    down = Downtimes()
    clock = SeatClock(100.0)
    clock.ask(1000.0, 45.0)
    assert 1145.0 == clock.deadline(down)
    assert 1072.5 == clock.half_time(down)
    clock.settle(1040.0, down)
    assert 100.0 == clock.bank
    clock.ask(2000.0, 45.0)
    clock.settle(2050.0, down)
    assert 95.0 == clock.bank
    assert clock.deadline(down) is None


def test_downtime_is_charged_to_nobody() -> None:
    """R22: while no server was up, no clock ran; not even when the downtime began before the move or ends after it."""
    down = Downtimes([(1010.0, 1110.0), (900.0, 1005.0)])
    clock = SeatClock(0.0)
    clock.ask(1000.0, 45.0)
    assert 1150.0 == clock.deadline(down)
    clock.stand(1120.0, down)
    assert 15.0 == clock.used
    assert 0.0 == Downtimes([(10.0, 20.0)]).within(30.0, 40.0)
    assert 25.0 == Downtimes([(10.0, 20.0)]).later(5.0, 10.0)
    assert 15.0 == Downtimes([(10.0, 20.0)]).later(0.0, 5.0) + 10.0


def test_standing_still_costs_nothing() -> None:
    down = Downtimes()
    clock = SeatClock(0.0)
    clock.ask(0.0, 45.0)
    clock.stand(20.0, down)
    clock.go_on(1000.0)
    assert 1025.0 == clock.deadline(down)


@pytest.mark.parametrize(
    ("rule", "said"),
    [
        (ClockRule("live", 0.0), "1 to 3600 seconds"),
        (ClockRule("days", 40 * DAY), "1 to 2592000 seconds"),
        (ClockRule("live", 45.0, -1.0), "bank of time"),
    ],
)
def test_a_clock_that_makes_no_sense_is_refused(rule: ClockRule, said: str) -> None:
    with pytest.raises(ValueError, match=said):
        rule.checked()


async def test_r24_on_expiry_a_bot_takes_the_chair_and_gives_it_back(url: str, clock: Clock) -> None:
    """R24, R25, N9: time up hands a chair over, ends nothing; on return there is a summary of three lines at most."""
    bots = HereBots()
    async with house_at(url, now=clock, bots=bots) as house:
        house.bot_pause = lambda play: 0.0  # type: ignore[method-assign]
        here = await party(house, "prowlers", ("me", "open"), clock=LIVE)
        play = here.play
        seat = play.asked()[0]
        clock.pass_(73.0)
        await house.tick(here.table)
        model = show(here.table, seat, now=clock()).seats[seat].clock
        assert model is not None
        assert model.warned, "R25: a warning at half time"
        assert seat not in play.away
        clock.pass_(73.0)
        await house.tick(here.table)
        assert seat in play.away
        assert "sits in" in play.notes[-1].text or "sits in" in "".join(note.text for note in play.notes)
        await until(lambda: not play.wants(seat))
        assert {seat} == {asked for _, asked in bots.asked}, "the bot plays with that chair's knowledge only"
        await acting.back(house, here.table.slug, here.hash(seat))
        assert seat not in play.away
        summary = show(here.table, seat).away_summary
        assert 1 <= len(summary) <= 3
        assert "made for you" in summary[0]
        assert [] == show(here.table, 1 - seat).away_summary


async def test_an_act_by_somebody_who_was_away_is_a_return(sqlite: str, clock: Clock) -> None:
    async with house_at(sqlite, now=clock) as house:
        here = await party(house, "prowlers", ("me", "open"))
        seat = here.play.asked()[0]
        other = 1 - seat
        await acting.leave(house, here.table.slug, here.hash(other))
        with pytest.raises(Conflict, match="sits in for you already"):
            await acting.leave(house, here.table.slug, here.hash(other))
        await here.act(seat, here.state.legal_actions(seat)[0])
        if here.play.wants(other):
            await here.act(other, here.state.legal_actions(other)[0])
            assert {} == here.play.away


async def test_r26_pause_by_agreement_stops_every_clock(url: str, clock: Clock) -> None:
    async with house_at(url, now=clock) as house:
        here = await party(house, "prowlers", ("me", "open"), clock=LIVE)
        play = here.play
        seat = play.asked()[0]
        clock.pass_(10.0)
        await acting.pause(house, here.table.slug, here.hash(seat))
        assert play.paused is None, "the other has not agreed yet"
        await acting.vote(house, here.table.slug, here.hash(1 - seat), agree=True)
        await until(lambda: play.paused is not None)
        clock.pass_(50_000.0)
        await house.tick(here.table)
        assert {} == play.away
        with pytest.raises(Conflict, match="paused"):
            await here.act(seat, here.state.legal_actions(seat)[0])
        slug = here.table.slug
    async with house_at(url, now=clock) as house:
        table = await house.table(slug)
        assert table.play is not None
        assert table.play.paused is not None, "R22: a pause survives the restart"
        await acting.resume(house, slug, here.hash(seat))
        deadline = table.play.clocks[seat].deadline(house.down)
        assert deadline == pytest.approx(clock() + 135.0, abs=0.01)


async def test_r22_a_restart_credits_the_time_that_the_server_was_down(url: str, clock: Clock) -> None:
    async with house_at(url, now=clock) as house:
        here = await party(house, "prowlers", ("me", "open"), clock=LIVE)
        seat = here.play.asked()[0]
        clock.pass_(30.0)
    clock.pass_(100_000.0)
    async with house_at(url, now=clock) as house:
        table = await house.table(here.table.slug)
        await house.tick(table)
        assert table.play is not None
        assert {} == table.play.away
        left = table.play.clocks[seat].deadline(house.down)
        assert left == pytest.approx(clock() + 115.0, abs=0.01)


@pytest.mark.parametrize(
    ("kind", "pausing", "leaving", "answering"),
    list(product(("live", "days"), (False, True), (False, True), (0, 1, 2))),
)
async def test_r26_every_combination_comes_to_an_end(
    sqlite: str, clock: Clock, kind: str, pausing: bool, leaving: bool, answering: int
) -> None:
    """In a simulated calendar: with any clock, pause, absence, and with none, one or both players still there."""
    rule = ClockRule(kind).checked()  # type: ignore[arg-type]
    async with house_at(sqlite, now=clock, bots=HereBots()) as house:
        house.bot_pause = lambda play: 0.0  # type: ignore[method-assign]
        here = await party(house, "bids", ("me", "open"), clock=rule)
        play, slug = here.play, here.table.slug
        if pausing:
            await acting.pause(house, slug, here.hash(0))
            await acting.vote(house, slug, here.hash(1), agree=True)
            await until(lambda: play.paused is not None)
            clock.pass_(3 * DAY)
            await acting.resume(house, slug, here.hash(1))
        if leaving:
            await acting.leave(house, slug, here.hash(1))
        for _ in range(200):
            if play.over:
                break
            for seat in (0, 1, 0, 1):
                if seat < answering and seat not in play.away and play.wants(seat):
                    await here.act(seat, play.position_for(seat).legal_actions(seat)[0])
            due = play.next_due()
            bots_turn = any(play.played_by_bot(seat) and play.wants(seat) for seat in play.asked())
            if bots_turn:
                house.call_bots(here.table)
                await until(lambda: not any(play.played_by_bot(s) and play.wants(s) for s in play.asked()))
            elif due is not None:
                clock.at = max(clock.at, due)
                await house.tick(here.table)
        assert play.over
        kinds = [entry.kind for entry in await house.storage.entries(here.table.id)]
        assert (Kind.TAKEOVER in kinds) == (answering < 2 or leaving)
