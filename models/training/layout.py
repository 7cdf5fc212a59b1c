"""Where people put cards: fans, rows, cascades, heaps and spreads, as poses on the table in millimetres.

The table's x runs to the right and y towards the viewer (down in the picture). A pose's ``angle`` is the direction,
in radians from the x axis towards y, in which the card's first end points. The order of the poses is the order in
which the cards are put down: a later card lies over an earlier one.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace

import numpy as np

UP = -math.pi / 2


@dataclass(frozen=True)
class Pose:
    """One thing lying on the table."""

    x: float
    y: float
    angle: float
    pile: int
    bend: float = 0.0
    tilt_across: float = 0.0
    tilt_along: float = 0.0


@dataclass(frozen=True)
class Size:
    """A card's size in millimetres."""

    width: float
    height: float


Local = list[tuple[float, float, float]]


def cascade(rng: np.random.Generator, n: int, size: Size) -> Local:
    """Cards one over the other along the long axis, one end of each peeping out."""
    step = size.width * rng.uniform(0.75, 1.7)
    sign = rng.choice([-1.0, 1.0])
    return [
        (rng.normal(0, 0.03) * size.width, sign * i * step * rng.uniform(0.93, 1.07), UP) for i in range(n)
    ]


def row(rng: np.random.Generator, n: int, size: Size) -> Local:
    """Cards side by side: apart, touching or overlapping sideways."""
    step = size.width * rng.choice([rng.uniform(1.0, 1.25), rng.uniform(0.72, 1.0)], p=[0.7, 0.3])
    sign = rng.choice([-1.0, 1.0])
    wander = size.width * rng.choice([0.02, 0.12])
    return [(sign * i * step, rng.normal(0, wander), UP + rng.normal(0, 0.02)) for i in range(n)]


def fan(rng: np.random.Generator, n: int, size: Size) -> Local:
    """Cards turned step by step around a point near their lower end, as held in a hand."""
    radius = size.height * rng.uniform(0.35, 1.1)
    visible = size.width * rng.uniform(0.4, 1.0)
    step = min(visible / (radius + size.height / 2), math.radians(rng.uniform(40, 170)) / n)
    sign = rng.choice([-1.0, 1.0])
    poses = []
    for i in range(n):
        turn = sign * (i - (n - 1) / 2) * step * rng.uniform(0.9, 1.1)
        poses.append(
            (radius * math.sin(turn), -radius * math.cos(turn) + rng.normal(0, 0.04) * size.width, UP + turn)
        )
    return poses


def heap(rng: np.random.Generator, n: int, size: Size) -> Local:
    """Cards thrown crosswise on one place."""
    reach = size.height * rng.uniform(0.1, 0.45) * math.sqrt(n / 3)
    return [(rng.normal(0, reach), rng.normal(0, reach), rng.uniform(0, 2 * math.pi)) for _ in range(n)]


def crossed(rng: np.random.Generator, n: int, size: Size) -> Local:
    """A meld laid crosswise: the cards turned about a common middle so that both ends show."""
    base = rng.uniform(0, math.pi)
    step = math.pi / max(n, 2) * rng.uniform(0.4, 1.0)
    return [
        (rng.normal(0, 0.1) * size.width, rng.normal(0, 0.1) * size.width, base + i * step) for i in range(n)
    ]


MeldShape = Callable[[np.random.Generator, int, Size], Local]
SHAPES: tuple[tuple[MeldShape, float], ...] = (
    (cascade, 0.42),
    (row, 0.22),
    (fan, 0.18),
    (heap, 0.08),
    (crossed, 0.10),
)


def turned(local: Local, angle: float, x: float, y: float) -> Local:
    """Turn a group about its origin and move it."""
    c, s = math.cos(angle), math.sin(angle)
    return [(x + c * px - s * py, y + s * px + c * py, a + angle) for px, py, a in local]


def extent(local: Local, size: Size) -> tuple[float, float, float, float]:
    """The group's bounding box x0, y0, x1, y1 with whole cards inside."""
    xs, ys = [], []
    for x, y, a in local:
        dx = abs(math.cos(a)) * size.height / 2 + abs(math.sin(a)) * size.width / 2
        dy = abs(math.sin(a)) * size.height / 2 + abs(math.cos(a)) * size.width / 2
        xs += [x - dx, x + dx]
        ys += [y - dy, y + dy]
    return min(xs), min(ys), max(xs), max(ys)


