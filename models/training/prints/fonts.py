"""Installs the fonts that prints are drawn with, and writes down what each lacks.

`python -m models.training.prints.fonts --install` installs the packages (apt as root, `npm pack` for the rest; turning
web fonts into plain ones needs fonttools and brotli), `--survey` writes `fonts.toml` again from what is installed.
Drawing (`typefaces.py`) reads `fonts.toml` only.
"""

import argparse
import os
import subprocess
import sys
import tarfile
from collections.abc import Iterator, Sequence
from pathlib import Path

from PIL import ImageFont

from models.training.prints.typefaces import ALPHABET, CACHE, SISE, TABLE, ZIPAI, fonts

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
# Package of the scope @fontsource -> (version, licence, style).
NPM: dict[str, tuple[str, str, str]] = {
    "dela-gothic-one": ("5.3.0", "OFL-1.1", "display"),
    "kaisei-opti": ("5.2.8", "OFL-1.1", "song"),
    "liu-jian-mao-cao": ("5.3.0", "OFL-1.1", "running"),
    "long-cang": ("5.3.0", "OFL-1.1", "running"),
    "ma-shan-zheng": ("5.3.1", "OFL-1.1", "brush"),
    "potta-one": ("5.3.0", "OFL-1.1", "display"),
    "yuji-boku": ("5.3.0", "OFL-1.1", "brush"),
    "yuji-mai": ("5.3.0", "OFL-1.1", "brush"),
    "yuji-syuku": ("5.3.0", "OFL-1.1", "brush"),
    "zcool-kuaile": ("5.3.0", "OFL-1.1", "display"),
    "zcool-qingke-huangyou": ("5.3.0", "OFL-1.1", "display"),
    "zcool-xiaowei": ("5.3.0", "OFL-1.1", "song"),
    "zen-kurenaido": ("5.3.0", "OFL-1.1", "hand"),
    "zhi-mang-xing": ("5.3.0", "OFL-1.1", "running"),
}
NOTO_LOCALES = ("JP", "KR", "SC", "TC")


def install() -> None:
    """Install every package: apt for Debian's (root), `npm pack` into `CACHE` for fontsource's."""
    command = ["apt-get", "install", "-y", "--no-install-recommends", "-o", "DPkg::Lock::Timeout=300"]
    subprocess.run([*command, *DEBIAN], check=True, env={**os.environ, "DEBIAN_FRONTEND": "noninteractive"})
    packed = CACHE / "npm"
    packed.mkdir(parents=True, exist_ok=True)
    for name, (version, _, _) in NPM.items():
        archive = packed / f"fontsource-{name}-{version}.tgz"
        if not archive.exists():
            subprocess.run(["npm", "pack", f"@fontsource/{name}@{version}"], cwd=packed, check=True)
        _unpack(archive)


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
    for name, (_, _, style) in NPM.items():
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
