"""`parlour verify`: is this record true?"""

from __future__ import annotations

from pathlib import Path
from typing import Annotated

import typer

from parlour.cli.errors import legible, sentence_for


def verify(
    files: Annotated[
        list[Path], typer.Argument(metavar="FILE", help="Records, as `match --save` or a table wrote them.")
    ],
) -> None:
    """Prove records: the sealed seed, every move, every position hash, the result.

    Plays each game again and compares. Ends with status 0 if all is proved, 1 if anything is not, 2 if a file cannot
    be read; what is wrong is told with its place in the file and, where a rule was broken, the clause.

    Example: `parlour verify evening/*.json`
    """
    from parlour import records

    failed = unreadable = 0
    for file in files:
        try:
            record = records.load(file)
        except (records.RecordError, OSError) as error:  # the others are looked at all the same
            unreadable += 1
            typer.echo(f"parlour: {legible(sentence_for(error) or str(error))}", err=True)
            continue
        verdict = records.verify(record)
        if verdict.ok:
            sealed = isinstance(record.deal, records.SealedSeed)
            seal = "the sealed seed, " if sealed else ""
            ending = "the result" if record.result is not None else "no result, as the game was not played to its end"
            hashes = f"{verdict.checkpoints} position hash{'es' if verdict.checkpoints != 1 else ''}"
            typer.echo(f"{file}: proved: {seal}{verdict.moves} moves, {hashes} and {ending}.")
            continue
        failed += 1
        for finding in verdict.findings:
            clause = f" ({finding.clause})" if finding.clause else ""
            typer.echo(legible(f"{file}: {finding.where}: {finding.sentence}{clause}"), err=True)
    if failed or unreadable:
        raise typer.Exit(1 if failed else 2)
