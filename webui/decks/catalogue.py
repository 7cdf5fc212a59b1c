"""A physical deck counted: which cards are there, which are missing, which are too many."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import scorer


class UnknownCompositionError(ValueError):
    """The deck has no composition of that name."""

    code = "unknown_composition"


@dataclass(frozen=True)
class Catalogue:
    """What a deck holds beside what it should hold.

    Parameters
    ----------
    composition
        The composition that was compared with: the named one, or else the nearest.
    counts
        Cards found, by code, in deck order; codes with none are left out.
    missing, extra
        How many of each card are too few or too many for the composition.
    """

    deck: str
    composition: str
    counts: Mapping[str, int]
    missing: Mapping[str, int]
    extra: Mapping[str, int]


def compare(deck: scorer.Deck, codes: Iterable[str], composition: str | None = None) -> Catalogue:
    """Count `codes` and compare them with `composition`, or with the one of the deck that differs least.

    Raises
    ------
    UnknownCompositionError
        Where the deck has no such composition.
    """
    if composition is not None and composition not in deck.copies:
        known = ", ".join(deck.copies)
        raise UnknownCompositionError(f"{deck.id} has no composition {composition!r}; it has {known}")
    found = Counter(codes)
    chosen = composition or min(deck.copies, key=lambda name: _difference(found, deck.copies[name]))
    wanted = deck.copies[chosen]
    order = [face.code for face in deck.faces]
    return Catalogue(
        deck.id,
        chosen,
        {code: found[code] for code in order if found[code]},
        {code: wanted[code] - found[code] for code in order if wanted.get(code, 0) > found[code]},
        {code: found[code] - wanted.get(code, 0) for code in order if found[code] > wanted.get(code, 0)},
    )


def _difference(found: Counter[str], wanted: Mapping[str, int]) -> int:
    """Cards too few and too many together."""
    return sum(abs(found[code] - wanted.get(code, 0)) for code in found.keys() | wanted.keys())


def catalogue_json(
    catalogue: Catalogue | None, others: list[dict[str, object]], warnings: list[str]
) -> dict[str, object]:
    """The object of `paiyan catalogue --json`; without any card there is no deck and nothing counted."""
    return {
        "deck": catalogue.deck if catalogue else None,
        "composition": catalogue.composition if catalogue else None,
        "counts": dict(catalogue.counts) if catalogue else {},
        "missing": dict(catalogue.missing) if catalogue else {},
        "extra": dict(catalogue.extra) if catalogue else {},
        "others": others,
        "warnings": warnings,
    }
