"""Standing instructions on the page: the form that leaves one, and the words in which it stands there.

The form has one case, which is what people mostly ask for, and more if wished: the first that fits is answered. What
a program leaves through the API is shown in the same words.
"""

from __future__ import annotations

import functools
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from parlour import games
from parlour.kernel import Game, Look
from parlour.table.model import Instruction, InstructionRule, TableModel
from parlour.table.problems import Unfit
from parlour.web.words import lower_first

HOWS = (("among", "is one of"), ("least", "is at least"), ("most", "is at most"), ("between", "is between"))
"""How a value is compared: what the form sends, and the words for it."""

MOST_VALUES = 20
MOST_CASES = 8
_NUMBER = re.compile(r"[-−]?[0-9]{1,9}")
_BETWEEN = re.compile(r"\s*[,;]\s*|\s+(?:or|and)\s+", re.IGNORECASE)


@dataclass(frozen=True)
class Asked:
    """A decision for which an instruction may be left, ready for the form."""

    decision: str
    prompt: str
    answers: tuple[tuple[str, str], ...]  # an action id, and its words
    looks: tuple[Look, ...]


@dataclass(frozen=True)
class Case:
    """A case of the form as it was filled in: the answer, and what it depends on."""

    answer: str = ""
    path: str = ""
    how: str = ""
    value: str = ""


@dataclass(frozen=True)
class Draft:
    """A form as it is to be shown: its cases, the answer that is left otherwise, and the case that is new in it."""

    cases: tuple[Case, ...] = (Case(),)
    otherwise: str = ""
    new: int = 0
    begun: bool = False


@dataclass(frozen=True)
class Stands:
    """An instruction that stands: what it is for, and what it says."""

    decision: str
    prompt: str
    words: tuple[str, ...]


def askable(model: TableModel) -> list[Asked]:
    """What the viewer may leave instructions for.

    That is every window of the game, or, where the game names none, the one that is open; and whatever stands already.
    """
    if model.viewer is None or model.status == "over":
        return []
    game = games.get(model.game.name)
    names = list(game.etiquette.windows)
    if not names and model.window is not None and model.decision:
        names = [model.decision]
    names += [one.decision for one in model.instructions if one.decision not in names]
    return [_asked(game, name) for name in names]


def stands(model: TableModel) -> list[Stands]:
    """The viewer's instructions, in words."""
    game = games.get(model.game.name)
    return [_stands(game, one) for one in model.instructions]


@functools.lru_cache(maxsize=64)
def _asked(game: Game, name: str) -> Asked:
    declared = game.actions.decisions[name]
    # what needs no choice of a card or a place, such as a pass, stands first
    kinds = sorted(declared.types, key=lambda kind: len(kind.values) > 1)
    ids = [kind.id(value) for kind in kinds for value in kind.values]
    answers = tuple((id_, _answer(game, name, id_)) for id_ in ids)
    return Asked(name, declared.prompt or name, answers, game.etiquette.windows.get(name, ()))


def _answer(game: Game, decision: str, id_: str) -> str:
    return game.actions.describe(decision, game.actions.code(decision, id_)).text


def _stands(game: Game, one: Instruction) -> Stands:
    asked = _asked(game, one.decision)
    texts = dict(asked.answers)
    if not one.rules:
        return Stands(one.decision, asked.prompt, (f"Always: {texts[one.otherwise]}.",))
    looks = {look.path: look for look in asked.looks}
    said = [f"If {_condition(rule, looks.get(rule.path))}: {lower_first(texts[rule.then])}." for rule in one.rules]
    return Stands(one.decision, asked.prompt, (*said, f"Otherwise: {lower_first(texts[one.otherwise])}."))


def _condition(rule: InstructionRule, look: Look | None) -> str:
    names: Mapping[str, str] = {} if look is None else look.values
    said = []
    if rule.among is not None:
        values = [names.get(str(value), str(value)) for value in rule.among]
        said.append(f"is {' or '.join(values) or 'nothing at all'}")
    if rule.least is not None and rule.most is not None:
        said.append(f"is between {rule.least:g} and {rule.most:g}")
    elif rule.least is not None:
        said.append(f"is at least {rule.least:g}")
    elif rule.most is not None:
        said.append(f"is at most {rule.most:g}")
    return f"{rule.path if look is None else look.label} {' and '.join(said) or 'is seen'}"


def cases_of(form: Mapping[str, str]) -> list[Case]:
    """The cases of a form that was sent. The first has the fields' plain names, the others a number behind them."""
    ends = ["", *(f"-{number}" for number in range(2, MOST_CASES + 1) if f"path-{number}" in form)]
    return [Case(*(form.get(name + end, "") for name in ("answer", "path", "how", "value"))) for end in ends]


