"""Everything that is kept as one file, and back: every table of the database, the decks' prints.

The file is a zip: `paiyan-backup.json` (`{"format": "paiyan-backup", "version": 1, "tables": …}`: the version of the
tables, and how many rows each has), `tables/NAME.jsonl` (the names of the columns, then a row a line; bytes as
`{"base64": …}`, JSON as its text), and the files of `FOLDERS` under their paths. It holds no keys: who is paired and
what phones trust belongs to the computer.

To bring one back is all or nothing: the rows go in by one change of the database, which carries a mark; the files wait
beside their place and take it when that mark is found there (`settle`), at once or at the next start.
"""

from __future__ import annotations

import base64
import json
import secrets
import shutil
import zipfile
import zlib
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Any

from alembic.runtime.migration import MigrationContext
from sqlalchemy import (
    JSON,
    ColumnElement,
    Connection,
    MetaData,
    Table,
    Text,
    cast,
    delete,
    insert,
    inspect,
    select,
    true,
)
from sqlalchemy.exc import SQLAlchemyError

from webui.store.engine import Store, known_revisions, lock
from webui.store.faults import StoreError
from webui.store.schema import HOUSEHOLD_MARKS, MarkRow, PairedRow, Row

FORMAT = "paiyan-backup"
VERSION = 1
HEAD = "paiyan-backup.json"

FOLDERS = ("decks",)
"""Folders of the data folder that belong to what is kept; locks in them do not."""

STAYS = PairedRow.__tablename__
"""The table of the computer itself: which devices it let in."""

RESTORED = "restored"
ROWS_AT_ONCE = 200
MOST_LINE_BYTES = 64 * 1024 * 1024
"""One row: a kept photo has at most 12 MB."""


class BackupError(StoreError):
    """A backup can't be written, or a file is none or can't be brought back; the message says why."""

    code = "bad_backup"


@dataclass(frozen=True)
class Contents:
    """What a backup holds: rows by table, and how many files."""

    rows: Mapping[str, int]
    files: int


# --- writing ----------------------------------------------------------------------------------------------


def write(store: Store, folder: Path, file: Path) -> Contents:
    """Write a backup of the database and of the files in the data folder, whole or not at all.

    The database is read as it is at one moment, however much is written meanwhile.

    Raises
    ------
    BackupError
        Where `file` is there already or can't be written.
    """
    if file.exists():
        raise BackupError(f"{file} is there already; name another file")
    level = "REPEATABLE READ" if store.engine.dialect.name == "postgresql" else "SERIALIZABLE"
    try:
        with store.engine.connect().execution_options(isolation_level=level) as connection:
            return copy(connection, file, _files(folder))
    except SQLAlchemyError as error:
        raise BackupError(f"the database {store.name} can't be read: {error}") from error


def copy(connection: Connection, file: Path, files: Mapping[str, Path] | None = None) -> Contents:
    """Write what `connection` sees, and some files by their names, as a backup; raises `BackupError`."""
    draft = file.with_name(f".{file.name}.{secrets.token_hex(4)}")
    try:
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as packed:
            tables = _tables(connection)
            rows = {table.name: _pack(packed, connection, table) for table in tables}
            for name, path in (files or {}).items():
                packed.write(path, name)
            revision = MigrationContext.configure(connection).get_current_revision()
            head = {"format": FORMAT, "version": VERSION, "revision": revision, "tables": rows}
            packed.writestr(HEAD, json.dumps(head))
        draft.replace(file)
    except OSError as error:
        raise BackupError(f"{file} can't be written: {error.strerror or error}") from error
    finally:
        draft.unlink(missing_ok=True)
    return Contents(rows, len(files or {}))


def _tables(connection: Connection) -> list[Table]:
    """Our tables as they are in this database, which may be older than this program; parents first."""
    there = set(inspect(connection).get_table_names())
    ours = [name for name in Row.metadata.tables if name in there and name != STAYS]
    found = MetaData()
    found.reflect(connection, only=ours)
    return found.sorted_tables


def _pack(packed: zipfile.ZipFile, connection: Connection, table: Table) -> int:
    """Write the rows of a table; says how many. A JSON value goes as its text, also where it is damaged."""
    columns = [cast(one, Text) if isinstance(one.type, JSON) else one for one in table.columns]
    number = 0
    with packed.open(f"tables/{table.name}.jsonl", "w", force_zip64=True) as out:
        out.write(json.dumps(list(table.columns.keys())).encode() + b"\n")
        wanted = select(*columns).where(_goes(table))
        rows = connection.execute(wanted, execution_options={"yield_per": ROWS_AT_ONCE})
        for row in rows:
            out.write(json.dumps([_plain(value) for value in row]).encode() + b"\n")
            number += 1
    return number


def _goes(table: Table) -> ColumnElement[bool]:
    """Which rows of a table belong to what is kept: all, and of the marks those of the household."""
    return table.c.name.in_(HOUSEHOLD_MARKS) if table.name == MarkRow.__tablename__ else true()


def _plain(value: Any) -> Any:
    return (
        {"base64": base64.b64encode(value).decode("ascii")}
        if isinstance(value, bytes | memoryview)
        else value
    )


def _files(folder: Path) -> dict[str, Path]:
    """The files that belong to what is kept, by their names in a backup."""
    return {
        path.relative_to(folder).as_posix(): path
        for name in FOLDERS
        for path in sorted((folder / name).rglob("*"))
        if path.is_file() and ".sqlite" not in path.name
    }


# --- bringing back ----------------------------------------------------------------------------------------


