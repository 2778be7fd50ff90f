"""A position in readable form: what `to_dict()["position"]` holds and what `games.load` takes back.

Every part may be left out. Whatever cards are not named lie in the draw piles, in their order in the box; the records
follow from the pockets; nobody holds anything that is not said, and the storyteller is asked to tell.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Annotated, Any, Literal

import msgspec
from librt.vecs import append, vec
from msgspec import UNSET, Meta, Struct, UnsetType
from mypy_extensions import i64, u8

from parlour.games.hellfire.box import BOASTS, PATRONS, SUITS
from parlour.games.hellfire.dealing import terms_for
from parlour.games.hellfire.doubts import Bound
from parlour.games.hellfire.invariants import broken
from parlour.games.hellfire.memory import PLACE, Memory, Silence
from parlour.games.hellfire.rules import Hellfire
from parlour.games.hellfire.tavern import Tavern, cards_of
from parlour.games.hellfire.terms import DECISIONS, FIRST_CARD, NO, OVER, WORD, YES
from parlour.kernel.dice import Dice
from parlour.kernel.sets import members
from parlour.kernel.state import PositionError, State

if TYPE_CHECKING:
    from parlour.kernel.game import Game

Seat = Annotated[int, Meta(ge=0, le=7)]
Count = Annotated[int, Meta(ge=0, le=10000)]
Decision = Literal[
    "choose_starter",
    "choose_witness",
    "discard_boast",
    "patron_swap",
    "play_patron",
    "patron_target",
    "patron_give",
    "tell",
    "interrupt",
    "rechallenge",
    "forced_discard",
    "over",
]


class PlayerPart(Struct, forbid_unknown_fields=True):
    """What is one player's: a hand, a pocket, a purse, a held Patron with the shuffle it came from, one in force."""

    hand: list[str] = []
    pocket: list[str] = []
    purse: Count = 0
    patron: str | None = None
    patron_from: Count | UnsetType = UNSET
    in_force: str | None = None


class Spoken(Struct, forbid_unknown_fields=True):
    """A challenge that has spoken in the present chain."""

    player: Seat
    card: str


class Window(Struct, forbid_unknown_fields=True):
    """Who is asked, and the answers so far: "pass", a Boast card, or "patron", by player. `passed` is for first_voice:
    those who have only passed. `looked_at`: seats from the storyteller's left whose Patrons are done with, plus one.
    """

    responders: list[Seat] = []
    answers: dict[str, str] = {}
    passed: list[Seat] = []
    looked_at: Count = 0


class SilencePart(Struct, forbid_unknown_fields=True):
    """Two players: a hand that had to stop held none of the `barred` cards; `kept` of it must still be there."""

    kept: Count
    barred: list[str]


class BoundPart(Struct, forbid_unknown_fields=True):
    """Two players: one card of this player's hand is none of the `barred`."""

    player: Seat
    barred: list[str]


class MemoryPart(Struct, forbid_unknown_fields=True):
    """What may be concluded: by player, the ways in which followed cards lie (card: player); silences by player, as
    the opponent knows them and as a spectator does; `doubts`, a spectator's ways in which bound cards lie, where the
    Pickpocket came after a silence.
    """

    beliefs: list[list[dict[str, Seat]]]
    silences: list[list[SilencePart]] = []
    doubts: list[list[BoundPart]] = []


class Position(Struct, forbid_unknown_fields=True):
    """The whole position."""

    decision: Decision = "tell"
    turn: Count = 1
    storyteller: Seat = 0
    attempts: Count | UnsetType = UNSET
    players: list[PlayerPart] | UnsetType = UNSET
    draw_pile: list[str] | UnsetType = UNSET
    """From the top."""
    discard_pile: list[str] = []
    """In the order in which they were discarded."""
    patron_pile: list[str] | UnsetType = UNSET
    patron_discards: list[str] = []
    shuffles: list[list[str]] | UnsetType = UNSET
    """Which Patrons went into each shuffle, the first with all thirty."""
    records: dict[str, Annotated[int, Meta(ge=0, le=10)]] | UnsetType = UNSET
    benefactors: dict[str, Seat] = {}
    """By suit, those that have left the pool."""
    witnesses: list[str] = []
    turned_up: str | None = None
    row: list[str] = []
    contested: str | UnsetType | None = UNSET
    cancelled: bool = False
    spoken: list[Spoken] = []
    window: Window | UnsetType = UNSET
    robbed: Seat | None = None
    ended_by: Literal["", "unable_to_draw", "no_witness", "last_card"] = ""
    memory: MemoryPart | None = None


