"""Figures on hand-made answers, worked out by hand."""

import json
from pathlib import Path

import cv2
import numpy as np
import pytest

from tests.vision.painted import networks_for, photo_of
from tests.vision.world import Laid
from vision.charts import write_charts
from vision.evaluate import Judged, Marked, compare, evaluate_folder, summary
from vision.geometry import end_quad, lies_in
from vision.read import Reader
from vision.reading import CardEnd, Reading, SeenCard
from vision.reliability import confusions, reliability, review_threshold, risk_coverage
from vision.truth import TrueCard, TrueEnd, TruePhoto, TruthError, read_truth


def square(x: float, y: float) -> np.ndarray:
    return end_quad((x, y), (0, -1), 40, 40, 0)


def real(code: str, x: float, visible: float = 1.0, pile: int = 0) -> TrueCard:
    return TrueCard(code, pile, (TrueEnd(square(x, 0), visible), TrueEnd(square(x, 150), 0.0)))


def seen(code: str, x: float, review: bool = False, pile: int = 0, y: float = 0.0) -> SeenCard:
    return SeenCard(code, 0.9, review, ((code, 0.9),), (CardEnd(square(x, y), 0.9),), pile)


def photo(*cards: TrueCard) -> TruePhoto:
    return TruePhoto("a.jpg", "zipai", "row", cards)


def test_every_kind_of_card_is_counted_once() -> None:
    truth = photo(
        real("s1", 0),
        real("s2", 100),
        real("s3", 200),
        real("s4", 300, visible=0.4),
        real("s5", 400, visible=0.1),
    )
    answer = [
        seen("s1", 5, review=True),  # right, and marked
        seen("s9", 105),  # wrong, not marked
        seen("s4", 300),  # right, but need not be found
        seen("s5", 400),  # hardly visible: nothing is there
        seen("s1", 0, y=60, review=True),  # beside the end
    ]
    counts, judged = compare(truth, answer)
    assert (counts.cards, counts.found, counts.right) == (3, 2, 1)
    assert (counts.wrong, counts.extra, counts.silent, counts.flagged) == (1, 2, 2, 1)
    assert (counts.errors, counts.clean, counts.one_off) == (4, 0, 0)
    assert [one.true for one in judged] == ["s1", "s2", "s4", None, None]


def test_a_card_reported_twice_is_extra() -> None:
    counts, _ = compare(photo(real("s1", 0)), [seen("s1", 0), seen("s1", 4)])
    assert (counts.right, counts.extra, counts.one_off, counts.clean) == (1, 1, 1, 0)


def test_the_right_face_is_matched_before_the_nearer_one() -> None:
    counts, _ = compare(photo(real("s1", 0), real("s2", 18)), [seen("s1", 8), seen("s2", 10)])
    assert (counts.right, counts.wrong) == (2, 0)


def test_ends_are_taken_a_little_larger_than_they_are() -> None:
    assert lies_in(np.array([22.0, 0]), square(0, 0) * 1.15)
    assert not lies_in(np.array([24.0, 0]), square(0, 0) * 1.15)
    assert lies_in(np.array([22.0, 0]), square(0, 0)[::-1] * 1.15)


def test_piles_are_compared_by_pairs() -> None:
    truth = photo(real("s1", 0), real("s2", 100), real("s3", 200, pile=1), real("s4", 300, pile=1))
    answer = [seen("s1", 0), seen("s2", 100), seen("s3", 200), seen("s4", 300, pile=1)]
    counts, _ = compare(truth, answer)
    assert (counts.together, counts.apart, counts.torn) == (1, 2, 1)
    one_pile, _ = compare(photo(real("s1", 0), real("s2", 100)), [seen("s1", 0), seen("s2", 100, pile=1)])
    assert (one_pile.together, one_pile.apart, one_pile.torn) == (0, 0, 0)


def test_summary_by_deck_and_layout() -> None:
    def reading(total: float) -> Reading:
        return Reading("a.jpg", 9, 9, "zipai", (), (), (), {"total": total})

    truth = photo(real("s1", 0), real("s2", 100))
    good, bad = (
        compare(truth, [seen("s1", 0), seen("s2", 100)]),
        compare(truth, [seen("s1", 0), seen("s9", 100)]),
    )
    marked = [
        Marked(truth, reading(100), *good),
        Marked(truth, reading(300), *bad),
        Marked(truth, None, *compare(truth, [])),
    ]
    rows = summary(marked)
    assert [row["name"] for row in rows] == ["all", "zipai", "layout row"]
    assert rows[0] == {
        "name": "all", "photos": 3, "cards": 6, "found": 0.6667, "right": 0.5, "extra": 0.0, "clean": 0.333,
        "one_off": 0.667, "silent": 16.67, "flagged": 0.0, "piles": None, "p50": 100, "p95": 300,
    }  # fmt: skip


