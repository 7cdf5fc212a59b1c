"""Table tops and other grounds, drawn from noise: what cards lie on in a training scene.

Every ground is a square RGB uint8 tile of ``TILE`` pixels that stands for ``TILE_MM`` millimetres and is
mirrored at its borders. Some kinds are held out: scenes of the held-out split lie on them only.
"""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Field = NDArray[np.float32]

TILE = 1024
TILE_MM = 700.0


def noise(rng: np.random.Generator, cells_x: float, cells_y: float, octaves: int = 4) -> Field:
    """Smooth value noise (TILE, TILE) in 0..1 with ``cells_x`` by ``cells_y`` blobs in its first octave."""
    total = np.zeros((TILE, TILE), np.float32)
    weight = 0.0
    for octave in range(octaves):
        shape = (int(cells_y * 2**octave) + 2, int(cells_x * 2**octave) + 2)
        grid = rng.random((min(shape[0], TILE), min(shape[1], TILE)), np.float32)
        total += cv2.resize(grid, (TILE, TILE), interpolation=cv2.INTER_CUBIC) * 0.55**octave
        weight += 0.55**octave
    return np.clip(total / weight, 0, 1)


def blend(field: Field, low: NDArray[np.float64], high: NDArray[np.float64]) -> Image:
    """Colour a 0..1 field from ``low`` to ``high`` (RGB 0..255)."""
    mixed = low[None, None] * (1 - field[..., None]) + high[None, None] * field[..., None]
    return np.clip(mixed, 0, 255).astype(np.uint8)


def colour(
    rng: np.random.Generator, saturation: float = 0.5, value: tuple[float, float] = (0.15, 0.95)
) -> NDArray[np.float64]:
    """A random RGB colour (0..255) with saturation up to ``saturation``."""
    hsv = np.array([[[rng.uniform(0, 360), rng.uniform(0, saturation), rng.uniform(*value)]]], np.float32)
    return cv2.cvtColor(hsv, cv2.COLOR_HSV2RGB)[0, 0].astype(np.float64) * 255


def wood(rng: np.random.Generator) -> Image:
    """Planks: long grain, rings, joints."""
    warp = noise(rng, rng.uniform(1, 4), rng.uniform(1, 3))
    grain = noise(rng, rng.uniform(2, 5), rng.uniform(60, 160), 3)
    rings = 0.5 + 0.5 * np.sin(
        np.linspace(0, rng.uniform(20, 90), TILE, dtype=np.float32)[:, None] + warp * rng.uniform(5, 30)
    )
    field = np.clip(0.5 * grain + rng.uniform(0.1, 0.5) * rings.astype(np.float32), 0, 1)
    hue = np.array([rng.uniform(90, 225), 0.0, 0.0])
    hue[1] = hue[0] * rng.uniform(0.6, 0.85)
    hue[2] = hue[1] * rng.uniform(0.45, 0.85)
    image = blend(field, hue * rng.uniform(0.45, 0.8), np.minimum(hue * 1.1, 255))
    if rng.random() < 0.6:
        step = int(rng.uniform(90, 260))
        for y in range(int(rng.integers(step)), TILE, step):
            cv2.line(image, (0, y), (TILE, y), tuple(float(c) for c in hue * 0.3), int(rng.integers(1, 4)))
    return image


def felt(rng: np.random.Generator) -> Image:
    """One dull colour with fine fibres, as on a mahjong table."""
    base = colour(rng, 0.8)
    fibre = rng.normal(0, rng.uniform(2, 12), (TILE, TILE, 1)).astype(np.float32)
    cloud = (noise(rng, 4, 4) - 0.5)[..., None] * rng.uniform(4, 30)
    return np.clip(base[None, None] + fibre + cloud, 0, 255).astype(np.uint8)


