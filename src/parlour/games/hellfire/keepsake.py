"""The tale as a table keeps it: the title when it opens, the host's pencil, the epilogue, and the finished print."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import msgspec

from parlour.games.hellfire import printing
from parlour.games.hellfire.box import BOX
from parlour.games.hellfire.tale import Chapter, Remark, Tale, told
from parlour.games.hellfire.telling import TEXT_LIMIT, TITLE_LIMIT, cleaned, rolled_title, typed_title
from parlour.kernel.keepsake import Ask, Export, KeepsakeError, Noted, Occasion

EPILOGUE_SECONDS = 90.0
"""HC-90: they run once, for all together."""

MEDIA = {"markdown": "text/markdown", "html": "text/html", "text": "text/plain", "json": "application/json"}
ENDINGS = {"markdown": "md", "html": "html", "text": "txt", "json": "json"}
CHOICES = ("full", "authorised")


class TaleKeeper:
    """HC-80…HC-92 at a table. Wishes (`said`): `{"epilogue": TEXT}` by a player after the end ("" for none),
    `{"replace": SEQ}` and `{"close_epilogue": true}` by the host.
    """

    name = "tale"
    formats: Sequence[str] = tuple(MEDIA)

    def asks(self) -> Sequence[Ask]:
        """HC-80: a title, if the host has one."""
        titles = [title.title for side in BOX.spec.titles.values() for title in side.values()]
        said = "“How we …” or “Why we …”; left empty, dice choose."
        return [Ask("title", "Title of the tale", said, TITLE_LIMIT, titles)]

    def opened(self, given: Mapping[str, str], chance: Callable[[int], int]) -> Mapping[str, Any]:
        """HC-80: the host's title, or one that is rolled."""
        text = given.get("title", "").strip()
        if not text:
            title, rolled = rolled_title(chance)
            return {"title": title, "rolled": rolled}
        try:
            return {"title": typed_title(text), "rolled": ""}
        except ValueError as error:
            raise KeepsakeError(str(error), "HC-80") from None

    # --- wishes -------------------------------------------------------------------------------------------------

    def said(self, occasion: Occasion, seat: int | None, host: bool, wish: Mapping[str, Any]) -> Noted:
        """HC-85, HC-90: an epilogue, or the host's pencil."""
        if set(wish) == {"epilogue"}:
            return self._epilogue(occasion, seat, wish["epilogue"])
        if set(wish) == {"replace"}:
            return self._replace(occasion, host, wish["replace"])
        if wish == {"close_epilogue": True}:
            if not host:
                raise KeepsakeError("Only the host may close the epilogue.", "HC-90")
            if not _open(occasion):
                raise KeepsakeError("There is no epilogue to close now.", "HC-90")
            return Noted({"close_epilogue": True})
        raise KeepsakeError('Say {"epilogue": "…"}, {"replace": 7} or {"close_epilogue": true}.', "")

    def _epilogue(self, occasion: Occasion, seat: int | None, text: object) -> Noted:
        if seat is None or not isinstance(text, str):
            raise KeepsakeError("An epilogue is a text by one of the players.", "HC-90")
        if not _open(occasion):
            when = "is closed" if occasion.over else "comes after the end of the game"
            raise KeepsakeError(f"The epilogue {when}.", "HC-90")
        if seat in _answered(occasion):
            raise KeepsakeError("You have had your say already.", "HC-90")
        if len(text) > TEXT_LIMIT:
            raise KeepsakeError(f"An epilogue has at most {TEXT_LIMIT} characters, not {len(text)}.", "HC-90")
        return Noted({"epilogue": cleaned(text, TEXT_LIMIT)}, private=True)

    def _replace(self, occasion: Occasion, host: bool, seq: object) -> Noted:
        if not host:
            raise KeepsakeError("Only the host may have a paragraph written anew.", "HC-85")
        typed = {beat.seq for beat in _tale(occasion).beats() if beat.source == "typed"}
        if not isinstance(seq, int) or isinstance(seq, bool) or seq not in typed:
            raise KeepsakeError("That paragraph was not typed by anybody.", "HC-85")
        return Noted({"replace": seq})

    def due(self, occasion: Occasion) -> float | None:
        """HC-90: when the epilogue is published, if nobody hurries it."""
        ended = _ended(occasion)
        if ended is None or not occasion.timed or not _open(occasion):
            return None
        return ended + EPILOGUE_SECONDS

    # --- showing ------------------------------------------------------------------------------------------------

    def shown(self, occasion: Occasion, viewer: int | None, host: bool) -> Mapping[str, Any]:
        """The tale so far. With closed piles, until the end, no further back than the previous turn (3.10)."""
        tale = _tale(occasion)
        chapters = list(enumerate(tale.chapters, 1))
        if occasion.options["piles"] == "closed" and not occasion.over:
            chapters = chapters[-2:]
        return {
            "title": tale.title,
            "byline": printing.byline(tale),
            "story": tale.story,
            "over": tale.over,
            "earlier": len(tale.chapters) - len(chapters),
            "chapters": [_chapter(tale, chapter, number) for number, chapter in chapters],
            "end": [_beat(beat) for beat in tale.end],
            "epilogue": self._epilogue_shown(occasion, viewer, host),
            "may_replace": host,
            "formats": list(self.formats) if occasion.over else [],
            "choices": list(CHOICES) if occasion.over else [],
        }

    def _epilogue_shown(self, occasion: Occasion, viewer: int | None, host: bool) -> Mapping[str, Any] | None:
        if not _open(occasion):
            return None
        return {
            "until": self.due(occasion),
            "asked": viewer is not None and viewer in occasion.people and viewer not in _answered(occasion),
            "yours": None if viewer is None else _answered(occasion).get(viewer),
            "longest": TEXT_LIMIT,
            "may_close": host,
        }

    def exported(self, occasion: Occasion, format: str, choice: str) -> Export:  # noqa: A002 - the protocol's name
        """HC-91, HC-92: the tale as a file; before the end only a transcript of what is public."""
        if format not in MEDIA:
            raise KeepsakeError(f"The tale comes as {', '.join(MEDIA)}, not as {format!r}.", "HC-91")
        if choice not in ("", *CHOICES):
            raise KeepsakeError(f"The tale comes in two editions, {' and '.join(CHOICES)}, not {choice!r}.", "HC-92")
        authorised = choice == "authorised"
        if authorised and not occasion.over:
            raise KeepsakeError("The authorised tale is printed when the game is over.", "HC-92")
        tale = _tale(occasion)
        if occasion.options["piles"] == "closed" and not occasion.over:
            tale.chapters = tale.chapters[-2:]
        reckoning: Any = occasion.view()["reckoning"] or [] if occasion.over else []
        spec = occasion.game.box.spec if occasion.game.box is not None else None
        text = {
            "markdown": lambda: printing.markdown(tale, reckoning, authorised, spec),
            "html": lambda: printing.page(tale, reckoning, authorised, spec),
            "text": lambda: printing.plain(tale, reckoning, authorised),
            "json": lambda: printing.as_json(tale, reckoning, authorised),
        }[format]()
        name = "tale-authorised" if authorised else "tale" if occasion.over else "tale-so-far"
        return Export(f"{name}.{ENDINGS[format]}", MEDIA[format], text)


