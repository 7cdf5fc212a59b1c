"""Decoding of maps drawn from known geometry, suppression, letterbox, tiles and second looks."""

import math

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.world import Laid, draw_maps, draw_peaks, peaks_of, true_ends
from vision.ends import (
    LOOK,
    Ends,
    Peaks,
    added,
    ends_at,
    find_ends,
    first_scale,
    join,
    letterbox,
    look,
    no_ends,
    second_scale,
    suppress,
    table_slant,
    tiles,
)
from vision.geometry import end_quad, quad_centre, quad_frame

Array = np.ndarray


def one_end(x: float, y: float, angle: float = -math.pi / 2, width: float = 40, score: float = 1.0) -> Ends:
    outward = np.array([math.cos(angle), math.sin(angle)])
    quad = end_quad((x, y), outward, width, width, 0)
    return Ends(quad[None], np.array([score]), np.array([[x, y] - 3 * width * outward]), np.array([1.0]))


places, ratios, skews = st.floats(60, 190), st.floats(0.6, 1.4), st.floats(-0.5, 0.5)


@settings(deadline=None)
@given(places, places, st.floats(-math.pi, math.pi), st.floats(20, 100), ratios, skews)
def test_decoding_is_exact(x: float, y: float, angle: float, width: float, ratio: float, skew: float) -> None:
    quad = end_quad((x, y), (math.cos(angle), math.sin(angle)), width, width * ratio, skew)
    truth = Ends(quad[None], np.array([1.0]), np.array([[x + 100, y - 30]]), np.array([0.7]))
    found = suppress(ends_at(draw_peaks(truth, 256, 256)))
    assert len(found) == 1
    assert np.allclose(found.quads, truth.quads, atol=1e-2)
    assert np.allclose(found.others, truth.others, atol=1e-2)
    assert found.visible == pytest.approx([0.7])
    assert found.scores[0] > 0.6  # the peak lies at most half a cell from the centre


def test_low_peaks_unbelievable_sizes_and_slants_are_left_out() -> None:
    maps = draw_maps(join([one_end(60, 60), one_end(160, 160, score=0.2)]), 256, 256)
    assert len(ends_at(peaks_of(maps))) == 1
    steep, large = maps.copy(), maps.copy()
    steep[6], large[5] = 2.0, math.log(1000 / 32)
    assert len(ends_at(peaks_of(steep))) == 0
    assert len(ends_at(peaks_of(large))) == 0


def test_a_point_without_direction_is_no_end() -> None:
    maps = draw_maps(one_end(60, 60), 128, 128)
    maps[3:5] = 0
    assert len(ends_at(peaks_of(maps))) == 0


@pytest.mark.parametrize(
    ("angle", "distance", "kept"),
    [(0.0, 0.25, 1), (0.0, 0.4, 2), (math.pi / 2, 0.25, 2), (math.pi / 2, 0.15, 1), (math.pi, 0.25, 1)],
)
def test_suppression_spares_crossing_cards(angle: float, distance: float, kept: int) -> None:
    both = join([one_end(100, 100, 0.0, score=0.6), one_end(100, 100 + 40 * distance, angle, score=0.9)])
    left = suppress(both)
    assert len(left) == kept
    assert left.scores[0] == 0.9


@pytest.mark.parametrize(("steps", "kept"), [(0.4, 2), (0.25, 1)])
def test_suppression_measures_on_the_table(steps: float, kept: int) -> None:
    """Cards one above the other, seen so flat that they are .13 widths apart in the picture, .4 on the table."""
    outward, width, depth = (0.0, -1.0), 40.0, 40.0 / 3
    quads = [end_quad((100, 100 + i * steps * depth), outward, width, depth, 0) for i in (0, 1)]
    both = Ends(np.stack(quads), np.array([0.9, 0.8]), np.zeros((2, 2)), np.ones(2))
    assert len(suppress(both)) == kept


def test_suppressed_peaks_do_not_suppress_others() -> None:
    """A chain of three: the middle one falls to the first, so the third stands."""
    chain = join(
        [one_end(100, 100, 0, score=0.9), one_end(110, 100, 0, score=0.8), one_end(120, 100, 0, score=0.7)]
    )
    assert suppress(chain).scores.tolist() == [0.9, 0.7]


