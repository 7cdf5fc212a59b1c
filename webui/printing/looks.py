"""How printed cards look: three looks of each deck, drawn by our own code around the outlines of characters.

A card is drawn about its middle: (0, 0) is its centre, y points down, its upper end is at -height / 2.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from webui.printing.shapes import (
    Colour,
    Floats,
    Shape,
    ellipse,
    frame,
    glyph,
    has_glyph,
    placed,
    polygon,
    rectangle,
    ring,
)
from webui.shell.faces_svg import PIPS

LOOKS = ("kai", "brush", "poster")
"""Named after their lettering."""

BLACK: Colour = (27, 24, 22)
RED: Colour = (176, 22, 16)
GREEN: Colour = (20, 107, 58)
BLUE: Colour = (32, 73, 154)
WHITE: Colour = (255, 255, 255)


@dataclass(frozen=True)
class Look:
    """Size in mm, roundness of the corners in mm, colours of the paper (by suit, or one under "") and of the back."""

    width: float
    height: float
    radius: float
    paper: dict[str, Colour]
    back: Colour


CREAM, WARM, PLAIN = (243, 238, 217), (236, 226, 196), (250, 249, 245)
SIZES: dict[str, dict[str, Look]] = {
    "chuanpai": {
        "kai": Look(35, 145, 4, {"": CREAM}, (150, 30, 36)),
        "brush": Look(30, 110, 3, {"": WARM}, (96, 60, 110)),
        "poster": Look(28, 90, 5, {"": PLAIN}, (34, 70, 120)),
    },
    "sise": {
        "kai": Look(
            22,
            88,
            0.5,
            {"r": (222, 84, 68), "y": (243, 196, 52), "g": (84, 168, 112), "w": (247, 245, 238)},
            RED,
        ),
        "brush": Look(
            20,
            68,
            0.5,
            {"r": (206, 62, 60), "y": (232, 176, 40), "g": (60, 140, 96), "w": (238, 234, 224)},
            BLUE,
        ),
        "poster": Look(
            24,
            96,
            3,
            {"r": (232, 98, 96), "y": (250, 214, 84), "g": (112, 186, 120), "w": (252, 252, 250)},
            GREEN,
        ),
    },
    "zipai": {
        "kai": Look(27, 100, 3, {"": PLAIN}, (150, 120, 60)),
        "brush": Look(25, 80, 12.5, {"": CREAM}, (120, 34, 30)),
        "poster": Look(30, 118, 4, {"": WHITE}, (70, 74, 84)),
    },
}
KINDS = "KABRNCP"
SISE_GLYPHS: dict[str, dict[str, str]] = {
    "kai": {"ry": "帥仕相俥傌炮卒", "gw": "將士象車馬包兵"},
    "brush": {"ry": "帥仕相車馬炮卒", "gw": "將士象車馬包兵"},
    "poster": {"rygw": "将士象车马炮卒"},
}
MARKS = "福祿壽榮富華貴"
"""What stands in the middle of 將 士 象 車 馬 包 卒; the brush look leaves it out."""

SMALL, BIG = "一二三四五六七八九十", {"kai": "壹貳叁肆伍陸柒捌玖拾", "poster": "壹贰叁肆伍陆柒捌玖拾"}
RED_RANKS = (2, 7, 10)


def face(deck: str, look: str, code: str) -> list[Shape]:
    """One card's front."""
    return {"chuanpai": _chuanpai, "sise": _sise, "zipai": _zipai}[deck](look, code)


def back(deck: str, look: str) -> list[Shape]:
    """The back that all cards of a deck share: lozenges on one colour within a white margin."""
    size = SIZES[deck][look]
    inner_w, inner_h = size.width - 4, size.height - 4
    shapes = [
        _blank(size, WHITE),
        Shape((rectangle(-inner_w / 2, -inner_h / 2, inner_w, inner_h, 1),), size.back),
    ]
    pitch = inner_w / 5
    rows, columns = int(inner_h / pitch) - 1, 4
    lozenges = [
        polygon((x, y - pitch * 0.38), (x + pitch * 0.38, y), (x, y + pitch * 0.38), (x - pitch * 0.38, y))
        for row in range(rows)
        for column in range(columns)
        for x, y in [((column - 1.5) * pitch, (row - (rows - 1) / 2) * pitch)]
    ]
    return [*shapes, Shape(tuple(lozenges), WHITE)]


def outline(deck: str, look: str) -> Floats:
    """The card's edge."""
    size = SIZES[deck][look]
    return rectangle(-size.width / 2, -size.height / 2, size.width, size.height, size.radius)


def _blank(size: Look, colour: Colour) -> Shape:
    return Shape(
        (rectangle(-size.width / 2, -size.height / 2, size.width, size.height, size.radius),), colour
    )


