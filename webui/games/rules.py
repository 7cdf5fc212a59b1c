"""What the ledger needs of the rule sets: who may play, which facts to ask, what a hand comes to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import cast

import scorer
from webui.ledger import turns
from webui.ledger.changes import Body, Json, Seating
from webui.ledger.errors import N_, BadSeats, LedgerError
from webui.ledger.fold import Ledger

# Facts that the table knows better than anybody who is asked.
TABLE_FACTS = ("dealer", "seats")


USUAL, USUAL_OF = 6, 40
"""Numbers that are offered for a tap, and of how many rounds at most."""

LEAST_WIN = {"shihu": 10}
"""What a hand must come to where the count said may be less (相公)."""


class HandRefused(LedgerError):
    """The scorer does not take the hand of this game; `why` is its error."""

    code = "bad_hand"
    text = N_("%(sentence)s")

    def __init__(self, why: scorer.ScorerError, rules_id: str) -> None:
        super().__init__({"sentence": str(why)})
        self.code = why.code
        self.why = why
        self.rules_id = rules_id


class BadCount(LedgerError):
    """A number of a count that is missing or that no count has; `asked` says which one."""

    code = "bad_number"
    text = N_("%(what)s: a whole number from %(least)s to %(most)s.")

    def __init__(self, asked: scorer.Said) -> None:
        super().__init__({"what": asked.label.en, "least": asked.least, "most": asked.most})
        self.asked = asked


class NoSuchCount(LedgerError):
    """Numbers of a count that no hand gives; `why` is the scorer's error about them."""

    code = "impossible_count"
    text = N_("%(sentence)s")

    def __init__(self, rules_id: str, why: scorer.ImpossibleCount) -> None:
        super().__init__({"sentence": str(why)})
        self.notice = scorer.rule_set(rules_id).notice_by_code[why.culprit]
        self.n = why.n


class DoesNotWin(LedgerError):
    """A legal hand that pays nobody anything, since it does not win."""

    code = "does_not_win"
    text = N_("This hand does not win, so there is nothing to write down: %(why)s")

    def __init__(self, rules_id: str, score: Mapping[str, Json]) -> None:
        reason = score.get("reason")
        super().__init__({"why": str(reason["message"]) if isinstance(reason, Mapping) else ""})
        self.rules_id = rules_id
        self.score = score


class UnknownRules(LedgerError):
    """No rule set has this id."""

    code = "unknown_rules"
    text = N_("There is no game “%(rules)s”.")


@dataclass(frozen=True)
class Count:
    """A hand as the scorer counted it, in this seating: notation, facts and the score object."""

    hand: str
    facts: Body
    score: Mapping[str, Json]

    @property
    def settlement(self) -> tuple[int, ...]:
        """Changes in points, the scored hand first."""
        return tuple(cast("Sequence[int]", self.score["settlement"]))


def rule_set(rules_id: str) -> scorer.RuleSet:
    """The rule set; raises `UnknownRules`."""
    if rules_id not in scorer.rule_ids():
        raise UnknownRules({"rules": rules_id[:20]})
    return scorer.rule_set(rules_id)


def check_seats(rules_id: str, seats: int) -> None:
    """Raise `BadSeats` where the game is not played by that many."""
    if seats not in rule_set(rules_id).seats:
        raise BadSeats({"seats": seats})


def option_values(rules: scorer.RuleSet, given: Body) -> dict[str, Json]:
    """The values of all options of a table."""
    return {option.name: given.get(option.name, option.default) for option in rules.options}


def asked_facts(rules: scorer.RuleSet) -> tuple[scorer.Fact, ...]:
    """The facts that a person has to say; the others the table knows."""
    return tuple(fact for fact in rules.facts if fact.name not in TABLE_FACTS)


def pays_alone(rules: scorer.RuleSet, options: Body, facts: Body) -> bool:
    """Whether one of the losers pays for all, so that it must be known who (字牌 B21, 大贰 R15)."""
    return rules.pays_alone(option_values(rules, options), facts)


