"""跑胡子, Hunan, with number cards without 王 (RULES-MORE 10): seven units, fifteen 胡, 囤 times the sum of 番.

The feature of a division is its 胡. Where the options count names that hang on the units, above them lie how many
units pay nothing, and how many are neither alike nor the pair.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from math import prod

from scorer.book import Book, Unit
from scorer.case import Case, Division, Problem, reason
from scorer.facts import Values, check_options, flag, number
from scorer.games import seven_units
from scorer.games.seven_units import BIG, MOST_CARDS, RED, SMALL, Joins, Winning, every_hu, held_of
from scorer.rules import RuleSet, rule_set
from scorer.settle import each_pays, nobody_pays
from scorer.tally import Count, Line, Note, Payment, Step

RED_WIN, RED_MORE = 10, 13  # red cards of 红胡 and 红乌
BIG_WIN, SMALL_WIN = 18, 16  # cards of 大胡 and 小胡
_ALIKE = {"碰": 3, "偎": 3, "坎": 3, "跑": 4, "提": 4}
# A fourth card joins a 碰 unless it is thrown from a hand (P10).
_JOINS: Joins = {
    "drawn": {"碰": "跑", "坎": "提", "偎": "提"},
    "run": {"碰": "跑", "坎": "跑", "偎": "跑"},
    "thrown": {"坎": "跑", "偎": "跑"},
}
_NEVER = (
    ("self_drawn", "discard"), ("self_drawn", "di_hu"), ("tian_hu", "di_hu"), ("tian_hu", "discard"),
    ("tian_hu", "last_card"), ("last_card", "discard"),
)  # fmt: skip
_FREE = 1 << 12  # a unit that pays nothing
_EATEN = 1 << 16  # a unit that is neither alike nor the pair
_PAIR = 1 << 20
_HU, _FREES, _EATENS = _FREE - 1, _EATEN - _FREE, _PAIR - _EATEN
_EVERY_HU = every_hu({2: (0,), 3: (0, 1, 3, 6), 4: (6, 9, 12)})
_COLOURS = ("乌胡", "点胡", "红胡", "红乌")

Named = tuple[str, int, tuple[str, ...]]  # a name: its row, its 番, its cards


@dataclass(frozen=True, slots=True)
class House:
    """The names that a table counts (10.3), by row with their 番; 0 for one that it does not."""

    fan: Mapping[str, int]
    each_over: int  # 番 for each red card over ten
    of_cards: tuple[str, ...]  # names beside the colours that hang on cards or facts
    all_alike: int
    every_pays: int
    every_but_pair: int


def make_book(rules: RuleSet, options: Values) -> Book:
    """Return the units, with what the house counts."""
    house = _house(rules, options)
    pays = house.every_pays or house.every_but_pair

    def worth(row: str, cards: tuple[str, ...]) -> int:
        return rules.rows[row].points[0 if cards[0][0] == "b" else 1]

    def feature(row: str, hu: int) -> int:
        if row == "对":
            return _PAIR if pays else 0
        return (
            hu + (_FREE if pays and not hu else 0) + (_EATEN if house.all_alike and row not in _ALIKE else 0)
        )

    return replace(seven_units.make_book(rules, _ALIKE, _JOINS, worth, feature), house=house)


def _house(rules: RuleSet, options: Values) -> House:
    """Return the names of a table; 番 that an option names are its own (P1, P16 to P18)."""
    table = str(options["mingtang"])
    if table == "none":
        return House({}, 0, (), 0, 0, 0)
    column = rules.columns.index(table)
    fan = {row.id: row.points[column] for row in rules.table if row.points and row.points[column]}
    if table == "hhd":
        fan["乌胡"] = number(options, "wu")
    switches = {"对子胡": "duizi" if table == "hhd" else "", "听胡": "ting" if table == "quan" else "duo_first",
                "耍猴": "shua_hou", "大团圆": "tuan_yuan", "行行息": "hang_xi", "假行行": "jia_hang",
                "四七红": "si_qi_hong"}  # fmt: skip
    if table == "duo":
        switches |= dict.fromkeys(("天胡", "地胡", "海胡"), "duo_first")
    for row, option in switches.items():
        if option and not flag(options, option):
            fan.pop(row, None)
    of_cards = tuple([row for row in fan if row in _OF_CARDS])
    by_units = (fan.get("对子胡", 0), fan.get("行行息", 0), fan.get("假行行", 0))
    return House(fan, int(table != "hhd"), of_cards, *by_units)


def house_of(case: Case) -> House:
    """Return the house of a case."""
    house = case.book.house
    assert isinstance(house, House)
    return house


def check(case: Case) -> None:
    """Raise WrongCardCount (Z5), then ContradictingFacts."""
    seven_units.check(case, _NEVER)


def _own(case: Case) -> bool:
    """Whether the winner drew the winning card; the dealer's last card counts as drawn (P13)."""
    return flag(case.facts, "self_drawn") or (
        flag(case.facts, "tian_hu") and flag(case.options, "tian_drawn")
    )


