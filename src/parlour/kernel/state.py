"""`State`, one position of one game, and what its methods speak in: events, refusals, standings.

The method names are the field's (OpenSpiel's, mostly). A game's own state subclasses `State`; compiled or interpreted,
the same playouts, bots and tables drive it.
"""

import hashlib
import json
import operator
from collections.abc import Mapping
from typing import TYPE_CHECKING, Final, NamedTuple, SupportsIndex, cast

from mypy_extensions import i64, mypyc_attr

from parlour.kernel.dice import Dice
from parlour.kernel.sets import EVERYONE, has, lowest, members

if TYPE_CHECKING:
    from parlour.kernel.game import Game

SPECTATOR: Final = -1
"""The player number that stands for somebody without a seat."""


def whole(number: object) -> int | None:
    """A whole number as Python's own int, numpy's too; None for anything else, True and False among it."""
    if isinstance(number, bool) or not hasattr(number, "__index__"):
        return None
    try:
        return operator.index(cast(SupportsIndex, number))
    except TypeError:  # an array that is no single number
        return None


def nobody(player: object, players: int) -> ValueError:
    """What is raised where a player or a spectator was to be named, and this is neither."""
    return ValueError(f"There is no player {player!r} here; they are 0 to {players - 1}, and -1 is a spectator.")


class Refusal(NamedTuple):
    """Why an action is not allowed: a sentence for the player, and the rule clause it rests on."""

    sentence: str
    clause: str


class Standing(NamedTuple):
    """Where one player ended: place 1 is the best and may be shared; `reason` says in words what decided it."""

    player: int
    place: int
    score: float
    reason: str


class IllegalAction(Exception):  # noqa: N818 - the public name, and it is one action that is illegal
    """An action that the rules refuse. The state is as it was."""

    def __init__(self, sentence: str, clause: str) -> None:
        super().__init__(f"{sentence} ({clause})" if clause else sentence)
        self.sentence = sentence
        self.clause = clause


class PositionError(ValueError):
    """A position that cannot be: `invariant` names the law it breaks, `sentence` says how."""

    def __init__(self, invariant: str, sentence: str) -> None:
        super().__init__(f"{invariant}: {sentence}" if invariant else sentence)
        self.invariant = invariant
        self.sentence = sentence


@mypyc_attr(allow_interpreted_subclasses=True)
class Event:
    """Something that happened, told by the rules as it happens.

    `kind` is the game's word for it, `player` who did it (-1: nobody), `args` readable ids. `seen` is the bit set of
    the players who may know of it; spectators may only if it is `EVERYONE`. `reveals` is the bit set of the players who
    learn something by it that the announced action and their view before it did not tell: undo is free only while it
    is empty. A happening with a public and a private side is two events.
    """

    def __init__(
        self,
        kind: str,
        player: int,
        args: Mapping[str, object],
        seen: int = EVERYONE,
        reveals: int = 0,
    ) -> None:
        self.kind = kind
        self.player = player
        self.args = args
        self.seen = seen
        self.reveals = reveals

    def visible_to(self, player: int) -> bool:
        """Whether this player (-1: a spectator) may know of it."""
        if self.seen == EVERYONE:
            return True
        return player >= 0 and has(self.seen, player)

    def to_dict(self) -> dict[str, object]:
        """The event, JSON-ready."""
        return {"kind": self.kind, "player": self.player, "args": dict(self.args)}

    def __repr__(self) -> str:
        return f"Event({self.kind!r}, {self.player}, {dict(self.args)!r})"


