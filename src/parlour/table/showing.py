"""Makes what one viewer may be shown. The only place where a state turns into something that leaves the server."""

from __future__ import annotations

import time
from typing import Any, cast

import msgspec

from parlour.kernel import EVERYONE, Event, State, has
from parlour.table import keepsakes
from parlour.table.entries import Kind
from parlour.table.live import Table
from parlour.table.model import (
    Choice,
    ClockModel,
    GameCard,
    LogLine,
    SeatModel,
    StandingModel,
    Status,
    TableModel,
    UndoModel,
    Vote,
    WindowModel,
)
from parlour.table.play import Play
from parlour.table.problems import Conflict
from parlour.table.timeline import Step, position_after

SHARED_VIEW = "view"
"""Where a table's memory has the game's view of a position in which nothing is hidden, as a spectator sees it."""
MOVES = frozenset({Kind.ACTION, Kind.CLOSE})
API_LINES = 12
"""The last lines of the story that the API's view carries; all of them are at `…/log`."""


def show(
    table: Table,
    seat: int | None,
    *,
    host: bool = False,
    page: bool = False,
    secret: str | None = None,
    now: float | None = None,
) -> TableModel:
    """The table as one viewer may see it. `page`: for HTML, with plain values, all of the story, and hints.

    `secret` is the viewer's own, and stands in his own seat link.
    """
    moment = time.time() if now is None else now
    play = table.play
    if play is None or play.state is None:
        return _waiting(table, seat, host, page, secret)
    state = play.state
    position = play.position_for(seat)
    wants = seat is not None and play.may_speak(seat) and table.status != "held"
    decision = position.decision(seat) if seat is not None and wants else ""
    declared = table.game.actions.decisions.get(decision)
    over = state.is_over
    lines = _recent(table, _lines(table, play, seat))
    return TableModel(
        slug=table.slug,
        title=table.title,
        game=_card(table),
        options=table.options,
        seats=_seats_now(table, play, moment),
        status=_status(table, play),
        ply=play.ply,
        at=play.ply,
        version=table.version_for(seat),
        viewer=seat,
        host=host,
        view=_present_view(table, position, seat, page),
        touched=_last_touched(table, play),
        prompt=declared.prompt if declared else "",
        clause=declared.clause if declared else "",
        decision=decision,
        choices=_choices(table, position, seat, page) if wants and seat is not None else [],
        window=_window(play, seat),
        instructions=play.instructions.get(seat, []) if seat is not None else [],
        text_limit=_text_limit(table, position, seat) if wants and seat is not None else 0,
        log=lines if page else lines[-API_LINES:],
        talk=table.talk if page else table.talk[-API_LINES:],
        talk_on=table.talk_on,
        undo=_undo(table, play, seat),
        vote=_vote(play, seat),
        can_pause=seat is not None and not over and play.paused is None and play.question is None,
        away_summary=_missed(play, lines, seat),
        keepsake=keepsakes.document(table, seat, host, moment) if page else None,  # the API has it at …/keepsake
        recall=first_shown(table),
        commitment=table.commitment,
        seed=table.seed.hex() if over else "",
        standings=[StandingModel(*standing) for standing in state.standings()] if over else [],
        coop=over and len(set(state.returns())) == 1 and len({s.place for s in state.standings()}) == 1,
        record_link=f"/api/tables/{table.slug}/record" if over else "",
        verify_link=f"/t/{table.slug}/verify" if over else "",
        seat_link=f"/s/{secret}" if seat is not None and secret else "",
        table_link=f"/t/{table.slug}",
        notice=table.notice,
    )


def show_at(
    table: Table, seat: int | None, ply: int, *, host: bool = False, page: bool = True, secret: str | None = None
) -> TableModel:
    """The board as it was after an earlier public step, for the scrubber. Nothing can be chosen on it."""
    now = show(table, seat, host=host, page=page, secret=secret)
    play = table.play
    last = 0 if play is None else play.ply
    if not 0 <= ply <= last:
        raise Conflict(f"There is no step {ply} to look at; the table has come to step {last}.")
    if play is None or play.state is None or ply == last:
        return now
    if ply < first_shown(table):
        raise Conflict("By the rules of this table, memory does not reach back so far.")
    step, _ = play.timeline[ply]
    return msgspec.structs.replace(
        now,
        at=ply,
        live=False,
        view=_view(table, position_after(step), seat, page),
        touched=_touched(table, step),
        prompt="",
        clause="",
        decision="",
        choices=[],
        window=None,
    )


