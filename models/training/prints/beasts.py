"""Dragons, phoenixes and landscapes, the pictures on jokers, all invented: each as (filled parts, lines)."""

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.prints.figures import Point, line, pattern, polygon
from models.training.prints.ink import WIDTH, Mask, Rng

Drawing = tuple[Mask, Mask]


def _blank(height: int) -> Drawing:
    return np.zeros((height, WIDTH), np.uint8), np.zeros((height, WIDTH), np.uint8)


def _point(vector: NDArray[np.float64]) -> Point:
    return float(vector[0]), float(vector[1])


def _spine(rng: Rng, height: int) -> NDArray[np.float64]:
    """Return the dragon's winding spine (80, 2) px, head first."""
    t = np.linspace(0, 1, 80)
    waves = rng.uniform(0.7, 1.1) * max(1.0, height / WIDTH / 1.1)
    swing = WIDTH * rng.uniform(0.22, 0.34) * (1 - 0.25 * t)
    x = WIDTH / 2 + swing * np.sin(2 * np.pi * waves * t + rng.uniform(0, 6))
    spine = np.stack([x, height * (0.1 + 0.82 * t)], 1)
    if rng.random() < 0.4:
        spine[:, 1] = height - spine[:, 1]
    return spine


def dragon(rng: Rng, height: int) -> Drawing:
    """Return a winding dragon: scaled body, mane, horns, whiskers, claws, among clouds and flames."""
    fill, lines = _blank(height)
    spine = _spine(rng, height)
    step = np.gradient(spine, axis=0)
    normal = np.stack([-step[:, 1], step[:, 0]], 1) / np.maximum(1e-6, np.hypot(*step.T))[:, None]
    thick = WIDTH * rng.uniform(0.06, 0.12)
    girth = (thick * np.interp(np.linspace(0, 1, len(spine)), [0, 0.15, 0.6, 1], [0.75, 1, 0.9, 0.12]))[
        :, None
    ]
    left, right = spine - normal * girth, spine + normal * girth
    body = np.zeros_like(fill)
    for i in range(len(spine) - 1):
        polygon(body, [_point(left[i]), _point(left[i + 1]), _point(right[i + 1]), _point(right[i])], -1)
    np.maximum(fill, body, out=fill)
    width = rng.uniform(1.8, 4.5)
    np.maximum(lines, pattern(rng, body, width) if rng.random() < 0.35 else 0, out=lines)
    for edge in (left, right):
        line(lines, [_point(p) for p in edge[::3]], width)
    for i in range(3, len(spine) - 2, 2):
        line(lines, [_point(left[i]), _point(spine[i - 1]), _point(right[i])], width * 0.7)
        fin = right[i] + normal[i] * rng.uniform(0.3, 0.8) * girth[i] - step[i]
        polygon(lines, [_point(right[i]), _point(fin), _point(right[i + 1])], -1)
    _legs(rng, lines, spine, normal, thick, width)
    _dragon_head(rng, (fill, lines), spine[0], thick * 1.25, width)
    _clouds(rng, lines, int(rng.integers(2, 14)), width)
    return fill, lines


def _legs(
    rng: Rng, lines: Mask, spine: NDArray[np.float64], normal: NDArray[np.float64], thick: float, width: float
) -> None:
    for i in rng.choice(np.arange(14, 64), 4, replace=False):
        foot = (
            spine[i]
            + normal[i] * thick * rng.choice([-1, 1]) * rng.uniform(1.6, 2.4)
            + rng.normal(0, thick * 0.4, 2)
        )
        knee = (spine[i] + foot) / 2 + rng.normal(0, thick * 0.5, 2)
        line(lines, [_point(spine[i]), _point(knee), _point(foot)], width * 3)
        for _ in range(4):
            line(lines, [_point(foot), _point(foot + rng.normal(0, thick * 0.55, 2))], width * 1.3, "p")


def _dragon_head(rng: Rng, drawing: Drawing, at: NDArray[np.float64], size: float, width: float) -> None:
    fill, lines = drawing
    side = 1.0 if at[0] < WIDTH / 2 else -1.0
    outline = np.array(
        [
            (-1, -0.5),
            (-0.3, -1),
            (0.5, -0.8),
            (1.3, -0.5),
            (1.7, -0.1),
            (1.2, 0.2),
            (1.6, 0.6),
            (0.6, 0.7),
            (-0.5, 0.9),
        ]
    )
    head = at + outline * (side * size, size) * rng.uniform(0.85, 1.15, outline.shape)
    points = [_point(p) for p in head]
    polygon(fill, points, -1)
    polygon(lines, points, max(2, round(width)))
    eye = at + np.array([0.3 * side, -0.35]) * size
    cv2.circle(lines, (round(eye[0]), round(eye[1])), max(2, round(size * 0.16)), 255, -1, cv2.LINE_AA)
    for _ in range(2):
        tip = at + np.array([-side * rng.uniform(0.6, 1.6), -rng.uniform(1.3, 2.4)]) * size
        line(lines, [_point(at + np.array([0, -0.8 * size])), _point(tip)], width * 2, "p")
    for _ in range(int(rng.integers(4, 12))):
        tip = at + np.array([-side * rng.uniform(0.8, 2.0), rng.uniform(-1.2, 1.4)]) * size
        line(lines, [_point(at + np.array([-0.5 * side, 0.0]) * size), _point(tip)], width * 1.3, "p")
    for _ in range(2):
        start = at + np.array([1.5 * side, 0.0]) * size
        tip = start + np.array([side * rng.uniform(-0.4, 1.2), rng.uniform(0.4, 1.8)]) * size
        line(
            lines,
            [_point(start), _point((start + tip) / 2 + rng.normal(0, size * 0.3, 2)), _point(tip)],
            width,
            "p",
        )


