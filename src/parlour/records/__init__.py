"""A game written down: save it, step through it, prove it."""

from parlour.records.boxes import BoxUsed
from parlour.records.files import dumps, load, loads, save
from parlour.records.record import (
    FORMAT,
    GivenPosition,
    PlainSeed,
    Record,
    RecordError,
    Result,
    SealedSeed,
)
from parlour.records.replay import Step, replay, start
from parlour.records.verify import Finding, Verdict, verify
from parlour.records.writer import Checkpoint, Move

__all__ = [
    "FORMAT",
    "BoxUsed",
    "Checkpoint",
    "Finding",
    "GivenPosition",
    "Move",
    "PlainSeed",
    "Record",
    "RecordError",
    "Result",
    "SealedSeed",
    "Step",
    "Verdict",
    "dumps",
    "load",
    "loads",
    "replay",
    "save",
    "start",
    "verify",
]
