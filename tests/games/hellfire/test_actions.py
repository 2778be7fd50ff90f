"""The action space of section 5: codes that records hold, and the words for them."""

from __future__ import annotations

import pytest

from parlour.games.hellfire import GAME
from parlour.games.hellfire.actions import suit_name
from parlour.games.hellfire.box import BOASTS
from tests.games.hellfire.scene import Scene, card

CARDS = {name: number for number, name in enumerate(BOASTS, 1)}
SEATS = {str(seat): 101 + seat for seat in range(1, 9)}

FROZEN = {
    "choose_starter": {f"starter:{seat}": number for seat, number in SEATS.items()},
    "choose_witness": {"witness:1": 110, "witness:2": 111, "witness:3": 112, "witness:4": 113},
    "discard_boast": {"discard:none": 0, **{f"discard:{name}": number for name, number in CARDS.items()}},
    "patron_swap": {"patron:keep": 0, "patron:draw": 101},
    "play_patron": {"patron:hold": 0, "patron:play": 101},
    "patron_target": {f"rob:{seat}": number for seat, number in SEATS.items()},
    "patron_give": {f"give:{name}": number for name, number in CARDS.items()},
    "tell": {"tell:stop": 0, **{f"tell:{name}": number for name, number in CARDS.items()}},
    "interrupt": {
        "interrupt:pass": 0,
        **{f"interrupt:challenge:{name}": number for name, number in CARDS.items()},
        "interrupt:patron": 101,
    },
    "rechallenge": {
        "rechallenge:pass": 0,
        **{f"rechallenge:challenge:{name}": number for name, number in CARDS.items()},
    },
    "forced_discard": {f"give_up:{name}": number for name, number in CARDS.items()},
}


def test_codes_never_change_their_meaning() -> None:
    assert FROZEN == GAME.actions.table()
    assert GAME.actions.size == 114
    assert CARDS["conveyances_01"] == 1
    assert CARDS["weapons_04"] == 94
    assert CARDS["weapons_10"] == 100


@pytest.mark.parametrize("decision", FROZEN)
def test_every_decision_has_a_question_and_every_choice_a_clause(decision: str) -> None:
    assert GAME.actions.decisions[decision].prompt.endswith((".", "?"))
    for id_ in FROZEN[decision]:
        said = GAME.actions.describe(decision, FROZEN[decision][id_])
        assert said.clause.startswith("HC-")
        assert said.text
        assert said.id == id_


def test_words_that_depend_on_the_position() -> None:
    scene = Scene(
        2, hands={"A": "T1", "B": "C9"}, witnesses="W3 W7 T5 P10", turned_up=card("R4"), decision="choose_witness"
    )
    assert GAME.describe(scene.s, 0, 111).text == (
        "Replace A Brace Of Duelling Pistols (Weapons 7) by A Pair Of Flammable Trousers (Perils 4)"
    )
    holder = Scene(hands={"A": "T1 T2", "B": "C9"}, patrons={"A": "y_weapons"}, decision="patron_swap")
    assert GAME.describe(holder.s, 0, 0).text == "Keep The Retired Sergeant-Major"
    assert GAME.describe(holder.s, 0, 101).text == "Discard The Retired Sergeant-Major and draw another Patron"
    holder.do("A", "keep")
    assert [GAME.describe(holder.s, 0, code).text for code in (0, 101)] == [
        "Hold The Retired Sergeant-Major",
        "Play The Retired Sergeant-Major",
    ]
    without = Scene(hands={"A": "T1 T2"}, decision="patron_swap")
    assert [GAME.describe(without.s, 0, code).text for code in (0, 101)] == ["Draw no Patron", "Draw a Patron"]
    window = Scene(hands={"A": "W5 T2"}, patrons={"B": "o_weapons"})
    window.tell("W5")
    assert GAME.describe(window.s, 1, 101).text == "Play The Gunsmith"
    assert GAME.describe(window.s, 1, 0).text == "Let it pass"


def test_cards_are_targets_on_the_table() -> None:
    scene = Scene(hands={"A": "W5 T2"})
    said = GAME.describe(scene.s, 0, 95)
    assert (said.target, said.args, said.text) == (
        "card:weapons_05",
        {"card": "weapons_05"},
        "Tell of A Sword-Stick (Weapons 5)",
    )
    assert suit_name("weapons_05") == "Weapons"