def _clouds(rng: Rng, lines: Mask, count: int, width: float) -> None:
    height = lines.shape[0]
    for _ in range(count):
        x, y = rng.uniform(15, WIDTH - 15), rng.uniform(10, height - 10)
        for _ in range(int(rng.integers(1, 4))):
            r, start = int(rng.integers(5, 16)), int(rng.integers(0, 360))
            centre = (round(x + rng.normal(0, 10)), round(y + rng.normal(0, 6)))
            cv2.ellipse(lines, centre, (r, r), 0, start, start + 250, 255, max(1, round(width)), cv2.LINE_AA)


def phoenix(rng: Rng, height: int) -> Drawing:
    """Return a bird with spread wings and long tail feathers."""
    fill, lines = _blank(height)
    width = rng.uniform(2, 4.5)
    centre = np.array([WIDTH / 2 + rng.normal(0, 12), height * rng.uniform(0.3, 0.42)])
    scale = min(WIDTH * rng.uniform(0.22, 0.3), height * 0.2)
    for feather in range(int(rng.integers(4, 9))):
        tip = np.array([rng.uniform(20, WIDTH - 20), height * rng.uniform(0.75, 0.97)])
        bend = (centre + tip) / 2 + rng.normal(0, 20, 2)
        line(
            fill,
            [_point(centre + np.array([0, scale * 0.5])), _point(bend), _point(tip)],
            scale * rng.uniform(0.15, 0.4),
        )
        line(lines, [_point(centre + np.array([0, scale * 0.5])), _point(bend), _point(tip)], width * 1.2)
        cv2.circle(lines, (round(tip[0]), round(tip[1])), 5 + feather, 255, max(1, round(width)), cv2.LINE_AA)
    for side in (-1, 1):
        root = centre + np.array([side * scale * 0.2, -scale * 0.2])
        tips = [
            centre + np.array([side * rng.uniform(1.2, 1.75), f]) * scale for f in np.linspace(-1.1, 0.6, 9)
        ]
        polygon(fill, [_point(root), *(_point(tip) for tip in tips)], -1)
        for tip in tips:
            bend = (root + tip) / 2 + (0, -scale * 0.2)
            line(lines, [_point(root), _point(bend), _point(tip)], width * 1.4, "p")
    body = np.zeros_like(fill)
    axes, tilt = (round(scale * 0.42), round(scale * 0.75)), rng.uniform(-25, 25)
    cv2.ellipse(body, (round(centre[0]), round(centre[1])), axes, tilt, 0, 360, 255, -1, cv2.LINE_AA)
    np.maximum(fill, body, out=fill)
    np.maximum(lines, pattern(rng, body, width), out=lines)
    cv2.ellipse(
        lines, (round(centre[0]), round(centre[1])), axes, tilt, 0, 360, 255, round(width), cv2.LINE_AA
    )
    _bird_head(rng, (fill, lines), centre + np.array([rng.normal(0, 10), -scale * 1.1]), scale * 0.28, width)
    _clouds(rng, lines, int(rng.integers(0, 9)), width)
    return fill, lines


def _bird_head(rng: Rng, drawing: Drawing, at: NDArray[np.float64], size: float, width: float) -> None:
    fill, lines = drawing
    side = float(rng.choice([-1, 1]))
    cv2.circle(fill, (round(at[0]), round(at[1])), round(size), 255, -1, cv2.LINE_AA)
    cv2.circle(lines, (round(at[0]), round(at[1])), round(size), 255, max(1, round(width)), cv2.LINE_AA)
    beak = [(1.0, -0.3), (2.0, 0.2), (0.9, 0.5)]
    polygon(lines, [(float(at[0]) + side * size * x, float(at[1]) + size * y) for x, y in beak], -1)
    for _ in range(int(rng.integers(3, 7))):
        tip = at + rng.uniform((-1.5, -3.0), (1.5, -1.2)) * size
        line(lines, [_point(at - np.array([0, size * 0.8])), _point(tip)], width * 1.3, "p")


