"""泸州大贰, Sichuan, with number cards without 王 (RULES-MORE 11): seven units, ten 胡 or none at all.

What a loser pays does not grow with the 胡: 10 are 3 points, 12 are 2, none are 4. So the best division goes by
payment. The feature of a division is its 胡, and above them how many units beside the pair pay nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from math import prod

from scorer.book import Book, Unit
from scorer.case import Case, Division, Problem, reason
from scorer.facts import Values, flag, number
from scorer.games import seven_units
from scorer.games.seven_units import RED, Joins, Winning, every_hu, held_of
from scorer.rules import RuleSet
from scorer.settle import each_pays, nobody_pays
from scorer.tally import Count, Line, Note, Payment, Reason, Step

RED_WIN = 10  # red cards
_ALIKE = {"碰": 3, "坎": 3, "招": 4, "拢": 4}
_JOINS: Joins = {"joined": {"坎": "招"}}
_WINNING = Winning("碰", "joined")
_NEVER = (
    ("self_drawn", "discard"), ("self_drawn", "di_hu"), ("tian_hu", "di_hu"), ("tian_hu", "discard"),
    ("tian_hu", "first_draw"), ("tian_hu", "last_draw"), ("first_draw", "discard"), ("last_draw", "discard"),
    ("first_draw", "last_draw"), ("di_hu", "last_draw"),
)  # fmt: skip
_EVERY_HU = every_hu({2: (0,), 3: (0, 1, 3, 6, 9, 12), 4: (9, 12, 15, 18)})
_FREE = 1 << 12  # a unit beside the pair that pays nothing
_HU = _FREE - 1

Named = tuple[str, int, tuple[str, ...]]  # a 番: its row, how many, its cards


def make_book(rules: RuleSet, options: Values) -> Book:
    """Return the units."""

    def worth(row: str, cards: tuple[str, ...]) -> int:
        points = rules.rows[row].points
        return points[2 * (cards[0][0] == "b") + (cards[0] in RED)] if row in _ALIKE else sum(points)

    def feature(row: str, hu: int) -> int:
        return hu if hu or row == "对" else _FREE

    return seven_units.make_book(rules, _ALIKE, _JOINS, worth, feature)


def check(case: Case) -> None:
    """Raise WrongCardCount (Z5), then ContradictingFacts."""
    seven_units.check(case, _NEVER)


def problems(case: Case) -> Sequence[Problem]:
    """The winning card makes 碰 or 招, or it stands in any other unit (R9, R10)."""
    return seven_units.problems(case, "拢", _WINNING)


def closing(case: Case, unit: Unit) -> Sequence[Unit]:
    """Nothing: what the winning card makes is set aside before the rest is divided."""
    return ()


def ranking(case: Case) -> Callable[[int], tuple[int, ...]]:
    """Ranks are (wins, what a loser pays, 胡, total)."""
    options, part, thrown = case.options, case.part, flag(case.facts, "discard")
    by_cards = sum([fan for _, fan, _ in _names_of_cards(case)])

    def rank(feature: int) -> tuple[int, ...]:
        hu = feature & _HU
        if part:
            return 0, hu
        if not _wins(options, hu):
            return 0, 0, hu, 0
        fan = by_cards + sum([more for _, more, _ in _names_of_units(options, feature)])
        total = _total(options, hu, fan, thrown)[-1]
        return 1, total, hu, total

    return rank


def _wins(options: Values, hu: int) -> bool:
    return hu >= number(options, "need") or (not hu and flag(options, "zero"))


def points_of(ka: str, hu: int) -> int:
    """Return the points of so many 胡 (11.3).

    >>> [points_of("table", hu) for hu in (0, 10, 12, 20, 25, 50, 55, 99)]
    [4, 3, 2, 4, 3, 10, 6, 18]
    """
    tens = hu // 10
    if ka != "table":
        return min(max(tens, 1) + 1, 5)
    if not hu:
        return 4
    if hu >= 90:
        return 18
    return tens + 1 if hu % 10 else max(2 * tens, 3)


def _names_of_units(options: Values, feature: int) -> list[Named]:
    """Return the 番 that hang on the units (R12, R13)."""
    hu = feature & _HU
    found: list[Named] = [] if feature >= _FREE else [("坤", 1, ())]
    if options["ka"] == "fan" and hu % 10 == 0:
        found.append(("恰" if hu else "乱", 1, ()))
    return found


def _names_of_cards(case: Case) -> list[Named]:
    """Return the 番 that hang on the cards and on what is known of the win (11.3)."""
    red = held_of(case, RED)
    found: list[Named] = []
    if len(red) >= RED_WIN:
        found.append(("红", 1, red))
    elif not red:
        found.append(("黑", 3, ()))
    fours = [code for code, held in case.held.items() if held == 4] if flag(case.options, "gui") else []
    if fours:
        fours.sort(key=case.rules.cards.index.__getitem__)
        found.append(("归", len(fours), held_of(case, fours)))
    return found + _known(case)


def _known(case: Case) -> list[Named]:
    """Return the 番 of the facts (R14, R15)."""
    facts, winning = case.facts, case.hand.winning
    cards = () if winning is None else (winning,)
    dealt, declared = flag(facts, "tian_hu"), flag(facts, "bao")
    found: list[Named] = []
    if flag(facts, "self_drawn") and not dealt:
        found.append(("自摸", 1, cards))
    if flag(facts, "discard") and case.options["fan"] == "double":
        found.append(("点炮", 1, cards))
    if dealt and declared:
        found.append(("炸天报", 3, ()))
    elif dealt or declared:
        found.append(("天胡" if dealt else "报", 1, ()))
    for row, fact in (("地胡", "di_hu"), ("水上漂", "first_draw"), ("海底捞", "last_draw")):
        if flag(facts, fact):
            found.append((row, 1, cards))
    others = number(facts, "sha_bao")
    return [*found, ("杀报", others, ())] if others else found


def count(case: Case, division: Division) -> Count:
    """Return one line per unit, then those of the 番, and who pays."""
    units = division.fixed + division.units
    feature = sum([unit.feature for unit in units])
    lines, hu, seats = [unit.line for unit in units], feature & _HU, number(case.facts, "seats")
    if case.part:
        return Count(tuple(lines), hu, False, nobody_pays(seats))
    named = [*_names_of_cards(case), *_names_of_units(case.options, feature)]
    notes = seven_units.called_first(case, units)
    fan, red = sum([more for _, more, _ in named]), len(held_of(case, RED))
    detail = {"胡": hu, "分": 0, "番": 0, "红": red, "归": 0}
    if not _wins(case.options, hu):
        why = _why_not(case, hu)
        return Count(tuple(lines), 0, False, nobody_pays(seats), detail=detail, reason=why, notes=notes)
    said = {"hu": hu, "fan": fan, "discard": int(flag(case.facts, "discard"))}
    paid = pay(said, case.facts, case.options)
    detail |= {"分": points_of(str(case.options["ka"]), hu), "番": fan}
    detail["归"] = sum([more for row, more, _ in named if row == "归"])
    factors = _fan_lines(case, named, fan)
    return Count(
        (*lines, *factors),
        paid.total,
        True,
        paid.changes,
        factor=prod([line.times for line in factors]),
        detail=detail,
        notes=notes,
        payment=paid.steps,
    )


def _why_not(case: Case, hu: int) -> Reason:
    if not hu:
        return reason(case, "no_zero", {})
    return reason(case, "under_need", {"胡": number(case.options, "need") - hu})


def _fan_lines(case: Case, named: Sequence[Named], fan: int) -> list[Line]:
    """Return a line for each name, doubling by itself or all by a last one (R12)."""
    rows, adds = case.rules.rows, case.options["fan"] == "add"
    lines = [Line(row, 0, 1 if adds else 1 << more, cards, rows[row].clause) for row, more, cards in named]
    if adds and named:
        lines.append(Line("番数", 0, 1 + fan, (), rows["番数"].clause))
    return lines


def _total(options: Values, hu: int, fan: int, thrown: bool) -> tuple[int, ...]:
    """Return (points, times, their product, capped): the last is the total (R12, R16)."""
    points, adds, cap = points_of(str(options["ka"]), hu), options["fan"] == "add", number(options, "cap")
    times = 1 + fan if adds else 1 << fan
    most = 2 * cap if thrown and not adds else cap
    return points, times, points * times, min(points * times, most) if cap else points * times


def pay(said: Mapping[str, int], facts: Values, options: Values) -> Payment:
    """Both others pay the total, or the one who threw the card alone (R15)."""
    hu, fan, stake = said["hu"], said["fan"], number(options, "stake")
    thrown, adds = said["discard"] > 0, options["fan"] == "add"
    points, times, product, total = _total(options, hu, fan, thrown)
    steps = [Step("ka", {"hu": hu, "points": points})]
    if fan:
        numbers = {"points": points, "fan": fan, "total": product}
        steps.append(Step("add", numbers) if adds else Step("double", {**numbers, "times": times}))
    if total < product:
        steps.append(Step("cap", {"cap": total}))
    each = total * stake * (2 if thrown and adds else 1)
    code = "each" if not thrown else "twice" if adds else "thrower"
    steps.append(Step(code, {"total": total, "stake": stake, "each": each}))
    changes = (each, -each, 0) if thrown else each_pays(each, number(facts, "seats"))
    return Payment(total, changes, tuple(steps))


def doubt(said: Mapping[str, int], facts: Values, options: Values) -> Note | None:
    """Return what is wrong with 胡 that no hand wins with, or 番 without that of the thrown card."""
    hu, fan = said["hu"], said["fan"]
    if hu not in _EVERY_HU or not _wins(options, hu):
        return Note("no_such_hu", hu)
    if said["discard"] and not fan and options["fan"] == "double":
        return Note("no_such_fan", fan)
    return None


def undivided(case: Case) -> Count:
    """Name the cards that fit nowhere."""
    why, notes = seven_units.left_over(case, "拢", _WINNING), seven_units.called_first(case, ())
    return Count((), 0, False, nobody_pays(number(case.facts, "seats")), reason=why, notes=notes)
