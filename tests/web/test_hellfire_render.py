"""The Old Hellfire Club as HTML: every suit and Patron, every moment, and nothing that people type is ever markup."""

from __future__ import annotations

import contextlib
import random
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any

import msgspec
import pytest

from parlour import games
from parlour.games.hellfire.box import BOX, PATRONS, SUITS
from parlour.games.hellfire.rules import Hellfire
from parlour.table.model import Choice, GameCard, SeatModel, StandingModel, TableModel, WindowModel
from parlour.web import render
from tests.web.models import NAMES
from tests.web.test_render import check

GAME = games.get("hellfire")
FOLDER = Path(str(GAME.folder))
ART = (FOLDER / "art.svg").read_text(encoding="utf-8")
STYLE = (FOLDER / "style.css").read_text(encoding="utf-8")


def model_of(state: Hellfire, viewer: int | None = 0, **more: Any) -> TableModel:
    """The table's model of a position, as a page gets it."""
    choices = []
    decision = state.decision(viewer) if viewer is not None else ""
    if viewer is not None and decision:
        for code in state.legal_actions(viewer):
            said = GAME.describe(state, viewer, code)
            choices.append(Choice(said.code, said.id, said.text, said.target, said.type, said.clause))
    model = TableModel(
        slug="abc",
        title="T",
        game=GameCard("hellfire", GAME.title),
        options=dict(state.options()),  # type: ignore[arg-type]
        seats=[SeatModel(seat, NAMES[seat], "person", seat) for seat in range(state.players)],
        status="over" if state.is_over else "playing",
        ply=7,
        at=7,
        version="7.a.0.0",
        viewer=viewer,
        view=GAME.view_dict(state, viewer),
        prompt=GAME.actions.decisions[decision].prompt if decision else "",
        decision=decision,
        choices=choices,
        window=WindowModel([0, 2], 0.0, 3.0, 20.0) if state.sealed() else None,
        standings=[StandingModel(*one) for one in state.standings()] if state.is_over else [],
    )
    return msgspec.structs.replace(model, **more)


def found(wanted: Callable[[Hellfire], bool], players: int = 4, **options: object) -> Hellfire:
    """A position from random play."""
    for seed in range(300):
        state = GAME.new_game(players=players, seed=seed, options=options)
        rng = random.Random(seed)
        assert isinstance(state, Hellfire)
        while not state.is_over:
            if wanted(state):
                return state
            player = state.current_player
            legal = state.legal_actions(player)
            state.apply(player, rng.choice(legal[1:] if len(legal) > 1 and rng.random() < 0.7 else legal))
        if wanted(state):
            return state
    raise AssertionError("no such position")


MOMENTS: dict[str, tuple[Callable[[Hellfire], bool], int]] = {
    "discard": (lambda s: s.decision(0) == "discard_boast", 4),
    "tell": (lambda s: s.decision(0) == "tell" and len(s.row) > 1, 4),
    "window": (lambda s: s.decision(0) == "interrupt" and len(s.legal_actions(0)) > 1, 4),
    "chain": (lambda s: s.decision(0) == "rechallenge", 4),
    "eight": (lambda s: s.decision(0) == "interrupt", 8),
    "witness": (lambda s: s.decision(0) == "choose_witness", 2),
    "robbery": (lambda s: s.decision(0) == "patron_target", 5),
    "bailiff": (lambda s: s.decision(0) == "forced_discard", 4),
    "over": (lambda s: s.is_over, 3),
}


@pytest.mark.parametrize("viewer", [0, None])
@pytest.mark.parametrize("moment", MOMENTS)
def test_every_moment_renders_well_formed_and_every_choice_stands_in_the_list(moment: str, viewer: int | None) -> None:
    wanted, players = MOMENTS[moment]
    state = found(wanted, players)
    model = model_of(state, viewer)
    html = render.page_table(model)
    check(html)
    parts = render.fragments(model)
    for choice in model.choices:
        assert f'data-action="{choice.id}"' in parts["choices"]
        if choice.target:
            pieces = parts["hand"] + parts["board"] + parts["players"]
            does, on = re.escape(f'data-action="{choice.id}"'), re.escape(f'data-target="{choice.target}"')
            assert re.search(f"<button [^>]*{does}[^>]*{on}", pieces), "it can be pressed on the table"


