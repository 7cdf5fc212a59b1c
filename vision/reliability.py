"""Whether the confidence of a reading means what it says, and what leaving doubtful cards to a person would bring."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from vision.evaluate import Judged
from vision.geometry import Floats

BINS = 15  # of equal width, as is usual for the expected calibration error


class Reliability(NamedTuple):
    """Per bin of confidence: mean confidence, share of right cards, number of cards; and the expected error."""

    confidence: Floats
    accuracy: Floats
    cards: Floats
    expected_error: float


class RiskCoverage(NamedTuple):
    """For each threshold, from the surest card on: share of cards kept, share of wrong ones among them."""

    threshold: Floats
    coverage: Floats
    risk: Floats


def reliability(cards: Sequence[Judged]) -> Reliability:
    """Confidence against accuracy in bins (Guo and others, "On Calibration of Modern Neural Networks", 2017)."""
    sure = np.array([card.confidence for card in cards])
    right = np.array([float(card.true == card.code) for card in cards])
    place = np.minimum((sure * BINS).astype(int), BINS - 1)
    number = np.bincount(place, minlength=BINS).astype(float)
    safe = np.maximum(number, 1)
    confidence = np.bincount(place, weights=sure, minlength=BINS) / safe
    accuracy = np.bincount(place, weights=right, minlength=BINS) / safe
    error = float(np.sum(number * np.abs(confidence - accuracy)) / max(1, len(cards)))
    return Reliability(confidence, accuracy, number, error)


def risk_coverage(cards: Sequence[Judged]) -> RiskCoverage:
    """What share of cards would be wrong if only the surest were believed."""
    ordered = sorted(cards, key=lambda card: -card.confidence)
    wrong = np.array([float(card.true != card.code) for card in ordered])
    kept = np.arange(1, len(ordered) + 1)
    threshold = np.array([card.confidence for card in ordered])
    return RiskCoverage(threshold, kept / max(1, len(ordered)), np.cumsum(wrong) / kept)


def review_threshold(cards: Sequence[Judged], risk: float) -> float:
    """The lowest confidence from which all cards together are wrong in at most this share; 1 where none is."""
    curve = risk_coverage(cards)
    last_of_equals = np.append(np.diff(curve.threshold) != 0, True)[: len(cards)]
    good = np.flatnonzero((curve.risk <= risk) & last_of_equals)
    return float(curve.threshold[good[-1]]) if len(good) else 1.0


def confusions(cards: Sequence[Judged]) -> list[tuple[str, str, int]]:
    """(true code or `-`, read code, how often), the most frequent first."""
    pairs = Counter((card.true or "-", card.code) for card in cards if card.true != card.code)
    return [(true, code, n) for (true, code), n in pairs.most_common()]
