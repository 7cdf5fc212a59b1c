"""A file of photos to give away: pictures cut to the cards, their truth as COCO, a licence, and nothing else.

Unpacked it is a folder for `paiyan evaluate`. What is in somebody else's file is checked before anything is decoded.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np

import scorer
from vision.evaluate import COUNTS
from vision.geometry import Floats, end_axes
from vision.header import PhotoError
from vision.photo import Image, decode
from vision.truth import TrueCard, TrueEnd, TruePhoto, TruthError, coco_of, parse_truth
from webui.examples.truth import BadTruth, checked
from webui.ledger.errors import N_
from webui.scanning.pictures import PHOTO_QUALITY

FORMAT, VERSION = "paiyan-examples", 1
LICENCES = ("CC0-1.0", "CC-BY-4.0")
SHORT = {"CC0": "CC0-1.0", "CC-BY-4.0": "CC-BY-4.0"}
ANNOTATIONS, LICENCE = "annotations.json", "LICENCE.txt"
MARGIN = 1.0  # card widths around the cards
INWARD = 2.6  # card widths of a card that are taken to lie inwards of an end whose other end was not seen
AROUND = 0.25  # card widths around a card that stay sharp
BLUR = 0.9  # card widths
MOST_FILES, MOST_BYTES = 520, 400 * 1024 * 1024
SAYS = {
    "CC0-1.0": "Whoever took these photographs waived all rights to them, as far as the law allows that (CC0 1.0).",
    "CC-BY-4.0": "These photographs may be used under CC BY 4.0; the household in annotations.json is to be named.",
}


class BadPackage(ValueError):
    """A file that is no package of examples; the message says where, `text` is what the page says of it."""

    code = "bad_package"
    text = N_("This ZIP file holds no photos as paiyan packs them.")

    def __init__(self, why: str, file: str = "") -> None:
        super().__init__(f"{file}: {why}" if file else why)
        self.file = file


class NoZip(BadPackage):
    """A file that can't be unpacked."""

    text = N_("This file is no ZIP file that can be read.")


class BadPhoto(BadPackage):
    """A package with a photo, named `file`, that can't be used."""

    text = N_("The photo %(file)s in it is damaged, or not as paiyan packs it.")


@dataclass(frozen=True)
class Given:
    """One photo of a package: its JPEG bytes, its truth, and what else its image says."""

    jpeg: bytes
    photo: TruePhoto
    more: dict[str, Any]


def given(jpeg: bytes, photo: TruePhoto, *, blurred: bool, print_name: str, light: str) -> Given:
    """A kept photo as it is given away: cut to its cards with a margin, blurred outside them where that is wanted."""
    image = decode(jpeg)
    width = float(
        np.median([np.linalg.norm(end.quad[1] - end.quad[0]) for card in photo.cards for end in card.ends])
    )
    if blurred:
        image = _blurred(image, photo, width)
    corners = np.concatenate([end.quad for card in photo.cards for end in card.ends])
    low = np.maximum(np.round(corners.min(axis=0) - MARGIN * width), 0).astype(int)
    high = np.minimum(np.round(corners.max(axis=0) + MARGIN * width), image.shape[1::-1]).astype(int)
    cut = np.ascontiguousarray(image[low[1] : high[1], low[0] : high[0]])
    cards = tuple(
        TrueCard(one.code, one.pile, tuple(TrueEnd(e.quad - low, e.visible) for e in one.ends))
        for one in photo.cards
    )
    data = cv2.imencode(".jpg", cut[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, PHOTO_QUALITY])[1].tobytes()
    more = {
        "width": cut.shape[1],
        "height": cut.shape[0],
        "light": light,
        "print": print_name,
        "blurred": blurred,
    }
    return Given(data, TruePhoto(photo.file, photo.deck, photo.layout, cards), more)


def _blurred(image: Image, photo: TruePhoto, width: float) -> Image:
    """The photo with everything blurred that is no card, nor just beside one."""
    sharp = np.zeros(image.shape[:2], np.uint8)
    for card in photo.cards:
        cv2.fillConvexPoly(sharp, cv2.convexHull(_body(card).astype(np.float32)).astype(np.int32), 255)
    reach = max(1, round(AROUND * width))
    sharp = np.asarray(cv2.dilate(sharp, np.ones((2 * reach + 1, 2 * reach + 1), np.uint8)))
    soft = cv2.GaussianBlur(image, (0, 0), max(3.0, BLUR * width))
    return np.where(sharp[..., None] > 0, image, soft).astype(np.uint8)


def _body(card: TrueCard) -> Floats:
    """Corners of the ends of a card, and of how far it may reach where one end was seen alone."""
    quads = [end.quad for end in card.ends]
    if len(quads) == 1:
        quads.append(quads[0] - INWARD * end_axes(quads[0])[:, 1])
    return np.concatenate(quads)


