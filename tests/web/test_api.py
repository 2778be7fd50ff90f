"""The JSON API: opening, claiming, seeing, acting; every refusal a problem document with a sentence."""

from __future__ import annotations

import asyncio
import hashlib
from dataclasses import replace

import msgspec
import pytest
from sqlalchemy import text

from parlour import games, records
from parlour.kernel import Etiquette
from tests.table.places import until
from tests.web.places import Site, site_at

pytestmark = pytest.mark.anyio


async def view(site: Site, slug: str, headers: dict[str, str] | None = None) -> dict[str, object]:
    answer = await site.client.get(f"/api/tables/{slug}", headers=headers)
    assert 200 == answer.status_code
    return dict(answer.json())


async def play_out(site: Site, slug: str, heads: list[dict[str, str]]) -> None:
    """Everybody takes the first choice until the game is over."""
    for _ in range(500):
        for headers in heads:
            seen = await view(site, slug, headers)
            if seen["status"] == "over":
                return
            if seen.get("choices"):
                body = {"ply": seen["ply"], "action": seen["choices"][0]["id"]}  # type: ignore[index]
                answer = await site.client.post(f"/api/tables/{slug}/act", json=body, headers=headers)
                assert 200 == answer.status_code, answer.text
        play = site.house.tables[slug].play
        assert play is not None
        if play.in_window and all(play.complete(seat) for seat in play.asked()):
            play.opened -= 60
            await site.house.tick(site.house.tables[slug])
    raise AssertionError("the game did not end")


async def test_nothing_is_dealt_before_all_seats_are_taken(url: str) -> None:
    """R40."""
    async with site_at(url) as site:
        made = await site.open(seats=["me", "open"])
        seen = await view(site, made["slug"])
        assert "waiting" == seen["status"]
        assert "view" not in seen
        assert 64 == len(str(seen["commitment"])), "the seal is shown from the opening on"
        body = {"ply": 0, "action": 0}
        headers = {"authorization": f"Bearer {made['secret']}"}
        answer = await site.client.post(f"/api/tables/{made['slug']}/act", json=body, headers=headers)
        assert 409 == answer.status_code
        assert "a seat is still open" in answer.json()["detail"]
        await site.client.post(f"/api/tables/{made['slug']}/claim", json={"name": "Bob"})
        assert "playing" == (await view(site, made["slug"]))["status"]


async def test_the_act_route_answers_every_case_as_promised(url: str) -> None:
    async with site_at(url) as site:
        slug, heads = await site.party(2)
        act = f"/api/tables/{slug}/act"

        async def post(body: object, headers: dict[str, str] | None) -> tuple[int, dict[str, object]]:
            answer = await site.client.post(act, json=body, headers=headers)
            if answer.status_code >= 400:
                assert answer.headers["content-type"].startswith("application/problem+json")
                assert {"type", "title", "status", "detail"} <= set(answer.json())
                assert answer.status_code == answer.json()["status"]
            return answer.status_code, answer.json()

        assert (403, "not-your-seat") == _kind(await post({"ply": 0, "action": "call:bold"}, None))
        assert (403, "not-your-seat") == _kind(await post({"ply": 0, "action": "call:bold", "seat": 1}, heads[0]))
        assert (422, "illegal-action") == _kind(await post({"ply": 0, "action": "call:bold"}, heads[1]))
        status, said = await post({"ply": 0, "action": "pass"}, heads[0])
        assert (422, "TOY-2") == (status, said["clause"]), "a sentence, and the clause"
        assert "Call modest or bold first." == said["detail"]
        assert (422, "illegal-action") == _kind(await post({"ply": 0, "action": 99}, heads[0]))
        assert (422, "unfit") == _kind(await post({"ply": 0, "action": "call:bold", "text": "ha"}, heads[0]))
        assert (400, "bad-request") == _kind(await post({"ply": "first", "action": "call:bold"}, heads[0]))
        assert (400, "bad-request") == _kind(await post({"ply": 0, "action": "call:bold", "more": 1}, heads[0]))
        assert (200, {"ply": 1}) == await post({"ply": 0, "action": "call:bold"}, heads[0])
        assert (200, {"ply": 1}) == await post({"ply": 0, "action": "call:bold"}, heads[0]), "the same again is safe"
        assert (200, {"ply": 1}) == await post({"ply": 0, "action": 22}, heads[0])
        status, said = await post({"ply": 0, "action": "call:modest"}, heads[0])
        assert (409, "about:blank#stale") == (status, said["type"])
        newest = await view(site, slug, heads[0])
        assert newest == said["model"], "409 brings the newest view of the caller"
        assert (404, "not-found") == _kind(await _post(site, "/api/tables/nosuchtable/act", {"ply": 0, "action": 1}))


def _kind(answer: tuple[int, dict[str, object]]) -> tuple[int, str]:
    return answer[0], str(answer[1]["type"]).partition("#")[2]


async def _post(site: Site, path: str, body: object) -> tuple[int, dict[str, object]]:
    answer = await site.client.post(path, json=body)
    return answer.status_code, answer.json()


