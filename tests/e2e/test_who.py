"""Who won is said on the score page of a hand that belongs to a table: names and money before it is saved."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from playwright.sync_api import Page, Request, expect

from tests.e2e import steps
from tests.e2e.conftest import served
from tests.e2e.test_save import NAMES, PLAYED, TEN, rounds, sit_down

ZI = "b5 b5 b5 b6 b6 b6 s1 s2 s3 s2 s7 s10 s4 s5 s6 s8 s8 b8 s9 s9 b9"
"""A winning hand of 字牌 (RULES B-01, all in hand): 18 胡, 2 颗子."""


THIRTEEN = "rP rP rP gP gP gP gA gA yN yN yN yR yR yR yK wB wB wR wR wC wC"
"""A winning hand of 十胡: 13 胡 in hand, 11 where a 黄马 wins."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """A page whose tables no other test knows."""
    with served(tmp_path_factory.mktemp("who")) as url:
        yield url


def settings(page: Page, table: str, stake: int, *ticked: str) -> None:
    """Set the stake of a table, and tick some house rules."""
    page.goto(f"{table}/settings")
    page.locator("#stake").fill(str(stake))
    for option in ticked:
        page.locator(f"#option-{option}").check()
    page.locator("form[data-once] button.main").tap()
    page.wait_for_url(table)


def key_in(page: Page, table: str, hand: str) -> None:
    """Tap a loose hand for the table's next round, up to its score."""
    steps.open_page(page, f"/?game={table.rsplit('/', 1)[1]}&by=keys")
    steps.tap_keys(page, hand)
    steps.counted(page)
    page.locator("#score-bar").tap()


def paid(page: Page) -> list[str]:
    return [row.inner_text().replace("\t", " ") for row in page.locator(".pay tr").all()]


def totals(page: Page, table: str) -> list[int]:
    return list(page.request.get(f"{table}/table.json").json()["totals"])


def test_who_pays_whom_is_shown_by_name_and_in_money_before_the_round_is_saved(page: Page) -> None:
    table = sit_down(page, "shihu")
    settings(page, table, 5)
    key_in(page, table, TEN)
    expect(page.locator("#who-won-0")).to_contain_text("庄")
    expect(page.locator("#who-won-1")).not_to_contain_text("庄")
    expect(page.locator("#fact-list [data-asked=seats]")).to_have_count(0)
    assert paid(page)[:2] == ["这一家 +15", "第 2 家 −5"]
    page.locator("#who-won-2").tap()
    expect(page.locator(".pay")).to_contain_text(NAMES[2])
    assert paid(page) == ["小秋 +15", "阿梅 −5", "老陈 −5", "大伟 −5"]
    assert rounds(page, table) == []
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#who-won-2")).to_have_attribute("aria-pressed", "true")
    page.locator("#save-round").tap()
    page.wait_for_url(table)
    assert totals(page, table) == [-5, -5, 15, -5]
    expect(page.locator("#sheet")).to_have_count(0)


def test_who_won_is_asked_at_saving_where_it_was_not_said(page: Page) -> None:
    table = sit_down(page, "shihu")
    key_in(page, table, TEN)
    page.locator("#save-round").tap()
    page.locator("#sheet [data-person='3']").tap()
    page.wait_for_url(table)
    assert totals(page, table) == [-1, -1, -1, 3]


def test_the_dealer_who_won_needs_what_a_dealer_needs(page: Page) -> None:
    table = sit_down(page, "yaodiren", NAMES[:3])
    key_in(page, table, PLAYED)
    facts: list[object] = []

    def note_facts(sent: Request) -> None:
        if sent.url.endswith("/api/hand"):
            facts.append((sent.post_data_json or {})["facts"])

    page.on("request", note_facts)
    page.locator("#who-won-0").tap()
    expect(page.locator(".pay tr").first).to_contain_text(NAMES[0])
    page.locator("#who-won-1").tap()
    expect(page.locator(".pay tr").first).to_contain_text(NAMES[1])
    assert facts == [{"dealer": True, "seats": 3}, {"dealer": False, "seats": 3}]