def _waiting(table: Table, seat: int | None, host: bool, page: bool, secret: str | None) -> TableModel:
    return TableModel(
        slug=table.slug,
        title=table.title,
        game=_card(table),
        options=table.options,
        seats=[
            SeatModel(
                chair.seat,
                chair.name,
                cast("Any", chair.kind),
                chair.seat,
                strength=chair.strength,
                present=table.at_page(chair.seat),
            )
            for chair in table.chairs
        ],
        status="held" if table.status == "held" else "waiting",
        ply=0,
        version=table.version_for(seat),
        viewer=seat,
        host=host,
        talk=table.talk if page else table.talk[-API_LINES:],
        talk_on=table.talk_on,
        commitment=table.commitment,
        seat_link=f"/s/{secret}" if seat is not None and secret else "",
        table_link=f"/t/{table.slug}",
        notice=table.notice,
    )


def _card(table: Table) -> GameCard:
    game = table.game
    return GameCard(game.name, game.title, game.blurb, game.cloth, table.version)


def _status(table: Table, play: Play) -> Status:
    if play.over:
        return "over"
    if table.status == "held":
        return "held"
    return "playing" if play.paused is None else "paused"


def _seats_now(table: Table, play: Play, now: float) -> list[SeatModel]:
    """The seats, which look the same to everybody; made once where no clock runs."""
    if play.rule.kind != "none":
        return _seats(table, play, now)
    kept = table.memory.get("seats")
    if kept is None:
        kept = table.memory["seats"] = _seats(table, play, now)
    return cast("list[SeatModel]", kept)


def _seats(table: Table, play: Play, now: float) -> list[SeatModel]:
    asked = 0 if play.state is None else play.state.actors()
    window = play.in_window
    return [
        SeatModel(
            seat=chair.seat,
            name=chair.name,
            kind=cast("Any", chair.kind),
            emblem=chair.seat,
            strength=chair.strength,
            present=table.at_page(chair.seat),
            away=chair.seat in play.away and not play.absent(chair.seat),
            absent=play.absent(chair.seat),
            acting=has(asked, chair.seat),
            thinking=not window and has(asked, chair.seat) and play.played_by_bot(chair.seat) and play.paused is None,
            clock=_clock(play, chair.seat, now) if play.rule.kind != "none" and chair.kind == "person" else None,
        )
        for chair in table.chairs
    ]


def _clock(play: Play, seat: int, now: float) -> ClockModel:
    clock = play.clocks[seat]
    half = clock.half_time(play.down)
    return ClockModel(
        move_left=max(0.0, clock.allowance - clock.used),
        bank_left=clock.bank,
        running=clock.started is not None,
        warned=half is not None and half <= now,
        deadline=clock.deadline(play.down),
    )


def _view(table: Table, state: State, seat: int | None, page: bool) -> Any:
    """The game's view: plain values for a page; for the API the game's own Struct, which is encoded as it is."""
    return table.game.view_dict(state, seat) if page else table.game.view(state, seat)


def _present_view(table: Table, state: State, seat: int | None, page: bool) -> Any:
    """`_view` of the present position. Where nothing is hidden it is made once and differs only in who looks; it
    stays while the position does, whoever comes and goes.
    """
    own = table.play is None or state is not table.play.state or state.sealed()
    if page or own or not table.game.open_information:
        return _view(table, state, seat, page)
    at, kept = table.position_view
    if at is not state:
        kept = table.game.view(state, None)
        table.position_view = (state, kept)
    table.memory[SHARED_VIEW] = kept
    return msgspec.structs.replace(kept, you=seat) if hasattr(kept, "you") else kept


def _touched(table: Table, step: Step, before: State | None = None) -> str:
    """The piece on which a step was chosen. Where hands are hidden it may be nobody's business: nothing is said."""
    if step.parent is None or step.sealed or not table.game.open_information:
        return ""
    player, code = step.moves[-1]
    state = before or position_after(step.parent)
    if table.game.words_for is None or table.game.words_stay:
        known = table.choices.get((state.decision(player), code))
        if known is not None:
            return known.target
    return table.game.describe(state, player, code).target


def _last_touched(table: Table, play: Play) -> str:
    kept = table.memory.get("touched")
    if kept is None:
        kept = table.memory["touched"] = "" if play.step is None else _touched(table, play.step, play.before)
    return cast("str", kept)


def _choices(table: Table, state: State, seat: int, page: bool) -> list[Choice]:
    game, decision = table.game, state.decision(seat)
    found: list[Choice] = []
    known = table.choices if game.words_for is None or game.words_stay else {}
    for code in state.legal_actions(seat):
        choice = known.get((decision, code))
        if choice is None:
            said = game.describe(state, seat, code)
            choice = Choice(said.code, said.id, said.text, said.target, said.type, said.clause)
            known[decision, code] = choice
        found.append(choice)
    if page and game.open_information and not state.sealed():
        return [_with_hint(table, state, seat, choice) for choice in found]
    return found


