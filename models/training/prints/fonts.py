"""The fonts that prints are drawn with: which there are, what each lacks, and how to install them.

`python -m models.training.prints.fonts --install` installs the packages (apt as root, and `npm pack`),
`--survey` writes `fonts.toml` again from what is installed. Drawing reads `fonts.toml` only.
"""

import argparse
import os
import subprocess
import sys
import tarfile
import tomllib
from collections.abc import Iterator, Sequence
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

# Package -> (licence, style, pattern that files to leave out match). A style decides how often a face is
# taken: brush hands for 字牌, running hands only lightly. Files left out: fully cursive or without hanzi.
DEBIAN: dict[str, tuple[str, str, tuple[str, ...]]] = {
    "fonts-aoyagi-kouzan-t": ("public domain", "brush", ()),
    "fonts-aoyagi-soseki": ("public domain", "brush", ()),
    "fonts-arphic-bkai00mp": ("Arphic PL", "kai", ()),
    "fonts-arphic-bsmi00lp": ("Arphic PL", "song", ()),
    "fonts-arphic-gbsn00lp": ("Arphic PL", "song", ()),
    "fonts-arphic-gkai00mp": ("Arphic PL", "kai", ()),
    "fonts-arphic-ukai": ("Arphic PL", "kai", ()),
    "fonts-arphic-uming": ("Arphic PL", "song", ()),
    "fonts-babelstone-han": ("Arphic PL, CC-BY-SA-3.0 or 4.0", "song", ()),
    "fonts-baekmuk": ("MIT-like", "song", ()),
    "fonts-cns11643-kai": ("OGDL-TW-1.0", "kai", ("Ext", "Plus")),
    "fonts-cns11643-sung": ("OGDL-TW-1.0", "song", ("Ext", "Plus")),
    "fonts-cwtex-fs": ("GPL-2+ with font exception", "kai", ()),
    "fonts-cwtex-heib": ("GPL-2+ with font exception", "gothic", ()),
    "fonts-cwtex-kai": ("GPL-2+ with font exception", "kai", ()),
    "fonts-cwtex-ming": ("GPL-2+ with font exception", "song", ()),
    "fonts-cwtex-yen": ("GPL-2+ with font exception", "round", ()),
    "fonts-dejima-mincho": ("MIT", "song", ()),
    "fonts-hanazono": ("OFL-1.1", "song", ("HanaMinB",)),
    "fonts-ipaexfont-gothic": ("IPA-1", "gothic", ()),
    "fonts-ipafont-mincho": ("IPA-1", "song", ()),
    "fonts-kiloji": ("BSD-3-Clause", "hand", ("_d", "_p")),
    "fonts-klee": ("OFL-1.1", "hand", ()),
    "fonts-kouzan-mouhitsu": ("public domain", "brush", ("Sousyo",)),
    "fonts-monapo": ("IPA-1, public domain", "gothic", ()),
    "fonts-noto-cjk": ("OFL-1.1", "noto", ()),
    "fonts-noto-cjk-extra": ("OFL-1.1", "noto", ("Thin", "ExtraLight")),
    "fonts-oradano-mincho-gsrr": ("free, custom", "song", ()),
    "fonts-reggae": ("OFL-1.1", "display", ()),
    "fonts-sawarabi-mincho": ("OFL-1.1", "song", ()),
    "fonts-seto": ("OFL-1.1", "hand", ("-ex",)),
    "fonts-smiley-sans": ("OFL-1.1", "gothic", ()),
    "fonts-unfonts-core": ("GPL-2", "song", ("UnDinaru", "UnPilgi")),
    "fonts-unfonts-extra": (
        "GPL-2 with font exception",
        "song",
        ("Jamo", "UnPen", "Pilgia", "Vada", "Yetgul"),
    ),
    "fonts-vlgothic": ("M+, BSD-3-Clause", "gothic", ("PGothic",)),
    "fonts-wqy-microhei": ("Apache-2.0 or GPL-3+ with font exception", "gothic", ()),
    "fonts-wqy-zenhei": ("GPL-2 with font exception", "gothic", ()),
    "fonts-yusei-magic": ("OFL-1.1", "hand", ()),
}
NPM: dict[str, tuple[str, str]] = {
    "dela-gothic-one": ("OFL-1.1", "display"),
    "kaisei-opti": ("OFL-1.1", "song"),
    "liu-jian-mao-cao": ("OFL-1.1", "running"),
    "long-cang": ("OFL-1.1", "running"),
    "ma-shan-zheng": ("OFL-1.1", "brush"),
    "potta-one": ("OFL-1.1", "display"),
    "yuji-boku": ("OFL-1.1", "brush"),
    "yuji-mai": ("OFL-1.1", "brush"),
    "yuji-syuku": ("OFL-1.1", "brush"),
    "zcool-kuaile": ("OFL-1.1", "display"),
    "zcool-qingke-huangyou": ("OFL-1.1", "display"),
    "zcool-xiaowei": ("OFL-1.1", "song"),
    "zen-kurenaido": ("OFL-1.1", "hand"),
    "zhi-mang-xing": ("OFL-1.1", "running"),
}
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
NOTO_LOCALES = ("JP", "KR", "SC", "TC")


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


