"""A table being played: what its log says, entry by entry. Without input or output: the same log, the same play.

Changes come in two halves. `prepare_…` checks a wish against the rules and makes the entry for the log; `accept` folds
a committed entry in. What `prepare_…` computed (the position after an action) is handed on: nothing is done twice; an
entry read back from the database is folded without it. If the rules fail, they do so before anything is written.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from parlour.kernel import Event, SealedDice, State, has
from parlour.table.course import ABSENT
from parlour.table.entries import Entry, Kind
from parlour.table.instructions import answer_of, decode
from parlour.table.keepsakes import aside_from
from parlour.table.problems import Conflict, Faulty, Illegal, Stale, Unfit
from parlour.table.timeline import CHECKPOINT_EVERY, Note, Step, position_after
from parlour.table.votes import Votes

WHY_AWAY = {
    "clock": " has run out of time; a computer player sits in.",
    "left": " has left the table; a computer player sits in.",
    "host": " is still away; a computer player sits in.",
    ABSENT: " has let time run out too often and counts as away; the table passes for that chair.",
}
HASH_EVERY = 16
"""So many steps apart the log keeps a position's hash, for the check before a change of the rules."""
FILL_LIMIT = 200
"""Steps that a standing instruction or a time-out may take to complete one seat's answer."""


@dataclass(slots=True)
class Prepared:
    """A change that the rules allow. `done`: it had been made already, nothing is to be written."""

    entry: Entry | None
    step: Step | None = None
    state: State | None = None
    held: bool = False

    @property
    def done(self) -> bool:
        """Whether there is nothing to write."""
        return self.entry is None


