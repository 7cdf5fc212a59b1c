"""Draws synthetic decks ("prints") of 川牌, 四色牌 and 字牌, their backs, and cards that are none of these.

Every print is drawn from its seed alone; `split` "held" uses fonts that "train" never does. Pictures are RGB uint8
(H, 256, 3): 256 px is the card's width.
"""

from collections.abc import Callable
from dataclasses import dataclass

import cv2
import numpy as np

from models.training.prints import chuanpai, ink, sise, zipai
from models.training.prints.backs import back
from models.training.prints.chuanpai import Faces
from models.training.prints.ink import WIDTH, Box, Image, Layer, Picture, Rng, Wear
from models.training.prints.others import other_card
from models.training.prints.pieces import board, round_piece, upright_tile

__all__ = [
    "FAMILIES",
    "Print",
    "board",
    "contact_sheet",
    "make_print",
    "other_card",
    "round_piece",
    "upright_tile",
]

SPLITS = ("train", "held")
JOKERS = frozenset("CTW")


@dataclass(frozen=True)
class Print:
    """One printed deck: its faces, back and make.

    `corner` is the corner radius in card widths (0.5 = semicircular ends). `index_box` (x0, y0, x1, y1) is where, in
    card widths from the top left corner, the ink of the indices lies over all faces; `index_depth` is how far from the
    short edge they reach. `gloss` 0 is paper, 1 shiny plastic. `family` is the family of forms it is of, or "".
    """

    id: str
    deck: str
    width_mm: float
    height_mm: float
    corner: float
    index_depth: float
    index_box: Box
    faces: dict[str, Image]
    back: Image
    gloss: float
    family: str


@dataclass(frozen=True)
class _Make:
    """Size and stock of one print."""

    width_mm: float
    height_mm: float
    corner: float


def _make_chuanpai(rng: Rng) -> _Make:
    width = float(np.clip(rng.normal(34, 2.5), 27, 40))
    ratio = float(np.clip(rng.normal(3.9, 0.4), 2.8, 4.5))
    return _Make(width, width * ratio, rng.uniform(0.02, 0.2))


def _make_sise(rng: Rng) -> _Make:
    width = float(np.clip(rng.normal(20, 2), 16, 27))
    ratio = rng.uniform(3.1, 5.2)
    corner = 0.0 if rng.random() < 0.5 else rng.uniform(0.03, 0.25)
    return _Make(width, width * ratio, 0.5 if rng.random() < 0.04 else corner)


def _make_zipai(rng: Rng) -> _Make:
    ratio = rng.uniform(3.0, 4.6)
    width = rng.uniform(22, 37)
    return _Make(width, width * ratio, 0.5 if rng.random() < 0.45 else rng.uniform(0.03, 0.25))


def _papers(rng: Rng, deck: str) -> dict[str, ink.Colour]:
    """Return face colour by the first letter of a code; "" stands for every other letter."""
    if deck == "sise":
        return sise.make_papers(rng)
    cream, white, grey, yellow = (229, 229, 212), (244, 243, 239), (214, 218, 224), (236, 222, 182)
    bases = (cream, white, grey, yellow)
    shares = [0.4, 0.35, 0.08, 0.17] if deck == "chuanpai" else [0.25, 0.48, 0.17, 0.1]
    return {"": ink.vary(rng, bases[int(rng.choice(4, p=shares))], 3.5)}


# Families of forms: what a network that never met one cannot know. Each is drawn by chance, on purpose, or not at all.
FAMILIES = {"pen": "sise", "emblem": "zipai", "stair": "chuanpai"}
_DECKS: dict[str, tuple[Callable[[Rng], _Make], Callable[[Rng, int, str, str | None], Faces]]] = {
    "chuanpai": (_make_chuanpai, chuanpai.faces),
    "sise": (_make_sise, sise.faces),
    "zipai": (_make_zipai, zipai.faces),
}


def make_print(deck: str, seed: int, split: str, family: str | None = None) -> Print:
    """Draw the print `seed` of `deck` ("chuanpai", "sise", "zipai") for `split` ("train", "held").

    `family` is the deck's family of forms (`FAMILIES`), "" for none of them; None leaves it to chance.

    Raises
    ------
    ValueError
        For an unknown deck or split, or a family of another deck.
    FontsMissingError
        When the fonts are not installed.
    """
    if deck not in _DECKS or split not in SPLITS:
        raise ValueError(f"no such print: deck {deck!r}, split {split!r}")
    if family and FAMILIES.get(family) != deck:
        raise ValueError(f"{deck} has no family {family!r}")
    rng = np.random.default_rng([SPLITS.index(split), list(_DECKS).index(deck), seed])
    make, draw = _DECKS[deck]
    stock = make(rng)
    height = ink.height_px(stock.width_mm, stock.height_mm)
    papers = {key: ink.paper(rng, height, colour) for key, colour in _papers(rng, deck).items()}
    wear = ink.make_wear(rng)
    faces = draw(rng, height, split, family)
    pictures = {}
    for code in faces.ends:
        sheet = papers[code[0]] if code[0] in papers else papers[""]
        pictures[code] = _print_face(rng, sheet, faces.ends[code], faces.wholes[code], wear)
    box = _index_box(faces)
    return Print(
        f"{deck}-{split}-{seed}",
        deck,
        stock.width_mm,
        stock.height_mm,
        stock.corner,
        box[3],
        box,
        pictures,
        back(rng, height, split == "held"),
        float(rng.random() ** 1.3) if stock.corner > 0 else rng.uniform(0, 0.5),
        faces.family,
    )


def _index_box(faces: Faces) -> Box:
    ordinary = [layers for code, layers in faces.ends.items() if code not in JOKERS]
    boxes = np.array([ink.box_of(layer.mask) for layers in ordinary for layer in layers])
    boxes = boxes[boxes[:, 2] > 0]
    x0, y0 = boxes[:, :2].min(0)
    x1, y1 = boxes[:, 2:].max(0)
    return float(x0), float(y0), float(x1), float(y1)


def _print_face(rng: Rng, sheet: Picture, ends: list[Layer], wholes: list[Layer], wear: Wear) -> Image:
    """Print the end's ink at both ends and the rest once, a little off, then wear the card."""
    picture = sheet + np.float32(rng.normal(0, 1.2))
    strength = ink.ink_strength(rng, wear, sheet.shape[0])
    drift = [(int(dx), int(dy)) for dx, dy in np.round(rng.normal(0, wear.drift, (2, 2)))]
    half = sheet.shape[0] // 2
    for layer in ends:
        for view, (dx, dy) in ((picture, drift[0]), (picture[::-1, ::-1], drift[1])):
            moved = ink.shift(layer.mask, dx, dy)[:half]
            ink.stamp(view, Layer(moved, layer.colour), strength)
    for layer in wholes:
        ink.stamp(picture, layer, strength[layer.top :])
    ink.dirty(rng, picture, wear)
    return ink.finish(picture)


def contact_sheet(deck: Print, columns: int = 14, width: int = 90) -> Image:
    """Return all faces and the back of a print side by side, each `width` px wide, for looking at."""
    tiles = [*deck.faces.values(), deck.back]
    height = round(width * tiles[0].shape[0] / WIDTH)
    rows = -(-len(tiles) // columns)
    sheet = np.full((rows * (height + 8), columns * (width + 8), 3), 70, np.uint8)
    for i, tile in enumerate(tiles):
        y, x = (i // columns) * (height + 8) + 4, (i % columns) * (width + 8) + 4
        sheet[y : y + height, x : x + width] = cv2.resize(tile, (width, height), interpolation=cv2.INTER_AREA)
    return sheet