def paying_facts(rules: scorer.RuleSet, options: Body) -> tuple[scorer.Fact, ...]:
    """The facts that are asked beside the numbers of a count, since they say whether one pays alone."""
    if rules.alone is None or not rules.may_pay_alone(option_values(rules, options)):
        return ()
    said = {one.name for one in rules.said}
    return tuple(fact for fact in rules.facts if fact.name == rules.alone.fact and fact.name not in said)


def table_facts(rules: scorer.RuleSet, people: int, seating: Seating, winner: int) -> dict[str, Json]:
    """The facts that the table knows: how many play, whether the winner deals."""
    names = {fact.name for fact in rules.facts}
    seats = len(turns.playing(people, seating)) + (seating.sitter is not None)
    known: dict[str, Json] = {"seats": seats, "dealer": winner == seating.dealer}
    return {name: value for name, value in known.items() if name in names}


def count(
    rules_id: str, hand: str, facts: Body, options: Body, people: int, seating: Seating, winner: int
) -> Count:
    """Count a hand at this table.

    Raises
    ------
    HandRefused
        Where the scorer refuses the hand, a fact or an option.
    """
    rules = rule_set(rules_id)
    known = {**facts, **table_facts(rules, people, seating, winner)}
    try:
        parsed = scorer.parse_hand(hand, rules_id)
        score = scorer.score_json(scorer.score(parsed, known, options))
    except scorer.ScorerError as error:
        raise HandRefused(error, rules_id) from error
    return Count(str(score["hand"]), known, cast("Mapping[str, Json]", score))


def count_said(
    rules_id: str, facts: Body, options: Body, people: int, seating: Seating, winner: int
) -> Count:
    """What a count pays at this table that was said by its numbers, which are among the facts; raises `LedgerError`."""
    known = {**facts, **table_facts(rule_set(rules_id), people, seating, winner)}
    return Count("", known, payment(rules_id, known, options))


def payment(rules_id: str, facts: Body, options: Body) -> Mapping[str, Json]:
    """The score object of a count that was said by its numbers, which are among the facts.

    Raises
    ------
    BadCount, NoSuchCount, HandRefused
        Where a number is missing or impossible, no hand gives such numbers, or the scorer refuses a fact or an option.
    """
    asks = {said.name: said for said in rule_set(rules_id).said}
    said = {name: value for name, value in facts.items() if name in asks}
    others = {name: value for name, value in facts.items() if name not in asks}
    try:
        paid = scorer.pay(rules_id, said, others, options)
    except scorer.ImpossibleCount as error:
        raise NoSuchCount(rules_id, error) from error
    except scorer.ScorerError as error:
        refused = BadCount(asks[error.culprit]) if error.culprit in asks else HandRefused(error, rules_id)
        raise refused from error
    return cast("Mapping[str, Json]", scorer.payment_json(rules_id, paid))


def false_call_pays(rules_id: str, options: Body) -> int | None:
    """What a false call pays each of the others by the house rules, in points; None where the game leaves it open."""
    said = {one.name: False if one.type == "bool" else one.least for one in rule_set(rules_id).said}
    try:
        paid = payment(rules_id, said, options)
    except LedgerError:
        return None
    return max(cast("Sequence[int]", paid["settlement"])) if paid["fault"] else None


def usual_counts(ledger: Ledger) -> list[int]:
    """The numbers that rounds of this table came to most often, rising; before the first few the least that wins."""
    rules = rule_set(ledger.rules)
    if not rules.said:
        return []
    first = rules.said[0]
    said = (
        played.round.counted.facts.get(first.name)
        for played in ledger.rounds[-USUAL_OF:]
        if played.round.counted and not played.round.called_falsely
    )
    found = Counter(one for one in said if type(one) is int and first.least <= one <= first.most)
    least = LEAST_WIN.get(ledger.rules, first.least)
    for number in range(least, least + USUAL):
        found.setdefault(number, 0)
    return sorted(number for number, _ in found.most_common(USUAL))


def refuse_no_win(rules_id: str, score: Mapping[str, Json]) -> None:
    """Raise `DoesNotWin` for a hand that neither wins nor is a false call that pays."""
    if not (score["wins"] or score["fault"]):
        raise DoesNotWin(rules_id, score)
