"""The album: what a collector notes of a deck, and the decks sought and put in order by it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from webui.decks.catalogue import Catalogue
from webui.ledger.errors import N_, LedgerError
from webui.store.decks import KeptDeck

NOTE_LETTERS = 2000

NOTES: Mapping[str, str] = {
    "maker": N_("Maker"),
    "place": N_("Place"),
    "year": N_("Year"),
    "size": N_("Size of a card"),
    "back": N_("Back"),
    "price": N_("Price"),
    "where": N_("Where it is kept"),
    "tags": N_("Tags"),
    "notes": N_("Notes"),
}
"""What is asked of a deck, in the order of the page."""

ORDERS: Mapping[str, str] = {
    "changed": N_("changed last"),
    "name": N_("name"),
    "maker": N_("maker"),
    "place": N_("place"),
    "year": N_("year"),
    "missing": N_("cards missing"),
}


class LongNote(LedgerError):
    """A note that is longer than any."""

    code = "long_note"
    text = N_("“%(name)s” is too long; %(most)s letters are the most.")


@dataclass(frozen=True)
class Entry:
    """A deck of the album: as saved, its count, and what is noted of it (name of the note to text)."""

    saved: KeptDeck
    found: Catalogue
    notes: Mapping[str, str]

    @property
    def missing(self) -> int:
        """Cards that are too few."""
        return sum(self.found.missing.values())

    @property
    def tags(self) -> tuple[str, ...]:
        """The single tags, as typed: set apart by commas of any script or by blanks."""
        return tuple(self.notes.get("tags", "").translate({ord(one): " " for one in ",，、;；#"}).split())


def _folded(text: str) -> str:
    """A text as it is sought: without case, accents and full-width forms."""
    plain = unicodedata.normalize("NFKD", text)
    return "".join(letter for letter in plain if not unicodedata.combining(letter)).casefold()


def sought(entries: Sequence[Entry], words: str) -> list[Entry]:
    """The decks in whose name, kind or notes every one of the words stands."""
    wanted = _folded(words).split()
    return [one for one in entries if all(word in _text(one) for word in wanted)]


def _text(entry: Entry) -> str:
    return _folded(" ".join([entry.saved.name, entry.saved.deck, *entry.notes.values()]))


def ordered(entries: Sequence[Entry], order: str) -> list[Entry]:
    """The decks in one of `ORDERS`, the one changed last first by default; those of which it is not known, last."""
    if order == "missing":
        return sorted(entries, key=lambda one: (one.missing, one.saved.name))
    if order not in ORDERS or order == "changed":
        return list(entries)
    noted: Callable[[Entry], str] = (
        (lambda one: one.saved.name) if order == "name" else lambda one: one.notes.get(order, "")
    )
    return sorted(entries, key=lambda one: _place(noted(one)))


def _place(text: str) -> tuple[Any, ...]:
    """Where a text stands: none last, a year by its number, also after a word (约1985)."""
    whole = _folded(text)
    year = re.search(r"(?<!\d)\d{4}(?!\d)", whole)
    return (not whole, year[0] if year else whole, whole)
