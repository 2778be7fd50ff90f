"""Answers left in advance, through the page: what the form offers, what stands, and when it counts."""

from __future__ import annotations

import re

import httpx
import msgspec
import pytest

from parlour import games
from parlour.kernel import members
from parlour.table.entries import Kind
from parlour.table.model import Instruction, InstructionRule, WindowModel
from parlour.table.problems import Unfit
from parlour.web import render, standing
from tests.table.places import Clock, toy
from tests.toys import bids
from tests.web.models import table
from tests.web.places import Site, site_at
from tests.web.test_render import check


def options_of(html: str, name: str) -> list[tuple[str, str]]:
    """The values and words of a select, by its name."""
    select = html.split(f'name="{name}">')[1].split("</select>")[0]
    return re.findall(r'<option value="([^"]*)">([^<]*)</option>', select)


def test_the_form_offers_every_window_and_what_one_may_look_at_in_it() -> None:
    html = render.page_table(table("bids", plies=1), csrf="a-token")
    check(html)
    form = html.split('class="order"')[1].split("</form>")[0]
    assert html.count('class="order"') == 1
    assert 'value="a-token"' in form
    assert 'name="decision" value="bid"' in form
    assert [("", "always"), ("prize", "the prize")] == options_of(form, "path")
    answers = options_of(form, "answer")
    assert ("pass", "Pass") == answers[0], "what takes no choosing stands first"
    assert ("", "Nothing: leave it to me") == answers[-1]
    assert 22 == len(answers)
    for field in re.findall(r'<(?:select|input type="text")[^>]*>', form):
        named = re.search(r'id="([^"]+)"', field)
        assert "aria-label=" in field or (named and f'for="{named[1]}"' in form), field


def test_hellfires_windows_look_at_the_card_and_its_suit() -> None:
    """HC-31, HC-42."""
    html = render.page_table(table("hellfire", plies=0))
    check(html)
    assert 2 == html.count('class="order"')
    offered = [path for path, _ in options_of(html, "path")]
    assert ["", "window.card.value", "window.card.suit"] == offered
    card = games.get("hellfire")
    state = card.new_game(4, seed=5)
    while state.decision(state.current_player) != "interrupt":
        player = state.current_player
        state.play(player, state.legal_actions(player)[-1])
    window = card.view_dict(state, None)["window"]
    assert isinstance(window, dict)
    assert {"value", "suit"} <= set(window["card"]), "the paths lead to something"


def test_it_is_for_those_who_have_a_seat_in_a_game_with_windows() -> None:
    for model in (table("bids", viewer=None), table("prowlers", viewer=0)):
        html = render.page_table(model)
        assert 'class="order"' not in html
        assert 'id="orders"' not in html
        assert "" == render.fragments(model)["orders"]


def test_a_game_that_offers_nothing_to_look_at_gets_always() -> None:
    toy(windows={"bid": ()})
    assert 'name="path"' not in render.page_table(table("bids", plies=1))
    assert 'name="answer"' in render.page_table(table("bids", plies=1))
    toy()
    closed = table("bids", plies=1)
    assert 'class="order"' not in render.page_table(closed)
    window = WindowModel(seats=[0, 1], opened=0.0, earliest_close=3.0)
    assert 'class="order"' in render.page_table(msgspec.structs.replace(closed, window=window, decision="bid"))


def test_what_stands_is_said_in_words() -> None:
    rule = InstructionRule("prize", "bid:card_07", among=[3, 4])
    orders = [Instruction("bid", [rule, InstructionRule("hand.-1", "bid:card_09", least=4.0)], "pass")]
    html = render.fragments(table("bids", plies=1, instructions=orders))["orders"]
    assert "If the prize is 3 or 4: bid card_07. If hand.-1 is at least 4: bid card_09. Otherwise: pass." in html
    assert 'data-do="instruct" data-with=\'{"decision": "bid"}\'' in html
    always = render.fragments(table("bids", plies=1, instructions=[Instruction("bid", [], "pass")]))["orders"]
    assert "Always: Pass." in always


