"""Catalogued decks in the database: their cards, their pictures, their photos where these were kept."""

import secrets
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from webui.ledger.errors import N_, LedgerError
from webui.store.engine import Store
from webui.store.schema import DeckCardRow, DeckPhotoRow, DeckRow
from webui.store.tables import Conflict, check_key


class UnknownDeck(LedgerError):
    """No saved deck has this id."""

    code = "unknown_deck"
    text = N_("There is no such deck, or it was deleted.")


class NameTaken(LedgerError):
    """Another saved deck has this name."""

    code = "name_taken"
    text = N_("Another deck is called “%(name)s”.")


class DeckChanged(Conflict):
    """The deck changed since the client last saw it."""

    text = N_("Somebody changed this deck meanwhile. Look at what is new, then save again.")


@dataclass(frozen=True)
class KeptCard:
    """One card of a catalogue: number of its photo from 0, code, whether it counts, JPEG bytes or None."""

    photo: int
    code: str
    counts: bool
    jpeg: bytes | None = None


@dataclass(frozen=True)
class KeptPhoto:
    """One photo of a catalogue: relation to those before, foreign cards in it, JPEG bytes where it was kept.

    `key` is that of the request that brought it, `look` what the photo is known again by.
    """

    relation: str
    foreign: int
    jpeg: bytes | None = None
    key: str | None = None
    look: str | None = None


@dataclass(frozen=True)
class NewDeck:
    """A deck to be saved."""

    name: str
    deck: str
    composition: str | None
    photos: tuple[KeptPhoto, ...]
    cards: tuple[KeptCard, ...]


@dataclass(frozen=True)
class KeptDeck:
    """A saved deck; the pictures themselves stay in the database, `pictured` are the numbers of cards with one."""

    id: str
    name: str
    deck: str
    composition: str | None
    version: int
    taught: bool
    created_ms: int
    changed_ms: int
    photos: tuple[KeptPhoto, ...]
    cards: tuple[KeptCard, ...]
    pictured: frozenset[int]
    photographed: frozenset[int]


def save(store: Store, new: NewDeck, key: str, at_ms: int) -> str:
    """Save a deck and give its id; the same key again gives the same deck. Raises `NameTaken`."""
    check_key(key)
    deck_id = secrets.token_urlsafe(8)
    try:
        with store.writing() as session:
            earlier = session.scalar(select(DeckRow.id).where(DeckRow.key == key))
            if earlier:
                return earlier
            _refuse_name(session, new.name)
            session.add(
                DeckRow(
                    id=deck_id,
                    key=key,
                    name=new.name,
                    deck=new.deck,
                    composition=new.composition,
                    version=1,
                    taught=False,
                    created_ms=at_ms,
                    changed_ms=at_ms,
                )
            )
            session.flush()
            session.add_all(_rows(deck_id, new.photos, new.cards))
    except IntegrityError:
        with store.reading() as session:
            earlier = session.scalar(select(DeckRow.id).where(DeckRow.key == key))
        if earlier is None:
            raise NameTaken({"name": new.name}) from None
        return earlier
    return deck_id


def extend(
    store: Store,
    deck_id: str,
    photos: Sequence[KeptPhoto],
    cards: Sequence[KeptCard],
    base: int,
    at_ms: int,
) -> None:
    """Add photos and their cards (numbered from 0 among these photos) to a saved deck.

    Raises
    ------
    UnknownDeck, DeckChanged
        `DeckChanged` where `base` is not its version, also where the same photos were added already.
    """
    with store.writing() as session:
        row = session.get(DeckRow, deck_id, with_for_update=True)
        if row is None:
            raise UnknownDeck()
        if base != row.version:
            raise DeckChanged()
        session.add_all(
            _rows(
                deck_id,
                photos,
                cards,
                _number(session, DeckPhotoRow, deck_id),
                _number(session, DeckCardRow, deck_id),
            )
        )
        row.version += 1
        row.changed_ms = at_ms


def _number(session: Session, table: type[DeckCardRow | DeckPhotoRow], deck_id: str) -> int:
    """How many rows of this table a deck has."""
    return session.scalar(select(func.count()).select_from(table).where(table.deck_id == deck_id)) or 0


def _rows(
    deck_id: str,
    photos: Sequence[KeptPhoto],
    cards: Sequence[KeptCard],
    photos_before: int = 0,
    cards_before: int = 0,
) -> list[DeckCardRow | DeckPhotoRow]:
    found: list[DeckCardRow | DeckPhotoRow] = [
        DeckCardRow(
            deck_id=deck_id,
            number=number,
            photo=photos_before + card.photo,
            code=card.code,
            counts=card.counts,
            jpeg=card.jpeg,
        )
        for number, card in enumerate(cards, cards_before)
    ]
    found += [
        DeckPhotoRow(
            deck_id=deck_id,
            number=number,
            relation=photo.relation,
            foreign_cards=photo.foreign,
            jpeg=photo.jpeg,
            key=photo.key,
            look=photo.look,
        )
        for number, photo in enumerate(photos, photos_before)
    ]
    return found