@pytest.mark.parametrize("game", ["bids", "prowlers"])
async def test_a_whole_game_then_its_record_is_proved(url: str, game: str) -> None:
    """N14: commitment before the deal, seed after the end, and the record verifies."""
    async with site_at(url) as site:
        slug, heads = await site.party(2, game=game)
        seal = (await view(site, slug))["commitment"]
        early = await site.client.get(f"/api/tables/{slug}/record")
        assert 409 == early.status_code
        await play_out(site, slug, heads)
        over = await view(site, slug)
        assert seal == hashlib.sha256(bytes.fromhex(str(over["seed"]))).hexdigest()
        answer = await site.client.get(f"/api/tables/{slug}/record")
        assert 200 == answer.status_code
        record = records.loads(answer.text)
        assert records.verify(record).ok
        assert str(seal) in answer.text
        page = await site.client.get(f"/t/{slug}/verify")
        assert 200 == page.status_code
        assert "The shuffle was fair" in page.text
        assert 200 == (await site.client.get(f"/t/{slug}/record")).status_code
        again = await site.client.post(f"/api/tables/{slug}/rematch", headers=heads[0])
        assert 201 == again.status_code
        assert "waiting" == (await view(site, again.json()["slug"]))["status"]


async def test_a_secret_is_a_seat_and_only_that_seat(url: str) -> None:
    """R40: none is derivable from another, none is stored, the host has no seat but his own, an old link dies."""
    async with site_at(url) as site:
        made = await site.open(seats=["open", "open"])
        host = {"x-host-secret": made["host_secret"]}
        assert "secret" not in made
        seen = await view(site, made["slug"], host)
        assert seen["host"] is True
        assert "viewer" not in seen
        claimed = [(await site.client.post(f"/api/tables/{made['slug']}/claim", json={})).json() for _ in range(2)]
        assert [0, 1] == [one["seat"] for one in claimed]
        late = await site.client.post(f"/api/tables/{made['slug']}/claim", json={})
        assert 409 == late.status_code
        dump = str(await site.house.storage.rows(text("SELECT * FROM seats")))
        dump += str(await site.house.storage.rows(text("SELECT * FROM tables")))
        for secret in (made["host_secret"], *(one["secret"] for one in claimed)):
            assert secret not in dump
        as_host = await view(site, made["slug"], host)
        assert "hand" in str(as_host["view"])
        assert [] == as_host["view"]["hand"], "the host sees the public view"  # type: ignore[index]
        old = {"authorization": f"Bearer {claimed[0]['secret']}"}
        new = await site.client.post(f"/api/tables/{made['slug']}/seat-link", headers=old)
        assert 200 == new.status_code
        assert (
            403
            == (await site.client.post(f"/api/tables/{made['slug']}/undo", json={"ply": 0}, headers=old)).status_code
        )
        assert "viewer" not in await view(site, made["slug"], old)
        fresh = {"authorization": f"Bearer {new.json()['secret']}"}
        assert 0 == (await view(site, made["slug"], fresh))["viewer"]
        assert 404 == (await site.client.get(f"/s/{claimed[0]['secret']}")).status_code
        carried = await site.client.get(new.json()["location"])
        assert 303 == carried.status_code
        assert "HttpOnly" in carried.headers["set-cookie"]
        assert "samesite=lax" in carried.headers["set-cookie"].lower()


async def test_two_claims_for_one_seat(url: str) -> None:
    async with site_at(url) as site:
        made = await site.open(seats=["me", "open"])
        answers = await asyncio.gather(
            *(site.client.post(f"/api/tables/{made['slug']}/claim", json={"seat": 1}) for _ in range(5))
        )
        assert [201, 409, 409, 409, 409] == sorted(answer.status_code for answer in answers)


async def test_play_now_is_one_form_and_plays_at_once(url: str) -> None:
    async with site_at(url) as site:
        page = await site.client.get("/")
        token = page.text.split('name="_csrf_token" value="')[1].split('"')[0]
        forged = await site.client.post("/play/prowlers", data={"_csrf_token": "x" * 40})
        assert 403 == forged.status_code
        answer = await site.client.post("/play/prowlers", data={"_csrf_token": token})
        assert 303 == answer.status_code
        table = await site.client.get(answer.headers["location"])
        assert 200 == table.status_code
        slug = answer.headers["location"].rsplit("/", 1)[1]
        assert "prowlers" in table.text
        play = site.house.tables[slug].play
        assert play is not None
        assert play.state is not None
        shelf = await site.client.get("/")
        assert f"/t/{slug}" in shelf.text, "your tables are listed under the shelf"


async def test_talk_is_plain_text_limited_and_off_by_option(url: str) -> None:
    async with site_at(url) as site:
        slug, heads = await site.party(2)
        talk = f"/api/tables/{slug}/talk"
        said = "<script>alert('x')</script>"
        assert 200 == (await site.client.post(talk, json={"text": said}, headers=heads[0])).status_code
        assert said == (await view(site, slug))["talk"][0]["text"]  # type: ignore[index]
        page = (await site.client.get(f"/t/{slug}")).text
        assert said not in page
        assert "&lt;script&gt;alert" in page
        assert 422 == (await site.client.post(talk, json={"text": "x" * 501}, headers=heads[0])).status_code
        assert 422 == (await site.client.post(talk, json={"text": " \u0000 "}, headers=heads[0])).status_code
        assert 403 == (await site.client.post(talk, json={"text": "hello"})).status_code
        quiet, heads = await site.party(2, talk=False)
        answer = await site.client.post(f"/api/tables/{quiet}/talk", json={"text": "psst"}, headers=heads[0])
        assert 409 == answer.status_code


