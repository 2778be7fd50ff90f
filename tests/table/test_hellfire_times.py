"""HC-75…HC-79 at the table: time limits, time-outs, away chairs, windows that close alike, first voices.

Where a clock decides, it is set by hand; where hidden cards must not, they are dealt anew and the moments compared.
"""

from __future__ import annotations

import random

import pytest

from parlour.games.hellfire.box import BOASTS
from parlour.games.hellfire.rules import Hellfire
from parlour.games.hellfire.table import LIMITS, SECONDS, timeout_action
from parlour.kernel import Dice, has
from parlour.table import acting, opening
from parlour.table.clock import ClockRule
from parlour.table.course import ABSENT
from parlour.table.entries import Kind
from parlour.table.model import Instruction, InstructionRule
from parlour.table.problems import Conflict, NotYours, Unfit
from parlour.table.showing import show
from tests.table.places import Clock, HereBots, Party, house_at, party, until

pytestmark = pytest.mark.anyio
LIVE = ClockRule("live")
FOUR = ("me", "open", "open", "open")


async def on(here: Party, seat: int, id_: str) -> None:
    """One action by its id."""
    await here.act(seat, id_)


def cards(here: Party, seat: int) -> list[int]:
    """A hand."""
    assert isinstance(here.state, Hellfire)
    return here.state.hand_list(seat)


def teller(here: Party) -> int:
    """Whose turn it is."""
    assert isinstance(here.state, Hellfire)
    return int(here.state.storyteller)


async def to_a_window(here: Party, clock: Clock, rng: random.Random, most: int = 200) -> None:
    """Play on until a window is open that nobody has answered."""
    for _ in range(most):
        if here.play.in_window and not here.play.answers:
            return
        await step(here, clock, rng)
    raise AssertionError("no window has opened")


async def step(here: Party, clock: Clock, rng: random.Random, silent: int = -1) -> None:
    """One random action by somebody who is asked and not silent, or the close of a window that is due."""
    play = here.play
    wanting = [seat for seat in play.asked() if play.wants(seat) and seat != silent]
    if wanting:
        seat = rng.choice(wanting)
        await here.act(seat, rng.choice(play.position_for(seat).legal_actions(seat)))
    else:
        clock.pass_(3.1)
        await here.house.tick(here.table)


# --- HC-75 ---------------------------------------------------------------------------------------------------------


async def test_hc_75_every_decision_has_its_time(sqlite: str, clock: Clock) -> None:
    """HC-75: 45 s for a step, 120 to tell, 20 for a window on a boast, 15 for one in a chain; no bank on top."""
    async with house_at(sqlite, now=clock) as house:
        here = await party(house, "hellfire", FOUR, clock=LIVE)
        play, rng = here.play, random.Random(1)
        seen: dict[str, float] = {}
        for _ in range(120):
            if play.over:
                break
            state = here.state
            for seat in play.asked():
                seen[state.decision(seat)] = play.allowance(seat)
                assert 0.0 == play.clocks[seat].bank
            await step(here, clock, rng)
        assert {"discard_boast", "patron_swap", "play_patron", "tell", "interrupt"} <= set(seen)
        expected = {"tell": 120.0, "interrupt": 20.0, "rechallenge": 15.0}
        assert {name: expected.get(name, 45.0) for name in seen} == seen


async def test_hc_75_the_host_sets_the_times_from_5_to_600(sqlite: str, clock: Clock) -> None:
    async with house_at(sqlite, now=clock) as house:
        own = ClockRule("live", seconds={"interrupt": 5.0, "tell": 600.0})
        here = await party(house, "hellfire", FOUR, clock=own)
        first = here.play.asked()[0]
        assert 45.0 == here.play.allowance(first), "what the host did not set is as usual"
        await to_a_window(here, clock, random.Random(2))
        assert 5.0 == here.play.allowance(here.play.asked()[0])
        for seconds, name in ((4.9, "interrupt"), (600.1, "interrupt"), (20.0, "ponder")):
            with pytest.raises(Unfit, match=name):
                await party(house, "hellfire", FOUR, clock=ClockRule("live", seconds={name: seconds}))
        with pytest.raises(Unfit, match="live table"):
            await party(house, "hellfire", FOUR, clock=ClockRule("days", seconds={"tell": 60.0}))