def checked(rng: np.random.Generator) -> Image:
    """A checked or striped cloth with a weave."""
    image = np.full((TILE, TILE, 3), colour(rng, 0.4), np.float32)
    position = 0
    bands: list[tuple[int, int, NDArray[np.float64]]] = []
    palette = [colour(rng, 0.8) for _ in range(3)]
    while position < TILE:
        size = int(rng.uniform(6, 70))
        if rng.random() < 0.6:
            bands.append((position, position + size, palette[rng.integers(3)]))
        position += size
    both = rng.random() < 0.7
    for start, stop, tint in bands:
        image[start:stop] = image[start:stop] * 0.5 + tint * 0.5
        if both:
            image[:, start:stop] = image[:, start:stop] * 0.5 + tint * 0.5
    weave = (
        1
        + 0.06
        * np.sin(np.arange(TILE) * rng.uniform(1.2, 3))[None, :, None]
        * np.sin(np.arange(TILE) * 2.1)[:, None, None]
    )
    return np.clip(image * weave, 0, 255).astype(np.uint8)


def flowered(rng: np.random.Generator) -> Image:
    """A printed cloth or oilcloth: repeated blossoms on a ground."""
    image = np.full((TILE, TILE, 3), colour(rng, 0.35, (0.4, 1)), np.uint8)
    for _ in range(int(rng.uniform(40, 260))):
        x, y = (int(v) for v in rng.integers(0, TILE, 2))
        size = rng.uniform(6, 42)
        tint = tuple(float(c) for c in colour(rng, 0.9))
        petals = int(rng.integers(3, 8))
        for k in range(petals):
            a = 2 * np.pi * k / petals
            centre = (int(x + size * 0.6 * np.cos(a)), int(y + size * 0.6 * np.sin(a)))
            cv2.ellipse(
                image,
                centre,
                (int(size * 0.5) + 1, int(size * 0.3) + 1),
                np.degrees(a),
                0,
                360,
                tint,
                -1,
                cv2.LINE_AA,
            )
        cv2.circle(
            image, (x, y), int(size * 0.25) + 1, tuple(float(c) for c in colour(rng, 0.9)), -1, cv2.LINE_AA
        )
    return image


def stone(rng: np.random.Generator) -> Image:
    """Marble, granite or terrazzo."""
    vein = np.abs(noise(rng, rng.uniform(2, 5), rng.uniform(2, 5), 6) - 0.5) * rng.uniform(2, 8)
    image = blend(np.clip(vein, 0, 1).astype(np.float32), colour(rng, 0.25), colour(rng, 0.25, (0.5, 1)))
    for _ in range(int(rng.choice([0, 0, 300, 900]))):
        x, y = (int(v) for v in rng.integers(0, TILE, 2))
        cv2.circle(
            image, (x, y), int(rng.integers(1, 8)), tuple(float(c) for c in colour(rng, 0.3)), -1, cv2.LINE_AA
        )
    return image


