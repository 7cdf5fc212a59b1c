"""What is wrong with a photo, in one sentence each with a code, for who took it."""

from __future__ import annotations

from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.ends import Ends
from vision.faces import PAPER_COLUMNS, PAPER_ROWS
from vision.geometry import Floats, quad_frame
from vision.photo import Image

NO_CARD = "No card was found in this photo."
TOO_MANY = "More copies of a card were seen than the deck has; look at the marked ones."
APART = "This photo does not seem to show the same cards as the others; it was read by itself."


class Remark(NamedTuple):
    """One thing that is wrong with a photo: its code, and a sentence."""

    code: str
    message: str


SMALL = Remark("small", "The cards are very small in this photo; come closer.")
DARK = Remark("dark", "This photo is very dark; more light would help.")
BLURRED = Remark("blurred", "This photo is blurred; hold still and take it again.")
NO_COLOUR = Remark("no_colour", "This photo has no colour; what only colour tells is marked.")
COLOUR_CAST = Remark("colour_cast", "The light has a strong colour of its own; a whiter lamp would help.")
CUT_OFF = Remark("cut_off", "Some cards are cut off at the edge of the photo.")
GLARE = Remark("glare", "Light glares on some cards; turn them or the lamp.")
SPREAD = Remark("spread", "Many cards show hardly more than their edge; spread them a little.")
OTHER_DECK = {
    "chuanpai": Remark("other_deck", "These look like pip cards (川牌), not like the chosen game's."),
    "sise": Remark("other_deck", "These look like four-colour cards (四色牌), not like the chosen game's."),
    "zipai": Remark("other_deck", "These look like number cards (字牌), not like the chosen game's."),
}
PHOTO_REMARKS = (SMALL, DARK, BLURRED, NO_COLOUR, COLOUR_CAST, CUT_OFF, GLARE, SPREAD, *OTHER_DECK.values())
REMARKS = (APART, NO_CARD, TOO_MANY, *(remark.message for remark in PHOTO_REMARKS))

LEAST_WIDTH = 26.0  # px of a card's width in the full photo: at least 24 px of glyph are needed (CARDS.md)
SURE_END = 0.5  # peak heat from which an end tells how the photo was taken
ENOUGH_ENDS = 3  # of those
MOST_CROPS = 48  # of those that are looked at, the surest
# Grey level of the brightest channel of the paper of a photo's lighter cards: of 108 held-out photos in ordinary light
# the least has 133, of 55 in a tenth of it the most 98. A photo that is dim all over is told by `vision.night`.
LEAST_PAPER = 112.0
LIGHTER_CARDS, LIGHTEST = 0.7, 0.98
# Px of a crop over which ink turns to paper, along the direction in which this is slowest in the photo: of 108 ordinary
# ones half have under 3.2, of 55 shaken ones by 12 px at 1600 half over 6.6. A shake leaves the other direction sharp.
WIDEST_EDGE, SHAKEN_EDGE, SHAKEN_RATIO = 5.5, 4.0, 1.5
DIRECTIONS = 6  # of edges that are told apart
LEAST_SLOPE = 0.03  # of the contrast for each px, from which a slope is an edge's and no grain
EDGE_PIXELS = 40  # of one direction that a crop must have
STEEPEST = 12  # of those that tell its slope
LEAST_CONTRAST = 16.0  # grey levels between the paper of a crop and its ink, for it to tell
TELLING_CROPS = 0.2  # share of crops that must have edges of a direction
# How far the most colourful fiftieth of a picture leaves its tint, as a share of its light: .07 and more on held-out
# photos in ordinary light (97 % have .13), under .02 on 97 % of those without colour.
LEAST_COLOUR = 0.04
SIDE = 160  # px of the long side at which light and colour of the whole picture are looked at
OVER_THE_BORDER = 0.12  # card widths by which a cut end reaches out of the photo
BURNT = 252  # grey level from which nothing can be read
GLARING = 0.15  # share of burnt pixels of an end on which light glares
GLARING_CARDS = 0.1  # share of cards whose better end glares, from which it is worth a word
HALF_SEEN, HALF_SEEN_CARDS = (
    0.6,
    1 / 3,
)  # visible share of a card's better end; share of cards of which less shows


class Light(NamedTuple):
    """How a photo was taken, each told or not: little light, out of focus or shaken, without colour, or under a lamp of
    a strong colour (which only the cards tell)."""

    dark: bool
    blurred: bool
    colourless: bool
    cast: bool = False


def light_of(picture: Image, ends: Ends, crops: Image) -> Light:
    """How a photo (H, W, 3), at any size, was taken, by itself and by the crops (N, 96, 64, 3) of its ends."""
    height, width = picture.shape[:2]
    size = [max(1, round(side * SIDE / max(height, width))) for side in (width, height)]
    small = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)
    sure = np.argsort(-ends.scores, kind="stable")[:MOST_CROPS]
    sure = sure[ends.scores[sure] >= SURE_END]
    if len(sure) < ENOUGH_ENDS:
        return Light(dark=False, blurred=False, colourless=False)
    papers = ranked(crops[sure, PAPER_ROWS, PAPER_COLUMNS].max(axis=-1).astype(np.float32), 0.7)
    dark = float(np.quantile(papers, LIGHTER_CARDS)) < LEAST_PAPER
    widths = edge_widths(crops[sure], ends.quads[sure])
    told = widths[np.isfinite(widths)]
    worst = float(told.max(initial=0.0))
    shaken = worst > SHAKEN_EDGE and worst > SHAKEN_RATIO * float(told.min())
    return Light(dark, worst > WIDEST_EDGE or shaken, colourless(small))


