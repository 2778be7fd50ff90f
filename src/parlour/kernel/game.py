"""The card on the shelf: what a game is called, how it is set up, and where its rules, words and views are."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, SupportsIndex, cast

import msgspec

from parlour.kernel.actions import Action, ActionSpace
from parlour.kernel.box import Box
from parlour.kernel.dice import Dice, dice_from_dict
from parlour.kernel.judge import Judge
from parlour.kernel.state import SPECTATOR, Event, PositionError, State, nobody, whole

Deal = Callable[["Game", int, Mapping[str, Any], Dice], State]
Load = Callable[["Game", int, Mapping[str, Any], Dice, Mapping[str, Any]], State]
View = Callable[[State, int | None], msgspec.Struct]
Words = Callable[[Event, Sequence[str]], str]


_NUMBER = re.compile(r"-?[0-9]{1,18}")
"""A whole number as an option may be written; longer ones are in no range."""


class OptionError(ValueError):
    """An option or a number of players that the game does not have; the message says what it has."""


@dataclass(frozen=True, slots=True)
class Option:
    """A choice made before the game. `values` is a range for whole numbers, a tuple for words, None for yes or no."""

    name: str
    default: bool | int | str
    help: str
    values: range | tuple[str, ...] | None = None

    def check(self, value: object) -> bool | int | str:
        """The value, if the option may have it. Raises OptionError with a sentence."""
        if self.values is None:
            if isinstance(value, bool):
                return value
        elif isinstance(self.values, range):
            if isinstance(value, int) and not isinstance(value, bool) and value in self.values:
                return value
        elif isinstance(value, str) and value in self.values:
            return value
        raise OptionError(f"The option {self.name} is {self.allowed()}, not {value!r}.")

    def parse(self, text: str) -> bool | int | str:
        """The value from text, as typed on a command line or sent by a form."""
        if self.values is None and text.lower() in {"true", "false", "yes", "no", "on", "off"}:
            return text.lower() in {"true", "yes", "on"}
        if isinstance(self.values, range) and _NUMBER.fullmatch(text):
            return self.check(int(text))
        return self.check(text)

    def allowed(self) -> str:
        """What it may be, in words."""
        if self.values is None:
            return "true or false"
        if isinstance(self.values, range):
            return f"a whole number from {self.values.start} to {self.values[-1]}"
        return "one of " + ", ".join(self.values)


@dataclass(frozen=True, slots=True)
class Look:
    """Something a player sees in a window, on which an answer left in advance may depend.

    `path` leads to it in the player's view, dots between keys and indexes. `values` names what it may be; without
    them it is a number.
    """

    label: str
    path: str
    values: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Etiquette:
    """How a game wants to be treated at a table on the web. All times are in seconds."""

    seconds: Mapping[str, float] = field(default_factory=dict)
    """Time for each decision by name, at a live table that keeps time."""
    limits: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    """Which of these times the host sets together: a name for people, and the decisions that share the time."""
    bank: float | None = None
    """The bank of time on top of them, at a live table whose host names none; None: the table's usual one."""
    clock_option: str = ""
    """The game's option ("live" or "none") that is the table's clock: where only one of the two is given, the other
    follows. "": the game has no word on clocks, and a table has none unless the host wants one."""
    lapses: int | None = None
    """After so many time-outs in a row a chair is away: nobody sits in, the table plays `timeout_action` for it at once
    in windows and after `absent_seconds` elsewhere. None: a computer player takes the chair at the first."""
    absent_seconds: float = 5.0
    windows: Mapping[str, tuple[Look, ...]] = field(default_factory=dict)
    """The decisions that several are asked at once, and what an answer left in advance may look at in each."""
    min_window: float = 3.0
    """A window of sealed answers is never closed sooner."""
    bot_pause: tuple[float, float] = (0.8, 2.5)
    """How long a computer player seems to think at a table with people."""
    timeout_action: Callable[[State, int], int] | None = None
    """What is played for somebody whose time is up; None: a computer player chooses."""
    text_limit: Callable[[State, int, int], int] | None = None
    """How many characters of text may go with this action; None: no action takes text."""
    keep_words: Callable[[State, int, int, str, str], str] | None = None
    """What is kept of the words with an action, and of those that lead in to it: cleaned, cut, in one text."""
    recall: Callable[[State, Sequence[Sequence[Event]]], int] | None = None
    """How many of the public steps so far (their events, in order) may no longer be looked back at; None: all may."""
    talk_filter: Callable[[State, int, str], str | None] | None = None
    """What becomes of a line of table talk (None: it is refused); a game's options may restrict it."""


