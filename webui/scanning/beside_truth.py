"""Photos read beside their known truth, and learnt from: the work of the process that has the networks."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory

import vision
from vision.evaluate import Counts, Judged, compare
from vision.photo import decode
from vision.taught import extended, save_print
from vision.teach import from_truth
from vision.truth import TruePhoto
from webui.scanning.apart import Recogniser

Known = tuple[bytes, TruePhoto]
Found = dict[str, tuple[Counts, tuple[Judged, ...]]]


def read_beside_truth(reader: Recogniser, known: Known, others: Sequence[Known]) -> Found:
    """What a reader makes of a photo by itself (`plain`), and with a print of other photos of its deck (`own`)."""
    data, photo = known
    found = {"plain": _compared(reader, data, photo, "none", None)}
    if others and isinstance(reader, vision.Reader):
        learnt = from_truth([(decode(jpeg), one) for jpeg, one in others], reader.networks)
        with TemporaryDirectory() as folder:
            save_print(Path(folder), "own", learnt)
            found["own"] = _compared(reader, data, photo, "own", Path(folder))
    return found


def _compared(
    reader: Recogniser, data: bytes, photo: TruePhoto, taught: str, folder: Path | None
) -> tuple[Counts, tuple[Judged, ...]]:
    reading = reader.read(data, name=photo.file, deck=photo.deck, taught=taught, taught_dir=folder)
    return compare(photo, reading.cards)


def learn(reader: Recogniser, photos: Sequence[Known], folder: str, name: str, temperature: float) -> None:
    """Add what photos show to the print of this name; raises `PhotoError`."""
    if not isinstance(reader, vision.Reader):
        raise vision.PhotoError("nothing_learned", "This reader can't be taught.")
    new = from_truth([(decode(jpeg), one) for jpeg, one in photos], reader.networks)
    more = extended(Path(folder), name, new, reader.networks)
    save_print(Path(folder), name, replace(more, temperature=temperature))
