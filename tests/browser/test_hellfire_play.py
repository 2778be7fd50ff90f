"""The Old Hellfire Club in browsers: four of them play through to the printed tale; by keyboard alone; on a phone."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from tests.browser.conftest import DESK, PHONE, TABLET, Enter
from tests.browser.places import Person, open_table, server, take_seat
from tests.browser.test_accessibility import RULES
from tests.conftest import SOAK
from tests.toys.brisk import MIN_WINDOW

NAMES = ("Ada", "Bell", "Mr Croft", "Lady Quill")
FAST_TURNS = 0 if SOAK else 16
"""Turns that are played by the API before the browsers take over; in a long run they play from the deal."""
SAID = (
    "And there, before the whole of the Reform Club, stood [card].",
    "You will not believe me, but [card] was only the half of it.",
    "I said nothing, for I was holding [card] in my teeth.",
)


@pytest.fixture(scope="module")
def club(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server where the club's windows may close soon."""
    with server(tmp_path_factory.mktemp("club"), "tests.toys.brisk:GAME,tests.toys.bids:GAME") as found:
        yield found


def seats(address: str, players: int, **more: Any) -> list[Any]:
    """A table with a person on every seat; the first is the host."""
    made = open_table(address, "hellfire", ("me", *["open"] * (players - 1)), **more)
    others = [take_seat(address, made["slug"], name) for name in NAMES[1:players]]
    return [made, *({**taken, "slug": made["slug"]} for taken in others)]


def sideways(page: Page) -> int:
    """How wide the page would like to be."""
    return int(page.evaluate("document.documentElement.scrollWidth"))


def choices(page: Page) -> list[str]:
    """What may be chosen now, by id."""
    found: list[str] = page.eval_on_selector_all("#choices [data-action]", "all => all.map(one => one.dataset.action)")
    return found


def over(page: Page) -> bool:
    """Whether the page shows the end."""
    return page.locator(".result").count() > 0


def press(page: Page, action: str, touch: bool) -> None:
    """Choose from the list, or on the table where the piece is there."""
    piece = page.locator(f'.hf-card[data-action="{action}"], .hf-patron[data-action="{action}"]')
    target = piece.first if piece.count() else page.locator(f'#choices [data-action="{action}"]')
    if touch:
        target.tap()
        page.get_by_role("button", name="Do it").tap()
    else:
        target.click()


def settled(page: Page, ply: str | None, before: list[str]) -> None:
    """Wait until an answer is in: the table has moved on, or there is nothing more to choose here."""
    page.wait_for_function(
        """([ply, before]) => {
          const now = [...document.querySelectorAll("#choices [data-action]")].map(one => one.dataset.action).join();
          return document.getElementById("content").dataset.ply !== ply || now !== before;
        }""",
        arg=[ply, ",".join(before)],
    )


def take_a_turn(page: Page, rng: random.Random, touch: bool = False) -> bool:
    """One choice, if there is one: told with words now and then. Whether anything was done."""
    here = choices(page)
    if not here:
        return False
    ply = page.get_attribute("#content", "data-ply")
    quiet = [one for one in here if one.endswith((":pass", ":none", ":keep", ":hold", ":stop"))]
    loud = [one for one in here if one not in quiet]
    cautious = 0.8 if "interrupt" in here[0] or "rechallenge" in here[0] else 0.35
    action = rng.choice(quiet) if quiet and (not loud or rng.random() < cautious) else rng.choice(loud)
    words = page.locator("#words")
    if words.count() and ":" in action and rng.random() < 0.5:
        words.fill(rng.choice(SAID))
        if page.locator("#lead").count():
            page.locator("#lead").fill("It was a dark and profitable night.")
    press(page, action, touch)
    settled(page, ply, here)
    return True


def skip_turns(address: str, taken: list[Any], turns: int = FAST_TURNS) -> None:
    """Play the first turns by the API, with words."""
    people = [Person(address, taken[0]["slug"], seat["secret"], n) for n, seat in enumerate(taken)]
    while (model := people[0].look())["view"]["turn"] <= turns and model["status"] == "playing":
        for person in people:
            Company.quietly(person, words=True)
    for person in people:
        person.close()


