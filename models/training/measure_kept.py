"""Measure what kept photos are worth to their deck: ``python -m models.training.measure_kept PHOTOS [--kept 3 7]``.

The folder is annotated as for ``paiyan evaluate``, and its images name their ``design``; ``scenes --scenes 14`` renders
enough of each. The first photos of a design are kept with their truth, as the page keeps them: each is read by itself
and with a print of the others, and from these readings come the print's own doubt and whether it may be learnt at all.
The rest of its photos are read without a print, with one whose doubt is the networks', with one that has its own, and
as on the page: with the print where it did no harm, else without. Whether doubt means what it says stands under
`error`: the expected calibration error over the reported cards (`vision.reliability`).

Each photo goes through the networks once; only what a print makes of their answers is worked out anew.
"""

from __future__ import annotations

import argparse
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

import numpy as np

from models.training.measure_corrections import Glance, by_design, glance, read
from vision.evaluate import Counts, Judged, Marked, compare, summary
from vision.photo import decode
from vision.read import Reader
from vision.reliability import reliability
from vision.taught import Print, save_print
from vision.teach import WHOLE, from_truth
from webui.examples.figures import no_harm
from webui.examples.measuring import own_temperature

SHOWN = ("photos", "cards", "right", "clean", "silent", "flagged")
WAYS = ("none", "print", "own doubt", "as on the page")


class Kept(NamedTuple):
    """A print of all kept photos, what its logits would be divided by, whether reading with it did no harm."""

    taught: Print
    temperature: float
    harmless: bool


def together(parts: Sequence[Print]) -> Print:
    """The examples of several photos as one print."""
    return Print(
        parts[0].deck,
        tuple(code for one in parts for code in one.codes),
        np.concatenate([one.crops for one in parts]),
        np.concatenate([one.embeddings for one in parts]),
        parts[0].network,
        (0,) * sum(len(one.codes) for one in parts),
    )


def learnt(reader: Reader, folder: Path, its: Sequence[Glance]) -> Kept:
    """What the kept photos of a deck teach, and what comes of reading each with a print of the others."""
    parts = [
        from_truth([(decode((folder / one.photo.file).read_bytes()), one.photo)], reader.networks)
        for one in its
    ]
    before, after = Counts(), Counts()
    judged: list[Judged] = []
    with TemporaryDirectory() as place:
        for left_out, seen in enumerate(its):
            save_print(Path(place), "own", together(parts[:left_out] + parts[left_out + 1 :]))
            before += compare(seen.photo, read(reader, seen, "none", Path()).cards)[0]
            counts, cards = compare(seen.photo, read(reader, seen, "own", Path(place)).cards)
            after, judged = after + counts, [*judged, *cards]
    return Kept(together(parts), own_temperature(judged), no_harm(before, after))


def readings(reader: Reader, kept: Kept, its: Sequence[Glance]) -> dict[str, list[Marked]]:
    """The rest of a deck's photos, read in every way."""
    with TemporaryDirectory() as folder:
        place = Path(folder)
        save_print(place, "print", kept.taught)
        save_print(place, "own doubt", replace(kept.taught, temperature=kept.temperature))
        page = "own doubt" if kept.harmless else "none"
        names = dict(zip(WAYS, ("none", "print", "own doubt", page), strict=True))
        return {
            way: [
                Marked(one.photo, None, *compare(one.photo, read(reader, one, name, place).cards))
                for one in its
            ]
            for way, name in names.items()
        }


def table(found: Mapping[str, Sequence[Marked]]) -> str:
    """Markdown of the figures of every way to read, over all photos and by deck."""
    lines = ["| | " + " | ".join((*SHOWN, "error")) + " |", "|---" * (len(SHOWN) + 2) + "|"]
    for way, marked in found.items():
        for row in summary(marked):
            if str(row["name"]).startswith("layout"):
                continue
            cards = [card for one in marked if row["name"] in ("all", one.photo.deck) for card in one.cards]
            said = (*(row[name] for name in SHOWN), round(reliability(cards).expected_error, 4))
            lines.append(f"| {way}, {row['name']} | " + " | ".join(map(str, said)) + " |")
    return "\n".join(lines)


def measure(
    reader: Reader, folder: Path, seen: Mapping[str, Sequence[Glance]], number: int, most: int
) -> str:
    """The table of the photos after the first ``most`` of each design, with ``number`` of these kept."""
    found: dict[str, list[Marked]] = {way: [] for way in WAYS}
    said = []
    for design, its in seen.items():
        kept = learnt(reader, folder, its[:number])
        said.append(f"{design} {kept.temperature:.2f}{'' if kept.harmless else ' (harms)'}")
        for way, marked in readings(reader, kept, its[most:]).items():
            found[way] += marked
    return f"{number} kept; temperatures: {', '.join(said)}\n{table(found)}"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("photos", type=Path)
    parser.add_argument("--kept", type=int, nargs="+", default=[3, 7], help="photos of each design kept")
    parser.add_argument("--designs", type=int, help="the first so many designs only")
    args = parser.parse_args()
    reader = Reader()
    seen = {
        design: [
            glance(reader, args.photos, one)
            for one in its
            if any(card.visible >= WHOLE for card in one.cards)
        ]
        for design, its in list(by_design(args.photos).items())[: args.designs]
    }
    for number in args.kept:
        print(measure(reader, args.photos, seen, number, max(args.kept)), flush=True)


if __name__ == "__main__":
    main()
