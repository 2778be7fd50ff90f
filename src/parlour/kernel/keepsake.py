"""A keepsake: what a game leaves behind besides its result, such as a tale, made from what happened and what was said.

A game offers one as `extras["keepsake"]`. The table keeps what was said beside the moves (asides), hands the keepsake
an `Occasion`, and shows what it makes of it. Nothing of this ever touches the state of a game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

if TYPE_CHECKING:
    from parlour.kernel.game import Game
    from parlour.kernel.state import Event


class KeepsakeError(ValueError):
    """Something that cannot be said, chosen or exported; the message is a sentence, `clause` the rule it rests on."""

    def __init__(self, sentence: str, clause: str = "") -> None:
        super().__init__(sentence)
        self.clause = clause


@dataclass(frozen=True, slots=True)
class Ask:
    """A line of text that the host may give when opening a table; left empty, the game sees to it itself."""

    name: str
    label: str
    help: str
    longest: int
    suggestions: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Happened:
    """One public step: what happened, the words that came with it (by seat), and when, in seconds since 1970."""

    events: Sequence[Event]
    words: Mapping[int, str]
    at: float


@dataclass(frozen=True, slots=True)
class Aside:
    """Something said beside the moves. `seat` is -1 for somebody without a seat; `host` whether the host said it."""

    seat: int
    host: bool
    at: float
    body: Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Noted:
    """An aside that is to be kept. `private`: until the keepsake publishes it, only its seat may know of it."""

    body: Mapping[str, Any]
    private: bool = False


@dataclass(frozen=True, slots=True)
class Occasion:
    """Everything about one game at one table that a keepsake may be made from. `view` is what a spectator sees now."""

    game: Game
    id: str
    options: Mapping[str, bool | int | str]
    names: Sequence[str]
    people: frozenset[int]
    opened: Mapping[str, Any]
    steps: Sequence[Happened]
    asides: Sequence[Aside]
    view: Callable[[], Mapping[str, Any]]
    over: bool
    timed: bool
    now: float


@dataclass(frozen=True, slots=True)
class Export:
    """A keepsake as a file."""

    name: str
    media: str
    text: str


@runtime_checkable
class Keepsake(Protocol):
    """What a game must be able to do to have its keepsake kept, shown and handed out."""

    name: str
    """What it is called in a sentence: "tale"."""
    formats: Sequence[str]
    """What it can be exported as."""

    def asks(self) -> Sequence[Ask]:
        """What the host may give when opening a table."""
        ...

    def opened(self, given: Mapping[str, str], chance: Callable[[int], int]) -> Mapping[str, Any]:
        """What is settled when the table opens, from what the host gave; `chance(n)` is a number below n.

        Raises KeepsakeError.
        """
        ...

    def said(self, occasion: Occasion, seat: int | None, host: bool, wish: Mapping[str, Any]) -> Noted:
        """What is to be kept of a wish. Raises KeepsakeError where it is not the moment, or not theirs to say."""
        ...

    def due(self, occasion: Occasion) -> float | None:
        """When the keepsake will next change by itself, in seconds since 1970."""
        ...

    def shown(self, occasion: Occasion, viewer: int | None, host: bool) -> Mapping[str, Any]:
        """The keepsake as this viewer may see it now, JSON-ready."""
        ...

    def exported(self, occasion: Occasion, format: str, choice: str) -> Export:  # noqa: A002 - what it is
        """The keepsake as a file. Raises KeepsakeError for a format it has not, or too early."""
        ...
