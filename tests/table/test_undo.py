"""N5, R5, R6, R7, R8: undo knows what was learnt; it is an entry of the log; redo puts back the identical position."""

from __future__ import annotations

import random
from itertools import permutations

import pytest

from parlour import games
from parlour.kernel import members
from parlour.table import acting
from parlour.table.clock import ClockRule, Downtimes
from parlour.table.entries import Entry, Kind
from parlour.table.live import Chair, Table
from parlour.table.play import Play
from parlour.table.problems import Conflict, Problem
from parlour.table.showing import show
from tests.table.places import HereBots, house_at, party, until
from tests.toys import bids


def new_play(players: int = 3, seed: int = 1, game: str = "bids", people: frozenset[int] | None = None) -> Play:
    everybody = frozenset(range(players)) if people is None else people
    play = Play(
        games.get(game),
        players,
        games.get(game).check_options({}),
        seed.to_bytes(32, "big"),
        ClockRule(),
        everybody,
        ["Ada", "Bob", "Cleo", "Dan"][:players],
        Downtimes(),
    )
    play.accept(Entry(1, Kind.DEAL, -1, 0, 0.0))
    return play


def shown(play: Play, seat: int | None) -> object:
    """Everything that a viewer is shown of the position."""
    chairs = [Chair(one, "person", play.names[one], "club", None) for one in range(play.players)]
    table = Table(
        1, "abc", "T", play.game, 1, "", {}, ClockRule(), True, play.seed, "", "", "playing", "", 0.0, chairs, play
    )
    model = show(table, seat, page=True)
    return (model.view, [choice.id for choice in model.choices], model.decision, model.window is None)


def do(play: Play, seat: int, code: int) -> None:
    prepared = play.prepare_act(seat, play.ply, code, None, 1.0)
    assert prepared.entry is not None
    play.accept(prepared.entry, prepared)
    close_if_due(play)


def close_if_due(play: Play) -> None:
    if play.in_window and all(play.complete(seat) for seat in play.asked()):
        prepared = play.prepare_close(1000.0)
        assert prepared.entry is not None
        play.accept(prepared.entry, prepared)


def random_step(play: Play, rng: random.Random) -> None:
    asked = [seat for seat in play.asked() if play.wants(seat)]
    seat = rng.choice(asked)
    do(play, seat, rng.choice(play.position_for(seat).legal_actions(seat)))


def reload(play: Play, entries: list[Entry]) -> Play:
    fresh = new_play(play.players, int.from_bytes(play.seed, "big"), play.game.name, play.people)
    for entry in entries[1:]:
        fresh.accept(entry)
    return fresh


@pytest.mark.parametrize("game", ["bids", "prowlers"])
@pytest.mark.parametrize("seed", range(6))
def test_n5_undo_at_every_ply_then_play_on_to_the_end(game: str, seed: int) -> None:
    """R7: at every step of random games whatever may be taken back is taken back, put back, and the game still ends."""
    rng = random.Random(seed)
    play = new_play(2, seed, game)
    while not play.over:
        random_step(play, rng)
        if play.over or play.in_window:
            continue
        for seat in range(play.players):
            depth = play.undo_depth(seat)
            if not depth:
                continue
            assert play.state is not None
            hash_before, dice_before = play.state.position_hash(), play.state.dice.to_dict()
            play.accept(Entry(play.seq + 1, Kind.UNDO, seat, depth, 2.0))
            assert play.state.legal_actions(play.asked()[0])
            for _ in range(depth):
                play.accept(Entry(play.seq + 1, Kind.REDO, seat, 1, 3.0))
            assert hash_before == play.state.position_hash(), "redo restores the identical hash"
            assert dice_before == play.state.dice.to_dict()
        if rng.random() < 0.3:  # and go on from the position that was taken back to
            seat = rng.randrange(play.players)
            if play.undo_depth(seat):
                play.accept(Entry(play.seq + 1, Kind.UNDO, seat, play.undo_depth(seat), 2.0))
        if play.ply > 400:
            while not play.over:
                random_step(play, rng)
    assert play.over


