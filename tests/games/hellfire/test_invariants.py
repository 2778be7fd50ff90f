"""The laws of every position (HC-I1…HC-I14): positions that break them are refused by name; random games keep them."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from parlour.games.hellfire import GAME
from parlour.games.hellfire.invariants import broken
from parlour.games.hellfire.rules import Hellfire
from parlour.kernel import Dice, PositionError, State, members, random_step
from tests.games.hellfire.scene import Scene, card
from tests.shelf import random_game

Position = dict[str, Any]


def tell_scene() -> Scene:
    return Scene(
        hands={"A": "W5 T2 M3", "B": "W4 C9", "C": "C8", "D": "C7"},
        pockets={"B": "V3"},
        patrons={"B": "o_weapons", "A": "y_crimes"},
        benefactors={"V": "B"},
        discards="I1",
    )


def window_scene() -> Scene:
    scene = tell_scene()
    scene.tell("W5")
    scene.do("B", "W4")
    return scene


def chain_scene() -> Scene:
    scene = tell_scene()
    scene.tell("W5")
    scene.window(B="W4")
    return scene


def give_scene() -> Scene:
    scene = Scene(hands={"A": "I1", "B": "V3", "C": "C1"}, patrons={"A": "y_pickpocket"}, decision="play_patron")
    scene.do("A", "play")
    scene.do("A", "2")
    return scene


def two_scene() -> Scene:
    scene = Scene(2, hands={"A": "V1 W9", "B": "C9 T3"}, witnesses="W3 W7 T5 P10")
    scene.told("V1")
    scene.do("B", "1")
    scene.refresh("B")
    return scene


def put(*path: Any, value: Any) -> Callable[[Position], None]:
    """Change one part of a position."""

    def change(position: Position) -> None:
        holder: Any = position
        for part in path[:-1]:
            holder = holder[part]
        holder[path[-1]] = value

    return change


def both(*changes: Callable[[Position], None]) -> Callable[[Position], None]:
    def change(position: Position) -> None:
        for one in changes:
            one(position)

    return change


def add(*path: Any, value: Any) -> Callable[[Position], None]:
    """Put one more into a list."""

    def change(position: Position) -> None:
        holder: Any = position
        for part in path:
            holder = holder[part]
        holder.append(value)

    return change


def drop(*path: Any) -> Callable[[Position], None]:
    def change(position: Position) -> None:
        holder: Any = position
        for part in path[:-1]:
            holder = holder[part]
        del holder[path[-1]]

    return change


def swap(one: str, other: str) -> Callable[[Position], None]:
    """Two cards change places, wherever they are."""

    def change(position: Position) -> None:
        text = json.dumps(position)
        text = text.replace(card(one), "?").replace(card(other), card(one)).replace("?", card(other))
        position.update(json.loads(text))

    return change


def two_witnesses(position: Position) -> None:
    """Half of the witnesses are sent away."""
    position["discard_pile"] += position["witnesses"][2:]
    position["witnesses"] = position["witnesses"][:2]


def a_witness(position: Position) -> None:
    """A discarded card stands as a witness."""
    position["witnesses"] = [position["discard_pile"].pop()]


def a_challenge(position: Position) -> None:
    """A card of the pile lies on the table as a challenge."""
    position["spoken"] = [{"player": 1, "card": position["draw_pile"].pop()}]


BROKEN = [
    ("HC-I1", tell_scene, add("players", 0, "hand", value=card("V3"))),
    ("HC-I1", tell_scene, drop("draw_pile", 0)),
    ("HC-I1", tell_scene, add("players", 0, "hand", value="weapons_11")),
    ("HC-I1", tell_scene, add("players", 0, "hand", value=card("W5"))),
    ("HC-I1", tell_scene, put("turned_up", value=card("W5"))),
    (
        "HC-I1",
        tell_scene,
        both(
            put("decision", value="patron_swap"),
            put("row", value=[card("M3")]),
            drop("players", 0, "hand", 0),
            put("attempts", value=1),
        ),
    ),
    ("HC-I2", tell_scene, put("players", 3, "patron", value="o_weapons")),
    ("HC-I2", tell_scene, drop("patron_pile", 0)),
    ("HC-I2", tell_scene, add("patron_pile", value="o_nobody")),
    (
        "HC-I2",
        tell_scene,
        both(
            put("decision", value="patron_swap"),
            put("players", 2, "in_force", value="o_crimes"),
            put("patron_pile", value=[]),
        ),
    ),
    (
        "HC-I2",
        tell_scene,
        both(put("players", 1, "patron", value=None), put("players", 1, "in_force", value="y_weapons")),
    ),
    ("HC-I2", tell_scene, put("players", 1, "patron_from", value=1)),
    ("HC-I2", tell_scene, put("shuffles", value=[["o_weapons"]])),
    ("HC-I2", tell_scene, put("shuffles", value=[])),
    ("HC-I3", tell_scene, put("benefactors", value={"nothing": 1})),
    ("HC-I4", tell_scene, put("benefactors", value={"crimes": 1})),
    ("HC-I4", tell_scene, put("benefactors", value={"conveyances": 0})),
    ("HC-I4", tell_scene, put("records", "conveyances", value=4)),
    ("HC-I4", tell_scene, put("records", "weapons", value=1)),
    ("HC-I8", window_scene, put("window", "answers", "1", value=card("C9"))),
    ("HC-I8", chain_scene, swap("W4", "M9")),
    ("HC-I8", tell_scene, a_challenge),
    ("HC-I9", tell_scene, put("contested", value=card("W5"))),
    ("HC-I9", window_scene, put("contested", value=None)),
    ("HC-I9", window_scene, put("cancelled", value=True)),
    ("HC-I10", chain_scene, put("attempts", value=0)),
    ("HC-I10", tell_scene, put("turn", value=0)),
    ("HC-I10", tell_scene, put("decision", value="choose_starter")),
    ("HC-I10", tell_scene, put("decision", value="patron_target")),
    ("HC-I10", tell_scene, both(put("decision", value="play_patron"), put("storyteller", value=2))),
    ("HC-I10", give_scene, put("robbed", value=None)),
    ("HC-I10", give_scene, put("robbed", value=0)),
    ("HC-I11", tell_scene, put("storyteller", value=5)),
    ("HC-I11", tell_scene, put("storyteller", value="A")),
    ("HC-I11", tell_scene, put("more", value=1)),
    ("HC-I11", tell_scene, drop("players", 0)),
    ("HC-I11", tell_scene, put("window", "responders", value=[1])),
    ("HC-I11", window_scene, put("window", "responders", value=[])),
    ("HC-I11", window_scene, put("window", "answers", value={"0": "pass"})),
    ("HC-I11", window_scene, put("window", "answers", value={"1": "pass", "2": "pass", "3": "pass"})),
    ("HC-I11", window_scene, put("window", "answers", value={"x": "pass"})),
    ("HC-I11", window_scene, put("window", "answers", value={"2": card("W4")})),
    ("HC-I11", window_scene, put("window", "answers", value={"2": "patron"})),
    ("HC-I11", window_scene, put("window", "passed", value=[2])),
    ("HC-I13", two_scene, two_witnesses),
    ("HC-I13", tell_scene, a_witness),
    ("HC-I14", give_scene, put("memory", "beliefs", 1, value=[{card("C1"): 0}])),
    ("HC-I14", give_scene, put("memory", "beliefs", 1, value=[])),
    ("HC-I14", give_scene, drop("memory", "beliefs", 1)),
    ("HC-I14", two_scene, put("memory", "silences", 0, 0, "kept", value=3)),
    ("HC-I14", two_scene, put("memory", "beliefs", 0, value=[{card("C9"): 1}, {card("T3"): 1}])),
    ("HC-I14", two_scene, put("memory", "doubts", value=[[{"player": 0, "barred": [card("W9")]}]])),
    ("HC-I14", two_scene, put("memory", "doubts", value=[[{"player": 0, "barred": [card("V9")]}] * 2])),
    ("HC-I11", two_scene, put("memory", "doubts", value=[[{"player": 2, "barred": [card("V9")]}]])),
    ("HC-I14", give_scene, put("memory", "doubts", value=[[{"player": 1, "barred": [card("V9")]}]])),
]


@pytest.mark.parametrize(("invariant", "scene", "change"), BROKEN, ids=range(len(BROKEN)))
def test_broken_positions_are_refused_by_name(
    invariant: str, scene: Callable[[], Scene], change: Callable[[Position], None]
) -> None:
    """HC-I1, HC-I2, HC-I3, HC-I4, HC-I8, HC-I9, HC-I10, HC-I11, HC-I13, HC-I14."""
    document: Any = scene().s.to_dict()
    GAME.load(document)
    change(document["position"])
    with pytest.raises(PositionError) as refused:
        GAME.load(document)
    assert refused.value.invariant == invariant, refused.value.sentence
    assert refused.value.sentence.endswith(".")


def test_hc_i5_purses_are_never_negative_and_never_fall() -> None:
    """HC-I5: nor can one be loaded."""
    document: Any = tell_scene().s.to_dict()
    document["position"]["players"][0]["purse"] = -1
    with pytest.raises(PositionError):
        GAME.load(document)
    for players in (2, 4, 7):
        purses = [0] * players
        for state in random_game("hellfire", players, 3):
            assert isinstance(state, Hellfire)
            now = [int(purse) for purse in state.purses]
            assert all(one >= other for one, other in zip(now, purses, strict=True))
            purses = now
    state = Scene(hands={"A": "W5 T2"}).s
    state.purses[0] = -1
    fault = broken(state)
    assert fault is not None
    assert fault.invariant == "HC-I5"


def test_hc_i6_hand_sizes() -> None:
    """HC-I6: limit + 2 at most, + 3 between the Pickpocket's take and give."""
    eight = "W1 W2 W3 W4 W5 W6 W7 W8"
    Scene(hands={"A": eight})
    with pytest.raises(PositionError) as refused:
        Scene(hands={"A": eight + " W9"})
    assert refused.value.invariant == "HC-I6"
    scene = Scene(hands={"A": eight, "B": "T1"}, patrons={"A": "y_pickpocket"}, decision="play_patron")
    scene.do("A", "play")
    assert scene.s.hand_size(0) == 9
    assert broken(scene.s) is None


