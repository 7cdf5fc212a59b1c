"""A catalogue as one picture: every face of the deck with how many there are, and what it should be."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw, ImageFont

import scorer

Font = ImageFont.FreeTypeFont | ImageFont.ImageFont

CELL_PX = (96, 176)
PICTURE_PX = (80, 120)
PER_ROW = 7
MARGIN_PX = 12
PAPER, INK, FAINT = (247, 240, 227), (34, 27, 22), (150, 135, 115)
CHINESE_FONTS = (
    "NotoSansCJK-Regular.ttc",
    "NotoSansSC-Regular.otf",
    "wqy-microhei.ttc",
    "msyh.ttc",
    "PingFang.ttc",
    "Hiragino Sans GB.ttc",
    "STHeiti Light.ttc",
)
"""Fonts that computers carry and Pillow finds by their file's name, best first."""
NUMBER_PX, NAME_PX = 17, 17
MISSING, EXTRA = (168, 42, 38), (138, 82, 0)


@dataclass(frozen=True)
class Cell:
    """One face: its name, how many there are and should be, and a picture of one (JPEG bytes) or None."""

    name: str
    count: int
    wanted: int
    jpeg: bytes | None


def contact_sheet(cells: list[Cell]) -> bytes:
    """PNG bytes of the sheet."""
    out = io.BytesIO()
    sheet_of(cells, PAPER).save(out, "PNG", optimize=True)
    return out.getvalue()


def sheet_of(cells: list[Cell], paper: tuple[int, int, int]) -> Image.Image:
    """The sheet on paper of this colour (RGB); missing ones in red, doubled ones in amber, both with their number."""
    rows = -(-len(cells) // PER_ROW)
    size = (2 * MARGIN_PX + PER_ROW * CELL_PX[0], 2 * MARGIN_PX + rows * CELL_PX[1])
    sheet = Image.new("RGB", size, paper)
    pen = ImageDraw.Draw(sheet)
    for place, cell in enumerate(cells):
        x = MARGIN_PX + place % PER_ROW * CELL_PX[0]
        y = MARGIN_PX + place // PER_ROW * CELL_PX[1]
        _draw(sheet, pen, cell, (x, y))
    return sheet


def _draw(
    sheet: Image.Image,
    pen: ImageDraw.ImageDraw,
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
    pen.text((middle, y + PICTURE_PX[1] + 6), cell.name, INK, _fitting(cell.name), anchor="ma")
    number = ImageFont.load_default(NUMBER_PX)
    pen.text((middle, y + PICTURE_PX[1] + 26), f"{cell.count} / {cell.wanted}", colour, number, anchor="ma")


@lru_cache
def chinese_font(size: int = NAME_PX) -> ImageFont.FreeTypeFont | None:
    """A font of this computer that writes Chinese, or None."""
    for name in CHINESE_FONTS:
        with suppress(OSError):
            return ImageFont.truetype(name, size)
    return None


def _fitting(name: str) -> Font:
    """The font that a name is written with: a long one is written small enough for its cell."""
    own = None if name.isascii() else chinese_font()
    fonts = own.font_variant if own else ImageFont.load_default
    sizes = (fonts(size=size) for size in range(NAME_PX, 6, -1))
    return next((font for font in sizes if font.getlength(name) < CELL_PX[0]), fonts(size=6))


def cells_of(
    counts: Mapping[str, int],
    wanted: Mapping[str, int],
    pictures: Mapping[str, bytes],
    faces: Sequence[scorer.Face],
    language: str,
) -> list[Cell]:
    """The cells of a deck in its order; a face that neither is nor should be there is left out.

    Names are those of `language`, English ones where this computer has no font for it.
    """
    written = language if chinese_font() else "en"
    return [
        Cell(
            face.name.get(written),
            counts.get(face.code, 0),
            wanted.get(face.code, 0),
            pictures.get(face.code),
        )
        for face in faces
        if counts.get(face.code) or wanted.get(face.code)
    ]
