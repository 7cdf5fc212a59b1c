"""Lamps, darkness, shake, screens and messengers: how rooms, phones and programs spoil a picture.

Each kind is cheap enough to be drawn anew for every crop that is trained on, and works on whole pictures too
(`models.training.measure_lights`). Lamps are gains in linear light, their logarithms smaller as far as the camera's
white balance mended them; lengths are shares of the picture's long side.
"""

from __future__ import annotations

import math
from collections.abc import Callable

import cv2
import numpy as np
from numpy.typing import NDArray

Image = NDArray[np.uint8]
Floats = NDArray[np.float32]
Rng = np.random.Generator
Gains = tuple[float, float, float]
# Strength 0 (hardly to be seen) to 1; `span` is the long side, in px of this image, of the picture it is or is part of.
Effect = Callable[[Rng, Image, float, float], Image]

GAMMA = 2.2
LINEAR = ((np.arange(256) / 255) ** GAMMA).astype(np.float32)
# Red, green and blue of a white sheet under each lamp, in linear light, as a camera set to daylight sees it.
LAMPS: dict[str, Gains] = {
    "candle": (1.0, 0.27, 0.03),
    "tungsten": (1.0, 0.42, 0.11),
    "sodium": (1.0, 0.40, 0.02),
    "led": (0.62, 0.72, 1.0),
    "tube": (0.78, 1.0, 0.62),
    "rose": (1.0, 0.55, 0.75),
}
PHONE = 1600.0  # px of the long side that lengths are thought at


def linear(image: Image) -> Floats:
    """Linear light 0..1 of a picture."""
    return LINEAR[image]


def seen(light: NDArray[np.floating]) -> Image:
    """The picture of linear light; what is over 1 is white."""
    return (np.clip(light, 0, 1) ** np.float32(1 / GAMMA) * 255 + 0.5).astype(np.uint8)


def cast(rng: Rng, lamp: Gains, strength: float) -> Floats:
    """Gains (3,) of a lamp as far as white balance left them, at the same lightness."""
    logs = np.log(np.array(lamp)) * strength + rng.normal(0, 0.04, 3)
    gains = np.exp(logs)
    return (gains / (gains @ [0.25, 0.6, 0.15])).astype(np.float32)


def under(lamp: Gains) -> Effect:
    """The effect of one lamp."""

    def effect(rng: Rng, image: Image, span: float, strength: float) -> Image:
        return seen(linear(image) * cast(rng, lamp, 0.15 + 0.75 * strength))

    return effect


def two_lamps(rng: Rng, image: Image, span: float, strength: float) -> Image:
    """Lamps of two colours from two sides."""
    names = rng.choice(list(LAMPS), 2, replace=False)
    a, b = (cast(rng, LAMPS[str(name)], 0.2 + 0.6 * strength) for name in names)
    share = slope(rng, image.shape[:2])
    return seen(linear(image) * (a * share + b * (1 - share)))


def slope(rng: Rng, shape: tuple[int, int]) -> Floats:
    """Shares (h, w, 1), 0 to 1, that rise across the picture in any direction."""
    angle, steep = rng.uniform(0, 2 * np.pi), rng.uniform(1, 6)
    x = np.linspace(-0.5, 0.5, shape[1], dtype=np.float32)[None, :] * np.float32(math.cos(angle))
    y = np.linspace(-0.5, 0.5, shape[0], dtype=np.float32)[:, None] * np.float32(math.sin(angle))
    return (1 / (1 + np.exp(-steep * (x + y + np.float32(rng.normal(0, 0.2))))))[..., None].astype(np.float32)


def dark(rng: Rng, image: Image, span: float, strength: float) -> Image:
    """Little light, to a hundredth: the sensor's noise, with the brightness partly brought up again."""
    light = math.exp(math.log(0.4) + strength * math.log(0.01 / 0.4))
    shot, dim = rng.uniform(0.5, 2) * 1e-4, rng.uniform(0.5, 2) * 8e-4
    exposed = linear(image) * np.float32(light)
    noise = rng.standard_normal(image.shape, np.float32)
    if rng.random() < 0.4:  # cleaned by the phone: what is left is blotches
        noise = cv2.GaussianBlur(noise, (0, 0), float(rng.uniform(0.6, 1.4))).astype(np.float32) * 2
    exposed = exposed + noise * np.sqrt(exposed * np.float32(shot) + np.float32(dim**2))
    brought_up = min(
        rng.uniform(0.3, 0.8) / max(float(exposed.mean()) * 3, 1e-4), light ** -rng.uniform(0, 0.9)
    )
    return seen(exposed * np.float32(brought_up))


def bright(rng: Rng, image: Image, span: float, strength: float) -> Image:
    """Exposed too long: the light parts are white."""
    return seen(linear(image) * np.float32(math.exp(0.3 + 1.4 * strength)))


