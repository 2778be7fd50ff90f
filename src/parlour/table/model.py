"""What one viewer may be shown of one table: the only thing that pages and remote players ever get.

A `TableModel` is made by `parlour.table.showing` for one viewer (a seat, or a spectator when `viewer` is None) and is
safe to send to that viewer as it stands. Pages render exactly this; the API sends it as JSON. Nothing in it is a State.
"""

from typing import Literal

import msgspec

SeatKind = Literal["person", "bot", "open"]
Status = Literal["waiting", "playing", "paused", "over", "held"]


class ClockModel(msgspec.Struct, gc=False, frozen=True, omit_defaults=True):
    """A seat's clock: what is left of this decision, then of the bank, in seconds; None without such a limit."""

    move_left: float | None = None
    bank_left: float | None = None
    running: bool = False
    warned: bool = False  # half of what this decision may take is gone
    deadline: float | None = None  # when a bot takes the chair, in seconds since 1970; None while the clock stands


class SeatModel(msgspec.Struct, gc=False, frozen=True, omit_defaults=True):
    """A chair and who is in it. `seat` counts from 0 and is the seat's colour, emblem and dash as well."""

    seat: int
    name: str
    kind: SeatKind
    emblem: int
    strength: str = ""  # of a bot: novice, club or master; of a person's chair: who sits in when the person is away
    present: bool = False  # has the page open at this moment
    away: bool = False  # a bot sits in for the person
    absent: bool = False  # nobody sits in: the person let time run out too often, and the table passes for the chair
    acting: bool = (
        False  # the table waits for this seat (in a sealed window: it is asked; never whether it has answered)
    )
    thinking: bool = False  # a bot is choosing
    clock: ClockModel | None = None


class Choice(msgspec.Struct, gc=False, frozen=True, omit_defaults=True):
    """One thing the viewer may do now. `target` names the piece of the board that it is chosen on: "edge:sp_d_sw"."""

    code: int
    id: str
    text: str
    target: str
    type: str
    clause: str
    hint: str = ""


class WindowModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """A window of sealed answers: everyone in `seats` is asked alike, nobody sees an answer before it closes."""

    seats: list[int]
    opened: float  # seconds since 1970
    earliest_close: float
    latest_close: float | None = None
    answered: bool = False  # the viewer's own answer is in


class LogLine(msgspec.Struct, gc=False, frozen=True, omit_defaults=True):
    """A sentence of the story. `ply` is the public step after which the board stood as the line leaves it."""

    ply: int
    text: str
    seat: int | None = None
    kind: str = "event"  # event, undo, redo, clock, chair, pause, table
    at: float = 0.0


class TalkLine(msgspec.Struct, gc=False, frozen=True, omit_defaults=True):
    """Something said: plain text, to be escaped wherever it is shown. `seat` is None for a spectator."""

    id: int
    name: str
    text: str
    at: float
    seat: int | None = None


class Vote(msgspec.Struct, frozen=True, omit_defaults=True):
    """A question before the table: take back a move, or pause. `question` names the move and what has been seen."""

    kind: Literal["undo", "redo", "pause"]
    by: int
    question: str
    waiting: list[int]  # seats whose word is still missing
    mine: bool = False  # the viewer is one of them
    seen: list[str] = []  # what has become known since the move and cannot be unseen


class UndoModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """Whether the viewer can take back, and what: `free` at once, otherwise by vote of the others."""

    possible: bool = False
    free: bool = False
    names: str = ""  # the move, in words
    seen: list[str] = []
    redo: bool = False
    redo_names: str = ""


class StandingModel(msgspec.Struct, gc=False, frozen=True):
    """One line of the result: where a seat stands and why."""

    seat: int
    place: int
    score: float
    reason: str


class Instruction(msgspec.Struct, frozen=True, omit_defaults=True):
    """A standing instruction of the viewer: evaluated when a window of that decision closes, never before."""

    decision: str
    rules: list["InstructionRule"] = []
    otherwise: str = ""  # an action id, such as "pass"