def test_a_second_look_adds_only_what_the_first_has_not() -> None:
    """What it sees .4 widths away is the same end seen again, in one look it would be a card half under another."""
    seen = join([one_end(100, 100, score=0.7), one_end(300, 100, score=0.5)])
    again = join([one_end(116, 100, score=0.9), one_end(200, 100, score=0.6)])
    both = added(seen, again)
    assert both.scores.tolist() == [0.7, 0.6, 0.5]
    assert both.quads[1] == pytest.approx(again.quads[1])


def test_a_tight_fan_is_found_whole() -> None:
    cards = []
    for i in range(12):
        angle = -math.pi / 2 + (i - 5.5) * 0.12
        cards.append(
            Laid("?", 320 + 200 * math.cos(angle), 420 + 200 * math.sin(angle), angle, width=44, length=150)
        )
    truth, owners = true_ends(cards, least_visible=0.5)
    found = suppress(ends_at(draw_peaks(truth, 640, 640)))
    assert len(found) == len(truth) >= 12
    distance = np.linalg.norm(quad_centre(found.quads)[:, None] - quad_centre(truth.quads)[None], axis=-1)
    assert distance.min(axis=0).max() < 0.5
    assert len(set(owners)) == 12


def test_letterbox_pads_right_and_below() -> None:
    picture = np.full((50, 70, 3), 7, np.uint8)
    boxed = letterbox(picture)
    assert boxed.shape == (1, 64, 96, 3)
    assert (boxed[0, :50, :70] == 7).all()
    assert (boxed[0, 50:] == 0).all()
    assert (boxed[0, :, 70:] == 0).all()


@given(st.integers(1, 5000), st.integers(1, 5000))
@settings(deadline=None, max_examples=50)
def test_tile_cores_share_the_picture_out(width: int, height: int) -> None:
    picture = np.broadcast_to(np.zeros(3, np.uint8), (height, width, 3))
    area = 0.0
    for x, y, tile, core in tiles(picture):
        assert max(tile.shape[:2]) <= LOOK
        assert core[0][0] >= x - 0.5
        assert core[1][0] <= x + tile.shape[1] - 0.5
        assert core[0][1] >= y - 0.5
        area += float(np.prod(core[1] - core[0]))
    assert area == pytest.approx(width * height)


def square_network(picture: Array) -> Peaks:
    """Sees bright squares as ends that point up, as long as they are between 10 and 140 px wide."""
    bright = (picture[0, ..., 0] > 200).astype(np.uint8)
    _, _, stats, centroids = cv2.connectedComponentsWithStats(bright)
    found = [
        one_end(float(c[0]), float(c[1]), width=math.sqrt(s[cv2.CC_STAT_AREA]))
        for s, c in zip(stats[1:], centroids[1:], strict=True)
        if 10 <= math.sqrt(s[cv2.CC_STAT_AREA]) <= 140
    ]
    return draw_peaks(join(found), picture.shape[2], picture.shape[1])


