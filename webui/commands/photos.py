"""Photos named on the command line: files to readings, readings to piles, one failing photo beside the others."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, cast

import scorer
from webui.commands.terminal import CommandError

if TYPE_CHECKING:
    import vision
    from webui.scanning.apart import Recogniser

MAX_FILE_BYTES = 64 * 1024 * 1024
"""What is read of a file at most; vision's own, smaller limit then says so in its words."""


@dataclass(frozen=True)
class Failed:
    """A photo that could not be read, and why."""

    file: str
    code: str
    message: str

    def json(self) -> dict[str, object]:
        """The object that stands in the photo's place."""
        return {"file": self.file, "error": {"code": self.code, "message": self.message}}


def file_bytes(path: Path) -> bytes:
    """The bytes of a file.

    Raises
    ------
    CommandError
        Where there is no such file or it cannot be opened, or it is a pipe or a device, which may never end.
    """
    try:
        with open(path, "rb", opener=_without_waiting) as file:
            if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
                raise CommandError("unreadable_file", f"{path} is no file that can be read to its end")
            return file.read(MAX_FILE_BYTES)
    except FileNotFoundError:
        raise CommandError("no_such_file", f"there is no file {path}") from None
    except OSError as error:
        raise CommandError("unreadable_file", f"{path} cannot be read: {error.strerror}") from error


def seen_twice(paths: Sequence[Path]) -> list[str]:
    """A sentence for each photo that looks as one before it does; what can't be read is passed over."""
    from vision import PhotoError, decode
    from webui.scanning.pictures import look, looks_same

    found: list[str] = []
    before: list[tuple[Path, str]] = []
    for path in paths if len(paths) > 1 else ():
        try:
            own = look(decode(file_bytes(path)))
        except PhotoError:
            continue
        found += [
            f"{path} looks like {other} once more; if it is the same photo, its cards are counted twice"
            for other, its in before
            if looks_same(own, its)
        ][:1]
        before.append((path, own))
    return found


def _without_waiting(path: str, flags: int) -> int:
    """Open a file; a pipe to which nobody writes would be waited for, where the system lets one say so."""
    return os.open(path, flags | getattr(os, "O_NONBLOCK", 0))


def read_photos(
    paths: Iterable[Path], make: Callable[[], Recogniser], *, deck: str, taught: str, taught_dir: Path
) -> Iterator[vision.Reading | Failed]:
    """Read one photo after the other; a bad one is a `Failed` and the rest are still read.

    `make` makes the reader, once there is something to read.
    """
    import vision

    reader: Recogniser | None = None
    for path in paths:
        try:
            data = file_bytes(path)
            reader = reader or make()
            yield reader.read(data, name=str(path), deck=deck, taught=taught, taught_dir=taught_dir)
        except (vision.PhotoError, CommandError) as error:
            yield Failed(str(path), error.code, str(error))


def piles(reading: vision.Reading, *, table: bool) -> list[scorer.PileIn]:
    """The piles of a photo, in their order; `table` marks them all as lying on the table."""
    found: dict[int, list[str]] = {}
    for card in reading.cards:
        found.setdefault(card.pile, []).append(card.code)
    return [scorer.PileIn(cards=tuple(codes), table=table, kind=None) for codes in found.values()]


def doubts(readings: Sequence[vision.Reading]) -> list[str]:
    """A warning for each photo with cards that a person should look at, and vision's own warnings."""
    warnings: list[str] = []
    for reading in readings:
        deck = scorer.deck(reading.deck) if reading.deck else None
        names = [deck.face(card.code).name.hans for card in reading.cards if card.review and deck]
        if names:
            warnings.append(f"look again at {', '.join(names)} in {reading.file}")
        warnings += [f"{reading.file}: {warning}" for warning in reading.warnings]
    return warnings


def deck_of(readings: Sequence[vision.Reading]) -> str | None:
    """The deck that most cards of all photos belong to; None where there is no card."""
    counts: dict[str, int] = {}
    for reading in readings:
        if reading.deck:
            counts[reading.deck] = counts.get(reading.deck, 0) + len(reading.cards)
    return max(counts, key=lambda deck: counts[deck]) if counts else None


def others_json(readings: Sequence[vision.Reading]) -> list[dict[str, object]]:
    """Everything in the photos that is no card of these decks, with the photo it lies in."""
    import vision

    found: list[dict[str, object]] = []
    for reading in readings:
        others = cast(list[dict[str, object]], vision.reading_json(reading)["others"])
        found += [{"file": reading.file} | other for other in others]
    return found
