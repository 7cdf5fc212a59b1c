"""What can be had of a damaged table: the name it was given, and its rows as they are."""

import base64
import json
import re
from contextlib import suppress
from typing import Any

from sqlalchemy import Select, Text, cast, select
from sqlalchemy.orm import Session

from webui.store.engine import Store
from webui.store.faults import damage_passed_over
from webui.store.schema import EventRow, RoundCropRow

FORMAT = "paiyan-damaged-table"
LONGEST_NAME = 48


def name_of(session: Session, table_id: str) -> str:
    """The name that the first event gave the table, or nothing."""
    first = select(cast(EventRow.body, Text)).where(EventRow.table_id == table_id, EventRow.seq == 1)
    name = None
    with damage_passed_over(), suppress(ValueError, TypeError, LookupError, RecursionError):
        name = json.loads(session.scalar(first) or "null")["settings"]["name"]
    # Half a letter can be in no page.
    return re.sub("[\ud800-\udfff]", "\ufffd", name)[:LONGEST_NAME] if isinstance(name, str) else ""


def as_they_are(store: Store, table_id: str) -> str:
    """The rows of a table and its pictures as JSON, read one by one so that what is damaged costs no other.

    `{"format": "paiyan-damaged-table", "events": [{"seq", "key", "kind", "body", "at_ms"}], "crops": {sha256: base64
    JPEG}}`; the bodies are texts as they lie in the database.
    """
    events: list[dict[str, object]] = []
    crops: dict[str, str] = {}
    row = select(
        EventRow.seq, EventRow.key, EventRow.kind, cast(EventRow.body, Text).label("body"), EventRow.at_ms
    )
    with store.reading() as session:
        for seq in _found(session, select(EventRow.seq).where(EventRow.table_id == table_id)):
            with damage_passed_over():
                # A damaged index may name rows that are not there, or several.
                here = session.execute(row.where(EventRow.table_id == table_id, EventRow.seq == seq)).all()
                events += [dict(one._mapping) for one in here]
        for name in _found(session, select(RoundCropRow.sha256).where(RoundCropRow.table_id == table_id)):
            with damage_passed_over():
                kept = select(RoundCropRow.jpeg).where(
                    RoundCropRow.table_id == table_id, RoundCropRow.sha256 == name
                )
                for jpeg in session.scalars(kept):
                    crops[str(name)] = base64.b64encode(jpeg).decode("ascii")
    return json.dumps({"format": FORMAT, "events": events, "crops": crops}, indent=1, default=repr) + "\n"


def _found(session: Session, wanted: Select[Any]) -> list[object]:
    """What a query finds before it comes upon damage."""
    found: list[object] = []
    with damage_passed_over():
        for one in session.scalars(wanted):
            found.append(one)
    return found
