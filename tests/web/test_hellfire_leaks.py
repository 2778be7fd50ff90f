"""N3, N4 for The Old Hellfire Club: nothing hidden is in a byte, a size, or a moment of anything that anybody is sent.

At positions all along random games all that a viewer cannot know is made otherwise: hands, piles and Patrons, the
others' sealed answers and their words, what went back unseen. Every byte that he could fetch or is sent is compared.
"""

from __future__ import annotations

import json
import random
import re
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from typing import Any

import pytest

from parlour import games
from parlour.games.hellfire import GAME
from parlour.games.hellfire.box import BOASTS
from parlour.games.hellfire.rules import Hellfire
from parlour.games.hellfire.tale import told
from parlour.kernel import Event, State
from parlour.kernel.keepsake import Happened
from parlour.table.showing import show
from tests.table.places import SOAK
from tests.web.evening import Evening, compared, house_of_secrets
from tests.web.subjects import HELLFIRE
from tests.web.worlds import differences

pytestmark = pytest.mark.anyio
SEEDS, POSITIONS = (40, 200) if SOAK else (6, 40)
OPTIONS: list[dict[str, Any]] = [{}, {"piles": "closed"}]


@asynccontextmanager
async def sit_down(url: str, players: int, options: dict[str, Any], seed: int) -> AsyncIterator[Evening]:
    """A table without time limits."""
    async with house_of_secrets(url) as (site, clock):
        subject = replace(HELLFIRE, players=(players,), options=({"clock": "none", **options},))
        yield await Evening.begin(site, clock, subject, random.Random(seed))


@pytest.mark.soak
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(SEEDS))
async def test_n3_hc_invariant_14_every_channel_tells_the_same_about_what_is_hidden(sqlite: str, seed: int) -> None:
    """N3, section 6, Invariant 14: pages, stream, JSON, log, tale, exports, refusals, spectators, reconnection."""
    assert POSITIONS == await compared(sqlite, HELLFIRE, seed, POSITIONS, 3 if SOAK else 8)


async def test_the_comparison_sees_a_leak(sqlite: str) -> None:
    """A planted fault: a view that says how many of those who are asked could challenge is caught on every channel."""

    def leaking(state: State, player: int | None) -> Any:
        seen = GAME.view(state, player)
        assert isinstance(state, Hellfire)
        seen.draw_pile += sum(len(state.legal_actions(seat)) for seat in range(state.players) if state.decision(seat))  # type: ignore[attr-defined]
        return seen

    games.register(replace(GAME, view=leaking))
    try:
        async with sit_down(sqlite, 4, {}, 1) as evening:
            while not evening.play.in_window:
                await evening.move()
            wanted, found = {"view", "fragments", "stream api", "stream patch", "stream page", "page"}, set[str]()
            while not wanted <= found:
                assert not evening.play.over, f"{wanted - found} told nothing"
                for said in await evening.leaks(all_of_it=True):
                    channel = said.removeprefix("seat None, ").partition(":")[0]
                    found |= {one for one in wanted if channel.startswith(one)}
                await evening.move()
    finally:
        games.register(GAME)


@pytest.mark.parametrize("seed", range(4))
async def test_n4_hc_34_an_answer_wakes_nobody_else(sqlite: str, seed: int) -> None:
    """HC-34, section 6: whatever is answered, passes, cards and Patrons, changes no other viewer's version or bytes."""
    async with sit_down(sqlite, 4, OPTIONS[seed % 2], seed) as evening:
        play, table, rng = evening.play, evening.table, evening.rng
        while not (play.in_window and len(play.asked()) > 1):
            await evening.move()
        seat = play.asked()[0]
        others = [look for look in evening.looks if look.seat != seat]
        plans = [evening.plan_of_everything(look) for look in others]
        before = [
            await look.told(evening.wire, evening.site.house, plan) for look, plan in zip(others, plans, strict=True)
        ]
        versions = [table.version_for(look.seat) for look in others]
        legal = play.position_for(seat).legal_actions(seat)
        body = {"ply": play.ply, "action": rng.choice(legal), "text": "I know something about [card]."}
        answer = await evening.wish(seat, "act", body)
        assert {"ply": play.ply, "held": True} == json.loads(answer.body)
        assert versions == [table.version_for(look.seat) for look in others]
        after = [
            await look.told(evening.wire, evening.site.house, plan) for look, plan in zip(others, plans, strict=True)
        ]
        assert [[]] * len(others) == [differences(one, other) for one, other in zip(before, after, strict=True)]


