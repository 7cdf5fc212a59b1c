"""Line drawings of robed people between the ends of a card, all invented: hats, armour, folds, weapons, names."""

from collections.abc import Sequence

import cv2
import numpy as np

from models.training.prints.ink import WIDTH, Mask, Rng, place
from models.training.prints.lettering import Hand, letter
from models.training.prints.strokes import brush

NAMES = "公侯伯男子春夏秋冬梅蘭竹菊喜兵車馬富貴榮"
Point = tuple[float, float]


def line(mask: Mask, points: Sequence[Point], width: float, kind: str = "l") -> None:
    """Draw a brush line through `points` px, `width` px thick, in place."""
    brush(mask, np.asarray(points, np.float64), kind, width)


def polygon(mask: Mask, points: Sequence[Point], thickness: int) -> None:
    """Draw a closed outline `thickness` px thick, or fill it (-1), in place."""
    corners = np.round(np.asarray(points)).astype(np.int32)
    if thickness < 0:
        cv2.fillPoly(mask, [corners], 255, cv2.LINE_AA)
    else:
        cv2.polylines(mask, [corners], True, 255, thickness, cv2.LINE_AA)


def _hatching(rng: Rng, mask: Mask, step: int, thick: int) -> None:
    height, across = mask.shape
    lean = int(rng.integers(-2, 3)) * height // 4
    for x in range(-abs(lean), across + abs(lean), step):
        cv2.line(mask, (x, 0), (x + lean, height), 255, thick, cv2.LINE_AA)


def _scales(rng: Rng, mask: Mask, step: int, thick: int) -> None:
    for row, y in enumerate(range(0, mask.shape[0], step)):
        for x in range((row % 2) * step, mask.shape[1], 2 * step):
            cv2.ellipse(mask, (x, y), (step, step), 0, 0, 180, 255, thick, cv2.LINE_AA)


