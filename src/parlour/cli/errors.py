"""Which errors are the input's fault, and how they are put."""

from __future__ import annotations

import re

_ASKED_FOR = {"valid integer": "a whole number", "valid number": "a number", "valid boolean": "true or false"}


class CommandError(Exception):
    """Something that was asked of the command line and cannot be; the message is what to print."""


def legible(text: str) -> str:
    """Text from elsewhere, fit for a terminal: what would steer it, or cannot be encoded, is shown as a mark."""
    return "".join(letter if letter.isprintable() or letter == "\n" else "\N{REPLACEMENT CHARACTER}" for letter in text)


def usage_sentence(error: Exception) -> str | None:
    """What to say of a command line that does not fit the command; None if that is not what is wrong."""
    message = getattr(error, "format_message", None)
    if message is None or type(error).__name__ == "NoArgsIsHelpError":
        return None
    said = " ".join(str(message()).split()).rstrip(".")
    names = re.match(r"Invalid value for ('[^:]*'): (.*)", said)
    if names:
        wanted = next((words for sign, words in _ASKED_FOR.items() if sign in names[2]), None)
        said = f"{names[1].replace(chr(39), '')} is {wanted}" if wanted else said
    context = getattr(error, "ctx", None)
    said += "" if said.endswith("?") else "."
    return f"{said} {context.command_path} --help tells what it takes." if context else said


def sentence_for(error: Exception) -> str | None:
    """What to tell whoever typed the command, or None if the fault is in the program."""
    from parlour.games import PluginError, UnknownGame
    from parlour.kernel import BoxError, OptionError, PositionError

    plain: tuple[type[Exception], ...] = (CommandError, OptionError, BoxError, PositionError, UnknownGame, PluginError)
    if isinstance(error, plain):
        return str(error)
    if isinstance(error, OSError) and error.filename is not None and error.strerror:
        return f"{error.filename}: {error.strerror[:1].lower()}{error.strerror[1:]}."
    from parlour.bots import UnknownBot
    from parlour.lab.match import MatchError
    from parlour.records import RecordError
    from parlour.table.storage import StorageError

    return str(error) if isinstance(error, UnknownBot | MatchError | RecordError | StorageError) else None
