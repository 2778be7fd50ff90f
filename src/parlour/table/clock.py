"""Clocks: none, live (a time for each decision, then a bank) and days. Nobody pays for time without a server."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from typing import Literal

import msgspec

DAY = 86_400.0
LIVE_MOVE, LIVE_BANK = 45.0, 600.0
LEAST_OWN, MOST_OWN = 5.0, 600.0
"""What the host may set as the time of one decision, in seconds."""
HALF = 0.5


class ClockRule(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a table keeps time. `move` is for each decision, `bank` for the whole game, both in seconds."""

    kind: Literal["none", "live", "days"] = "none"
    move: float | None = None
    bank: float | None = None
    seconds: dict[str, float] = {}  # at a live table: the host's own time for a decision, by name

    def checked(self) -> ClockRule:
        """The rule with its defaults filled in. Raises ValueError with a sentence for times that make no sense."""
        if self.kind == "none":
            return ClockRule()
        move = self.move if self.move is not None else (LIVE_MOVE if self.kind == "live" else 2 * DAY)
        bank = self.bank if self.bank is not None else (LIVE_BANK if self.kind == "live" else 0.0)
        top = 3600.0 if self.kind == "live" else 30 * DAY
        if not 1 <= move <= top:
            raise ValueError(f"The time for a decision is 1 to {top:.0f} seconds at such a table, not {move:g}.")
        if not 0 <= bank <= 30 * DAY:
            raise ValueError(f"The bank of time is 0 to {30 * DAY:.0f} seconds, not {bank:g}.")
        for name, seconds in self.seconds.items():
            if self.kind != "live":
                raise ValueError("Only a live table has a time of its own for each decision.")
            if not LEAST_OWN <= seconds <= MOST_OWN:
                raise ValueError(f"The time for {name} is {LEAST_OWN:.0f} to {MOST_OWN:.0f} seconds, not {seconds:g}.")
        return ClockRule(self.kind, move, bank, self.seconds)


class Downtimes:
    """The times in which no server was up, in order; they may be asked how much of a stretch they cover."""

    def __init__(self, spans: Sequence[tuple[float, float]] = ()) -> None:
        self.spans = sorted(spans)
        self._ends = [until for _, until in self.spans]

    def within(self, since: float, until: float) -> float:
        """Seconds of downtime between two moments."""
        total = 0.0
        for start, end in self.spans[bisect_right(self._ends, since) :]:
            if start >= until:
                break
            total += max(0.0, min(end, until) - max(start, since))
        return total

    def later(self, since: float, seconds: float) -> float:
        """The moment at which so many seconds of up-time have passed."""
        moment = since + seconds
        for start, end in self.spans[bisect_right(self._ends, since) :]:
            if max(start, since) >= moment:
                break
            moment += end - max(start, since)
        return moment


class SeatClock:
    """One seat's clock. It runs from `started` (None: it stands) and has used `used` of the present decision."""

    __slots__ = ("allowance", "bank", "started", "used")

    def __init__(self, bank: float) -> None:
        self.bank = bank
        self.allowance = 0.0
        self.used = 0.0
        self.started: float | None = None

    def ask(self, at: float, allowance: float) -> None:
        """A new decision: its own time begins."""
        self.allowance = allowance
        self.used = 0.0
        self.started = at

    def stand(self, at: float, down: Downtimes) -> None:
        """Stop, keeping what the decision has used."""
        if self.started is not None:
            self.used += max(0.0, at - self.started - down.within(self.started, at))
            self.started = None

    def go_on(self, at: float) -> None:
        """Run again after standing."""
        if self.started is None:
            self.started = at

    def settle(self, at: float, down: Downtimes) -> None:
        """The decision is made: what it took beyond its own time comes out of the bank."""
        self.stand(at, down)
        self.bank = max(0.0, self.bank - max(0.0, self.used - self.allowance))
        self.used = self.allowance = 0.0

    def deadline(self, down: Downtimes) -> float | None:
        """When both the decision's time and the bank are gone; None while the clock stands."""
        if self.started is None:
            return None
        return down.later(self.started, self.allowance + self.bank - self.used)

    def half_time(self, down: Downtimes) -> float | None:
        """When half of all that is left for this decision is gone; None while the clock stands."""
        if self.started is None:
            return None
        return down.later(self.started, (self.allowance + self.bank) * HALF - self.used)
