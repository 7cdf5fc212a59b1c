"""What annotated photographs truly show: COCO files with one annotation per card end."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from vision.geometry import Floats

# What reading a file raises that is no JSON, or JSON of another kind.
BROKEN = (LookupError, TypeError, AttributeError, ValueError, ArithmeticError, RecursionError, OSError)


class TruthError(ValueError):
    """A folder has no annotations, or they are not of the kind that is read here."""

    code = "bad_annotations"


@dataclass(frozen=True)
class TrueEnd:
    """One end: quad (4, 2) px and the share of it that is visible."""

    quad: Floats
    visible: float


@dataclass(frozen=True)
class TrueCard:
    """One card: its code, the number of its pile, its ends."""

    code: str
    pile: object
    ends: tuple[TrueEnd, ...]

    @property
    def visible(self) -> float:
        """Share of the better end that is visible."""
        return max(end.visible for end in self.ends)


@dataclass(frozen=True)
class TruePhoto:
    """One photo: file name, deck, layout and cards; `groups` are further names under which its figures are added up."""

    file: str
    deck: str
    layout: str
    cards: tuple[TrueCard, ...]
    groups: tuple[str, ...] = ()


def read_truth(folder: Path) -> dict[str, TruePhoto]:
    """The photos of a folder with `annotations.json`, by file name.

    Raises
    ------
    TruthError
        When the file is missing or damaged.
    """
    path = folder / "annotations.json"
    try:
        return parse_truth(path.read_bytes(), str(path))
    except FileNotFoundError:
        raise TruthError(f"There is no {path}.") from None
    except OSError as error:
        raise TruthError(f"{path} cannot be read: {error.strerror}.") from error


def parse_truth(data: bytes, name: str) -> dict[str, TruePhoto]:
    """The photos that a COCO file, called `name` in its errors, annotates.

    Annotations hold `image_id`, `category_id`, `card_id`, `meld_id`, `visible` and a `segmentation` of four corners;
    categories are named by card code; images have `deck` and `layout`.

    Raises
    ------
    TruthError
        When it is damaged.
    """
    try:
        return {photo.file: photo for photo in photos_of(json.loads(data))}
    except BROKEN as error:
        raise TruthError(f"{name} is no COCO file of card ends ({error!r}).") from error


def photos_of(coco: Mapping[str, Any]) -> list[TruePhoto]:
    """The photos of a COCO object; raises whatever a damaged one leads to."""
    names = {row["id"]: row["name"] for row in coco["categories"]}
    ends: dict[object, dict[object, list[Mapping[str, Any]]]] = {row["id"]: {} for row in coco["images"]}
    for row in coco["annotations"]:
        ends[row["image_id"]].setdefault(row["card_id"], []).append(row)
    return [
        TruePhoto(
            row["file_name"],
            row.get("deck", "unknown"),
            row.get("layout", "unknown"),
            tuple(_card(found, names) for found in ends[row["id"]].values()),
        )
        for row in coco["images"]
    ]


def coco_of(photos: Sequence[tuple[TruePhoto, Mapping[str, Any]]]) -> dict[str, Any]:
    """The COCO object of photos, the inverse of `photos_of`; each with what else its image says."""
    codes = sorted({(photo.deck, card.code) for photo, _ in photos for card in photo.cards})
    images: list[dict[str, Any]] = []
    annotations: list[dict[str, Any]] = []
    for image, (photo, more) in enumerate(photos):
        said = {"id": image, "file_name": photo.file, "deck": photo.deck, "layout": photo.layout}
        images.append({**more, **said})
        for number, card in enumerate(photo.cards):
            for end in card.ends:
                low, size = end.quad.min(axis=0), np.ptp(end.quad, axis=0)
                annotations.append(
                    {
                        "id": len(annotations),
                        "image_id": image,
                        "category_id": codes.index((photo.deck, card.code)),
                        "card_id": number,
                        "meld_id": card.pile,
                        "visible": end.visible,
                        "segmentation": [end.quad.round(1).ravel().tolist()],
                        "bbox": [*low.round(1).tolist(), *size.round(1).tolist()],
                        "area": round(float(size.prod()), 1),
                        "iscrowd": 0,
                    }
                )
    categories = [{"id": i, "name": code, "supercategory": deck} for i, (deck, code) in enumerate(codes)]
    return {"images": images, "annotations": annotations, "categories": categories}


def _card(rows: list[Mapping[str, Any]], names: Mapping[object, str]) -> TrueCard:
    ends = tuple(
        TrueEnd(np.array(row["segmentation"][0], dtype=np.float64).reshape(4, 2), float(row["visible"]))
        for row in rows
    )
    return TrueCard(names[rows[0]["category_id"]], rows[0]["meld_id"], ends)
