"""Records that must verify for as long as their rules version is supported (R1, R3): never write them anew.

A change of the rules that breaks one of them is a new version of the game.
"""

from __future__ import annotations

from pathlib import Path

import pytest

from parlour.records import load, replay, verify

GOLDEN = Path(__file__).parent / "golden"

# PP-E25 and PP-E26: the markers after every turn, banking to castle, positive on the first player's side.
GAME_A = """
1 0 1 0 0 | 1 0 1 0 -2 | 1 2 3 0 -2 | -1 2 3 -2 -2 | 0 3 3 -2 -2 | 0 3 3 -4 -2 | 1 3 3 -3 -2 | 0 3 3 -4 -2
1 3 3 -3 -2 | 1 3 2 -3 -3 | 2 3 2 -3 -1 | 2 3 2 -4 -2 | 2 3 2 -4 2 | 2 2 2 -5 2 | 2 2 3 -4 2 | 2 2 2 -4 1
2 3 2 -3 1 | 2 2 2 -4 1 | 3 3 2 -4 1 | 3 2 2 -4 0 | 3 2 3 -3 0 | 2 1 3 -3 0 | 2 2 3 -3 1 | 2 2 3 -4 0
3 2 3 -3 0 | 3 1 2 -3 0
"""
GAME_B = """
1 1 1 -1 0 | 1 -1 -1 -1 0 | 2 0 -1 -1 0 | 2 -1 -1 -2 0 | 2 0 0 -2 0 | 1 0 -1 -2 0 | 1 1 -1 -2 1 | 0 0 -1 -2 1
0 1 -1 -1 1 | -1 0 -1 -1 1 | -1 0 0 0 1 | -1 -1 0 -1 1 | 1 -1 0 1 1 | 0 -1 0 1 -1 | 0 0 0 1 0 | 0 0 -1 1 -1
0 0 -1 1 1 | 0 0 -1 1 -3 | 1 0 -1 2 -3 | 0 0 -1 1 -3 | 0 0 -1 3 -3 | 0 0 -1 2 -4 | 0 0 -1 3 -3 | -1 0 -1 2 -3
-1 0 0 2 -2 | -1 0 -1 1 -2
"""


@pytest.mark.parametrize("file", sorted(GOLDEN.glob("*.json")), ids=lambda file: file.stem)
def test_it_verifies(file: Path) -> None:
    assert verify(load(file)).findings == ()


def test_there_are_golden_records() -> None:
    assert {file.stem for file in GOLDEN.glob("*.json")} >= {"pp_e25_game_a", "pp_e26_game_b", "prowlers_dealt"}


@pytest.mark.parametrize(
    ("name", "scores", "markers"),
    [("pp_e25_game_a", [115.0, 85.0], GAME_A), ("pp_e26_game_b", [73.0, 83.0], GAME_B)],
)
def test_pp_e25_pp_e26_move_by_move(name: str, scores: list[float], markers: str) -> None:
    """PP-E25, PP-E26: the markers after each of the 26 turns, and the totals, as worked out in the rules."""
    record = load(GOLDEN / f"{name}.json")
    expected = [[int(marker) for marker in turn.split()] for turn in markers.strip().replace("\n", " | ").split(" | ")]
    assert len(expected) == 26
    after: list[object] = []
    steps = list(replay(record))[2:]  # not the deal, nor the free pull of the second player
    for step, following in zip(steps, [*steps[1:], None], strict=True):
        if following is None or following.move is None or not following.move.action.startswith("golden:"):
            position = step.state.position()["markers"]
            assert isinstance(position, dict)
            after.append(list(position.values()))
    assert after == expected
    assert record.result is not None
    assert record.result.scores == scores
