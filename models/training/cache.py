"""Read rendered scenes back from the cache."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Scene:
    """One annotated picture: ``quads`` (n, 4, 2) px, ``visible`` (n,), ``codes``, ``partner`` (n,) index of the
    card's other end, ``others`` (m, 4, 2) px of backs and strange cards with their ``others_visible`` (m,)."""

    path: Path
    deck: str
    print: str
    layout: str
    quads: Floats
    visible: Floats
    codes: tuple[str, ...]
    cards: NDArray[np.int64]
    piles: NDArray[np.int64]
    partner: NDArray[np.int64]
    others: Floats
    others_visible: Floats

    def picture(self) -> NDArray[np.uint8]:
        """RGB uint8 (H, W, 3)."""
        read = cv2.imread(str(self.path), cv2.IMREAD_COLOR)
        assert read is not None, self.path
        return np.ascontiguousarray(read[..., ::-1], dtype=np.uint8)


def parse(folder: Path, line: str) -> Scene:
    """One JSON line of `models.training.scenes`."""
    row = json.loads(line)
    ends, others = row["ends"], row["others"]
    place = {(e["card"], e["end"]): i for i, e in enumerate(ends)}
    return Scene(
        folder / row["file"],
        row["deck"],
        row["print"],
        row["layout"],
        np.array([e["quad"] for e in ends], np.float64).reshape(-1, 4, 2),
        np.array([e["visible"] for e in ends], np.float64),
        tuple(e["code"] for e in ends),
        np.array([e["card"] for e in ends], np.int64),
        np.array([e["pile"] for e in ends], np.int64),
        np.array([place[e["card"], 1 - e["end"]] for e in ends], np.int64),
        np.array([o["quad"] for o in others], np.float64).reshape(-1, 4, 2),
        np.array([o["visible"] for o in others], np.float64),
    )


def scenes(folder: Path) -> list[Scene]:
    """All finished scenes of a cache folder, in order."""
    return [
        parse(folder, line)
        for index in sorted(folder.glob("*.jsonl"))
        for line in index.read_text().splitlines()
    ]


def shuffled(rng: np.random.Generator, folder: Path) -> Iterator[Scene]:
    """A folder's scenes for ever, each once before any comes again; scenes rendered meanwhile join the next pass."""
    while True:
        pool = scenes(folder)
        for i in rng.permutation(len(pool)):
            yield pool[i]
