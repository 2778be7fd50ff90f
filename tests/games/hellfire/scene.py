"""A small stage for the examples: positions in short codes (W4 is weapons_04), seats as letters, all others passing."""

from __future__ import annotations

from typing import Any

from parlour.games.hellfire import GAME
from parlour.games.hellfire.rules import Hellfire
from parlour.kernel import Dice, Event, State, members

SUITS = {
    "V": "conveyances",
    "C": "crimes",
    "I": "insults",
    "M": "motives",
    "O": "objects",
    "E": "people",
    "R": "perils",
    "P": "places",
    "T": "teatime",
    "W": "weapons",
}
LETTERS = {name: letter for letter, name in SUITS.items()}
SEATS = "ABCDEFGH"


def card(code: str) -> str:
    """W4 -> weapons_04."""
    return f"{SUITS[code[0]]}_{int(code[1:]):02d}"


def code(name: str) -> str:
    """weapons_04 -> W4."""
    suit, _, value = name.rpartition("_")
    return f"{LETTERS[suit]}{int(value)}"


def cards(codes: str) -> list[str]:
    """ "W4 O3" -> ids."""
    return [card(one) for one in codes.split()]


class Scene:
    """One position, and the moves of an example made in it."""

    def __init__(
        self,
        players: int = 4,
        *,
        hands: dict[str, str] | None = None,
        patrons: dict[str, str] | None = None,
        pockets: dict[str, str] | None = None,
        purses: dict[str, int] | None = None,
        benefactors: dict[str, str] | None = None,
        in_force: dict[str, str] | None = None,
        options: dict[str, object] | None = None,
        pile: str | None = None,
        discards: str = "",
        row: str = "",
        witnesses: str = "",
        turn_of: str = "A",
        seed: int = 1,
        **rest: Any,
    ) -> None:
        parts = [
            {
                "hand": cards((hands or {}).get(seat, "")),
                "pocket": cards((pockets or {}).get(seat, "")),
                "purse": (purses or {}).get(seat, 0),
                "patron": (patrons or {}).get(seat),
                "in_force": (in_force or {}).get(seat),
            }
            for seat in SEATS[:players]
        ]
        position: dict[str, Any] = {
            "storyteller": SEATS.index(turn_of),
            "players": parts,
            "benefactors": {SUITS[suit]: SEATS.index(seat) for suit, seat in (benefactors or {}).items()},
            "discard_pile": cards(discards),
            "row": cards(row),
            "witnesses": cards(witnesses),
            **rest,
        }
        if pile is not None:
            position["draw_pile"] = cards(pile)
            named = " ".join([pile, discards, row, witnesses, *(hands or {}).values(), *(pockets or {}).values()])
            turned = rest.get("turned_up")
            gone = set(cards(named)) | ({turned} if turned else set())
            every = [f"{suit}_{value:02d}" for suit in SUITS.values() for value in range(1, 11)]
            position["discard_pile"] += [name for name in every if name not in gone]
        document = {
            "game": "hellfire",
            "players": players,
            "options": options or {},
            "dice": Dice(seed).to_dict(),
            "position": position,
        }
        state = GAME.load(document)
        assert isinstance(state, Hellfire)
        self.s: Hellfire = state
        self.s.events = []
        self.before = len(self.s.discards)

    # --- moves --------------------------------------------------------------------------------------------------

    def do(self, seat: str, id_: str) -> None:
        """One action, checked, by its readable id; the decision's name may be left out, a card be a short code."""
        player = SEATS.index(seat)
        self.s.play(player, self.find(player, id_))

    def find(self, player: int, id_: str) -> int:
        decision = self.s.decision(player)
        assert decision, f"{SEATS[player]} is asked nothing"
        ids = self.s.game.actions.table()[decision]
        if id_ in ids:
            return ids[id_]
        wanted = card(id_) if id_[0] in SUITS and id_[1:].isdigit() else id_
        return next(number for name, number in ids.items() if name.rpartition(":")[2] == wanted)

    def tell(self, *codes: str, seat: str = "A") -> None:
        """Cards told one after another, each of which everybody lets pass, the last one excepted."""
        for index, one in enumerate(codes):
            self.do(seat, one)
            if index < len(codes) - 1:
                self.window()

    def window(self, **answers: str) -> None:
        """Everybody who is asked answers, in seat order from the storyteller's left: as said, or with a pass."""
        if not answers and not self.s.in_window():
            return
        assert self.s.in_window(), "no window is open"
        asked = self.asked
        for seat in answers:
            assert seat in asked, f"{seat} is not asked"
        order = [SEATS[self.s.seat_from_left(distance)] for distance in range(self.s.players)]
        for seat in order:
            if seat in asked:
                self.do(seat, answers.get(seat, "pass"))

    def told(self, *codes: str, seat: str = "A") -> None:
        """Cards told one after another that all stand."""
        self.tell(*codes, seat=seat)
        self.window()

    def stop(self, seat: str = "A") -> None:
        """The storyteller stops; without a card left that has happened by itself (HC-22)."""
        if self.s.decision(SEATS.index(seat)) == "tell":
            self.do(seat, "stop")
        assert self.events("stopped")

    def refresh(self, seat: str = "A", discard: str = "none", patron: str = "keep", play: str = "hold") -> None:
        """Step 1 in one go."""
        if self.decision == "discard_boast":
            self.do(seat, discard)
        if self.decision == "patron_swap":
            self.do(seat, patron)
        if self.decision == "play_patron":
            self.do(seat, play)

    # --- what is the case ---------------------------------------------------------------------------------------

    @property
    def asked(self) -> str:
        return "".join(SEATS[player] for player in members(self.s.actors()))

    @property
    def decision(self) -> str:
        acting = members(self.s.actors())
        return self.s.decision(acting[0]) if acting else "over"

    @property
    def teller(self) -> str:
        return SEATS[self.s.storyteller]

    @property
    def position(self) -> dict[str, Any]:
        return self.s.position()

    def hand(self, seat: str) -> str:
        return self._codes(self.position["players"][SEATS.index(seat)]["hand"])

    def pocket(self, seat: str) -> str:
        return self._codes(self.position["players"][SEATS.index(seat)]["pocket"])

    def patron(self, seat: str) -> str | None:
        held: str | None = self.position["players"][SEATS.index(seat)]["patron"]
        return held

    def force(self, seat: str) -> str | None:
        held: str | None = self.position["players"][SEATS.index(seat)]["in_force"]
        return held

    @property
    def discards(self) -> str:
        """What has been discarded since the scene began, in order."""
        return self._codes(self.position["discard_pile"][self.before :])

    @property
    def row(self) -> str:
        return self._codes(self.position["row"])

    def purse(self, seat: str) -> int:
        return int(self.s.purses[SEATS.index(seat)])

    @property
    def purses(self) -> list[int]:
        return [int(purse) for purse in self.s.purses]

    def record(self, suit: str) -> int:
        return int(self.position["records"][SUITS[suit]])

    def benefactor(self, suit: str) -> str | None:
        holder = self.position["benefactors"].get(SUITS[suit])
        return None if holder is None else SEATS[holder]

    def legal(self, seat: str) -> list[str]:
        """What a seat may choose, in short."""
        player = SEATS.index(seat)
        found = []
        for number in self.s.legal_actions(player):
            last = self.s.game.describe(self.s, player, number).id.rpartition(":")[2]
            found.append(code(last) if last.rpartition("_")[0] in LETTERS else last)
        return found

    def events(self, kind: str) -> list[Event]:
        assert self.s.events is not None
        return [event for event in self.s.events if event.kind == kind]

    @staticmethod
    def _codes(names: list[str]) -> str:
        return " ".join(code(name) for name in names)


def random_states(players: int, games: int, seed: int = 0, options: dict[str, object] | None = None) -> list[State]:
    """All positions of some random games."""
    from tests.shelf import random_game

    return [state.clone() for game in range(games) for state in random_game("hellfire", players, seed + game, options)]
