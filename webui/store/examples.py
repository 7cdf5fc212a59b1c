"""Photos kept to measure with, in the database: their truth, and what states of the networks made of them."""

from __future__ import annotations

import hashlib
import hmac
import secrets
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from typing import Any, cast

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError

from vision.evaluate import Counts, Judged
from vision.truth import TruePhoto, photos_of
from webui.ledger.errors import N_, LedgerError
from webui.store.engine import Store
from webui.store.schema import HOUSEHOLD_MARKS, ExampleAnswerRow, ExampleRow, MarkRow
from webui.store.tables import check_key

HOUSEHOLD, SALT = HOUSEHOLD_MARKS

MOST = 500
"""Photos that are kept; at half a megabyte each they are as much as a film."""


class UnknownExample(LedgerError):
    """No kept photo has this id."""

    code = "unknown_example"
    text = N_("There is no such photo, or it was deleted.")


class TooManyExamples(LedgerError):
    """As many photos are kept as may be."""

    code = "too_many_examples"
    text = N_("%(most)s photos are kept already; delete some first.")


@dataclass(frozen=True)
class Example:
    """A kept photo without its picture: deck, the deck's own name or "", source ("" for one's own), truth."""

    id: str
    deck: str
    name: str
    source: str
    coco: Mapping[str, Any]
    created_ms: int

    @property
    def photo(self) -> TruePhoto:
        """What it truly shows, its light among the groups."""
        (photo,) = photos_of(self.coco)
        light = self.coco["images"][0].get("light", "plain")
        return TruePhoto(self.id, photo.deck, photo.layout, photo.cards, (f"light {light}",))


@dataclass(frozen=True)
class Answer:
    """What one state of the networks made of a kept photo; `how` is `plain`, or `own` with the print of its deck."""

    example_id: str
    weights: str
    how: str
    counts: Counts
    judged: tuple[Judged, ...]
    at_ms: int


def add(
    store: Store, jpeg: bytes, coco: Mapping[str, Any], *, name: str, source: str, key: str, at_ms: int
) -> str:
    """Keep a photo and give its id; the same key again gives the same photo. Raises `TooManyExamples`."""
    check_key(key)
    example_id = secrets.token_urlsafe(8)
    try:
        with store.writing() as session:
            earlier = session.scalar(select(ExampleRow.id).where(ExampleRow.key == key))
            if earlier:
                return earlier
            if (session.scalar(select(func.count()).select_from(ExampleRow)) or 0) >= MOST:
                raise TooManyExamples({"most": MOST})
            session.add(
                ExampleRow(
                    id=example_id,
                    key=key,
                    deck=coco["images"][0]["deck"],
                    name=name,
                    source=source,
                    jpeg=jpeg,
                    coco=dict(coco),
                    created_ms=at_ms,
                )
            )
    except IntegrityError:
        with store.reading() as session:
            return cast("str", session.scalar(select(ExampleRow.id).where(ExampleRow.key == key)))
    return example_id


_COLUMNS = (
    ExampleRow.id,
    ExampleRow.deck,
    ExampleRow.name,
    ExampleRow.source,
    ExampleRow.coco,
    ExampleRow.created_ms,
)


def listed(store: Store, name: str | None = None) -> tuple[Example, ...]:
    """All kept photos, or those of the deck of this name, the newest first."""
    wanted = select(*_COLUMNS).order_by(ExampleRow.created_ms.desc(), ExampleRow.id)
    if name is not None:
        wanted = wanted.where(ExampleRow.name == name)
    with store.reading() as session:
        return tuple(_example(row) for row in session.execute(wanted).all())


def load(store: Store, example_id: str) -> Example:
    """One kept photo; raises `UnknownExample`."""
    with store.reading() as session:
        row = session.execute(select(*_COLUMNS).where(ExampleRow.id == example_id)).first()
    if row is None:
        raise UnknownExample()
    return _example(row)


def _example(row: Sequence[Any]) -> Example:
    return Example(*row)


def picture(store: Store, example_id: str) -> bytes:
    """JPEG bytes of a kept photo; raises `UnknownExample`."""
    with store.reading() as session:
        found = session.scalar(select(ExampleRow.jpeg).where(ExampleRow.id == example_id))
    if found is None:
        raise UnknownExample()
    return found


def rename(store: Store, example_id: str, name: str) -> None:
    """Say which deck a kept photo shows; what was made of it with another deck's print is forgotten."""
    with store.writing() as session:
        row = session.get(ExampleRow, example_id)
        if row is None:
            raise UnknownExample()
        row.name = name
        session.execute(
            delete(ExampleAnswerRow).where(
                ExampleAnswerRow.example_id == example_id, ExampleAnswerRow.how == "own"
            )
        )


def remove(store: Store, example_id: str) -> None:
    """Delete a kept photo with everything that was made of it; raises `UnknownExample`."""
    with store.writing() as session:
        row = session.get(ExampleRow, example_id)
        if row is None:
            raise UnknownExample()
        session.delete(row)


def put_answer(store: Store, answer: Answer) -> None:
    """Keep what a state of the networks made of a photo, in place of what the same made of it before."""
    row = ExampleAnswerRow(
        example_id=answer.example_id,
        weights=answer.weights,
        how=answer.how,
        counts=asdict(answer.counts),
        judged=[[one.true, one.code, one.confidence, one.review] for one in answer.judged],
        at_ms=answer.at_ms,
    )
    with store.writing() as session:
        if session.get(ExampleRow, answer.example_id) is None:
            raise UnknownExample()
        session.merge(row)


def answers(store: Store) -> tuple[Answer, ...]:
    """Everything that was made of kept photos, the oldest first."""
    with store.reading() as session:
        rows = session.scalars(select(ExampleAnswerRow).order_by(ExampleAnswerRow.at_ms)).all()
        return tuple(
            Answer(
                row.example_id,
                row.weights,
                row.how,
                Counts(**cast("dict[str, int]", row.counts)),
                tuple(Judged(*one) for one in cast("list[list[Any]]", row.judged)),
                row.at_ms,
            )
            for row in rows
        )


def household(store: Store) -> str:
    """A name by chance under which photos are given away from here, made where missing: no benchmark parts them."""
    return _mark(store, HOUSEHOLD, 4)


def print_name(store: Store, example: Example) -> str:
    """What packages of this household call the deck of a photo: always the same, and no way back to its name."""
    said = f"{example.deck} {example.name}".encode()
    return f"deck-{hmac.new(_mark(store, SALT, 16).encode(), said, hashlib.sha256).hexdigest()[:6]}"


def _mark(store: Store, name: str, size: int) -> str:
    """A mark of the database in hexadecimal digits, drawn by chance where missing."""
    with store.writing() as session:
        row = session.get(MarkRow, name)
        if row is None:
            row = MarkRow(name=name, value=secrets.token_hex(size))
            session.add(row)
        return row.value
