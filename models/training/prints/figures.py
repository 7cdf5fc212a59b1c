"""Line drawings between the ends of a card: robed people, landscapes, dragons and phoenixes, all invented."""

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.prints.ink import WIDTH, Mask, Rng, place
from models.training.prints.lettering import Hand, letter
from models.training.prints.strokes import brush

NAMES = "公侯伯男子春夏秋冬梅蘭竹菊喜兵車馬富貴榮"


def _line(mask: Mask, points: list[tuple[float, float]], width: float, kind: str = "l") -> None:
    brush(mask, np.asarray(points, np.float64), kind, width)


def figure(rng: Rng, height: int, hand: Hand) -> Mask:
    """Return one robed person (height, 256) with hat, sleeves, hatching and a small name."""
    mask = np.zeros((height, WIDTH), np.uint8)
    tall = min(height * 0.96, WIDTH * 1.9)
    top, centre = (height - tall) / 2, WIDTH / 2 + rng.normal(0, 8)
    width = rng.uniform(1.6, 4.0)
    head = tall * rng.uniform(0.07, 0.1)
    neck = top + tall * 0.12 + head * 2
    _head(rng, mask, (centre, neck - head), head, width)
    foot, spread = top + tall * 0.97, WIDTH * rng.uniform(0.25, 0.42)
    shoulder = WIDTH * rng.uniform(0.14, 0.22)
    for side in (-1, 1):
        edge = [(centre + side * 6, neck), (centre + side * shoulder, neck + tall * 0.06)]
        edge += [
            (centre + side * spread * rng.uniform(0.5, 0.9), neck + tall * 0.35),
            (centre + side * spread, foot),
        ]
        _line(mask, edge, width)
        _sleeve(rng, mask, (centre + side * shoulder, neck + tall * 0.06), side, tall, width)
    _line(mask, [(centre - spread, foot), (centre, foot + rng.normal(0, 6)), (centre + spread, foot)], width)
    _folds(rng, mask, centre, (neck, foot), spread, width)
    _things(rng, mask, centre, (top, foot), spread, width)
    if rng.random() < 0.7:
        size = WIDTH * rng.uniform(0.12, 0.2)
        x = WIDTH * (0.04 if rng.random() < 0.5 else 0.94) - (0 if rng.random() < 0.5 else size)
        for row in range(int(rng.integers(1, 4))):
            character = letter(rng, hand, str(rng.choice(list(NAMES))))
            y = top + tall * 0.1 + row * size * 1.1
            place(
                mask,
                character,
                (
                    float(np.clip(x, 4, WIDTH - size - 4)),
                    y,
                    float(np.clip(x, 4, WIDTH - size - 4)) + size,
                    y + size,
                ),
            )
    return mask


def _head(rng: Rng, mask: Mask, at: tuple[float, float], size: float, width: float) -> None:
    x, y = at
    thick = max(1, round(width))
    cv2.ellipse(
        mask, (round(x), round(y)), (round(size * 0.8), round(size)), 0, 0, 360, 255, thick, cv2.LINE_AA
    )
    for side in (-1, 1):
        _line(
            mask, [(x + side * size * 0.2, y - size * 0.1), (x + side * size * 0.5, y - size * 0.15)], width
        )
    _line(mask, [(x - size * 0.2, y + size * 0.5), (x + size * 0.2, y + size * 0.5)], width)
    hat = rng.integers(0, 3)
    if hat == 0:
        box = np.array(
            [
                (x - size, y - size * 0.6),
                (x - size * 0.7, y - size * 1.7),
                (x + size * 0.7, y - size * 1.7),
                (x + size, y - size * 0.6),
            ]
        )
        cv2.polylines(mask, [np.round(box).astype(np.int32)], True, 255, thick, cv2.LINE_AA)
    elif hat == 1:
        cv2.ellipse(
            mask,
            (round(x), round(y - size * 0.7)),
            (round(size), round(size * 0.6)),
            0,
            180,
            360,
            255,
            -1,
            cv2.LINE_AA,
        )
    for side in (-1, 1):
        if rng.random() < 0.5:
            tip = (x + side * size * rng.uniform(1.2, 2.5), y - size * rng.uniform(0.4, 2))
            _line(mask, [(x + side * size * 0.8, y - size * 0.9), tip], width * 1.5, "p")
    for _ in range(int(rng.integers(0, 5))):
        dx = rng.uniform(-0.4, 0.4) * size
        _line(
            mask, [(x + dx, y + size * 0.7), (x + dx * 2, y + size * rng.uniform(1.3, 2.4))], width * 0.7, "p"
        )


