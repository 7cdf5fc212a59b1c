"""The installed fonts: which faces there are (`fonts.toml`), what each lacks, and characters drawn by them."""

import os
import tomllib
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from PIL import Image, ImageDraw, ImageFont

Mask = NDArray[np.uint8]

TABLE = Path(__file__).with_name("fonts.toml")
CACHE = Path(os.environ.get("PAIYAN_CACHE", Path.home() / ".cache" / "paiyan")) / "fonts"
MINIMUM_FONTS = 10

ZIPAI = "一二三四五六七八九十壹貳贰弍叁叄參参肆伍陸陆柒捌玖拾王"
SISE = "帥帅將将仕士相象俥車车炮包砲傌馬马卒兵"
MARKS = "福祿禄壽寿榮荣富華华貴贵春夏秋冬梅蘭竹菊公侯伯子男喜財财神聽听用"
PARTS = "眷看券龹夫目律聿七木式弋"
ALPHABET = ZIPAI + SISE + MARKS + PARTS

# Whole families kept out of training, about 15 % of the faces, of every style.
HELD_PACKAGES = frozenset(
    {
        "fonts-aoyagi-soseki",
        "fonts-cns11643-kai",
        "fonts-babelstone-han",
        "fonts-cwtex-heib",
        "fonts-klee",
        "fonts-unfonts-extra",
        "@fontsource/yuji-boku",
        "@fontsource/zcool-qingke-huangyou",
        "@fontsource/zhi-mang-xing",
    }
)


@dataclass(frozen=True)
class Font:
    """One face: `file` and `index` for FreeType, `lacks` = characters of `ALPHABET` it has no drawing of."""

    package: str
    file: str
    index: int
    family: str
    style: str
    lacks: frozenset[str]

    def has(self, text: str) -> bool:
        """Whether every character of `text` (out of `ALPHABET`) can be drawn."""
        return not self.lacks.intersection(text)


class FontsMissingError(RuntimeError):
    """Too few of the fonts in `fonts.toml` are installed."""


def _path(file: str) -> Path:
    return Path(file) if file.startswith("/") else CACHE / file


@lru_cache(maxsize=1)
def _table() -> tuple[Font, ...]:
    rows = tomllib.loads(TABLE.read_text("utf-8"))["font"]
    fonts = tuple(
        Font(row["package"], row["file"], row["index"], row["family"], row["style"], frozenset(row["lacks"]))
        for row in rows
        if _path(row["file"]).is_file()
    )
    if len(fonts) < MINIMUM_FONTS:
        raise FontsMissingError(
            f"only {len(fonts)} of {len(rows)} fonts are installed; run "
            "`python -m models.training.prints.fonts --install` as root first"
        )
    return fonts


@lru_cache(maxsize=2)
def fonts(split: str) -> tuple[Font, ...]:
    """Return the installed faces of `split` ("train" or "held"), in the order of `fonts.toml`.

    Raises
    ------
    FontsMissingError
        When fewer than `MINIMUM_FONTS` faces are installed altogether.
    """
    held = split == "held"
    return tuple(font for font in _table() if (font.package in HELD_PACKAGES) == held)


@lru_cache(maxsize=48)
def _freetype(file: str, index: int, size: int) -> ImageFont.FreeTypeFont:
    return ImageFont.truetype(str(_path(file)), size, index=index)


@lru_cache(maxsize=4096)
def em_box(font: Font, text: str, size: int = 256) -> tuple[int, int, int, int]:
    """Return the ink box (x0, y0, x1, y1) px of `text` relative to the pen, at `size` px per em."""
    box = _freetype(font.file, font.index, size).getbbox(text)
    return int(box[0]), int(box[1]), int(box[2]), int(box[3])


def glyph(font: Font, text: str, size: int = 256) -> Mask:
    """Return `text` as ink coverage (h, w) uint8, cut to its ink, drawn at `size` px per em."""
    x0, y0, x1, y1 = em_box(font, text, size)
    image = Image.new("L", (max(1, x1 - x0), max(1, y1 - y0)), 0)
    ImageDraw.Draw(image).text((-x0, -y0), text, fill=255, font=_freetype(font.file, font.index, size))
    return np.asarray(image)
