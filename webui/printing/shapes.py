"""What a printed page is made of: filled contours in millimetres, and lines of plain text."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from importlib.resources import files

import numpy as np
import numpy.typing as npt

Floats = npt.NDArray[np.float64]
Colour = tuple[int, int, int]

EM = 1000  # units of an outline in `outlines.json`
ROUND_STEPS = 32  # straight pieces of a whole circle; at a card's size they can't be told from a curve


@dataclass(frozen=True)
class Shape:
    """Closed contours, each (N, 2) mm, filled with one RGB colour by the even-odd rule."""

    contours: tuple[Floats, ...]
    colour: Colour


@dataclass(frozen=True)
class Label:
    """A line of plain Latin text that begins at (x, y) mm, the letters' `size` mm high."""

    text: str
    x: float
    y: float
    size: float = 3.0


@dataclass(frozen=True)
class Page:
    """One printed page of `width` x `height` mm."""

    width: float
    height: float
    shapes: tuple[Shape, ...]
    labels: tuple[Label, ...] = ()


def placed(shapes: Sequence[Shape], x: float, y: float, angle: float = 0.0) -> list[Shape]:
    """The shapes turned by `angle` radians (clockwise as seen) about their origin, which goes to (x, y)."""
    c, s = np.cos(angle), np.sin(angle)
    turn = np.array([[c, s], [-s, c]])
    return [Shape(tuple(one @ turn + (x, y) for one in shape.contours), shape.colour) for shape in shapes]


def rectangle(x: float, y: float, width: float, height: float, radius: float = 0.0) -> Floats:
    """A rectangle from its upper left corner, its corners rounded."""
    r = min(radius, width / 2, height / 2)
    if r <= 0:
        return np.array([[x, y], [x + width, y], [x + width, y + height], [x, y + height]], np.float64)
    quarter = np.linspace(0, np.pi / 2, ROUND_STEPS // 4 + 1)
    arc = r * np.stack([np.sin(quarter), -np.cos(quarter)], -1)  # from straight up to the right
    corners = (
        (x + width - r, y + r),
        (x + width - r, y + height - r),
        (x + r, y + height - r),
        (x + r, y + r),
    )
    turned = (arc, arc[:, ::-1] * [-1, 1], -arc, arc[:, ::-1] * [1, -1])
    return np.concatenate([middle + part for middle, part in zip(corners, turned, strict=True)])


def ellipse(x: float, y: float, rx: float, ry: float) -> Floats:
    """An ellipse about (x, y)."""
    around = np.linspace(0, 2 * np.pi, ROUND_STEPS, endpoint=False)
    return np.stack([x + rx * np.cos(around), y + ry * np.sin(around)], -1)


def polygon(*points: tuple[float, float]) -> Floats:
    """A polygon through points."""
    return np.array(points, np.float64)


def frame(
    x: float, y: float, width: float, height: float, thick: float, radius: float = 0.0
) -> tuple[Floats, ...]:
    """A frame `thick` mm wide, inside the rectangle given."""
    inner = rectangle(x + thick, y + thick, width - 2 * thick, height - 2 * thick, radius - thick)
    return rectangle(x, y, width, height, radius), inner


def ring(x: float, y: float, radius: float, thick: float) -> tuple[Floats, ...]:
    """A circle's line, `thick` mm wide, inside the circle given."""
    return ellipse(x, y, radius, radius), ellipse(x, y, radius - thick, radius - thick)


@cache
def _outlines() -> dict[str, dict[str, list[list[list[int]]]]]:
    text = files("webui.printing").joinpath("outlines.json").read_text("utf-8")
    found: dict[str, dict[str, list[list[list[int]]]]] = json.loads(text)
    return found


def has_glyph(lettering: str, character: str) -> bool:
    """Whether a lettering has a character."""
    return character in _outlines()[lettering]


def glyph(lettering: str, character: str, x: float, y: float, size: float) -> tuple[Floats, ...]:
    """A character whose ink is centred on (x, y), its em `size` mm; raises `KeyError` where the lettering lacks it."""
    scale = size / EM
    return tuple(np.array(one) * scale + (x, y) for one in _outlines()[lettering][character])
