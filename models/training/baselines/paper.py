"""The paper's colour of 四色牌: what characters and templates in black ink cannot tell."""

from __future__ import annotations

from collections.abc import Callable, Sequence

import numpy as np

from vision.faces import paper_colours
from vision.photo import Image

Painter = Callable[[Sequence[str], Image], list[str]]


def colourless(name: str) -> str:
    """A face without its paper: ``sise:rK`` is ``sise:K``, every other name itself."""
    deck, _, code = name.partition(":")
    return f"{deck}:{code[1:]}" if deck == "sise" else name


def painter(images: Image, names: Sequence[str]) -> Painter:
    """A function that gives colourless names the colour letter of their crops' paper.

    Nearest mean in CIE Lab, learned from crops (N, 96, 64, 3) and their names.
    """
    which = np.array([i for i, name in enumerate(names) if name.startswith("sise:")])
    letters = np.array([names[i].partition(":")[2][0] for i in which])
    papers = paper_colours(images[which])
    colours = sorted(set(letters.tolist()))
    means = np.array([papers[letters == letter].mean(axis=0) for letter in colours])

    def paint(plain: Sequence[str], crops: Image) -> list[str]:
        nearest = np.linalg.norm(paper_colours(crops)[:, None] - means, axis=-1).argmin(axis=1)
        return [
            f"sise:{colours[k]}{name.partition(':')[2]}" if name.startswith("sise:") else name
            for name, k in zip(plain, nearest, strict=True)
        ]

    return paint
