"""Several photographs of the same laid-out cards as one: what a lamp, a hand or a blur hides here, shows there.

Every photo is registered to the best one (`vision.register`), and a card is the same in two photos when its ends lie
on each other there. Looks at one card share its print and what covers it: counted as more than one look their mean is
more often surely wrong (models/RESULTS.md). A card that another photo should have shown and did not is doubted.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from vision.cards import Card, card_heat, evidence, join_ends
from vision.ends import Ends, join
from vision.faces import Seen, other_share
from vision.geometry import Floats, apply_homography, log_softmax, quad_centre
from vision.piles import bodies
from vision.register import NEAR, SAME_FACE, apart, mapped, register

SURE = 0.3  # peak heat times probability of the likeliest face, from which an end speaks for a photo
LEAST_ENDS = 3  # on which two photos must agree
LEAST_SHARE = 0.5  # of the ends that both could show; other cards of the same deck reach .45
LEAST_COMMON = 0.5  # of the ends of the photo with fewer that the other could show; false maps fold most away
NEAR_UNLIKE = 0.3  # card widths between two looks at one card that are read differently, at most
UNLIKE = 0.5  # card widths that a wholly different face is worth beside them
SAME_END = 1.0  # card widths between ends within which two cards are compared by these


class Sighting(NamedTuple):
    """One look at a card: the number of the photo, and the ends (quads of that photo) by their numbers there."""

    photo: int
    ends: tuple[int, ...]


@dataclass(frozen=True)
class Found:
    """M cards over the ends of one photo, or of several in px of the first, before anything is decided.

    heat : (M,) the highest peak of its ends.  evidence : (M, K) log-probabilities, the mean of all looks.
    paper : (M, 3) CIE Lab under the first photo's light.
    sightings : for each card its looks.  doubts : (M,) photos that should have shown the card, and did not.
    """

    ends: Ends
    cards: tuple[Card, ...]
    heat: Floats
    evidence: Floats
    paper: Floats
    sightings: tuple[tuple[Sighting, ...], ...]
    doubts: NDArray[np.intp]

    @property
    def looks(self) -> NDArray[np.intp]:
        """(M,) in how many photos each card was seen."""
        return np.array([len(one) for one in self.sightings], dtype=np.intp)

    @property
    def lone(self) -> NDArray[np.bool_]:
        """(M,) whether only one end of a card is seen."""
        return np.array([len(card.ends) == 1 for card in self.cards], dtype=np.bool_)

    @property
    def doubted(self) -> NDArray[np.bool_]:
        """(M,) whether as many photos miss a card as show it."""
        return np.asarray((self.doubts > 0) & (self.doubts >= self.looks))


def found_in(seen: Seen, ours: NDArray[np.bool_], number: int = 0) -> Found:
    """The cards of one photo.

    Parameters
    ----------
    ours : (K,) which classes are faces of a deck.
    """
    cards = join_ends(seen.ends, seen.log_faces, other_share(seen.log_faces, ours))
    return Found(
        seen.ends,
        cards,
        card_heat(cards, seen.ends),
        evidence(cards, seen.ends, seen.log_faces),
        seen.faces.paper[[card.ends[0] for card in cards]].reshape(-1, 3),
        tuple((Sighting(number, card.ends),) for card in cards),
        np.zeros(len(cards), dtype=np.intp),
    )


class Photo(NamedTuple):
    """What was seen in one photo of `size` (width, height) px."""

    size: tuple[int, int]
    seen: Seen


def best_photo(photos: Sequence[Photo], ours: NDArray[np.bool_]) -> int:
    """The photo whose ends are the surest, all together."""
    return int(np.argmax([sureness(photo.seen, ours).sum() for photo in photos]))


def merge(photos: Sequence[Photo], ours: NDArray[np.bool_], base: int) -> tuple[Found, tuple[int, ...]]:
    """All cards in px of the base photo, and the numbers of the photos that do not show the same cards.

    Parameters
    ----------
    ours : (K,) which classes are faces of a deck.
    base : number of the photo whose pixels count.
    """
    total, foreign = found_in(photos[base].seen, ours, base), []
    for number, photo in enumerate(photos):
        if number == base:
            continue
        matrix = common_map(photos[base], photo, ours)
        if matrix is None:
            foreign.append(number)
        else:
            total = joined(
                total, photos[base].size, found_in(photo.seen, ours, number), photo.size, matrix, ours
            )
    return total, tuple(foreign)


def common_map(first: Photo, second: Photo, ours: NDArray[np.bool_]) -> Floats | None:
    """The homography (3, 3) from the second photo to the first; None where they do not surely show the same cards."""
    same = agreement(first.seen.log_faces, second.seen.log_faces, ours)
    found = register(first.seen.ends, second.seen.ends, same)
    if found is None:
        return None
    one, other = sureness(first.seen, ours) >= SURE, sureness(second.seen, ours) >= SURE
    inverse = inverted(found.matrix)
    in_second = one & shown(inverse, quad_centre(first.seen.ends.quads), second.size)
    in_first = other & shown(found.matrix, quad_centre(second.seen.ends.quads), first.size)
    both = int((one[found.pairs.first] & other[found.pairs.second]).sum())
    possible = min(int(in_second.sum()), int(in_first.sum()))
    common = possible >= LEAST_COMMON * min(int(one.sum()), int(other.sum()))
    return found.matrix if common and both >= max(LEAST_ENDS, LEAST_SHARE * possible) else None


def inverted(matrix: Floats) -> Floats:
    """The map (3, 3) the other way."""
    return np.linalg.inv(matrix).astype(np.float64)


def sureness(seen: Seen, ours: NDArray[np.bool_]) -> Floats:
    """(N,) how surely each end is one of a card of ours, 0 to 1."""
    return np.asarray(seen.ends.scores * np.exp(seen.log_faces[:, ours]).max(axis=1, initial=0))


def agreement(first: Floats, second: Floats, ours: NDArray[np.bool_]) -> Floats:
    """(N, M) probability that what has log-probabilities (N, K) and what has (M, K) show the same face."""
    return np.asarray(np.exp(first[:, ours]) @ np.exp(second[:, ours]).T)


def shown(matrix: Floats, points: Floats, size: tuple[int, int]) -> NDArray[np.bool_]:
    """Which points (N, 2) a homography places in a photo of this size, and not behind the camera."""
    place = apply_homography(matrix, points)
    depth = points @ matrix[2, :2] + matrix[2, 2]
    before = depth * np.median(depth) > 0 if len(depth) else np.zeros(0, dtype=bool)
    return np.asarray(before & np.all((place > 0) & (place < np.array(size)), axis=1))


def joined(
    first: Found,
    size: tuple[int, int],
    second: Found,
    second_size: tuple[int, int],
    matrix: Floats,
    ours: NDArray[np.bool_],
) -> Found:
    """The cards of the first and those of a second photo, each physical card once, in px of the first."""
    offset, placed = len(first.ends), mapped(second.ends, matrix)
    pairs = same_cards(first, replace(second, ends=placed), ours)
    one = np.array([i for i, _ in pairs], dtype=np.intp)
    other = np.array([j for _, j in pairs], dtype=np.intp)
    new = np.setdiff1d(np.arange(len(second.cards)), other)
    light = np.median(first.paper[one] - second.paper[other], axis=0) if pairs else np.zeros(3)

    cards, sightings = list(first.cards), list(first.sightings)
    heat, told, paper = first.heat.copy(), first.evidence.copy(), first.paper.copy()
    looks = first.looks
    heat[one] = np.maximum(first.heat[one], second.heat[other])
    for i, j in pairs:
        cards[i] = with_ends(cards[i], first.ends, second.cards[j], placed)
        sightings[i] = (*sightings[i], *second.sightings[j])
        told[i] = (told[i] * looks[i] + second.evidence[j]) / (looks[i] + 1)
        paper[i] = (paper[i] * looks[i] + second.paper[j] + light) / (looks[i] + 1)
    unseen = shown(inverted(matrix), middles(first.cards, first.ends), second_size)
    unseen[one] = False
    missed = shown(matrix, middles(second.cards, second.ends), size)
    return Found(
        join([first.ends, placed]),
        (*cards, *(Card(tuple(offset + e for e in second.cards[j].ends)) for j in new)),
        np.concatenate([heat, second.heat[new]]),
        log_softmax(np.concatenate([told, second.evidence[new]])),
        np.concatenate([paper, second.paper[new] + light]),
        (*sightings, *(second.sightings[j] for j in new)),
        np.concatenate([first.doubts + unseen, missed[new].astype(np.intp)]),
    )


def middles(cards: Sequence[Card], ends: Ends) -> Floats:
    """(M, 2) px: the centre of each card's better end."""
    return quad_centre(ends.quads[[card.ends[0] for card in cards]]).reshape(-1, 2)