def test_all_the_cards_names_are_on_the_page_and_none_that_is_hidden() -> None:
    state = found(lambda s: s.decision(0) == "tell" and len(s.row) > 1)
    parts = render.fragments(model_of(state))
    for card in state.hand_list(0):
        assert list(BOX.spec.boasts.values())[card].name in parts["hand"].replace("&#39;", "'")
    spectator = render.fragments(model_of(state, None))
    assert "" == spectator["hand"]
    assert "hf-below" not in "".join(spectator.values())


@pytest.mark.parametrize("suit", SUITS)
def test_22_every_suit_has_a_glyph_a_name_and_a_colour_of_its_own(suit: str) -> None:
    """2.2: told apart without colour; the colour in the style sheet is the box's."""
    symbols = {name: re.search(rf'<symbol id="hf-{name}" .*?</symbol>', ART, re.DOTALL) for name in SUITS}
    mine = symbols[suit]
    assert mine is not None
    others = {name: found_.group().replace(name, "") for name, found_ in symbols.items() if found_ and name != suit}
    assert mine.group().replace(suit, "") not in others.values()
    assert f"--hf-{suit}: {BOX.spec.suits[suit].colour.lower()};" in STYLE.lower()
    state = found(lambda s: any(card // 10 == SUITS.index(suit) for card in s.hand_list(0)))
    hand = render.fragments(model_of(state))["hand"]
    assert f"#hf-{suit}" in hand
    assert BOX.spec.suits[suit].name in hand
    assert f'id="hf-benefactor-{suit}"' in ART
    prizes = render.fragments(model_of(state))["prizes"]
    assert BOX.spec.benefactors[f"benefactor_{suit}"].name in prizes
    assert 1 == prizes.count(f'data-piece="benefactor-{suit}"')


@pytest.mark.parametrize("index", range(len(PATRONS)))
def test_24_every_patron_in_hand_shows_its_symbol_its_name_and_what_it_does(index: int) -> None:
    name = PATRONS[index]
    state = found(lambda s: s.patrons[0] == index)
    hand = render.fragments(model_of(state))["hand"].replace("&#39;", "'")
    patron = BOX.spec.patrons[name]
    assert patron.name in hand
    assert f"marked {patron.symbol}" in hand
    assert ("#hf-y" if patron.symbol == "Y" else "#hf-o") in hand
    picture = name[2:] if name[2:] in SUITS else f"patron-{name[2:]}"
    assert f"#hf-{picture}" in hand
    assert f'id="hf-{picture}"' in ART
    if name[2:] in SUITS:
        assert name[2:].capitalize() in hand
    else:
        assert patron.effect in hand


def test_21_a_purse_is_drawn_in_sixpences_and_pennies() -> None:
    """2.1: purse // 6 sixpences and purse % 6 pennies."""
    state = found(lambda s: any(purse >= 7 for purse in s.purses))
    players = render.fragments(model_of(state))["players"]
    seats = re.findall(r'<span class="hf-purse".*?<span class="hf-holds">', players, re.DOTALL)
    for seat, html in enumerate(seats):
        purse = int(state.purses[seat])
        assert (purse // 6, purse % 6) == (html.count("#hf-sixpence"), html.count("#hf-penny"))
        assert f"Purse: {purse} " in html


def test_a_benefactor_lies_in_the_pool_or_with_its_holder_and_travels_under_one_name() -> None:
    state = found(lambda s: any(holder >= 0 for holder in s.benefactors))
    prizes = render.fragments(model_of(state))["prizes"]
    pool, _, rows = prizes.partition("<tbody>")
    by_player = rows.split("<tr>")[1:]
    for index, suit in enumerate(SUITS):
        holder = int(state.benefactors[index])
        place = pool if holder < 0 else by_player[holder]
        assert f'data-piece="benefactor-{suit}"' in place


def test_the_chain_is_laid_out_downwards_with_who_showed_what() -> None:
    state = found(lambda s: s.decision(0) == "rechallenge" and len(s.spoken) > 1, 4)
    board = render.fragments(model_of(state))["board"]
    chain = board[board.index('class="hf-chain"') :]
    places = [chain.index(f'data-piece="card-{list(BOX.spec.boasts)[int(card)]}"') for card in state.spoken]
    assert places == sorted(places)
    assert len(state.spoken) - 1 == chain.count('class="beaten"')
    assert 1 == chain.count('class="lead"')
    for speaker in state.speakers:
        assert NAMES[int(speaker)] in chain


def test_310_with_closed_piles_the_page_shows_sizes_only() -> None:
    state = found(lambda s: s.turn > 6 and s.decision(0) == "tell", piles="closed")
    parts = render.fragments(model_of(state))
    html = "".join(parts.values())
    assert "hf-discards" not in html
    assert "hf-count" not in parts["prizes"]
    assert "The piles are closed" in parts["prizes"]
    assert "hf-below" not in parts["hand"], "the bookkeeper has nothing to go by"


def test_two_players_witnesses_and_the_card_turned_up() -> None:
    """HC-71: the new card is seen before the choice; each of the four can be pressed."""
    state = found(MOMENTS["witness"][0], 2)
    board = render.fragments(model_of(state))["board"]
    assert 4 == len(re.findall(r'data-action="witness:[1-4]"', board))
    assert "Just turned up" in board


# --- the tale ------------------------------------------------------------------------------------------------------

EVIL = "<script>alert(1)</script> & \"quotes\" 'n' </p><img src=x onerror=y> {{ 7*7 }} *stars* ~~no~~"


def document(text: str = EVIL, **more: Any) -> dict[str, Any]:
    """A tale with everything in it."""

    def beat(
        seq: int, kind: str, fate: str = "", source: str = "typed", phrase: list[int] | None = None
    ) -> dict[str, Any]:
        return {
            "turn": 1,
            "seq": seq,
            "seat": 1,
            "kind": kind,
            "card": "weapons_04" if kind in ("boast", "challenge", "rechallenge") else None,
            "patron": None,
            "text": text,
            "source": source,
            "fate": fate,
            "phrase": phrase,
            "struck": fate in ("lost", "cancelled", "beaten"),
        }

    beats = [
        beat(1, "opening", source="grammar"),
        beat(2, "boast", "pocketed", phrase=[0, 8]),
        beat(3, "boast", "lost"),
        beat(4, "challenge", "beaten"),
        beat(5, "rechallenge", "pocketed"),
        beat(6, "patron", source="grammar"),
        beat(7, "outcome", source="grammar"),
    ]
    chapter = {
        "number": 1,
        "turn": 1,
        "teller": 1,
        "heading": f"Chapter 1: in which {text} is believed",
        "beats": beats,
    }
    return {
        "title": text,
        "byline": f"as told by {text}",
        "story": "typed",
        "over": True,
        "earlier": 0,
        "chapters": [chapter],
        "end": [beat(8, "epilogue"), beat(9, "closing", source="grammar")],
        "epilogue": {"until": 5.0, "asked": False, "yours": text, "longest": 400, "may_close": True},
        "may_replace": True,
        "formats": ["markdown", "html", "text", "json"],
        "choices": ["full", "authorised"],
        **more,
    }


def test_hc_85_what_people_type_is_escaped_wherever_it_is_shown() -> None:
    """HC-85: in the tale beside the table and in print, in title, by-line, last words and names."""
    state = found(lambda s: s.is_over, 3)
    model = model_of(state, keepsake=document())
    model = msgspec.structs.replace(model, seats=[SeatModel(seat, EVIL, "person", seat) for seat in range(3)])
    for html in (render.page_table(model), render.keepsake(model)):
        check(html)
        assert "<script>alert" not in html
        assert "<img" not in html
        assert "49" not in re.sub(r"\d{3,}|[\d.]+[ )\"hvVMml-]", "", html) or "{{ 7*7 }}" in html
        assert "&lt;script&gt;alert(1)&lt;/script&gt;" in html


def test_hc_91_the_page_strikes_out_sets_off_and_marks() -> None:
    """HC-91: what was not believed struck through, challenges as quotations, the phrase bold, a drop capital."""
    state = found(lambda s: s.is_over, 3)
    html = render.keepsake(model_of(state, keepsake=document("Trusty revolver")))
    assert 2 == html.count("<s>")
    assert 2 == html.count("<blockquote")
    assert "<b>Trusty r</b>" in html
    assert 1 == html.count('class="hf-drop"')
    assert "What came of it" in html
    assert "The reckoning" in html
    for form in ("markdown", "html", "text", "json"):
        for choice in ("full", "authorised"):
            assert f"/api/tables/abc/keepsake/{form}?choice={choice}" in html


def test_hc_85_only_the_host_has_the_pencil() -> None:
    state = found(lambda s: s.decision(0) == "tell")
    host = render.fragments(model_of(state, keepsake=document(over=False, epilogue=None)))["keepsake"]
    guest = render.fragments(model_of(state, keepsake=document(over=False, epilogue=None, may_replace=False)))[
        "keepsake"
    ]
    assert 5 == host.count('data-do="aside"'), "every typed paragraph, and no other"
    assert "data-do" not in guest
    assert "hf-pencil" not in guest


@pytest.mark.parametrize("story", ["typed", "generated", "silent"])
def test_hc_83_words_are_asked_for_only_where_they_are_taken(story: str) -> None:
    state = found(lambda s: s.decision(0) == "tell" and s.attempts == 0, story=story)
    choices = render.fragments(model_of(state))["choices"]
    assert (story == "typed") == ('id="words"' in choices)
    assert (story == "typed") == ('id="lead"' in choices)
    window = found(lambda s: s.decision(0) == "interrupt", story=story)
    choices = render.fragments(model_of(window))["choices"]
    assert (story == "typed") == ('maxlength="240"' in choices)
    assert 'id="lead"' not in choices


def _code(id_: str) -> int:
    for decision in GAME.actions.decisions:
        with contextlib.suppress(KeyError):
            return GAME.actions.code(decision, id_)
    raise KeyError(id_)


@pytest.mark.parametrize("name", list(GAME.actions.decisions))
def test_hc_08_every_card_in_hand_may_be_chosen_or_says_why_not(name: str) -> None:
    """HC-08, HC-13, HC-15: what is pointed at is never deaf, whatever is asked, and a reason is given."""
    players = 2 if name == "choose_witness" else 4
    options = {"starter": "named"} if name == "choose_starter" else {}
    state = found(lambda s: bool(s.decision(s.current_player) == name), players, **options)
    for viewer in range(players):
        hand = render.fragments(model_of(state, viewer))["hand"]
        pieces = re.findall(r'<(?:button|div) [^>]*data-piece="(?:card|patron)-[^>]*>', hand)
        held = GAME.view_dict(state, viewer)["hand"]
        assert isinstance(held, list)
        assert len(pieces) == len(held) + (state.patrons[viewer] >= 0)
        for piece in pieces:
            asked = re.search(r'data-would="([^"]+)"', piece)
            if asked is None:
                assert "data-action=" in piece or ('"patron-' in piece and name == "patron_swap"), piece
                continue
            refusal = state.explain(viewer, _code(asked[1]))
            assert refusal is not None, piece
            assert refusal.sentence
            assert refusal.clause
