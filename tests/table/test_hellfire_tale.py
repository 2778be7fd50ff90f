"""HC-80…HC-92 at the table: words with a card, sealed words, the host's pencil, last words, what is taken home."""

from __future__ import annotations

import json
import random
from typing import Any

import pytest

from parlour.games.hellfire.box import BOASTS, BOX
from parlour.games.hellfire.rules import Hellfire
from parlour.table import acting, keepsakes
from parlour.table.clock import ClockRule
from parlour.table.entries import Kind
from parlour.table.house import House
from parlour.table.problems import Conflict, NotFound, NotYours, Unfit
from parlour.table.showing import all_lines, show, show_at
from tests.table.places import Clock, Party, house_at, party

pytestmark = pytest.mark.anyio
FOUR = ("me", "open", "open", "open")
NONE = {"clock": "none"}


async def say(here: Party, seat: int, action: int | str, text: str | None = None, lead: str | None = None) -> None:
    """An action with words."""
    await acting.act(here.house, here.table.slug, here.hash(seat), here.play.ply, action, text, lead=lead)


async def aside(here: Party, seat: int | None, host: bool = False, **wish: object) -> None:
    """Something beside the moves."""
    secret = None if seat is None else here.hash(seat)
    await keepsakes.aside(here.house, here.table.slug, secret, here.table.host_hash if host else None, wish)


def tale(here: Party, viewer: int | None = None, host: bool = False, now: float | None = None) -> dict[str, Any]:
    """The tale as somebody sees it."""
    found = keepsakes.document(here.table, viewer, host, here.house.now() if now is None else now)
    assert found is not None
    return found


def beats(here: Party, viewer: int | None = None) -> list[dict[str, Any]]:
    """All that has been told."""
    return [beat for chapter in tale(here, viewer)["chapters"] for beat in chapter["beats"]]


def teller(here: Party) -> int:
    """Whose turn it is."""
    assert isinstance(here.state, Hellfire)
    return int(here.state.storyteller)


async def close(here: Party, clock: Clock) -> None:
    """Everybody who has not answered passes, and the window closes."""
    for seat in list(here.play.asked()):
        if here.play.wants(seat):
            await here.act(seat, 0)
    clock.pass_(3.1)
    await here.house.tick(here.table)


async def to_the_tale(here: Party) -> int:
    """Through Step 1, quietly. Who tells."""
    while here.state.decision(teller(here)) != "tell":
        await here.act(teller(here), 0)
    return teller(here)


async def to_the_end(here: Party, clock: Clock, rng: random.Random, words: bool = False) -> None:
    """Play at random to the end of the game."""
    play = here.play
    while not play.over:
        wanting = [seat for seat in play.asked() if play.wants(seat)]
        if not wanting:
            clock.pass_(3.1)
            await here.house.tick(here.table)
            continue
        seat = rng.choice(wanting)
        legal = play.position_for(seat).legal_actions(seat)
        code = rng.choice(legal)
        if play.position_for(seat).decision(seat) in ("interrupt", "rechallenge") and rng.random() < 0.6:
            code = 0
        await say(here, seat, code, f"So said seat {seat}: [card]." if words and rng.random() < 0.5 else None)


# --- HC-80 ---------------------------------------------------------------------------------------------------------


async def test_hc_80_the_host_picks_a_title_or_it_is_rolled(sqlite: str, clock: Clock) -> None:
    """HC-80, HC-06: typed, 3 to 120 characters; else rolled from the box, and not from the game's own dice."""
    titles = {title.title for side in BOX.spec.titles.values() for title in side.values()}
    async with house_at(sqlite, now=clock) as house:
        typed = await party(house, "hellfire", FOUR, options=NONE, given={"title": "  Why the \n goose was  knighted "})
        assert "Why the goose was knighted" == tale(typed)["title"]
        rolled = await party(house, "hellfire", FOUR, options=NONE)
        assert tale(rolled)["title"] in titles
        for bad in ("Hm", "x" * 121):
            with pytest.raises(Unfit, match="3 to 120") as refused:
                await party(house, "hellfire", FOUR, options=NONE, given={"title": bad})
            assert "HC-80" == refused.value.clause
        with pytest.raises(Unfit, match="moral"):
            await party(house, "hellfire", FOUR, given={"moral": "None."})
        with pytest.raises(Unfit, match="nothing called"):
            await party(house, "prowlers", ("me", "open"), given={"title": "How we dug"})


