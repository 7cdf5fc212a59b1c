"""幺地人 before play: whether a dealt hand may play at all (RULES A3, A14, A17, A18, A25 to A27).

A hand needs seven 卯. Up to two may be missing where as many threes or fours alike, kept whole, stand in for
them. It also needs the 陀 that win, counted as if every pair were to become a 碰, and every three a 杠.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from types import MappingProxyType
from typing import Any

from scorer.errors import TooManyCopies, UnknownCard, WrongCardCount
from scorer.facts import Values, check_facts, check_options, flag, number
from scorer.games.yaodiren import CARDS, PAIR, PERSONS, STAGES, need, reds
from scorer.rules import RuleSet, rule_set
from scorer.tally import Note, Reason

RULES = "yaodiren"
DEALT = 20  # cards
MOST_MISSING = 2  # 卯 (A25)
_NONE: Mapping[str, object] = MappingProxyType({})
_POINTS = {face.code: face.rank for face in CARDS}
# The sides of every pair of 14 pips; of sevens any two are one.
_SIDES = tuple(
    tuple([code for code in _POINTS if _POINTS[code] == side] for side in (low, PAIR - low))
    for low in range(2, PAIR // 2 + 1)
)


@dataclass(frozen=True, slots=True)
class Coming:
    """What cards alike are counted as before play: the row of the unit, its 陀, and the 番 of 幺, 地 or 人."""

    name: str
    tuo: int
    fan: int
    cards: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Qualification:
    """Whether a hand may play, and what was counted.

    Attributes
    ----------
    mao : 卯 of 14 pips and of three, four or five alike kept whole; `mao_with_pairs` counts any two alike too (A3)
    support : threes and fours kept whole, which stand in for missing 卯; `supports` are their cards
    units : the cards of each 卯 of the count that decides; `units_strict` and `units_with_pairs` of either count
    tuo, need, fan : estimated 陀, what they must be, and estimated 番; `coming` adds up to them
    reasons : why the hand may not play; none when it may
    """

    cards: tuple[str, ...]
    may_play: bool
    mao: int
    mao_with_pairs: int
    support: int
    units: tuple[tuple[str, ...], ...]
    units_strict: tuple[tuple[str, ...], ...]
    units_with_pairs: tuple[tuple[str, ...], ...]
    supports: tuple[tuple[str, ...], ...]
    tuo: int
    need: int
    fan: int
    coming: tuple[Coming, ...]
    reasons: tuple[Reason, ...]
    notes: tuple[Note, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """The advice as English sentences."""
        say = rule_set(RULES).say
        return tuple(say(note.code, "en", note.n, note.cards) for note in self.notes)


@dataclass(frozen=True, slots=True)
class _Counted:
    """One way to count 卯: those found, and the threes and fours that support them."""

    units: tuple[tuple[str, ...], ...]
    supports: tuple[tuple[str, ...], ...]


def qualification(
    cards: Sequence[str], facts: Mapping[str, object] = _NONE, options: Mapping[str, object] = _NONE
) -> Qualification:
    """Return whether a dealt hand of 幺地人 may play.

    Parameters
    ----------
    cards : codes of 20 cards, and of those drawn by the dealer and for 吐火 (偷牌)

    Raises
    ------
    UnknownCard, UnknownFact, BadFact, UnknownOption, BadOption, TooManyCopies, WrongCardCount
        In this order.

    >>> cards = "3-3 3-3 3-3 3-3 1-1 6-6 1-2 5-6 1-3 5-5 1-4 4-5 1-6 2-5 2-2 2-3 1-5 2-4 1-1 1-2".split()
    >>> found = qualification(cards)
    >>> found.mao, found.support, found.tuo, [reason.code for reason in found.reasons]
    (6, 1, 24, ['before_tuo'])
    """
    rules = rule_set(RULES)
    held = _held(rules, cards)
    known, chosen = check_facts(rules, facts), check_options(rules, options)
    _check_number(rules, held, known)
    strict, paired = _best(held, chosen, equal=False), _best(held, chosen, equal=True)
    decisive = paired if flag(chosen, "equal_pairs") else strict
    coming = tuple(_coming(rules, held, chosen))
    tuo, fan = sum(each.tuo for each in coming), sum(each.fan for each in coming)
    required = need(known, chosen)
    reasons = tuple(_reasons(rules, decisive, number(chosen, "units"), required - tuo))
    return Qualification(
        cards=tuple(held.elements()),
        may_play=not reasons,
        mao=len(strict.units),
        mao_with_pairs=len(paired.units),
        support=len(decisive.supports),
        units=decisive.units,
        units_strict=strict.units,
        units_with_pairs=paired.units,
        supports=decisive.supports,
        tuo=tuo,
        need=required,
        fan=fan,
        coming=coming,
        reasons=reasons,
        notes=tuple(_notes(held, flag(known, "dealer"), fan)),
    )


def qualification_json(found: Qualification) -> dict[str, Any]:
    """Return a qualification as plain data for JSON."""
    return {
        "rules": RULES,
        "cards": list(found.cards),
        "may_play": found.may_play,
        "mao": found.mao,
        "mao_with_pairs": found.mao_with_pairs,
        "support": found.support,
        "units": [list(unit) for unit in found.units],
        "units_strict": [list(unit) for unit in found.units_strict],
        "units_with_pairs": [list(unit) for unit in found.units_with_pairs],
        "supports": [list(alike) for alike in found.supports],
        "tuo": found.tuo,
        "need": found.need,
        "fan": found.fan,
        "coming": [
            {"name": each.name, "tuo": each.tuo, "fan": each.fan, "cards": list(each.cards)}
            for each in found.coming
        ],
        "reasons": [
            {"code": each.code, "message": each.message, "short": dict(each.short)} for each in found.reasons
        ],
        "warnings": list(found.warnings),
    }


def _held(rules: RuleSet, cards: Sequence[str]) -> Counter[str]:
    """Return how many of each card, in deck order."""
    for card in cards:
        if card not in _POINTS:
            raise UnknownCard(f"{rules.id} has no card {card!r}.", card)
    return Counter(sorted(cards, key=rules.cards.index.__getitem__))


def _check_number(rules: RuleSet, held: Counter[str], facts: Values) -> None:
    for card, held_of_it in held.items():
        most = rules.most(card)
        if held_of_it > most:
            name = rules.cards.face(card).name.hans
            raise TooManyCopies(f"The hand has {held_of_it} of {name} ({card}); the deck holds {most}.", card)
    # One for the dealer's draw, one for a 吐火 of four, two for one of five.
    drawn = flag(facts, "dealer") + sum(max(0, number - 3) for number in held.values())
    total = held.total()
    if not DEALT <= total <= DEALT + drawn:
        raise WrongCardCount(
            f"Before play a hand has {DEALT} cards and at most {drawn} drawn, not {total}.", str(total)
        )


def _best(held: Counter[str], options: Values, equal: bool) -> _Counted:
    """Return the count that lets the hand play, else with most 卯, then most support (A17, A25)."""
    wanted = number(options, "units")

    def worth(counted: _Counted) -> tuple[bool, int, int]:
        mao, support = len(counted.units), len(counted.supports)
        return wanted - mao <= min(MOST_MISSING, support), mao, support

    return max(_counts(held, options, equal), key=worth)


def _counts(held: Counter[str], options: Values, equal: bool) -> Iterator[_Counted]:
    """Yield the ways to keep threes, fours and fives whole or to use them up in pairs."""
    twice, whole = flag(options, "triple_twice"), flag(options, "whole_support")
    alike = {code: number for code, number in held.items() if number > 2}
    # Kept as (卯, support): a five supports nothing (A7), a three is both at once unless the table says not (A18).
    ways = {
        3: ((0, 0), (1, 1)) if twice else ((0, 0), (1, 0), (0, 1)),
        4: ((0, 0), (1, 1)),
        5: ((0, 0), (1, 0)),
    }
    for choice in product(*[ways[held_of_it] for held_of_it in alike.values()]):
        kept = dict(zip(alike, choice, strict=True))
        rest = Counter({code: held[code] for code in held if not any(kept.get(code, ()))})
        sets = [(code,) * alike[code] for code, (mao, _) in kept.items() if mao]
        supports = tuple(
            (code,) * alike[code]
            for code, (mao, support) in kept.items()
            if support or (not whole and not mao and alike[code] < 5)
        )
        yield _Counted((*sets, *_pairs(rest, equal)), supports)


def _pairs(rest: Counter[str], equal: bool) -> list[tuple[str, ...]]:
    """Return the most pairs of 14 pips, and of two alike where these count."""
    pairs: list[tuple[str, ...]] = []
    for low, high in _SIDES:
        if low == high:
            sevens = [code for code in low for _ in range(rest[code])]
            pairs += zip(sevens[::2], sevens[1::2], strict=False)
            continue
        sides = _in_order(low, rest), _in_order(high, rest)
        pairs += _most_pairs(*sides) if equal else zip(*sides, strict=False)
    return pairs


def _in_order(side: Sequence[str], rest: Counter[str]) -> list[str]:
    """Return the cards of a side, first one of each that has no equal left, then equal ones together."""
    odd = [code for code in side if rest[code] % 2]
    return odd + [code for code in side for _ in range(rest[code] // 2 * 2)]


def _most_pairs(low: Sequence[str], high: Sequence[str]) -> list[tuple[str, ...]]:
    """Return the most pairs of one card from each side or of two alike, preferring the first."""
    ways = [_crossed(low, high, cross) for cross in range(min(len(low), len(high)), -1, -1)]
    most: list[tuple[str, ...]] = max(ways, key=len)
    return most


def _crossed(low: Sequence[str], high: Sequence[str], cross: int) -> list[tuple[str, ...]]:
    """Return so many pairs from side to side, then those of equal cards that are left."""
    left = Counter((*low[cross:], *high[cross:]))
    alike = [(code, code) for code, copies in left.items() for _ in range(copies // 2)]
    return [*zip(low[:cross], high[:cross], strict=True), *alike]


def _coming(rules: RuleSet, held: Counter[str], options: Values) -> Iterator[Coming]:
    """Yield what cards alike come to as if pairs were to become 碰 and threes 杠, or as held already (A27)."""
    red, next_form = reds(options["red"]), options["estimate"] == "next"
    for code, copies in held.items():
        stage = min(3, copies - 1 if next_form or copies > 3 else copies - 2)
        if stage < 1:
            continue
        fan = 0
        if code in PERSONS:
            fan = stage if next_form or stage < 3 else number(options, "held_fan") * (copies == 4)
        yield Coming(STAGES[stage], rules.rows[STAGES[stage]].points[code in red], fan, (code,) * copies)


def _reasons(rules: RuleSet, counted: _Counted, wanted: int, short: int) -> Iterator[Reason]:
    missing = wanted - len(counted.units)
    if missing > MOST_MISSING:
        yield _reason(rules, "before_mao", "卯", missing)
    elif missing > len(counted.supports):
        yield _reason(rules, "before_support", "杠", missing - len(counted.supports))
    if short > 0:
        yield _reason(rules, "before_tuo", "陀", short)


def _reason(rules: RuleSet, code: str, what: str, short: int) -> Reason:
    return Reason(code, rules.say(code, "en", short), {what: short})


def _notes(held: Counter[str], dealer: bool, fan: int) -> Iterator[Note]:
    """Advise a dealer without 番 to ask (A14), and say which cards can't become a 杠 (A7)."""
    if dealer and not fan:
        yield Note("before_no_fan")
    fives = tuple(code for code, number_held in held.items() if number_held == 5)
    if fives:
        yield Note("before_five", cards=fives)
