"""The hand a print is lettered in: one font with others to stand in, how its strokes are changed, and glyphs by it."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache

import cv2
import numpy as np

from models.training.prints import strokes
from models.training.prints.ink import (
    Mask,
    Rng,
    crop,
    elastic,
    embolden,
    noise,
    pad,
    proportion,
    rough,
    stroke_width,
    thorns,
)
from models.training.prints.typefaces import Font, em_box, fonts, glyph

EM = 288  # px per em at which glyphs are first drawn; about 1.4 times what a card shows
MEASURED = "木"  # every font has it, and its strokes are plain
MOST_INK = 0.53  # share of its box a character may be inked before growing stops: beyond, counters close
THORNED = frozenset("柒貳贰肆叁")


@dataclass(frozen=True)
class Hand:
    """One lettering: fonts in the order they are tried, and what is done to every glyph (px at `EM`).

    `stroke` is the stroke width aimed at (0 = the font's own); the nib that grows strokes has `flat` and `angle`;
    `finish` is how the ink came onto the card, one of `FINISHES` or "".
    """

    fonts: tuple[Font, ...]
    stroke: float
    flat: float
    angle: float
    slant: float
    bend: float
    proportion: float
    edge: float
    thorn: float
    finish: str = ""

    def font(self, text: str) -> Font:
        """Return the first font that has every character of `text`."""
        return next(font for font in self.fonts if font.has(text))


def _pick_fonts(rng: Rng, split: str, styles: Mapping[str, float]) -> tuple[Font, ...]:
    """Return a font by style, then package, then face (so that large families don't dominate), and stand-ins."""
    known = fonts(split)
    present = [style for style in styles if any(font.style == style for font in known)]
    shares = np.array([styles[style] for style in present])
    style = str(rng.choice(present, p=shares / shares.sum()))
    near = [font for font in known if font.style == style]
    package = str(rng.choice(sorted({font.package for font in near})))
    faces = [font for font in near if font.package == package]
    first = faces[int(rng.integers(len(faces)))]
    alike = [near[i] for i in rng.permutation(len(near))]
    rest = [known[i] for i in rng.permutation(len(known)) if known[i].style not in ("running", "display")]
    return (first, *alike, *rest)


def plain_hand(rng: Rng, split: str, styles: Mapping[str, float]) -> Hand:
    """Draw a lettering close to its font, as of type: only its weight and edges vary a little."""
    picked = _pick_fonts(rng, split, styles)
    stroke = font_stroke(picked[0]) + max(-2.0, rng.normal(3, 4))
    return Hand(picked, stroke, 1.0, 0.0, rng.normal(0, 0.015), 0.0, 0.0, rng.random() ** 2 * 0.5, 0.0)


def brush_hand(rng: Rng, split: str, styles: Mapping[str, float]) -> Hand:
    """Draw a lettering cut or painted by hand: heavy, strokes moved and bent, edges rough, sometimes thorned."""
    picked = _pick_fonts(rng, split, styles)
    own = font_stroke(picked[0])
    heavy = max(own - 1, EM * float(np.clip(rng.normal(0.118, 0.026), 0.06, 0.17)))
    return Hand(
        picked,
        heavy if rng.random() < 0.85 else own,
        rng.uniform(0.3, 1.0),
        rng.uniform(-60, 60) if rng.random() < 0.6 else rng.uniform(60, 120),
        rng.normal(0, 0.03),
        rng.random() ** 1.3 * 6.0,
        rng.random() * 0.05,
        rng.random() ** 2 * 0.8,
        rng.uniform(0.2, 0.8) if rng.random() < 0.4 else 0.0,
    )


def pen_hand(rng: Rng, split: str) -> Hand:
    """Draw a lettering written with a thin pen, freely."""
    picked = _pick_fonts(rng, split, {"kai": 3, "hand": 3, "running": 2, "song": 0.5})
    stroke = EM * rng.uniform(0.022, 0.05)
    return Hand(
        picked, stroke, 1.0, 0.0, rng.normal(0, 0.08), rng.uniform(0.5, 4), 0.04, rng.random() ** 2 * 0.4, 0.0
    )


def finished(rng: Rng, hand: Hand) -> Hand:
    """Let some letterings be carved in wood, stamped or of pixels."""
    return replace(hand, finish=str(rng.choice(["", *FINISHES], p=[0.82, 0.06, 0.06, 0.06])))


@lru_cache(maxsize=512)
def font_stroke(font: Font) -> float:
    """Return the font's own stroke width, px at `EM`."""
    return stroke_width(pad(glyph(font, MEASURED, EM), 4))


def natural_size(hand: Hand, text: str) -> tuple[float, float]:
    """Return the ink's width and height as shares of the em, in the font that `hand` draws `text` with."""
    x0, y0, x1, y1 = em_box(hand.font(text), text)
    return (x1 - x0) / 256, (y1 - y0) / 256


def letter(rng: Rng, hand: Hand, text: str) -> Mask:
    """Return one character (or a composed form, `*name`) as ink, cut to its ink, with `hand`'s changes."""
    if text.startswith("*"):
        mask = _form(rng, hand, text[1:])
    else:
        font = hand.font(text)
        mask = _grown(
            glyph(font, text, EM), hand, hand.stroke - font_stroke(font) if hand.stroke > 0 else 0.0
        )
        if hand.thorn > 0 and text in THORNED:
            mask = thorns(rng, pad(mask, 12), round(12 * hand.thorn), max(7.0, 0.4 * hand.stroke))
    mask = _changed(rng, mask, hand)
    return FINISHES[hand.finish](rng, mask) if hand.finish else mask


def _pixels(rng: Rng, mask: Mask) -> Mask:
    """Return the character in 13 to 26 rows of square dots."""
    rows = int(rng.integers(13, 27))
    size = (max(2, round(rows * mask.shape[1] / mask.shape[0])), rows)
    coarse = cv2.resize(mask, size, interpolation=cv2.INTER_AREA)
    dots = np.where(coarse > rng.uniform(90, 140), 255, 0).astype(np.uint8)
    return cv2.resize(dots, mask.shape[::-1], interpolation=cv2.INTER_NEAREST).astype(np.uint8)


def _carved(rng: Rng, mask: Mask) -> Mask:
    """Return the character as from a wood block: straight nicks along the grain, edges broken off here and there."""
    out = rough(rng, mask, rng.uniform(0.4, 1.0), int(rng.integers(20, 60)))
    height, width = out.shape
    lean = rng.normal(0, 0.06)
    for _ in range(int(rng.integers(2, 14))):
        y, x = rng.uniform(0, height), rng.uniform(-0.2, 0.8) * width
        tip = (round(x + rng.uniform(0.1, 0.6) * width), round(y + lean * width))
        cv2.line(out, (round(x), round(y)), tip, 0, int(rng.integers(1, 4)), cv2.LINE_AA)
    return out


def _stamped(rng: Rng, mask: Mask) -> Mask:
    """Return the character as a rubber stamp leaves it: pale in the middle of strokes, uneven over all."""
    height, width = mask.shape
    inner = cv2.GaussianBlur(cv2.erode(mask, np.ones((5, 5), np.uint8)), (0, 0), 2.0).astype(np.float32) / 255
    cloud = np.clip(noise(rng, height, width, int(rng.integers(3, 12))) * 0.4, -0.6, 0.6)
    cover = 1 - inner * rng.uniform(0.1, 0.5) + np.minimum(cloud, 0) * rng.uniform(0.2, 0.9)
    return (mask * np.clip(cover, 0.15, 1)).astype(np.uint8)


FINISHES: dict[str, Callable[[Rng, Mask], Mask]] = {"pixels": _pixels, "carved": _carved, "stamped": _stamped}


def _form(rng: Rng, hand: Hand, name: str) -> Mask:
    """Draw a composed form with strokes as heavy as the hand's, but no heavier than its counters allow."""
    form = strokes.FORMS[name](rng)
    aimed = (hand.stroke or font_stroke(hand.fonts[0])) / EM
    most = 1.45 / (5 + len(form))  # 21 strokes of a narrow 叁: 0.056; 8 strokes of a 卒: 0.11
    width = float(np.clip(aimed, 0.02, max(0.045, most * rng.uniform(1.1, 1.8))))
    return strokes.draw(rng, form, width, hand.thorn, rng.uniform(1.0, 1.45))


def _grown(mask: Mask, hand: Hand, by: float) -> Mask:
    """Make strokes `by` px thicker, but less where the character is dense, so that counters stay open."""
    radius = float(np.clip(by / 2, -2.0, 14.0))
    if by < -5:
        return _thinned(pad(mask, 16), -by / 2)
    if radius > 0:
        dense = float((mask > 127).mean())
        room = max(0.0, MOST_INK - dense) * mask.size
        outline = 2 * dense * mask.size / max(4.0, stroke_width(pad(mask, 2)))
        radius = min(radius, room / max(1.0, outline) * 1.1)
    return embolden(pad(mask, 16), radius, hand.flat, hand.angle)


def _thinned(mask: Mask, radius: float) -> Mask:
    """Make strokes thinner from both sides by up to `radius` px, as long as none is lost."""
    for _ in range(round(radius)):
        thinner = np.asarray(cv2.erode(mask, np.ones((3, 3), np.uint8)), dtype=np.uint8)
        kept = cv2.dilate(thinner, np.ones((5, 5), np.uint8))
        if np.count_nonzero((mask > 127) & (kept < 128)) > 0.02 * np.count_nonzero(mask > 127):
            return mask
        mask = thinner
    return mask


def _changed(rng: Rng, mask: Mask, hand: Hand) -> Mask:
    mask = pad(mask, 14)
    if hand.proportion > 0:
        mask = proportion(rng, mask, hand.proportion)
    if hand.bend > 0.2:
        low = min(1.0, min(mask.shape) / 150)  # a single stroke (一) would lose its shape
        mask = elastic(rng, mask, hand.bend * low, int(rng.integers(2, 6)))
    if abs(hand.slant) > 0.004:
        height, width = mask.shape
        matrix = np.array([[1, hand.slant, -hand.slant * height / 2], [0, 1, 0]], np.float32)
        mask = np.asarray(cv2.warpAffine(mask, matrix, (width, height)), dtype=np.uint8)
    if hand.edge > 0.05:
        mask = rough(rng, mask, hand.edge, int(rng.integers(25, 70)))
    return crop(mask)
