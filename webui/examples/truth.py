"""What a photo is said to show: the cards of a request, checked, as the COCO object that is kept."""

from __future__ import annotations

from typing import Any

import cv2
import numpy as np

import scorer
from vision.geometry import Floats
from vision.truth import TrueCard, TrueEnd, TruePhoto, coco_of

MOST_CARDS = 200
LEAST_AREA_PX = 60  # of a card end: what is smaller shows nothing
LIGHTS = ("dark", "no_colour", "colour_cast", "glare", "blurred")
"""Remarks on a photo that say under what light it was taken, the weightiest first."""


class BadTruth(ValueError):
    """Cards that can't be the truth of a photo; the message says which one and why."""

    code = "bad_truth"


def checked(cards: object, deck: scorer.Deck, size: tuple[int, int]) -> tuple[TrueCard, ...]:
    """The cards `{"code", "pile", "ends": [quad, ...]}` of a photo of this width and height, px; raises `BadTruth`."""
    if not isinstance(cards, list) or not 1 <= len(cards) <= MOST_CARDS:
        raise BadTruth(f"'cards' must be a list of 1 to {MOST_CARDS} cards")
    return tuple(_card(number, one, deck, size) for number, one in enumerate(cards, 1))


def _card(number: int, given: object, deck: scorer.Deck, size: tuple[int, int]) -> TrueCard:
    fields = given if isinstance(given, dict) else {}
    code, pile, ends = fields.get("code"), fields.get("pile", 0), fields.get("ends")
    if not isinstance(code, str) or code not in deck.index:
        raise BadTruth(f"card {number} is none of the deck {deck.id}")
    if not isinstance(ends, list) or not 1 <= len(ends) <= 2 or type(pile) is not int:
        raise BadTruth(f"card {number} has no place in the photo")
    return TrueCard(code, pile, tuple(TrueEnd(_quad(number, one, size), 1.0) for one in ends))


def _quad(number: int, given: object, size: tuple[int, int]) -> Floats:
    try:
        quad = np.array(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError):
        quad = np.zeros(0)
    reach = 0.25 * max(size)
    # Written so that NaN is refused, too.
    if quad.shape != (4, 2) or not np.all((quad > -reach) & (quad < np.array(size) + reach)):
        raise BadTruth(f"card {number} does not lie in the photo")
    corners = quad.astype(np.float32)
    if not cv2.isContourConvex(corners) or cv2.contourArea(corners) < LEAST_AREA_PX:
        raise BadTruth(f"the corners of card {number} are not those of a card end, in order")
    return quad


def coco(
    deck: str, layout: str, cards: tuple[TrueCard, ...], size: tuple[int, int], remarks: object
) -> dict[str, Any]:
    """The COCO object of one photo: its size, its cards, the light by the remarks on it."""
    said = [one for one in remarks if isinstance(one, str)] if isinstance(remarks, list) else []
    light = next((one for one in LIGHTS if one in said), "plain")
    more = {"width": size[0], "height": size[1], "light": light, "remarks": said[:10]}
    return coco_of([(TruePhoto("photo.jpg", deck, layout, cards), more)])


def scaled(cards: tuple[TrueCard, ...], scale: float) -> tuple[TrueCard, ...]:
    """The same in a photo made smaller: `scale` of it, counted from the edge of its first pixel."""
    return tuple(
        TrueCard(
            one.code, one.pile, tuple(TrueEnd((e.quad + 0.5) * scale - 0.5, e.visible) for e in one.ends)
        )
        for one in cards
    )
