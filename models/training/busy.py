"""Pictures full of detail that is no card: sensor noise, gravel, leaves, pages of print, nets of lines."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Rng = np.random.Generator


def speckle(rng: Rng, size: int) -> Image:
    """Noise of any grain, grey or coloured, over any tone."""
    grain = float(np.exp(rng.uniform(0, np.log(40))))
    cells = max(4, round(size / grain))
    channels = 1 if rng.random() < 0.5 else 3
    coarse = rng.standard_normal((cells, cells, channels), np.float32)
    way = cv2.INTER_NEAREST if rng.random() < 0.5 else cv2.INTER_CUBIC
    fine = cv2.resize(coarse, (size, size), interpolation=way).reshape(size, size, channels)
    tone = rng.uniform(0, 255, 3).astype(np.float32)
    return np.clip(tone + fine * np.float32(rng.uniform(8, 90)), 0, 255).astype(np.uint8)


def pebbles(rng: Rng, size: int) -> Image:
    """Gravel, beans or leaves: overlapping ellipses of many tones with a dark rim."""
    base, spread = rng.uniform(40, 220, 3), rng.uniform(10, 60)
    image = np.full((size, size, 3), base * 0.5, np.uint8)
    reach, long = rng.uniform(4, 40), rng.uniform(1, 3)
    for _ in range(min(3000, int(3 * (size / reach) ** 2))):
        at = (int(rng.integers(0, size)), int(rng.integers(0, size)))
        short = reach * rng.uniform(0.4, 1.0)
        axes = (max(1, int(short * long)), max(1, int(short)))
        tint = tuple(float(c) for c in np.clip(base + rng.normal(0, spread, 3), 0, 255))
        turn = float(rng.uniform(0, 180))
        cv2.ellipse(image, at, axes, turn, 0, 360, tint, -1, cv2.LINE_AA)
        cv2.ellipse(image, at, axes, turn, 0, 360, tuple(c * 0.5 for c in tint), 1, cv2.LINE_AA)
    return image


def page(rng: Rng, size: int) -> Image:
    """A page of print in lines or columns: strokes that stand close together like characters."""
    paper, ink = rng.uniform(190, 255, 3), tuple(float(c) for c in rng.uniform(0, 90, 3))
    image = np.full((size, size, 3), paper, np.uint8)
    cell = rng.uniform(10, 60)
    gap = cell * rng.uniform(1.2, 2.2)
    for y in np.arange(cell / 2, size, gap):
        for x in np.arange(cell / 2, size, cell * 1.1):
            for _ in range(int(rng.integers(0, 8)) if rng.random() < 0.9 else 0):
                upright = rng.random() < 0.45
                a = rng.uniform(-0.45, 0.45, 2) * cell
                b = a + (rng.normal(0, 0.06), rng.uniform(0.2, 0.7)) * np.array([cell, cell])
                b = b if upright else a + (b - a)[::-1]
                ends = [(int(x + p[0]), int(y + p[1])) for p in (a, b)]
                cv2.line(image, ends[0], ends[1], ink, max(1, int(cell / 12)), cv2.LINE_AA)
    return np.ascontiguousarray(np.rot90(image, int(rng.integers(4))))


def net(rng: Rng, size: int) -> Image:
    """Straight lines in all directions: branches, wire, cracks."""
    image = np.full((size, size, 3), rng.uniform(30, 230, 3), np.uint8)
    for _ in range(int(rng.integers(20, 250))):
        ends = rng.uniform(-0.2 * size, 1.2 * size, (2, 2)).astype(int).tolist()
        tint = tuple(float(c) for c in rng.uniform(0, 255, 3))
        cv2.line(image, ends[0], ends[1], tint, int(rng.integers(1, 9)), cv2.LINE_AA)
    return image


KINDS: tuple[Callable[[Rng, int], Image], ...] = (speckle, pebbles, page, net)


def busy(rng: Rng, size: int) -> Image:
    """A square picture (size, size, 3) of one of these kinds."""
    return KINDS[rng.integers(len(KINDS))](rng, size)
