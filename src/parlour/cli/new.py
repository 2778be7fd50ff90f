"""`parlour new`: the beginning of a game."""

from __future__ import annotations

import keyword
import re
from importlib.resources import files
from importlib.util import find_spec
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli.errors import CommandError

if TYPE_CHECKING:
    from importlib.resources.abc import Traversable

_NAME = re.compile(r"[a-z]([a-z0-9_]{0,38}[a-z0-9])?")
_FOLDERS = ("src", "tests", "build", "dist")
"""What the folder of a game holds beside its package."""
_SUFFIX = ".txt"  # a template that ended in .py would be taken for a module of this package


def new(
    name: Annotated[str, typer.Argument(metavar="NAME", help="The game's name: small letters, digits, underscores.")],
    folder: Annotated[
        Path | None, typer.Option("--dir", metavar="DIR", help="Where its folder is made; otherwise here.")
    ] = None,
) -> None:
    """Write a new game: a package of its own with a tiny complete game in it, rules, card and tests.

    It plays at once. Change it into yours.

    Example: `parlour new conkers`
    """
    check_name(name)
    target = (folder or Path()) / name
    if target.exists():
        raise CommandError(f"{target} is there already; nothing was written.")
    write_game(name, target)
    typer.echo(f"{target}: a complete little game. Its rules are in src/{name}/rules.py. To play it:")
    typer.echo(f"    cd {target}")
    typer.echo("    pip install --editable .")
    typer.echo(f"    parlour match {name} greedy random --games 200")
    typer.echo("Or without installing it:")
    typer.echo(f"    PYTHONPATH=src PARLOUR_PLUGINS={name}:GAME parlour match {name} greedy random --games 200")


def check_name(name: str) -> None:
    """Raise CommandError unless this can be the name of a new game and of its Python package."""
    from parlour import games

    if not _NAME.fullmatch(name) or keyword.iskeyword(name) or name in _FOLDERS:
        raise CommandError(
            f"{name!r} cannot be a game's name: it is made of small letters, digits and underscores, 40 at most, a "
            f"letter first and no underscore last, and is no word of Python's own and none of {', '.join(_FOLDERS)}."
        )
    if name in games.names():
        raise CommandError(f"There is a game called {name} on the shelf already.")
    if find_spec(name) is not None:
        raise CommandError(f"There is a Python module called {name} already, which the new game would hide.")


def write_game(name: str, target: Path) -> None:
    """Write the folder of a new game."""
    prefix = re.sub("[^A-Z]", "", name.upper())[:2].ljust(2, "X")
    fillings = {
        "name": name,
        "title": name.replace("_", " ").title(),
        "class": name.replace("_", " ").title().replace(" ", "") + "State",
        "distribution": f"parlour-{name.replace('_', '-')}",
        "prefix": prefix,
        "prefix_low": prefix.lower(),
    }
    _copy(files("parlour.cli").joinpath("scaffold"), target, fillings)


def _copy(source: Traversable, target: Path, fillings: dict[str, str]) -> None:
    target.mkdir(parents=True)
    for item in source.iterdir():
        named = item.name.replace("NAME", fillings["name"]).removesuffix(_SUFFIX)
        if item.is_dir():
            _copy(item, target / named, fillings)
        else:
            text = item.read_text(encoding="utf-8")
            for key, value in fillings.items():
                text = text.replace("{{" + key + "}}", value)
            (target / named).write_text(text, encoding="utf-8")