def _winning(case: Case) -> Winning:
    """Return what the winning card can make (P9 to P11)."""
    must = set() if flag(case.options, "fourth_free") else {"跑"}
    if not _own(case):
        return Winning("碰", "thrown" if flag(case.facts, "discard") else "run", frozenset(must))
    if flag(case.options, "forced"):
        must |= {"偎", "提"}
    return Winning("偎", "drawn", frozenset(must))


def problems(case: Case) -> Sequence[Problem]:
    """The winning card makes a set, or it stands in any other unit."""
    return seven_units.problems(case, "提", _winning(case))


def closing(case: Case, unit: Unit) -> Sequence[Unit]:
    """Nothing: what the winning card makes is set aside before the rest is divided."""
    return ()


def ranking(case: Case) -> Callable[[int], tuple[int, ...]]:
    """Ranks are (wins, what a loser pays, 胡, total)."""
    house, options, part = house_of(case), case.options, case.part
    need, barred, drawn = number(options, "need"), _thrown(case), flag(case.facts, "self_drawn")
    by_cards = sum([fan for _, fan, _ in _names_of_cards(case)])

    def rank(feature: int) -> tuple[int, ...]:
        hu = feature & _HU
        if part:
            return 0, hu
        if hu < need or barred:
            return 0, 0, hu, 0
        fan = by_cards + sum([more for _, more, _ in _names_of_units(house, feature)])
        total = _total(options, hu, fan, drawn)[-1]
        return 1, total, hu, total

    return rank


def _thrown(case: Case) -> bool:
    """Whether the card was thrown from a hand where that does not win (P20)."""
    return flag(case.facts, "discard") and case.options["pao"] == "no"


def _names_of_units(house: House, feature: int) -> list[Named]:
    """Return the names that hang on the units (P17, P18)."""
    found: list[Named] = []
    if house.all_alike and not feature & _EATENS:
        found.append(("对子胡", house.all_alike, ()))
    if house.every_pays and not feature & (_FREES | _PAIR):
        found.append(("行行息", house.every_pays, ()))
    if house.every_but_pair and not feature & _FREES and feature & _PAIR:
        found.append(("假行行", house.every_but_pair, ()))
    return found


def _names_of_cards(case: Case) -> list[Named]:
    """Return the names that hang on the cards and on what is known of the win."""
    house = house_of(case)
    if not house.fan:
        return []
    found = _colour(house, held_of(case, RED))
    if house.of_cards:
        found += [name for row in house.of_cards for name in _OF_CARDS[row](case, row, house.fan[row])]
    return found


def _colour(house: House, red: tuple[str, ...]) -> list[Named]:
    """Return the name of the colour: these exclude each other (P16)."""
    fan, reds = house.fan, len(red)
    if reds < 2:
        row = "点胡" if reds else "乌胡"
        return [(row, fan[row], red)]
    if reds >= RED_MORE and "红乌" in fan:
        return [("红乌", fan["红乌"], red)]
    if reds >= RED_WIN:
        return [("红胡", fan["红胡"] + house.each_over * (reds - RED_WIN), red)]
    return []


