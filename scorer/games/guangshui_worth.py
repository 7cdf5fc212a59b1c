"""What a whole 广水四色 division is worth (RULES 6): its 车子, 清, 天地 and 步 bonus, whether it wins, its 牌."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cache

from scorer.games.guangshui_house import (
    CALLS_MASK,
    CELL_MASK,
    CELLS,
    FAT,
    FIRST_BITS,
    FIVE,
    FOUR,
    GRAND,
    HEAVEN,
    KINDS,
    LARGE_CARS,
    LOOSE,
    OUT,
    PAIRED,
    PLACES,
    POINTS_MASK,
    PONG_CELLS,
    PONG_ROWS,
    PONGS,
    SETS,
    SIX,
    STEPPED,
    SURE,
    THREE,
    Car,
    House,
    Paying,
    cell,
    coloured,
    pong_flags,
)

Rank = tuple[int, int, int]  # wins, what a loser pays, 胡
Judged = tuple[Rank, tuple[Car, ...], int]  # with the 车子 and all flags

NEED = (48, 23, 0, 0, 0, 0, 0, 0)  # 胡 to win, by number of 楼 (D2)
_SMALL = (250, 123, 61, 31)  # 小甲
_GREAT = (500, 250, 123, 61)  # 大甲
# What wins without counting, beside two 楼 (D3). 素车上肥楼 and 肥车上素楼 always have the 23 胡 that win with one
# 楼: 10 + 12 or 20 + 6, and at least 1 as 31 cards can't all lie in pairs and fours.
_WINS = (
    FOUR, THREE | FIVE, STEPPED | FIVE, SIX, SURE, HEAVEN | FIVE, THREE | HEAVEN, THREE | STEPPED,
    STEPPED | HEAVEN,
)  # fmt: skip


def judge(house: House, feature: int, may_win: bool = True, crowded: int = 0) -> Judged:
    """Return the rank of a division, its 车子 chosen in the best way, and all flags.

    Parameters
    ----------
    may_win : false for a part of a hand, and for a hand that is out
    crowded : cells with three cards or more, in which a pair is a step where `out_needs_set` is off
    """
    hu, lou, flags = house.calls[feature >> PONGS & CALLS_MASK]
    hu += feature & POINTS_MASK
    cells = sets = (feature >> CELLS & CELL_MASK).to_bytes(7, "little")
    if not house.usual:
        hu += min(feature >> LOOSE & 63, house.loose_generals)
        cells, sets = cells_of(house, feature, crowded)
    king, advisor, elephant, chariot, horse, cannon, soldier = sets
    qing = house.qing
    if (
        qing[advisor] + qing[elephant] + qing[chariot] + qing[horse] + qing[cannon]
        or OUT[king] & OUT[soldier]
        or house.widened
    ):
        bonus, more = _qing_and_heaven(house, sets)
        hu += bonus
        flags |= more
    if house.usual and not (
        PAIRED[king] & PAIRED[advisor] & PAIRED[elephant]
        or PAIRED[chariot] & PAIRED[horse] & PAIRED[cannon]
        or soldier in house.large["P"]
        or king in house.large["K"]
    ):
        return _rank(house, hu, flags, lou, may_win), (), flags
    best: Judged | None = None
    for large in _choices(house, cells):
        cars = _cars(house, cells, sets, large)
        total, more = hu, flags
        for _, _, _, car_hu, generals, car_flags in cars:
            total += car_hu + generals
            more |= car_flags
        if not house.pong_in_bonus:
            total -= sum(pongs_within(house, feature, cars).values())
        rank = _rank(house, total, more, lou, may_win)
        if best is None or rank > best[0]:
            best = rank, cars, more
    assert best is not None
    return best


def cells_of(house: House, feature: int, crowded: int = 0) -> tuple[bytes, bytes]:
    """Return the cells by kind, as 车子 and as 清 and 天地 see them; they differ by the options of D22 and D30."""
    cells = sets = feature >> CELLS & CELL_MASK
    if not house.four_is_out:
        sets = feature >> SETS & CELL_MASK
    if not house.out_needs_set:
        cells |= crowded & 3 * ((cells | cells >> 1) & FIRST_BITS)
    return cells.to_bytes(7, "little"), sets.to_bytes(7, "little")


def _qing_and_heaven(house: House, sets: bytes) -> tuple[int, int]:
    """Return (胡, flags) of 清 and 天地, and of the steps where all sets count as such."""
    found = qing_of(house, sets)
    heaven = OUT[sets[0]] & OUT[sets[-1]]
    hu = sum([house.qing[3 * colours] for _, colours in found]) + house.heaven * heaven.bit_count()
    flags = (
        THREE * (len(found) > 0) | FOUR * (0x55 in [colours for _, colours in found]) | HEAVEN * (heaven > 0)
    )
    if house.all_steps:
        steps = sum([OUT[byte].bit_count() for byte in sets])
        hu += house.pongs[steps]
        flags |= pong_flags(steps)
    return hu, flags


def qing_of(house: House, sets: bytes) -> list[tuple[str, int]]:
    """Return the kinds that are 清, each with the bits of its colours."""
    return [
        (kind, OUT[byte])
        for kind, byte in zip(KINDS, sets, strict=True)
        if house.qing[byte] and (house.all_qing or kind not in "KP")
    ]


def pai_of(paying: Paying, hu: int, flags: int, lou: int) -> tuple[int, int]:
    """Return (牌 of a hand that wins, 1 for 小甲, 2 for 大甲 or 0)."""
    at = lou if lou < 3 else 3
    jia = 2 if hu >= _GREAT[at] else 1 if hu >= _SMALL[at] or (flags & GRAND and lou > 1) else 0
    if jia and paying.jia_replaces:
        return 5 * jia, jia
    pai = (hu << min(lou, paying.lou_at_most)) // 50 or 1
    return max(pai, 5 * jia) if paying.jia_at_least else pai, jia


def _rank(house: House, hu: int, flags: int, lou: int, may_win: bool) -> Rank:
    if not may_win or (hu < NEED[lou] and not _wins(flags)):
        return 0, 0, hu
    return 1, hu if house.paying.by_hu else pai_of(house.paying, hu, flags, lou)[0], hu


@cache
def _wins(flags: int) -> bool:
    return any(flags & pattern == pattern for pattern in _WINS)


def _choices(house: House, cells: bytes) -> tuple[int, ...]:
    """Return the colours of 将 of which a large 车子 may be tried, 0 for none; only what may be best."""
    large = LARGE_CARS[PAIRED[cells[0]]]
    own = PAIRED[cells[0]] & PAIRED[cells[1]] & PAIRED[cells[2]]
    return large if own and not house.shared_cards else large[:1]


def _cars(house: House, cells: bytes, sets: bytes, large: int) -> tuple[Car, ...]:
    """Return all 车子 when a large one takes the 将 of these colours."""
    king, advisor, elephant, chariot, horse, cannon, soldier = cells
    own = PAIRED[king] & PAIRED[advisor] & PAIRED[elephant]
    if not house.shared_cards:
        own &= ~large
    both = PAIRED[chariot] & PAIRED[horse] & PAIRED[cannon]
    found = []
    if large:
        found.append(house.large["K"][king & 3 * large])
    if soldier in house.large["P"]:
        found.append(house.large["P"][soldier])
    for at in PLACES[own]:
        three = king >> at & 3 | (advisor >> at & 3) << 2 | (elephant >> at & 3) << 4
        found.append(house.plain["KAB"][at][three])
    for at in PLACES[both]:
        three = chariot >> at & 3 | (horse >> at & 3) << 2 | (cannon >> at & 3) << 4
        found.append(house.plain["RNC"][at][three])
    if house.usual:
        return tuple(found)
    return tuple([car._replace(generals=_generals(house, car, sets)) for car in found])


def _generals(house: House, car: Car, sets: bytes) -> int:
    """Return the 胡 of the 将 of a 车子 where its cells don't tell whether a set counts them (D14, D29)."""
    counts = house.plain_generals if len(car.kinds) > 1 else house.large_generals
    if "K" not in car.kinds or not counts or not car.flags & STEPPED:
        return 0
    return 2 * (car.colours & ~OUT[sets[0]]).bit_count()


