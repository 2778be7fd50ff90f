"""The clients: a process that opens tables, plays at random on every seat, or only watches, and prints what it saw."""

from __future__ import annotations

import asyncio
import random
import sys
import time
from contextlib import suppress
from typing import Any

import msgspec

from parlour.web.bench.wire import Line, events


class Plan(msgspec.Struct):
    """What the clients are to do."""

    host: str
    ports: list[int]  # of the workers: the two seats of a table use different ones where there are several
    tables: int
    seconds: float
    game: str = "prowlers"
    think: float = 0.0
    watchers: int = 0
    warm: float = 1.0
    streams: bool = True


class Seen(msgspec.Struct):
    """What they saw. Times in milliseconds."""

    actions: int = 0
    seconds: float = 0.0
    ack: list[float] = []
    other: list[float] = []
    watched: list[float] = []
    games: int = 0
    refused: int = 0
    doubled: int = 0
    lost: int = 0
    cpu: float = 0.0


class _Code(msgspec.Struct):
    code: int


class _View(msgspec.Struct):
    ply: int
    status: str
    choices: list[_Code] = []


_view = msgspec.json.Decoder(_View)


class Copy:
    """A seat's view as its stream tells it: whole, and then patch by patch."""

    def __init__(self) -> None:
        self.whole: dict[str, Any] = {}

    def take(self, message: bytes) -> _View | None:
        """The view after a message; None after one that is no news."""
        kind, _, data = message.partition(b"\ndata: ")
        if kind.endswith(b"event: table"):
            self.whole = msgspec.json.decode(data)
        elif kind.endswith(b"event: patch"):
            for operation in msgspec.json.decode(data)["patch"]:
                _apply(self.whole, operation)
        else:
            return None
        return msgspec.convert(self.whole, _View)


def _apply(whole: Any, operation: dict[str, Any]) -> None:
    """One operation of a JSON Patch: add, replace or remove."""
    *way, last = [step.replace("~1", "/").replace("~0", "~") for step in operation["path"].split("/")[1:]]
    at = whole
    for step in way:
        at = at[int(step) if isinstance(at, list) else step]
    if isinstance(at, dict):
        if operation["op"] == "remove":
            del at[last]
        else:
            at[last] = operation["value"]
    elif operation["op"] == "remove":
        del at[int(last)]
    elif operation["op"] == "replace":
        at[int(last)] = operation["value"]
    else:
        at.insert(len(at) if last == "-" else int(last), operation["value"])


class Match:
    """One table and the random players on its seats."""

    def __init__(self, load: Load, number: int) -> None:
        self.load = load
        self.rng = random.Random(number)  # noqa: S311 - a load, not a secret
        ports = load.plan.ports
        self.ports = [ports[(number + seat) % len(ports)] for seat in range(2)]
        self.lines = [Line(load.plan.host, port) for port in self.ports]
        self.moved = self.sent_at = 0.0
        self.sent_ply = self.mover = -1
        self.slug = ""
        self.acked: dict[int, int] = {}

    async def play(self) -> None:
        """Game after game, until the time is up."""
        while not self.load.over:
            await self._one_game()
            self.load.seen.games += 1

    async def _one_game(self) -> None:
        plan = self.load.plan
        _, body = await self.lines[0].ask("POST", "/api/tables", {"game": plan.game, "seats": ["me", "open"]})
        opened = msgspec.json.decode(body)
        self.slug = opened["slug"]
        _, body = await self.lines[1].ask("POST", f"/api/tables/{self.slug}/claim", {"name": "Bob"})
        self.secrets = [opened["secret"], msgspec.json.decode(body)["secret"]]
        self.sent_ply, self.acked = -1, {}
        if plan.streams:
            done = asyncio.Event()
            seats = [asyncio.create_task(self._sit(seat, done)) for seat in range(2)]
            ends = [asyncio.create_task(done.wait()), asyncio.create_task(self.load.end.wait())]
            await asyncio.wait([*ends, *seats], return_when=asyncio.FIRST_COMPLETED)
            for task in (*seats, *ends):
                task.cancel()
            for outcome in await asyncio.gather(*seats, return_exceptions=True):
                if isinstance(outcome, Exception):
                    raise outcome
        else:
            await self._poll()

    async def _sit(self, seat: int, done: asyncio.Event) -> None:
        plan = self.load.plan
        path, copy = f"/api/tables/{self.slug}/events?patch=1", Copy()
        with suppress(ConnectionError, asyncio.IncompleteReadError):
            async for message in events(plan.host, self.ports[seat], path, self.secrets[seat]):
                view = copy.take(message)
                if view is None:
                    continue
                if seat != self.mover and self.sent_ply >= 0 and view.ply == self.sent_ply + 1 and self.moved:
                    self.load.note_other(time.perf_counter() - self.moved)
                    self.moved = 0.0
                if view.status == "over":
                    done.set()
                    return
                if view.choices and view.ply > self.sent_ply and not self.load.over:
                    await self._act(seat, view)

    async def _act(self, seat: int, view: _View) -> None:
        think = self.load.plan.think
        if think:
            await asyncio.sleep(self.rng.random() * 2 * think)
            if self.load.over:
                return
        self.sent_ply, self.mover = view.ply, seat
        code = self.rng.choice(view.choices).code
        self.moved = self.sent_at = began = time.perf_counter()
        path = f"/api/tables/{self.slug}/act"
        status, body = await self.lines[seat].ask("POST", path, {"ply": view.ply, "action": code}, self.secrets[seat])
        self.load.note_ack(time.perf_counter() - began, status)
        if status == 200:
            after = msgspec.json.decode(body)["ply"]
            self.load.seen.doubled += after in self.acked
            self.acked[after] = code

    async def _poll(self) -> None:
        """Without streams: each player asks for his view and acts."""
        seat = 0
        while not self.load.over:
            _, body = await self.lines[seat].ask("GET", f"/api/tables/{self.slug}", None, self.secrets[seat])
            view = _view.decode(body)
            if view.status == "over":
                return
            if view.choices:
                await self._act(seat, view)
            else:
                seat = 1 - seat