def glare(rng: Rng, image: Image, span: float, strength: float) -> Image:
    """Lamps mirrored with hard edges: bulbs and tubes of white, with a halo."""
    h, w = image.shape[:2]
    spots = np.zeros((h, w), np.float32)
    for _ in range(int(rng.integers(1, 2 + round(4 * strength)))):
        size = span * rng.uniform(0.01, 0.05 + 0.07 * strength)
        axes = (max(1, int(size)), max(1, int(size * rng.choice([1, 0.5, 0.15]))))
        centre = (int(rng.uniform(0, w)), int(rng.uniform(0, h)))
        cv2.ellipse(spots, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
    edge = cv2.GaussianBlur(spots, (0, 0), max(0.4, span * rng.uniform(0.0005, 0.006)))
    halo = cv2.GaussianBlur(spots, (0, 0), max(0.6, span * 0.02))
    level = (edge * rng.uniform(0.4, 1.5) + halo * rng.uniform(0, 0.5))[..., None]
    return seen(linear(image) + level.astype(np.float32) * cast(rng, LAMPS["tungsten"], rng.uniform(0, 0.2)))


def shaken(rng: Rng, image: Image, span: float, strength: float) -> Image:
    """Moved while exposed, in any direction, to 14 px at 1600."""
    length = (2 + 12 * strength) * span / PHONE
    reach = math.ceil(length / 2)
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    angle, bow = rng.uniform(0, np.pi), rng.normal(0, 0.12) * length
    for t in np.linspace(-0.5, 0.5, 8 * reach + 3):
        along, across = t * length, bow * (1 - 4 * t * t)
        x = along * math.cos(angle) - across * math.sin(angle) + reach
        y = along * math.sin(angle) + across * math.cos(angle) + reach
        if 0 <= round(y) < len(kernel) and 0 <= round(x) < len(kernel):
            kernel[round(y), round(x)] += 1
    return np.asarray(cv2.filter2D(image, -1, kernel / kernel.sum()), np.uint8)


def defocused(rng: Rng, image: Image, span: float, strength: float) -> Image:
    """Out of focus: every point a disc, to 5 px of radius at 1600."""
    radius = (0.8 + 4.2 * strength) * span / PHONE
    reach = math.ceil(radius)
    y, x = np.mgrid[-reach : reach + 1, -reach : reach + 1]
    disc = np.clip(radius + 0.5 - np.hypot(x, y), 0, 1).astype(np.float32)
    return np.asarray(cv2.filter2D(image, -1, disc / disc.sum()), np.uint8)


def smeared(rng: Rng, image: Image, span: float, strength: float) -> Image:
    """Noise and what the night mode makes of it: flat patches and colours that run."""
    noisy = dark(rng, image, span, 0.6 * strength)
    size = 3 if strength < 0.6 or span < 900 else 5
    brightness = cv2.cvtColor(cv2.medianBlur(noisy, size), cv2.COLOR_RGB2YCrCb)
    colour = cv2.GaussianBlur(brightness[..., 1:], (0, 0), 1 + 3 * strength * span / PHONE)
    joined = np.dstack([brightness[..., 0], colour]).astype(np.uint8)
    return np.asarray(cv2.cvtColor(joined, cv2.COLOR_YCrCb2RGB), np.uint8)


def sharpened(rng: Rng, image: Image, span: float, strength: float) -> Image:
    """The phone's sharpening, with rims of white."""
    smooth = cv2.GaussianBlur(image, (0, 0), float(rng.uniform(0.7, 2)))
    amount = 0.5 + 2.5 * strength
    return np.asarray(cv2.addWeighted(image, 1 + amount, smooth, -amount, 0), np.uint8)


def toned(rng: Rng, image: Image, span: float, strength: float) -> Image:
    """A filter's taste: saturation, contrast and curve of its own."""
    picture = image.astype(np.float32) / 255
    grey = picture.mean(axis=2, keepdims=True)
    saturation = math.exp(rng.normal(0, 0.7) * strength)
    picture = np.clip(grey + (picture - grey) * np.float32(saturation), 0, 1)
    picture = picture ** np.float32(math.exp(rng.normal(0, 0.5) * strength))
    picture = (picture - 0.5) * np.float32(math.exp(rng.normal(0, 0.35) * strength)) + 0.5
    return (np.clip(picture, 0, 1) * 255).astype(np.uint8)


def grey(rng: Rng, image: Image, span: float, strength: float) -> Image:
    """No colour, or nearly none: weak strengths leave a trace of it."""
    weights = np.array([0.3, 0.59, 0.11]) + rng.normal(0, 0.06, 3)
    light = image @ (weights / weights.sum()).astype(np.float32)
    tone = light[..., None] * (1 + rng.normal(0, 0.03, 3) * (rng.random() < 0.3)).astype(np.float32)
    kept = np.float32(max(0.0, 0.25 - strength))
    return np.clip(tone * (1 - kept) + image * kept, 0, 255).astype(np.uint8)


def through(image: Image, factor: float, quality: int) -> Image:
    """The picture made smaller by a factor, kept as a JPEG, and made large again."""
    h, w = image.shape[:2]
    small = image
    if factor < 0.98:
        size = (max(8, round(w * factor)), max(8, round(h * factor)))
        small = np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), np.uint8)
    coded = cv2.imencode(".jpg", small[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
    back = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)[..., ::-1]
    return np.ascontiguousarray(cv2.resize(back, (w, h), interpolation=cv2.INTER_CUBIC), dtype=np.uint8)


def messenger(rng: Rng, image: Image, span: float, strength: float) -> Image:
    """Sent on by a messenger, some more than once: smaller and in coarse JPEG."""
    out = image
    for _ in range(int(rng.integers(1, 3))):
        side = rng.uniform(1600 - 900 * strength, 1600)
        out = through(out, side / span, int(rng.uniform(60 - 42 * strength, 75 - 40 * strength)))
    return out


def webcam(rng: Rng, image: Image, span: float, strength: float) -> Image:
    """A 640 px camera in a lid."""
    noisy = dark(rng, image, span, 0.25 * strength)
    return through(noisy, rng.uniform(960 - 320 * strength, 960) / span, int(rng.uniform(40, 85)))


def screen(rng: Rng, image: Image, span: float, strength: float) -> Image:
    """Photographed from a screen: its grid, the bands that grid and sensor make together, less contrast."""
    h, w = image.shape[:2]
    angle, period = rng.uniform(0, np.pi), rng.uniform(1.6, 6)
    x, y = np.arange(w, dtype=np.float32)[None], np.arange(h, dtype=np.float32)[:, None]
    across = x * np.float32(math.cos(angle)) + y * np.float32(math.sin(angle))
    phase = np.arange(3, dtype=np.float32) * np.float32(2 * np.pi / 3)
    stripes = np.sin(across[..., None] * np.float32(2 * np.pi / period) + phase)
    bands = np.sin(across[..., None] * np.float32(2 * np.pi / rng.uniform(20, 200)) + phase * np.float32(0.3))
    light = linear(image) * (1 + np.float32(0.25 * strength) * stripes + np.float32(0.2 * strength) * bands)
    veil = np.float32(rng.uniform(0, 0.08))
    return seen((light * (1 - veil) + veil) * cast(rng, LAMPS["led"], rng.uniform(0, 0.6)))


def haze(rng: Rng, image: Image, span: float, strength: float) -> Image:
    """A smeared lens or smoke: light from everywhere over the picture."""
    veil = np.float32(0.05 + 0.3 * strength) * slope(rng, image.shape[:2])
    spread = cv2.GaussianBlur(image, (0, 0), max(0.6, span * 0.008))
    soft = linear(np.asarray(spread, np.uint8))
    return seen(
        linear(image) * (1 - veil) * np.float32(0.8) + (soft + veil * np.float32(2.5)) * np.float32(0.2)
    )


def flicker(rng: Rng, image: Image, span: float, strength: float) -> Image:
    """A lamp on alternating current under a rolling shutter: bands, lighter and darker and of two tints."""
    rows = np.arange(image.shape[0], dtype=np.float32)[:, None, None] / np.float32(span)
    wave = np.sin(rows * np.float32(2 * np.pi * rng.uniform(1, 5)) + np.float32(rng.uniform(0, 6)))
    share = np.float32(0.5) + np.float32(0.5) * wave
    tint = cast(rng, LAMPS["tube"], strength) * share + cast(rng, LAMPS["tungsten"], 0.5 * strength) * (
        1 - share
    )
    return seen(linear(image) * tint * (1 + np.float32(0.5 * strength) * wave))


# In the order in which they happen: lamp, sensor, phone, file.
EFFECTS: dict[str, Effect] = {
    **{name: under(lamp) for name, lamp in LAMPS.items()},
    "two_lamps": two_lamps,
    "glare": glare,
    "haze": haze,
    "flicker": flicker,
    "bright": bright,
    "shaken": shaken,
    "defocused": defocused,
    "dark": dark,
    "smeared": smeared,
    "sharpened": sharpened,
    "toned": toned,
    "grey": grey,
    "screen": screen,
    "messenger": messenger,
    "webcam": webcam,
}
HELD = frozenset({"haze", "flicker", "rose"})  # never trained on: what lights nobody thought of do
COLOURLESS = frozenset({"grey"})
MILD = 1.5  # most lights are weak: strengths are even numbers from 0 to 1 to this power
# How often each is drawn in training.
SHARES: dict[str, float] = {name: 1.0 for name in EFFECTS if name not in HELD} | {
    "dark": 2.5,
    "shaken": 2.0,
    "bright": 2.0,
    "glare": 1.5,
    "webcam": 2.0,
}


def spoilt(rng: Rng, image: Image, span: float) -> tuple[Image, bool]:
    """A picture or a part of one in one to three lights of the training kinds, and whether it kept its colours."""
    names = list(SHARES)
    shares = np.array(list(SHARES.values()))
    count = int(rng.choice([1, 2, 3], p=[0.55, 0.3, 0.15]))
    chosen = set(rng.choice(names, count, replace=False, p=shares / shares.sum()).tolist())
    out = image
    for name in names:
        if name in chosen:
            out = EFFECTS[name](rng, out, span, float(rng.random() ** MILD))
    return out, not chosen & COLOURLESS
