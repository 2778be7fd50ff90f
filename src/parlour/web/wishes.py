"""What is said on the wire by those who open a table, sit down and act, and what is said back."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

from parlour.table.clock import ClockRule

Ply = Annotated[int, Meta(ge=0, le=2**31 - 1, description="The public step that is answered: `ply` of the view.")]
Name = Annotated[str, Meta(max_length=80)]


class Opening(msgspec.Struct, forbid_unknown_fields=True):
    """A table to be opened. `seats` has "me", "open", "bot" or "bot:strength" for each seat.

    `given` is what the host says for the game's keepsake, by the names of its `asks`.
    """

    game: Annotated[str, Meta(max_length=80)]
    players: Annotated[int, Meta(ge=1, le=64)] | None = None
    options: dict[str, bool | int | str] = {}
    seats: Annotated[list[Annotated[str, Meta(max_length=40)]], Meta(max_length=64)] | None = None
    name: Name = ""
    title: Annotated[str, Meta(max_length=80)] = ""
    clock: ClockRule | None = None
    talk: bool = True
    given: dict[Annotated[str, Meta(max_length=40)], Annotated[str, Meta(max_length=2_000)]] = {}


class Opened(msgspec.Struct, omit_defaults=True):
    """A table, and the secrets that belong to the caller. They are told this once."""

    slug: str
    location: str
    host_secret: str = ""
    seat: int | None = None
    secret: str = ""


class Claim(msgspec.Struct, forbid_unknown_fields=True):
    """A seat to be taken; without `seat`, the first that is open."""

    seat: Annotated[int, Meta(ge=0, le=63)] | None = None
    name: Name = ""


class Act(msgspec.Struct, forbid_unknown_fields=True):
    """An action: its code or its id, and the ply that it answers. `seat`, if given, must be the caller's own.

    `text` are words that go with the action, `lead` words that lead in to it, in games that take such.
    """

    ply: Ply
    action: Annotated[int, Meta(ge=0, le=2**53)] | Annotated[str, Meta(max_length=200)]
    text: Annotated[str, Meta(max_length=20_000)] | None = None
    lead: Annotated[str, Meta(max_length=20_000)] | None = None
    part: Annotated[int, Meta(ge=0, le=999)] | None = None
    seat: Annotated[int, Meta(ge=0, le=63)] | None = None


class Done(msgspec.Struct, omit_defaults=True):
    """Acknowledged: committed, and durable. `held`: sealed until the window closes."""

    ply: int
    held: bool = False
