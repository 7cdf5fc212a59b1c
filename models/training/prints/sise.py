"""Draws 四色牌: the whole face in the suit's colour, black characters at both ends, small marks between."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.training.prints import ink
from models.training.prints.chuanpai import Faces
from models.training.prints.ink import WIDTH, Colour, Layer, Mask, Rng
from models.training.prints.lettering import (
    Hand,
    brush_hand,
    finished,
    letter,
    natural_size,
    pen_hand,
    plain_hand,
)

SUIT = "KABRNCP"
COLOURS = "rygw"
# Glyphs a kind may be printed as: set of red and yellow, set of white and green, one set for all (广水).
WARM = {"K": "帥帅", "A": "仕", "B": "相", "R": "俥", "N": "傌", "C": "炮", "P": "卒兵"}
COOL = {"K": "將将", "A": "士", "B": "象", "R": "車车", "N": "馬马", "C": "包砲炮", "P": "兵卒"}
ONE = {"K": "將将", "A": "士仕", "B": "相象", "R": "車车", "N": "馬马", "C": "炮包砲", "P": "卒兵"}
BLESSINGS = {"K": "福", "A": "祿禄", "B": "壽寿", "R": "榮荣", "N": "華华", "C": "富", "P": "貴贵"}
RUNNING: frozenset[str] = frozenset(
    "將象将"
)  # in a running hand on some decks whose other characters are not
SIMPLE = frozenset("帅将车马禄寿荣华贵")


def make_glyphs(rng: Rng, pen: bool) -> dict[str, str]:
    """Return code -> glyph (or `*form`) of one print, by one of the sets that decks use; `pen`: written with one."""
    simplified = rng.random() < 0.2
    pick = {kind: int(rng.integers(3)) for kind in SUIT}
    mode = "by colour" if pen else rng.choice(["by colour", "one set", "mixed"], p=[0.62, 0.28, 0.1])
    swapped = bool(rng.random() < 0.12)
    glyphs: dict[str, str] = {}
    for colour in COLOURS:
        for kind in SUIT:
            warm = (colour in "ry") != swapped
            table = ONE if mode == "one set" else WARM if warm else COOL
            if mode == "mixed":
                options = "".join(dict.fromkeys(WARM[kind] + COOL[kind] + ONE[kind]))
                choice = options[int(rng.integers(len(options)))]
            else:
                choice = _written(table[kind], simplified, pick[kind])
            glyphs[colour + kind] = choice
    return _with_forms(rng, glyphs, pen)


def _written(options: str, simplified: bool, pick: int) -> str:
    fitting = [c for c in options if (c in SIMPLE) == simplified] or list(options)
    return fitting[pick % len(fitting)]


PEN_SHARE = 0.22  # of prints written with a pen, as the commonest Hokkien and Vietnamese ones are
PEN_FORMS = {"卒": "*pen_soldier", "兵": "*open_bing"}


def _with_forms(rng: Rng, glyphs: dict[str, str], pen: bool) -> dict[str, str]:
    """Print 卒 in its card form on every second print; written with a pen, 卒 and 兵 mostly have forms of their own."""
    if pen:
        written = {glyph for glyph in PEN_FORMS if rng.random() < 0.85}
        return {code: PEN_FORMS[glyph] if glyph in written else glyph for code, glyph in glyphs.items()}
    if rng.random() < 0.5:
        return glyphs
    return {code: "*soldier" if glyph == "卒" else glyph for code, glyph in glyphs.items()}


PAPERS: dict[str, tuple[Colour, ...]] = {
    "r": (
        (200, 45, 45),
        (222, 70, 60),
        (226, 95, 105),
        (235, 130, 130),
        (178, 40, 60),
        (214, 60, 92),
        (236, 110, 62),
    ),
    "y": ((238, 205, 60), (245, 225, 110), (240, 180, 50), (240, 160, 60), (248, 236, 170), (222, 190, 80)),
    "g": ((70, 150, 80), (120, 180, 90), (150, 200, 150), (60, 130, 110), (165, 205, 90), (110, 190, 165)),
    "w": (
        (240, 238, 230),
        (222, 222, 222),
        (235, 222, 220),
        (228, 230, 235),
        (240, 232, 212),
        (205, 205, 208),
    ),
}
APART = 60.0  # least difference of green between a red and a yellow of one print, of 255


def make_papers(rng: Rng) -> dict[str, Colour]:
    """Return the four face colours of one print, RGB, widely varied but told apart side by side."""
    light = rng.uniform(0.86, 1.05)
    papers: dict[str, Colour] = {}
    for colour in COLOURS:
        bases = PAPERS[colour]
        base = bases[int(rng.integers(len(bases)))]
        r, g, b = np.clip(np.asarray(ink.vary(rng, base, 4 if colour == "w" else 9)) * light, 0, 250)
        papers[colour] = (float(r), float(g), float(b))
    if papers["y"][1] - papers["r"][1] < APART:  # an orange stands for one of them only
        r, g, b = papers["r"]
        papers["r"] = (r, max(20.0, papers["y"][1] - APART - 50), min(b, 70.0))
    return papers


@dataclass(frozen=True)
class Setting:
    """Where the character of one print stands; card widths."""

    start: float
    wide: float
    high: float
    fill: float  # 0 = the font's own proportions, 1 = every character fills the cell
    x: float


def make_setting(rng: Rng, aspect: float) -> Setting:
    """Draw the place of the index for a card `aspect` times as tall as wide."""
    wide = float(np.clip(rng.normal(0.66, 0.1), 0.42, 0.88))
    high = min(wide * float(np.clip(rng.normal(1.12, 0.17), 0.8, 1.65)), aspect * 0.36)
    start = float(np.clip(rng.normal(0.3, 0.13), 0.1, 0.62))
    start = min(start, aspect * 0.42 - high)
    return Setting(max(0.06, start), wide, high, rng.random(), 0.5 + rng.normal(0, 0.012))


def cell(rng: Rng, hand: Hand, text: str, setting: Setting) -> Mask:
    """Return one end's ink (2.1 widths, 256): the character in its cell, centred or filling it."""
    mask = np.zeros((round(WIDTH * 2.1), WIDTH), np.uint8)
    wide, high = setting.wide, setting.high
    if not text.startswith("*"):
        share = np.asarray(natural_size(hand, text)) / 0.93
        share = np.clip(share + (1 - share) * setting.fill * (share > 0.55), 0.1, 1.06)
        wide, high = wide * share[0], high * share[1]
    wide, high = wide * rng.normal(1, 0.012), high * rng.normal(1, 0.012)
    x, y = setting.x, setting.start + setting.high / 2 + rng.normal(0, 0.008)
    box = ((x - wide / 2) * WIDTH, (y - high / 2) * WIDTH, (x + wide / 2) * WIDTH, (y + high / 2) * WIDTH)
    ink.place(mask, letter(rng, hand, text), box)
    return mask


