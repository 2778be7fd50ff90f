"""The winner: what breaks a tie, and what is said about it (PP-53…PP-55)."""

from mypy_extensions import i64


def tie_break(tunnel_first: i64, tunnel_second: i64, control_first: i64, control_second: i64) -> tuple[int, str]:
    """PP-54, PP-55, PP-R24: on equal totals the longer Tunnel, then more districts controlled, then nobody."""
    if tunnel_first != tunnel_second:
        return (0 if tunnel_first > tunnel_second else 1, "tunnel")
    if control_first != control_second:
        return (0 if control_first > control_second else 1, "control")
    return (-1, "nothing")


def reason_told(decided: str, totals: list[int], longest: list[int], controlled: list[int]) -> str:
    """PP-53…PP-55: why the game was won, or that it was not; `decided` is what `tie_break` or the Wealth said."""
    high = max(totals)
    if decided == "wealth":
        return f"{high} Wealth to {min(totals)}."
    if decided == "tunnel":
        return f"Equal on {high} Wealth; the longer Tunnel decides, {max(longest)} passages to {min(longest)}."
    if decided == "control":
        held = f"{max(controlled)} to {min(controlled)}"
        return f"Equal on {high} Wealth and in Tunnels; districts controlled decide, {held}."
    return f"Equal on {high} Wealth, in Tunnels and in districts controlled: a draw."
