"""Draws 字牌: one heavy brush character at both ends, small 一…十 and big 壹…拾, 2, 7 and 10 red, and 王."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.training.prints import ink
from models.training.prints.beasts import BEASTS, Drawing, dragon, phoenix
from models.training.prints.chuanpai import Faces
from models.training.prints.emblems import picture
from models.training.prints.ink import WIDTH, Layer, Mask, Rng
from models.training.prints.lettering import Hand, brush_hand, finished, letter, natural_size, pen_hand

SMALL = "一二三四五六七八九十"
# How a big number may be lettered, likeliest first: characters, forms composed of strokes (`*`), and of parts (`+`).
BIG: tuple[tuple[str, ...], ...] = (
    ("壹",),
    ("貳", "*er", "贰", "弍"),
    ("叁", "*san", "+眷", "+看", "叄", "參"),
    ("肆", "*si", "+律", "+聿"),
    ("伍",),
    ("陸", "陆"),
    ("柒", "*qi"),
    ("捌",),
    ("玖",),
    ("拾",),
)
SHARES: tuple[tuple[float, ...], ...] = (
    (1,),
    (0.5, 0.3, 0.13, 0.07),
    (0.3, 0.34, 0.12, 0.06, 0.12, 0.06),
    (0.45, 0.33, 0.13, 0.09),
    (1,),
    (0.78, 0.22),
    (0.65, 0.35),
    (1,),
    (1,),
    (1,),
)
RED = frozenset({2, 7, 10})
EMBLEM_SHARE = 0.25  # of prints whose 王 is a compact picture
PICTURE_SHARE = 0.4  # of other prints' pictures in training that are neither dragon nor phoenix
GOLDS: tuple[ink.Colour, ...] = ((205, 160, 50), (225, 185, 80), (180, 130, 40), (235, 200, 60))
TINTS: tuple[ink.Colour, ...] = (
    (225, 190, 90),
    (90, 160, 110),
    (210, 90, 80),
    (150, 170, 210),
    (190, 190, 190),
)
TAILED = frozenset("肆十律聿拾陸")


@dataclass(frozen=True)
class Setting:
    """Where the characters of one print stand; card widths."""

    start: float
    wide: float
    high_small: float
    high_big: float
    fill: float
    tail: float
    room: float  # how far from the edge an end may reach
    centred: bool  # low characters (一 二) in the cell's middle rather than at its top


def make_setting(rng: Rng, aspect: float) -> Setting:
    """Draw the place of the index for a card `aspect` times as tall as wide."""
    wide = float(np.clip(rng.normal(0.78, 0.07), 0.52, 0.94))
    big = float(np.clip(rng.normal(1.12, 0.14), 0.78, 1.45)) * wide / 0.8
    small = big * float(np.clip(rng.normal(0.9, 0.1), 0.65, 1.1))
    start = float(np.clip(rng.normal(0.15, 0.06), 0.05, 0.34))
    most = aspect / 2 - 0.06 - start
    return Setting(
        start,
        wide,
        min(small, most),
        min(big, most),
        rng.uniform(0.2, 1.0),
        rng.uniform(1.0, 1.5),
        aspect / 2 - 0.04,
        bool(rng.random() < 0.75),
    )


def _numbers(rng: Rng, hand: Hand) -> dict[str, str]:
    """Return code -> character or form of one print; a print letters all its cards in one manner."""
    chosen = {f"s{i + 1}": character for i, character in enumerate(SMALL)}
    for i, (forms, shares) in enumerate(zip(BIG, SHARES, strict=True)):
        chosen[f"b{i + 1}"] = str(rng.choice(forms, p=np.asarray(shares) / sum(shares)))
    return chosen


def _composed(rng: Rng, hand: Hand, text: str) -> Mask:
    """Return a form made of a font's parts (`+眷`): drawn tall, with legs or a long tail added."""
    base = letter(rng, replace(hand, bend=0.0, proportion=0.0), text[1:])
    if text[1:] in "律聿":
        mask = ink.stretch_tail(base, rng.uniform(0.78, 0.88), rng.uniform(1.6, 3.0))
        return _dotted_side(rng, mask) if text == "+聿" else mask
    height, width = base.shape
    return _legs(rng, ink.stretch_tail(base, rng.uniform(0.5, 0.6), rng.uniform(1.0, 1.25)), width / height)


def _dotted_side(rng: Rng, mask: Mask) -> Mask:
    """Return `mask` with a column of dots at its left."""
    from models.training.prints.strokes import brush

    side = round(mask.shape[1] * rng.uniform(0.28, 0.42))
    out = np.pad(mask, ((0, 0), (side, 0)))
    for y in np.linspace(0.08, rng.uniform(0.5, 0.8), int(rng.integers(3, 6))) * mask.shape[0]:
        points = np.array([(side * 0.2, y), (side * 0.75, y + side * 0.35)])
        brush(out, points, "d", side * rng.uniform(0.25, 0.4))
    return out


