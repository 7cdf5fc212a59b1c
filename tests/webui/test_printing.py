"""Cards and sheets on paper: true to size in the file itself, and the same for as long as somebody has a print."""

from __future__ import annotations

import hashlib
import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pypdfium2
import pytest
from flask import Flask
from flask.testing import FlaskClient
from numpy.typing import NDArray

import scorer
from vision.sheets import SheetError
from webui import create_app
from webui.printing.cards import COMPOSITIONS, pages
from webui.printing.layouts import LAYOUTS
from webui.printing.looks import LOOKS, SIZES
from webui.printing.paper import PAPERS
from webui.printing.pdf import pdf
from webui.printing.sheets import DECKS, RULER, Sheet, marker_corners, named, page, truth
from webui.store import kept

DPI = 150
EVERY_SHEET = [
    Sheet(deck, layout, look, paper, 3)
    for deck in DECKS
    for layout in LAYOUTS
    for look in LOOKS
    for paper in PAPERS
]


def rendered(data: bytes, number: int = 0) -> NDArray[np.uint8]:
    """A page of a PDF file as another program draws it, RGB."""
    found = pypdfium2.PdfDocument(data)[number].render(scale=DPI / 72, rev_byteorder=True)
    return np.asarray(found.to_numpy()[..., :3], np.uint8)


def millimetres(pixels: float) -> float:
    return pixels * 25.4 / DPI


@pytest.mark.parametrize("deck", DECKS)
@pytest.mark.parametrize("look", LOOKS)
def test_cards_in_the_file_have_their_size(deck: str, look: str) -> None:
    data = pdf(pages(deck, look, "a4"), "cards")
    document = pypdfium2.PdfDocument(data)
    width, height = (side * 25.4 / 72 for side in document[1].get_size())
    assert (width, height) == (pytest.approx(210, abs=0.1), pytest.approx(297, abs=0.1))
    # A page of backs is nothing but cards edge to edge: the colour of the back begins 2 mm inside the outermost ones.
    ink = np.argwhere(np.abs(rendered(data, 1).astype(int) - SIZES[deck][look].back).max(axis=2) < 12)
    (top, left), (bottom, right) = ink.min(axis=0), ink.max(axis=0) + 1
    wide, high = millimetres(right - left) + 4, millimetres(bottom - top) + 4
    size = SIZES[deck][look]
    grid = {
        (round(wide / w, 2), round(high / h, 2))
        for w, h in ((size.width, size.height), (size.height, size.width))
    }
    assert any(
        abs(a - round(a)) * size.width < 0.4 and abs(b - round(b)) * size.width < 0.4 for a, b in grid
    ), grid


@pytest.mark.parametrize("paper", PAPERS)
@pytest.mark.parametrize("deck", DECKS)
def test_a_deck_is_whole_and_every_back_meets_its_front(deck: str, paper: str) -> None:
    made = pages(deck, "kai", paper)
    fronts, backs = made[::2], made[1::2]
    assert len(fronts) == len(backs)
    number = sum(scorer.deck(deck).copies[COMPOSITIONS[deck]].values())
    assert f"to {number} of {number}" in fronts[-1].labels[0].text
    # A front begins with its paper's outline, a back with its white edge: turned over they are each other's.
    first = [one.contours[0].mean(axis=0) for one in backs[-1].shapes[::3]]
    width = PAPERS[paper].width
    outlines = [shape.contours[0] for shape in fronts[-1].shapes if len(shape.contours) == 1]
    for x, y in first:
        assert any(np.allclose(one.mean(axis=0), (width - x, y), atol=0.01) for one in outlines)


def test_cut_marks_end_outside_the_cards() -> None:
    image = rendered(pdf(pages("zipai", "poster", "a4"), "cards"))
    column = image[: round(9 / 25.4 * DPI)].min(axis=2)
    assert (column < 120).any()  # marks above the cards


