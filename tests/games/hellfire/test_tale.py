"""The tale (HC-80…HC-90): titles, typed words, picks, beats, fates. Printing is in `test_printing.py`."""

from __future__ import annotations

import hashlib
from functools import partial
from typing import Any

import pytest

from parlour.games.hellfire import GAME
from parlour.games.hellfire.box import BOX
from parlour.games.hellfire.table import keep_words, lead_limit, text_limit
from parlour.games.hellfire.tale import Picker, Remark, Tale, told
from parlour.games.hellfire.telling import capital, cleaned, rolled_title, tied, title_clause, typed_title
from parlour.kernel import Dice, random_step
from parlour.kernel.keepsake import Happened
from tests.games.hellfire.scene import SEATS, Scene, card

NAMES = ["Ada", "Sir Digby", "the Major", "Lady Quill"]
TITLE = "Why no one may mention the pineapple"
LISTS = BOX.spec.grammar.lists


class Told(Scene):
    """A scene whose steps are kept, with the words that came with them; a window is one step, as at a table."""

    def __init__(self, *args: Any, **rest: Any) -> None:
        super().__init__(*args, **rest)
        self.steps: list[Happened] = []
        self.asides: list[Remark] = []
        self.story = str(self.s.options()["story"])

    def do(self, seat: str, id_: str, words: str = "", lead: str = "") -> None:
        player = SEATS.index(seat)
        number = self.find(player, id_)
        kept = keep_words(self.s, player, number, words, lead)
        self.s.events = []
        self.s.play(player, number)
        events = self.s.events
        assert events is not None
        if self.steps and self.open:
            last = self.steps[-1]
            said = {**last.words, **({player: kept} if kept else {})}
            self.steps[-1] = Happened([*last.events, *events], said, last.at)
        else:
            self.steps.append(Happened(events, {player: kept} if kept else {}, float(len(self.steps))))
        self.open = self.s.sealed() and all(event.kind == "answered" for event in events)

    open = False

    def tale(self, title: str = TITLE, seed: str = "gin") -> Tale:
        names = NAMES[: self.s.players]
        return told(self.steps, self.asides, names=names, title=title, seed=seed, story=self.story)

    def texts(self) -> list[str]:
        return [beat.text for beat in self.tale().beats()]

    def kinds(self) -> list[str]:
        return [beat.kind for beat in self.tale().beats()]


FILL = {"B": "C9", "C": "C8", "D": "C7"}


# --- HC-80: the title ---------------------------------------------------------------------------------------------


def test_hc_80_a_rolled_title() -> None:
    """HC-80: a side, then two dice, lower first: 2, then 6 and 3, is side 2, 36."""
    throws = iter([(3, 1), (6, 5), (6, 2)])

    def chance(n: int) -> int:
        sides, value = next(throws)
        assert n == sides
        return value

    assert rolled_title(chance) == ("How we lost a diamond down a sofa", "side 2, 36")


def test_hc_80_all_sixty_three_titles_come_up_and_doubles_half_as_often() -> None:
    found: dict[str, int] = {}
    for side in range(3):
        for one in range(6):
            for two in range(6):
                title, _ = rolled_title(partial(lambda throws, n: next(throws), iter([side, one, two])))
                found[title] = found.get(title, 0) + 1
    assert len(found) == 63
    assert sorted(found.values()) == [1] * 18 + [2] * 45


@pytest.mark.parametrize(("typed", "kept"), [("abc", "abc"), ("  How  we\nran ", "How we ran"), ("x" * 120, "x" * 120)])
def test_hc_80_a_typed_title(typed: str, kept: str) -> None:
    assert kept == typed_title(typed)


@pytest.mark.parametrize("typed", ["ab", "", " a b"[:3], "x" * 121])
def test_hc_80_titles_have_3_to_120_characters(typed: str) -> None:
    with pytest.raises(ValueError, match="3 to 120"):
        typed_title(typed)


@pytest.mark.parametrize(
    ("title", "clause"),
    [
        ("How we stole a lighthouse", "how we stole a lighthouse"),
        ("WHY not?", "wHY not?"),
        ("Why not.", "why not"),
        ("However it was.", "the matter of However it was"),
        ("The Duke's Bath", "the matter of The Duke's Bath"),
    ],
)
def test_hc_80_a_title_inside_a_sentence(title: str, clause: str) -> None:
    assert clause == title_clause(title)


