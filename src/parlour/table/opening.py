"""Opening a table, taking a seat, handing a seat on: everything about who sits where."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import msgspec
from sqlalchemy import update

from parlour import bots, games
from parlour.kernel import Game, OptionError, SealedDice
from parlour.table import keepsakes, schema
from parlour.table.clock import LIVE_MOVE, ClockRule
from parlour.table.house import House
from parlour.table.live import Chair, Table
from parlour.table.model import AskModel, BoxModel, LimitModel, OptionModel
from parlour.table.problems import Conflict, NotFound, NotYours, Unfit
from parlour.table.seating import BOT_NAMES, clean_name, digest, name_apart, new_secret, new_slug
from parlour.table.upkeep import check_play

STRENGTHS = ("novice", "club", "master")
TITLE_LIMIT = 60
SIT_IN = "club"
"""How well a bot plays that sits in for a person."""


@dataclass(slots=True)
class Seated:
    """A seat just taken. `secret` is told this once; only its hash is kept."""

    table: Table
    secret: str | None = None
    seat: int | None = None
    host_secret: str | None = None


def shelf() -> list[BoxModel]:
    """Every game there is, as the shelf shows it."""
    return [_box(games.get(name)) for name in games.names()]


def _box(game: Game) -> BoxModel:
    options = [
        OptionModel(
            option.name,
            option.help,
            option.default,
            "bool" if option.values is None else "int" if isinstance(option.values, range) else "choice",
            [] if option.values is None else list(option.values),
        )
        for option in game.options
        if option.name != game.etiquette.clock_option
    ]
    return BoxModel(
        game.name,
        game.title,
        game.blurb,
        game.kind,
        game.cloth,
        game.players.start,
        game.players[-1],
        game.minutes,
        game.usual_players,
        options,
        list(STRENGTHS),
        [AskModel(a.name, a.label, a.help, a.longest, list(a.suggestions)) for a in keepsakes.asks_of(game)],
        [
            LimitModel(label, list(names), game.etiquette.seconds.get(names[0], LIVE_MOVE))
            for label, names in game.etiquette.limits.items()
        ],
        any(option.name == game.etiquette.clock_option and option.default == "live" for option in game.options),
        game.etiquette.bank,
    )


async def open_table(
    house: House,
    game_name: str,
    *,
    players: int | None = None,
    options: Mapping[str, object] | None = None,
    seats: list[str] | None = None,
    name: str = "",
    title: str = "",
    clock: ClockRule | None = None,
    talk: bool = True,
    given: Mapping[str, str] | None = None,
) -> Seated:
    """A new table. `seats` says for each seat "me", "open", "bot" or "bot:strength"; by default me and then open ones.

    `given` is what the host says for the game's keepsake, by the names of its `asks`.

    The shuffles are sealed here: the commitment stands on the page from now on, and nothing is dealt before the last
    seat is taken.
    """
    game = house.game(game_name)
    count = players if players is not None else len(seats) if seats else game.usual_players
    try:
        game.check_players(count)
        chosen = game.check_options(options or {})
        rule = _clock(game, clock, options or {}, chosen)
    except OptionError as error:
        raise Unfit(str(error)) from None
    except ValueError as error:
        raise Unfit(str(error)) from None
    settled = keepsakes.settled(game, given or {})
    wishes = seats or ["me"] + ["open"] * (count - 1)
    if len(wishes) != count:
        raise Unfit(f"There are {count} seats, and {len(wishes)} were described.")
    if wishes.count("me") > 1:
        raise Unfit("You can sit in one seat only.")
    secret = new_secret() if "me" in wishes else None
    host_secret = new_secret()
    dice = SealedDice()
    chairs: list[Chair] = []
    for seat, wish in enumerate(wishes):
        chair = _chair(seat, wish, name, secret)
        if chair.name:
            chair.name = name_apart(chair.name, [other.name for other in chairs])
        chairs.append(chair)
    table = Table(
        id=0,
        slug=new_slug(),
        title=clean_name(title, "", TITLE_LIMIT) or game.title,
        game=game,
        version=game.version,
        box=game.box_hash,
        options=chosen,
        clock=rule,
        talk_on=talk,
        seed=dice.seed,
        commitment=dice.commitment,
        host_hash=digest(host_secret),
        status="waiting",
        notice="",
        created=house.now(),
        chairs=chairs,
        opened=settled,
    )
    await house.store(table)
    async with table.lock:
        await house.deal_if_full(table)
    return Seated(table, secret, wishes.index("me") if secret is not None else None, host_secret)


def _clock(
    game: Game, clock: ClockRule | None, given: Mapping[str, object], chosen: dict[str, bool | int | str]
) -> ClockRule:
    """The clock, with what the game has to say about it; its own option for it is made to agree.

    Raises ValueError with a sentence.
    """
    etiquette = game.etiquette
    option = etiquette.clock_option
    wished = clock or ClockRule()
    if option:
        if option in given or clock is None:
            kind = chosen[option]
            wished = ClockRule() if kind == "none" else wished if wished.kind != "none" else ClockRule("live")
        chosen[option] = "none" if wished.kind == "none" else "live"
    for name in wished.seconds:
        if name not in game.actions.decisions:
            raise ValueError(f"{game.title} has no decision {name!r} that could have a time of its own.")
    if wished.kind == "live" and wished.bank is None and etiquette.bank is not None:
        wished = msgspec.structs.replace(wished, bank=etiquette.bank)
    return wished.checked()


def _chair(seat: int, wish: str, name: str, secret: str | None) -> Chair:
    kind, _, strength = wish.partition(":")
    if kind == "me" and secret is not None:
        return Chair(seat, "person", clean_name(name, f"Player {seat + 1}"), SIT_IN, digest(secret))
    if kind == "open":
        return Chair(seat, "open", "", SIT_IN, None)
    if kind == "bot":
        strength = strength or "club"
        if strength not in bots.names():
            raise Unfit(f"There is no computer player of strength {strength!r}; there are {', '.join(bots.names())}.")
        return Chair(seat, "bot", BOT_NAMES[seat % len(BOT_NAMES)], strength, None)
    raise Unfit(f"A seat is “me”, “open”, “bot” or “bot:club”, not {wish!r}.")


async def claim(house: House, slug: str, seat: int | None, name: str, hashed: str | None = None) -> Seated:
    """Take an open seat (None: the first). Whoever has a seat already keeps that one."""
    table = await house.table(slug, secret=hashed)
    if house.seat_of(table, hashed) is not None:
        raise Conflict("You have a seat at this table already.")
    secret = new_secret()
    async with table.lock:
        while True:
            wanted = _free_seat(table, seat)
            called = name_apart(clean_name(name, f"Player {wanted + 1}"), _others(table, wanted))
            if await house.take_seat(table, wanted, called, digest(secret)):
                break
            await house.reseat(table)  # somebody was faster at another worker
        await house.sat_down(table)
    return Seated(table, secret, wanted)


def _free_seat(table: Table, seat: int | None) -> int:
    if seat is not None and not 0 <= seat < len(table.chairs):
        raise NotFound(f"There is no seat {seat}; they are 0 to {len(table.chairs) - 1}.")
    free = [chair.seat for chair in table.chairs if chair.kind == "open"]
    if not free or (seat is not None and seat not in free):
        raise Conflict("That seat is taken." if free else "All seats at this table are taken.")
    return free[0] if seat is None else seat


def _others(table: Table, seat: int) -> list[str]:
    return [chair.name for chair in table.chairs if chair.seat != seat and chair.kind != "open"]


async def fill(house: House, slug: str, host: str | None, seat: int, strength: str) -> Table:
    """The host gives an open seat to a bot."""
    table = await house.table(slug, fresh=True)
    must_host(table, host)
    chair = _chair(seat, f"bot:{strength}", "", None)
    columns = schema.seats.c
    async with table.lock:
        filled = await house.storage.change(
            update(schema.seats)
            .where(columns.table_id == table.id, columns.seat == seat, columns.kind == "open")
            .values(kind="bot", name=name_apart(chair.name, _others(table, seat)), strength=chair.strength)
        )
        await house.reseat(table)
        if filled != 1:
            raise Conflict("That seat is not open.")
        await house.sat_down(table)
    return table


async def rename(house: House, slug: str, hashed: str | None, name: str) -> Table:
    """Another name for the caller's seat."""
    table = await house.table(slug, fresh=True, secret=hashed)
    seat = house.my_seat(table, hashed)
    called = name_apart(clean_name(name, f"Player {seat + 1}"), _others(table, seat))
    await _change_seat(house, table, seat, hashed, name=called)
    return table