def bonuses(house: House, feature: int, cars: Sequence[Car]) -> Iterator[tuple[str, int, tuple[str, ...]]]:
    """Yield (row, 胡, cards concerned) of 车子, their 将, 清 and 天地 in this order; that of 步 is left out."""
    sets = cells_of(house, feature)[1]
    for car in cars:
        yield car.row, car.hu, tuple([card for kind in car.kinds for card in coloured(kind, car.colours)])
        if car.generals:
            row = "素车将" if len(car.kinds) > 1 else "肥车将"
            yield row, car.generals, coloured("K", car.colours & ~OUT[sets[0]])
    for kind, colours in qing_of(house, sets):
        yield "四清" if colours == 0x55 else "三清", house.qing[3 * colours], coloured(kind, colours)
    for at in PLACES[OUT[sets[0]] & OUT[sets[-1]]]:
        yield "天地", house.heaven, coloured("K", 1 << at) + coloured("P", 1 << at)


def pongs_within(house: House, feature: int, cars: Sequence[Car]) -> dict[str, int]:
    """Return the 步 that are part of a 车子, 清 or 天地, each with its 胡 (only where `pong_in_bonus` is off)."""
    pongs = feature >> PONG_CELLS
    used = [card for _, _, cards in bonuses(house, feature, cars) for card in cards]
    return {card: 2 if card[1] in FAT else 1 for card in used if pongs & cell(card, 1)}


def steps_of(house: House, feature: int) -> int:
    """Return how many 步 count for the bonus (D20)."""
    if house.all_steps:
        return sum([OUT[byte].bit_count() for byte in cells_of(house, feature)[1]])
    return feature >> PONGS & 15


def step_row(steps: int) -> str:
    """Return the row of the bonus of at least five 步."""
    return PONG_ROWS[min(steps, 10) - 5]
