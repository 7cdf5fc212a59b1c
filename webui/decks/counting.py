"""Photos of a deck put together into one count: what lies in which photo is asked, never guessed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

import scorer
from webui.decks.catalogue import Catalogue, compare

Relation: TypeAlias = Literal["more", "same", "some"]
RELATIONS: tuple[Relation, ...] = ("more", "same", "some")


@dataclass(frozen=True)
class CountedCard:
    """One card of a photo; `counts` is False for one that another photo showed already."""

    code: str
    counts: bool = True


@dataclass(frozen=True)
class CountedPhoto:
    """The cards of one photo, and how they relate to those of the photos before.

    `more`: further cards, all of them; `same`: the same cards once more, so that only what it shows more of
    a face counts; `some`: partly the same, each card says for itself whether it counts.
    """

    relation: Relation
    cards: tuple[CountedCard, ...]


def together(photos: Sequence[CountedPhoto]) -> Counter[str]:
    """How many of each card the photos show together.

    >>> two = tuple(CountedCard("rK") for _ in range(2))
    >>> together([CountedPhoto("more", two), CountedPhoto("same", two[:1]), CountedPhoto("more", two)])["rK"]
    4
    """
    counts: Counter[str] = Counter()
    for photo in photos:
        here = Counter(card.code for card in photo.cards if card.counts)
        counts = counts | here if photo.relation == "same" else counts + here
    return counts


def compared(deck: scorer.Deck, photos: Sequence[CountedPhoto], composition: str | None) -> Catalogue:
    """The count of the photos beside the named composition, or the nearest one."""
    return compare(deck, together(photos).elements(), composition)