def test_hc_75_the_form_asks_for_four_times() -> None:
    """t_step, t_tell, t_interrupt, t_rechallenge, each for all the decisions that share it."""
    box = next(box for box in opening.shelf() if box.name == "hellfire")
    assert [45.0, 120.0, 20.0, 15.0] == [limit.seconds for limit in box.limits]
    assert sorted(SECONDS) == sorted(name for limit in box.limits for name in limit.decisions)
    assert list(LIMITS) == [limit.label for limit in box.limits]


@pytest.mark.parametrize(
    ("options", "clock", "kind"),
    [
        ({}, None, "live"),  # the option's default
        ({"clock": "none"}, None, "none"),
        ({"clock": "none"}, LIVE, "none"),
        ({"clock": "live"}, ClockRule(), "live"),
        ({}, ClockRule(), "none"),
        ({}, ClockRule("days"), "days"),
    ],
)
async def test_310_the_option_clock_is_the_tables_clock(
    sqlite: str, options: dict[str, object], clock: ClockRule | None, kind: str
) -> None:
    async with house_at(sqlite) as house:
        made = await opening.open_table(house, "hellfire", seats=list(FOUR), options=options, clock=clock)
        assert kind == made.table.clock.kind
        assert ("none" if kind == "none" else "live") == made.table.options["clock"]


async def test_310_without_a_clock_a_window_waits_for_everybody(sqlite: str, clock: Clock) -> None:
    async with house_at(sqlite, now=clock) as house:
        here = await party(house, "hellfire", FOUR, options={"clock": "none"})
        await to_a_window(here, clock, random.Random(3))
        ply = here.play.ply
        clock.pass_(86_400.0)
        await house.tick(here.table)
        assert here.play.in_window
        assert ply == here.play.ply
        assert here.play.window_due() is None


# --- HC-76 ---------------------------------------------------------------------------------------------------------


async def test_hc_76_e30_when_time_is_up_the_table_answers_and_nobody_loses_the_chair(url: str, clock: Clock) -> None:
    """HC-76, HC-E30: discard nothing, keep the Patron, hold it, then the lowest card; in a window, pass."""
    async with house_at(url, now=clock) as house:
        here = await party(house, "hellfire", FOUR, clock=LIVE)
        play, seat = here.play, teller(here)
        done: list[str] = []
        for _ in range(4):
            state = here.state
            decision, wanted = state.decision(seat), timeout_action(state, seat)
            assert wanted in state.legal_actions(seat)
            clock.pass_(play.allowance(seat) - 0.01)
            await house.tick(here.table)
            assert state is here.state, "not a moment too soon"
            clock.pass_(0.02)
            await house.tick(here.table)
            done.append(decision)
            assert ((seat, wanted),) == play.notes[-1].step.moves if play.notes[-1].step else False
            if len(done) == 2:
                await acting.act(house, here.table.slug, here.hash(seat), play.ply, here.state.legal_actions(seat)[0])
                break
        assert {} == play.away
        assert done[0] == "discard_boast"


async def test_hc_76_silence_in_a_window_is_a_pass(sqlite: str, clock: Clock) -> None:
    async with house_at(sqlite, now=clock) as house:
        here = await party(house, "hellfire", FOUR, clock=LIVE)
        await to_a_window(here, clock, random.Random(4))
        play = here.play
        asked = play.asked()
        held = {seat: cards(here, seat) for seat in asked}
        clock.pass_(19.99)
        await house.tick(here.table)
        assert play.in_window
        clock.pass_(0.02)
        await house.tick(here.table)
        assert play.timeline[-1][1] == Kind.CLOSE
        assert tuple((seat, 0) for seat in sorted(asked)) == play.timeline[-1][0].moves
        assert held == {seat: cards(here, seat) for seat in asked}


