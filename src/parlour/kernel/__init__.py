"""What every game is made of. It knows no game."""

from parlour.kernel.actions import Action, ActionSpace, ActionType, Decision
from parlour.kernel.box import Box, BoxError
from parlour.kernel.dice import Dice, SealedDice, dice_from_dict
from parlour.kernel.game import Etiquette, Game, Look, Option, OptionError
from parlour.kernel.judge import Judge
from parlour.kernel.playout import random_playout, random_step
from parlour.kernel.sets import EVERYONE, bit, count, has, lowest, members, nth
from parlour.kernel.state import SPECTATOR, Event, IllegalAction, PositionError, Refusal, Standing, State

__all__ = [
    "EVERYONE",
    "SPECTATOR",
    "Action",
    "ActionSpace",
    "ActionType",
    "Box",
    "BoxError",
    "Decision",
    "Dice",
    "Etiquette",
    "Event",
    "Game",
    "IllegalAction",
    "Judge",
    "Look",
    "Option",
    "OptionError",
    "PositionError",
    "Refusal",
    "SealedDice",
    "Standing",
    "State",
    "bit",
    "count",
    "dice_from_dict",
    "has",
    "lowest",
    "members",
    "nth",
    "random_playout",
    "random_step",
]