@contextmanager
def opened(file: Path) -> Iterator[tuple[zipfile.ZipFile, Contents]]:
    """A backup, checked to its last byte; raises `BackupError`."""
    try:
        with zipfile.ZipFile(file) as packed:
            head = _head(packed, file)
            if packed.testzip() is not None:
                raise BackupError(f"{file} is damaged; take another backup")
            names = [one for one in packed.namelist() if one.split("/")[0] in FOLDERS]
            yield packed, Contents(head["tables"], len(names))
    except (zipfile.BadZipFile, zlib.error, EOFError, NotImplementedError, RuntimeError) as error:
        raise BackupError(f"{file} is no backup, or is damaged: {error}") from error
    except OSError as error:
        raise BackupError(f"{file} can't be read: {error.strerror or error}") from error


def _head(packed: zipfile.ZipFile, file: Path) -> dict[str, Any]:
    try:
        head = json.loads(packed.read(HEAD))
        tables = {str(name): int(rows) for name, rows in head["tables"].items()}
        known = head["format"] == FORMAT and int(head["version"]) <= VERSION
        revision = str(head["revision"])
    except (KeyError, ValueError, TypeError, AttributeError, RecursionError):
        raise BackupError(f"{file} is no backup of paiyan") from None
    if not known or revision not in known_revisions() or not set(tables) <= Row.metadata.tables.keys():
        raise BackupError(f"{file} was made by a newer paiyan; update paiyan to use it")
    return {"tables": tables}


def is_empty(store: Store, folder: Path) -> bool:
    """Whether nothing is kept yet that a restore would replace."""
    if _files(folder):
        return False
    with store.engine.connect() as connection:
        return not any(
            connection.execute(select(table).limit(1)).first()
            for table in Row.metadata.sorted_tables
            if table.name not in (STAYS, MarkRow.__tablename__)
        )


def restore(store: Store, folder: Path, file: Path) -> Contents:
    """Put what a backup holds in the place of all that is kept: all of it, or nothing.

    Raises
    ------
    BackupError
        Where the file is no whole backup, or the database refuses its rows; nothing is changed then.
    """
    mark = secrets.token_hex(8)
    waiting = folder / f"{RESTORED}-{mark}"
    with opened(file) as (packed, contents):
        try:
            with store.writing() as session:
                lock(session.connection())  # whoever settles waits for it
                _unpack(packed, waiting)
                _replace_rows(session.connection(), packed, contents)
                session.merge(MarkRow(name=RESTORED, value=mark))
        except (SQLAlchemyError, ValueError, LookupError, TypeError, OSError) as error:
            raise BackupError(f"{file} can't be brought back: {error}") from error
        finally:
            settle(store, folder)
    store.logs.forget()
    return contents


def _unpack(packed: zipfile.ZipFile, waiting: Path) -> None:
    """Write the files of a backup where they wait."""
    for name in FOLDERS:
        (waiting / name).mkdir(parents=True)
    for one in packed.infolist():
        parts = PurePosixPath(one.filename).parts
        if one.is_dir() or not parts or parts[0] not in FOLDERS or ".." in parts:
            continue
        target = waiting.joinpath(*parts)
        target.parent.mkdir(parents=True, exist_ok=True)
        with packed.open(one) as source, target.open("wb") as out:
            shutil.copyfileobj(source, out)


def _replace_rows(connection: Connection, packed: zipfile.ZipFile, contents: Contents) -> None:
    """Rows of the backup in the place of those that are here; a household that it does not name stays as it is."""
    known = contents.rows.get(MarkRow.__tablename__, 0)
    leave = (STAYS,) if known else (STAYS, MarkRow.__tablename__)
    tables = [table for table in Row.metadata.sorted_tables if table.name not in leave]
    for table in reversed(tables):
        connection.execute(delete(table).where(_goes(table)))
    names = set(packed.namelist())
    for table in tables:
        if f"tables/{table.name}.jsonl" in names:
            _insert(connection, packed, table)


def _insert(connection: Connection, packed: zipfile.ZipFile, table: Table) -> None:
    with packed.open(f"tables/{table.name}.jsonl") as lines:
        columns = json.loads(lines.readline())
        batch: list[dict[str, Any]] = []
        while line := lines.readline(MOST_LINE_BYTES):
            row = dict(zip(columns, json.loads(line), strict=True))
            batch.append({name: _value(table, name, value) for name, value in row.items()})
            if len(batch) == ROWS_AT_ONCE:
                connection.execute(insert(table), batch)
                batch = []
        if batch:
            connection.execute(insert(table), batch)


def _value(table: Table, name: str, value: Any) -> Any:
    if isinstance(value, dict):
        return base64.b64decode(value["base64"])
    if isinstance(table.columns[name].type, JSON) and isinstance(value, str):
        try:
            return json.loads(value)
        except (ValueError, RecursionError):
            return value  # damaged when it was backed up: the table it belongs to says so again
    return value


def settle(store: Store, folder: Path) -> None:
    """Let files that wait take their place where the database has their rows, and forget the others."""
    waiting = sorted(folder.glob(f"{RESTORED}-*"))
    if not waiting:
        return
    with store.writing() as session:
        lock(session.connection())
        found = session.get(MarkRow, RESTORED)
        for one in waiting:
            if found and one.name == f"{RESTORED}-{found.value}":
                for name in FOLDERS:
                    if (one / name).is_dir():  # else it took its place before
                        _take_place(one, folder, name)
            shutil.rmtree(one, ignore_errors=True)


def _take_place(waiting: Path, folder: Path, name: str) -> None:
    there = folder / name
    if there.exists():
        there.rename(waiting / f"{name}.before")
    (waiting / name).rename(there)
