"""Tứ sắc, Vietnam, with four-colour cards (RULES-MORE 9): all 21 cards in groups win, and lệnh are paid.

Three and four alike in the hand are a khạp and a quan and are never split; the winning card closes a group of
loose cards, or opens a khạp to a khui. The feature of a division is its lệnh, and above them the number of fours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from scorer.book import Book, Shape, Unit
from scorer.book import make_book as bind
from scorer.case import Case, Division, Problem, lock_alike, plain_problems, undivided_reason
from scorer.errors import WrongCardCount
from scorer.facts import Values, flag, number
from scorer.rules import RuleSet
from scorer.settle import each_pays, nobody_pays
from scorer.tally import Count, Detail, Line, Note, Payment, Step

CARDS = 21  # winning card included; a four takes no other card (T7)
GENERALS = 16
YELLOW = "yK"
_COLOURS = "rgyw"
_ONE_FOUR = 1 << 12
_LENH = _ONE_FOUR - 1
_ALIKE = {"ba": 3, "khạp": 3, "khui": 4, "quan": 4}


def make_book(rules: RuleSet, options: Values) -> Book:
    """Return the groups; the winning card lays open the one that it closes or joins (T9)."""
    fixed = [*_shapes(rules, options)]
    by_cards = {(shape.kind, shape.cards): shape for shape in fixed}
    free = [shape for shape in fixed if shape.kind in ("ăn", "khạp", "quan")]
    on_table = options["winning_meld"] == "table"
    opened = {"khạp": "ba", "quan": "khui"} if on_table else {}
    turned = []
    for shape in free:
        closed = by_cards.get((opened.get(shape.kind, shape.kind), shape.cards))
        # Generals are never taken as three (T4).
        if closed is not None and (shape.kind != "khạp" or shape.cards[0][1] != "K"):
            turned.append(("closed", shape, closed))
    threes = ("khạp", "ba") if flag(options, "khui_of_ba") else ("khạp",)
    four = "khui" if on_table else "quan"
    turned += [
        ("joined", shape, by_cards[four, (shape.cards[0],) * 4]) for shape in fixed if shape.kind in threes
    ]
    return replace(bind(rules, free, fixed, turned), monotone=True)


def _shapes(rules: RuleSet, options: Values) -> Iterator[Shape]:
    for kind, row, cards in _groups():
        lenh = number(options, "khap") if row == "khạp" else rules.rows[row].points[0]
        feature = lenh + (_ONE_FOUR if row in ("khui", "quan") else 0)
        yield Shape(kind, cards, row, lenh, feature, shown=not rules.kind_by_name[kind].hidden)


def _groups() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield (kind, row, cards) of every group."""
    for colour in _COLOURS:
        king, advisor, elephant, chariot, horse, cannon, soldier = (colour + kind for kind in "KABRNCP")
        yield "ăn", "tướng", (king,)
        yield "ăn", "tướng sĩ tượng", (king, advisor, elephant)
        yield "ăn", "xe pháo mã", (chariot, horse, cannon)
        for code in (advisor, elephant, chariot, horse, cannon, soldier):
            yield "ăn", "đôi", (code,) * 2
            yield "ba", "ba", (code,) * 3
        for code in (king, advisor, elephant, chariot, horse, cannon, soldier):
            for kind in ("khạp", "khui", "quan"):
                yield kind, kind, (code,) * _ALIKE[kind]
    soldiers = tuple(colour + "P" for colour in _COLOURS)
    yield "ăn", "bốn chốt", soldiers
    for missing in soldiers:
        yield "ăn", "ba chốt", tuple(code for code in soldiers if code != missing)


def check(case: Case) -> None:
    """Raise WrongCardCount unless there are 21 cards (T7)."""
    if case.size != CARDS:
        text = f"A hand of {case.rules.id} has {CARDS} cards, not {case.size}."
        raise WrongCardCount(text, str(case.size), (CARDS, CARDS))


def problems(case: Case) -> Sequence[Problem]:
    """What the hand holds three or four times stays together, unless the table breaks a khạp (T8)."""
    locked = None if flag(case.options, "break_khap") else lock_alike(case, "khạp", "quan")
    return plain_problems(case, "joined", locked)


def closing(case: Case, unit: Unit) -> Sequence[Unit]:
    """The winning card may complete any group but three generals."""
    closed = case.book.turned_into.get(("closed", unit.place))
    return () if closed is None else (closed,)


def ranking(case: Case) -> Callable[[int], tuple[int, ...]]:
    """Ranks are (wins, what a loser pays beside yellow generals, lệnh with tới)."""
    options, part, toi = case.options, case.part, number(case.options, "toi")

    def rank(feature: int) -> tuple[int, ...]:
        lenh = feature & _LENH
        if part:
            return 0, lenh
        return 1, _worth(options, lenh + toi, feature >= _ONE_FOUR), lenh + toi

    return rank


def _worth(options: Values, lenh: int, fours: bool) -> int:
    """Return what a loser pays, in stakes (T11, T12)."""
    return (1 if options["pay"] == "flat" else lenh) * (1 + (fours and flag(options, "quan_doubles")))


