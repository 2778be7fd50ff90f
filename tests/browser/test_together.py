"""Two people in two browsers, somebody who watches, and taking back by vote."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.browser.conftest import PHONE, Enter, Two
from tests.browser.test_whole_games import caught_up, moved, ply_of, ready

SAME = """(now, before) => {
    const still = now.cloneNode(true);
    for (const root of [still, before]) {
        for (const part of root.querySelectorAll("[style]")) part.removeAttribute("style");
    }
    return still.isEqualNode(before);
}"""
"""Whether two boards are the same, but for what motion leaves on them."""


def test_two_browsers_by_link(enter: Enter) -> None:
    """One opens a table and sends the link; the other opens it, gives a name, and both play."""
    ada, bell = enter(), enter()
    ada.goto("/new/prowlers")
    ada.get_by_label("Your name").fill("Ada")
    ada.get_by_role("button", name="Open the table").click()
    ada.wait_for_url("**/t/*/links")
    link = ada.get_by_label("Link to take a seat").input_value()
    ada.get_by_role("link", name="To the table").click()
    expect(ada.locator("#question")).to_contain_text("Waiting for one more player")
    expect(ada.locator("#board")).to_contain_text("Nothing is dealt until every seat is taken")
    bell.goto(link)
    bell.get_by_label("Your name").fill("Bell")
    bell.get_by_role("button", name="Take the seat").click()
    expect(bell.locator("#players")).to_contain_text("Bell (you)")
    expect(ada.locator("#players")).to_contain_text("Bell")
    pages = {"Ada": ada, "Bell": bell}
    for _ in range(6):
        name = _whose_turn(ada)
        page, other = pages[name], pages["Bell" if name == "Ada" else "Ada"]
        expect(page.locator("#question")).to_contain_text(f"Your turn, {name}")
        ply = ply_of(page)
        page.locator("#choices .choice").first.click()
        moved(page, ply)
        moved(other, ply)
    assert ada.locator("#board").inner_html() != ""
    assert ada.locator("#log li").count() == bell.locator("#log li").count()


def test_the_page_with_the_links_says_when_everybody_has_come(enter: Enter) -> None:
    ada, bell = enter(), enter()
    ada.goto("/new/prowlers")
    ada.get_by_label("Your name").fill("Ada")
    ada.get_by_role("button", name="Open the table").click()
    ada.wait_for_url("**/t/*/links")
    waiting = ada.locator("[data-waiting]")
    expect(waiting).to_contain_text("one is still open")
    bell.goto(ada.get_by_label("Link to take a seat").input_value())
    bell.get_by_role("button", name="Take the seat").click()
    expect(waiting).to_have_text("Everybody has come, and the game has been dealt.")


def _whose_turn(page: Page) -> str:
    acting = page.locator("#players .seat.acting .name")
    expect(acting).to_have_count(1)
    return acting.inner_text()


def test_r40_a_seat_link_moves_a_seat_to_another_device(enter: Enter, two: Two) -> None:
    """Opening it is enough; a new link kills the old one."""
    first, second, third = enter(two.ada), enter(), enter(quiet=True)
    first.goto(f"/t/{two.slug}")
    first.get_by_text("Go on with another device").click()
    link = first.get_by_label("Link to your seat").input_value()
    second.goto(link)
    expect(second.locator("#players")).to_contain_text("Ada (you)")
    first.get_by_role("button", name="Make a new link; the old one dies").click()
    expect(first.get_by_label("Link to your seat")).not_to_have_value(link)
    third.goto(link)
    expect(third.locator("main")).to_contain_text("replaced by a newer one")


def test_a_spectator_sees_all_that_is_public_and_chooses_nothing(enter: Enter, two: Two) -> None:
    """R10, R40: no choices, no way to ask why, nothing of a seat's secret in the page."""
    page = enter()
    page.goto(f"/t/{two.slug}")
    two.play(5)
    moved(page, "0")
    expect(page.locator("#about")).to_contain_text("You are watching")
    expect(page.locator("#question")).to_contain_text(re.compile("Waiting for (Ada|Bell)"))
    assert page.locator("[data-action], [data-would], [data-do], #say").count() == 0
    expect(page.locator("html")).to_have_attribute("data-ready", "yes")
    expect(page.get_by_role("heading", name="Your choices")).to_have_count(0)
    assert two.ada["secret"] not in page.content()
    expect(page.locator("#log li").nth(5)).to_be_attached()


