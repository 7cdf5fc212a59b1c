"""The album taken along: as CSV, and as pages to print."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator, Sequence

from flask import Response
from PIL import Image, ImageDraw, ImageFont

import scorer
from webui.decks.album import NOTES, Entry
from webui.decks.collecting import chosen, entries
from webui.decks.contact import FAINT, INK, chinese_font, sheet_of
from webui.decks.files import cells_of_deck, download
from webui.decks.room import blueprint
from webui.games import asked, words
from webui.language.languages import language
from webui.language.said import gettext
from webui.ledger.errors import N_
from webui.ledger.sheet import escaped
from webui.store import album, kept

HEADINGS = (N_("Name"), N_("Kind of deck"), N_("Compared with"), N_("Cards"), N_("Missing"), N_("Too many"))

DPI = 150
PAGE_PX, WHITE = (1240, 1754), (255, 255, 255)  # A4, paper
EDGE_PX, LINE_PX, TITLE_PX, TEXT_PX = 80, 34, 44, 24
SIDE_PICTURE_PX = (300, 300)


@blueprint.get("/album.csv")
def album_csv() -> Response:
    """The decks that are sought for a spreadsheet: counts and notes."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\r\n")
    writer.writerow([gettext(one) for one in (*HEADINGS, *NOTES.values())])
    writer.writerows([escaped(cell) for cell in _cells(one)] for one in chosen(entries()))
    return download(("\ufeff" + out.getvalue()).encode(), "text/csv; charset=utf-8", _name(), "csv")


def _cells(entry: Entry) -> list[str]:
    found = entry.found
    kind = scorer.deck(entry.saved.deck).name.get(language())
    sums = (sum(counts.values()) for counts in (found.counts, found.missing, found.extra))
    noted = (entry.notes.get(name, "") for name in NOTES)
    return [entry.saved.name, kind, found.composition, *map(str, sums), *noted]


@blueprint.get("/album.pdf")
def album_pdf() -> Response:
    """The decks that are sought as pages to print, one each."""
    pages = [_page(entry) for entry in chosen(entries())] or [Image.new("RGB", PAGE_PX, WHITE)]
    out = io.BytesIO()
    pages[0].save(out, "PDF", save_all=True, append_images=pages[1:], resolution=DPI)
    return download(out.getvalue(), "application/pdf", _name(), "pdf")


def _name() -> str:
    return " ".join([gettext("Album"), words.day(asked.now_ms())])


def _page(entry: Entry) -> Image.Image:
    """An A4 page: name, what is noted, back and box, and every face with how many there are."""
    page = Image.new("RGB", PAGE_PX, WHITE)
    pen = ImageDraw.Draw(page)
    saved, found = entry.saved, entry.found
    width = PAGE_PX[0] - 2 * EDGE_PX
    _write(pen, EDGE_PX, saved.name, TITLE_PX)
    y = EDGE_PX + TITLE_PX + 20
    missing, extra = (sum(counts.values()) for counts in (found.missing, found.extra))
    kind = scorer.deck(saved.deck).name.get(language())
    y = _write(
        pen,
        y,
        " · ".join(
            [
                kind,
                gettext("compared with %(name)s", name=found.composition),
                gettext("%(num)s cards", num=sum(found.counts.values())),
                *([gettext("%(num)s missing", num=missing)] if missing else []),
                *([gettext("%(num)s too many", num=extra)] if extra else []),
                *([] if missing or extra else [gettext("complete")]),
            ]
        ),
        TEXT_PX,
    )
    for name, label in NOTES.items():
        if entry.notes.get(name):
            for line in _lines(f"{gettext(label)}: {entry.notes[name]}", width):
                y = _write(pen, y, line, TEXT_PX)
    y = _paste_sides(page, y + 10, saved.id)
    pen.line((EDGE_PX, y, PAGE_PX[0] - EDGE_PX, y), fill=FAINT, width=2)
    sheet = sheet_of(cells_of_deck(saved), WHITE)
    sheet.thumbnail((width, PAGE_PX[1] - EDGE_PX - y - 20))
    page.paste(sheet, ((PAGE_PX[0] - sheet.width) // 2, y + 20))
    return page


def _paste_sides(page: Image.Image, y: int, deck_id: str) -> int:
    """Put back and box beside each other; gives where the page goes on."""
    x, high = EDGE_PX, 0
    for side in album.SIDES:
        jpeg = album.picture(kept.store(), deck_id, side)
        if jpeg is None:
            continue
        with Image.open(io.BytesIO(jpeg)) as picture:
            picture.thumbnail(SIDE_PICTURE_PX)
            page.paste(picture, (x, y))
            x, high = x + picture.width + 30, max(high, picture.height)
    return y + high + 20 if high else y


def _font(size: int) -> ImageFont.FreeTypeFont | ImageFont.ImageFont:
    return chinese_font(size) or ImageFont.load_default(size)


def _write(pen: ImageDraw.ImageDraw, y: int, text: str, size: int) -> int:
    pen.text((EDGE_PX, y), text, INK, _font(size))
    return y + LINE_PX


def _lines(text: str, width: int) -> Iterator[str]:
    """The text in lines of at most `width` px, broken between words, or letters where a word is longer."""
    font = _font(TEXT_PX)
    for paragraph in text.splitlines():
        line = ""
        for piece in _pieces(paragraph):
            if line and font.getlength(line + piece) > width:
                yield line.rstrip()
                line = piece.lstrip()
            else:
                line += piece
        yield line


def _pieces(text: str) -> Sequence[str]:
    """Where a line may break: after each blank, and between letters of scripts that have none."""
    found: list[str] = []
    for letter in text:
        if found and letter.isascii() and found[-1][-1].isascii() and found[-1][-1] != " ":
            found[-1] += letter
        else:
            found.append(letter)
    return found
