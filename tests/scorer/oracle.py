"""A slow, obvious way to divide cards, against which the engine is compared. It shares no code with it.

A game's own test lists its units by hand again (`Units`) and says what a division is worth; this file only
tries everything: no memo, no packing, no components, no bounds.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator

# A unit: (what it is, its cards sorted by code).
OracleUnit = tuple[str, tuple[str, ...]]


# PAIYAN_ORACLE=30 compares thirty times as many hands: about 100,000 per rule set.
SCALE = int(os.environ.get("PAIYAN_ORACLE", "1"))


class Units:
    """All units that loose cards may form, found again by each card that they hold."""

    def __init__(self, units: Iterable[OracleUnit]) -> None:
        self.by_card: dict[str, list[tuple[OracleUnit, Counter[str]]]] = {}
        for name, cards in units:
            entry = (name, tuple(sorted(cards))), Counter(cards)
            for card in set(cards):
                self.by_card.setdefault(card, []).append(entry)


def covers(cards: Iterable[str], units: Units) -> set[tuple[OracleUnit, ...]]:
    """Return every way to divide the cards, each as a sorted tuple of units."""
    return {tuple(sorted(found)) for found in _covers(Counter(cards), units)}


def _covers(cards: Counter[str], units: Units) -> Iterator[list[OracleUnit]]:
    if not cards:
        yield []
        return
    first = min(cards)
    for unit, need in units.by_card.get(first, []):
        if all(cards[card] >= number for card, number in need.items()):
            for rest in _covers(cards - need, units):
                yield [unit, *rest]
