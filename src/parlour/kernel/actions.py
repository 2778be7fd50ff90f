"""Actions: declared once by a game; codes, ids, words and board targets all follow from that declaration."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple


@dataclass(frozen=True, slots=True)
class ActionType:
    """One kind of action, such as `place(edge)`.

    Its codes are `first`, `first + 1`, ... in the order of `values`, the readable ids of what is chosen ("" for an
    action that chooses nothing). `words` says the action to a player, `{value}` standing for the name of what is
    chosen (`names`, else the id). `target` is the kind of board piece that carries it: "edge" makes `edge:sp_d_sw`.
    """

    name: str
    first: int
    values: tuple[str, ...] = ("",)
    words: str = ""
    target: str = ""
    clause: str = ""
    names: Mapping[str, str] = field(default_factory=dict)
    arg: str = ""

    def id(self, value: str) -> str:
        """The readable id of one action: `place:sp_d_sw`, or the bare name where nothing is chosen."""
        return f"{self.name}:{value}" if value else self.name


@dataclass(frozen=True, slots=True)
class Decision:
    """Something a player is asked: its action types, whose codes do not overlap, and the question in words."""

    name: str
    types: tuple[ActionType, ...]
    prompt: str = ""
    clause: str = ""


class Action(NamedTuple):
    """One action in the words and targets of its game."""

    code: int
    id: str
    type: str
    args: Mapping[str, str]
    text: str
    target: str
    clause: str


class ActionSpace:
    """All the decisions of a game. Codes are unique within a decision; two decisions may share codes."""

    def __init__(self, decisions: Sequence[Decision]) -> None:
        self.decisions: dict[str, Decision] = {decision.name: decision for decision in decisions}
        self._by_code: dict[str, dict[int, tuple[ActionType, str]]] = {}
        self._by_id: dict[str, dict[str, int]] = {}
        self._described: dict[tuple[str, int], Action] = {}
        top = 0
        for decision in decisions:
            codes: dict[int, tuple[ActionType, str]] = {}
            ids: dict[str, int] = {}
            for kind in decision.types:
                for index, value in enumerate(kind.values):
                    code = kind.first + index
                    if code in codes or kind.id(value) in ids:
                        raise ValueError(
                            f"decision {decision.name}: {kind.id(value)} or code {code} is declared twice."
                        )
                    codes[code] = (kind, value)
                    ids[kind.id(value)] = code
                    top = max(top, code + 1)
            self._by_code[decision.name] = codes
            self._by_id[decision.name] = ids
        self.size = top
        """Codes are 0 to size - 1."""

    def describe(self, decision: str, code: int) -> Action:
        """What a code means in a decision. Raises KeyError with a sentence for one that means nothing there."""
        known = self._described.get((decision, code))
        if known is not None:
            return known
        try:
            kind, value = self._by_code[decision][code]
        except KeyError:
            raise KeyError(f"{code} is no choice in the decision “{decision}”.") from None
        name = kind.names.get(value, value)
        made = self._described[decision, code] = Action(
            code=int(code),
            id=kind.id(value),
            type=kind.name,
            args={kind.arg or kind.target or "value": value} if value else {},
            text=kind.words.replace("{value}", name) if kind.words else kind.id(value),
            target=f"{kind.target}:{value}" if kind.target and value else "",
            clause=kind.clause,
        )
        return made

    def code(self, decision: str, id_: str) -> int:
        """The code of a readable id in a decision. Raises KeyError with a sentence for an unknown one."""
        try:
            return self._by_id[decision][id_]
        except KeyError:
            raise KeyError(f"“{id_}” is no choice in the decision “{decision}”.") from None

    def table(self) -> dict[str, dict[str, int]]:
        """Every decision's ids and codes: what a test freezes, since records hold them."""
        return {name: dict(ids) for name, ids in self._by_id.items()}
