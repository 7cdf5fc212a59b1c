"""The renderer's geometry: where the annotated ends are, what covers what, how a view moves them."""

from __future__ import annotations

import math

import numpy as np
import pytest

from models.training.camera import aim, bend_card, surface
from models.training.layout import LAYOUTS, Pose, Size, extent, lay_out
from models.training.photograph import Item, annotate, end_regions, photograph, visible_share
from models.training.tables import TILE
from vision.geometry import quad_frame

SIZE = Size(30.0, 120.0)
TABLE = np.full((TILE, TILE, 3), 90, np.uint8)


def item(x: float, y: float, angle: float = -math.pi / 2, *, bend: float = 0.0, pile: int = 0) -> Item:
    face = np.full((1024, 256, 3), 230, np.uint8)
    return Item(face, SIZE, Pose(x, y, angle, pile, bend), "s1", 0.0, 1.0)


def test_straight_above_an_end_is_a_square_of_the_cards_width() -> None:
    rng = np.random.default_rng(1)
    points = np.array([[-100.0, -100, 0], [100, 100, 0]])
    camera = aim(rng, points, 800, 800, pitch=0.0, roll=0.0, fill=0.9)
    image, ends = photograph(rng, camera, TABLE, [item(0, 0)], gloss=0.0, clutter=0, hands=0)
    assert image.shape == (800, 800, 3)
    first, second = ends
    for end, outward in ((first, (0, -1)), (second, (0, 1))):
        _, direction, width, depth, skew = quad_frame(end.quad)
        assert width == pytest.approx(30 * 0.9 * 800 / 200, rel=0.01)
        assert depth == pytest.approx(float(width), rel=0.01)
        assert direction == pytest.approx(outward, abs=0.01)
        assert skew == pytest.approx(0, abs=0.01)
        assert end.visible > 0.97


def test_a_card_laid_over_an_end_hides_it_and_no_other() -> None:
    rng = np.random.default_rng(2)
    points = np.array([[-150.0, -150, 0], [150, 150, 0]])
    camera = aim(rng, points, 900, 900, pitch=0.2, roll=0.0, fill=0.9)
    lower, upper = item(0, 0), item(0, 90, 0.0)
    _, ends = photograph(rng, camera, TABLE, [lower, upper], gloss=0.0, clutter=0, hands=0)
    shares = {(e.card, e.end): e.visible for e in ends}
    assert shares[0, 0] > 0.95
    assert shares[0, 1] == pytest.approx(1.0, abs=0.05)  # reaches to y = 60, the upper card begins at 75
    _, covered = photograph(rng, camera, TABLE, [lower, item(0, 45, 0.0)], gloss=0.0, clutter=0, hands=0)
    shares = {(e.card, e.end): e.visible for e in covered}
    assert shares[0, 0] > 0.95
    assert shares[0, 1] < 0.1
    assert shares[1, 0] > 0.95
    assert shares[1, 1] > 0.95


def test_what_lies_outside_the_picture_is_hidden() -> None:
    owner = np.ones((100, 100), np.int16)
    half_out = np.array([[80.0, 10], [120, 10], [120, 50], [80, 50]])
    assert visible_share(owner, 1, half_out, 0.0) == pytest.approx(0.5, abs=0.03)
    assert visible_share(owner, 1, half_out + 200, 0.0) == 0.0


def test_a_bent_card_keeps_its_corners_and_lifts_its_middle() -> None:
    corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]], np.float64)
    flat = surface(Pose(0, 0, 0.3, 0), SIZE, 1.0, corners)
    arched = surface(Pose(0, 0, 0.3, 0, bend=5.0), SIZE, 1.0, corners)
    assert arched == pytest.approx(flat)
    middle = surface(Pose(0, 0, 0.3, 0, bend=5.0), SIZE, 1.0, np.array([0.5, 0.5]))
    assert middle[2] == pytest.approx(6.0)


def test_a_bent_card_is_projected_where_its_surface_is() -> None:
    rng = np.random.default_rng(3)
    points = np.array([[-100.0, -100, 0], [100, 100, 0]])
    camera = aim(rng, points, 800, 600, pitch=0.7, roll=0.2, fill=0.9)
    pose = Pose(10, -5, 0.4, 0, bend=6.0)
    card = bend_card(camera, pose, SIZE, 0.5)
    along = np.stack([np.full(9, 0.5), np.linspace(0, 1, 9)], -1)
    assert card.to_picture(along) == pytest.approx(camera.project(surface(pose, SIZE, 0.5, along)), abs=0.5)


def test_the_two_ends_are_the_short_sides_turned_by_half() -> None:
    (first, _), (second, _) = end_regions(item(0, 0))
    assert first == pytest.approx(np.array([[0, 0], [1, 0], [1, 0.25], [0, 0.25]]))
    assert second == pytest.approx(1 - first)


@pytest.mark.parametrize("seed", range(8))
def test_layouts_keep_piles_together_and_angles_sane(seed: int) -> None:
    rng = np.random.default_rng(seed)
    name, poses = lay_out(rng, SIZE)
    assert name in LAYOUTS
    assert len(poses) >= 1
    piles = [pose.pile for pose in poses]
    assert sorted(set(piles)) == list(range(len(set(piles))))
    box = extent([(p.x, p.y, p.angle) for p in poses], SIZE)
    assert box[2] - box[0] >= SIZE.width * 0.99
    assert all(math.isfinite(p.x + p.y + p.angle) for p in poses)


def test_annotations_name_every_end_once() -> None:
    rng = np.random.default_rng(5)
    points = np.array([[-100.0, -100, 0], [100, 100, 0]])
    camera = aim(rng, points, 400, 400, pitch=0.1, roll=0.0, fill=0.9)
    cards = [(i, bend_card(camera, i.pose, i.size, 0.0)) for i in (item(-40, 0, pile=3), item(40, 0, pile=4))]
    ends = annotate(cards, np.zeros((400, 400), np.int16))
    assert [(e.card, e.end, e.pile) for e in ends] == [(0, 0, 3), (0, 1, 3), (1, 0, 4), (1, 1, 4)]
    assert all(e.visible == 0 for e in ends)
