"""What stands in a record, and how one is made from a game that was played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import msgspec

from parlour.kernel import Dice, Game, SealedDice, State
from parlour.records.boxes import BoxUsed, box_used
from parlour.records.writer import Checkpoint, Move, Writer

FORMAT = 1
"""The format of the file itself. A reader that does not know it says so."""


class RecordError(ValueError):
    """A record that cannot be read, or not be played again as it was.

    `where` is the place in the record, `clause` the rule that it breaks, if it breaks one.
    """

    def __init__(self, sentence: str, where: str = "", clause: str = "") -> None:
        super().__init__(sentence)
        self.sentence = sentence
        self.where = where
        self.clause = clause


class PlainSeed(msgspec.Struct, frozen=True, tag_field="kind", tag="plain", forbid_unknown_fields=True):
    """Dealt by the dice of a study game, which began with this number."""

    value: int


class SealedSeed(msgspec.Struct, frozen=True, tag_field="kind", tag="sealed", forbid_unknown_fields=True):
    """Dealt by the dice of a table: SHA-256 of their seed, shown before the deal, and the seed, shown after the end."""

    commitment: str
    secret: str | None = None
    """64 hex digits; None while the game goes on."""


class GivenPosition(msgspec.Struct, frozen=True, tag_field="kind", tag="position", forbid_unknown_fields=True):
    """Not dealt but laid out by hand: a puzzle, an example, a game gone on with."""

    position: dict[str, Any]
    dice: dict[str, Any]


class Result(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How it ended, a number for each player in order: points, share of the win, place."""

    scores: list[float]
    returns: list[float]
    places: list[int]


class Record(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """A game written down. Every field but `names` and `parlour` is proved by `verify`.

    `hashes` holds the position hash after every sixteenth move. A hash that falls due while sealed answers are being
    given waits until their window has closed, since it would betray them. `final` is the hash of the last position,
    and `result` is None for a game that was not played to its end.
    """

    format: int = FORMAT
    parlour: str = ""
    """The version of Parlour that wrote it."""
    game: str
    game_version: int
    box: BoxUsed
    players: int
    names: list[str]
    options: dict[str, bool | int | str]
    deal: PlainSeed | SealedSeed | GivenPosition
    actions: list[Move]
    hashes: list[Checkpoint]
    final: str
    result: Result | None = None

    @classmethod
    def from_game(
        cls,
        game: Game,
        actions: Iterable[tuple[int, int]],
        *,
        players: int,
        seed: int | bytes,
        options: Mapping[str, object] | None = None,
        names: Sequence[str] = (),
        reveal: bool = True,
    ) -> Record:
        """The record of a game: who did what (player and code, in order) on the table that this seed dealt.

        `seed` is a number for plain dice, 32 bytes for sealed ones; `reveal=False` keeps the 32 bytes out of the
        record. Answers inside a window that is still open are left off, and an answer that never came out stands as
        whatever the game shows for it (`Game.public_action`). Raises IllegalAction if an action was not allowed.
        """
        dice: Dice = Dice(seed) if isinstance(seed, int) else SealedDice(seed)
        state = game.new_game(players=players, options=options, dice=dice)
        return _written(state, _seed(seed, reveal), actions, names)

    @classmethod
    def from_position(cls, state: State, actions: Iterable[tuple[int, int]], names: Sequence[str] = ()) -> Record:
        """The record of a game that went on from a position; `state` itself is left as it is."""
        start = GivenPosition(state.position(), state.dice.to_dict())
        return _written(state.clone(), start, actions, names)


def _written(
    state: State,
    deal: PlainSeed | SealedSeed | GivenPosition,
    actions: Iterable[tuple[int, int]],
    names: Sequence[str],
) -> Record:
    from parlour import __version__

    writer = Writer(state)
    for player, code in actions:
        writer.write(player, code)
    game, players = state.game, int(state.players)
    return Record(
        parlour=__version__,
        game=game.name,
        game_version=game.version,
        box=box_used(game),
        players=players,
        names=list(names) or [f"Player {seat + 1}" for seat in range(players)],
        options=game.check_options(state.options()),
        deal=deal,
        actions=writer.moves,
        hashes=writer.hashes,
        final=writer.final,
        result=result_of(writer.state),
    )


def result_of(state: State) -> Result | None:
    """The result of a game that is over, None before."""
    if not state.is_over:
        return None
    places = [0] * state.players
    for standing in state.standings():
        places[standing.player] = standing.place
    return Result(state.scores(), state.returns(), places)


def _seed(seed: int | bytes, reveal: bool) -> PlainSeed | SealedSeed:
    if isinstance(seed, int):
        return PlainSeed(seed)
    return SealedSeed(SealedDice(seed).commitment, seed.hex() if reveal else None)
