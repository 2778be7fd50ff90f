"""The Old Hellfire Club as it is, but at a table in a hurry: windows may close soon, bots do not pretend to think."""

from dataclasses import replace

from parlour.games.hellfire import GAME as UNHURRIED

MIN_WINDOW = 0.25

GAME = replace(UNHURRIED, etiquette=replace(UNHURRIED.etiquette, min_window=MIN_WINDOW, bot_pause=(0.02, 0.06)))
