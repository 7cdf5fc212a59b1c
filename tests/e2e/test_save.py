"""A counted hand goes into a table of the ledger, with the pictures of its cards."""

from __future__ import annotations

from collections.abc import Sequence

from playwright.sync_api import Page, Route, expect

from tests.e2e import steps
from tests.e2e.samples import Sample

NAMES = ("阿梅", "老陈", "小秋", "大伟")


def sit_down(page: Page, rules: str, names: Sequence[str] = NAMES) -> str:
    """Begin a table of this game with these people; its address."""
    page.goto(f"/games/new?rules={rules}")
    for field, name in zip(page.locator("[data-names] input[type=text]").all(), names, strict=False):
        field.fill(name)
    page.locator("form[data-once] button.main").tap()
    page.wait_for_url(lambda url: "/games/" in url and "new" not in url)
    return page.url.split("#")[0]


def keyed_and_saved(page: Page, hand: str) -> None:
    """Tap a hand on the keypad, count it, and ask to write it down."""
    page.locator("#by-keys").tap()
    steps.tap_keys(page, hand)
    steps.counted(page)
    page.locator("#score-bar").tap()
    page.locator("#save-round").tap()


def test_a_counted_hand_is_written_into_a_table(page: Page, sample: Sample) -> None:
    table = sit_down(page, sample.rules)
    steps.open_page(page, f"/?game={table.rsplit('/', 1)[1]}")
    expect(page.locator("#for-table")).to_be_visible()
    steps.scan(page, sample)
    steps.put_right(page, sample)
    page.locator("#score-bar").tap()
    save(page, 1)
    page.wait_for_url(f"{table}**")
    expect(page.locator("main")).to_contain_text(NAMES[1])
    expect(page.locator("main")).to_contain_text(str(sample.score()["total"]))
    assert page.evaluate("JSON.parse(sessionStorage.getItem('paiyan-hand')).piles.length") == 0


WIN = "1-1 4-4 6-6 2-6 1-3 1-5 2-2 3-3 5-6 4-5 1-4 2-3 4-6 5-5 1-2 1-6"
"""A winning hand of 挤儿 (RULES C-01)."""


PLAYED = "1-1 1-1 1-1 4-4 4-4 4-4 1-4 1-4 1-4 3-3 3-3 3-3 3-3 2-2 2-2 2-2 1-3 5-5 1-3 1-6 2-5 3-4"
"""A winning hand of 幺地人, of which no test begins a table."""


TEN = "rK rA rB rR rN rC rP yP gP yN yN yN gK gA gA wB wB wR wR wC wC"
"""A winning hand of 十胡 (RULES E-02)."""


def enter(page: Page, table: str) -> None:
    """Enter the hand by its keys for this table, up to its score."""
    steps.open_page(page, f"/?game={table.rsplit('/', 1)[1]}&by=keys")
    steps.tap_keys(page, WIN)
    steps.counted(page)
    page.locator("#score-bar").tap()


def save(page: Page, winner: int) -> None:
    """Say on the score page who won, and write the round down."""
    if page.locator(f"#who-won-{winner}").get_attribute("aria-pressed") == "false":
        page.locator(f"#who-won-{winner}").tap()
    page.locator("#save-round").tap()


def rounds(page: Page, table: str) -> list[int]:
    return list(page.request.get(f"{table}/table.json").json()["rounds"])


def lose_answers(page: Page, most: int) -> list[str]:
    """Let the server write down what the page sends, but lose its first answers; gives the keys that were sent."""
    keys: list[str] = []

    def route_post(route: Route) -> None:
        keys.append(str((route.request.post_data_json or {})["key"]))
        if len(keys) <= most:
            route.fetch()
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/rounds", route_post)
    return keys


def save_unanswered(page: Page) -> None:
    """Save for the second player, lose the answer, and load the page anew before it asks again by itself."""
    with page.expect_event("requestfailed", lambda request: request.url.endswith("/rounds")):
        save(page, 1)
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#save-round")).to_be_enabled()


def test_a_round_whose_answer_is_lost_is_written_once(page: Page) -> None:
    table = sit_down(page, "chuanpai")
    enter(page, table)
    keys = lose_answers(page, 1)
    save(page, 1)
    page.wait_for_url(table)
    assert len(keys) == 2
    assert len(set(keys)) == 1
    assert rounds(page, table) == [2]


def test_a_tap_repeated_after_a_lost_answer_writes_one_round(page: Page) -> None:
    table = sit_down(page, "chuanpai")
    enter(page, table)
    keys = lose_answers(page, 1)
    save_unanswered(page)
    save(page, 1)
    page.wait_for_url(table)
    assert len(set(keys)) == 1
    assert rounds(page, table) == [2]
    enter(page, table)
    save(page, 1)
    page.wait_for_url(table)
    assert len(set(keys)) == 2, "the same hand once more is another round"
    assert rounds(page, table) == [2, 3]


