"""A whole deck to cut out: pages of fronts, each followed by the page of its backs."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

import scorer
from webui.printing.looks import SIZES, back, face
from webui.printing.paper import PAPERS
from webui.printing.shapes import Label, Page, Shape, placed, rectangle

COMPOSITIONS = {"chuanpai": "84+2", "sise": "112", "zipai": "80+4"}
"""What is printed of each deck: with its wild cards, which can be left in the box."""

MARGIN = 10.0  # mm that printers leave white, and where the cut marks are
MARK, APART = 5.0, 1.0  # mm: length of a cut mark, its distance from the cards
LINE = 0.15  # mm


def codes(deck: str) -> tuple[str, ...]:
    """Every card of the printed deck, in the deck's order."""
    copies = scorer.deck(deck).copies[COMPOSITIONS[deck]]
    return tuple(one.code for one in scorer.deck(deck).faces for _ in range(copies[one.code]))


def pages(deck: str, look: str, paper: str) -> tuple[Page, ...]:
    """Fronts and backs in turn: printed on both sides and turned over the long edge, each back meets its front."""
    sheet, grid = PAPERS[paper], _Grid(deck, look, paper)
    everything, number = codes(deck), grid.columns * grid.rows
    name = f"paiyan cards: {deck}, {look}. Print at actual size (100 %), both sides, flip on the long edge."
    found = []
    for first in range(0, len(everything), number):
        some = everything[first : first + number]
        places = list(grid.places())[: len(some)]
        label = (Label(f"{name}  {first + 1} to {first + len(some)} of {len(everything)}", MARGIN, 4.5, 2),)
        front = [
            shape
            for code, (x, y) in zip(some, places, strict=True)
            for shape in grid.at(face(deck, look, code), x, y)
        ]
        rear = [shape for x, y in places for shape in grid.at(back(deck, look), sheet.width - x, y)]
        found.append(Page(*sheet, (*front, *grid.marks()), label))
        found.append(Page(*sheet, tuple(rear)))
    return tuple(found)


class _Grid:
    """Cards edge to edge in the middle of a sheet, upright or lying, whichever way more fit."""

    def __init__(self, deck: str, look: str, paper: str) -> None:
        self.sheet, size = PAPERS[paper], SIZES[deck][look]
        room = (self.sheet.width - 2 * MARGIN, self.sheet.height - 2 * MARGIN)
        upright, lying = (size.width, size.height), (size.height, size.width)
        self.cell = max(upright, lying, key=lambda cell: int(room[0] / cell[0]) * int(room[1] / cell[1]))
        self.angle = np.pi / 2 if self.cell == lying else 0.0
        self.columns, self.rows = (int(space / side) for space, side in zip(room, self.cell, strict=True))
        self.left = (self.sheet.width - self.columns * self.cell[0]) / 2
        self.top = (self.sheet.height - self.rows * self.cell[1]) / 2

    def places(self) -> Iterator[tuple[float, float]]:
        """Middles of the cards, mm."""
        for row in range(self.rows):
            for column in range(self.columns):
                yield self.left + (column + 0.5) * self.cell[0], self.top + (row + 0.5) * self.cell[1]

    def at(self, shapes: list[Shape], x: float, y: float) -> list[Shape]:
        """A card's shapes in their place."""
        return placed(shapes, x, y, self.angle)

    def marks(self) -> Iterator[Shape]:
        """A short line at both ends of every cut."""
        right, bottom = self.left + self.columns * self.cell[0], self.top + self.rows * self.cell[1]
        for column in range(self.columns + 1):
            x = self.left + column * self.cell[0] - LINE / 2
            for y in (self.top - APART - MARK, bottom + APART):
                yield Shape((rectangle(x, y, LINE, MARK),), (0, 0, 0))
        for row in range(self.rows + 1):
            y = self.top + row * self.cell[1] - LINE / 2
            for x in (self.left - APART - MARK, right + APART):
                yield Shape((rectangle(x, y, MARK, LINE),), (0, 0, 0))
