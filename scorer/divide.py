"""Every exact way to group loose cards into units, and for each sum of features the first two of the tie order.

The search always branches on the lowest face that is left: one of the units with that lowest face must take
it, so every exact cover is met. Ways that add up to the same features are worth the same to the game, whatever
follows; of those only the two that come first among ties are carried on (two, because the runner-up of the best
division may be worth as much). That keeps the search exact and small.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import reduce

from scorer.book import BITS, Book, Component, Unit, Way

Memo = dict[int, tuple[Way, ...]]
NOTHING: tuple[Way, ...] = ((0, (), -1),)


def divisions(
    book: Book,
    loose: int,
    closing: Sequence[tuple[Unit, Unit]] | None = None,
    room: int = 0,
    memo: Memo | None = None,
) -> tuple[Way, ...]:
    """Return the ways to divide packed loose cards, at most two per sum of features; none when there is none.

    Parameters
    ----------
    loose : packed counts, the winning card included
    closing : where one card of `loose` is the winning card, the (free unit, the unit it becomes) among which it
        must be; None without a winning card
    room : packed counts of the copies that the deck has left for wilds to stand for
    memo : what was found for holdings of this hand, where no table is kept; pass one to share it between calls

    The places of a way are in no order; `tie_order` sorts them.
    """
    memo = {} if memo is None else memo
    if loose >> book.wild_shift and len(book.components) > 1:
        return _spread_wilds(book, loose, closing, room, memo)
    closers = _closers(book, closing)
    if closing is not None and not closers:
        return ()
    wilds = loose >> book.wild_shift
    parts: list[tuple[Way, ...]] = []
    for at, component in enumerate(book.components):
        holding = loose >> component.shift & component.mask | wilds << component.wild_shift
        if at in closers:
            parts.append(_closed(book, component, holding, closers[at], room, memo))
        elif holding:
            parts.append(_ways(component, holding, room >> component.shift & component.mask, memo))
    return combine(parts)


def tie_order(places: Iterable[int]) -> tuple[int, tuple[int, ...]]:
    """Return the sort key of a division among ties: fewer melds, then the smaller sorted list of places."""
    ordered = tuple(sorted(places))
    return len(ordered), ordered


def combine(parts: Iterable[tuple[Way, ...]]) -> tuple[Way, ...]:
    """Join the ways of separate components; one without any way leaves none."""
    sure = 0
    sure_places: tuple[int, ...] = ()
    several = []
    for part in parts:
        if not part:
            return ()
        if len(part) > 1 or part[0][2] >= 0:
            several.append(part)
        else:
            sure += part[0][0]
            sure_places += part[0][1]
    joined = reduce(join, several) if several else NOTHING
    return tuple([(sure + feature, places + sure_places, closed) for feature, places, closed in joined])


def join(left: Sequence[Way], right: Sequence[Way]) -> tuple[Way, ...]:
    """Return every way of `left` with every way of `right`, the first two per sum of features."""
    kept: dict[int, list[Way]] = {}
    for feature, places, closed in left:
        for more, others, other_closed in right:
            both = closed if closed > other_closed else other_closed
            _admit(kept, (feature + more, tuple(sorted(places + others)), both))
    return _all(kept)


def _all(kept: dict[int, list[Way]]) -> tuple[Way, ...]:
    return tuple([way for ways in kept.values() for way in ways])


def _order(way: Way) -> tuple[int, tuple[int, ...], int]:
    """Return the sort key of the tie order for a way with sorted places."""
    return len(way[1]), way[1], way[2]


def _admit(kept: dict[int, list[Way]], way: Way) -> None:
    """Keep a way if it is one of the first two different ones with its features."""
    rivals = kept.get(way[0])
    if rivals is None:
        kept[way[0]] = [way]
        return
    for at, rival in enumerate(rivals):
        if rival[1] == way[1]:
            if way[2] < rival[2]:
                rivals[at] = way
            return
    rivals.append(way)
    rivals.sort(key=_order)
    del rivals[2:]


def _closers(book: Book, closing: Sequence[tuple[Unit, Unit]] | None) -> dict[int, list[tuple[Unit, Unit]]]:
    """Return the pairs of `closing` by component (a unit of wilds alone is in all)."""
    found: dict[int, list[tuple[Unit, Unit]]] = {}
    real_cards = (1 << book.wild_shift) - 1
    for pair in closing or ():
        real = pair[0].need & real_cards
        low = (real & -real).bit_length() - 1
        for at in [book.component_at[1 << low - low % BITS]] if real else range(len(book.components)):
            found.setdefault(at, []).append(pair)
    return found


def _closed(
    book: Book,
    component: Component,
    holding: int,
    closing: list[tuple[Unit, Unit]],
    room: int,
    memo: Memo,
) -> tuple[Way, ...]:
    """Return the ways in which one of the closing units holds the winning card."""
    kept: dict[int, list[Way]] = {}
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
        for feature, places, _ in _ways(component, left ^ guard, spare ^ guard, memo):
            _admit(kept, (closed.feature + feature, tuple(sorted((*places, closed.place))), closed.id))
    return _all(kept)


def _ways(component: Component, holding: int, room: int, memo: Memo) -> tuple[Way, ...]:
    """Return the ways to divide a component's holding."""
    if component.table is not None:
        return _search(component, holding, component.table)
    if holding >> component.wild_shift:
        return _search_standing(component, holding, room, memo)
    return _search(component, holding, memo)


