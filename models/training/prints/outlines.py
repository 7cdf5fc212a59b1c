"""Takes the outlines of the characters on printed cards from fonts: ``python -m models.training.prints.outlines``.

Writes `webui/printing/outlines.json`, so that cards print alike where no Chinese font is installed. Fonts come from
the packages named in `FONTS` (`--folder` says where they lie unpacked); needs fonttools and, for web fonts, brotli.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import cv2
import numpy as np

TARGET = Path(__file__).resolve().parents[3] / "webui" / "printing" / "outlines.json"
EM = 1000  # units of an outline; y points down and (0, 0) is the middle of the ink
SEGMENTS = 10  # straight pieces of one curve, before those that hardly bend are joined
TOLERANCE = 1.2  # units by which joined pieces may miss the curve

SISE = "帥仕相俥傌炮卒將士象車馬包兵将帅车马"
MARKS = "福祿壽榮華富貴禄寿荣华贵"
NUMBERS = "一二三四五六七八九十壹貳叁肆伍陸柒捌玖拾贰陆王"
JOKERS = "財神聽用财听"
# Look of the cards -> font file, characters that are not taken from it (it lacks them).
FONTS: dict[str, tuple[str, str]] = {
    "kai": ("TW-Kai-98_1.ttf", ""),
    "brush": ("aoyagi-soseki.ttf", "帅车马傌贰叁陆柒财荣华贵"),
    "poster": ("zcool-qingke-huangyou-chinese-simplified-400-normal.woff2", "俥傌祿貳"),
}


def polygons(font: object, character: str) -> list[list[list[int]]]:
    """The closed contours of a character, in units of `EM`, filled by the even-odd rule."""
    from fontTools.pens.recordingPen import DecomposingRecordingPen

    glyphs, name = font.getGlyphSet(), font.getBestCmap()[ord(character)]  # type: ignore[attr-defined]
    pen = DecomposingRecordingPen(glyphs)
    glyphs[name].draw(pen)
    contours = [np.array(one) for one in _flattened(pen.value) if len(one) > 2]
    points = np.concatenate(contours)
    middle = (points.min(axis=0) + points.max(axis=0)) / 2
    scale = EM / font["head"].unitsPerEm  # type: ignore[index]
    placed = [((one - middle) * scale * [1, -1]).astype(np.float32) for one in contours]
    simple = [cv2.approxPolyDP(one, TOLERANCE, True)[:, 0].round().astype(int) for one in placed]
    return [one.tolist() for one in simple if len(one) > 2]


def _flattened(
    commands: Iterable[tuple[str, tuple[tuple[float, float] | None, ...]]],
) -> list[list[np.ndarray]]:
    contours: list[list[np.ndarray]] = []
    for command, given in commands:
        points = [np.array(point, np.float64) for point in given if point is not None]
        if command == "moveTo":
            contours.append(points)
        elif command == "lineTo":
            contours[-1] += points
        elif command == "curveTo":
            contours[-1] += _bezier([contours[-1][-1], *points])
        elif command == "qCurveTo":
            for control, end in _quadratics(points):
                contours[-1] += _bezier([contours[-1][-1], control, end])
    return contours


def _quadratics(points: list[np.ndarray]) -> list[tuple[np.ndarray, np.ndarray]]:
    """TrueType's chain of controls with the points between them that it leaves out."""
    controls, last = points[:-1], points[-1]
    between = [(a + b) / 2 for a, b in pairwise(controls)]
    return list(zip(controls, [*between, last], strict=True))


def _bezier(points: list[np.ndarray]) -> list[np.ndarray]:
    """Points on a Bézier curve after its first, by de Casteljau's construction."""
    found = []
    for t in np.linspace(0, 1, SEGMENTS + 1)[1:]:
        level = points
        while len(level) > 1:
            level = [(1 - t) * a + t * b for a, b in pairwise(level)]
        found.append(level[0])
    return found


def main() -> None:
    """Command line."""
    from fontTools.ttLib import TTFont

    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--folder", type=Path, default=Path("/usr/share/fonts"))
    args = parser.parse_args()
    found = {}
    for look, (file, lacks) in FONTS.items():
        font = TTFont(next(iter(sorted(args.folder.rglob(file)))))
        wanted = [one for one in dict.fromkeys(SISE + MARKS + NUMBERS + JOKERS) if one not in lacks]
        found[look] = {one: polygons(font, one) for one in wanted}
    TARGET.write_text(json.dumps(found, ensure_ascii=False, separators=(",", ":")) + "\n", "utf-8")
    print(f"{TARGET}: {TARGET.stat().st_size} bytes")


if __name__ == "__main__":
    main()
