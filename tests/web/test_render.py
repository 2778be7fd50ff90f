"""Models to HTML."""

from __future__ import annotations

import gzip
import json
import re
from collections import OrderedDict
from html.parser import HTMLParser
from typing import Any

import msgspec
import pytest
from markupsafe import Markup

from parlour import games
from parlour.table import opening
from parlour.table.model import (
    BoxModel,
    ClockModel,
    LogLine,
    OptionModel,
    SeatModel,
    TableModel,
    TableSummary,
    UndoModel,
    Vote,
    WindowModel,
)
from parlour.web import assets, pieces, render
from parlour.web.pieces import EMBLEMS, Pieces
from tests.web.models import table

VOID = {"meta", "link", "input", "br", "img", "path", "use", "rect", "circle", "polygon"}


class Checker(HTMLParser):
    """Every element closed in its turn, no id twice, nothing inline that the page's policy would stop."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.ids: list[str] = []
        self.faults: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        names = [name for name, _ in attrs]
        self.faults += [f"{tag} has {name}" for name in names if name == "style" or name.startswith("on")]
        self.faults += [f"{tag} repeats {name}" for name in names if names.count(name) > 1]
        self.ids += [value or "" for name, value in attrs if name == "id"]
        if tag not in VOID:
            self.open.append(tag)
        if tag == "script" and "src" not in names:
            self.faults.append("an inline script")

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        if tag in VOID:
            return
        if not self.open or self.open.pop() != tag:
            self.faults.append(f"</{tag}> closes nothing")


def check(html: str) -> None:
    """The page is well formed and keeps to its policy."""
    checker = Checker()
    checker.feed(html)
    assert checker.faults == []
    assert checker.open == []
    assert sorted(set(checker.ids)) == sorted(checker.ids), "an id stands twice"


def prowlers_box() -> BoxModel:
    card = games.get("prowlers")
    options = [
        OptionModel("track_half_length", "Spaces a side.", 8, "int", list(range(6, 13))),
        OptionModel("mid", "Yes or no.", True, "bool", []),
        OptionModel("clock", "A word.", "slow", "choice", ["slow", "quick_one"]),
    ]
    return BoxModel(
        card.name, card.title, card.blurb, card.kind, card.cloth, 2, 5, (20, 30), 2, options, ["novice", "club"]
    )


@pytest.mark.parametrize("plies", [0, 1, 9, 17, 99])
@pytest.mark.parametrize("viewer", [0, 1, None])
def test_a_table_s_page_is_well_formed(plies: int, viewer: int | None) -> None:
    check(render.page_table(table(plies=plies, viewer=viewer), "token"))


def test_the_parts_stand_in_the_page_as_they_are_pushed() -> None:
    model = table(plies=9)
    page = render.page_table(model)
    for name, html in render.fragments(model).items():
        assert html in page, name


def test_rendering_twice_gives_the_same() -> None:
    assert render.fragments(table(plies=7)) == render.fragments(table(plies=7))


def test_what_a_person_typed_is_escaped() -> None:
    html = render.fragments(table())["talk"]
    assert "&lt;b&gt;tunnel&lt;/b&gt;" in html
    assert "<b>tunnel" not in html


def test_a_name_is_escaped_everywhere_on_the_page() -> None:
    model = table(plies=9)
    seats = [_renamed(seat, '"><script>alert(1)</script>') for seat in model.seats]
    page = render.page_table(_with(model, seats=seats))
    check(page)
    assert "<script>alert" not in page


def _renamed(seat: SeatModel, name: str) -> SeatModel:
    return msgspec.structs.replace(seat, name=name)


def _with(model: TableModel, **more: object) -> TableModel:
    return msgspec.structs.replace(model, **more)


def test_every_choice_is_a_button_in_the_list_and_a_piece_on_the_board() -> None:
    model = table(plies=2, viewer=0)
    model = model if model.choices else table(plies=3, viewer=0)
    parts = render.fragments(model)
    listed = re.findall(r'<button class="choice"[^>]*data-action="([^"]+)"', parts["choices"])
    assert [choice.id for choice in model.choices] == listed
    assert sorted(listed) == sorted(re.findall(r'data-action="([^"]+)"', parts["board"]))


def test_nothing_glows_for_who_cannot_choose() -> None:
    for viewer in (0, 1, None):
        model = table(plies=4, viewer=viewer)
        if not model.choices:
            assert "data-action" not in "".join(render.fragments(model).values())
            assert 'class="lamp' not in render.fragments(model)["board"]


def test_r10_a_spectator_s_page_asks_nothing() -> None:
    page = render.page_table(table(plies=6, viewer=None))
    for attribute in ("data-action=", "data-would=", "data-do="):
        assert attribute not in page


def test_the_past_offers_nothing_and_says_so() -> None:
    model = _with(table(plies=6), live=False, at=3, choices=[])
    parts = render.fragments(model)
    assert "You are looking at the past: step 3 of 6" in parts["past"]
    assert "data-would" not in parts["board"]


def test_pp_26_the_marker_pulled_last_is_marked_on_the_track() -> None:
    model = table(plies=6)
    bare = render.fragments(model)["board"]
    pulled = render.fragments(_with(model, touched="marker:castle"))["board"]
    assert 0 == bare.count("pp-on-track")
    assert 1 == pulled.count("pp-on-track")
    lane = pulled.split('data-target="marker:castle"')[1].split("data-target=")[0]
    assert 'class="pp-latest pp-on-track"' in lane
    assert ", pulled last" in pulled.split('data-target="marker:castle"')[0].rsplit("<g", 1)[1]
    assert bare.count("pp-latest") == 1 == pulled.count("pp-latest") - 1, "the passage stays marked as well"


def test_emphasis_stays_out_of_hints() -> None:
    model = table(plies=2)
    model = model if model.choices else table(plies=3)
    assert 'data-hint="It moves."' in render.fragments(model)["choices"]


def test_r8_a_vote_names_the_move_and_what_was_seen() -> None:
    vote = Vote("undo", 1, "Mr Croft asks: take back the dig?", [0], True, ["a card was turned"])
    html = render.fragments(table(vote=vote))["vote"]
    assert "Mr Croft asks: take back the dig?" in html
    assert "a card was turned" in html
    assert 2 == html.count("<button")


def test_a_refusal_is_told_to_who_asked_until_that_seat_moves_or_asks_again() -> None:
    asked = LogLine(8, "Ada asks: may this be taken back: the dig?", 0, "table")
    no, late = LogLine(8, "Bell would rather not.", 1, "table"), LogLine(8, "The question has lapsed.", None, "table")
    agreed, back = LogLine(8, "Bell agrees.", 1, "table"), LogLine(7, "Ada takes back: the dig.", 0, "undo")
    his, mine = LogLine(9, "Bell dug.", 1), LogLine(9, "Ada dug.", 0)
    refused, lapsed = (
        "Bell would rather not: all stays as it is.",
        "Not everybody answered in time: all stays as it is.",
    )

    def told(*lines: LogLine, viewer: int | None = 0, **more: Any) -> str:
        html = render.fragments(table(viewer=viewer, log=[LogLine(8, "Ada dug.", 0), *lines], **more))["prompt"]
        found = re.search(r'role="status">([^<]*)<', html)
        return found[1] if found else "no such place"

    assert refused == told(asked, no) == told(asked, no, his)
    assert lapsed == told(asked, late)
    assert "" == told(asked, no, mine) == told(asked, agreed, back) == told(asked) == told()
    assert "" == told(asked, LogLine(8, "Ada withdraws the question.", 0, "table"))
    assert "" == told(asked, no, vote=Vote("undo", 0, "Ada asks again", [1]))
    assert "" == told(asked, no, viewer=1), "it is nobody else's affair"
    assert "no such place" == told(asked, no, viewer=None)


def test_a_reason_that_all_share_is_told_once() -> None:
    model = table(plies=60)
    one, two = sorted(model.standings, key=lambda line: line.place)
    shared = [msgspec.structs.replace(line, reason="The longer Tunnel decides.") for line in (one, two)]
    apart = [shared[0], msgspec.structs.replace(two, reason="A shorter one.")]
    told = [render.fragments(_with(model, standings=lines))["result"] for lines in (shared, apart)]
    assert [1, 1] == [html.count("The longer Tunnel decides.") for html in told]
    assert [0, 1] == [html.count("A shorter one.") for html in told]


def test_talk_is_for_those_who_sit_here() -> None:
    """Who watches reads along, and is not offered a field that would refuse what is written there."""
    assert 'id="say"' in render.page_table(table(viewer=0))
    watching = render.page_table(table(viewer=None))
    assert 'id="say"' not in watching
    assert 'id="talk"' in watching
    assert "whoever watches reads along" in watching


def test_undo_is_offered_as_free_or_as_a_question() -> None:
    free = render.fragments(table(undo=UndoModel(True, True, "the dig")))["prompt"]
    asked = render.fragments(table(undo=UndoModel(True, False, "the dig", ["a card"])))["prompt"]
    assert "Take back" in free
    assert "Ask to take back" in asked


def test_r25_half_time_is_said_in_words() -> None:
    clocks = [ClockModel(20.0, 300.0, True, warned=True, deadline=1.0), ClockModel(45.0, 300.0)]
    model = table(plies=4)
    seats = [msgspec.structs.replace(seat, clock=clock) for seat, clock in zip(model.seats, clocks, strict=True)]
    html = render.fragments(_with(model, seats=seats))["players"]
    assert 1 == html.count("half gone")
    assert "5:20" in html
    assert "5:45" in html


def test_a_clock_that_stands_with_nothing_in_hand_does_not_read_as_run_out() -> None:
    """Section 3.10: the Old Hellfire Club keeps no bank, so only the clock that runs has a time to show."""
    clocks = [ClockModel(0.0, 0.0), ClockModel(45.0, 0.0, True, deadline=1.0)]
    model = table(plies=4)
    seats = [msgspec.structs.replace(seat, clock=clock) for seat, clock in zip(model.seats, clocks, strict=True)]
    html = render.fragments(_with(model, seats=seats))["players"]
    assert "0:00" not in html
    assert "0:45" in html


def test_the_form_names_the_time_that_the_game_will_keep() -> None:
    boxes = {box.name: box for box in opening.shelf()}
    assert "Live: 45 seconds a move, and 10:00 in hand" in render.new_table(boxes["prowlers"])
    hellfire = render.new_table(boxes["hellfire"])
    assert "Live: each decision has its time, and nothing in hand" in hellfire
    assert "10:00 in hand" not in hellfire


def test_the_line_at_the_top_says_once_whose_turn_it_is() -> None:
    """HC-11: the first thing asked in a turn."""
    for name in games.names():
        for decision in games.get(name).actions.decisions.values():
            assert not decision.prompt.lower().startswith("your turn"), decision.prompt


def test_n4_a_window_names_all_who_are_asked_and_nobody_who_answered() -> None:
    window = WindowModel([0, 1], 0.0, 3.0)
    html = render.fragments(table(window=window))["status"]
    assert "Ada and Mr Croft" in html


def test_a_game_without_a_page_gets_the_plain_one() -> None:
    model = table("bids", plies=1, viewer=0)
    parts = render.fragments(model)
    check(render.page_table(model))
    assert "plain" in parts["board"]
    assert "<dt>Prize</dt>" in parts["board"]


def test_every_game_on_the_shelf_renders_at_every_stage() -> None:
    for name in games.names():
        for plies in (0, 5, 40):
            for viewer in (0, None):
                check(render.page_table(table(name, plies=plies, viewer=viewer)))


def test_the_other_pages_are_well_formed() -> None:
    box, model = prowlers_box(), table(plies=99)
    tables = [TableSummary("x", "A table", "Prowler’s Passage", "playing", list(model.seats), 0, True)]
    for html in (
        render.shelf([box], tables, "token"),
        render.new_table(box, "token", "The option is wrong.", {"name": "Ada", "seat-1": "open"}),
        render.join(model, "token"),
        render.links(model, (), "token"),
        render.record(model, '{"a": "<b>"}'),
        render.verify(model, [{"title": "The seal", "text": "x", "sound": True, "lines": ["y"]}], True),
        render.rules("prowlers"),
        render.error(404, "Not found", "There is nothing at this address.", "PP-13"),
    ):
        check(html)


def test_a_form_that_failed_keeps_what_was_typed() -> None:
    html = render.new_table(prowlers_box(), "token", "No.", {"name": "Ada", "option-track_half_length": "12"})
    assert 'value="Ada"' in html
    assert 'value="12"' in html


def test_the_first_load_weighs_at_most_150_kib() -> None:
    """Over the wire, without fonts: the page and everything that it names."""
    page = render.page_table(table(plies=20))
    total = len(gzip.compress(page.encode()))
    for address in set(re.findall(r'"(/static/[^"]+)"', page)):
        name = address.rsplit("/", 1)[1]
        asset = (
            assets.read_game_asset("prowlers", name) if address.startswith("/static/game/") else assets.read_asset(name)
        )
        assert asset is not None, address
        total += len(asset.packed or asset.body)
    assert total <= 150 * 1024


def test_an_update_weighs_at_most_12_kib() -> None:
    for plies in range(1, 29):
        before = render.fragments(table(plies=plies - 1))
        after = render.fragments(table(plies=plies))
        changed = {name: html for name, html in after.items() if before[name] != html}
        assert len(gzip.compress(json.dumps(changed).encode())) <= 12 * 1024


def test_what_stays_from_move_to_move_is_rendered_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """How long an update takes is measured by `parlour bench table`; here it is counted what is made anew for it."""
    made: list[str] = []
    page = render.game_page("prowlers")
    assert page.board is not None
    kept = Pieces.kept

    def counted(self: Pieces, macro: Any, *args: Any) -> Markup:
        before = len(pieces._kept)
        done = kept(self, macro, *args)
        if len(pieces._kept) > before:
            made.append(str(macro.name))
        return done

    monkeypatch.setattr(pieces, "_kept", OrderedDict())
    monkeypatch.setattr(Pieces, "kept", counted)
    render.fragments(table(plies=8))
    first = len(made)
    assert first > 10, "nothing of this page is kept"
    made.clear()
    render.fragments(table(plies=8))
    assert [] == made
    render.fragments(table(plies=9))  # the other's turn: nothing glows
    made.clear()
    render.fragments(table(plies=10))
    assert 0 < len(made) < first / 3, made


def test_r37_eight_seats_have_eight_emblems() -> None:
    pieces = Pieces(table())
    assert 8 == len(set(EMBLEMS))
    assert [f'href="#e-{emblem}"' in pieces.emblem(seat) for seat, emblem in enumerate(EMBLEMS[:2])] == [True, True]
