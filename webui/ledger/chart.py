"""The evening as lines: where each person stood after each round, laid out for an SVG."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import accumulate

from webui.ledger.money import Money, plain

WIDTH, HEIGHT = 360, 200
LEFT, RIGHT, TOP, BOTTOM = 34, 74, 10, 22
LABEL_STEP = 15
"""Least distance of two labels at the ends of lines, in units of the drawing."""
DIGIT = 6.2
"""Width of a digit beside a line, in units of the drawing."""

TICKS = (1, 2, 5)


@dataclass(frozen=True)
class Trace:
    """One person's line: points (x, y), what that one had after each round, and where the label stands."""

    person: int
    points: tuple[tuple[float, float], ...]
    totals: tuple[Money, ...]
    label_y: float


@dataclass(frozen=True)
class Chart:
    """The whole drawing, `WIDTH` x `HEIGHT` units; ticks are (value, y) and (round, x)."""

    traces: tuple[Trace, ...]
    heights: tuple[tuple[int, float], ...]
    rounds: tuple[tuple[int, float], ...]
    left: float
    width: int = WIDTH
    height: int = HEIGHT
    right: int = WIDTH - RIGHT


def chart(rounds: Sequence[Sequence[Money]], people: int) -> Chart | None:
    """Lay out the totals over rounds or evenings, each what everybody won in it, oldest first; None without any."""
    if not rounds:
        return None
    totals = [_course(rounds, person) for person in range(people)]
    low, high = min(map(min, totals)), max(map(max, totals))
    step = _step(high - low)
    floor, ceiling = math.floor(low / step) * step, math.ceil(high / step) * step
    span = max(ceiling - floor, step)
    values = range(floor, floor + span + 1, step)
    left = max(LEFT, 12 + DIGIT * max(len(str(value)) for value in values))

    def place(number: int, total: Money) -> tuple[float, float]:
        x = left + (WIDTH - left - RIGHT) * number / len(rounds)
        y = TOP + (HEIGHT - TOP - BOTTOM) * (floor + span - float(total)) / span
        return round(x, 1), round(y, 1)

    points = [tuple(place(number, total) for number, total in enumerate(course)) for course in totals]
    labels = _apart([course[-1][1] for course in points])
    traces = tuple(
        Trace(person, points[person], tuple(totals[person]), labels[person]) for person in range(people)
    )
    heights = tuple((value, place(0, value)[1]) for value in values)
    every = max(1, -(-len(rounds) // 6))
    numbers = tuple((number, place(number, 0)[0]) for number in range(every, len(rounds) + 1, every))
    return Chart(traces, heights, numbers, left)


def _course(rounds: Sequence[Sequence[Money]], person: int) -> list[Money]:
    """What a person had before the first round and after each."""
    gains: list[Money] = [amounts[person] if person < len(amounts) else 0 for amounts in rounds]
    return [plain(total) for total in accumulate(gains, initial=0)]


def _step(span: Money) -> int:
    """A round number that divides the span into at most five parts."""
    size = 1
    while True:
        for tick in TICKS:
            if span <= 5 * tick * size:
                return tick * size
        size *= 10


def _apart(heights: Sequence[float]) -> list[float]:
    """Heights of labels as near as can be to those of their lines, none nearer than a step to another."""
    order = sorted(range(len(heights)), key=lambda place: heights[place])
    placed = [heights[place] for place in order]
    for _ in range(40):
        for above in range(len(placed) - 1):
            overlap = LABEL_STEP - (placed[above + 1] - placed[above])
            if overlap > 0.01:
                placed[above] -= overlap / 2
                placed[above + 1] += overlap / 2
        placed = [min(max(y, TOP), HEIGHT - 4.0) for y in placed]
    return [round(placed[order.index(place)], 1) for place in range(len(heights))]
