"""Picture files that claim, hide or lack something."""

from __future__ import annotations

import io
import struct
import zlib

import numpy as np
from PIL import Image

EMPTY_SCAN = bytes.fromhex("ffda0008010100013f00")
"""A scan of a progressive JPEG in which nothing is said: ten bytes that send a decoder over the whole picture."""


def gradient(width: int = 96, height: int = 64) -> np.ndarray:
    """A picture without symmetry: red grows to the right, green downwards, one blue corner."""
    picture = np.zeros((height, width, 3), np.uint8)
    picture[..., 0] = np.linspace(0, 255, width)
    picture[..., 1] = np.linspace(0, 255, height)[:, None]
    picture[:12, :12, 2] = 255
    return picture


def saved(image: Image.Image, kind: str, orientation: int | None = None) -> bytes:
    """The bytes of a picture file, with an Exif orientation where one is given."""
    target = io.BytesIO()
    exif = Image.Exif()
    if orientation:
        exif[0x0112] = orientation
    quality = {"quality": 95} if kind in ("JPEG", "WEBP") else {}
    image.save(target, kind, exif=exif.tobytes() if orientation else b"", **quality)
    return target.getvalue()


def png_chunk(name: bytes, body: bytes) -> bytes:
    """One part of a PNG file."""
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))


def png(width: int, height: int, pixels: bytes = b"") -> bytes:
    """A few bytes that claim any size; RGB, 8 bits."""
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    return (
        b"\x89PNG\r\n\x1a\n"
        + png_chunk(b"IHDR", header)
        + png_chunk(b"IDAT", zlib.compress(pixels))
        + png_chunk(b"IEND", b"")
    )


def greedy_png() -> bytes:
    """A PNG of which one part says that it has two gigabytes."""
    data = png(4, 4, bytes(13 * 4))
    end = data.index(b"IEND") - 4
    return data[:end] + struct.pack(">I", 0x7FFFFFF0) + b"tEXt" + data[end:]


def layers(area: int, scans: int) -> bytes:
    """A progressive JPEG of so many pixels with so many empty scans after its own ones."""
    target = io.BytesIO()
    Image.fromarray(gradient()[..., 0]).save(target, "JPEG", progressive=True)
    data = target.getvalue()
    frame = data.index(b"\xff\xc2") + 5
    data = data[:frame] + struct.pack(">HH", area // 4000, 4000) + data[frame + 4 :]
    return data[:-2] + EMPTY_SCAN * scans + data[-2:]


def moving(kind: str, width: int = 16, height: int = 16, frames: int = 2) -> bytes:
    """A film as a WebP or PNG file."""
    target = io.BytesIO()
    still = [Image.new("RGB", (width, height), (40 * n % 256, 90, 160)) for n in range(frames)]
    still[0].save(target, kind, save_all=True, append_images=still[1:], duration=50)
    return target.getvalue()
