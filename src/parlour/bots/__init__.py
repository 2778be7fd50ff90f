"""Who plays when people do not.

>>> from parlour import bots
>>> bots.names()
['club', 'greedy', 'master', 'novice', 'random']
"""

from parlour.bots.bot import Bot
from parlour.bots.greedy import GreedyBot
from parlour.bots.random import RandomBot
from parlour.bots.rollouts import RolloutJudge
from parlour.bots.roster import UnknownBot, get, names, summary

__all__ = ["Bot", "GreedyBot", "RandomBot", "RolloutJudge", "UnknownBot", "get", "names", "summary"]
