"""R1, R2: before new rules touch a table, its log is replayed on them, and what comes out is said in words."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from parlour.kernel import IllegalAction, has
from parlour.table.entries import Entry, Kind

if TYPE_CHECKING:
    from parlour.table.play import Play


@dataclass(frozen=True, slots=True)
class Report:
    """What a replay on the present code came to. `ply` is the first public step that is not as it was."""

    verdict: Literal["same", "differs", "cannot continue"]
    ply: int | None
    clause: str
    sentence: str


def check_play(play: Play, entries: Sequence[Entry]) -> Report:
    """Fold a log into a fresh play with every action checked; stops where the rules now refuse what was done."""
    differs: int | None = None
    for entry in entries:
        try:
            _check(play, entry)
            play.accept(entry)
        except IllegalAction as error:
            said = f"Under the present rules this game cannot go on: step {play.ply + 1} is refused. {error.sentence}"
            return Report("cannot continue", play.ply + 1, error.clause, said)
        except Exception as error:
            said = (
                f"Under the present rules this game cannot go on: step {play.ply + 1} fails ({type(error).__name__})."
            )
            return Report("cannot continue", play.ply + 1, "", said)
        if differs is None and entry.kind in (Kind.ACTION, Kind.CLOSE) and entry.body:
            noted = json.loads(entry.body).get("hash")
            if noted is not None and play.state is not None and play.state.position_hash() != noted:
                differs = play.ply
    if differs is not None:
        said = (
            f"The rules have changed since this game began, and step {differs} would now leave another position. "
            "The table waits until the host goes on under the present rules or ends the game."
        )
        return Report("differs", differs, "", said)
    return Report("same", None, "", "")


def _check(play: Play, entry: Entry) -> None:
    if entry.kind not in (Kind.ACTION, Kind.ANSWER):
        return
    state = play.position_for(entry.seat)
    refusal = state.refusal(entry.seat, entry.action)
    if refusal is not None:
        raise IllegalAction(refusal.sentence, refusal.clause)
    if not has(state.actors() | state.late_actors(), entry.seat):
        raise IllegalAction("It was not for this seat to act.", "")
