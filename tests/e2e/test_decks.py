"""A deck is catalogued from two photos, put right, saved, and taken along."""

from __future__ import annotations

from playwright.sync_api import Page, expect

from tests.e2e import steps
from tests.e2e.samples import Sample
from tests.e2e.test_access import findings


def cards(page: Page) -> int:
    """How many cards the page counts."""
    return int("".join(letter for letter in page.locator("#result-title").inner_text() if letter.isdigit()))


def test_a_deck_from_two_photos(page: Page, sample: Sample) -> None:
    steps.open_page(page, "/decks/new")
    page.locator("#choose").set_input_files(sample.path)
    expect(page.locator("#grid .cell").first).to_be_visible()
    first = cards(page)
    assert first > 10
    page.locator("#choose").set_input_files(sample.path)
    expect(page.locator("[data-relation=same]")).to_be_visible()
    page.locator("#name").fill("外婆的牌")
    page.locator("#save button.main").tap()
    expect(page.locator("#save-says")).to_be_visible()
    assert "/decks/new" in page.url, "nothing is saved before it is said what the second photo shows"
    page.locator("[data-relation=more]").tap()
    expect(page.locator("[data-relation=more]")).to_have_count(0)
    page.wait_for_timeout(300)
    assert cards(page) == 2 * first
    page.locator("#photo-list li:nth-child(2) button").first.tap()
    page.locator("[data-relation=same]").tap()
    page.wait_for_timeout(300)
    assert cards(page) == first
    assert findings(page) == []
    page.locator("#grid .cell:has(img) button").first.tap()
    page.locator("#sheet .crop-row button").first.tap()
    page.locator("#sheet .keypad .key").last.tap()
    expect(page.locator("#sheet")).to_be_hidden()
    page.locator("#teach").uncheck()
    page.locator("#save button.main").tap()
    page.wait_for_url(lambda url: "/decks/" in url and not url.endswith("/new"))
    expect(page.locator("h1")).to_contain_text("外婆的牌")
    assert findings(page) == []
    with page.expect_download() as download:
        page.locator("a[href$='contact.png']").tap()
    assert download.value.suggested_filename.endswith(".png")
    page.goto("/decks")
    expect(page.locator(".table-card")).to_contain_text("外婆的牌")
    assert findings(page) == []


def test_a_deck_learns_from_a_card_that_was_put_right(page: Page, sample: Sample) -> None:
    steps.open_page(page, "/decks/new")
    page.locator("#choose").set_input_files(sample.path)
    expect(page.locator("#grid .cell").first).to_be_visible()
    page.locator("#name").fill("茶馆的牌")
    page.locator("#save button.main").tap()
    page.wait_for_url(lambda url: "/decks/" in url and not url.endswith("/new"))
    deck = page.url
    expect(page.locator("#print-title")).to_be_visible()

    steps.open_page(page)
    page.evaluate("localStorage.setItem('print', '茶馆的牌')")
    steps.open_page(page)
    steps.scan(page, sample)
    expect(page.locator("#remarks")).to_contain_text("茶馆的牌")
    steps.put_right(page, sample)
    code = steps.codes(page)[0]
    steps.tap_card(page, code)
    page.locator(f"#sheet .keypad [data-code='{code}']").tap()
    steps.counted(page)
    page.locator("#score-bar").tap()
    expect(page.locator("#lessons .lesson li").first).to_be_visible()
    offered = page.locator("#lessons .lesson li").count()
    assert findings(page) == []
    page.locator("#learn-now").tap()
    expect(page.locator("#learn-not")).to_be_visible()
    page.locator("#learn-not").tap()
    expect(page.locator("#learn-now")).to_be_visible()
    page.locator("#learn-now").tap()
    page.locator("#lessons a").tap()
    page.wait_for_url(deck)
    expect(page.locator(".learnt li")).to_have_count(offered)
    assert findings(page) == []
    page.locator(".learnt input").first.check()
    page.locator("form:has(.learnt) button").tap()
    expect(page.locator(".learnt li")).to_have_count(offered - 1)


def test_a_saved_deck_gets_a_later_photo(page: Page, sample: Sample) -> None:
    steps.open_page(page, "/decks/new")
    page.locator("#choose").set_input_files(sample.path)
    expect(page.locator("#grid .cell").first).to_be_visible()
    first = cards(page)
    page.locator("#name").fill("祠堂的牌")
    page.locator("#teach").uncheck()
    page.locator("#save button.main").tap()
    page.wait_for_url(lambda url: "/decks/" in url and not url.endswith("/new"))
    page.locator("#more").tap()
    page.wait_for_selector("html[data-ready]")
    assert cards(page) == first
    expect(page.locator("#save")).to_be_hidden()
    page.locator("#choose").set_input_files(sample.path)
    expect(page.locator("[data-relation=same]")).to_be_visible()
    page.locator("[data-relation=some]").tap()
    page.locator("#sheet .crop-row button").first.tap()
    page.locator("#sheet .sheet-acts button").tap()
    expect(page.locator("#result-title")).to_contain_text(str(2 * first - 1))
    assert findings(page) == []
    page.locator("#teach").uncheck()
    page.locator("#save button.main").tap()
    page.wait_for_url(lambda url: not url.endswith("/more"))
    expect(page.locator(".tally b")).to_contain_text(str(2 * first - 1))
