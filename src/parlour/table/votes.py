"""Undo, redo and pausing: what may be done at once, what must be asked, and what the question says.

An undo is free while the last step is one's own, told nobody anything and drew on no chance. Otherwise the other people
vote; bots agree, but not for somebody who is away and would lose by it. It is an entry of the log either way, and redo
puts back the very same positions.
"""

from __future__ import annotations

from collections.abc import Sequence

from parlour.kernel import EVERYONE
from parlour.table.course import Course
from parlour.table.entries import Entry, Kind
from parlour.table.problems import Conflict, Stale
from parlour.table.timeline import Note, Question, Step, position_after

VOTE_SECONDS = 120.0
"""A question that nobody has answered lapses after this long."""


class Votes(Course):
    """The part of a play that is about taking back and agreeing."""

    # --- what could be taken back -------------------------------------------------------------------------------

    def undo_depth(self, seat: int) -> int:
        """How many steps back this seat's last move lies, itself included; 0 if there is none."""
        count, step = 0, self.step
        while step is not None and step.parent is not None:
            count += 1
            if seat in step.movers():
                return count
            step = step.parent
        return 0

    def undo_is_free(self, seat: int) -> bool:
        """N5: the last step is the seat's own, told nobody anything, and drew on no chance.

        Never while sealed answers are being given: that it is free no more would tell that somebody has answered.
        """
        return self.step is not None and not self.in_window and self._free(self.step, seat)

    def redo_is_free(self, seat: int) -> bool:
        """Whether what redo would put back is the seat's own and tells nothing."""
        return bool(self.undone) and self._free(self.undone[-1], seat)

    @staticmethod
    def _free(step: Step, seat: int) -> bool:
        return step.parent is not None and step.movers() == {seat} and not step.told

    def words_of(self, step: Step) -> str:
        """A step in words that everybody may read: its public events, never the action itself."""
        if step.sealed:
            return "the answers that came out together"
        for event in step.events:
            if event.seen == EVERYONE:
                said = self.game.words(event, self.names)
                if said:
                    return said.rstrip(".")
        return "a move by " + " and ".join(self.names[seat] for seat in sorted(step.movers()))

    def seen_since(self, steps: list[Step]) -> list[str]:
        """What has become known by these steps and cannot be unseen, in words that everybody may read."""
        seen: list[str] = []
        private: set[int] = set()
        for step in steps:
            for event in step.events:
                if not event.reveals:
                    continue
                if event.seen == EVERYONE:
                    said = self.game.words(event, self.names)
                    if said:
                        seen.append(said)
                else:
                    private |= {seat for seat in range(self.players) if event.visible_to(seat)}
        seen += [
            f"{self.names[seat]} has seen something that only {self.names[seat]} knows." for seat in sorted(private)
        ]
        if any(step.chance for step in steps):
            seen.append("Chance has been used: the same draws will come again, in the same order.")
        return seen

    def back(self, count: int) -> list[Step]:
        """The last `count` steps, the newest first."""
        steps: list[Step] = []
        step = self.step
        while step is not None and step.parent is not None and len(steps) < count:
            steps.append(step)
            step = step.parent
        return steps

    # --- asking -------------------------------------------------------------------------------------------------

    def electors(self, seat: int, steps: Sequence[Step] = ()) -> list[int]:
        """The other people whose word it takes. Bots agree; so do bots that sit in, to taking back `steps` that were
        made since and have told nobody anything: for all else the person they sit in for has to be asked.
        """
        others = [other for other in sorted(self.people) if other != seat]
        return [other for other in others if other not in self.away or self._must_be_asked(other, steps)]

    def _must_be_asked(self, seat: int, steps: Sequence[Step]) -> bool:
        if not steps:
            return False
        since = self.away_since.get(seat, 0)
        return any(step.told for step in steps) or any(note.step is steps[-1] for note in self.notes[:since])

    def prepare_undo(self, seat: int, ply: int, now: float) -> Entry:
        """The entry that takes back, or asks to. In a window it takes back one's own sealed answer."""
        self._check_open(ply)
        if self.in_window and self.answers.get(seat):
            return Entry(self.seq + 1, Kind.RETRACT, seat, 0, now)
        if self.undo_is_free(seat):
            return Entry(self.seq + 1, Kind.UNDO, seat, 1, now)
        count = self.undo_depth(seat)
        if count == 0:
            raise Conflict("You have not moved yet: there is nothing of yours to take back.")
        return self._undo_or_ask("undo", Kind.UNDO, seat, count, now)

    def prepare_redo(self, seat: int, ply: int, now: float) -> Entry:
        """The entry that puts back what was taken back last, or asks to."""
        self._check_open(ply)
        if not self.undone:
            raise Conflict("Nothing has been taken back that could be put back.")
        if self.redo_is_free(seat):
            return Entry(self.seq + 1, Kind.REDO, seat, 1, now)
        return self._undo_or_ask("redo", Kind.REDO, seat, 1, now)

    def _undo_or_ask(self, name: str, kind: Kind, seat: int, count: int, now: float) -> Entry:
        if self.question is not None:
            raise Conflict("Another question is before the table; let it be answered first.")
        asked = self.electors(seat, self.back(count) if name == "undo" else ())
        away = [self.names[other] for other in asked if other in self.away]
        if away:
            raise Conflict(
                f"{' and '.join(away)} would have to agree and {'is' if len(away) == 1 else 'are'} not here: "
                "it can be taken back when all are at the table again."
            )
        if not asked:
            return Entry(self.seq + 1, kind, seat, count, now)
        return Entry(self.seq + 1, Kind.ASK, seat, count, now, name)

    def _check_open(self, ply: int) -> None:
        if self.state is None:
            raise Conflict("The game has not begun.")
        if self.over:
            raise Conflict("The game is over, and its shuffles are open: nothing can be taken back any more.")
        if ply != self.ply:
            raise Stale("The table has moved on since then: look again.")
        if self.paused is not None:
            raise Conflict("The table is paused.")

    def prepare_pause(self, seat: int, now: float) -> Entry:
        """The entry that pauses the table, or asks to."""
        if self.state is None or self.over:
            raise Conflict("There is no game going on that could be paused.")
        if self.paused is not None:
            raise Conflict("The table is paused already.")
        if self.question is not None:
            raise Conflict("Another question is before the table; let it be answered first.")
        if not self.electors(seat):
            return Entry(self.seq + 1, Kind.PAUSE, seat, 0, now)
        return Entry(self.seq + 1, Kind.ASK, seat, 0, now, "pause")

    def prepare_resume(self, seat: int, now: float) -> Entry:
        """The entry that ends a pause."""
        if self.paused is None:
            raise Conflict("The table is not paused.")
        return Entry(self.seq + 1, Kind.RESUME, seat, 0, now)

    def prepare_vote(self, seat: int, agree: bool, now: float) -> Entry:
        """A word on the question before the table."""
        if self.question is None:
            raise Conflict("There is no question before the table.")
        if seat == self.question.by:
            if agree:
                raise Conflict("It is your own question; the others answer it.")
        elif seat not in self.question.electors:
            raise Conflict("The question was not put to you.")
        return Entry(self.seq + 1, Kind.VOTE, seat, int(agree), now)

    def prepare_outcome(self, now: float) -> Entry | None:
        """What follows from the question as it stands: its wish when it is carried, its end when its time is up."""
        question = self.question
        if question is None:
            return None
        if question.carried:
            kinds = {"undo": Kind.UNDO, "redo": Kind.REDO, "pause": Kind.PAUSE}
            return Entry(self.seq + 1, kinds[question.kind], question.by, question.steps, now)
        if now >= question.at + VOTE_SECONDS:
            return Entry(self.seq + 1, Kind.VOTE, -1, 0, now)
        return None

    def question_due(self) -> float | None:
        """When the question before the table comes to something by itself."""
        if self.question is None:
            return None
        return 0.0 if self.question.carried else self.question.at + VOTE_SECONDS

    # --- folding ------------------------------------------------------------------------------------------------

    def _accept_vote(self, entry: Entry) -> None:
        if entry.kind == Kind.UNDO:
            self._undo(entry)
        elif entry.kind == Kind.REDO:
            self._redo(entry)
        elif entry.kind == Kind.ASK:
            question = self.question = self._put(entry)
            self._note_vote(entry, f"{self.names[entry.seat]} asks: {question.words}")
        elif entry.kind == Kind.VOTE and self.question is not None:
            if entry.action:
                self.question.agreed.add(entry.seat)
                self._note_vote(entry, f"{self.names[entry.seat]} agrees.")
            elif entry.seat == self.question.by:
                self.question = None
                self._note_vote(entry, f"{self.names[entry.seat]} withdraws the question.")
            else:
                self.question = None
                said = f"{self.names[entry.seat]} would rather not." if entry.seat >= 0 else "The question has lapsed."
                self._note_vote(entry, said)

    def _put(self, entry: Entry) -> Question:
        name, count = entry.text or "undo", entry.action
        seen: list[str] = []
        steps: list[Step] = []
        if name == "undo":
            steps = self.back(count)
            seen = self.seen_since(steps)
            words = f"may this be taken back: {self.words_of(steps[-1])}"
            if len(steps) > 1:
                words += f" — and {len(steps) - 1} later move{'s' if len(steps) > 2 else ''}"
            words += "?"
        elif name == "redo":
            words = f"may this be put back: {self.words_of(self.undone[-1])}?"
        else:
            words = "shall the table pause?"
        return Question(name, entry.seat, count, entry.at, words, seen, self.electors(entry.seat, steps))

    def _undo(self, entry: Entry) -> None:
        steps = self.back(entry.action)
        words = self.words_of(steps[-1])
        again = " The draws that were used will come again as they were." if any(s.chance for s in steps) else ""
        target = steps[-1].parent
        assert target is not None
        self.undone.extend(steps)
        self.move_to(target, position_after(target), Kind.UNDO, entry.at)
        text = f"{self.names[entry.seat]} takes back: {words}.{again}"
        self.notes.append(Note(self.ply, entry.at, "undo", entry.seat, text=text))

    def _redo(self, entry: Entry) -> None:
        for _ in range(entry.action):
            step = self.undone.pop()
        text = f"{self.names[entry.seat]} puts back: {self.words_of(step)}."
        self.move_to(step, position_after(step), Kind.REDO, entry.at)
        self.notes.append(Note(self.ply, entry.at, "redo", entry.seat, text=text))

    def _note_vote(self, entry: Entry, text: str) -> None:
        self.notes.append(Note(self.ply, entry.at, "table", entry.seat, text=text))

    def lapse_if_pointless(self) -> None:
        """Somebody who was asked has left: the bot that sits in agrees, where it may."""
        if self.question is not None:
            steps = self.back(self.question.steps) if self.question.kind == "undo" else []
            needed = [s for s in self.question.electors if s not in self.away or self._must_be_asked(s, steps)]
            self.question.electors = needed
