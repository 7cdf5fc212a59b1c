"""Cards run together in a text: which cards they are, and whether that is the only way to read them."""

from __future__ import annotations

from functools import cache

from scorer.errors import BadNotation, UnknownCard
from scorer.rules import RuleSet, rule_set


@cache
def _longest(rules_id: str) -> int:
    return max(map(len, rule_set(rules_id).spellings))


def read_cards(rules: RuleSet, text: str) -> tuple[str, ...]:
    """Return the codes of the cards that `text` (without spaces) names, in the order written.

    Raises
    ------
    UnknownCard
        When some part of the text is no card of this game.
    BadNotation
        When the text can be read as more than one row of cards.

    >>> read_cards(rule_set("shihu"), "红将rA红象")
    ('rK', 'rA', 'rB')
    """
    single = rules.spellings.get(text)
    readings = _readings(rules, text)
    if not readings[len(text)]:
        reached = max(place for place, found in enumerate(readings) if found)
        culprit = text[reached:]
        raise UnknownCard(f"{rules.id} has no card {culprit!r}.", culprit)
    if single is not None and readings[len(text)] == {(single,)}:
        return (single,)
    found = sorted(readings[len(text)])
    if len(found) > 1:
        ways = " or ".join(" ".join(way) for way in found)
        raise BadNotation(f"{text!r} can be read as {ways}: set the cards apart by spaces.", text)
    return found[0]


def _readings(rules: RuleSet, text: str) -> list[set[tuple[str, ...]]]:
    """Return for each place of the text up to two ways to read everything before it."""
    spellings, longest = rules.spellings, _longest(rules.id)
    readings: list[set[tuple[str, ...]]] = [set() for _ in range(len(text) + 1)]
    readings[0].add(())
    for end in range(1, len(text) + 1):
        for start in range(max(0, end - longest), end):
            code = spellings.get(text[start:end])
            if code is not None:
                # Two ways are enough to know that a text is ambiguous; more would only cost memory.
                readings[end] |= {(*way, code) for way in readings[start]}
                if len(readings[end]) > 2:
                    readings[end] = set(sorted(readings[end])[:2])
    return readings
