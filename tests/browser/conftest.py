"""Fixtures of the browser tests: a server, Chromium, and pages whose complaints are failures."""

from __future__ import annotations

import shutil
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, sync_playwright

from tests.browser.places import Person, open_table, server, take_seat

CHROMIUM = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
SLOW = 20_000  # ms: these machines are shared
DESK = {"width": 1440, "height": 900}
PHONE = {"width": 360, "height": 740}
TABLET = {"width": 768, "height": 1024}


@pytest.fixture(scope="package")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A server of the tests' own."""
    with server(tmp_path_factory.mktemp("server")) as found:
        yield found


@pytest.fixture(scope="package")
def browser() -> Iterator[Browser]:
    """Chromium. The loop that Playwright runs ends with this package's tests, so that others may run theirs."""
    assert CHROMIUM, "These tests need Chromium: apt-get install chromium."
    with sync_playwright() as playwright:
        opened = playwright.chromium.launch(executable_path=CHROMIUM, args=["--no-sandbox"])
        yield opened
        opened.close()


Enter = Callable[..., Page]


@pytest.fixture
def enter(browser: Browser, address: str) -> Iterator[Enter]:
    """Makes pages, each in a browser profile of its own. What a page complains of in its console fails the test."""
    contexts: list[BrowserContext] = []
    complaints: list[str] = []

    def make(seat: Any = None, *, at: str = "", quiet: bool = False, **options: Any) -> Page:
        context = browser.new_context(viewport=options.pop("viewport", DESK), base_url=at or address, **options)
        context.set_default_timeout(SLOW)
        contexts.append(context)
        if seat is not None:
            base = at or address
            cookies = [{"name": f"seat_{seat['slug']}", "value": seat["secret"], "url": base}]
            if seat.get("host_secret"):
                cookies.append({"name": f"host_{seat['slug']}", "value": seat["host_secret"], "url": base})
            context.add_cookies(cookies)  # type: ignore[arg-type]
        page = context.new_page()
        if not quiet:
            page.on("console", lambda message: _hear(message, complaints))
            page.on("pageerror", lambda error: complaints.append(str(error)))
        return page

    yield make
    for context in contexts:
        context.close()
    assert complaints == []


def _hear(message: ConsoleMessage, complaints: list[str]) -> None:
    if message.type == "error" and "the server responded with a status of 4" not in message.text:
        complaints.append(message.text)


class Two:
    """A table with two seats: `ada` is for the browser, `bell` acts by the API."""

    def __init__(self, address: str, **more: Any) -> None:
        self.address = address
        self.ada = open_table(address, **more)
        self.slug = self.ada["slug"]
        taken = take_seat(address, self.slug)
        self.bell = Person(address, self.slug, taken["secret"])
        self.bell_seat = taken
        self.hand = Person(address, self.slug, self.ada["secret"], seed=2)

    def play(self, plies: int) -> None:
        """So many random steps, by whoever is to act."""
        for _ in range(plies):
            if not self.bell.act() and not self.hand.act():
                return

    def until_ada(self) -> None:
        """Let Bell act until it is Ada's turn, or the game is over."""
        while self.bell.act():
            pass

    def until_consent(self) -> None:
        """Play until it is Ada's turn and her last move could be taken back only if Bell agrees."""
        for _ in range(40):
            self.until_ada()
            undo = self.hand.look().get("undo", {})
            if undo.get("possible") and not undo.get("free"):
                return
            self.hand.act()
        raise AssertionError("it never came to that")

    def close(self) -> None:
        """Both go."""
        self.bell.close()
        self.hand.close()


@pytest.fixture
def two(address: str) -> Iterator[Two]:
    """A fresh table of Prowler's Passage for two people."""
    table = Two(address)
    yield table
    table.close()
