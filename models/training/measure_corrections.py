"""Measure what corrections gain: ``python -m models.training.measure_corrections PHOTOS_FOLDER [--hands K]``.

The folder is annotated as for ``paiyan evaluate``, and its images name their ``design``. The photo of each design that
shows most cards teaches its print what is sure there, as a deck that is saved without answering anything. Then it and
K - 1 further photos are read with that print as hands, and every card that is read wrong is put right from the
annotations, by what the page calls when a player does so. The design's other photos are read knowing nothing, with the
print, and with the print after the corrections.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory

from models.training.measure_taught import designs, owner_says, read_all, table
from vision.header import PhotoError
from vision.photo import decode
from vision.read import Reader
from vision.reading import Reading
from vision.taught import save_print
from vision.teach import PutRight, learned, propose
from vision.truth import TruePhoto, read_truth
from webui.decks import prints
from webui.scanning.recognise import Gate


def by_design(folder: Path) -> dict[str, list[TruePhoto]]:
    """The photos of each design: the one with the most cards, the others in order of their files."""
    truth, found = read_truth(folder), dict[str, list[TruePhoto]]()
    for file, design in sorted(designs(folder).items()):
        found.setdefault(design, []).append(truth[file])
    for its in found.values():
        most = max(its, key=lambda photo: len(photo.cards))
        its.sort(key=lambda photo: photo is not most)
    return found


def taught(
    reader: Reader, folder: Path, photos: Mapping[str, Sequence[TruePhoto]], kept: Path
) -> dict[str, Sequence[TruePhoto]]:
    """Teach each design from its first photo; those designs of which something was sure enough to learn."""
    known: dict[str, Sequence[TruePhoto]] = {}
    for design, its in photos.items():
        try:
            lesson = propose(reader, (folder / its[0].file).read_bytes(), deck=its[0].deck)
            save_print(kept, design, learned([lesson], reader.networks))
        except PhotoError as error:
            print(f"{design}: {error}")
        else:
            known[design] = its
    return known


def wrong_ends(photo: TruePhoto, reading: Reading, data: bytes) -> list[PutRight]:
    """The cards of a reading whose code is wrong, as a player puts them right; what is no card teaches nothing."""
    picture = decode(data)
    said = [(card.code, *owner_says(photo, card)) for card in reading.cards]
    return [PutRight(right, picture, quad) for code, quad, right in said if right and right != code]


def corrected(gate: Gate, folder: Path, design: str, photos: Sequence[TruePhoto], kept: Path) -> int:
    """Put right what is wrong in photos of a design, one after the other; says how many cards that were."""
    number = 0
    for at_ms, photo in enumerate(photos, 1):
        data = (folder / photo.file).read_bytes()
        with gate.reader() as reader:
            reading = reader.read(data, name=photo.file, deck=photo.deck, taught=design, taught_dir=kept)
        wrong = wrong_ends(photo, reading, data)
        if wrong:
            prints.put_right(gate, partial(list, wrong), kept, design, at_ms)
        number += len(wrong)
    return number


def measure(reader: Reader, folder: Path, photos: Mapping[str, Sequence[TruePhoto]], hands: int) -> str:
    """The table of the photos after the first ``hands`` of each design: no print, the print, the print corrected."""
    gate = Gate(reader, 1, 0)
    with TemporaryDirectory() as place:
        before, after = Path(place, "before"), Path(place, "after")
        known = taught(reader, folder, photos, before)
        shutil.copytree(before, after)
        number = sum(corrected(gate, folder, design, its[:hands], after) for design, its in known.items())
        rest = [photo for its in known.values() for photo in its[hands:]]
        own = {design: design for design in known}
        print(f"{len(known)} designs, {len(rest)} photos, {number} cards put right in {hands} hands of each")
        return table(
            {
                "none": read_all(reader, folder, rest, before, dict.fromkeys(known, "none")),
                "own": read_all(reader, folder, rest, before, own),
                f"own, {hands} hands put right": read_all(reader, folder, rest, after, own),
            }
        )


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path)
    parser.add_argument("--hands", type=int, default=2, help="photos of each design that are put right")
    parser.add_argument("--designs", type=int, help="the first so many designs only")
    args = parser.parse_args()
    photos = dict(list(by_design(args.photos).items())[: args.designs])
    print(measure(Reader(), args.photos, photos, args.hands))


if __name__ == "__main__":
    main()
