"""What a collector keeps of a deck besides its cards: notes, and pictures of back and box."""

from __future__ import annotations

from collections.abc import Mapping

from sqlalchemy import delete, select

from webui.store.decks import DeckChanged, UnknownDeck
from webui.store.engine import Store
from webui.store.schema import DeckNoteRow, DeckPictureRow, DeckRow

SIDES = ("back", "box")


def notes(store: Store) -> dict[str, dict[str, str]]:
    """The notes of all decks: deck id to name of a note to its text; decks without any are left out."""
    found: dict[str, dict[str, str]] = {}
    with store.reading() as session:
        for row in session.scalars(select(DeckNoteRow)).all():
            found.setdefault(row.deck_id, {})[row.name] = row.text
    return found


def note(store: Store, deck_id: str, texts: Mapping[str, str], base: int, at_ms: int) -> None:
    """Keep the notes of a deck in place of those before; empty ones are none.

    Raises
    ------
    UnknownDeck, DeckChanged
        `DeckChanged` where `base` is not its version.
    """
    with store.writing() as session:
        row = session.get(DeckRow, deck_id, with_for_update=True)
        if row is None:
            raise UnknownDeck()
        if row.version != base:
            raise DeckChanged()
        session.execute(delete(DeckNoteRow).where(DeckNoteRow.deck_id == deck_id))
        session.add_all(
            DeckNoteRow(deck_id=deck_id, name=name, text=text) for name, text in texts.items() if text
        )
        row.version += 1
        row.changed_ms = at_ms


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


def put_picture(store: Store, deck_id: str, side: str, jpeg: bytes | None) -> None:
    """Keep a picture in place of the one before; None takes it away. Raises `UnknownDeck`."""
    with store.writing() as session:
        if session.get(DeckRow, deck_id, with_for_update=True) is None:
            raise UnknownDeck()
        session.execute(
            delete(DeckPictureRow).where(DeckPictureRow.deck_id == deck_id, DeckPictureRow.side == side)
        )
        if jpeg is not None:
            session.add(DeckPictureRow(deck_id=deck_id, side=side, jpeg=jpeg))
