"""Standing instructions for windows of sealed answers: "pass unless the card is a nine or a ten".

An instruction is evaluated when the window closes, on what its owner may see then, and never before. The engine sees
only the answer that it turned into.
"""

from __future__ import annotations

import msgspec

from parlour.kernel import Game, State
from parlour.table.model import Instruction, InstructionRule
from parlour.table.problems import Unfit

__all__ = ["Instruction", "InstructionRule", "answer_of", "checked", "decode", "encode"]

MOST_RULES = 20
_decoder = msgspec.json.Decoder(list[Instruction])


def decode(text: str) -> list[Instruction]:
    """A seat's instructions as stored."""
    return _decoder.decode(text)


def encode(instructions: list[Instruction]) -> str:
    """A seat's instructions to be stored."""
    return msgspec.json.encode(instructions).decode()


def checked(game: Game, instructions: list[Instruction]) -> list[Instruction]:
    """The instructions, if they name decisions and answers that the game has. Raises Unfit with a sentence."""
    seen: set[str] = set()
    for one in instructions:
        if one.decision not in game.actions.decisions:
            raise Unfit(f"There is no decision called “{one.decision}” in {game.title}.")
        if one.decision in seen:
            raise Unfit(f"There are two instructions for “{one.decision}”; one is enough.")
        seen.add(one.decision)
        if len(one.rules) > MOST_RULES:
            raise Unfit(f"An instruction has at most {MOST_RULES} rules.")
        for id_ in [*(rule.then for rule in one.rules), one.otherwise]:
            try:
                game.actions.code(one.decision, id_)
            except KeyError as error:
                raise Unfit(str(error.args[0])) from None
    return instructions


def answer_of(instruction: Instruction, state: State, seat: int) -> int:
    """The code that an instruction comes to now: the first rule that fits and is legal, else `otherwise`.

    Where the rules allow none of these, the first legal answer is given.
    """
    view: object = state.view(seat)
    legal = state.legal_actions(seat)
    wanted = [rule.then for rule in instruction.rules if _fits(rule, view)]
    for id_ in [*wanted, instruction.otherwise]:
        try:
            code = state.game.parse(state, seat, id_)
        except KeyError:
            continue
        if code in legal:
            return code
    return legal[0]


def _fits(rule: InstructionRule, view: object) -> bool:
    value = view
    for key in rule.path.split("."):
        if isinstance(value, dict) and key in value:
            value = value[key]
        elif isinstance(value, list) and key.lstrip("-").isdigit() and -len(value) <= int(key) < len(value):
            value = value[int(key)]
        else:
            return False
    if rule.among is not None and value not in rule.among:
        return False
    if rule.least is not None or rule.most is not None:
        if isinstance(value, bool) or not isinstance(value, int | float):
            return False
        if rule.least is not None and value < rule.least:
            return False
        if rule.most is not None and value > rule.most:
            return False
    return True