# --- HC-77 ---------------------------------------------------------------------------------------------------------


async def absent_after(here: Party, clock: Clock, seat: int, most: int = 400) -> int:
    """Let one seat be silent, everybody else act, until it counts as away. How many time-outs that took."""
    play, rng, lapses = here.play, random.Random(5), 0
    for _ in range(most):
        if play.absent(seat):
            return lapses
        waiting = [one for one in play.asked() if play.wants(one)]
        if waiting == [seat] or (seat in waiting and play.in_window):
            for one in waiting:
                if one != seat:
                    await here.act(one, 0)
            clock.pass_(play.allowance(seat) + 0.1)
            await here.house.tick(here.table)
            lapses += 1
        else:
            await step(here, clock, rng, seat)
    raise AssertionError("never away")


async def test_hc_77_three_time_outs_in_a_row_make_a_seat_away(url: str, clock: Clock) -> None:
    """HC-77: nobody sits in; windows are answered for it at once, its own decisions after 5 seconds."""
    async with house_at(url, now=clock) as house:
        here = await party(house, "hellfire", FOUR, clock=LIVE)
        play = here.play
        seat = (teller(here) + 1) % 4
        assert 3 == await absent_after(here, clock, seat)
        assert ABSENT == play.away[seat]
        assert not play.played_by_bot(seat)
        assert "counts as away" in "".join(note.text for note in play.notes)
        model = show(here.table, None).seats[seat]
        assert (True, False) == (model.absent, model.away)
        rng = random.Random(6)
        quick = own = False
        for _ in range(400):
            if play.over or (quick and own):
                break
            if play.in_window and seat in play.asked() and not play.answers:
                for one in play.asked():
                    if one != seat:
                        await here.act(one, 0)
                earliest, _ = play.window_times()
                assert earliest == play.window_due(), "nobody waits for an empty chair, and yet no sooner than that"
                quick = True
            if not play.in_window and play.asked() == [seat]:
                assert play.clocks[seat].deadline(play.down) == pytest.approx(clock() + 5.0)
                clock.pass_(5.01)
                wanted = timeout_action(here.state, seat)
                await house.tick(here.table)
                assert (seat, wanted) in play.timeline[-1][0].moves
                own = True
                continue
            await step(here, clock, rng, seat)
        assert quick
        assert own


async def test_hc_77_an_answer_of_ones_own_ends_the_row_of_time_outs(sqlite: str, clock: Clock) -> None:
    async with house_at(sqlite, now=clock) as house:
        here = await party(house, "hellfire", FOUR, clock=LIVE)
        play, seat = here.play, teller(here)
        for _ in range(2):
            clock.pass_(45.1)
            await house.tick(here.table)
        assert 2 == play.lapses[seat]
        await here.act(seat, here.state.legal_actions(seat)[0])
        assert 0 == play.lapses[seat]
        assert not play.absent(seat)


async def test_hc_77_the_host_may_hand_an_away_seat_to_a_bot_and_the_person_may_come_back(
    sqlite: str, clock: Clock
) -> None:
    bots = HereBots()
    async with house_at(sqlite, now=clock, bots=bots) as house:
        house.bot_pause = lambda play: 0.0  # type: ignore[method-assign]
        here = await party(house, "hellfire", FOUR, clock=LIVE)
        play, seat = here.play, (teller(here) + 1) % 4
        with pytest.raises(Conflict, match="Nobody is away"):
            await acting.replace(house, here.table.slug, _host(here), seat)
        await absent_after(here, clock, seat)
        with pytest.raises(NotYours):
            await acting.replace(house, here.table.slug, None, seat)
        await acting.replace(house, here.table.slug, _host(here), seat)
        assert "host" == play.away[seat]
        assert play.played_by_bot(seat)
        await acting.back(house, here.table.slug, here.hash(seat))
        assert {} == play.away
        assert 0 == play.lapses[seat]


