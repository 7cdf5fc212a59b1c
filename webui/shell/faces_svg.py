"""Drawn card faces: our own SVG of every card, one look per deck, one sprite per deck.

A face is drawn on a card of 60 x 120 units: its index (pips or a character) in the upper half,
the same turned by 180 degrees in the lower one, as on the printed cards (川牌, 四色牌, 字牌).
Pages show one with `<svg><use href="/faces/DECK.svg#CODE"/></svg>`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from html import escape

from flask import Blueprint, Response, abort

import scorer

WIDTH, HEIGHT = 60, 120
RED, BLACK, GREEN, PAPER = "#b3160e", "#1b1816", "#146b3a", "#f5f0df"
SERIF = (
    "'Kaiti SC','STKaiti','KaiTi','BiauKai','DFKai-SB','Songti SC','Noto Serif CJK SC','Noto Serif SC',serif"
)
"""Brush and print faces that phones and computers carry, best first."""

CACHE_SECONDS = 24 * 3600

PIPS: Mapping[int, tuple[tuple[float, float], ...]] = {
    1: ((0, 0),),
    2: ((0, -1), (0, 1)),
    3: ((-1, -1), (0, 0), (1, 1)),
    4: ((-1, -1), (1, -1), (-1, 1), (1, 1)),
    5: ((-1, -1), (1, -1), (0, 0), (-1, 1), (1, 1)),
    6: ((-1, -1), (0, -1), (1, -1), (-1, 1), (0, 1), (1, 1)),
}
"""Places of the pips of one number, in units of the pip grid's half width and half height."""

SISE_PAPER = {"r": "#e4604f", "y": "#f0bd2d", "g": "#4fae74", "w": "#f6f3ea"}
SISE_GLYPHS = {"ry": "帥仕相俥傌炮卒", "gw": "將士象車馬包兵"}
SISE_KINDS = "KABRNCP"
SISE_MIDDLE = dict(zip(SISE_KINDS, "福祿壽榮華富貴", strict=True))

SMALL = "一二三四五六七八九十"
BIG = "壹貳叁肆伍陸柒捌玖拾"
RED_RANKS = (2, 7, 10)

blueprint = Blueprint("faces", __name__)


def _oval(x: float, y: float, rx: float, ry: float, colour: str) -> str:
    return f'<ellipse cx="{x:g}" cy="{y:g}" rx="{rx:g}" ry="{ry:g}" fill="{colour}"/>'


def _text(glyph: str, x: float, y: float, size: float, colour: str) -> str:
    # A CJK glyph's ink is centred about 0.37 of its size above the baseline.
    return (
        f'<text x="{x:g}" y="{y + 0.37 * size:g}" font-size="{size:g}" fill="{colour}" text-anchor="middle" '
        f'font-weight="700" font-family="{SERIF}">{glyph}</text>'
    )


def _both_ends(index: str) -> str:
    return f"{index}<g transform='rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})'>{index}</g>"


def _paper(colour: str, radius: float) -> str:
    return (
        f'<rect x="1" y="1" width="{WIDTH - 2}" height="{HEIGHT - 2}" rx="{radius:g}" fill="{colour}" '
        'stroke="#5b5348" stroke-width="1.6"/>'
    )


def _number(number: int, x: float, colours: tuple[str, str]) -> str:
    """One number of pips around (x, 31); `colours` of the upper and the lower row."""
    rx = 4.0 if number >= 5 else 5.0
    half_width = 7.6 if number in (3, 5, 6) else 5.8
    return "".join(
        _oval(x + dx * half_width, 31 + dy * 10.5, rx, 8.2, colours[0] if dy < 0 else colours[1])
        for dx, dy in PIPS[number]
    )


def _domino(left: int, right: int) -> str:
    """川牌: two numbers side by side; ones and fours are red, and half of the double six."""
    if (left, right) == (6, 6):
        numbers = _number(6, 16.5, (BLACK, RED)) + _number(6, 43.5, (RED, BLACK))
        return _both_ends(numbers)
    inks = [(RED, RED) if number in (1, 4) else (BLACK, BLACK) for number in (left, right)]
    return _both_ends(_number(left, 17, inks[0]) + _number(right, 43, inks[1]))


