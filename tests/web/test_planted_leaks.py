"""The proof that nothing leaks can fail: leaks of many kinds are planted, and each is found where it was planted."""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

import pytest

from parlour import games
from parlour.kernel import Action, Dice, Etiquette, Game, Refusal, State, members
from parlour.table.problems import Conflict
from parlour.web import api, render
from tests.toys import bids
from tests.web.evening import Evening, house_of_secrets
from tests.web.subjects import BIDS

pytestmark = pytest.mark.anyio
Patch = pytest.MonkeyPatch
EVENINGS, LOOKS = 4, 30
TOY = replace(BIDS, players=(3,), options=({"rounds": 6},))


def toy(state: State) -> bids.Bids:
    assert isinstance(state, bids.Bids)
    return state


def next_card(state: State) -> int:
    """What nobody knows: the card on top of the deck."""
    deck = toy(state).deck
    return deck[-1] if deck else 0


class Talkative(bids.Bids):
    """A game that says too much where it is asked why."""

    def clone(self) -> Talkative:
        copy = super().clone()
        copy.__class__ = Talkative
        assert isinstance(copy, Talkative)
        return copy

    def explain(self, player: int, action: int) -> Refusal | None:
        refusal = super().explain(player, action)
        if refusal is None or action >= bids.CARDS:
            return refusal
        holders = [p for p in range(self.players) if self.hands[p] >> action & 1]
        return Refusal(f"That card is {'held by seat ' + str(holders[0]) if holders else 'with nobody'}.", "TOY-3")


class Careless(bids.Bids):
    """A game that tells everybody which card was drawn."""

    def clone(self) -> Careless:
        copy = super().clone()
        copy.__class__ = Careless
        assert isinstance(copy, Careless)
        return copy

    def _tell(self, kind: str, player: int, args: dict[str, object], seen: int = -1, reveals: int = 0) -> None:
        super()._tell(kind, player, args, -1, reveals)


def dealing(kind: type[bids.Bids]) -> Callable[..., State]:
    def deal(game: Game, players: int, options: Mapping[str, Any], dice: Dice) -> State:
        state = bids.deal(game, players, options, dice)
        state.__class__ = kind
        return state

    return deal


def in_a_view(patch: Patch) -> Game:
    """The view holds the card that will be drawn next."""

    def view(state: State, player: int | None) -> bids.BidsView:
        seen = bids.view(state, player)
        seen.discards = [*seen.discards, next_card(state) + 1]
        return seen

    return replace(bids.GAME, view=view)


def in_the_order_of_a_view(patch: Patch) -> Game:
    """The view names the discarded cards, which all know, in an order that follows a hidden hand."""

    def view(state: State, player: int | None) -> bids.BidsView:
        seen = bids.view(state, player)
        random.Random(next_card(state)).shuffle(seen.discards)
        return seen

    return replace(bids.GAME, view=view)


def in_a_sentence(patch: Patch) -> Game:
    """A refusal says who holds the card."""
    return replace(bids.GAME, deal=dealing(Talkative))


def in_a_list_of_choices(patch: Patch) -> Game:
    """The words of a choice say whether somebody holds a higher card."""

    def words(state: State, player: int, action: Action) -> Action:
        beaten = any(hand >> 18 for p, hand in enumerate(toy(state).hands) if p != player)
        return action._replace(text="Go on, and be beaten" if beaten else "Go on")

    return replace(bids.GAME, words_for=words)


def in_a_line_of_the_log(patch: Patch) -> Game:
    """Everybody is told which card was drawn."""
    return replace(bids.GAME, deal=dealing(Careless))


def in_a_limit(patch: Patch) -> Game:
    """How many words may be told depends on what others hold."""

    def limit(state: State, player: int, action: int) -> int:
        return 10 + next_card(state)

    return replace(bids.GAME, etiquette=replace(bids.GAME.etiquette, text_limit=limit))


def in_how_far_one_looks_back(patch: Patch) -> Game:
    """How far the table lets one look back depends on the deck."""
    etiquette: Etiquette = replace(bids.GAME.etiquette, recall=lambda state, steps: next_card(state) % 2)
    return replace(bids.GAME, etiquette=etiquette)


def in_a_size(patch: Patch) -> Game:
    """The page is longer by as many spaces as the first seat's lowest card counts, and says nothing else."""
    page, look = render.page_table, dict[str, int]()

    def view(state: State, player: int | None) -> bids.BidsView:
        look["lowest"] = members(toy(state).hands[0])[0] if toy(state).hands[0] else 0
        return bids.view(state, player)

    patch.setattr(render, "page_table", lambda *given: page(*given) + " " * look["lowest"])
    return replace(bids.GAME, view=view)


def in_a_refused_record(patch: Patch) -> Game:
    """The record cannot be had yet, and the sentence that says so counts what the first seat holds below ten."""

    def record_of(table: Any) -> Any:
        low = members(toy(table.play.state).hands[0] & 0x3FF)
        raise Conflict(f"The record can be had when the game is over; {len(low)} low cards are out.")

    patch.setattr(api, "record_of", record_of)
    return bids.GAME


PLANTED: list[tuple[Callable[[Patch], Game], set[str]]] = [
    (in_a_view, {"view", "fragments", "page", "stream api", "stream patch", "stream page", "view then"}),
    (in_the_order_of_a_view, {"view", "stream patch"}),
    (in_a_sentence, {"act", "why"}),
    (in_a_list_of_choices, {"view", "fragments", "page", "stream api", "stream patch", "stream page"}),
    (in_a_line_of_the_log, {"event"}),
    (in_a_limit, {"view", "stream api"}),
    (in_how_far_one_looks_back, {"view"}),
    (in_a_size, {"page", "page packed"}),
    (in_a_refused_record, {"record"}),
]


@pytest.mark.parametrize(("plant", "channels"), PLANTED, ids=[plant.__name__ for plant, _ in PLANTED])
async def test_a_planted_leak_is_found(
    sqlite: str, monkeypatch: Patch, plant: Callable[[Patch], Game], channels: set[str]
) -> None:
    found: set[str] = set()
    rng = random.Random(3)
    games.register(plant(monkeypatch))
    async with house_of_secrets(sqlite) as (site, clock):
        for _ in range(EVENINGS):
            evening = await Evening.begin(site, clock, TOY, rng)
            for _ in range(LOOKS):
                told = evening.told_too_much() if channels == {"event"} else await evening.leaks(all_of_it=True)
                names = {said.partition(", ")[2].partition(":")[0] for said in told}
                found |= {channel for channel in channels if any(name.startswith(channel) for name in names)}
                if found == channels:
                    return
                await evening.go_on()
    raise AssertionError(f"{channels - found} told nothing")


async def test_without_a_leak_nothing_is_found(sqlite: str) -> None:
    async with house_of_secrets(sqlite) as (site, clock):
        evening = await Evening.begin(site, clock, TOY, random.Random(3))
        for _ in range(12):
            assert [] == await evening.leaks(all_of_it=True)
            await evening.go_on()
