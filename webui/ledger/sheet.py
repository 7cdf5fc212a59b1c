"""A table as a CSV file, as a spreadsheet shows it; in codes, which the page puts into words.

One row `table` (settings and the coming seats), one `round` each, oldest first, one `total`; the columns of
`COLUMNS`, then one per person in the order in which they sit, with that one's money, left empty while the person
sits out. What was undone or corrected is not in it; the hands and the counts that were said are, and are counted again
when it is read (`webui.ledger.sheet_reader`).
"""

import csv
import io
import json
import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from webui.ledger.changes import Round
from webui.ledger.fold import Ledger
from webui.ledger.money import written

COLUMNS = (
    "row",
    "time",
    "rules",
    "how",
    "dealer",
    "sitter",
    "winner",
    "last",
    "drawer",
    "stake",
    "hand",
    "facts",
    "options",
    "total",
    "unit",
    "seats",
    "dealer_rule",
    "note",
)
AWAY, OUT = "away", "out"
FALSE = "false"
"""How a false call by its numbers is written down; a reader of the sheet would take it for a win."""
# A spreadsheet would take a cell that begins so for a formula.
FORMULA = ("=", "+", "-", "@", "\t", "\r", "'")


def csv_text(rows: Sequence[Sequence[str]]) -> str:
    """Rows as CSV text with a byte order mark (for Excel); no cell of words is taken for a formula."""
    out = io.StringIO()
    csv.writer(out, lineterminator="\r\n").writerows([[escaped(cell) for cell in row] for row in rows])
    return "\ufeff" + out.getvalue()


def to_rows(ledger: Ledger) -> list[list[str]]:
    """The headings and the rounds as they stand, in codes."""
    names = [person.name for person in ledger.people]
    rows = [[*COLUMNS, *(names[number] for number in ledger.order)]]
    states = [
        AWAY if ledger.people[number].away else OUT if number in ledger.coming.out else ""
        for number in ledger.order
    ]
    rows.append([*_cells(_table_cells(ledger)), *states])
    for played in ledger.rounds:
        amounts = [
            ""
            if number in played.round.seating.out or number >= len(played.round.amounts)
            # A plain minus: a spreadsheet must read it as a number.
            else written(played.round.amounts[number])
            for number in ledger.order
        ]
        rows.append([*_cells(_round_cells(played.round, played.at_ms, names)), *amounts])
    rows.append([*_cells({"row": "total"}), *(written(ledger.totals[number]) for number in ledger.order)])
    return rows


def _cells(values: Mapping[str, object]) -> list[str]:
    return [str(values.get(name, "")) for name in COLUMNS]


def escaped(text: str) -> str:
    """A cell that no spreadsheet takes for a formula; a number is one as it is."""
    return f"'{text}" if text.startswith(FORMULA) and not re.fullmatch(r"-\d+(\.\d+)?", text) else text


def _table_cells(ledger: Ledger) -> dict[str, object]:
    names = [person.name for person in ledger.people]
    return {
        "row": "table",
        "time": _time(ledger.created_ms),
        "rules": ledger.rules,
        "dealer": _name(names, ledger.coming.dealer),
        "sitter": _name(names, ledger.coming.sitter),
        "stake": written(ledger.settings.stake),
        "options": _json(ledger.settings.options),
        "seats": ledger.settings.seats,
        "dealer_rule": ledger.settings.dealer_rule,
        "note": ledger.settings.name,
    }


def _round_cells(played: Round, at_ms: int, names: Sequence[str]) -> dict[str, object]:
    cells: dict[str, object] = {
        "row": "round",
        "time": _time(at_ms),
        "how": FALSE if played.how == "numbers" and played.called_falsely else played.how,
        "dealer": _name(names, played.seating.dealer),
        "sitter": _name(names, played.seating.sitter),
        "winner": _name(names, played.winner),
        "last": _name(names, played.last),
        "drawer": _name(names, played.drawer),
        "stake": written(played.stake),
        "note": played.note,
    }
    if played.counted:
        cells |= {
            "hand": played.counted.hand,
            "facts": _json(played.counted.facts),
            "options": _json(played.counted.options),
            "total": played.counted.score.get("total", ""),
            "unit": played.counted.score.get("unit", ""),
        }
    return cells


def _time(at_ms: int) -> str:
    return datetime.fromtimestamp(at_ms / 1000, UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True) if value else ""


def _name(names: Sequence[str], person: int | None) -> str:
    return "" if person is None else names[person]