# --- out ----------------------------------------------------------------------------------------------------------


def position_of(s: Tavern) -> dict[str, object]:
    """The position of a state, JSON-ready; the same on every machine and in every build."""
    players = [
        {
            "hand": _ids(s.hand_list(player)),
            "pocket": _ids(cards_of(s.pockets[2 * player], s.pockets[2 * player + 1])),
            "purse": int(s.purses[player]),
            "patron": _patron(s.patrons[player]),
            "patron_from": int(s.patron_age[player]) if s.patrons[player] >= 0 else 0,
            "in_force": _patron(s.in_force[player]),
        }
        for player in range(s.players)
    ]
    return {
        "decision": "over" if s.step == OVER else DECISIONS[s.step],
        "turn": int(s.turn),
        "storyteller": int(s.storyteller),
        "attempts": int(s.attempts),
        "players": players,
        "draw_pile": _ids(s.pile[s.drawn :]),
        "discard_pile": _ids(s.discards),
        "patron_pile": [PATRONS[int(patron)] for patron in s.patron_pile[s.patrons_drawn :]],
        "patron_discards": [PATRONS[int(patron)] for patron in s.patron_discards],
        "shuffles": [[PATRONS[patron] for patron in members(shuffle)] for shuffle in s.shuffles],
        "records": {suit: int(s.record[index]) for index, suit in enumerate(SUITS)},
        "benefactors": {suit: int(s.benefactors[i]) for i, suit in enumerate(SUITS) if s.benefactors[i] >= 0},
        "witnesses": _ids(s.witnesses),
        "turned_up": _boast(s.turned),
        "row": _ids(s.row),
        "contested": _boast(s.contested),
        "cancelled": bool(s.cancelled),
        "spoken": [
            {"player": int(player), "card": BOASTS[int(card)]}
            for player, card in zip(s.speakers, s.spoken, strict=True)
        ],
        "window": _window_of(s),
        "robbed": int(s.target) if s.target >= 0 else None,
        "ended_by": s.ended_by,
        "memory": _memory_of(s.memory),
    }


def _window_of(s: Tavern) -> dict[str, object]:
    answers: dict[str, str] = {}
    for player in members(s.answered):
        code = int(s.answers[player])
        answers[str(player)] = "pass" if code == NO else "patron" if code == YES else BOASTS[code - FIRST_CARD]
    return {
        "responders": members(s.responders),
        "answers": answers,
        "passed": members(s.noted),
        "looked_at": int(s.looked_at),
    }


