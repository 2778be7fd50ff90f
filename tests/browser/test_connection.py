"""R19, R20: reloads and cut lines at random moments; the page ends up equal to a fresh load, and says how it stands."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Enter, Two
from tests.browser.places import Line
from tests.conftest import SOAK

CUTS = 1000 if SOAK else 100

COMPARE = """async (slug) => {
    const answer = await fetch(`/t/${slug}`);
    const fresh = new DOMParser().parseFromString(await answer.text(), "text/html");
    const plain = (root) => {
        const copy = root.cloneNode(true);
        for (const part of copy.querySelectorAll("[style]")) part.removeAttribute("style");
        for (const part of copy.querySelectorAll(".picked")) part.classList.remove("picked");
        for (const part of copy.querySelectorAll("details[open]")) part.removeAttribute("open");
        for (const part of copy.querySelectorAll('[class=""]')) part.removeAttribute("class");
        copy.normalize();
        return copy;
    };
    const version = (page) => page.getElementById("content").dataset.version;
    if (version(fresh) !== version(document)) return null;
    const different = [];
    for (const id of %s) {
        const [here, there] = [document.getElementById(id), fresh.getElementById(id)];
        if (!here && !there) continue;
        if (!here || !there || !plain(here).isEqualNode(plain(there))) different.push(id);
    }
    return different;
}"""


@pytest.fixture
def line(address: str) -> Iterator[Line]:
    """A line to the server that can be cut."""
    relay = Line(address)
    yield relay
    relay.close()


def equals_a_fresh_load(page: Page, slug: str) -> None:
    """Wait until the page has caught up, then compare every part of it with a fresh load."""
    from parlour.web.render import REGIONS

    script = COMPARE % list(REGIONS)
    for _ in range(200):
        try:
            different = page.evaluate(script, slug)
        except Exception:  # the line may still be mending
            different = None
        if different == []:
            return
        page.wait_for_timeout(50)
    raise AssertionError(f"not as a fresh load after a long while: {different}")


@pytest.mark.soak
def test_r19_cut_at_random_moments_the_page_equals_a_fresh_load(enter: Enter, address: str, line: Line) -> None:
    """100 times here, 1,000 under `make soak`: cut, drop, reload and play in every mixture."""
    chance = random.Random(19)
    table, page = None, None
    for turn in range(CUTS):
        if table is None or table.bell.look()["status"] == "over":
            if table is not None:
                table.close()
            table = Two(address)
            if page is not None:
                page.context.close()
            page = enter(table.ada, at=line.address, quiet=True)
            page.goto(f"/t/{table.slug}")
        assert page is not None
        what = chance.choice(("cut", "drop", "reload", "cut", "drop"))
        if what == "cut":
            line.cut()
            table.play(chance.randrange(3))
            page.wait_for_timeout(chance.randrange(150))
            line.mend()
        elif what == "drop":
            table.play(chance.randrange(2))
            line.drop()
            table.play(chance.randrange(2))
        else:
            table.play(1)
            page.reload(wait_until="commit" if chance.random() < 0.5 else "load")
            table.play(chance.randrange(2))
        equals_a_fresh_load(page, table.slug)
        if turn % 10 == 0:
            expect(page.locator("#line")).not_to_contain_text("Connection lost", timeout=20_000)
    if table is not None:
        table.close()


def test_r20_a_cut_line_is_said_in_words_and_mends_itself(enter: Enter, two: Two, line: Line) -> None:
    """ "Connection lost", then "Rejoined", then nothing; what was missed is there."""
    page = enter(two.ada, at=line.address, quiet=True)
    page.goto(f"/t/{two.slug}")
    expect(page.locator("#players")).to_contain_text("Ada (you)")
    line.cut()
    expect(page.locator("#line")).to_contain_text("Connection lost")
    two.play(3)
    line.mend()
    expect(page.locator("#line")).to_contain_text("Rejoined the table", timeout=20_000)
    expect(page.locator("#content")).to_have_attribute("data-ply", "3")
    expect(page.locator("#line")).to_be_empty(timeout=10_000)


def test_on_a_phone_the_cut_is_said_where_the_question_stands(enter: Enter, two: Two, line: Line) -> None:
    """Wherever the page is scrolled to, and spoken once: the line above is still the one that is read out."""
    page = enter(two.ada, at=line.address, quiet=True, viewport=PHONE)
    page.goto(f"/t/{two.slug}")
    page.locator("html[data-ready=yes]").wait_for()
    said = page.locator(".ask").get_by_text("Connection lost")
    expect(said).to_have_count(0)
    line.cut()
    for down in (0, 500, 5000):
        page.evaluate("down => scrollTo(0, down)", down)
        expect(said).to_be_in_viewport(ratio=1)
    assert (
        page.evaluate(
            "[...document.querySelectorAll('[role=status]')].filter(e => /Connection/.test(e.textContent)).length"
        )
        == 1
    )
    assert "true" == said.get_attribute("aria-hidden")
    line.mend()
    expect(page.locator(".ask")).to_contain_text("Rejoined the table", timeout=20_000)
    expect(page.locator(".ask")).not_to_contain_text("Rejoined the table", timeout=10_000)


def test_a_choice_that_cannot_be_sent_says_so(enter: Enter, two: Two, line: Line) -> None:
    """Nothing is done, and the page says that nothing was sent."""
    two.until_ada()
    page = enter(two.ada, at=line.address, quiet=True)
    page.goto(f"/t/{two.slug}")
    page.locator("#choices .choice").first.wait_for()
    line.cut()
    page.locator("#choices .choice").first.click()
    expect(page.locator(".note.refusal")).to_contain_text("cannot be reached")
    line.mend()


def test_a_stale_choice_brings_the_newest_board(enter: Enter, two: Two) -> None:
    """Somebody moved from another device meanwhile: the choice is not done, and the reason stands there."""
    two.until_ada()
    page = enter(two.ada, quiet=True)
    page.goto(f"/t/{two.slug}")
    page.locator("#choices .choice").first.wait_for()

    def hold(route: Any) -> None:
        two.hand.act(two.hand.look()["choices"][-1]["id"])  # another than the page is about to send
        two.until_ada()
        route.continue_()

    page.route("**/act", hold)
    page.locator("#choices .choice").first.click()
    expect(page.locator(".note.refusal")).to_contain_text("moved on")
    equals_a_fresh_load(page, two.slug)