# --- HC-83…HC-85: typed words -------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "longest", "kept"),
    [
        ("  a \t b\r\nc  ", 400, "a b c"),
        ("a\x00b\x07c", 400, "abc"),
        ("a\u2028b\u0085c", 400, "a b c"),
        ("abcdef", 3, "abc"),
        ("ab cdef", 3, "ab"),
        ("a\u202eb", 400, "ab"),
        (" \n\t\x00 ", 400, ""),
        ("<b>*x*</b>", 400, "<b>*x*</b>"),
        ("anything", 0, ""),
    ],
)
def test_hc_85_plain_text(text: str, longest: int, kept: str) -> None:
    """HC-85: line breaks to spaces, control characters out, collapsed, trimmed, cut; nothing is markup."""
    assert kept == cleaned(text, longest)


def test_hc_e31_tie_to_the_card() -> None:
    """HC-84, HC-E31."""
    assert tied("We were starving, so I ate [card].", card("T10")) == (
        "We were starving, so I ate the Queen's own wedding-cake."
    )
    assert tied("We were starving.", card("T10")) == "We were starving. (The Queen's own wedding-cake.)"
    shouted = "I ate THE QUEEN'S OWN WEDDING-CAKE"
    assert tied(shouted, card("T10")) == shouted


def test_hc_84_the_name_will_do_as_well_as_the_phrase() -> None:
    text = "i was an incorrigible rogue, being an incorrigible rogue"
    assert tied(text, card("C5")) == text
    assert tied("It was my Landlady again", card("E2")) == "It was my Landlady again"
    assert tied("It was she", card("E2")) == "It was she (The landlady.)"


def test_hc_83_how_much_may_be_said_with_what() -> None:
    """HC-83: 400 with a Boast card, 240 with a challenge, 240 to lead in to the first card of a turn; else nothing."""
    scene = Scene(hands={"A": "W9 T2 M1 W1", "B": "W4", "C": "C9"})
    first, stop = scene.find(0, "W9"), 0
    assert (text_limit(scene.s, 0, first), lead_limit(scene.s, 0, first)) == (400, 240)
    assert (text_limit(scene.s, 0, stop), lead_limit(scene.s, 0, stop)) == (0, 0)
    scene.tell("W9")
    challenge = scene.find(1, "W4")
    assert (text_limit(scene.s, 1, challenge), lead_limit(scene.s, 1, challenge)) == (240, 0)
    assert text_limit(scene.s, 1, 0) == 0
    scene.window(B="W4")
    again = scene.find(0, "W1")
    assert (scene.decision, text_limit(scene.s, 0, again)) == ("rechallenge", 240)
    other = Scene(hands={"A": "W9 T2 M1", "B": "W4"})
    other.told("T2")
    assert lead_limit(other.s, 0, other.find(0, "W9")) == 0


@pytest.mark.parametrize("story", ["generated", "silent"])
def test_hc_83_no_text_is_taken_where_nobody_types(story: str) -> None:
    scene = Scene(hands={"A": "W9 T2"}, options={"story": story})
    assert text_limit(scene.s, 0, scene.find(0, "W9")) == 0
    assert keep_words(scene.s, 0, scene.find(0, "W9"), "Words", "More") == ""


def test_hc_83_no_text_in_step_1() -> None:
    scene = Scene(hands={"A": "W9 T2"}, decision="discard_boast")
    assert text_limit(scene.s, 0, scene.find(0, "W9")) == 0


def test_hc_83_lead_and_text_are_kept_in_one() -> None:
    scene = Scene(hands={"A": "W9 T2"})
    number = scene.find(0, "W9")
    assert keep_words(scene.s, 0, number, " I\nfired ", "Mark\nme") == "Mark me\nI fired"
    assert keep_words(scene.s, 0, number, "x" * 500, "") == "x" * 400
    assert keep_words(scene.s, 0, number, "", "y" * 300) == "y" * 240 + "\n"
    assert keep_words(scene.s, 0, number, "", "") == ""


# --- HC-86: picks -------------------------------------------------------------------------------------------------


