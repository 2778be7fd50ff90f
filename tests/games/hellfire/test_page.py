"""The page of the game: what it says of the held Patron, what it leaves out in the past, how it lies in a browser."""

from __future__ import annotations

import copy
import re
from collections.abc import Iterator
from typing import Any

import msgspec
import pytest
from playwright.sync_api import Browser, Page, Route, sync_playwright

from parlour.games.hellfire.box import BOASTS
from parlour.games.hellfire.view import card_view
from parlour.table.model import SeatModel, TableModel
from parlour.web import assets, render
from tests.browser.conftest import CHROMIUM, DESK, PHONE, TABLET
from tests.web.test_hellfire_render import document, found, model_of

LONGEST = ["Bartholomew Wetherspoons", "W" * 24, "Maximiliana-Featherstone", "Lady Wilhelmina Ashcombe"]
"""Names of 24 characters, as long as names may be."""
SIZES = pytest.mark.parametrize("viewport", [PHONE, TABLET, DESK], ids=["360", "768", "1440"])


# --- what is said --------------------------------------------------------------------------------------------------


def test_hc_13_the_patron_held_tells_what_it_is_when_another_may_be_drawn() -> None:
    """HC-13: pointed at, it says what it does and what is asked; the others' Patrons say that they are not asked."""
    state = found(lambda s: s.decision(s.current_player) == "patron_swap" and min(s.patrons) >= 0, 3)
    teller = state.current_player
    for viewer in range(3):
        hand = render.fragments(model_of(state, viewer))["hand"]
        pieces = re.findall(r'<div class="hf-patron"[^>]*>', hand)
        assert 1 == len(pieces)
        patron: Any = state.view(viewer)["patron"]
        if viewer == teller:
            assert f'data-name="{patron["name"]}"' in pieces[0].replace("&#39;", "'")
            assert "Draw another in its place, or keep it." in pieces[0]
            assert 'data-clause="HC-13"' in pieces[0]
        else:
            assert 'data-would="patron:play"' in pieces[0]


def test_hc_90_nothing_can_be_added_or_printed_in_the_past() -> None:
    """HC-85, HC-90: the last word, the host's pencil and the print belong to the present."""
    state = found(lambda s: s.is_over, 3)
    epilogue = {"until": 5.0, "asked": True, "yours": None, "longest": 400, "may_close": True}
    now = model_of(state, keepsake=document("Trusty revolver", epilogue=epilogue))
    present = render.fragments(now)["keepsake"]
    past = render.fragments(msgspec.structs.replace(now, live=False, at=3))["keepsake"]
    for part in ("<form", "hf-epilogue", "data-do=", "hf-pencil", "/t/abc/keepsake"):
        assert part in present
        assert part not in past
    assert "Trusty revolver" in past


# --- how it lies ---------------------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium, for pages that no server sends."""
    assert CHROMIUM, "These tests need Chromium: apt-get install chromium."
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


@pytest.fixture
def laid(browser: Browser, viewport: Any) -> Iterator[Any]:
    """Shows a table's model as its page, with the style sheets and without the scripts."""
    context = browser.new_context(viewport=viewport)
    page = context.new_page()

    def show(model: TableModel) -> Page:
        html = render.page_table(model)

        def answer(route: Route) -> None:
            parts = route.request.url.split("/")[3:]
            if parts == ["table"]:
                return route.fulfill(body=html, content_type="text/html; charset=utf-8")
            file = assets.read_game_asset(parts[2], parts[4]) if parts[1] == "game" else assets.read_asset(parts[-1])
            if file is None or parts[-1].endswith(".js"):
                return route.abort()
            return route.fulfill(body=file.body, content_type=file.type)

        page.route("**/*", answer)
        page.goto("http://table.test/table")
        page.evaluate("document.fonts.ready.then(() => true)")
        return page

    yield show
    context.close()


def named(model: TableModel) -> TableModel:
    """The same table, where everybody has the longest of names."""
    return msgspec.structs.replace(
        model, seats=[SeatModel(seat.seat, LONGEST[seat.seat % 4], "person", seat.seat) for seat in model.seats]
    )


def wider(page: Page, *selectors: str) -> list[str]:
    """The page and the parts of it that hold more than they are wide."""
    told: list[str] = page.evaluate(
        """selectors => ["html", ...selectors].flatMap((one) => [...document.querySelectorAll(one)]
          .filter((part) => part.scrollWidth > part.clientWidth + 1)
          .map((part) => `${one}: ${part.scrollWidth} in ${part.clientWidth}`))""",
        list(selectors),
    )
    return told


@SIZES
@pytest.mark.parametrize("players", [2, 4, 8])
def test_the_reckoning_is_no_wider_than_its_paper(laid: Any, players: int) -> None:
    model = named(model_of(found(lambda s: s.is_over, players)))
    page = laid(model)
    assert [] == wider(page, ".result", ".result .scroll-x")
    for name in {seat.name for seat in model.seats}:
        assert page.locator(".hf-sheet").get_by_text(name).count(), "it is there to be heard"
    assert players == page.locator(".hf-sheet thead .emblem").count()


CHAINS = [(1, 1), (1, 3), (4, 4), (7, 9)]
"""Boasts in the row and undercuts; no chain has more than nine."""


@SIZES
@pytest.mark.parametrize(("boasts", "undercuts"), CHAINS)
def test_a_chain_of_any_length_lies_on_the_board_at_eight_players(laid: Any, boasts: int, undercuts: int) -> None:
    """Nothing scrolls, and of every card that spoke the value and who showed it are in sight."""
    model = named(model_of(found(lambda s: s.decision(0) == "rechallenge", 8)))
    view = copy.deepcopy(model.view)
    assert view is not None
    contested = 39
    row = [5, 17, 28, 44, 99, 62][: boasts - 1] + [contested]
    view["row"] = [msgspec.to_builtins(card_view(one)) for one in row]
    view["chain"] = [
        {"player": i % 8, "card": msgspec.to_builtins(card_view(contested - 1 - i)), "lead": i == undercuts - 1}
        for i in range(undercuts)
    ]
    page = laid(msgspec.structs.replace(model, view=view))
    assert [] == wider(page, ".frame")
    frame = page.locator(".frame").evaluate("part => [part.scrollHeight, part.clientHeight]")
    assert frame[0] <= frame[1]
    hidden = page.evaluate(
        """() => [...document.querySelectorAll(".hf-row .hf-value")].filter((value) => {
          const card = value.closest(".hf-card");
          const box = value.getBoundingClientRect();
          scrollTo(0, box.y + scrollY - 200);
          const now = value.getBoundingClientRect();
          const there = document.elementFromPoint(now.x + Math.min(now.width, 12) / 2, now.y + now.height / 2);
          return !card.contains(there);
        }).map((value) => value.closest(".hf-card").getAttribute("aria-label"))"""
    )
    assert [] == hidden
    board = page.locator(".hf-stage").bounding_box()
    for index in range(undercuts):
        card = page.locator(f'.hf-chain [data-piece="card-{BOASTS[contested - 1 - index]}"]').bounding_box()
        emblem = page.locator(".hf-chain .hf-said .emblem").nth(index).bounding_box()
        for box in (card, emblem):
            assert box["x"] >= board["x"]
            assert box["x"] + box["width"] <= board["x"] + board["width"]
