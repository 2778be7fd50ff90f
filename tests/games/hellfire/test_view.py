"""What one may see (section 6, HC-I14, HC-R28, HC-R29, HC-R36)."""

from __future__ import annotations

import json
from typing import Any

import pytest

from parlour.games.hellfire import GAME
from parlour.games.hellfire.rules import Hellfire
from parlour.kernel import Dice, State, random_step
from tests.games.hellfire.scene import Scene, card
from tests.shelf import random_game


def view(state: State, seat: int | None) -> Any:
    return state.view(seat)


def test_a_hand_is_its_owners_and_its_size_is_everybodys() -> None:
    scene = Scene(hands={"A": "W5 T2", "B": "C9 C8 C7"})
    assert [one["card"]["id"] for one in view(scene.s, 0)["hand"]] == [card("T2"), card("W5")]
    assert view(scene.s, None)["hand"] == []
    for seat in (None, 0, 1, 2, 3):
        assert [player["hand_size"] for player in view(scene.s, seat)["players"]] == [2, 3, 0, 0]
        assert [player["hand"] for player in view(scene.s, seat)["players"]] == [None] * 4


def test_a_held_patron_is_known_to_exist_and_no_more() -> None:
    scene = Scene(hands={"A": "W5 T2"}, patrons={"B": "o_weapons"})
    assert view(scene.s, 1)["patron"]["id"] == "o_weapons"
    assert [player["has_patron"] for player in view(scene.s, 0)["players"]] == [False, True, False, False]
    assert "o_weapons" not in json.dumps(view(scene.s, 0))
    assert "o_weapons" not in json.dumps(view(scene.s, None))


def test_hc_i14_views_do_not_differ_where_only_hidden_parts_do() -> None:
    """HC-I14: byte for byte, at every position of some games, each seat against its own redeal."""
    for players in (2, 3, 5, 8):
        mixes: list[dict[str, object]] = [{}, {"piles": "closed"}, {"interrupt_protocol": "first_voice"}]
        for options in mixes:
            dice = Dice(players)
            for step, state in enumerate(random_game("hellfire", players, 7, options)):
                if step % 7 and not state.is_over:
                    continue
                for seat in range(-1, players):
                    other = state.resample(seat, dice)
                    who = None if seat < 0 else seat
                    assert json.dumps(view(state, who)) == json.dumps(view(other, who))


def test_hc_r36_the_window_looks_the_same_to_all_who_are_asked() -> None:
    """Whether one could challenge, or play a Patron, shows in nobody else's view, and in one's own only as choices."""
    able = Scene(hands={"A": "W5 T2", "B": "W4", "C": "C9"}, patrons={"C": "o_weapons"})
    unable = Scene(hands={"A": "W5 T2", "B": "V4", "C": "C9"}, patrons={"C": "y_weapons"})
    for scene in (able, unable):
        scene.tell("W5")
    for seat in (None, 0, 3):
        assert view(able.s, seat) == view(unable.s, seat)
    assert view(able.s, 1)["window"] == view(unable.s, 1)["window"]
    assert view(able.s, None)["to_act"] is None
    assert view(able.s, None)["window"]["asked"] == [1, 2]


def test_nobody_sees_who_has_answered() -> None:
    """HC-34: in a window of three, whoever has answered."""
    base = Scene(hands={"A": "W5 T2", "B": "W4", "C": "C9", "D": "C8"})
    base.tell("W5")
    before = {seat: view(base.s, seat) for seat in (None, 0, 1, 2, 3)}
    for seat in "CD":
        base.do(seat, "pass")
    assert {seat: view(base.s, seat) for seat in (None, 0, 1)} == {seat: before[seat] for seat in (None, 0, 1)}
    mine = view(base.s, 2)
    assert (mine["window"]["you_are_asked"], mine["window"]["answer"]) == (False, "pass")
    assert (before[2]["window"]["you_are_asked"], before[2]["window"]["answer"]) == (True, None)


def test_hc_r28_open_piles_can_be_looked_through() -> None:
    """HC-R28, HC-R29."""
    scene = Scene(hands={"A": "W5 T2"}, pockets={"B": "W1 W3 T9"}, discards="M1 M2", patron_discards=["y_crimes"])
    seen = view(scene.s, 3)
    assert [one["id"] for one in seen["discards"]] == [card("M1"), card("M2")]
    assert [one["id"] for one in seen["patron_discards"]] == ["y_crimes"]
    pockets = seen["players"][1]["pockets"]
    assert [(pocket["suit"], [one["value"] for one in pocket["cards"]]) for pocket in pockets] == [
        ("teatime", [9]),
        ("weapons", [1, 3]),
    ]


def test_closed_piles_are_sizes_until_the_end() -> None:
    """3.10: pockets by size, not by suit; no help from the bookkeeper."""
    options: dict[str, object] = {"piles": "closed"}
    rest: dict[str, Any] = {"pockets": {"B": "W1 W3"}, "discards": "M1", "patron_discards": ["y_crimes"]}
    scene = Scene(hands={"A": "W5 T2"}, options=options, **rest)
    seen = view(scene.s, 0)
    assert (seen["discards"], seen["patron_discards"]) == (None, None)
    assert (seen["discard_size"], seen["patron_discard_size"]) == (1, 1)
    assert (seen["players"][1]["pockets"], seen["players"][1]["pocket_size"]) == (None, 2)
    assert [one["lower_unseen"] for one in seen["hand"]] == [None, None]
    assert [suit["record"] for suit in seen["suits"]][9] == 3  # records are public
    over = Scene(decision="over", options=options, **rest)
    assert [one["id"] for one in view(over.s, 0)["discards"]] == [card("M1")]
    assert view(over.s, 0)["players"][1]["pockets"][0]["suit"] == "weapons"


