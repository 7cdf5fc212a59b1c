"""A table's CSV file (`webui.ledger.sheet`) read back: whole, its hands counted again, or not at all."""

import csv
import io
import re
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TypeAlias, TypeVar

from webui.ledger import outside
from webui.ledger.changes import (
    DEALER_RULES,
    HOWS,
    MAX_PEOPLE,
    Body,
    Change,
    Counted,
    Created,
    DealerSet,
    Event,
    Json,
    PlayerAway,
    Round,
    RoundAdded,
    Seating,
    Settings,
)
from webui.ledger.errors import N_, BadField, LedgerError, SameName, UnknownPerson
from webui.ledger.exchange import LAST_MS, NotOurFile
from webui.ledger.fold import fold
from webui.ledger.money import Money, read
from webui.ledger.sheet import AWAY, COLUMNS, FALSE, OUT

Recount: TypeAlias = Callable[[str, str, Body, Body], Mapping[str, Json]]
"""Rule set, hand, facts and options to the score object; raises LedgerError."""


Value = TypeVar("Value")


MOST_ROUNDS = 1000
"""Of a CSV file, whose hands are all counted again; the longest evening has a tenth."""


class TooManyRounds(LedgerError):
    """A file of more rounds than anybody plays."""

    code = "too_many_rounds"
    text = N_("The file has more than %(most)s rounds.")


class BadRow(LedgerError):
    """A line of a CSV file that does not fit; `why` says what is wrong with it."""

    code = "bad_row"
    text = N_("Line %(row)s of the file: %(why)s")

    def __init__(self, row: int, why: LedgerError) -> None:
        super().__init__({"row": row, "why": str(why)})
        self.why = why


class OtherCount(LedgerError):
    """A hand that counts something else than the file says."""

    code = "other_count"
    text = N_("The hand counts %(total)s, but the file says %(file)s.")


class WrongTotal(LedgerError):
    """A row of totals that is not the sum of the rounds."""

    code = "wrong_total"
    text = N_("The totals of the file are not the sum of its rounds.")


def from_rows(rows: Sequence[Sequence[str]], recount: Recount) -> tuple[Event, ...]:
    """Turn rows in codes into a log that gives the same table; hands are counted again and must pay the same.

    Raises
    ------
    LedgerError
        With what is wrong, in a row `BadRow`; nothing is guessed.
    """
    if len(rows) < 3 or tuple(rows[0][: len(COLUMNS)]) != COLUMNS:
        raise NotOurFile()
    names = tuple(rows[0][len(COLUMNS) :])
    if not 2 <= len(names) <= MAX_PEOPLE or [rows[1][0], rows[-1][0]] != ["table", "total"]:
        raise NotOurFile()
    for number, name in enumerate(names):
        if name in names[:number]:
            raise SameName({"name": name})
    if len(rows) > MOST_ROUNDS + 3:
        raise TooManyRounds({"most": MOST_ROUNDS})
    lines = [_line(number, row, names) for number, row in enumerate(rows[1:], start=2)]
    log = _log(lines[0], lines[1:-1], recount)
    if list(fold(log).totals) != _in_line(lines[-1], lambda: _amounts(lines[-1])):
        raise WrongTotal()
    return log


def rows_in(text: str, separator: str = ",") -> list[list[str]]:
    """The rows of a CSV text that are not empty; raises `NotOurFile` where it is none."""
    try:
        lines = io.StringIO(text.removeprefix("\ufeff"), newline="")
        found = list(csv.reader(lines, delimiter=separator))
    except csv.Error:
        raise NotOurFile() from None
    return [[_unescaped(cell) for cell in row] for row in found if any(row)]


@dataclass(frozen=True)
class _Line:
    """One line of a file: its number, its cells by column, the people and their cells."""

    number: int
    cells: Mapping[str, str]
    names: tuple[str, ...]
    people: tuple[str, ...]


def _line(number: int, row: Sequence[str], names: tuple[str, ...]) -> _Line:
    # A spreadsheet may leave out empty cells at the end.
    full = [*row, *[""] * (len(COLUMNS) + len(names) - len(row))]
    if len(full) > len(COLUMNS) + len(names):
        raise BadRow(number, BadField({"field": "row"}))
    cells = dict(zip(COLUMNS, full, strict=False))
    return _Line(number, cells, names, tuple(cell.strip() for cell in full[len(COLUMNS) :]))


def _unescaped(text: str) -> str:
    return text[1:] if text.startswith("'") else text


def _in_line(line: _Line, read: Callable[[], Value]) -> Value:
    """What `read` gives; an error of it names the line."""
    try:
        return read()
    except LedgerError as error:
        raise BadRow(line.number, error) from error