def test_where_the_one_who_drew_the_card_pays_alone_that_one_is_asked_for(page: Page) -> None:
    table = sit_down(page, "zipai", NAMES[:3])
    settings(page, table, 1, "drawer_pays")
    page.goto(f"{table}/rounds/new?how=hand")
    page.locator("[name=winner][value='0']").check(force=True)
    page.locator("#typed summary").tap()
    page.locator("#hand").fill(ZI)
    page.locator("#drawer").select_option("2")
    expect(page.locator("#count")).to_contain_text("小秋\u00a0−4")
    page.locator("form[data-once] button.main").tap()
    page.wait_for_url(table)
    assert totals(page, table) == [4, 0, -4]
    key_in(page, table, ZI)
    page.locator("#who-won-1").tap()
    assert paid(page)[0].startswith("这一家")
    page.locator("#who-drew-0").tap()
    expect(page.locator(".pay tr").first).to_contain_text(NAMES[1])
    assert paid(page) == ["老陈 +4", "阿梅 −4", "小秋 0"]
    page.locator("#who-drew-self").tap()
    expect(page.locator(".pay")).to_contain_text("+8")
    assert paid(page) == ["老陈 +8", "阿梅 −4", "小秋 −4"]
    page.locator("#who-drew-2").tap()
    expect(page.locator(".pay")).to_contain_text("+4")
    page.locator("#save-round").tap()
    page.wait_for_url(table)
    assert totals(page, table) == [4, 4, -8]
    key_in(page, table, ZI)
    page.locator("#who-won-0").tap()
    page.locator("#save-round").tap()
    page.locator("#sheet [data-person='1']").tap()
    page.wait_for_url(table)
    assert totals(page, table) == [8, 0, -8]


def test_a_change_of_a_hand_that_still_wins_says_what_it_makes_of_the_count(page: Page) -> None:
    table = sit_down(page, "shihu")
    key_in(page, table, TEN)
    page.locator("a[href='#check'].round").tap()
    expect(page.locator("#changed")).to_be_empty()
    steps.tap_card(page, "yN")
    page.locator("#mark-winning").tap()
    expect(page.locator("#score-bar")).to_contain_text("8")
    page.locator("#undo").tap()
    expect(page.locator("#score-bar")).to_contain_text("10")
    steps.tap_card(page, "gK")
    page.locator("#mark-winning").tap()
    expect(page.locator("#changed")).to_contain_text("还是 10 胡")
    for code, now in (("wB", "wC"), ("wR", "wC")):
        steps.tap_card(page, code)
        page.locator(f"#sheet .keypad [data-code='{now}']").tap()
    steps.counted(page)
    page.locator("#undo").tap()
    page.locator("#undo").tap()
    steps.counted(page)
    expect(page.locator("#changed")).to_be_empty()


def test_so_does_a_change_of_a_hand_that_is_written_down_by_hand(page: Page) -> None:
    table = sit_down(page, "shihu")
    page.goto(f"{table}/rounds/new?how=hand")
    page.locator("#typed summary").tap()
    page.locator("#hand").fill(THIRTEEN)
    expect(page.locator("#count")).to_contain_text("13 胡")
    page.locator("#piles [data-pick][aria-label*='黄马']").first.tap()
    page.locator("#mark-winning").tap()
    expect(page.locator("#changed")).to_contain_text("13 胡 → 11 胡")
    page.locator("#changed button").tap()
    expect(page.locator("#count")).to_contain_text("13 胡")
    expect(page.locator("#changed")).to_be_empty()
    assert "!" not in page.locator("#hand").input_value()


COVERED = """() => {
  const now = document.activeElement;
  const [place, bar] = [now, document.querySelector(".stay")].map((one) => one.getBoundingClientRect());
  const over = place.bottom > bar.top + 1 && place.top < bar.bottom;
  return over && now !== document.body && !now.closest(".stay, .rooms") && now.outerHTML;
}"""
"""The element that has the focus, where the bar that stays lies over it."""


def test_saving_stays_in_reach_and_covers_nothing_that_has_the_focus(page: Page) -> None:
    table = sit_down(page, "shihu")
    key_in(page, table, TEN)
    page.locator("#who-won-2").tap()
    expect(page.locator("#paid")).to_contain_text("小秋\u00a0+3 · 阿梅\u00a0−1")
    for text in ("", "large"):
        page.evaluate(f"document.documentElement.dataset.text = '{text}'")
        page.evaluate("scrollTo(0, 0)")
        expect(page.locator("#save-round")).to_be_in_viewport(ratio=1)
        for _ in range(30):
            page.keyboard.press("Tab")
            hidden = page.evaluate(COVERED)
            assert not hidden
    page.goto(f"{table}/rounds/new?how=hand")
    expect(page.locator("form.round-form button.main")).to_be_in_viewport(ratio=1)