def _legs(rng: Rng, mask: Mask, slim: float) -> Mask:
    """Return `mask` with two legs running out of its lower box."""
    from models.training.prints.strokes import brush

    height, width = mask.shape
    lower = mask[round(height * 0.8) : round(height * 0.95)]
    columns = np.flatnonzero(lower.max(0) > 127)
    if columns.size == 0:
        return mask
    left, right = float(columns[0]) + 6, float(columns[-1]) - 6
    down = round(height * rng.uniform(0.12, 0.24))
    out = np.pad(mask, ((0, down), (12, 12)))
    thick = 0.07 * width * rng.uniform(0.9, 1.5)
    for x, side in ((left + 12, -1), (right + 12, 1)):
        spread = side * width * rng.uniform(0.04, 0.2)
        points = np.array([(x, height * 0.85), (x, height * 0.97), (x + spread, height + down - 6)])
        brush(out, points, "p" if side < 0 else "v", thick)
    return ink.crop(out)


def glyph_mask(rng: Rng, hand: Hand, text: str) -> Mask:
    """Return the ink of one character or form, cut to its ink."""
    return _composed(rng, hand, text) if text.startswith("+") else letter(rng, hand, text)


def _size(rng: Rng, hand: Hand, text: str, setting: Setting, high: float) -> tuple[float, float]:
    """Return the width and height of a character's ink, card widths."""
    if text[0] in "*+":
        slim = rng.uniform(0.72, 0.95) if text in ("*san", "+眷", "+看") else rng.uniform(0.9, 1.03)
        return setting.wide * slim, high * rng.uniform(1.0, 1.18)
    share = np.asarray(natural_size(hand, text)) / 0.93
    share = np.clip(share + (1 - share) * setting.fill * (share > 0.6), 0.08, 1.06)
    tail = setting.tail if text in TAILED else 1.0
    return setting.wide * share[0], high * share[1] * (1 + (tail - 1) * 0.5)


def _end(rng: Rng, hand: Hand, text: str, setting: Setting, high: float) -> Mask:
    mask = np.zeros((round(WIDTH * 2.1), WIDTH), np.uint8)
    drawn = glyph_mask(rng, hand, text)
    if text in "肆十" and setting.tail > 1.1:
        drawn = ink.stretch_tail(drawn, 0.72, setting.tail)
    wide, tall = _size(rng, hand, text, setting, high)
    if tall < 0.3 * wide:  # 一: as thick as it was drawn
        tall = float(np.clip(wide * drawn.shape[0] / drawn.shape[1], 0.1 * wide, 0.4 * wide))
    wide, tall = wide * rng.normal(1, 0.02), tall * rng.normal(1, 0.02)
    top = setting.start
    if tall < high * 0.75 and (setting.centred or tall < high * 0.3):
        top += (high - tall) / 2
    tall = min(tall, setting.room - top)
    x = 0.5 + rng.normal(0, 0.01)
    box = ((x - wide / 2) * WIDTH, top * WIDTH, (x + wide / 2) * WIDTH, (top + tall) * WIDTH)
    ink.place(mask, drawn, box)
    return mask


def faces(rng: Rng, height: int, split: str, family: str | None) -> Faces:
    """Draw every face of one print, `height` px, of the family "emblem" or not ("") or by chance (None)."""
    styles = {"kai": 4, "song": 2, "gothic": 1.5, "round": 0.4, "brush": 5, "hand": 1, "display": 1.2}
    hand = finished(rng, brush_hand(rng, split, styles))
    if rng.random() < 0.05:
        hand = pen_hand(rng, split)
    emblem = rng.random() < EMBLEM_SHARE if family is None else family == "emblem"
    setting = make_setting(rng, height / WIDTH)
    black = ink.vary(rng, (24, 22, 24), 10)
    red = ink.vary(rng, (rng.uniform(165, 225), rng.uniform(10, 50), rng.uniform(15, 55)), 8)
    ends: dict[str, list[Layer]] = {}
    for code, text in _numbers(rng, hand).items():
        high = setting.high_small if code[0] == "s" else setting.high_big
        colour = red if int(code[1:]) in RED else black
        ends[code] = [Layer(_end(rng, hand, text, setting, high), colour)]
    wholes: dict[str, list[Layer]] = {code: [] for code in ends}
    if emblem:
        ends["W"], wholes["W"] = _emblem(rng, hand, setting, red, split), []
    elif rng.random() < 0.75:
        colour = red if rng.random() < 0.5 else black
        ends["W"], wholes["W"] = _king(rng, height, hand, setting, colour, split)
    _extras(rng, height, hand, wholes, black)
    return Faces(ends, wholes, "emblem" if emblem else "")


