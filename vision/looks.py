"""One print, one look: cards of one photo that are read as one face look alike, or one of them is something else.

Two ends look alike when their grey pictures correlate, whatever a network was taught to make of them, or when the
network's embedding says so; colour plays no part. Of ends of one face in held-out photos 1 % correlate under .5, of
different faces that are read as one nearly all do, or their embeddings are far apart while they correlate little.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.photo import Image

ROWS, COLUMNS = slice(6, 62), slice(5, 59)  # of a crop that show the glyph
SIZE = (48, 50)  # px (width, height) at which looks are compared
SOFT = 0.8  # px, sigma: print and paper have a grain of their own
REACH = 4  # px by which two looks may be shifted
UNLIKE = 0.5  # correlation under which two looks differ whatever the embedding says
LITTLE_LIKE, FAR_APART = 0.78, 0.7  # correlation and cosine of embeddings under which, together, they differ
WHOLE = 0.85  # visible share of an end that shows its look
# What remains of a card's belief in a face that another look has taken, and what all faces of the deck share instead.
OTHER_LOOK = 0.02


class Looks(NamedTuple):
    """How M cards look: crops (M, 96, 64, 3) and embeddings (M, D) of their better ends, and which show whole."""

    crops: Image
    embedding: Floats
    whole: NDArray[np.bool_]


def parted(p: Floats, looks: Looks) -> Floats:
    """Probabilities (M, D + 1) of faces, `other` last, where a face that two looks share belongs to one of them.

    The look of more cards, or else the surer one, keeps the face; of two cards that differ both are doubted.
    """
    best = np.where(looks.whole, p.argmax(axis=1), -1)
    table = p.copy()
    for face in range(p.shape[1] - 1):
        cards = np.flatnonzero(best == face)
        if len(cards) > 1:
            grey = [_grey(looks.crops[i]) for i in cards]
            lost = cards[losing(grey, looks.embedding[cards], p[cards, face])]
            table[lost, face] *= OTHER_LOOK
            table[lost, :-1] += OTHER_LOOK / (p.shape[1] - 1)
    shared: Floats = table / table.sum(axis=1, keepdims=True)
    return shared


def losing(grey: Sequence[Image], embedding: Floats, belief: Floats) -> list[int]:
    """Which of the cards that are read as one face, with this belief (C,), look another way than most of them."""
    groups: list[list[int]] = []
    for i in range(len(grey)):
        like = [not _differ(grey[i], grey[j], float(embedding[i] @ embedding[j])) for j in range(i)]
        joined = [group for group in groups if any(like[j] for j in group)]
        groups = [group for group in groups if group not in joined] + [
            [i, *(j for one in joined for j in one)]
        ]
    if len(groups) < 2:
        return []
    groups.sort(key=lambda group: (len(group), belief[group].sum()), reverse=True)
    kept = 1 if len(groups[0]) > len(groups[1]) else 0
    return [i for group in groups[kept:] for i in group]


def _grey(crop: Image) -> Image:
    """The glyph of a crop (96, 64, 3), grey (50, 48)."""
    glyph = cv2.cvtColor(np.ascontiguousarray(crop[ROWS, COLUMNS]), cv2.COLOR_RGB2GRAY)
    small = cv2.resize(glyph, SIZE, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.GaussianBlur(small, (0, 0), SOFT), dtype=np.uint8)


def _differ(first: Image, second: Image, cosine: float) -> bool:
    """Whether two looks are of two faces."""
    inner = (slice(REACH, -REACH), slice(REACH, -REACH))
    likeness = min(
        float(cv2.matchTemplate(one, np.ascontiguousarray(other[inner]), cv2.TM_CCOEFF_NORMED).max())
        for one, other in ((first, second), (second, first))
    )
    return likeness < UNLIKE or (likeness < LITTLE_LIKE and cosine < FAR_APART)