def _sleeve(rng: Rng, mask: Mask, at: tuple[float, float], side: int, tall: float, width: float) -> None:
    x, y = at
    elbow = (x + side * WIDTH * rng.uniform(0.08, 0.2), y + tall * rng.uniform(0.08, 0.2))
    hand = (WIDTH / 2 + side * WIDTH * rng.uniform(0.02, 0.36), y + tall * rng.uniform(0.06, 0.26))
    drop = tall * rng.uniform(0.04, 0.12)
    _line(mask, [(x, y), elbow, hand], width)
    _line(
        mask, [(x - side * 8, y + drop), (elbow[0], elbow[1] + drop), (hand[0], hand[1] + drop), hand], width
    )


def _folds(
    rng: Rng, mask: Mask, centre: float, span: tuple[float, float], spread: float, width: float
) -> None:
    top, foot = span
    for _ in range(int(rng.integers(6, 22))):
        x, y = centre + rng.uniform(-0.7, 0.7) * spread, rng.uniform(top + 0.15 * (foot - top), foot - 15)
        length = rng.uniform(10, 0.28 * (foot - top))
        drift = (x - centre) * 0.3 + rng.normal(0, 8)
        middle = (x + drift * 0.3 + rng.normal(0, 4), y + length / 2)
        _line(mask, [(x, y), middle, (x + drift, min(foot, y + length))], width * rng.uniform(0.7, 1.6), "p")
    belt = top + (foot - top) * rng.uniform(0.3, 0.45)
    for row in range(int(rng.integers(1, 4))):
        y = belt + row * 7
        _line(mask, [(centre - spread * 0.55, y), (centre, y + 4), (centre + spread * 0.55, y)], width)
    for _ in range(int(rng.integers(0, 3))):
        y = rng.uniform(belt, foot - 20)
        for x in np.arange(centre - spread * 0.6, centre + spread * 0.6, 7):
            _line(mask, [(x, y), (x + 5, y + 12)], width * 0.7)


def _things(
    rng: Rng, mask: Mask, centre: float, span: tuple[float, float], spread: float, width: float
) -> None:
    """A staff, a spear, a fan, clouds: what such people hold or stand on."""
    top, foot = span
    if rng.random() < 0.6:
        side = rng.choice([-1, 1])
        x = centre + side * spread * rng.uniform(0.7, 1.05)
        _line(mask, [(x, top + 5), (x + rng.normal(0, 18), foot)], width * 1.8)
        if rng.random() < 0.6:
            blade = np.array([(x, top), (x + 12 * side, top + 22), (x, top + 46), (x - 8 * side, top + 22)])
            cv2.fillPoly(mask, [np.round(blade).astype(np.int32)], 255, cv2.LINE_AA)
    for _ in range(int(rng.integers(0, 6))):
        x, y, r = rng.uniform(15, WIDTH - 15), rng.uniform(top, foot), int(rng.integers(5, 16))
        start = int(rng.integers(0, 360))
        cv2.ellipse(
            mask, (round(x), round(y)), (r, r), 0, start, start + 240, 255, max(1, round(width)), cv2.LINE_AA
        )


