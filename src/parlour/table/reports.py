"""N18: a report of a fault keeps all that is needed to see it again, and is given back as a failing test."""

from __future__ import annotations

import json
import unicodedata

from sqlalchemy import insert

from parlour import __version__
from parlour.table import schema
from parlour.table.house import House
from parlour.table.live import Table
from parlour.table.showing import show
from parlour.table.timeline import line


async def keep_report(house: House, table: Table, seat: int | None, words: str) -> tuple[int, str]:
    """Store a report; its number, and the test for whoever sent it.

    What is stored holds the whole game. What is given back to a player while the game goes on holds only his own view.
    """
    play = table.play
    assert play is not None
    assert play.state is not None
    assert play.step is not None
    said = "".join(c for c in words if unicodedata.category(c) != "Cs")
    moves = [[player, code] for step in line(play.step) for player, code in step.moves]
    model = show(table, seat, page=True)
    body = {
        "parlour": __version__,
        "game": table.game.name,
        "version": table.game.version,
        "box": table.game.box_hash,
        "players": play.players,
        "options": table.options,
        "seed": table.seed.hex(),
        "moves": moves,
        "ply": play.ply,
        "seat": seat,
        "view": model.view,
        "choices": [choice.id for choice in model.choices],
        "position": play.state.to_dict()["position"],
        "words": said,
    }
    number = await house.storage.number(
        insert(schema.reports)
        .values(table_id=table.id, at=house.now(), body=json.dumps(body))
        .returning(schema.reports.c.id)
    )
    return number, _stub(table, number, seat, said, moves if play.over else None, model.clause)


def _stub(table: Table, number: int, seat: int | None, words: str, moves: list[list[int]] | None, clause: str) -> str:
    about = json.dumps(words or "Something is wrong here.")[1:-1]
    name = (clause or table.game.name).lower().replace("-", "_")
    head = [
        "from parlour import games",
        "from parlour.kernel import SealedDice",
        "",
        "",
        f"def test_{name}_report_{number}() -> None:",
        f'    """{clause + ": " if clause else ""}{about}"""',
        f"    game = games.get({table.game.name!r})",
    ]
    if moves is None:
        return "\n".join(
            [
                *head,
                f"    # Moves and seed are kept with report {number}, and handed out when the game is over.",
                f"    assert game.version == {table.game.version}",
                f"    raise AssertionError('report {number}: say here what the position of seat {seat} should be')",
                "",
            ]
        )
    return "\n".join(
        [
            *head,
            f"    dice = SealedDice(bytes.fromhex({table.seed.hex()!r}))",
            f"    state = game.new_game({len(table.chairs)}, options={table.options!r}, dice=dice)",
            f"    for player, action in {[tuple(move) for move in moves]!r}:",
            "        state.play(player, action)",
            "    raise AssertionError('say here what should be the case')",
            "",
        ]
    )
