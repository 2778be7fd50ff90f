"""R11, R14, R16–R18, N4: windows of sealed answers. Asked alike, held in the log, closed when it tells nothing."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from parlour import games
from parlour.kernel import Dice, Game
from parlour.table import acting
from parlour.table.clock import ClockRule
from parlour.table.entries import Kind
from parlour.table.house import House
from parlour.table.instructions import answer_of
from parlour.table.live import Table
from parlour.table.model import Instruction, InstructionRule
from parlour.table.problems import Conflict, Unfit
from parlour.table.showing import show
from tests.table.places import Clock, HereBots, Party, house_at, party, toy, until
from tests.toys import bids

pytestmark = pytest.mark.anyio


async def in_window(house: House, seats: tuple[str, ...] = ("me", "open", "open"), **more: object) -> Party:
    here = await party(house, "bids", seats, **more)
    await here.act(0, "call:modest")
    assert here.play.in_window
    return here


async def test_an_answer_is_durable_and_shown_to_nobody_else(url: str, clock: Clock) -> None:
    async with house_at(url, now=clock) as house:
        here = await in_window(house)
        before = {seat: here.table.version_for(seat) for seat in (None, 0, 1, 2)}
        models = {seat: show(here.table, seat) for seat in (None, 0, 2)}
        done = await here.act(1, "pass")
        assert done.held
        assert here.play.ply == done.ply, "the public step stands still while answers come in"
        assert Kind.ANSWER == (await house.storage.entries(here.table.id))[-1].kind
        for seat, model in models.items():
            assert model == show(here.table, seat)
            assert before[seat] == here.table.version_for(seat)
        mine = show(here.table, 1)
        assert mine.window is not None
        assert mine.window.answered
        assert [] == mine.choices
        assert before[1] != here.table.version_for(1)


async def test_r18_the_window_closes_when_all_have_answered_and_the_least_time_is_over(url: str, clock: Clock) -> None:
    async with house_at(url, now=clock) as house:
        here = await in_window(house)
        for seat in (2, 0, 1):
            await here.act(seat, here.play.position_for(seat).legal_actions(seat)[0])
        clock.pass_(2.9)
        await house.tick(here.table)
        assert here.play.in_window, "the least time is not over"
        clock.pass_(0.2)
        await house.tick(here.table)
        assert 2 == here.play.ply
        assert not here.play.in_window


async def test_the_same_answer_may_come_twice_and_another_is_refused(url: str, clock: Clock) -> None:
    async with house_at(url, now=clock) as house:
        here = await in_window(house)
        await here.act(1, "pass")
        length = len(await house.storage.entries(here.table.id))
        assert (await here.act(1, bids.PASS)).held
        assert (await here.act(1, "pass")).held
        assert length == len(await house.storage.entries(here.table.id))
        card = here.state.legal_actions(1)[0]
        with pytest.raises(Conflict, match="in already"):
            await here.act(1, card)
        await acting.undo(house, here.table.slug, here.hash(1), here.play.ply)
        assert (await here.act(1, card)).held


async def test_n4_the_close_does_not_depend_on_what_anyone_holds(sqlite: str, clock: Clock) -> None:
    """Two hands that differ in hidden cards give the same times: of the close, of bots' answers, of every message."""
    seen = []
    for swapped in (False, True):
        waits: list[float] = []
        draws = random.Random(4)
        chooser = HereBots(lambda state, seat: state.legal_actions(seat)[0])
        clock.at = 1_800_000_000.0
        async with house_at(f"{sqlite}{swapped}", now=clock, bots=chooser) as house:
            house.draw = draws.random

            async def wait(seconds: float, noted: list[float] = waits) -> bool:
                noted.append(round(seconds, 1))
                await asyncio.sleep(0)
                return True

            here = await party(house, "bids", ("me", "bot", "bot"))
            if swapped:
                here.play.state = here.state.resample(-1, Dice(77))
            times: list[tuple[float, str]] = []
            house.wait = wait  # type: ignore[method-assign]

            def woken(noted: list[tuple[float, str]] = times, table: Table = here.table) -> None:
                noted.append((clock.at, table.version_for(None).split(".")[0]))

            here.table.watchers.add(woken)
            await here.act(0, "call:modest")
            await until(lambda p=here.play: len(p.answers) == 2)  # type: ignore[misc]
            await here.act(0, here.state.legal_actions(0)[0])
            due = here.play.window_due()
            assert due is not None
            while here.play.in_window:
                clock.pass_(0.5)
                await house.tick(here.table)
            seen.append((due - here.play.opened, waits[:2], times))
    assert seen[0][1] == seen[1][1]
    assert [t - seen[0][2][0][0] for t, _ in seen[0][2]] == [t - seen[1][2][0][0] for t, _ in seen[1][2]]
    assert [p for _, p in seen[0][2]] == [p for _, p in seen[1][2]]


