"""Patches on the stream: a whole view and patch after patch come to what a fresh look shows, by another library."""

from __future__ import annotations

import json
import random
import subprocess
import sys
from pathlib import Path
from typing import Any

import httpx
import jsonpatch
import msgspec
import pytest
from hypothesis import given
from hypothesis import strategies as st

from parlour.table.live import Table
from parlour.web.bench.wire import events
from parlour.web.patch import patch
from parlour.web.stream import message
from tests.table.places import database
from tests.web.places import ROOT, Site, server_at, site_at

pytestmark = pytest.mark.anyio


def applied(document: Any, operations: list[dict[str, Any]]) -> Any:
    """The document after the operations, as they come over the wire."""
    return jsonpatch.apply_patch(document, json.loads(msgspec.json.encode(operations)))


class Piece(msgspec.Struct, omit_defaults=True):
    """Something nested, some of it left out where it is as usual."""

    name: str
    count: int = 0
    tags: list[str] = []
    below: dict[str, int] = {}


class Board(msgspec.Struct):
    """A view in small."""

    turn: int
    pieces: list[Piece]
    log: list[str]
    who: str | int | None


pieces = st.builds(
    Piece,
    st.sampled_from("abc"),
    st.integers(0, 2),
    st.lists(st.sampled_from("xyz"), max_size=3),
    st.dictionaries(st.sampled_from(["a/b", "a~b", "c", ""]), st.integers(0, 2), max_size=3),
)
boards = st.builds(
    Board,
    st.integers(0, 3),
    st.lists(pieces, max_size=12),
    st.lists(st.sampled_from("uvw"), max_size=12),
    st.one_of(st.none(), st.integers(0, 1), st.just("x")),
)


@given(boards, boards)
def test_a_patch_makes_the_one_into_the_other(old: Board, new: Board) -> None:
    assert json.loads(msgspec.json.encode(new)) == applied(json.loads(msgspec.json.encode(old)), patch("", old, new))
    assert [] == patch("", new, msgspec.convert(msgspec.to_builtins(new), Board))


def test_a_list_that_moved_up_is_told_as_that() -> None:
    old, new = Board(0, [], list("uvwuv"), None), Board(0, [], list("wuvwx"), None)
    assert [
        {"op": "remove", "path": "/log/0"},
        {"op": "remove", "path": "/log/0"},
        {"op": "add", "path": "/log/-", "value": "w"},
        {"op": "add", "path": "/log/-", "value": "x"},
    ] == patch("", old, new)


def test_an_item_that_changed_is_told_alone() -> None:
    old = Board(0, [Piece(str(n)) for n in range(20)], [], None)
    new = Board(0, [*old.pieces[:7], Piece("7", count=3), *old.pieces[8:]], [], None)
    assert [{"op": "add", "path": "/pieces/7/count", "value": 3}] == patch("", old, new)


def test_one_item_that_changed_among_equal_ones_is_told_sooner_than_a_shift() -> None:
    old, new = Board(0, [], list("uuuuv"), None), Board(0, [], list("uuuvv"), None)
    assert [{"op": "replace", "path": "/log/3", "value": "v"}] == patch("", old, new)


def test_a_list_that_grew_is_told_as_what_was_added() -> None:
    old, new = Board(0, [], list("uv"), None), Board(0, [], list("uvu"), None)
    assert [{"op": "add", "path": "/log/-", "value": "u"}] == patch("", old, new)


def test_most_items_changed_and_the_list_is_told_as_a_whole() -> None:
    old, new = Board(0, [], list("u" * 12), None), Board(0, [], list("v" * 12), None)
    assert [{"op": "add", "path": "/log", "value": new.log}] == patch("", old, new)


@given(boards, boards)
def test_a_member_that_is_told_elsewhere_is_not_looked_at(old: Board, new: Board) -> None:
    whole = patch("/view", old, new)
    rest = [one for one in whole if not one["path"].startswith("/view/pieces")]
    assert rest == patch("/view", old, new, apart="pieces")


class Nest(msgspec.Struct, omit_defaults=True):
    """A struct in a struct, which may be left out."""

    inner: Piece
    other: Piece | None = None


nests = st.builds(Nest, pieces, st.one_of(st.none(), pieces))


@given(nests, nests)
def test_structs_in_structs(old: Nest, new: Nest) -> None:
    assert json.loads(msgspec.json.encode(new)) == applied(json.loads(msgspec.json.encode(old)), patch("", old, new))
    assert [] == patch("", new, msgspec.convert(msgspec.to_builtins(new), Nest))


def test_one_and_true_are_told_apart_below_too() -> None:
    old, new = Nest(Piece("a", below={"c": 1})), Nest(Piece("a", below={"c": 1}))
    new.inner.count, old.inner.count = True, 1
    assert [{"op": "add", "path": "/inner/count", "value": True}] == patch("", old, new)


class Row(msgspec.Struct, array_like=True):
    """A struct that is encoded as an array."""

    one: int
    two: int


def test_a_struct_that_is_an_array_is_told_as_a_whole() -> None:
    assert [] == patch("/row", Row(1, 2), Row(1, 2))
    assert [{"op": "add", "path": "/row", "value": Row(1, 3)}] == patch("/row", Row(1, 2), Row(1, 3))