@pytest.mark.parametrize("game", ["bids", "prowlers"])
@pytest.mark.parametrize("seed", range(8))
def test_r6_after_a_free_undo_nobody_knows_more_than_before(game: str, seed: int) -> None:
    """Property: what every chair and the public see after a free undo equals what they saw before the move."""
    rng = random.Random(seed)
    play = new_play(2, seed, game)
    free = 0
    while not play.over:
        viewers: list[int | None] = [None, *range(play.players)]
        before = [shown(play, viewer) for viewer in viewers]
        was_window = play.in_window
        random_step(play, rng)
        if play.over or was_window:
            continue
        movers = [seat for seat in range(play.players) if play.undo_is_free(seat)]
        if movers:
            free += 1
            assert play.step is not None
            assert not any(event.reveals for event in play.step.events)
            play.accept(play.prepare_undo(movers[0], play.ply, 2.0))
            assert before == [shown(play, viewer) for viewer in viewers]
            play.accept(play.prepare_redo(movers[0], play.ply, 3.0))
    if game == "prowlers":
        assert free > 0


def test_n5_calling_modest_is_free_rolling_is_not() -> None:
    """A chance draw is never free to take back: its result has been seen."""
    modest = new_play()
    do(modest, 0, bids.MODEST)
    # the call opened a window: that it is free no more would tell that somebody has answered
    assert not modest.undo_is_free(0)
    bold = new_play(2, 5)
    do(bold, 0, bids.BOLD)
    assert bold.step is not None
    assert bold.step.chance
    assert bold.step.told
    with_one = bold.prepare_undo(0, bold.ply, 1.0)
    assert (Kind.ASK, "undo") == (with_one.kind, with_one.text), "the other is asked"


def test_r8_the_question_names_the_move_and_what_was_seen() -> None:
    play = new_play(2, 5)
    do(play, 0, bids.BOLD)
    play.accept(play.prepare_undo(0, play.ply, 1.0))
    question = play.question
    assert question is not None
    assert "Ada calls a bold prize" in question.words
    assert any("The prize is" in line for line in question.seen)
    assert any("same draws will come again" in line for line in question.seen)
    play.accept(play.prepare_vote(1, True, 2.0))
    outcome = play.prepare_outcome(3.0)
    assert outcome is not None
    assert Kind.UNDO == outcome.kind
    play.accept(outcome)
    assert "same" in play.notes[-1].text or "come again" in play.notes[-1].text
    assert play.state is not None
    assert 0 == play.state.prize  # type: ignore[attr-defined]
    # the dice stand where they stood: the same roll comes again
    do(play, 0, bids.BOLD)
    again = play.state.prize  # type: ignore[attr-defined]
    fresh = new_play(2, 5)
    do(fresh, 0, bids.BOLD)
    assert fresh.state is not None
    assert fresh.state.prize == again  # type: ignore[attr-defined]


def test_a_refused_question_changes_nothing_and_a_move_lets_it_lapse() -> None:
    play = new_play(2, 5)
    do(play, 0, bids.BOLD)
    assert play.state is not None
    before = play.state.position_hash()
    play.accept(play.prepare_undo(0, play.ply, 1.0))
    play.accept(play.prepare_vote(1, False, 2.0))
    assert play.question is None
    assert before == play.state.position_hash()
    play.accept(play.prepare_undo(0, play.ply, 3.0))
    for seat in (0, 1):
        do(play, seat, bids.PASS)
    assert play.question is None, "a vote dies with the position that called it"
    with pytest.raises(Conflict, match="no question"):
        play.prepare_vote(1, True, 4.0)


def test_a_question_that_nobody_answers_lapses() -> None:
    play = new_play(2, 5)
    do(play, 0, bids.BOLD)
    play.accept(play.prepare_undo(0, play.ply, 1.0))
    assert play.prepare_outcome(100.0) is None
    lapse = play.prepare_outcome(122.0)
    assert lapse is not None
    play.accept(lapse)
    assert play.question is None
    assert "The question has lapsed." == play.notes[-1].text


def test_only_those_asked_may_vote_and_nobody_for_himself() -> None:
    play = new_play(3, 5)
    do(play, 0, bids.BOLD)
    play.accept(play.prepare_undo(0, play.ply, 1.0))
    with pytest.raises(Conflict, match="your own question"):
        play.prepare_vote(0, True, 1.0)
    play.accept(play.prepare_vote(1, True, 1.0))
    assert play.prepare_outcome(1.0) is None, "Cleo has not said anything yet"
    play.accept(Entry(play.seq + 1, Kind.TAKEOVER, 2, 0, 1.0, "left"))
    assert play.prepare_outcome(1.0) is None, "the bot that sits in for Cleo has no say in what has become known"
    play.accept(Entry(play.seq + 1, Kind.RETURN, 2, 0, 2.0))
    play.accept(play.prepare_vote(2, True, 3.0))
    outcome = play.prepare_outcome(3.0)
    assert outcome is not None
    assert Kind.UNDO == outcome.kind


