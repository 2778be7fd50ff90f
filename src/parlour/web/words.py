"""The words on the page that are the table's, not the game's."""

from collections.abc import Sequence

from markupsafe import Markup, escape

from parlour.table.clock import LIVE_BANK, LIVE_MOVE
from parlour.table.model import BoxModel, ClockModel, SeatModel, TableModel


def joined(names: Sequence[str]) -> str:
    """Names in a row: "Ada", "Ada and Bell", "Ada, Bell and Croft"."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} and {names[-1]}"


def seat_names(model: TableModel, seats: Sequence[int]) -> str:
    """The names of some seats, in a row."""
    named = {seat.seat: seat.name for seat in model.seats}
    return joined([named.get(seat) or f"seat {seat + 1}" for seat in seats])


def question(model: TableModel) -> Markup:
    """The line at the top: what is asked of the viewer, or whom the table waits for."""
    if not model.live:
        return Markup("The table as it stood after step {}.").format(model.at)
    if model.status == "over":
        return Markup("{}").format(result_title(model))
    if model.viewer is not None and model.choices:
        name = next((seat.name for seat in model.seats if seat.seat == model.viewer), "")
        asked = lower_first(model.prompt or "choose")
        if model.window is not None:  # it is nobody's turn: several are asked alike
            return Markup("<b>{}</b>, {}").format(name, asked)
        return Markup("Your turn, <b>{}</b>: {}").format(name, asked)
    return escape(idle(model))


def refused(model: TableModel) -> str:
    """That the others did not agree to what the viewer asked, until the viewer moves, or something else is asked."""
    if model.viewer is None or not model.live or model.status != "playing" or model.vote is not None:
        return ""
    said = ""
    for line in reversed(model.log):
        if line.kind == "event":
            if line.seat == model.viewer and not said:
                return ""
        elif line.kind == "table" and not said:
            if line.seat is None:
                said = "Not everybody answered in time: all stays as it is."
            elif line.text.endswith(" would rather not."):
                said = f"{line.text.removesuffix('.')}: all stays as it is."
            else:
                return ""
        elif line.kind == "table":
            if " asks: " in line.text:
                return said if line.seat == model.viewer else ""
        elif not said and line.kind in ("undo", "redo", "pause"):
            return ""
    return ""


def idle(model: TableModel) -> str:
    """Why there is nothing to choose."""
    if not model.live:
        return "In the past there is nothing to choose."
    if model.status == "over":
        return "The game is over."
    if model.status == "waiting":
        left = sum(seat.kind == "open" for seat in model.seats)
        return f"Waiting for {'one more player' if left == 1 else f'{left} more players'}."
    if model.status == "paused":
        return "The game is paused."
    if model.status == "held":
        return "This table is held."
    acting = [seat.name for seat in model.seats if seat.acting and seat.seat != model.viewer]
    if model.window and model.window.answered:
        return "Your answer is in. It stays sealed until everybody has answered."
    thinking = [seat.name for seat in model.seats if seat.thinking]
    if thinking:
        return f"{joined(thinking)} {'is' if len(thinking) == 1 else 'are'} thinking."
    return f"Waiting for {joined(acting)}." if acting else "Nothing to choose just now."


def seat_state(model: TableModel, seat: SeatModel) -> str:
    """How it is with one seat, in a few words."""
    if seat.kind == "open":
        return "nobody here yet"
    if seat.absent:
        return "away; the table passes for this chair"
    if seat.away:
        return "away; a club player sits in"
    if model.status == "over":
        return ""
    if seat.thinking:
        return "thinking"
    if seat.acting:
        return "to choose"
    if seat.kind == "person" and not seat.present and seat.seat != model.viewer:
        return "not at the page"
    return ""


def bot_words(strength: str) -> str:
    """What kind of computer player sits there."""
    return {"novice": "club player, a novice", "master": "club player, a master"}.get(strength, "club player")


def away(model: TableModel) -> bool:
    """Whether a bot sits in for the viewer."""
    return any(seat.away for seat in model.seats if seat.seat == model.viewer)


def lid_lines(title: str) -> list[str]:
    """A title for the lid of a box, in one line or two of about the same length."""
    if len(title) <= 26:
        return [title]
    spaces = [at for at, letter in enumerate(title) if letter == " "]
    middle = min(spaces, key=lambda at: abs(at - len(title) / 2), default=len(title))
    return [title[:middle], title[middle + 1 :]]


def seat_choices(box: BoxModel, seat: int) -> list[tuple[str, str]]:
    """Who may sit there, for the form of a new table."""
    found = [("me", "You"), ("open", "Whoever has the link")]
    found += [(f"bot:{strength}", bot_words(strength).capitalize()) for strength in box.strengths]
    return found + [("none", "Nobody")] if seat >= box.least else found


def clock_choices(box: BoxModel) -> list[tuple[str, str]]:
    """The clocks a host may choose from, as the game would have them kept."""
    bank = LIVE_BANK if box.bank is None else box.bank
    move = "each decision has its time" if box.limits else f"{LIVE_MOVE:.0f} seconds a move"
    in_hand = f"{time_words(bank)} in hand" if bank else "nothing in hand"
    return [("none", "None"), ("live", f"Live: {move}, and {in_hand}"), ("days", "Days: two days a move")]


def clock_words(clock: ClockModel) -> str:
    """What is left, in minutes and seconds or in days and hours."""
    left = (clock.move_left or 0) + (clock.bank_left or 0)
    return time_words(left)


def has_time(clock: ClockModel) -> bool:
    """Whether a clock has anything to say: one that stands, with nothing in hand, has not run out."""
    return clock.running or bool(clock.move_left or clock.bank_left)


def time_words(seconds: float) -> str:
    """A stretch of time: "2 days 3 h", "1 h 05 min", "4:07"."""
    whole = max(0, int(seconds))
    if whole >= 86400:
        return f"{whole // 86400} d {whole % 86400 // 3600} h"
    if whole >= 3600:
        return f"{whole // 3600} h {whole % 3600 // 60:02} min"
    return f"{whole // 60}:{whole % 60:02}"


def window_words(model: TableModel) -> str:
    """That sealed answers are being collected, and from whom."""
    if model.window is None:
        return ""
    return f"Everyone is asked alike: {seat_names(model, model.window.seats)}. No answer is shown before all are in."


def result_title(model: TableModel) -> str:
    """Who won, in a line."""
    first = [line.seat for line in model.standings if line.place == 1]
    if not first:
        return "The game is over."
    if model.coop:
        return "You win together." if any(line.score > 0 for line in model.standings) else "You lose together."
    names = seat_names(model, first)
    if len(first) == len(model.standings) > 1:
        return "A draw."
    if len(first) > 1:
        return f"{names} share the win."
    if first == [model.viewer]:
        return f"You win, {names}."
    return f"{names} wins."


def ordinal(place: int) -> str:
    """1st, 2nd, 3rd, 4th."""
    suffix = "th" if place % 100 in {11, 12, 13} else {1: "st", 2: "nd", 3: "rd"}.get(place % 10, "th")
    return f"{place}{suffix}"


def number(value: float) -> str:
    """A score: whole where it is whole, with a true minus."""
    text = f"{value:g}"
    return text.replace("-", "−")


def lower_first(text: str) -> str:
    """The same sentence, to go on after a colon."""
    if len(text) > 1 and text[0].isupper() and not text[1].isupper():
        return text[0].lower() + text[1:]
    return text


def spaced(key: object) -> str:
    """A name from a view, for reading: "loot_left" becomes "Loot left"."""
    text = str(key).replace("_", " ").strip()
    return text[:1].upper() + text[1:]
