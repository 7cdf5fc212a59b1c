"""Small pictures of cards as they are kept: re-encoded JPEG, so that nothing of the sender's file is left."""

from __future__ import annotations

import base64
import binascii
import hashlib
import io
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import cv2
import numpy as np
import numpy.typing as npt
from PIL import Image

from vision.header import PhotoError, picture_kind
from vision.photo import claim, decode, open_photo, pixels
from webui.ledger.errors import N_, LedgerError
from webui.scanning.apart import Recogniser

if TYPE_CHECKING:
    from vision import CardEnd, Reading

MOST_BYTES = 96 * 1024
"""A card at 300 pixels is a fifth of this."""

MOST_PIECE_BYTES = 512 * 1024
"""A card and its surroundings as the camera saw them, some 400 pixels a side, is a tenth of this."""

MOST_SIDE_PX = 1000
MOST_SCANS = 16
"""Of a picture of a card, by which a decoder goes over it; ten are usual."""

MOST_PIXELS_TOGETHER = 150_000_000
"""Of the photos of one request: twelve of a phone, three of its largest ones."""

KEPT_SIDE_PX = 160
KEPT_PHOTO_SIDE_PX = 2400
QUALITY, PHOTO_QUALITY = 82, 85

LOOK_SIDE = 16
LOOK_BITS = 6
"""Of 256 in which a photo that was saved anew may differ from itself; two photos of one table differ in dozens."""

SIDE_PX, MARGIN_PX = 72, 4
"""Width of a card in its picture, and of what is seen around it."""


class KeptPhoto(NamedTuple):
    """A photo as it is kept: JPEG bytes, its width and height as it came and as it is now."""

    jpeg: bytes
    before: tuple[int, int]
    now: tuple[int, int]


class BadPicture(LedgerError):
    """A picture of a card that is none, or is too large."""

    code = "bad_picture"
    text = N_("A picture of a card can't be read.")


def from_data_url(text: object) -> bytes:
    """JPEG bytes of a small picture given as `data:image/…;base64,…`; raises `BadPicture`."""
    return small_jpeg(bytes_of(text, MOST_BYTES))


def bytes_of(text: object, most: int = MOST_PIECE_BYTES) -> bytes:
    """The bytes of a data URL of a picture; raises `BadPicture` where it is none or holds more than `most`."""
    if not isinstance(text, str) or len(text) > 2 * most or not text.startswith("data:image/"):
        raise BadPicture()
    _, marker, payload = text.partition(";base64,")
    if not marker:
        raise BadPicture()
    try:
        data = base64.b64decode(payload, validate=True)
    except (binascii.Error, ValueError):  # the latter for what is no ASCII
        raise BadPicture() from None
    if len(data) > most:
        raise BadPicture()
    return data


def small_jpeg(data: bytes) -> bytes:
    """Re-encode a picture as JPEG of at most `KEPT_SIDE_PX` a side, without metadata; raises `BadPicture`."""
    if len(data) > MOST_BYTES:
        raise BadPicture()
    return jpeg(Image.fromarray(piece(data)))


def piece(data: bytes) -> npt.NDArray[np.uint8]:
    """A piece of a photo as RGB (H, W, 3) at its own size.

    Raises
    ------
    BadPicture
        For what is no picture, has more than `MOST_SIDE_PX` a side or too many layers: said by its first bytes,
        before anything is decoded.
    """
    try:
        if picture_kind(data) == "heic":
            raise BadPicture()
        photo = open_photo(data)
        if max(photo.width, photo.height) > MOST_SIDE_PX or photo.header.scans > MOST_SCANS:
            raise BadPicture()
        return pixels(photo)
    except PhotoError:
        raise BadPicture() from None


def is_kept(data: bytes) -> bool:
    """Whether these bytes are a picture as this module keeps them: a small JPEG without metadata."""
    if len(data) > MOST_BYTES or not data.startswith(b"\xff\xd8\xff") or b"Exif\0\0" in data:
        return False
    try:
        height, width, _ = piece(data).shape
        return bool(max(height, width) <= KEPT_SIDE_PX)
    except BadPicture:
        return False


