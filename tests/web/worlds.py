"""Two worlds that one viewer cannot tell apart: a table as it is, and as it would be if what is hidden were otherwise.

What is hidden is the position as far as the rules hide it (`resample` deals it anew), the sealed answers of others with
their words, their standing instructions, and in the past all that came out to nobody: the answers that went back
unseen, and the events of which this viewer may not know.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from parlour.kernel import Dice, Event, State
from parlour.table.instructions import Instruction
from parlour.table.live import Table
from parlour.table.play import Play
from parlour.table.timeline import Step, position_after

SPECTATOR = -1
WORDS = (None, "Sealed.", "Nobody may read this: [card].")


@dataclass(frozen=True)
class Secrets:
    """What a game hides, so far as it can be made up: values of events by the names of their arguments."""

    values: Mapping[str, Sequence[object]]
    codes: range  # of actions, allowed or not
    orders: Mapping[str, Sequence[str]]  # by window, what a standing instruction for it may say


class Hidden:
    """The other past of one viewer, made up step by step as the game goes on."""

    def __init__(self, seat: int | None, secrets: Secrets, rng: random.Random) -> None:
        self.viewer = SPECTATOR if seat is None else seat
        self.secrets, self.rng = secrets, rng
        self.made: dict[int, tuple[Step, _Past, _Past]] = {}  # by the step's own id: what it is, what it would be

    def past_of(self, play: Play) -> Iterable[tuple[Step, _Past, _Past]]:
        """Every step that the table has been through, those taken back too, as it is and as it would be."""
        for step, _ in play.timeline:
            if id(step) not in self.made:
                true = _Past(step.moves, step.events, step.texts)
                self.made[id(step)] = step, true, self._otherwise(step)
        return self.made.values()

    def _otherwise(self, step: Step) -> _Past:
        rng, viewer = self.rng, self.viewer
        moves, texts = step.moves, step.texts
        if step.sealed:
            out = {event.player for event in step.events if event.seen == -1}
            moves = tuple(
                (player, code if player == viewer or player in out else rng.choice(self.secrets.codes))
                for player, code in moves
            )
            unseen = [player for player in step.movers() if player != viewer and player not in out]
            texts = {seat: text for seat, text in texts.items() if seat not in unseen}
            for player in unseen:
                text = rng.choice(WORDS)
                if text is not None:
                    texts[player] = text
        events: list[Event] = []
        for event in step.events:
            if event.visible_to(viewer):
                events.append(event)
            elif event.reveals or rng.random() < 0.5:  # what taught its owner nothing might as well not have happened
                args = {name: self._other(name, value) for name, value in event.args.items()}
                events.append(Event(event.kind, event.player, args, event.seen, event.reveals))
        return _Past(moves, events, texts)

    def _other(self, name: str, value: object) -> object:
        known = self.secrets.values.get(name)
        if known is None:
            return value
        if isinstance(value, list):
            return self.rng.sample(list(known), len(value))
        return self.rng.choice(known)


@dataclass(frozen=True, slots=True)
class _Past:
    """What a step holds that is not for everybody."""

    moves: tuple[tuple[int, int], ...]
    events: list[Event]
    texts: dict[int, str]


@contextmanager
def otherwise(table: Table, hidden: Hidden, looked_at: Sequence[int], rng: random.Random) -> Iterator[None]:
    """The table with everything otherwise that this viewer cannot know; afterwards it is as it was.

    `looked_at`: the earlier public steps whose positions will be asked for.
    """
    play = table.play
    assert play is not None
    state, viewer = play.state, hidden.viewer
    assert state is not None
    answers, private, instructions, before = play.answers, play.private, play.instructions, play.before
    steps = [play.timeline[ply][0] for ply in looked_at]
    kept: list[State | None] = [step.state for step in steps]
    found = [position_after(step).resample(viewer, Dice(rng.getrandbits(60))) for step in steps]
    past = list(hidden.past_of(play))
    try:
        play.state = state.resample(viewer, Dice(rng.getrandbits(60)))
        play.before = None
        _answer_otherwise(play, viewer, rng)
        _instruct_otherwise(play, viewer, hidden.secrets, rng)
        for step, position in zip(steps, found, strict=True):
            step.state = position
        for step, true, other in past:
            step.events, step.texts = other.events, other.texts
            step.moves = _for_the_record(table, true, other) if play.over else other.moves
        yield
    finally:
        for step, true, _ in past:
            step.moves, step.events, step.texts = true.moves, true.events, true.texts
        for step, was in zip(steps, kept, strict=True):
            step.state = was
        play.state, play.answers, play.private = state, answers, private
        play.instructions, play.before = instructions, before


def _for_the_record(table: Table, true: _Past, other: _Past) -> tuple[tuple[int, int], ...]:
    """After the end the record is made of the moves: an answer that came out to nobody might have been a pass."""
    if table.game.public_action is None:
        return true.moves
    return tuple(move if move == made else (move[0], 0) for move, made in zip(true.moves, other.moves, strict=True))


def _answer_otherwise(play: Play, viewer: int, rng: random.Random) -> None:
    """The others have answered otherwise, or not at all; one's own answers stand."""
    state, mine, own = play.state, play.answers.get(viewer), play.private.get(viewer)
    assert state is not None
    play.answers = {} if mine is None else {viewer: mine}
    play.private = {} if own is None else {viewer: own.resample(viewer, Dice(rng.getrandbits(60)))}
    if not play.in_window:
        return
    asked = play.asked()
    for seat in asked:
        if seat != viewer and rng.random() < 0.6:
            code = 0 if play.hears_voices else rng.choice(state.legal_actions(seat))
            play.answers[seat] = [(code, rng.choice(WORDS))]
    if len(asked) > 1:  # alone, an answer would resolve the window: nobody is shown that before the close
        for seat, given in play.answers.items():
            if seat != viewer:
                play.private[seat] = _after(state, seat, [code for code, _ in given])


