"""What people at a table do: act, answer, take back, vote, pause, leave, come back, talk. One function a wish."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass

from parlour.table.entries import Entry, Kind
from parlour.table.house import House
from parlour.table.instructions import Instruction, checked, encode
from parlour.table.live import Table
from parlour.table.play import Play
from parlour.table.problems import Conflict, NotYours, Stale, Unfit
from parlour.table.seating import clean_talk

TALK_LIMIT = 500
TEXT_LIMIT = 8000


@dataclass(slots=True)
class Acted:
    """An acknowledged action: `ply` is what the next one answers. `held`: sealed until the window closes."""

    table: Table
    seat: int
    ply: int
    held: bool = False


async def act(
    house: House,
    slug: str,
    secret: str | None,
    ply: int,
    action: int | str,
    text: str | None = None,
    part: int | None = None,
    seat: int | None = None,
    lead: str | None = None,
) -> Acted:
    """Act or answer, with words that go with it or lead in to it where the game takes them.

    `secret` is hashed; `seat`, if given, must be the caller's own. The action is committed when this returns.
    """
    table = house.tables.get(slug) or await house.table(slug)
    if secret is None or secret not in table.seats_by_hash:
        table = await house.table(slug, fresh=True, secret=secret)
    table.used = time.monotonic()
    mine = house.my_seat(table, secret)
    if seat is not None and seat != mine:
        raise NotYours(f"That seat is not yours; yours is seat {mine + 1}.")
    if max(len(text or ""), len(lead or "")) > TEXT_LIMIT:
        raise Unfit(f"What is told with a move may have {TEXT_LIMIT} characters at most.")
    async with table.lock:
        if table.play is None or ply > table.play.ply:
            await house.refresh(table)
        house.my_seat(table, secret)  # it may have been replaced meanwhile
        for _ in range(3):
            play = house.must_play(table)
            if mine in play.away:
                await house.write(table, Entry(play.seq + 1, Kind.RETURN, mine, 0, house.now()))
            try:
                prepared = play.prepare_act(mine, ply, action, text, house.now(), part, lead)
            except Stale:
                if house.shared:
                    await house.refresh(table)
                raise
            if prepared.entry is None:
                return Acted(table, mine, play.ply, prepared.held)
            if await house.write(table, prepared.entry, prepared):
                house.actions += 1
                return Acted(table, mine, play.ply, prepared.held)
            # another worker was faster: look again at what there is now
    raise Stale("The table has moved on since then: look again, and choose again.")


async def _written(house: House, slug: str, secret: str | None, make: Callable[[Play, int], Entry]) -> Acted:
    """Write the entry that `make` gives for the caller's seat, looking again if another worker was faster."""
    table = await house.table(slug, fresh=True, secret=secret)
    mine = house.my_seat(table, secret)
    async with table.lock:
        house.my_seat(table, secret)  # it may have been replaced meanwhile
        for _ in range(3):
            play = house.must_play(table)
            if await house.write(table, make(play, mine)):
                return Acted(table, mine, play.ply)
    raise Stale("The table has moved on since then: look again.")


async def undo(house: House, slug: str, secret: str | None, ply: int) -> Acted:
    """Take back one's last move: at once where it is free, else by asking the others."""
    return await _written(house, slug, secret, lambda play, seat: play.prepare_undo(seat, ply, house.now()))


async def redo(house: House, slug: str, secret: str | None, ply: int) -> Acted:
    """Put back what was taken back."""
    return await _written(house, slug, secret, lambda play, seat: play.prepare_redo(seat, ply, house.now()))


async def vote(house: House, slug: str, secret: str | None, agree: bool) -> Acted:
    """Answer the question before the table; whoever asked may withdraw it."""
    return await _written(house, slug, secret, lambda play, seat: play.prepare_vote(seat, agree, house.now()))


async def withdraw(house: House, slug: str, secret: str | None) -> Acted:
    """Withdraw one's own question."""

    def make(play: Play, seat: int) -> Entry:
        if play.question is None or play.question.by != seat:
            raise Conflict("There is no question of yours before the table.")
        return play.prepare_vote(seat, False, house.now())

    return await _written(house, slug, secret, make)


