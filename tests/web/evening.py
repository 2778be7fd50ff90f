"""An evening at a table: people who play at random, take back, vote, pause, leave orders and chairs, and come back.

Time stands still while nobody lets it pass, and nothing happens by itself: no timer rings, and bots answer at once.
"""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from typing import Any

from parlour.kernel import SealedDice, State
from parlour.table.live import Table
from parlour.table.play import Play
from parlour.table.timeline import Step
from tests.table.places import Clock
from tests.web.asgi import Answer, Wire
from tests.web.channels import Look, Plan
from tests.web.places import Site, site_at
from tests.web.worlds import Hidden, Secrets, Told, differences, otherwise, said_unasked

NAMES = ("Ada", "Bob", "Cleo", "Dan")
SAYINGS = ("", "", "And then: [card]. <b>Truly</b>.", "A word.")


@dataclass(frozen=True)
class Subject:
    """A game, and what of it is to be kept secret."""

    game: str
    options: Sequence[dict[str, Any]]
    players: Sequence[int]
    secrets: Secrets
    ids: Sequence[str]
    worded: bool = False  # words may go with an action


@contextmanager
def standing_still(clock: Clock) -> Iterator[None]:
    """All the program's clocks show one time."""
    real = time.time
    time.time = clock
    try:
        yield
    finally:
        time.time = real


@asynccontextmanager
async def house_of_secrets(url: str) -> AsyncIterator[tuple[Site, Clock]]:
    """The app, with a clock that is set by hand and nothing that happens by itself."""
    clock = Clock()
    with standing_still(clock):
        async with site_at(url) as site:
            site.house.now = clock
            site.house.set_timer = lambda *_: None  # type: ignore[method-assign]
            site.house.bot_pause = lambda play: 0.0  # type: ignore[method-assign]
            yield site, clock