async def reissue(house: House, slug: str, hashed: str | None) -> Seated:
    """A new secret for the caller's seat. The old one opens nothing from this moment on."""
    table = await house.table(slug, fresh=True, secret=hashed)
    seat = house.my_seat(table, hashed)
    secret = new_secret()
    await _change_seat(house, table, seat, hashed, secret_hash=digest(secret))
    return Seated(table, secret, seat)


async def _change_seat(house: House, table: Table, seat: int, hashed: str | None, **values: object) -> None:
    """Change the seat of whoever has this secret, if it still opens the seat when the change is made."""
    columns = schema.seats.c
    mine = (columns.table_id == table.id) & (columns.seat == seat) & (columns.secret_hash == hashed)
    async with table.lock:
        try:
            changed = await house.storage.change(update(schema.seats).where(mine).values(**values))
        except Exception:
            if not await house.holds(table, seat, str(values.get("secret_hash", ""))):
                raise
            changed = 1
        await house.reseat(table)
        if not changed:
            house.my_seat(table, hashed)
        house.tell(table, "seats")


async def table_of_secret(house: House, secret: str) -> tuple[Table, int]:
    """The table and seat that a seat link opens. Raises NotFound for a link that has been replaced."""
    columns = schema.seats.c
    found = await house.storage.rows(
        schema.tables.join(schema.seats).select().where(columns.secret_hash == digest(secret)).limit(1)
    )
    if not found:
        raise NotFound("This link opens no seat. It may have been replaced by a newer one.")
    table = await house.table(found[0]["slug"], fresh=True)
    if digest(secret) not in table.seats_by_hash:
        async with table.lock:
            await house.reseat(table)
    return table, house.my_seat(table, digest(secret))


