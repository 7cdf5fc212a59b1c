"""How a print of 川牌 draws its pips: where they stand in a group, their shape, size and colours."""

from dataclasses import dataclass, replace

import cv2
import numpy as np

from models.training.prints.ink import WIDTH, Mask, Rng

Spots = tuple[tuple[float, float], ...]  # pip centres, -1..1 across and down their group

TWO: tuple[Spots, ...] = (((0, -0.5), (0, 0.5)), ((-0.4, -0.5), (0.4, 0.5)), ((-0.55, 0), (0.55, 0)))
THREE: tuple[Spots, ...] = (
    ((-0.5, -0.66), (0, 0), (0.5, 0.66)),
    ((0, -0.68), (0, 0), (0, 0.68)),
    ((0.5, -0.66), (0, 0), (-0.5, 0.66)),
)
FOUR: tuple[Spots, ...] = (((-0.5, -0.5), (0.5, -0.5), (-0.5, 0.5), (0.5, 0.5)),)
FIVE: tuple[Spots, ...] = (((-0.6, -0.62), (0.6, -0.62), (0, 0), (-0.6, 0.62), (0.6, 0.62)),)
SIX: tuple[Spots, ...] = (
    ((-0.68, -0.5), (0, -0.5), (0.68, -0.5), (-0.68, 0.5), (0, 0.5), (0.68, 0.5)),
    ((-0.5, -0.68), (0.5, -0.68), (-0.5, 0), (0.5, 0), (-0.5, 0.68), (0.5, 0.68)),
)
# Of the family "stair": a three of wide ovals like steps, a two of pips close together, a six of rows that overlap.
STAIRS: tuple[Spots, ...] = (
    ((-0.52, -0.6), (0, 0), (0.52, 0.6)),
    ((0.52, -0.6), (0, 0), (-0.52, 0.6)),
    ((-0.4, -0.5), (0, 0), (0.4, 0.5)),
)
CLOSE: tuple[Spots, ...] = (((0, -0.34), (0, 0.34)), ((-0.1, -0.36), (0.1, 0.36)), ((-0.3, -0.1), (0.3, 0.1)))
STAIR_SHARE = 0.25  # of prints of that family


@dataclass(frozen=True)
class Pips:
    """How one print draws its pips; lengths in card widths."""

    spots: dict[int, Spots]
    wide: float  # of an ordinary pip
    high: float
    one: float  # how much larger the single pip of 1 is
    three: float  # how much wider the pips of 3 are
    group_w: float
    group_h: float
    gap: float
    start: float
    stacked: bool
    mirrored: bool
    squareness: float  # 2 = ellipse, more = box-like
    core: float  # share of a pip left blank in its middle; 0 = solid
    edge: float  # roughness
    wobble: float
    tilt: float
    sixes: int  # how 6-6 is coloured
    reds: frozenset[int]
    turn: float = 0.0  # of every oval, radians
    ring: float = 0.0  # width of a ring around every pip, px
    step: float = 0.0  # how high the ovals of 3 are, of the ordinary pip; 0 = by the rule of all prints


def make_pips(rng: Rng, room: float) -> Pips:
    """Draw one print's manner of pips; an end may reach `room` card widths."""
    spots = {
        1: ((0.0, 0.0),),
        2: TWO[int(rng.choice(3, p=[0.72, 0.18, 0.1]))],
        3: THREE[int(rng.choice(3, p=[0.7, 0.18, 0.12]))],
        4: FOUR[0],
        5: FIVE[0],
        6: SIX[int(rng.random() < 0.22)],
    }
    stacked = bool(rng.random() < 0.14)
    group_h = (
        min(rng.uniform(0.42, 0.66), (room - 0.2) / 2)
        if stacked
        else float(np.clip(rng.normal(0.68, 0.1), 0.48, 0.92))
    )
    group_w = rng.uniform(0.55, 0.8) if stacked else rng.uniform(0.39, 0.46)
    rows = 3 if len({y for _, y in spots[6]}) == 3 else 2
    wide = group_w * rng.uniform(0.34, 0.52)
    if rng.random() < 0.07:
        reds = frozenset(range(1, 7)) if rng.random() < 0.4 else frozenset({1})
    else:
        reds = frozenset({1, 4})
    return Pips(
        spots,
        wide,
        min(group_h / rows * rng.uniform(0.78, 1.12), wide * rng.uniform(1.0, 2.1)),
        rng.uniform(1.0, 1.2) if rng.random() < 0.65 else rng.uniform(1.2, 1.8),
        rng.uniform(1.0, 1.7),
        group_w,
        group_h,
        rng.uniform(0.04, 0.1),
        min(float(np.clip(rng.normal(0.1, 0.07), 0.03, 0.4)), room - group_h * (2 if stacked else 1) - 0.1),
        stacked,
        bool(rng.random() < 0.1),
        rng.uniform(1.9, 2.6),
        rng.uniform(0.1, 0.35) if rng.random() < 0.12 else 0.0,
        rng.random() ** 1.5 * 0.8,
        rng.uniform(0, 0.025),
        rng.normal(0, 0.12) if rng.random() < 0.4 else 0.0,
        int(rng.choice(4, p=[0.6, 0.15, 0.1, 0.15])),
        reds,
    )


