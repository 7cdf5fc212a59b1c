"""Contours: closed outlines that fill a rectangle as long as a card are cards, and have two ends."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np
from cv2.typing import MatLike

from vision.geometry import Floats, end_quad
from vision.photo import Image

LONG_SIDE = 1280  # px of the picture that is looked at, as for the ends network
BLOCKS = (31, 101)  # px, neighbourhoods of the adaptive thresholds
OFFSET = 5  # grey levels from the neighbourhood's mean
EDGES = (40, 120)  # Canny's thresholds
WIDTHS = (16.0, 300.0)  # px, of a card
ASPECTS = (1.8, 5.8)  # length / width of a card, seen aslant too
LEAST_AREA = WIDTHS[0] ** 2 * ASPECTS[0]  # px^2
FILLED = 0.8  # share of its rectangle that an outline encloses
SAME = 0.5  # of a width: rectangles with nearer centres are one card


def masks(grey: Image) -> Iterator[Image]:
    """Black and white pictures in which cards may be separate patches."""
    for size in BLOCKS:
        lighter = cv2.adaptiveThreshold(
            grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, size, -OFFSET
        ).astype(np.uint8)
        yield lighter
        yield 255 - lighter
    edges = cv2.dilate(cv2.Canny(grey, *EDGES), np.ones((3, 3), np.uint8)).astype(np.uint8)
    yield 255 - edges


def card_like(outline: MatLike) -> tuple[float, ...] | None:
    """The rectangle of an outline (M, 1, 2) as unfilled share, centre x and y, width and length in px, and direction of
    the length in radians; None where that is no card's."""
    area = cv2.contourArea(outline)
    if area < LEAST_AREA:
        return None
    (x, y), (a, b), turn = cv2.minAreaRect(outline)
    width, length = min(a, b), max(a, b)
    inside = WIDTHS[0] <= width <= WIDTHS[1] and ASPECTS[0] <= length / width <= ASPECTS[1]
    if not inside or area < FILLED * a * b:
        return None
    return 1 - area / (a * b), x, y, width, length, np.deg2rad(turn + (90 if b > a else 0))


def rectangles(grey: Image) -> Floats:
    """Card-like rectangles (N, 6) of a grey picture (H, W), the best filled first."""
    outlines = (
        outline
        for mask in masks(grey)
        for outline in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]
    )
    found = [rectangle for rectangle in map(card_like, outlines) if rectangle is not None]
    return np.array(sorted(found), np.float64).reshape(-1, 6)


def apart(cards: Floats) -> Floats:
    """Those of the rectangles (N, 6) that do not lie nearly where a better one does."""
    kept: list[int] = []
    for i, card in enumerate(cards):
        distance = np.linalg.norm(cards[kept, 1:3] - card[1:3], axis=1)
        if not np.any(distance < SAME * np.maximum(cards[kept, 3], card[3])):
            kept.append(i)
    return cards[kept]


def contour_ends(picture: Image) -> Floats:
    """Quads (N, 4, 2) px of both ends of every card-like rectangle of a picture (H, W, 3) RGB."""
    scale = min(1.0, LONG_SIDE / max(picture.shape[:2]))
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    grey = cv2.medianBlur(cv2.cvtColor(small, cv2.COLOR_RGB2GRAY), 3).astype(np.uint8)
    _, x, y, width, length, turn = apart(rectangles(grey)).T
    along = np.stack([np.cos(turn), np.sin(turn)], axis=-1)
    middle = np.stack([x, y], axis=-1)
    to_end = along * ((length - width) / 2)[:, None]
    ends = [
        end_quad(middle + side * to_end, side * along, width, width, np.zeros(len(width))) for side in (1, -1)
    ]
    return (np.concatenate(ends) + 0.5) / scale - 0.5
