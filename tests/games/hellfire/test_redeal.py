"""What is dealt anew (sections 5 and 6, HC-I14): all arrangements that agree with what a seat knows, and each alike."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from math import sqrt

import pytest

from parlour.games.hellfire import GAME
from parlour.games.hellfire.box import BOASTS, PATRONS
from parlour.games.hellfire.refresh import slip
from parlour.games.hellfire.rules import Hellfire
from parlour.games.hellfire.terms import DISCARD_BOAST, PLAY_PATRON
from parlour.kernel import Dice, random_playout, random_step
from tests.games.hellfire.scene import Scene, card
from tests.games.hellfire.worlds import Observer

SMALL = GAME.with_box(sets=["numbers.hand_limit=[3, 2, 2, 6, 5, 5, 5]"])


def assert_even(found: Counter[object], kinds: Iterable[object], draws: int) -> None:
    """Every kind came up, none that should not, and chi squared stays within five deviations."""
    wanted = set(kinds)
    assert set(found) <= wanted
    expected = draws / len(wanted)
    assert expected >= 20
    degrees = len(wanted) - 1
    chi = sum((found[kind] - expected) ** 2 / expected for kind in wanted)
    assert chi < degrees + 5 * sqrt(2 * degrees) + 1e-9
    assert set(found) == wanted


def small_state(players: int, seed: int, hidden: int) -> Hellfire:
    """A game with a few cards: so many in hands and pile, all others discarded."""
    dice = Dice(seed)
    limit = {2: 3, 3: 2, 4: 2}[players]
    order = dice.sample(100, hidden + (5 if players == 2 else 0))
    names = [BOASTS[number] for number in order]
    patrons = list(PATRONS)
    dice.shuffle([0])
    hands = [[names.pop() for _ in range(limit)] for _ in range(players)]
    witnesses = [names.pop() for _ in range(4)] if players == 2 else []
    used = {*names, *witnesses, *(name for hand in hands for name in hand)}
    document = {
        "game": "hellfire",
        "box": SMALL.box_hash,
        "players": players,
        "options": {},
        "dice": Dice(seed + 1).to_dict(),
        "position": {
            "decision": "choose_witness" if players == 2 else "discard_boast",
            "players": [{"hand": hand, "patron": patrons[player]} for player, hand in enumerate(hands)],
            "witnesses": witnesses,
            "turned_up": names.pop() if players == 2 else None,
            "draw_pile": names,
            "discard_pile": [name for name in BOASTS if name not in used],
        },
    }
    if players == 2:
        turned = document["position"]["turned_up"]  # type: ignore[index]
        document["position"]["discard_pile"].remove(turned) if turned not in used else None  # type: ignore[index]
    state = SMALL.load(document)
    assert isinstance(state, Hellfire)
    return state


def with_pickpocket(state: Hellfire) -> Hellfire:
    """The same position, but the storyteller's Patron is the Pickpocket."""
    document = state.to_dict()
    position = document["position"]
    assert isinstance(position, dict)
    teller = position["players"][position["storyteller"]]
    mine = teller["patron"]
    if mine == "y_pickpocket":
        return state
    for other in position["players"]:
        if other["patron"] == "y_pickpocket":
            other["patron"] = mine
    for pile in ("patron_pile", "patron_discards"):
        position[pile] = [mine if name == "y_pickpocket" else name for name in position[pile]]
    teller["patron"] = "y_pickpocket"
    loaded = SMALL.load(document)
    assert isinstance(loaded, Hellfire)
    return loaded


def follow(players: int, seed: int, hidden: int, robberies: bool) -> tuple[int, int]:
    """Play a small game at random; at every decision each seat's redeal must lie among its worlds, and where they are
    few each must come alike. Returns how many redeals and how many even spreads were looked at.
    """
    state = small_state(players, seed, hidden)
    dice = Dice(seed + 2)
    observers = [Observer(state, seat) for seat in range(-1 if players < 4 else 2, players)]
    looked = spread = 0
    while not state.is_over:
        if robberies and state.step == PLAY_PATRON:
            state = with_pickpocket(state)
        for observer in observers:
            observer.asked(state)
            truth = observer.world_of(state)
            assert truth in observer.worlds
            for _ in range(3):
                other = state.resample(observer.seat, dice)
                assert observer.world_of(other) in observer.worlds
                looked += 1
            interesting = state.memory is not None or players == 2
            if interesting and 2 <= len(observer.worlds) <= 60 and dice.below(5) == 0:
                draws = 30 * len(observer.worlds)
                found: Counter[object] = Counter(
                    observer.world_of(state.resample(observer.seat, dice)) for _ in range(draws)
                )
                assert_even(found, observer.worlds, draws)
                spread += 1
        state.events = []
        if robberies and state.step == PLAY_PATRON and 101 in state.legal_actions(state.storyteller):
            state.apply(state.storyteller, 101)
        else:
            random_step(state, dice)
        events, state.events = state.events, None
        for observer in observers:
            observer.see(events)
    return looked, spread


