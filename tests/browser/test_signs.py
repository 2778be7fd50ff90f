"""R37: nothing is told by colour alone. Everything is drawn in greys, and each pair must still differ in shape."""

from __future__ import annotations

from itertools import combinations
from typing import Any

import pytest
from playwright.sync_api import Page

from tests.browser.conftest import Enter, Two

PICTURES = """async ([parts, plain]) => {
    // Draws each part in one grey on white, or with its colours turned to greys, into a square of 48.
    const pictures = {};
    for (const [name, svg] of Object.entries(parts)) {
        const image = new Image();
        image.src = "data:image/svg+xml;charset=utf-8," + encodeURIComponent(svg);
        await image.decode();
        const canvas = document.createElement("canvas");
        canvas.width = canvas.height = 48;
        const context = canvas.getContext("2d");
        context.fillStyle = "#fff";
        context.fillRect(0, 0, 48, 48);
        context.drawImage(image, 0, 0, 48, 48);
        const { data } = context.getImageData(0, 0, 48, 48);
        pictures[name] = Array.from({ length: 48 * 48 }, (_, i) => {
            const grey = 0.299 * data[4 * i] + 0.587 * data[4 * i + 1] + 0.114 * data[4 * i + 2];
            return plain ? (grey < 128 ? 0 : 255) : Math.round(grey);
        });
    }
    return pictures;
}"""

INK = """
    use, g, svg { color: #000; fill: #ccc; }
    .pp-ink, .pp-ink-thin, .pp-ink-mid, .pp-line-thick, .pp-stone-line, .pp-h { stroke: #000; fill: none; }
    .pp-line-thick { stroke-width: 2.3; } .pp-ink-mid { stroke-width: 1.5; }
    .pp-h { stroke-width: 0.9; } .pp-d { fill: #000; }
    [class*=pp-f-] { fill: #fff; }
"""


def symbols(page: Page) -> dict[str, str]:
    """Every symbol of the page, by id, as markup with its box."""
    found: dict[str, str] = page.evaluate(
        """(ink) => Object.fromEntries([...document.querySelectorAll("symbol")].map((symbol) =>
            [symbol.id, `<svg xmlns="http://www.w3.org/2000/svg" viewBox="${symbol.getAttribute("viewBox")}"`
                + ` width="48" height="48" style="--emblem-ground: #fff"><style>${ink}</style>`
                + `${symbol.innerHTML}</svg>`]))""",
        INK,
    )
    return found


def differences(page: Page, parts: dict[str, str]) -> dict[tuple[str, str], float]:
    """For each pair, the share of points in which the two pictures differ, all ink being of one colour."""
    pictures: Any = page.evaluate(PICTURES, [parts, True])
    return {
        (one, other): sum(a != b for a, b in zip(pictures[one], pictures[other], strict=True)) / 48**2
        for one, other in combinations(sorted(pictures), 2)
    }


GROUPS = {
    "seats": ("e-", 8, 0.06),
    "markers": ("pp-m-", 5, 0.03),
}
FACES = ("pp-gold", "pp-book", "pp-jewels", "pp-key", "pp-golden_shovel", "pp-double_shovel")


@pytest.mark.parametrize("group", GROUPS)
def test_r37_no_two_are_told_apart_by_colour_alone(enter: Enter, two: Two, group: str) -> None:
    """The eight emblems of the seats, and the outlines of the five markers."""
    prefix, many, least = GROUPS[group]
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    parts = {name: svg for name, svg in symbols(page).items() if name.startswith(prefix)}
    assert many == len(parts)
    assert {pair: share for pair, share in differences(page, parts).items() if share < least} == {}


def test_r37_the_six_tile_faces_differ_in_shape(enter: Enter, two: Two) -> None:
    """Gold, book, jewels, key, golden shovel, double shovel."""
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    parts = {name: svg for name, svg in symbols(page).items() if name in FACES}
    assert sorted(FACES) == sorted(parts)
    assert {pair: share for pair, share in differences(page, parts).items() if share < 0.05} == {}


def test_r37_the_five_district_types_differ_in_hatching_and_letter(enter: Enter, two: Two) -> None:
    """All grounds white: only the hatching is left; and each carries its name, or its letter on a phone."""
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    patterns: dict[str, str] = page.evaluate(
        """(ink) => Object.fromEntries([...document.querySelectorAll("pattern")].map((pattern) => [pattern.id,
            `<svg xmlns="http://www.w3.org/2000/svg" width="48" height="48" viewBox="0 0 48 48"><style>${ink}</style>`
            + `<defs>${pattern.outerHTML}</defs><rect width="48" height="48" fill="url(#${pattern.id})"/></svg>`]))""",
        INK,
    )
    assert 5 == len(patterns)
    assert {pair: share for pair, share in differences(page, patterns).items() if share < 0.04} == {}
    letters = set(page.locator(".pp-names .pp-letter").evaluate_all("all => all.map((one) => one.textContent)"))
    names = set(page.locator(".pp-names .pp-name").evaluate_all("all => all.map((one) => one.textContent)"))
    assert len(letters) == len(names)


def test_r37_passages_differ_in_dash_and_emblem(enter: Enter, two: Two) -> None:
    """The two players' passages on the board."""
    two.play(8)
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    signs: Any = page.evaluate(
        """() => [0, 1].map((seat) => {
            const passage = document.querySelector(`.pp-passage.seat-${seat}`);
            return [getComputedStyle(passage.querySelector(".pp-dash")).strokeDasharray,
                    passage.querySelector("use").getAttribute("href")];
        })"""
    )
    assert signs[0][0] != signs[1][0]
    assert signs[0][1] != signs[1][1]


def test_r37_all_eight_dashes_differ(enter: Enter, two: Two) -> None:
    """For a game of eight."""
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    dashes: Any = page.evaluate(
        """() => [...Array(8).keys()].map((seat) => {
            const path = document.createElementNS("http://www.w3.org/2000/svg", "path");
            path.setAttribute("class", `pp-dash dash-${seat}`);
            document.querySelector("#board svg").append(path);
            const { strokeDasharray, strokeWidth } = getComputedStyle(path);
            path.remove();
            return strokeDasharray + " / " + strokeWidth;
        })"""
    )
    assert 8 == len(set(dashes))


def test_lamp_is_a_ring_and_not_only_a_colour(enter: Enter, two: Two) -> None:
    """What may be chosen has a ring that nothing else has."""
    two.play(3)
    two.until_ada()
    page = enter(two.ada)
    page.goto(f"/t/{two.slug}")
    assert page.locator("#board [data-action]").count() == page.locator("#board [data-action] .lamp").count() > 0
    assert page.locator("#board :not([data-action]) > .lamp").count() == 0
