"""A computer that takes the page's requests and never answers: a sentence, another try, and nothing lost."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from urllib.parse import urlsplit

import pytest
from playwright.sync_api import BrowserContext, Page, Route, expect

from tests.e2e import steps
from tests.e2e.samples import Sample
from tests.e2e.test_bad_luck import AGAIN, CARDS, ERROR, three_cards
from tests.e2e.test_decks import cards, catalogued, save
from tests.e2e.test_save import TEN, enter, keyed_and_saved, rounds, sit_down
from tests.e2e.test_save import save as save_round

ANSWER_MS, READING_MS, AGAIN_MS = 20_500, 90_500, 5_500
"""How long the page waits for an answer, for a photo to be read, and until it asks again by itself."""


@pytest.fixture
def silent() -> Iterator[str]:
    """The address of a computer that takes every request and answers none."""
    with socket.socket() as server:
        server.bind(("127.0.0.1", 0))
        server.listen(64)
        yield f"http://127.0.0.1:{server.getsockname()[1]}"


@pytest.fixture
def page(page: Page) -> Page:
    """A page whose clock can be put forward."""
    page.clock.install()
    return page


def silence(page: Page, silent: str, pattern: str) -> list[str]:
    """Let these requests go where nobody answers; gives their addresses."""
    asked: list[str] = []

    def route_there(route: Route) -> None:
        asked.append(route.request.url)
        route.continue_(url=silent + urlsplit(route.request.url).path)

    page.route(pattern, route_there)
    return asked


def asked_and_waited(page: Page, ms: int) -> None:
    """Wait until something was asked, and let the time pass that the page waits for its answer."""
    page.wait_for_timeout(500)
    page.clock.fast_forward(ms)


def test_a_photo_that_nobody_reads_is_sent_again_by_one_tap(page: Page, silent: str, sample: Sample) -> None:
    three_cards(page)
    asked = silence(page, silent, "**/api/read")
    page.set_input_files("#choose", [sample.path, sample.path])
    expect(page.locator("#reading-text")).to_contain_text("正在认牌")
    page.clock.fast_forward(ANSWER_MS)
    expect(page.locator("#reading")).to_be_visible()
    page.clock.fast_forward(READING_MS)
    expect(page.locator(ERROR)).to_have_text("连不上运行牌眼的电脑。再发一次这 2 张照片")
    assert len(asked) == 1, "the second photo does not wait for the same silence"
    assert steps.codes(page) == sorted(CARDS)
    page.unroute("**/api/read")
    page.locator(AGAIN).tap()
    expect(page.locator("#photo-tabs [role=tab]")).to_have_count(2)
    assert len(steps.codes(page)) == 2 * len(sample.codes)


def test_an_unanswered_count_is_asked_again_by_itself(page: Page, silent: str) -> None:
    steps.open_page(page)
    page.locator("input[value=shihu]").check(force=True)
    page.locator("#by-keys").tap()
    asked = silence(page, silent, "**/api/hand")
    steps.tap_keys(page, TEN)
    asked_and_waited(page, ANSWER_MS)
    expect(page.locator("#score-bar")).to_contain_text("连不上运行牌眼的电脑，正在重试")
    assert len(steps.codes(page)) == 21
    before = len(asked)
    page.clock.fast_forward(AGAIN_MS)
    page.wait_for_timeout(300)
    assert len(asked) == before + 1
    page.unroute("**/api/hand")
    page.clock.fast_forward(ANSWER_MS)
    page.wait_for_timeout(300)
    page.clock.fast_forward(AGAIN_MS)
    expect(page.locator("#score-bar")).to_contain_text("胡")
    expect(page.locator("#score-bar")).not_to_contain_text("连不上")


def test_a_count_follows_as_soon_as_the_network_is_back(page: Page, phone: BrowserContext) -> None:
    steps.open_page(page)
    page.locator("input[value=shihu]").check(force=True)
    page.locator("#by-keys").tap()
    phone.set_offline(True)
    steps.tap_keys(page, TEN)
    expect(page.locator("#score-bar")).to_contain_text("连不上运行牌眼的电脑")
    page.clock.pause_at(page.evaluate("Date.now()") + 4_000)  # from then on nothing but the network wakes it
    page.wait_for_timeout(300)
    expect(page.locator("#score-bar")).to_contain_text("连不上运行牌眼的电脑")
    phone.set_offline(False)
    expect(page.locator("#score-bar")).not_to_contain_text("连不上")


def test_a_round_that_is_not_answered_is_written_once(page: Page) -> None:
    table = sit_down(page, "chuanpai")
    enter(page, table)
    keys: list[str] = []

    def written_unanswered(route: Route) -> None:
        keys.append(str((route.request.post_data_json or {})["key"]))
        if len(keys) == 1:
            route.fetch()
        else:
            route.continue_()

    page.route("**/rounds", written_unanswered)
    save_round(page, 1)
    asked_and_waited(page, ANSWER_MS)
    expect(page.locator("#toasts")).to_contain_text("连不上，正在重试")
    page.clock.fast_forward(1_500)
    page.wait_for_url(table)
    assert len(set(keys)) == 1
    assert rounds(page, table) == [2]


def test_the_tables_that_cannot_be_asked_for_are_not_called_none(page: Page, silent: str) -> None:
    sit_down(page, "shihu")
    steps.open_page(page)
    page.locator("input[value=shihu]").check(force=True)
    silence(page, silent, "**/games/tables.json")
    keyed_and_saved(page, TEN)
    asked_and_waited(page, ANSWER_MS)
    expect(page.locator("#toasts")).to_contain_text("连不上运行牌眼的电脑")
    expect(page.locator("#sheet")).to_be_hidden()
    page.unroute("**/games/tables.json")
    page.locator("#save-round").tap()
    expect(page.locator("#sheet [data-person]").first).to_be_visible()


def test_the_page_waits_for_its_words(page: Page, silent: str) -> None:
    asked = silence(page, silent, "**/words.json")
    page.goto("/")
    page.wait_for_timeout(500)
    assert asked
    page.clock.fast_forward(ANSWER_MS)
    expect(page.locator("#unreachable")).to_be_visible()
    page.unroute("**/words.json")
    page.clock.fast_forward(AGAIN_MS)
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#unreachable")).to_be_hidden()
    expect(page.locator("#sample-row button").first).to_be_visible()


def test_a_table_that_cannot_be_asked_for_is_asked_for_by_a_tap(page: Page, silent: str) -> None:
    table = sit_down(page, "chuanpai")
    silence(page, silent, "**/table.json")
    page.goto(f"/?game={table.rsplit('/', 1)[1]}")
    page.wait_for_timeout(500)
    page.clock.fast_forward(ANSWER_MS)
    expect(page.locator("#no-table")).to_contain_text("连不上运行牌眼的电脑")
    page.unroute("**/table.json")
    page.locator("#no-table button").tap()
    expect(page.locator("#for-table")).to_contain_text("第 1 局")


def test_photos_of_a_deck_that_nobody_reads_are_sent_again_by_one_tap(
    page: Page, silent: str, sample: Sample
) -> None:
    catalogued(page, sample, "河边的牌")
    first = cards(page)
    asked = silence(page, silent, "**/decks/read")
    page.locator("#choose").set_input_files([sample.path, sample.path])
    expect(page.locator("#reading")).to_contain_text("正在认牌")
    page.clock.fast_forward(READING_MS)
    notice = page.locator("#notices .notice")
    expect(notice).to_contain_text("连不上运行牌眼的电脑")
    assert len(asked) == 1
    assert cards(page) == first
    page.unroute("**/decks/read")
    notice.locator("button").tap()
    expect(page.locator("#photo-list li")).to_have_count(3)
    expect(page.locator("#notices .notice")).to_have_count(0)


def test_a_deck_that_is_not_counted_is_counted_when_the_network_is_back(
    page: Page, silent: str, sample: Sample
) -> None:
    catalogued(page, sample, "山脚的牌")
    first = cards(page)
    page.locator("#choose").set_input_files(sample.path)
    silence(page, silent, "**/decks/count")
    page.locator("[data-relation=more]").tap()
    asked_and_waited(page, ANSWER_MS)
    expect(page.locator("#uncounted")).to_contain_text("连不上运行牌眼的电脑，正在重试")
    page.unroute("**/decks/count")
    page.clock.fast_forward(AGAIN_MS)
    expect(page.locator("#result-title")).to_contain_text(str(2 * first))
    expect(page.locator("#uncounted")).to_be_hidden()


def test_a_deck_whose_saving_is_not_answered_is_saved_once(page: Page, silent: str, sample: Sample) -> None:
    catalogued(page, sample, "巷口的牌")
    page.locator("#teach").uncheck()
    page.route("**/decks", lambda route: route.fetch() and None)  # written down, and nothing said of it
    page.locator("#save button.main").tap()
    asked_and_waited(page, READING_MS)
    expect(page.locator("#save-says")).to_contain_text("还没存上")
    page.unroute("**/decks")
    save(page)
    page.goto("/decks")
    expect(page.locator(".table-name", has_text="巷口的牌")).to_have_count(1)
