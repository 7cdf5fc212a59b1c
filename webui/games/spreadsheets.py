"""The text of a table's CSV file after a spreadsheet has saved it again: its encoding and what sets its cells apart."""

from __future__ import annotations

from collections.abc import Iterator

from webui.games import sheet_words
from webui.ledger.errors import N_, LedgerError
from webui.ledger.exchange import NotOurFile
from webui.ledger.sheet_reader import rows_in

BYTE_ORDER_MARKS = {b"\xff\xfe": "utf-16", b"\xfe\xff": "utf-16", b"\xef\xbb\xbf": "utf-8-sig"}
ENCODINGS = ("utf-8", "gb18030", "big5hkscs", "cp1258", "cp1252")
"""What computers in our players' countries save text in; the first one in which the headings are a table's is meant."""
SEPARATORS = (",", ";", "\t")
HEADING_LETTERS = 10_000
"""More than the first line of any table has; of a large file only that much is looked at to see what it is."""
WORKBOOKS = (b"PK\x03\x04", b"\xd0\xcf\x11\xe0")
"""How .xlsx, .ods (zip) and .xls (OLE) files begin."""


class Workbook(LedgerError):
    """A spreadsheet's own file, where its text is wanted."""

    code = "workbook"
    text = N_("This is a spreadsheet's own file. Save it there as CSV (UTF-8) and choose that file.")


def rows_of(data: bytes) -> sheet_words.Rows:
    """The rows of a CSV file, in codes, whatever a spreadsheet made of its encoding and separators.

    Raises
    ------
    LedgerError
        `Workbook` where the file is no text at all, `NotOurFile` where its headings are none of a table's.
    """
    if data.startswith(WORKBOOKS):
        raise Workbook()
    for text in _texts(data):
        first_line = text[:HEADING_LETTERS].lstrip("\ufeff").partition("\n")[0]
        for separator in SEPARATORS:
            if sheet_words.are_headings(first_line.rstrip().replace('"', "").split(separator)):
                return sheet_words.coded(rows_in(text, separator))
    raise NotOurFile()


def _texts(data: bytes) -> Iterator[str]:
    """The text that a byte order mark announces, or else each that the bytes can stand for."""
    marked = next((name for mark, name in BYTE_ORDER_MARKS.items() if data.startswith(mark)), None)
    for encoding in (marked,) if marked else ENCODINGS:
        try:
            yield data.decode(encoding)
        except UnicodeDecodeError:
            continue
