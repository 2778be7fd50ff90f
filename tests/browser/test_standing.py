"""Answers left in advance, on the page: at the smallest size, by the keyboard, and without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Enter
from tests.browser.places import open_table, take_seat
from tests.browser.test_accessibility import check
from tests.browser.test_sizes import SMALL, no_sideways_scroll


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_an_answer_is_left_and_taken_back(enter: Enter, address: str, scripts: bool) -> None:
    made = open_table(address, "hellfire", ("me", "open", "open"))
    for name in ("Bell", "Croft"):
        take_seat(address, made["slug"], name)
    page = enter(made, viewport=PHONE, java_script_enabled=scripts)
    page.goto(f"/t/{made['slug']}")
    expect(page.locator("#away")).to_have_count(1)
    if scripts:
        page.locator("html[data-ready=yes]").wait_for()
    summary = page.locator("#away summary").first
    summary.focus()
    page.keyboard.press("Enter")
    form = page.locator("#away form").first
    expect(form).to_be_visible()
    if scripts:
        no_sideways_scroll(page)
        assert [] == [part for part in page.evaluate(SMALL) if "order-" in part or "Let it stand" in part]
    form.get_by_label("When").select_option("the value of the card")
    form.get_by_label("The value").fill("9, 10")
    form.get_by_role("button", name="Let it stand").press("Enter")
    standing = page.locator("#orders")
    expect(standing).to_contain_text("If the value of the card is 9 or 10: let it pass. Otherwise: let it pass.")
    if scripts:
        standing.get_by_role("button", name=re.compile("Take it back")).press("Enter")
    else:
        page.locator("#away summary").first.press("Enter")
        form.get_by_label("Answer for me").select_option("Nothing: leave it to me")
        form.get_by_role("button", name="Let it stand").press("Enter")
    expect(standing).to_contain_text("Nothing stands: you answer yourself.")


@pytest.mark.parametrize("scripts", [True, False], ids=["scripts", "no scripts"])
def test_several_cases_are_filled_in_by_the_keyboard(enter: Enter, address: str, scripts: bool) -> None:
    """A case more and one fewer, without losing what is written; with scripts the page is not loaded again."""
    made = open_table(address, "hellfire", ("me", "open", "open"))
    for name in ("Bell", "Croft"):
        take_seat(address, made["slug"], name)
    page = enter(made, viewport=PHONE, java_script_enabled=scripts)
    page.goto(f"/t/{made['slug']}")
    if scripts:
        page.locator("html[data-ready=yes]").wait_for()
    loads: list[str] = []
    page.on("framenavigated", lambda frame: loads.append(frame.url))
    page.locator("#away summary").first.press("Enter")
    form = page.locator("#away form").first
    cases = form.get_by_role("group")
    first, second, third = (form.get_by_role("group", name=f"Case {number}") for number in (1, 2, 3))
    first.get_by_label("When").select_option("the value of the card")
    first.get_by_label("The value").fill("9, 10")
    form.get_by_role("button", name="Another case").press("Enter")
    expect(second.get_by_label("Answer for me")).to_be_focused()
    expect(first.get_by_label("The value")).to_have_value("9, 10")
    second.get_by_label("When").select_option("the suit of the card")
    second.get_by_label("The value").fill("crimes")
    form.get_by_role("button", name="Another case").press("Enter")
    third.get_by_label("When").select_option("the value of the card")
    third.get_by_label("How it compares").select_option("is between")
    third.get_by_label("The value").fill("2, 4")
    if scripts:
        no_sideways_scroll(page)
        assert [] == [part for part in page.evaluate(SMALL) if "order-" in part or "Let it stand" in part]
        check(page)
    second.get_by_role("button", name="Take this case away").press("Enter")
    expect(cases).to_have_count(2)
    expect(second.get_by_label("The value")).to_have_value("2, 4")
    expect(second.get_by_label("How it compares")).to_have_value("between")
    second.get_by_label("The value").press("Enter")
    standing = page.locator("#orders")
    expect(standing).to_contain_text("If the value of the card is 9 or 10: let it pass.")
    expect(standing).to_contain_text(
        "If the value of the card is between 2 and 4: let it pass. Otherwise: let it pass."
    )
    assert scripts == (loads == [])


def test_a_case_that_makes_no_sense_is_refused_beside_the_form(enter: Enter, address: str) -> None:
    """The sentence names the case, and nothing that was written is lost."""
    made = open_table(address, "hellfire", ("me", "open", "open"))
    for name in ("Bell", "Croft"):
        take_seat(address, made["slug"], name)
    page = enter(made)
    page.goto(f"/t/{made['slug']}")
    page.locator("html[data-ready=yes]").wait_for()
    page.locator("#away summary").first.click()
    form = page.locator("#away form").first
    form.get_by_label("When").select_option("the value of the card")
    form.get_by_label("The value").fill("9")
    form.get_by_role("button", name="Another case").click()
    form.get_by_role("button", name="Let it stand").click()
    expect(page.locator(".note.refusal")).to_contain_text("Case 2: Choose under “When”")
    expect(form.get_by_role("group", name="Case 1").get_by_label("The value")).to_have_value("9")
    expect(page.locator("#orders")).to_contain_text("Nothing stands")