def test_bots_agree_at_once() -> None:
    play = new_play(2, 5, people=frozenset({0}))
    do(play, 0, bids.BOLD)
    assert Kind.UNDO == play.prepare_undo(0, play.ply, 1.0).kind


@pytest.mark.parametrize("players", [2, 3, 4])
def test_r18_any_order_of_answers_gives_the_same_position(players: int) -> None:
    """All permutations of a window's answers lead to the identical position, events and dice."""
    outcomes = set()
    for order in permutations(range(players)):
        play = new_play(players, 9)
        do(play, 0, bids.MODEST)
        answers = {seat: play.position_for(seat).legal_actions(seat)[seat % 2] for seat in range(players)}
        for seat in order:
            prepared = play.prepare_act(seat, play.ply, answers[seat], None, 1.0)
            assert prepared.entry is not None
            play.accept(prepared.entry, prepared)
        close_if_due(play)
        assert play.state is not None
        told = tuple(repr(event) for event in play.notes[-1].step.events)  # type: ignore[union-attr]
        outcomes.add((play.state.position_hash(), str(play.state.dice.to_dict()), told))
    assert 1 == len(outcomes)


def test_a_sealed_answer_can_be_taken_back_before_the_close_and_nobody_else_notices() -> None:
    play = new_play()
    do(play, 0, bids.MODEST)
    before = [shown(play, viewer) for viewer in (None, 0, 2)]
    mine = shown(play, 1)
    prepared = play.prepare_act(1, play.ply, play.position_for(1).legal_actions(1)[0], None, 1.0)
    assert prepared.entry is not None
    play.accept(prepared.entry, prepared)
    assert before == [shown(play, viewer) for viewer in (None, 0, 2)]
    assert mine != shown(play, 1)
    entry = play.prepare_undo(1, play.ply, 1.0)
    assert Kind.RETRACT == entry.kind
    play.accept(entry)
    assert mine == shown(play, 1)
    assert before == [shown(play, viewer) for viewer in (None, 0, 2)]


def test_undo_in_a_window_is_offered_alike_whoever_has_answered() -> None:
    """That taking back is free no more would betray that somebody has answered."""
    play = new_play()
    do(play, 0, bids.MODEST)
    before = (play.undo_is_free(0), play.prepare_undo(0, play.ply, 1.0).kind)
    prepared = play.prepare_act(2, play.ply, bids.PASS, None, 1.0)
    assert prepared.entry is not None
    play.accept(prepared.entry, prepared)
    assert before == (play.undo_is_free(0), play.prepare_undo(0, play.ply, 1.0).kind)


@pytest.mark.parametrize("seed", range(5))
def test_the_log_alone_gives_the_same_play(seed: int) -> None:
    """Fold the entries again, from nothing: state, dice, story, timeline and questions are the same."""
    rng = random.Random(seed)
    play = new_play(3, seed)
    entries = [Entry(1, Kind.DEAL, -1, 0, 0.0)]

    def accept(entry: Entry) -> None:
        entries.append(entry)
        play.accept(entry)

    while not play.over and play.ply < 60:
        asked = [seat for seat in play.asked() if play.wants(seat)]
        mover = rng.choice(asked)
        wish = rng.choice(play.position_for(mover).legal_actions(mover))
        given = len(play.answers.get(mover, ()))
        prepared = play.prepare_act(mover, play.ply, wish, None, 1.0, given)
        assert prepared.entry is not None
        accept(prepared.entry)
        while play.in_window and not play.waited_for():
            closed = play.prepare_close(1.0 + 60.0 * play.ply)
            assert closed.entry is not None
            accept(closed.entry)
        if rng.random() < 0.4 and not play.over:
            seat = rng.randrange(3)
            try:
                accept(play.prepare_undo(seat, play.ply, 2.0))
                for other in list(play.question.electors) if play.question else []:
                    accept(play.prepare_vote(other, True, 2.0))
                outcome = play.prepare_outcome(2.0)
                if outcome:
                    accept(outcome)
            except Problem:
                continue
        assert play.state is not None
        fresh = reload(play, entries)
        assert fresh.state == play.state
        assert [note.text for note in fresh.notes] == [note.text for note in play.notes]
        assert (fresh.ply, fresh.seq, fresh.answers) == (play.ply, play.seq, play.answers)
        assert [shown(play, seat) for seat in range(3)] == [shown(fresh, seat) for seat in range(3)]


