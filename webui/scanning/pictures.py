"""Small pictures of cards as they are kept: re-encoded JPEG, so that nothing of the sender's file is left."""

from __future__ import annotations

import base64
import binascii
import hashlib
import io

import numpy as np
import numpy.typing as npt
from PIL import Image, UnidentifiedImageError

from webui.ledger.errors import N_, LedgerError

MOST_BYTES = 96 * 1024
"""A card at 300 pixels is a fifth of this."""

MOST_PIECE_BYTES = 512 * 1024
"""A card and its surroundings as the camera saw them, some 400 pixels a side, is a tenth of this."""

MOST_SIDE_PX = 1600
KEPT_SIDE_PX = 160
QUALITY = 82
FORMATS = ("JPEG", "PNG", "WEBP")


class BadPicture(LedgerError):
    """A picture of a card that is none, or is too large."""

    code = "bad_picture"
    text = N_("A picture of a card can't be read.")


def from_data_url(text: object) -> bytes:
    """JPEG bytes of a small picture given as `data:image/…;base64,…`; raises `BadPicture`."""
    return small_jpeg(_bytes_of(text, MOST_BYTES))


def piece(text: object) -> npt.NDArray[np.uint8]:
    """A piece of a photo given as a data URL, as RGB (H, W, 3) at its own size; raises `BadPicture`."""
    return np.array(_opened(_bytes_of(text, MOST_PIECE_BYTES)), dtype=np.uint8)


def _bytes_of(text: object, most: int) -> bytes:
    """The bytes of a data URL of a picture; raises `BadPicture` where it is none or holds more than `most`."""
    if not isinstance(text, str) or len(text) > 2 * most or not text.startswith("data:image/"):
        raise BadPicture()
    _, marker, payload = text.partition(";base64,")
    if not marker:
        raise BadPicture()
    try:
        data = base64.b64decode(payload, validate=True)
    except binascii.Error:
        raise BadPicture() from None
    if len(data) > most:
        raise BadPicture()
    return data


def small_jpeg(data: bytes) -> bytes:
    """Re-encode a picture as JPEG of at most `KEPT_SIDE_PX` a side, without metadata; raises `BadPicture`."""
    if len(data) > MOST_BYTES:
        raise BadPicture()
    return jpeg(_opened(data))


def _opened(data: bytes) -> Image.Image:
    """The decoded picture, RGB; raises `BadPicture` for what is none or has more than `MOST_SIDE_PX` a side."""
    try:
        # The size comes from the header, before anything is decoded.
        with Image.open(io.BytesIO(data), formats=FORMATS) as picture:
            if max(picture.size) > MOST_SIDE_PX:
                raise BadPicture()
            return picture.convert("RGB")
    except (UnidentifiedImageError, OSError, SyntaxError, Image.DecompressionBombError):
        raise BadPicture() from None


def is_kept(data: bytes) -> bool:
    """Whether these bytes are a picture as this module keeps them: a small JPEG without metadata."""
    if len(data) > MOST_BYTES:
        return False
    try:
        with Image.open(io.BytesIO(data), formats=("JPEG",)) as picture:
            if max(picture.size) > KEPT_SIDE_PX or picture.info.get("exif"):
                return False
            picture.load()
    except (UnidentifiedImageError, OSError, SyntaxError):
        return False
    return True


def jpeg(picture: Image.Image) -> bytes:
    """A picture as small JPEG bytes."""
    small = picture.copy()
    small.thumbnail((KEPT_SIDE_PX, KEPT_SIDE_PX))
    out = io.BytesIO()
    small.save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


def shown_jpeg(photo: npt.NDArray[np.uint8]) -> bytes:
    """A whole photo, RGB (H, W, 3), as JPEG bytes of the same size."""
    out = io.BytesIO()
    Image.fromarray(photo).save(out, "JPEG", quality=QUALITY)
    return out.getvalue()


def sha256(data: bytes) -> str:
    """The name under which a picture is kept."""
    return hashlib.sha256(data).hexdigest()


def data_url(data: bytes) -> str:
    """JPEG bytes as a data URL, for pictures that are shown before they are kept."""
    return "data:image/jpeg;base64," + base64.b64encode(data).decode("ascii")
