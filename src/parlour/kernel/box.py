"""The box: a game's cards, tiles, tables and numbers as data, each with its provenance, checked when it is loaded."""

from __future__ import annotations

import difflib
import hashlib
import json
import tomllib
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec

Spec = TypeVar("Spec", bound=msgspec.Struct)

PROVENANCES = ("rulebook", "derived", "public", "house")


class BoxError(ValueError):
    """A box that cannot be played with: `key` is where, `sentence` what is wrong and what would be right."""

    def __init__(self, key: str, sentence: str) -> None:
        super().__init__(f"{key}: {sentence}" if key else sentence)
        self.key = key
        self.sentence = sentence


class Box(Generic[Spec]):
    """A validated box. `spec` is the typed form that the game reads; `document` the plain one; `hash` names it."""

    def __init__(
        self, document: Mapping[str, Any], spec: type[Spec], check: Callable[[Spec], None] | None = None
    ) -> None:
        self.document: dict[str, Any] = json.loads(json.dumps(document, default=str))  # a TOML date is text here
        self.spec_type = spec
        self.check = check
        _check_provenance(self.document, "")
        try:
            self.spec: Spec = msgspec.convert(self.document, spec)
        except msgspec.ValidationError as error:
            raise _in_words(error) from None
        if check is not None:
            check(self.spec)
        text = json.dumps(_without_provenance(self.document), sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        self.hash = hashlib.sha256(text.encode()).hexdigest()[:16]
        """16 hex digits of what matters to play (provenance does not)."""

    @classmethod
    def load(cls, path: Path, spec: type[Spec], check: Callable[[Spec], None] | None = None) -> Box[Spec]:
        """A box from a TOML file. Raises BoxError with a sentence for a missing or broken one."""
        try:
            text = path.read_text(encoding="utf-8")
        except OSError as error:
            raise BoxError(str(path), f"this box cannot be read: {(error.strerror or str(error)).lower()}.") from None
        except UnicodeDecodeError:
            raise BoxError(str(path), "this box cannot be read: a box is text in UTF-8.") from None
        try:
            document = tomllib.loads(text)
        except tomllib.TOMLDecodeError as error:
            raise BoxError(str(path), f"this is not TOML: {error}.") from None
        except RecursionError:
            raise BoxError(str(path), "this is no box: its brackets are nested too deep.") from None
        return cls(document, spec, check)

    def replaced(self, document: Mapping[str, Any]) -> Box[Spec]:
        """A whole other box for the same game."""
        return Box(document, self.spec_type, self.check)

    def with_sets(self, sets: Sequence[str]) -> Box[Spec]:
        """This box with some numbers changed: each of `sets` is KEY=VALUE, KEY dotted, VALUE as TOML (or bare text)."""
        document = json.loads(json.dumps(self.document))
        for change in sets:
            key, equals, value = change.partition("=")
            key = key.strip()
            if not equals or not key:
                raise BoxError(change, "write a change as KEY=VALUE, for example districts.banking.bonus=4.")
            _put(document, key, _value(value.strip()))
        return Box(document, self.spec_type, self.check)


def _value(text: str) -> Any:
    try:
        parsed = tomllib.loads(f"value = {text}")
    except (tomllib.TOMLDecodeError, RecursionError):
        return text
    return parsed["value"] if len(parsed) == 1 else text  # a second line would be another datum


def _put(document: dict[str, Any], key: str, value: Any) -> None:
    """Change one existing datum; a key that is not there, or a value of another kind, is refused."""
    holder: Any = document
    parts = key.split(".")
    for depth, part in enumerate(parts):
        choices = _keys(holder)
        if part not in choices:
            where = ".".join(parts[:depth]) or "the box"
            near = difflib.get_close_matches(part, choices, n=1)
            hint = f" Did you mean {near[0]}?" if near else f" It has: {', '.join(choices[:12])}."
            raise BoxError(key, f"there is no “{part}” in {where}.{hint}")
        if depth < len(parts) - 1:
            holder = holder[int(part)] if isinstance(holder, list) else holder[part]
    last: Any = int(parts[-1]) if isinstance(holder, list) else parts[-1]
    old = holder[last]
    if type(old) is float and type(value) is int:
        value = float(value)
    if type(old) is not type(value):
        raise BoxError(key, f"this is {_kind(old)} ({_short(old)}), and {_short(value)} is not.")
    holder[last] = value


def _keys(holder: Any) -> list[str]:
    if isinstance(holder, dict):
        return list(holder)
    if isinstance(holder, list):
        return [str(index) for index in range(len(holder))]
    return []


def _short(value: Any) -> str:
    """A value in an error: enough of it to be known by."""
    text = json.dumps(value, ensure_ascii=False, default=str)
    return text if len(text) <= 60 else f"{text[:57]}..."


def _kind(value: Any) -> str:
    kinds = {
        bool: "true or false",
        int: "a whole number",
        float: "a number",
        str: "text",
        list: "a list",
        dict: "a table",
    }
    return kinds.get(type(value), type(value).__name__)


def _in_words(error: msgspec.ValidationError) -> BoxError:
    """msgspec says “Expected `int`, got `str` - at `$.districts.banking.bonus`”."""
    what, _, where = str(error).partition(" - at `$")
    return BoxError(where.strip("`.") or "the box", f"{what[:1].lower()}{what[1:]}.".replace("`", ""))


def _without_provenance(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _without_provenance(item) for key, item in value.items() if key != "provenance"}
    if isinstance(value, list):
        return [_without_provenance(item) for item in value]
    return value


def _check_provenance(value: Any, where: str) -> None:
    """Every provenance starts with one of the four words; more may follow (which page, which part)."""
    if isinstance(value, dict):
        for key, item in value.items():
            inner = f"{where}.{key}" if where else key
            if key == "provenance" and not (isinstance(item, str) and item.split()[:1] and _known(item)):
                raise BoxError(inner, f"a provenance begins with one of {', '.join(PROVENANCES)}, not {item!r}.")
            _check_provenance(item, inner)
    elif isinstance(value, list):
        for index, item in enumerate(value):
            _check_provenance(item, f"{where}.{index}")


def _known(provenance: str) -> bool:
    return any(provenance.startswith(word) for word in PROVENANCES)
