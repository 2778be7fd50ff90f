"""After the game: the record, the proof, another game, a report; and games that have no page of their own."""

from __future__ import annotations

import json
from pathlib import Path

from playwright.sync_api import expect

from parlour import records
from tests.browser.conftest import Enter, Two
from tests.browser.places import open_table
from tests.browser.test_whole_games import moved, ply_of, ready


def test_n14_the_record_downloads_and_proves_itself(enter: Enter, two: Two, tmp_path: Path) -> None:
    """What the page gives away passes `parlour verify`; the page's own proof fits, step by step."""
    two.play(40)
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    page.locator("#sealed summary").click()
    seal = page.locator("#sealed .mono").inner_text()
    page.get_by_role("link", name="Verify the shuffle").click()
    expect(page.locator("h1")).to_have_text("The shuffle was fair")
    expect(page.locator("main")).to_contain_text(seal)
    assert page.locator("main h2").all_inner_texts() == [
        "The seal — it fits",
        "The draws — it fits",
        "The moves — it fits",
        "The result — it fits",
    ]
    page.goto(f"/t/{two.slug}/record")
    with page.expect_download() as waiting:
        page.get_by_role("link", name="Take it away").click()
    path = tmp_path / "record.json"
    waiting.value.save_as(path)
    record = records.loads(path.read_text())
    assert records.verify(record).ok
    assert json.loads(path.read_text())["deal"]["commitment"] == seal


def test_the_seal_stands_before_the_deal(enter: Enter, address: str) -> None:
    """N14: at a table that still waits for players."""
    made = open_table(address)
    page = enter(made)
    page.goto(f"/t/{made['slug']}")
    page.locator("#sealed summary").click()
    assert len(page.locator("#sealed .mono").inner_text()) == 64


def test_a_rematch_opens_a_new_table(enter: Enter, two: Two) -> None:
    """Against the same people, when they come."""
    two.play(40)
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    page.get_by_role("button", name="Play again").click()
    page.wait_for_url(lambda url: two.slug not in url)
    expect(page.locator("#players")).to_contain_text("Ada (you)")


def test_n18_a_report_gives_back_a_test(enter: Enter, two: Two) -> None:
    """The words, the position, and a stub that shows it."""
    two.play(5)
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    page.get_by_role("button", name="Something is wrong").click()
    page.get_by_label("What is wrong").fill("The statue went to the wrong player.")
    page.get_by_role("button", name="Send the report").click()
    answer = page.locator("#report-answer")
    expect(answer).to_contain_text("Thank you")
    expect(answer.locator("pre")).to_contain_text("def test_")


def test_a_game_without_a_page_is_played_by_its_list(enter: Enter, address: str) -> None:
    """The plain page shows the view and all choices; a whole game of the toy against a bot."""
    made = open_table(address, "bids", ("me", "bot:club"))
    page = enter(made)
    page.goto(f"/t/{made['slug']}")
    expect(page.locator(".plain")).to_contain_text("Prize")
    for _ in range(12):
        page.locator("#choices .choice, .result").first.wait_for(timeout=30_000)
        if not ready(page):
            break
        version = page.get_attribute("#content", "data-version")
        page.locator("#choices .choice").first.click()
        page.locator(f'#content:not([data-version="{version}"])').wait_for()
    expect(page.locator(".result")).to_be_visible(timeout=30_000)


def test_the_shelf_lists_one_s_own_tables(enter: Enter, two: Two) -> None:
    """With whose turn it is."""
    two.until_ada()
    page = enter(two.ada)
    page.goto("/")
    mine = page.locator(f'.tables a[href="/t/{two.slug}"]')
    expect(mine).to_contain_text("Your turn")
    expect(mine).to_contain_text("Bell")
    mine.click()
    expect(page.locator("#question")).to_contain_text("Your turn, Ada")


def test_leaving_the_chair_and_taking_it_again(enter: Enter, two: Two) -> None:
    """N9: a club player sits in, and gives the chair back with what happened."""
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    page.get_by_role("button", name="Leave the chair to a club player").click()
    expect(page.locator("#status")).to_contain_text("A club player sits in for you")
    two.bell.act()
    page.get_by_role("button", name="Take the chair again").click()
    expect(page.locator("#status")).not_to_contain_text("sits in for you")


def test_a_pause_is_agreed_and_ended(enter: Enter, two: Two) -> None:
    """Asked, agreed, said in words, ended."""
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    page.get_by_role("button", name="Ask for a pause").click()
    expect(page.locator("#vote")).to_contain_text("Waiting for Bell")
    assert two.bell.post("vote", {"agree": True}).status_code == 200
    expect(page.locator("#status")).to_contain_text("The game is paused")
    page.get_by_role("button", name="Go on").click()
    expect(page.locator("#status")).not_to_contain_text("paused")


def test_the_past_has_an_address(enter: Enter, two: Two) -> None:
    """A link to an earlier step shows it, and leads back."""
    two.play(6)
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}?at=2")
    expect(page.locator("#past")).to_contain_text("step 2 of 6")
    page.get_by_role("link", name="Back to the present (Esc)").click()
    expect(page.locator("#past")).to_be_empty()


def test_a_name_can_be_changed(enter: Enter, two: Two) -> None:
    """In the settings; everybody reads the new one."""
    page, other = enter(two.ada), enter(two.bell_seat)
    page.goto(f"/t/{two.slug}")
    other.goto(f"/t/{two.slug}")
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Your name at this table").fill("Augusta")
    page.get_by_role("button", name="Change it").click()
    expect(other.locator("#players")).to_contain_text("Augusta")


def test_each_move_is_marked_by_its_step(enter: Enter, two: Two) -> None:
    """The story numbers its steps once each."""
    two.play(5)
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    steps = [text for text in page.locator("#log .step").all_inner_texts() if text]
    assert steps == sorted(set(steps), key=int)
    ply = ply_of(page)
    two.play(1)
    moved(page, ply)
