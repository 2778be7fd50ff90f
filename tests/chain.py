"""Prints the hash chain of whole random games, one line a game: run in other processes and on the other build."""

from __future__ import annotations

from parlour import compiled, games
from parlour.kernel import Dice, SealedDice, random_step
from tests.shelf import every_table, random_game
from tests.toys import bids


def main() -> None:
    games.register(bids.GAME)
    print("compiled" if compiled() else "pure")
    for name, players, options in every_table():
        hashes = [state.position_hash() for state in random_game(name, players, seed=2026, options=options)]
        print(name, players, options, *hashes)
        sealed = games.get(name).new_game(players=players, options=options, dice=SealedDice(bytes(range(32))))
        dice = Dice(9)
        while not sealed.is_over:
            random_step(sealed, dice)
        print(name, players, options, sealed.position_hash(), sealed.dice.position())


if __name__ == "__main__":
    main()
