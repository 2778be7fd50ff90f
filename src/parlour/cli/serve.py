"""`parlour serve`: the shelf, in a browser."""

from __future__ import annotations

from typing import Annotated

import typer


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
) -> None:
    """Open the shelf: play in your browser, alone or with friends.

    Tables are kept in the database and go on after a restart.

    Examples: `parlour serve`, `parlour serve --host 0.0.0.0 --port 8080`
    """
    from parlour.web.serve import serve as run

    run(host=host, port=port, database=database, browser=browser)