async def test_a_report_keeps_everything_and_gives_back_a_test(url: str) -> None:
    """N18: record, ply, version and view are stored; while the game goes on, the stub tells nothing hidden."""
    async with site_at(url) as site:
        slug, heads = await site.party(2)
        await site.client.post(f"/api/tables/{slug}/act", json={"ply": 0, "action": "call:bold"}, headers=heads[0])
        answer = await site.client.post(f"/api/tables/{slug}/report", json={"text": 'odd "prize"\n'}, headers=heads[1])
        assert 201 == answer.status_code
        stub = answer.json()["stub"]
        compile(stub, "stub", "exec")
        seed = site.house.tables[slug].seed.hex()
        assert seed not in stub
        row = (await site.house.storage.rows(text("SELECT body FROM reports")))[0]
        kept = msgspec.json.decode(row["body"])
        assert (1, "bids", 1, [[0, 22]]) == (kept["ply"], kept["game"], kept["seat"], kept["moves"])
        assert seed == kept["seed"]
        assert kept["view"]["hand"]
        await play_out(site, slug, heads)
        stub = (await site.client.post(f"/api/tables/{slug}/report", json={}, headers=heads[1])).json()["stub"]
        scope: dict[str, object] = {}
        exec(compile(stub, "stub", "exec"), scope)
        test = next(value for name, value in scope.items() if name.startswith("test_"))
        with pytest.raises(AssertionError, match="say here"):
            test()  # type: ignore[operator]


async def test_a_bot_seat_plays(url: str, monkeypatch: pytest.MonkeyPatch) -> None:
    at_once = Etiquette(bot_pause=(0.0, 0.0))
    monkeypatch.setitem(games._registered, "prowlers", replace(games.get("prowlers"), etiquette=at_once))
    async with site_at(url) as site:
        made = await site.open(seats=["me", "bot:club"], game="prowlers")
        heads = {"authorization": f"Bearer {made['secret']}"}
        for _ in range(400):
            seen = await view(site, made["slug"], heads)
            if seen["status"] == "over":
                break
            if seen.get("choices"):
                body = {"ply": seen["ply"], "action": seen["choices"][-1]["code"]}  # type: ignore[index]
                await site.client.post(f"/api/tables/{made['slug']}/act", json=body, headers=heads)
            else:
                play = site.house.tables[made["slug"]].play
                assert play is not None
                await until(lambda p=play: p.over or p.wants(0))  # type: ignore[misc]
        assert "over" == seen["status"]


async def test_health_and_metrics(url: str) -> None:
    async with site_at(url) as site:
        assert {"status": "well"}.items() <= (await site.client.get("/health")).json().items()
        slug, heads = await site.party(2)
        await site.client.post(f"/api/tables/{slug}/act", json={"ply": 0, "action": "call:bold"}, headers=heads[0])
        text = (await site.client.get("/metrics")).text
        figures = dict(line.rsplit(" ", 1) for line in text.splitlines() if line.startswith("parlour_"))
        assert float(figures["parlour_actions_total"]) >= 1
        assert float(figures["parlour_commits_total"]) >= 2


async def test_the_past_can_be_looked_at(url: str) -> None:
    async with site_at(url) as site:
        slug, heads = await site.party(2, game="prowlers")
        views = []
        for _ in range(6):
            for headers in heads:
                seen = await view(site, slug, headers)
                if seen.get("choices"):
                    views.append((await view(site, slug))["view"])
                    body = {"ply": seen["ply"], "action": seen["choices"][0]["id"]}  # type: ignore[index]
                    await site.client.post(f"/api/tables/{slug}/act", json=body, headers=headers)
        for ply, then in enumerate(views):
            past = (await site.client.get(f"/api/tables/{slug}?at={ply}")).json()
            assert then == past["view"]
            assert "choices" not in past
            assert past["live"] is False


async def test_a_text_with_half_a_character_is_refused_in_a_sentence(sqlite: str) -> None:
    async with site_at(sqlite) as site:
        made = await site.open(seats=["me", "open"])
        await site.client.post(f"/api/tables/{made['slug']}/claim", json={"name": "Bob"})
        heads = {"authorization": f"Bearer {made['secret']}", "content-type": "application/json"}
        for path, body in (("talk", rb'{"text": "\ud800"}'), ("act", rb'{"ply": 0, "action": "\ud800"}')):
            answer = await site.client.post(f"/api/tables/{made['slug']}/{path}", content=body, headers=heads)
            assert 400 == answer.status_code, answer.text
            assert "half of a surrogate pair" in answer.json()["detail"]
