"""Records as JSON files: one move a line, so that two of them compare well."""

from __future__ import annotations

from pathlib import Path

import msgspec

from parlour.records.record import Record, RecordError

_LISTS = ("actions", "hashes")


def dumps(record: Record) -> str:
    """The record as JSON text."""
    fields: dict[str, object] = msgspec.to_builtins(record)
    lines = [f"  {_json(name)}: {_laid_out(name, value)}" for name, value in fields.items()]
    return "{\n" + ",\n".join(lines) + "\n}\n"


def loads(text: str | bytes) -> Record:
    """A record from JSON text. Raises RecordError with a sentence."""
    try:
        return msgspec.json.decode(text, type=Record)
    except msgspec.ValidationError as error:
        raise RecordError(f"This is not a record of a game: {_in_words(error)}") from None
    except (msgspec.DecodeError, UnicodeDecodeError) as error:
        raise RecordError(f"This is not JSON: {str(error).rstrip('.')}.") from None
    except RecursionError:
        raise RecordError("This is not a record of a game: its brackets are nested too deep.") from None


def save(record: Record, path: Path) -> None:
    """Write a record to a file."""
    path.write_text(dumps(record), encoding="utf-8")


def load(path: Path) -> Record:
    """Read a record from a file. Raises RecordError with a sentence that names it, OSError if there is no such file."""
    try:
        return loads(path.read_bytes())
    except RecordError as error:
        raise RecordError(f"{path}: {error.sentence}", error.where, error.clause) from None


def _json(value: object) -> str:
    return msgspec.json.encode(value).decode()


def _laid_out(name: str, value: object) -> str:
    if name in _LISTS and isinstance(value, list) and value:
        return "[\n" + ",\n".join(f"    {_json(item)}" for item in value) + "\n  ]"
    return _json(value)


def _in_words(error: msgspec.ValidationError) -> str:
    """msgspec says “Expected `int`, got `str` - at `$.players`”."""
    what, _, where = str(error).partition(" - at `$")
    sentence = what.replace("`", "")
    sentence = sentence.replace("Object missing required", "it lacks the").replace("Object contains", "it has the")
    sentence = sentence[:1].lower() + sentence[1:]
    place = where.strip("`.")
    return f"{sentence}, at {place}." if place else f"{sentence}."