async def test_hc_81_words_never_change_the_game(sqlite: str, clock: Clock) -> None:
    """HC-81: the same commits with and without words: the same positions, and another tale."""
    async with house_at(sqlite, now=clock) as house:
        seed = bytes(range(32))
        hashes, texts = [], []
        for words in (True, False):
            here = await party(house, "hellfire", FOUR, options=NONE, given={"title": "How we stole a lighthouse"})
            here.table.seed = seed
            here.play.seed = seed
            from parlour.kernel import SealedDice

            here.play.state = here.table.game.new_game(4, options=here.table.options, dice=SealedDice(seed))
            here.play.timeline[0][0].state = here.play.state.clone()
            rng = random.Random(3)
            chain = []
            for _ in range(80):
                if here.play.over:
                    break
                wanting = [seat for seat in here.play.asked() if here.play.wants(seat)]
                if not wanting:
                    clock.pass_(3.1)
                    await house.tick(here.table)
                    continue
                legal = here.play.position_for(wanting[0]).legal_actions(wanting[0])
                await say(here, wanting[0], rng.choice(legal), "It was [card], I swear." if words else None)
                chain.append(here.state.position_hash())
            hashes.append(chain)
            texts.append([beat["text"] for beat in beats(here)])
        assert hashes[0] == hashes[1]
        assert texts[0] != texts[1]


# --- HC-83 to HC-85: words with a card ----------------------------------------------------------------------------


async def test_hc_83_a_lead_in_and_a_text_come_with_the_first_card_of_a_turn(sqlite: str, clock: Clock) -> None:
    """HC-83, HC-84, HC-85: one action with the card; the lead-in is the frame; `[card]` the phrase; all cleaned."""
    async with house_at(sqlite, now=clock) as house:
        here = await party(house, "hellfire", FOUR, options=NONE)
        seat = await to_the_tale(here)
        assert isinstance(here.state, Hellfire)
        card = here.state.hand_list(seat)[0]
        name = BOASTS[card]
        await say(here, seat, f"tell:{name}", "  Behold:\n\t[card]\x00\x07 !  ", " It was\r\n raining. ")
        told = beats(here)
        assert ["opening", "boast"] == [beat["kind"] for beat in told]
        assert "It was raining." == told[0]["text"]
        assert f"Behold: {BOX.spec.boasts[name].phrase} !" == told[1]["text"]
        assert ["typed", "typed"] == [beat["source"] for beat in told]
        if here.play.in_window:
            await close(here, clock)
        second = here.state.hand_list(seat)[0]
        await say(here, seat, f"tell:{BOASTS[second]}", "", "No second lead-in.")
        assert ["opening", "boast", "boast"] == [beat["kind"] for beat in beats(here)]
        assert "grammar" == beats(here)[-1]["source"], "no text: the grammar writes it"
        assert "No second lead-in." not in json.dumps(tale(here))


async def test_hc_85_what_is_too_long_is_cut_and_refuses_nobody(sqlite: str, clock: Clock) -> None:
    async with house_at(sqlite, now=clock) as house:
        here = await party(house, "hellfire", FOUR, options=NONE)
        seat = await to_the_tale(here)
        assert isinstance(here.state, Hellfire)
        name = BOASTS[here.state.hand_list(seat)[0]]
        await say(here, seat, f"tell:{name}", "a" * 700, "b" * 700)
        lead, text = beats(here)
        assert "b" * 240 == lead["text"]
        assert text["text"].startswith("a" * 400 + " (")


async def undercut(house: House, clock: Clock, seed: int) -> tuple[Party, int, int, str]:
    """A window in which somebody can undercut: the table, who, the card's code, and the contested card's id."""
    for attempt in range(80):
        here = await party(house, "hellfire", FOUR, options=NONE)
        rng = random.Random(seed + attempt)
        for _ in range(40):
            play = here.play
            if play.in_window and not play.answers and here.state.decision(play.asked()[0]) == "interrupt":
                for seat in play.asked():
                    codes = [code for code in here.state.legal_actions(seat) if 1 <= code <= 100]
                    if codes:
                        assert isinstance(here.state, Hellfire)
                        return here, seat, codes[0], BOASTS[int(here.state.contested)]
            wanting = [seat for seat in play.asked() if play.wants(seat)]
            if not wanting:
                clock.pass_(3.1)
                await house.tick(here.table)
                continue
            await here.act(wanting[0], rng.choice(play.position_for(wanting[0]).legal_actions(wanting[0])))
    raise AssertionError("nobody could undercut")


