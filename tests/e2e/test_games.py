"""An evening in the games room, on SQLite and on PostgreSQL: rounds, mistakes, two phones, a lost answer."""

from __future__ import annotations

import json
import logging
import re
import threading
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image
from playwright.sync_api import BrowserContext, Page, Route, expect
from werkzeug.serving import make_server

from tests.e2e.test_access import findings, tab_to
from tests.e2e.test_save import NAMES, sit_down
from tests.webui.databases import KINDS, fresh_url
from webui import create_app
from webui.store import kept

# RULES E-02: exactly ten, one point from each of the others.
TEN = "rK rA rB rR rN rC rP yP gP yN yN yN gK gA gA wB wB wR wR wC !wC"


@pytest.fixture(scope="module", params=KINDS)
def address(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the page is served, on this kind of database."""
    folder = tmp_path_factory.mktemp("games")
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with fresh_url(str(request.param), folder) as url:
        app = create_app({"DATA_DIR": folder, "DATABASE_URL": url})
        server = make_server("127.0.0.1", 0, app, threaded=True)
        thread = threading.Thread(target=server.serve_forever, daemon=True)
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join(10)
        app.extensions[kept.EXTENSION].close()


def fill_numbers(page: Page, table: str, winner: int, paid: int) -> None:
    """Fill in a round in which everybody else pays the same."""
    page.goto(f"{table}/rounds/new?how=numbers&way=money")
    page.locator(f"[name=winner][value='{winner}']").check(force=True)
    for person in range(len(NAMES)):
        if person != winner:
            page.locator(f"#amount-{person}").fill(str(paid))


def save(page: Page) -> None:
    page.locator("form[data-once] button.main").tap()


def add_numbers(page: Page, table: str, winner: int, paid: int) -> None:
    fill_numbers(page, table, winner, paid)
    save(page)
    page.wait_for_url(table)


def totals(page: Page, table: str) -> list[int]:
    answer = page.request.get(f"{table}/table.json")
    return list(answer.json()["totals"])


def tap_through(page: Page, selector: str) -> None:
    """Send a form of the table's page and wait for the page that it leads to."""
    with page.expect_event("load"):
        page.locator(selector).tap()


def rounds(page: Page, table: str) -> int:
    return len(page.request.get(f"{table}/table.json").json()["rounds"])


def test_an_evening(page: Page, tmp_path: Path) -> None:
    table = sit_down(page, "shihu")
    page.goto(f"{table}/rounds/new?how=hand")
    page.locator("[name=winner][value='1']").check(force=True)
    page.locator("#typed summary").tap()
    page.locator("#hand").fill(TEN)
    expect(page.locator("#count")).to_contain_text("10 胡")
    save(page)
    page.wait_for_url(table)
    said = page.locator(".notice.good")
    expect(said).to_contain_text(f"{NAMES[1]} +3")
    expect(said).to_be_in_viewport()
    expect(page.locator(".standings")).to_be_in_viewport(ratio=0.9)
    fill_numbers(page, table, 0, 4)
    expect(page.locator("#balance")).to_contain_text(f"{NAMES[0]} +12")
    save(page)
    page.wait_for_url(table)
    assert totals(page, table) == [11, -1, -5, -5]
    page.goto(f"{table}/rounds/2/edit?how=numbers&way=money")
    page.locator("#amount-1").fill("9")
    for person in (0, 2, 3):
        page.locator(f"#amount-{person}").fill("3")
    save(page)
    page.wait_for_url(table)
    assert totals(page, table) == [9, 5, -7, -7]
    page.goto(table)
    page.locator("#round-3 summary").first.tap()
    page.locator("#round-3 .ask summary").tap()
    tap_through(page, "#round-3 form button")
    expect(page.locator("#round-3")).to_have_count(0)
    tap_through(page, "form[action$='/undo'] button")
    expect(page.locator("#round-3")).to_be_visible()
    tap_through(page, "form[action$='/undo'] button")
    assert totals(page, table) == [11, -1, -5, -5]
    tap_through(page, "form[action$='/redo'] button")
    expect(page.locator("form[action$='/redo'] + .hint")).to_contain_text("删")
    tap_through(page, "form[action$='/redo'] button")
    expect(page.locator("#round-3")).to_have_count(0)
    tap_through(page, "form[action$='/undo'] button")
    expect(page.locator("#round-3")).to_be_visible()
    page.goto(f"{table}/settle")
    expect(page.locator(".transfers li")).to_have_count(3)
    page.goto(table)
    with page.expect_download() as download:
        page.locator("a[href$='export.json']").tap()
    saved = tmp_path / "table.json"
    download.value.save_as(saved)
    assert len(json.loads(saved.read_text(encoding="utf-8"))["events"]) == 10
    page.goto("/games/import")
    page.locator("#file").set_input_files(saved)
    save(page)
    expect(page.locator("#error")).to_contain_text("已经在这里了")
    page.locator("form[data-once] details summary").tap()
    page.locator("#again").check()
    save(page)
    page.wait_for_url(lambda url: "/games/" in url and "import" not in url)
    assert page.url != table
    assert totals(page, page.url) == [9, 5, -7, -7]


def test_the_cards_of_a_past_round_are_put_right_by_tapping_them(page: Page) -> None:
    table = sit_down(page, "shihu")
    page.goto(f"{table}/rounds/new?how=hand")
    page.locator("[name=winner][value='1']").check(force=True)
    page.locator("#add-card").tap()
    for code in TEN.replace("!", "").split():
        page.locator(f"#sheet .keypad [data-code='{code}']").tap()
    page.locator("#sheet [data-close]").tap()
    expect(page.locator("#count")).to_contain_text("10 胡")
    save(page)
    page.wait_for_url(table)
    page.goto(f"{table}/rounds/2/edit")
    expect(page.locator(".pile-cards button")).to_have_count(21)
    page.locator(".pile-cards button[aria-label='黄马']").first.tap()
    page.locator("#sheet .keypad [data-code='wP']").tap()
    expect(page.locator("#count")).to_contain_text("9 胡")
    page.locator("#undo").tap()
    expect(page.locator("#count")).to_contain_text("10 胡")
    page.locator(".pile-cards button[aria-label='黄马']").first.tap()
    page.locator("#mark-winning").tap()
    expect(page.locator("#hand")).to_have_value(re.compile("!yN"))
    expect(page.locator("#count")).to_contain_text("8 胡")
    save(page)
    page.wait_for_url(table)
    assert totals(page, table) == [11, -33, 11, 11]


def enter_card(page: Page, table: str) -> None:
    """Begin a hand for the table's next round by its keys and go on to what is asked of it."""
    page.goto(f"/?game={table.rsplit('/', 1)[1]}")
    page.wait_for_selector("html[data-ready]")
    page.locator("#by-keys").tap()
    page.locator("#sheet .keypad [data-code='s1']").tap()
    page.locator("#sheet [data-close]").tap()
    page.locator("#score-bar").tap()


def test_what_was_said_of_a_round_stays_on_every_way_to_write_it_down(page: Page) -> None:
    table = sit_down(page, "zipai")
    page.goto(f"{table}/rounds/new?how=hand")
    page.locator("[name=winner][value='1']").check(force=True)
    page.locator("#fact-self_drawn").check()
    page.locator("#note").fill("外婆家")
    page.locator(".tabs a[href$='how=numbers']").tap()
    expect(page.locator("[name=winner][value='1']")).to_be_checked()
    page.locator(".tabs a[href*='way=money']").tap()
    expect(page.locator("[name=winner][value='1']")).to_be_checked()
    expect(page.locator("[name=side-1][value=wins]")).to_be_checked()
    expect(page.locator("#note")).to_have_value("外婆家")
    page.locator(".tabs a[href$='how=hand']").tap()
    expect(page.locator("#fact-self_drawn")).to_be_checked()
    page.locator(".tabs a[href*='game=']").tap()
    page.wait_for_selector("html[data-ready]")
    page.goto(f"{page.url}#score")
    expect(page.locator("#facts-self_drawn")).to_be_checked()
    enter_card(page, table)
    expect(page.locator("#facts-self_drawn")).to_be_checked()
    add_numbers(page, table, 3, 2)
    enter_card(page, table)
    expect(page.locator("#facts-self_drawn")).not_to_be_checked()
    page.goto(f"{table}/rounds/new?how=hand")
    expect(page.locator("[name=winner]:checked")).to_have_count(0)


def test_the_open_table_is_a_tap_away_from_the_first_page(page: Page) -> None:
    table = sit_down(page, "shihu")
    page.goto("/")
    page.locator("#for-table a").tap()
    page.wait_for_url(lambda url: url.endswith(f"/?game={table.rsplit('/', 1)[1]}"))
    expect(page.locator("#for-table button")).to_be_visible()


def test_an_answer_that_is_lost_writes_nothing_twice(page: Page) -> None:
    table = sit_down(page, "shihu")
    fill_numbers(page, table, 2, 5)
    lost: list[str] = []

    def lose_the_first(route: Route) -> None:
        if route.request.method == "POST" and not lost:
            lost.append(route.request.url)
            route.fetch()
            route.abort("connectionreset")
        else:
            route.continue_()

    page.route("**/rounds/new", lose_the_first)
    save(page)
    page.wait_for_url(table)
    assert len(lost) == 1
    assert rounds(page, table) == 1
    assert totals(page, table) == [-5, -5, 15, -5]


def test_two_phones_at_one_table(page: Page, phone: BrowserContext) -> None:
    table = sit_down(page, "shihu")
    other = phone.new_page()
    fill_numbers(other, table, 3, 2)
    add_numbers(page, table, 0, 1)
    save(other)
    expect(other.locator("#error")).to_be_visible()
    assert rounds(page, table) == 1
    save(other)
    other.wait_for_url(table)
    assert totals(page, table) == [1, -3, -3, 5]
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(page.locator("[data-stale]")).to_be_visible()


def test_a_double_tap_writes_one_round(page: Page) -> None:
    table = sit_down(page, "shihu")
    fill_numbers(page, table, 1, 3)
    page.locator("form[data-once] button.main").dblclick()
    page.wait_for_url(table)
    assert rounds(page, table) == 1


def test_a_round_by_keyboard_alone(page: Page) -> None:
    table = sit_down(page, "shihu")
    page.goto(table)
    tab_to(page, "a[href*='how=numbers']")
    page.keyboard.press("Enter")
    page.wait_for_url("**how=numbers")
    tab_to(page, "[name=winner]")
    page.keyboard.press("Space")
    assert page.evaluate("document.querySelector('[name=winner]:checked').value") == "0"
    tab_to(page, "#said-hu")
    page.keyboard.type("11")
    page.keyboard.press("Enter")
    page.wait_for_url(table)
    assert totals(page, table) == [6, -2, -2, -2]


def test_a_round_by_its_count_says_who_pays_whom_before_it_is_saved(page: Page) -> None:
    table = sit_down(page, "shihu")
    page.goto(f"{table}/rounds/new?how=numbers")
    page.locator("[name=winner][value='2']").check(force=True)
    count = page.locator("#count")
    page.locator("#said-hu").fill("9")
    expect(count).to_contain_text("相公，赔每家：10 + 押点 1 = 11")
    page.locator("#said-hu").fill("13")
    expect(count).to_contain_text("每家付：13 胡 − 10 + 押点 1 = 4")
    expect(count).to_contain_text(f"{NAMES[2]}\u00a0+12")
    page.locator("#said-hu").fill("")
    expect(count).to_be_hidden()
    page.locator("#said-hu").fill("13")
    save(page)
    page.wait_for_url(table)
    assert totals(page, table) == [-4, -4, 12, -4]


def test_what_is_left_of_the_money_is_said_once(page: Page) -> None:
    table = sit_down(page, "shihu")
    page.goto(f"{table}/rounds/new?how=numbers&way=money")
    page.locator("[name=winner][value='2']").check(force=True)
    for person, amount in enumerate((1, 1, 17, 1)):
        page.locator(f"#amount-{person}").fill(str(amount))
    said = page.get_by_text("多出 14").filter(visible=True)
    expect(said).to_have_attribute("id", "balance")
    save(page)
    expect(said).to_have_attribute("id", "error")
    page.locator("#amount-2").fill("16")
    expect(page.locator("#error")).to_have_count(0)
    expect(page.locator("#balance")).to_have_text("多出 13")


def test_the_language_changes_on_the_spot(page: Page) -> None:
    table = sit_down(page, "shihu")
    page.goto(table)
    page.locator("[data-language=en]").tap()
    expect(page.locator("html")).to_have_attribute("lang", "en")
    assert page.url.split("?")[0] == table
    expect(page.locator("main")).to_contain_text("Next round by photo")


def test_what_can_be_brought_back_stays_on_the_page_in_large_english(page: Page) -> None:
    table = sit_down(page, "shihu")
    add_numbers(page, table, 0, 4)
    for name, value in (("language", "en"), ("text", "large")):
        page.context.add_cookies([{"name": name, "value": value, "url": table}])
    page.goto(f"{table}/rounds/2/edit?how=numbers&way=money")
    page.locator("#note").fill("written down wrong")
    save(page)
    page.wait_for_url(table)
    page.locator(".undo-bar form[action$=undo] button").tap()
    expect(page.locator(".undo-bar form[action$=redo] + .hint")).to_contain_text("Round 1 corrected")
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_serious_and_nothing_reaches_over_the_edge(page: Page, scheme: str) -> None:
    page.emulate_media(color_scheme="dark" if scheme == "dark" else "light")
    table = sit_down(page, "shihu")
    add_numbers(page, table, 0, 4)
    page.set_viewport_size({"width": 320, "height": 640})
    forms = [
        f"{table}/rounds/new?how={how}"
        for how in ("hand", "numbers", "numbers&way=money", "numbers&way=false", "draw")
    ]
    views = [
        f"{table}{path}" for path in ("", "#round-2", "/settle", "/seats", "/settings", "/log", "/delete")
    ]
    rooms = [
        "/games",
        "/games/statistics",
        "/games/statistics?until=2001-01-01",
        "/games/new",
        "/games/new?rules=shihu",
        "/games/import",
    ]
    for path in [*forms, *views, *rooms]:
        page.goto(path)
        assert findings(page) == [], path
        assert page.evaluate("document.documentElement.scrollWidth") <= 320, path


def test_a_settlement_is_shared_as_a_picture(page: Page) -> None:
    table = sit_down(page, "shihu")
    add_numbers(page, table, 2, 5)
    page.goto(f"{table}/settle")
    with page.expect_download() as download:
        page.locator("[data-share-picture]").tap()
    assert download.value.suggested_filename == "paiyan.png"
    with Image.open(download.value.path()) as picture:
        drawn = picture.convert("L")
    assert drawn.width == 720
    # Three payments and four totals, each with its ink at the left and at the right.
    rows = [
        *(90 + 36 + 38 * (n + 1) for n in range(3)),
        *(90 + 56 + 3 * 38 + 36 + 38 * (n + 1) for n in range(4)),
    ]
    for baseline in rows:
        for left, right in ((36, 200), (600, 690)):
            assert min(drawn.crop((left, baseline - 20, right, baseline)).tobytes()) < 110
