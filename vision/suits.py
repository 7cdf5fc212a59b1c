"""The suits of 四色牌 are the colours of their paper, which nobody can tell without knowing the light.

Papers of one photo that look alike are of one suit: yellow may be pale or orange and white may be pink in one
deck's print or one lamp's light, but it is so on all of that photo's cards. So each card's suit is judged by what
the network says of it and of every card whose paper looks the same.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from vision.geometry import Floats

SUITS = ("r", "g", "y", "w")
SAME_PAPER = 6.0  # CIE Lab units: papers of one suit in one photo differ by about that
LIGHTNESS_WEIGHT = 0.4  # shadows change the lightness far more than the hue
MOST_VOTES = 4.0  # what all alike papers say together weighs no more than this many cards
DOUBT = 0.02  # share of papers that the network takes for any suit


def judge_suits(log_evidence: Floats, paper: Floats, classes: Sequence[str]) -> Floats:
    """Log-probabilities (M, K) with the suits of four-colour faces judged together; the other classes as they were.

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
    said = np.log((own + DOUBT / 4) / (1 + DOUBT))
    judged = own * votes(said, four_colour[:, 0], paper)
    judged /= judged.sum(axis=1, keepdims=True)
    change = judged * four_colour / np.maximum(mass, 1e-12)  # (M, 4), keeps each card's mass of 四色 faces
    scale = np.where(np.any(member, axis=0)[None], change @ member, 1.0)
    table: Floats = np.log(np.maximum(p * scale, 1e-30))
    return table


def votes(log_suits: Floats, weights: Floats, paper: Floats) -> Floats:
    """What the other cards with the same paper say: factors (M, 4) for the suits of each card.

    Parameters
    ----------
    log_suits : (M, 4) log-probabilities of the suits by each card alone.
    weights : (M,) how far each card is a four-colour card.
    """
    place = paper * np.array([LIGHTNESS_WEIGHT, 1.0, 1.0])
    distance = np.linalg.norm(place[:, None] - place[None], axis=-1)
    alike = np.exp(-0.5 * (distance / SAME_PAPER) ** 2) * weights[None]
    np.fill_diagonal(alike, 0.0)
    total = alike.sum(axis=1, keepdims=True)
    alike *= np.minimum(1.0, MOST_VOTES / np.maximum(total, 1e-9))
    said = alike @ log_suits
    factors: Floats = np.exp(said - said.max(axis=1, keepdims=True))
    return factors
