"""What a game is, in words: how it is counted, who pays, its own words, and hands that show it.

What is written here comes from `glossary/<id>.toml`; the hands are counted by the game itself.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType

from scorer.cards import Names, names, read_toml
from scorer.rules import Value, rule_set


@dataclass(frozen=True, slots=True)
class Word:
    """A word of the players that other languages keep; `also` are its other forms and what goes with it."""

    word: str
    also: tuple[str, ...]
    text: Names


@dataclass(frozen=True, slots=True)
class Example:
    """A hand in notation and what must be known of it."""

    hand: str
    facts: Mapping[str, Value]


@dataclass(frozen=True, slots=True)
class Glossary:
    """One game in words: what it is, how it is counted, who pays, its words, and two hands."""

    rules: str
    about: Names
    counting: Names
    pays: Names
    words: tuple[Word, ...]
    hands: tuple[Example, ...]


@cache
def glossary(rules_id: str) -> Glossary:
    """Return a game in words.

    Raises
    ------
    UnknownRules
        When there is no such rule set.

    >>> glossary("shihu").words[0].word
    '胡'
    """
    table = read_toml("glossary", rule_set(rules_id).id)
    return Glossary(
        rules=rules_id,
        about=names(table["about"]),
        counting=names(table["counting"]),
        pays=names(table["pays"]),
        words=tuple(
            Word(row["word"], tuple(row.get("also", ())), names(row["text"])) for row in table["words"]
        ),
        hands=tuple(
            Example(row["hand"], MappingProxyType(dict(row.get("facts", {})))) for row in table["hands"]
        ),
    )