async def pause(house: House, slug: str, secret: str | None) -> Acted:
    """Pause, if the others agree."""
    return await _written(house, slug, secret, lambda play, seat: play.prepare_pause(seat, house.now()))


async def resume(house: House, slug: str, secret: str | None) -> Acted:
    """Go on after a pause."""
    return await _written(house, slug, secret, lambda play, seat: play.prepare_resume(seat, house.now()))


async def leave(house: House, slug: str, secret: str | None) -> Acted:
    """Leave the chair to a bot until one is back."""

    def make(play: Play, seat: int) -> Entry:
        if play.over:
            raise Conflict("The game is over.")
        if seat in play.away and not play.absent(seat):
            raise Conflict("A computer player sits in for you already.")
        return Entry(play.seq + 1, Kind.TAKEOVER, seat, 0, house.now(), "left")

    return await _written(house, slug, secret, make)


async def replace(house: House, slug: str, host_secret: str | None, seat: int) -> Acted:
    """The host hands the chair of somebody who is away to a bot; the person takes it back by acting again."""
    table = await house.table(slug, fresh=True)
    if host_secret is None or host_secret != table.host_hash:
        raise NotYours("Only whoever opened this table can do that.")
    async with table.lock:
        for _ in range(3):
            play = house.must_play(table)
            if not 0 <= seat < play.players or not play.absent(seat):
                raise Conflict("Nobody is away from that chair.")
            if await house.write(table, Entry(play.seq + 1, Kind.TAKEOVER, seat, 0, house.now(), "host")):
                return Acted(table, seat, play.ply)
    raise Stale("The table has moved on since then: look again.")


async def back(house: House, slug: str, secret: str | None) -> Acted:
    """Take the chair again."""

    def make(play: Play, seat: int) -> Entry:
        if seat not in play.away:
            raise Conflict("The chair is yours; nobody sits in for you.")
        return Entry(play.seq + 1, Kind.RETURN, seat, 0, house.now())

    return await _written(house, slug, secret, make)


async def instruct(house: House, slug: str, secret: str | None, instructions: list[Instruction]) -> Acted:
    """Leave standing instructions for sealed windows, in place of those left before."""

    def make(play: Play, seat: int) -> Entry:
        body = encode(checked(play.game, instructions))
        return Entry(play.seq + 1, Kind.INSTRUCT, seat, 0, house.now(), None, body)

    return await _written(house, slug, secret, make)


async def instruct_on(
    house: House, slug: str, secret: str | None, decision: str, instruction: Instruction | None
) -> Acted:
    """Leave a standing instruction for one decision, or none any more; what was said on others stands."""

    def make(play: Play, seat: int) -> Entry:
        if play.over:
            raise Conflict("The game is over: nobody will be asked any more.")
        kept = [one for one in play.instructions.get(seat, ()) if one.decision != decision]
        body = encode(checked(play.game, kept if instruction is None else [*kept, instruction]))
        return Entry(play.seq + 1, Kind.INSTRUCT, seat, 0, house.now(), None, body)

    return await _written(house, slug, secret, make)


async def talk(house: House, slug: str, secret: str | None, text: str) -> Acted:
    """Say something at the table. Those without a seat do not talk there."""
    table = await house.table(slug, fresh=True, secret=secret)
    seat = house.my_seat(table, secret)
    if not table.talk_on:
        raise Conflict("There is no talk at this table.")
    said: str | None = clean_talk(text, TALK_LIMIT)
    play = table.play
    chosen = table.game.etiquette.talk_filter
    if chosen is not None and play is not None and play.state is not None and not play.over:
        said = chosen(play.state, seat, said or "")
        if not said:
            raise Unfit("The rules of this table do not let that be said now.")
    await house.say(table, seat, table.names[seat], said or "")
    return Acted(table, seat, 0 if play is None else play.ply)
