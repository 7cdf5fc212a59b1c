"""Ink on paper: coverage masks, how they are deformed and stamped, paper, frames and wear.

A card is drawn 256 px wide. Masks are ink coverage, uint8 (h, w), 0 none to 255 full; pictures are float32 RGB
(H, 256, 3) while they are drawn on. `face[::-1, ::-1]` is the card turned by 180 degrees, a view.
"""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

Mask = NDArray[np.uint8]
Picture = NDArray[np.float32]
Image = NDArray[np.uint8]
Rng = np.random.Generator
Colour = tuple[float, float, float]
Box = tuple[float, float, float, float]

WIDTH = 256


def height_px(width_mm: float, height_mm: float) -> int:
    """Return the picture height of a card, px."""
    return round(WIDTH * height_mm / width_mm)


def vary(rng: Rng, colour: Colour, spread: float) -> Colour:
    """Return `colour` with each channel moved by a normal `spread`, within 0..255."""
    r, g, b = np.clip(np.asarray(colour) + rng.normal(0, spread, 3), 0, 255)
    return float(r), float(g), float(b)


def noise(rng: Rng, height: int, width: int, cells: int) -> Picture:
    """Return smooth noise (height, width) of about unit deviation with `cells` bumps across the width."""
    rows = max(2, round(cells * height / width))
    coarse = rng.normal(0, 1, (rows + 1, cells + 1)).astype(np.float32)
    return cv2.resize(coarse, (width, height), interpolation=cv2.INTER_CUBIC).astype(np.float32)


def grain(rng: Rng, height: int, width: int, amount: float) -> Picture:
    """Return per-pixel noise (height, width) of deviation `amount`."""
    values = np.empty((height, width), np.float32)
    rng.standard_normal(out=values, dtype=np.float32)
    values *= amount
    return values


# ---- masks ----------------------------------------------------------------------------------------


def place(canvas: Mask, ink: Mask, box: Box) -> None:
    """Scale `ink` into `box` (x0, y0, x1, y1 px) of `canvas` and keep the darker of both."""
    x0, y0 = round(box[0]), round(box[1])
    w, h = max(1, round(box[2] - box[0])), max(1, round(box[3] - box[1]))
    scaled = cv2.resize(ink, (w, h), interpolation=cv2.INTER_AREA if w < ink.shape[1] else cv2.INTER_LINEAR)
    left, top = max(0, x0), max(0, y0)
    right, bottom = min(canvas.shape[1], x0 + w), min(canvas.shape[0], y0 + h)
    if right > left and bottom > top:
        part = canvas[top:bottom, left:right]
        np.maximum(part, scaled[top - y0 : bottom - y0, left - x0 : right - x0], out=part)


def embolden(mask: Mask, radius: float, flat: float = 1.0, angle: float = 0.0) -> Mask:
    """Return `mask` with its strokes grown (radius > 0) or thinned (radius < 0) by about `radius` px.

    The nib that grows them is an ellipse: `flat` its short over its long axis, `angle` of the long axis in degrees.
    """
    if abs(radius) < 0.3:
        return mask
    reach = int(abs(radius) + 0.999)
    nib = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    axes = (reach, max(0, round(reach * flat)))
    cv2.ellipse(nib, (reach, reach), axes, angle, 0, 360, 1, -1)
    grown = cv2.dilate(mask, nib) if radius > 0 else cv2.erode(mask, nib)
    share = abs(radius) / reach
    return np.asarray(cv2.addWeighted(grown, share, mask, 1 - share, 0))


def stroke_width(mask: Mask) -> float:
    """Return about how thick the strokes of `mask` are, px: twice the ink's area over its outline's length."""
    solid = (mask > 127).astype(np.uint8)
    contours, _ = cv2.findContours(solid, cv2.RETR_CCOMP, cv2.CHAIN_APPROX_NONE)
    around = sum(cv2.arcLength(contour, True) for contour in contours)
    return 2.0 * float(solid.sum()) / max(1.0, around)


def pad(mask: Mask, margin: int) -> Mask:
    """Return `mask` with `margin` empty px around it."""
    return np.pad(mask, margin)


def crop(mask: Mask) -> Mask:
    """Return `mask` cut to its ink (at least 1 x 1)."""
    rows, columns = np.flatnonzero(mask.max(1) > 40), np.flatnonzero(mask.max(0) > 40)
    if rows.size == 0:
        return mask[:1, :1]
    return mask[rows[0] : rows[-1] + 1, columns[0] : columns[-1] + 1]


def elastic(rng: Rng, mask: Mask, amount: float, cells: int = 4) -> Mask:
    """Return `mask` moved by a smooth random field of deviation `amount` px."""
    height, width = mask.shape
    grid_x, grid_y = np.meshgrid(np.arange(width, dtype=np.float32), np.arange(height, dtype=np.float32))
    map_x = grid_x + amount * noise(rng, height, width, cells)
    map_y = grid_y + amount * noise(rng, height, width, cells)
    return np.asarray(cv2.remap(mask, map_x, map_y, cv2.INTER_LINEAR, borderValue=0), dtype=np.uint8)


