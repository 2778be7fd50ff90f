"""Table models for the render tests, made from real games."""

from __future__ import annotations

import random
from typing import Any

import msgspec

from parlour import games
from parlour.table.model import (
    Choice,
    GameCard,
    LogLine,
    SeatModel,
    StandingModel,
    TableModel,
    TalkLine,
    UndoModel,
)

NAMES = ["Ada", "Mr Croft", "Bell", "Mrs Gaunt", "Dr Quill", "Miss Thorne", "Lady Wick", "Mr Sallow"]


def table(game: str = "prowlers", plies: int = 8, viewer: int | None = 0, seed: int = 3, **more: Any) -> TableModel:
    """A table after some random plies, as one viewer may see it."""
    card = games.get(game)
    state = card.new_game(seed=seed)
    chance = random.Random(seed)
    names = NAMES[: state.players]
    lines: list[LogLine] = []
    state.events = []
    ply = 0
    while ply < plies and not state.is_over:
        player = state.current_player
        state.play(player, chance.choice(state.legal_actions(player)))
        ply += 1
        lines += [LogLine(ply, said) for event in state.events if (said := card.words(event, names))]
        state.events.clear()
    mine = viewer is not None and not state.is_over and bool(state.decision(viewer))
    choices: list[Choice] = []
    declared = None
    if viewer is not None and mine:
        declared = card.actions.decisions[state.decision(viewer)]
        for code in state.legal_actions(viewer):
            action = card.describe(state, viewer, code)
            choices.append(
                Choice(action.code, action.id, action.text, action.target, action.type, action.clause, "It *moves*.")
            )
    model = TableModel(
        slug="abc234def567",
        title=card.title,
        game=GameCard(card.name, card.title, card.blurb, card.cloth),
        options={},
        seats=[
            SeatModel(seat, name, "person" if seat == 0 else "bot", seat, strength="club", present=True)
            for seat, name in enumerate(names)
        ],
        status="over" if state.is_over else "playing",
        ply=ply,
        at=ply,
        version=f"{ply}.a.0.0",
        viewer=viewer,
        view=card.view_dict(state, viewer),
        prompt=declared.prompt if declared else "",
        clause=declared.clause if declared else "",
        choices=choices,
        log=lines,
        talk=[TalkLine(1, "Mr Croft", "I say, that was my <b>tunnel</b>.", 0.0, 1)],
        undo=UndoModel(),
        commitment="ab" * 32,
        standings=[StandingModel(s.player, s.place, s.score, s.reason) for s in state.standings()]
        if state.is_over
        else [],
        table_link="/t/abc234def567",
    )
    return msgspec.structs.replace(model, **more)