def _chuanpai(code: str) -> str:
    paper = _paper("#f3eed9", 7)
    if code in ("C", "T"):
        glyphs, ink = ("财神", RED) if code == "C" else ("听用", GREEN)
        index = _text(glyphs[0], 30, 21, 25, ink) + _text(glyphs[1], 30, 45, 25, ink)
        return paper + _both_ends(index)
    left, right = (int(number) for number in code.split("-"))
    ink = RED if {left, right} & {1, 4} or (left, right) == (6, 6) else BLACK
    diamond = f'<path d="M30 55l5 5-5 5-5-5z" fill="{ink}"/>'
    dashes = f'<path d="M12 60h9M39 60h9" stroke="{ink}" stroke-width="1.2"/>'
    return paper + diamond + dashes + _domino(left, right)


def _sise(code: str) -> str:
    colour, kind = code[0], code[1]
    glyphs = next(row for colours, row in SISE_GLYPHS.items() if colour in colours)
    glyph = glyphs[SISE_KINDS.index(kind)]
    frame = f'<rect x="6" y="7" width="48" height="106" fill="none" stroke="{BLACK}" stroke-width="1.1" opacity=".75"/>'
    middle = f'<circle cx="30" cy="60" r="8" fill="none" stroke="{BLACK}" stroke-width="1"/>' + _text(
        SISE_MIDDLE[kind], 30, 60, 10.5, BLACK
    )
    return _paper(SISE_PAPER[colour], 3) + frame + middle + _both_ends(_text(glyph, 30, 30, 38, BLACK))


def _zipai(code: str) -> str:
    paper = _paper("#f8f6ee", 5)
    if code == "W":
        ring = f'<circle cx="30" cy="31" r="23" fill="none" stroke="{RED}" stroke-width="2.4"/>'
        return paper + _both_ends(ring + _text("王", 30, 31, 33, "#20489a"))
    rank = int(code[1:])
    glyph = (BIG if code[0] == "b" else SMALL)[rank - 1]
    return paper + _both_ends(_text(glyph, 30, 31, 46, RED if rank in RED_RANKS else BLACK))


_DRAW = {"chuanpai": _chuanpai, "sise": _sise, "zipai": _zipai}


def drawing(deck: str, code: str) -> str:
    """The inside of one face's SVG, in units of a 60 x 120 card; raises `KeyError` for an unknown deck."""
    return _DRAW[deck](code)


def _faces(deck: str) -> Iterator[tuple[str, str]]:
    """Code and Chinese name of every face of the deck."""
    for face in scorer.deck(deck).faces:
        yield face.code, face.name.hans


@lru_cache
def sprite(deck: str) -> str:
    """All faces of a deck as one SVG of symbols, each with its code as id and its Chinese name as title."""
    symbols = "".join(
        f'<symbol id="{code}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"<title>{escape(name)}</title>{drawing(deck, code)}</symbol>"
        for code, name in _faces(deck)
    )
    return f'<svg xmlns="http://www.w3.org/2000/svg">{symbols}</svg>'


@lru_cache
def card(deck: str, code: str) -> str:
    """One face as an SVG picture of its own; raises `KeyError` where the deck has no such card."""
    name = dict(_faces(deck))[code]
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH * 4}" height="{HEIGHT * 4}" '
        f'viewBox="0 0 {WIDTH} {HEIGHT}" role="img"><title>{escape(name)}</title>{drawing(deck, code)}</svg>'
    )


def _picture(text: str) -> Response:
    answer = Response(text, mimetype="image/svg+xml")
    answer.cache_control.public = True
    answer.cache_control.max_age = CACHE_SECONDS
    return answer


@blueprint.get("/faces/<deck>.svg")
def deck_sprite(deck: str) -> Response:
    """The sprite of a deck."""
    if deck not in _DRAW:
        abort(404)
    return _picture(sprite(deck))


@blueprint.get("/faces/<deck>/<code>.svg")
def one_card(deck: str, code: str) -> Response:
    """One card of a deck, for where a picture file is needed (a canvas, another page)."""
    if deck not in _DRAW or code not in dict(_faces(deck)):
        abort(404)
    return _picture(card(deck, code))
