"""The command, its parts, and what it says when something is wrong."""

from __future__ import annotations

import sys
from io import TextIOWrapper
from typing import Annotated, Any

import typer
from typer.core import TyperGroup

from parlour.cli import bench, check_tables, match, new, replay, rules, serve, shelf, show, verify
from parlour.cli.errors import legible, sentence_for, usage_sentence


class House(TyperGroup):
    """A group whose commands fail with a sentence, never with a traceback, when it was the input that was wrong."""

    def make_context(self, *args: Any, **rest: Any) -> Any:
        try:
            return super().make_context(*args, **rest)
        except typer.Exit:
            raise
        except Exception as error:
            _complain(error)
            raise

    def invoke(self, ctx: Any) -> Any:
        try:
            return super().invoke(ctx)
        except typer.Exit:
            raise
        except Exception as error:
            _complain(error)
            raise


def _complain(error: Exception) -> None:
    """Say what was wrong with the input and leave; where it was not the input, do nothing."""
    sentence = usage_sentence(error) or sentence_for(error)
    if sentence is not None:
        typer.echo(f"parlour: {legible(sentence)}", err=True)
        raise typer.Exit(2) from None


app = typer.Typer(
    name="parlour",
    cls=House,
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode="markdown",
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)

PLAY = "Play"
STUDY = "Study"
MAKE = "Make"

app.command("serve", rich_help_panel=PLAY)(serve.serve)
app.command("check-tables", rich_help_panel=PLAY)(check_tables.check_tables)
app.command("games", rich_help_panel=STUDY)(shelf.games)
app.command("rules", rich_help_panel=STUDY)(rules.rules)
app.command("show", rich_help_panel=STUDY)(show.show)
app.command("replay", rich_help_panel=STUDY)(replay.replay)
app.command("verify", rich_help_panel=STUDY)(verify.verify)
app.command("match", rich_help_panel=MAKE)(match.match)
app.command("bench", rich_help_panel=MAKE)(bench.bench)
app.command("new", rich_help_panel=MAKE)(new.new)


def _say_version(wanted: bool) -> None:
    if wanted:
        from parlour import __version__, compiled

        typer.echo(f"parlour {__version__} ({'compiled' if compiled() else 'pure Python'} build)")
        raise typer.Exit


@app.callback()
def parlour(
    version: Annotated[
        bool, typer.Option("--version", callback=_say_version, is_eager=True, help="Say the version and the build.")
    ] = False,
) -> None:
    """Period table games: to play in a browser, to study, and to make.

    `parlour serve` opens the shelf in your browser; `parlour COMMAND --help` tells more of each command.
    """


def main() -> None:
    """What the `parlour` script runs."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper):
            stream.reconfigure(errors="replace")  # a terminal without our quotation marks shows others instead
    app()
