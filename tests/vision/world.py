"""A table with cards on it, as pure geometry, and the maps that a perfect network would draw of it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np

from vision.ends import AROUND, BASE_SIZE, CELL_CENTRE, PEAK, STRIDE, Ends, Peaks
from vision.geometry import Floats, end_quad, quad_slant


@dataclass(frozen=True)
class Laid:
    """A card on the table: centre in px, its first end pointing along `angle` (0 right, pi/2 down)."""

    code: str
    x: float
    y: float
    angle: float = -math.pi / 2
    width: float = 60.0
    length: float = 210.0
    pile: int = 0
    heat: float = 0.9  # at the peaks of its ends

    @property
    def outward(self) -> Floats:
        return np.array([math.cos(self.angle), math.sin(self.angle)])

    @property
    def body(self) -> Floats:
        """(4, 2) px."""
        return end_quad((self.x, self.y), self.outward, self.width, self.length, 0)

    def end_centres(self) -> Floats:
        """(2, 2) px of the first and the second end."""
        reach = (self.length - self.width) / 2 * self.outward
        return np.array([self.x, self.y]) + np.stack([reach, -reach])


def inside(quad: Floats, points: Floats) -> np.ndarray:
    """Which points (n, 2) lie in a convex quad, by the sign of four areas."""
    sides = [
        (b[0] - a[0]) * (points[:, 1] - a[1]) - (b[1] - a[1]) * (points[:, 0] - a[0])
        for a, b in zip(quad, np.roll(quad, -1, axis=0), strict=True)
    ]
    one_side: np.ndarray = np.abs(np.sign(sides).sum(axis=0)) == 4
    return one_side


def true_ends(cards: Sequence[Laid], least_visible: float = 0.3) -> tuple[Ends, list[int]]:
    """The ends of all cards, later cards lying on earlier ones, and the card that each belongs to."""
    grid = (np.stack(np.meshgrid(np.arange(12), np.arange(12)), axis=-1).reshape(-1, 2) + 0.5) / 12 - 0.5
    quads, others, shares, owners = [], [], [], []
    for i, card in enumerate(cards):
        centres = card.end_centres()
        for end, sign in ((0, 1.0), (1, -1.0)):
            quad = end_quad(centres[end], sign * card.outward, card.width, card.width, 0)
            points = (
                quad[0]
                + (grid[:, :1] + 0.5) * (quad[1] - quad[0])
                + (grid[:, 1:] + 0.5) * (quad[3] - quad[0])
            )
            hidden = np.zeros(len(points), dtype=bool)
            for later in cards[i + 1 :]:
                hidden |= inside(later.body, points)
            share = 1 - float(hidden.mean())
            if share >= least_visible:
                quads.append(quad)
                others.append(centres[1 - end])
                shares.append(share)
                owners.append(i)
    n = len(quads)
    ends = Ends(np.reshape(quads, (n, 4, 2)), np.ones(n), np.reshape(others, (n, 2)), np.array(shares))
    return ends, owners


def draw_maps(ends: Ends, width: int, height: int) -> np.ndarray:
    """(11, height / 4, width / 4): the maps of a perfect network for ends in px of its input."""
    maps = np.zeros((11, height // STRIDE, width // STRIDE), np.float32)
    ys, xs = np.mgrid[: height // STRIDE, : width // STRIDE] * STRIDE + CELL_CENTRE
    for i in range(len(ends)):
        quad = ends.quads[i]
        centre = quad.mean(axis=0)
        along = quad[0] - quad[3]
        size, slant = quad_slant(quad)
        dx, dy = centre[0] - xs, centre[1] - ys
        heat = ends.scores[i] * np.exp(-(dx**2 + dy**2) / (2 * (0.2 * size) ** 2))
        nearest = heat > maps[0]
        flat = (
            *(along / np.hypot(*along)),
            math.log(size / BASE_SIZE),
            *slant,
            *((ends.others[i] - centre) / size),
            ends.visible[i],
        )
        maps[0][nearest] = heat[nearest]
        maps[1][nearest], maps[2][nearest] = dx[nearest] / STRIDE, dy[nearest] / STRIDE
        for channel, value in enumerate(flat, start=3):
            maps[channel][nearest] = value
    return maps


def peaks_of(maps: np.ndarray) -> Peaks:
    """What a network answers that has worked out these maps (11, h, w)."""
    heat = maps[0]
    rows, columns = np.nonzero((heat >= PEAK) & (heat >= cv2.dilate(heat, np.ones((3, 3), np.uint8))))
    wide = np.pad(maps, ((0, 0), (AROUND, AROUND), (AROUND, AROUND)))
    side = 2 * AROUND + 1
    around = [wide[:, y : y + side, x : x + side] for y, x in zip(rows, columns, strict=True)]
    return Peaks(np.stack([rows, columns], axis=-1), np.reshape(around, (-1, len(maps), side, side)))


def draw_peaks(ends: Ends, width: int, height: int) -> Peaks:
    """What a perfect network answers for ends in px of its input."""
    return peaks_of(draw_maps(ends, width, height))


def picture_of(cards: Sequence[Laid], width: int, height: int) -> np.ndarray:
    """RGB picture of plain white cards on a dark table."""
    picture = np.full((height, width, 3), 40, np.uint8)
    for card in cards:
        cv2.fillConvexPoly(
            picture, np.round(card.body * 16).astype(np.int32), (235, 235, 225), cv2.LINE_AA, 4
        )
        cv2.polylines(
            picture, [np.round(card.body * 16).astype(np.int32)], True, (90, 90, 90), 2, cv2.LINE_AA, 4
        )
    return picture


def face_table(ends: Ends, shown: Sequence[int], classes: int = 8, sure: float = 0.98) -> Floats:
    """Log-probabilities (N, classes) of ends whose true classes are seen with the given probability."""
    rest = (1 - sure) / (classes - 1)
    true = np.arange(classes) == np.array(shown).reshape(len(ends), 1)
    table: Floats = np.log(np.where(true, sure, rest))
    return table