def test_a_form_that_makes_no_sense_is_refused_in_a_sentence() -> None:
    toy_game, hellfire = games.get("bids"), games.get("hellfire")
    suit, value = "window.card.suit", "window.card.value"
    for game, given, said in (
        (toy_game, ("duel", "pass", "", "among", "", ""), "no decision called"),
        (toy_game, ("bid", "pass", "hand", "among", "3", "pass"), "cannot be made to depend"),
        (toy_game, ("bid", "pass", "", "among", "3", ""), "Choose under “When”"),
        (toy_game, ("bid", "pass", "prize", "among", " ", "pass"), "Write what the prize should be"),
        (toy_game, ("bid", "pass", "prize", "among", "3, four", "pass"), "not “four”"),
        (toy_game, ("bid", "pass", "prize", "least", "3, 4", "pass"), "one number"),
        (toy_game, ("bid", "pass", "prize", "about", "3", "pass"), "is compared by"),
        (toy_game, ("bid", "pass", "prize", "among", "3", ""), "otherwise"),
        (hellfire, ("interrupt", "interrupt:pass", suit, "least", "Crimes", "interrupt:pass"), "no more or less"),
        (hellfire, ("interrupt", "interrupt:pass", suit, "among", "Weather", "interrupt:pass"), "none of these: "),
    ):
        with pytest.raises(Unfit, match=said):
            standing.instruction_of(game, *given)
    assert standing.instruction_of(toy_game, "bid", "", "", "among", "", "") is None
    named = standing.instruction_of(hellfire, "interrupt", "interrupt:pass", suit, "among", "crimes or Objects", "x")
    assert (
        Instruction("interrupt", [InstructionRule(suit, "interrupt:pass", among=["crimes", "objects"])], "x") == named
    )
    nine = standing.instruction_of(hellfire, "interrupt", "interrupt:pass", value, "among", "9, 10", "x")
    assert Instruction("interrupt", [InstructionRule(value, "interrupt:pass", among=[9, 10])], "x") == nine


def test_several_cases_are_rules_in_their_order() -> None:
    """The first that fits is answered; the second and later ones have a number behind their names."""
    value, suit, low = "window.card.value", "window.card.suit", "interrupt:pass"
    form = {
        "answer": "a",
        "path": value,
        "how": "between",
        "value": "7 and 3",
        "otherwise": low,
        "decision": "interrupt",
    }
    form |= {"answer-2": "b", "path-2": suit, "how-2": "among", "value-2": "crimes"}
    form |= {"answer-4": "c", "path-4": value, "how-4": "most", "value-4": "1"}
    _, *more = standing.cases_of(form)
    assert ["b", "c"] == [case.answer for case in more]
    game = games.get("hellfire")

    def left(*more: standing.Case, answer: str = "a", path: str = value) -> Instruction | None:
        given = "7 and 3" if path else ""
        return standing.instruction_of(game, "interrupt", answer, path, "between", given, low, more)

    rules = [
        InstructionRule(value, "a", least=3.0, most=7.0),
        InstructionRule(suit, "b", among=["crimes"]),
        InstructionRule(value, "c", most=1.0),
    ]
    assert Instruction("interrupt", rules, low) == left(*more)
    for wrong, said in (
        ((standing.Case("b", "", "among", "3"),), "Case 2: Choose under “When”"),
        ((more[0], standing.Case("b", value, "least", "3, 4")), "Case 3: Write one number"),
        ((standing.Case("b", value, "between", "3"),), "Case 2: Write two numbers"),
    ):
        with pytest.raises(Unfit, match=said):
            left(*wrong)
    with pytest.raises(Unfit, match="Case 1 leaves the answer to you"):
        left(*more, answer="")
    with pytest.raises(Unfit, match="Case 1 is always so"):
        left(*more, path="")
    said = render.fragments(
        table(
            "bids",
            plies=1,
            instructions=[Instruction("bid", [InstructionRule("prize", "pass", least=3.0, most=7.0)], "pass")],
        )
    )["orders"]
    assert "If the prize is between 3 and 7: pass." in said


def test_the_form_is_drawn_again_with_a_case_more_or_fewer() -> None:
    """For those without scripts: what was filled in stays, and there is an end of it."""
    form = {
        "decision": "bid",
        "answer": "bid:card_07",
        "path": "prize",
        "how": "least",
        "value": '3"<',
        "otherwise": "pass",
    }
    two = standing.redrawn(form | {"more": "1"})
    assert [standing.Case("bid:card_07", "prize", "least", '3"<'), standing.Case()] == list(two["bid"].cases)
    html = render.page_table(table("bids", plies=1), "a-token", two)
    check(html)
    drawn = html.split('class="order"')[1].split("</form>")[0]
    assert "<details open><summary>" in html
    assert 2 == drawn.count("<fieldset")
    assert 'value="3&#34;&lt;"' in drawn
    assert '<option value="bid:card_07" selected>' in drawn.split('name="answer-2"')[0]
    assert re.search(r'name="answer-2" autofocus', drawn)
    assert 'name="fewer" value="2">' in drawn
    sent = form | {"path-2": "prize", "value-2": "9", "path-3": "prize", "value-3": "1"}
    assert ['3"<', "1"] == [case.value for case in standing.redrawn(sent | {"fewer": "2"})["bid"].cases]
    for odd in ("1", "9", "x", ""):
        assert 3 == len(standing.redrawn(sent | {"fewer": odd})["bid"].cases)
    full = form | {f"path-{number}": "prize" for number in range(2, 99)} | {"more": "1"}
    assert standing.MOST_CASES == len(standing.redrawn(full)["bid"].cases)
    assert re.search(
        r'name="more" value="1" hidden', render.page_table(table("bids", plies=1), "", standing.redrawn(full))
    )