def _sized(case: Case, row: str, fan: int) -> list[Named]:
    """大胡 and 小胡: enough cards of one size, and more for each over (10.3)."""
    codes, least = (BIG, BIG_WIN) if row == "大胡" else (SMALL, SMALL_WIN)
    cards = held_of(case, codes)
    return [(row, fan + len(cards) - least, cards)] if len(cards) >= least else []


def _known(case: Case, row: str, fan: int) -> list[Named]:
    """天胡, 地胡, 海胡 and 听胡: said by a fact."""
    return [(row, fan, ())] if flag(case.facts, _FACTS[row]) else []


def _last_in_hand(case: Case, row: str, fan: int) -> list[Named]:
    """耍猴: one loose card beside the winning one."""
    alone = case.hand.winning is not None and len(case.hand.loose) == 1
    return [(row, fan, (*case.hand.loose, str(case.hand.winning)))] if alone else []


def _all_eight(case: Case, row: str, fan: int) -> list[Named]:
    """大团圆: all four of both sizes of a number, for each number."""
    held = case.held
    numbers = [pair for pair in zip(SMALL, BIG, strict=True) if held.get(pair[0]) == held.get(pair[1]) == 4]
    cards = tuple([code for pair in numbers for code in pair for _ in range(4)])
    return [(row, fan * len(numbers), cards)] if numbers else []


def _four_or_seven(case: Case, row: str, fan: int) -> list[Named]:
    """四七红: four or seven red cards."""
    red = held_of(case, RED)
    return [(row, fan, red)] if len(red) in (4, 7) else []


_FACTS = {"天胡": "tian_hu", "地胡": "di_hu", "海胡": "last_card", "听胡": "ting_hu"}
_OF_CARDS: Mapping[str, Callable[[Case, str, int], list[Named]]] = {
    "大胡": _sized,
    "小胡": _sized,
    **dict.fromkeys(_FACTS, _known),
    "耍猴": _last_in_hand,
    "大团圆": _all_eight,
    "四七红": _four_or_seven,
}


def count(case: Case, division: Division) -> Count:
    """Return one line per unit, then 自摸 and the names with the sum of their 番, and who pays."""
    units = division.fixed + division.units
    feature = sum([unit.feature for unit in units])
    lines, hu, seats = [unit.line for unit in units], feature & _HU, number(case.facts, "seats")
    if case.part:
        return Count(tuple(lines), hu, False, nobody_pays(seats))
    options, need = case.options, number(case.options, "need")
    red, notes = held_of(case, RED), seven_units.called_first(case, units)
    if hu < need or _thrown(case):
        why = reason(case, "under_need", {"胡": need - hu}) if hu < need else reason(case, "thrown", {})
        detail = {"胡": hu, "囤": 0, "番": 0, "红": len(red)}
        return Count(tuple(lines), 0, False, nobody_pays(seats), detail=detail, reason=why, notes=notes)
    named = [*_names_of_cards(case), *_names_of_units(house_of(case), feature)]
    fan = sum([more for _, more, _ in named])
    drawn = flag(case.facts, "self_drawn")
    said = {"hu": hu, "fan": fan, "self_drawn": int(drawn), "discard": int(flag(case.facts, "discard"))}
    paid = pay(said, case.facts, options)
    factors = _factor_lines(case, named, fan)
    return Count(
        (*lines, *factors),
        paid.total,
        True,
        paid.changes,
        factor=prod([line.times for line in factors]),
        detail={"胡": hu, "囤": _total(options, hu, fan, drawn)[1], "番": fan, "红": len(red)},
        notes=notes,
        payment=paid.steps,
    )


def _factor_lines(case: Case, named: Sequence[Named], fan: int) -> list[Line]:
    rows, found = case.rules.rows, []
    zimo = case.options["zimo"]
    if flag(case.facts, "self_drawn") and zimo != "none":
        cards = () if case.hand.winning is None else (case.hand.winning,)
        found.append(Line("自摸", 0, 2 if zimo == "double" else 1, cards, rows["自摸"].clause))
    found += [Line(row, 0, 1, cards, rows[row].clause) for row, _, cards in named]
    if named:
        found.append(Line("番数", 0, fan, (), rows["番数"].clause))
    return found


