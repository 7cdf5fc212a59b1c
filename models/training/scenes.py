"""Render training scenes into the cache: ``python -m models.training.scenes --split train --chunks 600``.

A chunk is one print in ``SCENES_PER_CHUNK`` scenes: JPEG files and one JSON line each. A chunk is drawn from its own
number alone, so an interrupted run goes on where it stopped and every machine draws the same scenes.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Sequence
from dataclasses import replace
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.training import prints
from models.training.camera import Camera, aim
from models.training.layout import Pose, Size, lay_out
from models.training.lens import expose
from models.training.photograph import End, Item, photograph, pixel_scale
from models.training.strangers import another_game, stranger
from models.training.tables import ground

SCENES_PER_CHUNK = 4
DECKS = ("chuanpai", "sise", "zipai")
EMPTY_SHARE = 0.15  # scenes without a card of ours
GAMES = 0.5  # of these, share on which another game is played
# What a run draws: the usual mixture, or our cards in little room, or only scenes without a card at all, or such with
# cards of other kinds, or with other games.
KINDS = ("usual", "crowded", "bare", "strangers", "games")
WITH_CARDS = ("usual", "crowded")
STRANGERS = {
    "usual": (0.2, 0.8),
    "crowded": (0.2, 0.8),
    "bare": (0.0, 0.0),
    "strangers": (1.0, 1.0),
    "games": (0.0, 0.0),
}  # chance beside our cards, alone
MOST_PITCH = 1.13  # radians: somebody who sits photographs the table from aside
SIDES = ((4, 3), (3, 4), (16, 9), (9, 16), (1, 1))
CACHE = Path(os.environ.get("PAIYAN_CACHE", "~/.cache/paiyan")).expanduser()


def dealt(rng: np.random.Generator, codes: Sequence[str], copies: int, n: int) -> list[str]:
    """``n`` cards of a shuffled deck with ``copies`` of each face, neighbours often alike as in melds."""
    deck = [code for code in codes for _ in range(copies)]
    order = rng.permutation(len(deck))
    cards = [deck[i] for i in order[:n]]
    if rng.random() < 0.4:
        cards = sorted(cards, key=lambda code: (codes.index(code), rng.random()))
    while len(cards) < n:
        cards.append(str(rng.choice(codes)))
    return cards


def with_strangers(
    rng: np.random.Generator, items: list[Item], deck: prints.Print, size: Size, kind: str
) -> list[Item]:
    """Some cards turned face down, a draw pile, and cards of other kinds among the items."""
    mixed = list(items)
    down = rng.choice([0.0, 0.05, 0.3], p=[0.6, 0.3, 0.1])
    mixed = [replace(i, face=deck.back, code="") if rng.random() < down else i for i in mixed]
    xs = [i.pose.x for i in items] or [0.0]
    ys = [i.pose.y for i in items] or [0.0]
    reach = size.height

    def anywhere() -> Pose:
        x = rng.uniform(min(xs) - reach, max(xs) + reach)
        y = rng.uniform(min(ys) - reach, max(ys) + reach)
        return Pose(x, y, rng.uniform(0, 2 * np.pi), -1)

    if kind != "bare" and rng.random() < 0.2:
        pile = anywhere()
        for _ in range(int(rng.integers(1, 5))):
            near = replace(
                pile,
                x=pile.x + rng.normal(0, 2),
                y=pile.y + rng.normal(0, 2),
                angle=pile.angle + rng.normal(0, 0.05),
            )
            mixed.insert(0, Item(deck.back, size, near, "", deck.corner, 1.0))
    if rng.random() < STRANGERS[kind][not items]:
        for _ in range(int(rng.integers(1, 9))):
            mixed.insert(0, stranger(rng, anywhere()))
    return mixed


def laid(deck: prints.Print, codes: Sequence[str], poses: Sequence[Pose], size: Size) -> list[Item]:
    """A card of these codes at every pose."""
    return [
        Item(deck.faces[code], size, pose, code, deck.corner, deck.index_depth)
        for code, pose in zip(codes, poses, strict=True)
    ]


def dealt_items(
    rng: np.random.Generator, deck: prints.Print, poses: Sequence[Pose], size: Size
) -> list[Item]:
    """A face for every pose."""
    return laid(deck, dealt(rng, list(deck.faces), 4, len(poses)), poses, size)


def surroundings(items: Sequence[Item], size: Size) -> list[list[float]]:
    """Points (x, y, 0) mm around the items, half a card's height from their middles."""
    reach = size.height / 2
    return [
        [i.pose.x + sx * reach, i.pose.y + sy * reach, 0.0] for i in items for sx in (-1, 1) for sy in (-1, 1)
    ]


def picture_size(rng: np.random.Generator, aspect: float) -> tuple[int, int]:
    """Width and height of a scene's picture; the phone is mostly turned to suit the scene's ``aspect``."""
    long = int(rng.choice([1024, 1280, 1600, 1920], p=[0.15, 0.35, 0.35, 0.15]))
    a, b = SIDES[rng.choice(len(SIDES), p=[0.36, 0.36, 0.12, 0.12, 0.04])]
    if rng.random() < 0.7 and (a > b) != (aspect > 1):
        a, b = b, a
    scale = long / max(a, b)
    return int(a * scale), int(b * scale)


