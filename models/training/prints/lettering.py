"""The hand a print is lettered in: one font with others to stand in, how its strokes are changed, and glyphs by it."""

from collections.abc import Mapping
from dataclasses import dataclass

import cv2
import numpy as np

from models.training.prints import strokes
from models.training.prints.fonts import Font, em_box, fonts, glyph
from models.training.prints.ink import Mask, Rng, crop, elastic, embolden, pad, rough, thorns

EM = 288  # px per em at which glyphs are first drawn; about twice what a card shows


@dataclass(frozen=True)
class Hand:
    """One lettering: fonts in the order they are tried, and what is done to every glyph (px at `EM`)."""

    fonts: tuple[Font, ...]
    weight: float
    slant: float
    bend: float
    edge: float
    thorn: float

    def font(self, text: str) -> Font:
        """Return the first font that has every character of `text`."""
        return next(font for font in self.fonts if font.has(text))


def make_hand(
    rng: Rng, split: str, styles: Mapping[str, float], weight: float, bend: float, edge: float
) -> Hand:
    """Draw a lettering: style by `styles`, then package, then face, so that large families don't dominate.

    `weight`, `bend` and `edge` are the largest growth of strokes (px at `EM`), elastic move (px) and roughness.
    """
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
    return Hand(
        (first, *alike, *rest),
        rng.uniform(-0.15, 1.0) * weight,
        rng.normal(0, 0.02),
        rng.random() ** 1.5 * bend,
        rng.random() ** 2 * edge,
        0.0,
    )


def natural_size(hand: Hand, text: str) -> tuple[float, float]:
    """Return the ink's width and height as shares of the em, in the font that `hand` draws `text` with."""
    x0, y0, x1, y1 = em_box(hand.font(text), text)
    return (x1 - x0) / 256, (y1 - y0) / 256


def letter(rng: Rng, hand: Hand, text: str) -> Mask:
    """Return one character (or a composed form, `*name`) as ink, cut to its ink, with `hand`'s changes."""
    if text.startswith("*"):
        form = strokes.FORMS[text[1:]](rng)
        width = float(np.clip(0.085 + 0.011 * hand.weight + rng.normal(0, 0.008), 0.055, 0.15))
        mask = strokes.draw(rng, form, width, hand.thorn, rng.uniform(1.0, 1.4))
    else:
        mask = _grown(glyph(hand.font(text), text, EM), hand.weight)
        if hand.thorn > 0 and text in "柒貳贰肆叁":
            mask = thorns(rng, pad(mask, 12), round(16 * hand.thorn), 11)
    return _changed(rng, mask, hand)


def _grown(mask: Mask, weight: float) -> Mask:
    """Embolden, but less where the character is dense, so that counters stay open."""
    dense = float((mask > 127).mean())
    limit = 7.0 * max(0.0, 0.62 - dense)
    return embolden(pad(mask, 10), min(weight, limit) if weight > 0 else max(weight, -1.0))


def _changed(rng: Rng, mask: Mask, hand: Hand) -> Mask:
    mask = pad(mask, 14)
    if hand.bend > 0.2:
        mask = elastic(rng, mask, hand.bend, int(rng.integers(2, 6)))
    if abs(hand.slant) > 0.004:
        height, width = mask.shape
        matrix = np.array([[1, hand.slant, -hand.slant * height / 2], [0, 1, 0]], np.float32)
        mask = np.asarray(cv2.warpAffine(mask, matrix, (width, height)), dtype=np.uint8)
    if hand.edge > 0.05:
        mask = rough(rng, mask, hand.edge, int(rng.integers(25, 70)))
    return crop(mask)
