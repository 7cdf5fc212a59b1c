"""Files that only their owner may read, written whole or not at all: the key of the cookies, certificates."""

from __future__ import annotations

import os
import secrets
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

KEY_DIGITS = 64


class DamagedKey(ValueError):
    """The file of the key that signs cookies holds none."""

    code = "damaged_key"


def secret_key(folder: Path) -> str:
    """The key that signs cookies: PAIYAN_SECRET_KEY, or one kept in the data folder, made at the first start.

    Raises
    ------
    DamagedKey
        Where its file is empty or holds something else: who is paired is not forgotten without a word.
    """
    given = os.environ.get("PAIYAN_SECRET_KEY")
    if given:
        return given
    path = folder / "secret.key"
    if not path.exists():
        put_first(path, secrets.token_hex(KEY_DIGITS // 2).encode())
    key = path.read_bytes().strip()
    if len(key) != KEY_DIGITS or not key.isalnum():
        raise DamagedKey(
            f"{path} is empty or damaged; bring it back from a backup of the folder, or delete it: "
            "a new one is made then, and every phone is paired once more"
        )
    return key.decode("ascii")


def put(path: Path, data: bytes) -> None:
    """Write a file over whatever was there."""
    with _draft(path, data) as draft:
        os.replace(draft, path)


def put_first(path: Path, data: bytes) -> None:
    """Write a file where there is none; of several processes at once, the first one's stays."""
    with _draft(path, data) as draft:
        try:
            os.link(draft, path)
        except FileExistsError:
            pass
        except OSError:  # a file system without hard links
            os.replace(draft, path)


@contextmanager
def _draft(path: Path, data: bytes) -> Iterator[str]:
    """A file beside `path`, for its owner alone, with the data on the disk; gone afterwards."""
    handle, draft = tempfile.mkstemp(dir=path.parent, prefix=f"{path.name}.")
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        yield draft
    finally:
        Path(draft).unlink(missing_ok=True)
