"""The best division and the runner-up where features bound each other, without judging every division.

For games whose feature is points (the low `POINT_BITS`) and above them flags or counts, and in which a feature
with at least the points and at least the flags of another never ranks lower (`Book.monotone`). The ways of the
components are put together one by one. What the others could add at most gives a bound; whatever can neither
be best, nor tie with the best, nor beat the runner-up is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

from scorer.book import Way
from scorer.divide import tie_order

POINT_BITS = 12
_POINTS = (1 << POINT_BITS) - 1
Rank = tuple[int, ...]


def best_two(parts: Iterable[Sequence[Way]], base: int, rank: Callable[[int], Rank]) -> Sequence[Way]:
    """Return the best way to join the ways of separate components, and the next best with other units.

    Parameters
    ----------
    base : feature of what is fixed
    rank : what a whole feature is worth
    """
    sure, places, closed = base, (), -1
    several = []
    for ways in parts:
        if not ways:
            return ()
        if len(ways) > 1:
            several.append(ways)
        else:
            sure += ways[0][0]
            places += ways[0][1]
            closed = max(closed, ways[0][2])
    search = _Search(several, rank)
    search.descend(0, sure, places, closed)
    return [(feature - base, found, number) for feature, found, number in search.found()]


class _Search:
    """A search under way: `several` are the ways of each component, `rest` the most that those after it add."""

    def __init__(self, several: list[Sequence[Way]], rank: Callable[[int], Rank]) -> None:
        self.several = sorted([_by_promise(ways) for ways in several], key=len)
        self.rank = rank
        rest = [0]
        for ways in self.several[:0:-1]:
            rest.append(rest[-1] + _most(ways))
        self.rest = rest[::-1]
        self.best: Rank = ()
        self.second: Rank = ()
        self.way: Way | None = None
        self.other: Way | None = None

    def descend(self, at: int, feature: int, places: tuple[int, ...], closed: int) -> None:
        """Try every way of component `at` and those after it."""
        if at == len(self.several):
            self.consider(self.rank(feature), (feature, places, closed))
            return
        most = self.rest[at]
        for more, others, number in self.several[at]:
            bound = self.rank(feature + more + most)
            if bound >= self.best or bound > self.second:
                if most:
                    self.descend(at + 1, feature + more, places + others, max(closed, number))
                else:
                    self.consider(bound, (feature + more, places + others, max(closed, number)))

    def consider(self, rank: Rank, way: Way) -> None:
        ...


def _by_promise(ways: Sequence[Way]) -> list[Way]:
    """Return the ways with those first that have the most points and flags."""
    return sorted(ways, key=lambda way: (way[0] & _POINTS) + (way[0] >> POINT_BITS).bit_count(), reverse=True)


def _most(ways: Sequence[Way]) -> int:
    """Return a feature that holds at least as much of everything as each of the ways."""
    points = flags = 0
    for feature, _, _ in ways:
        points = max(points, feature & _POINTS)
        flags |= feature
    return flags & ~_POINTS | points
