"""Ends to cards: the two ends of one card count once, and speak together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ends import Ends
from vision.geometry import Floats, end_to_table, log_softmax, quad_centre, quad_frame, table_metric, unit

# Two ends may be one card's when they look away from each other, along the line that joins them; all on the table,
# however aslant it is seen.
OPPOSITE = -0.7  # cosine between the outward directions, at most
ALONG = 0.75  # cosine between the joining line and each outward direction, at least
LENGTHS = (0.8, 9.0)  # distance of the two centres in card widths; the decks have 1.4 to 5
WIDTH_RATIO = 1.8  # between the two ends, at most: perspective

# What a pair costs: for each term a weight and the deviation from which it counts, log(1 + (x / deviation)^2), since
# what is far off is often far off. Fitted as a logistic regression to pairs of ends in held-out scenes
# (models/RESULTS.md): the cost is in log-odds, and a pair is believed under `DEAREST_PAIR`.
# How far the better foretold half of the way to the other end is off, in shares of that way.
VECTOR, VECTOR_DEVIATION = 0.67, 0.15
# How far the other end lies beside the line that an end points along, as a sine, for the better and the worse end of
# both: deviations of the direction and, in card widths, of the place; the worse end is granted more.
SIDE, SIDE_WORSE = 0.83, 0.78
SIDE_TURN, SIDE_PLACE, SIDE_GRANTED = 0.05, 0.08, 1.5
TURNED = 2.75  # what it costs that one of both points another way, as pips sometimes seem to
LENGTH = 0.89  # log of the length against the photo's typical one
LENGTH_FORETOLD, LENGTH_MEASURED = 0.3, 0.1  # where only the ends foretell it; where pairs that agree show it
UNLIKE = 0.62  # log-probability that both ends show the same
FACE_FLOOR = 1e-3  # of that probability: one misread end must not part a card
# Probability that the worse, and that even the better end is no card of ours.
FOREIGN, FOREIGN_BOTH = 1.15, 4.77
DEAREST_PAIR = 5.3
AGREED = 0.5  # probability that both ends show the same from which a pair tells the deck's length
ENOUGH_PAIRS = 3  # that tell it, for their median to be believed

# Two ends are one card's by their places alone where that costs no more than this, and any other pair of either that
# much more.
PLAIN_PAIR, PLAIN_MARGIN = 1.5, 3.0

HIDDEN_MARGIN = 0.3  # share by which two overlapping ends may together show more than there is room for
TOGETHER = 1.5  # weight of both ends of a card against one: they share print, light and lens
LEAST_WEIGHT = 0.15  # of an end that hardly shows


@dataclass(frozen=True)
class Card:
    """One physical card: the indices of the one or two ends seen of it, the better first."""

    ends: tuple[int, ...]


class Pair(NamedTuple):
    """Two ends that may be one card, and what believing it costs."""

    cost: float
    first: int
    second: int


class Places(NamedTuple):
    """What the places of N ends say of every two of them (N, N): whether they may be one card's, how long that would be
    in card widths, and what believing it costs but for this length and for what they show."""

    fit: NDArray[np.bool_]
    length: Floats
    cost: Floats


def possible_ends(ends: Ends, other_share: Floats) -> NDArray[np.intp]:
    """Indices of the ends left when no two claim the same visible place.

    Of two overlapping ends one lies on the other, so that together they cannot show more than the area of both
    less the overlap. A second peak on a large print claims to be whole although the real end is, too; the worse
    of the two goes.

    Parameters
    ----------
    other_share : (N,) probability that the end is no card of ours; such ends go first.
    """
    worth = ends.scores * (1 - 0.5 * other_share)
    kept: list[int] = []
    centre, _, width, depth, _ = quad_frame(ends.quads)
    area = width * depth
    reach = np.hypot(width, depth)
    apart = np.linalg.norm(centre[:, None] - centre[None], axis=-1)
    near = apart < (reach[:, None] + reach[None]) / 2
    for i in np.argsort(-worth, kind="stable").tolist():
        if not any(near[i, j] and _claim_too_much(ends, i, j, min(area[i], area[j])) for j in kept):
            kept.append(i)
    return np.array(sorted(kept), dtype=np.intp)


def _claim_too_much(ends: Ends, i: int, j: int, area: float) -> bool:
    overlap, _ = cv2.intersectConvexConvex(
        ends.quads[i].astype(np.float32), ends.quads[j].astype(np.float32), handleNested=True
    )
    room = 2 - min(1.0, overlap / max(area, 1e-9))
    return bool(ends.visible[i] + ends.visible[j] > room + HIDDEN_MARGIN)


def foretold_length(ends: Ends) -> float:
    """Distance between the two ends of a card of this photo, in card widths: the median of what the ends foretell."""
    if not len(ends):
        return 0.0
    foretold = ends.others - quad_centre(ends.quads)
    return float(np.median(np.sqrt(np.einsum("ij,ijk,ik->i", foretold, table_metric(ends.quads), foretold))))


def card_length(cards: Sequence[Card], ends: Ends) -> float:
    """Distance between the two ends of a card of this photo, in card widths: as the joined cards have it."""
    pairs = np.array([card.ends[:2] for card in cards if len(card.ends) > 1])
    if not len(pairs):
        return foretold_length(ends)
    centre, metric = quad_centre(ends.quads), table_metric(ends.quads)
    apart = centre[pairs[:, 1]] - centre[pairs[:, 0]]
    lengths = np.sqrt(np.einsum("ij,ikjl,il->ik", apart, metric[pairs], apart))
    return float(np.median(np.sqrt(lengths.prod(axis=1))))


def join_ends(ends: Ends, log_faces: Floats, other_share: Floats) -> tuple[Card, ...]:
    """Every end in exactly one card: pairs by growing cost, then the ends that are left alone.

    A single end hardly knows how long its card is, but all cards of a photo have one length. So ends are joined
    twice: first at the length that they foretell, then at the length that the pairs showing the same at both ends have.

    Parameters
    ----------
    log_faces : (N, K) log-probabilities of what each end shows.
    other_share : (N,) probability that the end is no card of ours.
    """
    places = pair_places(ends)
    shown = np.exp(log_faces)
    agreement = shown @ shown.T
    foreign = other_share[:, None], other_share[None]
    unlike = (
        FOREIGN * np.maximum(*foreign)
        + FOREIGN_BOTH * np.minimum(*foreign)
        - UNLIKE * np.log(agreement + FACE_FLOOR)
    )
    pairs = _matched(possible_pairs(places, unlike, foretold_length(ends), LENGTH_FORETOLD))
    agreed = [places.length[i, j] for _, i, j in pairs if agreement[i, j] > AGREED]
    if len(agreed) >= ENOUGH_PAIRS:
        pairs = _matched(possible_pairs(places, unlike, float(np.median(agreed)), LENGTH_MEASURED))
    partner: dict[int, int] = {}
    for _, i, j in pairs:
        partner[i], partner[j] = j, i
    worth = _worth(ends)
    cards = []
    for i in range(len(ends)):
        j = partner.get(i, i)
        if i <= j:
            cards.append(Card((i,) if i == j else (i, j) if worth[i] >= worth[j] else (j, i)))
    return tuple(cards)


def plain_pairs(ends: Ends) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Pairs of ends (P,), the better and the worse of each, that are one card's whatever they show: their places say
    it, and no other pair of either comes near."""
    pairs = possible_pairs(pair_places(ends), 0.0, foretold_length(ends), LENGTH_FORETOLD)
    costs = np.full((len(ends), len(ends)), np.inf)
    for cost, i, j in pairs:
        costs[i, j] = costs[j, i] = cost
    worth = _worth(ends)
    plain = []
    for cost, i, j in pairs:
        rival = np.partition(costs[[i, j]], 1, axis=1)[:, 1].min()
        if cost < PLAIN_PAIR and rival > cost + PLAIN_MARGIN:
            plain.append((i, j) if worth[i] >= worth[j] else (j, i))
    better, worse = np.array(plain, dtype=np.intp).reshape(-1, 2).T
    return better, worse


