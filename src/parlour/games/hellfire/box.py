"""The box of The Old Hellfire Club: what `box.toml` may hold, checked with sentences."""

from __future__ import annotations

from pathlib import Path
from typing import Annotated, Literal

from msgspec import Meta, Struct

from parlour.kernel.box import Box, BoxError

SUITS = (
    "conveyances",
    "crimes",
    "insults",
    "motives",
    "objects",
    "people",
    "perils",
    "places",
    "teatime",
    "weapons",
)
"""The suit order, which settles every question of order. Records rest on it: it never changes."""

BOASTS = tuple(f"{suit}_{value:02d}" for suit in SUITS for value in range(1, 11))
"""The Boast cards in the order of their actions: 10 x suit + value - 1."""

PATRONS = (
    *(f"y_{suit}" for suit in SUITS),
    "y_deaf_pensioner",
    "y_penny_novelist",
    "y_gentleman",
    "y_pot_boy",
    "y_pickpocket",
    *(f"o_{suit}" for suit in SUITS),
    "o_bookmaker",
    "o_hanger_on",
    "o_bailiffs_man",
    "o_theatre_critic",
    "o_night_constable",
)
"""The Patron cards; the rules know each by its place here."""

BENEFACTORS = tuple(f"benefactor_{suit}" for suit in SUITS)

CODES = tuple(f"{low}{high}" for low in range(1, 7) for high in range(low, 7))
"""HC-80: two dice read lower die first give one of 21 codes."""

LISTS = (
    *("opening", "turn_open", "link"),
    *SUITS,
    *("cut_in", "correct_general", "correct_places", "correct_insults", "correct_people", "recorrect"),
    *("caught", "rescued", "applause_0", "applause_1", "applause_3", "benefactor", "closing"),
)
"""The lists of the story's grammar."""

BLANKS = ("x", "X", "at", "c", "cat", "teller", "prev", "rival", "winner", "target", "benefactor", "title_clause")
"""What a template may leave open."""

Natural = Annotated[int, Meta(ge=0, le=1000)]
Positive = Annotated[int, Meta(ge=1, le=1000)]
Value = Annotated[int, Meta(ge=1, le=10)]
Limit = Annotated[int, Meta(ge=1, le=7)]
Text = Annotated[str, Meta(min_length=1, max_length=400)]


class Part(Struct, frozen=True, forbid_unknown_fields=True, kw_only=True):
    """Any table of the box: it may say where its data come from."""

    provenance: str = ""


class Numbers(Part, frozen=True):
    """HC-02 (limits for 2 to 8 players), HC-21, HC-52 (pennies for values 1 to 10), HC-63, HC-64."""

    hand_limit: tuple[Limit, Limit, Limit, Limit, Limit, Limit, Limit]
    minimum_attempts: Annotated[int, Meta(ge=1, le=5)]
    value_pennies: tuple[Natural, Natural, Natural, Natural, Natural, Natural, Natural, Natural, Natural, Natural]
    majority_alone: Natural
    majority_tied: Natural
    benefactor_pennies: Natural
    sixpence: Positive


class Suit(Part, frozen=True):
    """A suit of Boast cards."""

    letter: Annotated[str, Meta(pattern="^[A-Z]$")]
    name: Text
    colour: Annotated[str, Meta(pattern="^#[0-9A-Fa-f]{6}$")]
    glyph: Text


class Boast(Part, frozen=True):
    """A Boast card; its suit and value stand in its id. Only places have a `prep`."""

    name: Text
    phrase: Text
    aside: str = ""
    prep: str = ""


class Patron(Part, frozen=True):
    """A Patron card. Which of the numbers matter depends on its effect."""

    name: Text
    symbol: Literal["Y", "O"]
    effect: Text
    line: Text
    pennies: Natural = 0
    lowest: Value = 1
    highest: Value = 10
    cards: Annotated[int, Meta(ge=0, le=5)] = 0
    most: Natural = 0