def _dots(rng: Rng, mask: Mask, step: int, thick: int) -> None:
    for row, y in enumerate(range(0, mask.shape[0], step)):
        for x in range((row % 2) * step // 2, mask.shape[1], step):
            cv2.circle(mask, (x, y), max(1, thick), 255, -1, cv2.LINE_AA)


def _checks(rng: Rng, mask: Mask, step: int, thick: int) -> None:
    mask[::step] = 255
    mask[:, ::step] = 255
    if thick > 1:
        mask[1::step] = 255
        mask[:, 1::step] = 255


def _solid(rng: Rng, mask: Mask, step: int, thick: int) -> None:
    mask[:] = 255


def pattern(rng: Rng, region: Mask, width: float) -> Mask:
    """Return one of the ways cloth and armour are drawn, within `region`: hatching, scales, dots, checks, solid."""
    mask = np.zeros_like(region)
    draw = (_hatching, _scales, _dots, _checks, _solid)[int(rng.integers(5))]
    draw(rng, mask, int(rng.integers(7, 16)), max(1, round(width * 0.7)))
    return np.asarray(cv2.bitwise_and(mask, region), dtype=np.uint8)


def figure(rng: Rng, height: int, hand: Hand) -> Mask:
    """Return one person (height, 256) with a small name; on some prints two halves, head to head like a court card."""
    if height > 240 and rng.random() < 0.12:
        upper = person(rng, height // 2, hand)
        return np.concatenate(
            [upper, np.zeros((height - 2 * len(upper), WIDTH), np.uint8), upper[::-1, ::-1]]
        )
    return person(rng, height, hand)


def person(rng: Rng, height: int, hand: Hand) -> Mask:
    """Return one person (height, 256), at most twice as tall as the card is wide."""
    mask = np.zeros((height, WIDTH), np.uint8)
    tall = min(height * 0.97, WIDTH * 2.0)
    top, centre = (height - tall) / 2, WIDTH / 2 + rng.normal(0, 10)
    width = rng.uniform(1.6, 4.2)
    head = tall * rng.uniform(0.06, 0.1)
    neck = top + tall * 0.1 + head * 2
    foot = top + tall * rng.uniform(0.9, 0.98)
    spread, shoulder = WIDTH * rng.uniform(0.26, 0.46), WIDTH * rng.uniform(0.15, 0.26)
    _robe(rng, mask, centre, (neck, foot), (shoulder, spread), width)
    _head(rng, mask, (centre + rng.normal(0, 5), neck - head), head, width)
    for side in (-1, 1):
        _sleeve(rng, mask, (centre + side * shoulder, neck + tall * 0.06), side, tall, width)
        boot = centre + side * spread * 0.4
        cv2.ellipse(mask, (round(boot), round(foot)), (14, 7), 0, 180, 360, 255, -1, cv2.LINE_AA)
    _folds(rng, mask, centre, (neck, foot), spread, width)
    _things(rng, mask, centre, (top, foot), spread, width)
    if rng.random() < 0.7:
        _name(rng, mask, hand, (top, tall))
    return mask


def _name(rng: Rng, mask: Mask, hand: Hand, span: tuple[float, float]) -> None:
    """Write one to three small characters down one side."""
    top, tall = span
    size = WIDTH * rng.uniform(0.12, 0.2)
    x = 6.0 if rng.random() < 0.5 else WIDTH - size - 6.0
    y = top + tall * rng.uniform(0.05, 0.4)
    for _ in range(int(rng.integers(1, 4))):
        place(mask, letter(rng, hand, str(rng.choice(list(NAMES)))), (x, y, x + size, y + size))
        y += size * 1.1


def _robe(
    rng: Rng, mask: Mask, centre: float, rows: tuple[float, float], half: tuple[float, float], width: float
) -> None:
    """Draw the body's outline and fill parts of it with patterns."""
    (neck, foot), (shoulder, spread) = rows, half
    waist, belt = shoulder * rng.uniform(0.75, 1.2), neck + (foot - neck) * rng.uniform(0.32, 0.46)
    right = [(8.0, neck), (shoulder, neck + (foot - neck) * 0.07), (waist, belt), (spread, foot)]
    outline = [(centre + x, y) for x, y in right] + [(centre - x, y) for x, y in reversed(right)]
    body = np.zeros_like(mask)
    polygon(body, outline, -1)
    bands = sorted(rng.uniform(neck, foot, 3))
    for a, b in ((bands[0], bands[1]), (bands[2], foot)):
        if rng.random() < 0.75:
            part = np.zeros_like(mask)
            part[round(a) : round(b)] = body[round(a) : round(b)]
            inset = round(rng.uniform(0, 30))
            part[:, : max(0, round(centre - spread) + inset)] = 0
            np.maximum(mask, pattern(rng, part, width), out=mask)
    polygon(mask, outline, max(1, round(width)))
    for row in range(int(rng.integers(1, 4))):
        y = belt + row * 7
        line(mask, [(centre - waist, y), (centre, y + 4), (centre + waist, y)], width)
    collar = neck + (foot - neck) * 0.18
    line(mask, [(centre - 9, neck), (centre + 4, collar)], width * 1.4)
    line(mask, [(centre + 9, neck), (centre - 4, collar)], width * 1.4)


def _head(rng: Rng, mask: Mask, at: Point, size: float, width: float) -> None:
    x, y = at
    thick = max(1, round(width))
    face = np.zeros_like(mask)
    cv2.ellipse(face, (round(x), round(y)), (round(size * 0.8), round(size)), 0, 0, 360, 255, -1, cv2.LINE_AA)
    mask[face > 127] = 0
    cv2.ellipse(
        mask, (round(x), round(y)), (round(size * 0.8), round(size)), 0, 0, 360, 255, thick, cv2.LINE_AA
    )
    for side in (-1, 1):
        line(
            mask, [(x + side * size * 0.18, y - size * 0.1), (x + side * size * 0.5, y - size * 0.18)], width
        )
    line(mask, [(x, y), (x - size * 0.1, y + size * 0.3), (x + size * 0.1, y + size * 0.3)], width * 0.7)
    line(mask, [(x - size * 0.2, y + size * 0.55), (x + size * 0.2, y + size * 0.55)], width)
    _hat(rng, mask, at, size, thick)
    for _ in range(int(rng.integers(0, 7))):
        dx = rng.uniform(-0.5, 0.5) * size
        line(
            mask,
            [(x + dx, y + size * 0.65), (x + dx * 1.6, y + size * rng.uniform(1.3, 2.6))],
            width * 0.8,
            "p",
        )


def _hat(rng: Rng, mask: Mask, at: Point, size: float, thick: int) -> None:
    x, y = at
    low, high = y - size * 0.6, y - size * rng.uniform(1.3, 1.9)
    kind = int(rng.integers(4))
    fill = -1 if rng.random() < 0.4 else thick
    if kind == 0:
        slope = rng.uniform(0.5, 1.2)
        box = [(x - size, low), (x - size * slope, high), (x + size * slope, high), (x + size, low)]
        polygon(mask, box, fill)
    elif kind == 1:
        centre, axes = (round(x), round(y - size * 0.6)), (round(size), round(size * 0.7))
        cv2.ellipse(mask, centre, axes, 0, 180, 360, 255, fill, cv2.LINE_AA)
    elif kind == 2:
        polygon(mask, [(x - size * 1.3, low), (x, high), (x + size * 1.3, low)], fill)
    for side in (-1, 1):
        if rng.random() < 0.55:
            tip = (x + side * size * rng.uniform(1.2, 2.8), y - size * rng.uniform(0.4, 2.4))
            middle = (x + side * size * 1.2, y - size * rng.uniform(0.8, 2))
            line(mask, [(x + side * size * 0.8, y - size * 0.9), middle, tip], thick * 1.5, "p")
    if rng.random() < 0.4:
        cv2.circle(mask, (round(x), round(high)), max(2, round(size * 0.2)), 255, -1, cv2.LINE_AA)


def _sleeve(rng: Rng, mask: Mask, at: Point, side: int, tall: float, width: float) -> None:
    x, y = at
    elbow = (x + side * WIDTH * rng.uniform(0.06, 0.18), y + tall * rng.uniform(0.08, 0.2))
    hand = (WIDTH / 2 + side * WIDTH * rng.uniform(0.02, 0.4), y + tall * rng.uniform(0.04, 0.28))
    drop = tall * rng.uniform(0.05, 0.14)
    outline = [
        (x, y),
        elbow,
        hand,
        (hand[0], hand[1] + drop),
        (elbow[0], elbow[1] + drop),
        (x - side * 8, y + drop),
    ]
    region = np.zeros_like(mask)
    polygon(region, outline, -1)
    mask[region > 127] = 0
    if rng.random() < 0.4:
        np.maximum(mask, pattern(rng, region, width), out=mask)
    polygon(mask, outline, max(1, round(width)))
    cv2.circle(
        mask, (round(hand[0]), round(hand[1] + drop / 2)), max(2, round(tall * 0.015)), 255, -1, cv2.LINE_AA
    )


def _folds(rng: Rng, mask: Mask, centre: float, rows: Point, spread: float, width: float) -> None:
    top, foot = rows
    for _ in range(int(rng.integers(6, 26))):
        x = centre + rng.uniform(-0.75, 0.75) * spread
        y = rng.uniform(top + 0.15 * (foot - top), max(top + 1, foot - 15))
        length, drift = rng.uniform(10, 0.3 * (foot - top) + 11), (x - centre) * 0.3 + rng.normal(0, 8)
        middle = (x + drift * 0.3 + rng.normal(0, 4), y + length / 2)
        line(mask, [(x, y), middle, (x + drift, min(foot, y + length))], width * rng.uniform(0.7, 1.8), "p")


def _things(rng: Rng, mask: Mask, centre: float, rows: Point, spread: float, width: float) -> None:
    """Draw what such people hold or stand among: a spear, a banner, clouds, rocks."""
    top, foot = rows
    if rng.random() < 0.65:
        side = float(rng.choice([-1, 1]))
        x = centre + side * spread * rng.uniform(0.6, 1.05)
        tip = (x, top + 4)
        line(mask, [tip, (x + rng.normal(0, 24), foot)], width * 1.8)
        if rng.random() < 0.5:
            blade = [(x, top), (x + 13 * side, top + 24), (x, top + 48), (x - 9 * side, top + 24)]
            polygon(mask, blade, -1 if rng.random() < 0.5 else max(1, round(width)))
        elif rng.random() < 0.6:
            wave = [(x, top + 6), (x - 50 * side, top + 16), (x - 42 * side, top + 52), (x, top + 62)]
            polygon(mask, wave, max(1, round(width)))
    for _ in range(int(rng.integers(0, 9))):
        x, y, r = rng.uniform(15, WIDTH - 15), rng.uniform(top, foot), int(rng.integers(5, 18))
        start = int(rng.integers(0, 360))
        centre_px = (round(x), round(y))
        cv2.ellipse(mask, centre_px, (r, r), 0, start, start + 240, 255, max(1, round(width)), cv2.LINE_AA)