def _memory_of(memory: Memory | None) -> dict[str, object] | None:
    if memory is None:
        return None
    found: dict[str, object] = {
        "beliefs": [
            [{BOASTS[place // PLACE]: place % PLACE for place in way} for way in ways] for ways in memory.beliefs
        ],
        "silences": [
            [{"kept": int(one.kept), "barred": _ids(cards_of(one.first, one.second))} for one in silences]
            for silences in memory.silences
        ],
    }
    if memory.doubts:
        found["doubts"] = [
            [{"player": int(one.player), "barred": _ids(cards_of(one.first, one.second))} for one in way]
            for way in memory.doubts
        ]
    return found


def _ids(cards: Sequence[int] | vec[u8]) -> list[str]:
    return [BOASTS[int(card)] for card in cards]


def _boast(card: int) -> str | None:
    return BOASTS[card] if card >= 0 else None


def _patron(patron: int) -> str | None:
    return PATRONS[patron] if patron >= 0 else None


# --- in -----------------------------------------------------------------------------------------------------------


def load(game: Game, players: int, options: Mapping[str, Any], dice: Dice, document: Mapping[str, Any]) -> State:
    """The state of a position. Raises PositionError with the name of the invariant that it breaks."""
    try:
        position = msgspec.convert(dict(document), Position)
    except msgspec.ValidationError as error:
        raise PositionError("HC-I11", f"{str(error).replace('`', '')}.") from None
    s = Hellfire(game, players, dice, terms_for(game, players, options))
    s.lay_table()
    _put_players(s, position)
    _put_piles(s, position)
    _put_suits(s, position)
    _put_turn(s, position)
    _put_window(s, position)
    _put_memory(s, position)
    fault = broken(s)
    if fault is not None:
        raise PositionError(fault.invariant, fault.sentence)
    return s


def _put_players(s: Hellfire, position: Position) -> None:
    parts = [PlayerPart() for _ in range(s.players)] if position.players is UNSET else position.players
    if len(parts) != s.players:
        raise PositionError("HC-I11", f"There are {s.players} players here, not {len(parts)}.")
    for player, part in enumerate(parts):
        for card in _once("HC-I1", part.hand):
            s.put_in_hand(player, card)
        for card in _once("HC-I1", part.pocket):
            s.pocket(player, card)
        s.purses[player] = part.purse
        s.patrons[player] = -1 if part.patron is None else _patron_number(part.patron)
        s.in_force[player] = -1 if part.in_force is None else _patron_number(part.in_force)


def _put_piles(s: Hellfire, position: Position) -> None:
    s.discards = _row_of(position.discard_pile)
    s.witnesses = _row_of(position.witnesses)
    s.row = _row_of(position.row)
    s.spoken = _row_of([one.card for one in position.spoken])
    for one in position.spoken:
        s.speakers = append(s.speakers, u8(_player(s, one.player)))
    s.turned = -1 if position.turned_up is None else _number(position.turned_up)
    for patron in position.patron_discards:
        s.patron_discards = append(s.patron_discards, u8(_patron_number(patron)))
    if position.shuffles is not UNSET:
        s.shuffles = vec[i64]()
        for shuffle in position.shuffles:
            s.shuffles = append(s.shuffles, i64(sum(1 << _patron_number(patron) for patron in set(shuffle))))
        if len(s.shuffles) == 0 or s.shuffles[0] != (1 << len(PATRONS)) - 1:
            raise PositionError("HC-I2", "All thirty Patrons go into the first shuffle.")
    last = len(s.shuffles) - 1
    parts = [] if position.players is UNSET else position.players
    for player, part in enumerate(parts):
        s.patron_age[player] = part.patron_from if part.patron_from is not UNSET and part.patron is not None else 0
        if part.patron_from is UNSET and part.patron is not None:
            s.patron_age[player] = _latest(s, int(s.patrons[player]))
    if position.draw_pile is not UNSET:
        s.pile = _row_of(position.draw_pile)
    else:
        s.pile = vec[u8]()
        there = _cards_out(s)
        for card in range(len(BOASTS)):
            if card not in there:
                s.pile = append(s.pile, u8(card))
    s.patron_pile = vec[u8]()
    if position.patron_pile is not UNSET:
        for patron in position.patron_pile:
            s.patron_pile = append(s.patron_pile, u8(_patron_number(patron)))
    else:
        held = (
            {int(one) for one in s.patrons} | {int(one) for one in s.in_force} | {int(one) for one in s.patron_discards}
        )
        for number in range(len(PATRONS)):
            if number not in held and s.shuffles[last] >> number & 1:
                s.patron_pile = append(s.patron_pile, u8(number))


def _latest(s: Hellfire, patron: int) -> int:
    """The last shuffle that a Patron went into."""
    return max((age for age in range(len(s.shuffles)) if s.shuffles[age] >> patron & 1), default=0)


def _cards_out(s: Hellfire) -> set[int]:
    """The Boast cards that lie anywhere but in the draw pile."""
    out = {int(card) for pile in (s.discards, s.witnesses, s.row, s.spoken) for card in pile}
    for words in (s.hands, s.pockets):
        for player in range(s.players):
            out |= set(cards_of(words[2 * player], words[2 * player + 1]))
    return out | {int(s.turned)}


def _put_suits(s: Hellfire, position: Position) -> None:
    for player in range(s.players):
        for card in cards_of(s.pockets[2 * player], s.pockets[2 * player + 1]):
            s.record[card // 10] = max(int(s.record[card // 10]), card % 10 + 1)
    if position.records is not UNSET:
        for suit, value in position.records.items():
            s.record[_suit(suit)] = value
    for suit, player in position.benefactors.items():
        s.benefactors[_suit(suit)] = _player(s, player)


def _put_turn(s: Hellfire, position: Position) -> None:
    s.step = OVER if position.decision == "over" else DECISIONS.index(position.decision)
    s.turn = position.turn
    s.storyteller = _player(s, position.storyteller)
    s.attempts = len(s.row) if position.attempts is UNSET else position.attempts
    s.cancelled = position.cancelled
    s.target = -1 if position.robbed is None else _player(s, position.robbed)
    s.ended_by = position.ended_by
    if s.step == OVER and not s.ended_by:
        s.ended_by = "unable_to_draw"
    if position.contested is not UNSET:
        s.contested = -1 if position.contested is None else _number(position.contested)
    elif position.decision in ("interrupt", "forced_discard") and len(s.row) and not s.cancelled:
        s.contested = int(s.row[len(s.row) - 1])


def _put_window(s: Hellfire, position: Position) -> None:
    if position.window is UNSET:
        return
    given = position.window
    s.responders = sum(1 << _player(s, player) for player in set(given.responders))
    s.noted = sum(1 << _player(s, player) for player in set(given.passed))
    s.looked_at = min(given.looked_at, s.players)
    for name, answer in given.answers.items():
        if not name.isdecimal() or int(name) >= s.players:
            raise PositionError("HC-I11", f"There is no player {name} here.")
        s.answered |= 1 << int(name)
        if answer == "patron":
            s.answers[int(name)] = int(YES)
        elif answer != "pass":
            s.answers[int(name)] = _number(answer) + int(FIRST_CARD)


def _put_memory(s: Hellfire, position: Position) -> None:
    part = position.memory
    if part is None:
        return
    beliefs = [
        [sorted(_number(card) * PLACE + player for card, player in way.items()) for way in ways]
        for ways in part.beliefs
    ]
    silences: list[list[Silence]] = []
    for listed in part.silences:
        silences.append([])
        for one in listed:
            silences[-1].append(Silence(one.kept, *_words(one.barred)))
    doubts = [[Bound(_player(s, one.player), *_words(one.barred)) for one in way] for way in part.doubts]
    if any(not ways for ways in beliefs):
        raise PositionError("HC-I14", "A player without beliefs has one way, an empty one.")
    s.memory = Memory(s.players, beliefs, silences, doubts)


def _words(cards: Sequence[str]) -> tuple[int, int]:
    """A set of Boast cards as two words."""
    members = {_number(card) for card in cards}
    first = sum(1 << card for card in members if card < WORD)
    return first, sum(1 << (card - int(WORD)) for card in members if card >= WORD)


def _row_of(ids: Sequence[str]) -> vec[u8]:
    found: vec[u8] = vec[u8]()
    for one in ids:
        found = append(found, u8(_number(one)))
    return found


def _once(invariant: str, ids: Sequence[str]) -> list[int]:
    if len(set(ids)) < len(ids):
        raise PositionError(invariant, "A card is named twice in one place.")
    return [_number(one) for one in ids]


def _number(card: str) -> int:
    if card not in BOASTS:
        raise PositionError("HC-I1", f"There is no Boast card “{card}”; they are called like weapons_04.")
    return BOASTS.index(card)


def _patron_number(patron: str) -> int:
    if patron not in PATRONS:
        raise PositionError("HC-I2", f"There is no Patron “{patron}”; they are called like y_objects.")
    return PATRONS.index(patron)


def _suit(suit: str) -> int:
    if suit not in SUITS:
        raise PositionError("HC-I3", f"There is no suit “{suit}”; there are {', '.join(SUITS)}.")
    return SUITS.index(suit)


def _player(s: Hellfire, player: int) -> int:
    if player >= s.players:
        raise PositionError("HC-I11", f"There is no player {player} here; they are 0 to {s.players - 1}.")
    return player