def _after(state: State, seat: int, codes: Sequence[int]) -> State:
    work = state.clone()
    for code in codes:
        work.apply(seat, code)
    return work


def _instruct_otherwise(play: Play, viewer: int, secrets: Secrets, rng: random.Random) -> None:
    """The others have left other instructions, or none."""
    made = {viewer: play.instructions[viewer]} if viewer in play.instructions else {}
    for seat in range(play.players):
        if seat != viewer and rng.random() < 0.5:
            made[seat] = [Instruction(window, [], rng.choice(answers)) for window, answers in secrets.orders.items()]
    play.instructions = made


def said_unasked(before: State, step: Step, viewer: int, rng: random.Random) -> str:
    """An event of a step that tells this viewer what the event itself does not say it reveals to him; "" if none does.

    The same moves are made from a position that he could not tell from the true one. Where the rules allow them there,
    he must be told the same, as far as nothing is revealed to him that differs.
    """
    state = before.resample(viewer, Dice(rng.getrandbits(60)))
    events: list[Event] = []
    state.events = events
    for player, code in step.moves:
        legal = state.legal_actions(player)
        if code not in legal:
            return ""
        state.apply(player, code)
    told, other = ([one for one in seen if one.visible_to(viewer)] for seen in (step.events, events))
    for one, same in zip(told, other, strict=False):
        if (one.kind, one.player, one.args) != (same.kind, same.player, same.args):
            learns = (one.reveals | same.reveals) & (-1 if viewer == SPECTATOR else 1 << viewer)
            return "" if learns else f"{one.kind} {one.args} or {same.kind} {same.args}"
    return ""


Told = dict[str, bytes]


def differences(before: Told, after: Told) -> list[str]:
    """The channels that tell the two worlds apart, each with the place where they part."""
    assert before.keys() == after.keys()
    return [f"{name}: {_parting(told, after[name])}" for name, told in before.items() if told != after[name]]


def _parting(one: bytes, other: bytes) -> str:
    place = next((i for i, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
    return f"{one[max(0, place - 40) : place + 40]!r} or {other[max(0, place - 40) : place + 40]!r}"
