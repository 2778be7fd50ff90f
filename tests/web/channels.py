"""Every way in which a table tells a viewer something: what he can ask for, what he is sent, what he is refused.

Asking changes nothing here: what a wish would write to the log is noted by its kind and not written, so that any wish
can be made in both worlds, allowed or not, and its answer be compared.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from parlour.table.entries import Entry
from parlour.table.house import House
from parlour.table.live import Table
from parlour.table.play import Play, Prepared
from tests.web.asgi import Wire
from tests.web.worlds import Told

VISITOR = "visitor=the-same-one"
PAGE, GZIP = {"accept": "text/html"}, {"accept-encoding": "gzip"}
FACES = {"page": "/t/{}/events", "api": "/api/tables/{}/events", "patch": "/api/tables/{}/events?patch=1"}
BROWSERS, WHOLE_PAGES = 0.4, 0.4
SELDOM = 8
"""Of the sixty channels that tell little, so many are listened to at a time."""
MOST_PAST = 40
"""How far back one looks: the position then is dealt anew as well, and is found by replaying."""


class Request(NamedTuple):
    """Something that may be asked for; the name says which channel it is."""

    name: str
    method: str
    path: str
    headers: dict[str, str] = {}
    body: bytes = b""


class Plan(NamedTuple):
    """What is asked in both worlds, and which earlier steps that looks at."""

    requests: list[Request]
    streams: list[Request]
    past: list[int]


@dataclass
class Look:
    """A viewer: a seat with its headers, or a spectator; whoever opened the table is its host as well."""

    table: Table
    seat: int | None
    headers: dict[str, str]
    host: bool = False
    shown: dict[Any, Any] = field(default_factory=dict)  # what he was shown when he looked before

    @classmethod
    def of(cls, table: Table, seat: int | None, secret: str = "", host: str = "") -> Look:
        """A seat shows its secret as a program does, or in a cookie as a browser does; the odd seats are browsers."""
        cookies, headers = [VISITOR], {}
        if host:
            cookies.append(f"host_{table.slug}={host}")
        if seat is not None and seat % 2:
            cookies.append(f"seat_{table.slug}={secret}")
        elif seat is not None:
            headers["authorization"] = f"Bearer {secret}"
        return cls(table, seat, {**headers, "cookie": "; ".join(cookies)}, bool(host))

    def plan(self, rng: random.Random, codes: Sequence[int], ids: Sequence[str], all_of_it: bool = False) -> Plan:
        """The channels that tell most, and some of the others, chosen anew each time; or all there are.

        Two looks in five are through a browser too: every part of the page, in the stream, which takes as long as all
        the rest together; and two in five of those at the whole page around them as well.
        """
        play = self.table.play
        assert play is not None
        slug = self.table.slug
        past = [play.ply] if play.ply == 0 else [rng.randrange(max(0, play.ply - MOST_PAST), play.ply)]
        always = [
            Request("view", "GET", f"/api/tables/{slug}"),
            Request("log", "GET", f"/api/tables/{slug}/log"),
        ]
        whole = _whole_pages(slug, past[0])
        seldom = _others(slug, past[0]) + _wishes(slug, play, past[0], self.host)
        seldom += _actions(slug, play, codes, ids, rng)
        if all_of_it:
            every = always + whole + seldom + _fragments(slug)
            return Plan(every, self._streams(list(FACES), rng), past)
        faces = ["api", "patch"]
        if rng.random() < BROWSERS:
            faces.append("page")
            seldom += _fragments(slug)
            if rng.random() < WHOLE_PAGES:
                always.append(rng.choice(whole))
        return Plan(always + rng.sample(seldom, SELDOM), self._streams(faces, rng), past)

    def _streams(self, faces: Sequence[str], rng: random.Random) -> list[Request]:
        """News from the version that he had, from none, from the newest, from one long gone: packed or not."""
        newest, found = self.table.version_for(self.seat), []
        for face in faces:
            since = rng.choice(["", newest, "3.0ddba1.7.0"])
            for kind, version in (("since then", self._had(face)), ("else", since)):
                known = {"last-event-id": version} if version else {}
                packed = GZIP if rng.random() < 0.5 else {}
                name = f"stream {face} {kind} {'packed' if packed else 'plain'}"
                found.append(Request(name, "GET", FACES[face].format(self.table.slug), {**known, **packed}))
        return found

    def _had(self, face: str) -> str:
        """The version that he was last shown so; a program that wants no patches is always sent everything."""
        known = self.shown.get((face, self.host, self.seat))
        return "" if known is None else str(known[1][0])

    async def told(self, wire: Wire, house: House, plan: Plan) -> Told:
        """Everything that this viewer is told in this world."""
        table = self.table
        table.memory.clear()
        table.lines.clear()
        table.choices.clear()
        table.shown.clear()
        table.shown.update(self.shown)
        got: Told = {}
        with unwritten(house) as written:
            for one in plan.requests:
                headers = {**self.headers, **one.headers}
                answer = await wire.ask(one.method, one.path, headers, one.body)
                assert answer.status < 500, f"{one.name}: the server failed, which tells nothing"
                got[one.name] = answer.whole + repr(written).encode()
                written.clear()
            for one in plan.streams:
                stream = await wire.listen(one.path, {**self.headers, **one.headers})
                assert 200 == stream.status, one.name
                got[one.name] = stream.whole
        play = table.play
        assert play is not None
        got["moments"] = repr((play.window_times(), play.asked())).encode()
        if self.seat is not None:
            steps = play.back(play.undo_depth(self.seat))
            got["undo"] = repr((play.undo_is_free(self.seat), len(steps), play.seen_since(steps))).encode()
        return got

    def remember(self) -> None:
        """What he has just been told is what he had when he looks again."""
        self.shown = dict(self.table.shown)


@contextmanager
def unwritten(house: House) -> Iterator[list[str]]:
    """The log takes everything and keeps nothing; what would have been written is noted by its kind."""
    noted: list[str] = []

    async def write(table: Table, entry: Entry, prepared: Prepared | None = None) -> bool:
        noted.append(entry.kind.name if hasattr(entry.kind, "name") else str(entry.kind))
        return True

    async def number(statement: Any) -> int:
        return 7

    house.write = write  # type: ignore[method-assign]
    house.storage.number = number  # type: ignore[method-assign]
    try:
        yield noted
    finally:
        del house.write, house.storage.number


def _post(name: str, path: str, body: object, headers: dict[str, str] | None = None) -> Request:
    sent = body if isinstance(body, bytes) else json.dumps(body).encode()
    return Request(name, "POST", path, {"content-type": "application/json", **(headers or {})}, sent)


def _whole_pages(slug: str, past: int) -> list[Request]:
    page = f"/t/{slug}"
    return [
        Request("page", "GET", page),
        Request("page packed", "GET", page, GZIP),
        Request("page's size", "HEAD", page, GZIP),
        Request("page then", "GET", f"{page}?at={past}"),
        Request("fragments then", "GET", f"{page}/fragments?at={past}"),
    ]


def _fragments(slug: str) -> list[Request]:
    path = f"/t/{slug}/fragments"
    return [Request("fragments", "GET", path), Request("fragments packed", "GET", path, GZIP)]


def _others(slug: str, past: int) -> list[Request]:
    """What one may look at beside the table itself, and what cannot be had now, or never."""
    api, page = f"/api/tables/{slug}", f"/t/{slug}"
    found = [
        Request("view then", "GET", f"{api}?at={past}"),
        Request("view of a step to come", "GET", f"{api}?at=99999"),
        Request("shelf", "GET", "/"),
        Request("record", "GET", api + "/record"),
        Request("record as a page", "GET", page + "/record", PAGE),
        Request("proof", "GET", page + "/verify", PAGE),
        Request("links", "GET", page + "/links"),
        Request("join", "GET", page + "/join"),
        Request("keepsake page", "GET", page + "/keepsake", PAGE),
        Request("keepsake", "GET", api + "/keepsake"),
        Request("no such page", "GET", page + "/hands", PAGE),
        Request("no such view", "GET", api + "/hands"),
    ]
    for form in ("markdown", "html", "text", "json", "text?choice=authorised"):
        found += [Request(f"keepsake as {form}", "GET", f"{api}/keepsake/{form}")]
    return found


def _wishes(slug: str, play: Play, past: int, host: bool) -> list[Request]:
    """What one may wish beside acting: taking back, votes, pauses, chairs, orders, reports, asides."""
    api, here = f"/api/tables/{slug}", {"ply": play.ply}
    found = [
        _post("undo", api + "/undo", here),
        _post("undo, stale", api + "/undo", {"ply": past}),
        _post("redo", api + "/redo", here),
        _post("yes", api + "/vote", {"agree": True}),
        _post("no", api + "/vote", {"agree": False}),
        _post("withdraw", api + "/withdraw", {}),
        _post("pause", api + "/pause", {}),
        _post("resume", api + "/resume", {}),
        _post("leave", api + "/leave", {}),
        _post("back", api + "/back", {}),
        _post("instructions, unknown", api + "/instructions", [{"decision": "peep", "rules": [], "otherwise": "x"}]),
        _post("instructions, none", api + "/instructions", []),
        _post("instruct, unfit", api + "/instruct", {"decision": "peep", "answer": "x"}),
        _post("instruct by a forged form", f"/t/{slug}/instruct", b"decision=bid&answer=pass"),
        _post("claim", api + "/claim", {"name": "Eve"}),
        _post("report", api + "/report", {"text": "I saw something."}),
        _post("epilogue", api + "/aside", {"epilogue": "Now?"}),
        _post("replace a paragraph", api + "/aside", {"replace": 1}),
        _post("aside of no kind", api + "/aside", {"nonsense": 1}),
        _post("replace a chair", api + "/replace", {"seat": 0}),
    ]
    if not host:
        found += [_post("fill", api + "/fill", {"seat": 0}), _post("adopt", api + "/adopt", {"end": True})]
    return found


def _actions(slug: str, play: Play, codes: Sequence[int], ids: Sequence[str], rng: random.Random) -> list[Request]:
    """Acting, whether the rules allow it or not, in time or not, on one's own seat or not, well written or not."""
    act, why, here = f"/api/tables/{slug}/act", f"/t/{slug}/why", {"ply": play.ply}
    stranger = {"authorization": "Bearer nobody"}
    found = [
        _post("act, stale", act, {"ply": max(0, play.ply - 1), "action": rng.choice(codes)}),
        _post("act, too early", act, {"ply": play.ply + 7, "action": rng.choice(codes)}),
        _post("act for another seat", act, {**here, "action": rng.choice(codes), "seat": 9}),
        _post("act for one's own or another's seat", act, {**here, "action": rng.choice(codes), "seat": 1}),
        _post("act as a stranger", act, {**here, "action": rng.choice(codes)}, stranger),
        _post("act without an action", act, here),
        _post("act in no words", act, b'{"ply": '),
        _post("act with too many words", act, {**here, "action": rng.choice(codes), "text": "x" * 9_000}),
        _post("act that is none", act, {**here, "action": "show:hands"}),
    ]
    for n, code in enumerate(rng.sample(codes, min(8, len(codes)))):
        found.append(_post(f"act {n}", act, {**here, "action": code, "text": rng.choice(["", "No."]), "part": n % 2}))
    for n, id_ in enumerate(rng.sample(ids, min(5, len(ids)))):
        found.append(_post(f"act {n} by name", act, {**here, "action": id_}))
        found.append(_post(f"why {n}", why, {"action": id_}))
    return found
