"""Two decks side by side, face by face."""

from __future__ import annotations

from dataclasses import dataclass

from flask import render_template, request

import scorer
from webui.decks.album import NOTES, Entry
from webui.decks.collecting import entry_of
from webui.decks.room import blueprint
from webui.language.said import gettext
from webui.store import decks, kept
from webui.store.decks import KeptDeck


@dataclass(frozen=True)
class Compared:
    """One face in both decks: how many, and the number of the first card that has a picture, or None."""

    code: str
    counts: tuple[int, int]
    pictures: tuple[int | None, int | None]

    @property
    def differs(self) -> bool:
        """Whether one deck has more of it."""
        return self.counts[0] != self.counts[1]


@blueprint.get("/compare")
def compare() -> str:
    """Choose two decks of one kind, and see them side by side."""
    listed = decks.listed(kept.store())
    chosen = [request.args.get(side, "") for side in ("one", "other")]
    known = {one.id: one for one in listed}
    pair = [known[one] for one in chosen if one in known]
    both: tuple[Entry, Entry] | None = None
    if len(pair) == 2 and pair[0].deck == pair[1].deck:
        both = (entry_of(pair[0]), entry_of(pair[1]))
    return render_template(
        "decks/compare.html",
        decks=listed,
        chosen=chosen,
        other_kinds=len(pair) == 2 and both is None,
        both=both,
        faces=compared(*both) if both else [],
        noted=[
            (gettext(label), *(one.notes.get(name, "") for one in both))
            for name, label in NOTES.items()
            if any(one.notes.get(name) for one in both)
        ]
        if both
        else [],
    )


def compared(one: Entry, other: Entry) -> list[Compared]:
    """Every face that either deck has or should have, in the order of the deck."""
    found = []
    for face in scorer.deck(one.saved.deck).faces:
        counts = (one.found.counts.get(face.code, 0), other.found.counts.get(face.code, 0))
        wanted = any(
            scorer.deck(entry.saved.deck).copies[entry.found.composition].get(face.code)
            for entry in (one, other)
        )
        if wanted or any(counts):
            pictures = (_pictured(one.saved, face.code), _pictured(other.saved, face.code))
            found.append(Compared(face.code, counts, pictures))
    return found


def _pictured(saved: KeptDeck, code: str) -> int | None:
    return next((n for n, card in enumerate(saved.cards) if card.code == code and n in saved.pictured), None)
