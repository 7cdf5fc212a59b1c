"""Saved tables, to be damaged."""

from __future__ import annotations

import scorer
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
