"""Proves a record: the same deal, the same moves, the same end."""

from __future__ import annotations

from dataclasses import dataclass

from parlour.kernel import State
from parlour.records.record import Record, RecordError, Result, result_of
from parlour.records.replay import check_move, start
from parlour.records.writer import Checkpoint, checkpoint_due


@dataclass(frozen=True)
class Finding:
    """Something that is not as it should be: where in the record, what, and the rule it breaks if it breaks one."""

    where: str
    sentence: str
    clause: str = ""


@dataclass(frozen=True)
class Verdict:
    """What verifying a record has shown."""

    findings: tuple[Finding, ...]
    moves: int
    """How many moves were played again."""
    checkpoints: int
    """How many position hashes agreed, the last one included."""

    @property
    def ok(self) -> bool:
        """Whether everything in it is proved."""
        return not self.findings


def verify(record: Record) -> Verdict:
    """Play a record again and compare all that it says. Never raises for a bad record: the verdict says where it is."""
    try:
        state = start(record)
    except RecordError as error:
        return Verdict((Finding(error.where, error.sentence, error.clause),), 0, 0)
    findings: list[Finding] = []
    if len(record.names) != record.players:
        findings.append(
            Finding("names", f"There are {len(record.names)} names for a game of {record.players} players.")
        )
    played, due = _play(record, state, findings)
    if played < len(record.actions):
        return Verdict(tuple(findings), played, 0)  # what follows an impossible move proves nothing
    agreed = _compare_hashes(record.hashes, due, findings)
    if record.final == state.position_hash():
        agreed += 1
    else:
        findings.append(
            Finding(
                "final", f"The last position hashes to {state.position_hash()}, and the record says {record.final}."
            )
        )
    _compare_results(record.result, result_of(state), findings)
    return Verdict(tuple(findings), played, agreed)


def _play(record: Record, state: State, findings: list[Finding]) -> tuple[int, list[Checkpoint]]:
    """Play the moves as far as they go: how many went, and the hashes that are due in the record."""
    due: list[Checkpoint] = []
    for number, move in enumerate(record.actions, 1):
        try:
            check_move(state, move, number)
        except RecordError as error:
            findings.append(Finding(error.where, error.sentence, error.clause))
            return number - 1, due
        state.apply(move.player, move.code)
        if checkpoint_due(due[-1].moves if due else 0, number, state):
            due.append(Checkpoint(number, state.position_hash()))
    return len(record.actions), due


def _compare_hashes(written: list[Checkpoint], due: list[Checkpoint], findings: list[Finding]) -> int:
    """How many of the hashes agree; the first that does not is reported, since the rest follow from it."""
    for index, expected in enumerate(due):
        if index >= len(written):
            findings.append(Finding("hashes", f"The hash after move {expected.moves} is missing."))
            return index
        if written[index] != expected:
            findings.append(
                Finding(
                    f"hashes[{index}]",
                    f"After move {expected.moves} the position hashes to {expected.hash}; the record says "
                    f"{written[index].hash} after move {written[index].moves}.",
                )
            )
            return index
    if len(written) > len(due):
        findings.append(Finding(f"hashes[{len(due)}]", f"There is no hash to be had after move {written[-1].moves}."))
    return len(due)


def _compare_results(written: Result | None, actual: Result | None, findings: list[Finding]) -> None:
    if written is None or actual is None:
        if written is not None:
            findings.append(
                Finding("result", "The record gives a result, but the game is not over after its last move.")
            )
        elif actual is not None:
            findings.append(Finding("result", "The game is over after its last move, but the record gives no result."))
        return
    for part in ("scores", "returns", "places"):
        expected, found = getattr(actual, part), getattr(written, part)
        if expected != found:
            findings.append(Finding(f"result.{part}", f"The {part} are {expected}; the record says {found}."))