def test_hc_e32_picks_with_a_seed() -> None:
    """HC-86, HC-E32."""
    picker = Picker("gin", LISTS)
    order = ["opening", "link", "weapons", "link", "weapons", "link", "weapons"]
    assert [picker.index(name) for name in order] == [0, 7, 3, 10, 2, 3, 4]
    first = Told(hands={"A": "W1 T2", **FILL})
    first.do("A", "W1")
    opening, boast = first.tale().beats()
    assert opening.text == LISTS["opening"][0].replace("{title_clause}", "why no one may mention the pineapple")
    assert boast.text == (
        "As any fool could have foreseen, I settled the argument with an umbrella; "
        "I seldom lose to a man who is running."
    )


def test_hc_86_no_index_is_one_of_the_last_two() -> None:
    """HC-86: nor, in a list of two, the last; a list of one has no choice. The hash decides the rest."""
    lists = {"five": list("abcde"), "two": ["x", "y"], "one": ["z"]}
    picker = Picker("s", lists)
    five = [picker.index("five") for _ in range(200)]
    assert all(five[i] not in five[max(0, i - 2) : i] for i in range(200))
    two = [picker.index("two") for _ in range(20)]
    assert all(two[i] != two[i - 1] for i in range(1, 20))
    assert [picker.index("one") for _ in range(3)] == [0, 0, 0]
    digest = hashlib.sha256(b"s|0|five").digest()
    assert five[0] == int.from_bytes(digest[:4], "big") % 5


def test_hc_86_another_seed_is_another_tale_and_typed_beats_use_no_picks() -> None:
    scene = Told(hands={"A": "W1 T2", **FILL})
    scene.do("A", "W1", words="I hit him with [card].", lead="Listen.")
    scene.do("A", "T2")
    assert [beat.source for beat in scene.tale().beats()[:3]] == ["typed", "typed", "grammar"]
    picker = Picker("gin", LISTS)
    link, teatime = picker.pick("link"), picker.pick("teatime")
    assert scene.texts()[2] == capital((link + teatime).replace("{x}", "yesterday's tea"))
    assert told(scene.steps, [], names=NAMES, title=TITLE, seed="gin") == scene.tale()
    plain = Told(hands={"A": "W1 T2", **FILL})
    plain.do("A", "W1")
    assert plain.tale(seed="rum").beats()[1].text != plain.tale(seed="gin").beats()[1].text


# --- HC-81, HC-82, HC-87…HC-89: beats ------------------------------------------------------------------------------


def test_hc_81_text_changes_nothing_in_the_game() -> None:
    with_text = Told(hands={"A": "W9 T2 M1", **FILL})
    without = Told(hands={"A": "W9 T2 M1", **FILL})
    with_text.do("A", "W9", words="Bang.", lead="Hush.")
    without.do("A", "W9")
    assert with_text.s == without.s


def test_hc_82_beats() -> None:
    """HC-82, HC-88: the frame, the Patron's line between it and the first card, the cards, the applause."""
    scene = Told(hands={"A": "O3 O8 T2", **FILL}, patrons={"A": "y_objects"}, decision="play_patron")
    scene.do("A", "play")
    assert scene.kinds() == []  # the line waits for the first card
    scene.do("A", "O3", words="It was [card].")
    scene.window()
    scene.told("O8", "T2")
    beats = scene.tale().beats()
    assert [beat.kind for beat in beats] == [
        *("opening", "patron", "boast", "boast", "boast", "outcome", "outcome"),
    ]
    assert [beat.seq for beat in beats] == [1, 2, 3, 4, 5, 6, 7]
    assert {beat.turn for beat in beats} == {1}
    assert [beat.seat for beat in beats] == [0, 0, 0, 0, 0, -1, -1]
    assert beats[1].text == "The Pawnbroker drew up a stool, and then his spectacles."
    assert beats[1].patron == "y_objects"
    assert (beats[2].card, beats[2].text, beats[2].source) == (card("O3"), "It was somebody else's top hat.", "typed")
    assert beats[5].text in LISTS["applause_3"]  # a penny for O8, two from the Patron
    assert "Mr Tobias Tick" in beats[6].text  # Objects comes before Teatime
    assert [beat.fate for beat in beats] == ["", "", "pocketed", "pocketed", "pocketed", "", ""]