def test_the_bookkeepers_help_counts_what_is_unseen_below() -> None:
    scene = Scene(hands={"A": "W5 W1 T10", "B": "W2"}, pockets={"B": "W3"}, discards="W4 T1 T2", in_force={}, row="")
    assert {one["card"]["id"]: one["lower_unseen"] for one in view(scene.s, 0)["hand"]} == {
        card("W5"): 1,
        card("W1"): 0,
        card("T10"): 7,
    }


def test_legal_choices_are_marked_for_the_one_who_is_asked() -> None:
    scene = Scene(hands={"A": "W5 T2", "B": "W4 W6"}, patrons={"B": "o_weapons"})
    assert [one["legal"] for one in view(scene.s, 0)["hand"]] == [True, True]
    scene.tell("W5")
    assert {one["card"]["id"]: one["legal"] for one in view(scene.s, 1)["hand"]} == {
        card("W4"): True,
        card("W6"): False,
    }
    assert view(scene.s, 1)["patron"]["playable"] is True
    assert [one["legal"] for one in view(scene.s, 0)["hand"]] == [False]


def test_purses_are_sixpences_and_pennies() -> None:
    scene = Scene(hands={"A": "W5 T2"}, purses={"A": 17, "B": 6, "C": 5})
    coins = [(one["purse"], one["sixpences"], one["pennies"]) for one in view(scene.s, 3)["players"]]
    assert coins == [(17, 2, 5), (6, 1, 0), (5, 0, 5), (0, 0, 0)]


def test_the_end_shows_hands_and_the_reckoning() -> None:
    """After the end everything is public, but for Patrons that never came out."""
    scene = Scene(
        hands={"A": "W5", "B": "T2"}, pockets={"B": "W1"}, patrons={"A": "o_weapons"}, purses={"A": 3}, decision="over"
    )
    seen = view(scene.s, None)
    assert [[one["id"] for one in player["hand"]] for player in seen["players"][:2]] == [[card("W5")], [card("T2")]]
    assert "o_weapons" not in json.dumps(seen)
    assert (seen["decision"], seen["to_act"]) == ("over", None)
    lines = [(one["player"], one["place"], one["purse"], one["majorities"], one["total"]) for one in seen["reckoning"]]
    assert lines[:2] == [(0, 1, 3, 0, 3), (1, 2, 0, 2, 2)]
    assert seen["reckoning"][1]["by_suit"]["weapons"] == 2
    assert view(Scene(hands={"A": "W5"}).s, 0)["reckoning"] is None


@pytest.mark.parametrize(("decision", "who"), [("tell", 0), ("discard_boast", 0)])
def test_whom_the_table_waits_for(decision: str, who: int) -> None:
    scene = Scene(hands={"A": "W5 T2"}, decision=decision)
    assert view(scene.s, 2)["to_act"] == who
    assert view(scene.s, 2)["may_stop"] is False


def test_no_view_depends_on_the_number_of_ones_own_unanswered_choices() -> None:
    """The public view carries no list of choices at all."""
    scene = Scene(hands={"A": "W5 T2", "B": "W4"})
    scene.tell("W5")
    assert isinstance(scene.s, Hellfire)
    assert "legal" not in json.dumps(view(scene.s, None))


PUBLIC = {
    *("discarded", "patron_discarded", "patron_played", "boast", "challenge", "rechallenge", "gave_up"),
}
"""Events that show to the others what only its owner knew."""


def test_events_say_who_may_know_and_who_learns() -> None:
    """N5, R6: what one draws is one's own; what one shows, the others learn; neither can be taken back for nothing."""
    kinds: dict[str, int] = {}
    for players in (2, 4):
        for seed in range(3):
            state = GAME.new_game(players=players, seed=seed)
            state.events = []
            dice = Dice(seed)
            while not state.is_over:
                random_step(state, dice)
            everyone = (1 << players) - 1
            for event in state.events:
                kinds[event.kind] = kinds.get(event.kind, 0) + 1
                own = 1 << event.player if event.player >= 0 else 0
                if event.kind in PUBLIC:
                    assert (event.seen, event.reveals) == (-1, everyone & ~own)
                elif event.kind in ("drew_cards", "patron_drawn_card"):
                    assert (event.seen, event.reveals) == (own, own)
                elif event.kind in ("answered", "returned", "patron_returned"):
                    assert (event.seen, event.reveals) == (own, 0)
                elif event.kind in ("drew", "patron_drawn"):
                    assert (event.seen, event.reveals) == (-1, own)
                elif event.kind == "slipped":
                    both = own | 1 << event.args["to"]  # type: ignore[operator]
                    assert (event.seen, event.reveals) == (both, both)
                elif event.kind in ("witness_turned", "patrons_shuffled"):
                    assert (event.seen, event.reveals) == (-1, -1)
                else:
                    assert (event.seen, event.reveals) == (-1, 0)
    assert set(kinds) >= PUBLIC - {"gave_up"}
