"""What evenings tell of people: worked out from the rounds of all tables, never stored.

A person is a name: who is called the same at several tables is the same one.
"""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import groupby
from typing import TypeAlias

from webui.ledger.changes import Round
from webui.ledger.fold import Ledger, Played
from webui.ledger.money import Money, plain

Tables: TypeAlias = Sequence[tuple[str, Ledger]]
"""Tables with their ids, in any order."""


@dataclass(frozen=True)
class Hand:
    """The dearest hand of a person in one game: where it stands, and what it came to."""

    table_id: str
    round_id: int
    total: int
    round: Round


@dataclass(frozen=True)
class InGame:
    """A person's counted wins in one game: how many, what they came to on average, the best."""

    rules: str
    hands: int
    average: Fraction
    best: Hand


@dataclass(frozen=True)
class Record:
    """One person over the rounds looked at.

    Parameters
    ----------
    played
        Rounds in which the person did not sit out.
    streak
        The most rounds of one table won one after the other, draws not counted.
    evenings
        What each evening brought, in the order of `Statistics.evenings`; None where the person was not there.
    """

    name: str
    played: int
    won: int
    false_calls: int
    streak: int
    money: Money
    games: tuple[InGame, ...]
    evenings: tuple[Money | None, ...]


@dataclass(frozen=True)
class Statistics:
    """Everybody, who won most money first, and the evenings by their days, oldest first."""

    people: tuple[Record, ...]
    evenings: tuple[str, ...]
    rounds: int


@dataclass(frozen=True)
class _Seen:
    """A round as one person saw it."""

    table_id: str
    rules: str
    day: str
    person: int
    played: Played


def statistics(tables: Tables, days: Mapping[int, str], since: str = "", until: str = "") -> Statistics:
    """Work out everybody's record.

    Parameters
    ----------
    days
        The evening of each time of a round, `at_ms` to `2025-11-30`: which day that is hangs on where one lives.
    since, until
        The first and the last day looked at, where there is one.
    """
    by_name: dict[str, list[_Seen]] = {}
    evenings: set[str] = set()
    rounds = 0
    for table_id, ledger in tables:
        for played in ledger.rounds:
            day = days[played.at_ms]
            if day < since or (until and day > until):
                continue
            evenings.add(day)
            rounds += 1
            for person, _ in enumerate(played.round.amounts):
                if person not in played.round.seating.out:
                    seen = _Seen(table_id, ledger.rules, day, person, played)
                    by_name.setdefault(ledger.people[person].name, []).append(seen)
    order = tuple(sorted(evenings))
    people = [_record(name, seen, order) for name, seen in by_name.items()]
    return Statistics(tuple(sorted(people, key=lambda one: (-one.money, one.name))), order, rounds)


def _gain(seen: _Seen) -> Money:
    return seen.played.round.amounts[seen.person]


def _won(seen: _Seen) -> bool:
    this = seen.played.round
    return this.winner == seen.person and not this.called_falsely


def _record(name: str, seen: Sequence[_Seen], evenings: Sequence[str]) -> Record:
    here = {one.day for one in seen}
    return Record(
        name=name,
        played=len(seen),
        won=sum(map(_won, seen)),
        false_calls=sum(one.played.round.winner == one.person and not _won(one) for one in seen),
        streak=_streak(seen),
        money=plain(sum(map(_gain, seen))),
        games=_games(seen),
        evenings=tuple(
            plain(sum(_gain(one) for one in seen if one.day == day)) if day in here else None
            for day in evenings
        ),
    )


def _streak(seen: Sequence[_Seen]) -> int:
    longest = 0
    for _, rounds in groupby(seen, key=lambda one: one.table_id):
        decided = [_won(one) for one in rounds if one.played.round.how != "draw"]
        longest = max([longest, *(len(list(run)) for won, run in groupby(decided) if won)])
    return longest


def _games(seen: Sequence[_Seen]) -> tuple[InGame, ...]:
    hands: dict[str, list[Hand]] = {}
    for one in seen:
        counted = one.played.round.counted
        total = counted.score.get("total") if counted and _won(one) else None
        if type(total) is int:
            hand = Hand(one.table_id, one.played.id, total, one.played.round)
            hands.setdefault(one.rules, []).append(hand)
    return tuple(
        InGame(rules, len(won), Fraction(sum(hand.total for hand in won), len(won)), max(won, key=_worth))
        for rules, won in sorted(hands.items())
    )


def _worth(hand: Hand) -> tuple[int, bool]:
    """The dearest first; of equal ones one whose cards are known."""
    return hand.total, bool(hand.round.counted and hand.round.counted.hand)


def names(tables: Tables) -> tuple[str, ...]:
    """Everybody's name once."""
    people: Iterable[str] = (person.name for _, ledger in tables for person in ledger.people)
    return tuple(dict.fromkeys(people))
