"""What happened, in readable ids: what the events of the game carry. words.py makes sentences of it."""

from mypy_extensions import i64

from parlour.games.prowlers.box import DISTRICTS, FACES
from parlour.games.prowlers.city import City
from parlour.games.prowlers.scoring import Sheet
from parlour.games.prowlers.track import FIRST, SECOND, space


def passage_told(city: City, line: i64, turn: i64) -> dict[str, object]:
    """PP-13, PP-19: a passage, the districts on its two sides, and the tile that was taken."""
    return {
        "passageway": city.tables.passageway_ids[line],
        "districts": [DISTRICTS[city.kind_1[line]], DISTRICTS[city.kind_2[line]]],
        "tile": city.tables.tile_ids[city.tiles[line]],
        "face": FACES[city.faces[line]],
        "turn": int(turn),
    }


def statue_told(city: City, statue: i64) -> dict[str, object]:
    """PP-16: a statue that was taken, and where it stood, in words."""
    return {"statue": city.tables.statue_ids[statue], "where": city.tables.statue_names[statue]}


def move_told(city: City, markers: i64, kind: i64, steps: i64, lost: i64) -> dict[str, object]:
    """PP-22…PP-24: a marker's steps, made and lost, and where it stands now: on which player's side, how far out."""
    at: i64 = space(markers, kind)
    side: i64 = -1 if at == 0 else city.player_in(FIRST if at > 0 else SECOND)
    return {
        "district": DISTRICTS[kind],
        "steps": int(steps - lost),
        "lost": int(lost),
        "space": int(at),
        "value": abs(int(at)),
        "side": int(side),
    }


def card_told(city: City, card: i64) -> dict[str, object]:
    """PP-35, PP-38: an achievement card."""
    tables = city.tables
    return {"card": tables.card_ids[card], "title": tables.card_titles[card], "wealth": int(tables.wealth[card])}


def sheets_told(city: City, phase: str, first: Sheet, second: Sheet) -> dict[str, object]:
    """PP-41, PP-43: both sheets of a phase, by player."""
    sheets = [first.lines(), second.lines()]
    if city.first != FIRST:
        sheets.reverse()
    return {"phase": phase, "sheets": sheets}
