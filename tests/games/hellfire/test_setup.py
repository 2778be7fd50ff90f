"""Set-up (HC-01…HC-07), the cards (section 2), and the numbers of the box."""

from __future__ import annotations

from collections import Counter

import pytest

from parlour.games.hellfire import GAME
from parlour.games.hellfire.box import BENEFACTORS, BOASTS, BOX, LISTS, PATRONS, SUITS
from parlour.games.hellfire.rules import Hellfire
from parlour.kernel import BoxError, Dice, OptionError
from tests.games.hellfire.scene import Scene

LIMITS = {2: 7, 3: 7, 4: 6, 5: 6, 6: 5, 7: 5, 8: 5}


def dealt(players: int, seed: int = 1, **options: object) -> Hellfire:
    state = GAME.new_game(players=players, seed=seed, options=options)
    assert isinstance(state, Hellfire)
    return state


@pytest.mark.parametrize("players", [0, 1, 9])
def test_hc_01_two_to_eight_players(players: int) -> None:
    with pytest.raises(OptionError):
        GAME.new_game(players=players)


def test_hc_01_the_left_is_the_next_seat() -> None:
    """HC-01: seats go round; from the left of seat 2 of four they are 3, 0, 1."""
    state = dealt(4)
    state.storyteller = 2
    assert [state.seat_from_left(distance) for distance in range(4)] == [2, 3, 0, 1]
    five = dealt(5)
    five.storyteller = 3
    assert [five.seat_from_left(distance) for distance in range(5)] == [3, 4, 0, 1, 2]


@pytest.mark.parametrize("players", range(2, 9))
def test_hc_02_hand_limits(players: int) -> None:
    """HC-02, HC-R30: 7 for two or three players, 6 for four or five, 5 for six to eight."""
    state = dealt(players)
    assert LIMITS[players] == state.terms.hand_limit
    others = [p for p in range(players) if p != state.storyteller]
    assert {LIMITS[players]} == {state.hand_size(player) for player in others}


@pytest.mark.parametrize("players", range(2, 9))
def test_hc_03_the_deal(players: int) -> None:
    """HC-03: hands to seat 0 first, then seat 1, from the top; then a Patron each; two piles are left."""
    dice = Dice(77)
    order = list(range(100))
    dice.shuffle(order)
    patrons = list(range(30))
    dice.shuffle(patrons)
    state = dealt(players, seed=77)
    limit = LIMITS[players]
    for player in range(players):
        assert sorted(order[player * limit : (player + 1) * limit]) == state.hand_list(player)
        assert patrons[player] == state.patrons[player]
    taken = players * limit + (5 if players == 2 else 0)
    assert [int(card) for card in state.pile[state.drawn :]] == order[taken:]
    assert [int(one) for one in state.patron_pile[state.patrons_drawn :]] == patrons[players:]
    assert (len(state.discards), len(state.patron_discards)) == (0, 0)


def test_hc_04_witnesses_for_two_only() -> None:
    dice = Dice(5)
    order = list(range(100))
    dice.shuffle(order)
    two = dealt(2, seed=5)
    assert [int(card) for card in two.witnesses] == order[14:18]
    assert two.turned == order[18]
    assert len(dealt(3).witnesses) == 0


def test_hc_05_nothing_is_owned() -> None:
    position = dealt(4).position()
    assert position["benefactors"] == {}
    assert position["records"] == dict.fromkeys(SUITS, 0)
    players = position["players"]
    assert isinstance(players, list)
    assert [player["purse"] for player in players] == [0, 0, 0, 0]
    assert [player["pocket"] for player in players] == [[], [], [], []]


def test_hc_06_the_title_is_no_part_of_play() -> None:
    """HC-06: nothing in a position speaks of a title."""
    assert "title" not in dealt(4).position()


def test_hc_07_the_starter_is_drawn_evenly() -> None:
    starters = Counter(dealt(4, seed=seed).storyteller for seed in range(2000))
    assert set(starters) == {0, 1, 2, 3}
    assert max(starters.values()) < 590  # 500 expected, standard deviation below 20
    assert min(starters.values()) > 410


def test_hc_07_or_named_by_the_host() -> None:
    state = dealt(5, starter="named")
    assert (state.actors(), state.decision(0)) == (1, "choose_starter")
    assert state.legal_actions(0) == [102, 103, 104, 105, 106]
    state.play(0, 105)
    assert (state.storyteller, state.turn, state.decision(3)) == (3, 1, "discard_boast")


