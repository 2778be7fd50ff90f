"""Answers left in advance, on the page: at the smallest size, by the keyboard, and without scripts."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Enter
from tests.browser.places import open_table, take_seat
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
