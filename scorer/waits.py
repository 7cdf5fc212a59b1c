"""Which cards a hand waits for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass, replace
from types import MappingProxyType
from typing import Any

from scorer.cards import Names
from scorer.errors import BadNotation, ContradictingFacts, WrongCardCount
from scorer.facts import check_options
from scorer.hand import Hand, write_hand
from scorer.rules import rule_set
from scorer.score import Score, score

_NONE: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Wait:
    """A card that wins, and what the hand then scores."""

    code: str
    name: Names
    score: int


@dataclass(frozen=True, slots=True)
class Waits:
    """All cards that win, in deck order; none when the hand is further off."""

    hand: Hand
    waits: tuple[Wait, ...]
    warnings: tuple[str, ...]


def waits(hand: Hand, facts: Mapping[str, object] = _NONE, options: Mapping[str, object] = _NONE) -> Waits:
    """Return every card that completes a hand one card short to a win.

    Raises
    ------
    ScorerError
        As `score` does; WrongCardCount for a hand that is not one card short.

    >>> from scorer.hand import parse_hand
    >>> hand = parse_hand("碰(yN yN yN) 碰(rP rP rP) 槓(gP gP gP gP) rK rA rB gA gA wB wB wR wR wC", "shihu")
    >>> [(wait.code, wait.score) for wait in waits(hand).waits]
    [('wC', 10)]
    """
    if hand.winning is not None:
        raise BadNotation(
            f"A hand that waits has no winning card, but this has !{hand.winning}.", hand.winning
        )
    rules = rule_set(hand.rules)
    copies = rules.copies(check_options(rules, options))
    held = Counter(hand.cards())
    found: list[Score] = []
    refused: WrongCardCount | ContradictingFacts | None = None
    for code, number in copies.items():
        if held[code] < number:
            try:
                found.append(score(replace(hand, winning=code), facts, options))
            except (WrongCardCount, ContradictingFacts) as error:
                refused = error  # this card can't be the one that comes, e.g. the turned card's last copy
    if refused is not None and not found:
        raise type(refused)(f"No card completes this hand: with one more, {refused.message}", refused.culprit)
    names = rules.cards.face
    wins = [(str(each.hand.winning), each.total) for each in found if each.wins]
    warnings = tuple(dict.fromkeys(text for each in found if each.wins for text in each.warnings))
    return Waits(hand, tuple(Wait(code, names(code).name, total) for code, total in wins), warnings)


def waits_json(found: Waits) -> dict[str, Any]:
    """Return waits as plain data for JSON (DESIGN section 3)."""
    return {
        "rules": found.hand.rules,
        "hand": write_hand(found.hand),
        "waits": [{"code": wait.code, "name": wait.name.hans, "score": wait.score} for wait in found.waits],
        "warnings": list(found.warnings),
    }