def test_hc_83_a_lead_in_stands_in_place_of_the_frame() -> None:
    """HC-83: it keeps the frame's kind, and is not tied to the card."""
    scene = Told(hands={"A": "W9 T2 M1", **FILL})
    scene.do("A", "W9", words="Bang went [card]!", lead="You know how it is.")
    opening, boast = scene.tale().beats()
    assert (opening.kind, opening.text, opening.source) == ("opening", "You know how it is.", "typed")
    assert boast.text == "Bang went a battery of Congreve rockets!"


def test_hc_83_sealed_words_come_out_only_with_their_card() -> None:
    """HC-83, HC-89: a card that came back unrevealed never appears."""
    scene = Told(hands={"A": "R9 T5", "B": "R6 C1", "C": "R2", "D": "R1"})
    scene.do("A", "R9")
    scene.do("B", "R6", words="I saw a stink.")
    scene.do("C", "R2", words="It was [card].")
    scene.do("D", "pass")
    assert scene.texts()[-1] == "It was a loose cobblestone."
    scene.do("B", "pass")
    scene.do("D", "R1", words="A draught, no more.")
    scene.do("A", "pass")
    tale = scene.tale()
    assert not any("stink" in beat.text for beat in tale.beats())
    (one,) = tale.chapters[:1]
    assert [(beat.kind, beat.fate) for beat in one.beats] == [
        ("opening", ""),
        ("boast", "lost"),
        ("challenge", "beaten"),
        ("rechallenge", "pocketed"),
        ("outcome", ""),
    ]
    assert one.beats[3].text == "A draught, no more. (A nasty draught.)"
    assert one.outcome == "found out"


def test_hc_83_words_wait_while_the_bailiffs_man_does() -> None:
    scene = Told(hands={"A": "P8 P1 T4 V1", "B": "C9", "C": "P5", "D": "C7"}, patrons={"B": "o_bailiffs_man"})
    scene.do("A", "P8")
    scene.do("B", "patron")
    scene.do("C", "P5", words="He was in gaol.")
    scene.do("D", "pass")
    assert scene.kinds() == ["opening", "boast", "patron"]
    scene.do("A", "T4")
    assert scene.texts()[-1] == "He was in gaol. (Newgate Prison.)"


def test_hc_83_words_of_a_card_that_did_not_speak_do_not_linger() -> None:
    scene = Told(hands={"A": "W9 T9 M1", "B": "W4 W2 T3", "C": "C9", "D": "C7"}, patrons={"D": "o_weapons"})
    scene.do("A", "W9")
    scene.do("B", "W4", words="Old words.")
    scene.do("C", "pass")
    scene.do("D", "patron")
    scene.do("A", "T9")
    scene.do("B", "T3")
    scene.do("C", "pass")
    scene.do("D", "pass")
    assert "Old words" not in " ".join(scene.texts())


def test_hc_87_generated_challenges() -> None:
    """HC-87: the first interruption by the contested card's suit, later ones by `recorrect`."""
    for told_card, lower, which in (
        ("P8", "P5", "correct_places"),
        ("I8", "I5", "correct_insults"),
        ("E8", "E5", "correct_people"),
        ("W8", "W5", "correct_general"),
    ):
        third = told_card[0] + "3"
        scene = Told(hands={"A": f"{told_card} T1", "B": lower, "C": third, "D": "C7"})
        scene.do("A", told_card)
        scene.do("B", lower)
        scene.do("C", "pass")
        scene.do("D", "pass")
        scene.do("A", "pass")
        scene.do("C", third)
        scene.do("D", "pass")
        challenge, again = (beat for beat in scene.tale().beats() if beat.kind.endswith("challenge"))
        phrase, contested = (BOX.spec.boasts[card(one)].phrase for one in (lower, told_card))
        starts = [line.replace("{rival}", "Sir Digby") for line in LISTS["cut_in"]]
        ends = [
            line.replace("{cat}", f"in {contested}").replace("{at}", f"in {phrase}").replace("{x}", phrase)
            for line in (one.replace("{c}", contested) for one in LISTS[which])
        ]
        assert challenge.text in [f"{start} {end}" for start in starts for end in ends]
        last = BOX.spec.boasts[card(third)].phrase
        endings = [
            line.replace("{rival}", "the Major").replace("{x}", last).replace("{X}", capital(last))
            for line in LISTS["recorrect"]
        ]
        assert again.text in endings


