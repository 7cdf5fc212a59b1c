"""What a count consists of: lines, the reason why a hand does not win, and the score that holds them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from scorer.hand import Hand, Meld
from scorer.rules import rule_set

Detail = Mapping[str, int | str]


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a count: `points` are added to the others', `times` multiplied (RULES Z2)."""

    name: str
    points: int
    times: int
    cards: tuple[str, ...]
    clause: str


@dataclass(frozen=True, slots=True)
class Reason:
    """Why a hand does not win, and what it is short of (`{"胡": 2}`); `cards` are those meant, if any.

    The message in another language is the rule set's notice of this code, with {n} and {cards} filled in.
    """

    code: str
    message: str
    short: Mapping[str, int]
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Note:
    """A warning by the code of a notice of the rule set, with what fills its {n} and {cards}."""

    code: str
    n: int = 0
    cards: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Step:
    """A step of how what a loser pays comes about: the code of a sentence of the rule set, the numbers that fill it."""

    code: str
    numbers: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Payment:
    """What a count pays: `total` as people say it, and `changes`, a settlement that comes about by `steps`.

    `fault` is a false call (相公) that pays. `unit` is that of the total where the rule set's own is another.
    """

    total: int
    changes: tuple[int, ...]
    steps: tuple[Step, ...]
    fault: bool = False
    unit: str = ""


@dataclass(frozen=True, slots=True)
class Count:
    """What a game makes of one division.

    `fault` is a false call (相公) that pays. `changes` is the settlement: seat 0 the scored hand, then the
    others in order; it sums to zero, and `payment` says how it comes about. `melds` replaces those of the division
    where wilds must be named.
    """

    lines: tuple[Line, ...]
    total: int
    wins: bool
    changes: tuple[int, ...]
    fault: bool = False
    factor: int = 1
    detail: Detail = field(default_factory=dict)
    reason: Reason | None = None
    notes: tuple[Note, ...] = ()
    melds: tuple[Meld, ...] | None = None
    payment: tuple[Step, ...] = ()


@dataclass(frozen=True, slots=True)
class Score:
    """A hand counted in its best way.

    `runner_up` is the total of the next best division, if there is one. `notes` are the warnings for the page
    to say in its language.
    """

    hand: Hand
    total: int
    unit: str
    lines: tuple[Line, ...]
    melds: tuple[Meld, ...]
    wins: bool
    fault: bool
    factor: int
    detail: Detail
    reason: Reason | None
    runner_up: int | None
    settlement: tuple[int, ...]
    notes: tuple[Note, ...]
    payment: tuple[Step, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """The warnings as English sentences."""
        say = rule_set(self.hand.rules).say
        return tuple(say(note.code, "en", note.n, note.cards) for note in self.notes)
