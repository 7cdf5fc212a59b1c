"""Measure what teaching a print does: ``python -m models.training.measure_taught TEACH_FOLDER PHOTOS_FOLDER``.

Both folders are annotated as for ``paiyan evaluate``, and their images name their ``design``. Each design is taught
from its pictures of the first folder; what the program asks about is answered from the annotations, as its owner would.
Then the photos of the second folder are read knowing nothing, with their own print, with whichever print fits (`auto`),
and with a wrong print of the same deck.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from vision.evaluate import Marked, compare, meets, summary
from vision.geometry import Floats
from vision.read import Reader
from vision.reading import SeenCard
from vision.taught import save_print
from vision.teach import Lesson, Proposal, confirmed, learned, propose
from vision.truth import TruePhoto, read_truth

SHOWN = ("found", "right", "extra", "clean", "one_off", "silent", "flagged", "piles")


def designs(folder: Path) -> dict[str, str]:
    """The design of each picture of a folder."""
    rows = json.loads((folder / "annotations.json").read_text("utf-8"))["images"]
    return {row["file_name"]: row["design"] for row in rows}


def owner_says(photo: TruePhoto, asked: Proposal | SeenCard) -> tuple[Floats, str | None]:
    """The answer to one question: the quad asked about and the code of the card that lies there, None for no card."""
    quad = asked.ends[0].quad
    there = (card.code for card in photo.cards for end in card.ends if meets(quad.mean(axis=0), end.quad))
    return quad, next(there, None)


def taught_by_owner(reader: Reader, photo: TruePhoto, data: bytes) -> tuple[Lesson, int]:
    """The lesson of one picture, and how many cards had to be asked about."""
    lesson = propose(reader, data)
    answers = [owner_says(photo, one) for one in lesson.asked]
    return confirmed(lesson, answers), len(answers)


def teach_all(reader: Reader, folder: Path, prints: Path) -> dict[str, str]:
    """Teach every design of a folder into ``prints``; returns the deck of each."""
    truth, named = read_truth(folder), designs(folder)
    decks = {}
    for design in sorted(set(named.values())):
        files = [file for file, its in named.items() if its == design]
        lessons = [taught_by_owner(reader, truth[file], (folder / file).read_bytes()) for file in files]
        save_print(prints, design, learned([lesson for lesson, _ in lessons], reader.networks))
        decks[design] = lessons[0][0].deck
        cards = sum(len(lesson.proposals) for lesson, _ in lessons)
        print(f"taught {design}: {cards} cards, asked about {sum(asked for _, asked in lessons)}")
    return decks


def wrong_print(design: str, decks: Mapping[str, str]) -> str:
    """Another design's print, of the same deck where there is one."""
    others = [name for name in decks if name != design]
    return next((name for name in others if decks[name] == decks[design]), others[0])


def read_all(
    reader: Reader, folder: Path, photos: Sequence[TruePhoto], prints: Path, taught: Mapping[str, str]
) -> list[dict[str, object]]:
    """Figures of photos of a folder, each read with the print that ``taught`` gives its design."""
    named = designs(folder)
    marked: list[Marked] = []
    for photo in photos:
        file = photo.file
        name = taught[named[file]]
        reading = reader.read((folder / file).read_bytes(), name=file, taught=name, taught_dir=prints)
        marked.append(Marked(photo, reading, *compare(photo, reading.cards)))
    return summary(marked)


def table(found: Mapping[str, Sequence[Mapping[str, object]]]) -> str:
    """Markdown of the figures over all photos and by deck."""
    lines = ["| print | photos of | " + " | ".join(SHOWN) + " |", "|---" * (len(SHOWN) + 2) + "|"]
    for how, rows in found.items():
        for row in rows:
            if not str(row["name"]).startswith("layout"):
                lines.append(
                    f"| {how} | {row['name']} | " + " | ".join(str(row[key]) for key in SHOWN) + " |"
                )
    return "\n".join(lines)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("teach", type=Path)
    parser.add_argument("photos", type=Path)
    args = parser.parse_args()
    reader = Reader()
    with TemporaryDirectory() as folder:
        prints = Path(folder)
        decks = teach_all(reader, args.teach, prints)
        ways = {
            "none": dict.fromkeys(decks, "none"),
            "own": {name: name for name in decks},
            "auto": dict.fromkeys(decks, "auto"),
            "wrong": {name: wrong_print(name, decks) for name in decks},
        }
        photos = list(read_truth(args.photos).values())
        found = {how: read_all(reader, args.photos, photos, prints, taught) for how, taught in ways.items()}
        print(table(found))


if __name__ == "__main__":
    main()
