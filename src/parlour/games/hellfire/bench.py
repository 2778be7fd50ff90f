"""How `parlour bench` measures this game."""

PLAYERS = 4
