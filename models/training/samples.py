"""Draw the sample photographs that the page offers and the tests read: ``python -m models.training.samples``.

Winning hands of every game in prints and on grounds of the held-out split, a deck laid out, and a table without a
card; each with its truth beside it. They are drawn, not taken: the page says so.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from models.training import prints
from models.training.camera import aim
from models.training.layout import Local, MeldShape, Pose, Size, cascade, in_lines, row, turned
from models.training.lens import expose
from models.training.photograph import Item, photograph, pixel_scale
from models.training.tables import ground

ROOT = Path(__file__).resolve().parent.parent.parent
PAGE = ROOT / "webui" / "static" / "samples"
TESTS = ROOT / "datasets" / "samples"
SIZE = (1600, 1200)


@dataclass(frozen=True)
class Sample:
    """One photograph: its file name, game, deck, melds as people set them out, shape of a meld and seed."""

    name: str
    rules: str
    deck: str
    melds: tuple[str, ...]
    shape: MeldShape
    seed: int


SAMPLES = (
    Sample(
        "shihu",
        "shihu",
        "sise",
        ("rP yP gP wP", "rP yP gP", "rR rR rR", "rN rN rN", "rC rC rC", "gA gA", "wB wB wB"),
        cascade,
        31,
    ),
    Sample(
        "zipai",
        "zipai",
        "zipai",
        ("b5 b5 b5", "b6 b6 b6", "s1 s2 s3", "s2 s7 s10", "s4 s5 s6", "s8 s8 b8", "s9 s9 b9"),
        cascade,
        12,
    ),
    Sample(
        "yaodiren",
        "yaodiren",
        "chuanpai",
        (
            "1-1 1-1 1-1",
            "4-4 4-4 4-4",
            "1-4 1-4 1-4",
            "3-3 3-3 3-3",
            "2-4 2-4 2-4",
            "1-3 5-5 1-3",
            "1-6 2-5 3-4",
        ),
        cascade,
        13,
    ),
    Sample(
        "chuanpai",
        "chuanpai",
        "chuanpai",
        ("1-1 4-4", "6-6 2-6", "1-3 1-5", "2-2 3-3", "5-6 4-5", "1-4 2-3", "4-6 5-5", "1-2 1-6"),
        row,
        34,
    ),
    Sample(
        "guangshui",
        "guangshui",
        "sise",
        (
            "rA rA rA",
            "yA yA yA",
            "gA gA gA",
            "wA wA wA",
            "rB rB",
            "rR rR",
            "yN yN",
            "yC yC",
            "gB gB",
            "gR gR",
            "wN wN",
            "wC wC",
            "rP rP",
            "gK",
        ),
        cascade,
        15,
    ),
    Sample(
        "tusac",
        "tusac",
        "sise",
        ("rK rA rB", "rR rC rN", "rP gP yP", "yN yN yN", "wR wR", "gA gA", "wB wB", "wC wC", "gK"),
        cascade,
        44,
    ),
    Sample(
        "paohuzi",
        "paohuzi",
        "zipai",
        ("b2 b2 b2", "s2 s7 s10", "b10 b10 b10", "s1 s2 s3", "s4 s5 s6", "s8 s8 b8", "s9 s9 b9"),
        cascade,
        47,
    ),
    Sample(
        "daer",
        "daer",
        "zipai",
        ("b6 b6 b6", "s8 s8 s8", "s9 s9 s9", "s1 s2 s3", "s2 s7 s10", "b1 b2 b3", "s5 s5 b5"),
        cascade,
        43,
    ),
)


def posed(rng: np.random.Generator, sample: Sample, size: Size) -> list[tuple[str, Pose]]:
    """The cards of a sample with their poses, in the order of laying down."""
    groups: list[Local] = []
    for meld in sample.melds:
        groups.append(turned(sample.shape(rng, len(meld.split()), size), rng.normal(0, 0.03), 0, 0))
    placed = in_lines(rng, groups, size, 7, size.width * 0.5)
    return [
        (code, Pose(x, y, a, pile, abs(rng.normal(0, 0.5))))
        for pile, (meld, group) in enumerate(zip(sample.melds, placed, strict=True))
        for code, (x, y, a) in zip(meld.split(), group, strict=True)
    ]


def shoot(
    rng: np.random.Generator, deck: prints.Print, cards: Sequence[tuple[str, Pose]], path: Path
) -> None:
    """Photograph cards from about above and save the JPEG."""
    size = Size(deck.width_mm, deck.height_mm)
    items = [Item(deck.faces[code], size, pose, code, deck.corner, deck.index_depth) for code, pose in cards]
    corners = [
        [p.x + dx, p.y + dy, 0.0]
        for _, p in cards
        for dx in (-size.height / 2, size.height / 2)
        for dy in (dx, -dx)
    ]
    points = np.array(corners or [[-150.0, -110, 0], [150, 110, 0]])
    camera = aim(rng, points, *SIZE, pitch=0.3, roll=float(rng.normal(0, 0.04)), fill=0.95)
    clutter = 0 if cards else 4
    image, _ = photograph(
        rng, camera, ground(rng, "held"), items, gloss=0.3, clutter=clutter, hands=0 if cards else 1
    )
    picture, _ = expose(rng, image, pixel_scale(camera, items) * size.width)
    cv2.imwrite(str(path), picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 82])


def main() -> None:
    """Draw all samples."""
    PAGE.mkdir(parents=True, exist_ok=True)
    TESTS.mkdir(parents=True, exist_ok=True)
    listed = []
    for sample in SAMPLES:
        rng = np.random.default_rng(sample.seed)
        deck = prints.make_print(sample.deck, 900_000 + sample.seed, "held")
        cards = posed(rng, sample, Size(deck.width_mm, deck.height_mm))
        shoot(rng, deck, cards, PAGE / f"{sample.name}.jpg")
        truth = {
            "file": f"{sample.name}.jpg",
            "rules": sample.rules,
            "deck": sample.deck,
            "hand": " ".join(code for code, _ in cards),
            "piles": [meld.split() for meld in sample.melds],
        }
        listed.append(truth)
    (PAGE / "samples.json").write_text(json.dumps(listed, ensure_ascii=False, indent=1) + "\n")
    rng = np.random.default_rng(99)
    shoot(rng, prints.make_print("zipai", 900_099, "held"), [], TESTS / "no-card.jpg")


if __name__ == "__main__":
    main()
