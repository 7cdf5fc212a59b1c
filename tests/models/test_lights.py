"""Lights that pictures are trained and measured in: each does what its name says, and some are never trained in."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from models.training.busy import KINDS
from models.training.lights import EFFECTS, HELD, LAMPS, PHONE, SHARES, spoilt
from models.training.measure_lights import MEASURED, copy_in, in_light

Image = NDArray[np.uint8]


def picture() -> Image:
    """A grey gradient with a red, a green and a blue patch."""
    image = np.repeat(np.linspace(60, 220, 160, dtype=np.uint8)[None, :, None], 120, 0).repeat(3, 2)
    for k, colour in enumerate(((200, 40, 40), (60, 160, 80), (40, 60, 190))):
        image[20 + 30 * k : 40 + 30 * k, 40:90] = colour
    return image


@pytest.mark.parametrize("name", EFFECTS)
def test_every_light_changes_a_picture_and_keeps_its_shape(name: str) -> None:
    before = picture()
    after = EFFECTS[name](np.random.default_rng(4), before, PHONE, 1.0)
    assert after.shape == before.shape
    assert after.dtype == np.uint8
    assert np.abs(after.astype(int) - before).mean() > 1


@pytest.mark.parametrize(("lamp", "gone", "kept"), [("candle", 2, 0), ("sodium", 2, 0), ("led", 0, 2)])
def test_a_lamp_takes_the_light_that_it_lacks(lamp: str, gone: int, kept: int) -> None:
    sheet = np.full((40, 40, 3), 150, np.uint8)
    lit = EFFECTS[lamp](np.random.default_rng(0), sheet, PHONE, 0.8).reshape(-1, 3).mean(axis=0)
    assert lit[gone] < 150 < lit[kept]


def test_less_light_is_more_noise() -> None:
    sheet = np.full((100, 100, 3), 128, np.uint8)

    def unrest(strength: float) -> float:
        dark = EFFECTS["dark"](np.random.default_rng(3), sheet, PHONE, strength).astype(float)
        return float(dark.std() / dark.mean())

    assert unrest(0.0) < unrest(0.5) < unrest(1.0)


def test_a_shaken_point_becomes_a_line_as_long_as_said() -> None:
    point = np.zeros((81, 81, 3), np.uint8)
    point[40, 40] = 255
    for seed in range(8):
        moved = EFFECTS["shaken"](np.random.default_rng(seed), point, PHONE, 1.0)[..., 0]
        rows, columns = np.nonzero(moved)
        assert 10 <= np.hypot(np.ptp(rows), np.ptp(columns)) <= 18
        assert 8 < len(rows) < 60


def test_a_crop_is_shaken_less_than_the_picture_it_is_part_of() -> None:
    point = np.zeros((81, 81, 3), np.uint8)
    point[40, 40] = 255
    lines = [
        np.count_nonzero(EFFECTS["shaken"](np.random.default_rng(1), point, span, 1.0))
        for span in (800, 1600)
    ]
    assert lines[0] < lines[1]


def test_without_colour_is_without_colour() -> None:
    grey = EFFECTS["grey"](np.random.default_rng(1), picture(), PHONE, 1.0).astype(int)
    assert np.ptp(grey, axis=2).max() < 40
    assert np.ptp(picture().astype(int), axis=2).max() > 140


def test_training_never_meets_the_held_lights() -> None:
    assert not HELD & set(SHARES)
    assert set(EFFECTS) >= HELD
    assert {kind for light in MEASURED.values() for kind, _ in light} & HELD


def test_what_lost_its_colours_is_said() -> None:
    """Over many pictures both happen, and where colours are said to be kept no picture is grey."""
    told = []
    for seed in range(120):
        image, coloured = spoilt(np.random.default_rng(seed), picture(), PHONE)
        told.append(coloured)
        assert image.shape == picture().shape
    assert 0.85 < np.mean(told) < 1


def test_the_same_picture_in_the_same_light_is_the_same() -> None:
    assert np.array_equal(in_light(picture(), "night", [7]), in_light(picture(), "night", [7]))
    assert set(LAMPS) <= set(EFFECTS)


def test_a_folder_is_copied_with_its_truth(tmp_path: Path) -> None:
    folder = tmp_path / "scenes-x"
    folder.mkdir()
    quad = [10, 10, 30, 10, 30, 30, 10, 30]
    end = {"card": 0, "code": "s1", "pile": 0, "quad": quad, "visible": 1.0}
    lines = []
    for name in ("a.jpg", "b.jpg"):
        cv2.imwrite(str(folder / name), picture())
        row = {"file": name, "deck": "zipai", "print": "p", "layout": "none", "width": 160, "height": 120}
        lines.append(json.dumps({**row, "ends": [{**end, "end": 0}, {**end, "end": 1}], "others": []}))
    (folder / "00000.jsonl").write_text("\n".join(lines) + "\n")
    copied = copy_in(folder, "candle", 1)
    assert copied.name == "scenes-x-candle"
    assert sorted(path.name for path in copied.iterdir()) == ["00000.jsonl", "a.jpg", "annotations.json"]
    truth = json.loads((copied / "annotations.json").read_text())
    assert len(truth["annotations"]) == 2
    warm = np.asarray(cv2.imread(str(copied / "a.jpg")), np.float64).reshape(-1, 3).mean(axis=0)
    assert warm[0] < warm[2]  # blue before red in OpenCV's pictures


@pytest.mark.parametrize("draw", KINDS)
def test_busy_pictures_are_full_of_detail(draw: Callable[[np.random.Generator, int], Image]) -> None:
    for seed in range(4):
        image = draw(np.random.default_rng(seed), 128)
        assert image.shape == (128, 128, 3)
        assert image.dtype == np.uint8
        assert image.std() > 3
