"""Opening the database: SQLite in the user's data folder or any server by URL, and bringing it up to date."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from alembic.script.revision import ResolutionError
from alembic.util import CommandError
from sqlalchemy import URL, Connection, Engine, create_engine, event, inspect, make_url, text
from sqlalchemy.engine.interfaces import DBAPIConnection
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from sqlalchemy.orm import Session
from sqlalchemy.pool import ConnectionPoolEntry, StaticPool

from webui.store.faults import DamagedDatabase, StoreError, says_damage
from webui.store.logs import Logs
from webui.store.schema import Row

FILE_NAME = "paiyan.sqlite3"
BUSY_SECONDS = 15
"""How long a change waits for another one to finish before it gives up."""

MIGRATIONS = Path(__file__).parent / "migrations"
# Any number that nothing else in the same PostgreSQL database locks: "paiyan" as bytes.
MIGRATION_LOCK = int.from_bytes(b"paiyan")


class Store:
    """The open database: a pool of connections, lent for reading or for one change.

    Parameters
    ----------
    url
        SQLAlchemy URL; `sqlite://` alone is a database in memory.

    Attributes
    ----------
    logs
        The logs of tables that were read last.
    fault
        What is wrong with the database as a whole or somewhere in it, as found when it was migrated; None for nothing.
    """

    def __init__(self, url: str) -> None:
        self.engine = _engine(_parsed(url))
        self.logs = Logs()
        self.fault: DamagedDatabase | None = None

    @property
    def name(self) -> str:
        """The database as people know it: its file, or its address without the password."""
        url = self.engine.url
        return url.database or "" if url.get_backend_name() == "sqlite" else url.render_as_string()

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

    def migrate(self, before: Callable[[Connection, str], object] = lambda connection, found: None) -> None:
        """Bring the tables up to date; does nothing where they are.

        `before` is called with the version that was found when it is not the newest, to copy what is there.

        Where some pages of a file are damaged, which `fault` then says, the others can still be used.

        Raises
        ------
        DamagedDatabase
            Where it is no database, or none of paiyan's.
        StoreError
            Where it can't be opened or a newer paiyan made it.
        """
        config = _config()
        try:
            with self.engine.execution_options(paiyan_writing=True).begin() as connection:
                lock(connection)
                self._look_over(connection, config, before)
                config.attributes["connection"] = connection
                command.upgrade(config, "head")
                self._miss_nothing(connection)
        except DBAPIError as error:
            if says_damage(error):
                raise DamagedDatabase(self.name, str(error.orig)) from error
            raise StoreError(f"the database {self.name} cannot be opened: {error.orig}") from error
        except UnicodeDecodeError as error:  # what SQLite says of a damaged schema quotes its bytes
            raise DamagedDatabase(self.name, "its schema is no text") from error
        except (CommandError, SQLAlchemyError) as error:
            raise StoreError(f"the database {self.name} cannot be brought up to date: {error}") from error

    def _look_over(
        self, connection: Connection, config: Config, before: Callable[[Connection, str], object]
    ) -> None:
        """Refuse a database that is not ours, is newer, or is damaged and older: that one is left as it is."""
        found = MigrationContext.configure(connection).get_current_revision()
        there = set(inspect(connection).get_table_names())
        if found is None:
            # A server's database may hold the tables of others beside ours, a file may not.
            foreign = there if connection.dialect.name == "sqlite" else there & Row.metadata.tables.keys()
            if foreign - {"alembic_version"}:
                raise DamagedDatabase(
                    self.name, f"it has tables, as {min(foreign)}, but not the mark of their version"
                )
            return
        newest = _refuse_newer(found, config)
        said = _quick_check(connection)
        if said:
            self.fault = DamagedDatabase(self.name, said)
            if found != newest:
                raise self.fault
        if found != newest:
            before(connection, found)

    def _miss_nothing(self, connection: Connection) -> None:
        """Refuse a database that lacks one of our tables or columns."""
        there = inspect(connection)
        for name, table in Row.metadata.tables.items():
            columns = (
                {column["name"] for column in there.get_columns(name)} if there.has_table(name) else set()
            )
            if not columns.issuperset(table.columns.keys()):
                raise DamagedDatabase(self.name, f"its table {name} is not whole")

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


def lock(connection: Connection) -> None:
    """Let one process at a time migrate; SQLite's write lock is already held."""
    if connection.dialect.name == "postgresql":
        connection.execute(text("SELECT pg_advisory_xact_lock(:key)"), {"key": MIGRATION_LOCK})


def _config() -> Config:
    config = Config()
    config.set_main_option("script_location", str(MIGRATIONS))
    config.set_main_option("path_separator", "os")
    return config


def known_revisions() -> frozenset[str]:
    """Every version of the tables that this program knows."""
    return frozenset(one.revision for one in ScriptDirectory.from_config(_config()).walk_revisions())


def _refuse_newer(found: str, config: Config) -> str:
    """The newest version of the tables; raises `StoreError` where this program does not know the one `found`."""
    scripts = ScriptDirectory.from_config(config)
    try:
        scripts.get_revision(found)
    except (CommandError, ResolutionError):
        raise StoreError(
            f"the database was made by a newer paiyan (its tables are {found}); update paiyan to use it"
        ) from None
    return str(scripts.get_current_head())


def _quick_check(connection: Connection) -> str:
    """What SQLite finds damaged in its file at a first look; nothing where it is whole, or another database."""
    if connection.dialect.name != "sqlite":
        return ""
    said = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
    return "" if said == "ok" else str(said)
