"""十胡 with four-colour cards (RULES 7): at least ten 胡 in melds, else the call is false (相公).

The only feature of a division is its 胡, so the best division is the one with the most.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace

from scorer.book import Book, Shape, Unit
from scorer.book import make_book as bind
from scorer.case import Case, Division, Problem, plain_problems, reason, undivided_reason
from scorer.errors import ContradictingFacts, WrongCardCount
from scorer.facts import Values, card, flag, number
from scorer.rules import RuleSet
from scorer.settle import each_pays, nobody_pays
from scorer.tally import Count, Line, Note, Payment, Step

CARDS = 21  # winning card included (E7)
NEED = 10  # 胡
_COLOURS = "rgyw"


def make_book(rules: RuleSet, options: Values) -> Book:
    """Return the units in hand and on the table; the winning card turns one into a table unit (E2)."""
    hand = [*_shapes(rules, 0)]
    table = [*_shapes(rules, 1)]
    closed = table if options["winning_meld"] == "table" else hand
    return bind(rules, hand, table, [("closed", *pair) for pair in zip(hand, closed, strict=True)])


def _shapes(rules: RuleSet, column: int) -> Iterator[Shape]:
    """Yield all units with the values of a column of the table: 0 in hand, 1 on the table."""
    for kind, row, cards in _units():
        points = rules.rows[row].points[column]
        yield Shape(kind, cards, row, points, points, shown=column == 1)


def _units() -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield (kind, row, cards) of every unit."""
    for colour in _COLOURS:
        king, advisor, elephant, chariot, horse, cannon, soldier = (colour + kind for kind in "KABRNCP")
        yield "吃", "將", (king,)
        yield "吃", "將士象", (king, advisor, elephant)
        yield "吃", "車馬包", (chariot, horse, cannon)
        yield "槓", "將槓", (king,) * 4
        for code in (advisor, elephant, chariot, horse, cannon):
            yield "吃", "對", (code,) * 2
        for code in (advisor, elephant, chariot, horse, cannon, soldier):
            yield "碰", "碰", (code,) * 3
            yield "槓", "槓", (code,) * 4
    soldiers = tuple(colour + "P" for colour in _COLOURS)
    yield "吃", "四色", soldiers
    for missing in soldiers:
        yield "吃", "三色", tuple(code for code in soldiers if code != missing)


def check(case: Case) -> None:
    """Raise WrongCardCount unless there are 21 cards, ContradictingFacts when no copy is left to be turned."""
    if case.size != CARDS:
        text = f"A hand of {case.rules.id} has {CARDS} cards, not {case.size}."
        raise WrongCardCount(text, str(case.size), (CARDS, CARDS))
    turned = card(case.facts, "turned")
    if turned and case.held.get(turned, 0) == case.rules.copies(case.options)[turned]:
        raise ContradictingFacts(f"All four {turned} are in the hand, so none can be turned.", turned)


def problems(case: Case) -> Sequence[Problem]:
    """Nothing on the table can be added to (E6)."""
    return plain_problems(case)


def closing(case: Case, unit: Unit) -> Sequence[Unit]:
    """The winning card may complete any unit."""
    return (case.book.turned_into["closed", unit.place],)


def ranking(case: Case) -> Callable[[int], tuple[int, ...]]:
    """Ranks are (wins, 胡 shown): what a loser pays grows with the 胡."""
    flower, options, part = _flower(case), case.options, case.part

    def rank(feature: int) -> tuple[int, ...]:
        wins = _wins(options, feature, flower)
        return int(wins), feature + (_shown(options, flower, wins) if not part else 0)

    return rank if flower else _plain_rank


def _plain_rank(feature: int) -> tuple[int, ...]:
    return int(feature >= NEED), feature


def _flower(case: Case) -> int:
    """Return the 花胡: one for each card equal to the turned one, at most three as one is turned (E4)."""
    turned = card(case.facts, "turned")
    if turned is None:
        return 0
    own = turned == case.hand.winning and not flag(case.options, "flower_winning_card")
    return case.held.get(turned, 0) - own


def _wins(options: Values, melds: int, flower: int) -> bool:
    """Return whether so many 胡 of melds win, with the 花 where it helps (E3)."""
    return melds + (flower if flag(options, "flower_reaches_ten") else 0) >= NEED


def _shown(options: Values, flower: int, wins: bool) -> int:
    """Return the 花 that is counted: none of a false call, unless the table says so (E15)."""
    return flower if wins or flag(options, "fault_flower") else 0


def count(case: Case, division: Division) -> Count:
    """Return one line per unit, then the 花, and what each other player pays."""
    units = (*division.fixed, *division.units)
    melds = sum([unit.feature for unit in units])
    lines = tuple([unit.line for unit in units])
    if case.part:
        return Count(lines, melds, False, nobody_pays(number(case.facts, "seats")))
    paid = pay({"hu": melds, "flower": _flower(case)}, case.facts, case.options)
    flower = paid.total - melds
    if flower:
        row = case.rules.rows["花"]
        lines += (Line(row.id, flower, 1, (str(case.facts["turned"]),) * flower, row.clause),)
    counted = Count(
        lines,
        paid.total,
        not paid.fault,
        paid.changes,
        fault=paid.fault,
        detail={"胡": melds, "花": flower},
        notes=_notes(case),
        payment=paid.steps,
    )
    if not paid.fault:
        return counted
    helping = _flower(case) if flag(case.options, "flower_reaches_ten") else 0
    return replace(counted, reason=reason(case, "under_ten", {"胡": NEED - melds - helping}))


def pay(said: Mapping[str, int], facts: Values, options: Values) -> Payment:
    """Every other player pays 胡 - 10 + stake; who called falsely pays each of them 10 + stake (E3, E5, E13)."""
    wins = _wins(options, said["hu"], said["flower"])
    total = said["hu"] + _shown(options, said["flower"], wins)
    stake = number(options, "stake")
    each = total - NEED + stake if wins else NEED + stake
    step = Step("won" if wins else "fault", {"total": total, "need": NEED, "stake": stake, "each": each})
    return Payment(total, each_pays(each if wins else -each, number(facts, "seats")), (step,), fault=not wins)


def undivided(case: Case) -> Count:
    """A hand with cards left over does not win, and nobody pays (E16)."""
    why = undivided_reason(case)
    if case.part or not flag(case.options, "undivided_fault"):
        return Count((), 0, False, nobody_pays(number(case.facts, "seats")), reason=why)
    paid = pay({"hu": 0, "flower": 0}, case.facts, case.options)
    return Count((), 0, False, paid.changes, fault=True, reason=why, payment=paid.steps)


def _notes(case: Case) -> tuple[Note, ...]:
    if case.hand.winning is not None or case.options["winning_meld"] == "hand":
        return ()
    return (Note("no_winning_card"),)
