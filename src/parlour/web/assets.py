"""Files that pages load: style sheets, modules, icons, and a font when one is installed. Read once, kept in memory."""

from __future__ import annotations

import functools
import gzip
import hashlib
import importlib.util
from dataclasses import dataclass
from pathlib import Path

from parlour import games

HERE = Path(__file__).parent / "static"
FONT_PACKAGE = "fontpkg_eb_garamond"
FONT_FILES = {"serif.ttf": "EBGaramond[wght].ttf", "serif-italic.ttf": "EBGaramond-Italic[wght].ttf"}
TYPES = {
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".svg": "image/svg+xml",
    ".ttf": "font/ttf",
}


@dataclass(frozen=True)
class Asset:
    """A file as it is sent: plain, and packed where that is smaller."""

    body: bytes
    packed: bytes | None
    type: str


def _read(path: Path) -> Asset:
    body = path.read_bytes()
    packed = gzip.compress(body, 9, mtime=0)
    return Asset(body, packed if len(packed) < len(body) else None, TYPES[path.suffix])


@functools.cache
def _own() -> dict[str, Path]:
    found = {path.name: path for path in sorted(HERE.iterdir()) if path.suffix in TYPES}
    if (folder := _font_folder()) is not None:
        found |= {name: folder / file for name, file in FONT_FILES.items()}
    return found


@functools.cache
def _font_folder() -> Path | None:
    """Where the optional font package keeps its files; None without it, and the serif stack serves."""
    spec = importlib.util.find_spec(FONT_PACKAGE)
    if spec is None or spec.origin is None:
        return None
    folder = Path(spec.origin).parent / "files"
    return folder if all((folder / file).is_file() for file in FONT_FILES.values()) else None


def fonts_at_hand() -> bool:
    """Whether the web font can be served."""
    return _font_folder() is not None


@functools.cache
def edition() -> str:
    """A name for the files as they are now: it stands in their addresses, so that they may be kept for ever."""
    digest = hashlib.blake2b(digest_size=6)
    for name, path in sorted(_own().items()):
        digest.update(name.encode() + path.read_bytes())
    return digest.hexdigest()


def asset(name: str) -> str:
    """The address of a file."""
    if name not in _own():
        raise KeyError(f"There is no file {name!r} among the page's files.")
    return f"/static/{edition()}/{name}"


@functools.cache
def read_asset(name: str) -> Asset | None:
    """A file by its name; None if there is none."""
    path = _own().get(name)
    return _read(path) if path is not None else None


@functools.cache
def game_edition(game: str) -> str:
    """A name for a game's own files as they are now."""
    folder = games.get(game).folder
    digest = hashlib.blake2b(digest_size=6)
    if folder is not None:
        for path in sorted(folder.glob("style.css")):
            digest.update(path.read_bytes())
    return digest.hexdigest()


def game_asset(game: str, name: str) -> str:
    """The address of a file of a game's own."""
    return f"/static/game/{game}/{game_edition(game)}/{name}"


@functools.cache
def read_game_asset(game: str, name: str) -> Asset | None:
    """A game's style sheet; None if it has none."""
    if game not in games.names() or name != "style.css":
        return None
    folder = games.get(game).folder
    path = None if folder is None else folder / name
    return _read(path) if path is not None and path.is_file() else None
