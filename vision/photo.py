"""Photo bytes to one upright RGB array, with every limit checked before anything is decoded."""

from __future__ import annotations

import io
import time
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.header import Header, PhotoError, damaged, heic_claim, picture_kind, read_header
from vision.night import brought_up, gain_of

__all__ = ["MAX_BYTES", "MAX_PIXELS", "Photo", "PhotoError", "decode", "open_photo", "pixels"]

Image = NDArray[np.uint8]

MAX_BYTES = 12 * 1024 * 1024
MAX_PIXELS = 50_000_000
# Pixels times the scans of a progressive JPEG, by which decoding goes over all of them again: ten are usual, and a file
# of 40 KB can claim thousands.
MAX_SCANNED = 1_000_000_000

# What the library of HEIC raises, by the place where it finds a file broken.
HEIC_BROKEN = (ValueError, LookupError, TypeError, OSError, EOFError, RuntimeError, SyntaxError, MemoryError)

# Reduced decoding skips most of the inverse cosine transform of a JPEG: half size in half the time.
_REDUCED = {
    1: cv2.IMREAD_COLOR_RGB,
    2: cv2.IMREAD_REDUCED_GRAYSCALE_2 | cv2.IMREAD_COLOR_RGB,
    4: cv2.IMREAD_REDUCED_GRAYSCALE_4 | cv2.IMREAD_COLOR_RGB,
    8: cv2.IMREAD_REDUCED_GRAYSCALE_8 | cv2.IMREAD_COLOR_RGB,
}


@dataclass(frozen=True)
class Photo:
    """A picture file within the limits, not yet decoded; `width` and `height` are the upright ones."""

    data: bytes
    header: Header

    @property
    def width(self) -> int:
        return self.header.height if self.header.orientation >= 5 else self.header.width

    @property
    def height(self) -> int:
        return self.header.width if self.header.orientation >= 5 else self.header.height

    @property
    def shrinks_cheaply(self) -> bool:
        """Whether decoding at half the size costs less than decoding."""
        return self.header.kind == "jpeg" and self.header.scans == 1


def open_photo(data: bytes) -> Photo:
    """Check a picture file against the limits by its first bytes alone.

    Raises
    ------
    PhotoError
        `empty_file`, `not_an_image`, `too_large` (12 MB), `too_many_pixels` (50 megapixels), `too_many_scans`,
        `moving_picture` or `damaged_image`.
    """
    kind = picture_kind(data)
    if len(data) > MAX_BYTES:
        raise PhotoError("too_large", f"This picture has more than {MAX_BYTES // 1024**2} MB.")
    header = claim(data)
    _check_work(header)
    if kind == "heic":  # whose library is let at it now that this is known
        header = _heic_header(data)
        _check_work(header)
    return Photo(data, header)


def _check_work(header: Header) -> None:
    if header.width * header.height > MAX_PIXELS:
        raise PhotoError(
            "too_many_pixels", f"This picture has more than {MAX_PIXELS // 1_000_000} megapixels."
        )
    if header.width * header.height * header.scans > MAX_SCANNED:
        raise PhotoError(
            "too_many_scans",
            "This picture is put together in too many layers; please save it again as a JPEG.",
        )


def claim(data: bytes) -> Header:
    """What a picture file says of itself, by its first bytes alone; raises `PhotoError`."""
    return heic_claim(data) if picture_kind(data) == "heic" else read_header(data)


