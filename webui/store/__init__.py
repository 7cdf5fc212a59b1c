"""What is kept: game tables with their logs, catalogued decks; SQLite by default, PostgreSQL by URL.

`engine` opens the database and brings it up to date, `schema` is its tables, `logs` reads those of the games, `faults`
says why it can't be used, `tables` and `decks` are what the rooms do with it.
"""

from webui.store.engine import Store, sqlite_url
from webui.store.faults import DamagedDatabase, StoreError

__all__ = ["DamagedDatabase", "Store", "StoreError", "sqlite_url"]