CARDS = (
    [Judged("s1", "s1", 0.99, False)] * 90
    + [Judged("s2", "s3", 0.99, False)]
    + [Judged("s2", "s2", 0.5, True)] * 5
    + [Judged("s2", "s4", 0.5, True)] * 3
    + [Judged(None, "s4", 0.5, True)]
)


def test_reliability_and_expected_error() -> None:
    found = reliability(CARDS)
    assert found.cards.sum() == 100
    assert found.accuracy[14] == pytest.approx(90 / 91)
    assert found.expected_error == pytest.approx((91 * abs(0.99 - 90 / 91) + 9 * abs(0.5 - 5 / 9)) / 100)


def test_risk_falls_as_doubtful_cards_are_left_out() -> None:
    curve = risk_coverage(CARDS)
    assert curve.risk[-1] == pytest.approx(0.05)
    assert curve.risk[90] == pytest.approx(1 / 91)
    assert review_threshold(CARDS, 0.012) == 0.99
    assert review_threshold(CARDS, 0.06) == 0.5
    assert review_threshold([Judged("s1", "s2", 0.9, False)], 0.01) == 1.0


def test_confusions_are_named() -> None:
    assert confusions(CARDS) == [("s2", "s4", 3), ("s2", "s3", 1), ("-", "s4", 1)]


def test_charts_are_pictures(tmp_path: Path) -> None:
    figures = [{"name": "all", "cards": 100, "right": 0.95, "silent": 2.0}]
    paths = write_charts(CARDS, figures, tmp_path / "charts")
    assert [path.name for path in paths] == [
        "reliability.png",
        "risk-coverage.png",
        "confusion.png",
        "groups.png",
    ]
    for path in paths:
        picture = cv2.imread(str(path))
        assert picture is not None
        assert picture.min() < 100 < picture.max()


def annotated(folder: Path, cards: list[Laid]) -> None:
    """A folder with one photo of these cards and its truth."""
    codes = sorted({card.code for card in cards})
    rows = [
        {
            "image_id": 7, "category_id": codes.index(card.code), "card_id": i, "meld_id": card.pile, "visible": 1.0,
            "segmentation": [end_quad(centre, sign * card.outward, card.width, card.width, 0).ravel().tolist()],
        }
        for i, card in enumerate(cards)
        for centre, sign in zip(card.end_centres(), (1, -1), strict=True)
    ]  # fmt: skip
    coco = {
        "images": [{"id": 7, "file_name": "a.jpg", "deck": "zipai", "layout": "row"}],
        "categories": [{"id": i, "name": code} for i, code in enumerate(codes)],
        "annotations": rows,
    }
    (folder / "annotations.json").write_text(json.dumps(coco))
    (folder / "a.jpg").write_bytes(photo_of(cards))


def test_a_folder_is_read_and_compared(tmp_path: Path) -> None:
    cards = [
        Laid("s1", 200, 300),
        Laid("s2", 266, 300),
        Laid("b1", 600, 300, pile=1),
        Laid("b2", 666, 300, pile=1),
    ]
    annotated(tmp_path, cards)
    told: list[tuple[int, int]] = []
    marked = evaluate_folder(
        tmp_path, Reader(networks=networks_for(cards)), progress=lambda *at: told.append(at)
    )
    assert told == [(1, 1)]
    (row, *_) = summary(marked)
    assert (row["right"], row["found"], row["extra"], row["clean"], row["piles"]) == (1.0, 1.0, 0.0, 1.0, 1.0)


def test_a_photo_that_fails_has_missed_its_cards(tmp_path: Path) -> None:
    annotated(tmp_path, [Laid("s1", 200, 300)])
    (tmp_path / "a.jpg").write_bytes(b"")
    (marked,) = evaluate_folder(tmp_path, Reader(networks=networks_for([])))
    assert marked.reading is None
    assert (marked.counts.cards, marked.counts.found, marked.counts.clean) == (1, 0, 0)


@pytest.mark.parametrize(
    "text", [None, "no json", "{}", '{"images": [], "categories": [], "annotations": [{}]}']
)
def test_a_folder_without_truth_says_so(tmp_path: Path, text: str | None) -> None:
    if text is not None:
        (tmp_path / "annotations.json").write_text(text)
    with pytest.raises(TruthError, match=r"annotations\.json"):
        read_truth(tmp_path)
