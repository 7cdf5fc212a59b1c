"""When sending a photo fails: one sentence, nothing lost, and another try."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pillow_heif
import pytest
from PIL import Image
from playwright.sync_api import Page, Route, expect

from tests.e2e import steps
from tests.e2e.samples import Sample

CARDS = ("rK", "rA", "rB")
ERROR = "#notices .error"
AGAIN = "#notices .error button"


def three_cards(page: Page) -> None:
    """Enter a hand that a failing photo must leave as it is, and go back to take another one."""
    steps.open_page(page)
    page.locator("input[value=shihu]").check(force=True)
    page.locator("#by-keys").tap()
    steps.tap_keys(page, " ".join(CARDS))
    page.locator("#step-check a[href='#scan']").tap()
    expect(page.locator("#step-scan")).to_be_visible()


def test_a_photo_whose_sending_failed_is_sent_again_by_one_tap(page: Page, sample: Sample) -> None:
    three_cards(page)
    page.route("**/api/read", lambda route: route.abort("connectionreset"))
    page.set_input_files("#choose", [sample.path, sample.path])
    expect(page.locator(ERROR)).to_have_text("连不上运行牌眼的电脑。再发一次这 2 张照片")
    expect(page.locator("#reading")).to_be_hidden()
    assert steps.codes(page) == sorted(CARDS)
    page.locator(AGAIN).tap()
    expect(page.locator(ERROR)).to_have_count(1)
    assert steps.codes(page) == sorted(CARDS)
    page.unroute("**/api/read")
    page.locator(AGAIN).tap()
    expect(page.locator("#photo-tabs [role=tab]")).to_have_count(2)
    expect(page.locator(".mark").first).to_be_visible()
    expect(page.locator(ERROR)).to_have_count(0)
    assert len(steps.codes(page)) == 2 * len(sample.codes)


def test_what_failed_beside_a_read_photo_is_added_to_its_hand(page: Page, sample: Sample) -> None:
    three_cards(page)
    sent: list[str] = []

    def lose_the_second(route: Route) -> None:
        sent.append(route.request.url)
        if len(sent) == 2:
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/api/read", lose_the_second)
    page.set_input_files("#choose", [sample.path, sample.path])
    expect(page.locator(AGAIN)).to_be_visible()
    assert len(steps.codes(page)) == len(sample.codes)
    page.locator(AGAIN).tap()
    expect(page.locator("#photo-tabs [role=tab]")).to_have_count(2)
    assert len(steps.codes(page)) == 2 * len(sample.codes)


@pytest.mark.parametrize(
    ("name", "content", "said"),
    [
        ("holiday.jpg", b"this is text", "这不是能读的照片"),
        ("empty.jpg", b"", "文件是空的"),
        ("huge.jpg", b"\xff\xd8" + bytes(90_000_000), "照片超过 12 MB"),
    ],
    ids=["text", "empty", "huge"],
)
def test_a_file_that_cannot_be_read_leaves_the_hand_as_it_was(
    page: Page, tmp_path: Path, name: str, content: bytes, said: str
) -> None:
    bad = tmp_path / name
    bad.write_bytes(content)
    three_cards(page)
    page.set_input_files("#choose", bad)
    expect(page.locator(ERROR)).to_contain_text(said)
    expect(page.locator(AGAIN)).to_have_text("选照片")  # the same file once more would be no better
    expect(page.locator("#reading")).to_be_hidden()
    assert steps.codes(page) == sorted(CARDS)


def test_a_photo_over_the_limit_is_made_smaller(page: Page, tmp_path: Path) -> None:
    noise = np.random.default_rng(1).integers(0, 256, (3000, 4200, 3), dtype=np.uint8)
    large = tmp_path / "large.jpg"
    Image.fromarray(noise).save(large, quality=97)
    assert large.stat().st_size > 12_582_912
    three_cards(page)
    page.set_input_files("#choose", large)
    expect(page.locator("#stage")).to_be_visible()
    expect(page.locator(ERROR)).to_have_count(0)


def test_a_heic_photo_is_read_though_the_browser_cannot_show_it(
    page: Page, tmp_path: Path, sample: Sample
) -> None:
    photo = tmp_path / "IMG_0001.HEIC"
    pillow_heif.from_pillow(Image.open(sample.path)).save(photo, quality=90)
    three_cards(page)
    page.set_input_files("#choose", photo)
    expect(page.locator(".mark").first).to_be_visible()
    expect(page.locator(ERROR)).to_have_count(0)
    assert len(steps.codes(page)) > 0.8 * len(sample.codes)


def test_a_demo_photo_without_a_connection_is_one_sentence(page: Page, sample: Sample) -> None:
    three_cards(page)
    page.route("**/static/samples/*", lambda route: route.abort("connectionreset"))
    page.locator(f"[data-sample='{sample.path.name}']").tap()
    expect(page.locator("#toasts")).to_contain_text("连不上运行牌眼的电脑")
    assert steps.codes(page) == sorted(CARDS)