def landscape(rng: Rng, height: int) -> Drawing:
    """Return hills, clouds and water."""
    fill, lines = _blank(height)
    width = rng.uniform(1.6, 4)
    for _ in range(int(rng.integers(3, 8))):
        base = rng.uniform(0.2, 0.95) * height
        x = np.linspace(8, WIDTH - 8, 9)
        wave = np.abs(np.sin(x / WIDTH * np.pi * rng.uniform(1, 3) + rng.uniform(0, 3)))
        hill = np.maximum(4, base - rng.uniform(10, 60) * wave)
        ridge = list(zip(x.tolist(), hill.tolist(), strict=True))
        line(lines, ridge, width)
        if rng.random() < 0.4:
            polygon(fill, [*ridge, (WIDTH - 8.0, base), (8.0, base)], -1)
        for i in range(9):
            tip = (x[i] + rng.normal(0, 8), min(height - 3, hill[i] + rng.uniform(12, 45)))
            line(lines, [(x[i], hill[i] + 4), tip], width * 0.8, "p")
    _clouds(rng, lines, int(rng.integers(2, 12)), width)
    return fill, lines


def coiled(rng: Rng, height: int) -> Drawing:
    """Return a dragon rolled up into a spiral, its head in the middle or outside, with fins."""
    fill, lines = _blank(height)
    reach = min(WIDTH, height) * rng.uniform(0.36, 0.46)
    turns = rng.uniform(1.2, 2.2)
    t = np.linspace(0, 1, 70)
    angle = rng.uniform(0, 6) + rng.choice([-1, 1]) * 2 * np.pi * turns * t
    radius = reach * (0.12 + 0.88 * t**0.8)
    spine = np.stack([WIDTH / 2 + radius * np.cos(angle), height / 2 + radius * np.sin(angle)], 1)
    if rng.random() < 0.5:
        spine = spine[::-1]
    thick = reach * rng.uniform(0.16, 0.3)
    width = rng.uniform(2, 6)
    for i in range(len(spine) - 1):
        girth = thick * (1 - 0.75 * i / len(spine))
        line(fill, [_point(spine[i]), _point(spine[i + 1])], girth)
        if i % 3 == 0:
            away = spine[i] - (WIDTH / 2, height / 2)
            away = away / max(1.0, float(np.hypot(*away)))
            line(
                lines,
                [_point(spine[i] - away * girth * 0.4), _point(spine[i] + away * girth * 0.8)],
                width,
                "p",
            )
    _dragon_head(rng, (fill, lines), spine[0], thick * 0.9, width)
    _clouds(rng, lines, int(rng.integers(0, 6)), width)
    return fill, lines


def bird(rng: Rng, height: int) -> Drawing:
    """Return a phoenix from the side: a curved body, one wing, a neck and long plumes that sweep up or down."""
    fill, lines = _blank(height)
    size = min(WIDTH, height) * rng.uniform(0.14, 0.2)
    side = float(rng.choice([-1, 1]))
    centre = np.array([WIDTH / 2, height * rng.uniform(0.42, 0.6)])
    width = rng.uniform(2, 5)
    cv2.ellipse(
        fill,
        (round(centre[0]), round(centre[1])),
        (round(size * 1.2), round(size * 0.75)),
        -side * rng.uniform(10, 50),
        0,
        360,
        255,
        -1,
        cv2.LINE_AA,
    )
    head = centre + np.array([side * size * rng.uniform(0.9, 1.5), -size * rng.uniform(1.1, 2.0)])
    line(
        fill, [_point(centre), _point((centre + head) / 2 + (side * size * 0.5, 0)), _point(head)], size * 0.5
    )
    _bird_head(rng, (fill, lines), head, size * 0.36, width)
    sweep = rng.uniform(-1.2, 1.8)
    for k in range(int(rng.integers(3, 8))):
        tip = centre + np.array([-side * rng.uniform(1.2, 2.4), sweep + 0.35 * k - 0.8]) * size * 1.2
        bend = (centre + tip) / 2 + np.array([0, rng.uniform(-1, 1)]) * size
        line(fill, [_point(centre), _point(bend), _point(tip)], size * rng.uniform(0.15, 0.4), "l")
        cv2.circle(lines, (round(tip[0]), round(tip[1])), round(size * 0.25), 255, round(width), cv2.LINE_AA)
    for k in range(int(rng.integers(4, 9))):
        tip = centre + np.array([-side * rng.uniform(0.2, 1.2), -1.0 - 0.2 * k]) * size * rng.uniform(0.6, 1)
        line(lines, [_point(centre - (0, size * 0.3)), _point(tip)], width * 1.6, "p")
    return fill, lines


def roundel(rng: Rng, height: int) -> Drawing:
    """Return a beast within a ring."""
    fill, lines = (coiled, bird)[int(rng.integers(2))](rng, height)
    reach = round(min(WIDTH, height) * rng.uniform(0.44, 0.49))
    cv2.circle(lines, (WIDTH // 2, height // 2), reach, 255, int(rng.integers(3, 10)), cv2.LINE_AA)
    return fill, lines


BEASTS = (coiled, bird, roundel, dragon, phoenix)
