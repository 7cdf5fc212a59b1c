"""What a picture file says of itself before it is decoded: kind, size and which way is up.

JPEG (ITU T.81 annex B), PNG (W3C PNG 3), WebP (RFC 9649), HEIC (ISO 23008-12) and the TIFF structure of Exif.
A file is gone through once at most, and of its parts only so many are looked at, whatever it claims.
"""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["jpeg", "png", "webp", "heic"]

HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})
ORIENTATION_TAG = 0x0112
LARGEST_DIRECTORY = 512  # entries of an Exif directory that are looked through
MOST_CHUNKS = 16384  # chunks of a PNG or WebP that are looked through: 12 MB in pieces of 4 KB are a fifth
MOST_SEGMENTS = 2048  # markers of a JPEG with something behind them: 12 MB of the longest ones are 190
# The next marker of a JPEG with something behind it. Neither what stands for a byte 0xFF, nor fill bytes, nor markers
# that stand alone: decoders pass over these, in a scan and before it.
SEGMENT = re.compile(rb"\xff[^\x00\x01\xd0-\xd7\xff]", re.DOTALL)
HEIC_SIZE = re.compile(rb"\0\0\0\x14ispe\0{4}(.{8})", re.DOTALL)  # image spatial extents: width and height
HEIC_HEAD_BYTES = 1024 * 1024  # in which the properties of its pictures stand
FRAME = frozenset(range(0xC0, 0xD0)) - {0xC4, 0xC8, 0xCC}  # start of frame: width, height
SCAN, END, APP1 = 0xDA, 0xD9, 0xE1
MOVES = 0x02  # flag of a WebP with more pictures than one