def test_hc_i7_pockets_and_discards_grow_and_the_pile_shrinks() -> None:
    for players in (2, 5):
        before: Hellfire | None = None
        for state in random_game("hellfire", players, 9):
            assert isinstance(state, Hellfire)
            if before is not None:
                assert state.pile_size() <= before.pile_size()
                assert list(state.discards)[: len(before.discards)] == list(before.discards)
                for old, new in zip(before.pockets, state.pockets, strict=True):
                    assert old & ~new == 0
                assert all(old <= new for old, new in zip(before.record, state.record, strict=True))
            copy = state.clone()
            assert isinstance(copy, Hellfire)
            before = copy


def turns_of(state: State, dice: Dice) -> list[list[Any]]:
    """The events of a game, turn by turn."""
    events: list[Any] = []
    state.events = events
    while not state.is_over:
        random_step(state, dice)
    turns: list[list[Any]] = [[]]
    for event in events:
        if event.kind == "turn":
            turns.append([])
        turns[-1].append(event)
    return turns


@pytest.mark.parametrize("players", [2, 3, 6])
def test_hc_i8_chains_fall_and_one_card_of_a_caught_turn_is_pocketed(players: int) -> None:
    """HC-I8, HC-I9: at most nine cards, of one suit, strictly falling, below the contested card, which is no 1."""
    caught = 0
    for seed in range(20):
        state = GAME.new_game(players=players, seed=seed)
        for turn in turns_of(state, Dice(seed)):
            told = [event.args["card"] for event in turn if event.kind == "boast"]
            chain = [event.args["card"] for event in turn if event.kind in ("challenge", "rechallenge")]
            if not chain:
                assert not any(event.kind == "caught" for event in turn)
                continue
            caught += 1
            assert len(chain) <= 9
            values = [int(name[-2:]) for name in (told[-1], *chain)]
            assert values == sorted(set(values), reverse=True)
            assert len({name[:-3] for name in (told[-1], *chain)}) == 1
            assert not any(event.kind == "pocketed" for event in turn)
            (settled,) = [event for event in turn if event.kind == "caught"]
            assert settled.args["card"] == chain[-1]
    assert caught > 12


