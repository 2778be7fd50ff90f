"""The box as tables for the rules: built once for a box, shared by every position of every game played with it."""

from itertools import combinations
from typing import TYPE_CHECKING, Final, final

from librt.vecs import vec
from mypy_extensions import i64

from parlour.games.prowlers.box import CONDITIONS, DISTRICTS, FACES, SLOTS, Spec
from parlour.kernel.sets import bit, count

if TYPE_CHECKING:
    from parlour.kernel.game import Game

# District types, loots and faces by number, in the box's fixed order; loot i belongs to district type i.
BANKING: Final[i64] = 0
POLITICAL: Final[i64] = 1
MARKET: Final[i64] = 2
RESIDENTIAL: Final[i64] = 3
CASTLE: Final[i64] = 4
TYPES: Final[i64] = 5

GOLD: Final[i64] = 0
BOOK: Final[i64] = 1
JEWELS: Final[i64] = 2
KEY: Final[i64] = 3
LOOTS: Final[i64] = 4
GOLDEN: Final[i64] = 4
DOUBLE: Final[i64] = 5

# What an achievement card asks for, in the order of the box's CONDITIONS.
STATUES: Final[i64] = 0
TUNNELS: Final[i64] = 1
SURROUND: Final[i64] = 2
LOOT_SETS: Final[i64] = 3
CONTROL: Final[i64] = 4
MATCH: Final[i64] = 5
MID_TUNNEL: Final[i64] = 6
MID_CONTROL: Final[i64] = 7


