"""Brush strokes, and the letterings of printed cards that no font has, composed of them.

A form is a list of strokes in a unit square (x right, y down); a stroke is its kind and its points. Kinds as in
calligraphy: h 横, v 竖, p 撇 (tapers away), n 捺 (swells, then ends), d 点, l a line of even width.
"""

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.prints.ink import Mask, Rng, crop

Points = tuple[tuple[float, float], ...]
Stroke = tuple[str, Points]
Form = list[Stroke]

PROFILES: dict[str, tuple[float, ...]] = {
    "h": (1.1, 0.85, 0.75, 0.8, 1.25, 0.9),
    "v": (1.2, 0.95, 0.9, 0.9, 0.85, 0.55),
    "p": (1.2, 1.05, 0.95, 0.7, 0.4, 0.12),
    "n": (0.35, 0.6, 0.85, 1.2, 1.35, 0.25),
    "d": (0.3, 0.8, 1.25, 1.1, 0.7),
    "l": (0.95, 0.9, 0.9, 0.9, 0.95),
}
THICKNESS = {"h": 0.9, "v": 1.0, "p": 1.0, "n": 1.05, "d": 1.05, "l": 0.7}
SIZE = 224  # px of the unit square while strokes are drawn
MARGIN = 40


def _curve(points: NDArray[np.float64], steps: int) -> NDArray[np.float64]:
    """Sample a Catmull-Rom curve through `points` (n, 2)."""
    if len(points) == 2:
        return points[0] + np.linspace(0, 1, steps)[:, None] * (points[1] - points[0])
    padded = np.concatenate([2 * points[:1] - points[1:2], points, 2 * points[-1:] - points[-2:-1]])
    parts = []
    t = np.linspace(0, 1, max(2, steps // (len(points) - 1)), endpoint=False)[:, None]
    for a, b, c, d in zip(padded, padded[1:], padded[2:], padded[3:], strict=False):
        parts.append(
            0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t**2 + (3 * b - a - 3 * c + d) * t**3)
        )
    return np.concatenate([*parts, points[-1:]])


def brush(mask: Mask, points: NDArray[np.float64], kind: str, width: float) -> None:
    """Draw one stroke of `kind` through `points` (n, 2) px, about `width` px thick, onto `mask` in place."""
    length = float(np.hypot(*np.diff(points, axis=0).T).sum())
    path = _curve(points, max(6, int(length / max(1.0, width * 0.18))))
    profile = PROFILES[kind]
    radii = np.interp(np.linspace(0, 1, len(path)), np.linspace(0, 1, len(profile)), profile) * width / 2
    fixed = np.round(path * 8).astype(int)
    for (x, y), radius in zip(
        fixed.tolist(), np.maximum(1, np.round(radii * 8)).astype(int).tolist(), strict=True
    ):
        cv2.circle(mask, (x, y), radius, 255, -1, cv2.LINE_AA, 3)


def draw(rng: Rng, form: Form, width: float, thorn: float = 0.0, aspect: float = 1.0) -> Mask:
    """Return a form drawn with strokes about `width` (share of the square) thick, cut to its ink.

    `thorn` 0..1: how many strokes end in a spur. `aspect`: height of the drawing over its width.
    """
    mask = np.zeros((round(SIZE * aspect) + 2 * MARGIN, SIZE + 2 * MARGIN), np.uint8)
    scale = np.array([SIZE, SIZE * aspect])
    for kind, points in form:
        path = np.asarray(points) + rng.normal(0, 0.008, (len(points), 2))
        pixels = path * scale + MARGIN
        thick = width * SIZE * rng.uniform(0.88, 1.12) * THICKNESS[kind]
        brush(mask, pixels, kind, thick)
        if rng.random() < thorn:
            _spur(rng, mask, pixels, thick)
    return crop(mask)


def _spur(rng: Rng, mask: Mask, path: NDArray[np.float64], width: float) -> None:
    """Add a short spike, off to one side, at one end of a stroke."""
    end, inner = (path[0], path[1]) if rng.random() < 0.6 else (path[-1], path[-2])
    along = (end - inner) / max(1.0, float(np.hypot(*(end - inner))))
    side = np.array([-along[1], along[0]]) * rng.choice([-1, 1])
    tip = end + (side * rng.uniform(0.6, 1.4) + along * rng.uniform(0, 0.9)) * width
    brush(mask, np.stack([end, tip]), "p", width * 0.75)


def _box(x0: float, y0: float, x1: float, y1: float, bars: int) -> Form:
    """Return a 口 / 日 / 目: an upright box with `bars` strokes inside, closed at the bottom."""
    rows = [y0 + (y1 - y0) * i / (bars + 1) for i in range(bars + 2)]
    strokes: Form = [("v", ((x0, y0), (x0, y1))), ("v", ((x1, y0), (x1, y1)))]
    return strokes + [("l", ((x0, y), (x1, y))) for y in rows]


def san_top(rng: Rng) -> Form:
    """Return the top of the narrow 叁: 龹, 夫 or 𡗗, down to about y = 0.5."""
    kind = rng.integers(0, 4)
    low, reach = rng.uniform(0.42, 0.54), rng.uniform(0.0, 0.08)
    start = rng.uniform(-0.02, 0.08)
    form: Form = [
        ("p", ((0.5, start), (0.47, 0.2), (0.3, low - 0.1), (reach, low))),
        ("n", ((0.53, rng.uniform(0.2, 0.3)), (0.7, low - 0.1), (1 - reach, low))),
    ]
    rows: tuple[float, ...] = (0.1, 0.26)
    if kind == 1:
        rows = (0.14, 0.27)
        form += [("d", ((0.28, 0.0), (0.36, 0.08))), ("p", ((0.72, -0.01), (0.62, 0.09)))]
    elif kind == 2:
        rows = (0.07, 0.17, 0.28)
    elif kind == 3:
        rows = (0.12, 0.27)
        form += [("p", ((0.3, -0.02), (0.2, 0.07))), ("d", ((0.68, -0.02), (0.8, 0.06)))]
    for i, y in enumerate(rows):
        inset = 0.24 - 0.16 * i / max(1, len(rows) - 1) + rng.uniform(-0.04, 0.04)
        form.append(("h", ((inset, y + 0.02), (1 - inset, y - 0.01))))
    return form


def san(rng: Rng) -> Form:
    """Return 叁 in the narrow form: a top of three strokes, a thin 目 and two long legs."""
    half = rng.uniform(0.1, 0.2)
    x0, x1 = 0.5 - half + rng.uniform(-0.02, 0.02), 0.5 + half
    top, bottom = rng.uniform(0.36, 0.46), rng.uniform(0.72, 0.84)
    out = rng.uniform(0.05, 0.28)
    bars = int(rng.integers(1, 4))
    form = san_top(rng)
    left: Points = ((x0, top), (x0, bottom - 0.05), (x0 - out * 0.4, bottom + 0.09), (x0 - out, 0.99))
    right: Points = ((x1, top), (x1, bottom - 0.05), (x1 + out * 0.3, bottom + 0.1), (x1 + out, 0.99))
    form += [("p" if rng.random() < 0.6 else "v", left), ("n" if rng.random() < 0.5 else "v", right)]
    if rng.random() < 0.3:
        form.append(("p", ((x1 + out, 0.99), (x1 + out + 0.06, 0.9))))
    rows = np.linspace(top, bottom, bars + 2)
    return form + [("l", ((x0, float(y)), (x1, float(y)))) for y in rows]


def si(rng: Rng) -> Form:
    """Return 肆 like 律: a dotted left side and 聿 with a long tail."""
    x = rng.uniform(0.6, 0.7)
    right, left = x + rng.uniform(0.18, 0.26), x - rng.uniform(0.18, 0.26)
    rows = np.linspace(0.08, rng.uniform(0.3, 0.38), 3)
    low = rng.uniform(0.46, 0.54)
    form: Form = [
        ("v", ((x, -0.03), (x, 0.5), (x, 1.0)))
        if rng.random() < 0.6
        else ("p", ((x, 0), (x, 0.6), (x - 0.06, 1))),
        ("h", ((left, rows[0]), (right, rows[0] - 0.01))),
        ("v", ((right, rows[0]), (right - 0.01, rows[2]))),
        ("h", ((left - 0.1, rows[1] + 0.01), (min(1.0, right + 0.12), rows[1] - 0.01))),
        ("h", ((left, rows[2]), (right, rows[2] - 0.01))),
        ("h", ((left - 0.02, low), (right + 0.02, low - 0.01))),
    ]
    if rng.random() < 0.75:
        form.append(("h", ((left - 0.08, low + 0.12), (min(1.0, right + 0.1), low + 0.1))))
    return form + _si_left(rng, left - 0.1)


def _si_left(rng: Rng, right: float) -> Form:
    centre = right / 2 + 0.01
    kind = rng.integers(0, 4)
    if kind == 0:
        return [("d", ((centre - 0.08, y), (centre + 0.07, y + 0.08))) for y in np.linspace(0.05, 0.6, 4)]
    if kind == 1:
        stem: Form = [("v", ((centre, 0.1), (centre, 0.75)))]
        sides = ((-0.14, 0.12, 1), (0.12, 0.16, -1), (-0.14, 0.42, 1), (0.12, 0.46, -1))
        return stem + [("d", ((centre + dx, y), (centre + dx + 0.06 * s, y + 0.1))) for dx, y, s in sides]
    if kind == 2:
        return [
            ("p", ((centre + 0.08, 0.03), (centre - 0.12, 0.24))),
            ("p", ((centre + 0.1, 0.24), (centre - 0.13, 0.48))),
            ("v", ((centre + 0.02, 0.42), (centre + 0.02, 0.95))),
        ]
    form: Form = [("l", ((centre - 0.1, y), (centre + 0.12, y))) for y in (0.06, 0.17, 0.28)]
    form += [("v", ((centre - 0.1, 0.06), (centre - 0.1, 0.4))), ("h", ((0.0, 0.42), (right + 0.02, 0.4)))]
    return form + [("d", ((centre + dx, 0.52), (centre + dx + 0.04, 0.68))) for dx in (-0.1, 0.08)]


def qi(rng: Rng) -> Form:
    """Return 柒 with thorned strokes: three dots, 七 above 木."""
    form: Form = [("d", ((0.08, y), (0.22, y + 0.09))) for y in (0.04, 0.2)]
    form.append(("p", ((0.08, 0.48), (0.2, 0.4), (0.28, 0.3))))
    hook = rng.uniform(0.82, 0.96)
    form += [
        ("h", ((0.32, 0.26), (0.65, 0.2), (0.96, 0.14))),
        ("v", ((0.56, 0.0), (0.56, 0.34), (0.66, 0.43), (hook, 0.42), (hook + 0.02, 0.3))),
    ]
    row = rng.uniform(0.56, 0.64)
    form += [
        ("h", ((0.06, row + 0.02), (0.94, row - 0.02))),
        ("v", ((0.52, 0.46), (0.52, 1.0))),
        ("p", ((0.5, row), (0.35, row + 0.18), (0.06, 0.94))),
        ("n", ((0.54, row), (0.72, row + 0.18), (0.97, 0.93))),
    ]
    if rng.random() < 0.4:
        form.append(("p", ((0.52, 1.0), (0.42, 0.93))))
    return form


def er(rng: Rng) -> Form:
    """Return 貳 with thorned strokes: 弋 over 二 and 貝."""
    row, right = rng.uniform(0.14, 0.22), rng.uniform(0.46, 0.54)
    form: Form = [
        ("h", ((0.04, row + 0.02), (0.8, row - 0.03))),
        ("n", ((0.6, -0.02), (0.64, 0.4), (0.76, 0.75), (0.96, 0.97))),
        ("p", ((0.96, 0.97), (0.99, 0.8))),
        ("d", ((0.8, 0.0), (0.9, 0.1))),
    ]
    rows = (0.3, 0.41) if rng.random() < 0.7 else (0.06, 0.33)
    form += [("h", ((0.12 + 0.03 * i, y + 0.01), (right - 0.03 * i, y))) for i, y in enumerate(rows)]
    form += _box(0.17, 0.5, right - 0.03, 0.84, 2)
    return [*form, ("p", ((0.24, 0.86), (0.06, 1.0))), ("d", ((right - 0.12, 0.86), (right + 0.02, 0.99)))]


def soldier(rng: Rng) -> Form:
    """Return 卒 as printed on four-colour cards: a stem with two 人 between two bars, like 巫 or 來."""
    top, low = rng.uniform(0.1, 0.22), rng.uniform(0.6, 0.78)
    high = rng.uniform(0.24, 0.34)
    form: Form = [("v", ((0.5, rng.uniform(-0.02, 0.1)), (0.5, 1.0)))]
    for x in (0.25, 0.75):
        reach = rng.uniform(0.14, 0.22)
        form += [
            ("p", ((x, high), (x - 0.03, high + 0.12), (x - reach, low - 0.05))),
            ("n", ((x, high + 0.08), (x + reach * 0.5, low - 0.14), (x + reach, low - 0.06))),
        ]
    if rng.random() < 0.75:
        form.append(("h", ((0.14, top + 0.01), (0.86, top - 0.01))))
    if rng.random() < 0.3:
        form.append(("d", ((0.45, -0.05), (0.55, 0.06))))
    return [*form, ("h", ((0.04, low + 0.02), (0.96, low)))]


def _person(rng: Rng, x: float, top: float, size: float) -> Form:
    """Return a small 人 with its tip at (x, top)."""
    reach, low = size * rng.uniform(0.4, 0.7), top + size
    return [
        ("p", ((x, top), (x - reach * 0.3, top + size * 0.5), (x - reach, low))),
        ("n", ((x - reach * 0.1, top + size * rng.uniform(0.1, 0.5)), (x + reach, low - size * 0.05))),
    ]


def pen_soldier(rng: Rng) -> Form:
    """Return 卒 as a pen writes it on old four-colour cards: a stem through two bars with a small 人 at either side.

    Under a roof it is like 傘, with legs like 來, with dots instead of the 人 like 平.
    """
    high, low = rng.uniform(0.08, 0.3), rng.uniform(0.5, 0.85)
    start = rng.uniform(-0.08, high)
    lean = rng.normal(0, 0.03)
    form: Form = [("v", ((0.5 - lean, start), (0.5, 0.5), (0.5 + lean, 1.0)))]
    narrow, wide = rng.uniform(0.2, 0.42), rng.uniform(0.32, 0.52)
    if rng.random() < 0.25:
        narrow, wide = wide, narrow
    rise = rng.uniform(-0.01, 0.06)
    form += [
        ("h", ((0.5 - narrow, high + rise), (0.5 + narrow, high - rise))),
        ("h", ((0.5 - wide, low + rise), (0.5 + wide, low - rise))),
    ]
    top = high + rng.uniform(-0.02, 0.1)
    size = max(0.12, min(0.42, low - top - rng.uniform(-0.08, 0.08)))
    for x in (0.5 - rng.uniform(0.18, 0.3), 0.5 + rng.uniform(0.18, 0.3)):
        if rng.random() < 0.88:
            form += _person(rng, x, top, size)
        else:
            form.append(("d", ((x, top), (x + rng.choice([-0.06, 0.06]), top + size * 0.7))))
    if rng.random() < 0.22:  # a roof
        peak = min(start, high - 0.08)
        form += [("p", ((0.5, peak), (0.3, peak + 0.16), (0.02, high + 0.12)))]
        form += [("n", ((0.5, peak), (0.72, peak + 0.16), (0.98, high + 0.1)))]
    elif rng.random() < 0.25:
        form.append(("d", ((0.44, high - 0.16), (0.54, high - 0.06))))
    if rng.random() < 0.2:  # legs
        form += [("p", ((0.49, low), (0.35, low + 0.1), (0.12, 0.97)))]
        form += [("n", ((0.51, low), (0.68, low + 0.1), (0.9, 0.97)))]
    return form


def open_bing(rng: Rng) -> Form:
    """Return 兵 written open and slanting: a left stroke, two bars not closed, a long bar, two legs apart."""
    slant = rng.uniform(0.02, 0.12)
    left, right = rng.uniform(0.2, 0.32), rng.uniform(0.6, 0.76)
    top, middle, bar = rng.uniform(0.0, 0.08), rng.uniform(0.24, 0.34), rng.uniform(0.52, 0.64)
    form: Form = [
        ("p", ((right + 0.08, top), (0.5, top + 0.06), (left, top + 0.1))),
        ("v", ((left + 0.02, top + 0.08), (left + rng.normal(0, 0.03), bar))),
        ("h", ((left, middle + slant / 2), (right + rng.uniform(0.05, 0.2), middle - slant / 2))),
        ("h", ((rng.uniform(-0.04, 0.1), bar + slant / 2), (rng.uniform(0.9, 1.04), bar - slant / 2))),
    ]
    if rng.random() < 0.85:
        form.append(("v", ((right - 0.02, middle), (right - 0.04 + rng.normal(0, 0.03), bar))))
    out = rng.uniform(0.18, 0.34)
    form += [
        ("p", ((0.42, bar + 0.08), (0.42 - out * 0.5, bar + 0.2), (0.42 - out, rng.uniform(0.86, 1.0)))),
        ("d" if rng.random() < 0.5 else "n", ((0.6, bar + 0.1), (0.6 + out, rng.uniform(0.84, 1.0)))),
    ]
    return form


FORMS: dict[str, Callable[[Rng], Form]] = {
    "san": san,
    "si": si,
    "qi": qi,
    "er": er,
    "soldier": soldier,
    "pen_soldier": pen_soldier,
    "open_bing": open_bing,
}
