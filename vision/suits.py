"""The suits of 四色牌 are the colours of their paper, which nobody can tell without knowing the light.

A lamp moves the papers of a photo all alike: in logarithms of red by green and blue by green, in linear light, by one
vector. So all cards of a photo are judged together. A *view* of the photo says which suit each card has; how likely it
is follows from where the papers of prints lie (`PALETTE`), how far a lamp moves them (`LAMPS`), how much papers of one
suit differ in one photo, and what the network says of each card. Under an ordinary lamp the network knows more prints
than the palette does; under a strange one it mistakes the lamp for the paper and is hardly heard. The suits of a card
are those of all views, weighed: where two views explain the photo alike, the doubt is theirs.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import product
from typing import NamedTuple

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.geometry import Floats, log_softmax

SUITS = ("r", "g", "y", "w")
# Where the papers of four thousand drawn prints lie, by suit: log of red by green, of blue by green, and of the
# lightness; and how far they stray (models/training/prints/sise.py).
PALETTE = np.array([[2.37, 0.14, -1.44], [-1.04, -0.94, -1.2], [0.4, -1.83, -0.57], [0.03, -0.04, -0.36]])
STRAY = np.array([[0.61, 0.65, 0.32], [0.47, 0.6, 0.43], [0.3, 0.66, 0.23], [0.1, 0.12, 0.2]])
FLOOR = 0.01  # of the light of the lightest paper, added to every channel: what a camera adds to black
SPREAD = np.array([0.16, 0.2, 0.35])  # of papers of one suit in one photo: shade, gloss and noise
FARTHEST = 12.0  # what a card adds at most where its paper is like no suit's: glare, a finger, a stain
GAMMA = 2.2


class Lamp(NamedTuple):
    """A kind of lamp: how often it is met, how far it moves all papers (3,), and how often the network tells a suit
    under it by guessing."""

    share: float
    reach: Floats
    guessing: float


LAMPS = (
    Lamp(0.9, np.array([0.2, 0.25, 0.7]), 0.03),
    Lamp(0.1, np.array([0.6, 0.9, 1.5]), 0.5),
)
# Shifts of red by green and blue by green, and contrasts of all colours, from which views are sought.
SHIFTS = tuple(product((-0.7, -0.35, 0.0, 0.35, 0.7), (-1.4, -0.8, -0.4, 0.0, 0.5)))
CONTRASTS = (0.6, 0.8, 1.0, 1.2)
CONTRAST_SPREAD = 0.25  # of the logarithm of a photo's contrast
ROUNDS = 3  # of telling suits by papers, then papers by suits
MOST_CARDS = 12.0  # that all cards together weigh at most: they share print, lamp and lens


class View(NamedTuple):
    """One way to see a photo: its log-likelihood, the log-probabilities (M, 4) of each card's suits, and how far its
    lamp moves papers (2,)."""

    likelihood: float
    suits: Floats
    lamp: Floats


def judge_suits(log_evidence: Floats, paper: Floats, classes: Sequence[str]) -> tuple[Floats, Floats]:
    """Log-probabilities (M, K) with the suits of four-colour faces judged together, the other classes as they were;
    and how far the lamp moves papers (2,), logs of red by green and blue by green.

    Parameters
    ----------
    log_evidence : (M, K) log-probabilities of the classes for each card.
    paper : (M, 3) CIE Lab of each card's paper.
    classes : K class names; `sise:rK` is a four-colour face of suit r.
    """
    p = np.exp(log_evidence)
    member = np.array([[name.startswith(f"sise:{suit}") for name in classes] for suit in SUITS])
    mass = p @ member.T  # (M, 4)
    four_colour = mass.sum(axis=1, keepdims=True)
    own = (mass + 1e-9) / (four_colour + 4e-9)
    judged, lamp = suits_of(own, four_colour[:, 0], paper)
    change = judged * four_colour / np.maximum(mass, 1e-12)  # (M, 4), keeps each card's mass of 四色 faces
    scale = np.where(np.any(member, axis=0)[None], change @ member, 1.0)
    table: Floats = np.log(np.maximum(p * scale, 1e-30))
    return table, lamp


def suits_of(own: Floats, weights: Floats, paper: Floats) -> tuple[Floats, Floats]:
    """Probabilities (M, 4) of the suits of cards that the network alone gives `own` (M, 4), and the lamp's shift (2,).

    Parameters
    ----------
    weights : (M,) how far each card is a four-colour card.
    paper : (M, 3) CIE Lab.
    """
    sure = weights > 0.5
    if not np.any(sure):
        return own, np.zeros(2)
    seen = views(colours(paper), own, weights)
    likelihood = np.array([view.likelihood for view in seen])
    share = np.exp(likelihood - likelihood.max())
    share /= share.sum()
    told: Floats = np.einsum("h,hmk->mk", share, np.exp([view.suits for view in seen]))
    return told, share @ np.array([view.lamp for view in seen])


def white_lamp(paper: Floats) -> Floats:
    """How far the lamp moves papers (2,), given M white ones (M, 3) in CIE Lab."""
    shift: Floats = (np.median(colours(paper), axis=0) - PALETTE[3])[:2]
    return shift


def colours(paper: Floats) -> Floats:
    """Logs (M, 3) of red by green, blue by green and lightness in linear light, of papers (M, 3) in CIE Lab."""
    rgb = cv2.cvtColor(paper.astype(np.float32)[None], cv2.COLOR_Lab2RGB)[0].astype(np.float64)
    light = np.clip(rgb, 0, 1) ** GAMMA
    light += FLOOR * max(float(light.max(initial=0.0)), 1e-3)
    red, green, blue = np.log(light).T
    return np.stack([red - green, blue - green, np.log(light @ [0.3, 0.6, 0.1])], axis=1)


def views(seen: Floats, own: Floats, weights: Floats) -> list[View]:
    """Every different view of a photo that a lamp, a contrast and the network's word lead to.

    seen : (M, 3) of `colours`; own, weights : as for `suits_of`.
    """
    found: dict[tuple[bytes, int, float], View] = {}
    brighter = np.median(seen[:, 2]) - PALETTE[:, 2].mean()
    for number, lamp in enumerate(LAMPS):
        said = np.log((1 - lamp.guessing) * own + lamp.guessing / 4)
        for contrast in CONTRASTS:
            figure = PALETTE * [contrast, contrast, 1]
            starts = {
                told_apart(seen, said, figure + np.array([*shift, brighter]), STRAY**2).tobytes()
                for shift in SHIFTS
            }
            for start in starts:
                suits = np.frombuffer(start, dtype=np.intp)
                for _ in range(ROUNDS):
                    place, doubt, _ = placed(seen, suits, weights, figure, lamp)
                    suits = told_apart(seen, said, place, doubt)
                key = (suits.tobytes(), number, contrast)
                if key not in found:
                    found[key] = view(seen, said, suits, weights, figure, lamp, contrast)
    return list(found.values())


def told_apart(seen: Floats, said: Floats, place: Floats, doubt: Floats) -> NDArray[np.intp]:
    """The likeliest suit (M,) of each card for papers at `place` (4, 3), each unsure by the variance `doubt` (4, 3)."""
    chosen: NDArray[np.intp] = log_suits(seen, said, place, doubt).argmax(axis=1)
    return chosen


def log_suits(seen: Floats, said: Floats, place: Floats, doubt: Floats) -> Floats:
    """Log-probabilities (M, 4), not normalised, of what is seen under each suit and of what the network said."""
    variance = doubt + SPREAD**2
    far = (((seen[:, None] - place[None]) ** 2) / variance[None]).sum(axis=-1)
    likely: Floats = said - np.minimum(far, FARTHEST) / 2 - np.log(variance).sum(axis=-1)[None] / 2
    return likely


def placed(
    seen: Floats, suits: NDArray[np.intp], weights: Floats, figure: Floats, lamp: Lamp
) -> tuple[Floats, Floats, float]:
    """Where the four papers lie in a photo (4, 3) given the suits of its cards, how unsure that is as a variance
    (4, 3), and the log-likelihood of the suits' mean papers."""
    member = (suits[:, None] == np.arange(4)[None]) * weights[:, None]
    number = member.sum(axis=0)[:, None]
    mean = member.T @ seen / np.maximum(number, 1e-9)
    there = number > 0.5
    apart = SPREAD**2 / np.maximum(number, 1e-9)
    variance = STRAY**2 + apart
    # The lamp's shift has a normal prior, and every group of papers tells of it as far as its print is known.
    sure = np.where(there, 1 / variance, 0.0)
    offset = mean - figure
    precision = sure.sum(axis=0) + 1 / lamp.reach**2
    shift = (sure * np.where(there, offset, 0)).sum(axis=0) / precision
    likelihood = -0.5 * (
        np.where(there, offset**2 / variance + np.log(variance), 0).sum()
        + (np.log(precision * lamp.reach**2) - precision * shift**2).sum()
    )
    gain = np.where(there, STRAY**2 / variance, 0.0)
    place = figure + shift + gain * np.where(there, mean - figure - shift, 0)
    doubt = (1 - gain) * STRAY**2 + (1 - gain) ** 2 / precision
    return place, doubt, float(likelihood)


def view(
    seen: Floats,
    said: Floats,
    suits: NDArray[np.intp],
    weights: Floats,
    figure: Floats,
    lamp: Lamp,
    contrast: float,
) -> View:
    """The view of a photo in which its cards have these suits (M,)."""
    place, doubt, likelihood = placed(seen, suits, weights, figure, lamp)
    log_each = log_suits(seen, said, place, doubt)
    inside = np.minimum((((seen - place[suits]) / SPREAD) ** 2).sum(axis=1), FARTHEST) / 2
    each = weights * (said[np.arange(len(suits)), suits] - inside)
    shared = min(1.0, MOST_CARDS / max(float(weights.sum()), 1e-9))
    prior = np.log(lamp.share) - (np.log(contrast) / CONTRAST_SPREAD) ** 2 / 2
    shift = (place - figure).mean(axis=0)[:2]
    return View(float(likelihood + shared * each.sum() + prior), log_softmax(log_each), shift)
