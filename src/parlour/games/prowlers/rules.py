"""Prowler's Passage: the position and the turn. Reads beside rules.md, clause by clause.

Its neighbours hold the other sections: city.py the set-up, track.py the markers, tunnels.py the walks, achievements.py
the cards, scoring.py the Wealth.
"""

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, Final, final

from mypy_extensions import i64

from parlour.games.prowlers.achievements import mid_card_winner, turn_cards_met
from parlour.games.prowlers.box import DISTRICTS, FACES
from parlour.games.prowlers.city import City, dealt_city
from parlour.games.prowlers.ending import reason_told, tie_break
from parlour.games.prowlers.scoring import Sheet, scored
from parlour.games.prowlers.tables import DOUBLE, GOLDEN, MID_TUNNEL, TYPES, tables_for
from parlour.games.prowlers.telling import card_told, move_told, passage_told, sheets_told, statue_told
from parlour.games.prowlers.track import CENTRE, FIRST, SECOND, controls, own_value, pulled, space
from parlour.kernel.dice import Dice
from parlour.kernel.sets import bit, count, has, lowest, members
from parlour.kernel.state import Event, Refusal, Standing, State

if TYPE_CHECKING:
    from parlour.kernel.game import Game

# The codes of the actions. Records hold them: they never change.
PLACE_CODE: Final[i64] = 0
GOLDEN_CODE: Final[i64] = 27
BONUS_CODE: Final[i64] = 32
DECLINE_CODE: Final[i64] = 37

# What the player to act is asked.
BONUS_MOVE: Final[i64] = 0
PLACE: Final[i64] = 1
GOLDEN_PULL: Final[i64] = 2
OVER: Final[i64] = 3

ASKED: Final = ("bonus_move", "place", "golden", "over")
SEATS: Final = ("first", "second")

# What became of the second player's free pull (PP-08).
PENDING: Final[i64] = 0
USED: Final[i64] = 1
DECLINED: Final[i64] = 2

BONUS: Final = ("pending", "used", "declined")