async def test_hc_83_words_with_a_challenge_are_sealed_and_come_out_only_if_it_speaks(
    sqlite: str, clock: Clock
) -> None:
    """HC-83, section 6: nobody else has them in any form before the close; then they are a beat of the tale."""
    async with house_at(sqlite, now=clock) as house:
        here, seat, code, _ = await undercut(house, clock, 11)
        others = [viewer for viewer in (None, 0, 1, 2, 3) if viewer != seat]
        before = [show(here.table, viewer, page=True, now=clock()) for viewer in others]
        await say(here, seat, code, "I was there, under the table, and it was [card].")
        assert before == [show(here.table, viewer, page=True, now=clock()) for viewer in others]
        await close(here, clock)
        phrase = BOX.spec.boasts[BOASTS[code - 1]].phrase
        challenge = next(beat for beat in beats(here) if beat["kind"] == "challenge")
        assert f"I was there, under the table, and it was {phrase}." == challenge["text"]
        assert seat == challenge["seat"]


async def test_hc_83_sealed_words_of_a_card_that_did_not_speak_are_never_published(sqlite: str, clock: Clock) -> None:
    """HC-83, HC-89, HC-R03: taken back, beaten unheard, or cancelled: none of it is ever seen, nor exported."""
    async with house_at(sqlite, now=clock) as house:
        here, seat, code, _ = await undercut(house, clock, 23)
        await say(here, seat, code, "Unheard melodies: [card].")
        await acting.undo(house, here.table.slug, here.hash(seat), here.play.ply)
        await here.act(seat, 0)
        await close(here, clock)
        await to_the_end(here, clock, random.Random(1))
        everything = (
            json.dumps(tale(here)) + repr(all_lines(here.table, None)) + repr(show(here.table, None, page=True))
        )
        for form in ("markdown", "html", "text", "json"):
            everything += keepsakes.export(here.table, form, "full", clock()).text
        assert "Unheard melodies" not in everything


@pytest.mark.parametrize("story", ["generated", "silent"])
async def test_hc_83_where_the_grammar_or_nobody_tells_no_words_are_taken(
    sqlite: str, clock: Clock, story: str
) -> None:
    async with house_at(sqlite, now=clock) as house:
        here = await party(house, "hellfire", FOUR, options={**NONE, "story": story})
        seat = await to_the_tale(here)
        assert 0 == show(here.table, seat).text_limit
        assert isinstance(here.state, Hellfire)
        name = BOASTS[here.state.hand_list(seat)[0]]
        await say(here, seat, f"tell:{name}", "My own words, about [card].", "And a lead-in.")
        told = beats(here)
        assert "My own words" not in json.dumps(told)
        if story == "silent":
            assert [BOX.spec.boasts[name].name] == [beat["text"] for beat in told]
        else:
            assert {"grammar"} == {beat["source"] for beat in told}


# --- HC-85: the host's pencil --------------------------------------------------------------------------------------


async def test_hc_85_the_host_has_a_beat_written_by_the_grammar_instead(url: str, clock: Clock) -> None:
    """HC-85: at any time, the host alone, and for everybody; it stands after a restart, since it is in the log."""
    async with house_at(url, now=clock) as house:
        here = await party(house, "hellfire", FOUR, options=NONE)
        seat = await to_the_tale(here)
        assert isinstance(here.state, Hellfire)
        name = BOASTS[here.state.hand_list(seat)[0]]
        await say(here, seat, f"tell:{name}", "Something unfit for print about [card].")
        number = beats(here)[-1]["seq"]
        assert tale(here, host=True)["may_replace"]
        assert not tale(here)["may_replace"]
        with pytest.raises(Unfit, match="Only the host"):
            await aside(here, 1, replace=number)
        with pytest.raises(NotYours):
            await keepsakes.aside(house, here.table.slug, None, None, {"replace": number})
        hash_before, ply = here.state.position_hash(), here.play.ply
        await aside(here, None, host=True, replace=number)
        assert (hash_before, ply) == (here.state.position_hash(), here.play.ply)
        for viewer in (None, 0, 1, 2, 3):
            assert "unfit for print" not in json.dumps(tale(here, viewer))
        replaced = beats(here)[-1]
        assert "grammar" == replaced["source"]
        assert BOX.spec.boasts[name].phrase.casefold() in replaced["text"].casefold()
        with pytest.raises(Unfit, match="not typed"):
            await aside(here, None, host=True, replace=number)
        slug, text = here.table.slug, replaced["text"]
        house.forget(here.table)
        again = await house.table(slug)
        kept = keepsakes.document(again, None, False, clock())
        assert kept is not None
        assert text == kept["chapters"][-1]["beats"][-1]["text"]