def _host(here: Party) -> str:
    return here.table.host_hash


# --- HC-77, N4: a window's moments tell nothing --------------------------------------------------------------------


async def test_hc_77_a_live_window_never_closes_sooner_than_three_seconds(url: str, clock: Clock) -> None:
    async with house_at(url, now=clock) as house:
        here = await party(house, "hellfire", FOUR, clock=LIVE)
        await to_a_window(here, clock, random.Random(7))
        play, opened = here.play, clock()
        for seat in list(play.asked()):
            await here.act(seat, 0)
        assert opened + 3.0 == play.window_due()
        clock.pass_(2.99)
        await house.tick(here.table)
        assert play.in_window
        clock.pass_(0.02)
        await house.tick(here.table)
        assert play.timeline[-1][1] == Kind.CLOSE


@pytest.mark.parametrize("seed", range(12))
async def test_n4_when_a_window_closes_does_not_depend_on_what_anybody_holds(
    sqlite: str, clock: Clock, seed: int
) -> None:
    """N4, HC-77, HC-R36: the others' hands are dealt anew at random positions; every moment of the window stays.

    Nobody is answered for because a pass was all that was left to choose, and a late answer is a late answer.
    """
    rng = random.Random(seed)
    async with house_at(sqlite, now=clock) as house:
        here = await party(house, "hellfire", FOUR, clock=LIVE)
        for _ in range(rng.randrange(4, 60)):
            if not here.play.over:
                await step(here, clock, rng)
        if here.play.over:
            return
        await to_a_window(here, clock, rng)
        play, real = here.play, here.state
        asked = play.asked()
        slow = rng.choice(asked)
        moments = []
        for viewer in (None, *range(4)):
            for deal in range(3):
                state = (
                    real if deal == 0 else real.resample(-1 if viewer is None else viewer, Dice(rng.getrandbits(50)))
                )
                play.state = state
                play.answers.clear()
                play.private.clear()
                times: list[object] = [play.window_times(), play.window_due(), play.next_due(), play.late_in_window()]
                for seat in asked:
                    if seat != slow:
                        play.answers[seat] = [(0, None)]
                times += [play.window_due(), play.next_due()]
                play.answers[slow] = [(0, None)]
                times += [play.window_due(), [play.allowance(seat) for seat in asked], play.asked()]
                moments.append(times)
        play.state = real
        play.answers.clear()
        assert moments[:1] * len(moments) == moments


@pytest.mark.parametrize("seed", range(4))
async def test_hc_79_a_bot_thinks_for_as_long_whatever_it_holds(sqlite: str, clock: Clock, seed: int) -> None:
    """HC-79: 0.8 to 2.5 s at a table with people, drawn before the bot chooses and from nothing of the game's."""
    async with house_at(sqlite, now=clock, bots=HereBots()) as house:
        pauses: list[float] = []
        real = house.bot_pause

        def noted(play: object) -> float:
            pauses.append(real(play))  # type: ignore[arg-type]
            return 0.0

        house.bot_pause = noted  # type: ignore[method-assign]
        here = await party(house, "hellfire", ("me", "bot:novice", "bot:novice"), clock=LIVE)
        play, rng = here.play, random.Random(seed)
        for _ in range(40):
            if play.over or len(pauses) > 20:
                break
            if play.wants(0):
                await here.act(0, rng.choice(play.position_for(0).legal_actions(0)))
            else:
                await until(lambda: not here.table.pending_bots)
                if not play.wants(0) and play.in_window:
                    clock.pass_(3.1)
                    await house.tick(here.table)
        assert len(pauses) > 3
        assert all(0.8 <= pause <= 2.5 for pause in pauses)
        assert len(set(pauses)) > 1


