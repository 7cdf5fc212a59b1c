"""The best division and the runner-up where features bound each other, without judging every division.

For games whose feature is points (the low `POINT_BITS`) and above them flags or counts, and in which a feature
with at least the points and at least the flags of another never ranks lower, and with more points higher.
With the book goes a table of what every holding of a component can become: the ways that may be part of the
best division or of the runner-up, and a feature that none of them exceeds. The components are put together one
by one; what the others could add at most gives a bound, and whatever can neither be best, nor tie with the
best, nor beat the runner-up is left out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import product

from scorer.book import BITS, Book, Component, Part, Way
from scorer.divide import Closing, Memo, divisions

POINT_BITS = 12
_POINTS = (1 << POINT_BITS) - 1
Rank = tuple[int, ...]


def with_parts(book: Book) -> Book:
    """Return the book with its table; it depends on the rule set alone."""
    tables = []
    memo: Memo = {}
    for component in book.components:
        holdings = _holdings(component, book.limit >> component.shift)
        ways = {holding: divisions(book, holding << component.shift, memo=memo) for holding in holdings}
        tables.append({holding: _part(_that_matter(found)) for holding, found in ways.items()})
    return replace(book, parts=tuple(tables))


def _holdings(component: Component, limit: int) -> Iterator[int]:
    """Yield every holding of a component within the deck, wilds left aside."""
    fields = range(0, component.wild_shift, BITS)
    for counts in product(*[range((limit >> at & (1 << BITS - 1) - 1) + 1) for at in fields]):
        yield sum([count << at for count, at in zip(counts, fields, strict=True)])


def _that_matter(ways: Sequence[Way]) -> Sequence[Way]:
    """Leave out each way to which two others would always be preferred."""
    if len(ways) < 3:
        return ways
    return [way for way in ways if sum([_is_better(other, way) for other in ways]) < 2]


def _is_better(one: Way, other: Way) -> bool:
    """Return whether the first way would always be preferred to the second."""
    points, less = one[0] & _POINTS, other[0] & _POINTS
    if (other[0] & ~one[0]) >> POINT_BITS:
        return False
    return points > less or (points == less and _order(one) < _order(other))


def _part(ways: Sequence[Way]) -> Part:
    """Return the ways with those that hold most first, and what none of them exceeds."""
    points = flags = 0
    for feature, _, _ in ways:
        if feature & _POINTS > points:
            points = feature & _POINTS
        flags |= feature
    return sorted(ways, key=_promise, reverse=True), flags & ~_POINTS | points


def _promise(way: Way) -> int:
    return (way[0] & _POINTS) + (way[0] >> POINT_BITS).bit_count()


def _order(way: Way) -> tuple[int, list[int], int]:
    """Return the sort key among ties: fewer melds, the smaller sorted list of places, the closed unit."""
    return len(way[1]), sorted(way[1]), way[2]


def best_two(
    book: Book, loose: int, closing: Closing | None, base: int, rank: Callable[[int], Rank]
) -> Sequence[tuple[Rank, Way]]:
    """Return the best way to divide packed loose cards and the next best with other units, with their ranks.

    Parameters
    ----------
    closing : as for `divide.divisions`, but all of one component
    base : feature of what is fixed beside the loose cards; the features returned include it
    rank : what a whole feature is worth
    """
    closer = book.component_at[_lowest(closing[0][0].need)] if closing else -1
    feature = base
    places: tuple[int, ...] = ()
    closed = -1
    several = []
    for component, table in zip(book.components, book.parts, strict=True):
        holding = loose >> component.shift & component.mask
        if not holding:
            continue
        part = (
            table[holding] if component.index != closer else _closed(component, table, holding, closing or ())
        )
        ways = part[0]
        if len(ways) > 1:
            several.append(part)
        elif ways:
            more, others, number = ways[0]
            feature += more
            places += others
            if number >= 0:
                closed = number
        else:
            return ()
    if not several:
        return [(rank(feature), (feature, places, closed))]
    search = _Search(several, rank)
    search.descend(0, feature, places, closed)
    return list(zip((search.best, search.second), search.found, strict=False))


def _lowest(packed: int) -> int:
    """Return the weight of the first face of packed counts."""
    low = (packed & -packed).bit_length() - 1
    return 1 << low - low % BITS


def _closed(component: Component, table: Mapping[int, Part], holding: int, closing: Closing) -> Part:
    """Return what a holding can become when the winning card closes one of certain units."""
    found: list[Way] = []
    guard = component.guard
    for unit, becomes in closing:
        left = (holding | guard) - (unit.need >> component.shift)
        if left & guard == guard:
            value, place, number = becomes.feature, becomes.place, becomes.id
            ways = table[left ^ guard][0]
            found += [(value + feature, (*places, place), number) for feature, places, _ in ways]
    return _part(found)


class _Search:
    """A search under way.

    Attributes
    ----------
    several : the ways of each component, those that hold most first
    rest : for each component, a feature that those after it can't exceed together
    known : the rank of features that were looked at
    found : the best way so far and the next best with other units; `best` and `second` are their ranks
    """

    def __init__(self, several: list[Part], rank: Callable[[int], Rank]) -> None:
        several.sort(key=_number)
        self.several = [ways for ways, _ in several]
        self.rank = rank
        rest = [0]
        for _, most in several[:0:-1]:
            rest.append(rest[-1] + most)
        self.rest = rest[::-1]
        self.known: dict[int, Rank] = {}
        self.found: list[Way] = []
        self.best: Rank = ()
        self.second: Rank = ()

    def descend(self, at: int, before: int, units: tuple[int, ...], closed: int) -> None:
        """Try every way of component `at` and those after it, unless they can't matter."""
        rest, known = self.rest[at], self.known
        last = at + 1 == len(self.several)
        for more, others, number in self.several[at]:
            feature = before + more
            if last or self.found:  # nothing can be left out before something is found
                most = feature + rest
                bound = known.get(most)
                if bound is None:
                    bound = known[most] = self.rank(most)
                if bound < self.best and bound <= self.second:
                    continue
                if last:
                    self.keep(bound, (feature, units + others, closed if number < 0 else number))
                    continue
            self.descend(at + 1, feature, units + others, closed if number < 0 else number)

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


def _number(part: Part) -> int:
    return len(part[0])
