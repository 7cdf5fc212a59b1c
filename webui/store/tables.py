"""Game tables in the database: the log of each, appended to and never rewritten."""

import hashlib
import json
import secrets
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass

from sqlalchemy import delete, func, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session

from webui.ledger.changes import Change, Created, Event, RoundAdded, RoundEdited
from webui.ledger.errors import N_, LedgerError
from webui.ledger.fold import Ledger, fold
from webui.ledger.wire import body_of, kind_of
from webui.store import remains
from webui.store.engine import Store
from webui.store.logs import DamagedLog, Log
from webui.store.schema import KEY_LETTERS, EventRow, RoundCropRow, TableRow

MAX_EVENTS = 5000
"""Events of one table: far beyond an evening, and still folded in a few hundredths of a second."""


class UnknownTable(LedgerError):
    """No table has this id."""

    code = "unknown_table"
    text = N_("There is no such table, or it was deleted.")


class Conflict(LedgerError):
    """The table changed since the client last saw it."""

    code = "conflict"
    text = N_("Somebody else changed this table meanwhile. Look at what is new, then save again.")


class KeyReused(LedgerError):
    """A key that another request already used."""

    code = "key_reused"
    text = N_("This form was already saved with other contents. Open it again to make a new change.")


class BadKey(LedgerError):
    """A key that is missing, too short to be unique, or too long."""

    code = "bad_key"
    text = N_("The request has no usable key; load the page again.")


class LogFull(LedgerError):
    """A table with more events than the ledger keeps."""

    code = "log_full"
    text = N_("This table is full; begin a new one.")


class MissingCrop(LedgerError):
    """A round that names a picture which is not there."""

    code = "missing_crop"
    text = N_("A picture of a card is missing.")


@dataclass(frozen=True)
class Order:
    """What a client asks for, beside the change itself.

    Parameters
    ----------
    key
        Made by the client once per intended change, kept over retries.
    asked
        SHA-256 of the request (`fingerprint`), to tell a retry from another use of the key.
    at_ms
        The time, milliseconds since 1970.
    """

    key: str
    asked: str
    at_ms: int


@dataclass(frozen=True)
class Appended:
    """An acknowledged change: table, its number in the log, and whether it was there before."""

    table_id: str
    seq: int
    repeated: bool


def fingerprint(request: object) -> str:
    """SHA-256 of a request's contents (JSON values), the same for the same contents in any order of names."""
    text = json.dumps(request, sort_keys=True, ensure_ascii=False, separators=(",", ":"))
    return hashlib.sha256(text.encode()).hexdigest()


def acknowledged(store: Store, order: Order) -> Appended | None:
    """What an earlier request with this key did, or None; raises `KeyReused` where it asked for something else."""
    with store.reading() as session:
        return _earlier(session, order)


def create(
    store: Store, events: Sequence[Change], order: Order, crops: Mapping[str, bytes] | None = None
) -> Appended:
    """Make a table with its first events (one when it is new, all of them when it is imported).

    Times of the later events come from `order`; see `restore` for a log with times of its own.
    """
    return restore(
        store, [Event(seq, order.at_ms, change) for seq, change in enumerate(events, start=1)], order, crops
    )


def restore(
    store: Store, log: Sequence[Event], order: Order, crops: Mapping[str, bytes] | None = None
) -> Appended:
    """Make a table from a whole log, all or nothing; raises `LedgerError` where the log does not hold together."""
    check_key(order.key)
    if len(log) > MAX_EVENTS:
        raise LogFull()
    fold(log)
    table_id = secrets.token_urlsafe(8)
    try:
        with store.writing() as session:
            earlier = _earlier(session, order)
            if earlier:
                return earlier
            session.add(
                TableRow(id=table_id, version=len(log), created_ms=log[0].at_ms, changed_ms=order.at_ms)
            )
            session.flush()
            for event in log:
                # The first event carries the key of the request, the others have one of their own.
                key = order.key if event.seq == 1 else secrets.token_hex(16)
                session.add(_row(table_id, event, key, order.asked))
            _keep_crops(session, table_id, [event.change for event in log], crops or {})
    except IntegrityError:
        return _lost_race(store, order)
    return Appended(table_id, len(log), repeated=False)


def append(
    store: Store,
    table_id: str,
    change: Change,
    base: int,
    order: Order,
    crops: Mapping[str, bytes] | None = None,
) -> Appended:
    """Add one event to a table and commit it.

    Parameters
    ----------
    base
        The version of the table on which the client made the change.
    crops
        JPEG bytes by SHA-256 for the pictures that the change names.

    Raises
    ------
    UnknownTable, Conflict, KeyReused, BadKey, LogFull, LedgerError
        Nothing is written then. A repeated request is no error: it gives what the first one got.
    """
    check_key(order.key)
    try:
        with store.writing() as session:
            # On PostgreSQL the row lock lets one change at a time through; on SQLite the write lock does.
            row = session.get(TableRow, table_id, with_for_update=True)
            earlier = _earlier(session, order)
            if earlier:
                return earlier
            if row is None:
                raise UnknownTable()
            if base != row.version:
                raise Conflict()
            if row.version >= MAX_EVENTS:
                raise LogFull()
            event = Event(row.version + 1, order.at_ms, change)
            before = store.logs.read(session, row)
            after = fold([*before.events, event])
            session.add(_row(table_id, event, order.key, order.asked))
            row.version = event.seq
            row.changed_ms = order.at_ms
            _keep_crops(session, table_id, [change], crops or {})
    except IntegrityError:
        return _lost_race(store, order)
    store.logs.grown(table_id, event, after, before)
    return Appended(table_id, event.seq, repeated=False)


