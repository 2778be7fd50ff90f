"""Two whole games, turn by turn (PP-E25, PP-E26), as the contract gives them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import pytest

from parlour.games.prowlers.rules import ProwlersState
from tests.games.prowlers.fragments import happened, holdings, listed, loaded, markers, play, r1, turns


@dataclass(frozen=True)
class GoldenGame:
    """A game of the contract: its cards, the free pull, and its turns, one a line.

    A line holds the seat, the passageway, the face, what a golden shovel pulled, the markers afterwards and what else
    happened.
    """

    cards: tuple[str, str, str]
    bonus: str
    record: str

    def turns(self) -> list[list[str]]:
        """Each turn's fields; what else happened is the last."""
        return [(line.split(None, 5) + ["-"])[:6] for line in self.record.strip().splitlines()]


GAME_A = GoldenGame(
    ("mid_control", "mid_tunnel", "surround"),
    "banking",
    """
first  sp_e_n  golden_shovel banking     1,0,1,0,0       -
second sh_bd   gold          -           1,0,1,0,-2      -
first  sp_f_sw double_shovel -           1,2,3,0,-2      -
second sh_bc   double_shovel -           -1,2,3,-2,-2    -
first  sp_f_se gold          -           0,3,3,-2,-2     -
second sh_be   gold          -           0,3,3,-4,-2     -
first  sp_e_sw book          -           1,3,3,-3,-2     -
second sp_c_sw jewels        -           0,3,3,-4,-2     -
first  sh_ce   book          -           1,3,3,-3,-2     steals plat_bce
second sp_b_sw gold          -           1,3,2,-3,-3     -
first  sh_ab   golden_shovel banking     2,3,2,-3,-1     -
second sp_b_n  gold          -           2,3,2,-4,-2     -
first  sh_ad   double_shovel -           2,3,2,-4,2      steals plat_abd; mid-game scoring
second sp_d_n  key           -           2,2,2,-5,2      -
first  sp_e_se book          -           2,2,3,-4,2      -
second sp_a_se key           -           2,2,2,-4,1      -
first  sh_df   book          -           2,3,2,-3,1      -
second sp_c_se key           -           2,2,2,-4,1      -
first  sh_ef   book          -           3,3,2,-4,1      claims surround
second sp_a_n  key           -           3,2,2,-4,0      -
first  sp_b_se book          -           3,2,3,-3,0      -
second sp_c_n  key           -           2,1,3,-3,0      -
first  sp_d_sw jewels        -           2,2,3,-3,1      -
second sp_d_se jewels        -           2,2,3,-4,0      -
first  sh_de   jewels        -           3,2,3,-3,0      steals hub; steals plat_def
second sp_a_sw jewels        -           3,1,2,-3,0      end-of-game scoring
""",
)

GAME_B = GoldenGame(
    ("mid_control", "tunnel_6", "loot_each"),
    "residential",
    """
first  sp_e_n  golden_shovel political   1,1,1,-1,0      -
second sp_f_sw double_shovel -           1,-1,-1,-1,0    -
first  sp_f_se gold          -           2,0,-1,-1,0     -
second sh_df   book          -           2,-1,-1,-2,0    -
first  sp_a_sw jewels        -           2,0,0,-2,0      -
second sp_f_n  book          -           1,0,-1,-2,0     -
first  sp_d_sw jewels        -           1,1,-1,-2,1     -
second sh_ef   book          -           0,0,-1,-2,1     -
first  sp_d_n  key           -           0,1,-1,-1,1     -
second sp_c_n  key           -           -1,0,-1,-1,1    -
first  sp_b_se book          -           -1,0,0,0,1      claims loot_each
second sp_c_se key           -           -1,-1,0,-1,1    -
first  sh_bc   double_shovel -           1,-1,0,1,1      -
second sh_ab   golden_shovel banking     0,-1,0,1,-1     -
first  sp_a_n  key           -           0,0,0,1,0       -
second sp_a_se key           -           0,0,-1,1,-1     mid-game scoring
first  sh_bd   gold          -           0,0,-1,1,1      -
second sh_ad   double_shovel -           0,0,-1,1,-3     steals plat_abd
first  sh_de   jewels        -           1,0,-1,2,-3     steals plat_def
second sp_e_sw book          -           0,0,-1,1,-3     -
first  sh_be   gold          -           0,0,-1,3,-3     -
second sp_d_se jewels        -           0,0,-1,2,-4     -
first  sp_b_n  gold          -           0,0,-1,3,-3     steals hub; claims tunnel_6
second sp_c_sw jewels        -           -1,0,-1,2,-3    -
first  sp_b_sw gold          -           -1,0,0,2,-2     -
second sp_e_se book          -           -1,0,-1,1,-2    end-of-game scoring
""",
)

CATEGORIES = listed("tunnel statues loot banking political market residential castle districts achievements total")
SHEETS_A = {
    ("mid", 0): "8 2 4 6 10 5 - -1 20 0 34",
    ("mid", 1): "10 0 11 - - - 3 - 3 0 24",
    ("end", 0): "16 4 25 6 12 10 - - 28 8 81",
    ("end", 1): "16 0 31 - - - 11 - 11 3 61",
}
SHEETS_B = {
    ("mid", 0): "8 0 8 - - - 4 - 4 0 20",
    ("mid", 1): "8 0 12 - - 2 - 4 6 0 26",
    ("end", 0): "12 2 25 - - - 6 - 6 8 53",
    ("end", 1): "10 1 24 5 - 5 - 9 19 3 57",
}


