"""Steps through a record."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from parlour import games
from parlour.kernel import SPECTATOR, BoxError, Dice, Game, OptionError, PositionError, SealedDice, State
from parlour.records.boxes import with_box_used
from parlour.records.record import FORMAT, GivenPosition, PlainSeed, Record, RecordError, SealedSeed
from parlour.records.writer import Move


@dataclass(frozen=True)
class Step:
    """Where a game stood after so many moves. Step 0 is the deal; `move` is None there."""

    number: int
    move: Move | None
    text: str
    """The action in the words of the game, "" for the deal."""
    words: tuple[str, ...]
    """What happened, as sentences that the viewer may read."""
    state: State
    """The reader's own copy."""


def open_game(record: Record) -> Game:
    """The card of the game that was played, with the box that it was played with.

    Raises RecordError for a format, game, rules version or box that is not the one the record was made with: it is
    never read as if it were.
    """
    if record.format != FORMAT:
        raise RecordError(
            f"This record has format {record.format}; this version of Parlour reads format {FORMAT}.", "format"
        )
    try:
        game = games.get(record.game)
    except games.UnknownGame as error:
        raise RecordError(f"This is a record of a game that is not on the shelf. {error}", "game") from None
    if record.game_version != game.version:
        raise RecordError(
            f"This game of {game.title} was played under version {record.game_version} of its rules; here they are at "
            f"version {game.version}. It is not replayed, since its moves might mean something else.",
            "game_version",
        )
    try:
        game = with_box_used(game, record.box)
    except BoxError as error:
        raise RecordError(f"The box in this record cannot be used: {error}", "box") from None
    if record.box.hash != game.box_hash:
        raise RecordError(
            f"This game of {game.title} was played with the box {record.box.hash or '(none)'}; the one here is "
            f"{game.box_hash or '(none)'}. It is not replayed, since its pieces might be others.",
            "box",
        )
    return game


def start(record: Record) -> State:
    """The position before the first move. Raises RecordError when it cannot be dealt as it was."""
    game = open_game(record)
    for where, check in (
        ("players", lambda: game.check_players(record.players)),
        ("options", lambda: game.check_options(record.options)),
    ):
        try:
            check()
        except OptionError as error:
            raise RecordError(f"This game cannot have been played: {error}", where) from None
    if not isinstance(record.deal, GivenPosition):
        return game.new_game(players=record.players, options=record.options, dice=_dice(record.deal))
    given = {"players": record.players, "options": record.options}
    try:
        return game.load({**given, "position": record.deal.position, "dice": record.deal.dice})
    except PositionError as error:
        raise RecordError(f"The position that this game began with cannot be: {error}", "deal.position") from None


def replay(record: Record, viewer: int = SPECTATOR) -> Iterator[Step]:
    """Every step of a record, the deal first. `words` are what `viewer` (a player, or a spectator) was told.

    Raises RecordError, with the reason, at the deal or at a move that cannot be played.
    """
    state = start(record)
    names = record.names
    if len(names) != record.players:
        raise RecordError(f"There are {len(names)} names for a game of {record.players} players.", "names")
    yield Step(0, None, "", (), state.clone())
    for number, move in enumerate(record.actions, 1):
        check_move(state, move, number)
        text = state.game.describe(state, move.player, move.code).text
        state.events = []
        state.apply(move.player, move.code)
        seen = [state.game.words(event, names) for event in state.events if event.visible_to(viewer)]
        yield Step(number, move, text, tuple(filter(None, seen)), state.clone())


def check_move(state: State, move: Move, number: int) -> None:
    """Raise RecordError, with the rules' own reason, unless this move can be played now."""
    where = f"actions[{number - 1}]"
    refusal = state.refusal(move.player, move.code)
    if refusal is not None:
        sentence = f"Move {number} ({move.action}) is not allowed: {refusal.sentence}"
        raise RecordError(sentence, where, refusal.clause)
    meant = state.game.describe(state, move.player, move.code).id
    if meant != move.action:
        raise RecordError(f"Move {number} says {move.action}, but its code {move.code} means {meant}.", where)


def _dice(seed: PlainSeed | SealedSeed) -> Dice:
    if isinstance(seed, PlainSeed):
        return Dice(seed.value)
    if seed.secret is None:
        raise RecordError("The seed of this game is still sealed; it is shown when the game is over.", "deal.secret")
    secret = _bytes(seed.secret)
    if secret is None:
        raise RecordError("The secret of a sealed seed is written as 64 hex digits; this one is not.", "deal.secret")
    dice = SealedDice(secret)
    if dice.commitment != seed.commitment:
        raise RecordError("The seed that was shown after the game is not the one committed to before it.", "deal")
    return dice


def _bytes(secret: str) -> bytes | None:
    """The 32 bytes of a secret, None if what stands there is not 64 hex digits."""
    try:
        found = bytes.fromhex(secret)
    except ValueError:
        return None
    return found if len(found) == 32 else None