# ---- installing and surveying -------------------------------------------------------------------


def install() -> None:
    """Install every package: apt for Debian's (root), `npm pack` into `CACHE` for fontsource's."""
    command = ["apt-get", "install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"]
    subprocess.run([*command, *DEBIAN], check=True, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    packed = CACHE / "npm"
    packed.mkdir(parents=True, exist_ok=True)
    for name in NPM:
        if not any(packed.glob(f"fontsource-{name}-*.tgz")):
            subprocess.run(["npm", "pack", f"@fontsource/{name}"], cwd=packed, check=True)
        _unpack(next(packed.glob(f"fontsource-{name}-*.tgz")))


def _unpack(archive: Path) -> None:
    from fontTools.ttLib import TTFont

    with tarfile.open(archive) as package:
        for member in package.getmembers():
            path = Path(member.name)
            whole = any(f"-{script}-" in path.name for script in ("chinese-simplified", "japanese"))
            target = CACHE / f"{path.stem}.ttf"
            if path.suffix != ".woff2" or not whole or target.exists():
                continue
            stream = package.extractfile(member)
            assert stream is not None
            font = TTFont(stream)
            font.flavor = None
            font.save(target)


def _installed() -> Iterator[tuple[str, str, Path, str]]:
    for package, (_, style, skip) in DEBIAN.items():
        listed = subprocess.run(["dpkg", "-L", package], capture_output=True, text=True).stdout.split("\n")
        for line in sorted(listed):
            path = Path(line)
            if path.suffix.lower() in (".ttf", ".ttc", ".otf") and not any(
                word in path.stem for word in skip
            ):
                yield package, style, path, str(path)
    for name, (_, style) in NPM.items():
        for path in sorted(CACHE.glob(f"{name}-*.ttf")):
            yield f"@fontsource/{name}", style, path, path.name


def _faces(path: Path) -> Iterator[tuple[int, str, frozenset[int]]]:
    from fontTools.ttLib import TTFont
    from fontTools.ttLib.ttCollection import TTCollection

    faces = (
        TTCollection(path, lazy=True).fonts if path.suffix.lower() == ".ttc" else [TTFont(path, lazy=True)]
    )
    for index, face in enumerate(faces):
        name = str(face["name"].getDebugName(4) or face["name"].getDebugName(1) or path.stem)
        yield index, name, frozenset(face.getBestCmap())


def _lacks(path: Path, index: int, cmap: frozenset[int]) -> str:
    face = ImageFont.truetype(str(path), 64, index=index)
    return "".join(c for c in ALPHABET if ord(c) not in cmap or face.getmask(c).getbbox() is None)


def survey() -> str:
    """Return the text of `fonts.toml` for what is installed now."""
    lines = ["# Written by `python -m models.training.prints.fonts --survey`.", ""]
    for package, style, path, shown in _installed():
        for index, name, cmap in _faces(path):
            noto = style == "noto"
            if noto and (" Mono" in name or not any(f"CJK {place}" in name for place in NOTO_LOCALES)):
                continue
            lacks = _lacks(path, index, cmap)
            if len(set(lacks) & set(ZIPAI + SISE)) > 30:
                continue
            real = ("song" if "Serif" in name else "gothic") if noto else style
            lines += [
                "[[font]]",
                f'package = "{package}"',
                f'file = "{shown}"',
                f"index = {index}",
                f'family = "{name.replace(chr(34), "")}"',
                f'style = "{real}"',
                f'lacks = "{lacks}"',
                "",
            ]
    return "\n".join(lines)


def main(arguments: Sequence[str]) -> int:
    """Run `--install` and/or `--survey`, or list the fonts that are found."""
    parser = argparse.ArgumentParser(prog="python -m models.training.prints.fonts", description=__doc__)
    parser.add_argument("--install", action="store_true", help="install the font packages (apt needs root)")
    parser.add_argument("--survey", action="store_true", help="write fonts.toml from the installed fonts")
    chosen = parser.parse_args(arguments)
    if chosen.install:
        install()
    if chosen.survey:
        TABLE.write_text(survey(), "utf-8")
    for split in ("train", "held"):
        found = fonts(split)
        print(f"{split}: {len(found)} faces of {len({font.package for font in found})} packages")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