class InstructionRule(msgspec.Struct, frozen=True, omit_defaults=True):
    """When the value at `path` of the viewer's own view fits, answer `then` (an action id)."""

    path: str  # dots between keys and indexes: "stake.rank"
    then: str
    among: list[int | str] | None = None
    least: float | None = None
    most: float | None = None


class GameCard(msgspec.Struct, gc=False, frozen=True, omit_defaults=True):
    """The box on the shelf, as far as a table needs it."""

    name: str
    title: str
    blurb: str = ""
    cloth: str = ""
    version: int = 1


class TableModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """All that one viewer may know about one table, at one moment.

    `version` names that moment for this viewer: it is the id of the stream's messages. `ply` counts public steps and is
    what an action answers; inside a sealed window it stands still, whoever answers.
    """

    slug: str
    title: str
    game: GameCard
    options: dict[str, bool | int | str]
    seats: list[SeatModel]
    status: Status
    ply: int
    version: str
    viewer: int | None = None
    host: bool = False
    # the position: `at` is the ply that `view` shows; it differs from `ply` only in the scrubber
    at: int = 0
    live: bool = True
    view: dict[str, object] | None = None  # None until all seats are taken
    touched: str = ""  # the piece on which the last step was chosen, "marker:castle"; only where nothing is hidden
    prompt: str = ""
    decision: str = ""  # the name of the decision that the viewer is asked for, "" when none
    clause: str = ""
    choices: list[Choice] = []
    window: WindowModel | None = None
    instructions: list[Instruction] = []
    text_limit: int = 0  # how many characters may be said with an action of this decision; 0: none
    log: list[LogLine] = []
    talk: list[TalkLine] = []
    talk_on: bool = True
    undo: UndoModel = msgspec.field(default_factory=UndoModel)
    vote: Vote | None = None
    can_pause: bool = False
    away_summary: list[str] = []  # up to three lines for a person who is back: what happened meanwhile
    keepsake: dict[str, object] | None = (
        None  # what the game leaves behind besides its result, as this viewer may see it
    )
    recall: int = 0  # the first public step that may still be looked at
    commitment: str = ""
    seed: str = ""  # only when the game is over
    standings: list[StandingModel] = []
    coop: bool = False
    record_link: str = ""  # only when the game is over
    verify_link: str = ""
    seat_link: str = ""  # carries the viewer's own seat to another device; in no one else's model
    table_link: str = ""
    notice: str = ""  # why a table is held, in a sentence
    error: str = ""


class BoxModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """A game on the shelf."""

    name: str
    title: str
    blurb: str
    kind: str
    cloth: str
    least: int
    most: int
    minutes: tuple[int, int]
    usual: int = 2
    options: list["OptionModel"] = []
    strengths: list[str] = []
    asks: list["AskModel"] = []
    limits: list["LimitModel"] = []
    timed: bool = False  # a table keeps time unless the host wants otherwise
    bank: float | None = None  # the game's own bank of time at a live table, in seconds; None: the usual one


class AskModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """A line of text that the host may give for the game's keepsake."""

    name: str
    label: str
    help: str
    longest: int
    suggestions: list[str] = []


class LimitModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """Decisions that share a time at a live table, and what it usually is, in seconds."""

    label: str
    decisions: list[str]
    seconds: float


class OptionModel(msgspec.Struct, frozen=True, omit_defaults=True):
    """An option of a game, ready for a form."""

    name: str
    help: str
    default: bool | int | str
    kind: Literal["bool", "int", "choice"]
    values: list[int | str] = []


class TableSummary(msgspec.Struct, frozen=True, omit_defaults=True):
    """One of the viewer's own tables, for the list under the shelf."""

    slug: str
    title: str
    game: str
    status: Status
    seats: list[SeatModel]
    viewer: int | None
    your_turn: bool = False