def count(case: Case, division: Division) -> Count:
    """Return one line per group, tới, and that it is a tới quan where this doubles; the others pay."""
    units = (*division.fixed, *division.units)
    lines = [unit.line for unit in units]
    lenh = sum([line.points for line in lines])
    if case.part:
        return Count(tuple(lines), lenh, False, nobody_pays(number(case.facts, "seats")))
    rows, toi = case.rules.rows, number(case.options, "toi")
    lines.append(Line("tới", toi, 1, (), rows["tới"].clause))
    fours = tuple([unit.shape.cards[0] for unit in units if unit.feature >= _ONE_FOUR])
    if fours and flag(case.options, "quan_doubles"):
        cards = tuple([code for code in fours for _ in range(4)])
        lines.append(Line("tới quan", 0, 2, cards, rows["tới quan"].clause))
    yellow = case.held.get(YELLOW, 0)
    said = {"lenh": lenh + toi, "quan": int(fours != ()), "yellow": yellow}
    paid = pay(said, case.facts, case.options)
    return Count(
        tuple(lines),
        paid.total,
        True,
        paid.changes,
        factor=1 + (lines[-1].name == "tới quan"),
        detail=_detail(case, lenh),
        notes=_notes(case, units),
        payment=paid.steps,
    )


def _detail(case: Case, lenh: int) -> Detail:
    detail = {"nhóm": lenh}
    if number(case.options, "yellow"):
        detail["tướng vàng"] = case.held.get(YELLOW, 0)
    return detail


def _notes(case: Case, units: Sequence[Unit]) -> tuple[Note, ...]:
    """Return what the rules ask beyond the cards."""
    winning = case.hand.winning
    if winning is None:
        return (Note("no_winning_card"),) if case.options["winning_meld"] == "table" else ()
    khap = any([unit.shape.row == "khạp" and unit.shape.cards[0] == winning for unit in units])
    return (Note("khui_first", 1, (winning,)),) if khap else ()


def pay(said: Mapping[str, int], facts: Values, options: Values) -> Payment:
    """Every other seat pays (T12); who calls with cards left over, who says 0 lệnh, pays each of them (T14)."""
    stake, seats, lenh = number(options, "stake"), number(facts, "seats"), said["lenh"]
    if not lenh:
        den = number(options, "den")
        step = Step("den", {"den": den, "stake": stake, "each": den * stake})
        return Payment(0, each_pays(-den * stake, seats), (step,), fault=True)
    doubles = said["quan"] and flag(options, "quan_doubles")
    code = ("flat" if options["pay"] == "flat" else "lenh") + ("_quan" if doubles else "")
    each = _worth(options, lenh, said["quan"] > 0) * stake
    steps = [Step(code, {"lenh": lenh, "stake": stake, "each": each})]
    more = number(options, "yellow") * said["yellow"]
    if more:
        numbers = {
            "before": each,
            "generals": said["yellow"],
            "yellow": more // said["yellow"],
            "each": each + more,
        }
        steps.append(Step("yellow", numbers))
    return Payment(lenh, each_pays(each + more, seats), tuple(steps))


def doubt(said: Mapping[str, int], facts: Values, options: Values) -> Note | None:
    """Return what is wrong with lệnh that no 21 cards have, most often that they are odd where all are even (T13)."""
    lenh = said["lenh"]
    if not lenh and number(options, "den"):
        return None
    every = _every_count(number(options, "khap"))
    groups = lenh - number(options, "toi")
    if (groups, said["quan"] > 0) in every or (
        not flag(options, "quan_doubles") and {(groups, False), (groups, True)} & every
    ):
        return None
    if not any([(one - groups) % 2 == 0 for one, _ in every]):
        return Note("wrong_parity", lenh)
    return Note("no_such_lenh_quan" if said["quan"] else "no_such_lenh", lenh)


@cache
def _every_count(khap: int) -> frozenset[tuple[int, bool]]:
    """Return (lệnh of the groups, whether a four is among them) of every way to lay 21 cards in groups."""
    groups = ((2, 0, False), (3, 1, False), (3, khap, False), (4, 4, False), (4, 6, True), (4, 8, True))
    reached = {cards: {(cards, False)} for cards in range(GENERALS + 1)}  # so many single generals
    for cards in range(CARDS + 1):
        for size, lenh, four in groups:
            for before, fours in reached.get(cards - size, ()):
                reached.setdefault(cards, set()).add((before + lenh, fours or four))
    return frozenset(reached[CARDS])


def undivided(case: Case) -> Count:
    """A hand with cards left over does not win; who calls with it pays where the table says so (T14)."""
    why = undivided_reason(case, problems(case))
    if case.part or not number(case.options, "den"):
        return Count((), 0, False, nobody_pays(number(case.facts, "seats")), reason=why)
    paid = pay({"lenh": 0, "quan": 0, "yellow": 0}, case.facts, case.options)
    return Count((), 0, False, paid.changes, fault=True, reason=why, payment=paid.steps)
