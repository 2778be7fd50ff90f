"""Alembic's environment: the storage hands over an open connection, nothing is read from files."""

from alembic import context

from parlour.table.schema import metadata

connection = context.config.attributes["connection"]
context.configure(connection=connection, target_metadata=metadata, render_as_batch=connection.dialect.name == "sqlite")
with context.begin_transaction():
    context.run_migrations()
