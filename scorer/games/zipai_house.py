"""The options of a 字牌 house, and the units that loose cards can make, as steps of a search.

All that a search has left stands in one integer of fields with a guard bit each: how many of each face, the 王,
how many pairs and fours there must still be, and above them copies for which 王 may still stand. Taking a unit is
one subtraction. What these steps are depends on the rule set alone, and on how the winning card came (`Mode`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations_with_replacement
from typing import Any

from scorer.book import BITS, Book, Unit, stands_for
from scorer.divide import tie_order
from scorer.facts import Values, flag, number

FACES = 20
MOST_WANG = 4
NEVER = 9  # more 王 than there are
ONES = sum(1 << BITS * at for at in range(FACES))
REAL = ONES * 7
WANG_SHIFT = BITS * FACES
WANG = 1 << WANG_SHIFT
PAIR = WANG << BITS
FOUR = PAIR << BITS
ROOM = BITS * (FACES + 3)  # where the copies stand
GUARD = sum(8 << BITS * at for at in range(FACES + 3))
GUARD_ALL = GUARD | ONES << ROOM + BITS - 1

# The class of a division: fields that add up over its units beside 胡.
RED = 1  # 王 that stand for red cards
XING = 1 << 4  # 王 that stand for the 醒 card
OPENED = 1 << 8  # copies of the winning card in what it opened, where only open cards can be 醒
DIAO = 1 << 12  # 王吊
CHUANG = 1 << 14  # 王撞

# The units of a cover, the last taken first: (place, the others), () for none.
Chain = tuple[Any, ...]
# Some units that take up all of some cards: (class, 胡, the units).
Cover = tuple[int, int, Chain]
# Covers that may matter, at most two per class.
Covers = Sequence[Cover]
# A unit that can be taken: (faces that its 王 stand for, what it adds to the class, its 胡, its place).
Take = tuple[int, int, int, int]
# A unit without 王: (the fields that it takes up, what it adds to the class, its 胡, its place).
Natural = tuple[int, int, int, int]
# Units by the fields that they take up.
Steps = Mapping[int, Sequence[Take]]
NOTHING: Covers = ((0, 0, ()),)


@dataclass(frozen=True, slots=True)
class Row:
    """A unit that loose cards can make: its fields, what its `wang` 王 stand for, how many of these are red."""

    need: int
    stand: int
    red: int
    wang: int
    unit: Unit


@dataclass(frozen=True, slots=True)
class Mode:
    """How the winning card came, as far as it changes what units are.

    Attributes
    ----------
    diao, chuang : how many 王 make a pair a 王吊 and a unit of three a 王撞 (B30, B33)
    beside : whether this is so only for units that hold the winning card
    alone : how many copies of the winning card are up for division, when another drew it, else 0; units of
        copies alone are opened when they hold all of these (B22, B28, B31)
    """

    diao: int = NEVER
    chuang: int = NEVER
    beside: bool = False
    alone: int = 0


@dataclass(frozen=True, eq=False)
class House:
    """Options, as named in the rule set, and the units.

    Attributes
    ----------
    unit_at : place -> the unit that loose cards, or loose cards and the winning card, make there
    rows : [lowest face] -> units, those of 王 alone last
    opened : place -> what a 坎 or 清 with 王 becomes when another drew its last card
    natural : [lowest face] -> (fields, class, 胡, place) of the units without 王; three alike among loose cards
        are a 碰, as dealt ones are locked and self-drawn ones must be 笑
    small : fields of up to two such units -> covers
    """

    red_win: bool
    zimo_times_wang: bool
    xing_adds: bool
    xing_exposed: bool
    xing_wang: bool
    turned_wang: int
    wang_colour: bool
    win_by_qing: bool
    chuang_alike: bool
    wang_third_kan: bool
    wang_fourth: str
    drawn_wang_waited: bool
    wang_needs_zimo: bool
    unit_at: Mapping[int, Unit]
    rows: Sequence[Sequence[Row]]
    opened: Mapping[int, Unit]
    natural: Sequence[Sequence[Natural]]
    small: Mapping[int, Covers]


def make_house(options: Values, book: Book) -> House:
    """Return the house of these options with the units of the book."""
    opened = {place: unit for (word, place), unit in book.turned_into.items() if word == "opened"}
    rows = _rows(book)
    exposed = flag(options, "xing_exposed")
    natural = [[_natural(row, opened, exposed) for row in low if not row.wang and row.unit.shape.kind != "清"]
               for low in rows]  # fmt: skip
    made = [*book.free.values(), *opened.values(), *book.fixed.values()]
    return House(
        red_win=flag(options, "red_win"),
        zimo_times_wang=flag(options, "zimo_times_wang"),
        xing_adds=options["xing"] == "add",
        xing_exposed=flag(options, "xing_exposed"),
        xing_wang=flag(options, "xing_wang"),
        turned_wang=number(options, "turned_wang"),
        wang_colour=flag(options, "wang_colour"),
        win_by_qing=flag(options, "win_by_qing"),
        chuang_alike=flag(options, "chuang_alike"),
        wang_third_kan=flag(options, "wang_third_kan"),
        wang_fourth=str(options["wang_fourth"]),
        drawn_wang_waited=flag(options, "drawn_wang_waited"),
        wang_needs_zimo=flag(options, "wang_needs_zimo"),
        unit_at={unit.place: unit for unit in reversed(made)},
        rows=rows,
        opened=opened,
        natural=natural,
        small=_small([step for low in natural for step in low]),
    )


def _rows(book: Book) -> list[list[Row]]:
    red = frozenset(face.code for face in book.rules.cards.faces if "red" in face.tags)
    rows: list[list[Row]] = [[] for _ in range(FACES + 1)]
    for unit in book.free.values():
        cards = unit.shape.cards
        need = unit.need + (PAIR if len(cards) == 2 else FOUR if len(cards) == 4 else 0)
        reds = sum("=" in card and stands_for(card) in red for card in cards)
        low = ((need & -need).bit_length() - 1) // BITS
        rows[low].append(Row(need, unit.stand, reds, unit.need >> WANG_SHIFT, unit))
    return rows


def _natural(row: Row, opened: Mapping[int, Unit], exposed: bool) -> Natural:
    unit = opened.get(row.unit.place, row.unit)
    adds = 3 * OPENED if exposed and unit.shape.kind == "碰" else 0
    return row.need, adds, unit.shape.points, unit.place


def _small(natural: Sequence[Natural]) -> Mapping[int, Covers]:
    """Return what at most two units cover; these are the ends of every search."""
    found: dict[int, list[Cover]] = {GUARD: [*NOTHING]}
    for need, adds, hu, place in natural:
        found[GUARD | need] = [(adds, hu, (place, ()))]
    for (need, adds, hu, place), (more, other_adds, other, next_place) in combinations_with_replacement(
        natural, 2
    ):
        cover = adds + other_adds, hu + other, (place, (next_place, ()))
        found.setdefault(GUARD + need + more, []).append(cover)
    return {fields: best_two(covers) for fields, covers in found.items()}


@lru_cache(maxsize=512)
def steps(house: House, mode: Mode, coloured: bool, at: int) -> Sequence[Sequence[Steps]]:
    """Return [王 left][lowest face] -> steps.

    Where only units with the winning card change, `at` is its face, else -1. `coloured` says whether 王 that stand
    for red cards are told apart.
    """
    if at < 0:
        return [
            [
                _steps(_takes(house, mode, coloured, [row for row in low if row.wang <= wang]))
                for low in house.rows
            ]
            for wang in range(MOST_WANG + 1)
        ]
    usual, changed = steps(house, Mode(), coloured, -1), steps(house, mode, coloured, -1)
    return [[*one[:at], other[at], *one[at + 1 :]] for one, other in zip(usual, changed, strict=True)]


def _steps(takes: Iterable[tuple[int, Take]]) -> Steps:
    by_need: dict[int, list[Take]] = {}
    for need, take in takes:
        by_need.setdefault(need, []).append(take)
    return by_need


def _takes(house: House, mode: Mode, coloured: bool, rows: Iterable[Row]) -> Iterator[tuple[int, Take]]:
    for row in rows:
        red = row.red * RED if coloured else 0
        for adds, unit in _become(house, mode, row):
            yield row.need, (row.stand, red + adds, unit.shape.points, unit.place)


def _become(house: House, mode: Mode, row: Row) -> Iterator[tuple[int, Unit]]:
    """Yield what a unit may be: (what this adds to the class, the unit)."""
    kind, other = row.unit.shape.kind, house.opened.get(row.unit.place)
    if not row.wang:
        if kind != "清":
            yield _open_copies(house, other) if other else 0, other or row.unit
        return
    # A third beside two 王, or as the table says beside one, is a 坎 whoever drew it (B17, B31).
    closed = kind == "坎" and (row.wang > 1 or house.wang_third_kan)
    copies = len(row.unit.shape.cards) - row.wang
    if not other or closed or not copies or not mode.alone:
        yield mark(house, mode, row.unit), row.unit
        return
    # Where the winning card may be elsewhere, it is where it is worth more; for open 醒 the hand has to say.
    better = other.shape.points > row.unit.shape.points
    if copies < mode.alone and (house.xing_exposed or not better):
        yield 0, row.unit
    if copies == mode.alone or house.xing_exposed or better:
        yield _open_copies(house, other), other


def _open_copies(house: House, unit: Unit) -> int:
    """Return what an opened unit adds to the class, where only open cards can be 醒 (B12, B15)."""
    copies = len([name for name in unit.shape.cards if house.xing_wang or "=" not in name])
    return copies * OPENED if house.xing_exposed else 0


def mark(house: House, mode: Mode, unit: Unit) -> int:
    """Return `DIAO`, `CHUANG` or 0 for a loose unit (that holds the winning card, if `mode.beside`)."""
    size, wang = len(unit.shape.cards), unit.need >> WANG_SHIFT
    if size == 2:
        return DIAO if wang >= mode.diao else 0
    if size == 4 or wang < mode.chuang or (house.chuang_alike and unit.shape.kind == "吃"):
        return 0
    return CHUANG


def places(chain: Chain) -> list[int]:
    """Return the places of a cover's units in ascending order."""
    found = []
    while chain:
        place, chain = chain
        found.append(place)
    found.sort()
    return found


def best_two(covers: Covers) -> Covers:
    """Return the best two different covers of each class: more 胡, fewer units, the order of ties (Z1)."""
    if len(covers) < 2:
        return covers
    if len(covers) == 2:
        one, other = covers
        return covers if one[:2] != other[:2] or places(one[2]) != places(other[2]) else covers[:1]
    by_class: dict[int, list[Cover]] = {}
    for cover in covers:
        by_class.setdefault(cover[0], []).append(cover)
    return [cover for rivals in by_class.values() for cover in _best_rivals(rivals)]


def _best_rivals(rivals: list[Cover]) -> Covers:
    if len(rivals) < 3:
        return best_two(rivals)
    order = sorted([(-hu, tie_order(places(chain)), at) for at, (_, hu, chain) in enumerate(rivals)])
    first = order[0]
    for each in order:
        if each[1] != first[1]:
            return [rivals[first[2]], rivals[each[2]]]
    return [rivals[first[2]]]