def test_hc_07_the_turn_passes_to_the_left() -> None:
    scene = Scene(hands={"D": "T1 T2", "A": "W3"}, turn_of="D")
    scene.told("T1", "T2", seat="D")
    assert scene.teller == "A"


# --- the cards ----------------------------------------------------------------------------------------------------


def test_there_are_a_hundred_boasts_thirty_patrons_and_ten_benefactors() -> None:
    """HC-R21: coins are no cards and are not counted."""
    assert len(BOASTS) == len(set(BOASTS)) == 100 == len(BOX.spec.boasts)
    assert len(PATRONS) == len(set(PATRONS)) == 30 == len(BOX.spec.patrons)
    assert len(BENEFACTORS) == 10 == len(BOX.spec.benefactors)
    assert Counter(one.symbol for one in BOX.spec.patrons.values()) == {"Y": 15, "O": 15}
    assert BOASTS[93] == "weapons_04"
    assert [suit.letter for suit in BOX.spec.suits.values()] == list("VCIMOERPTW")
    assert sum(len(side) for side in BOX.spec.titles.values()) == 63


def test_cards_of_the_box_word_for_word() -> None:
    spec = BOX.spec
    assert spec.boasts["weapons_04"].name == "Trusty Service Revolver"
    assert spec.boasts["weapons_01"].phrase == "an umbrella"
    assert spec.boasts["people_02"].name == "My Landlady"
    assert spec.boasts["people_02"].phrase == "the landlady"
    assert (spec.boasts["places_09"].prep, spec.boasts["places_06"].prep) == ("at", "in")
    assert spec.boasts["perils_09"].aside == "In Surrey, which made it so much worse."
    assert spec.benefactors["benefactor_weapons"].name == "General Blunderby-Firth"
    assert spec.titles["side_1"]["36"].title == "Why no one may mention the pineapple"
    assert spec.titles["side_3"]["66"].title == "How we died, and what came of it"
    assert spec.patrons["o_teatime"].name == "The Grocer"
    assert len(spec.grammar.lists["link"]) == 11
    assert spec.grammar.lists["link"][:4] == ("", "", "So ", "Well, ")
    assert tuple(spec.grammar.lists) == LISTS


@pytest.mark.parametrize(
    ("change", "key"),
    [
        ('boasts.places_04.prep=""', "boasts.places_04.prep"),
        ("patrons.y_pot_boy.cards=3", "patrons.y_pot_boy.cards"),
        ('patrons.o_hanger_on.symbol="Y"', "patrons.o_hanger_on.symbol"),
        ("patrons.y_penny_novelist.lowest=7", "patrons.y_penny_novelist.lowest"),
        ('suits.crimes.letter="V"', "suits"),
        ("numbers.sixpence=0", "numbers.sixpence"),
        ("grammar.lists.closing=[]", "grammar.lists.closing"),
        ('grammar.lists.closing=["{who}"]', "grammar.lists.closing"),
    ],
)
def test_a_broken_box_is_refused_with_its_key(change: str, key: str) -> None:
    with pytest.raises(BoxError) as refused:
        GAME.with_box(sets=[change])
    assert refused.value.key == key
    assert refused.value.sentence.endswith(".")


@pytest.mark.parametrize("part", ["suits", "boasts", "patrons", "benefactors", "titles"])
def test_a_box_with_something_missing_or_too_much_is_refused(part: str) -> None:
    document = {**BOX.document, part: dict(list(BOX.document[part].items())[1:])}
    with pytest.raises(BoxError):
        GAME.with_box(document)
    document = {**BOX.document, part: {**BOX.document[part], "more": next(iter(BOX.document[part].values()))}}
    with pytest.raises(BoxError):
        GAME.with_box(document)
    document = {**BOX.document, part: dict(reversed(BOX.document[part].items()))}
    with pytest.raises(BoxError):
        GAME.with_box(document)


def test_a_box_with_a_title_missing_is_refused() -> None:
    titles = {**BOX.document["titles"], "side_2": dict(list(BOX.document["titles"]["side_2"].items())[:-1])}
    with pytest.raises(BoxError):
        GAME.with_box({**BOX.document, "titles": titles})


def test_another_box_changes_the_game() -> None:
    game = GAME.with_box(sets=["numbers.hand_limit=[7, 7, 4, 6, 5, 5, 5]", "patrons.y_weapons.pennies=3"])
    state = game.new_game(players=4, seed=1)
    assert isinstance(state, Hellfire)
    assert state.terms.hand_limit == 4
    assert state.terms.pennies[9] == 3
    assert GAME.new_game(players=4, seed=1) != state
