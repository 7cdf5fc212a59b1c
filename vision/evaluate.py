"""How well photos are read: readings beside the truth of annotated photographs.

A card counts when one of its ends is at least 60 % visible; between 20 and 60 % it may be reported or not, but not
wrongly. A reported card is a true card when the centre of one of its ends lies in one of that card's ends.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, fields
from itertools import combinations
from pathlib import Path

import numpy as np

from vision.geometry import Floats, lies_in
from vision.header import PhotoError
from vision.read import Reader
from vision.reading import Reading, SeenCard
from vision.truth import TrueCard, TrueEnd, TruePhoto, read_truth

COUNTS, OPTIONAL = 0.60, 0.20  # visible share of the better end
GROWN = 1.15  # how much a true end is enlarged before a centre must lie in it


@dataclass(frozen=True)
class Counts:
    """What went right and wrong in some photos; counts of different photos add up.

    cards : true cards that count.  found : of them, reported at all.  right : with the right face.
    wrong : reported with a wrong face.  extra : reported where none is.  silent : wrong or extra, and not marked.
    flagged : right, and marked.  clean, one_off : photos with no error, with one at most.
    together, apart, torn : pairs of cards rightly put together, wrongly put together, wrongly parted.
    """

    photos: int = 0
    cards: int = 0
    found: int = 0
    right: int = 0
    wrong: int = 0
    extra: int = 0
    silent: int = 0
    flagged: int = 0
    clean: int = 0
    one_off: int = 0
    together: int = 0
    apart: int = 0
    torn: int = 0

    def __add__(self, other: Counts) -> Counts:
        return Counts(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))

    @property
    def errors(self) -> int:
        """Cards missed, misread or made up."""
        return self.cards - self.found + self.wrong + self.extra


@dataclass(frozen=True)
class Judged:
    """One reported card beside the truth: `true` is its real code, None where no card is."""

    true: str | None
    code: str
    confidence: float
    review: bool


@dataclass(frozen=True)
class Marked:
    """One photo with its reading (None where it could not be read), counts and judged cards."""

    photo: TruePhoto
    reading: Reading | None
    counts: Counts
    cards: tuple[Judged, ...]


def evaluate_folder(
    folder: Path,
    reader: Reader,
    *,
    taught: str = "none",
    taught_dir: Path | None = None,
    progress: Callable[[int, int], None] | None = None,
) -> tuple[Marked, ...]:
    """Read every annotated photo of a folder and compare.

    Parameters
    ----------
    progress : called with the number of photos done and of all.

    Raises
    ------
    TruthError
        When the folder has no usable `annotations.json`.
    """
    photos = read_truth(folder)
    marked = []
    for done, photo in enumerate(photos.values(), 1):
        try:
            data = (folder / photo.file).read_bytes()
        except OSError:
            marked.append(Marked(photo, None, *compare(photo, ())))
        else:
            marked.append(measured(photo, data, reader, taught=taught, taught_dir=taught_dir))
        if progress:
            progress(done, len(photos))
    return tuple(marked)


def measured(
    photo: TruePhoto, data: bytes, reader: Reader, *, taught: str = "none", taught_dir: Path | None = None
) -> Marked:
    """Read one photo of which the truth is known, and compare."""
    try:
        reading = reader.read(data, name=photo.file, taught=taught, taught_dir=taught_dir)
    except PhotoError:
        return Marked(photo, None, *compare(photo, ()))
    return Marked(photo, reading, *compare(photo, reading.cards))


def compare(photo: TruePhoto, seen: Sequence[SeenCard]) -> tuple[Counts, tuple[Judged, ...]]:
    """Counts of one photo, and each reported card with what it really is."""
    true = [card for card in photo.cards if card.visible >= OPTIONAL]
    match = matched(true, seen)
    judged = tuple(
        Judged(true[match[i]].code if i in match else None, card.code, card.confidence, card.review)
        for i, card in enumerate(seen)
    )
    counted = [k for k, card in enumerate(true) if card.visible >= COUNTS]
    hits = [i for i, one in enumerate(judged) if one.true == one.code]
    misses = [one for one in judged if one.true != one.code]
    counts = Counts(
        photos=1,
        cards=len(counted),
        found=sum(k in match.values() for k in counted),
        right=sum(match[i] in counted for i in hits),
        wrong=sum(one.true is not None for one in misses),
        extra=sum(one.true is None for one in misses),
        silent=sum(not one.review for one in misses),
        flagged=sum(judged[i].review for i in hits),
    )
    errors = counts.errors
    together, apart, torn = piles_compared(true, seen, match)
    return counts + Counts(
        clean=int(errors == 0), one_off=int(errors <= 1), together=together, apart=apart, torn=torn
    ), judged


def matched(true: Sequence[TrueCard], seen: Sequence[SeenCard]) -> dict[int, int]:
    """Seen card -> true card, each at most once; right faces first, then the nearest and best visible ends."""
    candidates = sorted(
        (card.code != real.code, distance - end.visible, i, k)
        for i, card in enumerate(seen)
        for k, real in enumerate(true)
        for end in real.ends
        if end.visible >= OPTIONAL
        for distance in _distances(card, end)
    )
    match: dict[int, int] = {}
    for _, _, i, k in candidates:
        if i not in match and k not in match.values():
            match[i] = k
    return match


def _distances(card: SeenCard, end: TrueEnd) -> Iterator[float]:
    """Distances to a true end's centre of those ends of a seen card whose centres lie in it."""
    middle = end.quad.mean(axis=0)
    for mine in card.ends:
        centre = mine.quad.mean(axis=0)
        if meets(centre, end.quad):
            yield float(np.linalg.norm(centre - middle))


