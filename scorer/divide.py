"""Every exact way to group loose cards into units, and for each sum of features the first two of the tie order.

The search always branches on the lowest face that is left: one of the units with that lowest face must take
it, so every exact cover is met. Ways that add up to the same features are worth the same to the game, whatever
follows; of those only the two that come first among ties are carried on (two, because the runner-up of the best
division may be worth as much). That keeps the search exact and small. Nothing is kept from one hand to the next.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from functools import reduce
from itertools import combinations_with_replacement
from math import comb

from scorer.book import BITS, FIELD_AT, FIELD_MASK, MOST, NOTHING, Book, Component, Steps, Unit, Way

# component -> holding (with the room for wilds above it, where that matters) -> its ways
Memo = dict[int, dict[int, Sequence[Way]]]
# (free unit, what it becomes) for the units that may hold the winning card.
Closing = Sequence[tuple[Unit, Unit]]
# Holdings per component worked out with the book: enough for most of a hand, a few milliseconds of work.
_SMALL = 300


def divisions(
    book: Book, loose: int, closing: Closing | None = None, room: int = 0, memo: Memo | None = None
) -> Sequence[Way]:
    """Return the ways to divide packed loose cards, at most two per sum of features; none when there is none.

    Parameters
    ----------
    loose : packed counts, the winning card included
    closing : where one card of `loose` is the winning card, the units among which it must be; None without one
    room : packed counts of the copies that the deck has left for wilds to stand for
    memo : what was found for holdings of this hand; pass one to share it between calls with the same `room`

    The places of a way are in no order; `tie_order` sorts them.
    """
    memo = {} if memo is None else memo
    closers = _closers(book, closing) if closing is not None else None
    wilds = loose >> book.wild_shift
    if wilds and len(book.components) > 1:
        return _spread_wilds(book, loose, closers, room, memo)
    return _joined(book, loose, wilds, closers, room, memo)


def tie_order(places: Iterable[int]) -> tuple[int, tuple[int, ...]]:
    """Return the sort key of a division among ties: fewer melds, then the smaller sorted list of places."""
    ordered = tuple(sorted(places))
    return len(ordered), ordered


def _joined(
    book: Book, loose: int, wilds: int, closers: Mapping[int, Closing] | None, room: int, memo: Memo
) -> Sequence[Way]:
    """Return the ways where every component has the same wilds: none of many, or all of the only one."""
    # The component that takes the winning card, where there is just one, is divided with it.
    closer = next(iter(closers)) if closers and len(closers) == 1 else -1
    parts: list[Sequence[Way]] = []
    for component in book.components:
        holding = loose >> component.shift & component.mask | wilds << component.wild_shift
        if not holding or component.index == closer:
            parts.append(NOTHING)
            continue
        ways = component.small.get(holding)
        if ways is None:
            ways = _ways(component, holding, room >> component.shift & component.mask, memo)
        if not ways:
            return ()
        parts.append(ways)
    return _with_closer(book, loose, [wilds] * len(parts), parts, closers, room, memo)


def _with_closer(
    book: Book,
    loose: int,
    shares: Sequence[int],
    parts: list[Sequence[Way]],
    closers: Mapping[int, Closing] | None,
    room: int,
    memo: Memo,
) -> Sequence[Way]:
    """Join the ways of all components, one of `closers` dividing so that a unit holds the winning card."""
    if closers is None:
        return combine(parts)
    found: list[Way] = []
    for at, units in closers.items():
        component = book.components[at]
        holding = loose >> component.shift & component.mask | shares[at] << component.wild_shift
        part = _closed(book, component, holding, units, room, memo)
        if part:
            found.extend(combine([part, *parts[:at], *parts[at + 1 :]]))
    return found if len(closers) == 1 else first_two(found)


def combine(parts: Sequence[Sequence[Way]]) -> Sequence[Way]:
    """Join the ways of separate components, each of which has some."""
    sure, sure_closed = 0, -1
    sure_places: tuple[int, ...] = ()
    several: list[Sequence[Way]] = []
    for part in parts:
        if part is NOTHING:
            continue
        if len(part) > 1:
            several.append(part)
            continue
        feature, places, closed = part[0]
        sure += feature
        sure_places += places
        if closed >= 0:
            sure_closed = closed
    if not several:
        return [(sure, sure_places, sure_closed)]
    joined = several[0] if len(several) == 1 else reduce(join, several)
    return [
        (sure + feature, places + sure_places, closed if closed > sure_closed else sure_closed)
        for feature, places, closed in joined
    ]


def join(left: Sequence[Way], right: Sequence[Way]) -> Sequence[Way]:
    """Return every way of `left` with every way of `right`, the first two per sum of features."""
    return first_two([
        (feature + more, places + others, closed if closed > other_closed else other_closed)
        for feature, places, closed in left
        for more, others, other_closed in right
    ])  # fmt: skip


def first_two(ways: Sequence[Way]) -> Sequence[Way]:
    """Return for each sum of features the first two different ways of the tie order."""
    by_feature: dict[int, list[Way]] = {}
    for way in ways:
        rivals = by_feature.get(way[0])
        if rivals is None:
            by_feature[way[0]] = [way]
        else:
            rivals.append(way)
    if len(by_feature) == len(ways):
        return ways
    kept: list[Way] = []
    for rivals in by_feature.values():
        kept += rivals if len(rivals) == 1 else _first_two_rivals(rivals)
    return kept


def _first_two_rivals(rivals: list[Way]) -> list[Way]:
    """Return the first two of ways with the same features that differ in their units."""
    if len(rivals) == 2 and len(rivals[0][1]) != len(rivals[1][1]):
        return rivals
    ordered = sorted(
        [(len(places), sorted(places), closed, at) for at, (_, places, closed) in enumerate(rivals)]
    )
    first = ordered[0]
    for each in ordered:
        if each[1] != first[1]:
            return [rivals[first[3]], rivals[each[3]]]
    return [rivals[first[3]]]


def _closers(book: Book, closing: Closing) -> dict[int, list[tuple[Unit, Unit]]]:
    """Return the pairs of `closing` by component (a unit of wilds alone is in all)."""
    found: dict[int, list[tuple[Unit, Unit]]] = {}
    real_cards = (1 << book.wild_shift) - 1
    for pair in closing:
        real = pair[0].need & real_cards
        low = (real & -real).bit_length() - 1
        for at in [book.component_at[1 << low - low % BITS]] if real else range(len(book.components)):
            found.setdefault(at, []).append(pair)
    return found


def _closed(
    book: Book, component: Component, holding: int, closing: Closing, room: int, memo: Memo
) -> Sequence[Way]:
    """Return the ways in which one of the closing units holds the winning card."""
    found: list[Way] = []
    guard = component.guard
    local_room = room >> component.shift & component.mask
    for unit, closed in closing:
        wilds = unit.need >> book.wild_shift
        left = (holding | guard) - (
            unit.need >> component.shift & component.mask | wilds << component.wild_shift
        )
        spare = (local_room | guard) - (unit.stand >> component.shift & component.mask)
        if left & guard != guard or spare & guard != guard:
            continue
        value, place, number = closed.feature, closed.place, closed.id
        ways = _ways(component, left ^ guard, spare ^ guard, memo)
        found.extend([(value + feature, (*places, place), number) for feature, places, _ in ways])
    return found if len(found) < 2 else first_two(found)


def _ways(component: Component, holding: int, room: int, memo: Memo) -> Sequence[Way]:
    """Return the ways to divide a component's holding."""
    found = component.small.get(holding)
    if found is not None:
        return found
    own = memo.get(component.index)
    if own is None:
        own = memo[component.index] = {}
    found = own.get(holding)
    if found is not None:
        return found
    if not holding >> component.wild_shift:
        return _search(component.plain, component.guard, component.small, holding, own)
    if component.stands:
        return _search_standing(
            component, holding, *_tight(component, holding >> component.wild_shift, room), own
        )
    return _search(component.every, component.guard, component.small, holding, own)


