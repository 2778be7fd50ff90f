"""The log: one sentence for each thing that happens."""

from __future__ import annotations

import pytest

from parlour.games.hellfire.words import SENTENCES, listed, money, words
from parlour.kernel import Event
from tests.games.hellfire.scene import card

NAMES = ["Ada", "Bo", "Cy", "Di"]


@pytest.mark.parametrize(
    ("kind", "player", "args", "sentence"),
    [
        ("turn", 0, {"turn": 3}, "Turn 3: Ada takes up the tale."),
        ("witness_turned", 0, {"card": card("W1")}, "Ada turns up Umbrella (Weapons 1)."),
        (
            "witness",
            0,
            {"slot": 1, "old": card("W1"), "card": card("T6")},
            "Ada sends Umbrella (Weapons 1) away; A Pint Of Gin (Teatime 6) stands witness instead.",
        ),
        ("discarded", 1, {"card": card("T6")}, "Bo discards A Pint Of Gin (Teatime 6)."),
        ("drew", 1, {"cards": 1, "left": 0}, "Bo draws one Boast card; none is left."),
        ("drew", 1, {"cards": 4, "left": 12}, "Bo draws 4 Boast cards; 12 left."),
        (
            "drew_cards",
            1,
            {"cards": [card("T6"), card("W1")]},
            "You draw A Pint Of Gin (Teatime 6) and Umbrella (Weapons 1).",
        ),
        ("patron_discarded", 1, {"patron": "o_teatime"}, "Bo sends The Grocer home."),
        ("patron_drawn", 1, {}, "Bo draws a Patron."),
        ("patron_drawn_card", 1, {"patron": "o_teatime"}, "Your Patron is The Grocer."),
        ("patrons_shuffled", -1, {"cards": 27}, "The 27 Patrons that had gone home are shuffled, and come back."),
        ("patron_played", 1, {"patron": "y_pot_boy"}, "Bo plays The Pot-Boy."),
        (
            "patron_played",
            1,
            {"patron": "o_weapons", "card": card("W1")},
            "Bo plays The Gunsmith on Umbrella (Weapons 1).",
        ),
        ("patron_returned", 1, {"patron": "o_weapons"}, "The Gunsmith was not needed and comes back to you."),
        ("robbed", 0, {"target": 2}, "The Pickpocket takes a card from Cy for Ada, who gives one back."),
        ("slipped", 2, {"card": card("W1"), "to": 0}, "Umbrella (Weapons 1) goes from Cy to Ada."),
        ("boast", 0, {"card": card("W1"), "attempt": 1}, "Ada tells of Umbrella (Weapons 1)."),
        (
            "window",
            0,
            {"card": card("W1"), "players": 1},
            "Umbrella (Weapons 1): one player is asked whether to let it pass.",
        ),
        (
            "window",
            0,
            {"card": card("W1"), "players": 3},
            "Umbrella (Weapons 1): 3 players are asked whether to let it pass.",
        ),
        ("answered", 1, {"answer": "pass"}, "You let it pass."),
        ("answered", 1, {"answer": "o_weapons"}, "You have put The Gunsmith face down."),
        ("answered", 1, {"answer": card("W1")}, "You have put Umbrella (Weapons 1) face down."),
        (
            "cancelled",
            0,
            {"card": card("W1"), "by": 1},
            "Umbrella (Weapons 1) is struck out, and nobody may challenge it.",
        ),
        ("gave_up", 0, {"card": card("W1")}, "Ada gives up Umbrella (Weapons 1)."),
        ("returned", 1, {"card": card("W1")}, "Umbrella (Weapons 1) goes back to your hand; nobody saw it."),
        (
            "challenge",
            1,
            {"card": card("W1"), "against": card("W4")},
            "Bo interrupts: it was not Trusty Service Revolver (Weapons 4), it was Umbrella (Weapons 1)!",
        ),
        ("rechallenge", 1, {"card": card("W1"), "against": card("W4")}, "Bo goes lower: it was Umbrella (Weapons 1)!"),
        ("stands", 0, {"card": card("W1")}, "Umbrella (Weapons 1) stands."),
        ("stopped", 0, {"why": "", "cards": 2}, "Ada stops."),
        ("stopped", 0, {"why": "constable", "cards": 1}, "Ada must be brief, and stops."),
        ("stopped", 0, {"why": "no_card", "cards": 1}, "Ada has no card left, and stops."),
        (
            "stopped",
            0,
            {"why": "no_legal_card", "cards": 1},
            "Ada has no card that the witnesses would allow, and stops.",
        ),
        (
            "caught",
            1,
            {"card": card("W1"), "lost": [card("T6"), card("W4")], "storyteller": 0},
            "Ada is caught. Bo pockets Umbrella (Weapons 1). "
            "Lost: A Pint Of Gin (Teatime 6) and Trusty Service Revolver (Weapons 4).",
        ),
        (
            "caught",
            0,
            {"card": card("W1"), "lost": [card("W4")], "storyteller": 0},
            "Ada has the last word, and pockets Umbrella (Weapons 1) alone. Lost: Trusty Service Revolver (Weapons 4).",
        ),
        ("paid", 0, {"pennies": 1, "for": "value"}, "Ada is paid a penny for high cards."),
        ("paid", 1, {"pennies": 2, "for": "o_bookmaker"}, "The Bookmaker is good for 2 pennies to Bo."),
        ("pocketed", 0, {"cards": []}, "Ada pockets nothing."),
        ("pocketed", 0, {"cards": [card("W1")]}, "Ada pockets Umbrella (Weapons 1)."),
        (
            "benefactor",
            0,
            {"suit": "weapons", "from": -1, "value": 8},
            "Weapons 8 is the highest so far: General Blunderby-Firth moves to Ada.",
        ),
        (
            "benefactor",
            0,
            {"suit": "weapons", "from": 1, "value": 8},
            "Weapons 8 is the highest so far: General Blunderby-Firth moves to Ada, leaving Bo.",
        ),
        (
            "benefactor",
            0,
            {"suit": "weapons", "from": 0, "value": 8},
            "Weapons 8 is the highest so far: General Blunderby-Firth stays with Ada.",
        ),
        ("patron_leaves", 1, {"patron": "o_weapons"}, "The Gunsmith goes home."),
        ("end", 2, {"why": "unable_to_draw"}, "Cy cannot draw back up to a full hand: the game is over."),
        ("end", 2, {"why": "no_witness"}, "There is no card left to stand witness: the game is over."),
        ("end", 2, {"why": "last_card"}, "The last Boast card has been drawn: the game is over."),
    ],
)
def test_every_sentence(kind: str, player: int, args: dict[str, object], sentence: str) -> None:
    assert sentence == words(Event(kind, player, args), NAMES)


def test_every_kind_has_a_sentence_above() -> None:
    marks = test_every_sentence.pytestmark  # type: ignore[attr-defined]
    assert {case[0] for case in marks[0].args[1]} == set(SENTENCES)


def test_lists_and_money() -> None:
    assert [listed([]), listed(["A"]), listed(["A", "B"]), listed(["A", "B", "C"])] == [
        "",
        "A",
        "A and B",
        "A, B and C",
    ]
    assert [money(1), money(2)] == ["a penny", "2 pennies"]
