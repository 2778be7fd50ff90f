"""N3, R9–R11: nothing leaks, over every channel, on bytes.

At random positions everything that a viewer cannot know is dealt anew (`resample`), other seats' sealed answers are
given otherwise or not at all, and then every byte that the viewer could fetch or is sent is compared, sizes included.
"""

from __future__ import annotations

import random
from dataclasses import dataclass

import pytest

from parlour.kernel import Dice, State
from parlour.table.live import Table
from parlour.table.play import Play
from parlour.table.seating import digest
from parlour.table.timeline import position_after
from parlour.web.stream import Face, message, packed
from tests.table.places import SOAK
from tests.web.places import Site, site_at

pytestmark = pytest.mark.anyio
POSITIONS = 60 if SOAK else 8


@dataclass
class Look:
    """A viewer: a seat with its headers, or a spectator."""

    seat: int | None
    headers: dict[str, str]


FACES: tuple[Face, ...] = ("api", "page", "patch")


async def everything(site: Site, table: Table, look: Look) -> dict[str, bytes]:
    """All bytes that this viewer can get, by channel; the table is not changed by it."""
    slug, client = table.slug, site.client
    table.memory.clear()
    table.shown.clear()
    table.lines.clear()
    play = table.play
    assert play is not None
    got: dict[str, bytes] = {}
    headers = {**look.headers, "cookie": "visitor=the-same-one"}
    for path in (f"/api/tables/{slug}", f"/api/tables/{slug}/log", f"/t/{slug}", f"/t/{slug}/fragments"):
        answer = await client.get(path, headers=headers)
        got[path.replace(slug, "")] = answer.content
        got[path.replace(slug, "") + " size"] = answer.headers["content-length"].encode()
    for face in FACES:
        for after in ("", table.version_for(look.seat)):
            told = message(table, face, look.seat, False, None, after)
            got[f"stream {face} {bool(after)}"] = told
            got[f"packed {face} {bool(after)}"] = packed(table, face, look.seat, False, None, after)
    own = play.position_for(look.seat)
    legal = set() if look.seat is None else set(own.legal_actions(look.seat)) if play.wants(look.seat) else set()
    given = {code for code, _ in play.answers.get(-1 if look.seat is None else look.seat, [])}
    for code in (*range(24), 999):  # what the rules refuse, and how they say it
        if code not in legal and code not in given:
            body = {"ply": play.ply, "action": code}
            answer = await client.post(f"/api/tables/{slug}/act", json=body, headers=headers)
            assert answer.status_code >= 400, "a refusal was to be looked at, and this was none"
            got[f"refused {code}"] = answer.content
    for body in ({"ply": play.ply + 7, "action": 0}, {"ply": play.ply, "action": 0, "seat": 3}, {"ply": play.ply}):
        got[f"error {body}"] = (await client.post(f"/api/tables/{slug}/act", json=body, headers=headers)).content
    got["record"] = (await client.get(f"/api/tables/{slug}/record", headers=headers)).content
    got["redo"] = (await client.post(f"/api/tables/{slug}/redo", json={"ply": play.ply}, headers=headers)).content
    if look.seat is not None:
        steps = play.back(play.undo_depth(look.seat))
        got["undo"] = repr((play.undo_is_free(look.seat), play.undo_depth(look.seat), play.seen_since(steps))).encode()
        got["why"] = (await client.post(f"/t/{slug}/why", json={"action": "bid:card_01"}, headers=headers)).content
    return got


def swapped(play: Play, look: Look, rng: random.Random) -> None:
    """Deal anew what the viewer cannot know, and let the others have answered otherwise."""
    assert play.state is not None
    viewer = -1 if look.seat is None else look.seat
    state = play.state.resample(viewer, Dice(rng.getrandbits(60)))
    play.state = state
    mine = play.answers.get(viewer)
    play.answers.clear()
    play.private.clear()
    if play.in_window:
        for seat in play.asked():
            if seat != viewer and rng.random() < 0.6:
                play.answers[seat] = [(rng.choice(state.legal_actions(seat)), None)]
        if mine:
            play.answers[viewer] = mine
        for seat, given in play.answers.items():
            work = state.clone()
            for code, _ in given:
                work.apply(seat, code)
            play.private[seat] = work


