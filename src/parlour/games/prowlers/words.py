"""The story of a game: one dry sentence for each event."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from parlour.games.prowlers.actions import DISTRICT_NAMES, FACE_NAMES
from parlour.kernel import Event

NUMBERS = ("no", "one", "two", "three", "four")
PHASES = {"mid": "Mid-game scoring", "end": "End-of-game scoring"}
PULLED_BY = {
    "passage": "That pulled",
    "double_shovel": "The double shovel pulled again:",
    "golden_shovel": "The golden shovel pulled",
}


def words(event: Event, names: Sequence[str]) -> str:
    """The event as a sentence; `names` are the players', by number. `*so*` marks emphasis."""
    name = names[event.player] if event.player >= 0 else ""
    args: Mapping[str, Any] = event.args
    match event.kind:
        case "declined":  # PP-08
            return f"{name}, who plays second, left the markers where they were."
        case "dug":  # PP-13, PP-19
            return f"{name} dug {_between(args['districts'])} and took {FACE_NAMES[args['face']]}."
        case "statue":  # PP-16
            return f"{name} closed the last way to {args['where']} and stole the *statue* there."
        case "pulled":  # PP-08, PP-22, PP-26, PP-27
            opening = PULLED_BY.get(args["by"], f"{name}, who plays second, pulled")
            return f"{opening} {_moved(args['moves'], names)}."
        case "mid_card" if not name:  # PP-38
            return f"Neither was ahead, so the card *{args['title']}* goes to nobody."
        case "card" | "mid_card":  # PP-35, PP-38
            return f"{name} earned the card *{args['title']}*."
        case "scored":  # PP-41, PP-43
            scores = ", ".join(f"{names[player]} {sheet['total']}" for player, sheet in enumerate(args["sheets"]))
            return f"{PHASES[args['phase']]}: {scores}."
        case "ended":  # PP-53…PP-55
            return f"{name} wins. {args['reason']}" if name else f"The game is over. {args['reason']}"
    raise ValueError(f"Prowler’s Passage knows no event {event.kind!r}.")


def _between(districts: Sequence[str]) -> str:
    one, two = (f"*{DISTRICT_NAMES[district]}*" for district in districts)
    return f"beside {one} twice" if one == two else f"between {one} and {two}"


def _moved(moves: Sequence[Mapping[str, Any]], names: Sequence[str]) -> str:
    """Each marker with where it came to; two that came to the same place are said together."""
    told = [(f"*{DISTRICT_NAMES[move['district']]}*", _whereto(move, names)) for move in moves]
    if len(told) == 2 and told[0][1] == told[1][1]:
        return f"{told[0][0]} and {told[1][0]} {told[0][1]}"
    return " and ".join(f"{district} {whereto}" for district, whereto in told)


def _whereto(move: Mapping[str, Any], names: Sequence[str]) -> str:
    where = "to the centre" if move["side"] < 0 else f"to {move['value']} on {_possessive(names[move['side']])} side"
    if not move["lost"]:
        return where
    lost = f"({NUMBERS[move['lost']]} {'step' if move['lost'] == 1 else 'steps'} lost at the end of the track)"
    return f"{where} {lost}" if move["steps"] else f"no further {lost}"


def _possessive(name: str) -> str:
    return f"{name}’" if name.endswith("s") else f"{name}’s"