def _compact(rng: Rng, hand: Hand, split: str) -> Drawing:
    """Return a picture about as tall as wide: of held-out prints a beast, in training any of `emblems.picture`."""
    if split == "train":
        return picture(rng, round(WIDTH * rng.uniform(0.9, 1.5)), hand)
    draw = BEASTS[int(rng.integers(len(BEASTS)))]
    return draw(rng, round(WIDTH * rng.uniform(0.9, 1.5)))


def _emblem(rng: Rng, hand: Hand, setting: Setting, red: ink.Colour, split: str) -> list[Layer]:
    """Draw 王 as a compact picture where a character would stand, red or gold or both."""
    fill, lines = _compact(rng, hand, split)
    gold = ink.vary(rng, GOLDS[int(rng.integers(len(GOLDS)))], 12)
    dark, light = (red, gold) if rng.random() < 0.7 else (gold, red)
    manner = int(rng.integers(4 if split == "train" else 3))
    if manner == 0:  # a silhouette with its lines left blank
        inked = [(np.asarray(cv2.subtract(fill, lines), dtype=np.uint8), dark)]
    elif manner == 1:
        inked = [(np.maximum(fill, lines), dark)]
    elif manner == 2:
        inked = [(fill, light), (lines, dark)]
    else:
        rim = cv2.morphologyEx(fill, cv2.MORPH_GRADIENT, np.ones((5, 5), np.uint8))
        inked = [(np.maximum(rim, lines), dark)]
    rows, columns = (np.flatnonzero(np.maximum(fill, lines).max(axis) > 40) for axis in (1, 0))
    drawn = np.s_[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]
    wide = WIDTH * float(np.clip(setting.wide * rng.uniform(0.8, 1.2), 0.5, 0.96))
    tall = wide * rng.uniform(0.8, 1.2) * len(rows) / len(columns)
    top = setting.start * WIDTH * rng.uniform(0.5, 1.2)
    tall = min(tall, setting.room * WIDTH - top)
    layers = []
    for mask, colour in inked:
        end = np.zeros((round(WIDTH * 2.1), WIDTH), np.uint8)
        ink.place(end, mask[drawn], ((WIDTH - wide) / 2, top, (WIDTH + wide) / 2, top + tall))
        layers.append(Layer(end, colour))
    return layers


def _king(
    rng: Rng, height: int, hand: Hand, setting: Setting, colour: ink.Colour, split: str
) -> tuple[list[Layer], list[Layer]]:
    """Draw 王: the character, or a picture, mostly a dragon or phoenix, at both ends or over the whole card."""
    draw = dragon if rng.random() < 0.6 else phoenix
    other = split == "train" and rng.random() < PICTURE_SHARE
    tint = ink.vary(rng, TINTS[int(rng.integers(len(TINTS)))], 15)

    def layers(high: int, top: int) -> list[Layer]:
        fill, lines = picture(rng, high, hand) if other else draw(rng, high)
        return [Layer(fill, tint, top), Layer(lines, colour, top)] if tinted else [Layer(lines, colour, top)]

    tinted = rng.random() < 0.55
    if rng.random() < 0.45:
        room = height - 2 * round((setting.start + setting.high_big) * WIDTH) - 20
        whole = layers(room, (height - room) // 2) if room > 80 and rng.random() < 0.45 else []
        return [Layer(_end(rng, hand, "王", setting, setting.high_big), colour)], whole
    margin = round(WIDTH * rng.uniform(0.06, 0.2))
    if rng.random() < 0.5:
        return [], layers(height - 2 * margin, margin)
    half = min(round(WIDTH * 1.7), height // 2 - margin)
    padded = [
        replace(layer, mask=np.pad(layer.mask, ((margin, 0), (0, 0))), top=0) for layer in layers(half, 0)
    ]
    return padded, []


def _extras(rng: Rng, height: int, hand: Hand, wholes: dict[str, list[Layer]], black: ink.Colour) -> None:
    """Add what a few prints have: a frame, small marks in the middle."""
    if rng.random() < 0.1:
        line = ink.frame(
            height, rng.uniform(6, 14), rng.uniform(6, 14), int(rng.integers(2, 5)), rng.uniform(0, 60)
        )
        for layers in wholes.values():
            layers.append(Layer(line, black))
    if rng.random() < 0.12:
        size = round(WIDTH * rng.uniform(0.15, 0.3))
        small = np.zeros((size, WIDTH), np.uint8)
        text = str(rng.choice(list("福喜富貴春")))
        x = (WIDTH - size) / 2
        ink.place(small, letter(rng, hand, text), (x, 0, x + size, size))
        for code, layers in wholes.items():
            if code != "W":
                layers.append(Layer(small, black, (height - size) // 2))
    elif rng.random() < 0.08:
        dot = np.zeros((40, WIDTH), np.uint8)
        cv2.circle(
            dot, (WIDTH // 2, 20), int(rng.integers(5, 16)), 255, int(rng.choice([-1, 3])), cv2.LINE_AA
        )
        for layers in wholes.values():
            layers.append(Layer(dot, black, height // 2 - 20))
