"""N3, N4 for The Old Hellfire Club: nothing hidden is in a byte, a size, or a moment of anything that anybody is sent.

At random positions all that a viewer cannot know is dealt anew (`resample`), the others' sealed answers are given
otherwise or not at all, with other words or none, and every byte that the viewer could fetch or is sent is compared.
"""

from __future__ import annotations

import random
import re
from dataclasses import dataclass, replace
from typing import Any

import pytest

from parlour import games
from parlour.games.hellfire import GAME
from parlour.games.hellfire.box import BOASTS
from parlour.games.hellfire.rules import Hellfire
from parlour.kernel import Dice, State
from parlour.table.live import Table
from parlour.table.play import Play
from parlour.web.stream import Face, message, packed
from tests.table.places import SOAK
from tests.web.places import Site, site_at

pytestmark = pytest.mark.anyio
POSITIONS = 400 if SOAK else 14
FACES: tuple[Face, ...] = ("api", "page")
OPTIONS: list[dict[str, Any]] = [{}, {"piles": "closed"}, {"interrupt_protocol": "first_voice"}, {"story": "generated"}]


@dataclass
class Look:
    """A viewer: a seat with its headers, or a spectator."""

    seat: int | None
    headers: dict[str, str]


async def everything(site: Site, table: Table, look: Look) -> dict[str, bytes]:
    """All bytes that this viewer can get, by channel; the table is not changed by it."""
    slug, client, play = table.slug, site.client, table.play
    assert play is not None
    table.memory.clear()
    table.shown.clear()
    table.lines.clear()
    got: dict[str, bytes] = {}
    headers = {**look.headers, "cookie": "visitor=the-same-one"}
    pages = [f"/api/tables/{slug}", f"/api/tables/{slug}/log", f"/t/{slug}", f"/t/{slug}/fragments"]
    pages += [
        f"/t/{slug}/keepsake",
        f"/api/tables/{slug}/keepsake",
        *(f"/api/tables/{slug}/keepsake/{form}" for form in ("markdown", "html", "json")),
    ]
    for path in pages:
        answer = await client.get(path, headers=headers)
        got[path.replace(slug, "")] = answer.content
        got[path.replace(slug, "") + " size"] = answer.headers["content-length"].encode()
    for face in FACES:
        for after in ("", table.version_for(look.seat)):
            got[f"stream {face} {bool(after)}"] = message(table, face, look.seat, False, None, after)
            got[f"packed {face} {bool(after)}"] = packed(table, face, look.seat, False, None, after)
    own = play.position_for(look.seat)
    legal = set(own.legal_actions(look.seat)) if look.seat is not None and play.may_speak(look.seat) else set()
    given = {code for code, _ in play.answers.get(-1 if look.seat is None else look.seat, [])}
    for code in (0, 1, 17, 44, 61, 88, 100, 101, 103, 111, 999):  # what the rules refuse, and how they say it
        if code not in legal and code not in given:
            wrong = {"ply": play.ply, "action": code, "text": "No."}
            answer = await client.post(f"/api/tables/{slug}/act", json=wrong, headers=headers)
            assert answer.status_code >= 400, "a refusal was to be looked at, and this was none"
            got[f"refused {code}"] = answer.content
    wishes: list[dict[str, object]] = [{"epilogue": "Now?"}, {"replace": 1}, {"nonsense": 1}]
    for wish in wishes:
        got[f"aside {wish}"] = (await client.post(f"/api/tables/{slug}/aside", json=wish, headers=headers)).content
    here = {"ply": play.ply}
    bodies: list[dict[str, object]] = [{"ply": play.ply + 7, "action": 0}, {**here, "action": 0, "seat": 9}, {**here}]
    for body in bodies:
        got[f"error {body}"] = (await client.post(f"/api/tables/{slug}/act", json=body, headers=headers)).content
    got["record"] = (await client.get(f"/api/tables/{slug}/record", headers=headers)).content
    if look.seat is not None:
        steps = play.back(play.undo_depth(look.seat))
        got["undo"] = repr((play.undo_is_free(look.seat), play.undo_depth(look.seat), play.seen_since(steps))).encode()
        for action in ("tell:weapons_04", "interrupt:challenge:crimes_03", "patron:play"):
            got[f"why {action}"] = (
                await client.post(f"/t/{slug}/why", json={"action": action}, headers=headers)
            ).content
    got["moments"] = repr([play.window_times(), play.asked()]).encode()
    return got