@pytest.mark.parametrize(
    ("text", "capitalised"), [("so", "So"), ('"sir," I', '"Sir," I'), ("«eh»", "«Eh»"), ("4 men", "4 men"), ("", "")]
)
def test_hc_87_the_first_letter_is_a_capital(text: str, capitalised: str) -> None:
    assert capitalised == capital(text)


def test_hc_88_later_chapters_and_who_told_before() -> None:
    scene = Told(hands={"A": "W1 T2", "B": "M1 V2", "C": "C8", "D": "C7"})
    scene.told("W1", "T2")
    scene.refresh("B")
    scene.do("B", "M1")
    frame = next(beat for beat in scene.tale().chapters[1].beats)
    assert frame.kind == "turn_open"
    lines = [line.replace("{teller}", "Sir Digby").replace("{prev}", "Ada") for line in LISTS["turn_open"]]
    assert frame.text in lines


@pytest.mark.parametrize(
    ("row", "which"),
    [("W1 T2", "applause_0"), ("W7 T2", "applause_1"), ("W9 T2", "applause_1"), ("W9 T8", "applause_3")],
)
def test_hc_88_applause_by_the_pennies_gained(row: str, which: str) -> None:
    scene = Told(hands={"A": row, **FILL}, pockets={"B": "W10 T10"}, benefactors={"W": "B", "T": "B"})
    scene.told(*row.split())
    last = scene.tale().chapters[0].beats[-1]
    assert last.kind == "outcome"
    assert last.text in LISTS[which]


def test_hc_88_a_benefactor_that_stays_is_not_told() -> None:
    scene = Told(hands={"A": "W9 W8", **FILL}, pockets={"A": "W7"}, benefactors={"W": "A"})
    scene.told("W9", "W8")
    assert [beat.kind for beat in scene.tale().chapters[0].beats] == ["opening", "boast", "boast", "outcome"]


@pytest.mark.parametrize(("by", "which"), [("A", "rescued"), ("C", "caught")])
def test_hc_88_after_a_chain(by: str, which: str) -> None:
    scene = Told(hands={"A": "W9 W1 T5", "B": "C9", "C": "W3", "D": "C7"})
    scene.do("A", "W9")
    scene.window(C="W3")
    scene.window(A="W1") if by == "A" else scene.window()
    last = scene.tale().chapters[0].beats[-1]
    lines = [line.replace("{teller}", "Ada").replace("{winner}", "the Major") for line in LISTS[which]]
    assert last.text in [capital(line) for line in lines]


def test_hc_88_patrons_have_their_lines() -> None:
    scene = Told(hands={"A": "I4 T2 M5", **FILL}, patrons={"B": "o_insults"})
    scene.do("A", "I4")
    scene.window(B="patron")
    beats = scene.tale().beats()
    assert beats[-1].text == (
        'The Elocution Mistress could not allow "an unbuttered parsnip"; not, at any rate, with those vowels.'
    )
    assert beats[1].fate == "cancelled"  # HC-89
    scene.do("A", "T2")
    scene.window()
    scene.stop()


def test_hc_88_the_pickpockets_line_names_his_victim() -> None:
    scene = Told(hands={"A": "I4 T2", **FILL}, patrons={"A": "y_pickpocket"}, decision="play_patron")
    scene.do("A", "play")
    scene.do("A", "3")
    scene.do("A", "I4")
    scene.do("A", "T2")
    assert scene.kinds()[:3] == ["opening", "patron", "boast"]
    assert scene.texts()[1] == "The Pickpocket brushed past the Major, and begged pardon twice."


def test_hc_88_a_turn_without_a_card_has_the_glass() -> None:
    """HC-88: and nothing else, not even the Patron's line."""
    scene = Told(
        2, hands={"A": "W9 T9", "B": "C9"}, witnesses="W3 R4 T5 P10", patrons={"A": "y_weapons"}, decision="play_patron"
    )
    scene.do("A", "play")
    (chapter, _) = scene.tale().chapters
    assert [(beat.kind, beat.text) for beat in chapter.beats] == [
        ("outcome", "Ada looked into the glass, and found nothing there to say.")
    ]
    assert chapter.outcome == "nothing"