async def test_n4_bots_pause_without_looking(sqlite: str) -> None:
    """The pause of a bot is drawn before it has chosen, from 0.8 to 2.5 s, and not at tables of bots alone."""
    async with house_at(sqlite) as house:
        here = await party(house, "bids", ("me", "bot"))
        pauses = [house.bot_pause(here.play) for _ in range(500)]
        assert 0.8 <= min(pauses) < 0.9
        assert 2.4 < max(pauses) <= 2.5
        bots_only = await party(house, "bids", ("bot", "bot"))
        assert {0.0} == {house.bot_pause(bots_only.play) for _ in range(20)}


async def test_a_standing_instruction_is_evaluated_at_the_close_and_not_before(url: str, clock: Clock) -> None:
    """“Pass unless the prize is 3 or more”: it counts as an answer, and becomes one when the window closes."""
    rule = InstructionRule("prize", "bid:card_01", least=4)
    order = Instruction("bid", [rule], "pass")
    async with house_at(url, now=clock) as house:
        here = await party(house)
        for seat in (1, 2):
            await acting.instruct(house, here.table.slug, here.hash(seat), [order])
        await here.act(0, "call:modest")
        assert {} == here.play.answers
        await here.act(0, "pass")
        entries = await house.storage.entries(here.table.id)
        assert [Kind.ANSWER] == [entry.kind for entry in entries if entry.kind == Kind.ANSWER]
        clock.pass_(3.5)
        await house.tick(here.table)
        assert not here.play.in_window
        close = (await house.storage.entries(here.table.id))[-1]
        assert Kind.CLOSE == close.kind
        assert f'{{"fills": {{"1": [{bids.PASS}], "2": [{bids.PASS}]}}}}' == close.body
        assert "Nobody bids." == here.play.game.words(here.play.notes[-1].step.events[-1], here.table.names)  # type: ignore[union-attr]


async def test_instructions_look_at_the_owners_view_only(sqlite: str) -> None:
    game = games.get("bids")
    state = game.new_game(2, seed=3)
    state.play(0, bids.MODEST)
    mine = [card for card in state.legal_actions(1) if card != bids.PASS]
    highest = f"bid:card_{mine[-1] + 1:02}"
    held = InstructionRule("hand.-1", highest, least=1)
    assert mine[-1] == answer_of(Instruction("bid", [held], "pass"), state, 1)
    assert bids.PASS == answer_of(
        Instruction("bid", [InstructionRule("prize", highest, among=[9, 10])], "pass"), state, 1
    )
    assert mine[-1] == answer_of(Instruction("bid", [InstructionRule("prize", highest, among=[3])], "pass"), state, 1)
    assert bids.PASS == answer_of(Instruction("bid", [InstructionRule("no.such", highest)], "pass"), state, 1)
    other = state.resample(1, Dice(8))
    for order in (Instruction("bid", [held], "pass"), Instruction("bid", [], "pass")):
        assert answer_of(order, state, 1) == answer_of(order, other, 1)


async def test_an_instruction_that_makes_no_sense_is_refused(sqlite: str, clock: Clock) -> None:
    async with house_at(sqlite, now=clock) as house:
        here = await party(house)
        for order, said in (
            (Instruction("duel", [], "pass"), "no decision called"),
            (Instruction("bid", [], "bid:card_99"), "no choice"),
            (Instruction("bid", [InstructionRule("prize", "fly")], "pass"), "no choice"),
        ):
            with pytest.raises(Unfit, match=said):
                await acting.instruct(house, here.table.slug, here.hash(1), [order])