def deal_anew(play: Play, look: Look, rng: random.Random) -> None:
    """Deal anew what the viewer cannot know, and let the others have answered otherwise, with other words."""
    assert play.state is not None
    viewer = -1 if look.seat is None else look.seat
    state = play.state.resample(viewer, Dice(rng.getrandbits(60)))
    play.state = state
    mine = play.answers.get(viewer)
    play.answers.clear()
    play.private.clear()
    if not play.in_window:
        return
    for seat in play.asked():
        if seat != viewer and rng.random() < 0.6:
            code = 0 if play.hears_voices else rng.choice(state.legal_actions(seat))
            play.answers[seat] = [(code, rng.choice([None, "Sealed.", "x" * rng.randrange(1, 240)]))]
    if mine:
        play.answers[viewer] = mine
    for seat, given in play.answers.items():
        if len(play.asked()) == 1:
            break  # alone, an answer would resolve the window: nobody is shown that before the close
        work = state.clone()
        for code, _ in given:
            work.apply(seat, code)
        play.private[seat] = work


async def advance(site: Site, table: Table, heads: list[dict[str, str]], rng: random.Random, steps: int) -> None:
    """Some random actions with random words; windows are left half answered where it falls so."""
    play = table.play
    assert play is not None
    for _ in range(steps):
        if play.over:
            return
        wanting = [seat for seat in play.asked() if play.wants(seat)]
        if not wanting:
            play.opened -= 60
            await site.house.tick(table)
            continue
        seat = rng.choice(wanting)
        legal = play.position_for(seat).legal_actions(seat)
        code = 0 if 0 in legal and play.in_window and rng.random() < 0.5 else rng.choice(legal)
        body = {"ply": play.ply, "action": code, "text": rng.choice(["", "And then: [card]. <b>Truly</b>."])}
        answer = await site.client.post(f"/api/tables/{table.slug}/act", json=body, headers=heads[seat])
        assert 200 == answer.status_code, answer.text


async def sit_down(site: Site, players: int, options: dict[str, Any]) -> tuple[Table, list[dict[str, str]]]:
    stood = site.house.now()
    site.house.now = lambda: stood  # no window closes by itself while bytes are being compared
    slug, heads = await site.party(players, game="hellfire", options={"clock": "none", **options})
    return site.house.tables[slug], heads


@pytest.mark.parametrize("seed", range(POSITIONS))
async def test_n3_hc_invariant_14_every_channel_tells_the_same_about_what_is_hidden(sqlite: str, seed: int) -> None:
    """N3, section 6, Invariant 14: HTML, stream, JSON, log, tale, exports, errors, spectators, reconnection."""
    rng = random.Random(seed)
    async with site_at(sqlite) as site:
        table, heads = await sit_down(site, (2, 3, 4)[seed % 3], OPTIONS[seed % len(OPTIONS)])
        play = table.play
        assert play is not None
        await advance(site, table, heads, rng, rng.randrange(2, 90))
        if seed % 2:  # half of the positions in a window: that is where it matters most
            for _ in range(60):
                if play.in_window or play.over:
                    break
                await advance(site, table, heads, rng, 1)
        if play.over:
            return
        state, answers, private = play.state, dict(play.answers), dict(play.private)
        for look in (Look(None, {}), *(Look(seat, heads[seat]) for seat in range(len(heads)))):
            before = await everything(site, table, look)
            for _ in range(2):
                deal_anew(play, look, rng)
                after = await everything(site, table, look)
                for channel, told in before.items():
                    assert told == after[channel], f"{channel} tells {look.seat} what is hidden"
                play.state, play.answers, play.private = state, dict(answers), dict(private)


