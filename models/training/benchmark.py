"""A benchmark of drawn photographs that everybody can draw again: ``python -m models.training.benchmark --version 1``.

A version is a list of held-out scenes, drawn from their numbers, and what each picture must come out as: its SHA-256,
and its colours on a grid of `GRID` places for machines on which libraries round otherwise. Nothing in it is anybody's
art. Renders into the cache where it is missing, says whether it is the same, then measures: knowing nothing, and with
each print taught from its own photo with most cards, which is then left out. ``--pin`` writes down a new version.
"""

from __future__ import annotations

import argparse
import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from multiprocessing import Pool
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import cv2
import numpy as np

from models.training.measure import write
from models.training.measure_corrections import by_design, taught
from models.training.measure_lights import copy_in
from models.training.scenes import CACHE, make_chunk
from vision.evaluate import Marked, measured, summary
from vision.read import Reader
from vision.truth import TruePhoto

PINS = Path(__file__).resolve().parents[2] / "datasets" / "synthetic"
GRID = (8, 6)  # places across and down at which a picture's colours are written down
NEAR = 1.0  # grey levels by which they may differ
SHOWN = ("photos", "cards", "right", "silent", "flagged", "clean")


@dataclass(frozen=True)
class Version:
    """Chunks of the held-out split, from the first so many, and the lights that they are also seen in."""

    first: int
    chunks: int
    lights: tuple[str, ...]


VERSIONS = {1: Version(0, 6, ("candle", "dim"))}


def folder_of(version: int) -> Path:
    """Where a version lies in the cache."""
    return CACHE / f"benchmark-{version}"


def draw(version: int) -> Path:
    """Render what is missing of a version; returns its folder."""
    wanted, folder = VERSIONS[version], folder_of(version)
    folder.mkdir(parents=True, exist_ok=True)
    jobs = [
        ("held", "usual", "", chunk, folder, 4) for chunk in range(wanted.first, wanted.first + wanted.chunks)
    ]
    with Pool(2) as pool:
        list(pool.imap_unordered(make_chunk, jobs))
    write(folder)
    return folder


def mark_of(path: Path) -> dict[str, Any]:
    """What a picture came out as."""
    data = path.read_bytes()
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise ValueError(f"{path} is no picture")
    small = cv2.resize(picture[..., ::-1], GRID, interpolation=cv2.INTER_AREA)
    return {"sha256": hashlib.sha256(data).hexdigest(), "grid": small.reshape(-1).tolist()}


def same(version: int, folder: Path) -> tuple[int, int, int]:
    """How many pictures there are, how many have the same bytes, how many of the others the same colours."""
    pinned = json.loads((PINS / f"benchmark-{version}.json").read_text("utf-8"))
    equal = near = 0
    for name, mark in pinned.items():
        mine = mark_of(folder / name)
        equal += mine["sha256"] == mark["sha256"]
        apart = np.abs(np.array(mine["grid"], float) - np.array(mark["grid"], float)).max()
        near += mine["sha256"] != mark["sha256"] and apart <= NEAR
    return len(pinned), equal, near


def pin(version: int, folder: Path) -> None:
    """Write down what the pictures of a version came out as."""
    marks = {path.name: mark_of(path) for path in sorted(folder.glob("*.jpg"))}
    (PINS / f"benchmark-{version}.json").write_text(json.dumps(marks, separators=(",", ":")) + "\n", "utf-8")


def read_all(
    reader: Reader, folder: Path, photos: Mapping[str, Sequence[TruePhoto]], prints: Path | None, light: str
) -> list[Marked]:
    """Photos of a folder read knowing nothing, or each with its own print."""
    return [
        measured(
            replace(photo, groups=(f"light {light}",)),
            (folder / photo.file).read_bytes(),
            reader,
            taught=design if prints else "none",
            taught_dir=prints,
        )
        for design, its in photos.items()
        for photo in its
    ]


def measure(version: int, folder: Path) -> str:
    """The table of a version, as Markdown."""
    reader, designs = Reader(), by_design(folder)
    with TemporaryDirectory() as place:
        prints = Path(place)
        known = taught(reader, folder, designs, prints)
        rest = {design: designs[design][1:] for design in known}
        lines = ["| | " + " | ".join(SHOWN) + " |", "|---" * (len(SHOWN) + 1) + "|"]
        for how, where in (("zero-shot", None), ("taught", prints)):
            marked = read_all(reader, folder, rest, where, "plain")
            for light in VERSIONS[version].lights:
                there = copy_in(folder, light, 100_000)
                marked += read_all(reader, there, rest, where, light)
            lines += [_row(how, row) for row in summary(marked)]
    return "\n".join(lines)


def _row(how: str, row: Mapping[str, object]) -> str:
    return f"| {how}, {row['name']} | " + " | ".join(str(row[name]) for name in SHOWN) + " |"


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--version", type=int, choices=list(VERSIONS), default=max(VERSIONS))
    parser.add_argument(
        "--pin", action="store_true", help="write down a new version instead of comparing with it"
    )
    parser.add_argument("--draw", action="store_true", help="only draw and compare")
    args = parser.parse_args()
    folder = draw(args.version)
    if args.pin:
        pin(args.version, folder)
    pictures, equal, near = same(args.version, folder)
    print(f"{folder}: {equal} of {pictures} pictures have the same bytes, {near} more the same colours")
    if equal + near < pictures:
        raise SystemExit("This is not the benchmark: fonts or libraries differ from those that drew it.")
    if not args.draw:
        print(measure(args.version, folder))


if __name__ == "__main__":
    main()
