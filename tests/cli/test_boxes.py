"""A shelf with boxes of one's own: `parlour serve --box` and `--set`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from parlour import games
from parlour.cli.errors import CommandError
from parlour.cli.setup import use_boxes
from parlour.games import UnknownGame
from parlour.kernel import BoxError


@pytest.fixture(autouse=True)
def clean(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(games.BOXES, "")


def test_a_changed_number_is_what_everybody_plays_with(tmp_path: Path) -> None:
    standard = games.get("prowlers")
    assert standard.folder is not None
    copy = tmp_path / "my-box.toml"
    copy.write_text((standard.folder / "box.toml").read_text(encoding="utf-8"), encoding="utf-8")
    use_boxes([f"prowlers={copy}"], ["prowlers.districts.banking.bonus=4"])
    changed = games.get("prowlers")
    assert changed.box_hash != standard.box_hash
    assert games.get("hellfire") is games.get("hellfire")
    started = subprocess.run(
        [sys.executable, "-c", "from parlour import games; print(games.get('prowlers').box_hash)"],
        capture_output=True,
        text=True,
        check=True,
    )
    assert changed.box_hash == started.stdout.strip()


@pytest.mark.parametrize(
    ("files", "sets", "error", "said"),
    [
        (["my-box.toml"], [], CommandError, "GAME=FILE"),
        ([], ["bonus=4"], CommandError, "GAME.KEY=VALUE"),
        (["chess=x.toml"], [], UnknownGame, "no game called 'chess'"),
        (["prowlers=none.toml"], [], BoxError, "cannot be read"),
        ([], ["prowlers.districts.bank.bonus=4"], BoxError, "Did you mean banking"),
    ],
)
def test_what_will_not_do_is_refused_before_anything_starts(
    files: list[str], sets: list[str], error: type[Exception], said: str
) -> None:
    with pytest.raises(error, match=said):
        use_boxes(files, sets)
    assert games.get("prowlers").standard_box
