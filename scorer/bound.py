"""The best division and the runner-up where features bound each other, without judging every division.

For games whose feature is points (the low `POINT_BITS`) and above them flags or counts, and in which a feature
with at least the points and at least the flags of another never ranks lower (`Book.monotone`). The ways of the
components are put together one by one. What the others could add at most gives a bound; whatever can neither
be best, nor tie with the best, nor beat the runner-up is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from scorer.book import Way

POINT_BITS = 12
_POINTS = (1 << POINT_BITS) - 1
Rank = tuple[int, ...]


def best_two(base: int, rank: Callable[[int], Rank], parts: Sequence[Sequence[Way]]) -> Sequence[Way]:
    """Return the best way to join the ways of separate components, and the next best with other units.

    Parameters
    ----------
    base : feature of what is fixed beside them
    rank : what a whole feature is worth
    parts : the ways of each component, at least one for each
    """
    feature = base
    places: tuple[int, ...] = ()
    closed = -1
    several = []
    for ways in parts:
        if len(ways) > 1:
            several.append(ways)
            continue
        more, others, number = ways[0]
        feature += more
        places += others
        if number >= 0:
            closed = number
    if not several:
        return [(feature - base, places, closed)]
    search = _Search(several, rank)
    search.descend(0, (feature, places, closed))
    return [(feature - base, places, closed) for feature, places, closed in search.found]


class _Search:
    """A search under way.

    Attributes
    ----------
    several : the ways of each component, the most promising first
    rest : for each component, a feature that those after it can't exceed together
    known : the rank of features that were looked at
    found : the best way so far and the next best with other units; `best` and `second` are their ranks
    """

    def __init__(self, several: list[Sequence[Way]], rank: Callable[[int], Rank]) -> None:
        self.several = sorted([sorted(ways, key=_promise, reverse=True) for ways in several], key=len)
        self.rank = rank
        rest = [0]
        for ways in self.several[:0:-1]:
            rest.append(rest[-1] + _most(ways))
        self.rest = rest[::-1]
        self.known: dict[int, Rank] = {}
        self.found: list[Way] = []
        self.best: Rank = ()
        self.second: Rank = ()

    def descend(self, at: int, before: Way) -> None:
        """Try every way of component `at` and those after it, unless they can't matter."""
        feature, places, closed = before
        rest, known = self.rest[at], self.known
        for more, others, number in self.several[at]:
            most = feature + more + rest
            bound = known.get(most)
            if bound is None:
                bound = known[most] = self.rank(most)
            if bound < self.best and bound <= self.second:
                continue
            way = feature + more, places + others, closed if number < 0 else number
            if at + 1 < len(self.several):
                self.descend(at + 1, way)
            else:
                self.keep(bound, way)

    def keep(self, rank: Rank, way: Way) -> None:
        """Keep a division if it is best, or the best with other units than the best."""
        if not self.found:
            self.found, self.best = [way], rank
            return
        same = sorted(way[1]) == sorted(self.found[0][1])
        if rank > self.best or (rank == self.best and _order(way) < _order(self.found[0])):
            if not same:
                self.found, self.second = [way, self.found[0]], self.best
            self.found[0], self.best = way, rank
        elif not same and rank > self.second:
            self.found, self.second = [self.found[0], way], rank


def _promise(way: Way) -> int:
    return (way[0] & _POINTS) + (way[0] >> POINT_BITS).bit_count()


def _order(way: Way) -> tuple[int, list[int], int]:
    """Return the sort key among ties: fewer melds, the smaller sorted list of places, the closed unit."""
    return len(way[1]), sorted(way[1]), way[2]


def _most(ways: Sequence[Way]) -> int:
    """Return a feature that holds at least as much of everything as each of the ways."""
    points = flags = 0
    for feature, _, _ in ways:
        if feature & _POINTS > points:
            points = feature & _POINTS
        flags |= feature
    return flags & ~_POINTS | points