KEEPER = TaleKeeper()


# --- out of an occasion -------------------------------------------------------------------------------------------


def _tale(occasion: Occasion) -> Tale:
    """HC-81: made anew each time, from the log alone; the picks are seeded by the table's own name (HC-86)."""
    remarks = [Remark(one.at, replace=one.body["replace"]) for one in occasion.asides if "replace" in one.body]
    closed = _closed(occasion)
    if closed is not None:
        texts = {player: text for player, text in _answered(occasion).items() if text}
        remarks.append(Remark(closed, epilogue=texts))
    spec = occasion.game.box.spec if occasion.game.box is not None else None
    return told(
        occasion.steps,
        remarks,
        names=occasion.names,
        title=str(occasion.opened.get("title", "How we stole a lighthouse")),
        seed=occasion.id,
        story=str(occasion.options["story"]),
        spec=spec,
    )


def _ended(occasion: Occasion) -> float | None:
    """When the game ended."""
    for step in reversed(occasion.steps):
        if any(event.kind == "end" for event in step.events):
            return step.at
    return None


def _answered(occasion: Occasion) -> dict[int, str]:
    """HC-90: who has said how it ended, or that there is nothing to say ("")."""
    return {one.seat: str(one.body["epilogue"]) for one in occasion.asides if "epilogue" in one.body}


def _closed(occasion: Occasion) -> float | None:
    """HC-90: when the epilogue was, or is, published; None while it is open, or before the end."""
    ended = _ended(occasion)
    if ended is None or not occasion.over:
        return None
    moments = [one.at for one in occasion.asides if "close_epilogue" in one.body]
    said = {one.seat: one.at for one in occasion.asides if "epilogue" in one.body}
    if occasion.people <= set(said):
        moments.append(max([said[player] for player in occasion.people], default=ended))
    if occasion.timed and occasion.now >= ended + EPILOGUE_SECONDS:
        moments.append(ended + EPILOGUE_SECONDS)
    return min(moments, default=None)


def _open(occasion: Occasion) -> bool:
    """Whether the epilogue is being written; a silent game has none (HC-83)."""
    return occasion.over and occasion.options["story"] != "silent" and _closed(occasion) is None


def _chapter(tale: Tale, chapter: Chapter, number: int) -> dict[str, Any]:
    return {
        "number": number,
        "turn": chapter.turn,
        "teller": chapter.teller,
        "heading": printing.heading(tale, chapter, number),
        "outcome": chapter.outcome,
        "beats": [_beat(beat) for beat in chapter.beats],
    }


def _beat(beat: Any) -> dict[str, Any]:
    """A beat for the page: with where its card's phrase stands, and whether it is struck out."""
    at = printing.phrase_at(beat)
    return {
        **msgspec.to_builtins(beat),
        "phrase": list(at) if at is not None else None,
        "struck": beat.fate in printing.STRUCK,
    }
