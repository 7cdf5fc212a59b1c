"""Turn cached scenes into an annotated folder for ``paiyan evaluate``: ``python -m models.training.measure``.

Writes ``annotations.json`` (COCO; category names are card codes, ``supercategory`` the deck) beside the pictures of a
cache folder, one annotation per card end with ``card_id``, ``end``, ``meld_id`` and ``visible``.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.training.cache import Scene, scenes
from models.training.scenes import CACHE


def annotation(number: int, image: int, category: int, scene: Scene, end: int) -> dict[str, Any]:
    """One end as COCO has it."""
    quad = scene.quads[end]
    low, size = quad.min(axis=0), np.ptp(quad, axis=0)
    return {
        "id": number,
        "image_id": image,
        "category_id": category,
        "segmentation": [quad.round(1).ravel().tolist()],
        "bbox": [*low.round(1).tolist(), *size.round(1).tolist()],
        "area": round(abs(float(cv2.contourArea(quad.astype(np.float32)))), 1),
        "iscrowd": 0,
        "card_id": int(scene.cards[end]),
        "end": int(end % 2),
        "meld_id": int(scene.piles[end]),
        "visible": round(float(scene.visible[end]), 3),
    }


def coco(pool: Sequence[Scene]) -> dict[str, Any]:
    """The annotations of scenes whose pictures lie in one folder."""
    names = sorted({(scene.deck, code) for scene in pool for code in scene.codes})
    category = {name: i for i, name in enumerate(names, 1)}
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for number, scene in enumerate(pool):
        height, width = scene.picture().shape[:2]
        images.append(
            {
                "id": number,
                "file_name": scene.path.name,
                "width": width,
                "height": height,
                "deck": scene.deck,
                "design": scene.print,
                "layout": scene.layout,
            }
        )
        for end, code in enumerate(scene.codes):
            kind = category[scene.deck, code]
            annotations.append(annotation(len(annotations), number, kind, scene, end))
    categories = [{"id": i, "name": code, "supercategory": deck} for (deck, code), i in category.items()]
    return {"images": images, "annotations": annotations, "categories": categories}


def write(folder: Path) -> int:
    """Annotate a cache folder; returns the number of pictures."""
    pool = scenes(folder)
    (folder / "annotations.json").write_text(json.dumps(coco(pool), ensure_ascii=False))
    return len(pool)


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--scenes", default="scenes-held", help="folder in the cache")
    args = parser.parse_args()
    folder = CACHE / args.scenes
    print(f"{folder}: {write(folder)} pictures annotated")


if __name__ == "__main__":
    main()