def _worth(ends: Ends) -> Floats:
    """By how much each end (N,) is the better one of its card."""
    return np.asarray(ends.scores * (0.5 + ends.visible))


def _matched(pairs: list[Pair]) -> list[Pair]:
    """The cheapest pairs such that no end is in two."""
    taken: set[int] = set()
    chosen = []
    for pair in sorted(pairs):
        if pair.first not in taken and pair.second not in taken:
            taken |= {pair.first, pair.second}
            chosen.append(pair)
    return chosen


def possible_pairs(places: Places, unlike: Floats | float, typical: float, deviation: float) -> list[Pair]:
    """All pairs of ends that may be one card, with their cost.

    Parameters
    ----------
    unlike : (N, N), what it costs besides that they show what they show.
    typical : length of a card from centre to centre of its ends in card widths.
    deviation : of the logarithm of a pair's length from it.
    """
    lengths = np.log(np.maximum(places.length, 1e-9) / max(typical, LENGTHS[0])) / deviation
    cost = places.cost + LENGTH * surprise(lengths) + unlike
    first, second = np.nonzero(np.triu(places.fit & (cost < DEAREST_PAIR), 1))
    return list(map(Pair, cost[first, second].tolist(), first.tolist(), second.tolist()))


def pair_places(ends: Ends) -> Places:
    """How well the places of every two ends suit one card."""
    centre, outward, width, _, _ = quad_frame(ends.quads)
    to_table = end_to_table(ends.quads)
    joining = on_table(to_table, centre[None] - centre[:, None])  # from i to j, in card widths of i
    distance = np.linalg.norm(joining, axis=-1) + np.eye(len(ends))
    length = np.sqrt(distance * distance.T)
    # 0 and 1 where j lies straight inwards of i.
    beside, away = np.abs(joining[..., 0]) / distance, -joining[..., 1] / distance
    facing = unit(on_table(to_table, np.broadcast_to(outward, joining.shape)))[..., 1]
    straight = away > ALONG
    both = straight & straight.T & (facing + facing.T < 2 * OPPOSITE)
    # Then the straight one alone tells where the card lies. One that points the very opposite way lies in a cascade of
    # equal cards more often than it was taken for turned.
    turned = (straight ^ straight.T) & (np.minimum(away, away.T) > -ALONG)
    fit = (
        (both | turned)
        & (length > LENGTHS[0])
        & (length < LENGTHS[1])
        & (np.abs(np.log(width[:, None] / width[None])) < np.log(WIDTH_RATIO))
    )
    missed = np.linalg.norm(on_table(to_table, ends.others[:, None] - centre[None]), axis=-1) / distance
    beside = beside / np.hypot(SIDE_TURN, SIDE_PLACE / length)
    better_missed = np.where(turned, np.where(straight, missed, missed.T), np.minimum(missed, missed.T))
    better_beside = np.where(turned, np.where(straight, beside, beside.T), np.minimum(beside, beside.T))
    worse_beside = SIDE_WORSE * surprise(np.maximum(beside, beside.T) / SIDE_GRANTED)
    cost = (
        VECTOR * surprise(better_missed / VECTOR_DEVIATION)
        + SIDE * surprise(better_beside)
        + np.where(turned, TURNED, worse_beside)
    )
    return Places(fit, length, cost)


