"""The lines of a table's log: what happened, who did it, when. Codes are stored and never change meaning."""

from enum import IntEnum
from typing import NamedTuple


class Kind(IntEnum):
    """What an entry says. Frozen: add at the end, never renumber."""

    DEAL = 1  # all seats are taken, the game begins
    ACTION = 2  # a seat acted openly
    ANSWER = 3  # a seat answered in a sealed window: held until the close
    CLOSE = 4  # the window closed; body: the answers of seats that gave none themselves
    UNDO = 5  # steps were taken back; action: how many
    REDO = 6  # and put back; action: how many
    ASK = 7  # a question before the table; body: kind and how many steps
    VOTE = 8  # action: 1 agrees, 0 does not
    PAUSE = 9
    RESUME = 10
    TAKEOVER = 11  # a bot sits in for the seat; text: why (clock, left)
    RETURN = 12  # the person has the chair again
    INSTRUCT = 13  # standing instructions of a seat; body: the whole list
    RETRACT = 14  # a sealed answer taken back before the close
    ASIDE = 15  # said beside the moves, for the game's keepsake; body: what; action: 1 by the host
    WHISPER = 16  # the same, but nobody else's to know until the keepsake publishes it


class Entry(NamedTuple):
    """One row of the log, keyed by table and seq."""

    seq: int
    kind: int
    seat: int  # -1: nobody in particular
    action: int
    at: float  # seconds since 1970
    text: str | None = None
    body: str | None = None
