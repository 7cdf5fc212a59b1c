"""Photos with too little light, brought up before anything looks at them."""

import numpy as np

from vision.night import BRIGHT, brought_up, gain_of


def page(light: float, noise: float) -> np.ndarray:
    """White paper with a broad black stroke, in this light and with this noise."""
    picture = np.full((200, 200, 3), 240.0)
    picture[80:120] = 30
    grain = np.random.default_rng(0).normal(0, noise, picture.shape)
    return np.clip(picture * light + grain, 0, 255).astype(np.uint8)


def test_enough_light_is_left_alone() -> None:
    assert gain_of(page(1.0, 5)) == 1
    dark_table = np.full((400, 400, 3), 20, np.uint8)
    dark_table[:40, :40] = 230  # one small card
    assert gain_of(dark_table) == 1


def test_a_dim_page_is_as_bright_as_by_day_and_without_its_grain() -> None:
    dim = page(0.25, 6)
    bright = brought_up(dim, gain_of(dim)).astype(float)
    paper, ink = bright[10:70], bright[90:110]
    assert abs(paper.mean() - BRIGHT) < 25
    assert paper.mean() > 5 * ink.mean()
    assert paper.std() < gain_of(dim) * 6 / 2


def test_black_stays_black() -> None:
    assert brought_up(np.zeros((20, 20, 3), np.uint8), gain_of(np.zeros((20, 20, 3), np.uint8))).max() == 0