def _search(
    steps: Steps, guard: int, small: Mapping[int, Sequence[Way]], holding: int, memo: dict[int, Sequence[Way]]
) -> Sequence[Way]:
    """Divide a holding that is in neither table, and whose wilds, if any, stand for nothing in particular."""
    guarded = holding | guard
    found: Sequence[Way] = ()
    for need, feature, units in steps[holding & FIELD_AT[holding & -holding]]:
        left = guarded - need
        if left & guard != guard:
            continue
        left ^= guard
        ways = small.get(left)
        if ways is None:
            ways = memo.get(left)
            if ways is None:
                ways = _search(steps, guard, small, left, memo)
        if len(ways) == 1:
            more, places, _ = ways[0]
            ways = ((feature + more, places + units, -1),)
        elif ways:
            ways = [(feature + more, places + units, -1) for more, places, _ in ways]
        else:
            continue
        # Most cards go only one way; then there is nothing to compare.
        found = [*found, *ways] if found else ways
    found = memo[holding] = first_two(found) if len(found) > 1 else found
    return found


def tabulate(book: Book) -> Book:
    """Return the book with the ways of every holding of a few cards in each component.

    These depend on the rule set alone. What is found for larger holdings is forgotten with the hand.
    """
    return replace(book, components=tuple(map(_tabulated, book.components)))


