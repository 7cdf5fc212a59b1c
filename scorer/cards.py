"""Cards and decks: what each card is called and how many there are.

A card is written by its code (`1-1`, `rK`, `s10`, `W`); people see its Chinese name. A deck lists its
compositions, each a number of copies per face.
"""

from __future__ import annotations

import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from functools import cache, cached_property
from importlib import resources
from types import MappingProxyType
from typing import Any

from scorer.errors import UnknownRules

DECK_IDS = ("chuanpai", "sise", "zipai")

# Tags of the languages that tables name things in; a table writes them with `_`, as in `name = { zh_Hans = "胡" }`.
LANGUAGES = ("zh-Hans", "zh-Hant", "en", "vi")


@dataclass(frozen=True, slots=True)
class Names:
    """One thing's name by language tag; what a language lacks is said in English, else in Chinese.

    >>> names = Names({"zh-Hans": "车", "en": "chariot"})
    >>> names.get("zh-Hans"), names.get("vi")
    ('车', 'chariot')
    """

    by_language: Mapping[str, str]

    @property
    def hans(self) -> str:
        """The Chinese word (empty where nothing is said)."""
        return self.by_language.get("zh-Hans", "")

    @property
    def en(self) -> str:
        """The English name."""
        return self.get("en")

    def get(self, language: str) -> str:
        """Return the name in a language of `LANGUAGES`, or what stands for it."""
        return self.by_language.get(language) or self.by_language.get("en") or self.hans

    def json(self) -> dict[str, str]:
        """Return the name in every language by tag."""
        return {language: self.get(language) for language in LANGUAGES}


@dataclass(frozen=True, slots=True)
class Face:
    """What a card shows; `rank` is pips (川牌), place from general to soldier (四色) or number (字牌)."""

    code: str
    name: Names
    suit: str
    rank: int
    tags: frozenset[str]


@dataclass(frozen=True)
class Deck:
    """A deck of cards: its faces in order, and how many of each every composition has.

    `copies` maps composition name -> code -> number; `aliases` every accepted name (the code, and names in all
    languages) -> code.
    """

    id: str
    name: Names
    copies: Mapping[str, Mapping[str, int]]
    faces: tuple[Face, ...]
    aliases: Mapping[str, str]

    @cached_property
    def _by_code(self) -> Mapping[str, Face]:
        return {face.code: face for face in self.faces}

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Place of each code in deck order, from 0."""
        return MappingProxyType({face.code: place for place, face in enumerate(self.faces)})

    def face(self, code: str) -> Face:
        """Return the face with this code (KeyError when the deck has none)."""
        return self._by_code[code]

    def max_copies(self, code: str) -> int:
        """Return the largest number of this card over all compositions.

        >>> deck("chuanpai").max_copies("1-2")
        5
        """
        return max(counts.get(code, 0) for counts in self.copies.values())


def deck_ids() -> tuple[str, ...]:
    """Return the ids of all decks.

    >>> deck_ids()
    ('chuanpai', 'sise', 'zipai')
    """
    return DECK_IDS


@cache
def deck(deck_id: str) -> Deck:
    """Return a deck by id.

    Raises
    ------
    UnknownRules
        When there is no such deck.

    >>> deck("sise").face("rK").name.en
    'red general'
    """
    if deck_id not in DECK_IDS:
        raise UnknownRules(f"There is no deck {deck_id!r}; there are {', '.join(DECK_IDS)}.", deck_id)
    table = read_toml("decks", deck_id)
    rows = table["faces"]
    aliases = {name: row["code"] for row in rows for name in _written(row)}
    return Deck(
        id=deck_id,
        name=names(table["name"]),
        copies=_compositions(table["compositions"], [row["code"] for row in rows]),
        faces=tuple(_face(row) for row in rows),
        aliases=MappingProxyType(aliases),
    )


def describe_deck(deck_id: str) -> dict[str, Any]:
    """Return a deck as plain data for JSON: faces with names, and the compositions."""
    found = deck(deck_id)
    faces = [
        {
            "code": face.code,
            "name": face.name.json(),
            "suit": face.suit,
            "rank": face.rank,
            "tags": sorted(face.tags),
            "also": [name for name, code in found.aliases.items() if code == face.code and name != code],
        }
        for face in found.faces
    ]
    return {
        "deck": deck_id,
        "name": found.name.json(),
        "faces": faces,
        "compositions": {name: dict(counts) for name, counts in found.copies.items()},
    }


def read_toml(folder: str, name: str) -> dict[str, Any]:
    """Read one of the tables that come with the package."""
    return tomllib.loads(resources.files("scorer").joinpath(folder, f"{name}.toml").read_text("utf-8"))


def names(table: Mapping[str, str]) -> Names:
    """Return the names that a table gives by language (KeyError for a language that is none of `LANGUAGES`)."""
    tags = {language.replace("-", "_"): language for language in LANGUAGES}
    return Names(MappingProxyType({tags[key]: text for key, text in table.items()}))


def listed(words: Iterable[str], language: str) -> str:
    """Return words as one enumeration, with the comma of the language."""
    return ("、" if language.startswith("zh") else ", ").join(words)


def _written(row: Mapping[str, Any]) -> tuple[str, ...]:
    return tuple(dict.fromkeys((row["code"], *row["name"].values(), *row.get("also", ()))))


def _face(row: Mapping[str, Any]) -> Face:
    return Face(row["code"], names(row["name"]), row["suit"], row["rank"], frozenset(row.get("tags", ())))


def _compositions(
    tables: Mapping[str, Mapping[str, int]], codes: list[str]
) -> Mapping[str, Mapping[str, int]]:
    """Spell out each composition; `each` is the number of every card that is not named."""
    copies = {
        name: MappingProxyType({code: table.get(code, table["each"]) for code in codes})
        for name, table in tables.items()
    }
    return MappingProxyType(copies)
