"""Geometry against independent derivations: OpenCV's solver, complex numbers, hand-made cases."""

import cmath
import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.geometry import (
    apply_homography,
    crop_matrix,
    end_quad,
    frame_in_crop,
    quad_frame,
    quad_from_crop,
    quad_slant,
    slanted_quad,
    square_to_quad,
    table_metric,
    turned_quad,
)

coordinates = st.floats(-4000, 4000)
lengths = st.floats(5, 500)
angles = st.floats(-math.pi, math.pi)
skews = st.floats(-0.7, 0.7)
perspectives = st.floats(-0.15, 0.15)


def test_upright_end_by_hand() -> None:
    quad = end_quad((100, 200), (0, -1), 20, 30, 0)
    assert quad.tolist() == [[90, 185], [110, 185], [110, 215], [90, 215]]


def test_end_pointing_right_has_its_left_corner_up() -> None:
    """Turned by a quarter clockwise: the reader's left is then up on the screen."""
    quad = end_quad((0, 0), (1, 0), 10, 10, 0)
    assert np.allclose(quad, [[5, -5], [5, 5], [-5, 5], [-5, -5]])


@settings(deadline=None)
@given(coordinates, coordinates, angles, lengths, lengths, skews)
def test_frame_and_quad_round_trip(
    x: float, y: float, angle: float, width: float, depth: float, skew: float
) -> None:
    outward = (math.cos(angle), math.sin(angle))
    centre, out, w, d, s = quad_frame(end_quad((x, y), outward, width, depth, skew))
    assert np.allclose(centre, (x, y), atol=1e-8)
    assert np.allclose(out, outward, atol=1e-8)
    assert (w, d, s) == pytest.approx((width, depth, skew), abs=1e-7)


@settings(deadline=None)
@given(angles, lengths, lengths, skews)
def test_quad_by_complex_numbers(angle: float, width: float, depth: float, skew: float) -> None:
    """The right side lies acos(skew) clockwise (towards growing screen angles) of the outward direction."""
    outward = cmath.rect(depth / 2, angle)
    right = cmath.rect(width / 2, angle + math.acos(skew))
    expected = [outward - right, outward + right, right - outward, -outward - right]
    quad = end_quad((0, 0), (math.cos(angle), math.sin(angle)), width, depth, skew)
    assert np.allclose(quad, [(z.real, z.imag) for z in expected], atol=1e-7)


@settings(deadline=None)
@given(angles, st.floats(10, 300), perspectives, perspectives)
def test_square_to_quad_agrees_with_opencv(angle: float, width: float, a: float, b: float) -> None:
    quad = end_quad((500, 400), (math.cos(angle), math.sin(angle)), width, width, 0.1)
    quad[0] += (a * width, b * width)
    quad[2] += (b * width, -a * width)
    square = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float32)
    expected = cv2.getPerspectiveTransform(square, quad.astype(np.float32))
    inner = np.array([[0.5, 0.5], [0.1, 0.9], [-0.1, 1.6]])
    ours = apply_homography(square_to_quad(quad), inner)
    assert np.allclose(ours, apply_homography(expected, inner), atol=2e-2)


def test_crop_shows_the_named_window() -> None:
    """The corner of the card lies 0.1 w from the crop's left border and 0.15 w from its top border."""
    quad = end_quad((300, 300), (0.6, -0.8), 80, 80, 0)
    corners = apply_homography(crop_matrix(quad), quad)
    scale = 64 / 1.2
    left, right = 0.1 * scale - 0.5, 1.1 * scale - 0.5
    top, bottom = 0.15 * scale - 0.5, 1.15 * scale - 0.5
    assert np.allclose(corners, [[left, top], [right, top], [right, bottom], [left, bottom]])


@settings(deadline=None)
@given(angles, lengths, perspectives)
def test_crop_of_many_quads_is_the_crop_of_each(angle: float, width: float, a: float) -> None:
    first = end_quad((50, 60), (math.cos(angle), math.sin(angle)), width, width, 0)
    second = first + np.array([[a * width, 0], [0, 0], [0, 0], [0, 0]])
    both = crop_matrix(np.stack([first, second]))
    assert np.allclose(both[0], crop_matrix(first))
    assert np.allclose(both[1], crop_matrix(second))