def test_hc_88_a_turn_that_the_end_cuts_off_is_no_chapter() -> None:
    scene = Told(hands={"A": "W1 T2", "B": "C9", "C": "C8", "D": "C7"}, pile="M1")
    scene.told("W1", "T2")
    scene.do("B", "none")
    tale = scene.tale()
    assert (tale.over, tale.first_after) == (True, 1)
    assert [chapter.turn for chapter in tale.chapters] == [1]


def test_hc_89_fates_are_pending_until_the_turn_is_settled() -> None:
    scene = Told(hands={"A": "W1 T2 M3", **FILL})
    scene.told("W1", "T2")
    assert [beat.fate for beat in scene.tale().beats() if beat.card] == ["pending", "pending"]


@pytest.mark.parametrize("typed", [True, False])
def test_hc_83_a_silent_tale_is_the_names_of_the_cards(typed: bool) -> None:
    scene = Told(hands={"A": "W9 T2", "B": "W4", "C": "C1"}, patrons={"C": "o_bookmaker"}, options={"story": "silent"})
    scene.do("A", "W9")
    scene.do("B", "W4", words="Never!" if typed else "")
    scene.do("C", "patron")
    scene.window()
    beats = scene.tale().beats()
    assert [(beat.kind, beat.text) for beat in beats] == [
        ("boast", "A Battery Of Congreve Rockets"),
        ("challenge", "Trusty Service Revolver"),
    ]


def test_hc_85_the_host_may_have_a_beat_written_anew() -> None:
    """HC-85: the generated one takes its picks at that moment, so that earlier beats stay as they are."""
    scene = Told(hands={"A": "W9 T2 M1", **FILL})
    scene.do("A", "W9", words="Something rude.", lead="And ruder.")
    scene.window()
    scene.do("A", "T2")
    before = scene.texts()
    scene.asides.append(Remark(at=1e9, replace=2))
    after = scene.tale().beats()
    assert [beat.text for beat in after][2:] == before[2:]
    assert after[1].source == "grammar"
    assert "battery of Congreve rockets" in after[1].text
    scene.asides.append(Remark(at=2e9, replace=1))
    assert "pineapple" in scene.tale().beats()[0].text
    scene.asides.append(Remark(at=3e9, replace=3))  # a generated beat stays
    assert scene.texts()[2] == before[2]


def test_hc_90_the_epilogue_and_the_closing() -> None:
    """HC-90: from the one whose turn it would have been, leftwards; together; then one closing."""
    scene = Told(hands={"A": "W1 T2", "B": "C9", "C": "C8", "D": "C7"}, pile="M1")
    scene.told("W1", "T2")
    scene.do("B", "none")
    scene.asides.append(Remark(at=1e9, epilogue={0: "I told you so.", 1: "Good\nnight.", 3: " "}))
    end = scene.tale().end
    assert [(beat.kind, beat.seat, beat.text) for beat in end[:-1]] == [
        ("epilogue", 1, "Good night."),
        ("epilogue", 0, "I told you so."),
    ]
    assert (end[-1].kind, end[-1].text in LISTS["closing"]) == ("closing", True)
    scene.asides.append(Remark(at=2e9, replace=end[0].seq))
    assert [beat.seat for beat in scene.tale().end] == [0, -1]


def test_the_same_log_is_the_same_tale_in_whole_games() -> None:
    """HC-81: deterministic, with every beat well formed and every card's fate settled at the end."""
    for seed in range(6):
        state = GAME.new_game(players=4, seed=seed)
        dice = Dice(seed)
        steps: list[Happened] = []
        while not state.is_over:
            state.events = []
            random_step(state, dice)
            steps.append(Happened(state.events, {}, float(len(steps))))
        one, two = (told(steps, [], names=NAMES, title=TITLE, seed="x") for _ in range(2))
        assert one == two
        beats = one.beats()
        assert [beat.seq for beat in beats] == list(range(1, len(beats) + 1))
        assert not any(beat.fate == "pending" for beat in beats)
        assert not any("{" in beat.text or not beat.text for beat in beats)
        assert all(chapter.outcome for chapter in one.chapters)