def faces(rng: Rng, height: int, split: str, family: str | None) -> Faces:
    """Draw every face of one print, `height` px, of the family "pen" or not ("") or by chance (None)."""
    styles = {"kai": 5, "song": 4, "gothic": 2, "round": 1, "brush": 3, "hand": 1, "running": 0.8}
    pen = rng.random() < PEN_SHARE if family is None else family == "pen"
    hand = pen_hand(rng, split) if pen else finished(rng, plain_hand(rng, split, styles))
    running = replace(brush_hand(rng, split, {"brush": 1}), bend=1.5, thorn=0.0, stroke=hand.stroke)
    quick = RUNNING if rng.random() < 0.3 else frozenset()
    marks = plain_hand(rng, split, {"kai": 3, "song": 3, "brush": 2})
    setting = make_setting(rng, height / WIDTH)
    black = ink.vary(rng, (25, 24, 26), 11)
    glyphs = make_glyphs(rng, pen)
    drawn: dict[str, Mask] = {}
    ends: dict[str, list[Layer]] = {}
    for code, text in glyphs.items():
        if text not in drawn:
            drawn[text] = cell(rng, running if text in quick else hand, text, setting)
        ends[code] = [Layer(drawn[text], black)]
    wholes = _wholes(rng, height, black, marks, setting, split == "held")
    return Faces(ends, wholes, "pen" if pen else "")


