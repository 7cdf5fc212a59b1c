"""川牌 挤儿 (RULES 5): a hand of eight units wins, whatever they are; nothing is counted.

Two cards that add up to 10 or 20 are a 挤儿. The two wild cards (经牌: 财神, 听用) pair with any other card, and
as former threes they make 碰, 暗 and 扛 with the two 丁丁. The feature of a division is its number of units,
and above it the number of 燕.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from scorer.book import MOST, Book, Shape, Unit
from scorer.book import make_book as bind
from scorer.cards import deck
from scorer.case import Case, Division, Problem, melds_of, plain_problems, reason, undivided_reason
from scorer.divide import divisions
from scorer.errors import WrongCardCount
from scorer.facts import Values, flag, number
from scorer.hand import Meld
from scorer.rules import RuleSet
from scorer.settle import each_pays, nobody_pays
from scorer.tally import Count, Line, Note, Payment, Step

WILDS = ("C", "T")
DING = "1-2"  # 丁丁, the only three-point card
SEVENS = ("1-6", "3-4", "2-5")
_ONE_UNIT = 1
_ONE_SWALLOW = 1 << 8

_POINTS = {face.code: face.rank for face in deck("chuanpai").faces if face.code not in WILDS}
# Who can be a pair with whom, in deck order.
_PARTNERS = {
    one: tuple(other for other, more in _POINTS.items() if points + more in (10, 20))
    for one, points in _POINTS.items()
}
# Points that belong together, good cards first: more of their partners are about (source 002, rule 4).
_GROUP_OF = {
    code: tuple(tuple(other for other, more in _POINTS.items() if more in side) for side in group)
    for group in (((4,), (6,)), ((11,), (9,)), ((2, 12), (8,)))
    for code, points in _POINTS.items()
    if points in (*group[0], *group[1])
}
_FORCED_PLAY = Note("forced_play")


def make_book(rules: RuleSet, options: Values) -> Book:
    """Return the units; the winning card opens the one that it closes, and may make a 扛 of a fixed three."""
    worth = number(options, "unit_points")
    shapes = [
        Shape(kind, cards, row, worth, _feature(row), kind != "暗") for kind, row, cards in _units(options)
    ]
    loose = [shape for shape in shapes if shape.kind != "碰" and shape.row != "扛"]
    if not flag(options, "loose_kong"):
        loose = [shape for shape in loose if shape.row != "手扛"]
    free = [replace(shape, shown=False) for shape in loose]
    fixed = [shape for shape in shapes if shape.row != "手扛"]
    opened = {(shape.kind, shape.cards): shape for shape in fixed}
    turned = [
        ("opened", shape, opened["碰" if shape.kind == "暗" else shape.kind, shape.cards]) for shape in free
    ]
    fours = {shape.cards[:3]: shape for shape in fixed if shape.kind == "扛"}
    turned += [("kong", shape, fours[shape.cards]) for shape in fixed
               if shape.kind in "碰暗" and shape.cards in fours]  # fmt: skip
    return bind(rules, free, fixed, turned)


def _feature(row: str) -> int:
    return _ONE_UNIT + (_ONE_SWALLOW if row == "燕" else 0)


def _units(options: Values) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield (kind, row, cards) of every unit, a wild as C."""
    for one, points in _POINTS.items():
        for other in _PARTNERS[one]:
            if points < _POINTS[other]:
                yield "摆", "挤儿", (one, other)
            elif points == _POINTS[other] and one <= other and flag(options, "fives_tens"):
                yield "摆", "对点挤儿", (one, other)
        yield "摆", "经挤儿", (one, "C")
        if one == DING:
            continue
        if one not in SEVENS or flag(options, "triple_sevens"):
            yield "碰", "碰", (one,) * 3
            yield "暗", "暗", (one,) * 3
        yield "扛", "扛", (one,) * 4
        yield "扛", "手扛", (one,) * 4
    yield "燕", "燕", SEVENS
    yield "碰", "经碰", (DING, DING, "C")
    yield "暗", "经暗", (DING, DING, "C")
    if flag(options, "two_wild_kong"):
        yield "扛", "经扛", (DING, DING, "C", "C")


def check(case: Case) -> None:
    """Raise WrongCardCount unless the cards beside the m missing units are 2m to 4m (Z5)."""
    missing = number(case.options, "units") - len(case.fixed)
    loose = len(case.hand.loose) + (case.hand.winning is not None)
    if not 2 * missing <= loose <= 4 * missing:
        text = (
            f"{missing} units beside the fixed ones take {2 * missing} to {4 * missing} cards, not {loose}."
        )
        if missing < 0:
            raise WrongCardCount(f"{len(case.fixed)} fixed melds are too many.", str(loose))
        fixed = case.size - loose
        raise WrongCardCount(text, str(loose), (fixed + 2 * missing, fixed + 4 * missing))


def problems(case: Case) -> Sequence[Problem]:
    """The winning card closes a unit, or is the fourth of a fixed 碰 or 暗."""
    return plain_problems(case, "kong")


def closing(case: Case, unit: Unit) -> Sequence[Unit]:
    """The winning card may complete any unit, which then lies open."""
    return (case.book.turned_into["opened", unit.place],)


def ranking(case: Case) -> Callable[[int], tuple[int, ...]]:
    """Ranks are (wins, total); a division into another number of units is none."""
    swallows = 1 if flag(case.options, "one_swallow") else MOST
    points, wanted, part = number(case.options, "unit_points"), number(case.options, "units"), case.part

    def rank(feature: int) -> tuple[int, ...]:
        units = feature & _ONE_SWALLOW - 1
        if feature >> 8 > swallows:
            return ()
        if part:
            return 0, units * points
        return (1, units * points) if units == wanted else ()

    return rank