def packed(rng: np.random.Generator, groups: Sequence[Local], size: Size, gap: float) -> list[Local]:
    """Set groups in as many lines as make a picture of a usual shape, about ``gap`` mm apart."""
    wanted = math.exp(rng.uniform(math.log(0.5), math.log(2.2)))
    trials = [in_lines(rng, groups, size, per_line, gap) for per_line in range(1, min(len(groups), 9) + 1)]

    def misfit(placed: list[Local]) -> float:
        x0, y0, x1, y1 = extent([pose for group in placed for pose in group], size)
        return abs(math.log((x1 - x0) / (y1 - y0) / wanted))

    return min(trials, key=misfit)


def in_lines(
    rng: np.random.Generator, groups: Sequence[Local], size: Size, per_line: int, gap: float
) -> list[Local]:
    """Set groups in lines of ``per_line``."""
    placed: list[Local] = []
    y = 0.0
    for start in range(0, len(groups), per_line):
        x, bottom = 0.0, y
        for group in groups[start : start + per_line]:
            x0, y0, x1, y1 = extent(group, size)
            jitter = rng.normal(0, 0.15) * size.width
            placed.append([(px - x0 + x, py - y0 + y + jitter, a) for px, py, a in group])
            x += x1 - x0 + gap * rng.uniform(0.6, 1.6)
            bottom = max(bottom, y + y1 - y0)
        y = bottom + gap * rng.uniform(0.6, 1.6)
    return placed


def split_sizes(
    rng: np.random.Generator, total: int, sizes: Sequence[int], weights: Sequence[float]
) -> list[int]:
    """Cut ``total`` into groups of the given sizes."""
    parts: list[int] = []
    while sum(parts) < total:
        parts.append(int(rng.choice(sizes, p=weights)))
    return parts


def melds(rng: np.random.Generator, size: Size) -> list[Local]:
    """A whole hand set out in melds of 1 to 5 cards, all of one shape or mixed."""
    counts = split_sizes(rng, int(rng.integers(3, 32)), (1, 2, 3, 4, 5), (0.06, 0.2, 0.5, 0.2, 0.04))
    shapes = [shape for shape, _ in SHAPES]
    weights = np.array([weight for _, weight in SHAPES])
    one = shapes[rng.choice(len(shapes), p=weights)]
    mixed = rng.random() < 0.3
    groups = []
    for n in counts:
        shape = shapes[rng.choice(len(shapes), p=weights)] if mixed else one
        tilt = rng.normal(0, 0.06) + (math.pi / 2 * rng.integers(4) if mixed or rng.random() < 0.1 else 0)
        groups.append(turned(shape(rng, n, size), tilt, 0, 0))
    return packed(rng, groups, size, size.width * rng.uniform(0.3, 1.2))


def hand_fan(rng: np.random.Generator, size: Size) -> list[Local]:
    """One fan of a whole hand, sometimes with a second tier above, sometimes with melds on the table."""
    n = int(rng.integers(5, 23))
    lower = fan(rng, n, size)
    groups = [lower]
    if rng.random() < 0.3:
        lift = size.width * rng.uniform(0.9, 1.8)
        upper = fan(rng, max(2, n - int(rng.integers(0, 5))), size)
        groups = [[(x, y - lift, a) for x, y, a in upper], lower]
    if rng.random() < 0.35:
        _, y0, _, _ = extent(lower, size)
        table = melds(rng, size)[: int(rng.integers(1, 5))]
        x0, _, x1, bottom = extent([p for g in table for p in g], size)
        shift = y0 - bottom - size.width * rng.uniform(0.5, 2)
        groups = [[(x - (x0 + x1) / 2, y + shift, a) for x, y, a in g] for g in table] + groups
    return groups


