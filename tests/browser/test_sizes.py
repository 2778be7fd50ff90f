"""360, 768 and 1440 px: no sideways scroll, targets for a thumb, nothing important below the fold."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, Request, expect

from tests.browser.conftest import DESK, PHONE, TABLET, Enter, Two
from tests.browser.places import open_table
from tests.browser.test_whole_games import caught_up

SIZES = pytest.mark.parametrize("viewport", [PHONE, TABLET, DESK], ids=["360", "768", "1440"])

SMALL = """() => [...document.querySelectorAll("button, a.button, select, input, [data-action], summary")]
    .filter((part) => part.checkVisibility() && !part.closest("dialog:not([open])"))
    .filter((part) => !part.matches("input[type=radio], input[type=checkbox], input[type=hidden]"))
    .map((part) => [part.outerHTML.slice(0, 90), part.getBoundingClientRect()])
    .filter(([, box]) => box.width && (box.height < 43.5 || box.width < 43.5))
    .map(([html, box]) => `${Math.round(box.width)} x ${Math.round(box.height)}: ${html}`)"""


def no_sideways_scroll(page: Page) -> None:
    """The page is as wide as its window."""
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), page.url


@SIZES
def test_no_page_scrolls_sideways(enter: Enter, two: Two, viewport: Any) -> None:
    """R38, at every size, at every stage."""
    page = enter(two.ada, viewport=viewport, quiet=True)
    waiting = open_table(two.address)["slug"]
    for path in ("/", "/new/prowlers", "/rules/prowlers", f"/t/{waiting}", f"/t/{waiting}/join", f"/t/{waiting}/links"):
        page.goto(path)
        no_sideways_scroll(page)
    page.goto(f"/t/{two.slug}")
    no_sideways_scroll(page)
    two.play(40)
    page.locator(".result").wait_for()
    no_sideways_scroll(page)
    for name in ("record", "verify"):
        page.goto(f"/t/{two.slug}/{name}")
        no_sideways_scroll(page)


def test_targets_at_360_are_44_px_or_more(enter: Enter, two: Two) -> None:
    """Buttons, and the reach of every piece that can be chosen."""
    page = enter(two.ada, viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto("/")
    assert page.evaluate(SMALL) == []
    two.play(3)
    two.until_ada()
    page.goto(f"/t/{two.slug}")
    caught_up(page, two)
    assert page.evaluate(SMALL) == []


def test_question_and_choices_stay_at_the_thumb(enter: Enter, two: Two) -> None:
    """At 360 px, wherever the page is scrolled to."""
    two.until_ada()
    page = enter(two.ada, viewport=PHONE)
    page.goto(f"/t/{two.slug}")
    for down in (0, 500, 5000):
        page.evaluate("down => scrollTo(0, down)", down)
        expect(page.locator("#question")).to_be_in_viewport()
        expect(page.locator("#choices .choice").first).to_be_in_viewport()


def test_the_nearest_piece_is_meant_by_a_fingertip(enter: Enter, two: Two) -> None:
    """A tap some pixels beside a tile chooses that tile, and its neighbour is not taken for it."""
    two.play(4)
    two.until_ada()
    page = enter(two.ada, viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(f"/t/{two.slug}")
    caught_up(page, two)
    piece = page.locator("#board [data-action]").first
    wanted = piece.get_attribute("data-action")
    box: Any = piece.locator(".focus-ring").bounding_box()
    page.touchscreen.tap(box["x"] + box["width"] / 2 + 7, box["y"] + box["height"] / 2 + 7)
    expect(page.locator(".confirm")).to_be_visible()
    assert wanted == page.locator(".picked[data-target]").first.get_attribute("data-action")


def test_at_1440_by_900_nothing_important_is_below_the_fold(enter: Enter, two: Two) -> None:
    """Question, board with its track, what can be won, choices, players, story, talk."""
    two.play(10)
    two.until_ada()
    page = enter(two.ada, viewport=DESK)
    page.goto(f"/t/{two.slug}")
    caught_up(page, two)
    for part in (
        "#question",
        "#board svg",
        ".pp-numbers",
        ".pp-card >> nth=2",
        "#choices .choice >> nth=0",
        "#players .seat >> nth=1",
        "#log",
        "#say input",
    ):
        box: Any = page.locator(part).bounding_box()
        assert box is not None, part
        assert box["y"] >= 0, part
        assert box["y"] + box["height"] <= 900, f"{part} ends at {box['y'] + box['height']}"


@pytest.mark.parametrize("dug", [0, 2, 16, 22])
def test_at_1440_by_900_every_choice_is_in_sight(enter: Enter, two: Two, dug: int) -> None:
    """No scrolling within the list, however long it is; nothing is cut off; each still has its whole sentence."""
    two.play(dug)
    two.until_ada()
    page = enter(two.ada, viewport=DESK)
    page.goto(f"/t/{two.slug}")
    choices = page.locator("#choices .choice")
    choices.first.wait_for()
    said = two.hand.look()["choices"]
    assert [choice["text"] for choice in said] == choices.evaluate_all("all => all.map((one) => one.textContent)")
    assert page.evaluate(
        "[...document.querySelectorAll('#choices, .choices')].every((box) => box.scrollHeight <= box.clientHeight + 1)"
    )
    for box in choices.evaluate_all("all => all.map((one) => one.getBoundingClientRect().toJSON())"):
        assert box["bottom"] <= 900
        assert box["height"] >= 24
    cut = "all => all.filter((one) => one.scrollWidth > one.clientWidth).length"
    assert 0 == choices.evaluate_all(cut)
    for choice in said:
        expect(page.locator("#choices").get_by_role("button", name=choice["text"], exact=True)).to_have_count(1)


COVERED = """() => {
    const found = [];
    for (const name of document.querySelectorAll(".pp-names text")) {
        if (!name.checkVisibility()) continue;
        const { x, y, width, height } = name.getBBox();
        const place = name.getScreenCTM();
        const base = +name.getAttribute("y");
        const type = parseFloat(getComputedStyle(name).fontSize);
        for (let across = 0; across <= 12; across += 1) {
            for (const up of [0, 0.25, 0.5, 0.64]) {
                const spot = new DOMPoint(x + width * across / 12, base - type * up).matrixTransform(place);
                const top = document.elementFromPoint(spot.x, spot.y);
                if (top?.closest(".pp-way, .pp-roads, [data-target^='statue']") && !top.matches(".lamp-glow")) {
                    found.push(`${name.textContent} ${across}/12 ${up}: ${top.outerHTML.slice(0, 60)}`);
                }
            }
        }
    }
    return found;
}"""
"""Names of districts over which something lies: sampled along the letters, the lamp's faint rim left out."""


