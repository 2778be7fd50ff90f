"""R29: Schemathesis over the OpenAPI, and garbage requests: never a 5xx, always a problem document, nothing changed."""

from __future__ import annotations

import random
import re
import subprocess
import sys
from pathlib import Path

import httpx
import pytest

from tests.table.places import SOAK, database
from tests.web.places import Server, server_at, site_at

GARBAGE = 10_000 if SOAK else 600
EXAMPLES = 200 if SOAK else 12
CHECKS = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"


def _party(server: Server) -> tuple[str, list[str]]:
    with httpx.Client(base_url=server.base) as client:
        made = client.post("/api/tables", json={"game": "bids", "seats": ["me", "open", "open"]}).json()
        address = f"/api/tables/{made['slug']}/claim"
        return made["slug"], [made["secret"], *(client.post(address, json={}).json()["secret"] for _ in range(2))]


@pytest.mark.soak
@pytest.mark.parametrize("kind", ["sqlite", "postgresql"])
def test_schemathesis_finds_no_5xx_and_nothing_undocumented(kind: str, tmp_path: Path) -> None:
    with database(kind, tmp_path) as url, server_at(url) as server:
        slug, secrets = _party(server)
        config = tmp_path / "schemathesis.toml"
        config.write_text(f'[parameters]\n"path.slug" = "{slug}"\n')
        command = [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(config)),
            *("run", f"{server.base}/api/openapi.json", "--checks", CHECKS, "--max-examples", str(EXAMPLES)),
            *("--header", f"Authorization: Bearer {secrets[0]}", "--phases", "examples,fuzzing"),
            *("--generation-database", ":memory:", "--seed", "7", "--request-timeout", "20", "--no-color"),
        ]
        done = subprocess.run(command, cwd=tmp_path, capture_output=True, text=True, check=False, timeout=500)
        assert 0 == done.returncode, done.stdout[-6000:] + done.stderr[-2000:]
        counted = re.search(r"(\d+) generated, (\d+) passed", done.stdout)
        assert counted is not None
        assert counted[1] == counted[2]
        assert int(counted[1]) > 100


@pytest.mark.soak
@pytest.mark.anyio
async def test_garbage_is_refused_and_changes_nothing(url: str) -> None:
    """Random bodies, paths, methods and headers by a spectator and by a player: 4xx, a problem document, no entry."""
    rng = random.Random(13)
    async with site_at(url) as site:
        slug, heads = await site.party(3)
        table = site.house.tables[slug]
        before = await site.house.storage.entries(table.id)
        verbs = (
            "act",
            "undo",
            "redo",
            "vote",
            "instructions",
            "instruct",
            "talk",
            "claim",
            "fill",
            "adopt",
            "rename",
            "nosuch",
            "",
        )
        for _ in range(GARBAGE):
            verb = rng.choice(verbs)
            path = f"/api/tables/{slug if rng.random() < 0.8 else _junk(rng)}/{verb}"
            headers = {**(heads[1] if rng.random() < 0.5 else {}), "content-type": rng.choice(_TYPES)}
            body = _body(rng)
            if (verb, body) == ("instructions", b"[]"):
                continue  # that is no garbage: it takes instructions away
            answer = await site.client.request(rng.choice(_METHODS), path, content=body, headers=headers)
            allowed = verb == "" and answer.status_code == 200  # looking is free
            assert allowed or 400 <= answer.status_code < 500, f"{answer.status_code} {path} {answer.text[:300]}"
            if answer.status_code >= 400 and answer.request.method != "HEAD":
                assert answer.json()["status"] == answer.status_code
        assert before == await site.house.storage.entries(table.id)
        assert [] == table.talk


_METHODS = ("POST", "POST", "POST", "PUT", "DELETE", "PATCH")
_TYPES = ("application/json", "application/json", "text/plain", "application/x-www-form-urlencoded", "x")


def _junk(rng: random.Random) -> str:
    return "".join(rng.choice("abc%00é/..;'\"<>\\ 🂡".replace("/", "")) for _ in range(rng.randrange(1, 40)))


def _body(rng: random.Random) -> bytes:
    wrong = [
        b"",
        b"{",
        b"null",
        b"[]",
        b'"act"',
        b"\xff\xfe\x00",
        b"[" * 3000,
        b'{"ply": 1e400, "action": 1}',
        b'{"ply": 0, "action": 999999999999999999999999}',
        b'{"ply": -1, "action": 0}',
        b'{"ply": 0, "action": "call:bold", "seat": 0}',
        b'{"ply": 0, "action": {"a": 1}}',
        b'{"ply": 0, "action": "\\u0000"}',
        b'{"ply": 99999, "action": "pass"}',
        b'{"text": 5}',
        b'{"text": "\\ud800"}',
        b'{"agree": "maybe"}',
        b'[{"decision": "bid", "rules": [{"path": "a", "then": "x"}], "otherwise": "y"}]',
        b'{"seat": 64, "strength": "x"}',
        b'{"end": 7, "x": 1}',
        bytes(rng.randrange(256) for _ in range(rng.randrange(200))),
    ]
    return rng.choice(wrong)