@pytest.mark.parametrize("paper", PAPERS)
def test_a_sheet_in_the_file_has_its_size(paper: str) -> None:
    data = pdf([page(Sheet("zipai", "rows", "kai", paper, 0))], "sheet")
    sides = [side * 25.4 / 72 for side in pypdfium2.PdfDocument(data)[0].get_size()]
    assert sides == pytest.approx(list(PAPERS[paper]), abs=0.1)
    dark = rendered(data).max(axis=2) < 128
    for quad in marker_corners(paper).values():
        (x0, y0), (x1, y1) = quad[0] / 25.4 * DPI, quad[2] / 25.4 * DPI
        around = dark[round(y0) - 10 : round(y1) + 10, round(x0) - 10 : round(x1) + 10]
        rows, columns = np.flatnonzero(around.any(axis=1)), np.flatnonzero(around.any(axis=0))
        assert millimetres(float(np.ptp(rows)) + 1) == pytest.approx(16, abs=0.4)
        assert millimetres(float(np.ptp(columns)) + 1) == pytest.approx(16, abs=0.4)
    ruler = dark[round(8.15 / 25.4 * DPI)]
    longest = max(len(run) for run in "".join("x" if one else " " for one in ruler[150:500]).split())
    assert millimetres(longest) == pytest.approx(RULER, abs=0.4)


def test_the_same_cards_give_the_same_bytes() -> None:
    made = [page(EVERY_SHEET[4])]
    assert pdf(made, "sheet") == pdf(made, "sheet")


@pytest.mark.parametrize("sheet", EVERY_SHEET, ids=lambda one: "-".join(map(str, vars(one).values())))
def test_every_sheet_can_be_printed(sheet: Sheet) -> None:
    assert named(sheet.numbers()) == sheet
    width, height = PAPERS[sheet.paper]
    cards = truth(sheet)
    counts = sum(card.visible >= 0.6 for card in cards)
    assert counts >= 4
    corners = np.array([end.quad for card in cards for end in card.ends]).reshape(-1, 2)
    assert corners.min() > 24  # the markers and their white stay free
    assert (corners < (width - 24, height - 24)).all()
    copies = scorer.deck(sheet.deck).copies[COMPOSITIONS[sheet.deck]]
    assert all(number <= copies[code] for code, number in Counter(card.code for card in cards).items())


def test_a_name_that_no_sheet_has_is_refused() -> None:
    with pytest.raises(SheetError, match="update it"):
        named((90, 0))


def test_sheets_that_were_printed_stay_true() -> None:
    """A print on somebody's wall says its name, not its cards: these must never come out otherwise."""
    said = [
        [card.code, round(float(end.quad[corner, axis]), 2)]
        for sheet in EVERY_SHEET
        for card in truth(sheet)
        for end in card.ends
        for corner in range(4)
        for axis in range(2)
    ]
    assert hashlib.sha256(json.dumps(said).encode()).hexdigest()[:16] == "d3df87118f10cd68"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = create_app({"TESTING": True, "DATA_DIR": tmp_path, "SECRET_KEY": "k" * 32})
    yield made
    made.extensions[kept.EXTENSION].close()


def test_the_album_offers_both(client: FlaskClient) -> None:
    html = client.get("/decks/paper").text
    assert "Cards to play with" in html
    assert "/decks/paper" in client.get("/decks").text
    cards = client.get("/decks/cards.pdf?deck=sise&look=brush&paper=letter")
    assert cards.data == pdf(pages("sise", "brush", "letter"), "paiyan cards: sise, brush")
    assert "paiyan-cards-sise-brush.pdf" in cards.headers["Content-Disposition"]
    sheet = client.get("/decks/sheet.pdf?deck=zipai&look=kai&paper=a4&layout=fan&hand=9")
    assert sheet.data == pdf([page(Sheet("zipai", "fan", "kai", "a4", 9))], "paiyan sheet")


@pytest.mark.parametrize(
    "asked",
    ["cards.pdf?deck=tarot&look=kai&paper=a4", "sheet.pdf?deck=sise&look=kai&paper=a4&layout=fan&hand=999"],
)
def test_what_cannot_be_printed_is_refused(client: FlaskClient, asked: str) -> None:
    assert client.get(f"/decks/{asked}").status_code == 400