@pytest.mark.parametrize("players", [2, 3, 4, 8])
def test_hc_i10_every_turn_makes_progress_and_the_game_ends(players: int) -> None:
    """HC-I10: two attempts in every uncaught turn of three and more, a card gone in every turn; at most 100 turns."""
    for seed in range(12):
        state = GAME.new_game(players=players, seed=seed)
        assert isinstance(state, Hellfire)
        turns = turns_of(state, Dice(seed))
        assert state.turn <= 100
        for turn in turns[:-1]:
            stopped = [event for event in turn if event.kind == "stopped"]
            told = sum(event.kind == "boast" for event in turn)
            if players > 2 and stopped and stopped[0].args["why"] in ("", "no_legal_card"):
                assert told >= 2
            if players > 2:
                assert told >= 1
            elif turn is not turns[0]:
                assert any(event.kind == "witness_turned" for event in turn)


def test_hc_i11_commits_and_seed_determine_the_state() -> None:
    """HC-I11: the same actions on the same deal, the same state; other dice in the one who chooses change nothing."""
    state = GAME.new_game(players=4, seed=5)
    dice = Dice(3)
    done = []
    while not state.is_over:
        for player in members(state.actors())[:1]:
            legal = state.legal_actions(player)
            code = legal[dice.below(len(legal))]
            state.apply(player, code)
            done.append((player, code))
    again = GAME.new_game(players=4, seed=5)
    for player, code in done:
        again.play(player, code)
    assert again == state


