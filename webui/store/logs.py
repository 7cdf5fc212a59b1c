"""The logs of tables as they are read: checked row by row, and kept folded, so that a change costs only itself.

A log that does not hold together (a damaged row, an event of a later version, a gap) is `DamagedLog`: the table it
belongs to is said to be damaged, and no other one is touched.
"""

import json
import re
from collections import OrderedDict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from threading import Lock

from sqlalchemy import Text, cast, select
from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from webui.ledger.changes import Event
from webui.ledger.errors import N_, BadField, BadSequence, LedgerError
from webui.ledger.fold import Ledger, fold
from webui.ledger.wire import change_of
from webui.store.faults import says_damage
from webui.store.schema import EventRow, TableRow

MOST_EVENTS = 6000
"""Events kept in memory, of all tables together: one full table, or a hundred evenings; 12 kB each at most."""

LAST_MS = 253_402_300_800_000
"""The first millisecond, since 1970, of a year that no calendar here has."""

HALF_A_LETTER = re.compile(r"\\u[dD][89a-fA-F]")
"""What a letter beyond the first 65536 is written by in JSON: two of these, and never one alone."""

BROKEN = (ValueError, TypeError, LookupError, AttributeError, ArithmeticError, RecursionError, AssertionError)
"""What reading and folding rows raises that are not as they were written."""


class DamagedLog(LedgerError):
    """A table whose log does not hold together; `why` says where, where that is known."""

    code = "damaged_table"
    text = N_("This table is damaged: it can't be shown, only saved as it is and deleted.")

    def __init__(self, why: str = "") -> None:
        super().__init__()
        self.why = why


@dataclass(frozen=True)
class Log:
    """A table's events and how it stands after them; `before` is how it stood before the last one, if that is known."""

    events: tuple[Event, ...]
    ledger: Ledger
    changed_ms: int
    before: Ledger | None = None


class Logs:
    """The logs that were read last."""

    def __init__(self) -> None:
        self._checks: list[Callable[[Sequence[Event], Ledger], None]] = []
        self._kept: OrderedDict[str, Log] = OrderedDict()
        self._lock = Lock()

    def also(self, check: Callable[[Sequence[Event], Ledger], None]) -> None:
        """Let `check` say what else must hold of the new events of a log and how it stands; it raises `LedgerError`."""
        self._checks.append(check)

    def read(self, session: Session, row: TableRow) -> Log:
        """The log of a table; raises `DamagedLog`."""
        with self._lock:
            kept = self._kept.get(row.id)
        if kept and kept.ledger.version == row.version and kept.changed_ms == row.changed_ms:
            return kept
        log = self._read(session, row, kept)
        self._keep(row.id, log)
        return log

    def forget(self) -> None:
        """Read every log anew: the database was changed by other hands."""
        with self._lock:
            self._kept.clear()

    def _read(self, session: Session, row: TableRow, kept: Log | None) -> Log:
        known = kept.events if kept and _goes_on(session, row, kept) else ()
        try:
            events = known + _events(session, row.id, len(known))
            if len(events) != row.version:
                raise BadSequence({"seq": len(events) + 1})
            ledger = fold(events)
            for check in self._checks:
                check(events[len(known) :], ledger)
        except BROKEN as error:
            raise DamagedLog(str(error)) from error
        except DBAPIError as error:
            if not says_damage(error):
                raise
            raise DamagedLog(str(error.orig)) from error
        before = kept.ledger if kept and len(known) + 1 == row.version else None
        return Log(events, ledger, row.changed_ms, before)

    def grown(self, table_id: str, event: Event, ledger: Ledger, before: Log) -> None:
        """Keep what a table came to by a change that was just committed, so that it is not folded once more."""
        self._keep(table_id, Log((*before.events, event), ledger, event.at_ms, before.ledger))

    def _keep(self, table_id: str, log: Log) -> None:
        with self._lock:
            self._kept[table_id] = log
            self._kept.move_to_end(table_id)
            while len(self._kept) > 1 and sum(len(one.events) for one in self._kept.values()) > MOST_EVENTS:
                self._kept.popitem(last=False)


def _goes_on(session: Session, row: TableRow, kept: Log) -> bool:
    """Whether the table in the database begins with the log that is kept, by its last event's number and time."""
    last = kept.events[-1]
    there = session.scalar(
        select(EventRow.at_ms).where(EventRow.table_id == row.id, EventRow.seq == last.seq)
    )
    return kept.ledger.version < row.version and there == last.at_ms


def _events(session: Session, table_id: str, after: int) -> tuple[Event, ...]:
    """The events of a table behind number `after`, in order."""
    rows = session.execute(
        select(EventRow.seq, EventRow.kind, cast(EventRow.body, Text), EventRow.at_ms)
        .where(EventRow.table_id == table_id, EventRow.seq > after)
        .order_by(EventRow.seq)
    )
    return tuple(_event(*row) for row in rows)


def _event(seq: int, kind: str, body: str, at_ms: int) -> Event:
    if type(at_ms) is not int or not 0 <= at_ms < LAST_MS:
        raise BadField({"field": "at_ms"})
    read = json.loads(body)
    if HALF_A_LETTER.search(body):
        json.dumps(read, ensure_ascii=False).encode()  # raises where one stands alone: no page could be sent
    return Event(seq, at_ms, change_of(kind, read))