def squares(width: int, height: int, side: int, step: int) -> tuple[Array, Array]:
    picture = np.full((height, width, 3), 60, np.uint8)
    centres = []
    for y in range(step // 2, height - side, step):
        for x in range(step // 2, width - side, step):
            picture[y : y + side, x : x + side] = 250
            centres.append((x + (side - 1) / 2, y + (side - 1) / 2))
    return picture, np.array(centres)


@pytest.mark.parametrize(("side", "step"), [(40, 300), (72, 420), (200, 800), (600, 1100)])
def test_ends_of_any_size_are_found_at_the_right_place(side: int, step: int) -> None:
    """4000 x 3000: small ones by tiles at a larger scale, large ones by a look at a smaller one."""
    picture, centres = squares(4000, 3000, side, step)
    found = find_ends(lambda _: (picture, 1.0), (4000, 3000), square_network)
    assert len(found) == len(centres)
    distance = np.linalg.norm(quad_centre(found.quads)[:, None] - centres[None], axis=-1)
    assert distance.min(axis=0).max() < 0.06 * side
    assert np.allclose(quad_frame(found.quads)[2], side, rtol=0.08)


def test_a_reduced_view_gives_full_coordinates() -> None:
    picture, centres = squares(3000, 2000, 120, 500)
    half = np.asarray(cv2.resize(picture, (1500, 1000), interpolation=cv2.INTER_AREA), np.uint8)
    found = find_ends(lambda scale: (half, 0.5), (3000, 2000), square_network)
    distance = np.linalg.norm(quad_centre(found.quads)[:, None] - centres[None], axis=-1)
    assert len(found) == len(centres)
    assert distance.min(axis=0).max() < 2


def flat_network(picture: Array) -> Peaks:
    """Sees bright rectangles that stand upright as ends that point up, where both sides have 14 px at least."""
    bright = (picture[0, ..., 0] > 150).astype(np.uint8)
    _, _, stats, centroids = cv2.connectedComponentsWithStats(bright)
    quads = [
        end_quad(c, (0, -1), s[cv2.CC_STAT_WIDTH], s[cv2.CC_STAT_HEIGHT], 0)
        for s, c in zip(stats[1:], centroids[1:], strict=True)
        if min(s[cv2.CC_STAT_WIDTH], s[cv2.CC_STAT_HEIGHT]) >= 14
    ]
    n = len(quads)
    found = Ends(np.array(quads).reshape(n, 4, 2), np.ones(n), np.zeros((n, 2)), np.ones(n))
    return draw_peaks(found, picture.shape[2], picture.shape[1])


@pytest.mark.parametrize("share", [1.0, 0.5])
def test_a_table_seen_aslant_is_looked_at_from_above(share: float) -> None:
    """2400 x 1800, seen at half that: rectangles 96 x 48 are seen at once, those of 60 x 24 only from above."""
    picture, centres, sides = np.full((1800, 2400, 3), 60, np.uint8), [], []
    for i, (x, y) in enumerate((x, y) for y in range(300, 1500, 130) for x in range(300, 2100, 200)):
        width, height = (96, 48) if i % 4 else (60, 24)
        picture[y : y + height, x : x + width] = 250
        centres.append((x + (width - 1) / 2, y + (height - 1) / 2))
        sides.append((width, height))
    view = np.asarray(cv2.resize(picture, None, fx=share, fy=share, interpolation=cv2.INTER_AREA), np.uint8)
    seen = look(lambda _: (view, share), (2400, 1800), 0.5, flat_network)
    assert 0 < len(seen) < len(centres)
    assert table_slant(seen) == pytest.approx([math.log(2), 0], abs=0.1)
    found = find_ends(lambda _: (view, share), (2400, 1800), flat_network)
    assert len(found) == len(centres)
    apart = np.linalg.norm(quad_centre(found.quads)[:, None] - np.array(centres)[None], axis=-1)
    assert apart.min(axis=0).max() < 2
    _, _, widths, depths, _ = quad_frame(found.quads)
    nearest = np.array(sides)[apart.argmin(axis=1)]
    assert np.allclose(np.stack([widths, depths], axis=-1), nearest, rtol=0.1)


def test_too_few_ends_tell_no_slant() -> None:
    flat = end_quad((50, 50), (0, -1), 40, 10, 0)
    two = Ends(np.stack([flat, flat + 100]), np.ones(2), np.zeros((2, 2)), np.ones(2))
    assert table_slant(two).tolist() == [0, 0]


@pytest.mark.parametrize(
    ("longest", "scale"), [(320, 2.0), (640, 2.0), (800, 1.6), (1100, 1.0), (1280, 1.0), (4000, 0.32)]
)
def test_a_small_photo_is_looked_at_enlarged(longest: int, scale: float) -> None:
    assert first_scale((300, longest)) == first_scale((longest, 300)) == pytest.approx(scale)


def test_scale_of_the_second_look() -> None:
    assert second_scale(no_ends(), 0.3) == pytest.approx(0.1)
    assert second_scale(one_end(0, 0, width=150), 0.3) is None  # 45 px in the look
    assert second_scale(one_end(0, 0, width=60), 0.3) == pytest.approx(0.8)  # 18 px: 48 at 0.8
    assert second_scale(one_end(0, 0, width=24), 1.0) is None  # no more pixels to be had
    assert second_scale(one_end(0, 0, width=480), 0.5) == pytest.approx(0.1)


def test_an_empty_table_has_no_ends() -> None:
    assert len(find_ends(lambda _: (np.zeros((90, 120, 3), np.uint8), 1.0), (120, 90), square_network)) == 0


def test_unequal_arrays_are_refused() -> None:
    with pytest.raises(ValueError, match="unequal"):
        Ends(np.zeros((2, 4, 2)), np.zeros(1), np.zeros((2, 2)), np.zeros(2))