def test_hc_i12_how_much_can_be_paid() -> None:
    """HC-I12: a suit's majority pays 0, 2 or the number tied; Benefactors 20 at most; values 60 at most."""
    assert sum([0, 0, 0, 0, 0, 0, 1, 1, 2, 2]) * 10 == 60
    for players in (2, 4, 8):
        for seed in range(6):
            state = GAME.new_game(players=players, seed=seed)
            values = sum(
                event.args["pennies"]
                for turn in turns_of(state, Dice(seed))
                for event in turn
                if event.kind == "paid" and event.args["for"] == "value"
            )
            assert 0 < values <= 60
            view: Any = state.view(None)
            lines = view["reckoning"]
            for suit in view["suits"]:
                paid = [line["by_suit"][suit["id"]] for line in lines]
                tied = sum(penny > 0 for penny in paid)
                assert sum(paid) == (0 if tied == 0 else 2 if tied == 1 else tied)
            assert sum(line["benefactors"] for line in lines) <= 20


def test_hc_i13_two_players_always_have_four_witnesses() -> None:
    for seed in range(8):
        for state in random_game("hellfire", 2, seed):
            assert isinstance(state, Hellfire)
            assert len(state.witnesses) == 4
            assert not any(state.barred_by_witness(int(told)) for told in state.row)


@pytest.mark.parametrize("players", range(2, 9))
@pytest.mark.parametrize(
    "options",
    [{}, {"interrupt_protocol": "first_voice"}, {"end_trigger": "deck_empty"}],
    ids=["default", "first_voice", "deck_empty"],
)
def test_random_games_break_no_law(players: int, options: dict[str, object]) -> None:
    """HC-I1…HC-I14: at every decision."""
    for seed in range(1):
        for state in random_game("hellfire", players, seed, options):
            assert isinstance(state, Hellfire)
            assert broken(state) is None
