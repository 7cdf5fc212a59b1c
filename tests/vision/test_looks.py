"""One print, one look: what is read as one face and looks like two is doubted."""

import cv2
import numpy as np

from vision.decide import decide
from vision.looks import Looks, losing, parted
from vision.photo import Image

CLASSES = ("zipai:s3", "zipai:s5", "other")
LIMITS = {"zipai": {"s3": 4, "s5": 4}}


def crop(strokes: str, shade: int = 0) -> Image:
    """Black strokes on paper: `-` across, `|` down, `x` both diagonals; `shade` darkens all of it."""
    picture = np.full((96, 64, 3), 225 - shade, np.uint8)
    lines = {
        "-": [((14, 36), (50, 36))],
        "|": [((32, 14), (32, 58))],
        "x": [((14, 16), (50, 56)), ((50, 16), (14, 56))],
    }
    for stroke in strokes:
        for start, end in lines[stroke]:
            cv2.line(picture, start, end, (25, 25, 25), 6, cv2.LINE_AA)
    return np.roll(picture, shade // 10, axis=1)


def looks(*strokes: str, whole: bool = True) -> Looks:
    """Cards with these strokes, each in a light of its own, which the network takes for the same."""
    n = len(strokes)
    crops = np.stack([crop(one, 15 * i) for i, one in enumerate(strokes)])
    return Looks(crops, np.tile([1.0, 0.0], (n, 1)), np.full(n, whole))


def table(n: int) -> np.ndarray:
    """Everything is surely s3, else s5."""
    rows: np.ndarray = np.log(np.tile([0.97, 0.02, 0.01], (n, 1)))
    return rows


def test_equal_looks_keep_their_face() -> None:
    p = np.exp(table(4))
    assert np.allclose(parted(p, looks("-|", "-|", "-|", "-|")), p)


def test_the_odd_one_out_is_doubted() -> None:
    decision = decide(
        table(4), np.ones(4), np.zeros((4, 3)), CLASSES, LIMITS, "zipai", looks=looks("-|", "-|", "x", "-|")
    )
    assert [v.review for v in decision.verdicts] == [False, False, True, False]
    assert decision.verdicts[2].confidence < 0.9


def test_of_two_that_differ_both_are_doubted() -> None:
    decision = decide(
        table(2), np.ones(2), np.zeros((2, 3)), CLASSES, LIMITS, "zipai", looks=looks("-|", "x")
    )
    assert [v.review for v in decision.verdicts] == [True, True]


def test_what_is_half_covered_tells_no_look() -> None:
    p = np.exp(table(2))
    assert np.allclose(parted(p, looks("-|", "x", whole=False)), p)


def test_looks_that_correlate_are_one_whatever_the_embedding_says() -> None:
    grey = [np.asarray(cv2.resize(crop("-|", 15 * i)[..., 0], (48, 50)), np.uint8) for i in range(3)]
    assert losing(grey, np.eye(3), np.ones(3)) == []
