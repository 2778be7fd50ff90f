"""What a game's page template is handed as `t`: the table around the view, in ready-made bits of HTML.

A template never decides what may be chosen: it names the target of each piece (`t.pick("edge:sp_d_sw", ...)`) and this
writes what makes it choosable, or what makes it answer why not.
"""

from collections import OrderedDict
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
from markupsafe import Markup, escape

from parlour.table.model import Choice, SeatModel, TableModel

EMBLEMS = ("top-hat", "cane", "glove", "monocle", "fan", "pocket-watch", "bowler", "rose")
EMBLEM_NAMES = ("top hat", "cane", "glove", "monocle", "fan", "pocket watch", "bowler", "rose")

KEPT_PARTS = 20_000
"""A board has some forty that change; each is about a KiB with its key."""
_kept: OrderedDict[tuple[int, bytes], Markup] = OrderedDict()


class Pieces:
    """The table around one view."""

    def __init__(self, model: TableModel) -> None:
        self.model = model
        self.seats: Mapping[int, SeatModel] = {seat.seat: seat for seat in model.seats}
        self.viewer = model.viewer
        self.asking = model.viewer is not None and model.live and model.status == "playing"
        self._by_target: dict[str, Choice] = {}
        if model.live:
            for choice in model.choices:
                if choice.target:
                    self._by_target.setdefault(choice.target, choice)

    def kept(self, macro: Any, *args: Any) -> Markup:
        """What a macro `(t, *args)` of a game's page makes, kept: for parts that are the same from move to move.

        The macro must use nothing of `t` that depends on the moment, such as what may be chosen.
        """
        key = (id(macro), msgspec.json.encode(args, enc_hook=_marked))
        done = _kept.get(key)
        if done is None:
            done = _kept[key] = Markup(macro(self, *args))  # noqa: S704 - a macro's output is escaped already
            if len(_kept) > KEPT_PARTS:
                _kept.popitem(last=False)
        else:
            _kept.move_to_end(key)
        return done

    def name(self, seat: int) -> str:
        """Who sits there."""
        return self.seats[seat].name if seat in self.seats else f"Seat {seat + 1}"

    def may(self, target: str) -> bool:
        """Whether this piece may be chosen now: it glows."""
        return target in self._by_target

    def touched(self, target: str) -> bool:
        """Whether the last step was chosen on this piece."""
        return bool(target) and target == self.model.touched

    def pick(self, target: str, would: str, label: str, x: float = 0, y: float = 0) -> Markup:
        """Attributes of a piece one can point at: choosable, or ready to say why `would`, its action, is not."""
        choice = self._by_target.get(target)
        place = f' data-target="{_attribute(target)}" data-x="{x}" data-y="{y}"'
        if choice is not None:
            said = _attribute(choice.text)
            does = f'data-action="{_attribute(choice.id)}" tabindex="0" role="button" aria-label="{said}"'
            return Markup(does + place)  # noqa: S704 - escaped part by part
        asks = f' data-would="{_attribute(would)}"' if would and self.asking else ""
        return Markup(f'role="img" aria-label="{_attribute(label)}"{asks}{place}')  # noqa: S704 - escaped part by part

    def piece(self, target: str, name: str, note: str = "", clause: str = "") -> Markup:
        """Attributes of a piece that is only looked at: its name, what it does, the clause."""
        label = escape(f"{name}. {note}" if note else name)
        return Markup(f'data-target="{escape(target)}" role="img" aria-label="{label}"') + self.about(  # noqa: S704
            name, note, clause
        )

    def about(self, name: str, note: str = "", clause: str = "") -> Markup:
        """Attributes that make a thing tell its name, what it does and its clause when pointed at."""
        said = f' data-name="{escape(name)}" data-note="{escape(note)}" data-clause="{escape(clause)}"'
        return Markup(said)  # noqa: S704 - escaped part by part

    def emblem(self, seat: int, kind: str = "") -> Markup:
        """A seat's emblem on its colour."""
        return Markup(  # noqa: S704 - nothing in it is anybody's text
            f'<svg class="emblem {escape(kind)} seat-{seat % 8}" viewBox="0 0 24 24" aria-hidden="true">'
            f'<use href="#e-{self.emblem_id(seat)}"/></svg>'
        )

    def emblem_at(self, seat: int, x: float, y: float, size: float) -> Markup:
        """A seat's emblem inside a drawing, centred on a point."""
        return Markup(  # noqa: S704 - nothing in it is anybody's text
            f'<use class="on-seat" href="#e-{self.emblem_id(seat)}" x="{x - size / 2:.1f}" y="{y - size / 2:.1f}" '
            f'width="{size}" height="{size}"/>'
        )

    def emblem_id(self, seat: int) -> str:
        """The name of a seat's emblem among the page's symbols."""
        return EMBLEMS[self.seats[seat].emblem % len(EMBLEMS)] if seat in self.seats else EMBLEMS[seat % len(EMBLEMS)]

    def emblem_name(self, seat: int) -> str:
        """What the emblem shows, for those who do not see it."""
        return EMBLEM_NAMES[self.seats[seat].emblem % len(EMBLEMS)]


def _marked(value: object) -> list[str]:
    """Markup as a part of a key, told apart from a text that is still to be escaped."""
    if not isinstance(value, Markup):
        raise TypeError(f"A kept part cannot depend on {type(value).__name__}.")
    return [str(value)]


@lru_cache(maxsize=8192)
def _attribute(text: str) -> str:
    """A text as the value of an attribute; the same few come with every move."""
    return str(escape(text))


@lru_cache(maxsize=8192)
def emphasis(text: str) -> Markup:
    """A line of the story: plain text in which `*so*` marks emphasis."""
    parts = str(escape(text)).split("*")
    if len(parts) % 2 == 0:  # a lone star is only a star
        parts[-2:] = [parts[-2] + "*" + parts[-1]]
    return Markup("".join(f"<b>{part}</b>" if index % 2 else part for index, part in enumerate(parts)))  # noqa: S704


def clause_link(clause: str) -> Markup:
    """A clause that opens the rules where it stands."""
    if not clause:
        return Markup("")
    return Markup('<a class="clause" href="#clause-{0}" data-clause-link="{0}">{0}</a>').format(clause)
