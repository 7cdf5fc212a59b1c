"""A catalogue as one picture: every face of the deck with how many there are, and what it should be."""

from __future__ import annotations

import io
from collections.abc import Mapping
from dataclasses import dataclass

from PIL import Image, ImageDraw, ImageFont

CELL_PX = (96, 176)
PICTURE_PX = (80, 120)
PER_ROW = 7
MARGIN_PX = 12
PAPER, INK, FAINT = (247, 240, 227), (34, 27, 22), (150, 135, 115)
MISSING, EXTRA = (168, 42, 38), (138, 82, 0)


@dataclass(frozen=True)
class Cell:
    """One face: its code, how many there are and should be, and a picture of one (JPEG bytes) or None."""

    code: str
    count: int
    wanted: int
    jpeg: bytes | None


def contact_sheet(cells: list[Cell]) -> bytes:
    """PNG bytes of the sheet; missing ones in red, doubled ones in amber, both with their number."""
    rows = -(-len(cells) // PER_ROW)
    size = (2 * MARGIN_PX + PER_ROW * CELL_PX[0], 2 * MARGIN_PX + rows * CELL_PX[1])
    sheet = Image.new("RGB", size, PAPER)
    pen = ImageDraw.Draw(sheet)
    font = ImageFont.load_default(17)
    for place, cell in enumerate(cells):
        x = MARGIN_PX + place % PER_ROW * CELL_PX[0]
        y = MARGIN_PX + place // PER_ROW * CELL_PX[1]
        _draw(sheet, pen, font, cell, (x, y))
    out = io.BytesIO()
    sheet.save(out, "PNG", optimize=True)
    return out.getvalue()


def _draw(
    sheet: Image.Image,
    pen: ImageDraw.ImageDraw,
    font: ImageFont.FreeTypeFont | ImageFont.ImageFont,
    cell: Cell,
    corner: tuple[int, int],
) -> None:
    x, y = corner[0] + (CELL_PX[0] - PICTURE_PX[0]) // 2, corner[1] + 6
    box = (x, y, x + PICTURE_PX[0], y + PICTURE_PX[1])
    if cell.jpeg is not None:
        with Image.open(io.BytesIO(cell.jpeg)) as picture:
            picture.thumbnail(PICTURE_PX)
            sheet.paste(picture, (x + (PICTURE_PX[0] - picture.width) // 2, y))
    else:
        pen.rectangle(box, outline=FAINT, width=2)
        pen.line((x, y, x + PICTURE_PX[0], y + PICTURE_PX[1]), fill=FAINT, width=1)
    colour = MISSING if cell.count < cell.wanted else EXTRA if cell.count > cell.wanted else INK
    middle = corner[0] + CELL_PX[0] // 2
    pen.text((middle, y + PICTURE_PX[1] + 6), cell.code, INK, font, anchor="ma")
    pen.text((middle, y + PICTURE_PX[1] + 26), f"{cell.count} / {cell.wanted}", colour, font, anchor="ma")


def cells_of(
    counts: Mapping[str, int], wanted: Mapping[str, int], pictures: Mapping[str, bytes], order: list[str]
) -> list[Cell]:
    """The cells of a deck in its order; a face that neither is nor should be there is left out."""
    return [
        Cell(code, counts.get(code, 0), wanted.get(code, 0), pictures.get(code))
        for code in order
        if counts.get(code) or wanted.get(code)
    ]
