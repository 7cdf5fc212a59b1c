"""An evening of tứ sắc, 跑胡子 and 大贰, each in its own language: photo, by hand, by number, false call, settling."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from tests.e2e import steps
from tests.e2e.conftest import PHONE, WAIT_MS, served
from tests.e2e.samples import samples
from tests.e2e.test_access import findings
from tests.e2e.test_games import save, totals
from tests.e2e.test_save import sit_down


@dataclass(frozen=True)
class Evening:
    """A game with its people, what is typed of a hand and what that pays, and a count that is said."""

    rules: str
    locale: str
    language: str
    people: tuple[str, ...]
    typed: str
    total: str
    paid: int  # by each of the others
    said: dict[str, int]
    said_paid: int


EVENINGS = (
    Evening(
        "tusac", "vi-VN", "vi", ("Lan", "Hùng", "Mai", "Tuấn"),
        # RULES-MORE T-05 in Vietnamese, tone marks apart as some keyboards write them.
        "tướng đỏ, sĩ đỏ, tượng đỏ, xe đỏ, pháo đỏ, mã đỏ, chốt đỏ, chốt xanh, chốt vàng, sĩ xanh x2, "
        "tượng trắng x2, xe trắng x2, pháo tră\u0301ng x2, khạp(mã vàng x3) !mã va\u0300ng",
        "12 lệnh", 24, {"lenh": 10}, 10,
    ),
    Evening(
        "paohuzi", "en-GB", "en", ("Ann", "Bob", "Cid"),
        # P-05: 19 胡.
        "碰(big 5 x3) 偎(big 6 x3) big 1, big 2, big 3, small 2, small 7, small 10, 碰(small 9 x3), "
        "small 4, small 5, small 6, small 8 x2 !big 8",
        "2 囤", 2, {"hu": 18, "fan": 3}, 6,
    ),
    Evening(
        "daer", "zh-CN", "zh-Hans", ("阿梅", "老陈", "小秋"),
        # ten 胡 are three points.
        "坎(陆陆陆) 吃(四五六) 吃(七八九) 吃(八八捌) 吃(九九玖) 一壹壹 三三 !三",
        "3 分", 3, {"hu": 20, "fan": 1}, 8,
    ),
)  # fmt: skip


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page whose tables no other test knows."""
    with served(tmp_path_factory.mktemp("new-games")) as url:
        yield url


@pytest.fixture
def phone(browser: Browser, address: str, request: pytest.FixtureRequest) -> Iterator[BrowserContext]:
    """A phone that speaks the language of the evening and chose nothing."""
    context = browser.new_context(
        viewport=PHONE, has_touch=True, is_mobile=True, locale=request.param, base_url=address
    )
    context.set_default_timeout(WAIT_MS)
    yield context
    context.close()


def clean(page: Page) -> None:
    """Nothing that keeps somebody out, nothing over the edge."""
    assert findings(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def changed(page: Page, table: str, before: list[int]) -> list[int]:
    return [now - was for now, was in zip(totals(page, table), before, strict=True)]


@pytest.mark.parametrize(
    ("phone", "evening"),
    [(one.locale, one) for one in EVENINGS],
    indirect=["phone"],
    ids=lambda one: str(one)[:12],
)
def test_an_evening(page: Page, evening: Evening) -> None:
    others = len(evening.people) - 1
    table = sit_down(page, evening.rules, evening.people)
    assert page.locator("html").get_attribute("lang") == evening.language
    # By photo.
    sample = next(one for one in samples() if one.rules == evening.rules)
    steps.open_page(page, f"/?game={table.rsplit('/', 1)[1]}")
    steps.scan(page, sample)
    steps.put_right(page, sample)
    clean(page)
    page.locator("#score-bar").tap()
    page.locator("#who-won-1").tap()
    clean(page)
    page.locator("#save-round").tap()
    page.wait_for_url(f"{table}**")
    first = totals(page, table)
    assert first[1] == -others * first[0] > 0
    # By hand, typed in the words of the language.
    page.goto(f"{table}/rounds/new?how=hand")
    page.locator("[name=winner][value='0']").check(force=True)
    page.locator("#typed summary").tap()
    page.locator("#hand").fill(evening.typed)
    expect(page.locator("#count")).to_contain_text(evening.total)
    clean(page)
    save(page)
    page.wait_for_url(table)
    assert changed(page, table, first) == [others * evening.paid, *[-evening.paid] * others]
    # By number.
    second = totals(page, table)
    page.goto(f"{table}/rounds/new?how=numbers&way=count")
    page.locator("[name=winner][value='2']").check(force=True)
    for name, value in evening.said.items():
        page.locator(f"#said-{name}").fill(str(value))
    clean(page)
    save(page)
    page.wait_for_url(table)
    assert changed(page, table, second)[2] == others * evening.said_paid
    # A false call.
    third = totals(page, table)
    page.goto(f"{table}/rounds/new?how=numbers&way=false")
    page.locator("[name=winner][value='1']").check(force=True)
    page.locator("#each").fill("5")
    clean(page)
    save(page)
    page.wait_for_url(table)
    assert changed(page, table, third)[1] == -others * 5
    clean(page)
    page.goto(f"{table}/settle")
    expect(page.locator(".transfers li").first).to_be_visible()
    clean(page)
    page.goto(f"/games/rules/{evening.rules}")
    clean(page)


@pytest.mark.parametrize("phone", ["vi-VN"], indirect=True)
def test_the_page_in_vietnamese(page: Page) -> None:
    steps.open_page(page)
    assert page.locator("html").get_attribute("lang") == "vi"
    expect(page.locator(".game-list label").first).to_contain_text("Tứ sắc")
    clean(page)
    sample = next(one for one in samples() if one.rules == "tusac")
    steps.scan(page, sample)
    steps.put_right(page, sample)
    expect(page.locator("#score-bar")).to_contain_text("10 lệnh")
    steps.tap_card(page, "gK")
    expect(page.locator("#sheet-title")).to_contain_text("tướng xanh")
    expect(page.locator("#sheet .keypad [data-code=rR]")).to_contain_text("xe đỏ")
    clean(page)
    page.locator("#sheet [data-close]").tap()
    page.locator("#score-bar").tap()
    expect(page.locator(".lines")).to_contain_text("khạp")
    page.locator("a.term", has_text="lệnh").first.tap()
    expect(page.locator("dialog.word")).to_contain_text("tính tiền theo lệnh")
    clean(page)


@pytest.mark.parametrize("phone", ["en-US"], indirect=True)
def test_a_word_is_explained_where_it_is_tapped(page: Page) -> None:
    steps.open_page(page)
    steps.scan(page, next(one for one in samples() if one.rules == "zipai"))
    page.locator("#score-bar").tap()
    page.locator("#verdict a.term", has_text="颗子").first.tap()
    expect(page.locator("dialog.word")).to_contain_text("one for 15 胡")
    page.locator("dialog.word p").first.tap()
    expect(page.locator("dialog.word")).to_have_count(0)
    expect(page.locator("#fact-list a.term", has_text="醒").first).to_be_visible()
    page.locator("#score-game").tap()
    page.wait_for_url("**/games/rules/zipai")
    expect(page.locator(".sum")).to_have_count(2)