def redrawn(form: Mapping[str, str]) -> dict[str, Draft]:
    """The form of a decision with a case more, or one fewer, as its buttons ask; by the name of the decision."""
    cases, new = cases_of(form), 0
    gone = form.get("fewer", "")
    if gone.isdecimal() and 2 <= int(gone) <= len(cases):
        del cases[int(gone) - 1]
    elif "more" in form and len(cases) < MOST_CASES:
        cases.append(Case())
        new = len(cases)
    return {form.get("decision", ""): Draft(tuple(cases), form.get("otherwise", ""), new, begun=True)}


def instruction_of(
    game: Game,
    decision: str,
    answer: str,
    path: str,
    how: str,
    value: str,
    otherwise: str,
    more: Sequence[Case] = (),
) -> Instruction | None:
    """What a filled-in form says, `more` being its cases after the first; None takes the instruction back.

    Raises Unfit with a sentence. Whether the game has such answers is checked where the instruction is left.
    """
    if decision not in game.actions.decisions:
        raise Unfit(f"There is no decision called “{decision}” in {game.title}.")
    if not answer:
        if more:
            raise Unfit("Case 1 leaves the answer to you. Choose one, or take the other cases away.")
        return None
    if not path:
        if value.strip():
            raise Unfit("Choose under “When” what that value is of, or leave it empty.")
        if more:
            raise Unfit(
                "Case 1 is always so, and leaves nothing to the others. Choose under “When”, or take them away."
            )
        return Instruction(decision, [], answer)
    rules = [_rule(game, decision, Case(answer, path, how, value))]
    for number, case in enumerate(more, 2):
        try:
            rules.append(_rule(game, decision, case))
        except Unfit as error:
            raise Unfit(f"Case {number}: {error.detail}") from None
    if not otherwise:
        raise Unfit("Say what you answer otherwise.")
    return Instruction(decision, rules, otherwise)


def _rule(game: Game, decision: str, case: Case) -> InstructionRule:
    if not case.path:
        raise Unfit("Choose under “When” what the answer depends on, or take the case away.")
    look = next((one for one in game.etiquette.windows.get(decision, ()) if one.path == case.path), None)
    if look is None:
        raise Unfit("An answer cannot be made to depend on that. Choose something from the list.")
    values = _values(look, case.value)
    if case.how == "among":
        return InstructionRule(case.path, case.answer, among=values)
    if case.how not in dict(HOWS):
        raise Unfit("A value is compared by “is one of”, “is at least”, “is at most” or “is between”.")
    if look.values:
        raise Unfit(f"There is no more or less of {look.label}. Choose “is one of”.")
    numbers = sorted(float(number) for number in values)
    if case.how == "between":
        if len(numbers) != 2:
            raise Unfit("Write two numbers for “between”, such as 3, 7.")
        return InstructionRule(case.path, case.answer, least=numbers[0], most=numbers[1])
    if len(numbers) != 1:
        raise Unfit("Write one number for “at least” and “at most”.")
    if case.how == "least":
        return InstructionRule(case.path, case.answer, least=numbers[0])
    return InstructionRule(case.path, case.answer, most=numbers[0])


def _values(look: Look, text: str) -> list[int | str]:
    given = [text.strip()]
    if not look.values or _named(look, given[0]) is None:
        given = [part for part in _BETWEEN.split(text.strip()) if part]
    if not given:
        raise Unfit(f"Write what {look.label} should be.")
    if len(given) > MOST_VALUES:
        raise Unfit(f"At most {MOST_VALUES} values can be named.")
    return [_value(look, part) for part in given]


def _value(look: Look, text: str) -> int | str:
    if look.values:
        found = _named(look, text)
        if found is None:
            raise Unfit(f"“{text[:40]}” is none of these: {', '.join(look.values.values())}.")
        return found
    if not _NUMBER.fullmatch(text):
        raise Unfit(f"Write whole numbers, with commas between them, and not “{text[:40]}”.")
    return int(text.replace("−", "-"))


def _named(look: Look, text: str) -> str | None:
    wanted = text.casefold()
    return next((value for value, name in look.values.items() if wanted in (name.casefold(), value.casefold())), None)


def hints(looks: Sequence[Look]) -> list[str]:
    """What may be written as a value, in a sentence for each thing that one may look at."""
    said = [(look.label, ", ".join(look.values.values()) or "numbers, such as 3, 4") for look in looks]
    return [f"{label[:1].upper()}{label[1:]}: {values}." for label, values in said]
