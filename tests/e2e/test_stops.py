"""What used to stop an evening: each in the page's language, with a way on."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pillow_heif
from PIL import Image
from playwright.sync_api import FilePayload, Page, expect

from tests.e2e import steps
from tests.e2e.samples import Sample, samples
from tests.e2e.test_save import NAMES, sit_down

SHORT = "s1 s1 s3 s5 s5 s7 s9 s9 b1 b2 b4 b4 b6 b7 b9 b9 b10 s2 s4 s6 b3"
"""A hand of 字牌 that divides into nothing."""


def enter(page: Page, table: str, hand: str) -> None:
    """Enter a hand by its keys for this table, up to its score."""
    steps.open_page(page, f"/?game={table.rsplit('/', 1)[1]}&by=keys")
    steps.tap_keys(page, hand)
    steps.counted(page)
    page.locator("#score-bar").tap()


def test_a_hand_that_does_not_win_offers_what_the_round_can_be_instead(page: Page) -> None:
    table = sit_down(page, "zipai")
    enter(page, table, SHORT)
    expect(page.locator("#save-round")).to_have_text("这局另外记")
    page.locator("#save-round").tap()
    sheet = page.locator("#sheet")
    expect(sheet).to_contain_text("没胡")
    assert not re.search("[a-z]{3}", sheet.inner_text())
    page.locator("#sheet a", has_text="相公").tap()
    page.wait_for_url("**way=false")
    page.locator("[name=winner][value='1']").check(force=True)
    page.locator("#each").fill("5")
    page.locator("form[data-once] button.main").tap()
    page.wait_for_url(table)
    expect(page.locator(".notice.good")).to_contain_text(f"{NAMES[1]} 相公")
    assert page.request.get(f"{table}/table.json").json()["totals"] == [5, -10, 0, 5]


def test_a_hand_that_divides_otherwise_at_the_table_is_refused_in_the_language_of_the_page(
    page: Page,
) -> None:
    table = sit_down(page, "zipai")
    page.goto(f"{table}/rounds/new?how=hand")
    page.locator("[name=winner][value='1']").check(force=True)
    page.locator("#typed summary").tap()
    page.locator("#hand").fill(SHORT)
    page.locator("form[data-once] button.main").tap()
    said = page.locator("#error")
    expect(said).to_contain_text("没胡")
    assert not re.search("[a-z]{3}", said.inner_text())


def test_a_photo_of_another_deck_takes_the_place_of_the_hand_before_when_its_game_is_chosen(
    page: Page,
) -> None:
    first, other = (next(one for one in samples() if one.rules == rules) for rules in ("shihu", "zipai"))
    steps.open_page(page)
    page.locator("input[value=shihu]").check(force=True)
    page.set_input_files("#choose", first.path)
    expect(page.locator(".mark").first).to_be_visible()
    shown = page.locator("#stage").get_attribute("data-photo")
    page.locator("#step-check a[href='#scan']").tap()
    page.set_input_files("#choose", other.path)
    expect(page.locator("#other-deck")).to_contain_text("字牌")
    expect(page.locator("#notices")).to_contain_text("刚才那手还在")
    assert page.locator("#stage").get_attribute("data-photo") == shown
    page.locator("#other-deck button", has_text="永州").tap()
    expect(page.locator("#stage")).not_to_have_attribute("data-photo", str(shown))
    steps.counted(page)
    assert len(steps.codes(page)) == len(other.codes)
    assert page.locator(".pile-cards button").count() == len(other.codes)
    assert page.locator("#stage .mark").count() == len(other.codes)


def test_a_sentence_names_a_card_and_no_code(page: Page) -> None:
    steps.open_page(page)
    page.locator("input[value=zipai]").check(force=True)
    page.locator("#by-keys").tap()
    steps.tap_keys(page, "b5 b5 b5 b5 b5 b5")
    steps.counted(page)
    expect(page.locator("#score-bar .why")).to_have_text("伍 太多了，一副牌没有这么多。")


def test_a_heic_photo_is_shown_as_the_server_sees_it(page: Page, sample: Sample, tmp_path: Path) -> None:
    heic = tmp_path / "hand.heic"
    with Image.open(sample.path) as photo:
        size = photo.size
        pillow_heif.from_pillow(photo.convert("RGB")).save(heic, quality=90)
    steps.open_page(page)
    page.locator(f"input[value={sample.rules}]").check(force=True)
    page.set_input_files("#choose", heic)
    expect(page.locator("#stage img")).to_be_visible()
    drawn = page.locator("#stage img").evaluate("(image) => [image.naturalWidth, image.naturalHeight]")
    assert tuple(drawn) == size


def test_a_photo_of_more_than_fifty_megapixels_is_made_smaller(
    page: Page, sample: Sample, tmp_path: Path
) -> None:
    large = tmp_path / "large.jpg"
    with Image.open(sample.path) as photo:
        photo.resize((8400, 6300)).save(large, quality=60)
    steps.open_page(page)
    page.locator(f"input[value={sample.rules}]").check(force=True)
    page.set_input_files("#choose", large)
    expect(page.locator("#reading")).to_be_hidden()
    expect(page.locator("#notices .error")).to_have_count(0)
    expect(page.locator("#stage img")).to_be_visible()
    steps.counted(page)
    photo = page.evaluate("JSON.parse(sessionStorage.getItem('paiyan-hand')).photos[0]")
    assert (photo["width"], photo["height"]) == (4032, 3024)


def test_a_card_that_was_not_found_is_offered_at_its_place(page: Page) -> None:
    sample = next(one for one in samples() if one.rules == "shihu")

    photo: FilePayload = {"name": "photo", "mimeType": "image/jpeg", "buffer": sample.path.read_bytes()}
    body = page.request.post("/api/read", multipart={"photo": photo, "deck": "sise"}).json()
    cards = body["photos"][0]["cards"]
    pile = next(card["pile"] for card in cards if sum(one["pile"] == card["pile"] for one in cards) == 4)
    cards.remove([card for card in cards if card["pile"] == pile][1])
    page.route("**/api/read", lambda route: route.fulfill(json=body))
    steps.open_page(page)
    page.locator("input[value=shihu]").check(force=True)
    page.set_input_files("#choose", sample.path)
    expect(page.locator("#maybe")).to_contain_text("还差 1 张")
    page.locator(".mark.maybe").press("Enter")
    missing = (Counter(sample.codes) - Counter(steps.codes(page))).elements()
    page.locator(f"#sheet .keypad [data-code='{next(missing)}']").tap()
    expect(page.locator("#maybe")).to_have_count(0)
    assert steps.codes(page) == sample.codes


def test_where_no_card_is_found_it_says_what_to_do(page: Page, sample: Sample, tmp_path: Path) -> None:
    blank = tmp_path / "blank.jpg"
    Image.new("RGB", (1200, 900), "#b7a98c").save(blank)
    steps.open_page(page)
    page.locator(f"input[value={sample.rules}]").check(force=True)
    page.set_input_files("#choose", blank)
    expect(page.locator("#advice")).to_contain_text("每张牌都露出一头")