def test_four_browsers_play_it_through_to_the_printed_tale(enter: Enter, club: str) -> None:
    """Desk, tablet, phone and desk: cards pressed on the table, words with them, last words, and the tale in print."""
    taken = seats(club, 4, options={"clock": "none"}, given={"title": "Why the goose was knighted"})
    sizes: list[dict[str, Any]] = [
        {"viewport": DESK},
        {"viewport": TABLET},
        {"viewport": PHONE, "has_touch": True, "is_mobile": True},
        {"viewport": DESK},
    ]
    skip_turns(club, taken)
    pages = [enter(seat, at=club, **size) for seat, size in zip(taken, sizes, strict=True)]
    for page in pages:
        page.goto(f"/t/{taken[0]['slug']}")
    rng = random.Random(3)
    for round_ in range(400):
        if all(over(page) for page in pages):
            break
        done = [take_a_turn(page, rng, index == 2) for index, page in enumerate(pages) if not over(page)]
        if not any(done):
            pages[0].wait_for_timeout(1000 * MIN_WINDOW / 2)
        page, size = pages[round_ % 4], sizes[round_ % 4]
        assert sideways(page) <= size["viewport"]["width"]
    for page in pages:
        expect(page.locator(".result .score-sheet")).to_contain_text("Most pocketed cards")
        expect(page.locator(".hf-epilogue")).to_contain_text("All last words come out together")
    for index, page in enumerate(pages[:3]):
        page.locator(".hf-epilogue textarea").fill(f"Of {NAMES[index]} nothing more was heard.")
        page.get_by_role("button", name="Add it to the tale").click()
        expect(page.locator(".hf-epilogue")).to_contain_text("Yours is in")
        assert "nothing more was heard" not in pages[3].locator("#keepsake").inner_text()
    pages[3].get_by_role("button", name="Nothing to add").click()
    for page in pages:
        expect(page.locator("#keepsake")).to_contain_text("Of Mr Croft nothing more was heard.")
        expect(page.locator(".hf-epilogue")).to_have_count(0)
    tale = pages[3]
    tale.get_by_role("link", name="as printed").click()
    printed = tale.locator(".hf-printed")
    expect(printed.locator(".hf-title")).to_have_text("Why the goose was knighted")
    expect(printed.locator(".hf-by-line")).to_have_text("as told by Ada, Bell, Mr Croft and Lady Quill")
    text = printed.inner_text()
    assert "It was a dark and profitable night." in text
    assert re.search(r"is (believed|found out)", text)
    assert printed.locator("s").count() > 0
    assert printed.locator("blockquote").count() > 0
    assert printed.locator(".hf-drop").count() == 1
    expect(printed.locator(".hf-reckoning tbody tr")).to_have_count(4)
    with tale.expect_download() as kept:
        tale.locator('a[href*="/keepsake/markdown?choice=full"]').click()
    markdown = kept.value.path().read_text(encoding="utf-8")
    assert markdown.startswith("# Why the goose was knighted\n")
    assert "## The reckoning" in markdown
    with tale.expect_download() as kept:
        tale.locator('a[href*="/keepsake/json?choice=authorised"]').click()
    assert json.loads(kept.value.path().read_text(encoding="utf-8"))["authorised"] is True
    tale.emulate_media(media="print")
    sheets = len(re.findall(rb"/Type\s*/Page[^s]", tale.pdf(prefer_css_page_size=True)))
    assert sheets <= 4, "two sheets of paper, printed on both sides"


class Company:
    """A table where one plays in the browser and the others by the API."""

    def __init__(self, address: str, players: int, seed: int = 1, **more: Any) -> None:
        self.seats = seats(address, players, **{"options": {"clock": "none"}, **more})
        self.ada = self.seats[0]
        self.slug = self.ada["slug"]
        self.others = [Person(address, self.slug, seat["secret"], seed + n) for n, seat in enumerate(self.seats[1:])]
        self.hand = Person(address, self.slug, self.ada["secret"], seed)

    def others_act(self, loud: float = 0.25) -> bool:
        """Everybody but Ada does what is asked of them, quietly in windows. Whether anything was done."""
        acted = [self.quietly(person, loud) for person in self.others]  # all of them, not only the first who can
        return any(acted)

    @staticmethod
    def quietly(person: Person, loud: float = 0.25, words: bool = False) -> bool:
        """One answer: in windows mostly a pass; with words, if wanted."""
        model = person.look()
        ids = [choice["id"] for choice in model.get("choices", [])]
        if not ids:
            return False
        window = ids[0].endswith(":pass")
        quiet = window and person.random.random() > loud
        chosen = ids[0] if quiet else person.random.choice((ids[1:] or ids) if window else ids)
        said = {"text": person.random.choice(SAID), "lead": "It was a dark and profitable night."} if words else {}
        answer = person.post("act", {"ply": model["ply"], "action": chosen, **said})
        assert answer.status_code in (200, 409), answer.text
        return True

    def until(self, page: Page, wanted: str, most: int = 400, loud: float = 0.25) -> None:
        """Play on until the page's `#content` holds what is wanted, a selector."""
        caught_up = "ply => Number(document.getElementById('content').dataset.ply) >= ply"
        for _ in range(most):
            page.wait_for_function(caught_up, arg=self.hand.look()["ply"])
            if page.locator(wanted).count():
                return
            assert wanted == ".result" or not over(page), f"{wanted} did not come before the end"
            if not self.others_act(loud) and not self.quietly(self.hand, loud):
                page.wait_for_timeout(1000 * MIN_WINDOW / 2)
        raise AssertionError(f"{wanted} never came")

    def close(self) -> None:
        """All go."""
        for person in (*self.others, self.hand):
            person.close()


