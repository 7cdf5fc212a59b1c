"""How many faces a reader reads rightly, and how many ends a finder finds."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, fields

import numpy as np

from models.training.cache import Scene
from vision.evaluate import COUNTS, OPTIONAL, meets
from vision.geometry import Floats
from vision.photo import Image

FaceReader = Callable[[Image], Sequence[str]]  # crops (N, 96, 64, 3) RGB to N names, "" for nothing read
EndFinder = Callable[[Image], Floats]  # picture (H, W, 3) RGB to quads (N, 4, 2) px


@dataclass(frozen=True)
class Reading:
    """``right`` by deck as shares, and CPU ms for a crop."""

    right: dict[str, float]
    ms: float


@dataclass(frozen=True)
class Finding:
    """Counts of some pictures.

    ends, cards : that count (an end, the better end of a card, at least 60 % visible).
    found, met : of them, an end in whose quad the centre of a reported one lies; a card with such an end.
    extra : reported where no end is, or once more. Ends 20 to 60 % visible may be reported or not.
    seconds : CPU time.
    """

    photos: int = 0
    ends: int = 0
    found: int = 0
    cards: int = 0
    met: int = 0
    extra: int = 0
    seconds: float = 0.0

    def __add__(self, other: Finding) -> Finding:
        return Finding(*(getattr(self, f.name) + getattr(other, f.name) for f in fields(self)))


def read_all(reader: FaceReader, crops: Image, names: Sequence[str]) -> Reading:
    """Let a reader read crops whose names are known."""
    start = time.process_time()
    read = reader(crops)
    spent = time.process_time() - start
    right = np.array([mine == name for mine, name in zip(read, names, strict=True)])
    decks = np.array([name.partition(":")[0] for name in names])
    shares = {deck: float(right[decks == deck].mean()) for deck in sorted(set(decks.tolist()))}
    return Reading(shares, 1000 * spent / len(names))


def find_all(finder: EndFinder, pool: Sequence[Scene]) -> Finding:
    """Let a finder look at annotated pictures."""
    total = Finding()
    for scene in pool:
        picture = scene.picture()
        start = time.process_time()
        quads = finder(picture)
        spent = time.process_time() - start
        total += compared(scene, quads) + Finding(photos=1, seconds=spent)
    return total


def compared(scene: Scene, quads: Floats) -> Finding:
    """Reported quads (N, 4, 2) beside the true ends of a picture, each matched once, the nearest first."""
    match = matched(scene, quads)
    counting = np.flatnonzero(scene.visible >= COUNTS)
    cards = set(scene.cards[counting].tolist())
    return Finding(
        ends=len(counting),
        found=sum(end in match.values() for end in counting.tolist()),
        cards=len(cards),
        met=len(cards & set(scene.cards[sorted(match.values())].tolist())),
        extra=len(quads) - len(match),
    )


def matched(scene: Scene, quads: Floats) -> dict[int, int]:
    """Reported end -> true end whose slightly enlarged quad its centre lies in, each at most once."""
    centres, middles = quads.mean(axis=1), scene.quads.mean(axis=1)
    candidates = sorted(
        (float(np.linalg.norm(centre - middles[end])), i, int(end))
        for end in np.flatnonzero(scene.visible >= OPTIONAL)
        for i, centre in enumerate(centres)
        if meets(centre, scene.quads[end])
    )
    match: dict[int, int] = {}
    for _, i, end in candidates:
        if i not in match and end not in match.values():
            match[i] = end
    return match
