"""Templates: of all drawn faces the one that correlates best with a crop wins."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

from models.training import prints
from models.training.baselines.paper import Painter, colourless
from models.training.baselines.score import FaceReader
from models.training.scenes import DECKS
from vision.faces import cut_ends
from vision.geometry import CROP_CARD, CROP_LEFT, CROP_TOP
from vision.photo import Image

Floats32 = NDArray[np.float32]

PRINTS = 8  # of each deck, every face of which is a template
SHRINK = 2  # crops are compared at half their size
# What of the halved crop a template shows, px: inside the card's edges, as far down as 四色 characters reach.
LEFT, RIGHT = (round((share - CROP_LEFT) * CROP_CARD / SHRINK) for share in (0.06, 0.94))
TOP, BOTTOM = (round((share - CROP_TOP) * CROP_CARD / SHRINK) for share in (0.06, 1.30))
REACH = 4  # px that a template may be moved by
SPREAD = 4.0  # px, sigma of the Gaussian within which contrast is local
NOISE = 6.0  # grey levels; fainter contrast is not raised
WHOLE_END = np.array([[[0.0, 0], [256, 0], [256, 256], [0, 256]]])  # px of a drawn face


@dataclass(frozen=True)
class Templates:
    """M templates as unit vectors (M, D), and their names."""

    vectors: Floats32
    names: tuple[str, ...]


def local_contrast(crop: Image) -> Floats32:
    """A crop (96, 64, 3) at half its size (48, 32, 3), less its local mean, over its local standard deviation."""
    small = cv2.resize(crop, None, fx=1 / SHRINK, fy=1 / SHRINK, interpolation=cv2.INTER_AREA)
    picture = small.astype(np.float32)
    raised = picture - cv2.GaussianBlur(picture, (0, 0), SPREAD)
    variance = cv2.GaussianBlur((raised**2).mean(axis=2), (0, 0), SPREAD)
    return np.asarray(raised / np.sqrt(variance + NOISE**2)[..., None], np.float32)


def unit_vectors(patches: Floats32) -> Floats32:
    """Patches (N, height, width, 3) as vectors (N, D) of mean 0 and length 1, whose products are correlations."""
    flat = patches.reshape(len(patches), -1)
    flat = flat - flat.mean(axis=1, keepdims=True)
    return np.asarray(flat / np.maximum(np.linalg.norm(flat, axis=1, keepdims=True), 1e-6), np.float32)


def windows(crop: Image) -> Floats32:
    """Everything in a crop that a template may lie on, ((2 REACH + 1)^2, D)."""
    picture = local_contrast(crop)[TOP - REACH : BOTTOM + REACH, LEFT - REACH : RIGHT + REACH]
    size = (BOTTOM - TOP, RIGHT - LEFT)
    views = np.moveaxis(sliding_window_view(picture, size, axis=(0, 1)), 2, -1)
    return unit_vectors(views.reshape(-1, *size, 3))


def make_templates(crops: Image, names: Sequence[str]) -> Templates:
    """Templates of upright crops (M, 96, 64, 3) with these names."""
    patches = np.stack([local_contrast(crop)[TOP:BOTTOM, LEFT:RIGHT] for crop in crops])
    return Templates(unit_vectors(patches), tuple(names))


def drawn_templates() -> Templates:
    """Templates of every face of some training prints of each deck, 四色 faces without their colour."""
    faces = {
        (f"{deck}:{code}", seed): face
        for deck in DECKS
        for seed in range(PRINTS)
        for code, face in prints.make_print(deck, seed, "train").faces.items()
    }
    crops = np.concatenate([cut_ends(face, WHOLE_END) for face in faces.values()])
    return make_templates(crops, [colourless(name) for name, _ in faces])


def nearest(templates: Templates, crop: Image) -> str:
    """Name of the template that correlates best with a crop (96, 64, 3), wherever it lies in it."""
    correlation = windows(crop) @ templates.vectors.T
    return templates.names[int(correlation.max(axis=0).argmax())]


def template_reader(templates: Templates, paint: Painter) -> FaceReader:
    """Reads the nearest template, and a 四色 card's colour from its paper."""
    return lambda crops: paint([nearest(templates, crop) for crop in crops], crops)
