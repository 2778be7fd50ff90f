"""The tale of one game (HC-81…HC-90): beats out of what happened and what people typed.

    tale = told(steps, asides, names=["Ada", "Bo"], title="How we stole a lighthouse", seed="gin")

`steps` are the public steps of the game in order (`Happened`): their events, and the texts that came with them by
player. A text is what `table.keep_words` kept of it: with the first card of a turn a lead-in may stand before it, on a
line of its own. Words that came with a sealed answer stay unused unless its card speaks. `asides` are what was said
beside the moves (`Remark`). The same steps, asides, names, title and seed always give the same tale. `printing.py`
prints it, `keepsake.py` hands it to a table.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any, Literal

import msgspec

from parlour.games.hellfire.box import BOX, SUITS, Spec
from parlour.games.hellfire.telling import CHALLENGE_LIMIT, LEAD_LIMIT, TEXT_LIMIT, capital, cleaned, tied, title_clause
from parlour.kernel import EVERYONE, Event
from parlour.kernel.keepsake import Happened

Kind = Literal["opening", "turn_open", "boast", "challenge", "rechallenge", "patron", "outcome", "epilogue", "closing"]
Fate = Literal["", "pending", "pocketed", "lost", "cancelled", "beaten"]


class Beat(msgspec.Struct):
    """HC-82: one paragraph. `seq` counts the published beats of the whole tale from 1; `seat` is -1 for the table's
    own. `fate` is "" for beats without a Boast card.
    """

    turn: int
    seq: int
    seat: int
    kind: Kind
    card: str | None
    patron: str | None
    text: str
    source: Literal["typed", "grammar"]
    fate: Fate = ""


class Chapter(msgspec.Struct):
    """HC-82: one turn. `outcome`: "" while it lasts, then as HC-91 heads it."""

    turn: int
    teller: int
    beats: list[Beat] = []
    outcome: Literal["", "believed", "found out", "nothing"] = ""


class Tale(msgspec.Struct):
    """The whole tale. `end` is the last part: what came of it, and the closing."""

    title: str
    names: list[str]
    seed: str
    story: str
    chapters: list[Chapter] = []
    end: list[Beat] = []
    over: bool = False
    first_after: int = 0
    """HC-90: whose turn it would have been."""

    def beats(self) -> list[Beat]:
        """All beats in order."""
        return [beat for chapter in self.chapters for beat in chapter.beats] + self.end


class Remark(msgspec.Struct):
    """Something said beside the moves, in time with them.

    `epilogue`: the texts of HC-90 by player, published together with the closing. `replace`: the host has the beat with
    this seq written by the grammar instead (HC-85).
    """

    at: float
    replace: int | None = None
    epilogue: Mapping[int, str] | None = None


class Picker:
    """HC-86: sentences out of the lists of the grammar, by hashing: the same seed, the same picks."""

    def __init__(self, seed: str, lists: Mapping[str, Sequence[str]]) -> None:
        self.seed = seed
        self.lists = lists
        self.picked = 0
        self.used: dict[str, list[int]] = {}

    def pick(self, name: str) -> str:
        """The next pick from a list."""
        return self.lists[name][self.index(name)]

    def index(self, name: str) -> int:
        """The index of the next pick from a list: none of the last two used from it, if the list is long enough."""
        length = len(self.lists[name])
        digest = hashlib.sha256(f"{self.seed}|{self.picked}|{name}".encode()).digest()
        self.picked += 1
        index = int.from_bytes(digest[:4], "big") % length
        used = self.used.setdefault(name, [])
        recent = used[-min(2, length - 1) :] if length > 1 else []
        while index in recent:
            index = (index + 1) % length
        used.append(index)
        return index


def told(
    steps: Sequence[Happened],
    asides: Sequence[Remark],
    *,
    names: Sequence[str],
    title: str,
    seed: str,
    story: str = "typed",
    spec: Spec | None = None,
) -> Tale:
    """The tale so far. A replacement takes its picks at the moment when it was asked for, like any other beat."""
    teller = Teller(names, title, seed, story, spec or BOX.spec)
    waiting = sorted(asides, key=lambda one: one.at)
    for step in steps:
        while waiting and waiting[0].at < step.at:
            teller.remark(waiting.pop(0))
        teller.step(step)
    for one in waiting:
        teller.remark(one)
    return teller.tale


class Teller:
    """Writes the tale as things happen."""

    def __init__(self, names: Sequence[str], title: str, seed: str, story: str, spec: Spec) -> None:
        self.spec = spec
        self.tale = Tale(title, list(names), seed, story)
        self.picker = Picker(seed, spec.grammar.lists)
        self.seq = 0
        self.opened = False  # whether a Boast card has been played in the whole tale
        self.boasted = False  # and in this turn
        self.kept: list[tuple[str, str]] = []  # lines of the storyteller's Patrons, until the first card (HC-88)
        self.words: dict[int, str] = {}  # what came with answers that have not come out yet
        self.gained = 0
        self.benefactors: list[str] = []
        self.templates: dict[int, tuple[str, str, dict[str, str]]] = {}  # seq -> how the grammar would write it

    # --- steps --------------------------------------------------------------------------------------------------

    def step(self, step: Happened) -> None:
        """What happened at once, with the words that came with it."""
        self.words.update(step.words)
        for event in step.events:
            if event.seen == EVERYONE:
                self.event(event)

    def event(self, event: Event) -> None:
        """One public event."""
        args: Mapping[str, Any] = event.args
        if event.kind == "turn":
            self.begin_turn(int(args["turn"]), event.player)
            return
        if not self.tale.chapters:
            self.begin_turn(1, event.player)  # the first turn began with the deal; its first event is the storyteller's
        if event.kind == "patron_played" or event.kind == "robbed":
            self.patron(event)
        elif event.kind == "boast":
            self.boast(event.player, args["card"])
        elif event.kind == "cancelled":
            self.fate([args["card"]], "cancelled")
        elif event.kind == "challenge" or event.kind == "rechallenge":
            self.challenge(event.kind, event.player, args["card"], args["against"])
        elif event.kind == "caught":
            self.caught(event.player, args["card"])
        elif event.kind == "pocketed":
            self.chapter.outcome = "believed" if args["cards"] else "nothing"
            self.fate(args["cards"], "pocketed")
        elif event.kind == "paid" and event.player == self.chapter.teller and self.chapter.outcome == "believed":
            self.gained += int(args["pennies"])
        elif event.kind == "benefactor" and args["from"] != event.player:
            self.benefactors.append(args["suit"])
        elif event.kind == "end":
            self.end(event.player)
        if event.kind in ("window", "stands", "caught", "cancelled"):
            self.words = {}

    def begin_turn(self, turn: int, teller: int) -> None:
        """HC-82: a chapter begins, and with it whatever is counted by the turn."""
        self.close_turn()
        self.tale.chapters.append(Chapter(turn, teller))
        self.boasted, self.gained = False, 0
        self.kept, self.benefactors = [], []

    @property
    def chapter(self) -> Chapter:
        """The chapter that is being told."""
        return self.tale.chapters[-1]

    @property
    def silent(self) -> bool:
        """HC-83: whether nothing but the names of cards is told."""
        return self.tale.story == "silent"

    def boast(self, player: int, card: str) -> None:
        """HC-83, HC-87, HC-88: the frame before the first card of a turn, a Patron's line, the beat itself."""
        lead, _, text = self.words.pop(player, "").rpartition("\n")
        if not self.boasted:
            self.frame(player, lead)
        for name, line in self.kept:
            self.publish(player, "patron", line, patron=name)
        self.kept = []
        self.boasted = self.opened = True
        self.card_beat(player, "boast", card, text, TEXT_LIMIT, "", "pending")

    def frame(self, player: int, lead: str) -> None:
        """HC-88: `opening` in the first chapter with a card, `turn_open` in later ones; or the lead-in sent."""
        if self.silent:
            return
        kind: Kind = "turn_open" if self.opened else "opening"
        before = self.tale.chapters[-2].teller if len(self.tale.chapters) > 1 else player
        blanks = {
            "teller": self.name(player),
            "prev": self.name(before),
            "title_clause": title_clause(self.tale.title, self.spec),
        }
        typed = cleaned(lead, LEAD_LIMIT) if self.tale.story == "typed" else ""
        self.publish(player, kind, typed or self.generated(kind, blanks), source="typed" if typed else "grammar")
        self.templates[self.seq] = (kind, "", blanks)

    def challenge(self, kind: str, player: int, card: str, against: str) -> None:
        """HC-83, HC-87: a first interruption, or a later one of the chain. Its words come out with the card."""
        text = self.words.pop(player, "")
        self.fate([self.lead], "beaten") if kind == "rechallenge" else None
        self.lead = card
        which: Kind = "challenge" if kind == "challenge" else "rechallenge"
        self.card_beat(player, which, card, text, CHALLENGE_LIMIT, against, "pending")

    lead = ""
    """The card that spoke last."""

    def card_beat(self, player: int, kind: Kind, card: str, text: str, longest: int, against: str, fate: Fate) -> None:
        """The beat of a Boast card: typed and tied to it (HC-84), or by the grammar."""
        if self.silent:
            self.publish(player, kind, self.spec.boasts[card].name, card=card, fate=fate)
            return
        typed = cleaned(text, longest) if self.tale.story == "typed" else ""
        blanks = self.blanks(card, against, player)
        written = tied(typed, card, self.spec) if typed else self.generated(kind, blanks, card, against)
        self.publish(player, kind, written, source="typed" if typed else "grammar", card=card, fate=fate)
        self.templates[self.seq] = (kind, against, blanks)

    def patron(self, event: Event) -> None:
        """HC-88: each revealed Patron's line; the storyteller's own waits for the first card, the Pickpocket's for his
        victim.
        """
        if self.silent:
            return
        player = event.player
        if event.kind == "robbed":
            name = "y_pickpocket"
            blanks = {"teller": self.name(player), "target": self.name(int(event.args["target"]))}  # type: ignore[call-overload]
            self.kept.append((name, filled(self.spec.patrons[name].line, blanks)))
            return
        name = str(event.args["patron"])
        if name == "y_pickpocket":
            return
        if "card" not in event.args:
            self.kept.append((name, filled(self.spec.patrons[name].line, {"teller": self.name(player)})))
            return
        blanks = self.blanks(str(event.args["card"]), "", player)
        self.publish(player, "patron", filled(self.spec.patrons[name].line, blanks), patron=name)

    def caught(self, winner: int, card: str) -> None:
        """HC-45, HC-88, HC-89: the lead is pocketed, all else that was told in this turn is lost or beaten."""
        for beat in self.chapter.beats:
            if beat.fate == "pending":
                if beat.card == card:
                    beat.fate = "pocketed"
                else:
                    beat.fate = "lost" if beat.kind == "boast" else "beaten"
        teller = self.chapter.teller
        self.chapter.outcome = "found out"
        self.outcome("rescued" if winner == teller else "caught", {"winner": self.name(winner)})

    def close_turn(self) -> None:
        """HC-88: after Just Deserts the applause, and a Benefactor; or, for a turn without a card, the glass."""
        if not self.tale.chapters or self.silent:
            return
        if self.chapter.outcome in ("", "found out"):
            return
        if not self.boasted:
            line = filled(self.spec.grammar.nothing_to_say, {"teller": self.name(self.chapter.teller)})
            self.publish(-1, "outcome", line)
            return
        applause = "applause_0" if self.gained == 0 else "applause_1" if self.gained <= 2 else "applause_3"
        self.outcome(applause, {})
        if self.benefactors:
            first = min(self.benefactors, key=SUITS.index)
            self.outcome("benefactor", {"benefactor": self.spec.benefactors[f"benefactor_{first}"].name})

    def outcome(self, which: str, blanks: dict[str, str]) -> None:
        """HC-88: one of the outcome beats."""
        if not self.silent:
            blanks = {**blanks, "teller": self.name(self.chapter.teller)}
            self.publish(-1, "outcome", capital(filled(self.picker.pick(which), blanks)))

    def end(self, player: int) -> None:
        """HC-88: a turn that the end cuts off is no chapter."""
        self.close_turn()
        if self.tale.chapters and self.chapter.outcome == "":
            cut = self.tale.chapters.pop()
            self.seq -= len(cut.beats)
        self.tale.over = True
        self.tale.first_after = player

    # --- beside the moves ---------------------------------------------------------------------------------------

    def remark(self, remark: Remark) -> None:
        """HC-85 (the host replaces a beat), HC-90 (the epilogue)."""
        if remark.replace is not None:
            self.replace(remark.replace)
        if remark.epilogue is not None and self.tale.over and not self.tale.end and not self.silent:
            players = len(self.tale.names)
            for distance in range(players):
                player = (self.tale.first_after + distance) % players
                text = cleaned(remark.epilogue.get(player, ""), TEXT_LIMIT)
                if text:
                    self.publish(player, "epilogue", text, source="typed")
            self.publish(-1, "closing", self.picker.pick("closing"))

    def replace(self, seq: int) -> None:
        """HC-85: a typed beat is written by the grammar instead. An epilogue is struck out altogether."""
        for beat in self.tale.beats():
            if beat.seq == seq and beat.source == "typed":
                if beat.kind == "epilogue":
                    self.tale.end.remove(beat)
                    return
                kind, against, blanks = self.templates[seq]
                beat.text = self.generated(kind, blanks, beat.card or "", against)
                beat.source = "grammar"

    # --- sentences ----------------------------------------------------------------------------------------------

    def generated(self, kind: str, blanks: Mapping[str, str], card: str = "", against: str = "") -> str:
        """HC-87, HC-88: a beat from the grammar."""
        if kind == "boast":
            text = self.picker.pick("link") + self.picker.pick(card[:-3])
        elif kind == "challenge":
            suit = against[:-3]
            which = f"correct_{suit if suit in ('places', 'insults', 'people') else 'general'}"
            text = self.picker.pick("cut_in") + " " + self.picker.pick(which)
        elif kind == "rechallenge":
            text = self.picker.pick("recorrect")
        else:
            text = self.picker.pick(kind)
        return capital(filled(text, blanks))

    def blanks(self, card: str, against: str, speaker: int) -> dict[str, str]:
        """2.7: what fills the templates about a card."""
        boast = self.spec.boasts[card]
        found = {
            "x": boast.phrase,
            "X": capital(boast.phrase),
            "at": f"{boast.prep} {boast.phrase}".strip(),
            "teller": self.name(self.chapter.teller),
            "rival": self.name(speaker),
        }
        if against:
            contested = self.spec.boasts[against]
            found |= {"c": contested.phrase, "cat": f"{contested.prep} {contested.phrase}".strip()}
        return found

    def publish(
        self,
        seat: int,
        kind: Kind,
        text: str,
        source: Literal["typed", "grammar"] = "grammar",
        card: str | None = None,
        patron: str | None = None,
        fate: Fate = "",
    ) -> None:
        """HC-82: a beat comes out."""
        self.seq += 1
        last = kind in ("epilogue", "closing")
        turn = self.tale.chapters[-1].turn if self.tale.chapters else 0
        beat = Beat(turn, self.seq, seat, kind, card, patron, text, source, fate)
        (self.tale.end if last else self.chapter.beats).append(beat)

    def fate(self, cards: Sequence[str], fate: Fate) -> None:
        """HC-89: what becomes of the beats of these cards."""
        for beat in self.chapter.beats:
            if beat.card in cards and beat.fate == "pending":
                beat.fate = fate

    def name(self, player: int) -> str:
        """A player's name."""
        return self.tale.names[player]


def filled(template: str, blanks: Mapping[str, str]) -> str:
    """A template with its blanks filled in, each once: what fills one is never read as a template itself."""
    parts: list[str] = []
    rest = template
    while "{" in rest:
        before, _, rest = rest.partition("{")
        name, _, rest = rest.partition("}")
        parts += [before, blanks[name]]
    return "".join(parts) + rest
