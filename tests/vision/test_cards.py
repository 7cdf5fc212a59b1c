"""Ends of known cards find each other again; two peaks on one end do not make two cards."""

import math
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.vision.world import Laid, face_table, true_ends
from vision.cards import Card, card_length, evidence, foretold_length, join_ends, plain_pairs, possible_ends
from vision.ends import Ends, join, no_ends
from vision.geometry import end_quad
from vision.piles import bodies


def joined(cards: list[Laid], least_visible: float = 0.3) -> tuple[tuple[Card, ...], list[int]]:
    ends, owners = true_ends(cards, least_visible)
    faces = face_table(ends, [int(cards[i].code) for i in owners])
    return join_ends(ends, faces, np.zeros(len(ends))), owners


def owners_of(cards: tuple[Card, ...], owners: list[int]) -> list[tuple[int, ...]]:
    return [tuple(owners[i] for i in card.ends) for card in cards]


def test_a_row_of_equal_cards_pairs_every_end_with_its_own() -> None:
    laid = [Laid("3", 100 + 62 * i, 200) for i in range(6)]
    assert sorted(owners_of(*joined(laid))) == [(i, i) for i in range(6)]


def test_a_cascade_of_equal_cards_gives_the_last_its_two_ends() -> None:
    """Only the card on top shows both ends; the strip above it is not the other end of anything."""
    laid = [Laid("3", 300, 200 + 50 * i, length=240) for i in range(4)]
    cards, owners = joined(laid)
    assert sorted(owners_of(cards, owners)) == [(0,), (1,), (2,), (3, 3)]


def test_crossed_cards_keep_their_own_ends() -> None:
    laid = [Laid(str(i), 300, 300, i * math.pi / 4, length=260) for i in range(4)]
    assert sorted(owners_of(*joined(laid))) == [(i, i) for i in range(4)]


def test_of_two_equal_ends_the_one_in_line_is_joined() -> None:
    """In a fan of equal cards the other ends crowd in one place, and only the direction tells them apart."""
    laid = [Laid("3", 300, 300, turn, length=260) for turn in (0.0, 0.25)]
    ends, owners = true_ends(laid)
    blurred = replace(ends, others=np.broadcast_to(ends.others.mean(axis=0), ends.others.shape))
    cards = join_ends(blurred, face_table(ends, [3] * len(ends)), np.zeros(len(ends)))
    assert sorted(owners_of(cards, owners)) == [(0, 0), (1, 1)]


@pytest.mark.parametrize("turn", [1, 3])
def test_an_end_that_points_another_way_is_still_the_other_end(turn: int) -> None:
    """Where both show the same and the straight one foretells the place; else they are two cards."""
    laid = [Laid("3", 300, 300)]
    ends, owners = true_ends(laid)
    quads = np.stack([ends.quads[0], np.roll(ends.quads[1], turn, axis=0)])
    others = np.stack([ends.others[0], 2 * ends.quads[1].mean(axis=0) - ends.others[1]])
    seen = replace(ends, quads=quads, others=others)
    cards = join_ends(seen, face_table(ends, [3, 3]), np.zeros(2))
    assert owners_of(cards, owners) == [(0, 0)]
    cards = join_ends(seen, face_table(ends, [3, 4]), np.zeros(2))
    assert owners_of(cards, owners) == [(0,), (0,)]
    assert np.allclose(bodies([Card((0, 1))], seen), bodies([Card((0, 1))], ends))


def test_places_alone_tell_whose_ends_lie_apart() -> None:
    laid = [Laid(str(i), 100 + 140 * i, 300, width=50 + 5 * i) for i in range(4)]
    ends, owners = true_ends(laid)
    scores = np.where(np.arange(len(ends)) % 3, 0.9, 0.6)
    better, worse = plain_pairs(replace(ends, scores=scores))
    assert [owners[i] for i in better] == [owners[i] for i in worse] == [0, 1, 2, 3]
    assert (scores[better] >= scores[worse]).all()


def test_places_alone_do_not_tell_in_a_fan_where_ends_crowd() -> None:
    laid = [Laid("3", 300, 300, turn, length=260) for turn in (0.0, 0.25)]
    ends, _ = true_ends(laid)
    blurred = replace(ends, others=np.broadcast_to(ends.others.mean(axis=0), ends.others.shape))
    assert [len(part) for part in plain_pairs(blurred)] == [0, 0]
    assert [len(part) for part in plain_pairs(no_ends())] == [0, 0]


def test_what_is_no_card_is_no_other_end() -> None:
    laid = [Laid("3", 300, 300)]
    ends, owners = true_ends(laid)
    cards = join_ends(ends, face_table(ends, [3, 3]), np.array([0.0, 1.0]))
    assert owners_of(cards, owners) == [(0, 0)]
    cards = join_ends(ends, face_table(ends, [3, 3]), np.array([1.0, 1.0]))
    assert owners_of(cards, owners) == [(0,), (0,)]


