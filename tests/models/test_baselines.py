"""The baselines' own parts: each does what it is measured for, on pictures where that is plain."""

from __future__ import annotations

from pathlib import Path

import cv2
import numpy as np
import pytest

from models.training.baselines.characters import card_characters, looked_up
from models.training.baselines.contours import contour_ends
from models.training.baselines.paper import colourless, painter
from models.training.baselines.score import Finding, compared, read_all
from models.training.baselines.templates import make_templates, nearest
from models.training.cache import Scene
from vision.geometry import end_quad


def crop_with(*lines: tuple[tuple[int, int], tuple[int, int]], paper: int = 230) -> np.ndarray:
    crop = np.full((96, 64, 3), paper, np.uint8)
    for first, second in lines:
        cv2.line(crop, first, second, (20, 20, 20), 5)
    return crop


CROSS = crop_with(((14, 20), (50, 60)), ((50, 20), (14, 60)))
BARS = crop_with(((14, 24), (50, 24)), ((14, 44), (50, 44)), ((14, 64), (50, 64)))
STEM = crop_with(((32, 16), (32, 70)))


def test_a_template_is_found_moved_and_in_another_light() -> None:
    templates = make_templates(np.stack([CROSS, BARS, STEM]), ("cross", "bars", "stem"))
    for crop, name in ((CROSS, "cross"), (BARS, "bars"), (STEM, "stem")):
        assert nearest(templates, crop) == name
        moved = np.roll(crop, (4, -6), axis=(0, 1))
        assert nearest(templates, (moved * 0.5 + 30).astype(np.uint8)) == name


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("將", "sise:K"),
        ("帅", "sise:K"),
        ("俥1", "sise:R"),
        ("/兵", "sise:P"),
        ("三", "zipai:s3"),
        ("貳", "zipai:b2"),
        ("王", "zipai:W"),
        ("神", "chuanpai:C"),
        ("聽", "chuanpai:T"),
        ("天", ""),  # 天牌 is a name of 6-6, which shows pips
        ("s3", ""),
        ("", ""),
    ],
)
def test_a_text_is_looked_up_among_the_printed_characters(text: str, name: str) -> None:
    assert looked_up(text, card_characters()) == name


def test_the_paper_gives_characters_their_colour() -> None:
    papers = {"r": (190, 50, 50), "g": (60, 140, 80), "y": (220, 190, 70), "w": (225, 225, 220)}
    crops = np.stack([np.full((96, 64, 3), colour, np.uint8) for colour in papers.values()])
    paint = painter(crops, [f"sise:{letter}K" for letter in papers])
    darker = (crops * 0.9).astype(np.uint8)
    assert paint(["sise:N", "sise:P", "zipai:s3", ""], darker) == ["sise:rN", "sise:gP", "zipai:s3", ""]
    assert [colourless(name) for name in ("sise:rN", "zipai:s3", "chuanpai:C")] == [
        "sise:N",
        "zipai:s3",
        "chuanpai:C",
    ]


def test_readings_are_counted_by_deck() -> None:
    names = ["sise:rK", "sise:gK", "zipai:s3"]
    reading = read_all(lambda crops: ["sise:rK", "", "zipai:s3"], np.zeros((3, 96, 64, 3), np.uint8), names)
    assert reading.right == {"sise": 0.5, "zipai": 1.0}


def scene(quads: np.ndarray, visible: list[float]) -> Scene:
    """Cards with two ends each, one after the other."""
    n = len(quads)
    order = np.arange(n)
    nothing = (np.zeros((0, 4, 2)), np.zeros(0))
    return Scene(
        Path(),
        "zipai",
        "",
        "",
        quads,
        np.array(visible),
        ("s1",) * n,
        order // 2,
        order // 2,
        order ^ 1,
        *nothing,
    )


def ends(*centres: tuple[float, float]) -> np.ndarray:
    n = len(centres)
    return end_quad(
        np.array(centres), np.tile([0.0, -1], (n, 1)), np.full(n, 40), np.full(n, 40), np.zeros(n)
    )


def test_ends_are_found_once_and_hardly_visible_ones_left_out() -> None:
    true = scene(ends((100, 100), (100, 200), (300, 100), (300, 200)), [1.0, 0.4, 0.7, 0.1])
    reported = ends((105, 100), (95, 100), (100, 200), (300, 200))
    assert compared(true, reported) == Finding(ends=2, found=1, cards=2, met=1, extra=2)
    assert compared(true, np.zeros((0, 4, 2))) == Finding(ends=2, cards=2)


def test_both_ends_of_a_separate_card_are_seen_by_its_contour() -> None:
    picture = np.full((600, 800, 3), 60, np.uint8)
    cv2.rectangle(picture, (300, 200), (359, 419), (230, 230, 220), -1)
    true = scene(
        end_quad([[329.5, 230], [329.5, 390]], [[0, -1], [0, 1]], [60, 60], [60, 60], [0, 0]), [1.0, 1.0]
    )
    assert compared(true, contour_ends(picture)) == Finding(ends=2, found=2, cards=1, met=1)
