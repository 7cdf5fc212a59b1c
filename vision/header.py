"""What a picture file says of itself before it is decoded: kind, size and which way is up.

JPEG (ITU T.81 annex B), PNG (W3C PNG 3), WebP (RFC 9649), HEIC (ISO 23008-12) and the TIFF structure of Exif.
Only a few hundred bytes are looked at, whatever the file claims.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

Kind = Literal["jpeg", "png", "webp", "heic"]

HEIC_BRANDS = frozenset({b"heic", b"heix", b"heim", b"heis", b"hevc", b"hevx", b"mif1", b"msf1"})
ORIENTATION_TAG = 0x0112
LARGEST_DIRECTORY = 512  # entries of an Exif directory that are looked through
MOST_CHUNKS = 4096  # chunks of a PNG or WebP that are looked through for an Exif one


class PhotoError(ValueError):
    """A photo that cannot be read: `code` for programs, one sentence for people."""

    def __init__(self, code: str, message: str) -> None:
        super().__init__(message)
        self.code = code


def damaged() -> PhotoError:
    """The error for a file that starts like a picture and breaks off or makes no sense."""
    return PhotoError("damaged_image", "This picture is damaged or was cut short; please send it again.")


@dataclass(frozen=True)
class Header:
    """Stored width and height in pixels, before the Exif orientation (1 to 8) is applied."""

    kind: Kind
    width: int
    height: int
    orientation: int = 1


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
        `empty_file`, `not_an_image` or `damaged_image`; HEIC has no reader here and is left to its library.
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
    """(marker, start, length) of the segments before the first scan."""
    at = 2
    while at + 4 <= len(data) and data[at] == 0xFF:
        marker = data[at + 1]
        if marker == 0xFF:  # fill byte
            at += 1
            continue
        if marker == 0x01 or 0xD0 <= marker <= 0xD7:  # markers without a length
            at += 2
            continue
        if marker in (0xD9, 0xDA):  # end of image, start of scan
            return
        (length,) = struct.unpack_from(">H", data, at + 2)
        yield marker, at + 4, length - 2
        at += 2 + max(2, length)


def _jpeg_header(data: bytes) -> Header:
    orientation = 1
    for marker, start, length in _jpeg_segments(data):
        if marker == 0xE1 and data[start : start + 6] == b"Exif\0\0":
            orientation = exif_orientation(data[start + 6 : start + length])
        elif 0xC0 <= marker <= 0xCF and marker not in (0xC4, 0xC8, 0xCC):
            height, width = struct.unpack_from(">HH", data, start + 1)
            return Header("jpeg", width, height, orientation)
    raise damaged()


def _png_header(data: bytes) -> Header:
    if data[12:16] != b"IHDR":
        raise damaged()
    width, height = struct.unpack_from(">II", data, 16)
    orientation, at = 1, 8
    for _ in range(MOST_CHUNKS):
        if at + 8 > len(data):
            break
        (length,) = struct.unpack_from(">I", data, at)
        if data[at + 4 : at + 8] == b"eXIf":
            orientation = exif_orientation(data[at + 8 : at + 8 + length])
            break
        at += 12 + length
    return Header("png", width, height, orientation)


def _webp_header(data: bytes) -> Header:
    form = data[12:16]
    if form == b"VP8X":
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