def test_cards_head_to_head_stay_two() -> None:
    """The nearer ends of two cards in one line look away from the gap, not from each other."""
    laid = [Laid("3", 300, 200), Laid("3", 300, 430)]
    assert sorted(owners_of(*joined(laid))) == [(0, 0), (1, 1)]


@settings(deadline=None, max_examples=40)
@given(st.integers(0, 10_000))
def test_every_end_is_in_exactly_one_card(seed: int) -> None:
    rng = np.random.default_rng(seed)
    laid = [
        Laid(str(rng.integers(5)), rng.uniform(0, 900), rng.uniform(0, 900), rng.uniform(-math.pi, math.pi))
        for _ in range(15)
    ]
    cards, owners = joined(laid)
    assert sorted(i for card in cards for i in card.ends) == list(range(len(owners)))


def test_the_better_end_comes_first() -> None:
    laid = [Laid("1", 300, 300, 0.0), Laid("2", 206, 300, math.pi / 2, width=30, length=120)]
    ends, owners = true_ends(laid)
    cards = join_ends(ends, face_table(ends, [int(laid[i].code) for i in owners]), np.zeros(len(ends)))
    (first,) = (card for card in cards if owners[card.ends[0]] == 0)
    assert ends.visible[first.ends[0]] == 1
    assert ends.visible[first.ends[1]] < 0.7


def test_a_second_peak_on_a_whole_end_goes() -> None:
    """Half a width further in, and claiming to be whole like the real end."""
    ends, _ = true_ends([Laid("1", 200, 200)])
    ghost = Ends(ends.quads[:1] + np.array([0, 33]), np.array([0.6]), ends.others[:1], np.array([0.9]))
    assert possible_ends(join([ends, ghost]), np.zeros(3)).tolist() == [0, 1]


def test_a_strip_of_a_covered_card_stays() -> None:
    """The same two places, but the outer end says that little of it shows: a cascade."""
    ends, owners = true_ends([Laid("1", 200, 200), Laid("1", 200, 233)], least_visible=0.1)
    assert ends.visible.min() == pytest.approx(0.55, abs=0.05)
    assert len(possible_ends(ends, np.zeros(len(ends)))) == len(owners) == 3


def test_of_two_claims_the_one_that_is_no_card_goes() -> None:
    quad = end_quad((50, 50), (0, -1), 40, 40, 0)
    ends = Ends(
        np.stack([quad, quad + np.array([0, 21])]), np.array([0.8, 0.7]), np.zeros((2, 2)), np.ones(2)
    )
    assert possible_ends(ends, np.array([0.9, 0.0])).tolist() == [1]


def test_typical_length_is_that_of_the_cards() -> None:
    ends, _ = true_ends([Laid("1", 200, 200), Laid("2", 300, 200)])
    assert foretold_length(ends) == pytest.approx((210 - 60) / 60)
    assert foretold_length(no_ends()) == 0


def test_joined_cards_tell_the_length_before_what_single_ends_foretell() -> None:
    ends, _ = true_ends([Laid("1", 200, 200), Laid("2", 300, 200), Laid("3", 400, 200), Laid("4", 500, 200)])
    short = Ends(ends.quads, ends.scores, ends.quads.mean(axis=1) * 0.4 + ends.others * 0.6, ends.visible)
    assert foretold_length(short) == pytest.approx(0.6 * 150 / 60)
    cards = join_ends(short, face_table(short, [i // 2 for i in range(len(ends))]), np.zeros(len(ends)))
    assert [len(card.ends) for card in cards] == [2, 2, 2, 2]
    assert card_length(cards, short) == pytest.approx(150 / 60)
    assert card_length([], short) == foretold_length(short)


def test_both_ends_speak_and_the_hidden_one_speaks_softly() -> None:
    ends, _ = true_ends([Laid("1", 200, 200)])
    ends = Ends(ends.quads, ends.scores, ends.others, np.array([1.0, 0.35]))
    values = np.log([[0.6, 0.3, 0.1], [0.15, 0.7, 0.15]])
    alone = evidence((Card((0,)), Card((1,))), ends, values)
    assert np.allclose(alone, values)
    (both,) = np.exp(evidence((Card((0, 1)),), ends, values))
    assert both.sum() == pytest.approx(1)
    assert both[0] > both[1] > both[2]
    ends = Ends(ends.quads, ends.scores, ends.others, np.ones(2))
    (equal,) = np.exp(evidence((Card((0, 1)),), ends, values))
    assert equal[1] > equal[0]


def test_no_cards_no_evidence() -> None:
    assert evidence((), no_ends(), np.zeros((0, 7))).shape == (0, 7)
