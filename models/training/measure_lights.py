"""Copy cached scenes into other lights to measure in: ``python -m models.training.measure_lights --light dark candle``.

Each light is a folder of its own beside the scenes' one, with the pictures, their lines and `annotations.json` for
`paiyan evaluate`.
"""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

import cv2
import numpy as np

from models.training.cache import scenes
from models.training.lights import EFFECTS, Image
from models.training.measure import write
from models.training.scenes import CACHE

# Lights to measure in: kinds with strengths.
MEASURED: dict[str, tuple[tuple[str, float], ...]] = {
    "candle": (("candle", 0.45),),
    "tungsten": (("tungsten", 0.7),),
    "sodium": (("sodium", 0.35),),
    "cold": (("led", 0.9),),
    "rose": (("rose", 0.7),),
    "two_lamps": (("two_lamps", 0.6),),
    "flicker": (("flicker", 0.6),),
    "dim": (("dark", 0.4),),
    "dark": (("dark", 0.75),),
    "bright": (("bright", 0.7),),
    "glare": (("glare", 0.7),),
    "haze": (("haze", 0.7),),
    "shaken": (("shaken", 0.8),),
    "defocused": (("defocused", 0.7),),
    "night": (("tungsten", 0.4), ("smeared", 0.8)),
    "grey": (("grey", 1.0),),
    "screen": (("screen", 0.7),),
    "sent": (("messenger", 0.8),),
    "webcam": (("webcam", 0.8),),
}


def in_light(image: Image, name: str, seed: Sequence[int]) -> Image:
    """A whole picture in one of the `MEASURED` lights."""
    rng = np.random.default_rng(seed)
    for kind, strength in MEASURED[name]:
        image = EFFECTS[kind](rng, image, float(max(image.shape)), strength)
    return image


def copy_in(folder: Path, name: str, limit: int) -> Path:
    """Write a cache folder's first so many scenes again in a light, with their truth; returns the new folder."""
    target = folder.with_name(f"{folder.name}-{name}")
    target.mkdir(exist_ok=True)
    wanted = {scene.path.name for scene in scenes(folder)[:limit]}
    for index in sorted(folder.glob("*.jsonl")):
        lines = [line for line in index.read_text().splitlines() if line.split('"')[3] in wanted]
        if lines:
            (target / index.name).write_text("\n".join(lines) + "\n")
    for number, scene in enumerate(scenes(target)):
        taken = replace(scene, path=folder / scene.path.name).picture()
        picture = in_light(taken, name, [number])
        cv2.imwrite(str(scene.path), picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 90])
    write(target)
    return target


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", default="scenes-held", help="folder in the cache")
    parser.add_argument("--light", nargs="+", choices=list(MEASURED), default=list(MEASURED))
    parser.add_argument("--limit", type=int, default=100_000, help="scenes at most")
    args = parser.parse_args()
    for name in args.light:
        print(copy_in(CACHE / args.scenes, name, args.limit))


if __name__ == "__main__":
    main()
