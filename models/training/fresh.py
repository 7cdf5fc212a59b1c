"""Crops of card ends drawn straight from new prints, without a scene: thousands of prints for the face network.

A scene costs half a second and shows one print; here a new print gives some hundred crops in the same time. They are
drawn while the network trains; ``python -m models.training.fresh --prints 200`` draws some beforehand. What lies under,
beside and over the end is made up: table, neighbours of the same print, a covering edge.
"""

from __future__ import annotations

import argparse
import math
from collections.abc import Iterator
from itertools import count

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training import prints
from models.training.scenes import CACHE, DECKS
from models.training.tables import TILE, ground
from vision.geometry import CROP_LEFT, CROP_RIGHT, CROP_SIZE, CROP_TOP

Image = NDArray[np.uint8]
Floats = NDArray[np.float64]

FINE = 2  # crops are composed at twice their size and then shrunk
SIZE = (CROP_SIZE[0] * FINE, CROP_SIZE[1] * FINE)
PER_FACE = 5  # crops of a face: more prints teach more than more crops of each
KEPT = CACHE / "crops-train"
FAMILY_SHARE = 0.5
# By which faces' codes a family is known, and how many times as many crops of them there are.
FAMILY_MARKS = {"pen": ("P", 3), "emblem": ("W", 12)}
Crop = tuple[
    str, str, Image, float, Floats
]  # deck, code ("": no end), crop (96, 64, 3), visible share, quad in it
PRINTS_PER_GROUND = 4
OTHERS_SHARE = 0.25  # crops that are no end, for each that is one
DEEP = 2.1  # card widths of a card's end that can come into a crop
SQUARE = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
TO_CROP = SIZE[0] / (CROP_RIGHT - CROP_LEFT)  # px per card width


def placed(rng: np.random.Generator, x: float, y: float, turn: float, loose: float) -> Floats:
    """Affine map (2, 3) from card widths to the fine crop, for a card moved by (x, y) widths and turned.

    ``loose`` scales the detector-like jitter.
    """
    angle = turn + rng.normal(0, 0.06 * loose)
    across, along = np.exp(rng.normal(0, 0.06 * loose)), np.exp(rng.normal(0, 0.08 * loose))
    c, s = math.cos(angle), math.sin(angle)
    skew = rng.normal(0, 0.04 * loose)
    linear = np.array([[c, -s + skew], [s, c]]) @ np.diag([across, along]) * TO_CROP
    middle = (
        np.array([0.5 + x - CROP_LEFT, 0.5 + y - CROP_TOP]) * TO_CROP
        + rng.normal(0, 0.05 * loose, 2) * TO_CROP
    )
    return np.hstack([linear, (middle - linear @ [0.5, 0.5])[:, None]])


def paste(canvas: Image, end: Image, outline: Image, widths_to_crop: Floats) -> None:
    """Lay a card's end (h, 256, 3) with its outline (h, 256) into the fine crop, in place."""
    scale = widths_to_crop @ np.array([[1 / 256, 0, 0], [0, 1 / 256, 0], [0, 0, 1.0]])
    card = cv2.warpAffine(end, scale, SIZE, flags=cv2.INTER_AREA)
    cover = cv2.warpAffine(outline, scale, SIZE)[..., None].astype(np.uint16)
    canvas[:] = ((canvas.astype(np.uint16) * (255 - cover) + card.astype(np.uint16) * cover) // 255).astype(
        np.uint8
    )


