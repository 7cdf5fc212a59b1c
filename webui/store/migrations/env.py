"""What Alembic runs: migrations on the connection that webui.store.engine hands over.

To write a new one: `python -m webui.store.migrations "what changes"`.
"""

from alembic import context

from webui.store.schema import Row

connection = context.config.attributes["connection"]
# SQLite can't alter columns in place: batch mode copies the table instead.
context.configure(connection=connection, target_metadata=Row.metadata, render_as_batch=True)
with context.begin_transaction():
    context.run_migrations()
