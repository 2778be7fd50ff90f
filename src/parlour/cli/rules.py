"""`parlour rules`: a game's rules, whole or searched."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from parlour.cli.errors import CommandError
from parlour.cli.setup import GameName

if TYPE_CHECKING:
    from parlour.games.rulebook import Passage, Rulebook


def rules(
    name: GameName,
    words: Annotated[
        list[str] | None, typer.Argument(metavar="WORDS", help="What to look for, or a clause such as PP-16.")
    ] = None,
) -> None:
    """Print a game's rules in full, or only the clauses that hold all the words.

    Examples: `parlour rules prowlers`, `parlour rules prowlers golden shovel`, `parlour rules prowlers PP-16`
    """
    from rich.console import Console
    from rich.markdown import Markdown

    from parlour.games.rulebook import Rulebook

    console = Console()
    book = _rulebook(name, Rulebook)
    if not words:
        console.print(Markdown(book.text))
        return
    found = book.search(" ".join(words))
    if not found:
        what = " ".join(words)
        typer.echo(f"parlour: the rules of {name} have nothing on “{what}”. Try fewer words, or a clause id.", err=True)
        raise typer.Exit(1)
    console.print(Markdown(_in_place(found)))


def _rulebook(name: str, rulebook: type[Rulebook]) -> Rulebook:
    from parlour import games

    game = games.get(name)
    path = game.folder / "rules.md" if game.folder is not None else None
    if path is None or not path.exists():
        raise CommandError(f"{game.title} has no written rules (no rules.md in its folder).")
    return rulebook.read(path)


def _in_place(found: list[Passage]) -> str:
    """The passages under the headings that they stand under, each heading once."""
    lines: list[str] = []
    under: tuple[str, ...] = ()
    for passage in found:
        if passage.headings != under:
            under = passage.headings
            lines += [f"### {' · '.join(under[1:] or under)}", ""]
        lines += [passage.text, ""]
    return "\n".join(lines)