class PhotoError(ValueError):
    """A photo that cannot be read: `code` for programs, one sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[type[PhotoError], tuple[str, str]]:
        """So that it can be sent from one process to another."""
        return type(self), (self.code, str(self))


def damaged() -> PhotoError:
    """The error for a file that starts like a picture and breaks off or makes no sense."""
    return PhotoError("damaged_image", "This picture is damaged or was cut short; please send it again.")


def _moving() -> PhotoError:
    return PhotoError("moving_picture", "This picture moves; please send a still one.")


@dataclass(frozen=True)
class Header:
    """Stored width and height in pixels, before the Exif orientation (1 to 8) is applied.

    `scans` are how often a decoder goes over the whole picture: once, or several times for a progressive JPEG.
    """

    kind: Kind
    width: int
    height: int
    orientation: int = 1
    scans: int = 1


def picture_kind(data: bytes) -> Kind:
    """Kind of picture by its first bytes, whatever its name says.

    Raises
    ------
    PhotoError
        `empty_file` or `not_an_image`.
    """
    if not data:
        raise PhotoError("empty_file", "This file is empty.")
    if data.startswith(b"\xff\xd8\xff"):
        return "jpeg"
    if data.startswith(b"\x89PNG\r\n\x1a\n"):
        return "png"
    if data[:4] == b"RIFF" and data[8:12] == b"WEBP":
        return "webp"
    if data[4:8] == b"ftyp" and data[8:12] in HEIC_BRANDS:
        return "heic"
    raise PhotoError("not_an_image", "This file is not a JPEG, PNG, WebP or HEIC picture.")


def read_header(data: bytes) -> Header:
    """Header of a JPEG, PNG or WebP file.

    Raises
    ------
    PhotoError
        `empty_file`, `not_an_image`, `damaged_image` or `moving_picture`; HEIC is left to its library.
    """
    kind = picture_kind(data)
    try:
        header = {"jpeg": _jpeg_header, "png": _png_header, "webp": _webp_header}[kind](data)
    except (struct.error, IndexError):
        raise damaged() from None
    if header.width < 1 or header.height < 1:
        raise damaged()
    return header


def _jpeg_segments(data: bytes) -> Iterator[tuple[int, int, int]]:
    """(marker, start, length) of the segments up to the end of the first picture; raises `PhotoError` for too many."""
    at = 2
    for _ in range(MOST_SEGMENTS):
        found = SEGMENT.search(data, at)
        if not found or data[found.end() - 1] == END:
            return
        at = found.end()
        (length,) = struct.unpack_from(">H", data, at)
        yield data[at - 1], at + 2, length - 2
        at += max(2, length)
    raise damaged()


def _jpeg_header(data: bytes) -> Header:
    orientation, scans = 1, 0
    size: tuple[int, int] | None = None
    for marker, start, length in _jpeg_segments(data):
        if marker == SCAN:
            scans += 1
        elif marker == APP1 and not size and data[start : start + 6] == b"Exif\0\0":
            orientation = exif_orientation(data[start + 6 : start + length])
        elif marker in FRAME and not size:
            size = struct.unpack_from(">HH", data, start + 1)
    if not size or not scans:
        raise damaged()
    return Header("jpeg", size[1], size[0], orientation, scans)


def _png_header(data: bytes) -> Header:
    """Every chunk must lie in the file: decoders ask for the memory that a chunk claims before they look."""
    if data[12:16] != b"IHDR":
        raise damaged()
    width, height = struct.unpack_from(">II", data, 16)
    orientation, at = 1, 8
    for _ in range(MOST_CHUNKS):
        (length,) = struct.unpack_from(">I", data, at)
        name, end = data[at + 4 : at + 8], at + 12 + length
        if end > len(data):
            raise damaged()
        if name == b"IEND":
            return Header("png", width, height, orientation)
        if name == b"acTL":
            raise _moving()
        if name == b"eXIf":
            orientation = exif_orientation(data[at + 8 : at + 8 + length])
        at = end
    raise damaged()


def _webp_header(data: bytes) -> Header:
    form = data[12:16]
    if form == b"VP8X":
        if data[20] & MOVES:
            raise _moving()
        width = 1 + int.from_bytes(data[24:27], "little")
        height = 1 + int.from_bytes(data[27:30], "little")
        return Header("webp", width, height, _webp_orientation(data))
    if form == b"VP8L" and data[20] == 0x2F:
        (bits,) = struct.unpack_from("<I", data, 21)
        return Header("webp", 1 + (bits & 0x3FFF), 1 + (bits >> 14 & 0x3FFF))
    if form == b"VP8 " and data[23:26] == b"\x9d\x01\x2a":
        width, height = struct.unpack_from("<HH", data, 26)
        return Header("webp", width & 0x3FFF, height & 0x3FFF)
    raise damaged()


def _webp_orientation(data: bytes) -> int:
    at = 12
    for _ in range(MOST_CHUNKS):
        if at + 8 > len(data):
            break
        (length,) = struct.unpack_from("<I", data, at + 4)
        if data[at : at + 4] == b"EXIF":
            block = data[at + 8 : at + 8 + length]
            return exif_orientation(block.removeprefix(b"Exif\0\0"))
        at += 8 + length + (length & 1)
    return 1


def heic_claim(data: bytes) -> Header:
    """The largest size that a HEIC file names for one of its pictures or tiles; its library turns them upright.

    Raises
    ------
    PhotoError
        `damaged_image` where it names none.
    """
    sizes = [struct.unpack(">II", size) for size in HEIC_SIZE.findall(data, 0, HEIC_HEAD_BYTES)]
    if not sizes:
        raise damaged()
    width, height = max(sizes, key=lambda size: size[0] * size[1])
    return Header("heic", width, height)


def exif_orientation(block: bytes) -> int:
    """Orientation 1 to 8 from a TIFF block; 1, shown as it is, where it has none or is damaged."""
    try:
        order = {b"II": "<", b"MM": ">"}[block[:2]]
        (start,) = struct.unpack_from(order + "I", block, 4)
        (entries,) = struct.unpack_from(order + "H", block, start)
        for i in range(min(entries, LARGEST_DIRECTORY)):
            tag, kind, _, value = struct.unpack_from(order + "HHIH", block, start + 2 + 12 * i)
            if tag == ORIENTATION_TAG and kind == 3 and 1 <= value <= 8:
                return int(value)
    except (KeyError, struct.error):
        return 1
    return 1
