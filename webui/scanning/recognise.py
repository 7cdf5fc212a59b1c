"""The gate before the networks: few photos at once, a short queue, and a plain no beyond it; and the taught prints."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from flask import current_app

if TYPE_CHECKING:
    from vision import Reading

EXTENSION = "paiyan_gate"


class Recogniser(Protocol):
    """What the page needs of `vision.Reader`."""

    def read(self, data: bytes, *, name: str, deck: str, taught: str, taught_dir: Path | None) -> Reading:
        """Read one photo."""
        ...

    def read_together(
        self,
        data: Sequence[bytes],
        *,
        names: Sequence[str],
        deck: str,
        taught: str,
        taught_dir: Path | None,
    ) -> tuple[Reading, ...]:
        """Read photos of the same cards as one, and those of other cards each by itself."""
        ...


class BusyError(ValueError):
    """More photos are waiting than the queue holds."""

    code = "busy"


class Gate:
    """The one reader of this process and the queue before it.

    Parameters
    ----------
    reader
        The recogniser, or None for `vision.Reader`, made when the first photo comes.
    at_once
        Photos that are read at the same time.
    waiting
        Photos that may wait; one more raises `BusyError`.
    """

    def __init__(self, reader: Recogniser | None, at_once: int, waiting: int) -> None:
        self._reader = reader
        self._loading = threading.Lock()
        self._turn = threading.Semaphore(at_once)
        self._door = threading.Lock()
        self._free = at_once + waiting

    def _loaded(self) -> Recogniser:
        with self._loading:
            if self._reader is None:
                # onnxruntime takes a second to import: not at the start, and not for who only counts.
                import vision

                self._reader = vision.Reader()
            return self._reader

    def full(self) -> bool:
        """Whether one more photo would be refused."""
        with self._door:
            return self._free <= 0

    def _enter(self) -> None:
        with self._door:
            if self._free <= 0:
                raise BusyError("too many photos are being read; try again in a few seconds")
            self._free -= 1

    def _leave(self) -> None:
        with self._door:
            self._free += 1

    @contextmanager
    def turn(self) -> Iterator[None]:
        """Wait for a turn to decode a photo; raises `BusyError` at once where the queue is full."""
        self._enter()
        try:
            with self._turn:
                yield
        finally:
            self._leave()

    @contextmanager
    def reader(self) -> Iterator[Recogniser]:
        """The same, and lend the reader."""
        with self.turn():
            yield self._loaded()


def gate() -> Gate:
    """The gate of the application that answers this request."""
    found: Gate = current_app.extensions[EXTENSION]
    return found


def prints_folder() -> Path:
    """Where the prints that were taught are kept."""
    return Path(str(current_app.config["DATA_DIR"])) / "decks"
