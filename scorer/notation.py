"""Cards as people write them: names with blanks in them, a card several times, cards run together."""

from __future__ import annotations

import re
import unicodedata
from functools import cache

from scorer.errors import BadNotation, UnknownCard
from scorer.rules import RuleSet, rule_set

_PLAIN = str.maketrans("（）！，、,×", "()!   x")
_TIMES = re.compile(r"(?<![^\s(])([^\s()!]+)\s+x([2-9])(?![^\s)])")


def composed(text: str) -> str:
    """Return `text` with composed letters (NFC), ASCII brackets and marks, and blanks for commas.

    >>> composed("碰（rR，rR，rR） e\u0302")
    '碰(rR rR rR) ê'
    """
    return unicodedata.normalize("NFC", text).translate(_PLAIN)


def in_codes(rules: RuleSet, text: str) -> str:
    """Return `text` with every card name that has blanks in it, in large or small letters, as the card's code.

    Then `x3` behind a card, set apart by a blank, writes it three times.

    >>> in_codes(rule_set("shihu"), "碰(xe đỏ x3) !Red general")
    '碰(rR rR rR) !rK'
    """
    codes, spoken = _spoken(rules.id)
    text = spoken.sub(lambda name: codes[" ".join(name[0].lower().split())], text)
    return _TIMES.sub(lambda found: " ".join([found[1]] * int(found[2])), text)


@cache
def _spoken(rules_id: str) -> tuple[dict[str, str], re.Pattern[str]]:
    """Return the codes by names with blanks, in small letters, and what finds these names in a text."""
    codes = {name.lower(): code for name, code in rule_set(rules_id).spellings.items() if " " in name}
    ways = "|".join(r"\s+".join(map(re.escape, name.split())) for name in codes)
    return codes, re.compile(rf"\b(?:{ways or '(?!)'})\b", re.IGNORECASE)


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