@dataclass
class Evening:
    """One game at one table."""

    site: Site
    clock: Clock
    wire: Wire
    subject: Subject
    table: Table
    looks: list[Look]
    secrets: list[str]  # of the seats
    rng: random.Random
    hidden: dict[int | None, Hidden] = field(default_factory=dict)
    before: tuple[Step, State] | None = None  # the last step but one, and the position after it

    @classmethod
    async def begin(cls, site: Site, clock: Clock, subject: Subject, rng: random.Random) -> Evening:
        """A table with people on every seat, all of whom have the page open."""
        players, options = rng.choice(subject.players), rng.choice(subject.options)
        made = await site.open(
            game=subject.game, options=options, seats=["me"] + ["open"] * (players - 1), name=NAMES[0]
        )
        table = site.house.tables[made["slug"]]
        dice = SealedDice(rng.randbytes(32))  # the same game again for the same seed
        table.seed, table.commitment = dice.seed, dice.commitment
        secrets = [made["secret"]]
        for name in NAMES[1:players]:
            answer = await site.client.post(f"/api/tables/{table.slug}/claim", json={"name": name})
            secrets.append(answer.json()["secret"])
        table.present.update(dict.fromkeys(range(players), 1))
        looks = [Look.of(table, None)]
        looks += [Look.of(table, n, secret, "" if n else made["host_secret"]) for n, secret in enumerate(secrets)]
        evening = cls(site, clock, Wire(site.served), subject, table, looks, secrets, rng)
        evening.hidden = {look.seat: Hidden(look.seat, subject.secrets, rng) for look in looks}
        return evening

    @property
    def play(self) -> Play:
        """What is being played."""
        assert self.table.play is not None
        return self.table.play

    # --- comparing ------------------------------------------------------------------------------------------------

    async def leaks(self, all_of_it: bool = False) -> list[str]:
        """What tells any viewer, here and now, something that he may not know: channels, with the words that do."""
        found = self.told_too_much()
        for look in self.looks:
            plan = look.plan(self.rng, list(self.subject.secrets.codes), self.subject.ids, all_of_it)
            true = await look.told(self.wire, self.site.house, plan)
            after = dict(self.table.shown)
            with otherwise(self.table, self.hidden[look.seat], plan.past, self.rng):
                other = await look.told(self.wire, self.site.house, plan)
            self.table.shown.clear()
            self.table.shown.update(after)
            look.remember()
            found += [f"seat {look.seat}, {said}" for said in differences(true, other)]
        self.table.memory.clear()
        self.table.lines.clear()
        self.table.choices.clear()
        return found

    async def everything(self, look: Look) -> Told:
        """All that this viewer can be told, as things are."""
        return await look.told(self.wire, self.site.house, self.plan_of_everything(look))

    def plan_of_everything(self, look: Look) -> Plan:
        """All that this viewer can ask for now."""
        return look.plan(self.rng, list(self.subject.secrets.codes), self.subject.ids, all_of_it=True)

    def told_too_much(self) -> list[str]:
        """The events of the last step, where it was played on from the position that is known before it."""
        step = self.play.step
        if self.before is None or step is None or step.parent is not self.before[0]:
            return []
        found = []
        for look in self.looks:
            said = said_unasked(self.before[1], step, self.hidden[look.seat].viewer, self.rng)
            found += [f"seat {look.seat}, event: {said}"] if said else []
        return found

    # --- playing --------------------------------------------------------------------------------------------------

    async def go_on(self) -> None:
        """Something happens at the table: mostly a move."""
        play, rng = self.play, self.rng
        if play.over:
            return
        if play.state is not None and play.step is not None:
            self.before = play.step, play.state
        if play.paused is not None:
            await self.wish(rng.randrange(play.players), "resume")
        elif play.question is not None:
            await self._answer_the_question()
        else:
            chance = rng.random()
            if chance < 0.86:
                await self.move()
            elif chance < 0.91:
                await self.wish(rng.randrange(play.players), "undo", {"ply": play.ply})
            elif chance < 0.94:
                await self.wish(rng.randrange(play.players), "redo", {"ply": play.ply})
            else:
                await self._something_else(rng.randrange(play.players))
        while self.table.pending_bots:
            await asyncio.sleep(0)

    async def move(self) -> None:
        """Somebody who is asked acts; where nobody is, time passes."""
        play, rng = self.play, self.rng
        wanting = [seat for seat in play.asked() if play.wants(seat) and not play.played_by_bot(seat)]
        if not wanting or rng.random() < 0.01:
            self.clock.pass_(60)
            await self.site.house.tick(self.table)
            return
        seat = rng.choice(wanting)
        legal = play.position_for(seat).legal_actions(seat)
        code = 0 if 0 in legal and play.in_window and rng.random() < 0.5 else rng.choice(legal)
        words = {"text": rng.choice(SAYINGS)} if self.subject.worded else {}
        others = [other for other in (None, *range(play.players)) if other != seat]
        versions = [self.table.version_for(other) for other in others]
        answer = await self.wish(seat, "act", {"ply": play.ply, "action": code, **words})
        assert 200 == answer.status, answer.body
        if b'"held"' in answer.body:  # N4: whoever answers in a window wakes nobody else
            assert versions == [self.table.version_for(other) for other in others]

    async def _answer_the_question(self) -> None:
        question, rng = self.play.question, self.rng
        assert question is not None
        waiting = [seat for seat in question.electors if seat not in question.agreed]
        if not waiting or rng.random() < 0.1:
            await self.wish(question.by, "withdraw")
        else:
            await self.wish(rng.choice(waiting), "vote", {"agree": rng.random() < 0.8})

    async def _something_else(self, seat: int) -> None:
        rng = self.rng
        window, answers = rng.choice(list(self.subject.secrets.orders.items()))
        wishes: list[tuple[str, object]] = [
            ("talk", {"text": "I hold nothing at all."}),
            ("pause", {}),
            ("back" if seat in self.play.away else "leave", {}),
            ("instruct", {"decision": window, "answer": rng.choice(answers)}),
            ("instruct", {"decision": window}),
        ]
        verb, body = rng.choice(wishes)
        answer = await self.wish(seat, verb, body)
        assert 200 == answer.status, answer.body

    async def wish(self, seat: int, verb: str, body: object = None) -> Answer:
        path, headers = f"/api/tables/{self.table.slug}/{verb}", self.looks[1 + seat].headers
        sent = json.dumps({} if body is None else body).encode()
        answer = await self.wire.ask("POST", path, {**headers, "content-type": "application/json"}, sent)
        assert answer.status < 500, answer.body
        return answer


async def compared(url: str, subject: Subject, seed: int, positions: int, most_steps: int = 3) -> int:
    """Compare the two worlds of every viewer at so many positions of as many games as that takes."""
    rng, done = random.Random(seed), 0
    async with house_of_secrets(url) as (site, clock):
        while done < positions:
            evening = await Evening.begin(site, clock, subject, rng)
            while done < positions:
                found = await evening.leaks()
                assert not found, f"at position {done} of seed {seed}:\n" + "\n".join(found)
                done += 1
                if evening.play.over:
                    break
                for _ in range(rng.randint(1, most_steps)):
                    await evening.go_on()
            site.house.tables.pop(evening.table.slug, None)
    return done
