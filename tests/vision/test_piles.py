"""Piles of cards laid as people lay them, and the order in which they are read."""

import math

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from tests.vision.world import Laid, face_table, true_ends
from vision.cards import join_ends
from vision.geometry import Floats
from vision.piles import bodies, find_piles, parting_gap

W, L = 60.0, 210.0


def column(x: float, y: float, count: int, step: float = 55, pile: int = 0) -> list[Laid]:
    return [Laid("1", x, y + step * i, pile=pile) for i in range(count)]


def row(x: float, y: float, count: int, step: float = 64, pile: int = 0) -> list[Laid]:
    return [Laid("1", x + step * i, y, pile=pile) for i in range(count)]


def fan(x: float, y: float, count: int, radius: float = 170, step: float = 0.15, pile: int = 0) -> list[Laid]:
    """Opens upwards around a pivot (x, y)."""
    turns = [(i - (count - 1) / 2) * step for i in range(count)]
    return [
        Laid("1", x + radius * math.sin(t), y - radius * math.cos(t), t - math.pi / 2, pile=pile)
        for t in turns
    ]


def crossed(x: float, y: float, count: int, pile: int = 0) -> list[Laid]:
    return [Laid("1", x, y, 0.3 + i * math.pi / count, pile=pile) for i in range(count)]


def piles_of(laid: list[Laid], turn: float = 0.0) -> list[list[int]]:
    """Indices into `laid` of each pile in reading order, found from the visible ends of a turned photo."""
    c, s = math.cos(turn), math.sin(turn)
    cards = [
        Laid(k.code, c * k.x - s * k.y, s * k.x + c * k.y, k.angle + turn, k.width, k.length) for k in laid
    ]
    ends, owners = true_ends(cards)
    found = join_ends(ends, face_table(ends, [int(cards[i].code) for i in owners]), np.zeros(len(ends)))
    return [[owners[found[i].ends[0]] for i in pile] for pile in find_piles(bodies(found, ends))]


def truth_of(laid: list[Laid]) -> set[frozenset[int]]:
    return {frozenset(i for i, k in enumerate(laid) if k.pile == pile) for pile in {k.pile for k in laid}}


LAYOUTS = {
    "columns": column(100, 150, 3, pile=0) + column(180, 150, 4, pile=1) + column(262, 150, 2, pile=2),
    "columns hardly apart": column(100, 150, 3, pile=0)
    + column(166, 150, 4, pile=1)
    + column(232, 180, 2, pile=2),
    "rows": row(100, 150, 3, pile=0) + row(330, 150, 4, pile=1) + row(100, 400, 2, pile=2),
    "overlapping rows": row(100, 150, 4, step=40, pile=0) + row(330, 150, 3, step=40, pile=1),
    "fan": fan(500, 500, 14, radius=260, step=0.12),
    "two tiers": fan(500, 420, 9, radius=260, step=0.14, pile=0)
    + fan(500, 500, 9, radius=260, step=0.14, pile=1),
    "crossed": crossed(200, 200, 3, pile=0) + crossed(520, 200, 4, pile=1),
    "mixed": row(80, 150, 3, pile=0)
    + column(420, 120, 3, pile=1)
    + crossed(620, 180, 2, pile=2)
    + fan(320, 760, 8, radius=220, pile=3),
    "one column": column(100, 100, 5, step=70),
    "cards apart": [Laid("1", 100 + 160 * i, 200, pile=i) for i in range(4)],
}


@pytest.mark.parametrize("name", LAYOUTS)
def test_layouts_come_apart_as_they_were_laid(name: str) -> None:
    laid = LAYOUTS[name]
    assert {frozenset(pile) for pile in piles_of(laid)} == truth_of(laid)


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(sorted(LAYOUTS)), st.floats(-math.pi, math.pi))
@example("mixed", -1.6574559665090693)  # two neighbours in the fan lap over by a tenth
def test_turning_the_photo_changes_no_pile(name: str, turn: float) -> None:
    laid = LAYOUTS[name]
    assert {frozenset(pile) for pile in piles_of(laid, turn)} == truth_of(laid)


@settings(deadline=None, max_examples=25)
@given(st.sampled_from(sorted(LAYOUTS)), st.integers(0, 1000))
def test_every_card_lies_in_one_pile(name: str, seed: int) -> None:
    quads = np.array([card.body for card in LAYOUTS[name]]) + np.random.default_rng(seed).normal(
        0, 2, (1, 4, 2)
    )
    assert sorted(i for pile in find_piles(quads) for i in pile) == list(range(len(quads)))


def test_reading_order_of_each_kind() -> None:
    assert piles_of(column(100, 100, 4)) == [[0, 1, 2, 3]]
    assert piles_of(list(reversed(column(100, 100, 4)))) == [[3, 2, 1, 0]]
    assert piles_of(row(100, 100, 4)) == [[0, 1, 2, 3]]
    assert piles_of(fan(500, 500, 7)) == [[0, 1, 2, 3, 4, 5, 6]]


def test_a_fan_held_from_above_is_read_from_left_to_right() -> None:
    upside_down = [Laid(k.code, k.x, -k.y, -k.angle) for k in fan(0, 0, 7)]
    assert piles_of(upside_down) == [[0, 1, 2, 3, 4, 5, 6]]


def test_a_row_of_cards_lying_sideways_is_read_from_the_top() -> None:
    assert piles_of([Laid("1", 200, 100 + 64 * i, 0.0) for i in range(4)]) == [[0, 1, 2, 3]]


def test_a_cascade_of_cards_lying_sideways_is_read_from_the_left() -> None:
    assert piles_of([Laid("1", 200 + 55 * i, 100, 0.0) for i in range(4)]) == [[0, 1, 2, 3]]


def test_piles_are_listed_as_a_page_is_read() -> None:
    laid = row(500, 150, 2) + row(100, 160, 2) + row(100, 420, 2)
    assert piles_of(laid) == [[2, 3], [0, 1], [4, 5]]


def test_a_single_end_is_lengthened_like_the_others() -> None:
    ends, owners = true_ends([*column(100, 100, 3), Laid("1", 400, 150)])
    cards = join_ends(ends, face_table(ends, [1] * len(owners)), np.zeros(len(ends)))
    lengths = [float(np.linalg.norm(quad[0] - quad[3])) for quad in bodies(cards, ends)]
    assert lengths == pytest.approx([L] * 4, rel=0.02)


def test_the_gap_that_parts_piles_is_that_of_the_photo() -> None:
    def table(*gaps: float) -> Floats:
        return np.array([[gap] for gap in gaps])

    assert 0.2 < parting_gap(table(0.05, 0.06, 0.2, 0.55, 0.6)) < 0.55
    assert 0.02 < parting_gap(table(0.01, 0.02, 0.3)) < 0.3
    assert parting_gap(table(np.inf, np.inf)) == pytest.approx(0.32)


def test_nothing_to_pile() -> None:
    assert find_piles(np.zeros((0, 4, 2))) == ()
