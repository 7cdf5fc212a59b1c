"""Another photo of cards that were photographed before, in a real browser with the real networks."""

from __future__ import annotations

import os
from pathlib import Path

import cv2
import numpy as np
import pytest
from playwright.sync_api import Page, expect

from tests.e2e import steps
from tests.e2e.samples import Sample, samples

pytestmark = pytest.mark.skipif(
    os.environ.get("PAIYAN_E2E_READER") == "truth", reason="the truth knows the demo photos only"
)


def from_aside(path: Path, photo: Path) -> None:
    """Write the picture of a table as it looks from another side."""
    picture = cv2.imread(str(photo))
    assert picture is not None
    height, width = picture.shape[:2]
    corners = np.array([[0, 0], [width, 0], [width, height], [0, height]], np.float32)
    inwards = np.array([[0.06, 0.03], [0.02, 0.06], [0, 0], [0.03, 0]], np.float32)
    moved = (corners * 0.92 + inwards * [width, height]).astype(np.float32)
    matrix = cv2.getPerspectiveTransform(corners, moved)
    seen = cv2.warpPerspective(picture, matrix, (width, height), borderMode=cv2.BORDER_REPLICATE)
    cv2.imwrite(str(path), seen)


def add_same(page: Page, photo: Path) -> None:
    """Choose a photo as another one of the same cards."""
    page.locator("#add-photo").tap()
    with page.expect_file_chooser() as chooser:
        page.get_by_text("同样的牌，换个角度再拍一张").tap()
    chooser.value.set_files(photo)


def test_another_photo_of_the_same_cards_doubles_none_and_keeps_corrections(
    page: Page, sample: Sample, tmp_path: Path
) -> None:
    steps.open_page(page)
    steps.scan(page, sample)
    steps.put_right(page, sample)
    first = page.evaluate(f"{steps.CARDS}[0]")
    page.locator(f"[data-pick='{first['id']}']").tap()
    said = next(code for code in sample.codes if code != first["code"])
    page.locator(f"#sheet .keypad [data-code='{said}']").tap()
    before = steps.codes(page)
    page.evaluate("import('/static/js/state.js').then((hand) => hand.set({ facts: { turned: 'rK' } }))")
    from_aside(tmp_path / "aside.jpg", sample.path)
    add_same(page, tmp_path / "aside.jpg")
    expect(page.locator("#photo-tabs [role=tab]")).to_have_count(2)
    steps.counted(page)
    after = page.evaluate(steps.CARDS)
    assert next(card["code"] for card in after if card["id"] == first["id"]) == said
    assert len(after) == len(before)
    assert page.evaluate("JSON.parse(sessionStorage.getItem('paiyan-hand')).facts") == {"turned": "rK"}
    assert len({card["id"] for card in after}) == len(after)
    page.locator("#undo").tap()
    steps.counted(page)
    assert steps.codes(page) == before


def test_a_photo_of_other_cards_is_asked_about(page: Page, sample: Sample) -> None:
    other = next(one for one in samples() if one.rules != sample.rules)
    steps.open_page(page)
    steps.scan(page, sample)
    before = steps.codes(page)
    add_same(page, other.path)
    expect(page.locator("#sheet-title")).to_have_text("这张照片上好像是别的牌。")
    page.get_by_text("不要这张照片").tap()
    expect(page.locator("#sheet")).to_be_hidden()
    assert steps.codes(page) == before
    assert page.evaluate("JSON.parse(sessionStorage.getItem('paiyan-hand')).photos.length") == 1