def test_crop_really_reads_upright() -> None:
    """A dot painted near the upper left corner of a turned end comes out at the upper left of the crop."""
    photo = np.zeros((400, 400), np.uint8)
    quad = end_quad(
        (200, 200), (-1, 0), 100, 100, 0
    )  # outer edge to the left: upper left is at the lower left
    dot = apply_homography(square_to_quad(quad), (0.2, 0.2))
    assert dot[0] < 200 < dot[1]
    cv2.circle(photo, (round(dot[0]), round(dot[1])), 6, 255, -1)
    crop = cv2.warpPerspective(photo, crop_matrix(quad), (64, 96))
    y, x = np.unravel_index(int(crop.argmax()), crop.shape)
    assert x == pytest.approx(0.3 * 64 / 1.2, abs=4)
    assert y == pytest.approx(0.35 * 64 / 1.2, abs=4)


def test_turned_quad_points_inwards_and_keeps_the_square() -> None:
    quad = end_quad((10, 20), (0, -1), 8, 8, 0)
    turned = turned_quad(quad)
    assert np.allclose(quad_frame(turned)[1], (0, 1))
    assert sorted(map(tuple, turned.tolist())) == sorted(map(tuple, quad.tolist()))


def test_the_frame_in_a_crop_and_its_quad_undo_each_other() -> None:
    rng = np.random.default_rng(7)
    frame = rng.normal(0, 0.15, (50, 6))
    assert frame_in_crop(quad_from_crop(frame)) == pytest.approx(frame)


def test_the_end_that_a_crop_is_cut_for_has_a_frame_of_zeros() -> None:
    quad = end_quad((300.0, 200), (0.3, -1), 80, 70, 0.1)
    assert frame_in_crop(apply_homography(crop_matrix(quad), quad)) == pytest.approx(np.zeros(6), abs=1e-9)


frames = st.tuples(
    st.floats(-math.pi, math.pi), st.floats(10, 90), st.floats(0.25, 2.0), st.floats(-0.8, 0.8)
)


@settings(deadline=None)
@given(frames)
def test_slant_and_size_say_the_same_as_width_depth_and_skew(
    frame: tuple[float, float, float, float],
) -> None:
    angle, width, ratio, skew = frame
    outward = (math.cos(angle), math.sin(angle))
    quad = end_quad((30, 40), outward, width, ratio * width, skew)
    assert np.allclose(slanted_quad((30, 40), outward, *quad_slant(quad)), quad, atol=1e-6)


@settings(deadline=None)
@given(st.floats(-math.pi, math.pi), st.floats(0.2, 1.0), st.floats(-math.pi, math.pi))
def test_squares_on_one_plane_share_their_slant(angle: float, flat: float, axis: float) -> None:
    """However a square lies on a table that is seen flat by this share along one axis."""
    outward = np.array([math.cos(angle), math.sin(angle)])
    square = end_quad((0, 0), outward, 20, 20, 0)
    to_axis = np.array([[math.cos(axis), math.sin(axis)], [-math.sin(axis), math.cos(axis)]])
    seen = square @ (to_axis.T @ np.diag([1, flat]) @ to_axis).T
    size, slant = quad_slant(seen)
    assert size == pytest.approx(20 * math.sqrt(flat))
    assert slant == pytest.approx(
        -math.log(flat) * np.array([math.cos(2 * axis), math.sin(2 * axis)]), abs=1e-6
    )


@settings(deadline=None)
@given(frames)
def test_table_metric_measures_in_card_widths(frame: tuple[float, float, float, float]) -> None:
    angle, width, ratio, skew = frame
    quad = end_quad((30, 40), (math.cos(angle), math.sin(angle)), width, ratio * width, skew)
    across, along, metric = quad[1] - quad[0], quad[0] - quad[3], table_metric(quad)
    assert across @ metric @ across == pytest.approx(1)
    assert along @ metric @ along == pytest.approx(1)
    assert across @ metric @ along == pytest.approx(0, abs=1e-6)
