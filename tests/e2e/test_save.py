"""A counted hand goes into a table of the ledger, with the pictures of its cards."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e import steps
from tests.e2e.samples import Sample

NAMES = ("阿梅", "老陈", "小秋", "大伟")


def sit_down(page: Page, rules: str) -> str:
    """Begin a table of this game; its address."""
    page.goto(f"/games/new?rules={rules}")
    for field, name in zip(page.locator("[data-names] input[type=text]").all(), NAMES, strict=False):
        field.fill(name)
    page.locator("form[data-once] button.main").tap()
    page.wait_for_url(lambda url: "/games/" in url and "new" not in url)
    return page.url.split("#")[0]


def test_a_counted_hand_is_written_into_a_table(page: Page, sample: Sample) -> None:
    table = sit_down(page, sample.rules)
    steps.open_page(page, f"/?game={table.rsplit('/', 1)[1]}")
    expect(page.locator("#for-table")).to_be_visible()
    steps.scan(page, sample)
    steps.put_right(page, sample)
    page.locator("#score-bar").tap()
    page.locator("#save-round").tap()
    page.locator("[data-winner='1']").tap()
    page.wait_for_url(f"{table}**")
    expect(page.locator("main")).to_contain_text(NAMES[1])
    expect(page.locator("main")).to_contain_text(str(sample.score()["total"]))
    assert page.evaluate("JSON.parse(sessionStorage.getItem('paiyan-hand')).piles.length") == 0


def test_without_a_table_one_can_be_begun(page: Page) -> None:
    steps.open_page(page)
    page.locator("input[value=chuanpai]").check(force=True)
    page.locator("#by-keys").tap()
    hand = "1-1 4-4 6-6 2-6 1-3 1-5 2-2 3-3 5-6 4-5 1-4 2-3 4-6 5-5 1-2 1-6"
    for code in hand.split():
        page.locator(f"#sheet .keypad [data-code='{code}']").tap()
    page.locator("#sheet [data-close]").tap()
    steps.counted(page)
    page.locator("#score-bar").tap()
    page.locator("#save-round").tap()
    expect(page.locator("#sheet a")).to_have_attribute("href", "/games/new?rules=chuanpai")
