"""Databases for the tests: a new SQLite file, and a new schema of PostgreSQL where one is named.

`PAIYAN_TEST_POSTGRES_URL=postgresql://user@host/database` switches the second on.
"""

import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from sqlalchemy import create_engine, make_url, text

from webui.store import Store, sqlite_url

POSTGRES = os.environ.get("PAIYAN_TEST_POSTGRES_URL", "")
KINDS = [
    "sqlite",
    pytest.param(
        "postgresql", marks=pytest.mark.skipif(not POSTGRES, reason="PAIYAN_TEST_POSTGRES_URL is not set")
    ),
]


@contextmanager
def fresh_url(kind: str, folder: Path) -> Iterator[str]:
    """URL of an empty database of this kind, gone afterwards."""
    if kind == "sqlite":
        yield sqlite_url(folder)
        return
    schema = f"test_{secrets.token_hex(6)}"
    server = create_engine(make_url(POSTGRES).set(drivername="postgresql+psycopg"))
    with server.begin() as connection:
        connection.execute(text(f"CREATE SCHEMA {schema}"))
    url = make_url(POSTGRES).update_query_dict({"options": f"-csearch_path={schema}"})
    try:
        yield url.render_as_string(hide_password=False)
    finally:
        with server.begin() as connection:
            connection.execute(text(f"DROP SCHEMA {schema} CASCADE"))
        server.dispose()


@contextmanager
def fresh_store(kind: str, folder: Path) -> Iterator[Store]:
    """An open, migrated, empty store."""
    with fresh_url(kind, folder) as url:
        store = Store(url)
        store.migrate()
        try:
            yield store
        finally:
            store.close()
