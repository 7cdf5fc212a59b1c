"""The page for everybody: keyboard only, screen readers (axe), dark rooms, all languages."""

from __future__ import annotations

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import BrowserContext, Page, expect

import scorer
from tests.e2e import steps
from tests.e2e.samples import Sample

SERIOUS = ("serious", "critical")


def findings(page: Page) -> list[str]:
    """What axe finds that keeps somebody out, one line each."""
    page.wait_for_timeout(200)
    found = Axe().run(page).response["violations"]
    return [
        f"{one['id']}: {node['html'][:160]} {node['failureSummary'][:200]}"
        for one in found
        if one["impact"] in SERIOUS
        for node in one["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("language", ["zh-Hans", "en"])
def test_axe_finds_nothing_serious(
    phone: BrowserContext, sample: Sample, address: str, scheme: str, language: str
) -> None:
    phone.add_cookies([{"name": "language", "value": language, "url": address}])
    page = phone.new_page()
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    steps.open_page(page)
    assert findings(page) == []
    steps.scan(page, sample)
    assert findings(page) == []
    steps.tap_card(page, steps.codes(page)[0])
    assert findings(page) == []
    page.locator("#sheet [data-close]").tap()
    page.locator("[data-pile]").first.tap()
    assert findings(page) == []
    page.locator("#sheet [data-close]").tap()
    page.locator("#score-bar").tap()
    page.locator("#options summary").tap()
    assert findings(page) == []
    page.goto("/offline")
    assert findings(page) == []


def test_dark_and_large_are_chosen_on_the_page_and_remembered(page: Page, sample: Sample) -> None:
    page.emulate_media(color_scheme="light")
    steps.open_page(page)
    paper = "getComputedStyle(document.documentElement).backgroundColor"
    size = "getComputedStyle(document.documentElement).fontSize"
    light, small = page.evaluate(paper), page.evaluate(size)
    page.locator("#settings summary").tap()
    page.locator("[data-set=look][data-value=dark]").tap()
    page.locator("[data-set=text][data-value=large]").tap()
    dark, large = page.evaluate(paper), page.evaluate(size)
    assert (dark, large) != (light, small)
    assert dark != light
    assert large != small
    assert findings(page) == []
    steps.open_page(page)
    assert (page.evaluate(paper), page.evaluate(size)) == (dark, large)
    steps.scan(page, sample)
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.locator("#score-bar").tap()
    assert findings(page) == []
    page.emulate_media(color_scheme="dark")
    page.locator("#settings summary").tap()
    page.locator("[data-set=look][data-value=light]").tap()
    assert page.evaluate(paper) == light
    page.locator("[data-set=look][data-value='']").tap()
    assert page.evaluate(paper) == dark


def tab_to(page: Page, selector: str, most: int = 60) -> None:
    """Press Tab until the element has the focus."""
    for _ in range(most):
        if page.evaluate("(selector) => document.activeElement?.matches(selector)", selector):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not reached by Tab")


def test_a_hand_by_keyboard_alone(page: Page) -> None:
    steps.open_page(page)
    tab_to(page, "input[name=rules]")
    page.keyboard.press("Space")
    for _ in scorer.rule_ids():
        if page.evaluate("document.querySelector('input[name=rules]:checked').value") == "shihu":
            break
        page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator("#game-now")).to_have_text("十胡")
    tab_to(page, "#by-keys")
    page.keyboard.press("Enter")
    expect(page.locator("#sheet")).to_be_visible()
    for code in ("rK", "rA", "rB"):
        tab_to(page, f"#sheet [data-code='{code}']")
        page.keyboard.press("Enter")
    page.keyboard.press("Escape")
    expect(page.locator("#sheet")).to_be_hidden()
    assert steps.codes(page) == ["rA", "rB", "rK"]
    tab_to(page, "[data-pick]")
    page.keyboard.press("Enter")
    tab_to(page, "#remove-card")
    page.keyboard.press("Enter")
    assert steps.codes(page) == ["rA", "rB"]
    page.keyboard.press("Control+z")
    assert steps.codes(page) == ["rA", "rB", "rK"]
    tab_to(page, "#score-bar")
    page.keyboard.press("Enter")
    expect(page.locator("#step-score")).to_be_visible()


def test_nothing_reaches_over_the_edge_of_a_small_phone(
    phone: BrowserContext, sample: Sample, address: str
) -> None:
    phone.add_cookies([{"name": "language", "value": "en", "url": address}])
    page = phone.new_page()
    page.set_viewport_size({"width": 320, "height": 640})
    steps.open_page(page)
    steps.scan(page, sample)
    wide = "document.documentElement.scrollWidth"
    assert page.evaluate(wide) <= 320
    page.locator("#score-bar").tap()
    assert page.evaluate(wide) <= 320
    steps.open_page(page)
    assert page.evaluate(wide) <= 320
