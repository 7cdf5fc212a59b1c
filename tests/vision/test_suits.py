"""Suits of four-colour cards judged by all cards of the photo."""

import numpy as np

from vision.decide import decide
from vision.suits import SUITS, judge_suits

CLASSES = (*(f"sise:{suit}{kind}" for suit in SUITS for kind in "KA"), "other")
LIMITS = {"sise": {name.partition(":")[2]: 4 for name in CLASSES[:-1]}}
ORANGE, RED, PALE = (65.0, 35.0, 55.0), (45.0, 60.0, 40.0), (85.0, 2.0, 12.0)


def row(shares: dict[str, float]) -> list[float]:
    rest = (1 - sum(shares.values())) / (len(CLASSES) - len(shares))
    return [shares.get(name, rest) for name in CLASSES]


def papers(*colours: tuple[float, float, float]) -> np.ndarray:
    rng = np.random.default_rng(1)
    return np.array(colours) + rng.normal(0, 1.5, (len(colours), 3)) * [4, 1, 1]


def test_an_orange_card_follows_the_other_orange_cards() -> None:
    """Orange stands for yellow in this deck: three say so, the fourth was taken for red."""
    yellow, red = {"sise:yK": 0.8, "sise:rK": 0.15}, {"sise:rA": 0.55, "sise:yA": 0.42}
    sure_red = {"sise:rK": 0.95}
    table = np.log([row(yellow), row(yellow), row(yellow), row(red), row(sure_red), row(sure_red)])
    paper = papers(ORANGE, ORANGE, ORANGE, ORANGE, RED, RED)
    decision = decide(table, np.ones(len(table)), paper, CLASSES, LIMITS)
    assert [v.code for v in decision.verdicts] == ["yK", "yK", "yK", "yA", "rK", "rK"]
    assert decision.verdicts[3].confidence > 0.8


def test_papers_that_differ_do_not_vote() -> None:
    table = np.log([row({"sise:yK": 0.9}), row({"sise:wK": 0.55, "sise:yK": 0.4})])
    judged = np.exp(judge_suits(table, papers(ORANGE, PALE), CLASSES))
    assert np.allclose(judged, np.exp(table), atol=0.01)


def test_kind_and_other_keep_their_shares() -> None:
    table = np.log([row({"sise:yK": 0.5, "sise:rK": 0.3, "other": 0.15}), row({"sise:yA": 0.95})])
    judged = np.exp(judge_suits(table, papers(ORANGE, ORANGE), CLASSES))
    assert np.allclose(judged.sum(axis=1), 1, atol=0.01)
    assert np.isclose(judged[0, -1], 0.15, atol=0.01)
    assert judged[0, CLASSES.index("sise:yK")] > 0.6


def test_a_card_alone_is_judged_alone() -> None:
    table = np.log([row({"sise:yK": 0.6, "sise:rK": 0.3})])
    assert np.allclose(np.exp(judge_suits(table, papers(ORANGE), CLASSES)), np.exp(table), atol=0.02)
