"""axe finds nothing, on any page, by day and by night; motion is left out where it is not wanted."""

from __future__ import annotations

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Enter, Two
from tests.browser.places import open_table
from tests.browser.test_whole_games import caught_up

TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RULES = {"runOnly": {"type": "tag", "values": TAGS}}


def check(page: Page) -> None:
    """No violation; what is wrong is told by rule and element."""
    page.wait_for_timeout(150)
    found: Any = Axe().run(page, options=RULES).response["violations"]
    told = [f"{rule['id']}: {rule['help']}: {node['html'][:160]}" for rule in found for node in rule["nodes"]]
    assert told == []


LIGHT = pytest.mark.parametrize("light", ["light", "dark"])


@LIGHT
def test_axe_finds_nothing_before_a_game(enter: Enter, address: str, light: str) -> None:
    """The shelf, the form, joining, waiting, the links, the rules, an error."""
    page = enter(color_scheme=light, quiet=True)
    made = open_table(address)
    for path in (
        "/",
        "/new/prowlers",
        f"/t/{made['slug']}",
        f"/t/{made['slug']}/join",
        f"/t/{made['slug']}/links",
        "/rules/prowlers",
        "/t/nothing",
    ):
        page.goto(path)
        check(page)


@LIGHT
@pytest.mark.parametrize("width", ["desk", "phone"])
def test_axe_finds_nothing_at_a_table(enter: Enter, two: Two, light: str, width: str) -> None:
    """Choosing, looking back, asking, with each drawer open, and at the end with record and proof."""
    size = {"viewport": PHONE} if width == "phone" else {}
    page = enter(two.ada, color_scheme=light, **size)
    page.goto(f"/t/{two.slug}")
    two.play(8)
    two.until_consent()
    caught_up(page, two)
    check(page)
    for drawer in ("rules", "settings", "report"):
        page.locator(f"[data-open={drawer}]").first.click()
        expect(page.locator(f"#drawer-{drawer}")).to_be_visible()
        if drawer == "rules":
            expect(page.locator("#clause-PP-01")).to_be_attached()
        check(page)
        page.locator(f"#drawer-{drawer} [data-close]").click()
    page.locator('#log [data-at="3"]').first.click()
    expect(page.locator("#past")).to_contain_text("past")
    check(page)
    page.keyboard.press("Escape")
    expect(page.locator("#past")).to_be_empty()
    page.get_by_role("button", name="Ask to take back").click()
    expect(page.locator("#vote")).to_contain_text("Ada asks")
    check(page)
    assert two.bell.post("vote", {"agree": False}).status_code == 200
    two.play(40)
    page.locator(".result").wait_for()
    check(page)
    for name in ("record", "verify"):
        page.goto(f"/t/{two.slug}/{name}")
        check(page)


def test_axe_finds_nothing_on_the_plain_page(enter: Enter, address: str) -> None:
    """A game without a page of its own."""
    made = open_table(address, "bids", ("me", "bot:club"))
    page = enter(made)
    page.goto(f"/t/{made['slug']}")
    page.locator(".plain dl").first.wait_for()
    check(page)


def test_no_motion_where_it_is_not_wanted(enter: Enter, two: Two) -> None:
    """prefers-reduced-motion: nothing glides, nothing fades."""
    page = enter(two.ada, reduced_motion="reduce")
    page.goto(f"/t/{two.slug}")
    page.evaluate(
        """() => {
            window.moved = 0;
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (...given) { window.moved += 1; return animate.apply(this, given); };
            const begin = document.startViewTransition.bind(document);
            document.startViewTransition = (put) => { window.moved += 1; return begin(put); };
        }"""
    )
    two.play(4)
    caught_up(page, two)
    assert page.evaluate("window.moved") == 0


def test_pieces_glide_where_motion_is_wanted(enter: Enter, two: Two) -> None:
    """A marker that was pulled walks along its lane, and the swap is a view transition."""
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    page.evaluate(
        """() => {
            window.walked = new Set();
            window.transitions = 0;
            const animate = Element.prototype.animate;
            Element.prototype.animate = function (frames, how) {
                if (this.dataset?.piece && frames[0].transform) window.walked.add(this.dataset.piece);
                return animate.call(this, frames, how);
            };
            const begin = document.startViewTransition.bind(document);
            document.startViewTransition = (put) => { window.transitions += 1; return begin(put); };
        }"""
    )
    two.play(3)
    caught_up(page, two)
    assert page.evaluate("window.transitions") > 0
    page.wait_for_timeout(300)
    assert [name for name in page.evaluate("[...window.walked]") if name.startswith("marker-")] != []
