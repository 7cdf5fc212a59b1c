"""Where a printed sheet lies in a photograph: its ArUco markers found, and the map from its millimetres to pixels.

A sheet carries markers at its corners and in the middle of its sides (`PLACES`), each a number of OpenCV's dictionary
of 5 x 5 squares that says the place and a share of the sheet's name. The map is a pinhole camera with one term of
radial distortion, over a sheet that may be curled: what a flat sheet and a good lens leave unexplained is fitted, and
what stays unexplained after that is a reason to refuse the photo.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from vision.geometry import Floats
from vision.header import PhotoError
from vision.photo import Image

DICTIONARY = cv2.aruco.DICT_5X5_1000
SQUARES = 7  # across a marker, its black border among them
PLACES = ("top left", "top right", "bottom right", "bottom left", "top", "right", "bottom", "left")
CORNERS = 4  # of the places, which must all be seen
NAMES = 125  # numbers that a marker can say; marker `place * NAMES + number`

# Ways to look: enlargement of the picture, px between the windows of the threshold; the far marks of a sheet seen
# aslant in a dim room take the slower ones.
LOOKS = ((1, 10), (2, 10), (1, 5), (2, 5))
LARGEST_WINDOW = 53  # px

LIKELY_FOCAL, FOCAL_SPREAD = 1.1, 0.3  # in long sides of the picture; spread of its logarithm
LENS_SPREAD = 0.08  # of the radial term, at the focal length's distance from the middle
CURL_SPREAD = 0.001  # per mm: a quarter of a circle over an A4 sheet would be 0.006
PIXEL = 0.5  # px by which a marker's corner is found wrongly
LARGEST_MISS = 0.6  # mm by which markers may miss the fitted sheet in the mean before it is refused
LARGEST_CURL = 20.0  # mm that the sheet may stand out of its plane
NOTED_CURL = 3.0  # mm from which it is said


class SheetError(PhotoError):
    """A photo that shows no sheet, or not well enough to measure on."""


@dataclass(frozen=True)
class Markers:
    """What the markers say: the two numbers of the sheet's name, and each seen place's corners (4, 2) px."""

    numbers: tuple[int, int]
    corners: Mapping[int, Floats]


@dataclass(frozen=True)
class SheetMap:
    """From millimetres of the sheet to pixels of the photo.

    `turn` (3,) and `shift` (3,) place the camera, `focal` px, `lens` the radial term, `curl` (2,) per mm the bend
    across and along the sheet, about its `middle` (2,) mm; `size` (2,) is the picture's width and height.
    `miss` is the mean distance, in mm, by which the markers miss it.
    """

    turn: Floats
    shift: Floats
    focal: float
    lens: float
    curl: Floats
    middle: Floats
    size: Floats
    miss: float = 0.0

    def to_photo(self, points: Floats) -> Floats:
        """Points (..., 2) mm of the sheet, to px of the photo."""
        flat = points - self.middle
        # A curled sheet keeps its length: what rises out of the plane draws its edges in.
        inward = flat * (1 - (flat * self.curl) ** 2 / 6)
        height = (flat**2 @ self.curl)[..., None] / 2
        turned = np.concatenate([inward, height], axis=-1) @ cv2.Rodrigues(self.turn)[0].T + self.shift
        seen = turned[..., :2] / np.maximum(turned[..., 2:], 1e-6)
        bent = seen * (1 + self.lens * np.sum(seen**2, axis=-1, keepdims=True))
        centre = (self.size - 1) / 2
        return np.asarray(bent * self.focal + centre, dtype=np.float64)

    @property
    def tilt(self) -> float:
        """Degrees between the camera's line of sight and a line straight down on the sheet's middle."""
        normal = cv2.Rodrigues(self.turn)[0][:, 2]
        sight = self.shift / np.linalg.norm(self.shift)
        return float(np.degrees(np.arccos(np.clip(abs(normal @ sight), 0, 1))))

    def rise(self, reach: Floats) -> float:
        """Mm by which the sheet's edge, `reach` (2,) mm from its middle, stands out of its plane."""
        return float(np.max(np.abs(self.curl) * reach**2 / 2))