def _tabulated(component: Component) -> Component:
    faces = (component.wild_shift // BITS) + (not component.stands)
    most = max(size for size in range(1, MOST + 1) if comb(faces + size, size) <= max(_SMALL, faces + 1))
    small: dict[int, Sequence[Way]] = {0: NOTHING}
    steps = component.plain if component.stands else component.every
    for size in range(1, most + 1):
        for cards in combinations_with_replacement(range(faces), size):
            holding = sum(1 << BITS * face for face in cards)
            _search(steps, component.guard, small, holding, small)
    return replace(component, small=small)


def _search_standing(
    component: Component, holding: int, room: int, tight: int, memo: dict[int, Sequence[Way]]
) -> Sequence[Way]:
    """Divide a holding with wilds, none of which may stand for a card of which no copy is left.

    Parameters
    ----------
    room : packed copies left of the cards that could run out, more than enough of all others
    tight : the fields of the cards that could run out
    """
    wilds = holding >> component.wild_shift
    if not wilds:
        known = component.small.get(holding)
        if known is None:
            known = memo.get(holding)
        return (
            _search(component.plain, component.guard, component.small, holding, memo)
            if known is None
            else known
        )
    key = room << component.wild_shift + BITS | holding
    known = memo.get(key)
    if known is not None:
        return known
    guard = component.guard
    guarded, guarded_room = holding | guard, room | guard
    found: list[Way] = []
    for need, stand, feature, place in component.standing[wilds][holding & FIELD_AT[holding & -holding]]:
        left = guarded - need
        if left & guard != guard:
            continue
        spare = guarded_room - (stand & tight)
        if spare & guard == guard:
            ways = _search_standing(component, left ^ guard, spare ^ guard, tight, memo)
            if ways:
                found += [(feature + more, (*places, place), -1) for more, places, _ in ways]
    memo[key] = first_two(found)
    return memo[key]


def _tight(component: Component, wilds: int, room: int) -> tuple[int, int]:
    """Return the room with enough for all cards that so many wilds can't exhaust, and the fields of the others."""
    guard = component.guard
    enough = (room | guard) - (guard >> BITS - 1) * wilds & guard
    tight = ((guard ^ enough) >> BITS - 1) * FIELD_MASK & component.mask
    return room & tight | (guard >> BITS - 1) * MOST & component.mask & ~tight, tight


def _spread_wilds(
    book: Book, loose: int, closers: Mapping[int, Closing] | None, room: int, memo: Memo
) -> Sequence[Way]:
    """Divide with wilds that may go to any of several components.

    A component that does not divide without a wild needs at least one; the others are given out in every way.
    """
    wilds = loose >> book.wild_shift
    holdings = [loose >> component.shift & component.mask for component in book.components]
    bare = [
        _ways(component, holding, room >> component.shift & component.mask, memo)
        for component, holding in zip(book.components, holdings, strict=True)
    ]
    needy = [at for at, ways in enumerate(bare) if not ways]
    if len(needy) > wilds:
        return ()
    found: list[Way] = []
    for more in combinations_with_replacement(range(len(bare)), wilds - len(needy)):
        shares, parts = [0] * len(bare), bare[:]
        for at in (*needy, *more):
            shares[at] += 1
        for at in {*needy, *more}:
            component = book.components[at]
            holding = holdings[at] | shares[at] << component.wild_shift
            parts[at] = _ways(component, holding, room >> component.shift & component.mask, memo)
        if all(parts):
            found.extend(_with_closer(book, loose, shares, parts, closers, room, memo))
    return first_two(found)


def unplaced(book: Book, loose: int, room: int = 0) -> tuple[str, ...]:
    """Return the fewest cards that must be left out so that the rest divides, in deck order.

    A hand that divides leaves none. Of several choices the one whose left cards come first in deck order.
    """
    wilds = loose >> book.wild_shift
    reached: dict[int, tuple[int, int]] = {0: (0, 0)}
    for component in book.components:
        memo: dict[int, tuple[int, int]] = {}
        onward: dict[int, tuple[int, int]] = {}
        cards = loose >> component.shift & component.mask
        for used, (count, left) in reached.items():
            for share in range(wilds - used + 1):
                more, local = _leftover(component, cards | share << component.wild_shift, memo)
                real = (local & component.mask) << component.shift
                wild = local >> component.wild_shift << book.wild_shift
                found = count + more, left + real + wild
                onward[used + share] = min(onward.get(used + share, found), found)
        reached = onward
    return book.unpack(reached[wilds][1])


def _leftover(component: Component, holding: int, memo: dict[int, tuple[int, int]]) -> tuple[int, int]:
    """Return (number of cards that no unit takes, their packed counts) at the fewest."""
    if not holding:
        return 0, 0
    found = memo.get(holding)
    if found is None:
        low = (holding & -holding).bit_length() - 1
        one = 1 << low - low % BITS
        count, left = _leftover(component, holding - one, memo)
        found = (count, left) if one & component.tokens else (count + 1, left + one)
        guard = component.guard
        for need, _, _ in component.every[holding & FIELD_AT[1 << low]]:
            rest = (holding | guard) - need
            if rest & guard == guard:
                found = min(found, _leftover(component, rest ^ guard, memo))
        memo[holding] = found
    return found
