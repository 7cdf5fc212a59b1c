"""The devices that were let in: remembered until they are forgotten, or not seen for two months."""

from __future__ import annotations

import secrets
from dataclasses import dataclass

from sqlalchemy import delete, select

from webui.store.engine import Store
from webui.store.schema import PairedRow

UNUSED_MS = 60 * 24 * 3600 * 1000
"""A device that was not seen for so long has to show the code again."""

SEEN_AGAIN_MS = 12 * 3600 * 1000
"""That a device is there is written down twice a day, not at each of its requests."""

NAME_LETTERS = 48


@dataclass(frozen=True)
class Device:
    """A device that was let in: its id, what it is as far as it says, when it came and when it was last there."""

    id: str
    name: str
    paired_ms: int
    seen_ms: int


def pair(store: Store, name: str, now_ms: int) -> str:
    """Let a device in; gives its id. Forgets those that were not seen for too long."""
    device_id = secrets.token_hex(8)
    with store.writing() as session:
        session.execute(delete(PairedRow).where(PairedRow.seen_ms < now_ms - UNUSED_MS))
        session.add(PairedRow(id=device_id, name=name[:NAME_LETTERS], paired_ms=now_ms, seen_ms=now_ms))
    return device_id


def is_paired(store: Store, device_id: str, now_ms: int) -> bool:
    """Whether a device is let in; notes now and then that it is there."""
    with store.reading() as session:
        row = session.get(PairedRow, device_id)
    if row is None or row.seen_ms < now_ms - UNUSED_MS:
        return False
    if row.seen_ms < now_ms - SEEN_AGAIN_MS:
        with store.writing() as session:
            seen = session.get(PairedRow, device_id)
            if seen:
                seen.seen_ms = now_ms
    return True


def listed(store: Store) -> tuple[Device, ...]:
    """All devices that were let in, the one seen last first."""
    with store.reading() as session:
        rows = session.scalars(select(PairedRow).order_by(PairedRow.seen_ms.desc(), PairedRow.id))
        return tuple(Device(row.id, row.name, row.paired_ms, row.seen_ms) for row in rows)


def forget(store: Store, device_id: str) -> bool:
    """Let a device in no more; whether it was."""
    with store.writing() as session:
        row = session.get(PairedRow, device_id)
        if row is not None:
            session.delete(row)
    return row is not None