async def test_hc_r36_whoever_is_asked_is_asked_alike(sqlite: str) -> None:
    """HC-R36, no tell: same prompt, same clause, a pass always and first, the same field for words, for all."""
    async with sit_down(sqlite, 4, {}, 3) as evening:
        play, table, client = evening.play, evening.table, evening.site.client
        heads = [look.headers for look in evening.looks[1:]]
        seen = 0
        for _ in range(120):
            if play.over:
                break
            if play.in_window and not play.answers and len(play.asked()) > 1:
                seen += 1
                asked = []
                for seat in play.asked():
                    model = (await client.get(f"/api/tables/{table.slug}", headers=heads[seat])).json()
                    html = (await client.get(f"/t/{table.slug}/fragments", headers=heads[seat])).json()["fragments"]
                    first = model["choices"][0]
                    prompt = html["prompt"].partition("</h1>")[0].replace(model["seats"][seat]["name"], "NAME")
                    field = html["choices"][html["choices"].index("<textarea") : html["choices"].index("</textarea>")]
                    asked.append((model["prompt"], model["clause"], first, model["window"], prompt, field))
                assert asked[:1] * len(asked) == asked
                assert "Let it pass" == asked[0][2]["text"]
            await evening.move()
        assert seen > 3


@pytest.mark.parametrize("seed", range(2))
async def test_section_6_an_exported_record_gives_a_commit_that_never_came_out_as_a_pass(
    sqlite: str, seed: int
) -> None:
    """Section 6: after the end, too, cards and Patrons that came back unseen stay so; the record replays."""
    from parlour import records

    async with sit_down(sqlite, 3, {}, seed) as evening:
        play, slug = evening.play, evening.table.slug
        while not play.over:
            await evening.move()
        text = (await evening.wire.ask("GET", f"/api/tables/{slug}/record", {})).body.decode()
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


async def test_hc_78_whoever_has_passed_sees_what_is_played_meanwhile(sqlite: str) -> None:
    """HC-78, first_voice: a Patron that is heard while the window goes on lies open for those who have passed, too."""
    for seed in range(40):
        async with sit_down(sqlite, 4, {"interrupt_protocol": "first_voice"}, seed) as evening:
            play, table = evening.play, evening.table
            while not play.over:
                passed = list(play.private) if play.hears_voices else []
                await evening.move()
                if passed and passed[0] in play.private and play.step and play.step.events[-1].kind == "patron_played":
                    seen: list[Any] = [show(table, seat, page=True).view for seat in (None, passed[0])]
                    lying = [[player["in_force"] for player in view["players"]] for view in seen]
                    assert lying[0] == lying[1]
                    return
    raise AssertionError("nobody played a Patron in a window in which somebody had passed")


def test_hc_37_words_of_an_answer_that_a_patron_put_back_are_never_told() -> None:
    """HC-37, HC-84: words go back unseen with their challenge, and are not told with its owner's next boast."""
    boast = {"card": "crimes_03", "attempt": 1}
    patron = {"patron": "o_crimes", "card": "crimes_03"}
    tale = told(
        [
            Happened([Event("turn", 0, {"turn": 1}), Event("boast", 0, boast), Event("window", 0, boast)], {}, 1.0),
            Happened(
                [Event("patron_played", 1, patron), Event("cancelled", 0, {"card": "crimes_03", "by": 1})],
                {2: "I hold a humbler crime."},
                2.0,
            ),
            Happened([Event("turn", 2, {"turn": 2}), Event("boast", 2, {"card": "weapons_05", "attempt": 1})], {}, 3.0),
        ],
        [],
        names=("Ada", "Bob", "Cleo"),
        title="How we stole a lighthouse",
        seed="a-table",
    )
    beats = list(tale.beats())
    assert ["crimes_03", "weapons_05"] == [beat.card for beat in beats if beat.kind == "boast"]
    assert not any("humbler" in beat.text for beat in beats)
