"""Crops of known ends, turning of ends that stand on their heads, paper colours."""

import math

import cv2
import numpy as np
import pytest

from vision.faces import (
    FaceAnswer,
    class_decks,
    cut_ends,
    deck_of,
    no_faces,
    paper_colours,
    read_faces,
    view_scale,
)
from vision.geometry import (
    apply_homography,
    crop_matrix,
    end_quad,
    frame_in_crop,
    quad_frame,
    square_to_quad,
    turned_quad,
)

SCALE = 64 / 1.2  # px of the crop for one card width


def painted(angle: float, width: float, size: int = 1200) -> tuple[np.ndarray, np.ndarray]:
    """A cream card end with a red mark at (0.25, 0.3) and a black one at (0.7, 1.4) card widths, and its quad."""
    picture = np.full((size, size, 3), 60, np.uint8)
    quad = end_quad((size / 2, size / 2), (math.cos(angle), math.sin(angle)), width, width, 0)
    card = square_to_quad(quad)
    body = apply_homography(card, [[0, 0], [1, 0], [1, 3], [0, 3]])
    cv2.fillConvexPoly(picture, np.round(body * 16).astype(np.int32), (230, 230, 210), cv2.LINE_AA, 4)
    for spot, colour in (((0.25, 0.3), (200, 0, 0)), ((0.7, 1.4), (0, 0, 0))):
        x, y = apply_homography(card, spot) * 16
        cv2.circle(picture, (round(x), round(y)), round(width * 0.08 * 16), colour, -1, cv2.LINE_AA, 4)
    return picture, quad


def dark_spot(crop: np.ndarray, red: bool) -> tuple[float, float]:
    """Centre (x, y) of the red or the black mark of a crop, in card widths from the outer left corner."""
    r, g = crop[..., 0].astype(int), crop[..., 1].astype(int)
    mark = ((r - g > 80) if red else (r < 40)).astype(float)
    ys, xs = np.mgrid[:96, :64]
    return float((mark * xs).sum() / mark.sum() + 0.5) / SCALE - 0.1, float(
        (mark * ys).sum() / mark.sum() + 0.5
    ) / SCALE - 0.15


@pytest.mark.parametrize("angle", [-math.pi / 2, 0.0, 1.0, 2.5, math.pi / 2])
@pytest.mark.parametrize("width", [30, 54, 75, 150, 400])
def test_crop_is_upright_at_every_size_and_angle(angle: float, width: float) -> None:
    picture, quad = painted(angle, width)
    crop = cut_ends(picture, quad[None])[0]
    assert dark_spot(crop, red=True) == pytest.approx((0.25, 0.3), abs=0.02)
    assert dark_spot(crop, red=False) == pytest.approx((0.7, 1.4), abs=0.02)


def test_large_ends_are_averaged_not_sampled() -> None:
    """A fine checkerboard at ten times the crop's size turns grey, not into moiré."""
    picture = np.indices((1000, 1000)).sum(axis=0) // 2 % 2 * 255
    picture = np.repeat(picture[..., None], 3, axis=-1).astype(np.uint8)
    crop = cut_ends(picture, end_quad((500, 500), (0.3, -1), 500, 500, 0)[None])[0]
    assert crop[20:70, 10:50].std() < 12


def test_ends_over_the_border_are_continued_and_ends_outside_are_grey() -> None:
    picture = np.full((100, 100, 3), 200, np.uint8)
    quads = np.stack([end_quad((2, 50), (0, -1), 40, 40, 0), end_quad((-500, 50), (0, -1), 40, 40, 0)])
    crops = cut_ends(picture, quads)
    assert (crops[0] == 200).all()
    assert (crops[1] == 128).all()


def answer(crops: np.ndarray) -> FaceAnswer:
    """A network that knows a crop to be upside down when its red mark is in the lower half."""
    n = len(crops)
    red = (crops[..., 0].astype(int) - crops[..., 1] > 80).sum(axis=2)
    lower = red[:, 45:].sum(axis=1) > red[:, :45].sum(axis=1)
    embedding = np.tile(np.array([1.0, 0.0], np.float32), (n, 1))
    colour = np.tile(np.eye(5, dtype=np.float32)[4], (n, 1))
    logits = np.where(lower[:, None], [0.0, 4.0], [4.0, 0.0]).astype(np.float32)
    return FaceAnswer(logits, embedding, lower.astype(np.float32), colour, np.zeros((n, 6), np.float32))


