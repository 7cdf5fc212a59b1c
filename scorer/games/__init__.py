"""The games: one module of small functions and one table each.

A game module is a `Game`: it says which units there are and what they add (`make_book`), what the lines of a
division are (`count`) and what such a count pays (`pay`). Most leave the dividing to the engine and say what the
winning card can do (`problems`, `closing`) and which sum of features is best (`ranking`); a `SolvingGame` finds the
best division itself. Nothing registers itself: a new game is added to `_DIVIDED` or `_SOLVING`, and to `_DOUBTING`
where not all numbers within the bounds of `RuleSet.said` go together.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache, lru_cache
from typing import Protocol

from scorer.book import Book, Unit
from scorer.bound import with_parts
from scorer.case import Case, Division, Problem
from scorer.divide import tabulate
from scorer.facts import Values, check_options, defaults
from scorer.games import chuanpai, daer, guangshui, paohuzi, shihu, tusac, yaodiren, zipai
from scorer.rules import RuleSet, Value, rule_set
from scorer.tally import Count, Note, Payment


class Game(Protocol):
    """What a game module supplies."""

    def make_book(self, rules: RuleSet, options: Values) -> Book:
        """Return all units under these options."""

    def check(self, case: Case) -> None:
        """Raise WrongCardCount or ContradictingFacts, in this order."""

    def count(self, case: Case, division: Division) -> Count:
        """Return lines, total, settlement and all else for a division."""

    def undivided(self, case: Case) -> Count:
        """Return the count of a hand that does not divide."""

    def pay(self, said: Mapping[str, int], facts: Values, options: Values) -> Payment:
        """Return what a count with these numbers (`RuleSet.said`) pays; `count` takes its payment from here."""


class DividedGame(Game, Protocol):
    """A game whose hands the engine divides."""

    def problems(self, case: Case) -> Sequence[Problem]:
        """Return what there is to divide (`case.plain_problems` unless some cards are locked)."""

    def closing(self, case: Case, unit: Unit) -> Sequence[Unit]:
        """Return what a free unit becomes when the winning card closes it; nothing where it can't."""

    def ranking(self, case: Case) -> Callable[[int], tuple[int, ...]]:
        """Return what ranks the features of this hand's divisions.

        A rank is (wins, what a loser pays, what counts then, ..., total), larger being better; the empty tuple says
        that such a division is none, e.g. for its number of units.
        """


class SolvingGame(Game, Protocol):
    """A game that divides its hands itself."""

    def best(self, case: Case) -> tuple[Division | None, int | None]:
        """Return the best division (RULES Z1) and the total of the next best, None where there is none."""


_DIVIDED: Mapping[str, DividedGame] = {
    "chuanpai": chuanpai,
    "guangshui": guangshui,
    "daer": daer,
    "paohuzi": paohuzi,
    "shihu": shihu,
    "tusac": tusac,
    "yaodiren": yaodiren,
}
_SOLVING: Mapping[str, SolvingGame] = {"zipai": zipai}
_GAMES: Mapping[str, Game] = {**_DIVIDED, **_SOLVING}

# Return what is wrong with numbers of a count that no hand gives, None where one does.
_Doubt = Callable[[Mapping[str, int], Values, Values], Note | None]
_DOUBTING: Mapping[str, _Doubt] = {
    "daer": daer.doubt,
    "guangshui": guangshui.doubt,
    "paohuzi": paohuzi.doubt,
    "tusac": tusac.doubt,
    "zipai": zipai.doubt,
}


def game_for(rules_id: str) -> Game:
    """Return the module of a rule set (KeyError for one without)."""
    return _GAMES[rules_id]


def doubt_of(rules_id: str, said: Mapping[str, int], facts: Values, options: Values) -> Note | None:
    """Return the notice about numbers of a count that no hand gives, None where one does."""
    game = _DOUBTING.get(rules_id)
    return game(said, facts, options) if game else None


def divided_game(rules_id: str) -> DividedGame | None:
    """Return the module of a rule set whose hands the engine divides, None for another."""
    return _DIVIDED.get(rules_id)


def solving_game(rules_id: str) -> SolvingGame:
    """Return the module of a rule set that divides its hands itself (KeyError for another)."""
    return _SOLVING[rules_id]


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
