"""The games: one module of small functions and one table each.

A game module is a `Game`: it says which units there are and what they add (`make_book`), what the winning card
can do (`problems`, `closing`), which sum of features is best (`rank`), and what the lines of a division are
(`count`). Nothing registers itself: a new game is added to `_GAMES`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache, lru_cache
from typing import Protocol

from scorer.book import Book, Unit
from scorer.bound import with_parts
from scorer.case import Case, Division, Problem
from scorer.divide import tabulate
from scorer.facts import Values, check_options, defaults
from scorer.games import chuanpai, guangshui, shihu, yaodiren
from scorer.rules import RuleSet, Value, rule_set
from scorer.tally import Count


class Game(Protocol):
    """What a game module supplies."""

    def make_book(self, rules: RuleSet, options: Values) -> Book:
        """Return all units under these options."""

    def check(self, case: Case) -> None:
        """Raise WrongCardCount or ContradictingFacts, in this order."""

    def problems(self, case: Case) -> Sequence[Problem]:
        """Return what there is to divide (`case.plain_problems` unless some cards are locked)."""

    def closing(self, case: Case, unit: Unit) -> Sequence[Unit]:
        """Return what a free unit becomes when the winning card closes it; nothing where it can't."""

    def rank(self, case: Case, feature: int) -> tuple[int, ...]:
        """Return (wins, what a loser pays, what counts then, ..., total), larger being better.

        The empty tuple says that such a division is none, e.g. for its number of units.
        """

    def count(self, case: Case, division: Division) -> Count:
        """Return lines, total, settlement and all else for a division."""

    def undivided(self, case: Case) -> Count:
        """Return the count of a hand that does not divide."""


_GAMES: Mapping[str, Game] = {
    "chuanpai": chuanpai,
    "guangshui": guangshui,
    "shihu": shihu,
    "yaodiren": yaodiren,
}


def game_for(rules_id: str) -> Game:
    """Return the module of a rule set (KeyError for one without)."""
    return _GAMES[rules_id]


def book_for(rules_id: str, options: Values) -> Book:
    """Return the book of a rule set under these options."""
    if options is defaults(rules_id, "options"):
        return _usual_book(rules_id)
    return _book(rules_id, tuple(options.items()))


@cache
def _usual_book(rules_id: str) -> Book:
    return _make(rules_id, defaults(rules_id, "options"))


@lru_cache(maxsize=32)
def _book(rules_id: str, options: tuple[tuple[str, Value], ...]) -> Book:
    return _make(rules_id, check_options(rule_set(rules_id), dict(options)))


def _make(rules_id: str, options: Values) -> Book:
    rules = rule_set(rules_id)
    book = tabulate(_GAMES[rules_id].make_book(rules, options).of_deck(rules.copies(options)))
    return with_parts(book) if book.monotone else book
