"""What is wrong with a photo, in one sentence each, for who took it."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.ends import Ends
from vision.faces import PAPER_COLUMNS, PAPER_ROWS
from vision.geometry import Floats
from vision.photo import Image

NO_CARD = "No card was found in this photo."
SMALL = "The cards are very small in this photo; come closer."
DARK = "This photo is very dark; more light would help."
BLURRED = "This photo is blurred; hold still and take it again."
CUT_OFF = "Some cards are cut off at the edge of the photo."
GLARE = "Light glares on some cards; turn them or the lamp."
TOO_MANY = "More copies of a card were seen than the deck has; look at the marked ones."
APART = "This photo does not seem to show the same cards as the others; it was read by itself."
REMARKS = (APART, NO_CARD, SMALL, DARK, BLURRED, CUT_OFF, GLARE, TOO_MANY)

LEAST_WIDTH = 26.0  # px of a card's width in the full photo: at least 24 px of glyph are needed (CARDS.md)
LEAST_LIGHT = 40.0  # mean grey level of a photo
WIDEST_EDGE = 9.0  # px of a crop over which ink turns to paper
OVER_THE_BORDER = 0.12  # card widths by which a cut end reaches out of the photo
BURNT = 252  # grey level from which nothing can be read
GLARING = 0.15  # share of burnt pixels of an end on which light glares
GLARING_CARDS = 0.1  # share of cards whose better end glares, from which it is worth a word


def remarks(
    picture: Image, size: tuple[int, int], ends: Ends, crops: Image, too_many: bool
) -> tuple[str, ...]:
    """What is worth telling, most important first.

    Parameters
    ----------
    picture : (H, W, 3) the photo at any size.
    size : width and height of the full photo, px.
    ends : those of the cards that were found.
    crops : (M, 96, 64, 3) of the better end of each.
    """
    found = []
    dark = float(picture[::4, ::4].mean()) < LEAST_LIGHT
    if not len(ends):
        return (NO_CARD, DARK) if dark else (NO_CARD,)
    if too_many:
        found.append(TOO_MANY)
    if float(np.median(ends.widths)) < LEAST_WIDTH:
        found.append(SMALL)
    if dark:
        found.append(DARK)
    if float(np.median(edge_widths(crops))) > WIDEST_EDGE:
        found.append(BLURRED)
    if np.any(over_the_border(ends, size)):
        found.append(CUT_OFF)
    if float(np.mean(burnt_share(crops) > GLARING)) > GLARING_CARDS:
        found.append(GLARE)
    return tuple(found)


def edge_widths(crops: Image) -> Floats:
    """Pixels (N,) over which ink turns to paper: the contrast of a crop over its steepest slope."""
    red, green, blue = np.moveaxis(crops[:, PAPER_ROWS, PAPER_COLUMNS], -1, 0).astype(np.float32)
    grey = (red + green + blue) / 3
    across, down = np.abs(grey[:, :, 2:] - grey[:, :, :-2]) / 2, np.abs(grey[:, 2:] - grey[:, :-2]) / 2
    slope = np.maximum(ranked(across, 0.995), ranked(down, 0.995))
    widths: Floats = (ranked(grey, 0.98) - ranked(grey, 0.02)) / np.maximum(slope, 0.5)
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