def _edged(size: Look, colour: Colour) -> list[Shape]:
    """The card's paper within a thin line, so that equal papers that overlap can be told apart."""
    low_x, low_y = -size.width / 2, -size.height / 2
    line = Shape(frame(low_x, low_y, size.width, size.height, 0.25, size.radius), (120, 112, 100))
    return [_blank(size, colour), line]


def _both_ends(index: list[Shape]) -> list[Shape]:
    return [*index, *placed(index, 0, 0, np.pi)]


def _letter(look: str, character: str, x: float, y: float, size: float, colour: Colour) -> Shape:
    """A character in the look's lettering, in the kai where that lacks it."""
    return Shape(glyph(look if has_glyph(look, character) else "kai", character, x, y, size), colour)


def _number(number: int, x: float, y: float, width: float, colours: tuple[Colour, Colour]) -> list[Shape]:
    """The pips of one number about (x, y), in a place `width` mm wide; `colours` of the upper and the lower row."""
    narrow = number in (3, 5, 6)
    rx, ry = width * (0.17 if number >= 5 else 0.2), width * 0.29
    spread_x, spread_y = width * (0.33 if narrow else 0.24), width * 0.4
    return [
        Shape((ellipse(x + dx * spread_x, y + dy * spread_y, rx, ry),), colours[0] if dy < 0 else colours[1])
        for dx, dy in PIPS[number]
    ]


def _domino(code: str, size: Look) -> list[Shape]:
    left, right = (int(number) for number in code.split("-"))
    side, middle = size.width * 0.235, -size.height / 2 + size.width * 0.47
    width = size.width * 0.44
    if left == right == 6:
        inks = [(BLACK, RED), (RED, BLACK)]
    else:
        inks = [(RED, RED) if number in (1, 4) else (BLACK, BLACK) for number in (left, right)]
    return _number(left, -side, middle, width, inks[0]) + _number(right, side, middle, width, inks[1])


def _chuanpai(look: str, code: str) -> list[Shape]:
    size = SIZES["chuanpai"][look]
    shapes = _edged(size, size.paper[""])
    top = -size.height / 2
    if code in ("C", "T"):
        traditional, simplified, ink = ("財神", "财神", RED) if code == "C" else ("聽用", "听用", GREEN)
        letters = simplified if look == "poster" else traditional
        em = size.width * 0.55
        index = [
            _letter(look, one, 0, top + size.width * (0.36 + 0.56 * i), em, ink)
            for i, one in enumerate(letters)
        ]
        return shapes + _both_ends(index)
    pair = {int(number) for number in code.split("-")}
    ink = RED if pair & {1, 4} or code == "6-6" else BLACK
    return shapes + _middle(look, size, ink) + _both_ends(_domino(code, size))


def _middle(look: str, size: Look, ink: Colour) -> list[Shape]:
    """The drawing in the middle of a 川牌: a lozenge, a cash coin, or nothing."""
    r = size.width * 0.2
    if look == "kai":
        coin = Shape(ring(0, 0, r, 0.7), ink)
        return [coin, Shape(frame(-r * 0.35, -r * 0.35, r * 0.7, r * 0.7, 0.7), ink)]
    if look == "brush":
        return [Shape((polygon((0, -r), (r * 0.7, 0), (0, r), (-r * 0.7, 0)),), ink)]
    return []


def _sise(look: str, code: str) -> list[Shape]:
    size, kind = SIZES["sise"][look], KINDS.index(code[1])
    glyphs = next(row for colours, row in SISE_GLYPHS[look].items() if code[0] in colours)
    shapes = _edged(size, size.paper[code[0]])
    if look != "poster":
        inset_x, inset_y = size.width * 0.09, size.height * 0.045
        box = (-size.width / 2 + inset_x, -size.height / 2 + inset_y)
        shapes.append(Shape(frame(*box, size.width - 2 * inset_x, size.height - 2 * inset_y, 0.4), BLACK))
    if look != "brush":
        shapes += [
            Shape(ring(0, 0, size.width * 0.26, 0.4), BLACK),
            _letter(look, MARKS[kind], 0, 0, size.width * 0.33, BLACK),
        ]
    index = [_letter(look, glyphs[kind], 0, -size.height / 2 + size.width * 0.72, size.width * 0.72, BLACK)]
    return shapes + _both_ends(index)


def _zipai(look: str, code: str) -> list[Shape]:
    size = SIZES["zipai"][look]
    shapes = _edged(size, size.paper[""])
    middle = -size.height / 2 + size.width * 0.58
    if code == "W":
        circle = Shape(ring(0, middle, size.width * 0.42, 0.9), RED)
        return shapes + _both_ends([circle, _letter(look, "王", 0, middle, size.width * 0.58, BLUE)])
    rank = int(code[1:])
    row = SMALL if code[0] == "s" else BIG.get(look, BIG["kai"])
    ink = RED if rank in RED_RANKS else BLACK
    return shapes + _both_ends([_letter(look, row[rank - 1], 0, middle, size.width * 0.84, ink)])