def _search(component: Component, holding: int, memo: Memo) -> tuple[Way, ...]:
    """Divide a holding whose wilds, if any, stand for nothing in particular."""
    found = memo.get(holding)
    if found is not None:
        return found
    if not holding:
        return NOTHING
    kept: dict[int, list[Way]] = {}
    guard = component.guard
    guarded = holding | guard
    low = ((holding & -holding).bit_length() - 1) // BITS
    wild = holding >> component.wild_shift
    for need, feature, place in component.every[low] if wild else component.plain[low]:
        left = guarded - need
        if left & guard == guard:
            for more, places, _ in _search(component, left ^ guard, memo):
                _admit(kept, (feature + more, tuple(sorted((*places, place))), -1))
    memo[holding] = found = _all(kept)
    return found


def _search_standing(component: Component, holding: int, room: int, memo: Memo) -> tuple[Way, ...]:
    """Divide a holding with wilds, none of which may stand for a card of which no copy is left."""
    if not holding >> component.wild_shift:
        return _search(component, holding, memo)
    key = holding | room << component.wild_shift + BITS
    found = memo.get(key)
    if found is not None:
        return found
    kept: dict[int, list[Way]] = {}
    guard = component.guard
    guarded, guarded_room = holding | guard, room | guard
    low = ((holding & -holding).bit_length() - 1) // BITS
    for need, stand, feature, place in component.standing[low]:
        left = guarded - need
        spare = guarded_room - stand
        if left & guard == guard and spare & guard == guard:
            for more, places, _ in _search_standing(component, left ^ guard, spare ^ guard, memo):
                _admit(kept, (feature + more, tuple(sorted((*places, place))), -1))
    memo[key] = found = _all(kept)
    return found


def _spread_wilds(
    book: Book, loose: int, closing: Sequence[tuple[Unit, Unit]] | None, room: int, memo: Memo
) -> tuple[Way, ...]:
    """Divide with wilds that may go to any of several components: every share for each is tried."""
    closers = _closers(book, closing)
    wilds = loose >> book.wild_shift
    reached: dict[tuple[int, bool], tuple[Way, ...]] = {(0, False): NOTHING}
    for at, component in enumerate(book.components):
        onward: dict[tuple[int, bool], list[Way]] = {}
        cards = loose >> component.shift & component.mask
        for (used, done), before in reached.items():
            for share in range(wilds - used + 1):
                holding = cards | share << component.wild_shift
                local_room = room >> component.shift & component.mask
                after = {(used + share, done): _ways(component, holding, local_room, memo)}
                if at in closers and not done:
                    closed = _closed(book, component, holding, closers[at], room, memo)
                    after[used + share, True] = closed
                for state, ways in after.items():
                    onward.setdefault(state, []).extend(join(before, ways))
        reached = {state: _first_two(ways) for state, ways in onward.items()}
    return reached.get((wilds, closing is not None), ())


def _first_two(ways: list[Way]) -> tuple[Way, ...]:
    """Return the first two different ways per sum of features."""
    kept: dict[int, list[Way]] = {}
    for way in ways:
        _admit(kept, way)
    return _all(kept)


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
        found = count + 1, left + one
        guard = component.guard
        for need, _, _ in component.every[low // BITS]:
            rest = (holding | guard) - need
            if rest & guard == guard:
                found = min(found, _leftover(component, rest ^ guard, memo))
        memo[holding] = found
    return found