@pytest.fixture
def three(club: str) -> Iterator[Company]:
    """A table of three."""
    company = Company(club, 3)
    yield company
    company.close()


def test_n13_a_whole_game_by_keyboard_alone(enter: Enter, club: str, three: Company) -> None:
    """N13, R39: Tab and Enter, the list of choices, and the voice: from the deal to the last word."""
    skip_turns(club, three.seats, FAST_TURNS // 2)
    page = enter(three.ada, at=club)
    page.goto(f"/t/{three.slug}")
    done = 0
    for _ in range(500):
        if over(page):
            break
        here = choices(page)
        if not here:
            if not three.others_act():
                page.wait_for_timeout(1000 * MIN_WINDOW / 2)
            continue
        ply = page.get_attribute("#content", "data-ply")
        page.locator("#question").focus()
        for _ in range(12):
            page.keyboard.press("Tab")
            if page.evaluate('document.activeElement.closest("#choices") && document.activeElement.dataset.action'):
                break
        chosen = page.evaluate("document.activeElement.dataset.action")
        assert chosen in here
        page.keyboard.press("Enter")
        settled(page, ply, here)
        done += 1
        expect(page.locator("#live")).not_to_be_empty()
    assert done > (15 if SOAK else 4)
    expect(page.locator(".result")).to_be_visible()
    page.locator("#question").focus()
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.name") == "epilogue":
            break
    page.keyboard.type("I typed this with my hands full.")
    page.keyboard.press("Tab")
    page.keyboard.press("Enter")
    expect(page.locator(".hf-epilogue")).to_contain_text("I typed this with my hands full.")


def test_axe_finds_nothing_at_any_moment(enter: Enter, club: str) -> None:
    """A turn, a window, a chain, the discards laid open, the tale with the host's pencil, the end and the print.

    Each at a desk and on a phone, by day and by night.
    """
    company = Company(club, 4, seed=5)
    skip_turns(club, company.seats, FAST_TURNS // 4)
    page = enter(company.ada, at=club, viewport=DESK)
    page.goto(f"/t/{company.slug}")
    for moment in ('#choices [data-action^="tell:"]', '#choices [data-action^="interrupt:"]', ".hf-chain"):
        company.until(page, moment, loud=1.0)
        clean_everywhere(page)
    page.locator("#hf-discards summary").click()
    page.locator("#hf-pencil").check()
    clean_everywhere(page)
    company.until(page, ".result")
    clean_everywhere(page)
    page.goto(f"/t/{company.slug}/keepsake")
    clean_everywhere(page)
    company.close()


def clean_everywhere(page: Page) -> None:
    """axe has nothing to say at either size in either light, and nothing scrolls sideways."""
    for size in (PHONE, DESK):
        page.set_viewport_size({"width": size["width"], "height": size["height"]})
        for light in ("light", "dark"):
            page.emulate_media(color_scheme=light)
            clean(page)
        assert sideways(page) <= size["width"]


def clean(page: Page) -> None:
    """axe has nothing to say."""
    page.wait_for_timeout(500)
    told: Any = Axe().run(page, options=RULES).response["violations"]
    assert [f"{rule['id']}: {rule['help']}: {node['html'][:160]}" for rule in told for node in rule["nodes"]] == []


def test_at_360_the_choices_stay_in_reach_and_are_large_enough(enter: Enter, club: str, three: Company) -> None:
    """Targets of 44 px; prompt and choices in sight wherever one has scrolled to; nothing scrolls sideways."""
    page = enter(three.ada, at=club, viewport=PHONE, has_touch=True, is_mobile=True)
    page.goto(f"/t/{three.slug}")
    three.until(page, '#choices [data-action^="interrupt:"]')
    for top in (0, 400, 5000):
        page.evaluate(f"scrollTo(0, {top})")
        page.wait_for_timeout(60)
        for wanted in ("#question", '#choices [data-action="interrupt:pass"]', "#words"):
            expect(page.locator(wanted)).to_be_in_viewport()
    for button in page.locator("#choices button, .hf-card.may").all():
        box = button.bounding_box()
        assert box is not None
        assert box["height"] >= 44
        assert box["width"] >= 44
    assert sideways(page) <= 360


def test_at_1440_nothing_that_matters_is_below_the_fold(enter: Enter, club: str) -> None:
    """Eight players, the fullest table there is: row, ledger, hand, choices and the tale are all in sight."""
    made = open_table(club, "hellfire", ("me", *["bot:novice"] * 7), options={"clock": "none"})
    page = enter(made, at=club)
    page.goto(f"/t/{made['slug']}")
    hand = Person(club, made["slug"], made["secret"])
    for _ in range(200):
        if page.locator(".hf-row .hf-card").count() and choices(page):
            break
        if not Company.quietly(hand):
            page.wait_for_timeout(100)
    for wanted in ("#question", ".hf-row", ".hf-ledger", ".hf-cards", "#choices", ".hf-tale-panel", "#players"):
        expect(page.locator(wanted).first).to_be_in_viewport(ratio=0.35)
    hand_box, ledger = page.locator(".hf-cards").bounding_box(), page.locator(".hf-ledger").bounding_box()
    assert hand_box is not None
    assert ledger is not None
    assert hand_box["y"] + hand_box["height"] <= 900
    assert ledger["y"] + ledger["height"] <= 900
    hand.close()


def test_the_bookkeepers_help_is_a_setting(enter: Enter, club: str, three: Company) -> None:
    page = enter(three.ada, at=club)
    page.goto(f"/t/{three.slug}")
    expect(page.locator(".hf-below").first).to_be_visible()
    page.get_by_role("button", name="Settings").click()
    page.get_by_label("Do not count for me").check()
    page.locator("#drawer-settings [data-close]").click()
    expect(page.locator(".hf-below").first).to_be_hidden()
    page.reload()
    expect(page.locator(".hf-below").first).to_be_hidden()


def test_hc_85_the_host_rewrites_a_paragraph_and_everybodys_page_follows(
    enter: Enter, club: str, three: Company
) -> None:
    """HC-85, and what people type is text: a tag that was typed is shown, not obeyed."""
    page, other = enter(three.ada, at=club), enter(three.seats[1], at=club)
    for one in (page, other):
        one.goto(f"/t/{three.slug}")
    three.until(page, '#choices [data-action^="tell:"]')
    page.locator("#words").fill("<img src=x onerror=alert(1)> I cannot print this about [card].")
    page.locator('.hf-card[data-action^="tell:"]').first.click()
    for one in (page, other):
        expect(one.locator("#keepsake")).to_contain_text("<img src=x onerror=alert(1)> I cannot print this")
        assert one.locator("#keepsake img").count() == 0
    assert other.locator("#hf-pencil").count() == 0
    page.locator("#hf-pencil").check()
    page.get_by_role("button", name="Let the club rewrite this paragraph").last.click()
    for one in (page, other):
        expect(one.locator("#keepsake")).not_to_contain_text("I cannot print this")


def test_hc_83_words_typed_stay_while_others_act_and_go_when_they_are_told(
    enter: Enter, club: str, three: Company
) -> None:
    """What is half typed survives the talk of others; what was sent is gone from the field."""
    page = enter(three.ada, at=club)
    page.goto(f"/t/{three.slug}")
    three.until(page, '#choices [data-action^="tell:"]')
    page.locator("#words").fill("We had reached the point at which [card]")
    assert three.others[0].post("talk", {"text": "Get on with it."}).status_code == 200
    expect(page.locator("#talk")).to_contain_text("Get on with it.")
    expect(page.locator("#words")).to_have_value("We had reached the point at which [card]")
    page.locator('.hf-card[data-action^="tell:"]').first.click()
    expect(page.locator("#keepsake")).to_contain_text("We had reached the point at which")
    three.until(page, '#choices [data-action^="tell:"], #choices [data-action^="interrupt:"]')
    expect(page.locator("#words")).to_have_value("")


def test_a_benefactor_travels_from_the_pool_to_whoever_has_it(enter: Enter, club: str, three: Company) -> None:
    """Each keeps one name for the browser's transitions, wherever it lies."""
    page = enter(three.ada, at=club)
    page.goto(f"/t/{three.slug}")
    pool = page.locator(".hf-pool .hf-benefactor")
    expect(pool).to_have_count(10)
    three.until(page, ".hf-ledger tbody .hf-benefactor")
    names = page.eval_on_selector_all(".hf-benefactor", "all => all.map(one => one.dataset.piece)")
    assert len(set(names)) == len(names) == 10
