"""What games with number cards and no 王 share (RULES-MORE 10 and 11): seven units, a pair exactly beside a four.

What is locked (坎 and fours in the hand) is set aside first. The winning card then makes a set with cards that are
alike, or it lies in any unit of the others; so these are never three or four alike, and where it lies among them
changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from scorer.book import Book, Shape, Unit
from scorer.book import make_book as bind
from scorer.case import Case, Problem, lock_alike, reason, undivided_reason
from scorer.errors import ContradictingFacts, WrongCardCount
from scorer.facts import flag
from scorer.rules import RuleSet
from scorer.tally import Note, Reason

UNITS = 7
SIZE = 20  # cards beside one for each four, or beside one where there is no four (Z5)
MOST_FOURS = 6
MOST_CARDS = SIZE + MOST_FOURS
SMALL = tuple(f"s{rank}" for rank in range(1, 11))
BIG = tuple(f"b{rank}" for rank in range(1, 11))
RED = tuple(f"{size}{rank}" for size in "sb" for rank in (2, 7, 10))
PAIR = "pair"  # the token that a pair takes: as many as there must be

# Word for how the winning card came -> kind of a three -> kind of the four that it becomes.
Joins = Mapping[str, Mapping[str, str]]


@dataclass(frozen=True, slots=True)
class Winning:
    """What the winning card can do.

    Attributes
    ----------
    third : kind of the set that it makes with two loose cards
    joins : the word under which `book.turned_into` has the four that a three becomes by it
    must : kinds that it must make where it can, instead of standing in another unit
    """

    third: str
    joins: str
    must: frozenset[str] = frozenset()


def make_book(
    rules: RuleSet,
    alike: Mapping[str, int],
    joins: Joins,
    worth: Callable[[str, tuple[str, ...]], int],
    feature: Callable[[str, int], int],
) -> Book:
    """Return the units.

    Parameters
    ----------
    alike : kind of a set -> its number of cards
    worth : (row, cards) -> points
    feature : (row, points) -> feature
    """
    every = []
    for kind, row, cards in _units(alike):
        points = worth(row, cards)
        takes = (PAIR,) if row == "对" else ()
        shown = not rules.kind_by_name[kind].hidden
        every.append(Shape(kind, cards, row, points, feature(row, points), shown, takes))
    free = [shape for shape in every if shape.kind == "吃"]
    sizes = rules.kind_by_name["吃"].sizes
    fixed = [shape for shape in every if shape.kind != "吃" or len(shape.cards) in sizes]
    by_cards = {(shape.kind, shape.cards): shape for shape in fixed}
    turned = [
        (word, shape, by_cards[becomes[shape.kind], (shape.cards[0],) * 4])
        for word, becomes in joins.items()
        for shape in fixed
        if shape.kind in becomes
    ]
    return bind(rules, free, fixed, turned, [code for pair in zip(SMALL, BIG, strict=True) for code in pair])


def _units(alike: Mapping[str, int]) -> Iterator[tuple[str, str, tuple[str, ...]]]:
    """Yield (kind, row, cards) of every unit."""
    for codes in (SMALL, BIG):
        yield "吃", "一二三" if codes is SMALL else "壹贰叁", codes[:3]
        yield "吃", "二七十" if codes is SMALL else "贰柒拾", (codes[1], codes[6], codes[9])
        for start in range(1, 8):
            yield "吃", "顺", codes[start : start + 3]
        for code in codes:
            yield "吃", "对", (code,) * 2
            for kind, size in alike.items():
                yield kind, kind, (code,) * size
    for small, big in zip(SMALL, BIG, strict=True):
        yield "吃", "绞", (small, small, big)
        yield "吃", "绞", (small, big, big)


def check(case: Case, never: Sequence[tuple[str, str]]) -> None:
    """Raise WrongCardCount (Z5), then ContradictingFacts for two facts that are never true together."""
    size = case.size
    fours = sum([len(meld.cards) == 4 for meld in case.hand.melds])
    if not (size == SIZE + 1 and not fours) and not max(fours, 1) <= size - SIZE <= MOST_FOURS:
        raise WrongCardCount(
            f"A hand of {case.rules.id} with {fours} fixed fours has no {size} cards.",
            str(size),
            (SIZE + max(fours, 1), SIZE + MOST_FOURS),
        )
    for one, other in never:
        if flag(case.facts, one) and flag(case.facts, other):
            raise ContradictingFacts(f"{one} and {other} are never true together.", other)


def problems(case: Case, four: str, winning: Winning) -> list[Problem]:
    """Return what there is to divide.

    Parameters
    ----------
    four : kind of four alike in the hand
    """
    pair = case.book.weight[PAIR]
    return [Problem(loose + pairs * pair, units, winning=False) for units, loose in _placements(case, four, winning)
            for pairs in _pairs(case, units)]  # fmt: skip


def _placements(case: Case, four: str, winning: Winning) -> list[tuple[tuple[Unit, ...], int]]:
    """Return (units that are set aside, packed loose cards) for every place of the winning card."""
    locked = lock_alike(case, "坎", four)
    units, loose = case.fixed + locked.units, locked.loose
    if case.hand.winning is None:
        return [(units, loose)]
    book, one = case.book, case.book.weight[case.hand.winning]
    found = [(units, loose + one)]
    if loose // one & 7 == 2:
        made = book.fixed[winning.third, 3 * one]
        found.append(((*units, made), loose - 2 * one))
        return found[made.shape.kind in winning.must :]
    for at, unit in enumerate(units):
        if unit.need == 3 * one and (joined := book.turned_into.get((winning.joins, unit.place))):
            found.append(((*units[:at], joined, *units[at + 1 :]), loose))
            return found[joined.shape.kind in winning.must :]
    return found


def must_make(case: Case, four: str, winning: Winning) -> bool:
    """Whether the winning card can only make a set."""
    if case.hand.winning is None:
        return False
    free = lock_alike(case, "坎", four).loose + case.book.weight[case.hand.winning]
    return free not in [loose for _, loose in _placements(case, four, winning)]


def _pairs(case: Case, units: Sequence[Unit]) -> tuple[int, ...]:
    """Return how many pairs there can be among the loose cards, so that all are seven units (Z5)."""
    sizes = [len(unit.shape.cards) for unit in units]
    fours, pairs, size = sizes.count(4), sizes.count(2), case.size - SIZE
    if case.part:
        return (0, 1)
    if not fours and not pairs and size == 1:
        return (0,)
    return (1 - pairs,) if fours == size and pairs < 2 else ()


def left_over(case: Case, four: str, winning: Winning) -> Reason:
    """Return which cards fit into no unit, or that the units themselves are not as they must be."""
    pair = case.book.weight[PAIR]
    every = _placements(case, four, winning)
    why = undivided_reason(
        case, [Problem(loose + pair * _may_pair(case, units), units, winning=False) for units, loose in every]
    )
    return why if why.cards else reason(case, "wrong_shape", {})


def _may_pair(case: Case, units: Sequence[Unit]) -> bool:
    return case.size > SIZE + 1 or any([len(unit.shape.cards) == 4 for unit in units])


def held_of(case: Case, codes: Sequence[str]) -> tuple[str, ...]:
    """Return those cards of the hand that have one of these codes, in their order."""
    held = case.held
    return tuple([code for code in codes if code in held for _ in range(held[code])])


def called_first(case: Case, units: Sequence[Unit]) -> tuple[Note, ...]:
    """Return the notes on the winning card: none is marked, or it is a fourth that stands in another unit."""
    winning = case.hand.winning
    if winning is None:
        return (Note("no_winning_card"),)
    if case.held[winning] == 4 and any([unit.shape.cards == (winning,) * 3 for unit in units]):
        return (Note("hu_first", 1, (winning,)),)
    return ()


def every_hu(values: Mapping[int, Sequence[int]]) -> frozenset[int]:
    """Return every 胡 that seven units can have; `values` are those of one unit, by its number of cards."""
    threes, fours = {0}, {0}
    found: set[int] = set()
    for units in range(UNITS + 1):
        # So many fours, and beside them threes and the pair.
        rest = UNITS - units - (units > 0)
        if rest >= 0:
            threes = _sums({0}, values[3], rest)
            found |= {one + other + pair for one in fours for other in threes for pair in values[2]}
        fours = _sums(fours, values[4], 1)
    return frozenset(found)


def _sums(before: set[int], values: Sequence[int], times: int) -> set[int]:
    for _ in range(times):
        before = {one + value for one in before for value in values}
    return before