@pytest.mark.parametrize("seed", range(8))
def test_hc_i14_two_players_and_what_a_silence_tells(seed: int) -> None:
    """HC-22, HC-I14: silences, shown cards, draws and witnesses, against enumeration."""
    looked, _ = follow(2, seed, 12, robberies=False)
    assert looked > 0


@pytest.mark.parametrize("seed", range(16))
def test_hc_i14_two_players_silences_and_the_pickpocket(seed: int) -> None:
    """HC-15, HC-22, HC-I14: cards of a silent hand go back and forth; a spectator reckons with every way."""
    looked, _ = follow(2, seed, 12, robberies=True)
    assert looked > 0


@pytest.mark.parametrize("seed", range(8))
def test_hc_i14_three_players_and_the_pickpocket(seed: int) -> None:
    """HC-15, HC-I14: everybody is robbed again and again; whoever was not concerned reckons with every way."""
    looked, _ = follow(3, seed, 9, robberies=True)
    assert looked > 0


@pytest.mark.parametrize("seed", range(3))
def test_hc_i14_four_players_and_the_pickpocket(seed: int) -> None:
    looked, _ = follow(4, seed, 9, robberies=True)
    assert looked > 0


def test_the_small_games_reach_what_they_are_to_prove() -> None:
    """Silences, several ways for a followed card and a spectator's doubts do occur in them."""
    silences = ways = doubts = 0
    for seed in range(16):
        for players, hidden, robberies in ((2, 12, False), (2, 12, True), (3, 9, True)):
            state = small_state(players, seed, hidden)
            dice = Dice(seed + 2)
            while not state.is_over:
                if robberies and state.step == PLAY_PATRON:
                    state = with_pickpocket(state)
                if state.memory is not None:
                    silences += any(state.memory.silences)
                    ways += any(len(each) > 1 for each in state.memory.beliefs)
                    doubts += len(state.memory.doubts) > 1
                if robberies and state.step == PLAY_PATRON and 101 in state.legal_actions(state.storyteller):
                    state.apply(state.storyteller, 101)
                else:
                    random_step(state, dice)
    assert silences > 20
    assert ways > 20
    assert doubts > 10


# --- one case at a time, counted by hand --------------------------------------------------------------------------


def test_hands_and_the_order_of_the_pile_are_all_alike() -> None:
    """B holds two of six, C one of the other four, the pile has 3! orders: 15 x 4 x 6 = 360 arrangements."""
    scene = Scene(3, hands={"A": "W1 V5", "B": "W2 W3", "C": "W4"}, pile="T1 T2 T3")
    dice = Dice(5)
    found: Counter[object] = Counter()
    draws = 360 * 25
    for _ in range(draws):
        other = scene.s.resample(0, dice)
        found[(tuple(other.hand_list(1)), tuple(other.hand_list(2)), tuple(map(int, other.pile)))] += 1
        assert other.hand_list(0) == scene.s.hand_list(0)
    assert len(found) == 360
    assert_even(found, list(found), draws)


def test_held_patrons_and_the_patron_pile_are_all_alike() -> None:
    """A holds one; B and C hold two of four, the pile the rest: 4 x 3 x 2 = 24 arrangements."""
    known = [name for name in PATRONS if name not in ("y_crimes", "o_crimes", "o_places", "y_places", "y_people")]
    scene = Scene(
        3,
        hands={"A": "W1 V5", "B": "W2", "C": "W4"},
        patrons={"A": "y_people", "B": "y_crimes", "C": "o_crimes"},
        patron_discards=known,
    )
    dice = Dice(6)
    found: Counter[object] = Counter()
    draws = 24 * 60
    for _ in range(draws):
        other = scene.s.resample(0, dice)
        found[(int(other.patrons[1]), int(other.patrons[2]), tuple(map(int, other.patron_pile)))] += 1
        assert other.patrons[0] == scene.s.patrons[0]
    assert len(found) == 24
    assert_even(found, list(found), draws)