def _tun(options: Values, hu: int) -> int:
    """Return the 囤 of so many 胡 (P12)."""
    return 1 + (hu - number(options, "need")) // number(options, "tun")


def _total(options: Values, hu: int, fan: int, drawn: bool) -> tuple[int, ...]:
    """Return (囤, 囤 with what is added, times the 番, doubled, capped): the last is the total (P12, P14, P15, P21)."""
    tun, zimo, cap = _tun(options, hu), options["zimo"], number(options, "cap")
    more = tun + number(options, "chong") + (drawn and zimo == "tun")
    times = more * max(fan, 1)
    doubled = 2 * times if drawn and zimo == "double" else times
    return tun, more, times, doubled, min(doubled, cap) if cap else doubled


def pay(said: Mapping[str, int], facts: Values, options: Values) -> Payment:
    """Each other seat pays the total; who threw the card may pay for all (P20, P21)."""
    hu, fan, stake, seats = said["hu"], said["fan"], number(options, "stake"), number(facts, "seats")
    tun, more, times, doubled, total = _total(options, hu, fan, said["self_drawn"] > 0)
    need, apart, each = number(options, "need"), number(options, "tun"), total * stake
    steps = [Step("tun", {"hu": hu, "need": need, "apart": apart, "tun": tun})]
    if more > tun:
        steps.append(Step("more", {"tun": tun, "more": more - tun, "sum": more}))
    if fan > 1:
        steps.append(Step("fan", {"tun": more, "fan": fan, "total": times}))
    if doubled > times:
        steps.append(Step("double", {"before": times, "total": doubled}))
    if total < doubled:
        steps.append(Step("cap", {"cap": total}))
    steps.append(Step("each", {"total": total, "stake": stake, "each": each}))
    changes = each_pays(each, seats)
    if said["discard"] and options["pao"] == "thrower" and seats > 2:
        steps.append(Step("thrower", {"each": each, "losers": seats - 1, "all": each * (seats - 1)}))
        changes = (each * (seats - 1), -each * (seats - 1), *(0,) * (seats - 2))
    return Payment(total, changes, tuple(steps))


def doubt(said: Mapping[str, int], facts: Values, options: Values) -> Note | None:
    """Return what is wrong with 胡 or 番 that no hand has."""
    hu, fan, need = said["hu"], said["fan"], number(options, "need")
    if hu < need:
        return Note("under_need", need - hu)
    if hu not in _EVERY_HU:
        return Note("no_such_hu", hu)
    if fan not in _every_fan(tuple(options.items())):
        return Note("no_such_fan", fan)
    return None


@lru_cache(maxsize=32)
def _every_fan(options: tuple[tuple[str, object], ...]) -> frozenset[int]:
    """Return every sum of 番 that a table's names can have; not all of them go together in a hand."""
    house = _house(rule_set("paohuzi"), check_options(rule_set("paohuzi"), dict(options)))
    colours = (
        {fan for reds in range(MOST_CARDS) for _, fan, _ in _colour(house, ("s2",) * reds)}
        if house.fan
        else set()
    )
    found = {0, *colours}
    for row, fan in house.fan.items():
        if row not in _COLOURS:
            over = {"大胡": MOST_CARDS - BIG_WIN, "小胡": MOST_CARDS - SMALL_WIN}.get(row, 0)
            times = 3 if row == "大团圆" else 1
            each = {0, *range(fan, fan + over + 1), *range(fan, fan * times + 1, fan)}
            found = {one + other for one in found for other in each}
    return frozenset(found)


def undivided(case: Case) -> Count:
    """Name the cards that fit nowhere, with what the winning card must make."""
    winning = _winning(case)
    notes = seven_units.called_first(case, ())
    if seven_units.must_make(case, "提", winning):
        notes += (Note("must_make", 1, (str(case.hand.winning),)),)
    why = seven_units.left_over(case, "提", winning)
    return Count((), 0, False, nobody_pays(number(case.facts, "seats")), reason=why, notes=notes)