def count(case: Case, division: Division) -> Count:
    """Return one line per unit; every other player pays the points, by default none (C5)."""
    units = (*division.fixed, *division.units)
    lines: tuple[Line, ...] = tuple([unit.line for unit in units])
    melds = None
    if case.held.get("C") or case.held.get("T"):
        melds = _name_wilds(case, division)
        # A row with 经 has a wild in it, and its line names it as its meld does.
        lines = tuple([
            line if line.name[0] != "经" else Line(line.name, line.points, 1, meld.cards, line.clause)
            for line, meld in zip(lines, melds, strict=True)
        ])  # fmt: skip
    if case.part:
        total = len(units) * number(case.options, "unit_points")
        return Count(lines, total, False, nobody_pays(number(case.facts, "seats")), melds=melds)
    paid = pay({}, case.facts, case.options)
    return Count(
        lines,
        paid.total,
        True,
        paid.changes,
        detail={"副": len(units)},
        notes=(*_advice(case), _FORCED_PLAY),
        melds=melds,
        payment=paid.steps,
    )


def pay(said: Mapping[str, int], facts: Values, options: Values) -> Payment:
    """Every other player pays the points of all units; nothing needs to be said, as each win has as many (C5, C6)."""
    units, points = number(options, "units"), number(options, "unit_points")
    total = units * points
    step = Step("won" if points else "unset", {"units": units, "points": points, "each": total})
    return Payment(total, each_pays(total, number(facts, "seats")), (step,))


def undivided(case: Case) -> Count:
    """Name the cards that fit nowhere, or else the number of units that can't be reached."""
    why = undivided_reason(case, problems(case))
    if not why.cards:
        need = number(case.options, "units") - len(case.fixed)
        counts = [
            feature & _ONE_SWALLOW - 1
            for problem in problems(case)
            for feature, _, _ in divisions(case.book, problem.loose)
        ]
        # Off by nothing is one 燕 too many where only one counts.
        off = min([abs(need - units) for units in counts]) or 1
        why = reason(case, "unit_count", {"副": off})
    return Count((), 0, False, nobody_pays(number(case.facts, "seats")), reason=why, notes=_advice(case))


def _name_wilds(case: Case, division: Division) -> tuple[Meld, ...]:
    """Return the melds with each wild as itself and what it stands for, `C=4-6`.

    With 丁丁 it is the three that it once was (C10); in a pair it is the first partner in deck order of which
    the deck has a copy left beside the hand, or nothing in particular.
    """
    spoken = dict(case.held)
    melds = list(melds_of(case, division))
    waiting = [card for card in case.hand.loose if card in WILDS]
    for at, unit in enumerate((*division.fixed, *division.units)):
        if unit.shape.row[0] != "经":
            continue
        cards = _fixed_cards(case, division, at) if at < len(case.fixed) else unit.shape.cards
        if unit is division.closed and case.hand.winning in WILDS:
            waiting.insert(0, case.hand.winning or "")
        named = []
        for card in cards:
            if card in WILDS:
                own = waiting.pop(0) if at >= len(case.fixed) else card
                stands = _stands_for(unit, case.book.copies, spoken)
                named.append(f"{own}={stands}" if stands else own)
            else:
                named.append(card)
        melds[at] = Meld(unit.shape.kind, tuple(named), unit.shape.shown)
    return tuple(melds)


def _fixed_cards(case: Case, division: Division, at: int) -> tuple[str, ...]:
    """Return the cards of a fixed meld as given, the fourth with them that the winning card added."""
    given = case.hand.melds[at].cards
    if division.fixed[at] is case.fixed[at] or case.hand.winning is None:
        return given
    return (*given, case.hand.winning)


def _stands_for(unit: Unit, copies: Mapping[str, int], spoken: dict[str, int]) -> str:
    """Return the card that a wild of this unit counts as, "" for none; count it among the `spoken` for."""
    if unit.shape.row != "经挤儿":
        return DING
    for code in _PARTNERS[unit.shape.cards[0]]:
        if spoken.get(code, 0) < copies[code]:
            spoken[code] = spoken.get(code, 0) + 1
            return code
    return ""


def _advice(case: Case) -> tuple[Note, ...]:
    """Say which loose threes and fours must be set down and which may be kept (齐头), as far as cards decide it.

    A group of good and bad cards is even when neither outnumbers the other, or the good ones by one; then
    setting down is free. Both wilds beside both 丁丁 are four and must be set down (source 002, rules 4 and 5).
    """
    loose = case.hand.loose
    threes = [
        card for card, held in case.held.items() if held > 2 and card in _GROUP_OF and loose.count(card) > 2
    ]
    notes = []
    for card in sorted(threes):
        good, bad = _GROUP_OF[card]
        more_good = sum(map(loose.count, good)) - sum(map(loose.count, bad))
        code = "may_set_down" if more_good in (0, 1) else "must_set_down"
        notes.append(Note(code, loose.count(card), (card,)))
    wilds = tuple([card for card in WILDS if card in loose]) if loose.count(DING) == 2 else ()
    if wilds:
        code = "must_set_down_threes" if len(wilds) == 2 else "may_set_down_threes"
        notes.append(Note(code, 2 + len(wilds), (DING, *wilds)))
    return tuple(notes)