def test_an_end_on_its_head_is_turned() -> None:
    picture, quad = painted(0.4, 100)
    both = np.stack([quad, turned_quad(quad)])
    faces = read_faces(lambda _: (picture, 1.0), both, answer)
    assert np.allclose(faces.quads, [quad, quad])
    assert faces.upside_down.tolist() == [0, 0]
    assert faces.logits.tolist() == [[4, 0], [4, 0]]
    assert (faces.crops[0] == faces.crops[1]).all()


def test_crops_come_from_a_view_of_another_size() -> None:
    picture, quad = painted(0.4, 200)
    half = np.asarray(cv2.resize(picture, (600, 600), interpolation=cv2.INTER_AREA), np.uint8)
    asked = []

    def view(scale: float) -> tuple[np.ndarray, float]:
        asked.append(scale)
        return half, 0.5

    seen: list[np.ndarray] = []

    def network(crops: np.ndarray) -> FaceAnswer:
        seen.append(crops)
        return answer(crops)

    read_faces(view, quad[None], network)
    assert asked == [pytest.approx(0.8 * SCALE / 200)]
    assert dark_spot(seen[0][0], red=True) == pytest.approx((0.25, 0.3), abs=0.02)


def test_small_ends_ask_for_the_full_photo() -> None:
    assert view_scale(end_quad((0, 0), (0, -1), 30, 30, 0)[None]) == 1.0


def test_no_ends_no_faces() -> None:
    assert len(no_faces(7)) == 0
    assert no_faces(7).logits.shape == (0, 7)


def test_paper_colour_ignores_ink_and_glare() -> None:
    crop = np.full((96, 64, 3), (200, 40, 40), np.uint8)
    crop[20:40, 15:40] = 10
    crop[45:50, 12:30] = 255
    lab = paper_colours(crop[None])[0]
    expected = cv2.cvtColor(np.array([[[200, 40, 40]]], np.float32) / 255, cv2.COLOR_RGB2Lab)[0, 0]
    assert np.allclose(lab, expected, atol=0.5)


def test_decks_of_class_names() -> None:
    assert class_decks(["chuanpai:1-1", "sise:rK", "sise:rA", "other", "other:back"]) == ("chuanpai", "sise")
    assert deck_of("other:back") == "other"


def test_turned_quad_is_what_the_reader_sees() -> None:
    _, quad = painted(0.4, 100)
    assert np.allclose(quad_frame(turned_quad(quad))[1], -quad_frame(quad)[1])


@pytest.mark.parametrize(("sureness", "crops_cut"), [(0.0, 2), (30.0, 1)])
def test_a_quad_is_mended_by_what_its_crop_shows_and_read_again_there(
    sureness: float, crops_cut: int
) -> None:
    """What was surely read is mended without another crop."""
    true = end_quad((300, 200), (0.3, -1), 80, 70, 0.1)
    found = end_quad((309, 193), (0.2, -1), 88, 66, 0.0)
    picture = np.full((400, 600, 3), 120, np.uint8)
    cut_for: list[np.ndarray] = []

    def network(crops: np.ndarray) -> FaceAnswer:
        here = found if not cut_for else true
        cut_for.append(here)
        frame = frame_in_crop(apply_homography(crop_matrix(here), true))[None].astype(np.float32)
        said = answer(crops)
        logits = said.logits + sureness * np.eye(said.logits.shape[1], dtype=np.float32)[0]
        return said._replace(frame=frame, logits=logits)

    faces = read_faces(lambda scale: (picture, 1.0), found[None], network)
    assert len(cut_for) == crops_cut
    assert faces.quads[0] == pytest.approx(true, abs=0.7)


def test_a_quad_that_lies_well_is_read_once() -> None:
    calls = []

    def network(crops: np.ndarray) -> FaceAnswer:
        calls.append(len(crops))
        return answer(crops)

    quad = end_quad((300, 200), (0.3, -1), 80, 70, 0.1)
    faces = read_faces(lambda scale: (np.full((400, 600, 3), 120, np.uint8), 1.0), quad[None], network)
    assert calls == [1]
    assert faces.quads[0] == pytest.approx(quad)
