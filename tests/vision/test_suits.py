"""Suits of four-colour cards judged by all cards of the photo."""

import cv2
import numpy as np
import pytest

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


PRINT = {"r": (0.55, 0.05, 0.05), "y": (0.85, 0.65, 0.1), "g": (0.15, 0.4, 0.12), "w": (0.85, 0.84, 0.8)}
AMBER, BLUE, HALF = (1.15, 0.85, 0.38), (0.55, 0.85, 1.2), (0.5, 0.5, 0.5)


def lit(suits: str, lamp: tuple[float, float, float]) -> np.ndarray:
    """CIE Lab of the papers of one print, PRINT being its linear light, under a lamp."""
    light = np.array([PRINT[suit] for suit in suits]) * np.array(lamp)
    rgb = (np.clip(light, 0, 1) ** (1 / 2.2)).astype(np.float32)
    return np.asarray(cv2.cvtColor(rgb[None], cv2.COLOR_RGB2Lab)[0], np.float64)


@pytest.mark.parametrize("lamp", [AMBER, BLUE, HALF, (1.0, 1.0, 1.0)])
def test_papers_keep_their_figure_under_every_lamp(lamp: tuple[float, float, float]) -> None:
    """A network that takes white for yellow under the lamp is outvoted by yellow lying beside it."""
    suits = "rryyyggwww"
    said = {"r": {"sise:rK": 0.9}, "y": {"sise:yK": 0.9}, "g": {"sise:gK": 0.9}, "w": {"sise:yK": 0.9}}
    decision = decide(
        np.log([row(said[suit]) for suit in suits]), np.ones(10), lit(suits, lamp), CLASSES, LIMITS
    )
    assert "".join(str(v.code)[0] for v in decision.verdicts) == suits
    assert (np.linalg.norm(decision.lamp) > 0.6) == (lamp == AMBER)


def test_suits_that_two_lamps_explain_are_doubtful_and_the_kind_is_sure() -> None:
    table = np.log([row({"sise:yK": 0.48, "sise:wK": 0.48})] * 4)
    between = np.tile(lit("w", (1.0, 0.9, 0.45)), (4, 1))
    for verdict in decide(table, np.ones(4), between, CLASSES, LIMITS).verdicts:
        assert verdict.review
        assert verdict.suit_review
        assert str(verdict.code)[1] == "K"


def test_without_colour_suits_are_doubtful_and_kinds_are_not() -> None:
    table = np.log([row({"sise:wK": 0.97}), row({"sise:gA": 0.97})])
    decision = decide(table, np.ones(2), lit("ww", HALF), CLASSES, LIMITS, colourless=True)
    assert [v.suit_review for v in decision.verdicts] == [True, True]
    assert [str(v.code)[1] for v in decision.verdicts] == ["K", "A"]
    assert all(v.kind > 0.9 > 0.5 > v.confidence for v in decision.verdicts)


@pytest.mark.parametrize(("deck", "black", "red"), [("chuanpai", "2-5", "1-5"), ("zipai", "s3", "s2")])
def test_without_colour_red_and_black_are_doubtful(deck: str, black: str, red: str) -> None:
    classes = (f"{deck}:{black}", f"{deck}:{red}", f"{deck}:{'5-5' if deck == 'chuanpai' else 's4'}", "other")
    limits = {deck: {name.partition(":")[2]: 4 for name in classes[:-1]}}
    table = np.log([[0.97, 0.01, 0.01, 0.01], [0.01, 0.01, 0.97, 0.01]])
    verdicts = decide(table, np.ones(2), lit("ww", HALF), classes, limits, deck, colourless=True).verdicts
    assert [v.suit_review for v in verdicts] == [True, False]
    assert {code for code, _ in verdicts[0].alternatives} >= {black, red}


def test_kind_and_other_keep_their_shares() -> None:
    table = np.log([row({"sise:yK": 0.5, "sise:rK": 0.3, "other": 0.15}), row({"sise:yA": 0.95})])
    judged = np.exp(judge_suits(table, papers(ORANGE, ORANGE), CLASSES)[0])
    assert np.allclose(judged.sum(axis=1), 1, atol=0.01)
    assert np.isclose(judged[0, -1], 0.15, atol=0.01)
    assert judged[0, CLASSES.index("sise:yK")] > 0.6
