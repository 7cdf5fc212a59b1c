"""Measure what corrections gain: ``python -m models.training.measure_corrections PHOTOS_FOLDER [--hands 1 3 10]``.

The folder is annotated as for ``paiyan evaluate``, and its images name their ``design``. The photo of each design that
shows most cards teaches its print what is sure there, as a deck that is saved without answering anything. Then further
photos are read with that print as hands, one after the other, and every card that is read wrong is put right from the
annotations, by what the page calls when a player does so. The photos after the most hands are read knowing nothing,
with the print, and with the print after so many hands. ``scenes --scenes 14`` renders enough of each print.

Each photo goes through the networks once; only what a print makes of their answers is worked out anew.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from models.training.measure_taught import designs, owner_says, table
from vision.ends import Ends, find_ends
from vision.evaluate import Marked, compare, summary
from vision.faces import Faces
from vision.header import PhotoError
from vision.merge import found_in
from vision.photo import Views, decode, open_photo
from vision.read import Reader, Shot, judge
from vision.reading import Reading
from vision.taught import save_print
from vision.teach import PutRight, learned, propose
from vision.truth import TruePhoto, read_truth
from webui.decks import prints
from webui.scanning.recognise import Gate


class Glance(NamedTuple):
    """One photo as the networks see it, before a print has spoken."""

    photo: TruePhoto
    views: Views
    ends: Ends
    faces: Faces


def by_design(folder: Path) -> dict[str, list[TruePhoto]]:
    """The photos of each design that show a card: the one with the most, the others in order of their files."""
    truth, found = read_truth(folder), dict[str, list[TruePhoto]]()
    for file, design in sorted(designs(folder).items()):
        if truth[file].cards:
            found.setdefault(design, []).append(truth[file])
    for its in found.values():
        most = max(its, key=lambda photo: len(photo.cards))
        its.sort(key=lambda photo: photo is not most)
    return found


def glance(reader: Reader, folder: Path, photo: TruePhoto) -> Glance:
    """Let both networks look at a photo."""
    views = Views(open_photo((folder / photo.file).read_bytes()))
    ends = find_ends(views.at_least, views.size, reader.networks.ends)
    return Glance(photo, views, ends, reader.read_sparingly(views, ends))


def read(reader: Reader, seen: Glance, taught: str, kept: Path) -> Reading:
    """The reading of a photo with a print."""
    shot = Shot(seen.photo.file, seen.views, reader.seen(seen.ends, seen.faces, taught, kept), 0.0)
    return judge(reader.networks, [shot], found_in(shot.seen, reader.ours), 0, seen.photo.deck)


def taught(reader: Reader, folder: Path, photos: Mapping[str, Sequence[TruePhoto]], kept: Path) -> list[str]:
    """Teach each design from its first photo; those designs of which something was sure enough to learn."""
    known = []
    for design, its in photos.items():
        try:
            lesson = propose(reader, (folder / its[0].file).read_bytes(), deck=its[0].deck)
            save_print(kept, design, learned([lesson], reader.networks))
        except PhotoError as error:
            print(f"{design}: {error}")
        else:
            known.append(design)
    return known


def wrong_ends(photo: TruePhoto, reading: Reading, data: bytes) -> list[PutRight]:
    """The cards of a reading whose code is wrong, as a player puts them right; what is no card teaches nothing."""
    picture = decode(data)
    said = [(card.code, *owner_says(photo, card)) for card in reading.cards]
    return [PutRight(right, picture, quad) for code, quad, right in said if right and right != code]


def corrected(gate: Gate, folder: Path, design: str, seen: Glance, kept: Path, at_ms: int) -> int:
    """Put right what is wrong in a photo of a design; says how many cards that were."""
    data = (folder / seen.photo.file).read_bytes()
    with gate.reader() as reader:
        assert isinstance(reader, Reader)
        reading = read(reader, seen, design, kept)
    wrong = wrong_ends(seen.photo, reading, data)
    if wrong:
        prints.put_right(gate, partial(list, wrong), kept, design, at_ms)
    return len(wrong)


def figures(
    reader: Reader, photos: Mapping[str, Sequence[Glance]], kept: Path | None
) -> list[dict[str, object]]:
    """Figures of all photos read with their own print in a folder, or with none."""
    found = []
    for design, its in photos.items():
        for seen in its:
            reading = read(reader, seen, design if kept else "none", kept or Path())
            found.append(Marked(seen.photo, None, *compare(seen.photo, reading.cards)))
    return summary(found)


def measure(
    reader: Reader, folder: Path, photos: Mapping[str, Sequence[TruePhoto]], hands: Sequence[int]
) -> str:
    """The table of the photos after the most ``hands`` of each design."""
    gate, most = Gate(reader, 1, 0), max(hands)
    look: Callable[[TruePhoto], Glance] = partial(glance, reader, folder)
    with TemporaryDirectory() as place:
        kept, lines, number = Path(place, "kept"), dict[str, list[dict[str, object]]](), 0
        known = taught(reader, folder, photos, kept)
        rest = {design: [look(one) for one in photos[design][1 + most :]] for design in known}
        shown = {design: [look(one) for one in photos[design][1 : 1 + most]] for design in known}
        lines["none"] = figures(reader, rest, None)
        lines["own"] = figures(reader, rest, kept)
        for done in range(1, most + 1):
            for design in known:
                number += corrected(gate, folder, design, shown[design][done - 1], kept, done)
            if done in hands:
                lines[f"own, {done} put right ({number} cards)"] = figures(reader, rest, kept)
        print(f"{len(known)} designs, {sum(map(len, rest.values()))} photos")
        return table(lines)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path)
    parser.add_argument(
        "--hands", type=int, nargs="+", default=[1, 3, 10], help="photos of each design that are put right"
    )
    parser.add_argument("--designs", type=int, help="the first so many designs only")
    args = parser.parse_args()
    photos = dict(list(by_design(args.photos).items())[: args.designs])
    print(measure(Reader(), args.photos, photos, args.hands))


if __name__ == "__main__":
    main()
