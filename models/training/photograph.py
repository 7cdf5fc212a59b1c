"""Our own renderer: a laid-out deck becomes a photograph with every visible card end annotated."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.camera import BentCard, Camera, bend_card
from models.training.clutter import THINGS, hand
from models.training.layout import Pose, Size
from models.training.tables import TILE, TILE_MM, colour

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

COVERED = -1  # what lies on top of the cards
GROUND = 0


@dataclass(frozen=True)
class Item:
    """One thing to photograph: its printed side (H, W, 3), where it lies, and what it is.

    ``code`` is the card's code, or "" for a back or a card of another kind; ``corner`` its corner radius and
    ``reach`` how far from the edge its index goes, both in card widths.
    """

    face: Image
    size: Size
    pose: Pose
    code: str
    corner: float
    reach: float


@dataclass(frozen=True)
class End:
    """One annotated end: card number, 0 or 1, code, pile, quad (4, 2) px and the visible share 0..1."""

    card: int
    end: int
    code: str
    pile: int
    quad: Floats
    visible: float


def outline(size: tuple[int, int], corner: float) -> NDArray[np.uint8]:
    """Alpha (h, w) of a card with rounded corners; ``size`` is (w, h) px, ``corner`` in card widths."""
    w, h = size
    radius = min(corner, 0.5) * w
    if radius < 1:
        return np.full((h, w), 255, np.uint8)
    big = np.zeros((h * 2, w * 2), np.uint8)
    r = int(radius * 2)
    cv2.rectangle(big, (r, 0), (2 * w - r - 1, 2 * h - 1), 255, -1)
    cv2.rectangle(big, (0, r), (2 * w - 1, 2 * h - r - 1), 255, -1)
    for x in (r, 2 * w - r - 1):
        for y in (r, 2 * h - r - 1):
            cv2.circle(big, (x, y), r, 255, -1)
    return cv2.resize(big, (w, h), interpolation=cv2.INTER_AREA).astype(np.uint8)


PAD = 0.12  # share of the card's width kept free at both sides for a bent card's bulge


def texture(rng: np.random.Generator, item: Item, card: BentCard) -> tuple[Image, Floats]:
    """The lit card (h, w, 4) RGBA near its size in the picture, and the homography from its px to the picture."""
    corners = card.to_picture(np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64))
    across = max(np.hypot(*(corners[1] - corners[0])), np.hypot(*(corners[2] - corners[3])))
    along = max(np.hypot(*(corners[3] - corners[0])), np.hypot(*(corners[2] - corners[1])))
    w = int(np.clip(across * 1.25, 8, item.face.shape[1]))
    h = int(np.clip(along * 1.25, 16, item.face.shape[0]))
    face = cv2.resize(item.face, (w, h), interpolation=cv2.INTER_AREA).astype(np.float32)
    slope = np.linspace(-1, 1, h, dtype=np.float32)[:, None, None]
    face *= 1 + rng.normal(0, 0.03) + slope * rng.normal(0, 0.05) + slope**2 * rng.normal(0, 0.03)
    edge = max(1, round(w * 0.012))
    rim = rng.uniform(0.6, 1.0)
    face[:, :edge] *= rim
    face[:, -edge:] *= rim
    rgba = np.dstack([np.clip(face, 0, 255).astype(np.uint8), outline((w, h), item.corner)])
    pad = int(w * PAD) + 2
    v = (np.arange(-pad, h + pad, dtype=np.float32) + 0.5) / h
    true_v = np.interp(v, card.bent[:, 1], card.rows, left=-1, right=2)
    true_v = np.where(v < 0, v, np.where(v > 1, v, true_v))
    shift = np.interp(true_v, card.rows, card.bent[:, 0]) - 0.5
    x = np.arange(-pad, w + pad, dtype=np.float32)[None, :] - (shift * w).astype(np.float32)[:, None]
    y = np.repeat((true_v * h - 0.5).astype(np.float32)[:, None], x.shape[1], 1)
    bent = cv2.remap(rgba, x.astype(np.float32), y, cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT)
    to_card = np.array([[1 / w, 0, (0.5 - pad) / w], [0, 1 / h, (0.5 - pad) / h], [0, 0, 1.0]])
    return bent.astype(np.uint8), card.homography @ to_card


@dataclass
class Light:
    """One lamp: where shadows fall (px per mm of height at this scale), how dark and how soft they are."""

    dx: float
    dy: float
    dark: float
    soft: float


def lay(
    image: Image, owner: NDArray[np.int16], number: int, rgba: Image, matrix: Floats, light: Light
) -> None:
    """Put one card with its shadow into the picture and the ownership map, in place."""
    h, w = image.shape[:2]
    th, tw = rgba.shape[:2]
    box = np.array([[0, 0, 1], [tw, 0, 1], [tw, th, 1], [0, th, 1]], np.float64) @ matrix.T
    box = box[:, :2] / box[:, 2:]
    margin = int(3 * light.soft + abs(light.dx) + abs(light.dy)) + 3
    x0, y0 = np.maximum(np.floor(box.min(axis=0)).astype(int) - margin, 0)
    x1, y1 = np.minimum(np.ceil(box.max(axis=0)).astype(int) + margin, [w, h])
    if x1 - x0 < 2 or y1 - y0 < 2:
        return
    move = np.array([[1, 0, -x0], [0, 1, -y0], [0, 0, 1.0]])
    warped = cv2.warpPerspective(rgba, move @ matrix, (int(x1 - x0), int(y1 - y0)), flags=cv2.INTER_LINEAR)
    alpha = warped[..., 3]
    drop = np.array([[1, 0, light.dx], [0, 1, light.dy]], np.float64)
    shadow = cv2.GaussianBlur(
        cv2.warpAffine(alpha, drop, (alpha.shape[1], alpha.shape[0])), (0, 0), light.soft
    )
    roi = image[y0:y1, x0:x1].astype(np.uint16)
    keep = 255 - (shadow.astype(np.float32) * light.dark).astype(np.uint16)
    roi = roi * keep[..., None] // 255
    cover = alpha.astype(np.uint16)[..., None]
    image[y0:y1, x0:x1] = ((roi * (255 - cover) + warped[..., :3].astype(np.uint16) * cover) // 255).astype(
        np.uint8
    )
    owner[y0:y1, x0:x1][alpha > 127] = number


def end_regions(item: Item) -> list[tuple[Floats, Floats]]:
    """For both ends in card coordinates: the square (4, 2), and the region (4, 2) that holds the index."""
    square = item.size.width / item.size.height
    deep = square * float(np.clip(item.reach, 0.75, 1.3))
    first = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    return [
        (first * [1, square], first * [1, deep]),
        (1 - first * [1, square], 1 - first * [1, deep]),
    ]


def visible_share(owner: NDArray[np.int16], number: int, region: Floats, corner: float) -> float:
    """Share of a region (4, 2) px that card ``number`` owns in the map; what lies outside the picture is hidden."""
    low = np.maximum(np.floor(region.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(region.max(axis=0)).astype(int) + 1, [owner.shape[1], owner.shape[0]])
    if (high <= low).any():
        return 0.0
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.round((region - low) * 16).astype(np.int32), 1, shift=4)
    own = int(((owner[low[1] : high[1], low[0] : high[0]] == number) & (mask > 0)).sum())
    area = abs(float(cv2.contourArea(region.astype(np.float32)))) * (
        1 - min(corner, 0.5) ** 2 * (2 - np.pi / 2) / 1.2
    )
    return float(np.clip(own / max(area, 1.0), 0, 1))


def ground_picture(tile: Image, camera: Camera, rng: np.random.Generator) -> Image:
    """The table as the camera sees it."""
    scale = TILE_MM / TILE * rng.uniform(0.6, 2.0)
    to_table = np.array([[scale, 0, -TILE * scale / 2], [0, scale, -TILE * scale / 2], [0, 0, 1.0]])
    matrix = camera.table() @ to_table
    return cv2.warpPerspective(
        tile, matrix, (camera.width, camera.height), flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REFLECT
    ).astype(np.uint8)


def annotate(cards: Sequence[tuple[Item, BentCard]], owner: NDArray[np.int16]) -> list[End]:
    """Both ends of every item with their visible share."""
    found = []
    for number, (item, card) in enumerate(cards, 1):
        for k, (square, region) in enumerate(end_regions(item)):
            share = visible_share(owner, number, card.to_picture(region), item.corner)
            found.append(End(number - 1, k, item.code, item.pose.pile, card.to_picture(square), share))
    return found


def photograph(
    rng: np.random.Generator,
    camera: Camera,
    tile: Image,
    items: Sequence[Item],
    *,
    gloss: float,
    clutter: int,
    hands: int,
) -> tuple[Image, list[End]]:
    """Render a scene; items later in the sequence lie on top.

    Returns
    -------
    image : RGB uint8 (height, width, 3) before the lens and sensor (`models.training.lens`)
    ends : two per item, in the order of the items
    """
    image = ground_picture(tile, camera, rng)
    owner = np.zeros(image.shape[:2], np.int16)
    scale = pixel_scale(camera, items)
    for _ in range(clutter):
        THINGS[rng.integers(len(THINGS))](rng, image, scale * 25)
    strength = rng.uniform(0.2, 2.5) * scale
    angle = rng.uniform(0, 2 * np.pi)
    light = Light(
        np.cos(angle) * strength,
        np.sin(angle) * strength,
        rng.uniform(0.1, 0.6),
        max(0.6, strength * rng.uniform(0.3, 1)),
    )
    cards = []
    for number, item in enumerate(items, 1):
        card = bend_card(camera, item.pose, item.size, min(number, 12) * 0.15)
        rgba, matrix = texture(rng, item, card)
        lay(image, owner, number, rgba, matrix, light)
        cards.append((item, card))
    shine(rng, image, owner, gloss)
    for _ in range(hands):
        owner[hand(rng, image, scale * rng.uniform(14, 20)) > 127] = COVERED
    return image, annotate(cards, owner)


def pixel_scale(camera: Camera, items: Sequence[Item]) -> float:
    """Px per mm in the middle of the items (or of the table)."""
    if items:
        x, y = (float(v) for v in np.mean([(i.pose.x, i.pose.y) for i in items], axis=0))
    else:
        x = y = 0.0
    here = camera.project(np.array([[x, y, 0.0], [x + 10, y, 0], [x, y + 10, 0]]))
    return float((np.hypot(*(here[1] - here[0])) + np.hypot(*(here[2] - here[0]))) / 20)


def shine(rng: np.random.Generator, image: Image, owner: NDArray[np.int16], gloss: float) -> None:
    """Lamp glare on the cards: soft bright spots, stronger on plastic; broken up from card to card. In place."""
    h, w = image.shape[:2]
    for _ in range(int(rng.integers(0, 3)) if rng.random() < gloss else 0):
        small = np.zeros((h // 8, w // 8), np.float32)
        centre = (int(rng.uniform(0, w / 8)), int(rng.uniform(0, h / 8)))
        axes = (int(rng.uniform(4, w / 50)), int(rng.uniform(4, w / 25)))
        cv2.ellipse(small, centre, axes, float(rng.uniform(0, 180)), 0, 360, 1.0, -1)
        small = cv2.GaussianBlur(small, (0, 0), float(rng.uniform(2, 12)))
        level = cv2.resize(small, (w, h), interpolation=cv2.INTER_LINEAR) * rng.uniform(0.3, 1.1)
        per_card = rng.uniform(0.2, 1.0, int(owner.max()) + 1).astype(np.float32)
        level *= np.where(owner > 0, per_card[np.maximum(owner, 0)], 0.15)
        lamp = 235 + 20 * colour(rng, 0.1, (0.9, 1)) / 255
        mixed = image * (1 - level[..., None]) + lamp.astype(np.float32) * level[..., None]
        image[:] = np.clip(mixed, 0, 255).astype(np.uint8)
