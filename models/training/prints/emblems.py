"""Further pictures that a joker may bear, all invented: beasts on four legs, fish, flowers, people; pairs and wreaths.

Each as (filled parts, lines), like those of `models.training.prints.beasts`.
"""

from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.prints.beasts import BEASTS, Drawing
from models.training.prints.figures import pattern, person, polygon
from models.training.prints.ink import WIDTH, Mask, Rng
from models.training.prints.lettering import Hand
from models.training.prints.strokes import brush

Points = NDArray[np.float64]


def _blob(mask: Mask, points: Points, thickness: int = -1) -> None:
    """Draw a closed outline through `points` px, or fill it (-1), in place."""
    polygon(mask, [(float(x), float(y)) for x, y in points], thickness)


def _along(mask: Mask, points: Sequence[Points], width: float, kind: str = "l") -> None:
    """Draw a brush line through `points` px, in place."""
    brush(mask, np.stack(points), kind, width)


def _blank(height: int) -> Drawing:
    return np.zeros((height, WIDTH), np.uint8), np.zeros((height, WIDTH), np.uint8)


def _oval(at: Points, half: tuple[float, float], turn: float, rough: float, rng: Rng) -> Points:
    """Return an oval's outline (40, 2) with a rim that waves by a share of its size."""
    t = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    wave = 1 + rough * np.sin(t * rng.integers(2, 9) + rng.uniform(0, 6))
    x, y = half[0] * np.cos(t) * wave, half[1] * np.sin(t) * wave
    c, s = np.cos(turn), np.sin(turn)
    return np.asarray(at + np.stack([c * x - s * y, s * x + c * y], 1), np.float64)


def _part(rng: Rng, drawing: Drawing, outline: Points, width: float, patterned: float = 0.5) -> None:
    """Add a filled part with its outline, perhaps with a pattern within; it hides the lines beneath."""
    fill, lines = drawing
    region = np.zeros_like(fill)
    _blob(region, outline)
    lines[region > 127] = 0
    np.maximum(fill, region, out=fill)
    if rng.random() < patterned:
        np.maximum(lines, pattern(rng, region, width), out=lines)
    _blob(lines, outline, max(1, round(width)))


def _hair(rng: Rng, lines: Mask, at: Points, reach: float, count: int, width: float) -> None:
    """Draw curls or spikes around a point."""
    for angle in rng.uniform(0, 2 * np.pi) + np.linspace(0, 2 * np.pi, count, endpoint=False):
        way = np.array([np.cos(angle), np.sin(angle)])
        tip, aside = at + way * reach * rng.uniform(1.2, 1.9), rng.normal(0, 0.3, 2) * reach
        _along(lines, [at + way * reach * 0.8, (at + tip) / 2 + way * reach * 0.4 + aside, tip], width, "p")


def quadruped(rng: Rng, height: int) -> Drawing:
    """Return a lion, tiger, horse or none of them: a body on four legs, a tail, a maned or horned head."""
    drawing = _blank(height)
    fill, lines = drawing
    width, side = rng.uniform(2, 5), float(rng.choice([-1, 1]))
    size = min(WIDTH, height) * rng.uniform(0.2, 0.27)
    middle = np.array([WIDTH / 2 - side * size * 0.2, height * rng.uniform(0.45, 0.58)])
    reared = -side * rng.uniform(0, 0.9)
    along = np.array([np.cos(reared), np.sin(reared)])
    for k, place in enumerate((-0.85, -0.6, 0.55, 0.8)):
        hip = middle + along * place * size
        foot = hip + np.array([side * rng.uniform(-0.4, 0.5), rng.uniform(0.9, 1.3)]) * size
        knee = (hip + foot) / 2 + np.array([side * rng.uniform(-0.3, 0.3), 0]) * size
        _along(fill, [hip, knee, foot], size * rng.uniform(0.22, 0.34))
        _along(lines, [hip, knee, foot], width * (1 + k % 2))
    tail = middle - side * along * size
    tip = tail + np.array([-side * rng.uniform(0.3, 1.0), rng.uniform(-1.4, 0.3)]) * size
    _along(fill, [tail, (tail + tip) / 2 + rng.normal(0, 0.4, 2) * size, tip], size * rng.uniform(0.1, 0.3))
    if rng.random() < 0.6:
        _hair(rng, lines, tip, size * 0.14, int(rng.integers(4, 9)), width)
    _part(
        rng,
        drawing,
        _oval(middle, (size * 1.05, size * rng.uniform(0.45, 0.65)), reared, 0.05, rng),
        width,
        0.7,
    )
    head = middle + np.array([side * rng.uniform(0.9, 1.25), -rng.uniform(0.4, 1.0)]) * size
    if rng.random() < 0.6:
        _hair(rng, lines, head, size * 0.42, int(rng.integers(8, 18)), width * 1.3)
    _part(rng, drawing, _oval(head, (size * rng.uniform(0.38, 0.5),) * 2, 0, 0.08, rng), width, 0.1)
    for eye in (-0.16, 0.18):
        at = head + np.array([eye, -0.08]) * size
        cv2.circle(lines, (round(at[0]), round(at[1])), max(2, round(size * 0.06)), 255, -1, cv2.LINE_AA)
        horn = at + np.array([eye * rng.uniform(0.5, 2), -rng.uniform(0.35, 0.8)]) * size
        _along(lines, [at - np.array([0, size * 0.25]), horn], width * 2, "p")
    mouth = head + np.array([side * 0.05, 0.2]) * size
    _along(lines, list(mouth + np.array([[-0.2, 0], [0, 0.08], [0.2, 0]]) * size), width)
    return drawing