@final
class ProwlersState(State):
    """One position. Passages, statues and cards are bit sets, one number a seat; seats are FIRST and SECOND."""

    def __init__(self, game: "Game", players: i64, dice: Dice, city: City) -> None:
        """PP-05, PP-07: everything laid out, nothing taken yet."""
        super().__init__(game, players, dice)
        self.city = city
        self.passages_first: i64 = 0
        self.passages_second: i64 = 0
        self.statues_first: i64 = 0
        self.statues_second: i64 = 0
        self.cards_first: i64 = 0
        self.cards_second: i64 = 0
        self.markers: i64 = CENTRE
        self.turn: i64 = 1
        """The number of the turn under way (PP-10); the last one's once the game is over."""
        self.awaiting: i64 = BONUS_MOVE
        self.bonus: i64 = PENDING
        self.lost_first: i64 = 0
        self.lost_second: i64 = 0
        """Marker steps lost at the end of the track (PP-24)."""
        self.last: i64 = -1
        """The passageway of the latest passage, -1 before the first."""
        self.mid_turn: i64 = 0
        """The turn after which the mid-game phase took place, 0 before it."""
        self.mid_first: Sheet | None = None
        self.mid_second: Sheet | None = None

    # --- who may do what ---------------------------------------------------------------------------------------

    def actors(self) -> i64:
        """PP-10, PP-12: one player at a time."""
        if self.awaiting == OVER:
            return 0
        return bit(self.player_in(self.seat_to_act()))

    def seat_to_act(self) -> i64:
        """PP-08, PP-10: `second` before turn 1 and in even turns, `first` in odd ones."""
        if self.awaiting == BONUS_MOVE or self.turn & 1 == 0:
            return SECOND
        return FIRST

    def player_in(self, seat: i64) -> i64:
        """PP-01: the player who sits there."""
        return self.city.player_in(seat)

    def seat_of(self, player: i64) -> i64:
        """PP-01: where a player sits."""
        return self.city.seat_of(player)

    def legal_actions(self, player: int) -> list[int]:
        """The codes of `choices`, ascending; empty for the player who waits."""
        if self.awaiting == OVER or int(self.player_in(self.seat_to_act())) != player:
            return []
        return members(self.choices())

    def choices(self) -> i64:
        """What the player to act may choose, as a set of codes: all legality is here."""
        if self.awaiting == PLACE:
            return self.free() << PLACE_CODE  # PP-13, PP-14
        if self.awaiting == GOLDEN_PULL:
            return self._pullable(self.seat_to_act()) << GOLDEN_CODE  # PP-26
        if self.awaiting == BONUS_MOVE:
            return (bit(TYPES + 1) - 1) << BONUS_CODE  # PP-08
        return 0

    def free(self) -> i64:
        """PP-13: the passageways that still have their tile."""
        return self.city.tables.everywhere & ~(self.passages_first | self.passages_second)

    def explain(self, player: int, action: int) -> Refusal | None:
        """Why an action is not among the choices."""
        if self.awaiting == OVER:
            return Refusal("The game is over.", "PP-43")
        if int(self.player_in(self.seat_to_act())) != player:
            return Refusal("It is your opponent’s turn.", "PP-12")
        if action < 0 or action > int(DECLINE_CODE):
            return Refusal("There is no such action in this game.", "")
        if has(self.choices(), action):
            return None
        if self.awaiting == BONUS_MOVE:
            return Refusal("First say whether you pull a marker before the game begins.", "PP-08")
        if self.awaiting == GOLDEN_PULL:
            if action < GOLDEN_CODE or action >= BONUS_CODE:
                return Refusal("First choose the marker that your golden shovel pulls.", "PP-26")
            marker = DISTRICTS[action - GOLDEN_CODE].capitalize()
            return Refusal(f"The {marker} marker is on your last space already; choose another.", "PP-26")
        if action < GOLDEN_CODE:
            return Refusal("There is a passage already; choose a passageway that still has its tile.", "PP-13")
        if action < BONUS_CODE:
            return Refusal("You have no golden shovel to use now; place a passage.", "PP-26")
        return Refusal("The free pull belongs to the second player, before turn 1.", "PP-08")

    def decision(self, player: int) -> str:
        """bonus_move, place or golden for the player to act, else ""."""
        if self.awaiting == OVER or int(self.player_in(self.seat_to_act())) != player:
            return ""
        return ASKED[self.awaiting]

    def apply(self, player: i64, action: i64) -> None:  # noqa: ARG002 - only one player can be acting
        """Carry out one of the choices."""
        if self.awaiting == PLACE:
            self._take_turn(action - PLACE_CODE)
        elif self.awaiting == GOLDEN_PULL:
            self._use_golden_shovel(action - GOLDEN_CODE)
        else:
            self._begin(action)

    # --- the steps ---------------------------------------------------------------------------------------------

    def _begin(self, action: i64) -> None:
        """PP-08, PP-R23: before turn 1 the second player may pull one marker. No card is looked at."""
        if action == DECLINE_CODE:
            self.bonus = DECLINED
            if self.events is not None:
                self._tell("declined", self.player_in(SECOND), {})
        else:
            self.bonus = USED
            self._pull_one(action - BONUS_CODE, SECOND, "bonus")
        self.awaiting = PLACE

    def _take_turn(self, line: i64) -> None:
        """PP-11: a turn, in the rulebook's order."""
        seat = self.seat_to_act()
        self._lay_passage(line, seat)
        self._take_statues(line, seat)
        face = self._collect_tile(line)
        self._pull_both(line, seat, "passage")
        if face == DOUBLE:
            self._pull_both(line, seat, "double_shovel")  # PP-27, PP-R14
        elif face == GOLDEN and self._pullable(seat) != 0:
            self.awaiting = GOLDEN_PULL  # PP-26: the player chooses; _use_golden_shovel ends the turn
            return
        self._end_turn(seat)

    def _lay_passage(self, line: i64, seat: i64) -> None:
        """PP-13…PP-15: a passage from the reserve onto a free passageway, for good."""
        if seat == FIRST:
            self.passages_first |= bit(line)
        else:
            self.passages_second |= bit(line)
        self.last = line
        if self.events is not None:
            self._tell("dug", self.player_in(seat), passage_told(self.city, line, self.turn))

    def _take_statues(self, line: i64, seat: i64) -> None:
        """PP-16…PP-18, PP-R09: whoever fills the last passageway at a statue takes it, or both if it fills two."""
        tables = self.city.tables
        taken: i64 = self.passages_first | self.passages_second
        for statue in range(len(tables.statue_lines)):
            lines: i64 = tables.statue_lines[statue]
            if has(lines, line) and taken & lines == lines:
                if seat == FIRST:
                    self.statues_first |= bit(statue)
                else:
                    self.statues_second |= bit(statue)
                if self.events is not None:
                    self._tell("statue", self.player_in(seat), statue_told(self.city, statue))

    def _collect_tile(self, line: i64) -> i64:
        """PP-19, PP-20: the tile goes with the passage: whoever owns the passageway holds it, same face up."""
        return self.city.faces[line]

    def _pull_both(self, line: i64, seat: i64, by: str) -> None:
        """PP-21, PP-22: the markers of the districts on both sides, one space each; twice if they are one type."""
        one: i64 = self.city.kind_1[line]
        two: i64 = self.city.kind_2[line]
        lost_one = self._pull(one, seat)
        lost_two = self._pull(two, seat)
        if self.events is not None:
            if one == two:
                self._tell_pulled([self._move_told(one, 2, lost_one + lost_two)], seat, by)
            else:
                self._tell_pulled([self._move_told(one, 1, lost_one), self._move_told(two, 1, lost_two)], seat, by)

    def _pull_one(self, kind: i64, seat: i64, by: str) -> None:
        """PP-08, PP-26: one marker of the player's choice, one space."""
        lost = self._pull(kind, seat)
        if self.events is not None:
            self._tell_pulled([self._move_told(kind, 1, lost)], seat, by)

    def _pull(self, kind: i64, seat: i64) -> i64:
        """PP-22…PP-24: one marker, one space toward the player. Returns the steps lost at the track's end, 0 or 1."""
        if own_value(self.markers, kind, seat) < self.city.half_length:
            self.markers = pulled(self.markers, kind, seat)
            return 0
        if seat == FIRST:
            self.lost_first += 1
        else:
            self.lost_second += 1
        return 1

    def _pullable(self, seat: i64) -> i64:
        """PP-26, PP-R13: the markers not on this player's last space, as a set."""
        able: i64 = 0
        for kind in range(TYPES):
            if own_value(self.markers, kind, seat) < self.city.half_length:
                able |= bit(kind)
        return able

    def _use_golden_shovel(self, kind: i64) -> None:
        """PP-26: one more marker, then the turn ends."""
        seat = self.seat_to_act()
        self._pull_one(kind, seat, "golden_shovel")
        self._end_turn(seat)

    def _end_turn(self, seat: i64) -> None:
        """PP-11, PP-39…PP-43: cards, a scoring phase if one is due, and the opponent's turn."""
        self._claim_cards(seat)
        if self._mid_game_is_due():
            self._score_mid_game()
        if self.turn < self.city.tables.turns:
            self.turn += 1
            self.awaiting = PLACE
        else:
            self.awaiting = OVER
            self._tell_the_end()

    def _claim_cards(self, seat: i64) -> None:
        """PP-34…PP-37, PP-R15: the player whose turn it is takes every open card whose condition holds."""
        cards = self.open_cards()
        if seat == FIRST:
            met = turn_cards_met(self.city, cards, self.passages_first, self.statues_first, self.markers, FIRST)
            self.cards_first |= met
        else:
            met = turn_cards_met(self.city, cards, self.passages_second, self.statues_second, self.markers, SECOND)
            self.cards_second |= met
        if met != 0 and self.events is not None:
            for card in members(met):
                self._tell("card", self.player_in(seat), card_told(self.city, card))

    def open_cards(self) -> i64:
        """PP-34: the cards nobody has taken, as a set."""
        return self.city.dealt & ~(self.cards_first | self.cards_second)

    def _mid_game_is_due(self) -> bool:
        """PP-39, PP-40, PP-R10, PP-R11: two statues gone, or both reserves down to five; once only."""
        if self.mid_turn != 0:
            return False
        tables = self.city.tables
        return count(self.statues_first | self.statues_second) >= tables.mid_statues or self.turn == tables.mid_turn

    # --- scoring -----------------------------------------------------------------------------------------------

    def _score_mid_game(self) -> None:
        """PP-41: the mid cards first, then categories 1 to 4 for both from one position. Nothing is reset (PP-42)."""
        before_first: i64 = self.cards_first
        before_second: i64 = self.cards_second
        self._award_mid_cards()
        if self.city.count_mid_cards:  # PP-R16
            before_first = self.cards_first
            before_second = self.cards_second
        self.mid_turn = self.turn
        self.mid_first = self._sheet(FIRST, before_first, False)
        self.mid_second = self._sheet(SECOND, before_second, False)
        if self.events is not None:
            self._tell("scored", -1, sheets_told(self.city, "mid", self.mid_first, self.mid_second))

    def _award_mid_cards(self) -> None:
        """PP-38: each mid card to whoever has more; on a tie it stays where it is for good."""
        tables = self.city.tables
        rest: i64 = self.open_cards()
        while rest != 0:
            card: i64 = lowest(rest)
            rest &= rest - 1
            if tables.condition[card] < MID_TUNNEL:
                continue
            winner = mid_card_winner(self.city, card, self.passages_first, self.passages_second, self.markers)
            if winner == FIRST:
                self.cards_first |= bit(card)
            elif winner == SECOND:
                self.cards_second |= bit(card)
            if self.events is not None:
                player: i64 = -1 if winner < 0 else self.player_in(winner)
                self._tell("mid_card", player, card_told(self.city, card))

    def _sheet(self, seat: i64, market_cards: i64, at_end: bool) -> Sheet:
        if seat == FIRST:
            return scored(
                self.city,
                self.passages_first,
                self.statues_first,
                self.cards_first,
                market_cards,
                self.markers,
                FIRST,
                at_end,
            )
        return scored(
            self.city,
            self.passages_second,
            self.statues_second,
            self.cards_second,
            market_cards,
            self.markers,
            SECOND,
            at_end,
        )

    def end_sheet(self, seat: i64) -> Sheet:
        """PP-43: all five categories, from the present position; the real thing once the game is over."""
        return self._sheet(seat, self.cards_first if seat == FIRST else self.cards_second, True)

    def mid_sheet(self, seat: i64) -> Sheet | None:
        """PP-41: the sheet of the mid-game phase, None before it."""
        return self.mid_first if seat == FIRST else self.mid_second

    def next_sheets(self) -> list[Sheet]:
        """What `first` and `second` would be given if the next scoring phase came now."""
        if self.mid_turn != 0:
            return [self.end_sheet(FIRST), self.end_sheet(SECOND)]
        trial = self.clone()
        trial._score_mid_game()
        return [sheet for sheet in (trial.mid_first, trial.mid_second) if sheet is not None]

    def total(self, seat: i64) -> i64:
        """PP-53: Wealth from the phases that have taken place."""
        mid = self.mid_sheet(seat)
        wealth: i64 = 0 if mid is None else mid.total()
        if self.awaiting == OVER:
            wealth += self.end_sheet(seat).total()
        return wealth

    def scores(self) -> list[float]:
        """Wealth from the phases that have taken place, by player."""
        return [float(self.total(self.seat_of(player))) for player in range(self.players)]

    def verdict(self) -> tuple[int, str]:
        """PP-53…PP-55: the better seat (-1 for a draw) and what decided it: wealth, tunnel, control or nothing."""
        lead: i64 = self.total(FIRST) - self.total(SECOND)
        if lead != 0:
            return (0 if lead > 0 else 1, "wealth")
        return tie_break(
            self.end_sheet(FIRST).longest,
            self.end_sheet(SECOND).longest,
            count(controls(self.markers, FIRST)),
            count(controls(self.markers, SECOND)),
        )

    def returns(self) -> list[float]:
        """1 for the winner, a half each for a draw; zeros before the end."""
        if self.awaiting != OVER:
            return [0.0, 0.0]
        seat, _ = self.verdict()
        if seat < 0:
            return [0.5, 0.5]
        return [1.0, 0.0] if self.player_in(seat) == 0 else [0.0, 1.0]

    def standings(self) -> list[Standing]:
        """PP-53…PP-55: who won and what decided it; before the end, who leads on the Wealth counted so far."""
        first: i64 = self.total(FIRST)
        second: i64 = self.total(SECOND)
        if self.awaiting != OVER:
            better = -1 if first == second else (0 if first > second else 1)
            reason = "The game is not over; this is the Wealth counted so far."
        else:
            better, decided = self.verdict()
            reason = self._reason(decided)
        order = [SECOND, FIRST] if better == 1 else [FIRST, SECOND]
        places = [1, 1] if better == -1 else [1, 2]
        return [
            Standing(int(self.player_in(seat)), places[i], float(self.total(seat)), reason)
            for i, seat in enumerate(order)
        ]

    def _reason(self, decided: str) -> str:
        return reason_told(
            decided,
            [int(self.total(FIRST)), int(self.total(SECOND))],
            [int(self.end_sheet(FIRST).longest), int(self.end_sheet(SECOND).longest)],
            [int(count(controls(self.markers, FIRST))), int(count(controls(self.markers, SECOND)))],
        )

    # --- what is told ------------------------------------------------------------------------------------------

    def _tell(self, kind: str, player: i64, args: Mapping[str, object]) -> None:
        """Everything is public, and nothing is learned that the action did not say."""
        if self.events is not None:
            self.events.append(Event(kind, int(player), args))

    def _tell_pulled(self, moves: list[dict[str, object]], seat: i64, by: str) -> None:
        self._tell("pulled", self.player_in(seat), {"by": by, "moves": moves})

    def _move_told(self, kind: i64, steps: i64, lost: i64) -> dict[str, object]:
        return move_told(self.city, self.markers, kind, steps, lost)

    def _tell_the_end(self) -> None:
        """PP-43, PP-53: the end-of-game phase and the result."""
        if self.events is None:
            return
        self._tell("scored", -1, sheets_told(self.city, "end", self.end_sheet(FIRST), self.end_sheet(SECOND)))
        seat, decided = self.verdict()
        winner: i64 = -1 if seat < 0 else self.player_in(seat)
        totals = [int(self.total(self.seat_of(player))) for player in range(self.players)]
        reason = self._reason(decided)
        self._tell("ended", winner, {"totals": totals, "decided": decided, "reason": reason})

    # --- copies ------------------------------------------------------------------------------------------------

    def clone(self) -> "ProwlersState":
        """An exact copy, dice included: it will draw what this state will draw, so it is not safe to plan on.

        The copy collects no events. For planning take `resample`, which never copies the dice.
        """
        return self._copy(self.dice.clone())

    def resample(self, player: int, dice: Dice) -> "ProwlersState":
        """A copy with fresh dice. Nothing is hidden in this game, so nothing else can change."""
        self.knower(player)
        return self._copy(dice.fork())

    def _copy(self, dice: Dice) -> "ProwlersState":
        copy = ProwlersState(self.game, self.players, dice, self.city)
        copy.passages_first = self.passages_first
        copy.passages_second = self.passages_second
        copy.statues_first = self.statues_first
        copy.statues_second = self.statues_second
        copy.cards_first = self.cards_first
        copy.cards_second = self.cards_second
        copy.markers = self.markers
        copy.turn = self.turn
        copy.awaiting = self.awaiting
        copy.bonus = self.bonus
        copy.lost_first = self.lost_first
        copy.lost_second = self.lost_second
        copy.last = self.last
        copy.mid_turn = self.mid_turn
        copy.mid_first = self.mid_first
        copy.mid_second = self.mid_second
        return copy

    # --- dict form ---------------------------------------------------------------------------------------------

    def options(self) -> Mapping[str, object]:
        """The options this game was set up with."""
        return {
            "track_half_length": int(self.city.half_length),
            "mid_cards_count_for_market": self.city.count_mid_cards,
        }

    def position(self) -> dict[str, object]:
        """PP-I12: the set-up and all that changes, in readable ids; position.py says what each part means."""
        city = self.city
        tables = city.tables
        lines = tables.passageway_ids
        mid: dict[str, object] | None = None
        if self.mid_first is not None and self.mid_second is not None:
            mid = {
                "turn": int(self.mid_turn),
                "first": self.mid_first.lines(),
                "second": self.mid_second.lines(),
            }
        return {
            "seats": {"first": int(city.first), "second": int(1 - city.first)},
            "hexes": {
                site: {"hex": tables.hex_ids[city.hexes[i]], "rotation": city.rotations[i]}
                for i, site in enumerate(tables.site_ids)
            },
            "tiles": {
                line: {"tile": tables.tile_ids[city.tiles[i]], "face": FACES[city.faces[i]]}
                for i, line in enumerate(lines)
            },
            "cards": {tables.card_ids[card]: _holder(self.cards_first, self.cards_second, card) for card in city.cards},
            "passages": {
                "first": [lines[line] for line in members(self.passages_first)],
                "second": [lines[line] for line in members(self.passages_second)],
            },
            "statues": {
                statue: _holder(self.statues_first, self.statues_second, i)
                for i, statue in enumerate(tables.statue_ids)
            },
            "markers": {kind: int(space(self.markers, i)) for i, kind in enumerate(DISTRICTS)},
            "lost": {"first": int(self.lost_first), "second": int(self.lost_second)},
            "bonus": BONUS[self.bonus],
            "turn": int(self.turn),
            "awaiting": ASKED[self.awaiting],
            "last": None if self.last < 0 else lines[self.last],
            "mid": mid,
        }


def _holder(first: i64, second: i64, member: i64) -> str | None:
    if has(first, member):
        return "first"
    return "second" if has(second, member) else None


def deal(game: "Game", players: int, options: Mapping[str, Any], dice: Dice) -> State:
    """PP-01…PP-09: a new game."""
    tables = tables_for(game)
    city = dealt_city(tables, dice, options["track_half_length"], options["mid_cards_count_for_market"])
    return ProwlersState(game, players, dice, city)
