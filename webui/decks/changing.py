"""One at a time: whoever changes a taught print holds a lock that all processes with its folder share."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

LOCK = "changing.sqlite"
PATIENCE_SECONDS = 30
"""A print is changed within a second; one whose examples must be embedded anew takes some more."""


@contextmanager
def changing(folder: Path) -> Iterator[None]:
    """Hold the lock of the prints in `folder` from reading one to writing it, so that of two words none is lost.

    SQLite keeps it: its locks are the same on every system, and go with the process that held them.

    Raises
    ------
    vision.taught.PrintError
        `print_busy` where somebody else holds it all the time.
    """
    from vision.taught import PrintError

    folder.mkdir(parents=True, exist_ok=True)
    with closing(sqlite3.connect(folder / LOCK, timeout=PATIENCE_SECONDS, isolation_level=None)) as lock:
        try:
            lock.execute("BEGIN IMMEDIATE")
        except sqlite3.OperationalError:
            raise PrintError(
                "print_busy", "Another program is changing the taught decks; try again."
            ) from None
        yield