def same_cards(first: Found, second: Found, ours: NDArray[np.bool_]) -> list[tuple[int, int]]:
    """Cards of two photos that are one, by their numbers: the likeliest choice for all together."""
    if not first.cards or not second.cards:
        return []
    from scipy.optimize import linear_sum_assignment  # a third of a second to load, and few photos need it

    distance = cards_apart(first, second)
    same = agreement(first.evidence, second.evidence, ours)
    possible = distance < np.where(same >= SAME_FACE, NEAR, NEAR_UNLIKE)
    never = float(1 + UNLIKE) * (len(first.cards) + len(second.cards))
    cost = np.where(possible, distance + UNLIKE * (1 - same), never)
    rows, columns = linear_sum_assignment(cost)
    return [(int(i), int(j)) for i, j in zip(rows, columns, strict=True) if possible[i, j]]


def cards_apart(first: Found, second: Found) -> Floats:
    """(M, L) card widths between cards in px of one photo: between their ends, or where one shows one end and the
    other the other, between where both their edges lie."""
    between = apart(first.ends, second.ends)
    rows = [[card.ends[k] for card in first.cards] for k in (0, -1)]
    columns = [[card.ends[k] for card in second.cards] for k in (0, -1)]
    by_ends = np.minimum.reduce([between[np.ix_(row, column)] for row in rows for column in columns])
    one, other = bodies(first.cards, first.ends), bodies(second.cards, second.ends)
    width = (_widths(one)[:, None] + _widths(other)[None]) / 2
    crosswise = [
        np.linalg.norm(_edge(one, i)[:, None] - _edge(other, j)[None], axis=-1) for i, j in ((0, 1), (1, 0))
    ]
    opposite: Floats = np.maximum(crosswise[0], crosswise[1]) / np.maximum(width, 1e-9)
    return np.where(by_ends < SAME_END, by_ends, opposite)


def _widths(quads: Floats) -> Floats:
    return np.asarray(np.linalg.norm(quads[:, 0] - quads[:, 1], axis=-1))


def _edge(quads: Floats, which: int) -> Floats:
    return np.asarray(quads[:, 2 * which : 2 * which + 2].mean(axis=1))


def with_ends(card: Card, ends: Ends, other: Card, placed: Ends) -> Card:
    """A card with the end that only the other look at it shows; `placed` follow `ends` in one list."""
    if len(card.ends) > 1:
        return card
    at = quad_centre(ends.quads[card.ends[0]])
    far = max(other.ends, key=lambda end: float(np.linalg.norm(quad_centre(placed.quads[end]) - at)))
    width = float(ends.widths[card.ends[0]])
    if np.linalg.norm(quad_centre(placed.quads[far]) - at) < SAME_END * width:
        return card
    return Card((*card.ends, len(ends) + far))