def moves(game: GoldenGame) -> list[str]:
    """The turns as the tests play them."""
    return [line if pulled == "-" else f"{line}+{pulled}" for _, line, _, pulled, _, _ in game.turns()]


def told(events: list[Any]) -> list[str]:
    """What happened besides placing and pulling, in the contract's words."""
    found = []
    for event in events:
        if event.kind == "statue":
            found.append(f"steals {event.args['statue']}")
        elif event.kind == "card":
            found.append(f"claims {event.args['card']}")
        elif event.kind == "scored":
            found.append({"mid": "mid-game scoring", "end": "end-of-game scoring"}[event.args["phase"]])
    return found


def play_through(game: GoldenGame) -> ProwlersState:
    """Play it, comparing every turn: who, what lay there, where the markers came to, and what else happened."""
    state = r1(cards=game.cards, bonus=game.bonus)
    for seat, line, face, pulled, at, besides in game.turns():
        assert ("first", "second").index(seat) == state.current_player
        ids = [f"place:{line}"] + ([f"golden:{pulled}"] if pulled != "-" else [])
        events = happened(state, *ids)
        assert face == events[0].args["face"]
        assert tuple(map(int, at.split(","))) == markers(state), line
        assert ([] if besides == "-" else besides.split("; ")) == told(events), line
        assert loaded(state.position()) == state
    return state


def sheets(state: ProwlersState) -> dict[tuple[str, int], str]:
    """The score sheets as the contract writes them."""
    found = {}
    for phase in ("mid", "end"):
        for player in (0, 1):
            lines = holdings(state, player)[phase]
            found[phase, player] = " ".join("-" if lines[name] is None else str(lines[name]) for name in CATEGORIES)
    return found


def loot(state: ProwlersState, player: int) -> tuple[int, ...]:
    """Gold, book, jewels, key and shovels."""
    mine = holdings(state, player)
    return (*mine["loot"].values(), mine["shovels"])


def test_pp_e25_game_a() -> None:
    """PP-E25, PP-43, PP-53: 115 to 85, first wins."""
    state = play_through(GAME_A)
    assert SHEETS_A == sheets(state)
    assert [115.0, 85.0] == state.scores()
    assert [1.0, 0.0] == state.returns()
    assert [(0, 1), (1, 2)] == [(standing.player, standing.place) for standing in state.standings()]
    assert (1, 6, 2, 0, 4) == loot(state, 0)
    assert (4, 0, 3, 5, 1) == loot(state, 1)
    assert (8, 8) == (holdings(state, 0)["longest"], holdings(state, 1)["longest"])
    assert {"mid_control": "first", "mid_tunnel": "second", "surround": "first"} == state.position()["cards"]
    assert ["hub", "plat_abd", "plat_bce", "plat_def"] == holdings(state, 0)["statues"]


def test_pp_e25_at_mid_game() -> None:
    """PP-E25, PP-51, PP-R18: T 4 and 5; first's Castle is one pair less four shovels."""
    state = turns(r1(cards=GAME_A.cards, bonus=GAME_A.bonus), *moves(GAME_A)[:13])
    assert (13, 14) == (state.mid_turn, state.turn)
    assert (4, 5) == (holdings(state, 0)["longest"], holdings(state, 1)["longest"])
    assert (1, 2, 0, 0, 4) == loot(state, 0)
    assert (4, 0, 1, 0, 1) == loot(state, 1)
    assert -1 == holdings(state, 0)["mid"]["castle"]


def test_pp_e26_game_b() -> None:
    """PP-E26, PP-53: 73 to 83, second wins."""
    state = play_through(GAME_B)
    assert SHEETS_B == sheets(state)
    assert [73.0, 83.0] == state.scores()
    assert [0.0, 1.0] == state.returns()
    assert [(1, 1), (0, 2)] == [(standing.player, standing.place) for standing in state.standings()]
    assert (5, 1, 3, 2, 2) == loot(state, 0)
    assert (0, 5, 2, 3, 3) == loot(state, 1)
    assert (6, 5) == (holdings(state, 0)["longest"], holdings(state, 1)["longest"])
    assert (["hub", "plat_def"], ["plat_abd"]) == (holdings(state, 0)["statues"], holdings(state, 1)["statues"])
    assert {"mid_control": "second", "tunnel_6": "first", "loot_each": "first"} == state.position()["cards"]


@pytest.mark.parametrize(("game", "expected"), [(GAME_A, [85.0, 115.0]), (GAME_B, [83.0, 73.0])])
def test_pp_e25_and_e26_with_the_seats_exchanged(game: GoldenGame, expected: list[float]) -> None:
    """PP-E25, PP-E26, PP-01: when player 1 sits first, everything is the same but for the numbers of the players."""
    state = loaded({"seats": {"first": 1, "second": 0}, "cards": dict.fromkeys(game.cards), "awaiting": "bonus_move"})
    assert 0 == state.current_player
    play(state, f"bonus:{game.bonus}")
    turns(state, *moves(game))
    assert expected == state.scores()
    assert state.returns() == [float(expected[0] > expected[1]), float(expected[1] > expected[0])]
