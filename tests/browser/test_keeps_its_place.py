"""An update disturbs nothing that the reader is doing; and a wrong choice is answered where it was made."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from tests.browser.conftest import PHONE, Enter, Two
from tests.browser.test_whole_games import caught_up, moved, ply_of


def test_focus_talk_scroll_and_open_parts_survive_an_update(enter: Enter, two: Two) -> None:
    """Half-typed talk stays, with its cursor; an opened part stays open; a scrolled story stays where it was."""
    two.play(12)
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    field = page.get_by_label("Say something")
    field.fill("I say, that was my tun")
    field.press("ArrowLeft")
    page.get_by_text("The shuffle is sealed").click()
    field.focus()
    page.locator("#log").evaluate("log => { log.scrollTop = 15; }")
    at = field.evaluate("field => field.selectionStart")
    ply = ply_of(page)
    two.play(2)
    moved(page, ply)
    expect(field).to_have_value("I say, that was my tun")
    expect(field).to_be_focused()
    assert at == field.evaluate("field => field.selectionStart")
    assert page.locator("#log").evaluate("log => log.scrollTop") == 15
    expect(page.locator("#sealed")).to_have_attribute("open", "")


def test_an_open_drawer_stays_open(enter: Enter, two: Two) -> None:
    """The rules stay at their clause while the table goes on."""
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    page.get_by_role("button", name="Rules").click()
    expect(page.locator("#clause-PP-13")).to_be_attached()
    ply = ply_of(page)
    two.play(1)
    moved(page, ply)
    expect(page.locator("#drawer-rules")).to_be_visible()
    page.get_by_label("Search the rules").fill("golden shovel")
    expect(page.locator("#clause-PP-26")).to_be_visible()
    expect(page.locator("#clause-PP-44")).to_be_hidden()
    page.get_by_label("Search the rules").fill("zzz")
    expect(page.locator("#rules-none")).to_be_visible()
    page.get_by_label("Search the rules").fill("")
    page.keyboard.press("Escape")
    expect(page.locator("#drawer-rules")).to_be_hidden()


def test_the_question_s_clause_opens_the_rules_there(enter: Enter, two: Two) -> None:
    """PP-13 in the prompt is a link into the drawer."""
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    two.play(2)
    two.until_ada()
    caught_up(page, two)
    clause = page.locator("#question .clause")
    named = clause.inner_text()
    clause.click()
    place = page.locator(f"#clause-{named}")
    expect(place).to_have_class("opened")
    expect(place).to_be_in_viewport()


def test_an_illegal_choice_is_answered_where_it_was_clicked(enter: Enter, two: Two) -> None:
    """A taken passageway says why not, with the clause, beside it."""
    two.play(7)
    two.until_ada()
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    caught_up(page, two)
    taken = page.locator("#board .pp-way:has(.pp-passage)").first
    box = taken.locator(".pp-boss").bounding_box()
    assert box is not None
    ply = ply_of(page)
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    note = page.locator(".note.refusal")
    expect(note).to_contain_text("PP-")
    place = note.bounding_box()
    assert place is not None
    assert place["y"] <= box["y"] + 60
    assert place["y"] + place["height"] >= box["y"] - 60
    assert place["x"] <= box["x"] + 60
    assert place["x"] + place["width"] >= box["x"] - 60
    assert ply == ply_of(page), "asking why must do nothing"


def test_a_hint_tells_what_a_choice_would_do(enter: Enter, two: Two) -> None:
    """On hover and on focus; with less help, only the name and the clause."""
    two.play(4)
    two.until_ada()
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    caught_up(page, two)
    page.locator("#board [data-action]").first.hover()
    expect(page.locator(".note")).to_contain_text("pulled")
    page.mouse.move(2, 2)
    expect(page.locator(".note")).to_have_count(0)
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Do not show what a move would do").check()
    page.get_by_role("button", name="Close").click()
    page.locator("#board [data-action]").first.hover()
    expect(page.locator(".note")).not_to_contain_text("pulled")


def test_a_long_press_tells_and_does_nothing(enter: Enter, two: Two) -> None:
    """R38: on a touch screen a held finger asks what a piece is."""
    two.until_ada()
    page = enter(two.ada, viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(f"/t/{two.slug}")
    caught_up(page, two)
    ply = ply_of(page)
    spot: Any = page.locator("#board [data-action]").first.bounding_box()
    point = {"x": spot["x"] + spot["width"] / 2, "y": spot["y"] + spot["height"] / 2}
    touch = page.context.new_cdp_session(page)
    touch.send("Input.dispatchTouchEvent", {"type": "touchStart", "touchPoints": [point]})
    expect(page.locator(".note")).to_be_visible()
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    assert page.locator(".confirm").count() == 0
    assert ply == ply_of(page)


def test_looking_back_and_returning_by_one_key(enter: Enter, two: Two) -> None:
    """N15: another paper and words that say so; news does not disturb it; Escape is the present."""
    two.play(9)
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    now = page.locator("#board .pp-passage").count()
    page.locator('#log [data-at="4"]').first.click()
    expect(page.locator("#past")).to_contain_text("You are looking at the past: step 4 of 9")
    expect(page.locator("body")).to_have_class("at-table game-prowlers past")
    assert page.locator("#board .pp-passage").count() < now
    assert page.locator("[data-action]").count() == 0
    two.play(1)
    moved(page, "9")
    expect(page.locator("#past")).to_contain_text("step 4 of 9")
    page.keyboard.press("Escape")
    expect(page.locator("#past")).to_be_empty()
    expect(page.locator("#content")).to_have_attribute("data-ply", "10")
    expect(page.locator("body")).not_to_have_class("at-table game-prowlers past")


def test_the_last_move_stays_marked(enter: Enter, two: Two) -> None:
    """Until the next one."""
    two.play(6)
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    expect(page.locator(".pp-way .pp-latest")).to_have_count(1)


def test_settings_are_kept(enter: Enter, two: Two) -> None:
    """Night, and asking before a move, survive a reload."""
    two.until_ada()
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Lamp turned low").check()
    page.get_by_label("Always").check()
    page.reload()
    expect(page.locator("html")).to_have_attribute("data-night", "on")
    caught_up(page, two)
    ply = ply_of(page)
    page.locator("#choices .choice").first.click()
    expect(page.locator("#confirm")).to_contain_text("Do it")
    page.get_by_role("button", name="Think again").click()
    expect(page.locator("#confirm")).to_be_empty()
    assert ply == ply_of(page)


def test_talk_is_text(enter: Enter, two: Two) -> None:
    """What is said is shown to everybody as it was typed, never as markup."""
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    said = '<img src=x onerror="alert(1)"> & so on'
    page.get_by_label("Say something").fill(said)
    page.get_by_role("button", name="Say").click()
    expect(page.locator("#talk")).to_contain_text(said)
    expect(page.get_by_label("Say something")).to_have_value("")
    assert page.locator("#talk img").count() == 0