# --- standing orders ------------------------------------------------------------------------------------------------


async def test_n4_a_standing_order_is_opened_as_the_window_closes_and_nobody_waits(sqlite: str, clock: Clock) -> None:
    """N4: a card left to be shown against anything higher speaks at the close; until then nothing has been answered."""
    async with house_at(sqlite, now=clock) as house:
        here = await party(house, "hellfire", FOUR, options={"clock": "none"})
        rng = random.Random(17)
        for _ in range(400):
            await to_a_window(here, clock, rng)
            play, state = here.play, here.state
            assert isinstance(state, Hellfire)
            able = [s for s in play.asked() if any(1 <= c <= 100 for c in state.legal_actions(s))]
            if able and state.decision(able[0]) == "interrupt":
                break
            await step(here, clock, rng)
        seat = able[0]
        code = next(c for c in state.legal_actions(seat) if 1 <= c <= 100)
        card, suit = BOASTS[code - 1], BOASTS[code - 1][:-3]
        higher: list[int | str] = [name for name in BOASTS if name.startswith(suit) and name > card]
        rule = InstructionRule("window.card.id", f"interrupt:challenge:{card}", higher)
        others = [viewer for viewer in (None, *range(4)) if viewer != seat]
        before = [show(here.table, viewer, page=True, now=clock()) for viewer in others]
        await acting.instruct(
            house, here.table.slug, here.hash(seat), [Instruction("interrupt", [rule], "interrupt:pass")]
        )
        assert before == [show(here.table, viewer, page=True, now=clock()) for viewer in others]
        for other in play.asked():
            if other != seat:
                await here.act(other, 0)
        assert play.window_due() == play.window_times()[0]
        clock.pass_(3.1)
        await house.tick(here.table)
        events = play.timeline[-1][0].events
        assert [(seat, card)] == [(event.player, event.args["card"]) for event in events if event.kind == "challenge"]


# --- HC-78 ---------------------------------------------------------------------------------------------------------


async def voices(house: object, clock: Clock, seed: int = 8) -> Party:
    """A table where the first voice counts, at an open window on a boast that somebody can undercut."""
    for attempt in range(60):
        here = await party(
            house,  # type: ignore[arg-type]
            "hellfire",
            FOUR,
            clock=LIVE,
            options={"interrupt_protocol": "first_voice"},
        )
        rng = random.Random(seed + attempt)
        for _ in range(60):
            if here.play.over:
                break
            if here.play.in_window:
                able = [s for s in here.play.asked() if any(1 <= c <= 100 for c in here.state.legal_actions(s))]
                if able and len(here.play.asked()) == 3 and not here.play.answers:
                    return here
            await step(here, clock, rng)
    raise AssertionError("no such window")


async def test_hc_78_passes_are_noticed_by_nobody_and_the_first_challenge_speaks_at_once(
    sqlite: str, clock: Clock
) -> None:
    """HC-78: a pass changes nothing that anybody else sees; a challenge closes the window at once."""
    async with house_at(sqlite, now=clock) as house:
        here = await voices(house, clock)
        play = here.play
        able = next(s for s in play.asked() if any(1 <= c <= 100 for c in here.state.legal_actions(s)))
        others = [seat for seat in play.asked() if seat != able]
        before = {viewer: show(here.table, viewer, now=clock()) for viewer in (None, able, others[1])}
        await here.act(others[0], 0)
        await here.act(others[0], 0)  # HC-78: a second pass changes nothing
        after = {viewer: show(here.table, viewer, now=clock()) for viewer in (None, able, others[1])}
        assert before == after
        mine = show(here.table, others[0], now=clock())
        assert mine.window is not None
        assert mine.window.answered
        assert mine.choices, "whoever has only passed may still speak"
        ply = play.ply
        card = next(code for code in here.state.legal_actions(able) if 1 <= code <= 100)
        await here.act(able, card)
        assert ply + 1 == play.ply, "at once"
        assert "challenge" in {event.kind for event in play.timeline[-1][0].events}


