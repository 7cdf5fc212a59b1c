"""Why the database can't be used, in sentences that name it and say what to do."""

from __future__ import annotations

import errno
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from enum import Enum

from sqlalchemy.exc import DBAPIError, OperationalError


class StoreError(ValueError):
    """The database cannot be used; the message says why."""

    code = "bad_database"


class DamagedDatabase(StoreError):
    """The database is damaged, or is none of paiyan's; what does without it goes on.

    Parameters
    ----------
    database
        Its file, or its address without the password.
    why
        What was found.
    """

    code = "damaged_database"

    def __init__(self, database: str, why: str) -> None:
        super().__init__(
            f"the database {database} is damaged or is none of paiyan's ({' '.join(why.split())}); "
            "bring a backup back with 'paiyan restore FILE', or move it away to begin a new one"
        )
        self.database = database


def says_damage(error: DBAPIError) -> bool:
    """Whether the database itself says that what it holds is damaged; else it is locked, full or out of reach."""
    if not isinstance(error.orig, sqlite3.Error):
        return False
    code = getattr(error.orig, "sqlite_errorcode", None)
    if code is None:  # the driver's own: a text that is none
        return "decode" in str(error.orig)
    # Extended codes have the plain one in their lowest byte.
    return code & 0xFF in (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)


class Trouble(Enum):
    """What keeps a program from writing that is no fault of its own."""

    FULL = "full"
    CLOSED = "closed"
    LOCKED = "locked"


SQLITE_TROUBLE = {
    sqlite3.SQLITE_FULL: Trouble.FULL,
    sqlite3.SQLITE_READONLY: Trouble.CLOSED,
    sqlite3.SQLITE_CANTOPEN: Trouble.CLOSED,
    sqlite3.SQLITE_PERM: Trouble.CLOSED,
    sqlite3.SQLITE_IOERR: Trouble.CLOSED,
    sqlite3.SQLITE_BUSY: Trouble.LOCKED,
    sqlite3.SQLITE_LOCKED: Trouble.LOCKED,
}
SYSTEM_TROUBLE = {
    errno.ENOSPC: Trouble.FULL,
    errno.EDQUOT: Trouble.FULL,
    errno.EROFS: Trouble.CLOSED,
    errno.EACCES: Trouble.CLOSED,
    errno.EPERM: Trouble.CLOSED,
}


def trouble(error: DBAPIError | OSError) -> Trouble | None:
    """What the database or the system says why nothing could be written; None where it is something else."""
    if isinstance(error, OSError):
        return SYSTEM_TROUBLE.get(error.errno or 0)
    if isinstance(error.orig, sqlite3.Error):
        # Extended codes have the plain one in their lowest byte.
        return SQLITE_TROUBLE.get((getattr(error.orig, "sqlite_errorcode", None) or 0) & 0xFF)
    return Trouble.CLOSED if isinstance(error, OperationalError) else None


@contextmanager
def damage_passed_over() -> Iterator[None]:
    """End the block where the database says that it is damaged there; raises every other of its errors."""
    try:
        yield
    except DBAPIError as error:
        if not says_damage(error):
            raise
