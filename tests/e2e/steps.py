"""What a person does on the page, as the tests name it."""

from __future__ import annotations

from collections import Counter

from playwright.sync_api import Page, expect

from tests.e2e.samples import Sample

CODES = "JSON.parse(sessionStorage.getItem('paiyan-hand')).piles.flatMap((pile) => pile.cards.map((card) => card.code))"
CARDS = "JSON.parse(sessionStorage.getItem('paiyan-hand')).piles.flatMap((pile) => pile.cards)"


def open_page(page: Page, path: str = "/") -> None:
    """Open the page and wait for its scripts."""
    page.goto(path)
    page.wait_for_selector("html[data-ready]")


def scan(page: Page, sample: Sample) -> None:
    """Tap a demo photo and wait until it is read and counted."""
    page.locator(f"[data-sample='{sample.path.name}']").tap()
    expect(page.locator(".mark").first).to_be_visible()
    counted(page)


def counted(page: Page) -> None:
    """Wait until the count follows the last change."""
    page.wait_for_timeout(80)
    expect(page.locator("#score-bar")).to_have_attribute("aria-busy", "false")


def codes(page: Page) -> list[str]:
    """Codes of all cards in the hand, sorted."""
    return sorted(page.evaluate(CODES))


def total(page: Page) -> str:
    """What the bar below the photo says."""
    return page.locator("#score-bar .total").inner_text()


def comes_to(page: Page, text: str) -> None:
    """The bar below the photo comes to say this, and stays so once the count follows the last change."""
    expect(page.locator("#score-bar .total")).to_have_text(text)
    counted(page)
    assert total(page) == text


def put_right(page: Page, sample: Sample) -> int:
    """Correct the hand card by card until it is that of the truth; says how many cards were wrong."""
    have, want = Counter(codes(page)), Counter(sample.codes)
    wrong = list((have - want).elements())
    missing = list((want - have).elements())
    for code, right in zip(wrong, missing, strict=False):
        tap_card(page, code)
        page.locator(f"#sheet .keypad [data-code='{right}']").tap()
    for code in wrong[len(missing) :]:
        tap_card(page, code)
        page.locator("#remove-card").tap()
    if len(missing) > len(wrong):
        page.locator("#add-card").tap()
        for code in missing[len(wrong) :]:
            page.locator(f"#sheet .keypad [data-code='{code}']").tap()
        page.locator("#sheet [data-close]").tap()
    counted(page)
    return max(len(wrong), len(missing))


def name(page: Page, code: str) -> str:
    """What the page calls a card of the game that is chosen."""
    rules = page.evaluate("JSON.parse(sessionStorage.getItem('paiyan-hand')).rules")
    words = page.evaluate("fetch('/words.json').then((answer) => answer.json())")
    deck = next(one["deck"] for one in words["rules"] if one["id"] == rules)
    faces = next(one["faces"] for one in words["decks"] if one["id"] == deck)
    return str(next(face[1] for face in faces if face[0] == code))


def tap_keys(page: Page, hand: str) -> None:
    """Tap these cards on the keypad that is open, and close it."""
    for code in hand.split():
        page.locator(f"#sheet .keypad [data-code='{code}']").tap()
    page.locator("#sheet [data-close]").tap()


def enter(page: Page, hand: str) -> None:
    """Enter a hand by its codes."""
    page.locator("#by-keys").tap()
    tap_keys(page, hand)
    counted(page)


def tap_card(page: Page, code: str) -> None:
    """Open the sheet of one card of this code."""
    card_id = page.evaluate(f"{CARDS}.find((card) => card.code === '{code}').id")
    page.locator(f"[data-pick='{card_id}']").tap()
    expect(page.locator("#sheet")).to_be_visible()
