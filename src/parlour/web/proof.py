"""The shuffle of a finished game, recomputed step by step for people to read."""

from __future__ import annotations

import hashlib

from mypy_extensions import i64

from parlour.kernel import Dice, SealedDice
from parlour.records import Record, verify
from parlour.records.record import SealedSeed
from parlour.records.replay import open_game

Step = dict[str, object]
QUARTERS = ("lowest", "second", "third", "highest")


class Witness(SealedDice):
    """Sealed dice that remember what was drawn: (how many were possible, which came)."""

    def __init__(self, seed: bytes) -> None:
        super().__init__(seed)
        self.draws: list[tuple[int, int]] = []

    def below(self, n: i64) -> i64:
        """The same draw, remembered."""
        drawn = super().below(n)
        self.draws.append((int(n), int(drawn)))
        return drawn


def proof(record: Record, commitment: str) -> tuple[list[Step], bool]:
    """The steps of the proof, and whether all of them fit. `commitment` is what the table showed before the deal."""
    if not isinstance(record.deal, SealedSeed) or record.deal.secret is None:
        return [_step("The seal", "This game was not dealt by sealed dice: there is nothing to open.", False)], False
    seed = bytes.fromhex(record.deal.secret)
    found = hashlib.sha256(seed).hexdigest()
    steps = [
        _step(
            "The seal",
            f"The seed is {record.deal.secret}. Its SHA-256 must be the seal that stood on the table before the deal.",
            found == commitment == record.deal.commitment,
            expected=commitment,
            found=found,
        )
    ]
    verdict = verify(record)
    draws = _draws(record, seed, verdict.moves)
    steps.append(
        _step(
            "The draws",
            "Every draw of the game comes from that seed: block i of the stream is BLAKE2b of i keyed with the seed, "
            "and a draw is made from its 32-bit words without bias. Here is how the draws fell within their ranges, "
            "against what is expected in the long run.",
            True,
            lines=_spread(draws),
        )
    )
    steps.append(
        _step(
            "The moves",
            f"Dealt from that seed, all {verdict.moves} moves were played again under the rules, and "
            f"{verdict.checkpoints} positions compared with those that were written down on the way.",
            verdict.ok,
            lines=[finding.sentence for finding in verdict.findings],
        )
    )
    if record.result is not None:
        scores = ", ".join(f"{name} {score:g}" for name, score in zip(record.names, record.result.scores, strict=False))
        steps.append(_step("The result", f"Played again, the game ends as it ended here: {scores}.", verdict.ok))
    return steps, all(step["sound"] for step in steps)


def _draws(record: Record, seed: bytes, moves: int) -> list[tuple[int, int]]:
    """What was drawn up to a move; those beyond it could not be played."""
    dice = Witness(seed)
    state = open_game(record).new_game(players=record.players, options=record.options, dice=dice)
    dealt: Dice = state.dice
    for move in record.actions[:moves]:
        state.apply(move.player, move.code)
    witness = dealt if isinstance(dealt, Witness) else dice
    return witness.draws


def _spread(draws: list[tuple[int, int]]) -> list[str]:
    """How the draws fell, in quarters of their ranges; draws out of one do not count."""
    chances = [(n, drawn) for n, drawn in draws if n > 1]
    if not chances:
        return ["Nothing was drawn in this game."]
    found = [0.0] * 4
    for n, drawn in chances:
        low, high = drawn / n, (drawn + 1) / n
        for quarter in range(4):
            inside = min(high, (quarter + 1) / 4) - max(low, quarter / 4)
            found[quarter] += max(0.0, inside) * n
    expected = len(chances) / 4
    return [f"{len(chances)} draws, among 2 to {max(n for n, _ in chances)} possibilities each."] + [
        f"In the {name} quarter: {count:.1f}; expected {expected:.1f}."
        for name, count in zip(QUARTERS, found, strict=True)
    ]


def _step(
    title: str, text: str, sound: bool, *, lines: list[str] | None = None, expected: str = "", found: str = ""
) -> Step:
    return {"title": title, "text": text, "sound": sound, "lines": lines or [], "expected": expected, "found": found}