def colourless(picture: Image) -> bool:
    """Whether a picture (H, W, 3) has no colours, or but one tint all over: red and blue follow green everywhere."""
    red, green, blue = np.moveaxis(picture.reshape(-1, 3).astype(np.float32), -1, 0)
    tint = [float(np.median(channel / np.maximum(green, 1))) for channel in (red, blue)]
    apart = np.hypot(red - tint[0] * green, blue - tint[1] * green)
    return float(np.quantile(apart, LIGHTEST)) < LEAST_COLOUR * max(1.0, float(np.quantile(green, 0.9)))


def remarks(light: Light, size: tuple[int, int], ends: Ends, crops: Image) -> tuple[Remark, ...]:
    """What is worth telling of how cards were photographed, most important first.

    Parameters
    ----------
    size : width and height of the full photo, px.
    ends, crops : the better end of each of M cards that were found, with its crop (M, 96, 64, 3).
    """
    told = {DARK: light.dark, BLURRED: light.blurred, NO_COLOUR: light.colourless, COLOUR_CAST: light.cast}
    if len(ends):
        told |= of_cards(size, ends, crops)
    return tuple(remark for remark, said in told.items() if said)


def of_cards(size: tuple[int, int], ends: Ends, crops: Image) -> dict[Remark, bool]:
    """What the cards themselves say, each told or not; parameters as for `remarks`, one card at least."""
    return {
        SMALL: float(np.median(ends.widths)) < LEAST_WIDTH,
        CUT_OFF: bool(np.any(over_the_border(ends, size))),
        GLARE: float(np.mean(burnt_share(crops) > GLARING)) > GLARING_CARDS,
        SPREAD: float(np.mean(ends.visible < HALF_SEEN)) > HALF_SEEN_CARDS,
    }


def edge_widths(crops: Image, quads: Floats) -> Floats:
    """Pixels (6,) of crops over which ink turns to paper, by the direction of the slope in the photo: the contrast of
    a crop over its steepest slopes, the median of all crops; nan where hardly a crop has such edges.

    Parameters
    ----------
    crops, quads : (N, 96, 64, 3) and (N, 4, 2) of the same ends.
    """
    grey = crops[:, PAPER_ROWS, PAPER_COLUMNS].astype(np.float32).mean(axis=-1)
    across = (grey[:, 1:-1, 2:] - grey[:, 1:-1, :-2]) / 2
    down = (grey[:, 2:, 1:-1] - grey[:, :-2, 1:-1]) / 2
    contrast = np.maximum(ranked(grey, 0.98) - ranked(grey, 0.02), 1.0)
    outward = quad_frame(quads)[1]
    turn = np.arctan2(outward[:, 1], outward[:, 0]) + np.pi / 2
    angle = (np.arctan2(down, across) + turn[:, None, None].astype(np.float32)) % np.pi
    sector = np.round(angle * (DIRECTIONS / np.pi)).astype(int) % DIRECTIONS
    slope = np.hypot(across, down).reshape(len(crops), -1)
    widths = np.full(DIRECTIONS, np.nan)
    edge = slope > LEAST_SLOPE * contrast[:, None]
    for k in range(DIRECTIONS):
        mine = (sector == k).reshape(len(crops), -1) & edge
        telling = (mine.sum(axis=1) > EDGE_PIXELS) & (contrast > LEAST_CONTRAST)
        if telling.sum() >= max(ENOUGH_ENDS, TELLING_CROPS * len(crops)):
            steep = np.sort(np.where(mine, slope, 0)[telling], axis=1)[:, -STEEPEST:].mean(axis=1)
            widths[k] = 1 / max(float(np.median(steep / contrast[telling])), 1e-3)
    return widths


def ranked(values: NDArray[np.float32], share: float) -> Floats:
    """Of each of N arrays, (N, ...), the value (N,) that this share of them stays under."""
    flat = values.reshape(len(values), -1)
    place = int(share * (flat.shape[1] - 1))
    return np.partition(flat, place, axis=1)[:, place].astype(np.float64)


def over_the_border(ends: Ends, size: tuple[int, int]) -> Floats:
    """Which ends (N,) reach out of the photo."""
    out = np.maximum(-ends.quads, ends.quads - np.array(size)).max(axis=(1, 2))
    return np.asarray(out > OVER_THE_BORDER * ends.widths)


def burnt_share(crops: Image) -> Floats:
    """Share (N,) of pixels that are white beyond reading; none where all of the paper is that white."""
    red, green, blue = np.moveaxis(crops[:, PAPER_ROWS, PAPER_COLUMNS], -1, 0) >= BURNT
    burnt = (red & green & blue).mean(axis=(1, 2))
    return np.where(burnt > 0.6, 0.0, burnt)
