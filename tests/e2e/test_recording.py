"""Writing rounds down with few taps, and what is asked of a field in the page's own words."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from tests.e2e import steps
from tests.e2e.test_save import NAMES, TEN, sit_down


class Taps:
    """Counts what a thumb does."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.count = 0

    def tap(self, selector: str) -> None:
        self.page.locator(selector).tap()
        self.count += 1


def totals(page: Page, table: str) -> list[object]:
    return list(page.request.get(f"{table}/table.json").json()["totals"])


def test_a_round_by_its_number_takes_three_taps_from_the_table(page: Page) -> None:
    table = sit_down(page, "shihu")
    page.goto(table)
    thumb = Taps(page)
    thumb.tap(".quick label:has([value='2'])")
    thumb.tap("[data-usual='13']")
    expect(page.locator("#count")).to_contain_text(f"{NAMES[2]}\u00a0+12")
    with page.expect_event("load"):
        thumb.tap(".quick button.main")
    assert thumb.count == 3
    assert totals(page, table) == [-4, -4, 12, -4]
    expect(page.locator(".notice.good")).to_contain_text(f"{NAMES[2]} 赢，13 胡")
    page.locator(".quick label:has([value='0'])").tap()
    expect(page.locator("#said-hu")).to_be_focused()
    page.keyboard.type("1000")
    page.locator(".quick button.main").tap()
    expect(page.locator("#wrong-said-hu")).to_have_text(re.compile("要 0 到 [0-9]+。"))
    page.locator("#said-hu").fill("9")
    expect(page.locator("#wrong-said-hu")).to_have_count(0)
    with page.expect_event("load"):
        page.keyboard.press("Enter")
    assert totals(page, table) == [-37, 7, 23, 7]
    page.locator("#round-3 summary").first.tap()
    page.locator("#round-3 .ask summary").tap()
    with page.expect_event("load"):
        page.locator("#round-3 .ask button").tap()
    expect(page.locator(".notice.good")).to_have_text("删了第 2 局")
    page.locator("form[action$='/undo'] button").tap()
    expect(page.locator("#round-3")).to_be_visible()


def test_a_sample_becomes_a_recorded_round_in_four_taps(page: Page) -> None:
    table = sit_down(page, "zipai", NAMES[:3])
    steps.open_page(page, f"/?game={table.rsplit('/', 1)[1]}")
    thumb = Taps(page)
    thumb.tap("[data-sample='zipai.jpg']")
    expect(page.locator(".mark").first).to_be_visible()
    steps.counted(page)
    thumb.tap("#score-bar")
    thumb.tap("#who-won-1")
    thumb.tap("#save-round")
    page.wait_for_url(f"{table}**")
    assert thumb.count == 4
    assert len(page.request.get(f"{table}/table.json").json()["rounds"]) == 1


def test_half_a_yuan_is_played_for_and_a_wrong_stake_is_said_in_the_words_of_the_page(page: Page) -> None:
    page.goto("/games/new?rules=zipai")
    for field, name in zip(page.locator("[data-names] input[type=text]").all(), NAMES[:3], strict=False):
        field.fill(name)
    page.locator("#stake").fill("half")
    page.locator("form[data-once] button.main").tap()
    expect(page.locator("#wrong-stake")).to_have_text("写数字，最多两位小数。")
    page.locator("#stake").fill("0.5")
    page.locator("form[data-once] button.main").tap()
    page.wait_for_url(lambda url: "/games/" in url and "new" not in url)
    table = page.url
    for _ in range(3):
        page.locator(".quick label:has([value='0'])").tap()
        page.locator("#said-hu").fill("15")
        with page.expect_event("load"):
            page.locator(".quick button.main").tap()
    assert totals(page, table) == [3, "-1.5", "-1.5"]
    page.goto(f"{table}/rounds/new?how=numbers&way=money")
    page.locator("[name=winner][value='0']").check(force=True)
    page.locator("#amount-1").fill("0.1")
    page.locator("#amount-2").fill("0.2")
    expect(page.locator("#balance")).to_have_text(f"{NAMES[0]} +0.3")


def test_who_played_before_sits_down_with_a_tap(page: Page) -> None:
    sit_down(page, "shihu")
    page.goto("/games/new?rules=guangshui")
    for name in (NAMES[2], NAMES[0]):
        page.locator(f"[data-known='{name}']").tap()
        expect(page.locator(f"[data-known='{name}']")).to_be_hidden()
    fields = page.locator("[data-names] input[type=text]")
    assert [fields.nth(n).input_value() for n in (0, 1, 2)] == [NAMES[2], NAMES[0], ""]


def test_a_whole_group_is_laid_on_the_table_with_one_tap_while_a_hand_is_typed(page: Page) -> None:
    steps.open_page(page)
    page.locator("input[value=shihu]").check(force=True)
    page.locator("#by-keys").tap()
    keypad = page.locator("#sheet .keypad")
    keypad.locator("[data-code=yN]").tap()
    page.locator("#sheet [data-group='yN yN yN']").tap()
    keypad.locator("[data-code=rK]").tap()
    keypad.locator("[data-code=rA]").tap()
    page.locator("#sheet [data-group='rK rA rB']").tap()
    page.locator("#sheet [data-close]").tap()
    steps.counted(page)
    assert steps.codes(page) == sorted(["yN", "yN", "yN", "rK", "rA", "rB"])
    expect(page.locator(".pile .on-table")).to_have_count(2)
    page.locator("#undo").tap()
    assert steps.codes(page) == sorted(["yN", "yN", "yN", "rK", "rA"])


def test_several_melds_are_laid_on_the_table_at_once(page: Page) -> None:
    steps.open_page(page)
    page.locator("input[value=shihu]").check(force=True)
    page.locator("#by-keys").tap()
    steps.tap_keys(page, TEN)
    steps.counted(page)
    page.locator("[data-pile]").tap()
    page.locator("#sheet .chips button", has_text="挑几张").tap()
    for code in ("yN", "rK", "rA", "rB"):
        for card in page.locator(f".pile-cards button[aria-label='{steps.name(page, code)}']").all():
            card.tap()
    page.locator("#picking button").first.tap()
    steps.counted(page)
    expect(page.locator(".pile .on-table")).to_have_count(2)
    assert page.locator(".pile:has(.on-table) .pile-cards button").count() == 6


def test_the_turned_card_is_chosen_from_the_keypad_in_the_form_too(page: Page) -> None:
    table = sit_down(page, "shihu")
    page.goto(f"{table}/rounds/new?how=hand")
    button = page.locator("button[data-card]").first
    button.tap()
    page.locator("#sheet .keypad [data-code=yN]").tap()
    expect(button).to_have_text("黄马")
    chosen = button.get_attribute("data-card")
    expect(page.locator(f"#{chosen}")).to_have_value("yN")
