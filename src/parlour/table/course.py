"""The course of a table: where it stands, what is asked of whom, and whose clock runs. What votes and play rest on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from parlour.kernel import Game, State, has, members
from parlour.kernel.keepsake import Aside
from parlour.table.clock import ClockRule, Downtimes, SeatClock
from parlour.table.instructions import Instruction
from parlour.table.timeline import Note, Question, Step

ABSENT = "absent"
"""Why a chair is away: its person let time run out too often. Nobody sits in; the table answers as for a time-out."""


class Course:
    """The state of a table's play, without the ways to change it."""

    def __init__(
        self,
        game: Game,
        players: int,
        options: Mapping[str, Any],
        seed: bytes,
        clock: ClockRule,
        people: frozenset[int],
        names: list[str],
        down: Downtimes,
    ) -> None:
        self.game, self.players, self.options, self.seed = game, players, options, seed
        self.rule, self.people, self.names, self.down = clock, people, names, down
        self.seq = 0
        self.ply = 0
        self.state: State | None = None
        self.step: Step | None = None
        self.before: State | None = None  # the position in which the last step was chosen, where it is at hand
        self.timeline: list[
            tuple[Step, int]
        ] = []  # index: ply; the position then, and the kind of entry that led there
        self.undone: list[Step] = []  # what redo would put back, the next one last
        self.notes: list[Note] = []
        self.opened = 0.0  # when the present decision opened
        self.shift = 0.0  # by how much pauses have moved the window's times
        self.asked_since: dict[int, int] = {}  # seat -> ply since which it is asked its present decision
        self.answers: dict[int, list[tuple[int, str | None]]] = {}
        self.private: dict[int, State] = {}  # what a seat in a window sees: the position with its own answers applied
        self.instructions: dict[int, list[Instruction]] = {}
        self.away: dict[int, str] = {}  # seat -> why a bot sits in
        self.away_since: dict[int, int] = {}  # seat -> how many notes there were then
        self.missed: dict[int, tuple[int, int]] = {}  # seat that is back -> the notes it missed; until it moves again
        self.lapses = [0] * players  # time-outs in a row
        self.voice = 0  # the first_voice window that `answers` belong to
        self.left_at: float | None = None  # since when that window stands, while something else is settled first
        self.asides: list[Aside] = []
        self.paused: float | None = None
        self.question: Question | None = None
        self.clocks = [SeatClock(clock.bank or 0.0) for _ in range(players)]

    # --- what is the case ---------------------------------------------------------------------------------------

    @property
    def over(self) -> bool:
        """Whether the game has ended."""
        return self.state is not None and self.state.is_over

    @property
    def in_window(self) -> bool:
        """Whether answers are being given that nobody may see, or of which the first voice counts."""
        return self.state is not None and (self.state.sealed() or self.hears_voices) and not self.state.is_over

    @property
    def hears_voices(self) -> bool:
        """Whether the first voice counts in the window that is open: it is heard at once, and passes by nobody."""
        return self.state is not None and self.state.first_voice() != 0

    def position_for(self, seat: int | None) -> State:
        """The position that a viewer looks at: in a window, with his own answers in it."""
        assert self.state is not None
        return self.state if seat is None else self.private.get(seat, self.state)

    def asked(self) -> list[int]:
        """The seats that the table waits for; in a window all that were asked, whether they have answered or not."""
        return [] if self.state is None else members(self.state.actors())

    def wants(self, seat: int) -> bool:
        """Whether this seat has something to choose at this moment."""
        if self.state is None or self.paused is not None:
            return False
        if not self.in_window:
            return has(self.state.actors(), seat)
        return has(self.state.actors(), seat) and not self.complete(seat)

    def may_speak(self, seat: int) -> bool:
        """Whether this seat may act: it is asked, or it has only passed in a window where the first voice counts."""
        if self.state is None or self.paused is not None:
            return False
        return self.wants(seat) or (self.hears_voices and has(self.state.actors(), seat))

    def complete(self, seat: int) -> bool:
        """Whether a seat's answer in the present window is whole."""
        if seat not in self.answers:
            return False
        mine = self.private.get(seat)
        return mine is None or not has(mine.actors(), seat)

    def instruction(self, seat: int) -> Instruction | None:
        """The seat's standing instruction for what it is asked now."""
        assert self.state is not None
        decision = self.state.decision(seat)
        return next((one for one in self.instructions.get(seat, ()) if one.decision == decision), None)

    def played_by_bot(self, seat: int) -> bool:
        """Whether a bot moves for this seat now."""
        return seat not in self.people or self.away.get(seat, ABSENT) != ABSENT

    def absent(self, seat: int) -> bool:
        """Whether nobody is in the chair, not even a bot: the table gives the answers of a time-out for it."""
        return self.away.get(seat) == ABSENT

    # --- opening a decision -------------------------------------------------------------------------------------

    def move_to(self, step: Step, state: State, kind: int, at: float) -> None:
        """Make an earlier or put-back position the present one."""
        self.step, self.state, self.before = step, state, None
        self.ply += 1
        self.timeline.append((step, kind))
        self.open_decision(at, set(range(self.players)))

    def open_decision(self, at: float, moved: set[int]) -> None:
        """A decision opens: clocks, windows and votes begin anew. `moved` are those whose own decision is made."""
        assert self.state is not None
        voice = self.state.first_voice()
        same = self.voice != 0 and voice == self.voice
        if same:
            # the same window goes on; while something else was settled, its clock stood
            self.shift += 0.0 if self.left_at is None else at - self.left_at
            self.left_at = None
            self._show_answers()
        elif self.voice and not voice and not self.state.is_over and self.step is not None and self.answers_wait():
            self.left_at = at if self.left_at is None else self.left_at
            self._show_answers()
        else:
            self.opened, self.shift, self.voice, self.left_at = at, 0.0, voice, None
            self.answers.clear()
            self.private.clear()
        self.question = None
        actors, window = self.state.actors(), self.in_window
        timed = self.rule.kind != "none"
        for seat in range(self.players):
            if not has(actors, seat):
                self.asked_since.pop(seat, None)
                if timed:
                    self.clocks[seat].settle(at, self.down)
                continue
            goes_on = seat in self.asked_since and seat not in moved and (same or not window)
            if not goes_on:
                self.asked_since[seat] = self.ply
            if timed and not goes_on:
                self.clocks[seat].settle(at, self.down)
                if not window and not self.played_by_bot(seat):
                    self.clocks[seat].ask(at, self.allowance(seat))

    def _show_answers(self) -> None:
        """The window goes on in another position: whoever has answered sees that one, with his own answers in it."""
        assert self.state is not None
        self.private.clear()
        asked = self.asked()
        if len(asked) < 2:  # as in a window of one: his answer would resolve it
            return
        for seat, given in self.answers.items():
            if seat in asked:
                work = self.state.clone()
                for code, _ in given:
                    work.apply(seat, code)
                self.private[seat] = work

    def answers_wait(self) -> bool:
        """Whether the first_voice window is only interrupted: what is asked now was asked in the middle of it."""
        return self.state is not None and self.state.voice_waits()

    def allowance(self, seat: int) -> float:
        """How many seconds this decision has of its own."""
        assert self.state is not None
        etiquette = self.game.etiquette
        if self.absent(seat) and not self.in_window:
            return etiquette.absent_seconds
        move = self.rule.move or 0.0
        if self.rule.kind == "live":
            decision = self.state.decision(seat)
            return self.rule.seconds.get(decision, etiquette.seconds.get(decision, move))
        return move
