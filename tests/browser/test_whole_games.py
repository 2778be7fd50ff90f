"""Whole games: by clicking, by touch, by the keyboard alone, and by the list and the voice alone."""

from __future__ import annotations

import re
from typing import Any

from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import PHONE, Enter, Two

LONGEST = 40  # choices of one player in a game: 1 bonus, 13 passages, 3 golden shovels, with room to spare


def ready(page: Page) -> bool:
    """Wait until there is something to choose, or the end. Whether there is something to choose."""
    page.locator("#choices .choice, .result").first.wait_for()
    return page.locator(".result").count() == 0


def moved(page: Page, ply: str | None) -> None:
    """Wait until the table has gone on from a step."""
    page.locator(f'#content:not([data-ply="{ply}"])').wait_for()


def ply_of(page: Page) -> str | None:
    """The step that the page shows."""
    return page.get_attribute("#content", "data-ply")


def caught_up(page: Page, two: Two) -> None:
    """Wait until the page shows the step at which the table is."""
    page.locator(f'#content[data-ply="{two.hand.look()["ply"]}"]').wait_for()


def check_the_end(page: Page) -> None:
    """The end shows both scorings line by line, says who won and why, and lets one go on."""
    result = page.locator(".result")
    expect(result).to_contain_text(re.compile("wins|You win|draw"))
    expect(result.locator(".score-sheet thead")).to_contain_text("Mid-game")
    rows = result.locator(".score-sheet tbody th[scope=row]").all_inner_texts()
    assert ["Tunnel", "Statues", "Loot", "Banking", "Political", "Market", "Residential", "Castle"] == rows[:8]
    assert ["Achievements", "Together"] == rows[8:]
    expect(result.locator(".standings .why").first).not_to_be_empty()
    for name in ("Record", "Verify the shuffle"):
        expect(result.get_by_role("link", name=name)).to_be_visible()


def test_r38_two_clicks_from_the_shelf_then_a_whole_game_by_clicking_at_1440(enter: Enter) -> None:
    """Against a club player, with nothing filled in before the first move."""
    page = enter()
    page.goto("/")
    page.get_by_role("button", name="Play now Prowler’s Passage").click()
    for _ in range(LONGEST):
        if not ready(page):
            break
        ply = ply_of(page)
        piece = page.locator("#board [data-action]").first
        piece.click()
        moved(page, ply)
    check_the_end(page)


def test_r38_a_whole_game_by_touch_at_360(enter: Enter, two: Two) -> None:
    """A tap asks once and says what it would do; the second one counts."""
    page = enter(two.ada, viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(f"/t/{two.slug}")
    for _ in range(LONGEST):
        two.until_ada()
        caught_up(page, two)
        if not ready(page):
            break
        ply = ply_of(page)
        page.locator("#board [data-action]").last.tap()
        go = page.get_by_role("button", name="Do it")
        expect(go).to_be_in_viewport()
        assert ply == ply_of(page)
        go.tap()
        moved(page, ply)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360
    check_the_end(page)


def tab_to(page: Page, wanted: str, most: int = 80) -> None:
    """Press Tab until what has the focus fits the selector."""
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("wanted => document.activeElement.matches(wanted)", wanted):
            return
    raise AssertionError(f"{most} presses of Tab did not reach {wanted}")


def test_a_whole_game_by_keyboard_alone(enter: Enter, two: Two) -> None:
    """Tab and Enter, on the board and in the list in turn; nobody is thrown back to the top of the page."""
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    for turn in range(LONGEST):
        two.until_ada()
        caught_up(page, two)
        if not ready(page):
            break
        ply = ply_of(page)
        on_board = turn % 4 == 3 and page.locator("#board [data-action]").count() > 0
        tab_to(page, "#board [data-action]" if on_board else "#choices [data-action]")
        page.keyboard.press("Enter")
        moved(page, ply)
        assert page.evaluate("document.activeElement !== document.body"), "the focus was lost"
    check_the_end(page)
    tab_to(page, ".result .do a, .result .do button")


def heard(page: Page) -> str:
    """What the live region says."""
    return page.locator("#live").inner_text()


def said(choices: Locator) -> list[str]:
    """The spoken names of the choices."""
    return [name.strip() for name in choices.all_inner_texts()]


def test_n13_a_whole_game_blind(enter: Enter, two: Two) -> None:
    """R39: only the list of choices and the live region are used; both say all that is needed."""
    page = enter(two.ada, reduced_motion="reduce")
    page.goto(f"/t/{two.slug}")
    story: list[str] = []
    for turn in range(LONGEST):
        two.until_ada()
        caught_up(page, two)
        if not ready(page):
            break
        if turn:
            expect(page.locator("#live")).to_contain_text("Your turn, Ada")
            story.append(heard(page))
        group = page.get_by_role("region", name="Your choices")
        names = said(group.get_by_role("button"))
        assert len(names) == len(set(names)), f"two choices are called alike: {names}"
        assert [name for name in names if not name or (":" in name and "_" in name)] == []
        ply = ply_of(page)
        group.get_by_role("button", name=names[0], exact=True).press("Enter")
        moved(page, ply)
    told = " ".join(story)
    for part in ("dug", "took", "pulled"):
        assert part in told
    expect(page.locator("#live")).to_contain_text(re.compile("wins|win,|draw"))


def test_every_choice_on_the_board_is_in_the_list(enter: Enter, two: Two) -> None:
    """The glow and the list come from the same choices."""
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    for _ in range(6):
        two.until_ada()
        ready(page)
        both: Any = page.evaluate(
            """() => ["#choices", "#board"].map((place) =>
                [...document.querySelectorAll(place + " [data-action]")].map((piece) => piece.dataset.action).sort())"""
        )
        listed = [action for action in both[0] if action != "bonus:decline"]  # declining is nowhere on the board
        assert listed == both[1]
        assert page.locator("#board .lamp").count() == len(both[1])
        ply = ply_of(page)
        page.locator("#choices .choice").first.click()
        moved(page, ply)
