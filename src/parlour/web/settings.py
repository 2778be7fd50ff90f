"""How a server is set up. Handed to worker processes through the environment, as JSON."""

from __future__ import annotations

import os

import msgspec

VARIABLE = "PARLOUR_SERVER"


class Settings(msgspec.Struct, frozen=True, kw_only=True):
    """Everything that `parlour serve` and the tests can choose."""

    database: str | None = None
    hosts: tuple[str, ...] = ()  # names this server answers to; empty: any that is an address or this machine
    limits: bool = True  # request limits by address and by seat
    secure: bool = False  # cookies over HTTPS only
    bot_processes: int | None = None
    warm: bool = True  # start a bot's process at once
    beat: float = 15.0  # seconds between signs of life on a stream
    body_limit: int = 64 * 1024


def to_environment(settings: Settings) -> None:
    """Leave the settings where worker processes find them."""
    os.environ[VARIABLE] = msgspec.json.encode(settings).decode()


def from_environment() -> Settings:
    """The settings that the parent process left."""
    return msgspec.json.decode(os.environ.get(VARIABLE, "{}"), type=Settings)
