"""What an action says on the wire, and what is said back."""

from __future__ import annotations

from typing import Annotated

import msgspec
from msgspec import Meta

Ply = Annotated[int, Meta(ge=0, le=2**31 - 1, description="The public step that is answered: `ply` of the view.")]


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