@mypyc_attr(allow_interpreted_subclasses=True)
class State:
    """One position of one game.

    Methods come in one order in every game: set-up, actors, legal_actions, apply, the steps, scoring, clone, resample,
    dict form. A subclass must give those marked so; the rest follows from them.

    Any whole number, however large, may be asked about, in every build and every game. Whoever is not asked now, since
    it is not for them to act or there is no such player, has no `legal_actions` and no `decision`, and `explain` and
    `refusal` say so; they refuse a code that the game does not have like any other that cannot be chosen. `view` and
    `resample` are of somebody: of a player or of a spectator, else they raise ValueError (`knower`).
    """

    def __init__(self, game: "Game", players: i64, dice: Dice) -> None:
        self.game = game
        self.players = players
        self.dice = dice
        self.events: list[Event] | None = None

    # --- who may do what ---------------------------------------------------------------------------------------

    def actors(self) -> i64:
        """The bit set of the players who may act now; 0 when the game is over. Each game gives it."""
        raise NotImplementedError

    def late_actors(self) -> i64:
        """Players who need not act, but whose action would still be taken (a change of mind while a window is open)."""
        return 0

    def legal_actions(self, player: int) -> list[int]:
        """The codes this player may choose from, ascending. Each game gives it.

        Never empty for an actor, always empty for whoever is neither among `actors` nor among `late_actors`: a number
        that is no player's too.
        """
        raise NotImplementedError

    def apply(self, player: i64, action: i64) -> None:
        """Carry out an action that came from `legal_actions`; nothing is checked. Each game gives it."""
        raise NotImplementedError

    def explain(self, player: int, action: int) -> Refusal | None:
        """Why this action is not allowed now, None if it is, by the conditions of legal_actions. Each game gives it.

        Whoever is not asked, and whatever code means nothing, has a refusal too.
        """
        raise NotImplementedError

    def decision(self, player: int) -> str:
        """The name of the decision that this player is asked for, "" if none. Each game gives it.

        It is "" just where `legal_actions` is empty.
        """
        raise NotImplementedError

    def sealed(self) -> bool:
        """Whether the present decision is a window whose answers stay hidden until it closes (even with one to ask)."""
        return False

    def first_voice(self) -> i64:
        """In a window in which the first voice counts, a number that stays the same while it is open; else 0.

        In such a window a pass (action 0) is noticed by nobody; any other answer is carried out as it comes.
        """
        return 0

    def voice_waits(self) -> bool:
        """Whether what is asked now interrupts a first_voice window, which will go on after it."""
        return False

    def withholds(self) -> bool:
        """Whether answers lie in the position that nobody may learn yet: in a sealed window, or after its close while
        something else is decided before they come out. No hash of such a position is published.
        """
        return self.sealed()

    @property
    def current_player(self) -> int:
        """The lowest of the actors, -1 when the game is over."""
        return lowest(self.actors())

    @property
    def is_over(self) -> bool:
        """Whether nobody may act any more."""
        return self.actors() == 0

    def play(self, player: SupportsIndex, action: SupportsIndex) -> None:
        """Check an action, then apply it. Raises IllegalAction, with the reason, and leaves the state as it was."""
        refusal = self.refusal(player, action)
        if refusal is not None:
            raise IllegalAction(refusal.sentence, refusal.clause)
        self.apply(operator.index(player), operator.index(action))

    def refusal(self, player: object, action: object) -> Refusal | None:
        """Why `play` would refuse: wrong player, wrong moment, no such action, or the game's own reason.

        Anything may be asked about, what is no number at all as well.
        """
        who = whole(player)
        code = whole(action)
        if who is None or code is None:
            return Refusal("A player and an action are whole numbers.", "")
        last = int(self.players) - 1
        if who < 0 or who > last:
            return Refusal(f"There is no player {who} here; they are 0 to {last}.", "")
        acting: i64 = self.actors()
        if acting == 0:
            return Refusal("The game is over.", "")
        if not has(acting | self.late_actors(), who):
            return Refusal("It is not for you to act now.", "")
        if code < 0 or code >= self.game.actions.size:
            return Refusal(f"There is no action {code} here; they are 0 to {self.game.actions.size - 1}.", "")
        return self.explain(who, code)

    # --- results -----------------------------------------------------------------------------------------------

    def scores(self) -> list[float]:
        """Each player's score so far, in the game's own points. Each game gives it."""
        raise NotImplementedError

    def returns(self) -> list[float]:
        """Each player's result in [0, 1] once over: 1 wins, ties share, cooperators share one; all 0 before the end."""
        shares: list[float] = [0.0] * self.players
        if self.is_over:
            first = [standing.player for standing in self.standings() if standing.place == 1]
            for player in first:
                shares[player] = 1.0 / len(first)
        return shares

    def standings(self) -> list[Standing]:
        """Who stands where, best first, and what decided it. Each game gives it."""
        raise NotImplementedError

    # --- copies ------------------------------------------------------------------------------------------------

    def clone(self) -> "State":
        """An exact copy, dice included: it will draw what this state will draw, so it is not safe to plan on.

        The copy collects no events. For planning take `resample`, which never copies the dice. Each game gives it.
        """
        raise NotImplementedError

    def resample(self, player: int, dice: Dice) -> "State":
        """A copy in which all that `player` cannot know is dealt anew at random, consistently, and the dice are fresh.

        `dice` is drawn from, and always seeds the copy's own dice: no plan can foresee a draw. Player -1 is a
        spectator. Raises ValueError for a player who is not here: `knower` does that. Each game gives it.
        """
        raise NotImplementedError

    def knower(self, player: int) -> i64:
        """This player, -1 for a spectator. Raises ValueError, which says who is here, for anybody else."""
        count = int(self.players)  # compiled, a comparison with an i64 would not bear a larger number
        if player < SPECTATOR or player >= count:
            raise nobody(player, count)
        return player

    def __copy__(self) -> "State":
        return self.clone()

    def __deepcopy__(self, memo: dict[int, object]) -> "State":
        return self.clone()

    def __reduce__(self) -> tuple[object, ...]:
        return (_restore, (self.game, self.to_dict()))

    # --- what is seen and written down -------------------------------------------------------------------------

    def view(self, player: SupportsIndex | None = None) -> dict[str, object]:
        """What this player (None: a spectator) may see, JSON-ready. Raises ValueError for a player who is not here."""
        return self.game.view_dict(self, player)

    def position(self) -> dict[str, object]:
        """The whole position, hidden parts too, in readable ids, JSON-ready; without the dice. Each game gives it."""
        raise NotImplementedError

    def to_dict(self) -> dict[str, object]:
        """The whole position with all that is needed to go on from it, the dice too: `games.load` takes it back."""
        return {
            "game": self.game.name,
            "version": self.game.version,
            "box": self.game.box_hash,
            "players": int(self.players),
            "options": dict(self.options()),
            "dice": self.dice.to_dict(),
            "position": self.position(),
        }

    def options(self) -> Mapping[str, object]:
        """The game's options as this state was set up. A game that has options gives it."""
        return {}

    def position_hash(self) -> str:
        """16 hex digits for players, options and position (not the dice), the same on every machine."""
        document = {"players": int(self.players), "options": dict(self.options()), "position": self.position()}
        text = json.dumps(document, sort_keys=True, separators=(",", ":"), ensure_ascii=False)
        return hashlib.blake2b(text.encode(), digest_size=8).hexdigest()

    def __eq__(self, other: object) -> bool:
        if self is other:
            return True
        if not isinstance(other, State):
            return NotImplemented
        return self.to_dict() == other.to_dict()

    def __hash__(self) -> int:
        return int(self.position_hash(), 16) >> 4

    def __repr__(self) -> str:
        return f"<{self.game.name} {self.position_hash()} to act {members(self.actors())}>"


def _restore(game: "Game", document: dict[str, object]) -> State:
    """A state back from its pickle."""
    return game.load(document)