async def advance(site: Site, table: Table, heads: list[dict[str, str]], rng: random.Random, steps: int) -> None:
    """Some random actions through the API; windows are left half answered where it falls so."""
    play = table.play
    assert play is not None
    for _ in range(steps):
        wanting = [seat for seat in play.asked() if play.wants(seat)]
        if play.over:
            return
        if not wanting:
            play.opened -= 60
            await site.house.tick(table)
            continue
        seat = rng.choice(wanting)
        body = {"ply": play.ply, "action": rng.choice(play.position_for(seat).legal_actions(seat))}
        answer = await site.client.post(f"/api/tables/{table.slug}/act", json=body, headers=heads[seat])
        assert 200 == answer.status_code


@pytest.mark.soak
@pytest.mark.parametrize("seed", range(POSITIONS))
async def test_n3_every_channel_tells_the_same_about_what_is_hidden(sqlite: str, seed: int) -> None:
    rng = random.Random(seed)
    async with site_at(sqlite) as site:
        slug, heads = await site.party(3)
        table = site.house.tables[slug]
        await advance(site, table, heads, rng, rng.randrange(1, 14))
        play = table.play
        assert play is not None
        if play.over:
            return
        state, answers, private = play.state, dict(play.answers), dict(play.private)
        for look in (Look(None, {}), *(Look(seat, heads[seat]) for seat in range(3))):
            before = await everything(site, table, look)
            for _ in range(3):
                swapped(play, look, rng)
                after = await everything(site, table, look)
                for channel, told in before.items():
                    assert told == after[channel], f"{channel} tells {look.seat} what is hidden"
                play.state, play.answers, play.private = state, dict(answers), dict(private)


async def test_the_comparison_sees_a_leak(sqlite: str) -> None:
    """A planted fault: a view that shows the deck's top card is caught."""
    from dataclasses import replace

    from parlour import games
    from tests.toys import bids

    def leaking(state: State, player: int | None) -> bids.BidsView:
        seen = bids.view(state, player)
        assert isinstance(state, bids.Bids)
        seen.discards = [*seen.discards, state.deck[-1] + 1] if state.deck else seen.discards
        return seen

    games.register(replace(bids.GAME, view=leaking))
    rng = random.Random(1)
    async with site_at(sqlite) as site:
        slug, heads = await site.party(3)
        table = site.house.tables[slug]
        play = table.play
        assert play is not None
        look = Look(0, heads[0])
        before = await everything(site, table, look)
        differing = set()
        for _ in range(5):
            swapped(play, look, rng)
            after = await everything(site, table, look)
            differing |= {channel for channel in before if before[channel] != after[channel]}
        assert {"/api/tables/", "/t//fragments", "stream api False"} <= differing


@pytest.mark.parametrize("seed", range(4))
async def test_n3_the_past_shows_no_more_than_the_present_did(sqlite: str, seed: int) -> None:
    """The scrubber's views of each earlier position are the same when what was hidden then is dealt anew."""
    rng = random.Random(seed)
    async with site_at(sqlite) as site:
        slug, heads = await site.party(3)
        table = site.house.tables[slug]
        await advance(site, table, heads, rng, 12)
        play = table.play
        assert play is not None
        for ply, (step, _) in enumerate(play.timeline[:-1]):
            for look in (Look(None, {}), Look(1, heads[1])):
                address = f"/api/tables/{slug}?at={ply}"
                before = (await site.client.get(address, headers=look.headers)).content
                kept = step.state
                viewer = -1 if look.seat is None else look.seat
                step.state = position_after(step).resample(viewer, Dice(rng.getrandbits(60)))
                assert before == (await site.client.get(address, headers=look.headers)).content
                step.state = kept


async def test_secrets_of_seats_are_in_nobody_elses_bytes(sqlite: str) -> None:
    """R10, R40: no channel of one viewer holds another's secret, its hash, the host's, the seed, or the dice."""
    async with site_at(sqlite) as site:
        slug, heads = await site.party(3)
        table = site.house.tables[slug]
        secrets = [head["authorization"][7:] for head in heads]
        for look in (Look(None, {}), *(Look(seat, heads[seat]) for seat in range(3))):
            told = b"".join((await everything(site, table, look)).values())
            others = [secret for seat, secret in enumerate(secrets) if seat != look.seat]
            for hidden in (*others, *map(digest, secrets), table.host_hash, table.seed.hex()):
                assert hidden.encode() not in told
