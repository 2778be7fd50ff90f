"""What a game's page template is handed as `t`: the table around the view, in ready-made bits of HTML.

A template never decides what may be chosen: it names the target of each piece (`t.pick("edge:sp_d_sw", ...)`) and this
writes what makes it choosable, or what makes it answer why not.
"""

from collections.abc import Mapping

from markupsafe import Markup, escape

from parlour.table.model import Choice, SeatModel, TableModel

EMBLEMS = ("top-hat", "cane", "glove", "monocle", "fan", "pocket-watch", "bowler", "rose")
EMBLEM_NAMES = ("top hat", "cane", "glove", "monocle", "fan", "pocket watch", "bowler", "rose")


class Pieces:
    """The table around one view."""

    def __init__(self, model: TableModel) -> None:
        self.model = model
        self.seats: Mapping[int, SeatModel] = {seat.seat: seat for seat in model.seats}
        self.viewer = model.viewer
        self._by_target: dict[str, Choice] = {}
        if model.live:
            for choice in model.choices:
                if choice.target:
                    self._by_target.setdefault(choice.target, choice)

    def name(self, seat: int) -> str:
        """Who sits there."""
        return self.seats[seat].name if seat in self.seats else f"Seat {seat + 1}"

    def may(self, target: str) -> bool:
        """Whether this piece may be chosen now: it glows."""
        return target in self._by_target

    def pick(self, target: str, would: str, label: str, x: float = 0, y: float = 0) -> Markup:
        """Attributes of a piece one can point at: choosable, or ready to say why `would`, its action, is not."""
        choice = self._by_target.get(target)
        spot = Markup(' data-x="{}" data-y="{}"').format(x, y)
        if choice is not None:
            return (
                Markup('data-target="{}" data-action="{}" tabindex="0" role="button" aria-label="{}"').format(
                    target, choice.id, choice.text
                )
                + spot
            )
        would = would if self.viewer is not None and self.model.live and self.model.status == "playing" else ""
        asks = Markup(' data-would="{}"').format(would) if would else Markup("")
        return Markup('data-target="{}" role="img" aria-label="{}"').format(target, label) + asks + spot

    def piece(self, target: str, name: str, note: str = "", clause: str = "") -> Markup:
        """Attributes of a piece that is only looked at: its name, what it does, the clause."""
        label = f"{name}. {note}" if note else name
        return Markup('data-target="{}" role="img" aria-label="{}"').format(target, label) + self.about(
            name, note, clause
        )

    def about(self, name: str, note: str = "", clause: str = "") -> Markup:
        """Attributes that make a thing tell its name, what it does and its clause when pointed at."""
        return Markup(' data-name="{}" data-note="{}" data-clause="{}"').format(name, note, clause)

    def emblem(self, seat: int, kind: str = "") -> Markup:
        """A seat's emblem on its colour."""
        emblem = self.seats[seat].emblem % len(EMBLEMS) if seat in self.seats else seat % len(EMBLEMS)
        return Markup(
            '<svg class="emblem {} seat-{}" viewBox="0 0 24 24" aria-hidden="true"><use href="#e-{}"/></svg>'
        ).format(kind, seat % 8, EMBLEMS[emblem])

    def emblem_at(self, seat: int, x: float, y: float, size: float) -> Markup:
        """A seat's emblem inside a drawing, centred on a point."""
        emblem = self.seats[seat].emblem % len(EMBLEMS) if seat in self.seats else seat % len(EMBLEMS)
        return Markup('<use class="on-seat" href="#e-{}" x="{}" y="{}" width="{}" height="{}"/>').format(
            EMBLEMS[emblem], round(x - size / 2, 1), round(y - size / 2, 1), size, size
        )

    def emblem_id(self, seat: int) -> str:
        """The name of a seat's emblem among the page's symbols."""
        return EMBLEMS[self.seats[seat].emblem % len(EMBLEMS)] if seat in self.seats else EMBLEMS[seat % len(EMBLEMS)]

    def emblem_name(self, seat: int) -> str:
        """What the emblem shows, for those who do not see it."""
        return EMBLEM_NAMES[self.seats[seat].emblem % len(EMBLEMS)]


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