def printed_paper(rng: np.random.Generator) -> Image:
    """Newspaper or a sheet with lines of text-like marks."""
    image = np.full((TILE, TILE, 3), colour(rng, 0.12, (0.75, 1)), np.uint8)
    ink = tuple(float(c) for c in colour(rng, 0.3, (0, 0.4)))
    columns = int(rng.integers(1, 5))
    line = int(rng.uniform(9, 30))
    for y in range(line, TILE - line, int(line * 1.6)):
        x = 10
        while x < TILE:
            run = int(rng.uniform(0.3, 1.0) * line)
            for _ in range(int(rng.integers(2, 4))):
                p = (int(x + rng.uniform(0, run)), int(y + rng.uniform(0, line * 0.8)))
                q = (int(x + rng.uniform(0, run)), int(y + rng.uniform(0, line * 0.8)))
                cv2.line(image, p, q, ink, max(1, line // 10), cv2.LINE_AA)
            x += line if (x // (TILE // columns)) == ((x + line) // (TILE // columns)) else line * 2
    return image


def glass(rng: np.random.Generator) -> Image:
    """Glass or lacquer: dark or pale, with soft reflected lights."""
    image = blend(noise(rng, 3, 3, 2), colour(rng, 0.5, (0.05, 0.6)), colour(rng, 0.3, (0.3, 0.9)))
    for _ in range(int(rng.integers(1, 6))):
        x, y = (int(v) for v in rng.integers(0, TILE, 2))
        size = (int(rng.uniform(20, 200)), int(rng.uniform(20, 200)))
        cv2.ellipse(
            image,
            (x, y),
            size,
            rng.uniform(0, 180),
            0,
            360,
            tuple(float(c) for c in colour(rng, 0.2, (0.6, 1))),
            -1,
        )
    blur = int(rng.uniform(10, 40)) * 2 + 1
    return cv2.GaussianBlur(image, (blur, blur), 0).astype(np.uint8)


def tiles(rng: np.random.Generator) -> Image:
    """Bamboo mat, floor tiles, slats: a regular grid of edges."""
    image = blend(noise(rng, 6, 6), colour(rng, 0.4), colour(rng, 0.4))
    step_x, step_y = int(rng.uniform(12, 220)), int(rng.uniform(12, 220))
    edge = tuple(float(c) for c in colour(rng, 0.4))
    width = int(rng.integers(1, 7))
    for x in range(0, TILE, step_x):
        cv2.line(image, (x, 0), (x, TILE), edge, width)
    if rng.random() < 0.7:
        for y in range(0, TILE, step_y):
            cv2.line(image, (0, y), (TILE, y), edge, width)
    return image


def shapes(rng: np.random.Generator) -> Image:
    """A mat with large rectangles, rings and bars in strong colours: edges that are no cards."""
    image = np.full((TILE, TILE, 3), colour(rng, 0.8), np.uint8)
    for _ in range(int(rng.uniform(10, 80))):
        tint = tuple(float(c) for c in colour(rng, 0.9))
        x, y = (float(v) for v in rng.uniform(0, TILE, 2))
        size = (float(rng.uniform(8, 60)), float(rng.uniform(20, 300)))
        box = cv2.boxPoints(((x, y), size, float(rng.uniform(0, 180)))).astype(np.int32)
        if rng.random() < 0.6:
            cv2.fillConvexPoly(image, box, tint, cv2.LINE_AA)
        else:
            cv2.circle(image, (int(x), int(y)), int(size[1] / 2), tint, int(rng.integers(1, 8)), cv2.LINE_AA)
    return image


def lattice(rng: np.random.Generator) -> Image:
    """Slanting lines that cross, single or in pairs, as on quilts, wire glass and trellis prints."""
    image = blend(noise(rng, 5, 5), colour(rng, 0.5), colour(rng, 0.5))
    tint = tuple(float(c) for c in colour(rng, 0.6))
    width, pair = int(rng.integers(1, 8)), int(rng.choice([0, 0, 6, 14]))
    lean = rng.uniform(0.3, 1.2)
    for turn in (lean, -lean)[: 2 if rng.random() < 0.85 else 1]:
        step = rng.uniform(16, 150)
        along = np.array([np.cos(turn), np.sin(turn)])
        for k in range(-int(1.5 * TILE / step), int(1.5 * TILE / step)):
            for shift in {0, pair}:
                root = np.array([TILE / 2, TILE / 2]) + (k * step + shift) * np.array([-along[1], along[0]])
                a, b = root - 1.5 * TILE * along, root + 1.5 * TILE * along
                cv2.line(image, (int(a[0]), int(a[1])), (int(b[0]), int(b[1])), tint, width, cv2.LINE_AA)
    return image


def gingham(rng: np.random.Generator) -> Image:
    """Even bars of one colour both ways, darker where they cross."""
    base, tint = colour(rng, 0.2, (0.7, 1)), colour(rng, 0.9, (0.2, 0.9))
    half = rng.uniform(7, 60)
    bars = (np.arange(TILE) // half % 2).astype(np.float32)
    field = (bars[:, None] + bars[None]) * rng.uniform(0.3, 0.5)
    return blend(field.astype(np.float32), base, tint)


def bonded(rng: np.random.Generator) -> Image:
    """Oblongs in shifted lines, each a little different: bricks, parquet, patchwork."""
    image = np.full((TILE, TILE, 3), colour(rng, 0.3), np.uint8)
    long, short = rng.uniform(40, 260), rng.uniform(14, 90)
    gap, shift = int(rng.integers(0, 5)), rng.choice([1 / 2, 1 / 3, 0.23])
    base, spread = colour(rng, 0.6), rng.uniform(4, 60)
    for line in range(int(TILE / short) + 1):
        for k in range(-1, int(TILE / long) + 2):
            x, y = (k + line * shift % 1) * long, line * short
            tint = tuple(float(c) for c in np.clip(base + rng.normal(0, spread, 3), 0, 255))
            cv2.rectangle(
                image, (int(x), int(y)), (int(x + long) - gap - 1, int(y + short) - gap - 1), tint, -1
            )
    return image


def woven(rng: np.random.Generator) -> Image:
    """Basket weave: bundles of strands that pass over and under each other."""
    image = np.zeros((TILE, TILE, 3), np.float32)
    cell, strands = int(rng.uniform(10, 80)), int(rng.integers(1, 6))
    light, dark = colour(rng, 0.5, (0.5, 1)), colour(rng, 0.5, (0.1, 0.6))
    across = np.arange(TILE, dtype=np.float32) / cell
    ridge = np.abs(np.sin(np.pi * strands * across)) ** 0.5
    over = (np.floor(across)[:, None] + np.floor(across)[None]) % 2
    height = np.where(over > 0, ridge[:, None], ridge[None])
    image[:] = blend(height.astype(np.float32), dark, light)
    return np.clip(image, 0, 255).astype(np.uint8)


def slatted(rng: np.random.Generator) -> Image:
    """A bamboo mat: thin slats of many tones, tied by threads across them."""
    image = np.zeros((TILE, TILE, 3), np.float32)
    base, y = colour(rng, 0.5, (0.4, 0.95)), 0
    while y < TILE:
        step = max(4, int(rng.normal(rng.uniform(6, 30), 1)))
        image[y : y + step] = base * rng.uniform(0.75, 1.15)
        image[y : y + 1] *= 0.5
        y += step
    tint, gap = colour(rng, 0.6), rng.uniform(40, 260)
    for x in np.arange(rng.uniform(0, gap), TILE, gap):
        image[:, int(x) : int(x) + int(rng.integers(2, 7))] = tint
    return np.clip(image, 0, 255).astype(np.uint8)


def dotted(rng: np.random.Generator) -> Image:
    """Spots, rings or little crosses in straight or shifted lines."""
    image = np.full((TILE, TILE, 3), colour(rng, 0.6), np.uint8)
    tint, size = tuple(float(c) for c in colour(rng, 0.8)), int(rng.integers(2, 22))
    step, kind, shifted = size * rng.uniform(2.4, 6), int(rng.integers(3)), rng.random() < 0.6
    for line, y in enumerate(np.arange(0, TILE, step)):
        for x in np.arange(step / 2 if shifted and line % 2 else 0, TILE, step):
            at = (int(x), int(y))
            if kind == 2:
                cv2.drawMarker(
                    image, at, tint, int(rng.integers(2)), size * 2, max(1, size // 4), cv2.LINE_AA
                )
            else:
                cv2.circle(image, at, size, tint, -1 if kind else max(1, size // 4), cv2.LINE_AA)
    return image


TRAIN: tuple[Callable[[np.random.Generator], Image], ...] = (
    wood,
    felt,
    flowered,
    stone,
    printed_paper,
    glass,
    shapes,
    lattice,
    gingham,
    bonded,
    woven,
    slatted,
    dotted,
)
HELD: tuple[Callable[[np.random.Generator], Image], ...] = (checked, tiles, wood, felt)


def ground(rng: np.random.Generator, split: str) -> Image:
    """A random ground (TILE, TILE, 3) of a split ("train" or "held")."""
    kinds = TRAIN if split == "train" else HELD
    image = kinds[rng.integers(len(kinds))](rng)
    if rng.random() < 0.5:
        grain = rng.normal(0, rng.uniform(1, 8), (TILE, TILE, 1))
        image = np.clip(image + grain, 0, 255).astype(np.uint8)
    return np.rot90(image, int(rng.integers(4))).copy()