class Copy:
    """What a program has that follows one viewer by patches."""

    def __init__(self, table: Table, seat: int | None) -> None:
        self.table, self.seat = table, seat
        self.document: Any = None
        self.version = ""
        self.whole = self.patches = 0

    def look(self) -> None:
        if self.table.version_for(self.seat) == self.version:
            return
        told = message(self.table, "patch", self.seat, False, None, self.version)
        head, _, data = told.partition(b"\ndata: ")
        body = json.loads(data)
        if head.endswith(b"event: table"):
            self.document = body
            self.whole += 1
        else:
            assert head.endswith(b"event: patch")
            assert self.version == body["after"]
            self.document = jsonpatch.apply_patch(self.document, body["patch"])
            self.patches += 1
        self.version = body["version"]
        assert head.startswith(b"id: " + self.version.encode() + b"\n")


async def something(site: Site, table: Table, heads: list[dict[str, str]], rng: random.Random) -> None:
    """A move, or a word, or a move taken back."""
    play = table.play
    assert play is not None
    wanting = [seat for seat in play.asked() if play.wants(seat)]
    address = f"/api/tables/{table.slug}"
    if rng.random() < 0.1:
        await site.client.post(address + "/talk", json={"text": f"{rng.random()}"}, headers=heads[0])
    elif rng.random() < 0.1:
        seat = rng.randrange(len(heads))
        await site.client.post(address + "/undo", json={"ply": play.ply}, headers=heads[seat])
        if play.question is not None:
            for other in list(play.question.electors):
                await site.client.post(address + "/vote", json={"agree": rng.random() < 0.5}, headers=heads[other])
    elif wanting:
        seat = rng.choice(wanting)
        body = {"ply": play.ply, "action": rng.choice(play.position_for(seat).legal_actions(seat))}
        await site.client.post(address + "/act", json=body, headers=heads[seat])
    else:
        play.opened -= 60
        await site.house.tick(table)


@pytest.mark.parametrize(("game", "players"), [("prowlers", 2), ("bids", 3), ("hellfire", 4)])
async def test_view_and_patches_come_to_what_a_fresh_look_shows(sqlite: str, game: str, players: int) -> None:
    rng = random.Random(7)
    async with site_at(sqlite) as site:
        slug, heads = await site.party(players, game=game)
        table = site.house.tables[slug]
        copies = [Copy(table, seat) for seat in (*range(players), None)]
        for _ in range(90):
            for copy in copies:
                if rng.random() < 0.9:  # now and then one misses something, and is sent the whole again
                    copy.look()
            if table.play is not None and table.play.over:
                break
            await something(site, table, heads, rng)
        for copy in copies:
            copy.look()
            headers = {} if copy.seat is None else heads[copy.seat]
            fresh = (await site.client.get(f"/api/tables/{slug}", headers=headers)).content
            assert json.loads(fresh) == copy.document
            assert copy.patches > copy.whole > 0


async def test_over_the_wire_the_first_is_whole_and_patches_follow(tmp_path: Path) -> None:
    with database("sqlite", tmp_path) as url, server_at(url) as server:
        async with httpx.AsyncClient(base_url=server.base) as client:
            made = (await client.post("/api/tables", json={"game": "prowlers", "seats": ["me", "open"]})).json()
            address = f"/api/tables/{made['slug']}"
            await client.post(address + "/claim", json={})
            told: list[bytes] = []
            async for one in events("127.0.0.1", server.port, address + "/events?patch=1", made["secret"]):
                if b"data: " in one and b"event: beat" not in one:
                    told.append(one)
                    if len(told) == 3:
                        break
                    await client.post(
                        address + "/talk", json={"text": "hum"}, headers={"authorization": f"Bearer {made['secret']}"}
                    )
            assert b"event: table" in told[0]
            assert all(b"event: patch" in one for one in told[1:])
            assert all(len(one) < len(told[0]) / 10 for one in told[1:])


def test_the_program_in_the_documentation_hears_every_move(tmp_path: Path) -> None:
    page = (ROOT / "docs" / "play-by-program.md").read_text()
    program = page.split("```python\n", 1)[1].split("```", 1)[0]
    with database("sqlite", tmp_path) as url, server_at(url) as server, httpx.Client(base_url=server.base) as client:
        made = client.post("/api/tables", json={"game": "prowlers", "seats": ["me", "open"]}).json()
        seat = {"authorization": f"Bearer {made['secret']}"}
        head = f"base, slug, seat = {server.base!r}, {made['slug']!r}, {seat!r}\n"
        running = subprocess.Popen([sys.executable, "-u", "-c", head + program], stdout=subprocess.PIPE, text=True)
        try:
            assert running.stdout is not None
            assert "0 waiting 0\n" == running.stdout.readline()
            client.post(f"/api/tables/{made['slug']}/claim", json={})
            heard = [running.stdout.readline()]
            while "playing" not in heard[-1]:
                heard.append(running.stdout.readline())
            told = client.get(f"/api/tables/{made['slug']}", headers=seat).json()
            assert [str(told["ply"]), "playing", str(len(told.get("choices", [])))] == heard[-1].split()
        finally:
            running.kill()
            running.wait()