async def fill_in(site: Site, slug: str, secret: str, **fields: str) -> httpx.Response:
    """Load the page as the seat's owner, and send its form."""
    site.client.cookies.set(f"seat_{slug}", secret)
    page = await site.client.get(f"/t/{slug}")
    token = page.text.split('class="order"')[1].split('name="_csrf_token" value="')[1].split('"')[0]
    return await site.client.post(f"/t/{slug}/instruct", data={"_csrf_token": token, **fields})


@pytest.mark.anyio
async def test_left_on_the_page_it_answers_at_the_close_and_not_before(url: str, clock: Clock) -> None:
    """It is shown to nobody else, evaluated as the window closes, and can be taken back."""
    async with site_at(url) as site:
        site.house.now = clock
        slug, heads = await site.party(3)
        secrets = [head["authorization"].removeprefix("Bearer ") for head in heads]
        held = site.house.tables[slug]
        assert held.play is not None
        play = held.play
        assert isinstance(play.state, bids.Bids)
        card = f"bid:card_{min(members(play.state.hands[1])) + 1:02}"
        for seat in (1, 2):
            given = {"decision": "bid", "answer": card, "path": "prize", "how": "least", "value": "3"}
            answer = await fill_in(site, slug, secrets[seat], **given, otherwise="pass")
            assert 303 == answer.status_code, answer.text
            assert f"/t/{slug}#away" == answer.headers["location"]
        mine = (await site.client.get(f"/t/{slug}")).text
        assert "If the prize is at least 3" in mine
        site.client.cookies.clear()
        for other in (heads[0], {}):
            seen = await site.client.get(f"/api/tables/{slug}", headers=other)
            page = await site.client.get(f"/t/{slug}", headers=other)
            assert "instructions" not in seen.json()
            assert "If the prize" not in page.text
        await site.client.post(f"/api/tables/{slug}/act", json={"ply": 0, "action": "call:modest"}, headers=heads[0])
        assert {} == play.answers, "nothing is answered before the close"
        taken = await site.client.post(f"/api/tables/{slug}/instruct", json={"decision": "bid"}, headers=heads[2])
        assert 200 == taken.status_code
        assert [2] == [seat for seat in play.waited_for() if seat != 0]
        again = {"decision": "bid", "answer": "pass"}
        await site.client.post(f"/api/tables/{slug}/instruct", json=again, headers=heads[2])
        await site.client.post(f"/api/tables/{slug}/act", json={"ply": 1, "action": "pass"}, headers=heads[0])
        assert {0} == set(play.answers)
        open_before = play.in_window
        clock.pass_(3.5)
        await site.house.tick(held)
        assert (True, False) == (open_before, play.in_window)
        close = (await site.house.storage.entries(held.id))[-1]
        assert Kind.CLOSE == close.kind
        code = bids.ACTIONS.code("bid", card)
        assert f'"1": [{code}], "2": [{bids.PASS}]' in (close.body or "")


@pytest.mark.anyio
async def test_a_forged_form_or_one_from_a_watcher_leaves_nothing(sqlite: str) -> None:
    async with site_at(sqlite) as site:
        slug, heads = await site.party(3)
        secret = heads[1]["authorization"].removeprefix("Bearer ")
        site.client.cookies.set(f"seat_{slug}", secret)
        await site.client.get(f"/t/{slug}")
        fields = {"_csrf_token": "x" * 40, "decision": "bid", "answer": "pass"}
        assert 403 == (await site.client.post(f"/t/{slug}/instruct", data=fields)).status_code
        wrong = await fill_in(site, slug, secret, decision="bid", answer="pass", path="prize", value="many")
        assert 422 == wrong.status_code
        site.client.cookies.delete(f"seat_{slug}")
        watching = await site.client.post(f"/api/tables/{slug}/instruct", json={"decision": "bid", "answer": "pass"})
        assert 403 == watching.status_code
        play = site.house.tables[slug].play
        assert play is not None
        assert {} == play.instructions
