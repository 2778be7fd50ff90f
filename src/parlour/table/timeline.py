"""The tree of positions that a table has been through. Undo moves to a parent, redo back; nothing is ever cut off."""

from __future__ import annotations

from dataclasses import dataclass, field

from parlour.kernel import Event, State

CHECKPOINT_EVERY = 8
"""A copy of the state is kept at every so many steps; others are replayed from the copy before them."""


@dataclass(slots=True, eq=False)
class Step:
    """One public step: an open action, or a window's answers together. The root is the deal."""

    parent: Step | None
    depth: int
    moves: tuple[tuple[int, int], ...]  # player and code, in the order in which they were applied
    at: float
    ply: int  # the public step at which it was made
    events: list[Event] = field(default_factory=list)
    sealed: bool = False
    chance: bool = False  # dice were used
    texts: dict[int, str] = field(default_factory=dict)
    state: State | None = None

    @property
    def told(self) -> bool:
        """Whether somebody learnt something by it, or it drew on chance: it is not free to take back."""
        return self.chance or self.sealed or any(event.reveals for event in self.events)

    def movers(self) -> set[int]:
        """Who acted in it."""
        return {player for player, _ in self.moves}


@dataclass(slots=True)
class Note:
    """A line of the story, or several: events of a step, or what people did about the table."""

    ply: int
    at: float
    kind: str
    seat: int
    step: Step | None = None
    text: str = ""


@dataclass(slots=True)
class Question:
    """A question before the table."""

    kind: str  # undo, redo, pause
    by: int
    steps: int
    at: float
    words: str
    seen: list[str]
    electors: list[int]
    agreed: set[int] = field(default_factory=set)

    @property
    def carried(self) -> bool:
        """Whether everybody who was asked has agreed."""
        return self.agreed.issuperset(self.electors)


def position_after(step: Step) -> State:
    """The position after a step, as a copy of its own."""
    path: list[Step] = []
    node = step
    while node.state is None:
        path.append(node)
        assert node.parent is not None, "the deal keeps its state"
        node = node.parent
    state = node.state.clone()
    for later in reversed(path):
        for player, action in later.moves:
            state.apply(player, action)
    return state


def line(step: Step) -> list[Step]:
    """The steps that led here, the deal left out, first to last."""
    steps: list[Step] = []
    node: Step | None = step
    while node is not None and node.parent is not None:
        steps.append(node)
        node = node.parent
    steps.reverse()
    return steps


def common_ancestor(one: Step, other: Step) -> Step:
    """The last position that both came through."""
    a, b = one, other
    while a is not b:
        if a.depth >= b.depth:
            assert a.parent is not None
            a = a.parent
        else:
            assert b.parent is not None
            b = b.parent
    return a
