"""Saved tables, to be damaged."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator

import scorer
from tests.hostile.asked import DEEP, ODD_DIGITS, dumped, wounded
from webui.ledger.changes import (
    Change,
    Counted,
    Created,
    Event,
    Round,
    RoundAdded,
    RoundDeleted,
    Seating,
    Settings,
)
from webui.ledger.exchange import to_json
from webui.ledger.fold import fold
from webui.ledger.sheet import csv_text, to_rows

PEOPLE = ("甲", "乙", "丙", "丁")
HAND = "rK rA rB rR rN rC rP yP gP yN yN yN gK gA gA wB wB wR wR wC wC"
"""RULES E-02: exactly ten 胡, one from each other player."""

ODD_DATES = ("12026-01-01T00:00", "9999-12-31T23:59:59-14:00", "0001-01-01", "2026-13-01")
ODD_CELLS = ("", "NaN", DEEP, '{"a": 1e999}', *ODD_DATES, "=1+1", "rK " * 900)
"""What stands in one cell of a CSV file."""


def a_log() -> list[Event]:
    """A table of four with a counted round, one by numbers, a draw, and one that was taken back."""
    score = scorer.score_json(scorer.score(scorer.parse_hand(HAND, "shihu"), {}, {}))
    counted = Counted(HAND, {}, {}, score, ())
    changes: list[Change] = [
        Created("shihu", Settings("周末", 1, 4), PEOPLE, Seating(0)),
        RoundAdded(Round("hand", (3, -1, -1, -1), Seating(0), 1, winner=0, counted=counted)),
        RoundAdded(Round("numbers", (12, -4, -4, -4), Seating(0), 1, winner=0)),
        RoundAdded(Round("draw", (0, 0, 0, 0), Seating(0), 1)),
        RoundDeleted(3),
    ]
    return [Event(seq, 1_700_000_000_000 + 1000 * seq, change) for seq, change in enumerate(changes, 1)]


def saved_tables() -> list[bytes]:
    """The same table as a JSON file and as a CSV file, in codes."""
    log = a_log()
    rows = to_rows(fold(log))
    return [text.encode() for text in (to_json(log, {}), csv_text(rows))]


def wounded_tables(most: int) -> Iterator[bytes]:
    """Saved tables of which one value is another, evenly from all that there are: JSON files and CSV files."""
    whole = json.loads(to_json(a_log(), {}))
    files = [dumped(body).encode() for body in wounded(whole)]
    sheet = list(csv.reader(io.StringIO(csv_text(to_rows(fold(a_log()))))))
    for row, cells in enumerate(sheet):
        for column in range(len(cells)):
            for odd in (*ODD_DIGITS, *ODD_CELLS):
                changed = [[*line] for line in sheet]
                changed[row][column] = odd
                out = io.StringIO()
                csv.writer(out).writerows(changed)
                files.append(out.getvalue().encode())
    yield from files[:: max(1, len(files) // most)]