def meets(centre: Floats, quad: Floats) -> bool:
    """Whether the centre (2,) of a reported end lies in a true one's quad (4, 2), enlarged by `GROWN`."""
    middle = quad.mean(axis=0)
    return lies_in(centre, middle + GROWN * (quad - middle))


def piles_compared(
    true: Sequence[TrueCard], seen: Sequence[SeenCard], match: Mapping[int, int]
) -> tuple[int, int, int]:
    """Pairs of matched cards rightly together, wrongly together, wrongly parted.

    Zero where the photo has one pile or only piles of one card, which tell nothing.
    """
    if not 1 < len({card.pile for card in true}) < len(true):
        return 0, 0, 0
    found = [0, 0, 0]
    for (i, k), (j, m) in combinations(match.items(), 2):
        really, said = true[k].pile == true[m].pile, seen[i].pile == seen[j].pile
        if really or said:
            found[0 if really and said else 1 if said else 2] += 1
    return found[0], found[1], found[2]


def summary(marked: Sequence[Marked]) -> list[dict[str, object]]:
    """Figures for all photos, by deck and by layout; extra, silent and flagged per 100 cards, the others as shares."""
    groups: dict[str, list[Marked]] = {}
    for one in marked:
        for name in ("all", one.photo.deck, f"layout {one.photo.layout}", *one.photo.groups):
            groups.setdefault(name, []).append(one)
    return [{"name": name, **_figures(members)} for name, members in groups.items()]


def _figures(marked: Sequence[Marked]) -> dict[str, object]:
    n = sum((one.counts for one in marked), Counts())
    cards, photos = max(1, n.cards), max(1, n.photos)
    pairs = 2 * n.together + n.apart + n.torn
    times = sorted(one.reading.timing_ms["total"] if one.reading else 0.0 for one in marked)
    return {
        "photos": n.photos,
        "cards": n.cards,
        "found": round(n.found / cards, 4),
        "right": round(n.right / cards, 4),
        "extra": round(100 * n.extra / cards, 2),
        "clean": round(n.clean / photos, 3),
        "one_off": round(n.one_off / photos, 3),
        "silent": round(100 * n.silent / cards, 2),
        "flagged": round(100 * n.flagged / cards, 2),
        "piles": round(2 * n.together / pairs, 3) if pairs else None,
        "p50": round(times[len(times) // 2]),
        "p95": round(times[min(len(times) - 1, int(0.95 * len(times)))]),
    }
