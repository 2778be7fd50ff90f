"""`parlour check-tables`: would every table in progress go on under the rules installed here?"""

from __future__ import annotations

from typing import Annotated

import typer


def check_tables(
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="The database of the server; otherwise the one in your data folder."),
    ] = None,
) -> None:
    """Replay every live table on the rules installed here, before a server starts on them.

    Says of each table whether it plays the same, differs (from which move on, and by which clause) or cannot go on.
    Ends with status 0 if all are the same, 1 otherwise.
    """
    from parlour.table.check import check

    raise typer.Exit(0 if check(database) else 1)
