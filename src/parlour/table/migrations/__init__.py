"""Alembic migrations, shipped with the package and run when the server starts."""
