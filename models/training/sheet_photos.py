"""Print and photograph sheets without paper: ``python -m models.training.sheet_photos [--out FOLDER]``.

Every look of every deck is printed from its PDF (paper's grain, halftone, ink that spreads) and photographed under four
lights, 20 to 50 degrees aslant, by a lens that bends lines, the paper a little curled. What `paiyan evaluate --sheets`
makes of each photo is compared with what this renderer knows: whether the markers are found, how far the mapped truth
is from the true one, and whether the reading's figures are the same by either.

The camera and the curl here are written apart from `vision.sheets`: a sheet lies on a cylinder, and nothing of the
photo is told but its pixels.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import LinearNDInterpolator

from models.training.tables import ground
from vision.evaluate import compare
from vision.header import PhotoError
from vision.photo import decode
from vision.read import Reader
from vision.truth import TrueCard, TrueEnd
from webui.printing.layouts import LAYOUTS
from webui.printing.looks import LOOKS
from webui.printing.paper import PAPERS
from webui.printing.pdf import pdf
from webui.printing.sheets import DECKS, Sheet, page, true_photo, truth

Floats = NDArray[np.float64]
Image = NDArray[np.uint8]

SIZE = (2016, 1512)  # px of a photo, width and height
PRINT_DPI, MM_PER_INCH = 300, 25.4
SCREEN_MM = 0.3  # between dots of the halftone: 85 to the inch
MESH_MM = 3.0  # between points of the sheet that are projected to invert the projection
COARSE = 8  # px of the photo between places at which it is inverted


@dataclass(frozen=True)
class Lamp:
    """A light: gains of red, green and blue, exposure, how much darker the far side is, noise in grey levels."""

    gains: tuple[float, float, float]
    exposure: float
    slope: float
    noise: float


LAMPS = {
    "day": Lamp((1.0, 1.0, 1.0), 0.92, 0.15, 1.5),
    "warm": Lamp((1.15, 0.97, 0.62), 0.85, 0.45, 3.0),
    "cool": Lamp((0.86, 0.98, 1.12), 0.85, 0.25, 2.5),
    "dim": Lamp((1.05, 1.0, 0.88), 0.28, 0.4, 6.0),
}


@dataclass(frozen=True)
class View:
    """A camera over a sheet: degrees aslant and turned, px of focal length, radial terms; the sheet's curl.

    `radius` mm of the cylinder that the sheet lies on (inf: flat), bent across where `across`, else along.
    """

    pitch: float
    roll: float
    yaw: float
    focal: float
    lens: tuple[float, float]
    radius: float
    across: bool
    paper: str

    def to_photo(self, points: Floats) -> Floats:
        """Points (..., 2) mm of the sheet to px (..., 2) of the photo."""
        width, height = PAPERS[self.paper]
        flat = points - np.array([width, height]) / 2
        space = np.concatenate([flat, np.zeros((*flat.shape[:-1], 1))], axis=-1)
        if np.isfinite(self.radius):
            axis = 0 if self.across else 1
            turn = flat[..., axis] / self.radius
            space[..., axis] = self.radius * np.sin(turn)
            space[..., 2] = self.radius * (1 - np.cos(turn))
        seen = space @ self._turn().T
        seen[..., 2] += self._distance()
        ratio = seen[..., :2] / seen[..., 2:]
        square = np.sum(ratio**2, axis=-1, keepdims=True)
        bent = ratio * (1 + self.lens[0] * square + self.lens[1] * square**2)
        return np.asarray(bent * self.focal + (np.array(SIZE) - 1) / 2)

    def _turn(self) -> Floats:
        p, r, y = np.radians([self.pitch, self.roll, self.yaw])
        slant = np.array([[1, 0, 0], [0, np.cos(p), -np.sin(p)], [0, np.sin(p), np.cos(p)]])
        side = np.array([[np.cos(y), 0, np.sin(y)], [0, 1, 0], [-np.sin(y), 0, np.cos(y)]])
        around = np.array([[np.cos(r), -np.sin(r), 0], [np.sin(r), np.cos(r), 0], [0, 0, 1.0]])
        return np.asarray(slant @ side @ around)

    def _distance(self) -> float:
        """From which the sheet fills the picture: found by going nearer until a corner leaves it."""
        width, height = PAPERS[self.paper]
        corners = np.array([[x, y, 0] for x in (-width / 2, width / 2) for y in (-height / 2, height / 2)])
        turned = corners @ self._turn().T
        half = np.array(SIZE) * 0.47 / self.focal
        needed = np.abs(turned[:, :2]) / half - turned[:, 2:]
        return float(needed.max()) + 12


def printed(sheet: Sheet, rng: np.random.Generator) -> Image:
    """The sheet from the printer: RGB at 300 dots per inch."""
    import pypdfium2

    document = pypdfium2.PdfDocument(pdf([page(sheet)], "sheet"))
    ink = (
        document[0].render(scale=PRINT_DPI / 72, rev_byteorder=True).to_numpy()[..., :3].astype(np.float32)
        / 255
    )
    h, w = ink.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32) * np.float32(
        2 * np.pi / (SCREEN_MM * PRINT_DPI / MM_PER_INCH)
    )
    for channel, angle in enumerate((0.26, 1.31, 0.0)):
        screen = np.sin(x * np.cos(angle) + y * np.sin(angle)) * np.sin(y * np.cos(angle) - x * np.sin(angle))
        tone = ink[..., channel]
        ink[..., channel] = np.clip(tone + 0.9 * screen * tone * (1 - tone), 0, 1)
    ink = cv2.GaussianBlur(ink, (0, 0), 0.9)
    grain = cv2.GaussianBlur(rng.standard_normal((h, w), np.float32), (0, 0), 1.5) * 0.03
    cloud = (
        cv2.resize(rng.standard_normal((24, 17), np.float32), (w, h), interpolation=cv2.INTER_CUBIC) * 0.008
    )
    paper = np.array([0.95, 0.945, 0.925], np.float32) * (1 + grain + cloud)[..., None]
    return (np.clip(0.06 + 0.94 * ink * paper, 0, 1) * 255).astype(np.uint8)


def photographed(sheet: Sheet, view: View, lamp: Lamp, rng: np.random.Generator) -> Image:
    """The photo as the sensor and JPEG leave it."""
    picture, place = printed(sheet, rng), _inverse(view)
    table = ground(rng, "held")
    tiled = np.tile(table, (SIZE[1] // table.shape[0] + 1, SIZE[0] // table.shape[1] + 1, 1))[
        : SIZE[1], : SIZE[0]
    ]
    dots = np.nan_to_num(place * (PRINT_DPI / MM_PER_INCH) - 0.5).astype(np.float32)
    paper = cv2.remap(picture, dots[..., 0], dots[..., 1], cv2.INTER_AREA, borderMode=cv2.BORDER_REPLICATE)
    width, height = PAPERS[sheet.paper]
    on = np.all((place >= 0) & (place <= (width, height)), axis=-1).astype(np.float32)
    on = cv2.GaussianBlur(on, (0, 0), 0.8)[..., None]
    light = (on * paper + (1 - on) * tiled) / 255
    return _exposed(light.astype(np.float32), lamp, rng)


def _inverse(view: View) -> Floats:
    """Where on the sheet, in mm, each pixel of the photo looks (H, W, 2); NaN where it misses it."""
    width, height = PAPERS[view.paper]
    x, y = np.meshgrid(np.arange(-30, width + 31, MESH_MM), np.arange(-30, height + 31, MESH_MM))
    mesh = np.stack([x.ravel(), y.ravel()], -1)
    inverse = LinearNDInterpolator(view.to_photo(mesh), mesh)
    centre = (COARSE - 1) / 2
    px, py = np.meshgrid(
        np.arange(SIZE[0] // COARSE) * COARSE + centre, np.arange(SIZE[1] // COARSE) * COARSE + centre
    )
    return np.asarray(cv2.resize(inverse(px, py), SIZE, interpolation=cv2.INTER_LINEAR))


def _exposed(light: NDArray[np.float32], lamp: Lamp, rng: np.random.Generator) -> Image:
    h, w = light.shape[:2]
    y, x = np.mgrid[0:h, 0:w].astype(np.float32)
    angle = rng.uniform(0, 2 * np.pi)
    along = ((x / w - 0.5) * np.cos(angle) + (y / h - 0.5) * np.sin(angle)).astype(np.float32)
    linear = (
        light**2.2
        * (1 - lamp.slope * (along + 0.5))[..., None]
        * np.array(lamp.gains, np.float32)
        * lamp.exposure
    )
    seen = np.clip(cv2.GaussianBlur(linear, (0, 0), 0.9), 0, 1) ** np.float32(1 / 2.2) * 255
    noisy = np.clip(seen + rng.standard_normal((h, w, 3), np.float32) * lamp.noise, 0, 255).astype(np.uint8)
    coded = cv2.imencode(".jpg", noisy[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 88])[1]
    decoded = cv2.imdecode(coded, cv2.IMREAD_COLOR)
    assert decoded is not None
    return np.asarray(decoded[..., ::-1], np.uint8)


def taken(sheet: Sheet, view: View, lamp: Lamp, rng: np.random.Generator) -> bytes:
    """The photo as a JPEG file."""
    picture = photographed(sheet, view, lamp, rng)
    return cv2.imencode(".jpg", picture[..., ::-1], [cv2.IMWRITE_JPEG_QUALITY, 90])[1].tobytes()


def shots() -> Iterator[tuple[str, Sheet, View, Lamp, np.random.Generator]]:
    """The 36 photos: name, sheet, camera, lamp and the chance that its paper and noise take."""
    layouts, papers = tuple(LAYOUTS), tuple(PAPERS)
    for number, (deck, look, lamp) in enumerate((d, k, p) for d in DECKS for k in LOOKS for p in LAMPS):
        rng = np.random.default_rng(number)
        sheet = Sheet(deck, layouts[number % len(layouts)], look, papers[number % 3 == 2], number)
        view = View(
            pitch=float(rng.uniform(20, 50)),
            roll=float(rng.choice([0, 90, 180, 270]) + rng.normal(0, 12)),
            yaw=float(rng.normal(0, 4)),
            focal=float(rng.uniform(0.85, 1.5) * max(SIZE)),
            lens=(float(rng.uniform(-0.12, 0.12)), float(rng.uniform(-0.02, 0.02))),
            radius=float(rng.choice([np.inf, rng.uniform(1500, 4000)])),
            across=bool(rng.integers(2)),
            paper=sheet.paper,
        )
        yield f"{deck}-{look}-{lamp}", sheet, view, LAMPS[lamp], rng


def gap(sheet: Sheet, view: View, mapped: tuple[TrueCard, ...]) -> float:
    """The largest distance between a corner of the mapped truth and the true one, in widths of its end."""
    worst = 0.0
    for own, card in zip(truth(sheet), mapped, strict=True):
        for end, seen in zip(own.ends, card.ends, strict=True):
            real = view.to_photo(end.quad)
            width = np.linalg.norm(real[1] - real[0])
            worst = max(worst, float(np.linalg.norm(real - seen.quad, axis=1).max() / width))
    return worst


def main() -> None:
    """Command line."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument(
        "--out", type=Path, help="keep the photos in this folder; those that are there are not taken again"
    )
    parser.add_argument("--unread", action="store_true", help="only find and map the sheets")
    args = parser.parse_args()
    reader = None if args.unread else Reader()
    found, gaps, same, read = 0, [], 0, 0
    for name, sheet, view, lamp, rng in shots():
        file = args.out / f"{name}.jpg" if args.out else None
        there = file is not None and file.exists()
        data = file.read_bytes() if file and there else taken(sheet, view, lamp, rng)
        if file and not there:
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_bytes(data)
        image = decode(data)
        try:
            photo, remark = true_photo(image, name)
        except PhotoError as error:
            print(f"{name}: {error}")
            continue
        found += 1
        gaps.append(gap(sheet, view, photo.cards))
        line = (
            f"{name} {sheet.layout} {view.pitch:.0f} degrees, {', '.join(photo.groups)}: {gaps[-1]:.3f} off"
        )
        if reader:
            cards = reader.read(data, name=name).cards
            known = tuple(
                TrueCard(
                    one.code, one.pile, tuple(TrueEnd(view.to_photo(e.quad), e.visible) for e in one.ends)
                )
                for one in truth(sheet)
            )
            own = compare(type(photo)(name, sheet.deck, sheet.layout, known), cards)[0]
            mine = compare(photo, cards)[0]
            same, read = same + (own == mine), read + 1
            line += f"; right {mine.right} of {mine.cards}, silent {mine.silent}" + (
                "" if own == mine else f"; NOT THE SAME: {own}"
            )
        print(line + (f"; {remark}" if remark else ""), flush=True)
    print(
        f"markers {found} of 36; truth off by at most {max(gaps):.3f} of a card's width, {np.mean(gaps):.3f} on average"
    )
    if reader:
        print(f"figures equal to those from the renderer's truth in {same} of {read} photos")


if __name__ == "__main__":
    main()
