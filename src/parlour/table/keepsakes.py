"""What a table keeps beside the moves, for games that leave a keepsake: asides are entries of the log like others."""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, cast

from parlour.kernel import Game
from parlour.kernel.keepsake import Aside, Ask, Export, Happened, Keepsake, KeepsakeError, Occasion
from parlour.table.entries import Entry, Kind
from parlour.table.problems import NotFound, Stale, Unfit
from parlour.table.timeline import line

if TYPE_CHECKING:
    from parlour.table.house import House
    from parlour.table.live import Table

WISH_LIMIT = 8_000
"""Characters that a wish may have, as JSON."""


def keepsake_of(game: Game) -> Keepsake | None:
    """The keepsake that a game offers, if it does."""
    return cast("Keepsake | None", game.extras.get("keepsake"))


def asks_of(game: Game) -> list[Ask]:
    """What the host may give for it when opening a table."""
    keepsake = keepsake_of(game)
    return [] if keepsake is None else list(keepsake.asks())


def settled(game: Game, given: Mapping[str, str]) -> dict[str, Any]:
    """What is settled as a table opens; what the host left open is drawn here, and never from the game's own dice."""
    keepsake = keepsake_of(game)
    known = {ask.name for ask in asks_of(game)}
    for name in given:
        if name not in known:
            raise Unfit(f"There is nothing called {name!r} to be given for this game.")
    if keepsake is None:
        return {}
    try:
        return dict(keepsake.opened(given, secrets.randbelow))
    except KeepsakeError as error:
        raise Unfit(str(error), error.clause) from None


def aside_from(entry: Entry) -> Aside:
    """An aside back from the log; `action` is 1 where the host said it."""
    return Aside(entry.seat, entry.action == 1, entry.at, json.loads(entry.body or "{}"))


def occasion_of(table: Table, now: float) -> Occasion | None:
    """All that the keepsake of a table's game is made from; None before the deal."""
    play = table.play
    if play is None or play.state is None or play.step is None:
        return None
    state = play.state
    return Occasion(
        game=table.game,
        id=table.slug,
        options=table.options,
        names=tuple(table.names),
        people=table.people,
        opened=table.opened,
        steps=[Happened(step.events, step.texts, step.at) for step in line(play.step)],
        asides=play.asides,
        view=lambda: table.game.view_dict(state, None),
        over=play.over,
        timed=play.rule.kind != "none",
        now=now,
    )


def document(table: Table, seat: int | None, host: bool, now: float) -> dict[str, Any] | None:
    """The keepsake as one viewer may see it; None where the game has none, or nothing is dealt yet."""
    keepsake = keepsake_of(table.game)
    occasion = None if keepsake is None else occasion_of(table, now)
    if keepsake is None or occasion is None:
        return None
    return dict(keepsake.shown(occasion, seat, host))


def export(table: Table, format_: str, choice: str, now: float) -> Export:
    """The keepsake as a file. Raises NotFound where there is none, Unfit with the reason where it cannot be had so."""
    keepsake = keepsake_of(table.game)
    occasion = None if keepsake is None else occasion_of(table, now)
    if keepsake is None or occasion is None:
        raise NotFound("This table has nothing of the kind to show.")
    try:
        return keepsake.exported(occasion, format_, choice)
    except KeepsakeError as error:
        raise Unfit(str(error), error.clause) from None


async def aside(house: House, slug: str, secret: str | None, host_secret: str | None, wish: Mapping[str, Any]) -> Table:
    """Say something beside the moves: by a seat, or by the host. Committed when this returns."""
    table = await house.table(slug, fresh=True)
    keepsake = keepsake_of(table.game)
    if keepsake is None:
        raise NotFound("There is nothing at this table to say that about.")
    host = host_secret is not None and host_secret == table.host_hash
    seat = house.seat_of(table, secret)
    if seat is None and not host:
        seat = house.my_seat(table, secret)  # says whose this is not
    if len(json.dumps(dict(wish))) > WISH_LIMIT:
        raise Unfit("That is too long.")
    async with table.lock:
        for _ in range(3):
            play = house.must_play(table)
            now = house.now()
            occasion = occasion_of(table, now)
            assert occasion is not None
            try:
                noted = keepsake.said(occasion, seat, host, wish)
            except KeepsakeError as error:
                raise Unfit(str(error), error.clause) from None
            kind = Kind.WHISPER if noted.private else Kind.ASIDE
            by = -1 if seat is None else seat
            before = document(table, None, False, now) if noted.private else None
            entry = Entry(play.seq + 1, kind, by, int(host), now, None, json.dumps(dict(noted.body)))
            if await house.write(table, entry):
                if noted.private and document(table, None, False, now) != before:
                    table.touch()  # it was the last that was waited for: all of it is public now
                return table
    raise Stale("The table has moved on since then: look again.")


def arrange(house: House, table: Table) -> None:
    """After the end of a game: look again when its keepsake will have changed by itself."""
    keepsake = keepsake_of(table.game)
    if keepsake is None or table.play is None or not table.play.over or not house.open:
        return
    if table.timer is not None:
        table.timer.cancel()
        table.timer = None
    occasion = occasion_of(table, house.now())
    due = None if occasion is None else keepsake.due(occasion)
    if due is None:
        return
    delay = max(0.05, due - house.now())
    table.timer = asyncio.get_running_loop().call_later(min(delay, 86_400), _look_again, house, table)


def _look_again(house: House, table: Table) -> None:
    table.timer = None
    table.touch()
    arrange(house, table)
