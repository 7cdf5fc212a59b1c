"""The gate before the networks: few photos at once, a short queue, and a plain no beyond it; and the taught prints."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from queue import LifoQueue

from flask import current_app

from webui.scanning.apart import Apart, Recogniser

EXTENSION = "paiyan_gate"


class BusyError(ValueError):
    """More photos are waiting than the queue holds."""

    code = "busy"


class Gate:
    """The readers of this process and the queue before them.

    Parameters
    ----------
    reader
        The recogniser, or None for the trained networks, for each photo at once in a process of their own, which is
        begun when the first photo comes.
    at_once
        Photos that are read at the same time.
    waiting
        Photos that may wait; one more raises `BusyError`.
    """

    def __init__(self, reader: Recogniser | None, at_once: int, waiting: int) -> None:
        self._readers: Sequence[Recogniser] = [reader or Apart() for _ in range(at_once)]
        self._idle: LifoQueue[Recogniser] = LifoQueue()
        for one in self._readers:
            self._idle.put(one)
        self._door = threading.Lock()
        self._free = at_once + waiting

    def start(self) -> None:
        """Let a process load the networks before the first photo comes."""
        with self.reader() as reader:
            if isinstance(reader, Apart):
                reader.start()

    def stop(self) -> None:
        """End the processes of the readers."""
        for reader in self._readers:
            if isinstance(reader, Apart):
                reader.stop()

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
    def reader(self) -> Iterator[Recogniser]:
        """Wait for a turn and lend a reader; raises `BusyError` at once where the queue is full."""
        self._enter()
        try:
            reader = self._idle.get()
            try:
                yield reader
            finally:
                self._idle.put(reader)
        finally:
            self._leave()


def gate() -> Gate:
    """The gate of the application that answers this request."""
    found: Gate = current_app.extensions[EXTENSION]
    return found


def prints_folder() -> Path:
    """Where the prints that were taught are kept."""
    return Path(str(current_app.config["DATA_DIR"])) / "decks"
