"""Photographs of cards whose faces are plain colours, and networks that know these colours and this geometry."""

from __future__ import annotations

import io
from collections.abc import Mapping, Sequence

import cv2
import numpy as np
from PIL import Image

from tests.vision.world import Laid, draw_peaks, true_ends
from vision.ends import Ends, EndsNetwork, Peaks
from vision.faces import FaceAnswer, FacesNetwork
from vision.geometry import apply_homography, square_to_quad
from vision.networks import Networks

SIZE = (1200, 900)
CODES = ("s1", "s2", "s3", "s4", "s5", "b1", "b2", "b3")
CLASSES = (*(f"zipai:{code}" for code in CODES), "chuanpai:1-1", "other")
Colour = tuple[int, int, int]
INK: dict[str, Colour] = {
    "s1": (220, 30, 30),
    "s2": (30, 180, 30),
    "s3": (40, 60, 220),
    "s4": (210, 200, 30),
    "s5": (200, 40, 200),
    "b1": (30, 200, 200),
    "b2": (240, 140, 20),
    "b3": (120, 70, 20),
    "1-1": (10, 10, 10),
    "back": (150, 150, 150),
}
MARKS = np.array([*(INK[code] for code in CODES), INK["1-1"], INK["back"]], float)


def photo_of(
    cards: Sequence[Laid], size: tuple[int, int] = SIZE, table: int = 70, ink: Mapping[str, Colour] = INK
) -> bytes:
    """A JPEG photo in which both ends of every card bear a square of its colour."""
    picture = np.full((size[1], size[0], 3), table, np.uint8)
    for card in cards:
        cv2.fillConvexPoly(
            picture, np.round(card.body * 16).astype(np.int32), (235, 235, 225), cv2.LINE_AA, 4
        )
        cv2.polylines(
            picture, [np.round(card.body * 16).astype(np.int32)], True, (90, 90, 90), 2, cv2.LINE_AA, 4
        )
        for quad in true_ends([card])[0].quads:
            mark = apply_homography(
                square_to_quad(quad), [[0.2, 0.15], [0.8, 0.15], [0.8, 0.85], [0.2, 0.85]]
            )
            cv2.fillConvexPoly(picture, np.round(mark * 16).astype(np.int32), ink[card.code], cv2.LINE_AA, 4)
    target = io.BytesIO()
    Image.fromarray(picture).save(target, "JPEG", quality=95)
    return target.getvalue()


def ends_network(cards: Sequence[Laid], size: tuple[int, int] = SIZE) -> EndsNetwork:
    """Knows where the ends are; works at the scale at which it is shown the photo."""
    ends, owners = true_ends(cards)
    heat = np.array([cards[owner].heat for owner in owners])

    def network(picture: np.ndarray) -> Peaks:
        scale = min(1.0, picture.shape[2] / size[0], picture.shape[1] / size[1])
        small = Ends(ends.quads * scale, heat, ends.others * scale, ends.visible)
        return draw_peaks(small, picture.shape[2], picture.shape[1])

    return network


def faces_network(sure: float = 9.0) -> FacesNetwork:
    """Knows the colours; a crop without any of them is no card."""

    def network(crops: np.ndarray) -> FaceAnswer:
        middle = np.median(crops[:, 25:48, 24:40].reshape(len(crops), -1, 3), axis=1)
        distance = np.linalg.norm(middle[:, None] - MARKS[None], axis=-1)
        logits = (-distance / 10).clip(min=-sure).astype(np.float32)
        embedding = np.exp(-distance / 30) + 1e-6
        embedding = (embedding / np.linalg.norm(embedding, axis=1, keepdims=True)).astype(np.float32)
        n = len(crops)
        colour = np.full((n, 5), 0.2, np.float32)
        return FaceAnswer(logits, embedding, np.zeros(n, np.float32), colour, np.zeros((n, 6), np.float32))

    return network


def networks_for(cards: Sequence[Laid], size: tuple[int, int] = SIZE) -> Networks:
    """Perfect networks for one photo."""
    return Networks(
        ends_network(cards, size),
        faces_network(),
        CLASSES,
        temperature=1.0,
        scale=20.0,
        name="painted",
    )
