"""The tale in print and at the table (HC-80, HC-85, HC-90…HC-92)."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from html.parser import HTMLParser
from typing import Any

import pytest

from parlour.games.hellfire import GAME
from parlour.games.hellfire.keepsake import EPILOGUE_SECONDS, KEEPER
from parlour.games.hellfire.printing import as_json, markdown, page, plain
from parlour.games.hellfire.tale import Beat, Chapter, Tale
from parlour.kernel import Dice, random_step
from parlour.kernel.keepsake import Aside, Happened, Keepsake, KeepsakeError, Occasion
from tests.games.hellfire.scene import card


def a_tale() -> Tale:
    """Two chapters by hand: one with a struck beat and a challenge, one that is believed."""
    found = Chapter(
        1,
        0,
        [
            Beat(1, 1, 0, "opening", None, None, "Hear now how we stole a lighthouse.", "grammar"),
            Beat(1, 2, 0, "boast", card("W9"), None, "I had A BATTERY OF CONGREVE ROCKETS *here*.", "typed", "lost"),
            Beat(1, 3, 1, "challenge", card("W1"), None, "It was an umbrella, an umbrella.", "typed", "pocketed"),
            Beat(1, 4, -1, "outcome", None, None, "There was a silence.", "grammar"),
        ],
        "found out",
    )
    believed = Chapter(
        2,
        1,
        [
            Beat(2, 5, 1, "turn_open", None, None, "Bo & Co coughed.", "grammar"),
            Beat(2, 6, 0, "patron", None, "o_bookmaker", "The Bookmaker offered seven to two.", "grammar"),
            Beat(2, 7, 1, "boast", card("T1"), None, "<i>a stale crumpet</i>", "typed", "pocketed"),
            Beat(2, 8, 1, "boast", card("C1"), None, "Whistling, then.", "grammar", "cancelled"),
            Beat(2, 9, -1, "outcome", None, None, "Nobody paid, but nobody left.", "grammar"),
        ],
        "believed",
    )
    nothing = Chapter(3, 0, [Beat(3, 10, -1, "outcome", None, None, "Ada looked.", "grammar")], "nothing")
    end = [
        Beat(3, 11, 1, "epilogue", None, None, "We parted friends.", "typed"),
        Beat(3, 12, -1, "closing", None, None, "The candle went out.", "grammar"),
    ]
    return Tale("How we stole a lighthouse", ["Ada", "Bo & Co"], "s", "typed", [found, believed, nothing], end, True, 1)


RECKONING: list[Mapping[str, Any]] = [
    {"player": 1, "place": 1, "purse": 4, "majorities": 6, "benefactors": 2, "total": 12},
    {"player": 0, "place": 2, "purse": 3, "majorities": 2, "benefactors": 0, "total": 5},
]

WHOLE = r"""# How we stole a lighthouse

*as told by Ada and Bo & Co*

## Chapter 1: in which Ada is found out

Hear now how we stole a lighthouse.

~~I had **A BATTERY OF CONGREVE ROCKETS** \*here\*.~~

> It was **an umbrella**, an umbrella.

There was a silence.

## Chapter 2: in which Bo & Co is believed

Bo & Co coughed.

*The Bookmaker offered seven to two.*

\<i\>**a stale crumpet**\</i\>

~~Whistling, then.~~

Nobody paid, but nobody left.

## Chapter 3: in which Ada says nothing to the purpose

Ada looked.

## What came of it

We parted friends.

The candle went out.

## The reckoning

| | Purse | Majorities | Benefactors | Total |
|---|---|---|---|---|
| Bo & Co | 4 | 6 | 2 | 12 |
| Ada | 3 | 2 | 0 | 5 |