def must_host(table: Table, hashed: str | None) -> None:
    """Raise NotYours for anybody but the host."""
    if hashed is None or hashed != table.host_hash:
        raise NotYours("Only whoever opened this table can do that.")


async def adopt(house: House, slug: str, host: str | None, *, end: bool) -> Table:
    """The host's choice for a table that the present rules would play differently: go on under them, or end it."""
    table = await house.table(slug, fresh=True)
    must_host(table, host)
    if table.status != "held":
        raise Conflict("This table is not held: there is nothing to choose.")
    values: dict[str, object] = {"status": "over", "ended": house.now(), "notice": "The host has ended this game."}
    if not end:
        report = check_play(house.new_play(table), await house.storage.entries(table.id))
        if report.verdict == "cannot continue":
            raise Conflict("The present rules cannot continue this game; it can only be ended.")
        values = {"status": "playing", "version": table.game.version, "box": table.game.box_hash, "notice": ""}
    await house.storage.change(update(schema.tables).where(schema.tables.c.id == table.id).values(**values))
    house.forget(table)
    house.tell(table, "adopted")
    fresh = await house.table(slug)
    house.after(fresh)
    return fresh


async def rematch(house: House, slug: str, hashed: str | None) -> Seated:
    """A new table like this one: the caller keeps a seat, people's seats are open again, bots stay."""
    table = await house.table(slug, fresh=True, secret=hashed)
    seat = house.my_seat(table, hashed)
    if table.play is None or not table.play.over:
        raise Conflict("The game is still going on.")
    seats = [
        "me" if chair.seat == seat else f"bot:{chair.strength}" if chair.kind == "bot" else "open"
        for chair in table.chairs
    ]
    # whoever began moves on by one
    return await open_table(
        house,
        table.game.name,
        options=table.options,
        seats=seats[1:] + seats[:1],
        name=table.chairs[seat].name,
        clock=table.clock,
        talk=table.talk_on,
    )
