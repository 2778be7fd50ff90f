"""What may be chosen, in codes, ids and words (section 5), and why other things may not."""

from __future__ import annotations

import pytest

from parlour.games.prowlers import GAME
from parlour.games.prowlers.box import PASSAGEWAYS
from parlour.kernel import Dice, random_step
from tests.games.prowlers.fragments import built, dealt, listed, loaded, play, r1, turns

# Written out, not taken from the code: records hold these numbers, and they never change.
PUBLISHED = {
    "bonus_move": {
        "bonus:banking": 32,
        "bonus:political": 33,
        "bonus:market": 34,
        "bonus:residential": 35,
        "bonus:castle": 36,
        "bonus:decline": 37,
    },
    "place": {
        "place:sp_a_n": 0,
        "place:sp_a_se": 1,
        "place:sp_a_sw": 2,
        "place:sp_b_n": 3,
        "place:sp_b_se": 4,
        "place:sp_b_sw": 5,
        "place:sp_c_n": 6,
        "place:sp_c_se": 7,
        "place:sp_c_sw": 8,
        "place:sp_d_n": 9,
        "place:sp_d_se": 10,
        "place:sp_d_sw": 11,
        "place:sp_e_n": 12,
        "place:sp_e_se": 13,
        "place:sp_e_sw": 14,
        "place:sp_f_n": 15,
        "place:sp_f_se": 16,
        "place:sp_f_sw": 17,
        "place:sh_ab": 18,
        "place:sh_bc": 19,
        "place:sh_ad": 20,
        "place:sh_bd": 21,
        "place:sh_be": 22,
        "place:sh_ce": 23,
        "place:sh_de": 24,
        "place:sh_df": 25,
        "place:sh_ef": 26,
    },
    "golden": {
        "golden:banking": 27,
        "golden:political": 28,
        "golden:market": 29,
        "golden:residential": 30,
        "golden:castle": 31,
    },
}


def test_published_codes_never_change() -> None:
    """Section 5: 27 + 5 + 6 = 38 actions."""
    assert PUBLISHED == GAME.actions.table()
    assert 38 == GAME.actions.size == sum(map(len, PUBLISHED.values()))


def test_pp_13_the_words_of_a_placement_say_what_it_does() -> None:
    """PP-13, PP-21: the districts on both sides, the tile, and where; its target is the passageway."""
    state = r1()
    action = GAME.describe(state, 0, PUBLISHED["place"]["place:sp_a_se"])
    assert "Dig between Castle and Market and take a key (bottom left hex, lower right line)" == action.text
    assert ("place", {"passageway": "sp_a_se"}, "edge:sp_a_se", "PP-13") == (
        action.type,
        action.args,
        action.target,
        action.clause,
    )
    twice = GAME.describe(state, 0, PUBLISHED["place"]["place:sh_bd"])
    assert "Dig beside Castle twice and take some gold (between the bottom middle and middle left hexes)" == twice.text


def test_pp_26_and_08_the_words_of_the_pulls() -> None:
    """PP-26, PP-08: each names its marker, which is also its target; declining has none."""
    state = play(r1(), "place:sh_ab")
    golden = GAME.describe(state, 0, 29)
    assert ("Pull Market with the golden shovel", "marker:market", "PP-26") == (
        golden.text,
        golden.target,
        golden.clause,
    )
    before = loaded({"awaiting": "bonus_move"})
    bonus = GAME.describe(before, 1, 34)
    assert ("Pull Market one space toward you", "marker:market", "PP-08") == (bonus.text, bonus.target, bonus.clause)
    decline = GAME.describe(before, 1, 37)
    assert ("Leave the markers where they are", "") == (decline.text, decline.target)


def test_every_placement_has_its_own_words() -> None:
    """No two of the 27 read alike, so that a list of buttons can be told apart by ear."""
    state = r1()
    assert 27 == len({GAME.describe(state, 0, code).text for code in state.legal_actions(0)})


@pytest.mark.parametrize(
    ("moment", "code", "clause", "says"),
    [
        ("bonus", 0, "PP-08", "First say whether you pull a marker before the game begins."),
        ("bonus", 27, "PP-08", "First say whether you pull a marker before the game begins."),
        ("place", 37, "PP-08", "The free pull belongs to the second player, before turn 1."),
        ("place", 32, "PP-08", "The free pull belongs to the second player, before turn 1."),
        ("place", 27, "PP-26", "You have no golden shovel to use now; place a passage."),
        ("place", 31, "PP-26", "You have no golden shovel to use now; place a passage."),
        ("place", 0, "PP-13", "There is a passage already; choose a passageway that still has its tile."),
        ("golden", 0, "PP-26", "First choose the marker that your golden shovel pulls."),
        ("golden", 26, "PP-26", "First choose the marker that your golden shovel pulls."),
        ("golden", 32, "PP-26", "First choose the marker that your golden shovel pulls."),
        ("golden", 31, "PP-26", "The Castle marker is on your last space already; choose another."),
        ("over", 15, "PP-43", "The game is over."),
    ],
)
def test_pp_12_a_refusal_says_why(moment: str, code: int, clause: str, says: str) -> None:
    """PP-12, PP-13, PP-26, PP-43: the clause, and a sentence for the player."""
    if moment == "bonus":
        state = loaded({"awaiting": "bonus_move"})
    elif moment == "place":
        state = turns(r1(), "sp_a_n", "sp_c_n")
    elif moment == "golden":
        first, second = listed("sp_f_sw sh_bc sp_e_n sp_f_n"), listed("sp_a_sw sp_c_n sp_c_sw sp_d_n")
        state = play(built(first, second, at=(0, 0, 0, 0, 7)), "place:sh_ab")
    else:
        state = dealt(1)
        dice = Dice(1)
        while not state.is_over:
            random_step(state, dice)
    refusal = state.explain(max(state.current_player, 0), code)
    assert refusal is not None
    assert (says, clause) == (refusal.sentence, refusal.clause)


@pytest.mark.parametrize("code", [-1, 38, 1000])
def test_a_code_that_means_nothing_is_refused(code: int) -> None:
    """PP-12: directly as well as through play."""
    refusal = r1().explain(0, code)
    assert refusal is not None
    assert ("There is no such action in this game.", "") == (refusal.sentence, refusal.clause)


def test_pp_12_the_waiting_player_is_told_so() -> None:
    """PP-12."""
    refusal = r1().explain(1, 0)
    assert refusal is not None
    assert ("It is your opponent’s turn.", "PP-12") == (refusal.sentence, refusal.clause)


def test_every_passageway_has_a_name() -> None:
    """For lists and for ears."""
    names = {line.name for line in GAME.box.spec.board.passageways.values()}  # type: ignore[union-attr]
    assert len(PASSAGEWAYS) == len(names)
