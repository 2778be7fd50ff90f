"""What every request passes: host names, limits, forged requests; and the headers on every answer."""

from __future__ import annotations

import pytest

from parlour.web.guard import Buckets
from tests.web.places import site_at

pytestmark = pytest.mark.anyio


async def test_every_answer_carries_the_strict_headers(sqlite: str) -> None:
    async with site_at(sqlite) as site:
        for path in ("/", "/api/games", "/health", "/nothing", "/api/nothing", "/static/x/house.css"):
            headers = (await site.client.get(path)).headers
            policy = headers["content-security-policy"]
            assert "default-src 'none'" in policy
            assert "script-src 'self'" in policy
            assert "unsafe" not in policy
            assert "nosniff" == headers["x-content-type-options"]


async def test_pages_hold_no_inline_script_or_style(sqlite: str) -> None:
    """They would not run under the policy."""
    async with site_at(sqlite) as site:
        slug, _ = await site.party(2, game="prowlers")
        for path in ("/", f"/t/{slug}", "/new/prowlers", "/rules/prowlers", f"/t/{slug}/join"):
            html = (await site.client.get(path)).text
            assert "<script>" not in html
            assert " onclick=" not in html
            assert ' style="' not in html


async def test_a_name_that_is_not_ours_is_refused(sqlite: str) -> None:
    async with site_at(sqlite, hosts=("parlour.example",)) as site:
        answer = await site.client.get("/", headers={"host": "evil.example"})
        assert 400 == answer.status_code
        assert "application/problem+json" == answer.headers["content-type"]
        assert 200 == (await site.client.get("/", headers={"host": "parlour.example:8000"})).status_code
    async with site_at(sqlite) as site:
        for host, status in (
            ("localhost:1", 200),
            ("127.0.0.1", 200),
            ("[::1]:80", 200),
            ("a.example", 400),
            ("[::1", 400),
            ("pantry:8000", 200),
            ("localhost:80.evil.example", 400),
            ("", 400),
        ):
            assert status == (await site.client.get("/health", headers={"host": host})).status_code


async def test_an_action_from_another_site_is_refused(sqlite: str) -> None:
    async with site_at(sqlite) as site:
        slug, heads = await site.party(2)
        act, body = f"/api/tables/{slug}/act", {"ply": 0, "action": "call:modest"}
        for forged in (
            {"sec-fetch-site": "cross-site"},
            {"sec-fetch-site": "same-site"},
            {"origin": "https://evil.example"},
        ):
            answer = await site.client.post(act, json=body, headers={**heads[0], **forged})
            assert 403 == answer.status_code
        own = {"sec-fetch-site": "same-origin", "origin": "http://localhost"}
        assert 200 == (await site.client.post(act, json=body, headers={**heads[0], **own})).status_code


async def test_limits_by_address_and_by_seat(sqlite: str) -> None:
    async with site_at(sqlite, limits=True) as site:
        slug, heads = await site.party(2)
        statuses = [
            (await site.client.post(f"/api/tables/{slug}/undo", json={"ply": 0}, headers=heads[0])).status_code
            for _ in range(80)
        ]
        assert 429 in statuses
        answer = await site.client.post(f"/api/tables/{slug}/undo", json={"ply": 0}, headers=heads[0])
        assert 429 == answer.status_code
        assert int(answer.headers["retry-after"]) >= 1
        assert (
            409 == (await site.client.post(f"/api/tables/{slug}/redo", json={"ply": 0}, headers=heads[1])).status_code
        )
        statuses = [(await site.client.get("/health")).status_code for _ in range(400)]
        assert 429 in statuses


def test_a_bucket_fills_up_again() -> None:
    bucket = Buckets(2.0, 3.0)
    assert [0.0, 0.0, 0.0] == [bucket.take("a", 100.0) for _ in range(3)]
    assert pytest.approx(0.5) == bucket.take("a", 100.0)
    assert 0.0 == bucket.take("b", 100.0)
    assert 0.0 == bucket.take("a", 100.6)


async def test_too_large_a_body_is_refused(sqlite: str) -> None:
    async with site_at(sqlite) as site:
        slug, heads = await site.party(2)
        answer = await site.client.post(
            f"/api/tables/{slug}/talk",
            content=b'{"text": "' + b"x" * 100_000 + b'"}',
            headers={**heads[0], "content-type": "application/json"},
        )
        assert 413 == answer.status_code
        assert 413 == answer.json()["status"]


async def test_errors_are_pages_for_people_and_problems_for_programs(sqlite: str) -> None:
    async with site_at(sqlite) as site:
        page = await site.client.get("/t/nosuchtable", headers={"accept": "text/html"})
        assert 404 == page.status_code
        assert page.headers["content-type"].startswith("text/html")
        assert "There is no such table" in page.text
        problem = await site.client.get("/api/tables/nosuchtable", headers={"accept": "text/html"})
        assert "application/problem+json" == problem.headers["content-type"]
        assert 405 == (await site.client.put("/api/games")).status_code


async def test_head_is_answered_as_get_is_without_the_body(sqlite: str) -> None:
    async with site_at(sqlite) as site:
        slug, _ = await site.party(2)
        for path in ("/", f"/t/{slug}", f"/api/tables/{slug}", "/health", "/nothing"):
            got, asked = await site.client.get(path), await site.client.head(path)
            assert got.status_code == asked.status_code
            assert got.headers["content-type"] == asked.headers["content-type"]
            assert b"" == asked.content
        assert 404 == (await site.client.head(f"/t/{slug}/events")).status_code