def choose_camera(rng: np.random.Generator, items: Sequence[Item], size: Size) -> Camera:
    """A camera that sees the items as a phone held over the table does."""
    corners = surroundings(items, size) or [[-150.0, -150, 0], [150, 150, 0], [-150, 150, 0], [150, -150, 0]]
    spread = np.ptp(np.array(corners), axis=0)
    width, height = picture_size(rng, float(spread[0] / spread[1]))
    pitch = abs(rng.normal(0, 0.4)) if rng.random() < 0.6 else rng.uniform(0.4, MOST_PITCH)
    roll = rng.normal(0, 0.1) + (rng.uniform(-np.pi, np.pi) if rng.random() < 0.15 else 0)
    fill = rng.uniform(0.6, 1.25)
    return aim(
        rng,
        np.array(corners),
        width,
        height,
        pitch=float(min(pitch, MOST_PITCH)),
        roll=float(roll),
        fill=float(fill),
    )


def compose(
    rng: np.random.Generator, deck: prints.Print, split: str, kind: str
) -> tuple[np.ndarray, list[End], str, int]:
    """One finished picture of a print: RGB, ends, layout name, JPEG quality."""
    size = Size(deck.width_mm, deck.height_mm)
    layout, poses = lay_out(rng, size, kind == "crowded")
    items = dealt_items(rng, deck, poses, size)
    if rng.random() < EMPTY_SHARE or kind not in WITH_CARDS:
        layout, items = "none", []
    played = kind == "games" or (not items and kind == "usual" and rng.random() < GAMES)
    scene = another_game(rng) if played else with_strangers(rng, items, deck, size, kind)
    camera = choose_camera(rng, items or scene, size)
    clutter = int(rng.choice([0, 1, 2, 5], p=[0.5, 0.2, 0.2, 0.1])) + (3 if not items else 0)
    hands = int(rng.random() < (0.35 if layout in ("fan", "none") else 0.12))
    image, ends = photograph(
        rng, camera, ground(rng, split), scene, gloss=deck.gloss, clutter=clutter, hands=hands
    )
    detail = pixel_scale(camera, scene) * size.width
    picture, quality = expose(rng, image, float(np.clip(detail, 20, 150)))
    return picture, ends, layout, quality


def record(ends: Sequence[End]) -> dict[str, Any]:
    """What a scene's JSON line says of its ends: ours under ``ends``, everything else under ``others``."""
    ours, others = [], []
    for end in ends:
        quad = np.round(end.quad, 1).ravel().tolist()
        if not end.code:
            others.append({"quad": quad, "visible": round(end.visible, 3)})
            continue
        ours.append(
            {
                "card": end.card,
                "end": end.end,
                "code": end.code,
                "pile": end.pile,
                "quad": quad,
                "visible": round(end.visible, 3),
            }
        )
    return {"ends": ours, "others": others}


def make_chunk(job: tuple[str, str, str | None, int, Path, int]) -> int:
    """Render one chunk of so many scenes unless it is there; returns its number."""
    split, kind, family, chunk, folder, number = job
    index = folder / f"{chunk:05d}.jsonl"
    if index.exists():
        return chunk
    cv2.setNumThreads(1)
    rng = np.random.default_rng([chunk, 0 if split == "train" else 1])
    name = prints.FAMILIES[family] if family else DECKS[chunk % 3]
    deck = prints.make_print(name, chunk, split, family)
    lines = []
    for k in range(number):
        picture, ends, layout, quality = compose(rng, deck, split, kind)
        file = f"{chunk:05d}-{k}.jpg"
        cv2.imwrite(str(folder / file), picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
        size = {"width": picture.shape[1], "height": picture.shape[0]}
        lines.append(
            json.dumps(
                {"file": file, "deck": deck.deck, "print": deck.id, "layout": layout, **size, **record(ends)}
            )
        )
    partial = index.with_suffix(".part")
    partial.write_text("\n".join(lines) + "\n")
    partial.rename(index)
    return chunk


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=("train", "held"), default="train")
    parser.add_argument(
        "--chunks", type=int, default=600, help="prints to photograph, in --scenes scenes each"
    )
    parser.add_argument("--scenes", type=int, default=SCENES_PER_CHUNK, help="scenes of each print")
    parser.add_argument("--first", type=int, default=0, help="number of the first chunk")
    parser.add_argument("--kind", choices=KINDS, default="usual")
    parser.add_argument(
        "--family", choices=list(prints.FAMILIES), help="only prints with these forms (default: as they come)"
    )
    parser.add_argument("--plain", action="store_true", help="only prints without the forms of any family")
    parser.add_argument("--name", help="folder in the cache (default: scenes-SPLIT, with KIND and FAMILY)")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    said = [args.kind] * (args.kind != "usual") + [args.family] * (args.family is not None)
    folder = CACHE / (args.name or "-".join(["scenes", args.split, *said]))
    folder.mkdir(parents=True, exist_ok=True)
    family = "" if args.plain else args.family
    chunks = range(args.first, args.first + args.chunks)
    jobs = [(args.split, args.kind, family, chunk, folder, args.scenes) for chunk in chunks]
    with Pool(args.workers) as pool:
        for done, chunk in enumerate(pool.imap_unordered(make_chunk, jobs), 1):
            print(f"\r{done}/{len(jobs)} chunks (last {chunk})", end="", flush=True)
    print()


if __name__ == "__main__":
    main()
