"""The city of one game: hexes, tiles and cards as dealt, shared by all positions of that game (PP-01…PP-09)."""

from typing import Final, final

from librt.vecs import vec
from mypy_extensions import i64

from parlour.games.prowlers.box import DISTRICTS, FACES
from parlour.games.prowlers.tables import Tables
from parlour.kernel.dice import Dice
from parlour.kernel.sets import bit

SLOTS: Final[i64] = 3
ROTATIONS: Final[i64] = 3
SIDES: Final[i64] = 2
SEATS: Final[i64] = 2


@final
class City:
    """What the set-up settled for the whole game."""

    def __init__(
        self,
        tables: Tables,
        hexes: list[int],
        rotations: list[int],
        tiles: list[int],
        sides: list[int],
        cards: list[int],
        first: i64,
        half_length: i64,
        count_mid_cards: bool,
    ) -> None:
        self.tables = tables
        self.hexes = hexes
        self.rotations = rotations
        self.tiles = tiles
        self.sides = sides
        self.cards = cards
        self.first = first
        """The player in the seat `first`; the other is `second`."""
        self.half_length = half_length
        """L, the last space of the control track on either side (PP-R04)."""
        self.count_mid_cards = count_mid_cards
        """PP-R16: whether a mid card counts for the Market in the very phase that gives it."""

        kinds = [
            int(_kind_at(tables, hexes[site], rotations[site], slot))
            for site in range(len(hexes))
            for slot in range(SLOTS)
        ]
        self.kinds = _numbers(kinds)
        """The type of each district."""
        self.kind_1 = _numbers([kinds[tables.side_1[line]] for line in range(tables.passageways)])
        self.kind_2 = _numbers([kinds[tables.side_2[line]] for line in range(tables.passageways)])
        """PP-21: the types on the two sides of each passageway."""

        faces: list[int] = []
        showing: list[int] = [0] * len(FACES)
        for line in range(tables.passageways):
            face: i64 = tables.tiles[SIDES * tiles[line] + sides[line]]
            faces.append(face)
            showing[face] |= bit(line)
        self.faces = _numbers(faces)
        """The face up on each passageway."""
        self.showing = _numbers(showing)
        """The passageways on which a face is up."""
        dealt: i64 = 0
        for card in cards:
            dealt |= bit(card)
        self.dealt = dealt
        """The cards of this game, as a set."""

    def player_in(self, seat: i64) -> i64:
        """PP-01: the player who sits there; seat 0 is `first`."""
        return self.first if seat == 0 else 1 - self.first

    def seat_of(self, player: i64) -> i64:
        """PP-01: where a player sits."""
        return 0 if player == self.first else 1

    def kind_id(self, kind: i64) -> str:
        """The readable id of a district type."""
        return DISTRICTS[kind]

    def face_id(self, face: i64) -> str:
        """The readable id of a tile's face."""
        return FACES[face]


def dealt_city(tables: Tables, dice: Dice, half_length: i64, count_mid_cards: bool) -> City:
    """PP-09: the draws of the set-up, in this order."""
    sites = len(tables.site_ids)
    hexes = dice.sample(len(tables.hex_ids), sites)  # PP-02
    rotations = [int(dice.below(ROTATIONS)) for _ in range(sites)]  # PP-03
    tiles = list(range(len(tables.tile_ids)))
    dice.shuffle(tiles)  # PP-04
    sides = [int(dice.below(SIDES)) for _ in tiles]  # PP-04
    cards = dice.sample(len(tables.card_ids), tables.drawn)  # PP-06
    first: i64 = dice.below(SEATS)  # PP-01
    return City(tables, hexes, rotations, tiles, sides, cards, first, half_length, count_mid_cards)


def _kind_at(tables: Tables, hex_: i64, rotation: i64, slot: i64) -> i64:
    """PP-03: a hex turned clockwise by a third shows in each slot what the slot before it showed."""
    return tables.hexes[SLOTS * hex_ + (slot - rotation + ROTATIONS) % ROTATIONS]


def _numbers(values: list[int]) -> vec[i64]:
    return vec[i64]([i64(value) for value in values])
