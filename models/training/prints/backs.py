"""Card backs: checks, diamonds, ornamental panels, grey patterns, plain."""

import cv2
import numpy as np

from models.training.prints import ink
from models.training.prints.ink import WIDTH, Colour, Image, Mask, Rng

INKS: tuple[Colour, ...] = (
    (170, 30, 40),
    (150, 60, 130),
    (90, 90, 98),
    (40, 70, 140),
    (40, 110, 80),
    (200, 150, 60),
    (120, 70, 40),
)


def _check(rng: Rng, height: int) -> Mask:
    y, x = np.mgrid[:height, :WIDTH]
    size = rng.uniform(8, 40)
    return ((((x / size).astype(int) + (y / size).astype(int)) % 2) * 255).astype(np.uint8)


def _diamonds(rng: Rng, height: int) -> Mask:
    y, x = np.mgrid[:height, :WIDTH].astype(np.float32)
    size, tall = rng.uniform(18, 60), rng.uniform(0.8, 2.0)
    u = np.abs((x / size + 0.5) % 1 - 0.5) + np.abs((y / size / tall + 0.5) % 1 - 0.5)
    level = rng.uniform(0.25, 0.5)
    rim = np.abs(u - level) < 0.06
    return np.where(rng.random() < 0.5, u < level, rim | (u < level * 0.4)).astype(np.uint8) * np.uint8(255)


def _grid(rng: Rng, height: int) -> Mask:
    y, x = np.mgrid[:height, :WIDTH].astype(np.float32)
    size, line = rng.uniform(8, 30), rng.uniform(0.15, 0.4)
    turn = rng.choice([0.0, np.pi / 4])
    u = (x * np.cos(turn) + y * np.sin(turn)) / size
    v = (y * np.cos(turn) - x * np.sin(turn)) / size
    return (((u % 1) < line) | ((v % 1) < line)).astype(np.uint8) * np.uint8(255)


def _ornament(rng: Rng, height: int) -> Mask:
    """A field of curls, mirrored left to right and top to bottom."""
    quarter = np.zeros((height // 2 + 1, WIDTH // 2), np.uint8)
    for _ in range(int(rng.integers(15, 50))):
        centre = (int(rng.integers(0, WIDTH // 2)), int(rng.integers(0, height // 2)))
        axes = (int(rng.integers(4, 34)), int(rng.integers(4, 34)))
        start = int(rng.integers(0, 360))
        thick = int(rng.integers(1, 5))
        cv2.ellipse(quarter, centre, axes, start, 0, int(rng.integers(120, 360)), 255, thick, cv2.LINE_AA)
    half = np.concatenate([quarter, quarter[:, ::-1]], 1)
    return np.asarray(np.concatenate([half, half[::-1]])[:height])


def _weave(rng: Rng, height: int) -> Mask:
    y, x = np.mgrid[:height, :WIDTH].astype(np.float32)
    a, b = rng.uniform(0.1, 0.5, 2)
    value = np.sin(x * a + 2 * np.sin(y * b * 0.5)) * np.sin(y * b + 2 * np.sin(x * a * 0.5))
    return (np.clip(value * 2 + rng.uniform(-0.3, 0.6), 0, 1) * 255).astype(np.uint8)


def back(rng: Rng, height: int, held: bool = False) -> Image:
    """Return a card back (height, 256, 3) RGB; every second `held` one is woven, as no other is."""
    white = ink.vary(rng, (236, 232, 224), 8)
    colour = ink.vary(rng, INKS[int(rng.choice(len(INKS), p=[0.36, 0.14, 0.16, 0.12, 0.1, 0.06, 0.06]))], 16)
    kind = rng.random()
    if kind < 0.14:
        plain = ink.paper(rng, height, colour if rng.random() < 0.6 else white)
        return ink.finish(plain)
    picture = ink.paper(rng, height, white)
    patterns = (_check, _diamonds, _grid, _ornament)
    draw = _weave if held and rng.random() < 0.5 else patterns[int(rng.integers(len(patterns)))]
    mask = draw(rng, height)
    margin = rng.uniform(0, 0.14) * WIDTH if rng.random() < 0.8 else 0.0
    window = np.zeros((height, WIDTH), np.uint8)
    ink.fill_rounded(window, (margin, margin, WIDTH - margin, height - margin), rng.uniform(0, 30))
    if rng.random() < 0.5:
        ink.stamp(picture, ink.Layer(window, ink.vary(rng, colour, 10)))
        colour = white if rng.random() < 0.6 else ink.vary(rng, (214, 180, 90), 12)
    mask = np.asarray(cv2.bitwise_and(mask, window), dtype=np.uint8)
    ink.stamp(picture, ink.Layer(mask, colour), rng.uniform(0.6, 1.0))
    if rng.random() < 0.4:
        line = ink.frame(height, margin + 6, margin + 6, int(rng.integers(2, 6)), 8)
        ink.stamp(picture, ink.Layer(line, colour))
    return ink.finish(picture)