def rough(rng: Rng, mask: Mask, amount: float, cells: int = 60) -> Mask:
    """Return `mask` with an uneven outline, as of a worn block or a dry brush; amount 0..1."""
    soft = cv2.GaussianBlur(mask, (0, 0), 1.6).astype(np.float32) / 255
    soft += amount * 0.3 * np.clip(noise(rng, mask.shape[0], mask.shape[1], cells), -1.3, 1.3)
    return (np.clip((soft - 0.5) * 3.2 + 0.5, 0, 1) * 255).astype(np.uint8)


def thorns(rng: Rng, mask: Mask, count: int, length: float) -> Mask:
    """Return `mask` with `count` small spikes of `length` px on the corners of its outline."""
    contours, _ = cv2.findContours((mask > 127).astype(np.uint8), cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    corners = [(c[:, 0], i) for c in contours for i in range(len(c)) if len(c) > 6]
    out = mask.copy()
    for pick in rng.permutation(len(corners))[: count * 3 : 3]:
        outline, i = corners[pick]
        before, here, after = outline[i - 3], outline[i], outline[(i + 3) % len(outline)]
        away = 2.0 * here - before - after
        size = float(np.hypot(*away))
        if size < 1:
            continue
        away = away / size
        side = np.array([-away[1], away[0]]) * length * rng.uniform(0.25, 0.45)
        tip = here + away * length * rng.uniform(0.5, 1.3)
        wedge = np.stack([here - away * 3 - side, tip, here - away * 3 + side])
        cv2.fillPoly(out, [np.round(wedge).astype(np.int32)], 255, cv2.LINE_AA)
    return out


def proportion(rng: Rng, mask: Mask, amount: float) -> Mask:
    """Return `mask` with its parts drawn wider or narrower, taller or shorter, by up to about `amount` (0..0.1)."""
    height, width = mask.shape
    maps = []
    for length in (width, height):
        t = np.linspace(0, 1, length, dtype=np.float32)
        bent = (
            t + rng.normal(0, amount) * np.sin(np.pi * t) + rng.normal(0, amount / 2) * np.sin(2 * np.pi * t)
        )
        maps.append((bent * (length - 1)).astype(np.float32))
    map_x, map_y = np.meshgrid(maps[0], maps[1])
    return np.asarray(cv2.remap(mask, map_x, map_y, cv2.INTER_LINEAR, borderValue=0), dtype=np.uint8)


def stretch_tail(mask: Mask, start: float, factor: float) -> Mask:
    """Return `mask` with the part below `start` (0..1 of its height) drawn longer by `factor`."""
    cut = round(mask.shape[0] * start)
    tail = mask[cut:]
    longer = cv2.resize(tail, (mask.shape[1], max(1, round(tail.shape[0] * factor))))
    return np.concatenate([mask[:cut], np.asarray(longer, dtype=np.uint8)])


def box_of(mask: Mask) -> Box:
    """Return the ink's box (x0, y0, x1, y1) in card widths of a mask 256 px wide; zeros if empty."""
    rows, columns = np.flatnonzero(mask.max(1) > 60), np.flatnonzero(mask.max(0) > 60)
    if rows.size == 0:
        return 0.0, 0.0, 0.0, 0.0
    edges = (columns[0], rows[0], columns[-1] + 1, rows[-1] + 1)
    x0, y0, x1, y1 = (float(edge) / WIDTH for edge in edges)
    return x0, y0, x1, y1


# ---- stamping -------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Layer:
    """One ink: coverage (h, 256) from the card's top edge (or from `top` px down) and its colour."""

    mask: Mask
    colour: Colour
    top: int = 0


def stamp(picture: Picture, layer: Layer, strength: Picture | float = 1.0) -> None:
    """Print `layer` onto `picture` in place; `strength` 0..1 is a number or a (>= h, 256) map."""
    height = min(layer.mask.shape[0], picture.shape[0] - layer.top)
    if height <= 0:
        return
    rows = np.flatnonzero(layer.mask[:height].max(1))
    if rows.size == 0:
        return
    a, b = int(rows[0]), int(rows[-1]) + 1
    part = picture[layer.top + a : layer.top + b]
    cover = layer.mask[a:b].astype(np.float32) / 255
    cover *= strength if isinstance(strength, float) else strength[a:b]
    part += cover[..., None] * (np.asarray(layer.colour, np.float32) - part)


def shift(mask: Mask, dx: int, dy: int) -> Mask:
    """Return `mask` moved by whole pixels, empty where nothing moved in."""
    matrix = np.array([[1, 0, dx], [0, 1, dy]], np.float32)
    return np.asarray(cv2.warpAffine(mask, matrix, (mask.shape[1], mask.shape[0])), dtype=np.uint8)


def frame(height: int, side: float, end: float, thickness: int, radius: float) -> Mask:
    """Return a frame line (height, 256) inset by `side` px and `end` px with rounded corners of `radius` px."""
    mask = np.zeros((height, WIDTH), np.uint8)
    fill_rounded(mask, (side, end, WIDTH - side, height - end), radius)
    inner = np.zeros_like(mask)
    box = (side + thickness, end + thickness, WIDTH - side - thickness, height - end - thickness)
    fill_rounded(inner, box, max(0.0, radius - thickness))
    return np.asarray(cv2.subtract(mask, inner), dtype=np.uint8)


def fill_rounded(mask: Mask, box: Box, radius: float) -> None:
    """Fill the rounded rectangle `box` px of `mask` in place."""
    x0, y0, x1, y1 = (round(v) for v in box)
    r = round(min(radius, (x1 - x0) / 2, (y1 - y0) / 2))
    cv2.rectangle(mask, (x0 + r, y0), (x1 - r - 1, y1 - 1), 255, -1)
    cv2.rectangle(mask, (x0, y0 + r), (x1 - 1, y1 - r - 1), 255, -1)
    for x in (x0 + r, x1 - r - 1):
        for y in (y0 + r, y1 - r - 1):
            cv2.circle(mask, (x, y), r, 255, -1, cv2.LINE_AA)


# ---- paper and wear -------------------------------------------------------------------------------


def paper(rng: Rng, height: int, colour: Colour) -> Picture:
    """Return a sheet (height, 256, 3) of `colour` with faint clouds and grain."""
    tone = noise(rng, height, WIDTH, int(rng.integers(2, 6))) * rng.uniform(0.3, 3.0)
    tone += grain(rng, height, WIDTH, rng.uniform(0.3, 2.5))
    return (np.asarray(colour, np.float32) + tone[..., None]).astype(np.float32)


@dataclass(frozen=True)
class Wear:
    """How worn a print is; every share 0..1."""

    mottle: float
    fade: float
    stain: float
    scratch: float
    edge: float
    drift: float


def make_wear(rng: Rng) -> Wear:
    """Draw the wear of one print: most are clean, a few are old."""
    old = rng.random() ** 2.5
    return Wear(
        mottle=0.16 * rng.random() ** 2 + 0.25 * old * rng.random(),
        fade=0.25 * old * rng.random(),
        stain=old * rng.random(),
        scratch=old * rng.random(),
        edge=old * rng.random(),
        drift=rng.uniform(0, 3.5) * (0.3 + rng.random()),
    )


def ink_strength(rng: Rng, wear: Wear, height: int) -> Picture:
    """Return how strongly ink covers (height, 256), 0..1: mottled, faded, in places worn off."""
    cloud = noise(rng, height, WIDTH, int(rng.integers(6, 40)))
    cover = 1 - wear.fade - wear.mottle * np.clip(cloud * 0.5 + 0.2, 0, 1)
    return np.clip(cover, 0.25, 1).astype(np.float32)


def dirty(rng: Rng, picture: Picture, wear: Wear) -> None:
    """Stain and scratch `picture` in place; half of the sides of an old deck are nearly clean."""
    height = picture.shape[0]
    if wear.stain > 0.05 and rng.random() < 0.6:
        cloud = np.clip(noise(rng, height, WIDTH, int(rng.integers(2, 7))) - 0.6, 0, 1.5) * wear.stain * 0.14
        stain = np.asarray(rng.uniform((60, 45, 20), (150, 130, 100)), np.float32)
        picture += cloud[..., None] * (stain - picture)
    if wear.edge > 0.1:
        _soil_edges(rng, picture, wear.edge)
    for _ in range(rng.poisson(4 * wear.scratch)):
        _scratch(rng, picture)


def _soil_edges(rng: Rng, picture: Picture, amount: float) -> None:
    reach = round(WIDTH * rng.uniform(0.02, 0.09))
    fall = np.exp(-np.arange(WIDTH, dtype=np.float32) / reach) * amount * 0.35
    across = np.maximum(fall, fall[::-1])[None, :, None]
    picture *= 1 - across
    end = fall[: min(WIDTH, picture.shape[0])][:, None, None]
    picture[: len(end)] *= 1 - end
    picture[-len(end) :] *= 1 - end[::-1]


def _scratch(rng: Rng, picture: Picture) -> None:
    height = picture.shape[0]
    start = rng.uniform((0, 0), (WIDTH, height))
    end = start + rng.normal(0, 90, 2)
    value = float(rng.choice([60.0, 140.0, 235.0]))
    before = picture.copy() if rng.random() < 0.5 else None
    a, b = (int(start[0]), int(start[1])), (int(end[0]), int(end[1]))
    cv2.line(picture, a, b, (value, value, value), 1, cv2.LINE_AA)
    if before is not None:
        picture += 0.5 * (before - picture)


def finish(picture: Picture) -> Image:
    """Return the picture as uint8 RGB."""
    return np.clip(picture + 0.5, 0, 255).astype(np.uint8)