# --- HC-90: the last words -----------------------------------------------------------------------------------------


async def finished(house: House, clock: Clock, timed: bool, seed: int = 5) -> Party:
    """A game just over."""
    more: dict[str, Any] = {"clock": ClockRule("live")} if timed else {"options": NONE}
    here = await party(house, "hellfire", FOUR, **more)
    await to_the_end(here, clock, random.Random(seed), words=True)
    return here


async def test_hc_90_last_words_are_sealed_for_90_seconds_and_come_out_together(url: str, clock: Clock) -> None:
    async with house_at(url, now=clock) as house:
        here = await finished(house, clock, timed=True)
        ended = here.play.timeline[-1][0].at
        assert ended + 90.0 == tale(here)["epilogue"]["until"]
        with pytest.raises(Unfit, match="Only the host"):
            await aside(here, 2, close_epilogue=True)
        others = [show(here.table, viewer, page=True, now=clock()) for viewer in (None, 0, 2, 3)]
        await aside(here, 1, epilogue="I have been in Belgium ever since.")
        assert others == [show(here.table, viewer, page=True, now=clock()) for viewer in (None, 0, 2, 3)]
        mine = tale(here, 1)["epilogue"]
        assert ("I have been in Belgium ever since.", False) == (mine["yours"], mine["asked"])
        with pytest.raises(Unfit, match="had your say"):
            await aside(here, 1, epilogue="And another thing.")
        with pytest.raises(Unfit, match="400 characters"):
            await aside(here, 2, epilogue="z" * 401)
        clock.pass_(ended + 89.9 - clock())
        assert [] == tale(here)["end"]
        clock.pass_(0.2)
        end = tale(here)["end"]
        assert ["epilogue", "closing"] == [beat["kind"] for beat in end]
        assert "I have been in Belgium ever since." == end[0]["text"]
        with pytest.raises(Unfit, match="closed"):
            await aside(here, 2, epilogue="Too late.")


async def test_hc_90_when_all_have_answered_they_are_published_at_once_in_the_order_of_play(
    sqlite: str, clock: Clock
) -> None:
    async with house_at(sqlite, now=clock) as house:
        here = await finished(house, clock, timed=True)
        version = here.table.version_for(None)
        for seat in (3, 1, 0):
            await aside(here, seat, epilogue="" if seat == 1 else f"Last words of {seat}.")
        assert version == here.table.version_for(None), "who has answered is nobody's to know"
        await aside(here, 2, epilogue="Last words of 2.")
        assert version != here.table.version_for(None), "everybody's page is told to look again"
        first = teller(here)
        order = [seat for seat in [(first + step) % 4 for step in range(4)] if seat != 1]
        end = tale(here)["end"]
        assert [f"Last words of {seat}." for seat in order] == [beat["text"] for beat in end[:-1]]
        assert "closing" == end[-1]["kind"]


async def test_hc_90_without_a_clock_it_waits_for_all_or_for_the_host(sqlite: str, clock: Clock) -> None:
    async with house_at(sqlite, now=clock) as house:
        here = await finished(house, clock, timed=False)
        await aside(here, 0, epilogue="I drank it.")
        clock.pass_(10_000.0)
        assert [] == tale(here)["end"]
        assert tale(here)["epilogue"]["until"] is None
        await aside(here, None, host=True, close_epilogue=True)
        assert "I drank it." == tale(here)["end"][0]["text"]
        assert tale(here)["epilogue"] is None


async def test_hc_90_the_page_is_told_when_the_90_seconds_are_over(sqlite: str, clock: Clock) -> None:
    """The table wakes itself: also after a restart in the middle of the last words."""
    async with house_at(sqlite, now=clock) as house:
        here = await finished(house, clock, timed=True)
        slug = here.table.slug
        assert here.table.timer is not None
        house.forget(here.table)
        again = await house.table(slug)
        assert again.timer is not None
        before = again.version_for(None)
        clock.pass_(91.0)
        keepsakes._look_again(house, again)
        assert before != again.version_for(None)


async def test_hc_90_no_last_words_before_the_end_and_none_in_a_silent_game(sqlite: str, clock: Clock) -> None:
    async with house_at(sqlite, now=clock) as house:
        here = await party(house, "hellfire", FOUR, options=NONE)
        assert tale(here)["epilogue"] is None
        with pytest.raises(Unfit, match="after the end"):
            await aside(here, 0, epilogue="Already?")
        silent = await party(house, "hellfire", FOUR, options={**NONE, "story": "silent"})
        await to_the_end(silent, clock, random.Random(2))
        assert tale(silent)["epilogue"] is None


