"""Photos are kept where that was asked for and nowhere else; measured, learnt from, given away, taken in, deleted."""

from __future__ import annotations

import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.e2e import steps
from tests.e2e.conftest import PHONE, WAIT_MS, served
from tests.e2e.samples import Sample
from tests.e2e.test_access import findings
from tests.e2e.test_save import save, sit_down
from webui.examples.package import unpack

MEASURING_MS = 300_000


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    return tmp_path / "data"


@pytest.fixture
def page(browser: Browser, folder: Path) -> Iterator[Page]:
    """A phone before a paiyan whose data folder is its own."""
    with served(folder) as url:
        phone = browser.new_context(
            viewport=PHONE,
            device_scale_factor=2,
            has_touch=True,
            is_mobile=True,
            locale="zh-CN",
            base_url=url,
        )
        phone.set_default_timeout(WAIT_MS)
        yield phone.new_page()
        phone.close()


def kept(folder: Path) -> int:
    """How many photos the database of a data folder holds."""
    with sqlite3.connect(folder / "paiyan.sqlite3") as database:
        return int(database.execute("SELECT COUNT(*) FROM example").fetchone()[0])


def written_down(page: Page, sample: Sample, table: str, *, keep: bool) -> None:
    """Scan a hand, put it right, and write it into the game."""
    steps.open_page(page, f"/?game={table.rsplit('/', 1)[1]}")
    steps.scan(page, sample)
    steps.put_right(page, sample)
    page.locator("#score-bar").tap()
    switch = page.locator("#keep-list input").first
    expect(switch).not_to_be_checked()
    if keep:
        switch.check()
    save(page, 1)
    page.wait_for_url(f"{table}**")


def test_a_hand_is_kept_only_where_that_was_asked_for(page: Page, folder: Path, sample: Sample) -> None:
    table = sit_down(page, sample.rules)
    written_down(page, sample, table, keep=False)
    assert kept(folder) == 0
    assert not [path for path in folder.rglob("*") if path.suffix in (".jpg", ".jpeg", ".png")]
    written_down(page, sample, table, keep=True)
    assert kept(folder) == 1
    page.goto("/examples")
    expect(page.locator(".shelf li")).to_have_count(1)
    page.locator(".shelf a").tap()
    expect(page.locator(".truth polygon").first).to_be_visible()
    assert page.locator(".truth polygon").count() >= len(sample.codes)
    assert findings(page) == []
    page.locator("#delete-example").tap()
    page.wait_for_url("**/examples")
    assert kept(folder) == 0


def deck_kept(page: Page, sample: Sample) -> None:
    """Catalogue a deck from the same photo three times, and let all three be kept."""
    steps.open_page(page, "/decks/new")
    for number in range(3):
        page.locator("#choose").set_input_files(sample.path)
        expect(page.locator("#photo-list > li")).to_have_count(number + 1)
        if number:
            page.locator("[data-relation=same]").tap()
            expect(page.locator("[data-relation=same]")).to_have_count(0)
    page.locator("#name").fill("外婆的牌")
    page.locator("#teach").uncheck()
    expect(page.locator("#measure")).not_to_be_checked()
    page.locator("#measure").check()
    page.locator("#save button.main").tap()
    page.wait_for_url(lambda url: "/decks/" in url and not url.endswith("/new"))


def test_kept_photos_are_measured_learnt_from_given_away_and_taken_in(
    page: Page, folder: Path, sample: Sample, tmp_path: Path
) -> None:
    deck_kept(page, sample)
    assert kept(folder) == 3
    steps.open_page(page, "/examples")
    page.locator("#measure").tap()
    expect(page.locator("#report")).to_be_visible(timeout=MEASURING_MS)
    expect(page.locator("#report")).to_contain_text("外婆的牌")
    assert findings(page) == []
    if os.environ.get("PAIYAN_E2E_READER") != "truth":
        page.locator("#report form button").tap()
        expect(page.locator(".notice.good")).to_contain_text("外婆的牌")
        assert (folder / "decks" / "外婆的牌" / "print.json").is_file()
    page.goto("/examples/give")
    for box in page.locator("input[name=id]").all()[:2]:
        box.check()
    page.locator("#blur").check()
    page.locator("form button").first.tap()
    expect(page.locator("img.given")).to_have_count(2)
    assert findings(page) == []
    page.locator("input[name=licence]").first.check()
    page.locator("#mine").check()
    with page.expect_download() as download:
        page.locator("form[method=post] button.main").tap()
    file = tmp_path / "away.zip"
    download.value.save_as(file)
    found = unpack(file.read_bytes())
    assert len(found.photos) == 2
    steps.open_page(page, "/examples")
    page.locator("#package").set_input_files(file)
    page.locator("form[enctype] button").tap()
    expect(page.locator(".notice.good")).to_be_visible()
    assert kept(folder) >= 4  # the same photo twice is taken in once
