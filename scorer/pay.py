"""What a count pays when it is said by its numbers, without the cards."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Any

from scorer.errors import ImpossibleCount
from scorer.facts import check_facts, check_options, check_said
from scorer.games import doubt_of, game_for
from scorer.rules import RuleSet, rule_set
from scorer.tally import Payment, Step

_NONE: Mapping[str, object] = MappingProxyType({})


def pay(
    rules_id: str,
    said: Mapping[str, object],
    facts: Mapping[str, object] = _NONE,
    options: Mapping[str, object] = _NONE,
) -> Payment:
    """Return what a count pays, as a scored hand that comes to these numbers does.

    Parameters
    ----------
    said : the numbers that the rule set asks for (`RuleSet.said`)
    facts : of these only how many play, and who drew the card, matter

    Raises
    ------
    ScorerError
        UnknownRules, UnknownFact, BadFact, UnknownOption, BadOption, BadNumber, ImpossibleCount, in this order.

    >>> pay("shihu", {"hu": 13, "flower": 3}).changes
    (21, -7, -7, -7)
    """
    rules = rule_set(rules_id)
    known, chosen = check_facts(rules, facts), check_options(rules, options)
    numbers = check_said(rules, said)
    doubt = doubt_of(rules_id, numbers, known, chosen)
    if doubt is not None:
        raise ImpossibleCount(rules.say(doubt.code, "en", doubt.n), doubt.code, doubt.n)
    return game_for(rules_id).pay(numbers, known, chosen)


def payment_json(rules_id: str, payment: Payment) -> dict[str, Any]:
    """Return a payment as plain data, with those keys of a score object that need no cards.

    >>> found = payment_json("yaodiren", pay("yaodiren", {"fan": 2}))
    >>> found["total"], found["unit"], found["settlement"]
    (2, '番', [8, -4, -4])
    """
    rules = rule_set(rules_id)
    return {
        "rules": rules_id,
        "wins": not payment.fault,
        "fault": payment.fault,
        "total": payment.total,
        "unit": payment.unit or rules.unit.hans,
        "lines": [],
        "melds": [],
        "settlement": list(payment.changes),
        "payment": [step_json(rules, step) for step in payment.steps],
    }


def step_json(rules: RuleSet, step: Step) -> dict[str, Any]:
    """Return a step of a payment as plain data, with its English sentence."""
    message = rules.say_payment(step.code, "en", step.numbers)
    return {"code": step.code, "message": message, "numbers": dict(step.numbers)}