class Benefactor(Part, frozen=True):
    """A Benefactor card."""

    name: Text


class Title(Part, frozen=True):
    """A title for the story."""

    title: Annotated[str, Meta(min_length=3, max_length=120)]


class Grammar(Part, frozen=True):
    """HC-86..89: the lists that sentences are picked from, and two that are always the same."""

    lists: dict[str, tuple[str, ...]]
    nothing_to_say: Text
    other_title: Text


class Spec(Part, frozen=True):
    """The whole box."""

    numbers: Numbers
    suits: dict[str, Suit]
    boasts: dict[str, Boast]
    patrons: dict[str, Patron]
    benefactors: dict[str, Benefactor]
    titles: dict[str, dict[str, Title]]
    grammar: Grammar


def check(spec: Spec) -> None:
    """Everything the rules and the tale rely on. Raises BoxError with the key and a sentence."""
    _check_order("suits", tuple(spec.suits), SUITS)
    _check_order("boasts", tuple(spec.boasts), BOASTS)
    _check_order("patrons", tuple(spec.patrons), PATRONS)
    _check_order("benefactors", tuple(spec.benefactors), BENEFACTORS)
    _check_boasts(spec)
    _check_patrons(spec)
    _check_titles(spec)
    _check_grammar(spec.grammar)


def _check_order(key: str, there: tuple[str, ...], wanted: tuple[str, ...]) -> None:
    if there == wanted:
        return
    for name in wanted:
        if name not in there:
            raise BoxError(key, f"“{name}” is missing; there must be exactly {len(wanted)}.")
    for name in there:
        if name not in wanted:
            raise BoxError(f"{key}.{name}", f"there is no such thing in this game; there must be {len(wanted)}.")
    raise BoxError(key, "they must stand in their published order; records use it.")


def _check_boasts(spec: Spec) -> None:
    letters = [suit.letter for suit in spec.suits.values()]
    if len(set(letters)) != len(letters):
        raise BoxError("suits", "every suit needs a letter of its own.")
    for name, boast in spec.boasts.items():
        if name.startswith("places_") != bool(boast.prep):
            raise BoxError(f"boasts.{name}.prep", "places, and only places, have a word like “in” or “at”.")


def _check_patrons(spec: Spec) -> None:
    for name, patron in spec.patrons.items():
        if patron.symbol.lower() != name[0]:
            raise BoxError(f"patrons.{name}.symbol", f"this one is marked {name[0].upper()}.")
        if patron.lowest > patron.highest:
            raise BoxError(f"patrons.{name}.lowest", "the lowest value is above the highest.")
    if spec.patrons["y_pot_boy"].cards > 2:
        raise BoxError("patrons.y_pot_boy.cards", "a hand may hold at most two cards more than the limit.")


def _check_titles(spec: Spec) -> None:
    if tuple(spec.titles) != ("side_1", "side_2", "side_3"):
        raise BoxError("titles", "there are three sides: side_1, side_2 and side_3.")
    for side, titles in spec.titles.items():
        if tuple(titles) != CODES:
            raise BoxError(f"titles.{side}", f"a side has the 21 codes {', '.join(CODES)}, in this order.")


def _check_grammar(grammar: Grammar) -> None:
    _check_order("grammar.lists", tuple(grammar.lists), LISTS)
    for name, templates in grammar.lists.items():
        if not templates:
            raise BoxError(f"grammar.lists.{name}", "a list needs at least one sentence.")
        for template in templates:
            _check_template(f"grammar.lists.{name}", template)


def _check_template(key: str, template: str) -> None:
    rest = template
    for blank in BLANKS:
        rest = rest.replace("{" + blank + "}", "")
    if "{" in rest or "}" in rest:
        raise BoxError(key, f"“{template}” leaves something open that is not one of {', '.join(BLANKS)}.")


BOX: Box[Spec] = Box.load(Path(__file__).parent / "box.toml", Spec, check)
