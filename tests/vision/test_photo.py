"""Every kind of picture comes out upright; every hostile file ends in one sentence."""

import io
import struct

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray
from PIL import Image, ImageOps

import vision.photo as photo_module
from tests.hostile.pictures import EMPTY_SCAN, gradient, greedy_png, layers, moving, png, saved
from vision.header import exif_orientation
from vision.photo import MAX_BYTES, Photo, PhotoError, Views, claim, decode, open_photo, pixels


def difference(a: np.ndarray, b: np.ndarray) -> float:
    return float(np.abs(a.astype(float) - b.astype(float)).mean())


@pytest.mark.parametrize("kind", ["JPEG", "PNG", "WEBP"])
@pytest.mark.parametrize("orientation", [None, 1, 2, 3, 4, 5, 6, 7, 8])
def test_exif_orientation_as_pillow_turns_it(kind: str, orientation: int | None) -> None:
    data = saved(Image.fromarray(gradient()), kind, orientation)
    expected = np.asarray(ImageOps.exif_transpose(Image.open(io.BytesIO(data))).convert("RGB"))
    photo = open_photo(data)
    image = pixels(photo)
    assert image.shape == expected.shape == (photo.height, photo.width, 3)
    assert difference(image, expected) < 2


def test_exif_in_either_byte_order() -> None:
    little = b"II*\0" + struct.pack("<IHHHIHH", 8, 1, 0x0112, 3, 1, 6, 0)
    big = b"MM\0*" + struct.pack(">IHHHIHH", 8, 1, 0x0112, 3, 1, 8, 0)
    assert exif_orientation(little) == 6
    assert exif_orientation(big) == 8
    assert exif_orientation(little.replace(b"\x06\0", b"\x09\0")) == 1


@pytest.mark.parametrize("mode", ["L", "RGB", "RGBA", "LA", "P", "1", "CMYK", "I;16"])
def test_every_pixel_format_becomes_rgb(mode: str) -> None:
    colours = gradient()
    if mode == "I;16":
        image = Image.fromarray(colours[..., 0].astype(np.uint16) * 257)
    elif mode in ("LA", "RGBA"):
        image = Image.fromarray(colours).convert(mode)
        image.putalpha(255)
    else:
        image = Image.fromarray(colours).convert(mode)
    expected = np.asarray(
        Image.fromarray(colours).convert(mode if mode in ("L", "P", "1") else "RGB").convert("RGB")
    )
    if mode == "I;16":
        expected = np.repeat(colours[..., :1], 3, axis=-1)
    if mode == "LA":
        expected = np.asarray(Image.fromarray(colours).convert("L").convert("RGB"))
    decoded = decode(saved(image, "JPEG" if mode == "CMYK" else "PNG"))
    assert decoded.dtype == np.uint8
    assert difference(decoded, expected) < 3


def test_heic_is_read() -> None:
    heif = pytest.importorskip("pillow_heif")
    target = io.BytesIO()
    heif.from_pillow(Image.fromarray(gradient())).save(target, quality=95)
    photo = open_photo(target.getvalue())
    assert (photo.header.kind, photo.width, photo.height) == ("heic", 96, 64)
    assert difference(pixels(photo), gradient()) < 4
    assert pixels(photo, 2).shape == (32, 48, 3)
    assert claim(photo.data) == photo.header
    nothing = photo.data.replace(b"hvc1", b"xxxx")
    with pytest.raises(PhotoError, match="damaged"):
        open_photo(nothing)
    for cut in (20, 100, len(photo.data) - 20):
        with pytest.raises(PhotoError) as caught:
            decode(photo.data[:cut])
        assert caught.value.code == "damaged_image"