class Play(Votes):
    """The fold of a table's log."""

    # --- windows ------------------------------------------------------------------------------------------------

    def window_times(self) -> tuple[float, float | None]:
        """Earliest and latest moment of the close. Neither depends on what anyone holds or has answered."""
        etiquette = self.game.etiquette
        least = etiquette.min_window if self.people else 0.0
        opened = self.opened + self.shift
        latest = None
        if self.rule.kind != "none":
            longest = max((self.allowance(seat) for seat in self.asked()), default=0.0)
            latest = self.down.later(opened, max(least, longest))
        return opened + least, latest

    def window_due(self) -> float | None:
        """When the window is to close as things stand; None while it waits for an answer without a limit."""
        if not self.in_window or self.paused is not None:
            return None
        earliest, latest = self.window_times()
        return latest if self.waited_for() else earliest

    def waited_for(self) -> list[int]:
        """Seats whose answer a window waits for: neither given, nor left as an instruction, nor given by the table."""
        return [
            seat
            for seat in self.asked()
            if not self.complete(seat) and self.instruction(seat) is None and not self.absent(seat)
        ]

    def late_in_window(self) -> list[int]:
        """Seats without an answer whom only a bot can help when time is up."""
        if self.game.etiquette.timeout_action is not None:
            return []
        return self.waited_for()

    def prepare_close(self, now: float) -> Prepared:
        """The close of the present window: missing answers are filled in, then all are applied in seat order."""
        assert self.state is not None
        assert self.in_window
        fills: dict[str, list[int]] = {}
        for seat in self.asked():
            if not self.complete(seat):
                fills[str(seat)] = self._fill(seat)
        step, state = self._advance(self._window_moves(fills), now, sealed=True)
        body = _body(fills=fills, hash=_hash_due(step, state))
        return Prepared(Entry(self.seq + 1, Kind.CLOSE, -1, 0, now, None, body), step, state)

    def _fill(self, seat: int) -> list[int]:
        """The rest of a seat's answer, by its standing instruction, else by the game's answer for a time-out."""
        assert self.state is not None
        alone = len(self.asked()) == 1
        work = self.position_for(seat).clone()
        given: list[int] = []
        while len(given) < FILL_LIMIT:
            order = self.instruction(seat)
            timeout = self.game.etiquette.timeout_action
            if order is not None:
                code = answer_of(order, work, seat)
            elif timeout is not None:
                code = timeout(work, seat)
            else:
                raise Faulty("A window cannot close while somebody's answer is missing.")
            given.append(code)
            if alone:
                return given
            work.apply(seat, code)
            if not has(work.actors(), seat):
                return given
        raise Faulty("An answer did not come to an end.")

    def _window_moves(self, fills: Mapping[str, Sequence[int]]) -> list[tuple[int, int]]:
        moves: list[tuple[int, int]] = []
        for seat in self.asked():
            moves += [(seat, code) for code, _ in self.answers.get(seat, ())]
            moves += [(seat, code) for code in fills.get(str(seat), ())]
        return moves

    # --- acting -------------------------------------------------------------------------------------------------

    def prepare_act(
        self,
        seat: int,
        ply: int,
        action: int | str,
        text: str | None,
        now: float,
        part: int | None = None,
        lead: str | None = None,
        late: bool = False,
    ) -> Prepared:
        """An action, or a sealed answer. `part` counts the parts of a compound answer, for a safe repeat; `text` and
        `lead` are words that go with it; `late`: the table plays it for somebody whose time is up.
        """
        state = self.state
        if state is None:
            raise Conflict("The game has not begun: a seat is still open.")
        repeated = self._repeated(seat, ply, action)
        if repeated is not None:
            return repeated
        if self.over:
            raise Conflict("The game is over.")
        if ply != self.ply and not (ply < self.ply and self.asked_since.get(seat, self.ply + 1) <= ply):
            raise Stale("The table has moved on since then: look again, and choose again.")
        if self.paused is not None:
            raise Conflict("The table is paused.")
        if self.in_window and not self._heard_at_once(seat, action):
            return self._prepare_answer(seat, action, text, now, part)
        code = self._code(state, seat, action)
        text = self._kept_words(state, seat, code, text, lead)
        step, after = self._advance([(seat, code)], now, texts={seat: text} if text else None)
        body = _body(hash=_hash_due(step, after), late=late)
        return Prepared(Entry(self.seq + 1, Kind.ACTION, seat, code, now, text, body), step, after)

    def _prepare_answer(self, seat: int, action: int | str, text: str | None, now: float, part: int | None) -> Prepared:
        assert self.state is not None
        work = self.position_for(seat)
        given = self.answers.get(seat, [])
        if given and (part is None or part < len(given)):
            again = [code for code, _ in given] if part is None else [given[part][0]]
            known = self.game.actions.decisions.get(self.state.decision(seat) or work.decision(seat))
            if action in again or (isinstance(action, str) and known and self._id_among(known.name, action, again)):
                return Prepared(None, held=True)
        if self.complete(seat):
            raise Conflict("Your answer is in already. Take it back first if you want to give another.")
        code = self._code(work, seat, action)
        text = self._kept_words(work, seat, code, text, None)
        return Prepared(Entry(self.seq + 1, Kind.ANSWER, seat, code, now, text), held=True)

    def _heard_at_once(self, seat: int, action: int | str) -> bool:
        """In a window where the first voice counts: whether this is a voice, and not a pass, which nobody notices."""
        if not self.hears_voices or self.state is None:
            return False
        return self._code(self.state, seat, action) != 0

    def _id_among(self, decision: str, id_: str, codes: Sequence[int]) -> bool:
        try:
            return self.game.actions.code(decision, id_) in codes
        except KeyError:
            return False

    def _repeated(self, seat: int, ply: int, action: int | str) -> Prepared | None:
        """The same action for the same ply by the same seat, come again because the answer was lost on the way."""
        if not 0 <= ply < self.ply:
            return None
        step, kind = self.timeline[ply + 1]
        if kind not in (Kind.ACTION, Kind.CLOSE) or step.parent is None:
            return None
        if not self._stands(step):
            return None  # it was taken back since: whoever sends it again must look again
        for player, code in step.moves:
            if player != seat:
                continue
            if code == action:
                return Prepared(None)
            if isinstance(action, str):
                before, _ = self.timeline[ply]
                if self._id_among(position_after(before).decision(seat), action, [code]):
                    return Prepared(None)
        return None

    def _stands(self, step: Step) -> bool:
        """Whether a step is one of those that led to the present position."""
        node = self.step
        while node is not None and node.depth > step.depth:
            node = node.parent
        return node is step

    def _code(self, state: State, seat: int, action: int | str) -> int:
        code: object = action
        if isinstance(action, str):
            if not state.decision(seat):
                code = 0  # not asked: the refusal below says so
            else:
                try:
                    code = self.game.parse(state, seat, action)
                except KeyError:
                    raise self._not_now(state, seat, action) from None
        refusal = state.refusal(seat, code)
        if refusal is not None:
            raise Illegal(refusal.sentence, refusal.clause)
        assert isinstance(code, int)
        return code

    def _not_now(self, state: State, seat: int, id_: str) -> Illegal:
        """Why an action that the present decision lacks is refused: the rules' own reason where they have one."""
        for name in self.game.actions.decisions:
            try:
                code = self.game.actions.code(name, id_)
            except KeyError:
                continue
            refusal = state.refusal(seat, code)
            if refusal is not None and refusal.clause:
                return Illegal(refusal.sentence, refusal.clause)
            return Illegal("That cannot be chosen now.", self.game.actions.decisions[state.decision(seat)].clause)
        return Illegal(f"There is no “{id_[:60]}” to be chosen in this game.")

    def _kept_words(self, state: State, seat: int, code: int, text: str | None, lead: str | None) -> str | None:
        """What is kept of the words that came with an action. Raises Unfit where none may come, or too many."""
        keep = self.game.etiquette.keep_words
        if keep is not None:
            return keep(state, seat, code, text or "", lead or "") or None
        if lead:
            raise Unfit("Nothing leads in to a move of this game.")
        if not text:
            return None
        limit = 0 if self.game.etiquette.text_limit is None else self.game.etiquette.text_limit(state, seat, code)
        if limit <= 0:
            raise Unfit("Nothing can be told with this move.")
        if len(text) > limit:
            raise Unfit(f"What is told with this move may have {limit} characters, not {len(text)}.")
        return "".join(c for c in text if c.isprintable() or c == "\n") or None

    def _advance(
        self, moves: Sequence[tuple[int, int]], at: float, sealed: bool = False, texts: dict[int, str] | None = None
    ) -> tuple[Step, State]:
        """The step and the position after it, made on a copy: a fault in the rules leaves the table as it was."""
        assert self.state is not None
        assert self.step is not None
        state = self.state.clone()
        drawn = state.dice.position()
        events: list[Event] = []
        state.events = events
        try:
            for player, code in moves:
                state.apply(player, code)
            state.actors()
        except Exception as error:
            raise Faulty(f"The rules failed on this move; it was not made. ({type(error).__name__})") from error
        state.events = None
        step = Step(
            self.step,
            self.step.depth + 1,
            tuple(moves),
            at,
            self.ply,
            events,
            sealed=sealed,
            chance=state.dice.position() != drawn,
            texts=texts or {},
        )
        if step.depth % CHECKPOINT_EVERY == 0:
            step.state = state.clone()
        return step, state

    # --- folding ------------------------------------------------------------------------------------------------

    def accept(self, entry: Entry, prepared: Prepared | None = None) -> None:
        """Fold in a committed entry. Entries come in the order of their seq, none left out."""
        assert entry.seq == self.seq + 1, f"entry {entry.seq} after {self.seq}"
        kind = entry.kind
        if kind in (Kind.ACTION, Kind.CLOSE):
            self.note_lapses(entry, [entry.seat] if kind == Kind.ACTION else self.asked())
        if kind == Kind.ACTION:
            if prepared is None or prepared.step is None or prepared.state is None:
                texts = {entry.seat: entry.text} if entry.text else None
                self._enter(*self._advance([(entry.seat, entry.action)], entry.at, texts=texts), Kind.ACTION)
            else:
                self._enter(prepared.step, prepared.state, Kind.ACTION)
        elif kind == Kind.ANSWER:
            self._take_answer(entry)
        elif kind == Kind.CLOSE:
            if prepared is None or prepared.step is None or prepared.state is None:
                moves = self._window_moves(json.loads(entry.body or "{}").get("fills", {}))
                self._enter(*self._advance(moves, entry.at, sealed=True), Kind.CLOSE)
            else:
                self._enter(prepared.step, prepared.state, Kind.CLOSE)
        elif kind == Kind.DEAL:
            self._deal(entry)
        elif kind == Kind.RETRACT:
            self.answers.pop(entry.seat, None)
            self.private.pop(entry.seat, None)
        elif kind in (Kind.ASIDE, Kind.WHISPER):
            self.asides.append(aside_from(entry))
        elif kind == Kind.INSTRUCT:
            self.instructions[entry.seat] = decode(entry.body or "[]")
        elif kind in (Kind.TAKEOVER, Kind.RETURN):
            self._change_chair(entry)
        elif kind in (Kind.PAUSE, Kind.RESUME):
            self._pause_or_resume(entry)
        else:
            self._accept_vote(entry)
        self.seq = entry.seq

    def _deal(self, entry: Entry) -> None:
        dice = SealedDice(self.seed)
        state = self.game.new_game(self.players, options=self.options, dice=dice)
        root = Step(None, 0, (), entry.at, 0, state=state.clone())
        self.timeline.append((root, Kind.DEAL))
        self.step, self.state = root, state
        self.open_decision(entry.at, set())

    def _take_answer(self, entry: Entry) -> None:
        assert self.state is not None
        self.answers.setdefault(entry.seat, []).append((entry.action, entry.text))
        # Alone in the window, the answer would resolve it: nothing of that may be seen before the close.
        if len(self.asked()) > 1:
            work = self.position_for(entry.seat).clone()
            work.apply(entry.seat, entry.action)
            self.private[entry.seat] = work

    def _enter(self, step: Step, state: State, kind: int) -> None:
        """Make a new step the present position."""
        if kind == Kind.CLOSE:
            texts = {seat: text for seat, given in self.answers.items() for _, text in given if text}
            step.texts.update(texts)
        movers = step.movers()
        self.step, self.state, self.before = step, state, self.state
        self.ply += 1
        self.timeline.append((step, kind))
        self.notes.append(Note(self.ply, step.at, "event", step.moves[0][0], step))
        self.undone.clear()
        for seat in movers:
            self.missed.pop(seat, None)
        self.open_decision(step.at, movers)

    # --- chairs and pauses --------------------------------------------------------------------------------------

    def _change_chair(self, entry: Entry) -> None:
        seat, name = entry.seat, self.names[entry.seat]
        clock = self.clocks[seat]
        if entry.kind == Kind.TAKEOVER:
            clock.settle(entry.at, self.down)
            self.away[seat] = entry.text or "left"
            self.notes.append(Note(self.ply, entry.at, "chair", seat, text=name + WHY_AWAY[entry.text or "left"]))
            self.away_since[seat] = len(self.notes)
            if self.absent(seat) and seat in self.asked_since and not self.in_window and self.paused is None:
                clock.ask(entry.at, self.allowance(seat))
            self.lapse_if_pointless()
        else:
            self.away.pop(seat, None)
            self.lapses[seat] = 0
            self.missed[seat] = (self.away_since.pop(seat, len(self.notes)), len(self.notes))
            self.notes.append(Note(self.ply, entry.at, "chair", seat, text=f"{name} is back in the chair."))
            if self.rule.kind != "none" and seat in self.asked_since and not self.in_window and self.paused is None:
                clock.ask(entry.at, self.allowance(seat))

    def _pause_or_resume(self, entry: Entry) -> None:
        name = self.names[entry.seat] if entry.seat >= 0 else "Somebody"
        if entry.kind == Kind.PAUSE:
            self.question = None
            self.paused = entry.at
            for clock in self.clocks:
                clock.stand(entry.at, self.down)
            text = "The table is paused."
        else:
            since = entry.at if self.paused is None else self.paused
            self.shift += entry.at - since
            self.paused = None
            if self.rule.kind != "none" and not self.in_window:
                for seat in self.asked_since:
                    if not self.played_by_bot(seat):
                        self.clocks[seat].go_on(entry.at)
            text = f"{name} goes on with the game."
        self.notes.append(Note(self.ply, entry.at, "pause", entry.seat, text=text))

    def prepare_lapse(self, seat: int, now: float) -> Prepared:
        """What the table plays for a seat whose time is up, in a game that says what that is."""
        assert self.state is not None
        timeout = self.game.etiquette.timeout_action
        assert timeout is not None
        return self.prepare_act(seat, self.ply, timeout(self.state, seat), None, now, late=True)

    def note_lapses(self, entry: Entry, movers: list[int]) -> None:
        """Count time-outs in a row: an answer of one's own ends them."""
        body = json.loads(entry.body) if entry.body else {}
        late = {int(seat) for seat in body.get("fills", {})} if entry.kind == Kind.CLOSE else set()
        late = {seat for seat in late if self.instruction(seat) is None} | ({entry.seat} if body.get("late") else set())
        for seat in movers:
            self.lapses[seat] = self.lapses[seat] + 1 if seat in late else 0

    def gone_absent(self) -> int | None:
        """A person who has let time run out too often and is not noted as away yet."""
        most = self.game.etiquette.lapses
        if most is None or self.rule.kind == "none" or self.over:
            return None
        return next((seat for seat in sorted(self.people) if self.lapses[seat] >= most and seat not in self.away), None)

    def clock_expired(self, now: float) -> list[int]:
        """Seats whose time is up."""
        if self.paused is not None or self.rule.kind == "none":
            return []
        ends = ((seat, self.clocks[seat].deadline(self.down)) for seat in range(self.players))
        return [seat for seat, end in ends if end is not None and end <= now]

    def next_due(self) -> float | None:
        """The next moment at which something happens by itself, bots' moves left out."""
        if self.state is None or self.over or self.paused is not None:
            return None
        moments = [self.window_due(), self.question_due()]
        if self.rule.kind != "none":
            moments += [clock.deadline(self.down) for clock in self.clocks]
        return min((moment for moment in moments if moment is not None), default=None)


def _hash_due(step: Step, state: State) -> str | None:
    """The hash of the position for the log, every so many steps, and never inside a window: it would betray answers."""
    return state.position_hash() if step.depth % HASH_EVERY == 0 and not state.withholds() else None


def _body(**values: object) -> str | None:
    kept = {name: value for name, value in values.items() if value}
    return json.dumps(kept) if kept else None