def find_markers(image: Image) -> Markers:
    """The markers of the one sheet in a photo.

    Raises
    ------
    SheetError
        `no_sheet` where there is none, `sheet_cut_off` where a corner is not seen, `many_sheets` where the markers
        tell of several.
    """
    marks: dict[int, Floats] = {}
    grey = cv2.cvtColor(image, cv2.COLOR_RGB2GRAY)
    for scale, step in LOOKS:
        for name, quad in _detected(grey, scale, step).items():
            marks.setdefault(name, quad)
        if len(marks) >= len(PLACES):
            break
    if not marks:
        raise SheetError(
            "no_sheet", "No printed sheet is seen in it: none of the square marks at its corners."
        )
    numbers = [{name % NAMES for name in marks if name // NAMES % 2 == half} for half in (0, 1)]
    corners = {name // NAMES: quad for name, quad in marks.items()}
    if any(len(said) > 1 for said in numbers):
        raise SheetError("many_sheets", "Several printed sheets are seen in it; photograph one at a time.")
    missing = [PLACES[place] for place in range(CORNERS) if place not in corners]
    if missing:
        raise SheetError(
            "sheet_cut_off",
            f"The sheet is cut off or covered: its mark at the {' and the '.join(missing)} is not seen.",
        )
    return Markers((next(iter(numbers[0])), next(iter(numbers[1]))), corners)


def _detected(grey: NDArray[Any], scale: int, step: int) -> dict[int, Floats]:
    """Markers by their number with their corners (4, 2) px; looked for in the picture enlarged by `scale`."""
    settings = cv2.aruco.DetectorParameters()
    settings.adaptiveThreshWinSizeStep = step
    settings.adaptiveThreshWinSizeMax = LARGEST_WINDOW
    # Corners are refined to a fraction of a pixel, within less than half a square of a marker.
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    settings.relativeCornerRefinmentWinSize = 0.4
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(DICTIONARY), settings)
    large = cv2.resize(grey, None, fx=scale, fy=scale, interpolation=cv2.INTER_CUBIC) if scale > 1 else grey
    quads, names, _ = detector.detectMarkers(large)
    if names is None:
        return {}
    return {
        int(name): (np.asarray(quad[0], np.float64) + 0.5) / scale - 0.5
        for name, quad in zip(names.flat, quads, strict=True)
    }


def fit_sheet(markers: Markers, places: Mapping[int, Floats], size: tuple[int, int]) -> SheetMap:
    """The map under which the printed markers lie where they are seen.

    Parameters
    ----------
    places : corners (4, 2) mm of every marker on the sheet, by its place.
    size : width and height of the photo, px.

    Raises
    ------
    SheetError
        `sheet_bent` where the sheet is bent or folded beyond what can be mapped.
    """
    seen = np.concatenate([markers.corners[place] for place in sorted(markers.corners)])
    flat = np.concatenate([places[place] for place in sorted(markers.corners)])
    everything = np.concatenate(list(places.values()))
    middle = (everything.min(axis=0) + everything.max(axis=0)) / 2
    extent = np.array(size, np.float64)
    start = _flat_start(seen, flat - middle, extent)
    usual = LIKELY_FOCAL * max(size)

    def mapping(unknown: Floats) -> SheetMap:
        focal = usual * float(np.exp(unknown[6]))
        return SheetMap(unknown[:3], unknown[3:6], focal, float(unknown[7]), unknown[8:10], middle, extent)

    def residuals(unknown: Floats) -> Floats:
        apart = (mapping(unknown).to_photo(flat) - seen) / PIXEL
        prior = unknown[6:] / [FOCAL_SPREAD, LENS_SPREAD, CURL_SPREAD, CURL_SPREAD]
        return np.concatenate([apart.ravel(), prior])

    # The distance is hundreds of mm, the curl thousandths: each unknown is scaled by what it usually is.
    scale = [0.1, 0.1, 0.1, 50, 50, 50, 0.2, 0.05, 0.001, 0.001]
    best = mapping(least_squares(residuals, start, x_scale=scale).x)
    apart = np.linalg.norm(best.to_photo(flat) - seen, axis=1)
    nearby = np.linalg.norm(best.to_photo(flat + np.array([1.0, 0])) - best.to_photo(flat), axis=1)
    miss = float(np.mean(apart / nearby))
    if miss > LARGEST_MISS or best.rise(everything.max(axis=0) - middle) > LARGEST_CURL:
        raise SheetError(
            "sheet_bent", "The sheet is bent or folded too much to be measured on; lay it flat, or press it."
        )
    return SheetMap(best.turn, best.shift, best.focal, best.lens, best.curl, best.middle, best.size, miss)


def _flat_start(seen: Floats, flat: Floats, size: Floats) -> Floats:
    """Turn, shift and zeros: the camera that sees a flat sheet so, with a usual lens."""
    focal = LIKELY_FOCAL * size.max()
    centre = (size - 1) / 2
    lens = np.array([[focal, 0, centre[0]], [0, focal, centre[1]], [0, 0, 1.0]])
    points = np.concatenate([flat, np.zeros((len(flat), 1))], axis=1)
    _, turn, shift = cv2.solvePnP(points, seen, lens, None, flags=cv2.SOLVEPNP_ITERATIVE)
    return np.concatenate([turn.ravel(), shift.ravel(), np.zeros(4)]).astype(np.float64)
