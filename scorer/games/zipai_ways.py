"""Every exact way to divide number cards among which 王 stand in, kept down to those that can matter.

The search branches on the lowest face that is left, so every exact cover is met. Per class (what else the game
adds up: red 王, 醒, 王吊, 王撞) it keeps the best two covers: of two covers of the same cards and class the better
makes the better whole, so nothing is lost.
"""

from __future__ import annotations

from collections.abc import Sequence

from scorer.book import BITS
from scorer.games.zipai_house import (
    FOUR,
    GUARD,
    GUARD_ALL,
    NOTHING,
    ONES,
    REAL,
    ROOM,
    WANG_SHIFT,
    XING,
    Cover,
    Covers,
    House,
    Steps,
    best_two,
    places,
)  # fmt: skip

ANY = 99  # units left where any number will do
_FIELDS = (FOUR << BITS) - 1  # all below the room
_WANG = 7 << WANG_SHIFT
_CARDS = REAL | _WANG


def natural(house: House, left: int, units: int, memo: dict[int, Covers]) -> Covers:
    """Return the covers of `units` units that need no 王; `left` has its guard bits set."""
    if units < 3:
        return house.small.get(left, ())
    known = memo.get(left)
    if known is not None:
        return known
    cards = left & REAL
    if not cards:
        return NOTHING
    found: list[Cover] = []
    small = house.small
    for need, adds, hu, place in house.natural[((cards & -cards).bit_length() - 1) // BITS]:
        rest = left - need
        if rest & GUARD == GUARD:
            onward = natural(house, rest, units - 1, memo) if units > 3 else small.get(rest, ())
            for adds_more, more, chain in onward:
                found.append((adds + adds_more, hu + more, (place, chain)))
    memo[left] = known = best_two(found)
    return known


class Search:
    """A search among cards with 王; what it found is kept while more of it is asked for.

    Parameters
    ----------
    steps : [王 left][lowest face] -> steps
    room : packed copies of each face for which 王 can stand
    counted : fields of the faces for which this is held to while searching. That hardly ever matters, so a search
        begins with none, and is made again if a cover that is wanted turns out to be `overdrawn`
    xing : the 1 of the 醒 face in packed counts, 0 where no 王 can be one
    """

    def __init__(
        self, house: House, steps: Sequence[Sequence[Steps]], room: int, counted: int, xing: int
    ) -> None:
        self._house, self._steps, self._counted, self._xing = house, steps, counted, xing
        self._gone = (ONES & ~(room | room >> 1 | room >> 2)) * 7
        self._looked_at = self._gone | counted | xing * 7
        self._guard = GUARD_ALL if counted else GUARD
        self._start = (room & counted) << ROOM | self._guard
        self._known: dict[int, Covers] = {}
        self._natural: dict[int, Covers] = {}

    def covers(self, fields: int, units: int) -> Covers:
        """Return the covers of cards, pairs and fours by so many units."""
        return self._covers(fields | self._start, units)

    def _covers(self, left: int, units: int) -> Covers:
        known = self._known.get(left)
        if known is not None:
            return known
        guard, looked_at = self._guard, self._looked_at
        found: list[Cover] = []
        for need, takes in self._choice(left, units).items():
            rest = left - need
            if rest & guard != guard:
                continue
            onward: Covers | None = None
            for stand, adds, hu, place in takes:
                if stand & looked_at:
                    adds, after = self._standing(stand, adds, rest, units - 1)
                else:
                    if onward is None:
                        onward = self._onward(rest, units - 1)
                    after = onward
                for more, other, chain in after:
                    found.append((adds + more, hu + other, (place, chain)))
        self._known[left] = known = best_two(found)
        return known

    def _choice(self, left: int, units: int) -> Steps:
        """Return the steps at the lowest face that is left; the last unit takes all there is."""
        cards = left & _CARDS
        choice = self._steps[cards >> WANG_SHIFT][((cards & -cards).bit_length() - 1) // BITS]
        if units > 1:
            return choice
        last = left & _FIELDS ^ GUARD
        return {last: choice[last]} if last in choice else {}

    def _onward(self, left: int, units: int) -> Covers:
        if left & _WANG:
            return self._covers(left, units)
        if units < 3:
            return self._house.small.get(left & _FIELDS, ())
        return natural(self._house, left & _FIELDS, units, self._natural)

    def _standing(self, stand: int, adds: int, rest: int, units: int) -> tuple[int, Covers]:
        """Return the class and the covers of the rest when 王 stand for these faces."""
        rest -= (stand & self._counted) << ROOM
        if stand & self._gone or rest & self._guard != self._guard:
            return adds, ()
        return adds + (stand // self._xing % 8 * XING if self._xing else 0), self._onward(rest, units)


def overdrawn(house: House, room: int, cover: Cover) -> int:
    """Return the fields of the faces for which more 王 stand in a cover than there are copies left."""
    stand = sum([house.unit_at[place].stand for place in places(cover[2])])
    return (~(room + ONES * 8 - stand) & ONES * 8) // 8 * 7


def fewest_left(house: House, fields: int, room: int) -> int:
    """Return the packed cards that must be left out so that the others divide, at the fewest, lowest faces first.

    `fields` may hold a `PAIR`, which is used or not; any number of fours will do.
    """
    memo: dict[int, tuple[int, int]] = {}
    gone = (ONES & ~(room | room >> 1 | room >> 2)) * 7
    wang = fields >> WANG_SHIFT & 7
    needs = [
        [*{row.need & FOUR - 1 for row in low if row.wang <= wang and not row.stand & gone}]
        for low in house.rows
    ]
    guard = GUARD & FOUR - 1
    return _fewest_left(fields | guard, needs, memo)[1]


def _fewest_left(
    left: int, needs: Sequence[Sequence[int]], memo: dict[int, tuple[int, int]]
) -> tuple[int, int]:
    known = memo.get(left)
    if known is not None:
        return known
    cards = left & _CARDS
    if not cards:
        return 0, 0
    low = ((cards & -cards).bit_length() - 1) // BITS
    number, packed = _fewest_left(left - (1 << low * BITS), needs, memo)
    best = number + 1, packed + (1 << low * BITS)
    guard = GUARD & FOUR - 1
    for need in needs[low]:
        rest = left - need
        if rest & guard == guard:
            best = min(best, _fewest_left(rest, needs, memo))
    memo[left] = best
    return best