class Load:
    """All the clients of one run."""

    def __init__(self, plan: Plan) -> None:
        self.plan = plan
        self.seen = Seen()
        self.over = False
        self.counting = False
        self.end = asyncio.Event()
        self.began = 0.0

    def note_ack(self, took: float, status: int) -> None:
        """An answer to an action has come."""
        if status != 200:
            self.seen.refused += 1
        elif self.counting:
            self.seen.actions += 1
            self.seen.ack.append(took * 1000)

    def note_other(self, took: float) -> None:
        """The other seat has seen the move."""
        if self.counting:
            self.seen.other.append(took * 1000)

    async def run(self) -> Seen:
        """Play for the planned time."""
        plan = self.plan
        matches = [Match(self, number) for number in range(plan.tables)]
        tasks = [asyncio.create_task(match.play()) for match in matches]
        watching: list[asyncio.Task[None]] = []
        while not all(match.acked for match in matches):  # every table is open, and its first move is made
            await asyncio.sleep(0.05)
            for task in tasks:
                if task.done():
                    task.result()
        if plan.watchers:
            for number in range(plan.watchers):
                watching.append(asyncio.create_task(self._watch(matches[number % plan.tables])))
                if number % 50 == 49:
                    await asyncio.sleep(0.05)
        await asyncio.sleep(plan.warm)
        print("begin", flush=True)  # noqa: T201 - tells the parent to read the server's clock
        sys.stdin.readline()
        self.counting, self.began, cpu = True, time.perf_counter(), time.process_time()
        await asyncio.sleep(plan.seconds)
        self.counting = False
        self.seen.seconds = time.perf_counter() - self.began
        self.seen.cpu = time.process_time() - cpu
        print("end", flush=True)  # noqa: T201
        sys.stdin.readline()
        self.over = True
        self.end.set()
        _, late = await asyncio.wait(tasks, timeout=15)
        for task in [*late, *watching]:
            task.cancel()
        for task in tasks:
            if task.done() and not task.cancelled() and task.exception() is not None:
                raise task.exception()  # type: ignore[misc]
        for match in matches:
            await self._check(match)
        return self.seen

    async def _check(self, match: Match) -> None:
        """No acknowledged action may be missing: the table must have come at least as far as its last one."""
        if match.acked:
            match.lines[0].close()
            path = f"/api/tables/{match.slug}"
            status, body = await match.lines[0].ask("GET", path, None, match.secrets[0])
            self.seen.lost += status != 200 or _view.decode(body).ply < max(match.acked)
        for line in match.lines:
            line.close()

    async def _watch(self, match: Match) -> None:
        plan = self.plan
        while not self.over:
            slug = match.slug
            with suppress(ConnectionError, asyncio.IncompleteReadError):
                async for message in events(plan.host, match.ports[0], f"/api/tables/{slug}/events", packed=False):
                    at = message.find(b"\ndata: ")
                    if at < 0 or b"event: table" not in message:
                        continue
                    view = _view.decode(message[at + 7 :])
                    if self.counting and slug == match.slug and view.ply == match.sent_ply + 1:
                        self.seen.watched.append((time.perf_counter() - match.sent_at) * 1000)
                    if view.status == "over" or slug != match.slug:
                        break
            await asyncio.sleep(0.2)


def main(argument: str) -> None:
    """Run a plan given as JSON; print what was seen as JSON on the last line."""
    import uvloop

    plan = msgspec.json.decode(argument, type=Plan)

    async def work() -> Seen:
        return await Load(plan).run()

    seen = uvloop.run(work())
    print(msgspec.json.encode(seen).decode(), flush=True)  # noqa: T201


if __name__ == "__main__":
    main(sys.argv[1])
