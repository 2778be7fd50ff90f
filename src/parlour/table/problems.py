"""What can be wrong with a request, in sentences. The web turns these into problem documents and pages."""

from __future__ import annotations

from typing import Any


class Problem(Exception):  # noqa: N818 - a problem document (RFC 9457) in the making
    """A request that is refused: `detail` is a sentence for a person, `clause` the rule it rests on, if any."""

    status = 400
    kind = "bad-request"
    title = "This request cannot be read"

    def __init__(self, detail: str, clause: str = "", **more: Any) -> None:
        super().__init__(detail)
        self.detail = detail
        self.clause = clause
        self.more = more


class NotFound(Problem):
    """There is no such thing."""

    status, kind, title = 404, "not-found", "Not found"


class NotYours(Problem):
    """The seat that the request is about is not the caller's."""

    status, kind, title = 403, "not-your-seat", "Not your seat"


class Stale(Problem):
    """The request answers a position that is no longer the newest. The web adds the newest view."""

    status, kind, title = 409, "stale", "The table has moved on"


class Conflict(Problem):
    """The table is not in a state for this: taken seat, pause, end."""

    status, kind, title = 409, "conflict", "Not at this moment"


class Illegal(Problem):
    """The rules refuse the action."""

    status, kind, title = 422, "illegal-action", "The rules do not allow it"


class Unfit(Problem):
    """The request is well formed but asks for something that is not there: an option, a bot, too long a text."""

    status, kind, title = 422, "unfit", "This cannot be done"


class TooMany(Problem):
    """Too many requests; `after` seconds are to be waited."""

    status, kind, title = 429, "too-many-requests", "Too many requests"


class Faulty(Problem):
    """The rules failed on an action. Nothing was changed."""

    status, kind, title = 500, "fault", "Something is wrong on our side"
