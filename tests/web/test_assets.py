"""Files that pages load."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from parlour.web import assets

STATIC = Path(assets.__file__).parent / "static"


def test_every_file_is_found_under_its_own_edition() -> None:
    for path in STATIC.iterdir():
        found = assets.read_asset(path.name)
        assert found is not None
        assert path.read_bytes() == found.body
        assert f"/static/{assets.edition()}/{path.name}" == assets.asset(path.name)


@pytest.mark.parametrize("name", ["../pages.py", "nothing.css", "", "a/b.js"])
def test_nothing_else_is(name: str) -> None:
    assert assets.read_asset(name) is None


def test_a_game_gives_its_style_sheet_and_nothing_else() -> None:
    assert assets.read_game_asset("prowlers", "style.css") is not None
    for name in ("box.toml", "../box.py", "page.html"):
        assert assets.read_game_asset("prowlers", name) is None
    assert assets.read_game_asset("nothing", "style.css") is None


def test_modules_import_only_what_is_there() -> None:
    for path in STATIC.glob("*.js"):
        for name in re.findall(r'from "\./([\w.]+)"', path.read_text()):
            assert (STATIC / name).is_file(), f"{path.name} imports {name}"


def test_the_client_is_a_few_hundred_lines() -> None:
    lines = sum(len(path.read_text().splitlines()) for path in STATIC.glob("*.js"))
    assert lines <= 900