def _log(table: _Line, lines: Sequence[_Line], recount: Recount) -> tuple[Event, ...]:
    """The shortest log that gives the table of these lines."""
    rules = table.cells["rules"]
    settings = _in_line(table, lambda: _settings(table))
    coming = _in_line(table, lambda: _seating(table, OUT))
    rounds = [_in_line(line, lambda line=line: _round_added(line, rules, recount)) for line in lines]  # type: ignore[misc]
    start = rounds[0][1].round.seating if rounds else coming
    first = _in_line(table, lambda: _at_ms(table))
    changes: list[tuple[int, Change]] = [(first, Created(rules, settings, table.names, start)), *rounds]
    end = max(at_ms for at_ms, _ in changes)
    changes += [(end, PlayerAway(number, True)) for number, cell in enumerate(table.people) if cell == AWAY]
    log = tuple(Event(seq, at_ms, change) for seq, (at_ms, change) in enumerate(changes, start=1))
    _check(log, [table, *lines])
    if fold(log).coming != coming:
        log = (*log, Event(len(log) + 1, end, DealerSet(coming)))
    return log


def _check(log: Sequence[Event], lines: Sequence[_Line]) -> None:
    """Fold the log; an error names the first line from which on it does not fold."""

    def fails(length: int) -> bool:
        try:
            fold(log[:length])
        except LedgerError:
            return True
        return False

    if fails(len(log)):
        bad = bisect_left(range(len(log) + 1), True, lo=1, key=fails)
        _in_line(lines[min(bad, len(lines)) - 1], lambda: fold(log[:bad]))


def _settings(line: _Line) -> Settings:
    rule = line.cells["dealer_rule"]
    if rule not in DEALER_RULES:
        raise BadField({"field": "dealer_rule"})
    return Settings(
        line.cells["note"],
        _money(line.cells["stake"], "stake"),
        _integer(line, "seats"),
        _object(line, "options"),
        rule,
    )


def _round_added(line: _Line, rules: str, recount: Recount) -> tuple[int, RoundAdded]:
    how = "numbers" if line.cells["how"] == FALSE else line.cells["how"]
    if line.cells["row"] != "round" or how not in HOWS:
        raise BadField({"field": "how"})
    counted = None
    # A count that was said has a total, numbers of money have none.
    if how == "hand" or line.cells["total"]:
        facts, options = _object(line, "facts"), _object(line, "options")
        score = recount(rules, line.cells["hand"], facts, options)
        if str(score["total"]) != line.cells["total"]:
            raise OtherCount({"total": score["total"], "file": line.cells["total"]})
        counted = Counted(line.cells["hand"], facts, options, score)
    played = Round(
        how,
        tuple(_amounts(line)),
        _seating(line, ""),
        _money(line.cells["stake"], "stake"),
        winner=_person(line, "winner"),
        last=_person(line, "last"),
        drawer=_person(line, "drawer"),
        counted=counted,
        note=line.cells["note"],
    )
    return _at_ms(line), RoundAdded(played)


def _seating(line: _Line, mark: str) -> Seating:
    """Dealer and sitter by name; out is whoever has `mark` (or went home) in the own column."""
    out = tuple(number for number, cell in enumerate(line.people) if cell in (mark, AWAY))
    return Seating(_person(line, "dealer"), _person(line, "sitter"), out)


def _amounts(line: _Line) -> list[Money]:
    return [_money(cell, "amounts") if cell else 0 for cell in line.people]


def _person(line: _Line, column: str) -> int | None:
    name = line.cells[column]
    if not name:
        return None
    if name not in line.names:
        raise UnknownPerson({"person": name})
    return line.names.index(name)


def _integer(line: _Line, column: str) -> int:
    return _whole(line.cells[column], column)


def _money(text: str, column: str) -> Money:
    try:
        # A spreadsheet of another country writes a comma.
        return read(text.replace(",", "."))
    except ValueError:
        raise BadField({"field": column}) from None


def _whole(text: str, column: str) -> int:
    try:
        return int(text)
    except ValueError:
        raise BadField({"field": column}) from None


def _object(line: _Line, column: str) -> dict[str, Json]:
    try:
        value = outside.loads(line.cells[column] or "{}")
    except outside.BadJson:
        value = None
    if not isinstance(value, dict):
        raise BadField({"field": column})
    return value


def _at_ms(line: _Line) -> int:
    # A spreadsheet in Chinese writes 2026/12/1 0:21 or 2026/12/1 0:21:46.
    slashed = re.sub(
        r"^(\d{4})/(\d{1,2})/(\d{1,2})[ T](\d{1,2}):",
        lambda found: "{}-{:0>2}-{:0>2}T{:0>2}:".format(*found.groups()),
        line.cells["time"].strip(),
    )
    try:
        moment = datetime.fromisoformat(slashed)
    except ValueError:
        raise BadField({"field": "time"}) from None
    aware = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
    try:
        at_ms = round(aware.timestamp() * 1000)
    except OverflowError:  # the first and the last day of the calendar, where it is another day elsewhere
        at_ms = -1
    if not 0 <= at_ms < LAST_MS:
        raise BadField({"field": "time"})
    return at_ms