def test_a_spectator_knows_no_hand() -> None:
    scene = Scene(3, hands={"A": "W1", "B": "W2", "C": "W4"}, pile="T1")
    dice = Dice(6)
    found: Counter[object] = Counter(tuple(scene.s.resample(-1, dice).hand_list(0)) for _ in range(400))
    assert_even(found, [(90,), (91,), (93,), (80,)], 400)


def test_hc_22_a_spectator_of_a_silent_hand_and_another() -> None:
    """A holds two of four cards that were not barred, B any three of the other six: 6 x 20 = 120 arrangements."""
    barred = [card("I1"), card("E6"), card("R5"), card("P5")]
    silence = [{"kept": 2, "barred": barred}]
    scene = Scene(
        2,
        hands={"A": "O4 T5", "B": "I1 O9 R5"},
        pile="E6 O8 P5",
        witnesses="M9 V2 W7 O2",
        memory={"beliefs": [[{}], [{}]], "silences": [silence, [], silence, []]},
        attempts=2,
    )
    dice = Dice(9)
    found: Counter[object] = Counter()
    draws = 120 * 30
    for _ in range(draws):
        other = scene.s.resample(-1, dice)
        found[(tuple(other.hand_list(0)), tuple(other.hand_list(1)))] += 1
        assert len(other.pile) == 3
    assert len(found) == 120
    assert not any({BOASTS[number] for number in hand} & set(barred) for hand, _ in found)  # type: ignore[misc,has-type]
    assert_even(found, list(found), draws)
    firsts = Counter(int(scene.s.resample(0, dice).pile[0]) // 10 for _ in range(400))
    assert set(firsts) == {2, 4, 5, 6, 7}  # B may hold anything, as far as A knows


def test_hc_15_a_spectator_reckons_with_both_ways_of_a_card_from_a_silent_hand() -> None:
    """A's two cards are of the four that were not barred; then one card goes from A to B and one comes back.

    If it was the same, A holds two of the four: 6 hands, and B any two of the other five: 60 arrangements. If not, each
    holds one of the four at least. New are then A's 4 x 3 = 12 hands with just one of them: of B's 10, one has none of
    the other three. Together 60 + 12 x 9 = 168.
    """
    barred = [card("I1"), card("E6"), card("R5")]
    silence = [{"kept": 2, "barred": barred}]
    scene = Scene(
        2,
        hands={"A": "O4 T5", "B": "I1 O9"},
        pile="E6 R5 O8",
        witnesses="M9 V2 W7 O2",
        memory={"beliefs": [[{}], [{}]], "silences": [[], [], silence, []]},
        attempts=2,
    )
    slip(scene.s, BOASTS.index(card("O4")), 0, 1)
    slip(scene.s, BOASTS.index(card("O9")), 1, 0)
    again = GAME.load(scene.s.to_dict())
    assert again == scene.s
    assert again.resample(-1, Dice(7)) == scene.s.resample(-1, Dice(7))
    dice = Dice(8)
    draws = 168 * 30
    found: Counter[object] = Counter()
    for _ in range(draws):
        other = scene.s.resample(-1, dice)
        found[(tuple(other.hand_list(0)), tuple(other.hand_list(1)))] += 1
    assert len(found) == 168
    assert_even(found, list(found), draws)


def test_hc_22_of_a_silent_hand_only_what_was_kept_is_bound() -> None:
    """Of A's three cards one at least was there at the silence: of 8 unseen cards, 4 of them barred, 56 - 4 hands."""
    silence = [{"kept": 1, "barred": [card("I1"), card("E6"), card("R5"), card("P5")]}]
    scene = Scene(
        2,
        hands={"A": "O4 T5 I1", "B": "C2 C3"},
        pile="E6 O8 P5 O9 R5",
        witnesses="M9 V2 W7 O2",
        memory={"beliefs": [[{}], [{}]], "silences": [silence, [], silence, []]},
        attempts=2,
    )
    dice = Dice(4)
    draws = 52 * 40
    found: Counter[object] = Counter(tuple(scene.s.resample(1, dice).hand_list(0)) for _ in range(draws))
    assert len(found) == 52
    assert_even(found, list(found), draws)


def test_hc_14_a_held_patron_comes_from_its_own_shuffle() -> None:
    """B has held one since before the shuffle, C drew after it. What was shuffled was public: so A knows both sets."""
    old = ["y_crimes", "y_places"]  # never discarded: one is B's, the other A's
    again = ["o_crimes", "o_places", "o_people"]
    rest = [name for name in PATRONS if name not in old + again]
    scene = Scene(
        3,
        hands={"A": "W1", "B": "W2", "C": "W4"},
        patrons={"A": "y_places", "B": "y_crimes", "C": "o_crimes"},
        patron_discards=rest,
        patron_pile=["o_places", "o_people"],
        shuffles=[list(PATRONS), [*again, "y_weapons"]],
    )
    dice = Dice(1)
    seen = Counter(
        (PATRONS[int(other.patrons[1])], PATRONS[int(other.patrons[2])])
        for other in (scene.s.resample(0, dice) for _ in range(300))
    )
    assert_even(Counter(dict(seen)), [("y_crimes", name) for name in again], 300)


def test_dealt_anew_nobody_else_has_answered_an_open_window() -> None:
    """HC-34: one's own answer is known, the others' are as if not given."""
    scene = Scene(hands={"A": "R9 T5", "B": "R6", "C": "R2", "D": "R1"})
    scene.tell("R9")
    scene.do("B", "R6")
    scene.do("C", "R2")
    other = scene.s.resample(1, Dice(1))
    assert (other.responders, other.answered) == (0b1110, 0b0010)
    assert other.answers[1] == BOASTS.index(card("R6")) + 1
    assert scene.s.resample(3, Dice(1)).answered == 0
    assert scene.s.resample(-1, Dice(1)).answered == 0
    voices = Scene(hands={"A": "R9 T5", "B": "R6", "C": "R2", "D": "R1"}, options={"interrupt_protocol": "first_voice"})
    voices.tell("R9")
    voices.do("B", "pass")
    voices.do("C", "pass")
    assert voices.s.resample(1, Dice(1)).noted == 0b0010
    assert voices.s.resample(-1, Dice(1)).noted == 0


def test_answers_are_drawn_anew_while_the_bailiffs_man_waits() -> None:
    """HC-36: C's challenge is still face down; the new one is allowed by C's new hand, each answer alike."""
    scene = Scene(hands={"A": "W10 T1 T2", "C": "W2", "D": "W4"}, patrons={"B": "o_bailiffs_man"}, pile="C1 C2")
    scene.tell("W10")
    scene.window(B="patron", C="W2", D="pass")
    dice = Dice(3)
    answers: Counter[tuple[int, int]] = Counter()
    for _ in range(2400):
        other = scene.s.resample(0, dice)
        held, answer = other.hand_list(2)[0], int(other.answers[2])
        assert answer in (0, held + 1)
        if answer:
            assert held // 10 == 9
        answers[(held, answer)] += 1
        random_playout(other.clone(), dice)
    # C holds W2 or W4 in half of the deals, and then challenges with it half of the time.
    assert abs(sum(n for (_, answer), n in answers.items() if answer) - 600) < 110
    mine = scene.s.resample(2, dice)
    assert mine.answers[2] == BOASTS.index(card("W2")) + 1


def test_a_patron_may_still_wait_behind_the_bailiffs_man() -> None:
    """HC-36: B sits after A, so B's Patron may yet cancel the card; D's, before A, would have come out."""
    scene = Scene(
        hands={"C": "W10 T1 T2", "B": "C9"},
        patrons={"D": "o_crimes", "A": "o_bailiffs_man", "B": "o_motives"},
        turn_of="C",
        pile="C1 C2",
        patron_pile=["o_weapons", "o_theatre_critic"],
        patron_discards=[
            name
            for name in PATRONS
            if name not in ("o_crimes", "o_bailiffs_man", "o_motives", "o_weapons", "o_theatre_critic")
        ],
    )
    scene.tell("W10", seat="C")
    scene.window(A="patron")
    assert scene.decision == "forced_discard"
    dice = Dice(2)
    answered = {1: set(), 3: set()}  # type: dict[int, set[int]]
    for _ in range(300):
        other = scene.s.resample(2, dice)
        for seat in (1, 3):
            answered[seat].add(int(other.answers[seat]))
    assert answered == {1: {0, 101}, 3: {0}}


def test_the_dice_of_a_redeal_are_fresh() -> None:
    scene = Scene(hands={"A": "W1 W2"})
    assert scene.s.resample(0, Dice(1)).dice != scene.s.dice
    assert scene.s.resample(0, Dice(1)) == scene.s.resample(0, Dice(1))
    assert scene.s.step != DISCARD_BOAST