@pytest.mark.anyio
async def test_r5_undo_crosses_nobody_without_consent(url: str) -> None:
    """Through the house: the other person is asked; when he agrees, the move is taken back, by an entry."""
    from parlour.table import acting

    async with house_at(url) as house:
        here = await party(house, "prowlers", ("me", "open"))
        play = here.play
        first = play.asked()[0]
        while play.ply < 3:
            seat = play.asked()[0]
            await here.act(seat, here.state.legal_actions(seat)[0])
        assert play.undo_depth(first) > 0
        other = 1 - first
        hash_before = here.state.position_hash()
        asker = first if not play.undo_is_free(first) else other
        length = play.ply
        await acting.undo(house, here.table.slug, here.hash(asker), play.ply)
        assert play.question is not None
        assert hash_before == here.state.position_hash()
        await acting.vote(house, here.table.slug, here.hash(1 - asker), agree=True)
        await until(lambda: play.ply > length)
        assert hash_before != here.state.position_hash()
        kinds = [entry.kind for entry in await house.storage.entries(here.table.id)]
        assert [Kind.ASK, Kind.VOTE, Kind.UNDO] == kinds[-3:]
        assert 3 == kinds.count(Kind.ACTION), "nothing was deleted"


@pytest.mark.anyio
async def test_after_the_end_nothing_is_taken_back(sqlite: str) -> None:
    """The seed is open then: whoever took back would know every draw."""
    async with house_at(sqlite, bots=HereBots()) as house:
        here = await party(house, "prowlers", ("me", "open"))
        while not here.play.over:
            seat = members(here.state.actors())[0]
            await here.act(seat, here.state.legal_actions(seat)[0])
        with pytest.raises(Conflict, match="shuffles are open"):
            here.play.prepare_undo(0, here.play.ply, 1.0)


@pytest.mark.anyio
@pytest.mark.parametrize("why", ["left", "clock"])
async def test_nobody_rewinds_what_somebody_played_before_he_went_away(url: str, why: str) -> None:
    """The bot that sits in agrees to nothing but what was played since and has told nobody anything."""
    async with house_at(url) as house:
        here = await party(house, "prowlers", ("me", "open"))
        house.bot_pause = lambda play: 0.0  # type: ignore[method-assign]
        rng = random.Random(3)
        for _ in range(6):
            seat = here.play.asked()[0]
            await here.act(seat, rng.choice(here.state.legal_actions(seat)))
        while here.play.asked() != [0]:
            await here.act(1, rng.choice(here.state.legal_actions(1)))
        before = here.play.ply
        await house.write(here.table, Entry(here.play.seq + 1, Kind.TAKEOVER, 1, 0, house.now(), why))
        assert not show(here.table, 0).undo.free
        with pytest.raises(Conflict, match="would have to agree and is not here"):
            await acting.undo(house, here.table.slug, here.hash(0), here.play.ply)
        assert before == here.play.ply
        await here.act(0, rng.choice(here.state.legal_actions(0)))
        await until(lambda: here.play.asked() == [0] or here.play.over)
        assert show(here.table, 0).undo.free, "what was played since, with the bot"
        depth = here.play.step.depth if here.play.step else 0
        await acting.undo(house, here.table.slug, here.hash(0), here.play.ply)
        assert here.play.step is not None
        assert here.play.step.depth < depth
        with pytest.raises(Conflict, match="would have to agree"):
            await acting.undo(house, here.table.slug, here.hash(0), here.play.ply)


def test_whoever_is_away_is_asked_about_what_has_become_known() -> None:
    """Nobody looks at a roll, takes it back and chooses otherwise, while the others cannot object."""
    play = new_play(people=frozenset({0, 1}))
    play.accept(Entry(play.seq + 1, Kind.TAKEOVER, 1, 0, 2.0, "left"))
    state = play.state
    assert state is not None
    rolled = next(code for code in state.legal_actions(0) if "bold" in play.game.describe(state, 0, code).id)
    do(play, 0, rolled)
    assert play.step is not None
    assert play.step.told
    with pytest.raises(Conflict, match="Bob would have to agree and is not here"):
        play.prepare_undo(0, play.ply, 3.0)
    play.accept(Entry(play.seq + 1, Kind.RETURN, 1, 0, 4.0))
    assert Kind.ASK == play.prepare_undo(0, play.ply, 5.0).kind