def jpeg(picture: Image.Image) -> bytes:
    """A picture as small JPEG bytes."""
    small = picture.copy()
    small.thumbnail((KEPT_SIDE_PX, KEPT_SIDE_PX))
    out = io.BytesIO()
    small.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


def shown_jpeg(_: Recogniser, data: bytes) -> bytes:
    """A whole photo as an upright JPEG of the same size; raises `PhotoError`."""
    out = io.BytesIO()
    Image.fromarray(decode(data)).save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


def sha256(data: bytes) -> str:
    """The name under which a picture is kept."""
    return hashlib.sha256(data).hexdigest()


def data_url(data: bytes) -> str:
    """JPEG bytes as a data URL, for pictures that are shown before they are kept."""
    return "data:image/jpeg;base64," + base64.b64encode(data).decode("ascii")


def check_together(photos: Sequence[bytes]) -> None:
    """Raise `PhotoError` where the photos of a request have more than `MOST_PIXELS_TOGETHER`, by what they claim."""
    if sum(_claimed(data) for data in photos) > MOST_PIXELS_TOGETHER:
        most = MOST_PIXELS_TOGETHER // 1_000_000
        raise PhotoError(
            "too_many_pixels",
            f"Together these pictures have more than {most} megapixels; send fewer at once.",
        )


def _claimed(data: bytes) -> int:
    """The pixels that a photo claims; 0 of one that can't be read, which is said when its turn comes."""
    try:
        header = claim(data)
        return header.width * header.height
    except PhotoError:
        return 0


def kept_photo(_: Recogniser, data: bytes) -> KeptPhoto:
    """A photo re-encoded as it is kept, so that no metadata of it is left; raises `PhotoError`."""
    picture = Image.fromarray(decode(data))
    before = picture.size
    picture.thumbnail((KEPT_PHOTO_SIDE_PX, KEPT_PHOTO_SIDE_PX))
    out = io.BytesIO()
    picture.save(out, "JPEG", quality=PHOTO_QUALITY)
    return KeptPhoto(out.getvalue(), before, picture.size)


def read_and_cut(
    reader: Recogniser, data: bytes, deck: str, taught: str, folder: Path
) -> tuple[Reading, list[bytes], list[bytes], str]:
    """The reading of a photo, a small picture of each of its cards and of each of its other things, and its look."""
    reading = reader.read(data, name="photo", deck=deck, taught=taught, taught_dir=folder)
    image = decode(data)
    cards = cut(image, [card.ends[0] for card in reading.cards])
    return reading, cards, cut(image, reading.others), look(image)


def look(image: npt.NDArray[np.uint8]) -> str:
    """What a photo is known again by, in 64 hexadecimal digits, also after it was saved anew or made smaller.

    A difference hash (N. Krawetz, "Kind of like that", 2013): of 16 x 17 grey values, whether each is lighter than
    its neighbour.
    """
    grey = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
    small = cv2.resize(grey, (LOOK_SIDE + 1, LOOK_SIDE), interpolation=cv2.INTER_AREA).astype(np.int16)
    return np.packbits(small[:, :-1] - small[:, 1:] > 1).tobytes().hex()


def looks_same(one: str, other: str) -> bool:
    """Whether two photos look as one does that was saved twice."""
    return (int(one, 16) ^ int(other, 16)).bit_count() <= LOOK_BITS


def cut(image: npt.NDArray[np.uint8], ends: Sequence[CardEnd]) -> list[bytes]:
    """Small upright JPEG pictures of card ends, each with half a card's width more of the card.

    Parameters
    ----------
    image
        RGB (H, W, 3).
    ends
        Quads in px of this image, outer-left, outer-right, inner-right, inner-left.
    """
    low, high = MARGIN_PX, MARGIN_PX + SIDE_PX
    place = np.array([[low, low], [high, low], [high, high], [low, high]], np.float32)
    size = (high + MARGIN_PX, high + SIDE_PX // 2 + MARGIN_PX)
    found = []
    for end in ends:
        matrix = cv2.getPerspectiveTransform(np.asarray(end.quad, np.float32), place)
        picture = cv2.warpPerspective(
            image, matrix, size, flags=cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE
        )
        found.append(jpeg(Image.fromarray(picture)))
    return found