async def test_hc_78_whoever_has_passed_may_still_challenge(sqlite: str, clock: Clock) -> None:
    async with house_at(sqlite, now=clock) as house:
        here = await voices(house, clock, 100)
        play = here.play
        able = next(s for s in play.asked() if any(1 <= c <= 100 for c in here.state.legal_actions(s)))
        await here.act(able, 0)
        card = next(code for code in play.position_for(able).legal_actions(able) if 1 <= code <= 100)
        await here.act(able, card)
        assert "challenge" in {event.kind for event in play.timeline[-1][0].events}


async def test_hc_78_all_pass_and_the_window_still_takes_its_three_seconds(sqlite: str, clock: Clock) -> None:
    async with house_at(sqlite, now=clock) as house:
        here = await voices(house, clock, 200)
        play, opened = here.play, here.play.opened + here.play.shift
        for seat in list(play.asked()):
            await here.act(seat, 0)
        assert play.in_window
        assert opened + 3.0 == play.window_due()
        clock.pass_(max(0.0, opened + 3.0 - clock()) + 0.01)
        await house.tick(here.table)
        assert "stands" in {event.kind for event in play.timeline[-1][0].events}


async def test_hc_78_time_is_up_and_the_silent_have_passed(sqlite: str, clock: Clock) -> None:
    async with house_at(sqlite, now=clock) as house:
        here = await voices(house, clock, 300)
        clock.pass_(20.1)
        await house.tick(here.table)
        assert "stands" in {event.kind for event in here.play.timeline[-1][0].events}


async def test_hc_78_after_a_patron_the_window_goes_on_and_its_clock_with_it(sqlite: str, clock: Clock) -> None:
    """HC-78: a Patron is resolved as it comes, its owner has then answered; passes stay noted, time runs on."""
    async with house_at(sqlite, now=clock) as house:
        for seed in range(400, 460):
            here = await voices(house, clock, seed)
            play = here.play
            state = here.state
            assert isinstance(state, Hellfire)
            owner = next((s for s in play.asked() if 101 in state.legal_actions(s)), None)
            if owner is None:
                continue
            other = next(seat for seat in play.asked() if seat != owner)
            opened = play.opened
            await here.act(other, 0)
            clock.pass_(2.0)
            await here.act(owner, 101)
            after = here.state
            assert isinstance(after, Hellfire)
            if not play.in_window:
                continue  # it cancelled the card, or the storyteller has to give one up first
            assert opened == play.opened, "the clock of the window runs on"
            assert other in play.answers, "the pass stays noted"
            assert not has(after.actors() | after.late_actors(), owner), "answered for good"
            assert owner not in play.asked()
            return
        raise AssertionError("nobody held a Patron that leaves the card contested")


async def test_hc_78_while_the_bailiffs_man_waits_the_windows_clock_stands(sqlite: str, clock: Clock) -> None:
    async with house_at(sqlite, now=clock) as house:
        for seed in range(500, 700):
            here = await voices(house, clock, seed)
            play, state = here.play, here.state
            assert isinstance(state, Hellfire)
            owner = next((s for s in play.asked() if state.patrons[s] == 27 and 101 in state.legal_actions(s)), None)
            if owner is None or state.hand_size(state.storyteller) < 2:
                continue
            clock.pass_(4.0)
            due = play.window_times()[1]
            await here.act(owner, 101)
            seat = teller(here)
            assert "forced_discard" == here.state.decision(seat)
            assert [seat] == play.asked()
            clock.pass_(30.0)
            await here.act(seat, here.state.legal_actions(seat)[0])
            assert play.hears_voices
            assert due is not None
            latest = play.window_times()[1]
            assert latest == pytest.approx(due + 30.0)
            return
        raise AssertionError("the Bailiff's Man was in nobody's hand")
