"""Which errors are the input's fault, and how they are put."""

from __future__ import annotations


class CommandError(Exception):
    """Something that was asked of the command line and cannot be; the message is what to print."""


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
