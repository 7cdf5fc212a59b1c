"""What a collector keeps of a deck besides its cards: notes, and pictures of back and box."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import delete, select

from webui.store.decks import DeckChange, changing
from webui.store.engine import Store
from webui.store.schema import DeckNoteRow, DeckPictureRow

SIDES = ("back", "box")


def notes(store: Store) -> dict[str, dict[str, str]]:
    """The notes of all decks: deck id to name of a note to its text; decks without any are left out."""
    found: dict[str, dict[str, str]] = {}
    with store.reading() as session:
        for row in session.scalars(select(DeckNoteRow)).all():
            found.setdefault(row.deck_id, {})[row.name] = row.text
    return found


def change(
    store: Store,
    deck_id: str,
    wanted: DeckChange,
    texts: Mapping[str, str],
    sides: Mapping[str, bytes | None],
    base: int,
    at_ms: int,
) -> None:
    """Change a deck with what is kept of it besides.

    Parameters
    ----------
    texts : notes by name, in place of those before; empty ones are none.
    sides : pictures (JPEG bytes) by which of `SIDES` they show, in place of those before; None takes one away.

    Raises
    ------
    UnknownDeck, NameTaken, DeckChanged
        As `webui.store.decks.changing` does.
    """
    with changing(store, deck_id, wanted, base, at_ms) as session:
        session.execute(
            delete(DeckNoteRow).where(DeckNoteRow.deck_id == deck_id, DeckNoteRow.name.in_(texts))
        )
        session.add_all(
            DeckNoteRow(deck_id=deck_id, name=name, text=text) for name, text in texts.items() if text
        )
        session.execute(
            delete(DeckPictureRow).where(DeckPictureRow.deck_id == deck_id, DeckPictureRow.side.in_(sides))
        )
        session.add_all(
            DeckPictureRow(deck_id=deck_id, side=side, jpeg=jpeg) for side, jpeg in sides.items() if jpeg
        )


def picture(store: Store, deck_id: str, side: str) -> bytes | None:
    """JPEG bytes of a deck's back or box, or None."""
    with store.reading() as session:
        row = session.get(DeckPictureRow, (deck_id, side))
        return row.jpeg if row else None


def pictured(store: Store, deck_id: str) -> tuple[str, ...]:
    """Which of `SIDES` there is a picture of."""
    with store.reading() as session:
        there = session.scalars(select(DeckPictureRow.side).where(DeckPictureRow.deck_id == deck_id)).all()
    return tuple(side for side in SIDES if side in there)
