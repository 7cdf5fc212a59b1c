"""What is kept: game tables with their logs, catalogued decks; SQLite by default, PostgreSQL by URL.

`engine` opens the database and brings it up to date, `schema` is its tables, `tables` and `decks` are what the
rooms do with it.
"""

from webui.store.engine import Store, StoreError, sqlite_url

__all__ = ["Store", "StoreError", "sqlite_url"]