async def test_the_comparison_sees_a_leak(sqlite: str) -> None:
    """A planted fault: a view that says how many of those who are asked could challenge is caught on every channel."""

    def leaking(state: State, player: int | None) -> Any:
        seen = GAME.view(state, player)
        assert isinstance(state, Hellfire)
        seen.draw_pile += sum(len(state.legal_actions(seat)) for seat in range(state.players) if state.decision(seat))  # type: ignore[attr-defined]
        return seen

    games.register(replace(GAME, view=leaking))
    try:
        rng = random.Random(1)
        async with site_at(sqlite) as site:
            table, heads = await sit_down(site, 4, {})
            play = table.play
            assert play is not None
            while not play.in_window:
                await advance(site, table, heads, rng, 1)
            look, differing = Look(None, {}), set()
            before = await everything(site, table, look)
            for _ in range(12):
                deal_anew(play, look, rng)
                after = await everything(site, table, look)
                differing |= {channel for channel in before if before[channel] != after[channel]}
            assert {"/api/tables/", "/t//fragments", "stream api False"} <= differing
    finally:
        games.register(GAME)


@pytest.mark.parametrize("seed", range(4))
async def test_n4_hc_34_an_answer_wakes_nobody_else(sqlite: str, seed: int) -> None:
    """HC-34, section 6: whatever is answered, passes, cards and Patrons, changes no other viewer's version or bytes."""
    rng = random.Random(seed)
    async with site_at(sqlite) as site:
        table, heads = await sit_down(site, 4, OPTIONS[seed % 2])
        play = table.play
        assert play is not None
        while not (play.in_window and len(play.asked()) > 1):
            await advance(site, table, heads, rng, 1)
        woken: list[int] = []
        table.watchers.add(lambda: woken.append(1))
        asked = list(play.asked())
        seat = asked[0]
        others: list[int | None] = [None, *(other for other in range(4) if other != seat)]
        looks = [Look(other, {} if other is None else heads[other]) for other in others]
        before = [await everything(site, table, look) for look in looks]
        versions = [table.version_for(other) for other in others]
        legal = play.position_for(seat).legal_actions(seat)
        body = {"ply": play.ply, "action": rng.choice(legal), "text": "I know something about [card]."}
        answer = await site.client.post(f"/api/tables/{table.slug}/act", json=body, headers=heads[seat])
        assert {"ply": play.ply, "held": True} == answer.json()
        assert versions == [table.version_for(other) for other in others]
        assert before == [await everything(site, table, look) for look in looks]


async def test_hc_r36_whoever_is_asked_is_asked_alike(sqlite: str) -> None:
    """HC-R36, no tell: same prompt, same clause, a pass always and first, the same field for words, for all."""
    rng = random.Random(3)
    async with site_at(sqlite) as site:
        table, heads = await sit_down(site, 4, {})
        play = table.play
        assert play is not None
        seen = 0
        for _ in range(120):
            if play.over:
                break
            if play.in_window and not play.answers and len(play.asked()) > 1:
                seen += 1
                asked = []
                for seat in play.asked():
                    model = (await site.client.get(f"/api/tables/{table.slug}", headers=heads[seat])).json()
                    html = (await site.client.get(f"/t/{table.slug}/fragments", headers=heads[seat])).json()[
                        "fragments"
                    ]
                    first = model["choices"][0]
                    prompt = html["prompt"].partition("</h1>")[0].replace(model["seats"][seat]["name"], "NAME")
                    field = html["choices"][html["choices"].index("<textarea") : html["choices"].index("</textarea>")]
                    asked.append((model["prompt"], model["clause"], first, model["window"], prompt, field))
                assert asked[:1] * len(asked) == asked
                assert "Let it pass" == asked[0][2]["text"]
            await advance(site, table, heads, rng, 1)
        assert seen > 3


@pytest.mark.parametrize("seed", range(2))
async def test_section_6_an_exported_record_gives_a_commit_that_never_came_out_as_a_pass(
    sqlite: str, seed: int
) -> None:
    """Section 6: after the end, too, cards and Patrons that came back unseen stay so; the record replays."""
    from parlour import records

    rng = random.Random(seed)
    async with site_at(sqlite) as site:
        table, heads = await sit_down(site, 3, {})
        play = table.play
        assert play is not None
        await advance(site, table, heads, rng, 2_000)
        assert play.over
        text = (await site.client.get(f"/api/tables/{table.slug}/record", headers={})).text
        record = records.loads(text)
        assert records.verify(record).ok
        spoken = {
            str(event.args["card"])
            for step, _ in play.timeline
            for event in step.events
            if event.kind in ("challenge", "rechallenge")
        }
        shown = set(re.findall(r"challenge:(\w+_\d\d)", text))
        assert shown <= set(BOASTS)
        assert shown == spoken
