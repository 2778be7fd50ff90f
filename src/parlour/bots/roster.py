"""The bots by name."""

from __future__ import annotations

from dataclasses import dataclass

from parlour.bots.bot import Bot
from parlour.bots.greedy import GreedyBot
from parlour.bots.random import RandomBot
from parlour.bots.rollouts import RolloutJudge
from parlour.kernel import Dice, Game, Judge


@dataclass(frozen=True)
class _Entry:
    """A name on the roster. `strength` is the judge to ask for; None plays without one."""

    summary: str
    strength: str | None
    rollouts: int = 0


# The rollouts stand in only where a game has no judge of its own. Each step up is four times the thinking.
_ROSTER = {
    "random": _Entry("any legal move, each as likely as the next", None),
    "novice": _Entry("takes what looks good, and overlooks a good deal", "novice", rollouts=4),
    "club": _Entry("takes what looks best to a regular", "club", rollouts=16),
    "master": _Entry("takes what looks best to somebody who counts", "master", rollouts=64),
    "greedy": _Entry("one move ahead on the game's full judgement", "master", rollouts=64),
}


class UnknownBot(ValueError):  # noqa: N818 - a sentence for people, named after what is wrong
    """No bot of that name."""


def names() -> list[str]:
    """The names `get` knows."""
    return sorted(_ROSTER)


def summary(name: str) -> str:
    """How that bot plays, in a few words."""
    return _entry(name).summary


def get(name: str, game: Game, seed: int) -> Bot:
    """The bot called `name`, ready to play `game`; all its own chances come from `seed`."""
    entry = _entry(name)
    dice = Dice(seed)
    if entry.strength is None:
        return RandomBot(dice)
    return GreedyBot(_judge(game, entry.strength, entry.rollouts, dice.fork()), dice.fork())


def _judge(game: Game, strength: str, rollouts: int, dice: Dice) -> Judge:
    """The game's own judge; a game without one is judged by random games played to the end."""
    return RolloutJudge(rollouts, dice) if game.judge is None else game.judge(strength)


def _entry(name: str) -> _Entry:
    if name not in _ROSTER:
        raise UnknownBot(f"There is no bot called {name!r}; there are {', '.join(names())}.")
    return _ROSTER[name]
