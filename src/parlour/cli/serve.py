"""`parlour serve`: the shelf, in a browser."""

from __future__ import annotations

from typing import Annotated

import typer

from parlour.cli.setup import ShelfBoxes, ShelfSets, use_boxes


def serve(
    host: Annotated[
        str, typer.Option(metavar="HOST", help="The address to listen on; 0.0.0.0 for the whole house.")
    ] = ("127.0.0.1"),
    port: Annotated[int, typer.Option(metavar="PORT", help="The port to listen on.")] = 8000,
    database: Annotated[
        str | None,
        typer.Option(metavar="URL", help="sqlite:///FILE or postgresql://...; otherwise a file in your data folder."),
    ] = None,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the shelf in your browser.")] = True,
    workers: Annotated[
        int, typer.Option(metavar="N", help="Processes that serve; more than one needs PostgreSQL.", min=1)
    ] = 1,
    name: Annotated[
        list[str] | None,
        typer.Option(metavar="NAME", help="A name under which it is reached, behind a proxy; may be repeated."),
    ] = None,
    secure: Annotated[bool, typer.Option("--secure", help="Send cookies over HTTPS only.")] = False,
    box: ShelfBoxes = None,
    sets: ShelfSets = None,
) -> None:
    """Open the shelf: play in your browser, alone or with friends.

    Tables are kept in the database and go on after a restart.

    Examples: `parlour serve`, `parlour serve --host 0.0.0.0 --port 8080`,
    `parlour serve --set prowlers.districts.banking.bonus=4`
    """
    from parlour.table.storage import database_url
    from parlour.web.serve import serve as run

    use_boxes(box, sets)
    database_url(database)  # an address that will not do is told before anything else
    run(
        host=host,
        port=port,
        database=database,
        browser=browser,
        workers=workers,
        hosts=tuple(name or ()),
        secure=secure,
        announce=lambda address: typer.echo(f"Parlour is at {address} (Ctrl+C ends it; the tables keep).", err=True),
    )
