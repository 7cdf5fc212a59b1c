"""What light, lens, sensor and file format do to a picture."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]


def light_field(rng: np.random.Generator, shape: tuple[int, int]) -> Floats:
    """Uneven room light (h, w, 1), about 1: a slope, a lamp's pool and perhaps the shadow of phone or hand."""
    h, w = shape
    sh, sw = max(4, h // 8), max(4, w // 8)
    y, x = np.mgrid[0:sh, 0:sw].astype(np.float32)
    x, y = x / sw - 0.5, y / sh - 0.5
    angle = rng.uniform(0, 2 * np.pi)
    field = 1 + rng.normal(0, 0.25) * (np.cos(angle) * x + np.sin(angle) * y)
    cx, cy = rng.uniform(-0.6, 0.6, 2)
    field += rng.uniform(0, 0.5) * (np.exp(-((x - cx) ** 2 + (y - cy) ** 2) / rng.uniform(0.05, 0.6)) - 0.4)
    if rng.random() < 0.35:
        mask = np.zeros((sh, sw), np.float32)
        points = rng.uniform(-0.2, 1.2, (int(rng.integers(3, 6)), 2)) * [sw, sh]
        cv2.fillPoly(mask, [cv2.convexHull(points.astype(np.int32))], 1.0)
        mask = np.asarray(cv2.GaussianBlur(mask, (0, 0), float(rng.choice([0.8, 3, 10]))), np.float32)
        field *= 1 - mask * rng.uniform(0.15, 0.6)
    return cv2.resize(field.astype(np.float32), (w, h), interpolation=cv2.INTER_LINEAR)[..., None].clip(
        0.12, 1.9
    )


def tinted(rng: np.random.Generator, image: Image) -> Image:
    """Room light, colour of the lamp, exposure and tone curve."""
    picture = (image.astype(np.float32) / 255) ** 2.0
    picture *= light_field(rng, image.shape[:2])
    warm = rng.normal(0.0, 0.14)
    gains = np.array([np.exp(warm), np.exp(rng.normal(0, 0.03)), np.exp(-warm)], np.float32)
    picture *= gains * np.float32(np.exp(rng.normal(-0.02, 0.25)))
    picture = np.clip(picture, 0, 1) ** np.float32(0.5 * np.exp(rng.normal(0, 0.1)))
    contrast = rng.normal(1.0, 0.12)
    saturation = np.float32(np.exp(rng.normal(0, 0.15)))
    grey = picture.mean(axis=2, keepdims=True)
    picture = grey + (picture - grey) * saturation
    return (np.clip((picture - 0.5) * contrast + 0.5, 0, 1) * 255).astype(np.uint8)


def blurred(rng: np.random.Generator, image: Image, detail: float) -> Image:
    """Defocus and shake; ``detail`` px is the card width, so that small cards stay readable."""
    sigma = abs(rng.normal(0, 0.012)) * detail
    if rng.random() < 0.15:
        sigma += rng.uniform(0.01, 0.03) * detail
    out = cv2.GaussianBlur(image, (0, 0), sigma) if sigma > 0.3 else image
    if rng.random() < 0.25:
        soft = cv2.GaussianBlur(out, (0, 0), 0.02 * detail + 0.6).astype(np.float32)
        h, w = image.shape[:2]
        y, x = np.mgrid[0:h:16, 0:w:16].astype(np.float32)
        far = np.clip(np.hypot(x / w - rng.uniform(0.2, 0.8), y / h - rng.uniform(0.2, 0.8)) * 1.6, 0, 1)
        weight = cv2.resize(far, (w, h))[..., None]
        out = (out * (1 - weight) + soft * weight).astype(np.uint8)
    if rng.random() < 0.2:
        length = max(2, int(rng.uniform(0.01, 0.06) * detail))
        kernel = np.zeros((length * 2 + 1, length * 2 + 1), np.float32)
        a = rng.uniform(0, np.pi)
        end = (round(length + length * float(np.cos(a))), round(length + length * float(np.sin(a))))
        cv2.line(kernel, (2 * length - end[0], 2 * length - end[1]), end, 1.0)
        out = cv2.filter2D(out, -1, kernel / kernel.sum())
    return np.asarray(out, np.uint8)


def grained(rng: np.random.Generator, image: Image) -> Image:
    """Sensor noise, fine or blotchy, and the phone's sharpening."""
    level = abs(rng.normal(0, 4.0))
    out = image
    if level > 0.7:
        h, w = image.shape[:2]
        if rng.random() < 0.5:
            grain = rng.standard_normal((h, w, 1), np.float32)
        else:
            grain = cv2.resize(rng.standard_normal((h // 2, w // 2, 3), np.float32), (w, h)) * 1.5
        out = np.clip(image + grain * np.float32(level), 0, 255).astype(np.uint8)
    if rng.random() < 0.4:
        smooth = cv2.GaussianBlur(out, (0, 0), float(rng.uniform(0.8, 2)))
        amount = float(rng.uniform(0.2, 1.2))
        out = np.asarray(cv2.addWeighted(out, 1 + amount, smooth, -amount, 0), np.uint8)
    return np.asarray(out, np.uint8)


def expose(rng: np.random.Generator, image: Image, detail: float) -> tuple[Image, int]:
    """The picture as the phone saves it, and the JPEG quality to save it with; ``detail`` px is the card width."""
    out = grained(rng, blurred(rng, tinted(rng, image), detail))
    return out, int(rng.uniform(45, 96))
