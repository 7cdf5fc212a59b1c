"""A table as a JSON file: the whole log and its pictures, to be read back as it was.

`{"format": "paiyan-table", "version": 1, "events": [{"seq", "at_ms", "kind", "body"}], "crops": {sha256: base64
JPEG}}`.
"""

import base64
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from webui.ledger import outside
from webui.ledger.changes import Event
from webui.ledger.errors import N_, BadField, LedgerError
from webui.ledger.fold import fold
from webui.ledger.wire import body_of, change_of, kind_of

FORMAT = "paiyan-table"
VERSION = 1
LAST_MS = 253_402_300_800_000
"""Milliseconds from 1970 to the first year that a calendar writes with five digits."""


class NotOurFile(LedgerError):
    """A file that no table was saved to."""

    code = "not_our_file"
    text = N_("This is no table that paiyan saved.")


class NewerFile(LedgerError):
    """A file of a newer version of the format."""

    code = "newer_file"
    text = N_("This file was saved by a newer paiyan.")


@dataclass(frozen=True)
class Saved:
    """What a JSON file holds: the log and the pictures by SHA-256."""

    log: tuple[Event, ...]
    crops: Mapping[str, bytes]


def to_json(log: Sequence[Event], crops: Mapping[str, bytes]) -> str:
    """The whole log and its pictures as a JSON text."""
    events = [
        {"seq": one.seq, "at_ms": one.at_ms, "kind": kind_of(one.change), "body": body_of(one.change)}
        for one in log
    ]
    pictures = {name: base64.b64encode(data).decode("ascii") for name, data in sorted(crops.items())}
    body = {"format": FORMAT, "version": VERSION, "events": events, "crops": pictures}
    return json.dumps(body, ensure_ascii=False, indent=1) + "\n"


def from_json(text: str) -> Saved:
    """Read a JSON file; raises `LedgerError` with what is wrong."""
    try:
        body = outside.loads(text)
    except outside.BadJson:
        raise NotOurFile() from None
    if not isinstance(body, dict) or body.get("format") != FORMAT:
        raise NotOurFile()
    if body.get("version") != VERSION:
        raise NewerFile()
    events, crops = body.get("events"), body.get("crops", {})
    if not isinstance(events, list) or not isinstance(crops, dict):
        raise NotOurFile()
    log = tuple(_event(one) for one in events)
    fold(log)
    return Saved(log, {str(name): _bytes(data) for name, data in crops.items()})


def _event(given: object) -> Event:
    if not isinstance(given, dict) or set(given) != {"seq", "at_ms", "kind", "body"}:
        raise BadField({"field": "events"})
    if type(given["seq"]) is not int or type(given["at_ms"]) is not int:
        raise BadField({"field": "at_ms"})
    if not 0 <= given["at_ms"] < LAST_MS:
        raise BadField({"field": "at_ms"})
    return Event(given["seq"], given["at_ms"], change_of(str(given["kind"]), given["body"]))


def _bytes(data: object) -> bytes:
    try:
        return base64.b64decode(data if isinstance(data, str) else "?", validate=True)
    except ValueError:  # of base64, or of letters that are no ASCII
        raise BadField({"field": "crops"}) from None
