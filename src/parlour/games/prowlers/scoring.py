"""Scoring phases: what each category is worth to a player (PP-44…PP-52)."""

from typing import Final, final

from mypy_extensions import i64

from parlour.games.prowlers.city import City
from parlour.games.prowlers.tables import (
    BANKING,
    BOOK,
    CASTLE,
    DOUBLE,
    GOLD,
    GOLDEN,
    JEWELS,
    KEY,
    LOOTS,
    MARKET,
    POLITICAL,
    RESIDENTIAL,
)
from parlour.games.prowlers.track import controls, own_value
from parlour.games.prowlers.tunnels import longest_tunnel
from parlour.kernel.sets import count, has

CATEGORIES: Final = (
    "tunnel",
    "statues",
    "loot",
    "banking",
    "political",
    "market",
    "residential",
    "castle",
    "achievements",
)
"""The lines of a score sheet; the five in the middle are category 4, districts."""


@final
class Sheet:
    """One player's Wealth in one scoring phase, line by line. Never changed once written."""

    def __init__(
        self,
        tunnel: i64,
        statues: i64,
        loot: i64,
        banking: i64,
        political: i64,
        market: i64,
        residential: i64,
        castle: i64,
        achievements: i64,
        controlled: i64,
        longest: i64,
    ) -> None:
        self.tunnel = tunnel
        self.statues = statues
        self.loot = loot
        self.banking = banking
        self.political = political
        self.market = market
        self.residential = residential
        self.castle = castle
        self.achievements = achievements
        self.controlled = controlled
        """The district types held in this phase, as a set: a reward of 0 is not the same as no reward."""
        self.longest = longest
        """T: the length of the longest Tunnel."""

    def districts(self) -> i64:
        """PP-47: category 4, the rewards of all districts held."""
        return self.banking + self.political + self.market + self.residential + self.castle

    def total(self) -> i64:
        """All categories."""
        return self.tunnel + self.statues + self.loot + self.districts() + self.achievements

    def lines(self) -> dict[str, int | None]:
        """The sheet as it is written down; None for a district that is not held."""
        return {
            "tunnel": int(self.tunnel),
            "statues": int(self.statues),
            "loot": int(self.loot),
            "banking": int(self.banking) if has(self.controlled, BANKING) else None,
            "political": int(self.political) if has(self.controlled, POLITICAL) else None,
            "market": int(self.market) if has(self.controlled, MARKET) else None,
            "residential": int(self.residential) if has(self.controlled, RESIDENTIAL) else None,
            "castle": int(self.castle) if has(self.controlled, CASTLE) else None,
            "districts": int(self.districts()),
            "achievements": int(self.achievements),
            "total": int(self.total()),
            "longest": int(self.longest),
        }


def scored(
    city: City,
    passages: i64,
    statues: i64,
    cards: i64,
    market_cards: i64,
    markers: i64,
    seat: i64,
    at_end: bool,
) -> Sheet:
    """PP-41, PP-43: categories 1 to 4, and 5 at the end. `market_cards` are the cards the Market counts (PP-R16)."""
    tables = city.tables
    longest: i64 = longest_tunnel(tables, passages)
    controlled: i64 = controls(markers, seat)
    types: i64 = count(controlled)
    value: i64 = own_value(markers, MARKET, seat)
    return Sheet(
        tables.per_passage * longest,  # PP-44
        tables.per_statue * count(statues),  # PP-45
        loot(city, passages),
        banking(city, passages) if has(controlled, BANKING) else 0,
        political(city, passages, types) if has(controlled, POLITICAL) else 0,
        market(city, passages, count(market_cards), count(statues), value) if has(controlled, MARKET) else 0,
        residential(city, passages, longest) if has(controlled, RESIDENTIAL) else 0,
        castle(city, passages) if has(controlled, CASTLE) else 0,
        achievements(city, cards) if at_end else 0,
        controlled,
        longest,
    )


def held(city: City, passages: i64, face: i64) -> i64:
    """PP-19, PP-20: how many tiles with this face somebody holds: those that lay where their passages are."""
    return count(passages & city.showing[face])


def shovels(city: City, passages: i64) -> i64:
    """PP-20: shovel tokens held, whichever shovel they show."""
    return count(passages & (city.showing[GOLDEN] | city.showing[DOUBLE]))


def loot(city: City, passages: i64) -> i64:
    """PP-46: the table value for each loot."""
    wealth: i64 = 0
    for kind in range(LOOTS):
        wealth += city.tables.loot_wealth(held(city, passages, kind))
    return wealth


def banking(city: City, passages: i64) -> i64:
    """PP-48."""
    tables = city.tables
    return tables.banking_bonus + tables.per_loot[BANKING] * held(city, passages, GOLD)


def political(city: City, passages: i64, controlled: i64) -> i64:
    """PP-48, PP-R19: Political counts itself."""
    tables = city.tables
    return tables.per_loot[POLITICAL] * held(city, passages, BOOK) + tables.political_per_control * controlled


def market(city: City, passages: i64, cards: i64, statues: i64, value: i64) -> i64:
    """PP-49, PP-R20."""
    tables = city.tables
    return (
        tables.per_loot[MARKET] * held(city, passages, JEWELS)
        + tables.market_per_card * cards
        + tables.market_per_statue * statues
        + tables.market_per_space * value
    )


def residential(city: City, passages: i64, longest: i64) -> i64:
    """PP-50, PP-R17: every passage of the longest Tunnel from the third on."""
    tables = city.tables
    beyond: i64 = max(0, longest - tables.residential_from + 1)
    return tables.per_loot[RESIDENTIAL] * held(city, passages, KEY) + tables.residential_per_passage * beyond


def castle(city: City, passages: i64) -> i64:
    """PP-51, PP-R18: pairs within one loot, less the shovels; it may be below zero."""
    tables = city.tables
    pairs: i64 = 0
    for kind in range(LOOTS):
        pairs += held(city, passages, kind) >> 1
    return tables.castle_per_pair * pairs - tables.castle_per_shovel * shovels(city, passages)


def achievements(city: City, cards: i64) -> i64:
    """PP-52."""
    wealth: i64 = 0
    rest: i64 = cards
    while rest != 0:
        wealth += city.tables.wealth[count((rest & -rest) - 1)]
        rest &= rest - 1
    return wealth