def test_n5_a_move_is_taken_back_at_once_while_nobody_has_acted(enter: Enter, two: Two) -> None:
    """R8: no consent needed; and it can be put back."""
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    two.until_ada()
    ready(page)
    before = page.locator("#board").evaluate_handle("board => board.cloneNode(true)")
    ply = ply_of(page)
    page.locator("#choices .choice").first.click()
    moved(page, ply)
    page.get_by_role("button", name="Take back").click()
    expect(page.get_by_role("button", name="Put it back")).to_be_visible()
    expect(page.locator("#choices .choice").first).to_be_visible()
    assert page.locator("#board").evaluate(SAME, before), "the board is not as it was"
    expect(page.locator("#log")).to_contain_text(re.compile("took back|takes back|taken back"))
    page.get_by_role("button", name="Put it back").click()
    expect(page.get_by_role("button", name="Put it back")).to_have_count(0)


def test_n5_undo_by_vote_names_the_move(enter: Enter, two: Two) -> None:
    """R8: once somebody else has acted, the others are asked; the question says which move."""
    ada, bell = enter(two.ada), enter(two.bell_seat)
    ada.goto(f"/t/{two.slug}")
    bell.goto(f"/t/{two.slug}")
    two.until_ada()
    caught_up(ada, two)
    ply = ply_of(ada)
    ada.locator("#choices .choice").first.click()
    moved(ada, ply)
    while two.hand.look().get("choices"):
        two.hand.act()
    ply = ply_of(ada)
    two.bell.act()
    moved(ada, ply)
    ada.get_by_role("button", name="Ask to take back").click()
    question = bell.locator("#vote")
    expect(question).to_contain_text("Ada asks")
    words = question.inner_text().lower()
    assert any(part in words for part in ("dug", "pulled", "left the markers")), words
    expect(ada.locator("#vote")).to_contain_text("Waiting for Bell")
    assert bell.locator("#vote button").count() == 2
    bell.get_by_role("button", name="Agree").click()
    expect(bell.locator("#vote")).to_be_empty()
    expect(ada.locator("#question")).to_contain_text("Your turn, Ada")


def test_r24_a_refused_question_dies(enter: Enter, two: Two) -> None:
    """Bell refuses: nothing has changed."""
    ada = enter(two.ada)
    ada.goto(f"/t/{two.slug}")
    two.until_consent()
    caught_up(ada, two)
    ply = ply_of(ada)
    ada.get_by_role("button", name="Ask to take back").click()
    expect(ada.locator("#vote")).to_contain_text("Waiting for Bell")
    assert two.bell.post("vote", {"agree": False}).status_code == 200
    expect(ada.locator("#vote")).to_be_empty()
    assert ply == ply_of(ada)


def test_who_asked_is_told_of_the_refusal_beside_the_question(enter: Enter, two: Two) -> None:
    """It outlasts a reload and what Bell does next, and goes with Ada's own next move. Nobody else has it."""
    ada, bell = enter(two.ada, viewport=PHONE), enter(two.bell_seat)
    bell.goto(f"/t/{two.slug}")
    ada.goto(f"/t/{two.slug}")
    two.until_consent()
    caught_up(ada, two)
    notice = ada.locator(".prompt").get_by_role("status")
    expect(notice).to_be_empty()
    ada.get_by_role("button", name="Ask to take back").click()
    expect(ada.locator("#vote")).to_contain_text("Waiting for Bell")
    assert two.bell.post("vote", {"agree": False}).status_code == 200
    told = "Bell would rather not: all stays as it is."
    expect(notice).to_have_text(told)
    expect(notice).to_be_in_viewport(ratio=1)
    expect(ada.get_by_role("button", name="Ask to take back")).to_be_in_viewport(ratio=1)
    expect(bell.locator("#log")).to_contain_text("Bell would rather not")
    expect(bell.locator(".prompt").get_by_role("status")).to_be_empty()
    ada.reload()
    expect(notice).to_have_text(told)
    assert two.bell.post("talk", {"text": "Not for the world."}).status_code == 200
    expect(ada.locator("#talk")).to_contain_text("Not for the world")
    expect(notice).to_have_text(told)
    assert two.hand.act()
    caught_up(ada, two)
    expect(notice).to_be_empty()
