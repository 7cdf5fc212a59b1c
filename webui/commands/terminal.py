"""What the command line shows: aligned tables, a progress line, JSON, and the error that ends a command."""

from __future__ import annotations

import io
import json
import os
import sys
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from typing import TextIO, TypeVar

import click

T = TypeVar("T")

BAR_CELLS = 24
"""Length of the progress bar; with label and name it stays under 80 columns."""


USAGE_STATUS = 2
"""Exit status of everything that cannot be carried out as asked."""


class CommandError(ValueError):
    """A command cannot be carried out as asked.

    Parameters
    ----------
    code
        The error's name for programs, as in the error object.
    message
        One sentence for people.
    """

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def prepare_streams() -> None:
    """Let this process show what its terminal can, and no more.

    A letter that the terminal lacks becomes a question mark. What libraries of C write to standard error, such as
    decoders of a damaged photo, goes nowhere: only what the program itself says is for people.
    """
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, io.TextIOWrapper):
            stream.reconfigure(errors="replace")
    if isinstance(sys.stderr, io.TextIOWrapper):
        own = os.dup(sys.stderr.fileno())
        with open(os.devnull, "wb") as nowhere:
            os.dup2(nowhere.fileno(), sys.stderr.fileno())
        encoding = sys.stderr.encoding
        sys.stderr = open(own, "w", encoding=encoding, errors="replace", buffering=1)  # noqa: SIM115 - to the end


def width(text: str) -> int:
    """Columns that `text` takes in a terminal: two for a Chinese character, none for a combining mark."""
    return sum(
        0 if unicodedata.combining(char) else 2 if unicodedata.east_asian_width(char) in "WF" else 1
        for char in text
    )


def pad(text: str, columns: int, *, right: bool = False) -> str:
    """`text` filled with spaces to `columns`, which is left alone where it is longer."""
    space = " " * max(0, columns - width(text))
    return space + text if right else text + space


def table(rows: Sequence[Sequence[str]], *, right: frozenset[int] = frozenset(), indent: str = "  ") -> str:
    """Rows as aligned columns, two spaces apart; columns in `right` end flush.

    Examples
    --------
    >>> print(table([["天牌", "4"], ["a", "12"]], right=frozenset({1})))
      天牌   4
      a     12
    """
    if not rows:
        return ""
    columns = [max(width(row[i]) for row in rows if i < len(row)) for i in range(max(map(len, rows)))]
    return "\n".join(
        (indent + "  ".join(pad(cell, columns[i], right=i in right) for i, cell in enumerate(row))).rstrip()
        for row in rows
    )


def wrap(words: Iterable[str], *, columns: int = 78, indent: str = "  ") -> str:
    """`words` in lines of at most `columns`; a word is never broken."""
    lines: list[str] = []
    for word in words:
        if lines and width(lines[-1]) + 1 + width(word) <= columns:
            lines[-1] += " " + word
        else:
            lines.append(indent + word)
    return "\n".join(lines)


def print_json(value: object) -> None:
    """One JSON value on one line of standard output, in plain Chinese where the stream can carry it."""
    plain = (sys.stdout.encoding or "").lower().replace("-", "").startswith("utf")
    click.echo(json.dumps(value, ensure_ascii=not plain, separators=(", ", ": ")))


def error_json(code: str, message: str) -> dict[str, object]:
    """The error object of the command line and of the HTTP API."""
    return {"error": {"code": code, "message": message}}


def sentence(message: str) -> str:
    """An error message as one line of standard error: no line breaks, no stop at the end."""
    return " ".join(message.split()).rstrip(".")


def progress(results: Iterable[T], total: int, label: str, stream: TextIO | None = None) -> Iterator[T]:
    """Hand on `results`, with a bar on `stream` while the next one is worked out, where that is a terminal.

    The line is wiped before a result is handed on, so that whatever is printed for it stands alone.
    """
    iterator = iter(results)
    for done in range(total):
        with bar(label, stream) as draw:
            draw(done, total)
            try:
                result = next(iterator)
            except StopIteration:
                return
        yield result


@contextmanager
def bar(label: str, stream: TextIO | None = None) -> Iterator[Callable[[int, int], None]]:
    """A progress bar that is drawn by calling it with the things done and all of them, and wiped at the end.

    Nothing is drawn where `stream` (standard error by default) is no terminal.
    """
    out = stream or sys.stderr
    shown = out.isatty()

    def draw(done: int, total: int) -> None:
        filled = BAR_CELLS * done // max(total, 1)
        out.write(f"\r{label} [{'#' * filled}{'.' * (BAR_CELLS - filled)}] {done}/{total}")
        out.flush()

    try:
        yield draw if shown else lambda done, total: None
    finally:
        if shown:
            out.write("\r\x1b[K")
            out.flush()
