"""The piece on which the last step was chosen: marked on the board, where nothing is hidden."""

from __future__ import annotations

import random
from typing import Any

import pytest

from parlour.table import acting
from parlour.table.showing import show, show_at
from tests.table.places import house_at, party

pytestmark = pytest.mark.anyio


async def test_pp_26_the_marker_of_a_golden_pull_is_the_last_piece_touched(sqlite: str) -> None:
    """PP-13, PP-26: a passage is dug, then a marker pulled; each is named until the next step."""
    chance = random.Random(4)
    async with house_at(sqlite) as house:
        here = await party(house, "prowlers", ("me", "open"))
        assert "" == show(here.table, 0).touched, "nothing has been touched yet"
        while here.state.decision(here.state.current_player) != "golden":
            player = here.state.current_player
            await here.act(player, chance.choice(here.state.legal_actions(player)))
        dug = show(here.table, None).touched
        last = here.play.game.view_dict(here.state, None)["last"]
        assert f"edge:{last}" == dug
        player, ply = here.state.current_player, here.play.ply
        choice = here.play.game.describe(here.state, player, here.state.legal_actions(player)[0])
        await here.act(player, choice.code)
        assert choice.id.replace("golden", "marker") == show(here.table, 1).touched
        assert dug == show_at(here.table, 1, ply).touched
        await acting.undo(house, here.table.slug, here.hash(player), here.play.ply)
        if here.play.question is not None:
            await acting.vote(house, here.table.slug, here.hash(1 - player), agree=True)
        assert dug == show(here.table, 0).touched, "taken back, the passage is the last again"


async def test_where_hands_are_hidden_nothing_is_said(sqlite: str) -> None:
    async with house_at(sqlite) as house:
        here = await party(house)
        await here.act(0, "call:modest")
        assert ["", "", ""] == [show(here.table, seat).touched for seat in (0, 1, None)]


async def test_a_view_is_made_once_for_a_position_whoever_comes_and_goes(sqlite: str) -> None:
    """It changes with the position and not otherwise: not when somebody comes in, but when a move is taken back."""
    async with house_at(sqlite) as house:
        here = await party(house, "prowlers", ("me", "open"))

        def board() -> object:
            seen: list[Any] = [show(here.table, seat).view for seat in (0, 1, None)]
            assert seen[0].board is seen[1].board is seen[2].board
            fresh = here.play.game.view(here.state, None)
            assert fresh == seen[2]
            return table.position_view[1]

        table = here.table
        first = board()
        table.present[1] = 1
        table.touch()
        assert board() is first
        player = here.state.current_player
        await here.act(player, here.state.legal_actions(player)[0])
        second = board()
        assert second is not first
        assert second != first
        await acting.undo(house, table.slug, here.hash(player), here.play.ply)
        if here.play.question is not None:
            await acting.vote(house, table.slug, here.hash(1 - player), agree=True)
        assert first == board()
