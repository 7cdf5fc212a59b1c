"""One hand about to be counted: everything looked up and checked, before any game judges it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from scorer.book import BITS, Book, Unit
from scorer.divide import unplaced
from scorer.errors import ImpossibleMeld, TooManyCopies, UnknownCard
from scorer.facts import Values
from scorer.hand import Hand, Meld, write_hand
from scorer.rules import RuleSet
from scorer.tally import Reason


@dataclass(frozen=True, slots=True)
class Case:
    """A legal holding with its facts and options.

    Attributes
    ----------
    fixed : the unit that each fixed meld is, as given
    loose : packed loose cards without the winning card
    held : how many of each card the whole hand has, the winning card included
    part : whether only a part of a hand is looked at (units and points, no count, no win; RULES Z7)
    """

    rules: RuleSet
    book: Book
    hand: Hand
    facts: Values
    options: Values
    fixed: tuple[Unit, ...]
    loose: int
    held: Mapping[str, int]
    part: bool

    @property
    def room(self) -> int:
        """Packed counts of the copies that the deck has beside this hand, wilds left out."""
        weight, wild_shift = self.book.weight, self.book.wild_shift
        held = sum([weight[card] * n for card, n in self.held.items() if not weight[card] >> wild_shift])
        return self.book.limit - held

    @property
    def size(self) -> int:
        """Number of cards, the winning card included."""
        return sum(self.held.values())


@dataclass(frozen=True, slots=True)
class Problem:
    """Cards to divide beside units that are already fixed.

    `winning` says whether the winning card is among `loose` and so closes one of the units. `book` has what the
    loose cards may form, where that is less than the rule set allows.
    """

    loose: int
    fixed: tuple[Unit, ...]
    winning: bool
    book: Book | None = None


@dataclass(frozen=True, slots=True)
class Division:
    """The units of a whole hand: fixed ones as given, then those of the loose cards in the order of places.

    `closed` is the unit that the winning card closes (a member of `units`), if it closes one.
    """

    fixed: tuple[Unit, ...]
    units: tuple[Unit, ...]
    closed: Unit | None


def open_case(rules: RuleSet, book: Book, hand: Hand, facts: Values, options: Values, part: bool) -> Case:
    """Look up a hand's cards and melds.

    Raises
    ------
    UnknownCard, TooManyCopies, ImpossibleMeld
        In this order.
    """
    held: dict[str, int] = {}
    for card in hand.cards():
        held[card] = held.get(card, 0) + 1
    for card, number in held.items():
        if number > book.copies.get(card, 0):
            raise _not_in_deck(rules, book, card, number)
    weight = book.weight
    fixed = [book.fixed.get((meld.kind, sum([weight[card] for card in meld.cards]))) for meld in hand.melds]
    if None in fixed:
        text = write_hand(Hand(rules.id, (hand.melds[fixed.index(None)],), ()))
        raise ImpossibleMeld(f"{text} is no unit of {rules.id}.", text)
    units = tuple([unit for unit in fixed if unit is not None])
    return Case(rules, book, hand, facts, options, units, book.pack(hand.loose), held, part)


def _not_in_deck(rules: RuleSet, book: Book, card: str, number: int) -> UnknownCard | TooManyCopies:
    if card not in book.weight:
        return UnknownCard(f"{rules.id} has no card {card!r}.", card)
    name = rules.cards.face(card).name.hans
    return TooManyCopies(
        f"The hand has {number} of {name} ({card}); the deck holds {book.copies[card]}.", card
    )


@dataclass(frozen=True, slots=True)
class Locked:
    """Cards in the hand that stay together, as units, and the packed loose cards beside them."""

    units: tuple[Unit, ...]
    loose: int


def lock_alike(case: Case, three: str, four: str) -> Locked:
    """Return three and four equal loose cards as units of these kinds; the winning card is not among them."""
    book, loose = case.book, case.loose
    ones = (book.guard & (1 << book.wild_shift) - 1) >> BITS - 1
    threes, fours = loose & loose >> 1 & ones, loose >> 2 & ones
    if not threes and not fours:
        return Locked((), loose)
    found = []
    for kind, size, left in ((three, 3, threes), (four, 4, fours)):
        while left:
            found.append(book.fixed[kind, size * (left & -left)])
            left &= left - 1
    return Locked(tuple(found), loose - 3 * threes - 4 * fours)


def plain_problems(case: Case, joins: str = "", locked: Locked | None = None) -> tuple[Problem, ...]:
    """Return what there is to divide: the winning card among the loose cards, or on a unit that takes it.

    Parameters
    ----------
    joins : the word under which `book.turned_into` has what a fixed or locked unit becomes with the winning card
    locked : what of the loose cards is not up for division
    """
    locked = locked or Locked((), case.loose)
    every = case.fixed + locked.units
    if case.hand.winning is None:
        return (Problem(locked.loose, every, winning=False),)
    one = case.book.weight[case.hand.winning]
    problems = [Problem(locked.loose + one, every, winning=True)]
    for at, unit in enumerate(every) if joins else ():
        joined = case.book.turned_into.get((joins, unit.place))
        if joined is not None and joined.need == unit.need + one:
            problems.append(Problem(locked.loose, (*every[:at], joined, *every[at + 1 :]), winning=False))
    return tuple(problems)


def melds_of(case: Case, division: Division) -> tuple[Meld, ...]:
    """Return the fixed melds as given, those that the winning card changed or the game locked as they became."""
    given = zip(case.hand.melds, case.fixed, division.fixed, strict=False)
    melds = [meld if before is after else after.meld for meld, before, after in given]
    locked = division.fixed[len(melds) :]
    return (*melds, *[unit.meld for unit in locked], *[unit.meld for unit in division.units])


def reason(case: Case, code: str, short: Mapping[str, int], cards: tuple[str, ...] = ()) -> Reason:
    """Return why a hand does not win: a notice whose number is what it is short of."""
    return Reason(code, case.rules.say(code, "en", sum(short.values()), cards), short, cards)


def undivided_reason(case: Case, problems: Sequence[Problem] = ()) -> Reason:
    """Return which cards fit into no meld, at the fewest over all problems (by default all loose cards)."""
    book = case.book
    loose = [problem.loose for problem in problems] or [all_loose(case)]
    left = min([unplaced(book, packed) for packed in loose], key=len)
    wilds = iter([card for card in case.hand.cards() if book.weight[card] >> book.wild_shift])
    cards = tuple([next(wilds) if book.weight[card] >> book.wild_shift else card for card in left])
    return reason(case, "undivided", {"闲牌": len(cards)}, cards)


def all_loose(case: Case) -> int:
    """Return the packed loose cards with the winning card."""
    return case.loose + (case.book.weight[case.hand.winning] if case.hand.winning is not None else 0)