def _wholes(
    rng: Rng, height: int, black: Colour, hand: Hand, setting: Setting, held: bool
) -> dict[str, list[Layer]]:
    """Draw frame and middle mark of every face."""
    shared: list[Layer] = []
    if rng.random() < 0.5:
        side = WIDTH * float(np.clip(rng.normal(0.09, 0.025), 0.03, 0.16))
        end = float(np.clip(rng.normal(0.065, 0.02) * height, 8, setting.start * WIDTH - 6))
        line = ink.frame(height, side, end, int(rng.integers(2, 6)), rng.choice([0, 0, 12, 30]))
        shared.append(Layer(line, black))
    marked = rng.random() < 0.62
    size = WIDTH * float(np.clip(rng.normal(0.36, 0.08), 0.2, 0.55))
    room = height - 2 * (setting.start + setting.high) * WIDTH
    around = 3 if held and rng.random() < 0.4 else int(rng.choice([0, 1, 2, 4]))  # 3: only on held prints
    wholes: dict[str, list[Layer]] = {}
    drawn: dict[str, Mask] = {}
    simplified = bool(rng.random() < 0.2)
    for kind in SUIT:
        drawn[kind] = _mark(rng, kind, min(size, room * 0.6), hand, around, simplified)
    for colour in COLOURS:
        for kind in SUIT:
            layer = Layer(drawn[kind], black, round(height / 2 - drawn[kind].shape[0] / 2))
            wholes[colour + kind] = [*shared, layer] if marked and room > 40 else list(shared)
    return wholes


def _mark(rng: Rng, kind: str, size: float, hand: Hand, around: int, simplified: bool) -> Mask:
    """Return the middle mark of a kind, (1.8 size, 256): a blessing, with an octagon, dots or stars by `around`."""
    high = max(8, round(size * 1.8))
    mask = np.zeros((high, WIDTH), np.uint8)
    x, y, half = WIDTH / 2, high / 2, size / 2
    text = _written(BLESSINGS[kind], simplified, 0)
    grow = 0.72 if around == 1 else 0.9
    ink.place(
        mask, letter(rng, hand, text), (x - half * grow, y - half * grow, x + half * grow, y + half * grow)
    )
    if around == 1 or (around == 2 and kind == "K"):
        angle = np.arange(8) * np.pi / 4 + np.pi / 8
        corners = np.stack([x + half * 1.25 * np.cos(angle), y + half * 1.25 * np.sin(angle)], 1)
        cv2.polylines(mask, [np.round(corners).astype(np.int32)], True, 255, 3, cv2.LINE_AA)
    elif around >= 2:
        points = 5 if around == 3 else 12
        for row in (-1, 1):
            _star(mask, (x, y + row * size * 0.74), size * 0.1, points)
    return mask


def _star(mask: Mask, at: tuple[float, float], radius: float, points: int) -> None:
    angle = np.arange(2 * points) * np.pi / points - np.pi / 2
    reach = np.where(np.arange(2 * points) % 2 == 0, radius, radius * (0.42 if points == 5 else 0.95))
    corners = np.stack([at[0] + reach * np.cos(angle), at[1] + reach * np.sin(angle)], 1)
    cv2.fillPoly(mask, [np.round(corners * 8).astype(np.int32)], 255, cv2.LINE_AA, 3)