def log(store: Store, table_id: str) -> Log:
    """A table's events and how it stands after them; raises `UnknownTable` or `DamagedLog`."""
    with store.reading() as session:
        row = session.get(TableRow, table_id)
        if row is None:
            raise UnknownTable()
        return store.logs.read(session, row)


def events(store: Store, table_id: str) -> tuple[Event, ...]:
    """The whole log of a table; raises `UnknownTable` or `DamagedLog`."""
    return log(store, table_id).events


def ledger(store: Store, table_id: str) -> Ledger:
    """A table as it stands; raises `UnknownTable` or `DamagedLog`."""
    return log(store, table_id).ledger


def version(store: Store, table_id: str) -> int:
    """Number of the last event of a table; raises `UnknownTable`."""
    with store.reading() as session:
        row = session.get(TableRow, table_id)
    if row is None:
        raise UnknownTable()
    return row.version


def name(store: Store, table_id: str) -> str:
    """The name of a table; of a damaged one the name it began with, where that can be told. Raises `UnknownTable`."""
    try:
        return ledger(store, table_id).settings.name
    except DamagedLog:
        with store.reading() as session:
            return remains.name_of(session, table_id)


def count(store: Store) -> int:
    """How many tables there are."""
    with store.reading() as session:
        return session.scalar(select(func.count()).select_from(TableRow)) or 0


@dataclass(frozen=True)
class Damaged:
    """A table that can't be shown: its id and the name it began with, where that can be told."""

    id: str
    name: str


@dataclass(frozen=True)
class Listed:
    """Tables that can be shown, with their ids, and those that are damaged; the one changed last first."""

    tables: tuple[tuple[str, Ledger], ...]
    damaged: tuple[Damaged, ...]


def listed(store: Store, start: int = 0, most: int = 30) -> Listed:
    """The tables by their last change: `most` of them from number `start` on."""
    order = select(TableRow).order_by(TableRow.changed_ms.desc(), TableRow.id)
    sound: list[tuple[str, Ledger]] = []
    damaged: list[Damaged] = []
    with store.reading() as session:
        for row in session.scalars(order.offset(start).limit(most)).all():
            try:
                sound.append((row.id, store.logs.read(session, row).ledger))
            except DamagedLog:
                damaged.append(Damaged(row.id, remains.name_of(session, row.id)))
    return Listed(tuple(sound), tuple(damaged))


def twin(store: Store, log: Sequence[Event]) -> str | None:
    """The table, if any, that was made at the same time by the same people as that of a log; the one changed last."""
    begun = select(TableRow).join(EventRow).where(EventRow.seq == 1, EventRow.at_ms == log[0].at_ms)
    with store.reading() as session:
        for row in session.scalars(begun.order_by(TableRow.changed_ms.desc())).all():
            with suppress(DamagedLog):
                if _same_start(store.logs.read(session, row).events[0], log[0]):
                    return row.id
    return None


def _same_start(one: Event, other: Event) -> bool:
    made, found = one.change, other.change
    return (
        isinstance(made, Created)
        and isinstance(found, Created)
        and (made.rules, made.people[: len(found.people)]) == (found.rules, found.people[: len(made.people)])
    )


def crop(store: Store, table_id: str, sha256: str) -> bytes | None:
    """JPEG bytes of a kept picture, or None."""
    with store.reading() as session:
        return session.scalar(
            select(RoundCropRow.jpeg).where(RoundCropRow.table_id == table_id, RoundCropRow.sha256 == sha256)
        )


def crops(store: Store, table_id: str) -> dict[str, bytes]:
    """All kept pictures of a table by SHA-256."""
    with store.reading() as session:
        rows = session.scalars(select(RoundCropRow).where(RoundCropRow.table_id == table_id))
        return {row.sha256: row.jpeg for row in rows}


def remove(store: Store, table_id: str) -> None:
    """Delete a table with its log and pictures; raises `UnknownTable`."""
    with store.writing() as session:
        if session.get(TableRow, table_id) is None:
            raise UnknownTable()
        session.execute(delete(TableRow).where(TableRow.id == table_id))


def check_key(key: str) -> None:
    """Raise `BadKey` for a key that could not be told from another one."""
    if not 8 <= len(key) <= KEY_LETTERS or not key.isascii() or not key.isprintable():
        raise BadKey()


def _row(table_id: str, event: Event, key: str, asked: str) -> EventRow:
    return EventRow(
        table_id=table_id,
        seq=event.seq,
        key=key,
        asked=asked,
        kind=kind_of(event.change),
        body=body_of(event.change),
        at_ms=event.at_ms,
    )


def _earlier(session: Session, order: Order) -> Appended | None:
    row = session.execute(
        select(EventRow.table_id, EventRow.seq, EventRow.asked).where(EventRow.key == order.key)
    ).first()
    if row is None:
        return None
    if row.asked != order.asked:
        raise KeyReused()
    return Appended(row.table_id, row.seq, repeated=True)


def _lost_race(store: Store, order: Order) -> Appended:
    """Another process wrote the same key or the same place in the log between our look and our commit."""
    earlier = acknowledged(store, order)
    if earlier is None:
        raise Conflict()
    return earlier


def _keep_crops(
    session: Session, table_id: str, changes: Sequence[Change], pictures: Mapping[str, bytes]
) -> None:
    named = {
        one.sha256
        for change in changes
        if isinstance(change, RoundAdded | RoundEdited) and change.round.counted
        for one in change.round.counted.crops
    }
    there = set(session.scalars(select(RoundCropRow.sha256).where(RoundCropRow.table_id == table_id)))
    for sha256 in sorted(named - there):
        if sha256 not in pictures:
            raise MissingCrop()
        session.add(RoundCropRow(table_id=table_id, sha256=sha256, jpeg=pictures[sha256]))
