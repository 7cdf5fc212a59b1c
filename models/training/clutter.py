"""Things that lie about or get in the way: hands, cups, coins, pens; drawn in the picture, not in space."""

from __future__ import annotations

from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.tables import colour

Image = NDArray[np.uint8]
Mask = NDArray[np.uint8]


def paste(
    image: Image, mask: Mask, tint: NDArray[np.float64] | Image, shade: float, rng: np.random.Generator
) -> None:
    """Lay a tinted shape with a rounded look and a soft shadow over the picture, in place."""
    x, y, w, h = cv2.boundingRect(mask)
    pad = 24
    x0, y0 = max(0, x - pad), max(0, y - pad)
    x1, y1 = min(image.shape[1], x + w + pad), min(image.shape[0], y + h + pad)
    if w == 0 or x1 - x0 < 4 or y1 - y0 < 4:
        return
    roi, cover = (
        image[y0:y1, x0:x1].astype(np.float32),
        mask[y0:y1, x0:x1].astype(np.float32)[..., None] / 255,
    )
    shadow = cv2.GaussianBlur(
        np.roll(mask[y0:y1, x0:x1], (int(rng.integers(2, 12)), int(rng.integers(-8, 9))), (0, 1)), (0, 0), 7
    )
    roi *= 1 - shade * shadow[..., None].astype(np.float32) / 255
    volume = (
        cv2.GaussianBlur(mask[y0:y1, x0:x1], (0, 0), max(3.0, min(w, h) / 10)).astype(np.float32)[..., None]
        / 255
    )
    body = np.asarray(tint, np.float32) * (0.55 + 0.5 * volume)
    image[y0:y1, x0:x1] = np.clip(roi * (1 - cover) + body * cover, 0, 255).astype(np.uint8)


def finger_mask(
    rng: np.random.Generator,
    shape: tuple[int, int],
    start: tuple[float, float],
    angle: float,
    length: float,
    thick: float,
) -> Mask:
    """One finger as a bent capsule."""
    mask = np.zeros(shape, np.uint8)
    x, y = start
    for k in range(3):
        nx, ny = x + np.cos(angle) * length / 3, y + np.sin(angle) * length / 3
        cv2.line(
            mask, (int(x), int(y)), (int(nx), int(ny)), 255, max(2, int(thick * (1 - 0.1 * k))), cv2.LINE_AA
        )
        x, y = nx, ny
        angle += rng.normal(0, 0.15)
    return mask


def hand(rng: np.random.Generator, image: Image, scale: float) -> Mask:
    """Fingers reaching in from outside; ``scale`` px is a finger's thickness. Returns what they cover."""
    h, w = image.shape[:2]
    skin = np.array([rng.uniform(120, 245), 0, 0])
    skin[1] = skin[0] * rng.uniform(0.62, 0.82)
    skin[2] = skin[1] * rng.uniform(0.65, 0.92)
    side = rng.uniform(0, 2 * np.pi)
    middle = np.array([w / 2, h / 2])
    root = middle + np.array([np.cos(side), np.sin(side)]) * np.array([w, h]) * rng.uniform(0.42, 0.6)
    inward = side + np.pi + rng.normal(0, 0.3)
    across = np.array([-np.sin(inward), np.cos(inward)])
    total = np.zeros((h, w), np.uint8)
    for k in range(int(rng.integers(1, 5))):
        start = root + across * scale * 1.1 * k
        mask = finger_mask(
            rng, (h, w), (start[0], start[1]), inward + rng.normal(0, 0.1), scale * rng.uniform(3, 7), scale
        )
        paste(image, mask, skin * rng.uniform(0.92, 1.05), 0.4, rng)
        total = np.maximum(total, mask)
    return total


def disc(rng: np.random.Generator, image: Image, scale: float) -> Mask:
    """A cup, a coin, a bowl, an ash tray: rings within rings."""
    h, w = image.shape[:2]
    radius = scale * rng.uniform(0.5, 4)
    centre = (int(rng.uniform(0, w)), int(rng.uniform(0, h)))
    axes = (int(radius) + 1, int(radius * rng.uniform(0.6, 1)) + 1)
    mask = np.zeros((h, w), np.uint8)
    cv2.ellipse(mask, centre, axes, 0, 0, 360, 255, -1, cv2.LINE_AA)
    paste(image, mask, colour(rng, 0.6), 0.5, rng)
    for ring in rng.uniform(0.3, 0.95, int(rng.integers(0, 4))):
        inner = (int(axes[0] * ring), int(axes[1] * ring))
        cv2.ellipse(
            image,
            centre,
            inner,
            0,
            0,
            360,
            tuple(float(c) for c in colour(rng, 0.6)),
            int(rng.integers(-1, 4)) or 1,
            cv2.LINE_AA,
        )
    return mask


def bar(rng: np.random.Generator, image: Image, scale: float) -> Mask:
    """A pen, a lighter, a phone, a box: a rounded bar."""
    h, w = image.shape[:2]
    mask = np.zeros((h, w), np.uint8)
    size = (scale * rng.uniform(0.2, 3), scale * rng.uniform(1.5, 7))
    box = ((float(rng.uniform(0, w)), float(rng.uniform(0, h))), size, float(rng.uniform(0, 180)))
    cv2.fillConvexPoly(mask, cv2.boxPoints(box).astype(np.int32), 255, cv2.LINE_AA)
    paste(image, mask, colour(rng, 0.8), 0.4, rng)
    if rng.random() < 0.5:
        inner = (box[0], (size[0] * 0.8, size[1] * 0.85), box[2])
        cv2.polylines(
            image,
            [cv2.boxPoints(inner).astype(np.int32)],
            True,
            tuple(float(c) for c in colour(rng, 0.5)),
            2,
            cv2.LINE_AA,
        )
    return mask


def cable(rng: np.random.Generator, image: Image, scale: float) -> Mask:
    """A cable, a string, a crack in the table."""
    h, w = image.shape[:2]
    knots = rng.uniform(0, 1, (4, 2)) * [w, h]
    t = np.linspace(0, 1, 40)[:, None]
    curve = (
        (1 - t) ** 3 * knots[0]
        + 3 * (1 - t) ** 2 * t * knots[1]
        + 3 * (1 - t) * t**2 * knots[2]
        + t**3 * knots[3]
    )
    mask = np.zeros((h, w), np.uint8)
    cv2.polylines(
        mask, [curve.astype(np.int32)], False, 255, max(1, int(scale * rng.uniform(0.03, 0.15))), cv2.LINE_AA
    )
    paste(image, mask, colour(rng, 0.5), 0.2, rng)
    return mask


THINGS: tuple[Callable[[np.random.Generator, Image, float], Mask], ...] = (disc, bar, cable)
