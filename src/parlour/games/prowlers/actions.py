"""What a player may be asked in Prowler's Passage, declared once: codes, ids, words and targets follow from here."""

from __future__ import annotations

from parlour.games.prowlers.box import BOX, DISTRICTS, FACES, PASSAGEWAYS
from parlour.games.prowlers.rules import BONUS_CODE, GOLDEN_CODE, PLACE_CODE, ProwlersState
from parlour.kernel import Action, ActionSpace, ActionType, Decision, State

DECLINE = "decline"

DISTRICT_NAMES = {district: district.capitalize() for district in DISTRICTS}
FACE_NAMES = dict(
    zip(FACES, ("some gold", "a book", "some jewels", "a key", "a golden shovel", "a double shovel"), strict=True)
)
LINE_NAMES = {line: passageway.name for line, passageway in BOX.spec.board.passageways.items()}

PLACE = ActionType(
    name="place",
    first=PLACE_CODE,
    values=PASSAGEWAYS,
    words="Dig here: {value}",
    target="edge",
    clause="PP-13",
    names=LINE_NAMES,
    arg="passageway",
)
GOLDEN = ActionType(
    name="golden",
    first=GOLDEN_CODE,
    values=DISTRICTS,
    words="Pull {value} with the golden shovel",
    target="marker",
    clause="PP-26",
    names=DISTRICT_NAMES,
    arg="district",
)
BONUS = ActionType(
    name="bonus",
    first=BONUS_CODE,
    values=(*DISTRICTS, DECLINE),
    words="{value}",
    target="marker",
    clause="PP-08",
    names={
        **{district: f"Pull {name} one space toward you" for district, name in DISTRICT_NAMES.items()},
        DECLINE: "Leave the markers where they are",
    },
    arg="district",
)

ACTIONS = ActionSpace(
    [
        Decision("bonus_move", (BONUS,), "You play second: pull one marker a space toward you, or decline.", "PP-08"),
        Decision("place", (PLACE,), "Place a passage on any passageway that still has a tile.", "PP-13"),
        Decision("golden", (GOLDEN,), "Golden shovel: pull any one marker a space toward you.", "PP-26"),
    ]
)


def words_for(state: State, player: int, action: Action) -> Action:  # noqa: ARG001 - both see the same
    """A placement says which districts it runs between, what lies there and where it is."""
    if not isinstance(state, ProwlersState):
        raise TypeError("these words are for Prowler’s Passage.")
    if action.id == f"bonus:{DECLINE}":
        return action._replace(target="")
    if action.type != "place":
        return action
    city = state.city
    line = action.code - PLACE_CODE
    one, two = (DISTRICT_NAMES[city.kind_id(kind)] for kind in (city.kind_1[line], city.kind_2[line]))
    between = f"beside {one} twice" if one == two else f"between {one} and {two}"
    name = LINE_NAMES[PASSAGEWAYS[line]]
    text = f"Dig {between} and take {FACE_NAMES[city.face_id(city.faces[line])]} ({name})"
    # not `_replace`, which takes three times as long: a table says sixty of these when it begins
    return Action(action.code, action.id, action.type, action.args, text, action.target, action.clause)