# --- HC-91, HC-92, closed piles ------------------------------------------------------------------------------------


async def test_hc_91_before_the_end_there_is_a_transcript_and_after_it_two_editions(sqlite: str, clock: Clock) -> None:
    async with house_at(sqlite, now=clock) as house:
        here = await party(house, "hellfire", FOUR, options=NONE)
        seat = await to_the_tale(here)
        assert isinstance(here.state, Hellfire)
        name = BOASTS[here.state.hand_list(seat)[0]]
        await say(here, seat, f"tell:{name}", "A *starred* | <b>boast</b>: [card].")
        transcript = keepsakes.export(here.table, "markdown", "", clock())
        assert "tale-so-far.md" == transcript.name
        assert r"A \*starred\* \| \<b\>boast\</b\>" in transcript.text
        assert "The reckoning" not in transcript.text
        with pytest.raises(Unfit, match="when the game is over"):
            keepsakes.export(here.table, "markdown", "authorised", clock())
        with pytest.raises(Unfit, match="markdown, html, text, json"):
            keepsakes.export(here.table, "docx", "", clock())
        await to_the_end(here, clock, random.Random(4), words=True)
        await aside(here, None, host=True, close_epilogue=True)
        for form, media in (("markdown", "text/markdown"), ("html", "text/html"), ("json", "application/json")):
            full = keepsakes.export(here.table, form, "full", clock())
            short = keepsakes.export(here.table, form, "authorised", clock())
            assert media == full.media
            assert len(short.text) < len(full.text)
        full_html = keepsakes.export(here.table, "html", "full", clock()).text
        assert "<b>boast</b>" not in full_html
        kinds = {
            beat["kind"]
            for chapter in json.loads(keepsakes.export(here.table, "json", "authorised", clock()).text)["chapters"]
            for beat in chapter["beats"]
        }
        assert not kinds & {"patron", "outcome"}


async def test_310_with_closed_piles_nothing_reaches_back_beyond_the_previous_turn(sqlite: str, clock: Clock) -> None:
    """3.10 `piles = closed`: log, tale, transcript and the board as it was end at the start of the previous turn."""
    async with house_at(sqlite, now=clock) as house:
        here = await party(house, "hellfire", FOUR, options={**NONE, "piles": "closed"})
        play, rng = here.play, random.Random(9)
        turns: list[int] = []
        while len(turns) < 6 and not play.over:
            wanting = [seat for seat in play.asked() if play.wants(seat)]
            if wanting:
                code = rng.choice(play.position_for(wanting[0]).legal_actions(wanting[0]))
                await say(here, wanting[0], code, "A tale of [card].")
            else:
                clock.pass_(3.1)
                await house.tick(here.table)
            events = play.timeline[-1][0].events if play.timeline[-1][1] in (Kind.ACTION, Kind.CLOSE) else []
            turns += [play.ply for event in events if event.kind == "turn"]
        assert not play.over
        first = turns[-2]
        assert first == show(here.table, 0).recall
        assert all(line.ply >= first for line in all_lines(here.table, 0))
        assert all(line.ply >= first for line in show(here.table, None, page=True).log)
        with pytest.raises(Conflict, match="memory"):
            show_at(here.table, 0, first - 1)
        assert not show_at(here.table, 0, first).live
        assert 2 == len(tale(here)["chapters"])
        assert tale(here)["earlier"] > 0
        numbers = [chapter["number"] for chapter in tale(here)["chapters"]]
        transcript = keepsakes.export(here.table, "text", "", clock()).text
        assert 2 == transcript.upper().count("CHAPTER")
        assert numbers == sorted(numbers)
        await to_the_end(here, clock, rng)
        assert 0 == show(here.table, 0).recall
        assert all_lines(here.table, 0)[0].ply <= turns[0]
        assert len(tale(here)["chapters"]) > 6


async def test_a_game_without_a_keepsake_has_none(sqlite: str) -> None:
    async with house_at(sqlite) as house:
        here = await party(house, "prowlers", ("me", "open"))
        assert show(here.table, 0).keepsake is None
        with pytest.raises(NotFound):
            keepsakes.export(here.table, "html", "", 0.0)
        with pytest.raises(NotFound):
            await aside(here, 0, epilogue="?")