async def test_on_time_out_the_games_own_answer_is_given(url: str, clock: Clock) -> None:
    toy(timeout_action=lambda state, seat: bids.PASS, seconds={"bid": 20.0})
    async with house_at(url, now=clock) as house:
        here = await in_window(house, clock=ClockRule("live"))
        await here.act(0, here.state.legal_actions(0)[0])
        clock.pass_(19.0)
        await house.tick(here.table)
        states = [here.play.in_window]
        clock.pass_(1.5)
        await house.tick(here.table)
        states.append(here.play.in_window)
        assert [True, False] == states
        assert {} == here.play.away, "nobody loses his chair over a window"


async def test_on_time_out_without_such_an_answer_a_bot_sits_in(url: str, clock: Clock) -> None:
    bots = HereBots()
    async with house_at(url, now=clock, bots=bots) as house:
        here = await in_window(house, clock=ClockRule("live", 30.0, 0.0))
        await here.act(0, "pass")
        await here.act(1, "pass")
        clock.pass_(31.0)
        await house.tick(here.table)
        assert [2] == list(here.play.away)
        await until(lambda: not here.play.in_window)
        assert [Kind.ANSWER, Kind.CLOSE] == [entry.kind for entry in await house.storage.entries(here.table.id)][-2:]


async def test_undo_of_what_opened_the_window_drops_the_answers(sqlite: str, clock: Clock) -> None:
    async with house_at(sqlite, now=clock) as house:
        here = await in_window(house)
        await here.act(2, "pass")
        await acting.undo(house, here.table.slug, here.hash(0), here.play.ply)
        for seat in (1, 2):
            await acting.vote(house, here.table.slug, here.hash(seat), agree=True)
        await house.tick(here.table)
        assert "call" == here.state.decision(0)
        assert {} == here.play.answers
        await here.act(0, "call:bold")
        assert here.play.in_window
        assert not here.play.complete(2)


class Alone(bids.Bids):
    """A window with one to ask: only the leader's left neighbour bids."""

    def actors(self) -> int:
        asked = super().actors()
        return asked & (1 << (self.leader + 1) % self.players) if self.sealed() else asked

    def apply(self, player: int, action: int) -> None:
        for other in range(self.players if self.sealed() else 0):
            if other != player:
                self.answers[other] = bids.PASS
        super().apply(player, action)

    def clone(self) -> bids.Bids:
        copy = super().clone()
        copy.__class__ = Alone
        return copy


async def test_the_only_one_asked_sees_nothing_of_the_outcome_before_the_close(sqlite: str, clock: Clock) -> None:
    """His answer alone would resolve the window: what he draws by it must wait for the close, like everybody's news."""

    def deal(game: Game, players: int, options: Mapping[str, Any], dice: Dice) -> bids.Bids:
        state = bids.deal(game, players, options, dice)
        state.__class__ = Alone
        return state

    games.register(replace(bids.GAME, deal=deal))
    async with house_at(sqlite, now=clock) as house:
        here = await in_window(house)
        assert [1] == here.play.asked()
        before = show(here.table, 1)
        await here.act(1, here.state.legal_actions(1)[0])
        after = show(here.table, 1)
        assert before.view == after.view
        assert after.window is not None
        assert after.window.answered
        assert [] == after.choices
        clock.pass_(4.0)
        await house.tick(here.table)
        assert 2 == here.play.ply
        assert before.view != show(here.table, 1).view


async def test_words_go_with_a_move_only_where_the_game_takes_them(url: str, clock: Clock) -> None:
    toy(text_limit=lambda state, seat, code: 20 if code == bids.BOLD else 0)
    async with house_at(url, now=clock) as house:
        here = await party(house)
        slug, secret = here.table.slug, here.hash(0)
        with pytest.raises(Unfit, match="Nothing can be told"):
            await acting.act(house, slug, secret, 0, bids.MODEST, "ha")
        with pytest.raises(Unfit, match="20 characters, not 30"):
            await acting.act(house, slug, secret, 0, bids.BOLD, "x" * 30)
        assert 20 == show(here.table, 0).text_limit
        await acting.act(house, slug, secret, 0, bids.BOLD, "to \u0000arms!\n")
        assert "to arms!\n" == (await house.storage.entries(here.table.id))[-1].text
        assert ["to arms!\n"] == [line.text for line in show(here.table, None).log if line.kind == "told"]
