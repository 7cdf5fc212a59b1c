"""Opening the database: SQLite in the user's data folder or any server by URL, and bringing it up to date."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.script.revision import ResolutionError
from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event, make_url, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, OperationalError, SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry, StaticPool

FILE_NAME = "paiyan.sqlite3"
BUSY_SECONDS = 15
"""How long a change waits for another one to finish before it gives up."""

MIGRATIONS = Path(__file__).parent / "migrations"
# Any number that nothing else in the same PostgreSQL database locks: "paiyan" as bytes.
MIGRATION_LOCK = int.from_bytes(b"paiyan")


class StoreError(ValueError):
    """The database cannot be used; the message says why."""

    code = "bad_database"


class Store:
    """The open database: a pool of connections, lent for reading or for one change.

    Parameters
    ----------
    url
        SQLAlchemy URL; `sqlite://` alone is a database in memory.
    """

    def __init__(self, url: str) -> None:
        self.engine = _engine(_parsed(url))

    @contextmanager
    def reading(self) -> Iterator[Session]:
        """A session on one unchanging state of the database."""
        with Session(self.engine) as session:
            yield session

    @contextmanager
    def writing(self) -> Iterator[Session]:
        """A session whose work is committed when the block ends, and undone when it raises.

        On SQLite the write lock is taken at once, so that what was read stays true until the commit.
        """
        engine = self.engine.execution_options(paiyan_writing=True)
        with Session(engine, expire_on_commit=False) as session, session.begin():
            yield session

    def migrate(self) -> None:
        """Bring the tables up to date; does nothing where they are.

        Raises
        ------
        StoreError
            Where the database can't be opened or a newer paiyan made it.
        """
        config = Config()
        config.set_main_option("script_location", str(MIGRATIONS))
        config.set_main_option("path_separator", "os")
        try:
            with self.engine.execution_options(paiyan_writing=True).begin() as connection:
                _lock(connection)
                _refuse_newer(connection, config)
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
        except OperationalError as error:
            raise StoreError(f"the database cannot be opened: {error.orig}") from error
        except (CommandError, SQLAlchemyError) as error:
            raise StoreError(f"the database cannot be brought up to date: {error}") from error

    def close(self) -> None:
        """Give every connection back."""
        self.engine.dispose()


def sqlite_url(folder: Path) -> str:
    """URL of the SQLite file in a data folder."""
    return URL.create("sqlite", database=str(folder / FILE_NAME)).render_as_string()


def _parsed(url: str) -> URL:
    try:
        parsed = make_url(url)
    except ArgumentError:
        raise StoreError("PAIYAN_DATABASE_URL is not a database URL") from None
    if parsed.drivername in ("postgres", "postgresql"):
        # Plain PostgreSQL URLs mean the driver that paiyan comes with.
        return parsed.set(drivername="postgresql+psycopg")
    return parsed


def _engine(url: URL) -> Engine:
    try:
        if url.get_backend_name() != "sqlite":
            return create_engine(url, pool_pre_ping=True)
        if url.database in (None, "", ":memory:"):
            engine = create_engine(url, connect_args={"check_same_thread": False}, poolclass=StaticPool)
        else:
            engine = create_engine(url, connect_args={"timeout": BUSY_SECONDS})
    except (ImportError, SQLAlchemyError) as error:
        raise StoreError(f"the database {url.drivername} cannot be used: {error}") from error
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: DBAPIConnection, _: ConnectionPoolEntry) -> None:
    # The driver must not begin transactions by itself: _begin_sqlite says which kind.
    connection.isolation_level = None
    cursor = connection.cursor()
    cursor.execute(f"PRAGMA busy_timeout = {BUSY_SECONDS * 1000}")
    cursor.execute("PRAGMA journal_mode = WAL")
    # FULL: an acknowledged change is on the disk, not only in the system's memory.
    cursor.execute("PRAGMA synchronous = FULL")
    cursor.execute("PRAGMA foreign_keys = ON")
    cursor.close()


def _begin_sqlite(connection: Connection) -> None:
    writing = connection.get_execution_options().get("paiyan_writing", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writing else "BEGIN")


def _lock(connection: Connection) -> None:
    """Let one process at a time migrate; SQLite's write lock is already held."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})


def _refuse_newer(connection: Connection, config: Config) -> None:
    found = MigrationContext.configure(connection).get_current_revision()
    if found is None:
        return
    try:
        ScriptDirectory.from_config(config).get_revision(found)
    except (CommandError, ResolutionError):
        raise StoreError(
            f"the database was made by a newer paiyan (its tables are {found}); update paiyan to use it"
        ) from None
