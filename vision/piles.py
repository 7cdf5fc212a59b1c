"""Which cards lie together, and in which order a person would read them.

Two cards lie together when their bodies overlap (cascades, fans, heaps) or when they lie side by side as near as
the other cards of their row. What "near" is differs from photo to photo, so the gap that parts two piles is
sought among the gaps of this photo.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.cards import Card, card_length
from vision.ends import Ends
from vision.geometry import Floats, end_to_table, quad_centre, quad_frame, unit

# Share of the smaller body from which two cards lie on each other: neighbours' edges may touch by mistake, cards
# that cross do so on purpose.
OVERLAP, OVERLAP_CROSSING = 0.10, 0.05
PARALLEL = 0.94  # cosine between the long axes of cards side by side, at least: 20 degrees
ABREAST = 0.5  # card lengths by which cards side by side are shifted along each other, at most
NEAR = 1.6  # card widths between the middles of neighbours in a row, at most
SEPARATION = 0.20  # card widths by which the gap between two piles exceeds those within, at least
USUAL_GAP = 0.32  # card widths between neighbours in a row, at most, where the photo does not tell
TIER_SHIFT = 0.45  # card widths by which neighbours in one tier of a held hand are shifted along, at most
TIER_TURN = 0.82  # cosine between the long axes of neighbours in a tier, at least: 35 degrees
TIER_CARDS = 4  # cards that make a tier, at least
COLUMN_CARDS = 2  # that lie on each other lengthwise and make a column, at least
FAN_TURN = 0.35  # radians over which the cards of a fan turn, at least


class Beside(NamedTuple):
    """How every two of M cards lie beside each other, each (M, M).

    gap : card widths between cards side by side, negative where they overlap; inf for all others.
    shift, aside : card widths by which one is farther along, and farther to the side, than the other.
    cosine : between the long axes.
    """

    gap: Floats
    shift: Floats
    aside: Floats
    cosine: Floats


def bodies(cards: Sequence[Card], ends: Ends) -> Floats:
    """Quads (M, 4, 2) of whole cards: outer-left, outer-right of the better end, then of the far edge.

    Where only one end is seen the card reaches as far inwards as the cards of this photo do.
    """
    length = card_length(cards, ends)
    better = np.array([card.ends[0] for card in cards], dtype=np.intp)
    worse = np.array([card.ends[min(1, len(card.ends) - 1)] for card in cards], dtype=np.intp)
    centre, outward, _, depth, _ = quad_frame(ends.quads)
    to_table = end_to_table(ends.quads)
    apart = (centre[better] - centre[worse])[..., None]
    near = edges_towards(ends.quads[better], (to_table[better] @ apart)[..., 0])
    far = edges_towards(ends.quads[worse], (to_table[worse] @ -apart)[..., 0])
    inward = unit(unit(ends.others - centre) - outward)
    reach = (inward * depth[:, None])[better] * (length + 1)
    lone = (better == worse)[:, None, None]
    outer = ends.quads[better, :2]
    return np.concatenate(
        [np.where(lone, outer, near), np.where(lone, outer[:, ::-1] + reach[:, None], far)], axis=1
    )


def edges_towards(quads: Floats, ways: Floats) -> Floats:
    """The edges (M, 2, 2) of ends with quads (M, 4, 2) that look ways (M, 2), right and outwards of them, left corner
    first.

    They are the outer ones, but for an end that was joined as turned.
    """
    right, out = ways.T
    turn = np.where(np.abs(out) >= np.abs(right), np.where(out > 0, 0, 2), np.where(right > 0, 1, 3))
    corners = (turn[:, None] + np.arange(2)) % 4
    return np.take_along_axis(quads, corners[..., None], axis=1)


def find_piles(quads: Floats) -> tuple[tuple[int, ...], ...]:
    """Piles of card indices, each in reading order; the piles themselves from the top left to the bottom right.

    Parameters
    ----------
    quads : (M, 4, 2) px, whole cards as from `bodies`.
    """
    if not len(quads):
        return ()
    label = lying_together(quads)
    centre, axis, _, _, _ = quad_frame(quads)
    piles = [reading_order(centre, axis, np.flatnonzero(label == k)) for k in range(int(label.max()) + 1)]
    return tuple(piles[k] for k in page_order([quads[list(pile)] for pile in piles]))


def lying_together(quads: Floats) -> NDArray[np.intp]:
    """Number (M,) of the pile that each card lies in."""
    beside = beside_each_other(quads)
    on_each_other = overlaps(quads) > np.where(beside.cosine > PARALLEL, OVERLAP, OVERLAP_CROSSING)
    free = np.where(on_each_other, np.inf, beside.gap)
    column = groups(on_each_other & (beside.cosine > PARALLEL) & (beside.shift > beside.aside))
    tier = groups(on_each_other & (np.abs(beside.shift) < TIER_SHIFT) & (beside.cosine > TIER_TURN))
    linked = on_each_other | ((beside.gap <= parting_gap(free)) & ~in_two(column, COLUMN_CARDS))
    return groups(linked & ~in_two(tier, TIER_CARDS))


def in_two(number: NDArray[np.intp], least: int) -> NDArray[np.bool_]:
    """(M, M) whether two cards lie in different groups, by their numbers (M,), of at least so many cards each."""
    large = np.bincount(number)[number] >= least
    return np.asarray(large[:, None] & large[None] & (number[:, None] != number[None]))


def groups(linked: NDArray[np.bool_]) -> NDArray[np.intp]:
    """Number (M,), from 0, of the connected component of each card in a symmetric graph (M, M)."""
    number = np.full(len(linked), -1, dtype=np.intp)
    for start in range(len(linked)):
        if number[start] >= 0:
            continue
        group = number.max() + 1
        front = np.array([start])
        while len(front):
            number[front] = group
            front = np.flatnonzero(linked[front].any(axis=0) & (number < 0))
    return number


def overlaps(quads: Floats) -> Floats:
    """(M, M) area that two bodies share, as a share of the smaller; 0 on the diagonal."""
    n = len(quads)
    flat = quads.astype(np.float32)
    low, high = flat.min(axis=1), flat.max(axis=1)
    area = np.array([cv2.contourArea(quad) for quad in flat])
    touching = np.all((low[:, None] < high[None]) & (low[None] < high[:, None]), axis=-1)
    shared = np.zeros((n, n))
    for i, j in zip(*np.nonzero(np.triu(touching, 1)), strict=True):
        common, _ = cv2.intersectConvexConvex(flat[i], flat[j], handleNested=True)
        shared[i, j] = shared[j, i] = common / max(1.0, min(area[i], area[j]))
    return shared


def beside_each_other(quads: Floats) -> Beside:
    """How every two cards lie beside each other."""
    centre, axis, width, length, _ = quad_frame(quads)
    joining = centre[None] - centre[:, None]
    mean_width = (width[:, None] + width[None]) / 2
    mean_length = (length[:, None] + length[None]) / 2
    dot = axis @ axis.T
    direction = unit(axis[:, None] + axis[None] * np.where(dot < 0, -1, 1)[..., None])
    along = np.abs(np.einsum("ijk,ijk->ij", joining, direction))
    across = np.abs(joining[..., 0] * direction[..., 1] - joining[..., 1] * direction[..., 0]) / mean_width
    row = (np.abs(dot) > PARALLEL) & (along < ABREAST * mean_length) & (across < NEAR)
    np.fill_diagonal(row, False)
    return Beside(np.where(row, across - 1, np.inf), along / mean_width, across, np.abs(dot))


def parting_gap(gaps: Floats) -> float:
    """The gap, in card widths, up to which neighbours in a row belong to one pile.

    Half-way up the largest step between the sorted gaps of nearest neighbours, where that step is clear; neighbours
    that lap over a little touch.
    """
    nearest = np.maximum(gaps.min(axis=1), 0.0)
    known = np.sort(np.append(nearest[np.isfinite(nearest)], [0.0]))
    steps = np.diff(known)
    if len(steps) and steps.max() > SEPARATION:
        at = int(steps.argmax())
        return float((known[at] + known[at + 1]) / 2)
    return USUAL_GAP


def reading_order(centre: Floats, axis: Floats, pile: NDArray[np.intp]) -> tuple[int, ...]:
    """The pile's cards as read: a fan or a row from left to right, a column from top to bottom.

    centre, axis : (M, 2) px and unit vectors of all cards.
    """
    if len(pile) < 2:
        return tuple(pile.tolist())
    centre, axis = centre[pile], axis[pile]
    doubled = np.arctan2(axis[:, 1], axis[:, 0]) * 2  # an axis has no sense of direction
    mean = np.arctan2(np.sin(doubled).mean(), np.cos(doubled).mean()) / 2
    turn = np.arctan2(np.sin(doubled - 2 * mean), np.cos(doubled - 2 * mean)) / 2
    along, across = forwards(np.cos(mean), np.sin(mean)), forwards(-np.sin(mean), np.cos(mean))
    lengthwise = np.ptp(turn) < FAN_TURN and np.ptp(centre @ along) > np.ptp(centre @ across)
    place = centre @ (along if lengthwise else across)
    return tuple(pile[np.argsort(place, kind="stable")].tolist())


def forwards(x: float, y: float) -> Floats:
    """The vector, or its opposite, that points the way one reads: down the page or to the right."""
    main = x if abs(x) > abs(y) else y
    return np.array([x, y]) * (1 if main > 0 else -1)


def page_order(piles: Sequence[Floats]) -> list[int]:
    """Order of groups of quads from the top left to the bottom right, line by line."""
    middles = np.array([quad_centre(group).mean(axis=0) for group in piles])
    height = np.median([np.ptp(group[..., 1]) for group in piles])
    order: list[int] = []
    left = sorted(range(len(piles)), key=lambda k: middles[k, 1])
    while left:
        line = [k for k in left if middles[k, 1] < middles[left[0], 1] + height / 2]
        order += sorted(line, key=lambda k: middles[k, 0])
        left = [k for k in left if k not in line]
    return order