def pack(photos: Sequence[Given], licence: str, household: str) -> bytes:
    """The package as a ZIP file."""
    named = [
        (TruePhoto(f"{number:03d}.jpg", one.photo.deck, one.photo.layout, one.photo.cards), one.more)
        for number, one in enumerate(photos, 1)
    ]
    coco = coco_of(named)
    coco["info"] = {"format": FORMAT, "version": VERSION, "licence": licence, "household": household}
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as archive:
        entries = {
            ANNOTATIONS: json.dumps(coco, ensure_ascii=False).encode(),
            LICENCE: f"{SAYS[licence]}\n".encode(),
        }
        entries |= {photo.file: one.jpeg for (photo, _), one in zip(named, photos, strict=True)}
        for name, data in entries.items():
            # The time of a file would say when it was made.
            archive.writestr(zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0)), data, zipfile.ZIP_DEFLATED)
    return out.getvalue()


@dataclass(frozen=True)
class Package:
    """What a file holds: its licence, the household that gives it, its photos."""

    licence: str
    household: str
    photos: tuple[Given, ...]


def unpack(data: bytes) -> Package:
    """The package in a file.

    Raises
    ------
    BadPackage
        Where it is none; the message names the first thing that is wrong.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            files = _files(archive)
    except (zipfile.BadZipFile, NotImplementedError, RuntimeError, EOFError, OSError) as error:
        raise NoZip(f"this is no ZIP file that can be read ({error})") from error
    coco = files.pop(ANNOTATIONS, None)
    files.pop(LICENCE, None)
    if coco is None:
        raise BadPackage(f"there is no {ANNOTATIONS} in it")
    try:
        truth = parse_truth(coco, ANNOTATIONS)
        whole = json.loads(coco)
        info = dict(whole["info"])
        rows = {row["file_name"]: row for row in whole["images"]}
    except (TruthError, KeyError, TypeError, ValueError) as error:
        raise BadPackage(
            str(error) if isinstance(error, TruthError) else f"{ANNOTATIONS} has no 'info'"
        ) from error
    _check_info(info)
    if set(truth) != set(files):
        other = sorted(set(truth) ^ set(files))[0]
        raise BadPhoto("it is annotated and not there, or there and not annotated", other[:60])
    photos = tuple(_given(files[name], photo, rows[name]) for name, photo in truth.items())
    return Package(info["licence"], info["household"][:32], photos)


def _files(archive: zipfile.ZipFile) -> dict[str, bytes]:
    entries = archive.infolist()
    if len(entries) > MOST_FILES or sum(entry.file_size for entry in entries) > MOST_BYTES:
        raise BadPackage(f"it holds more than {MOST_FILES} files or {MOST_BYTES // 1024**2} MB")
    plain = [e for e in entries if "/" not in e.filename and "\\" not in e.filename and not e.is_dir()]
    if len(plain) < len(entries):
        raise BadPackage("it holds folders; photos and annotations lie side by side")
    found = {}
    for entry in entries:
        with archive.open(entry) as file:
            found[entry.filename] = file.read(entry.file_size + 1)
    return found


def _check_info(info: dict[str, Any]) -> None:
    if info.get("format") != FORMAT or info.get("version") != VERSION:
        raise BadPackage(f"it is no {FORMAT} of version {VERSION}")
    if info.get("licence") not in LICENCES:
        raise BadPackage(f"its licence is none of {', '.join(LICENCES)}")
    if not isinstance(info.get("household"), str) or not info["household"].isalnum():
        raise BadPackage("it does not say which household it is from, in letters and digits")


def _given(jpeg: bytes, photo: TruePhoto, row: dict[str, Any]) -> Given:
    name = photo.file[:60]
    head = jpeg[:65536]
    if not head.startswith(b"\xff\xd8\xff") or b"Exif\0\0" in head or b"http://ns.adobe.com/xap" in head:
        raise BadPhoto("this is no JPEG, or has metadata in it", name)
    if photo.deck not in scorer.deck_ids():
        raise BadPhoto(f"there is no deck {photo.deck[:20]}", name)
    try:
        height, width, _ = decode(jpeg).shape
        rows = [
            {"code": card.code, "pile": 0, "ends": [end.quad.tolist() for end in card.ends]}
            for card in photo.cards
        ]
        checked(rows, scorer.deck(photo.deck), (width, height))
        if not any(card.visible >= COUNTS for card in photo.cards):
            raise BadTruth("no card in it counts")
    except (PhotoError, BadTruth) as error:
        raise BadPhoto(str(error), name) from error
    more = {"width": width, "height": height, "light": str(row.get("light", "plain"))[:16]}
    return Given(
        jpeg, photo, {**more, "print": str(row.get("print", ""))[:32], "blurred": row.get("blurred") is True}
    )
