"""Brings a database's schema up to date when the server starts."""

from __future__ import annotations

from pathlib import Path

from sqlalchemy import Connection, inspect, text

HEAD = "0002"
"""The newest revision; a test holds it equal to Alembic's answer, which would cost a start a fifth of a second."""
FOLDER = Path(__file__).parent / "migrations"


class StorageError(ValueError):
    """A database that cannot be used; the message says what would be right."""


def needs_migration(connection: Connection) -> bool:
    """Whether migrations are missing. Raises StorageError for a database that a newer Parlour has used."""
    revision = _revision(connection)
    if revision is not None and revision > HEAD:
        raise StorageError(
            f"This database was last used by a newer Parlour (its schema is {revision}, this one knows {HEAD}). "
            "Start that one, or give another database."
        )
    return revision != HEAD


def migrate(connection: Connection) -> None:
    """Run the migrations that are missing. Two workers that start at once take turns."""
    if connection.dialect.name == "postgresql":  # on SQLite whoever writes is alone from the beginning
        connection.execute(text("SELECT pg_advisory_xact_lock(7042025)"))
    if _revision(connection) != HEAD:
        _upgrade(connection)


def _revision(connection: Connection) -> str | None:
    if not inspect(connection).has_table("alembic_version"):
        return None
    found = connection.execute(text("SELECT version_num FROM alembic_version")).scalar()
    return None if found is None else str(found)


def _upgrade(connection: Connection) -> None:
    from alembic import command
    from alembic.config import Config

    config = Config()
    config.set_main_option("script_location", str(FOLDER))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    command.upgrade(config, "head")