def pixels(photo: Photo, shrink: int = 1) -> Image:
    """Decode to upright RGB uint8 (H, W, 3), at 1/shrink of the size.

    Transparency is ignored, 16-bit channels lose their lower half, grey and CMYK become RGB. Pixel x of the
    shrunk picture covers pixels shrink * x to shrink * (x + 1) - 1 of the full one; where the size does not
    divide by `shrink` and the picture was stored turned, the two are less than `shrink` pixels apart.

    Parameters
    ----------
    shrink : 1, 2, 4 or 8; cheap for JPEG, a full decode and an area average for the other kinds.

    Raises
    ------
    PhotoError
        `damaged_image`.
    """
    header = photo.header
    reduced = shrink if header.kind == "jpeg" else 1
    stored = _heic_pixels(photo.data) if header.kind == "heic" else _stored_pixels(photo.data, reduced)
    if stored.shape != (-(-header.height // reduced), -(-header.width // reduced), 3):
        raise damaged()
    return upright(_shrunk(stored, shrink // reduced), header.orientation)


def _stored_pixels(data: bytes, reduced: int) -> Image:
    """What OpenCV decodes, RGB as it is stored; `reduced` is 1 for what is no JPEG."""
    flags = _REDUCED[reduced] | cv2.IMREAD_IGNORE_ORIENTATION
    try:
        decoded = cv2.imdecode(np.frombuffer(data, dtype=np.uint8), flags)
    except (cv2.error, MemoryError):
        raise damaged() from None
    if decoded is None:
        raise damaged()
    return np.asarray(decoded, dtype=np.uint8)


def decode(data: bytes) -> Image:
    """Photo bytes to upright RGB uint8 (H, W, 3) at full size; raises `PhotoError`."""
    return pixels(open_photo(data))


def upright(image: Image, orientation: int) -> Image:
    """Undo an Exif orientation, 1 to 8."""
    if orientation >= 5:  # stored sideways
        image = np.asarray(cv2.transpose(image), dtype=np.uint8)
    flip = {2: 1, 3: -1, 4: 0, 6: 1, 7: -1, 8: 0}.get(orientation)
    return image if flip is None else np.asarray(cv2.flip(image, flip), dtype=np.uint8)


def _shrunk(image: Image, shrink: int) -> Image:
    if shrink == 1:
        return image
    height, width = image.shape[:2]
    size = (-(-width // shrink), -(-height // shrink))
    return np.asarray(cv2.resize(image, size, interpolation=cv2.INTER_AREA), dtype=np.uint8)


def _open_heic(data: bytes) -> Any:
    """The lazily opened first picture of a HEIC file; its library turns it upright itself."""
    import pillow_heif  # a tenth of a second to load, and few photos need it

    try:
        return pillow_heif.open_heif(io.BytesIO(data), convert_hdr_to_8bit=True)
    except HEIC_BROKEN:
        raise damaged() from None


def _heic_header(data: bytes) -> Header:
    try:
        width, height = _open_heic(data).size
    except HEIC_BROKEN:
        raise damaged() from None
    return Header("heic", int(width), int(height))


def _heic_pixels(data: bytes) -> Image:
    picture = _open_heic(data)
    try:
        array = np.asarray(picture)
    except HEIC_BROKEN:
        raise damaged() from None
    if array.ndim == 2:
        array = np.repeat(array[..., None], 3, axis=-1)
    return np.ascontiguousarray(array[..., :3].astype(np.uint8, copy=False))


class Views:
    """One photo at several sizes, each made when it is first asked for; decoded once where that is all the work."""

    def __init__(self, photo: Photo) -> None:
        self.photo = photo
        self.seconds = 0.0  # spent decoding so far
        self._decoded: dict[int, Image] = {}
        self._stored: Image | None = None  # of what is decoded once, before it was brought up
        self._gain: float | None = None

    @property
    def size(self) -> tuple[int, int]:
        """Width and height in px of the full upright photo."""
        return self.photo.width, self.photo.height

    def at_least(self, scale: float) -> tuple[Image, float]:
        """The smallest view with at least `scale` of the full size, and its own scale.

        A larger view that is decoded already is taken as it is.
        """
        fitting = [shrink for shrink in _REDUCED if shrink == 1 or 1 / shrink >= scale]
        ready = [shrink for shrink in fitting if shrink in self._decoded]
        shrink = max(ready or fitting)
        if shrink not in self._decoded:
            start = time.perf_counter()
            self._decoded[shrink] = self._view(shrink)
            self.seconds += time.perf_counter() - start
        return self._decoded[shrink], 1 / shrink

    @property
    def dim(self) -> bool:
        """Whether the photo had too little light, as far as a view of it has been made."""
        return self._gain is not None and self._gain > 1

    def _lit(self, picture: Image) -> Image:
        """A view as by day."""
        if self._gain is None:
            self._gain = gain_of(picture)
        return brought_up(picture, self._gain) if self.dim else picture

    def _view(self, shrink: int) -> Image:
        if self.photo.shrinks_cheaply:
            return self._lit(pixels(self.photo, shrink))
        # Brought up is what is asked for alone: of fifty megapixels that takes longer than a hand.
        self._stored = pixels(self.photo) if self._stored is None else self._stored
        return self._lit(_shrunk(self._stored, shrink))