@final
class Tables:
    """Every number of the box, by index. Sets are bit sets of passageways, vertices or cards."""

    def __init__(self, spec: Spec) -> None:
        self.spec = spec
        self._read_board(spec)
        self._read_numbers(spec)
        self._read_components(spec)

    def _read_board(self, spec: Spec) -> None:
        """PP-R01: which passageways meet where, and which districts they part."""
        self.passageway_ids: list[str] = list(spec.board.passageways)
        self.vertex_ids: list[str] = list(spec.board.vertices)
        self.site_ids: list[str] = list(spec.board.sites)
        self.district_ids: list[str] = [f"{site}_{slot}" for site in self.site_ids for slot in SLOTS]
        self.passageways: i64 = len(self.passageway_ids)
        self.everywhere: i64 = bit(self.passageways) - 1

        ends: list[int] = []
        parity: list[int] = []
        sides: list[list[int]] = [[], []]
        meeting: list[int] = [0] * len(self.vertex_ids)
        around: list[int] = [0] * len(self.district_ids)
        for line, passageway in enumerate(spec.board.passageways.values()):
            one, two = [self.vertex_ids.index(end) for end in passageway.ends]
            ends.append(one + two)
            parity.append(bit(one) | bit(two))
            meeting[one] |= bit(line)
            meeting[two] |= bit(line)
            for side in range(2):
                district = self.district_ids.index(passageway.sides[side])
                sides[side].append(district)
                around[district] |= bit(line)
        beside = [0] * len(ends)
        for lines in meeting:
            for line in range(len(ends)):
                if lines >> line & 1:
                    beside[line] |= lines
        self.ends = _numbers(ends)
        """Both vertices of a passageway added up: the sum less one end is the other."""
        self.parity = _numbers(parity)
        """Both vertices of a passageway, as a set."""
        self.meeting = _numbers(meeting)
        """The passageways at a vertex."""
        self.beside = _numbers(beside)
        """The passageways that share a vertex with a passageway, itself too."""
        self.side_1 = _numbers(sides[0])
        self.side_2 = _numbers(sides[1])
        self.around = _numbers(around)
        """The passageways around a district."""
        self.rhombi = _numbers([lines for lines in around if count(lines) == 4])
        """The passageways around each district that has four (PP-37)."""

        places = [i for i, vertex in enumerate(spec.board.vertices.values()) if vertex.statue]
        self.statue_ids: list[str] = [self.vertex_ids[place] for place in places]
        self.statue_names: list[str] = [spec.board.vertices[name].name for name in self.statue_ids]
        self.statue_lines = _numbers([meeting[place] for place in places])
        """The passageways at each statue's vertex."""

    def _read_numbers(self, spec: Spec) -> None:
        self.passages: i64 = spec.turns.passages
        self.turns: i64 = 2 * spec.turns.passages
        self.mid_statues: i64 = spec.turns.mid_statues
        self.mid_turn: i64 = 2 * (spec.turns.passages - spec.turns.mid_reserve)
        """PP-R11: both reserves are down to the mid-game reserve after this turn."""
        self.first_mid_turn: i64 = min(self.mid_turn, self._fewest_for_statues(spec.turns.mid_statues))
        """PP-40: the mid-game phase cannot come sooner."""
        self.per_passage: i64 = spec.scoring.per_passage
        self.per_statue: i64 = spec.scoring.per_statue
        self.loot_table = _numbers(list(spec.scoring.loot_table))
        rewards = spec.districts
        self.per_loot = _numbers(
            [
                rewards.banking.per_loot,
                rewards.political.per_loot,
                rewards.market.per_loot,
                rewards.residential.per_loot,
            ]
        )
        self.banking_bonus: i64 = rewards.banking.bonus
        self.political_per_control: i64 = rewards.political.per_control
        self.market_per_card: i64 = rewards.market.per_card
        self.market_per_statue: i64 = rewards.market.per_statue
        self.market_per_space: i64 = rewards.market.per_space
        self.residential_from: i64 = rewards.residential.from_passage
        self.residential_per_passage: i64 = rewards.residential.per_passage
        self.castle_per_pair: i64 = rewards.castle.per_pair
        self.castle_per_shovel: i64 = rewards.castle.per_shovel

    def _fewest_for_statues(self, statues: int) -> int:
        """How many passages must lie before so many statues can be gone."""
        fewest = int(self.turns)
        for lines in combinations([int(lines) for lines in self.statue_lines], statues):
            together: i64 = 0
            for some in lines:
                together |= some
            fewest = min(fewest, int(count(together)))
        return fewest

    def _read_components(self, spec: Spec) -> None:
        self.hex_ids: list[str] = list(spec.hexes.clockwise)
        self.hexes = _numbers([DISTRICTS.index(kind) for kinds in spec.hexes.clockwise.values() for kind in kinds])
        """The type of slot i of hex h, not turned, at 3h + i."""
        self.tile_ids: list[str] = list(spec.tiles.faces)
        self.tiles = _numbers([FACES.index(face) for faces in spec.tiles.faces.values() for face in faces])
        """The face on side i of tile t, at 2t + i."""
        cards = spec.achievements.cards
        self.card_ids: list[str] = list(cards)
        self.card_titles: list[str] = [card.title for card in cards.values()]
        self.drawn: i64 = spec.achievements.drawn
        self.condition = _numbers([CONDITIONS.index(card.condition) for card in cards.values()])
        self.how_many = _numbers([card.how_many for card in cards.values()])
        self.at_least = _numbers([card.at_least for card in cards.values()])
        self.wealth = _numbers([card.wealth for card in cards.values()])

    def loot_wealth(self, tiles: i64) -> i64:
        """PP-46: the table, and n(n+1)/2 beyond it (PP-R03)."""
        if tiles < len(self.loot_table):
            return self.loot_table[tiles]
        return tiles * (tiles + 1) // 2


def _numbers(values: list[int]) -> vec[i64]:
    return vec[i64]([i64(value) for value in values])


_built: Final[dict[str, Tables]] = {}


def tables_for(game: "Game") -> Tables:
    """The tables of a game's box, built when it is first met."""
    box = game.box
    if box is None:
        raise TypeError("Prowler's Passage is played with a box.")
    if box.hash not in _built:
        _built[box.hash] = Tables(box.spec)
    return _built[box.hash]
