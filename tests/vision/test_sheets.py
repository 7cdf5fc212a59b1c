"""Printed sheets in photographs: where a flat, tilted, curled, cut-off or crumpled one lies."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.geometry import Floats
from vision.sheets import Markers, SheetError, find_markers, fit_sheet
from webui.printing.raster import picture
from webui.printing.sheets import Sheet, marker_corners, page, true_photo, truth

SHEET = Sheet("sise", "fan", "kai", "a4", 7)
PLACES = marker_corners("a4")
SIZE = (1600, 1200)
GRID = np.stack(np.meshgrid(np.linspace(25, 185, 9), np.linspace(25, 270, 12)), -1).reshape(-1, 2)


def seen(points: Floats, radius: float = np.inf, lens: float = 0.0, degrees: float = 35.0) -> Floats:
    """Points (..., 2) mm of an A4 sheet on a cylinder of this radius, in px of a tilted camera."""
    x, y = np.moveaxis(points - np.array([105, 148.5]), -1, 0)
    across, height = (
        (x, 0 * x) if np.isinf(radius) else (radius * np.sin(x / radius), radius * (1 - np.cos(x / radius)))
    )
    tilt = np.radians(degrees)
    space = np.stack(
        [across, y * np.cos(tilt) - height * np.sin(tilt), y * np.sin(tilt) + height * np.cos(tilt)], -1
    )
    ratio = space[..., :2] / (space[..., 2:] + 520)
    bent = ratio * (1 + lens * np.sum(ratio**2, axis=-1, keepdims=True))
    return np.asarray(bent * 1750 + (np.array(SIZE) - 1) / 2)


def markers(radius: float = np.inf, lens: float = 0.0) -> Markers:
    return Markers((0, 0), {place: seen(quad, radius, lens) for place, quad in PLACES.items()})


def furthest(radius: float, lens: float) -> float:
    """The largest error over the sheet, in mm."""
    found = fit_sheet(markers(radius, lens), PLACES, SIZE)
    apart = np.linalg.norm(found.to_photo(GRID) - seen(GRID, radius, lens), axis=-1)
    scale = np.linalg.norm(seen(GRID + np.array([1.0, 0]), radius, lens) - seen(GRID, radius, lens), axis=-1)
    return float((apart / scale).max())


@pytest.mark.parametrize(
    ("radius", "lens"), [(np.inf, 0.0), (np.inf, 0.1), (np.inf, -0.1), (800, 0.0), (600, 0.08)]
)
def test_a_sheet_is_mapped_to_less_than_a_millimetre(radius: float, lens: float) -> None:
    assert furthest(radius, lens) < 0.8


def test_tilt_and_curl_are_told() -> None:
    found = fit_sheet(markers(600), PLACES, SIZE)
    assert found.tilt == pytest.approx(35, abs=3)
    assert found.rise(np.array([98.0, 141.5])) == pytest.approx(98**2 / 1200, abs=2)


def test_a_folded_or_rolled_sheet_is_refused() -> None:
    with pytest.raises(SheetError, match="bent or folded") as error:
        fit_sheet(markers(150), PLACES, SIZE)
    assert error.value.code == "sheet_bent"
    folded = {place: seen(quad) for place, quad in PLACES.items()}
    folded[2] = folded[2] + np.array([60.0, -50.0])
    with pytest.raises(SheetError, match="bent or folded"):
        fit_sheet(Markers((0, 0), folded), PLACES, SIZE)


def photo(sheet: Sheet) -> NDArray[np.uint8]:
    """The sheet seen by the tilted camera, on a grey table."""
    printed = picture(page(sheet), 200)
    corners = np.array([[0, 0], [210, 0], [210, 297], [0, 297.0]])
    dots = corners * 200 / 25.4 - 0.5
    matrix = cv2.getPerspectiveTransform(dots.astype(np.float32), seen(corners).astype(np.float32))
    border = (120, 120, 120)
    return np.asarray(
        cv2.warpPerspective(printed, matrix, SIZE, flags=cv2.INTER_AREA, borderValue=border), np.uint8
    )


def test_a_photo_of_a_sheet_has_its_truth() -> None:
    found, remark = true_photo(photo(SHEET), "sheet.jpg")
    assert (found.deck, found.layout, remark) == ("sise", "fan", None)
    assert found.groups == ("light plain", "tilt under 45 degrees", "size under 80 px")
    real = truth(SHEET)
    assert [card.code for card in found.cards] == [card.code for card in real]
    for mine, own in zip(found.cards, real, strict=True):
        for end, printed in zip(mine.ends, own.ends, strict=True):
            assert end.visible == printed.visible
            assert np.abs(end.quad - seen(printed.quad)).max() < 1.5


def test_a_sheet_that_is_cut_off_or_missing_is_refused() -> None:
    whole = photo(SHEET)
    with pytest.raises(SheetError, match="at the bottom right and the bottom left is not seen") as error:
        find_markers(whole[:900])
    assert error.value.code == "sheet_cut_off"
    with pytest.raises(SheetError, match="No printed sheet") as none:
        find_markers(np.full((600, 800, 3), 90, np.uint8))
    assert none.value.code == "no_sheet"


def test_two_sheets_in_one_photo_are_refused() -> None:
    other = Sheet("zipai", "rows", "brush", "a4", 8)
    with pytest.raises(SheetError, match="one at a time"):
        find_markers(np.hstack([picture(page(SHEET), 90), picture(page(other), 90)]))
