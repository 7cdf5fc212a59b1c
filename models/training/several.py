"""Several photographs of one hand, rendered and read: ``python -m models.training.several --hands 45``.

Each hand is laid out once and photographed from two places, each time in another light and with other things lying
about, and twice more through the live view that was open before the first photograph: smaller frames, by a hand that
shakes a little, in the same light. Files and truth lie in ``several-SPLIT`` of the cache; then they are read one by
one and together (`vision.merge`) and counted as `vision.evaluate` counts, against what any of them shows.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from multiprocessing import Pool
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.training import prints
from models.training.camera import Camera
from models.training.layout import Pose, Size, lay_out
from models.training.lens import blurred, expose, grained, tinted
from models.training.photograph import End, Image, Item, photograph, pixel_scale
from models.training.scenes import CACHE, DECKS, choose_camera, dealt_items, with_strangers
from models.training.tables import ground
from vision.evaluate import Counts, compare
from vision.read import Reader
from vision.truth import TrueCard, TrueEnd, TruePhoto

LEAST_CARDS, MOST_CARDS = 5, 40  # of a hand; a whole deck is no hand
PHOTOGRAPHS = ("a", "b")  # the two names; those of the live view's frames are live0 and live1
FRAME_SIDE, FRAME_QUALITY = 1280, 80  # px and JPEG quality of what the live view sends
SHAKE_TURN, SHAKE_MM = 0.015, 4.0  # radians and mm by which a hand moves between two frames


def a_hand(rng: np.random.Generator, size: Size) -> tuple[str, list[Pose]]:
    """A layout of as many cards as a hand has."""
    while True:
        layout, poses = lay_out(rng, size)
        if LEAST_CARDS <= len(poses) <= MOST_CARDS:
            return layout, poses


def shaken(rng: np.random.Generator, camera: Camera) -> Camera:
    """The camera a moment before, as large as a frame of the live view."""
    turn, _ = cv2.Rodrigues(rng.normal(0, SHAKE_TURN, 3))
    move = np.eye(4)
    move[:3, :3], move[:3, 3] = turn, rng.normal(0, SHAKE_MM, 3)
    scale = min(1.0, FRAME_SIDE / max(camera.width, camera.height))
    smaller = np.diag([scale, scale, 1.0])
    return Camera(smaller @ camera.matrix @ move, round(camera.width * scale), round(camera.height * scale))


def scene_of(rng: np.random.Generator, number: int, split: str) -> tuple[prints.Print, str, list[Item]]:
    """The print, the name of the layout and everything that lies on the table."""
    deck = prints.make_print(DECKS[number % 3], number, split)
    size = Size(deck.width_mm, deck.height_mm)
    layout, poses = a_hand(rng, size)
    return deck, layout, with_strangers(rng, dealt_items(rng, deck, poses, size), deck, size, "usual")


def taken(
    light: Sequence[int], camera: Camera, tile: Image, deck: prints.Print, items: Sequence[Item]
) -> tuple[Image, list[End], float]:
    """The table in the light that the seed ``light`` stands for, its ends, and the width of a card in px."""
    rng = np.random.default_rng(light)
    things, hands = int(rng.choice([0, 1, 2, 5], p=[0.5, 0.2, 0.2, 0.1])), int(rng.random() < 0.2)
    image, ends = photograph(rng, camera, tile, items, gloss=deck.gloss, clutter=things, hands=hands)
    return image, ends, float(np.clip(pixel_scale(camera, items) * deck.width_mm, 20, 150))


def render(job: tuple[str, int, Path]) -> int:
    """Photograph one hand unless it is there; returns its number."""
    split, number, folder = job
    index = folder / f"{number:05d}.json"
    if index.exists():
        return number
    cv2.setNumThreads(1)
    rng = np.random.default_rng([number, 2])
    deck, layout, items = scene_of(rng, number, split)
    tile = ground(rng, split)
    cameras = [choose_camera(rng, items, Size(deck.width_mm, deck.height_mm)) for _ in range(2)]
    shots: list[dict[str, object]] = []

    def keep(name: str, picture: Image, quality: int, ends: Sequence[End]) -> None:
        file = f"{number:05d}-{name}.jpg"
        cv2.imwrite(str(folder / file), picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, quality])
        shots.append({"name": name, "file": file, "ends": [row(end) for end in ends]})

    for k, camera in enumerate(cameras):
        image, ends, detail = taken([number, 3 + k], camera, tile, deck, items)
        keep("ab"[k], *expose(np.random.default_rng([number, 5 + k]), image, detail), ends)
    for k in range(2):
        image, ends, detail = taken([number, 3], shaken(rng, cameras[0]), tile, deck, items)
        lit = tinted(np.random.default_rng([number, 5]), image)
        keep(f"live{k}", grained(rng, blurred(rng, lit, detail)), FRAME_QUALITY, ends)
    facts = {"deck": deck.deck, "print": deck.id, "layout": layout, "shots": shots}
    index.write_text(json.dumps(facts))
    return number


def row(end: End) -> dict[str, object]:
    """One end as JSON."""
    return {
        "card": end.card,
        "end": end.end,
        "code": end.code,
        "pile": end.pile,
        "quad": np.round(end.quad, 1).tolist(),
        "visible": round(end.visible, 3),
    }


def truth(hand: dict[str, Any], base: str) -> TruePhoto:
    """The cards that either photograph shows, in px of the base photograph."""
    shots = {shot["name"]: shot for shot in hand["shots"]}
    cards: dict[int, list[TrueEnd]] = {}
    facts: dict[int, tuple[str, int]] = {}
    for number, end in enumerate(shots[base]["ends"]):
        if end["code"]:
            shown = max(shots[name]["ends"][number]["visible"] for name in PHOTOGRAPHS)
            cards.setdefault(end["card"], []).append(TrueEnd(np.array(end["quad"], np.float64), shown))
            facts[end["card"]] = end["code"], end["pile"]
    true = tuple(TrueCard(*facts[card], tuple(ends)) for card, ends in cards.items())
    return TruePhoto(shots[base]["file"], hand["deck"], hand["layout"], true)


def measured(reader: Reader, folder: Path, hand: dict[str, Any]) -> dict[str, Counts]:
    """Counts of one hand by the way of reading it."""
    files = {shot["name"]: shot["file"] for shot in hand["shots"]}

    def read(names: Sequence[str], base: int | None = 0) -> tuple[str, Counts, bool]:
        data = [(folder / files[name]).read_bytes() for name in names]
        found = reader.read_together(data, names=names, base=base)
        return found[0].file, compare(truth(hand, found[0].file), found[0].cards)[0], len(found) > 1

    base, as_one, refused = read(PHOTOGRAPHS, None)
    return {
        "the first photograph": read(["a"])[1],
        "the better photograph": read([base])[1],
        "two photographs as one": as_one,
        "of these refused": Counts(photos=int(refused)),
        "the first with one live frame": read(["a", "live0"])[1],
        "the first with two live frames": read(["a", "live0", "live1"])[1],
    }


def table(ways: dict[str, Counts]) -> str:
    """The counts as rows of Markdown."""
    lines = ["| | hands | found | right | extra | clean | one_off | silent | flagged |", "|---" * 9 + "|"]
    for way, n in ways.items():
        cards, photos = max(1, n.cards), max(1, n.photos)
        shares = [n.found / cards, n.right / cards]
        hundreds = [100 * n.extra / cards, 100 * n.silent / cards, 100 * n.flagged / cards]
        whole = f"{n.clean / photos:.3f} | {n.one_off / photos:.3f}"
        lines.append(
            f"| {way} | {n.photos} | {shares[0]:.4f} | {shares[1]:.4f} | {hundreds[0]:.2f} | {whole} | "
            f"{hundreds[1]:.2f} | {hundreds[2]:.2f} |"
        )
    return "\n".join(lines)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--split", choices=("train", "held"), default="held")
    parser.add_argument("--hands", type=int, default=45)
    parser.add_argument("--first", type=int, default=600, help="number of the first hand")
    parser.add_argument("--folder", type=Path, help="where the photographs lie (default: in the cache)")
    parser.add_argument("--workers", type=int, default=2)
    args = parser.parse_args()
    folder = args.folder or CACHE / f"several-{args.split}"
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [(args.split, number, folder) for number in range(args.first, args.first + args.hands)]
    with Pool(args.workers) as pool:
        for done, number in enumerate(pool.imap_unordered(render, jobs), 1):
            print(f"\r{done}/{len(jobs)} hands (last {number})", end="", flush=True)
    print()
    reader, total = Reader(threads=args.workers), dict[str, Counts]()
    for _, number, _ in jobs:
        ways = measured(reader, folder, json.loads((folder / f"{number:05d}.json").read_text()))
        total = {way: total.get(way, Counts()) + counts for way, counts in ways.items()}
    print(table(total))


if __name__ == "__main__":
    main()