def test_another_winner_after_a_lost_answer_is_not_written_unseen(page: Page) -> None:
    table = sit_down(page, "chuanpai")
    enter(page, table)
    lose_answers(page, 1)
    save_unanswered(page)
    save(page, 0)
    expect(page.locator("#sheet a.button")).to_be_visible()
    assert rounds(page, table) == [2]
    page.locator("#sheet .sheet-acts button").tap()
    page.wait_for_url(table)
    assert rounds(page, table) == [2, 3]


def test_after_a_round_the_first_page_names_the_next_one(page: Page) -> None:
    table = sit_down(page, "chuanpai")
    enter(page, table)
    expect(page.locator("#save-round")).to_contain_text("第 1 局")
    save(page, 1)
    page.wait_for_url(table)
    steps.open_page(page)
    expect(page.locator("#for-table")).to_contain_text("第 2 局")
    expect(page.locator("#save-round")).to_contain_text("第 2 局")


def test_a_round_written_by_another_phone_is_counted_when_the_page_is_looked_at_again(page: Page) -> None:
    table = sit_down(page, "chuanpai")
    enter(page, table)
    other = page.context.new_page()
    enter(other, table)
    save(other, 1)
    other.wait_for_url(table)
    expect(page.locator("#save-round")).to_contain_text("第 1 局")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("#save-round")).to_contain_text("第 2 局")


def test_another_game_leaves_the_table_and_says_where_the_hand_goes(page: Page) -> None:
    table = sit_down(page, "chuanpai")
    name = page.request.get(f"{table}/table.json").json()["name"]
    assert name.startswith("川牌（挤儿） ")
    sit_down(page, "shihu")
    steps.open_page(page, f"/?game={table.rsplit('/', 1)[1]}")
    expect(page.locator("#save-round")).to_contain_text(f"“{name}”第 1 局")
    page.locator("label:has(input[value=shihu])").tap()
    expect(page.locator("#toasts")).to_contain_text(name)
    expect(page.locator("#save-round")).to_have_text("记进牌局")
    page.reload()
    page.wait_for_selector("html[data-ready]")
    expect(page.locator("#game-now")).to_have_text("十胡")
    keyed_and_saved(page, TEN)
    expect(page.locator("#sheet .label").first).to_contain_text("“十胡 ")
    expect(page.locator("#sheet .label").first).to_contain_text("第 1 局：")


def test_a_hand_is_kept_while_another_games_table_is_looked_at(page: Page) -> None:
    sit_down(page, "chuanpai")
    steps.open_page(page)
    page.locator("label:has(input[value=shihu])").tap()
    page.locator("#by-keys").tap()
    steps.tap_keys(page, TEN)
    steps.counted(page)
    hand = steps.codes(page)
    page.locator("a[href='#scan']").tap()
    expect(page.locator("#for-table a")).to_contain_text("记到这一桌：“川牌（挤儿） ")
    page.locator("#for-table a").tap()
    expect(page.locator("#toasts")).to_contain_text("再选十胡就接着看")
    expect(page.locator("#resume")).to_be_hidden()
    page.reload()
    page.wait_for_selector("html[data-ready]")
    page.locator("#game summary").tap()
    page.locator("label:has(input[value=shihu])").tap()
    expect(page.locator("#resume")).to_contain_text("21 张牌")
    page.locator("#resume").tap()
    steps.counted(page)
    assert steps.codes(page) == hand


def test_without_a_table_one_can_be_begun(page: Page) -> None:
    steps.open_page(page)
    page.locator("input[value=yaodiren]").check(force=True)
    keyed_and_saved(page, PLAYED)
    page.locator("#sheet a").tap()
    page.wait_for_selector("[data-names]")
    for field, name in zip(page.locator("[data-names] input[type=text]").all(), NAMES, strict=False):
        field.fill(name)
    page.locator("form[data-once] button.main").tap()
    page.wait_for_url(lambda url: "/?game=" in url and url.endswith("#score"))
    page.wait_for_selector("html[data-ready]")
    save(page, 1)
    page.wait_for_url("**/games/*")
    expect(page.locator(".notice.good")).to_contain_text(NAMES[1])


def test_another_language_keeps_the_step_and_brings_no_left_table_back(page: Page) -> None:
    table = sit_down(page, "chuanpai")
    enter(page, table)
    page.locator("[data-language=en]").tap()
    page.wait_for_selector("html[lang=en][data-ready]")
    expect(page.locator("#step-score")).to_be_visible()
    expect(page.locator("#save-round")).to_contain_text("Round 1")
    page.locator("#step-score a[href='#check']").tap()
    page.locator("#step-check a[href='#scan']").tap()
    page.locator("#for-table button").tap()
    page.locator("[data-language=zh-Hans]").tap()
    page.wait_for_selector("html[lang=zh-Hans][data-ready]")
    assert "game=" not in page.url
    expect(page.locator("#save-round")).to_have_text("记进牌局")
