"""How the cards of a sheet lie: places drawn from a seed, which are its truth for as long as a print of it exists.

Only `random.Random.random` is asked, whose numbers Python promises to keep. A change of a layout would make sheets
that hang on somebody's wall lie: a test holds some of them to the millimetre, and what has to change gets a new name.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from random import Random

MAX_CARDS_OF_A_COLUMN = 6


@dataclass(frozen=True)
class Pose:
    """A card's middle in mm from the middle of the sheet, its turn in radians (0: upright, clockwise), its pile."""

    x: float
    y: float
    angle: float
    pile: int


@dataclass(frozen=True)
class Room:
    """What a layout has: the width and height that cards may take, and the card's own, in mm."""

    width: float
    height: float
    card_width: float
    card_height: float


Layout = Callable[[Random, Room], list[Pose]]


def between(rng: Random, low: float, high: float) -> float:
    """A number drawn evenly."""
    return low + (high - low) * rng.random()


def rows(rng: Random, room: Room) -> list[Pose]:
    """Cards side by side, each over a little of the one before."""
    step = room.card_width * between(rng, 0.8, 0.95)
    columns = int((room.width - room.card_width) / step) + 1
    lines = int((room.height + 4) / (room.card_height + 4))
    return [
        Pose(
            (i - (columns - 1) / 2) * step,
            (j - (lines - 1) / 2) * (room.card_height + 4) + between(rng, -1, 1),
            between(rng, -0.015, 0.015) + _flip(rng),
            j,
        )
        for j in range(lines)
        for i in range(columns)
    ]


def columns(rng: Random, room: Room) -> list[Pose]:
    """Cards one over the other along the long side, the upper end of each peeping out."""
    step = room.card_width * between(rng, 0.85, 1.1)
    number = int((room.width + 3) / (room.card_width + 3))
    deep = min(MAX_CARDS_OF_A_COLUMN, int((room.height - room.card_height) / step) + 1)
    return [
        Pose(
            (i - (number - 1) / 2) * (room.card_width + 3),
            (j - (deep - 1) / 2) * step,
            between(rng, -0.01, 0.01),
            i,
        )
        for i in range(number)
        for j in range(deep)
    ]


def fan(rng: Random, room: Room) -> list[Pose]:
    """One or two fans, the cards turned step by step about a point below them."""
    tiers = 2 if room.height > 2.1 * room.card_height else 1
    height = room.height / tiers
    poses = []
    for tier in range(tiers):
        radius = room.card_height * between(rng, 0.75, 0.95)
        reach = math.asin(
            min(0.95, (room.width / 2 - room.card_width * 0.6) / (radius + room.card_height / 2))
        )
        step = room.card_width * between(rng, 0.72, 0.9) / (radius + room.card_height / 2)
        number = int(2 * reach / step) + 1
        top = (tier - (tiers - 1) / 2) * height - height / 2 + room.card_height / 2 + 1
        for i in range(number):
            turn = (i - (number - 1) / 2) * step
            poses.append(Pose(radius * math.sin(turn), top + radius * (1 - math.cos(turn)), turn, tier))
    return poses


def heap(rng: Random, room: Room) -> list[Pose]:
    """Two heaps of cards thrown crosswise."""
    poses = []
    for pile in range(2):
        middle = (pile - 0.5) * room.height / 2
        first = between(rng, 0, 2 * math.pi)
        for i in range(5):
            angle = first + i * 2 * math.pi / 5 + between(rng, -0.2, 0.2)
            away = room.card_height * between(rng, 0.25, 0.4)
            poses.append(
                _inside(Pose(away * math.sin(angle), middle - away * math.cos(angle), angle, pile), room)
            )
    return poses


def spread(rng: Random, room: Room) -> list[Pose]:
    """Single cards apart from each other, a little askew, either end up."""
    gap = 5.0
    across = int((room.width + gap) / (room.card_width + gap))
    down = int((room.height + gap) / (room.card_height + gap))
    lean = 0.6 * gap / room.card_height
    return [
        Pose(
            (i - (across - 1) / 2) * (room.card_width + gap),
            (j - (down - 1) / 2) * (room.card_height + gap),
            between(rng, -lean, lean) + _flip(rng),
            j * across + i,
        )
        for j in range(down)
        for i in range(across)
    ]


LAYOUTS: dict[str, Layout] = {"rows": rows, "columns": columns, "fan": fan, "heap": heap, "spread": spread}


def _flip(rng: Random) -> float:
    return math.pi if rng.random() < 0.3 else 0.0


def _inside(pose: Pose, room: Room) -> Pose:
    """The card moved, where it has to be, so that all of it lies in the room."""
    c, s = abs(math.cos(pose.angle)), abs(math.sin(pose.angle))
    free_x = max(0.0, (room.width - room.card_width * c - room.card_height * s) / 2)
    free_y = max(0.0, (room.height - room.card_width * s - room.card_height * c) / 2)
    return Pose(min(free_x, max(-free_x, pose.x)), min(free_y, max(-free_y, pose.y)), pose.angle, pose.pile)