@pytest.mark.parametrize("kind", ["JPEG", "PNG"])
@pytest.mark.parametrize("shrink", [2, 4, 8])
def test_shrunk_picture_is_the_average_of_the_full_one(kind: str, shrink: int) -> None:
    photo = open_photo(saved(Image.fromarray(gradient(97, 66)), kind))
    full, small = pixels(photo), pixels(photo, shrink)
    assert small.shape[:2] == (-(-full.shape[0] // shrink), -(-full.shape[1] // shrink))
    block = full[16 : 16 + shrink, 24 : 24 + shrink].reshape(-1, 3).mean(axis=0)
    assert difference(small[16 // shrink, 24 // shrink], block) < 6


JPEG = saved(Image.fromarray(gradient()), "JPEG")
PNG = saved(Image.fromarray(gradient()), "PNG")
WEBP = saved(Image.fromarray(gradient()), "WEBP")


@pytest.mark.parametrize(
    ("data", "code"),
    [
        pytest.param(b"", "empty_file", id="empty"),
        pytest.param("打牌\n".encode(), "not_an_image", id="text named .jpg"),
        pytest.param(b"\xff\xd8", "not_an_image", id="two bytes"),
        pytest.param(b"GIF89a" + bytes(50), "not_an_image", id="gif"),
        pytest.param(JPEG[: len(JPEG) // 2], "damaged_image", id="half a JPEG"),
        pytest.param(JPEG[:-2], "damaged_image", id="JPEG without its end"),
        pytest.param(JPEG[:60], "damaged_image", id="JPEG header cut"),
        pytest.param(PNG[: len(PNG) // 2], "damaged_image", id="half a PNG"),
        pytest.param(PNG[:20], "damaged_image", id="PNG header cut"),
        pytest.param(WEBP[: len(WEBP) // 2], "damaged_image", id="half a WebP"),
        pytest.param(WEBP[:16], "damaged_image", id="WebP header cut"),
        pytest.param(png(60_000, 60_000), "too_many_pixels", id="huge by its header"),
        pytest.param(greedy_png(), "damaged_image", id="PNG that claims two gigabytes of something"),
        pytest.param(png(0, 10), "damaged_image", id="no width"),
        pytest.param(png(30, 30), "damaged_image", id="PNG without pixels"),
        pytest.param(png(1_100_000, 20), "damaged_image", id="wider than any decoder"),
        pytest.param(JPEG + bytes(MAX_BYTES), "too_large", id="over 12 MB"),
        pytest.param(b"\xff\xd8" + b"\xff" * (MAX_BYTES - 2), "damaged_image", id="JPEG of fill bytes"),
        pytest.param(b"\xff\xd8" + b"\xff\xfe\0\2" * 3_000_000, "damaged_image", id="JPEG of empty remarks"),
        pytest.param(JPEG[:-2] + EMPTY_SCAN * 3000 + JPEG[-2:], "damaged_image", id="more scans than parts"),
        pytest.param(layers(12_000_000, 100), "too_many_scans", id="hundred layers of 12 megapixels"),
        pytest.param(moving("WEBP"), "moving_picture", id="WebP that moves"),
        pytest.param(moving("PNG"), "moving_picture", id="PNG that moves"),
        pytest.param(b"\0\0\0\x18ftypheic" + bytes(40), "damaged_image", id="empty HEIC"),
    ],
)
def test_hostile_file_ends_in_one_sentence(data: bytes, code: str) -> None:
    with pytest.raises(PhotoError) as caught:
        decode(data)
    assert caught.value.code == code
    assert str(caught.value).endswith(".")
    assert "\n" not in str(caught.value)


def test_scans_are_counted_up_to_the_end_of_the_picture() -> None:
    """What lies behind, a second picture or a film, is no work."""
    small, whole = saved(Image.fromarray(gradient()), "JPEG"), layers(1_000_000, 9)
    thumbnail = b"\xff\xd8\xff\xe1" + struct.pack(">H", len(small) + 2) + small + small[2:]
    assert open_photo(JPEG + EMPTY_SCAN * 5000).header.scans == 1
    assert open_photo(thumbnail).header == open_photo(small).header
    assert open_photo(whole).header.scans == open_photo(layers(1_000_000, 0)).header.scans + 9


def test_what_takes_all_the_work_is_decoded_once(monkeypatch: pytest.MonkeyPatch) -> None:
    sizes: list[int] = []
    decoded = photo_module.pixels

    def counted(photo: Photo, shrink: int = 1) -> NDArray[np.uint8]:
        sizes.append(shrink)
        return decoded(photo, shrink)

    monkeypatch.setattr(photo_module, "pixels", counted)
    for data, expected in ((layers(1_000_000, 0), [1]), (PNG, [1]), (JPEG, [2, 1])):
        sizes.clear()
        views = Views(open_photo(data))
        small, scale = views.at_least(0.4)
        full, _ = views.at_least(1)
        assert (scale, sizes) == (0.5, expected)
        assert small.shape[0] == -(-full.shape[0] // 2)


def test_limits_come_before_decoding(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(*_: object) -> None:
        raise AssertionError("decoded")

    monkeypatch.setattr("vision.photo.cv2.imdecode", refuse)
    with pytest.raises(PhotoError, match="50 megapixels"):
        decode(png(10_000, 5_001))


@settings(max_examples=300, deadline=None)
@given(st.sampled_from([JPEG, PNG, WEBP]), st.binary(max_size=200), st.integers(2, 400))
def test_no_header_crashes_the_reader(start: bytes, noise: bytes, at: int) -> None:
    """Bytes overwritten anywhere near the start: a photo or a `PhotoError`, nothing else."""
    data = start[:at] + noise + start[at + len(noise) :]
    try:
        photo = open_photo(data)
    except PhotoError:
        return
    assert isinstance(photo, Photo)
    assert photo.width * photo.height <= 50_000_000


def test_orientation_loop_ends() -> None:
    """A directory that claims 65,535 entries, and a chunk that claims no length, cost nothing."""
    claimed = b"MM\0*" + struct.pack(">IH", 8, 65_535) + bytes(100)
    assert exif_orientation(claimed) == 1
    with pytest.raises(PhotoError, match="damaged"):
        open_photo(PNG[:33] + bytes(12) * 500_000)
