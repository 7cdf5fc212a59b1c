"""Forms that prints are drawn in, as far as they need no font: strokes, finishes, pips, beasts."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import replace
from itertools import pairwise

import cv2
import numpy as np
import pytest

from models.training import prints
from models.training.layout import CROWDED, Size, lay_out
from models.training.prints import beasts, emblems, lettering, pips, strokes


@pytest.mark.parametrize("name", strokes.FORMS)
def test_every_composed_form_is_drawn_whole(name: str) -> None:
    for seed in range(5):
        rng = np.random.default_rng(seed)
        mask = strokes.draw(rng, strokes.FORMS[name](rng), 0.05)
        assert min(mask.shape) > 150
        assert 0.03 < (mask > 127).mean() < 0.6


def test_a_pen_soldier_has_a_stem_and_two_bars() -> None:
    for seed in range(10):
        rng = np.random.default_rng(seed)
        form = strokes.pen_soldier(rng)
        bars = [points for kind, points in form if kind == "h"]
        stem = [points for kind, points in form if kind == "v"]
        assert len(bars) == 2
        assert len(stem) == 1
        assert bars[0][0][1] < bars[1][0][1] < stem[0][-1][1]
        assert all(bar[0][0] < 0.5 < bar[-1][0] for bar in bars)


@pytest.mark.parametrize("finish", lettering.FINISHES)
def test_a_finish_takes_ink_away_and_leaves_most(finish: str) -> None:
    mask = np.zeros((200, 200), np.uint8)
    cv2.rectangle(mask, (40, 30), (160, 170), 255, 26)
    out = lettering.FINISHES[finish](np.random.default_rng(2), mask)
    assert out.shape == mask.shape
    assert 0.5 < out.sum() / mask.sum() < 1.15
    assert (out != mask).any()


def test_a_pen_makes_strokes_thinner_and_loses_none() -> None:
    mask = np.zeros((120, 120), np.uint8)
    cv2.line(mask, (20, 60), (100, 60), 255, 20)
    cv2.line(mask, (60, 15), (60, 105), 255, 4)
    thin = lettering._thinned(mask, 8)
    assert thin.sum() < mask.sum()
    assert thin[20, 58:63].any()
    assert thin[60, 30:90].all()


def test_stairs_are_wide_or_slanted_and_sixes_may_overlap() -> None:
    overlap = 0
    for seed in range(30):
        rng = np.random.default_rng(seed)
        stair = pips.staired(rng, pips.make_pips(rng, 1.5))
        assert stair.spots[3] in pips.STAIRS
        assert stair.step < 1
        xs = sorted(x for x, y in stair.spots[6] if y < 0)
        overlap += (xs[1] - xs[0]) / 2 * stair.group_w * 0.92 < stair.wide
    assert overlap > 5


def test_a_ring_surrounds_a_pip() -> None:
    plain = replace(pips.make_pips(np.random.default_rng(0), 1.5), core=0.0, turn=0.3)
    ringed = replace(plain, ring=4.0)
    drawn = [pips.group(np.random.default_rng(1), 1, (128, 128), p, frozenset())[0] for p in (plain, ringed)]
    assert [cv2.connectedComponents(mask)[0] - 1 for mask in drawn] == [1, 2]


@pytest.mark.parametrize("draw", [beasts.coiled, beasts.bird, beasts.roundel])
def test_beasts_fit_their_sheet(draw: object) -> None:
    assert callable(draw)
    for seed in range(4):
        fill, lines = draw(np.random.default_rng(seed), 260)
        assert fill.shape == lines.shape == (260, 256)
        assert (np.maximum(fill, lines) > 127).mean() > 0.03


def test_a_family_belongs_to_its_deck() -> None:
    with pytest.raises(ValueError, match="zipai has no family 'pen'"):
        prints.make_print("zipai", 1, "held", "pen")


@pytest.mark.parametrize("draw", [emblems.quadruped, emblems.fish, emblems.flower])
def test_an_emblem_is_drawn_within_its_height_and_each_time_anew(draw: Callable[..., beasts.Drawing]) -> None:
    drawn = set()
    for seed in range(8):
        fill, lines = draw(np.random.default_rng(seed), 300)
        assert fill.shape == lines.shape == (300, 256)
        assert 0.02 < (fill > 127).mean() < 0.7
        assert (lines > 127).any()
        drawn.add(fill.tobytes())
    assert len(drawn) == 8


def test_in_little_room_cards_hide_each_other_and_a_strip_of_most_shows() -> None:
    size = Size(25, 90)
    names = set()
    for seed in range(40):
        name, poses = lay_out(np.random.default_rng(seed), size, crowded=True)
        names.add(name)
        piles = [[pose for pose in poses if pose.pile == pile] for pile in {pose.pile for pose in poses}]
        steps = [math.dist((a.x, a.y), (b.x, b.y)) for pile in piles for a, b in pairwise(pile)]
        assert np.median(steps) < 1.2 * size.width
        assert name != "columns" or np.median(steps) > 0.4 * size.width
    assert names == set(CROWDED)
