"""Whether the pages can show a log that comes from a file or the database: known rules, and whole scores."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import cast

import scorer
from webui.games.rules import check_seats, rule_set
from webui.ledger.changes import Counted, Event, RoundAdded, RoundEdited
from webui.ledger.errors import BadField
from webui.ledger.fold import Ledger

SCORE_FIELDS = {"wins": bool, "fault": bool, "total": int, "unit": str, "lines": list, "melds": list}
"""What the pages show of a score."""


def check_log(log: Sequence[Event], ledger: Ledger) -> None:
    """Raise `LedgerError` where the rules are unknown, or something that the pages show is not what it must be."""
    rules = rule_set(ledger.rules)
    check_seats(ledger.rules, ledger.settings.seats)
    for event in log:
        if isinstance(event.change, RoundAdded | RoundEdited) and event.change.round.counted:
            _check_counted(event.change.round.counted, rules)


def _check_counted(counted: Counted, rules: scorer.RuleSet) -> None:
    for crop in counted.crops:
        _check_card(crop.code, rules)
    score = counted.score
    for name, kind in SCORE_FIELDS.items():
        if type(score.get(name)) is not kind:
            raise BadField({"field": name})
    lines, melds = cast("list[object]", score["lines"]), cast("list[object]", score["melds"])
    _check_payment(score.get("payment", []), rules)
    for line in lines:
        _check_part(line, {"name": str, "points": int, "times": int, "clause": str}, rules)
    for meld in melds:
        _check_part(meld, {"kind": str}, rules)


def _check_payment(steps: object, rules: scorer.RuleSet) -> None:
    """Raise `BadField` where the steps of a payment can't be said; a table saved before they were kept has none."""
    if not isinstance(steps, list) or not all(_can_be_said(step, rules) for step in steps):
        raise BadField({"field": "payment"})


def _can_be_said(step: object, rules: scorer.RuleSet) -> bool:
    numbers = step.get("numbers") if isinstance(step, dict) else None
    if not isinstance(step, dict) or not isinstance(numbers, dict):
        return False
    try:
        rules.say_payment(str(step.get("code")), "en", numbers)
    except KeyError:
        return False
    return all(type(number) is int for number in numbers.values())


def _check_part(part: object, fields: Mapping[str, type], rules: scorer.RuleSet) -> None:
    """Raise `BadField` where a line or a meld of a score lacks a field or has another kind of value."""
    if not isinstance(part, dict) or not isinstance(part.get("cards"), list):
        raise BadField({"field": "score"})
    for name, kind in fields.items():
        if type(part.get(name)) is not kind:
            raise BadField({"field": name})
    for card in part["cards"]:
        _check_card(card, rules)


def _check_card(code: object, rules: scorer.RuleSet) -> None:
    known = rules.cards.index
    if not isinstance(code, str) or not all(one in known for one in re.split("=", code)):
        raise BadField({"field": "cards"})
