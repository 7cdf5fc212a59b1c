"""Measure what corrections gain: ``python -m models.training.measure_corrections PHOTOS_FOLDER [--hands K]``.

The folder is annotated as for ``paiyan evaluate``, and its images name their ``design``. The first photo of each design
teaches its print what is sure there, as a deck that is saved without answering anything. Then the first K photos are
read with that print as hands, and every card that is read wrong is put right from the annotations, by what the page
calls when a player does so. The design's other photos are read knowing nothing, with the print, and with the print
after the corrections.
"""

from __future__ import annotations

import argparse
import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from models.training.measure_taught import designs, owner_says, read_all, table
from vision.photo import decode
from vision.read import Reader
from vision.reading import Reading
from vision.taught import save_print
from vision.teach import PutRight, learned, propose
from vision.truth import TruePhoto, read_truth
from webui.decks import prints
from webui.recognise import Gate


def by_design(folder: Path) -> dict[str, list[TruePhoto]]:
    """The photos of each design, in order of their files."""
    truth, found = read_truth(folder), dict[str, list[TruePhoto]]()
    for file, design in sorted(designs(folder).items()):
        found.setdefault(design, []).append(truth[file])
    return found


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
            prints.put_right(gate, wrong, kept, design, at_ms)
        number += len(wrong)
    return number


def measure(reader: Reader, folder: Path, photos: Mapping[str, Sequence[TruePhoto]], hands: int) -> str:
    """The table of the photos after the first ``hands`` of each design: no print, the print, the print corrected."""
    gate = Gate(reader, 1, 0)
    rest = [photo for its in photos.values() for photo in its[hands:]]
    with TemporaryDirectory() as place:
        before, after = Path(place, "before"), Path(place, "after")
        number = 0
        for design, its in photos.items():
            lesson = propose(reader, (folder / its[0].file).read_bytes(), deck=its[0].deck)
            save_print(before, design, learned([lesson], reader.networks))
            shutil.copytree(before / design, after / design)
            number += corrected(gate, folder, design, its[:hands], after)
        own = {design: design for design in photos}
        print(f"{len(photos)} designs, {len(rest)} photos, {number} cards put right in {hands} hands of each")
        return table(
            {
                "none": read_all(reader, folder, rest, before, dict.fromkeys(photos, "none")),
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