@pytest.mark.parametrize("dug", [2, 40], ids=["first tiles", "all passages"])
@SIZES
def test_no_district_s_name_is_covered(enter: Enter, two: Two, viewport: Any, dug: int) -> None:
    """Whatever is dug, and also in another type than ours: the room that a name takes is fixed."""
    two.play(dug)
    two.until_ada()
    page = enter(two.ada, viewport=viewport)
    page.goto(f"/t/{two.slug}")
    page.locator("#board svg").wait_for()
    page.locator("#board svg").evaluate("board => board.scrollIntoView({ block: 'center' })")
    names = page.locator(".pp-names text:visible")
    assert 18 == names.count()
    assert [] == page.evaluate(COVERED)
    names.evaluate_all("names => names.forEach((name) => { name.style.fontFamily = 'DejaVu Serif'; })")
    assert [] == page.evaluate(COVERED)


def test_the_board_zooms_and_pans_within_its_frame(enter: Enter, two: Two) -> None:
    """Larger, then moved by scrolling; the page itself stays as it is."""
    page = enter(two.ada, viewport=PHONE)
    page.goto(f"/t/{two.slug}")
    svg = page.locator("#board svg")
    before: Any = svg.bounding_box()
    page.get_by_role("button", name="Larger").click()
    page.get_by_role("button", name="Larger").click()
    after: Any = svg.bounding_box()
    assert after["width"] > before["width"] * 1.7
    no_sideways_scroll(page)
    frame = page.locator(".frame")
    frame.evaluate("frame => frame.scrollTo(60, 40)")
    assert frame.evaluate("frame => frame.scrollLeft") == 60
    two.play(1)
    caught_up(page, two)
    assert frame.evaluate("frame => frame.scrollLeft") == 60, "an update moved the board"
    page.get_by_role("button", name="Smaller").click()
    page.get_by_role("button", name="Smaller").click()
    assert abs(svg.bounding_box()["width"] - before["width"]) < 2  # type: ignore[index]


def test_the_first_load_weighs_at_most_150_kib_over_the_wire(enter: Enter, two: Two) -> None:
    """Everything that the table's page fetches, as it travels, without fonts and without the open stream."""
    two.play(10)
    page = enter(two.ada)
    weights: dict[str, int] = {}

    def weigh(request: Request) -> None:
        if request.resource_type not in ("font", "eventsource"):
            sizes = request.sizes()
            weights[request.url] = sizes["responseBodySize"] + sizes["responseHeadersSize"]

    page.on("requestfinished", weigh)
    page.goto(f"/t/{two.slug}")
    page.locator("#board svg").wait_for()
    page.wait_for_timeout(500)
    assert sum(weights.values()) <= 150 * 1024, weights
    assert any(url.endswith("table.js") for url in weights)