*Bo & Co drank.*
"""


def test_hc_91_markdown() -> None:
    assert WHOLE == markdown(a_tale(), RECKONING)


def test_hc_91_who_drank_when_victory_is_shared() -> None:
    shared = [{**line, "place": 1} for line in RECKONING]
    assert markdown(a_tale(), shared).endswith("*Bo & Co and Ada drank.*\n")


def test_hc_92_the_authorised_tale_leaves_out_what_was_not_believed() -> None:
    """HC-92: all that was lost, cancelled or beaten, Patrons and outcomes; the challenge that was pocketed stays."""
    text = markdown(a_tale(), RECKONING, authorised=True)
    for gone in ("ROCKETS", "silence", "Bookmaker", "Whistling", "Nobody paid", "Chapter 3", "~~"):
        assert gone not in text
    for kept in ("Hear now", "an umbrella", "coughed", "crumpet", "We parted friends", "The reckoning"):
        assert kept in text


def test_before_the_end_there_is_no_reckoning() -> None:
    tale = a_tale()
    tale.over, tale.end = False, []
    for text in (markdown(tale, RECKONING), plain(tale, RECKONING), page(tale, RECKONING)):
        assert "reckoning" not in text.lower().replace(".reckoning", "")
    assert json.loads(as_json(tale, RECKONING))["reckoning"] == []


def test_markdown_written_by_players_is_no_markup() -> None:
    tale = a_tale()
    tale.chapters[0].beats[0].text = "# not a heading"
    tale.chapters[1].beats[0].text = "1. not a list"
    text = markdown(tale)
    assert "\n\\# not a heading" in text
    assert "\n\\1. not a list" in text


class Balance(HTMLParser):
    """Checks that what is opened is closed, and collects the text."""

    VOID = ("meta", "link", "br")

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.seen: list[tuple[str, dict[str, str | None]]] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.seen.append((tag, dict(attrs)))
        if tag not in self.VOID:
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, text: str) -> None:
        self.text += text


def test_hc_91_html_stands_on_its_own_and_escapes_everything() -> None:
    reader = Balance()
    text = page(a_tale(), RECKONING)
    reader.feed(text)
    assert reader.open == []
    tags = [tag for tag, _ in reader.seen]
    assert {"script", "img", "link", "i"} & set(tags) == set()
    assert not any(name in ("src", "href", "onclick") for _, attrs in reader.seen for name in attrs)
    assert tags.count("aside") == 1
    assert tags.count("s") == 2
    assert "<i>a stale crumpet</i>" in reader.text
    assert "&lt;i&gt;<b>a stale crumpet</b>&lt;/i&gt;" in text
    assert "@media print" in text
    assert "::first-letter" in text
    assert "Bo &amp; Co drank." in text


def test_hc_91_plain_text_and_json() -> None:
    text = plain(a_tale(), RECKONING)
    assert text.startswith("How we stole a lighthouse\n\nas told by Ada and Bo & Co\n\nCHAPTER 1: IN WHICH")
    assert "[struck out: Whistling, then.]" in text
    assert "    It was an umbrella, an umbrella." in text
    assert "Bo & Co      4           6            2     12" in text
    assert text.endswith("Bo & Co drank.\n")
    document = json.loads(as_json(a_tale(), RECKONING))
    assert [chapter["heading"] for chapter in document["chapters"]][1] == "Chapter 2: in which Bo & Co is believed"
    assert document["chapters"][0]["beats"][1]["fate"] == "lost"
    assert document["reckoning"][0]["total"] == 12
    assert [chapter["number"] for chapter in json.loads(as_json(a_tale(), authorised=True))["chapters"]] == [1, 2]


# --- at the table -------------------------------------------------------------------------------------------------

NAMES = ("Ada", "Bo", "Cy")


def an_occasion(over: bool = True, seed: int = 2, **changes: Any) -> Occasion:
    """A game of three, played at random to its end or to its sixtieth decision; a second passes with each."""
    options = {**GAME.check_options({}), **changes.pop("options", {})}
    state = GAME.new_game(players=3, seed=seed, options=options)
    dice = Dice(seed)
    steps: list[Happened] = []
    while not state.is_over and (over or len(steps) < 120):
        state.events = []
        random_step(state, dice)
        steps.append(Happened(state.events, {}, float(len(steps))))
    occasion = Occasion(
        game=GAME,
        id="slug",
        options=options,
        names=NAMES,
        people=frozenset({0, 2}),
        opened={"title": "How we stole a lighthouse"},
        steps=steps,
        asides=[],
        view=lambda: state.view(None),
        over=over,
        timed=True,
        now=float(len(steps)),
    )
    return replace(occasion, **changes)


def said(occasion: Occasion, seat: int, body: Mapping[str, Any], at: float | None = None) -> Occasion:
    """The occasion with something said at it."""
    aside = Aside(seat, seat < 0, occasion.now if at is None else at, body)
    return replace(occasion, asides=[*occasion.asides, aside])


def test_the_keeper_keeps_the_protocol() -> None:
    assert isinstance(KEEPER, Keepsake)
    assert GAME.extras["keepsake"] is KEEPER
    assert [ask.name for ask in KEEPER.asks()] == ["title"]


def test_hc_80_the_host_types_a_title_or_the_dice_choose() -> None:
    assert KEEPER.opened({"title": " How  we ran. "}, lambda n: 0) == {"title": "How we ran.", "rolled": ""}
    rolled = KEEPER.opened({"title": ""}, lambda n: n - 1)
    assert rolled == {"title": "How we died, and what came of it", "rolled": "side 3, 66"}
    assert KEEPER.opened({}, lambda n: 0)["rolled"] == "side 1, 11"
    with pytest.raises(KeepsakeError) as refused:
        KEEPER.opened({"title": "no"}, lambda n: 0)
    assert refused.value.clause == "HC-80"


def test_hc_90_the_epilogue_is_sealed_and_comes_out_together() -> None:
    occasion = an_occasion()
    shown = KEEPER.shown(occasion, 0, False)
    assert shown["epilogue"] == {
        "until": len(occasion.steps) - 1 + EPILOGUE_SECONDS,
        "asked": True,
        "yours": None,
        "longest": 400,
        "may_close": False,
    }
    assert shown["end"] == []
    noted = KEEPER.said(occasion, 0, False, {"epilogue": " The\nend. "})
    assert (noted.body, noted.private) == ({"epilogue": "The end."}, True)
    one = said(occasion, 0, noted.body)
    assert KEEPER.shown(one, 2, False)["end"] == []
    assert KEEPER.shown(one, 2, False) == KEEPER.shown(occasion, 2, False)
    assert KEEPER.shown(one, 0, False)["epilogue"]["yours"] == "The end."
    both = said(one, 2, {"epilogue": ""})
    end = KEEPER.shown(both, None, False)["end"]
    assert [(beat["kind"], beat["text"]) for beat in end][:-1] == [("epilogue", "The end.")]
    assert end[-1]["kind"] == "closing"
    assert KEEPER.shown(both, 0, True)["epilogue"] is None


def test_hc_90_the_seconds_run_once_for_all() -> None:
    occasion = an_occasion()
    ended = len(occasion.steps) - 1
    assert ended + EPILOGUE_SECONDS == KEEPER.due(occasion)
    one = said(occasion, 2, {"epilogue": "So there."})
    late = replace(one, now=ended + EPILOGUE_SECONDS)
    assert KEEPER.due(late) is None
    assert [beat["kind"] for beat in KEEPER.shown(late, None, False)["end"]] == ["epilogue", "closing"]
    with pytest.raises(KeepsakeError):
        KEEPER.said(late, 0, False, {"epilogue": "Too late."})
    untimed = replace(one, timed=False, now=1e9)
    assert KEEPER.due(untimed) is None
    assert KEEPER.shown(untimed, None, False)["end"] == []
    closed = said(untimed, -1, {"close_epilogue": True})
    assert [beat["kind"] for beat in KEEPER.shown(closed, None, False)["end"]] == ["epilogue", "closing"]


def test_hc_90_without_people_the_tale_closes_at_once_and_a_silent_one_has_no_end() -> None:
    assert [beat["kind"] for beat in KEEPER.shown(an_occasion(people=frozenset()), None, False)["end"]] == ["closing"]
    silent = an_occasion(options={"story": "silent"}, people=frozenset())
    assert KEEPER.shown(silent, None, False)["end"] == []
    with pytest.raises(KeepsakeError):
        KEEPER.said(an_occasion(options={"story": "silent"}), 0, False, {"epilogue": "x"})


@pytest.mark.parametrize(
    ("seat", "host", "wish", "over", "clause"),
    [
        (0, False, {"epilogue": "x"}, False, "HC-90"),
        (None, True, {"epilogue": "x"}, True, "HC-90"),
        (0, False, {"epilogue": 5}, True, "HC-90"),
        (0, False, {"epilogue": "x" * 401}, True, "HC-90"),
        (0, False, {"replace": 1}, True, "HC-85"),
        (0, True, {"replace": 1}, True, "HC-85"),
        (0, True, {"replace": "1"}, True, "HC-85"),
        (0, False, {"close_epilogue": True}, True, "HC-90"),
        (0, True, {"close_epilogue": True}, False, "HC-90"),
        (0, True, {"something": True}, True, ""),
        (0, True, {}, True, ""),
    ],
)
def test_wishes_that_are_refused(seat: int | None, host: bool, wish: dict[str, Any], over: bool, clause: str) -> None:
    with pytest.raises(KeepsakeError) as refused:
        KEEPER.said(an_occasion(over), seat, host, wish)
    assert refused.value.clause == clause


def test_hc_90_one_says_it_once() -> None:
    occasion = said(an_occasion(), 0, {"epilogue": ""})
    with pytest.raises(KeepsakeError):
        KEEPER.said(occasion, 0, False, {"epilogue": "More."})


def test_hc_85_the_hosts_pencil() -> None:
    occasion = an_occasion()
    index, step = next((i, one) for i, one in enumerate(occasion.steps) if any(e.kind == "boast" for e in one.events))
    teller = next(event.player for event in step.events if event.kind == "boast")
    steps = list(occasion.steps)
    steps[index] = Happened(step.events, {teller: "Rude.\nRuder."}, step.at)
    rude = replace(occasion, steps=steps)
    assert KEEPER.said(rude, None, True, {"replace": 2}).body == {"replace": 2}
    clean = said(rude, -1, {"replace": 2}, at=1e6)
    beats = KEEPER.shown(clean, None, False)["chapters"][0]["beats"]
    assert ("Rude.", "grammar") == (beats[0]["text"], beats[1]["source"])
    assert "Ruder" not in json.dumps(KEEPER.shown(clean, None, False))


def test_hc_91_exports_of_every_kind_after_the_end() -> None:
    occasion = an_occasion()
    for format_, start in (("markdown", "# How"), ("html", "<!doctype html>"), ("text", "How"), ("json", "{")):
        for choice, name in (("full", "tale."), ("authorised", "tale-authorised."), ("", "tale.")):
            export = KEEPER.exported(occasion, format_, choice)
            assert export.text.startswith(start)
            assert export.name.startswith(name)
            assert export.media.startswith(("text/", "application/json"))
    assert "drank.*" in KEEPER.exported(occasion, "markdown", "full").text
    for format_, choice, clause in (("pdf", "full", "HC-91"), ("html", "other", "HC-92")):
        with pytest.raises(KeepsakeError) as refused:
            KEEPER.exported(occasion, format_, choice)
        assert refused.value.clause == clause


def test_hc_91_before_the_end_only_a_transcript() -> None:
    occasion = an_occasion(over=False)
    export = KEEPER.exported(occasion, "markdown", "")
    assert export.name == "tale-so-far.md"
    assert "reckoning" not in export.text
    with pytest.raises(KeepsakeError):
        KEEPER.exported(occasion, "markdown", "authorised")
    assert KEEPER.shown(occasion, 0, False)["formats"] == []


def test_hc_91_with_closed_piles_no_further_back_than_the_previous_turn() -> None:
    """3.10, HC-91: until the end."""
    occasion = an_occasion(over=False, options={"piles": "closed"})
    turns = [chapter["number"] for chapter in KEEPER.shown(occasion, 0, False)["chapters"]]
    assert len(turns) == 2
    assert turns[0] > 1
    assert KEEPER.shown(occasion, 0, False)["earlier"] == turns[0] - 1
    assert len(re.findall("^## Chapter", KEEPER.exported(occasion, "markdown", "").text, re.MULTILINE)) == 2
    over = an_occasion(options={"piles": "closed"})
    assert KEEPER.shown(over, 0, False)["earlier"] == 0


def test_hc_92_the_tale_of_a_whole_game_prints_in_both_editions() -> None:
    occasion = an_occasion(people=frozenset())
    whole = KEEPER.exported(occasion, "html", "full").text
    authorised = KEEPER.exported(occasion, "html", "authorised").text
    assert "<s>" in whole
    assert "<s>" not in authorised
    assert len(authorised) < len(whole)
    for text in (whole, authorised):
        reader = Balance()
        reader.feed(text)
        assert reader.open == []