def _with_hint(table: Table, state: State, seat: int, choice: Choice) -> Choice:
    """What the choice would do, told by the rules themselves on a copy; nothing from the first surprise on."""
    work = state.clone()
    events: list[Event] = []
    work.events = events
    drawn = work.dice.position()
    work.apply(seat, choice.code)
    said: list[str] = []
    for event in events:
        if event.reveals or event.seen != EVERYONE:
            break
        said.append(table.game.words(event, table.names))
    if work.dice.position() != drawn and len(said) == len(events):
        said = said[:1]  # chance was used and no event says where: only what the choice itself announces is certain
    return msgspec.structs.replace(choice, hint=" ".join(filter(None, said)))


def _text_limit(table: Table, state: State, seat: int) -> int:
    limit = table.game.etiquette.text_limit
    if limit is None:
        return 0
    return max((limit(state, seat, code) for code in state.legal_actions(seat)), default=0)


def _window(play: Play, seat: int | None) -> WindowModel | None:
    if not play.in_window:
        return None
    earliest, latest = play.window_times()
    return WindowModel(
        seats=play.asked(),
        opened=play.opened,
        earliest_close=earliest,
        latest_close=latest,
        answered=seat is not None and seat in play.asked() and play.complete(seat),
    )


def _lines(table: Table, play: Play, seat: int | None) -> list[LogLine]:
    if table.game.open_information:
        seat = None  # everybody may know everything
    done, lines = table.lines.get(seat, (0, []))
    if done < len(play.notes):
        names = table.names
        lines = list(lines)
        for note in play.notes[done:]:
            if note.step is None:
                lines.append(LogLine(note.ply, note.text, note.seat if note.seat >= 0 else None, note.kind, note.at))
                continue
            for event in note.step.events:
                if event.visible_to(-1 if seat is None else seat):
                    said = table.game.words(event, names)
                    if said:
                        by = event.player if event.player >= 0 else None
                        lines.append(LogLine(note.ply, said, by, "event", note.at))
            if not note.step.sealed and keepsakes.keepsake_of(table.game) is None:
                lines += [LogLine(note.ply, text, by, "told", note.at) for by, text in note.step.texts.items()]
        table.lines[seat] = (len(play.notes), lines)
    return lines


def all_lines(table: Table, seat: int | None) -> list[LogLine]:
    """The whole story, as this viewer may know it."""
    return [] if table.play is None else _recent(table, _lines(table, table.play, seat))


def first_shown(table: Table) -> int:
    """The first public step that may still be looked at; above 0 where a game's rules let memory fade."""
    recall, play = table.game.etiquette.recall, table.play
    if recall is None or play is None or play.state is None:
        return 0
    kept = table.memory.get("recall")
    if kept is None:
        kept = recall(play.state, [step.events if kind in MOVES else () for step, kind in play.timeline])
        table.memory["recall"] = kept
    return cast("int", kept)


def _recent(table: Table, lines: list[LogLine]) -> list[LogLine]:
    first = first_shown(table)
    return [line for line in lines if line.ply >= first] if first else lines


def _undo(table: Table, play: Play, seat: int | None) -> UndoModel:
    if seat is None or play.over or play.paused is not None or table.status == "held":
        return UndoModel()
    if play.in_window and play.answers.get(seat):
        return UndoModel(possible=True, free=True, names="your answer, which nobody has seen")
    depth = play.undo_depth(seat)
    redo = bool(play.undone)
    redo_names = play.words_of(play.undone[-1]) if redo else ""
    if depth == 0:
        return UndoModel(redo=redo, redo_names=redo_names)
    free = play.undo_is_free(seat)
    steps = play.back(1 if free else depth)
    return UndoModel(
        possible=play.question is None,
        free=free or not play.electors(seat, steps),
        names=play.words_of(steps[-1]),
        seen=[] if free else play.seen_since(steps),
        redo=redo,
        redo_names=redo_names,
    )


def _vote(play: Play, seat: int | None) -> Vote | None:
    question = play.question
    if question is None:
        return None
    waiting = [other for other in question.electors if other not in question.agreed]
    return Vote(
        kind=cast("Any", question.kind),
        by=question.by,
        question=f"{play.names[question.by]} asks: {question.words}",
        waiting=waiting,
        mine=seat in waiting,
        seen=question.seen,
    )


def _missed(play: Play, lines: list[LogLine], seat: int | None) -> list[str]:
    """N9: what happened while a bot sat in, in three lines at most."""
    if seat is None or seat not in play.missed:
        return []
    first, last = play.missed[seat]
    steps = [note.step for note in play.notes[first:last] if note.step is not None]
    mine = sum(seat in step.movers() for step in steps)
    plies = {note.ply for note in play.notes[first:last] if note.step is not None}
    told = [line.text for line in lines if line.kind == "event" and line.ply in plies]
    moves = f"{len(steps)} move{'' if len(steps) == 1 else 's'}"
    return [f"While you were away: {moves}, {mine} of them made for you.", *told[-2:]]
