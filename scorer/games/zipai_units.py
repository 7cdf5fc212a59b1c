"""The units of 字牌 (RULES 4, B-13): as fixed melds, as loose cards with 王 in them, and what one becomes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from itertools import product

from scorer.book import Shape, stands_for
from scorer.facts import Values, flag
from scorer.rules import RuleSet

_SMALL = tuple(f"s{rank}" for rank in range(1, 11))
_BIG = tuple(f"b{rank}" for rank in range(1, 11))
_ALIKE = {"碰": 3, "偎": 3, "坎": 3, "跑": 4, "清": 4}

# A word for what happens to a unit, the unit, and what it becomes.
_Turned = tuple[str, Shape, Shape]


def units(rules: RuleSet, options: Values) -> tuple[list[Shape], list[Shape], list[_Turned], list[str]]:
    """Return (what loose cards form, fixed melds, what units become, codes in the order of the search).

    Words: `opened` by the last card of a loose unit where another drew it; `run` and `drawn` with a fourth card
    that another drew or oneself; `wang` with a 王 as fourth.
    """
    fixed = [*_shapes(rules, options)]
    by_cards = {(shape.kind, shape.cards): shape for shape in fixed}
    loose = [replace(shape, shown=False) for shape in fixed if shape.kind in "吃坎清"]
    free = [each for shape in loose for each in _with_wang(shape)]
    turned: list[_Turned] = []
    for shape in free:
        opened = {"坎": "碰", "清": "跑"}.get(shape.kind)
        if opened:
            plain = by_cards[opened, tuple(map(stands_for, shape.cards))]
            turned.append(("opened", shape, replace(plain, cards=shape.cards)))
    for code in (*_SMALL, *_BIG):
        turned += _fourths(by_cards, code)
    return free, fixed, turned, [code for pair in zip(_SMALL, _BIG, strict=True) for code in pair] + ["W"]


def _fourths(by_cards: dict[tuple[str, tuple[str, ...]], Shape], code: str) -> Iterator[_Turned]:
    """Yield what three alike become by a fourth (B23, B32)."""
    run, qing = by_cards["跑", (code,) * 4], by_cards["清", (code,) * 4]
    for kind in "碰偎坎":
        three = by_cards[kind, (code,) * 3]
        own = run if kind == "碰" else qing
        yield "run", three, run
        yield "drawn", three, own
        yield "wang", three, replace(own, cards=(code,) * 3 + (f"W={code}",))


def _shapes(rules: RuleSet, options: Values) -> Iterator[Shape]:
    """Yield all units without 王, as fixed melds."""
    for column, codes in enumerate((_BIG, _SMALL)):
        for kind, row, cards in _units(codes):
            points = rules.rows[row].points[column]
            if row == "坎" and not flag(options, "kan_hu"):
                points = 0
            yield Shape(kind, cards, row, points, points, not rules.kind_by_name[kind].hidden)
    for small, big in zip(_SMALL, _BIG, strict=True):
        yield Shape("吃", (small, small, big), "三搭", 0, 0, shown=True)
        yield Shape("吃", (small, big, big), "三搭", 0, 0, shown=True)


def _units(codes: tuple[str, ...]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield (kind, row, cards) of every unit of one size."""
    small = codes == _SMALL
    yield "吃", "一二三" if small else "壹贰叁", codes[:3]
    yield "吃", "二七十" if small else "贰柒拾", (codes[1], codes[6], codes[9])
    for start in range(1, 8):
        yield "吃", "顺", codes[start : start + 3]
    for code in codes:
        yield "吃", "对", (code,) * 2
        for kind, cards in _ALIKE.items():
            yield kind, kind, (code,) * cards


def _with_wang(shape: Shape) -> Iterator[Shape]:
    """Yield a unit with every choice of cards for which 王 stand."""
    seen = set()
    for stands in product((False, True), repeat=len(shape.cards)):
        cards = sorted(
            zip(shape.cards, stands, strict=True), key=lambda each: (shape.cards.index(each[0]), each[1])
        )
        named = tuple([f"W={code}" if stand else code for code, stand in cards])
        if named not in seen:
            seen.add(named)
            yield replace(shape, cards=named)