def on_table(to_table: Floats, vectors: Floats) -> Floats:
    """Vectors (N, M, 2) px near each of N ends as (to the right, outwards) of it on the table, in card widths.

    `to_table` (N, 2, 2) is that of `end_to_table`.
    """
    seen: Floats = np.einsum("ikl,ijl->ijk", to_table, vectors)
    return seen


def surprise(deviations: Floats) -> Floats:
    """What deviations cost: log(1 + x^2), as of a Cauchy distribution."""
    cost: Floats = np.log1p(deviations**2)
    return cost


def card_heat(cards: Sequence[Card], ends: Ends) -> Floats:
    """Peak heat (M,) of each card's better end, 0 to 1."""
    return np.array([ends.scores[list(card.ends)].max() for card in cards], dtype=np.float64)


def evidence(cards: tuple[Card, ...], ends: Ends, values: Floats) -> Floats:
    """What the ends of each card say together: log-probabilities (N, K) of ends to those (M, K) of cards.

    An end's word weighs by how much of it shows; both ends of a card weigh 1.5 ends.
    """
    if not cards:
        return np.zeros((0, values.shape[1]))
    weight = np.clip((ends.visible - 0.2) / 0.6, LEAST_WEIGHT, 1.0)
    rows = []
    for card in cards:
        which = list(card.ends)
        share = weight[which] / weight[which].sum() * (TOGETHER if len(which) > 1 else 1.0)
        rows.append(share @ values[which])
    return log_softmax(rows)