def fish(rng: Rng, height: int) -> Drawing:
    """Return a fish that bends, with scales and fins."""
    drawing = _blank(height)
    fill, lines = drawing
    width, size = rng.uniform(2, 5), min(WIDTH, height) * rng.uniform(0.34, 0.44)
    turn, bow = rng.uniform(0, 2 * np.pi), rng.normal(0, 0.35)
    t = np.linspace(-1, 1, 30)
    girth = rng.uniform(0.3, 0.5) * np.interp(t, [-1, -0.6, 0.2, 0.75, 1], [0.25, 0.8, 1, 0.25, 0.2])
    c, s = np.cos(turn), np.sin(turn)
    turned = np.array([[c, s], [-s, c]]) * size
    middle = np.array([WIDTH / 2, height / 2])
    spine = np.stack([t, bow * (1 - t**2)], 1)
    edges = [(spine + np.stack([0 * t, sign * girth], 1)) @ turned + middle for sign in (-1, 1)]
    back = spine[-1]
    for sign in (-1, 1):
        fin = back + np.array([[0, 0], [rng.uniform(0.25, 0.5), sign * rng.uniform(0.3, 0.7)], [0.2, 0]])
        _part(rng, drawing, fin @ turned + middle, width, 0.6)
        side = spine[14] + np.array([0, sign * girth[14] * 0.8])
        fin = side + np.array([[-0.2, 0], [rng.uniform(0, 0.4), sign * rng.uniform(0.2, 0.5)], [0.3, 0]])
        _part(rng, drawing, fin @ turned + middle, width, 0.6)
    _part(rng, drawing, np.concatenate([edges[0], edges[1][::-1]]), width, 0.85)
    eye = (spine[3] - np.array([0, girth[3] * 0.3])) @ turned + middle
    cv2.circle(fill, (round(eye[0]), round(eye[1])), round(size * 0.09), 0, -1, cv2.LINE_AA)
    cv2.circle(
        lines, (round(eye[0]), round(eye[1])), round(size * 0.09), 255, max(1, round(width)), cv2.LINE_AA
    )
    return drawing


def flower(rng: Rng, height: int) -> Drawing:
    """Return a peony, lotus or chrysanthemum: petals in rings, perhaps on a stem with leaves."""
    drawing = _blank(height)
    fill = drawing[0]
    width, size = rng.uniform(1.8, 4.5), min(WIDTH, height) * rng.uniform(0.26, 0.42)
    at = np.array([WIDTH / 2, height * rng.uniform(0.38, 0.5)])
    if rng.random() < 0.6:
        foot = np.array([WIDTH / 2 + rng.normal(0, 30), height * 0.97])
        _along(fill, [at, (at + foot) / 2 + np.array([rng.normal(0, 20), 0]), foot], size * 0.12)
        for sign in (-1, 1):
            leaf = (at + 2 * foot) / 3 + np.array([sign * size * rng.uniform(0.3, 0.6), -size * 0.1])
            _part(
                rng,
                drawing,
                _oval(leaf, (size * 0.45, size * 0.18), sign * rng.uniform(-0.9, 0), 0.05, rng),
                width,
                0.3,
            )
    petals, rings = int(rng.integers(5, 14)), int(rng.integers(1, 4))
    slim = rng.uniform(0.5, 1.3) * np.pi / petals
    for ring in range(rings):
        far = size * (1 - ring / rings * 0.85)
        for k in range(petals):
            angle = 2 * np.pi * (k + 0.5 * ring) / petals + rng.normal(0, 0.05)
            middle = at + far * 0.55 * np.array([np.cos(angle), np.sin(angle)])
            _part(rng, drawing, _oval(middle, (far * 0.48, far * slim * 0.7), angle, 0.04, rng), width, 0.15)
    _part(rng, drawing, _oval(at, (size * 0.2,) * 2, 0, 0.1, rng), width, 0.6)
    return drawing


def people(rng: Rng, height: int, hand: Hand) -> Drawing:
    """Return a robed person, or the upper half of one large, over a silhouette of their own."""
    bust = rng.random() < 0.5
    drawn = person(rng, height * 2 if bust else height, hand)[:height]
    closed = cv2.morphologyEx(drawn, cv2.MORPH_CLOSE, np.ones((21, 21), np.uint8))
    return np.asarray(closed, np.uint8), drawn


def picture(rng: Rng, height: int, hand: Hand) -> Drawing:
    """Return any of the pictures, at times laid over its mirror image or within a wreath."""
    kinds = (*BEASTS, quadruped, quadruped, fish, flower)
    number = int(rng.integers(len(kinds) + 2))
    drawing = kinds[number](rng, height) if number < len(kinds) else people(rng, height, hand)
    manner = rng.random()
    if manner < 0.12:
        fill, lines = drawing
        return np.maximum(fill, fill[:, ::-1]), np.maximum(lines, lines[:, ::-1])
    if manner < 0.24:
        reach = min(WIDTH, height) * rng.uniform(0.4, 0.46)
        for angle in np.linspace(0, 2 * np.pi, int(rng.integers(10, 26)), endpoint=False):
            at = np.array([WIDTH / 2, height / 2]) + reach * np.array([np.cos(angle), np.sin(angle)])
            leaf = _oval(at, (reach * 0.16, reach * rng.uniform(0.05, 0.12)), angle + 1, 0.03, rng)
            _blob(drawing[1], leaf, -1 if manner < 0.18 else 2)
    return drawing