def spread(rng: np.random.Generator, size: Size, n: int = 0) -> list[Local]:
    """A deck of ``n`` cards (0: a random number) laid out in lines, every card seen whole or nearly."""
    n = n or int(rng.choice([int(rng.integers(8, 30)), int(rng.integers(30, 113))], p=[0.75, 0.25]))
    per_line = int(np.clip(math.sqrt(n * size.height / size.width) * rng.uniform(0.6, 1.3), 2, n))
    step_x = size.width * rng.uniform(1.04, 1.5)
    step_y = size.height * rng.choice([rng.uniform(1.03, 1.2), rng.uniform(0.3, 1.0)], p=[0.7, 0.3])
    wobble = rng.choice([0.01, 0.05, 0.15])
    return [
        [
            (
                (i % per_line) * step_x + rng.normal(0, 0.04) * size.width,
                (i // per_line) * step_y + rng.normal(0, 0.03) * size.width,
                UP + rng.normal(0, wobble) + (math.pi if rng.random() < 0.5 else 0),
            )
        ]
        for i in range(n)
    ]


def columns(rng: np.random.Generator, size: Size) -> list[Local]:
    """Long cascades close beside each other, as a whole hand lies in little room."""
    step = size.width * rng.uniform(0.5, 1.1)
    sign = rng.choice([-1.0, 1.0])
    apart = size.width * rng.uniform(1.0, 1.5)
    stagger = size.width * rng.choice([0.0, rng.uniform(0.1, 1.5)])
    groups = []
    for column in range(int(rng.integers(2, 9))):
        x, y = column * apart + rng.normal(0, 0.04) * size.width, rng.normal(0, 1) * stagger
        groups.append(
            [
                (x + rng.normal(0, 0.04) * size.width, y + sign * i * step, UP + rng.normal(0, 0.02))
                for i in range(int(rng.integers(3, 12)))
            ]
        )
    return groups


def strips(rng: np.random.Generator, size: Size) -> list[Local]:
    """A fan or a row pushed together until a strip of most cards shows, a third of the width or more; at times two."""

    def one() -> Local:
        n = int(rng.integers(8, 25))
        sign, shown = rng.choice([-1.0, 1.0]), size.width * rng.uniform(0.3, 0.6)
        if rng.random() < 0.35:
            wander = size.width * rng.choice([0.02, 0.1])
            return [
                (sign * i * shown * rng.uniform(0.85, 1.15), rng.normal(0, wander), UP + rng.normal(0, 0.02))
                for i in range(n)
            ]
        radius = size.height * rng.uniform(0.3, 1.0)
        step = shown / (radius + size.height / 2)
        turns = [sign * (i - (n - 1) / 2) * step * rng.uniform(0.92, 1.08) for i in range(n)]
        return [
            (radius * math.sin(t), -radius * math.cos(t) + rng.normal(0, 0.03) * size.width, UP + t)
            for t in turns
        ]

    groups = [one()]
    if rng.random() < 0.4:
        lift = size.width * rng.uniform(0.8, 2.0)
        groups.insert(0, [(x, y - lift, a) for x, y, a in one()])
    return groups


def scattered(rng: np.random.Generator, size: Size) -> list[Local]:
    """A few heaps or single cards anywhere."""
    groups = []
    reach = size.height * rng.uniform(0.8, 2.2)
    for _ in range(int(rng.integers(1, 9))):
        n = int(rng.choice([1, 2, 3, 4, 6, 9], p=[0.3, 0.15, 0.25, 0.15, 0.1, 0.05]))
        shape = heap if rng.random() < 0.6 else crossed
        groups.append(
            turned(shape(rng, n, size), 0.0, rng.uniform(-reach, reach), rng.uniform(-reach, reach))
        )
    return groups


LAYOUTS: dict[str, tuple[Callable[[np.random.Generator, Size], list[Local]], float]] = {
    "melds": (melds, 0.46),
    "fan": (hand_fan, 0.24),
    "spread": (spread, 0.16),
    "scattered": (scattered, 0.14),
}
# Little room: what is missed most often, drawn on demand (`scenes --kind crowded`).
CROWDED: dict[str, tuple[Callable[[np.random.Generator, Size], list[Local]], float]] = {
    "columns": (columns, 0.5),
    "strips": (strips, 0.5),
}


def flipped(
    rng: np.random.Generator, pose: tuple[float, float, float], chance: float
) -> tuple[float, float, float]:
    """Turn a card end for end with the given chance: both ends show the same."""
    x, y, a = pose
    return (x, y, a + math.pi) if rng.random() < chance else pose


def lay_out(rng: np.random.Generator, size: Size, crowded: bool = False) -> tuple[str, list[Pose]]:
    """A random layout, of those with little room if ``crowded``: its name and the poses in the order of laying down."""
    layouts = CROWDED if crowded else LAYOUTS
    names = list(layouts)
    name = str(rng.choice(names, p=[layouts[n][1] for n in names]))
    groups = layouts[name][0](rng, size)
    chance = float(rng.choice([0.0, 0.1, 0.5]))
    bend = abs(rng.normal(0, 1.0)) * size.height * 0.015
    poses = [
        Pose(x, y, a, pile, bend * rng.uniform(-0.4, 1.2), rng.normal(0, 0.015), rng.normal(0, 0.01))
        for pile, group in enumerate(groups)
        for x, y, a in (flipped(rng, pose, chance) for pose in group)
    ]
    angle = rng.normal(0, 0.12) + (math.pi / 2 * rng.integers(4) if rng.random() < 0.25 else 0)
    c, s = math.cos(angle), math.sin(angle)
    return name, [replace(p, x=c * p.x - s * p.y, y=s * p.x + c * p.y, angle=p.angle + angle) for p in poses]