def shadowed(rng: np.random.Generator, canvas: Image, outline: Image, widths_to_crop: Floats) -> None:
    """Darken where a card about to be laid will cast its shadow, in place."""
    moved = widths_to_crop.copy()
    moved[:, 2] += rng.normal(0, 0.05, 2) * TO_CROP
    scale = moved @ np.array([[1 / 256, 0, 0], [0, 1 / 256, 0], [0, 0, 1.0]])
    dark = cv2.GaussianBlur(cv2.warpAffine(outline, scale, SIZE), (0, 0), float(rng.uniform(0.8, 4)))
    keep = 255 - (dark.astype(np.float32) * rng.uniform(0.1, 0.5)).astype(np.uint16)
    canvas[:] = (canvas.astype(np.uint16) * keep[..., None] // 255).astype(np.uint8)


def covering(rng: np.random.Generator) -> tuple[tuple[float, float, float], float] | None:
    """A neighbour that lies over the end: its offset in widths and turn, and the share of the end it leaves visible."""
    kind = rng.random()
    if kind < 0.45:
        return None
    if kind < 0.70:  # a cascade: the next card begins further down
        return (rng.normal(0, 0.05), rng.uniform(0.75, 1.6), rng.normal(0, 0.04)), 1.0
    hidden = abs(rng.normal(0, 0.2))
    if kind < 0.95:  # a fan or a row: the next card covers one side, often turned a little
        side = rng.choice([-1.0, 1.0])
        turn = side * rng.uniform(-0.02, 0.25)
        return (side * (1 - min(hidden, 0.5)), rng.normal(0, 0.2), turn), 1 - min(hidden, 0.5)
    return (rng.normal(0, 0.4), -1.5 * rng.uniform(1, 1.3) + hidden, rng.normal(0, 0.3)), 1 - min(hidden, 0.4)


def table_patch(rng: np.random.Generator, tile: Image) -> Image:
    """A piece of the ground as the fine crop's background."""
    x, y = (int(v) for v in rng.integers(0, TILE - 300, 2))
    size = int(rng.uniform(40, 300))
    return cv2.resize(tile[y : y + size, x : x + size], SIZE, interpolation=cv2.INTER_AREA).astype(np.uint8)


def compose(
    rng: np.random.Generator, outline: Image, ends: dict[str, Image], code: str, tile: Image
) -> tuple[Image, float, Floats]:
    """One crop (96, 64, 3) of the end of ``code``, the visible share, and the end's quad (4, 2) px in the crop."""
    canvas = table_patch(rng, tile)
    codes = list(ends)
    if rng.random() < 0.6:  # a card beneath: above, at one side
        other = ends[codes[rng.integers(len(codes))]]
        under = [
            (0.0, -rng.uniform(0.75, 1.6)),
            (rng.choice([-1, 1]) * rng.uniform(0.6, 1.1), rng.normal(0, 0.3)),
        ]
        paste(canvas, other, outline, placed(rng, *under[rng.integers(2)], rng.normal(0, 0.08), 0.5))
    view = placed(rng, 0, 0, 0, math.exp(rng.normal(0.15, 0.5)))
    shadowed(rng, canvas, outline, view)
    paste(canvas, ends[code], outline, view)
    quad = (SQUARE @ view[:, :2].T + view[:, 2] + 0.5) / FINE - 0.5
    over = covering(rng)
    visible = 1.0
    if over is not None:
        (dx, dy, turn), visible = over
        view = placed(rng, dx, dy, turn, 0.5)
        shadowed(rng, canvas, outline, view)
        paste(canvas, ends[codes[rng.integers(len(codes))]], outline, view)
    return cv2.resize(canvas, CROP_SIZE, interpolation=cv2.INTER_AREA).astype(np.uint8), visible, quad


def bare(rng: np.random.Generator, tile: Image) -> Image:
    """A crop (96, 64, 3) of the ground alone, at any size and turn."""
    scale, turn = math.exp(rng.uniform(math.log(0.25), math.log(3))), rng.uniform(0, 360)
    x, y = rng.uniform(0.2, 0.8, 2) * TILE
    view = cv2.getRotationMatrix2D((x, y), turn, scale)
    view[:, 2] += np.array(CROP_SIZE) / 2 - [x, y]
    source = cv2.GaussianBlur(tile, (0, 0), 0.5 / scale) if scale < 0.7 else tile
    return cv2.warpAffine(source, view, CROP_SIZE, borderMode=cv2.BORDER_REFLECT).astype(np.uint8)


def no_end(rng: np.random.Generator, deck: prints.Print, tile: Image) -> Image:
    """A crop (96, 64, 3) of what a detector may take for an end: a card's middle, a back, a card of another kind, the
    bare table."""
    if rng.random() < 0.2:
        return bare(rng, tile)
    kind = rng.random()
    if kind < 0.45:
        codes = list(deck.faces)
        face = deck.faces[codes[rng.integers(len(codes))]]
        middle = face.shape[0] / 512 + rng.normal(0, 0.3) - rng.uniform(0.3, 0.7)
        top = float(np.clip(middle, deck.index_depth * 0.9, max(deck.index_depth, face.shape[0] / 256 - 1.2)))
    else:
        face = deck.back if kind < 0.6 else prints.other_card(int(rng.integers(1 << 30)))[0]
        top = 0.0 if rng.random() < 0.5 else rng.uniform(0, max(0.1, face.shape[0] / 256 - 1))
    canvas = table_patch(rng, tile)
    turn = (
        math.pi / 2 * rng.integers(4) + rng.normal(0, 0.3)
        if rng.random() < 0.3
        else math.pi * rng.integers(2)
    )
    scale = 1.0 if kind < 0.6 or rng.random() < 0.4 else rng.uniform(1.0, 2.6)
    view = placed(rng, 0, 0, turn, 1.5)
    view[:, :2] *= scale
    view[:, 2] += (1 - scale) * TO_CROP * 0.5
    view = view @ np.array([[1, 0, 0], [0, 1, -top], [0, 0, 1.0]])
    outline = np.full(face.shape[:2], 255, np.uint8)
    shadowed(rng, canvas, outline, view)
    paste(canvas, face, outline, view)
    return cv2.resize(canvas, CROP_SIZE, interpolation=cv2.INTER_AREA).astype(np.uint8)


def lit(rng: np.random.Generator, crop: Image) -> Image:
    """Room light, exposure, tone, gloss and a gradient, as `models.training.lens` gives whole pictures."""
    picture = (crop.astype(np.float32) / 255) ** 2
    warm = rng.normal(0, 0.14)
    gains = np.array([math.exp(warm), math.exp(rng.normal(0, 0.03)), math.exp(-warm)], np.float32)
    slope = np.linspace(-1, 1, CROP_SIZE[1], dtype=np.float32)[:, None, None] * np.float32(
        rng.normal(0, 0.12)
    )
    slant = np.linspace(-1, 1, CROP_SIZE[0], dtype=np.float32)[None, :, None] * np.float32(
        rng.normal(0, 0.08)
    )
    picture = picture * gains * np.float32(math.exp(rng.normal(-0.1, 0.35))) * (1 + slope + slant)
    if rng.random() < 0.1:
        x, y = rng.uniform(0, CROP_SIZE[0]), rng.uniform(0, CROP_SIZE[1])
        ys, xs = np.mgrid[0 : CROP_SIZE[1], 0 : CROP_SIZE[0]].astype(np.float32)
        spot = np.exp(-((xs - x) ** 2 + (ys - y) ** 2) / (2 * rng.uniform(5, 25) ** 2))[..., None]
        picture = picture + spot * np.float32(rng.uniform(0.2, 0.9))
    picture = np.clip(picture, 0, 1) ** np.float32(0.5 * math.exp(rng.normal(0, 0.12)))
    grey = picture.mean(axis=2, keepdims=True)
    picture = grey + (picture - grey) * np.float32(math.exp(rng.normal(0, 0.18)))
    return (np.clip((picture - 0.5) * np.float32(rng.normal(1, 0.13)) + 0.5, 0, 1) * 255).astype(np.uint8)


def softened(rng: np.random.Generator, crop: Image) -> Image:
    """Defocus, shake, low resolution and JPEG."""
    out = crop
    if rng.random() < 0.5:
        out = cv2.GaussianBlur(out, (0, 0), float(abs(rng.normal(0, 1.1)) + 0.2)).astype(np.uint8)
    if rng.random() < 0.35:
        factor = 1 / rng.uniform(1.2, 2.8)
        small = cv2.resize(out, None, fx=factor, fy=factor, interpolation=cv2.INTER_AREA)
        out = cv2.resize(small, CROP_SIZE, interpolation=cv2.INTER_LINEAR).astype(np.uint8)
    if rng.random() < 0.15:
        kernel = np.zeros((7, 7), np.float32)
        angle, reach = rng.uniform(0, math.pi), rng.uniform(1, 3)
        tip = (3 + round(reach * math.cos(angle)), 3 + round(reach * math.sin(angle)))
        cv2.line(kernel, (6 - tip[0], 6 - tip[1]), tip, 1.0)
        out = cv2.filter2D(out, -1, kernel / kernel.sum()).astype(np.uint8)
    if rng.random() < 0.4:
        coded = cv2.imencode(".jpg", out, [cv2.IMWRITE_JPEG_QUALITY, int(rng.uniform(30, 90))])[1]
        out = np.asarray(cv2.imdecode(coded, cv2.IMREAD_COLOR), np.uint8)
    return out


def outline_of(deck: prints.Print, height: int) -> Image:
    """Alpha (height, 256) of one end of a print's cards."""
    outline = np.zeros((height, 256), np.uint8)
    radius = max(1, int(min(deck.corner, 0.5) * 256))
    cv2.rectangle(outline, (0, radius), (255, height), 255, -1)
    cv2.rectangle(outline, (radius, 0), (255 - radius, radius), 255, -1)
    for x in (radius, 255 - radius):
        cv2.circle(outline, (x, radius), radius, 255, -1)
    return outline


def print_crops(rng: np.random.Generator, deck: prints.Print, tile: Image, per_face: int) -> Iterator[Crop]:
    """So many crops of every face of a print, more of those that its family is known by, and crops of no end."""
    rows = int(DEEP * 256)
    ends = {code: np.ascontiguousarray(face[:rows]) for code, face in deck.faces.items()}
    outline = outline_of(deck, min(rows, next(iter(ends.values())).shape[0]))
    marks, more = FAMILY_MARKS.get(deck.family, ("", 1))
    for code in ends:
        for _ in range(per_face * (more if marks and code.endswith(marks) else 1)):
            crop, visible, quad = compose(rng, outline, ends, code, tile)
            yield deck.deck, code, softened(rng, lit(rng, crop)), visible, quad
            if rng.random() < OTHERS_SHARE:
                yield deck.deck, "", softened(rng, lit(rng, no_end(rng, deck, tile))), 1.0, SQUARE


def a_print(rng: np.random.Generator, split: str) -> prints.Print:
    """A new print, half of them of a family of forms."""
    name = DECKS[rng.integers(3)]
    family = next(family for family, deck in prints.FAMILIES.items() if deck == name)
    seed = int(rng.integers(10_000, 1 << 30))
    return prints.make_print(name, seed, split, family if rng.random() < FAMILY_SHARE else "")


def fresh_crops(rng: np.random.Generator, split: str) -> Iterator[Crop]:
    """Crops of new prints for ever; another print every few hundred."""
    for number in count():
        if number % PRINTS_PER_GROUND == 0:
            tile = ground(rng, split)
        yield from print_crops(rng, a_print(rng, split), tile, PER_FACE)


def kept() -> Iterator[Crop]:
    """The crops that `main` drew beforehand, of prints in any order."""
    for path in KEPT.glob("*.npz"):
        with np.load(path) as held:
            deck = str(held["deck"])
            for row in zip(held["codes"], held["crops"], held["visible"], held["quads"], strict=True):
                code, crop, visible, quad = row
                yield deck, str(code), crop, float(visible), quad


def main() -> None:
    """Draw crops of new prints into the cache, a file for each print."""
    parser = argparse.ArgumentParser(description=main.__doc__)
    parser.add_argument("--prints", type=int, default=200)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--per-face", type=int, default=3)
    args = parser.parse_args()
    KEPT.mkdir(parents=True, exist_ok=True)
    cv2.setNumThreads(1)
    for number in range(args.first, args.first + args.prints):
        rng = np.random.default_rng([number, 9])
        rows = list(print_crops(rng, a_print(rng, "train"), ground(rng, "train"), args.per_face))
        decks, codes, crops, visible, quads = zip(*rows, strict=True)
        partial = KEPT / f"{number:05d}.part"
        with partial.open("wb") as file:
            np.savez(file, deck=decks[0], codes=codes, crops=crops, visible=visible, quads=quads)
        partial.rename(KEPT / f"{number:05d}.npz")


if __name__ == "__main__":
    main()