@dataclass(frozen=True, eq=False)
class Game:
    """A game's card. `games.get(name)` gives it; everything else about the game is reached from it."""

    name: str
    title: str
    players: range
    deal: Deal
    load_position: Load
    actions: ActionSpace
    view: View
    words: Words
    version: int = 1
    options: tuple[Option, ...] = ()
    box: Box[Any] | None = None
    judge: Callable[[str], Judge] | None = None
    folder: Path | None = None
    blurb: str = ""
    kind: str = ""
    minutes: tuple[int, int] = (20, 40)
    sits_best: int | None = None
    """With how many it is best: what "Play now" seats, and what is measured; None: the fewest."""
    cloth: str = "#23433b"
    open_information: bool = False
    etiquette: Etiquette = field(default_factory=Etiquette)
    words_for: Callable[[State, int, Action], Action] | None = None
    """Better words for an action than its declaration gives, where they depend on the position."""
    words_stay: bool = False
    """Whether what `words_for` says of an action is the same throughout a game: then it is asked once."""
    public_action: Callable[[State, int, int], int] | None = None
    """What an exported record shows for an answer that never came out; None: every answer came out."""
    standard_box: bool = True
    extras: Mapping[str, Any] = field(default_factory=dict)
    """What only this game has (a tale to export), by name; nothing general depends on it."""

    # --- starting ----------------------------------------------------------------------------------------------

    def new_game(
        self,
        players: int | None = None,
        seed: int = 0,
        options: Mapping[str, object] | None = None,
        dice: Dice | None = None,
    ) -> State:
        """A new game, dealt. `players` defaults to the fewest; `dice`, if given, are used instead of the seed.

        Raises OptionError for a number of players or an option that the game does not have.
        """
        count = self.players.start if players is None else players
        self.check_players(count)
        chosen = self.check_options(options or {})
        return self.deal(self, count, chosen, Dice(seed) if dice is None else dice)

    def check_players(self, count: object) -> None:
        """Raise OptionError unless this many can play."""
        if not isinstance(count, int) or isinstance(count, bool) or count not in self.players:
            low, high = self.players.start, self.players[-1]
            many = f"exactly {low}" if low == high else f"{low} to {high}"
            raise OptionError(f"{self.title} takes {many} players, not {count!r}.")

    def check_options(self, options: Mapping[str, object]) -> dict[str, bool | int | str]:
        """All options with their values, defaults filled in. Raises OptionError for an unknown one or a wrong value."""
        known = {option.name: option for option in self.options}
        for name in options:
            if name not in known:
                has = ", ".join(known) if known else "none"
                raise OptionError(f"{self.title} has no option {name!r}; it has: {has}.")
        return {name: option.check(options.get(name, option.default)) for name, option in known.items()}

    def parse_options(self, texts: Sequence[str]) -> dict[str, bool | int | str]:
        """Options from NAME=VALUE texts, as typed on a command line."""
        known = {option.name: option for option in self.options}
        chosen: dict[str, bool | int | str] = {}
        for text in texts:
            name, equals, value = text.partition("=")
            if not equals:
                raise OptionError(f"Write an option as NAME=VALUE, not {text!r}.")
            if name not in known:
                self.check_options({name: value})
            chosen[name] = known[name].parse(value)
        return chosen

    def load(self, document: Mapping[str, Any]) -> State:
        """A state from its dict form. Raises PositionError, which names the law that the position breaks."""
        if not isinstance(document, Mapping) or not isinstance(document.get("position"), Mapping):
            raise PositionError("", 'A position is written {"game": ..., "players": ..., "position": {...}}.')
        unknown = set(document) - {"game", "version", "box", "players", "options", "dice", "position"}
        if unknown:
            raise PositionError("", f"A position has no part called {sorted(unknown)[0]!r}.")
        if document.get("game", self.name) != self.name:
            raise PositionError("", f"This position is of {document['game']!r}, not of {self.name!r}.")
        if document.get("version", self.version) != self.version:
            raise PositionError(
                "", f"This position was written under rules version {document['version']}; these are {self.version}."
            )
        if document.get("box", self.box_hash) != self.box_hash:
            raise PositionError("", f"This position needs the box {document['box']}; this one is {self.box_hash}.")
        count = document.get("players", self.players.start)
        options = document.get("options", {})
        if not isinstance(options, Mapping):
            raise PositionError("", "The options of a position are a table of names and values.")
        try:
            self.check_players(count)
            chosen = self.check_options(options)
            dice = dice_from_dict(document["dice"]) if "dice" in document else Dice(0)
        except ValueError as error:
            raise PositionError("", str(error)) from None
        return self.load_position(self, cast(int, count), chosen, dice, document["position"])

    def with_box(self, box: Path | Mapping[str, Any] | None = None, sets: Sequence[str] = ()) -> Game:
        """The same game out of another box: a TOML file or a document, some numbers changed. Raises BoxError."""
        if self.box is None:
            from parlour.kernel.box import BoxError

            raise BoxError("", f"{self.title} has no box that could be changed.")
        changed = self.box
        if isinstance(box, Path):
            changed = Box.load(box, self.box.spec_type, self.box.check)
        elif box is not None:
            changed = self.box.replaced(box)
        if sets:
            changed = changed.with_sets(sets)
        if changed.hash == self.box.hash:
            return self
        return replace(self, box=changed, standard_box=False)

    # --- speaking ----------------------------------------------------------------------------------------------

    def describe(self, state: State, player: int, action: int) -> Action:
        """An action in words: `.text`, `.type`, `.args`, `.target`, `.clause`, and its readable `.id`."""
        said = self.actions.describe(state.decision(player), action)
        return said if self.words_for is None else self.words_for(state, player, said)

    def parse(self, state: State, player: int, id_: str) -> int:
        """The code of a readable action id, such as `place:sp_d_sw`. Raises KeyError with a sentence."""
        return self.actions.code(state.decision(player), id_)

    def prompt(self, state: State, player: int) -> str:
        """The question that this player is asked now, "" if none."""
        name = state.decision(player)
        return self.actions.decisions[name].prompt if name else ""

    def view_dict(self, state: State, player: SupportsIndex | None) -> dict[str, object]:
        """What a player or a spectator (None or -1) may see, as plain JSON-ready values.

        Raises ValueError for a player who is not here.
        """
        who = SPECTATOR if player is None else whole(player)
        if who is None:
            raise nobody(player, state.players)
        viewer = state.knower(who)
        seen = self.view(state, None if viewer == SPECTATOR else viewer)
        return cast("dict[str, object]", msgspec.to_builtins(seen, str_keys=True))

    # --- identity ----------------------------------------------------------------------------------------------

    @property
    def usual_players(self) -> int:
        """How many sit down when nobody says otherwise."""
        return self.players.start if self.sits_best is None else self.sits_best

    @property
    def box_hash(self) -> str:
        """The name of the box it is played with, "" if it has none."""
        return self.box.hash if self.box is not None else ""
