"""What the page says of a counted hand in a real browser at phone size: its lines, its sum, its sharing."""

from __future__ import annotations

import re
from pathlib import Path

from playwright.sync_api import BrowserContext, Page, expect

from tests.e2e import steps
from tests.e2e.samples import Sample
from tests.webui.page import E_02


def test_the_note_about_the_winning_card_leads_to_marking_it_and_its_line_shows_it(page: Page) -> None:
    steps.open_page(page)
    page.locator("input[value=shihu]").check(force=True)
    steps.enter(page, E_02)
    page.locator("#score-bar").tap()
    horses = page.locator(".lines li", has_text="碰")
    expect(horses).to_contain_text("手里 · E-01")
    expect(page.locator(".won")).to_have_count(0)
    page.locator("#ask-winning").tap()
    page.locator("#sheet [data-code=yN]").tap()
    expect(horses.locator(".won")).to_have_count(1)
    expect(horses).to_contain_text("桌上 · E-01")
    expect(page.locator("#ask-winning")).to_have_count(0)
    expect(page.locator("#total")).to_have_text("8胡")


def test_the_clause_of_a_line_opens_its_rule(page: Page) -> None:
    steps.open_page(page)
    page.locator("input[value=shihu]").check(force=True)
    steps.enter(page, E_02)
    page.locator("#score-bar").tap()
    page.locator(".lines button", has_text="将士象").tap()
    expect(page.locator("#sheet-title")).to_have_text("将士象")
    expect(page.locator("#sheet [aria-current]")).to_have_text("将士象22")
    expect(page.locator("#sheet tr").first).to_have_text("手里桌上")


def test_the_sum_of_yaodiren_stands_apart_from_what_it_is_paid_by(page: Page) -> None:
    """RULES A-02: 34 陀 may win, three 番 double what is paid."""
    steps.open_page(page)
    page.locator("input[value=yaodiren]").check(force=True)
    hand = "1-1 1-1 1-1 4-4 4-4 4-4 1-4 1-4 1-4 3-3 3-3 3-3 3-3 2-2 2-2 2-2 1-3 5-5 1-3 1-6 2-5 3-4"
    steps.enter(page, hand)
    page.locator("#score-bar").tap()
    expect(page.locator(".lines ~ .sum > span").last).to_have_text(re.compile(r"^\d+ 陀$"))
    expect(page.locator(".fan > span")).to_have_text([re.compile(r"^番 \d$"), re.compile(r"^× \d+$")])


def test_the_sum_of_zipai_is_that_of_its_lines_before_it_becomes_counters(page: Page) -> None:
    """RULES B-01: 18 胡 are 2 颗子; the picture says so, too."""
    steps.open_page(page)
    page.locator("input[value=zipai]").check(force=True)
    steps.enter(page, "b5 b5 b5 b6 b6 b6 s1 s2 s3 s2 s7 s10 s4 s5 s6 s8 s8 b8 s9 s9 b9")
    page.locator("#score-bar").tap()
    expect(page.locator(".sum > span")).to_have_text(["合计", "18 胡"])
    step = "18 胡：15 胡算 1 颗子，每多 3 胡加 1 = 2 颗子"
    expect(page.locator(".fan > span")).to_have_text([step, "2 颗子"])
    page.evaluate(
        """() => {
          window.drawn = [];
          const draw = CanvasRenderingContext2D.prototype.fillText;
          CanvasRenderingContext2D.prototype.fillText = function (...said) {
            drawn.push(said[0]);
            draw.apply(this, said);
          };
          navigator.canShare = undefined;
        }"""
    )
    with page.expect_download() as download:
        page.locator("#share-picture").tap()
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
    assert step in page.evaluate("drawn")


def test_the_score_is_shared_as_text_and_as_a_picture(
    page: Page, phone: BrowserContext, sample: Sample
) -> None:
    phone.grant_permissions(["clipboard-read", "clipboard-write"])
    steps.open_page(page)
    steps.scan(page, sample)
    steps.put_right(page, sample)
    page.locator("#score-bar").tap()
    page.evaluate("navigator.share = undefined")
    page.locator("#share-text").tap()
    expect(page.locator("#toasts")).to_contain_text("已复制")
    text = page.evaluate("navigator.clipboard.readText()")
    assert str(sample.score()["total"]) in text.splitlines()[0]
    assert len(text.splitlines()) == 2 + len(sample.score()["lines"]) + len(sample.score()["payment"])
    own, other, *_ = sample.score()["settlement"]
    assert text.splitlines()[-1].startswith(f"谁付给谁: 这一家 +{own}、第 2 家 −{-other}、第 3 家")
    with page.expect_download() as download:
        page.locator("#share-picture").tap()
    assert Path(download.value.path()).read_bytes().startswith(b"\x89PNG")
    assert re.fullmatch(r"paiyan-\w+\.png", download.value.suggested_filename)
