"""How two photographs of the same laid-out cards map onto each other: a homography, since the table is flat.

Ends that show the same face may be the same end. Each such pair is a guess at the map around it, and the guess is
grown over its neighbours as long as places and faces agree; among what it has gathered RANSAC (M. Fischler and
R. Bolles, "Random sample consensus", Communications of the ACM 24 (1981)) leaves out what strays. Different cards
agree here and there, the same cards nearly everywhere.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ends import Ends
from vision.geometry import Floats, apply_homography, quad_centre, quad_frame

SAME_FACE = 0.3  # probability that two ends show the same from which they may be one
NEAR = 0.5  # card widths between an end and where it is foretold, at most
ALIGNED = 0.8  # cosine between the directions of an end and of what is foretold, at least
LIKE_SIZE = 1.5  # between the widths of an end and of what is foretold, at most
NEIGHBOURS = 5.0  # card widths around the pairs found so far in which more are sought
SEEDS = 80  # pairs of ends that are tried as a first guess
ROUNDS = 12  # of growing
NEARLY_ALL = 0.8  # share of the ends that agree, from which no further guess is tried
FOR_HOMOGRAPHY = 3  # pairs of ends; fewer tell no more than an affine map
STRAY = 0.3  # card widths by which a pair may miss the common map


class Pairs(NamedTuple):
    """Ends of one photo and the ends of another that they are: two lists of indices (P,)."""

    first: NDArray[np.intp]
    second: NDArray[np.intp]


class Registration(NamedTuple):
    """The homography (3, 3) from px of the second photo to px of the first, and the ends that agree under it."""

    matrix: Floats
    pairs: Pairs


def register(first: Ends, second: Ends, agreement: Floats) -> Registration | None:
    """The map under which most ends that show the same lie on each other; None where there is none for three.

    Parameters
    ----------
    agreement : (N, M) probability that an end of the first and one of the second photo show the same face.
    """
    best: Registration | None = None
    for i, j in seeds(agreement):
        if best is not None and np.any((best.pairs.first == i) & (best.pairs.second == j)):
            continue  # grows to the same
        found = grown(first, second, agreement, i, j)
        if found is not None and (best is None or len(found.pairs.first) > len(best.pairs.first)):
            best = found
        if best is not None and len(best.pairs.first) > NEARLY_ALL * min(len(first), len(second)):
            break
    return best


def seeds(agreement: Floats) -> Iterator[tuple[int, int]]:
    """Pairs of ends that show the same, those first that could be paired with few others."""
    alike = np.where(agreement >= SAME_FACE, agreement, 0.0)
    rivals = alike.sum(axis=0, keepdims=True) + alike.sum(axis=1, keepdims=True)
    worth = alike / np.maximum(rivals, 1e-9)
    for place in np.argsort(-worth, axis=None, kind="stable")[:SEEDS].tolist():
        i, j = divmod(place, worth.shape[1])
        if worth[i, j] > 0:
            yield i, j


def grown(first: Ends, second: Ends, agreement: Floats, i: int, j: int) -> Registration | None:
    """What the guess that end i of the first photo is end j of the second grows to."""
    pairs = Pairs(np.array([i]), np.array([j]))
    centre, widths = quad_centre(second.quads), second.widths
    for _ in range(ROUNDS):
        matrix = fitted(first.quads[pairs.first], second.quads[pairs.second])
        if matrix is None:
            return None
        gap = np.linalg.norm(centre[:, None] - centre[pairs.second][None], axis=-1).min(axis=1)
        near = np.where(gap < NEIGHBOURS * widths, agreement, 0.0)
        before, pairs = pairs, agreeing(first, second, near, matrix)
        if len(pairs.first) < 2:
            return None
        if np.array_equal(before.first, pairs.first) and np.array_equal(before.second, pairs.second):
            break
    if len(pairs.first) < FOR_HOMOGRAPHY:
        return None
    matrix = fitted(first.quads[pairs.first], second.quads[pairs.second])
    return None if matrix is None else Registration(matrix, pairs)


def fitted(first: Floats, second: Floats) -> Floats | None:
    """The map (3, 3) from quads (P, 4, 2) of the second photo to those of the first; affine where they are few."""
    to, of = first.reshape(-1, 2), second.reshape(-1, 2)
    if len(first) < FOR_HOMOGRAPHY:
        lifted = np.concatenate([of, np.ones((len(of), 1))], axis=1)
        affine = np.linalg.lstsq(lifted, to, rcond=None)[0].T
        return np.vstack([affine, [0.0, 0.0, 1.0]])
    stray = STRAY * float(np.median(quad_frame(first)[2]))
    matrix, _ = cv2.findHomography(of, to, cv2.RANSAC, stray)
    return None if matrix is None else np.asarray(matrix, dtype=np.float64)


def agreeing(first: Ends, second: Ends, agreement: Floats, matrix: Floats) -> Pairs:
    """Ends that lie on each other under a map and show the same, each the other's nearest."""
    distance = apart(first, mapped(second, matrix))
    cost = np.where(agreement >= SAME_FACE, distance, np.inf)
    nearest = cost.argmin(axis=0)
    mutual = cost.argmin(axis=1)[nearest] == np.arange(len(second))
    which = np.flatnonzero((cost.min(axis=0) < NEAR) & mutual)
    return Pairs(nearest[which], which)


def mapped(ends: Ends, matrix: Floats) -> Ends:
    """The ends as a map (3, 3) places them."""
    return Ends(
        apply_homography(matrix, ends.quads), ends.scores, apply_homography(matrix, ends.others), ends.visible
    )


def apart(first: Ends, second: Ends) -> Floats:
    """(N, M) distance between ends in card widths; inf where they point another way or are of another size."""
    centre, outward, width, _, _ = quad_frame(first.quads)
    middle, direction, breadth, _, _ = quad_frame(second.quads)
    mean = (width[:, None] + breadth[None]) / 2
    distance = np.linalg.norm(centre[:, None] - middle[None], axis=-1) / np.maximum(mean, 1e-9)
    ratio = np.log(np.maximum(width, 1e-9))[:, None] - np.log(np.maximum(breadth, 1e-9))[None]
    alike = (outward @ direction.T > ALIGNED) & (np.abs(ratio) < np.log(LIKE_SIZE))
    return np.where(alike, distance, np.inf)