def _refuse_name(session: Session, name: str, besides: str = "") -> None:
    # By the lower case: names are folders of the taught prints, and some file systems know no case.
    taken = select(DeckRow.id).where(func.lower(DeckRow.name) == name.lower(), DeckRow.id != besides)
    if session.scalar(taken):
        raise NameTaken({"name": name})


def load(store: Store, deck_id: str) -> KeptDeck:
    """A saved deck without the bytes of its pictures; raises `UnknownDeck`."""
    with store.reading() as session:
        row = session.get(DeckRow, deck_id)
        if row is None:
            raise UnknownDeck()
        return _kept(session, row)


def named(store: Store, name: str) -> KeptDeck:
    """The saved deck of this name; raises `UnknownDeck`."""
    with store.reading() as session:
        row = session.scalar(select(DeckRow).where(DeckRow.name == name))
        if row is None:
            raise UnknownDeck()
        return _kept(session, row)


def listed(store: Store) -> tuple[KeptDeck, ...]:
    """All saved decks, the one changed last first."""
    with store.reading() as session:
        rows = session.scalars(select(DeckRow).order_by(DeckRow.changed_ms.desc(), DeckRow.id))
        return tuple(_kept(session, row) for row in rows.all())


def _kept(session: Session, row: DeckRow) -> KeptDeck:
    card, photo = DeckCardRow, DeckPhotoRow
    cards = session.execute(
        select(card.photo, card.code, card.counts, card.jpeg.is_not(None))
        .where(card.deck_id == row.id)
        .order_by(card.number)
    ).all()
    photos = session.execute(
        select(photo.relation, photo.foreign_cards, photo.key, photo.look, photo.jpeg.is_not(None))
        .where(photo.deck_id == row.id)
        .order_by(photo.number)
    ).all()
    return KeptDeck(
        id=row.id,
        name=row.name,
        deck=row.deck,
        composition=row.composition,
        version=row.version,
        taught=row.taught,
        created_ms=row.created_ms,
        changed_ms=row.changed_ms,
        photos=tuple(
            KeptPhoto(relation, foreign, key=key, look=look) for relation, foreign, key, look, _ in photos
        ),
        cards=tuple(KeptCard(number, code, counts) for number, code, counts, _ in cards),
        pictured=frozenset(number for number, one in enumerate(cards) if one[3]),
        photographed=frozenset(number for number, one in enumerate(photos) if one[4]),
    )


def picture(store: Store, deck_id: str, number: int) -> bytes | None:
    """JPEG bytes of one card's picture, or None."""
    with store.reading() as session:
        row = session.get(DeckCardRow, (deck_id, number))
        return row.jpeg if row else None


def pictures(store: Store, deck_id: str) -> dict[int, bytes]:
    """All pictures of a deck by the number of their card."""
    with store.reading() as session:
        rows = session.execute(
            select(DeckCardRow.number, DeckCardRow.jpeg).where(DeckCardRow.deck_id == deck_id)
        ).all()
    return {number: jpeg for number, jpeg in rows if jpeg is not None}


def photograph(store: Store, deck_id: str, number: int) -> bytes | None:
    """JPEG bytes of a kept photo, or None."""
    with store.reading() as session:
        row = session.get(DeckPhotoRow, (deck_id, number))
        return row.jpeg if row else None


@dataclass(frozen=True)
class DeckChange:
    """What a deck is from now on; None leaves as it is (`composition` "" means: compare with the nearest)."""

    name: str | None = None
    composition: str | None = None
    taught: bool | None = None


def change(store: Store, deck_id: str, wanted: DeckChange, base: int | None, at_ms: int) -> None:
    """Change a saved deck; raises as `changing` does."""
    with changing(store, deck_id, wanted, base, at_ms):
        pass


@contextmanager
def changing(
    store: Store, deck_id: str, wanted: DeckChange, base: int | None, at_ms: int
) -> Iterator[Session]:
    """Change a saved deck, and what else is written to the session, at once or not at all.

    Raises
    ------
    UnknownDeck, NameTaken, DeckChanged
        `DeckChanged` where `base` is not its version.
    """
    try:
        with store.writing() as session:
            row = session.get(DeckRow, deck_id, with_for_update=True)
            if row is None:
                raise UnknownDeck()
            if base is not None and base != row.version:
                raise DeckChanged()
            if wanted.name is not None:
                _refuse_name(session, wanted.name, besides=deck_id)
                row.name = wanted.name
            if wanted.composition is not None:
                row.composition = wanted.composition or None
            if wanted.taught is not None:
                row.taught = wanted.taught
            row.version += 1
            row.changed_ms = at_ms
            yield session
    except IntegrityError:
        raise NameTaken({"name": wanted.name or ""}) from None


def remove(store: Store, deck_id: str) -> None:
    """Delete a saved deck with its pictures; raises `UnknownDeck`."""
    with store.writing() as session:
        if session.get(DeckRow, deck_id) is None:
            raise UnknownDeck()
        session.execute(delete(DeckRow).where(DeckRow.id == deck_id))