def landscape(rng: Rng, height: int, hand: Hand) -> Mask:
    """Return hills, clouds and water, or a dragon (height, 256); `hand` is unused by these."""
    if rng.random() < 0.4:
        return dragon(rng, height)
    mask = np.zeros((height, WIDTH), np.uint8)
    width = rng.uniform(1.6, 4)
    for _ in range(int(rng.integers(3, 8))):
        base = rng.uniform(0.2, 0.95) * height
        x = np.linspace(8, WIDTH - 8, 9)
        hill = base - rng.uniform(10, 50) * np.abs(
            np.sin(x / WIDTH * np.pi * rng.uniform(1, 3) + rng.uniform(0, 3))
        )
        _line(mask, list(zip(x.tolist(), hill.tolist(), strict=True)), width)
        for i in range(0, 9, 2):
            _line(
                mask,
                [(x[i], hill[i] + 4), (x[i] + rng.normal(0, 6), hill[i] + rng.uniform(15, 40))],
                width * 0.7,
                "p",
            )
    for _ in range(int(rng.integers(2, 9))):
        cx, cy, r = rng.uniform(20, WIDTH - 20), rng.uniform(0, height), int(rng.integers(6, 22))
        start = int(rng.integers(0, 360))
        cv2.ellipse(
            mask,
            (round(cx), round(cy)),
            (r, r // 2 + 2),
            0,
            start,
            start + 280,
            255,
            max(1, round(width)),
            cv2.LINE_AA,
        )
    return mask


def _serpent(rng: Rng, height: int) -> NDArray[np.float64]:
    t = np.linspace(0, 1, 60)
    waves = rng.uniform(0.8, 2.2)
    x = WIDTH / 2 + WIDTH * rng.uniform(0.2, 0.33) * np.sin(2 * np.pi * waves * t + rng.uniform(0, 6)) * (
        1 - 0.3 * t
    )
    return np.stack([x, height * (0.08 + 0.84 * t)], 1)


def dragon(rng: Rng, height: int) -> Mask:
    """Return a winding dragon (height, 256): scaled body, horns, claws, clouds."""
    mask = np.zeros((height, WIDTH), np.uint8)
    body = _serpent(rng, height)
    if rng.random() < 0.5:
        body[:, 1] = height - body[:, 1]
    thick = WIDTH * rng.uniform(0.07, 0.14)
    step = np.gradient(body, axis=0)
    normal = np.stack([-step[:, 1], step[:, 0]], 1) / np.maximum(1e-6, np.hypot(*step.T))[:, None]
    girth = (thick * np.interp(np.linspace(0, 1, len(body)), [0, 0.1, 0.6, 1], [0.8, 1, 0.9, 0.1]))[:, None]
    width = rng.uniform(2, 5)
    for side in (-1, 1):
        edge = body + side * normal * girth
        _line(mask, [tuple(point) for point in edge[::4]], width)
    for i in range(4, len(body) - 2, 2):
        _line(
            mask,
            [
                tuple(body[i] - normal[i] * girth[i]),
                tuple(body[i - 1]),
                tuple(body[i] + normal[i] * girth[i]),
            ],
            width * 0.7,
        )
        spike = body[i] + normal[i] * (girth[i] + rng.uniform(4, 12))
        _line(mask, [tuple(body[i] + normal[i] * girth[i]), tuple(spike)], width, "p")
    head = body[0]
    cv2.circle(
        mask, (round(head[0]), round(head[1])), round(thick * 1.3), 255, max(2, round(width)), cv2.LINE_AA
    )
    cv2.circle(
        mask,
        (round(head[0] + thick * 0.4), round(head[1] - thick * 0.2)),
        max(2, round(thick * 0.25)),
        255,
        -1,
        cv2.LINE_AA,
    )
    for side in (-1, 1):
        for reach in (1.5, 2.4):
            tip = head + (side * thick * reach, -thick * rng.uniform(-0.5, 2.2))
            _line(mask, [tuple(head + (side * thick, 0)), tuple(tip)], width * 1.6, "p")
    for i in rng.choice(np.arange(10, 50), 4, replace=False):
        foot = body[i] + normal[i] * thick * rng.choice([-1, 1]) * rng.uniform(1.8, 2.6)
        for _ in range(3):
            _line(
                mask,
                [
                    tuple(body[i]),
                    tuple((body[i] + foot) / 2 + rng.normal(0, 4, 2)),
                    tuple(foot + rng.normal(0, thick * 0.5, 2)),
                ],
                width,
                "p",
            )
    return mask


def phoenix(rng: Rng, height: int) -> Mask:
    """Return a bird with spread wings and long tail feathers (height, 256)."""
    mask = np.zeros((height, WIDTH), np.uint8)
    width = rng.uniform(2, 5)
    centre = np.array([WIDTH / 2 + rng.normal(0, 15), height * rng.uniform(0.3, 0.45)])
    scale = WIDTH * rng.uniform(0.22, 0.3)
    cv2.ellipse(
        mask,
        (round(centre[0]), round(centre[1])),
        (round(scale * 0.45), round(scale * 0.7)),
        rng.uniform(-25, 25),
        0,
        360,
        255,
        round(width),
        cv2.LINE_AA,
    )
    head = centre + (rng.normal(0, 12), -scale * 1.15)
    cv2.circle(mask, (round(head[0]), round(head[1])), round(scale * 0.25), 255, round(width), cv2.LINE_AA)
    for _ in range(4):
        _line(mask, [tuple(head), tuple(head + rng.uniform((-30, -40), (30, -10)))], width, "p")
    for side in (-1, 1):
        for feather in np.linspace(-1.0, 0.5, 8):
            tip = centre + (side * scale * rng.uniform(1.2, 1.7), scale * feather)
            bend = (centre + tip) / 2 + (0, -scale * 0.25)
            _line(mask, [tuple(centre + (side * scale * 0.3, 0)), tuple(bend), tuple(tip)], width * 1.3, "p")
    for feather in range(int(rng.integers(4, 8))):
        tip = np.array([rng.uniform(20, WIDTH - 20), height * rng.uniform(0.8, 0.97)])
        bend = (centre + tip) / 2 + rng.normal(0, 18, 2)
        _line(mask, [tuple(centre + (0, scale * 0.6)), tuple(bend), tuple(tip)], width * 1.2)
        cv2.circle(
            mask, (round(tip[0]), round(tip[1])), 5 + feather, 255, max(1, round(width / 2)), cv2.LINE_AA
        )
    return mask
