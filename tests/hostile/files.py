"""Photo files that mean harm: bytes flipped in every kind of picture, and each kind of lie that a file can tell."""

from __future__ import annotations

import io
import struct
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np
import pillow_heif
from PIL import Image

from tests.hostile.pictures import EMPTY_SCAN, greedy_png, layers, moving, png, saved

SAMPLE = Path(__file__).resolve().parent.parent.parent / "webui/static/samples/shihu.jpg"
SIDE_PX = 800
FLIPPED = 100
"""Files with flipped bytes of each kind."""


def flips(seed: int = 1) -> Iterator[tuple[str, bytes]]:
    """A photo of a hand in each kind of file with one to eight bytes changed, half of them near its beginning."""
    rng = np.random.default_rng(seed)
    with Image.open(SAMPLE) as photo:
        small = photo.convert("RGB")
    small.thumbnail((SIDE_PX, SIDE_PX))
    heic = io.BytesIO()
    pillow_heif.from_pillow(small).save(heic, quality=60)
    whole = {kind: saved(small, kind) for kind in ("JPEG", "PNG", "WEBP")} | {"HEIC": heic.getvalue()}
    for kind, data in whole.items():
        for number in range(FLIPPED):
            changed = bytearray(data)
            most = min(len(data), 700) if number % 2 else len(data)
            for at in rng.integers(most, size=rng.integers(1, 9)):
                changed[at] = rng.integers(256)
            yield f"flipped-{kind.lower()}-{number}", bytes(changed)


def noise(width: int, height: int, grain: int) -> bytes:
    """A photo of gravel."""
    rng = np.random.default_rng(grain)
    coarse = rng.integers(0, 255, (height // grain + 1, width // grain + 1, 3), dtype=np.uint8)
    picture = np.kron(coarse, np.ones((grain, grain, 1), np.uint8))[:height, :width]
    return saved_at(Image.fromarray(picture), 60)


def saved_at(image: Image.Image, quality: int, progressive: bool = False) -> bytes:
    """JPEG bytes."""
    target = io.BytesIO()
    image.save(target, "JPEG", quality=quality, progressive=progressive)
    return target.getvalue()


def lies() -> Mapping[str, bytes]:
    """One file of each kind that costs or claims more than it is."""
    whole = SAMPLE.read_bytes()
    large = Image.new("RGB", (8160, 6120), (200, 190, 180))
    small = saved(Image.new("RGB", (64, 64), (9, 99, 199)), "JPEG")
    heic = io.BytesIO()
    pillow_heif.from_pillow(Image.new("RGB", (64, 64))).save(heic)
    claim = heic.getvalue().replace(struct.pack(">II", 64, 64), struct.pack(">II", 60_000, 60_000))
    remarks = b"\xff\xfe\0\2" * 2_900_000
    return {
        "empty": b"",
        "text": "打牌\n".encode() * 999,
        "cut": whole[: len(whole) // 2],
        "without end": whole[:-2],
        "layers 12 MP": layers(12_000_000, 4055),
        "layers 50 MP": layers(49_000_000, 19),
        "fill bytes": b"\xff\xd8" + b"\xff" * 12_000_000,
        "tiny segments": b"\xff\xd8" + remarks,
        "scans of nothing": small[:-2] + EMPTY_SCAN * 1_000_000 + small[-2:],
        "claims 65535": small[: small.index(b"\xff\xc0") + 5]
        + b"\xff\xff\xff\xff"
        + small[small.index(b"\xff\xc0") + 9 :],
        "film WebP": moving("WEBP", 1200, 900, 12),
        "film PNG": moving("PNG", 1200, 900, 12),
        "greedy PNG": greedy_png(),
        "huge PNG": png(60_000, 60_000),
        "wide PNG": png(1_100_000, 20),
        "PNG without pixels": png(7000, 7000),
        "PNG of zeros": png(7000, 7000, bytes(7000 * 21001)),
        "HEIC that claims": claim,
        "50 MP": saved_at(large, 80),
        "50 MP in layers": saved_at(large, 80, progressive=True),
        "50 MP WebP": saved(large, "WEBP"),
        "gravel": noise(4000, 3000, 5),
        "coarse gravel": noise(4000, 3000, 24),
        "too large": whole + bytes(12 * 1024 * 1024),
        "a table": b'{"format": "paiyan-table"}',
    }
