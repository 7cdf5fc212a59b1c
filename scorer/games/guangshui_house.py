"""The values and options of a 广水四色 house, ready to use, and how a division is packed into a feature.

All that matters of a division is packed into one integer, its feature, which the engine adds up unit by unit:

    bits 0-11    胡 of the units
    bits 12-67   a cell of two bits for each card (by kind 将士相车马炮卒, within it by colour): 1 for a pair in
                 hand, 2 for two of them, 3 for a set, i.e. 步, 子, 楼 or 闹
    from 68      the numbers of 步 and of 楼, and of single 将 where `loose_generals` caps them
    from 81      such cells once more for sets only (`four_is_out` off), then for 步 only (`pong_in_bonus` off)

More of anything never makes a division worth less (but see `_monotone`), so that one with more of everything
bounds others (`scorer.bound`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

from scorer.facts import Values, flag, number
from scorer.rules import RuleSet

COLOURS = "rgyw"
KINDS = "KABRNCP"  # 将士相车马炮卒
FAT = "KRP"  # 将车卒
ALL_GENERALS = 16

CELLS = 12
_CELL_BITS = 2 * len(KINDS) * len(COLOURS)
PONGS = CELLS + _CELL_BITS
LOU = PONGS + 4
LOOSE = LOU + 3
SETS = LOOSE + 6
PONG_CELLS = SETS + _CELL_BITS
POINTS_MASK = (1 << CELLS) - 1
CELL_MASK = (1 << _CELL_BITS) - 1
CALLS_MASK = (1 << LOOSE - PONGS) - 1
FIRST_BITS = CELL_MASK // 3

# By the cells of one kind, a byte: the colours (bits of 0b01010101) with at least a pair, and with a set.
PAIRED = tuple((byte | byte >> 1) & 0x55 for byte in range(256))
OUT = tuple(byte & byte >> 1 & 0x55 for byte in range(256))
# By bits of colours: the places of the bits.
PLACES = tuple(tuple(at for at in range(0, 8, 2) if byte >> at & 1) for byte in range(256))
# By the colours with at least a pair of 将: those of which one large 车子 can be made, and 0 for none.
LARGE_CARS = {
    paired: (*[mask for mask in range(paired, 0, -1) if not mask & ~paired and mask.bit_count() > 2], 0)
    for paired in sorted(set(PAIRED))
}

# What a division has that can win without counting.
STEPPED = 1 << 0  # a 车子 that is 出
SURE = 1 << 1  # 素车全踏, 肥车 twice 出 or 长车 出
GRAND = 1 << 2  # 素车全踏, or 肥车 or 长车 出: 小甲 with two 楼 (D27)
THREE = 1 << 3  # 三清
FOUR = 1 << 4  # 四清
HEAVEN = 1 << 5  # 天地
FIVE = 1 << 6  # five 步
SIX = 1 << 7  # six 步

_STEPS = ("不出", "出一", "出两", "出三")
PONG_ROWS = ("五步", "六步", "七步", "八步", "九步", "十步")


class Car(NamedTuple):
    """A 车子: its row, the cells that it takes (kinds, bits of colours), its 胡, that of its 将, and flags."""

    row: str
    kinds: str
    colours: int
    hu: int
    generals: int
    flags: int


class Calls(NamedTuple):
    """What 步 and 楼 add by their numbers: the bonus of the 步, the number of 楼, flags."""

    hu: int
    lou: int
    flags: int


@dataclass(frozen=True, slots=True)
class Paying:
    """The options by which 胡, 楼 and 甲 become 牌, and whether the 胡 are paid instead (D24, D26, D34)."""

    lou_at_most: int
    jia_replaces: bool
    jia_at_least: bool
    by_hu: bool


@dataclass(frozen=True)
class House:
    """The values of the table and a house's options, ready to use.

    Attributes
    ----------
    plain : kinds, place of the colour, cells of the three kinds in that colour -> 素车
    large : kind, cells of the kind (those not meant left out) -> 肥车 or 长车
    qing : the 胡 of one kind's cells
    calls : what the numbers of 步 and 楼 add, as they lie in a feature
    monotone : whether more of a feature never ranks lower
    usual : whether 车子, 清 and 天地 see the same cells, 步 within them count, and all single 将
    widened : whether 清 is of all kinds, or all sets count as steps
    """

    plain: Mapping[str, Mapping[int, Mapping[int, Car]]]
    large: Mapping[str, Mapping[int, Car]]
    qing: tuple[int, ...]
    heaven: int
    pongs: tuple[int, ...]
    calls: tuple[Calls, ...]
    monotone: bool
    usual: bool
    widened: bool
    plain_generals: bool
    large_generals: bool
    shared_cards: bool
    all_qing: bool
    all_steps: bool
    four_is_out: bool
    out_needs_set: bool
    pong_in_bonus: bool
    loose_generals: int
    paying: Paying
    xianggong_wins: bool


def make_house(rules: RuleSet, options: Values) -> House:
    """Read the table and the options."""
    points = {row.id: row.points[0] for row in rules.table}
    qing = (0, 0, 0, points["三清"], points["四清"])
    last = points[PONG_ROWS[-1]]
    pongs = (
        (0,) * 5 + tuple([points[row] for row in PONG_ROWS]) + (last,) * 18
    )  # a bound may count any number
    all_steps = options["steps_counted"] == "all"
    both_ways = (
        flag(options, "four_is_out") and flag(options, "out_needs_set") and flag(options, "pong_in_bonus")
    )
    return House(
        plain={kinds: _plain_cars(kinds, points, options) for kinds in ("KAB", "RNC")},
        large={kind: _large_cars(kind, points, options) for kind in "KP"},
        qing=tuple([qing[OUT[byte].bit_count()] for byte in range(256)]),
        heaven=points["天地"],
        pongs=pongs,
        calls=tuple([_calls(called, (0,) * 29 if all_steps else pongs) for called in range(CALLS_MASK + 1)]),
        # 甲 that replaces the 牌 may pay less than many doublings; the others take as well as give.
        monotone=both_ways and not (flag(options, "jia_replaces") and number(options, "lou_at_most") > 3),
        usual=both_ways and number(options, "loose_generals") == ALL_GENERALS,
        widened=all_steps or options["qing_kinds"] == "all",
        plain_generals=flag(options, "plain_car_generals"),
        large_generals=flag(options, "fat_car_generals"),
        shared_cards=not flag(options, "one_car_per_card"),
        all_qing=options["qing_kinds"] == "all",
        all_steps=all_steps,
        four_is_out=flag(options, "four_is_out"),
        out_needs_set=flag(options, "out_needs_set"),
        pong_in_bonus=flag(options, "pong_in_bonus"),
        loose_generals=number(options, "loose_generals"),
        paying=paying_of(options),
        xianggong_wins=flag(options, "xianggong_wins"),
    )


def paying_of(options: Values) -> Paying:
    """Read the options that a payment depends on."""
    return Paying(
        lou_at_most=number(options, "lou_at_most") if flag(options, "lou_doubles") else 0,
        jia_replaces=flag(options, "jia_replaces"),
        jia_at_least=flag(options, "jia_at_least"),
        by_hu=options["pay_by"] == "胡",
    )


def _calls(called: int, pongs: tuple[int, ...]) -> Calls:
    steps = called & 15
    return Calls(pongs[steps], called >> LOU - PONGS, pong_flags(steps) if any(pongs) else 0)


def pong_flags(steps: int) -> int:
    """Return the flags of a number of 步."""
    return FIVE * (steps > 4) | SIX * (steps > 5)


def _plain_cars(kinds: str, points: Mapping[str, int], options: Values) -> Mapping[int, Mapping[int, Car]]:
    """Return the 素车 of three kinds by place of the colour and by their three cells."""
    found: dict[int, dict[int, Car]] = {}
    for at, cells in product(PLACES[0x55], range(64)):
        each = (cells & 3, cells >> 2 & 3, cells >> 4)
        if all(each):
            steps = each.count(3)
            row = _row("素车", steps, 3)
            flags = STEPPED * (steps > 0) | (SURE | GRAND) * (steps == 3)
            left = kinds[0] == "K" and each[0] < 3 and steps and flag(options, "plain_car_generals")
            car = Car(row, kinds, 1 << at, points[row], 2 if left else 0, flags)
            found.setdefault(at, {})[cells] = car
    return found


def _large_cars(kind: str, points: Mapping[str, int], options: Values) -> Mapping[int, Car]:
    """Return the 肥车 and 长车 of a kind by its cells."""
    found = {}
    for cells in range(256):
        colours, steps = PAIRED[cells], OUT[cells].bit_count()
        most = colours.bit_count()
        if most > 2:
            row = _row("肥车" if most == 3 else "长车", steps, most)
            flags = (STEPPED | GRAND) * (steps > 0) | SURE * (steps > 4 - most)
            left = 2 * (most - steps) if kind == "K" and steps and flag(options, "fat_car_generals") else 0
            found[cells] = Car(row, kind, colours, points[row], left, flags)
    return found


def _row(car: str, steps: int, most: int) -> str:
    return car + ("全踏" if steps == most else _STEPS[steps])


def cell(code: str, state: int) -> int:
    """Return a card's cell in a state, to be shifted to where it belongs in a feature.

    >>> cell("gK", 3), cell("rA", 1)
    (12, 256)
    """
    return state << 8 * KINDS.index(code[1]) + 2 * COLOURS.index(code[0])


def coloured(kind: str, colours: int) -> tuple[str, ...]:
    """Return the cards of a kind in some colours.

    >>> coloured("K", 0b010001)
    ('rK', 'yK')
    """
    return tuple([COLOURS[at // 2] + kind for at in PLACES[colours]])