def staired(rng: Rng, pips: Pips) -> Pips:
    """Return a print's pips as of the family "stair": slanted, wide or overlapping ovals."""
    rows = SIX[0]
    wide = pips.group_w * rng.uniform(0.36, 0.62)
    spots = {
        **pips.spots,
        2: CLOSE[int(rng.integers(3))] if rng.random() < 0.6 else pips.spots[2],
        3: STAIRS[int(rng.integers(3))],
        6: tuple((x * rng.uniform(0.8, 1.0), y * rng.uniform(0.5, 1.0)) for x, y in rows),
    }
    if rng.random() < 0.25:  # twos and fours in two columns close to each other
        spots[4] = tuple((x * rng.uniform(0.6, 0.8), y) for x, y in FOUR[0])
    return replace(
        pips,
        spots=spots,
        wide=wide,
        high=min(pips.group_h / 2 * rng.uniform(0.8, 1.2), wide * rng.uniform(0.7, 1.9)),
        three=rng.uniform(1.1, 2.0),
        turn=rng.normal(0, 0.5) if rng.random() < 0.7 else 0.0,
        step=rng.uniform(0.4, 0.9),
    )


def _oval(
    rng: Rng, masks: tuple[Mask, ...], centre: tuple[float, float], size: tuple[float, float], pips: Pips
) -> None:
    """Draw one pip, px; `masks` is the ink and, for pips with a core, what is taken out again."""
    angle = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    cos, sin = np.cos(angle), np.sin(angle)
    power = 2 / pips.squareness
    wobble = 1 + pips.wobble * (
        rng.normal() * np.cos(2 * angle + rng.uniform(0, 6)) + rng.normal() * np.cos(3 * angle)
    )
    x = np.sign(cos) * np.abs(cos) ** power * size[0] / 2 * wobble
    y = np.sign(sin) * np.abs(sin) ** power * size[1] / 2 * wobble
    x = x + y * pips.tilt
    c, s = np.cos(pips.turn), np.sin(pips.turn)
    outline = np.stack([x * c - y * s, x * s + y * c], 1)
    if pips.ring > 0:
        points = np.round((outline * 1.25 + centre) * 8).astype(np.int32)
        cv2.polylines(masks[0], [points], True, 255, round(pips.ring), cv2.LINE_AA, 3)
    for mask, scale in zip(masks, (1.0, pips.core), strict=False):
        if scale > 0:
            points = np.round((outline * scale + centre) * 8).astype(np.int32)
            cv2.fillPoly(mask, [points], 255, cv2.LINE_AA, 3)


def group(
    rng: Rng, number: int, centre: tuple[float, float], pips: Pips, reds: frozenset[int]
) -> tuple[Mask, Mask]:
    """Return the (black, red) ink of one number at `centre` px; `reds` = places in its pips that are red."""
    shape = (round(WIDTH * 2.1), WIDTH)
    whole = (np.zeros(shape, np.uint8), np.zeros(shape, np.uint8))
    hollow = np.zeros(shape, np.uint8)
    wide, high = pips.wide, pips.high
    if number == 1:
        wide, high = wide * pips.one, high * pips.one
    if number == 3:
        wide, high = min(wide * pips.three, pips.group_w * 0.8), min(high, pips.group_h * 0.36)
        high = pips.high * pips.step or high
    if number == 5:
        high = min(high, pips.group_h * 0.42)
    reach_x, reach_y = pips.group_w / 2 * WIDTH, pips.group_h / 2 * WIDTH
    for place, (x, y) in enumerate(pips.spots[number]):
        jitter = rng.normal(0, 0.006 * WIDTH, 2)
        point = (centre[0] + x * reach_x * 0.92 + jitter[0], centre[1] + y * reach_y + jitter[1])
        _oval(rng, (whole[place in reds], hollow), point, (wide * WIDTH, high * WIDTH), pips)
    black, red = (np.asarray(cv2.subtract(mask, hollow), dtype=np.uint8) for mask in whole)
    return black, red
