"""Decks, copies and doubt, on made-up evidence; the assignment against trying everything."""

import itertools
import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from vision.decide import (
    OTHER,
    Decision,
    assign_copies,
    choose_deck,
    decide,
    of_deck,
    with_hidden_doubted,
    with_room,
)

CLASSES = ("chuanpai:1-1", "chuanpai:C", "zipai:s1", "zipai:b1", "zipai:W", "other", "other:back")
LIMITS = {"chuanpai": {"1-1": 4, "C": 5}, "zipai": {"s1": 2, "b1": 2, "W": 4}}


def evidence(*rows: dict[str, float]) -> np.ndarray:
    """Log-probabilities from the named shares; what is left is spread over the other classes."""
    table = []
    for row in rows:
        rest = (1 - sum(row.values())) / (len(CLASSES) - len(row))
        table.append([row.get(name, rest) for name in CLASSES])
    logs: np.ndarray = np.log(np.array(table).reshape(len(rows), len(CLASSES)))
    return logs


def judged(*rows: dict[str, float], deck: str | None = None) -> Decision:
    return decide(evidence(*rows), np.ones(len(rows)), np.zeros((len(rows), 3)), CLASSES, LIMITS, deck)


def test_one_strange_card_does_not_choose_the_deck() -> None:
    zipai = {"zipai:s1": 0.7, "zipai:b1": 0.2}
    assert choose_deck(evidence(zipai, zipai, {"chuanpai:1-1": 0.999}), np.ones(3), CLASSES) == "zipai"
    assert choose_deck(evidence({"other": 0.9, "chuanpai:C": 0.06}), np.ones(1), CLASSES) == "chuanpai"


def test_what_hardly_stands_out_does_not_choose_the_deck() -> None:
    """Twenty faint cells of a patterned table that look a little like a 一 against two cards."""
    sure, faint = {"chuanpai:1-1": 0.97}, {"zipai:s1": 0.6}
    table, heat = evidence(sure, sure, *[faint] * 20), np.array([0.8, 0.8, *[0.28] * 20])
    assert choose_deck(table, heat, CLASSES) == "chuanpai"
    assert choose_deck(table, np.ones(22), CLASSES) == "zipai"


def test_the_misread_card_is_read_again_in_the_deck() -> None:
    decision = judged({"zipai:s1": 0.95}, {"zipai:b1": 0.95}, {"chuanpai:1-1": 0.5, "zipai:W": 0.45})
    assert decision.deck == "zipai"
    assert [v.code for v in decision.verdicts] == ["s1", "b1", "W"]
    assert decision.verdicts[2].review


def test_a_card_that_is_surely_of_another_deck_is_other() -> None:
    decision = judged({"zipai:s1": 0.99}, {"zipai:b1": 0.99}, {"chuanpai:1-1": 0.999})
    assert [v.code for v in decision.verdicts] == ["s1", "b1", None]


@pytest.mark.parametrize(("code", "marked"), [("chuanpai:1-1", [True, False]), ("zipai:s1", [False, False])])
def test_half_a_group_of_pips_may_be_another_number(code: str, marked: list[bool]) -> None:
    decision = with_hidden_doubted(judged({code: 0.999}, {code: 0.999}), np.array([0.45, 0.7]))
    assert [verdict.review for verdict in decision.verdicts] == marked
    assert min(verdict.confidence for verdict in decision.verdicts) > 0.95


def test_no_card_no_deck() -> None:
    nothing = judged()
    assert (nothing.deck, nothing.verdicts, nothing.too_many) == (None, (), ())
    decision = judged({"other": 0.6, "other:back": 0.39})
    assert (decision.deck, decision.verdicts[0].code) == (None, None)
    assert decision.verdicts[0].confidence > 0.95


def test_the_deck_may_be_told() -> None:
    decision = judged({"zipai:s1": 0.6, "chuanpai:1-1": 0.35}, deck="chuanpai")
    assert (decision.deck, decision.verdicts[0].code) == ("chuanpai", "1-1")


def test_a_doubtful_third_copy_goes_to_its_second_choice() -> None:
    """The deck has two of s1: the least sure of three is taken for b1, and says so."""
    decision = judged(
        {"zipai:s1": 0.97}, {"zipai:s1": 0.6, "zipai:b1": 0.39}, {"zipai:s1": 0.96, "zipai:b1": 0.01}
    )
    assert [v.code for v in decision.verdicts] == ["s1", "b1", "s1"]
    assert not decision.too_many
    assert decision.verdicts[1].confidence > 0.8  # two sure holders leave little room for a third
    assert decision.verdicts[1].alternatives[0][0] == "b1"


def test_sure_cards_are_never_overruled_but_marked() -> None:
    decision = judged(*[{"zipai:s1": share} for share in (0.999, 0.998, 0.997)])
    assert [v.code for v in decision.verdicts] == ["s1", "s1", "s1"]
    assert [v.review for v in decision.verdicts] == [False, False, True]
    assert decision.too_many == ("s1",)


def test_review_follows_confidence() -> None:
    decision = judged({"zipai:s1": 0.97}, {"zipai:s1": 0.8, "zipai:b1": 0.19})
    assert [v.review for v in decision.verdicts] == [False, True]
    assert [code for code, _ in decision.verdicts[1].alternatives][:2] == ["s1", "b1"]


def test_probabilities_of_a_deck_add_up() -> None:
    codes, p = of_deck(
        np.exp(evidence({"zipai:s1": 0.5, "chuanpai:1-1": 0.3, "other": 0.1})), CLASSES, "zipai"
    )
    assert codes == ("s1", "b1", "W")
    assert p.sum() == pytest.approx(1)
    assert p[0, 3] > p[0, 1]


def brute_force(p: np.ndarray, caps: list[int]) -> float:
    """Log-probability of the best choice that keeps the caps, by trying all."""
    faces = len(caps)
    return max(
        sum(math.log(row[k]) for row, k in zip(p, choice, strict=True))
        for choice in itertools.product(range(faces + 1), repeat=len(p))
        if all(choice.count(k) <= caps[k] for k in range(faces))
    )


@settings(max_examples=60, deadline=None)
@given(st.integers(0, 10**6), st.integers(1, 5), st.lists(st.integers(0, 3), min_size=3, max_size=3))
def test_assignment_is_the_best_of_all(seed: int, cards: int, caps: list[int]) -> None:
    p = np.random.default_rng(seed).dirichlet([0.4] * 4, size=cards) + 1e-6
    chosen = assign_copies(p, np.array(caps))
    assert all(int((chosen == k).sum()) <= caps[k] for k in range(3))
    worth = sum(math.log(row[k]) for row, k in zip(p, chosen, strict=True))
    assert worth == pytest.approx(brute_force(p, caps), abs=1e-9)


def test_room_is_left_where_a_holder_is_doubtful() -> None:
    p = np.array([[0.99, 0.005, 0.005], [0.6, 0.3, 0.1], [0.5, 0.4, 0.1]])
    shared = with_room(p, np.array([0, 0, 1]), np.array([2, 2]))
    assert np.allclose(shared.sum(axis=1), 1)
    assert shared[2, 0] < p[2, 0]
    assert np.allclose(shared[1], p[1])
    assert OTHER == -1
