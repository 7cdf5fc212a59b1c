"""Other games on the table: rows of upright tiles, a board with its pieces, cards of no deck of ours."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from models.training import prints
from models.training.layout import Pose, Size
from models.training.photograph import Item

UP = -np.pi / 2  # of a face whose top is away from the viewer
MOST_FACES = 14  # different tiles or pieces that are drawn for one table
Rng = np.random.Generator


def item(other: tuple[np.ndarray, float, float, float], pose: Pose) -> Item:
    """A thing of another game at a pose."""
    face, width, height, corner = other
    return Item(face, Size(width, height), pose, "", corner, 1.0)


def stranger(rng: Rng, pose: Pose) -> Item:
    """A card of no deck of ours at a pose."""
    return item(prints.other_card(int(rng.integers(1 << 30))), pose)


def tiles(rng: Rng) -> list[Item]:
    """One to four rows of upright tiles, close together, some of them elsewhere."""
    drawn = [prints.upright_tile(rng) for _ in range(MOST_FACES)]
    items = []
    for row in range(int(rng.integers(1, 5))):
        lean, y = rng.normal(0, 0.02), row * rng.uniform(44, 70)
        for k in range(int(rng.integers(5, 18))):
            pose = Pose(k * 26.6 + rng.normal(0, 0.3), y + rng.normal(0, 0.6), UP + lean, -1)
            items.append(item(drawn[int(rng.integers(len(drawn)))], pose))
    for _ in range(int(rng.integers(0, 25))):
        pose = Pose(rng.uniform(-40, 460), rng.uniform(-60, 260), rng.uniform(0, 2 * np.pi), -1)
        items.append(item(drawn[int(rng.integers(len(drawn)))], pose))
    return items


def game_of_pieces(rng: Rng) -> list[Item]:
    """A board, or the bare table, with round pieces where its lines cross or anywhere."""
    drawn = [prints.round_piece(rng) for _ in range(MOST_FACES)]
    size = drawn[0][1]  # of one set
    drawn = [(face, size, size, corner) for face, _, _, corner in drawn]
    ground = prints.board(rng)
    step = ground[1] / 10
    items = [item(ground, Pose(0, 0, UP, -1))] if rng.random() < 0.75 else []
    for _ in range(int(rng.integers(6, 33))):
        x, y = rng.integers(-4, 5) * step, (rng.integers(-5, 5) + 0.5) * step
        turn = UP + (np.pi if rng.random() < 0.4 else 0) + rng.normal(0, 0.1)
        if rng.random() < 0.15:
            x, y, turn = *rng.uniform(-6, 6, 2) * step, rng.uniform(0, 2 * np.pi)
        items.append(item(drawn[int(rng.integers(len(drawn)))], Pose(float(x), float(y), float(turn), -1)))
    return items


def cards(rng: Rng) -> list[Item]:
    """A dozen and more cards of other decks, in rows or anyhow."""
    turn, wobble = rng.uniform(0, 2 * np.pi), rng.choice([0.03, 0.3, 3.0])
    return [
        stranger(rng, Pose((k % 6) * 70.0, (k // 6) * 110.0, float(turn + rng.normal(0, wobble)), -1))
        for k in range(int(rng.integers(6, 19)))
    ]


TABLES = (tiles, game_of_pieces, cards)
TABLE_SHARES = (0.4, 0.3, 0.3)


def another_game(rng: Rng) -> list[Item]:
    """What lies on a table where another game is played, turned as a whole."""
    items = TABLES[int(rng.choice(len(TABLES), p=TABLE_SHARES))](rng)
    angle = rng.normal(0, 0.2) + np.pi / 2 * rng.integers(4) * (rng.random() < 0.3)
    c, s = float(np.cos(angle)), float(np.sin(angle))
    turned = [
        replace(
            i.pose, x=c * i.pose.x - s * i.pose.y, y=s * i.pose.x + c * i.pose.y, angle=i.pose.angle + angle
        )
        for i in items
    ]
    return [replace(i, pose=pose) for i, pose in zip(items, turned, strict=True)]
