"""Upright crops of card ends, from scenes that training met and from held-out ones."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain, islice

import numpy as np
from numpy.typing import NDArray

from models.training.cache import Scene
from models.training.train_faces import CLASSES, OTHER, samples
from vision.evaluate import COUNTS
from vision.faces import cut_ends
from vision.photo import Image

PLAINLY_SEEN = 0.9  # weight that training gives an end about `COUNTS` visible


@dataclass(frozen=True)
class Crops:
    """N crops (N, 96, 64, 3) RGB and what they show, such as ``sise:rK``."""

    images: Image
    names: tuple[str, ...]


def gathered(pairs: Sequence[tuple[Image, str]]) -> Crops:
    """Crops from pairs of picture and name."""
    images, names = zip(*pairs, strict=True)
    return Crops(np.stack(images), names)


def training_crops(rng: np.random.Generator, pool: Sequence[Scene], n: int) -> Crops:
    """The first ``n`` upright, plainly visible ends of scenes in random order, jittered as a detector would."""
    every = chain.from_iterable(samples(rng, pool[i]) for i in rng.permutation(len(pool)))
    upright = (
        (crop, CLASSES[label])
        for crop, label, _, down, weight, _ in every
        if label != OTHER and not down and weight >= PLAINLY_SEEN
    )
    return gathered(list(islice(upright, n)))


def held_crops(rng: np.random.Generator, pool: Sequence[Scene], n: int) -> Crops:
    """``n`` ends at least 60 % visible, as many of every deck, cut by their true quads."""
    decks = sorted({scene.deck for scene in pool})
    places = [places_of(rng, [s for s in pool if s.deck == deck], n // len(decks)) for deck in decks]
    return gathered([pair for some in places for pair in some])


def places_of(rng: np.random.Generator, pool: Sequence[Scene], n: int) -> Iterator[tuple[Image, str]]:
    """``n`` ends of some scenes of one deck."""
    every = [(i, end) for i, scene in enumerate(pool) for end in np.flatnonzero(scene.visible >= COUNTS)]
    chosen = sorted(every[k] for k in rng.permutation(len(every))[:n])
    for i in sorted({i for i, _ in chosen}):
        which: NDArray[np.intp] = np.array([end for k, end in chosen if k == i])
        images = cut_ends(pool[i].picture(), pool[i].quads[which])
        yield from zip(images, (f"{pool[i].deck}:{pool[i].codes[end]}" for end in which), strict=True)
