"""A deck is catalogued from two photos, put right, saved, and taken along."""

from __future__ import annotations

from playwright.sync_api import BrowserContext, Page, Route, expect

import scorer
from tests.e2e import steps
from tests.e2e.samples import Sample, samples
from tests.e2e.test_access import findings
from tests.e2e.test_save import sit_down


def catalogued(page: Page, sample: Sample, name: str) -> None:
    """Photograph a deck and name it; what is left is the tap that saves it."""
    steps.open_page(page, "/decks/new")
    page.locator("#choose").set_input_files(sample.path)
    expect(page.locator("#grid .cell").first).to_be_visible()
    page.locator("#name").fill(name)


def save(page: Page) -> str:
    """Tap save, and give the address of the deck."""
    page.locator("#save button.main").tap()
    page.wait_for_url(lambda url: "/decks/" in url and not url.endswith(("/new", "/more")))
    return page.url


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
    expect(page.locator(".relation")).to_contain_text("看着就是第 1 张照片")
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
    save(page)
    expect(page.locator("h1")).to_contain_text("外婆的牌")
    assert findings(page) == []
    with page.expect_download() as download:
        page.locator("a[href$='contact.png']").tap()
    assert download.value.suggested_filename.endswith(".png")
    page.goto("/decks")
    expect(page.locator(".table-card")).to_contain_text("外婆的牌")
    assert findings(page) == []


def test_the_album_of_two_decks(page: Page, sample: Sample) -> None:
    for name, maker in (("东厢的牌", "成都扑克厂"), ("西厢的牌", "广水")):
        catalogued(page, sample, name)
        page.locator("#teach").uncheck()
        save(page)
        page.locator("#note-maker").fill(maker)
        page.locator("#note-tags").fill("红背，旧")
        if maker == "广水":
            page.locator("#photo-back").set_input_files(sample.path)
        page.locator("#known button").tap()
        expect(page.locator(".notice.good")).to_be_visible()
        expect(page.locator("#note-maker")).to_have_value(maker)
    expect(page.locator(".side img")).to_be_visible()
    assert findings(page) == []
    page.goto("/decks")
    page.locator("[name=words]").fill("扑克厂")
    page.locator(".seek button").tap()
    expect(page.locator(".table-card")).to_have_count(1)
    expect(page.locator(".table-card")).to_contain_text("东厢的牌")
    assert findings(page) == []
    with page.expect_download() as download:
        page.locator("a[href*='album.pdf']").tap()
    assert download.value.suggested_filename.endswith(".pdf")
    page.goto("/decks")
    page.locator("a[href$='/decks/compare']").tap()
    page.locator("#one").select_option(label="东厢的牌")
    page.locator("#other").select_option(label="西厢的牌")
    page.locator("form:has(#one) button").tap()
    expect(page.locator(".tally")).to_contain_text("0 种牌不一样")
    expect(page.locator(".beside").first).to_contain_text("广水")
    assert findings(page) == []


def test_a_deck_learns_from_a_card_that_was_put_right(page: Page, sample: Sample) -> None:
    catalogued(page, sample, "茶馆的牌")
    deck = save(page)
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


def test_a_deck_learns_when_the_corrected_hand_is_written_down(page: Page, sample: Sample) -> None:
    catalogued(page, sample, "桥头的牌")
    deck = save(page)
    expect(page.locator(".learnt")).to_have_count(0)
    table = sit_down(page, sample.rules)
    page.evaluate("localStorage.setItem('print', '桥头的牌')")
    steps.open_page(page, f"/?game={table.rsplit('/', 1)[1]}")
    steps.scan(page, sample)
    steps.put_right(page, sample)
    right = steps.codes(page)[0]
    wrong = next(code for code in sample.codes if code != right)
    card = page.evaluate(f"{steps.CARDS}.find((card) => card.code === '{right}').id")
    for said in (wrong, right):  # a slip, and its correction
        page.locator(f"[data-pick='{card}']").tap()
        page.locator(f"#sheet .keypad [data-code='{said}']").tap()
        steps.counted(page)
    page.locator("#score-bar").tap()
    expect(page.locator("#learn-written")).to_be_checked()
    offered = page.locator("#lessons .lesson li").count()
    assert offered > 0
    page.locator("#save-round").tap()
    page.locator("[data-person='1']").tap()
    page.wait_for_url(f"{table}**")
    expect(page.locator("main")).to_contain_text(f"“桥头的牌”又认熟了你改正的 {offered} 张牌")
    page.goto(deck)
    expect(page.locator(".learnt li")).to_have_count(offered)
    name = scorer.deck(scorer.rule_set(sample.rules).deck).face(right).name.hans
    expect(page.locator(".learnt li", has_text=name)).to_have_count(1)


def test_a_saved_deck_gets_a_later_photo(page: Page, sample: Sample) -> None:
    catalogued(page, sample, "祠堂的牌")
    first = cards(page)
    page.locator("#teach").uncheck()
    save(page)
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
    save(page)
    expect(page.locator(".tally b")).to_contain_text(str(2 * first - 1))


def test_only_cards_that_may_have_been_counted_are_asked_about(page: Page) -> None:
    first, other = (one for one in samples() if one.rules in ("shihu", "guangshui"))
    steps.open_page(page, "/decks/new")
    page.locator("#choose").set_input_files([first.path, other.path])
    page.locator("[data-relation=some]").tap()
    before, now = page.evaluate(
        "import('/static/js/decks_state.js').then(({ catalogue }) =>"
        " catalogue.photos.map((photo) => photo.cards.map((card) => card.code)))"
    )
    again = [face for face in scorer.deck("sise").faces for code in now if code == face.code in before]
    assert 0 < len(again) < len(now)
    asked = page.locator("#sheet .crop-row button")
    names = [button.get_attribute("aria-label") for button in asked.all()]
    assert names == [face.name.hans for face in again]
    box = asked.last.bounding_box()
    asked.first.tap()
    assert asked.last.bounding_box() == box, "what is tapped pushes nothing away"
    expect(page.locator("#sheet .sheet-acts button")).to_be_in_viewport(ratio=1)
    page.locator("#sheet .sheet-acts button").tap()
    expect(page.locator("#result-title")).to_contain_text(str(len(before) + len(now) - 1))


def test_it_is_said_which_photo_shows_another_kind_of_deck(page: Page, sample: Sample) -> None:
    other = next(one for one in samples() if one.rules in ("yaodiren", "zipai"))
    steps.open_page(page, "/decks/new")
    page.locator("#choose").set_input_files([sample.path, other.path])
    notice = page.locator("#notices .notice")
    expect(notice).to_contain_text("第 2 张（共 2 张）")
    expect(notice).to_contain_text("四色牌")
    expect(notice.locator("img")).to_be_visible()
    expect(page.locator("#photo-list li")).to_have_count(1)


def test_that_a_deck_is_being_saved_is_seen_where_it_was_tapped(page: Page, sample: Sample) -> None:
    catalogued(page, sample, "井边的牌")
    held: list[Route] = []
    page.route("**/decks", lambda route: held.append(route))
    page.locator("#save button.main").tap()
    expect(page.locator("#saving")).to_be_in_viewport()
    expect(page.locator("#saving")).to_contain_text("正在")
    for route in held:
        route.abort()
    expect(page.locator("#saving")).to_be_hidden()
    expect(page.locator("#save-says")).to_be_in_viewport()
    page.unroute("**/decks")
    save(page)


def test_new_photos_survive_that_the_deck_was_changed_meanwhile(
    page: Page, phone: BrowserContext, sample: Sample
) -> None:
    catalogued(page, sample, "码头的牌")
    first = cards(page)
    page.locator("#teach").uncheck()
    deck = save(page)
    steps.open_page(page, f"{deck}/more")
    page.locator("#choose").set_input_files(sample.path)
    page.locator("[data-relation=more]").tap()
    page.locator("#teach").uncheck()
    meanwhile = phone.new_page()
    meanwhile.goto(deck)
    meanwhile.locator("#name").fill("码头的旧牌")
    meanwhile.locator("form:has(#name) button").tap()
    expect(meanwhile.locator("h1")).to_contain_text("码头的旧牌")
    page.locator("#save button.main").tap()
    expect(page.locator("#save-says")).to_contain_text("这副牌")
    assert cards(page) == 2 * first
    save(page)
    expect(page.locator(".tally b")).to_contain_text(str(2 * first))


def test_what_is_not_saved_outlives_another_language_and_another_page(page: Page, sample: Sample) -> None:
    catalogued(page, sample, "渡口的牌")
    first = cards(page)
    page.locator("#choose").set_input_files(sample.path)
    page.locator("[data-relation=more]").tap()
    expect(page.locator("#result-title")).to_contain_text(str(2 * first))
    page.locator("[data-language=en]").tap()
    expect(page.locator("h1")).to_have_text("Catalogue a deck")
    expect(page.locator("#photo-list li")).to_have_count(2)
    page.locator("[data-language=zh-Hans]").tap()
    expect(page.locator("#result-title")).to_contain_text("四色牌")
    page.goto("/decks")
    steps.open_page(page, "/decks/new")
    assert cards(page) == 2 * first
    expect(page.locator("#name")).to_have_value("渡口的牌")
    save(page)
    expect(page.locator(".tally b")).to_contain_text(str(2 * first))
    steps.open_page(page, "/decks/new")
    expect(page.locator("#photos")).to_be_hidden()
    page.go_back()
    page.go_back()
    assert not page.url.endswith("/new"), "the page of a deck that is saved is not come back to"


def test_photos_of_a_saved_deck_are_added_once_where_the_answer_was_lost(page: Page, sample: Sample) -> None:
    catalogued(page, sample, "山上的牌")
    first = cards(page)
    page.locator("#teach").uncheck()
    deck = save(page)
    steps.open_page(page, f"{deck}/more")
    page.locator("#choose").set_input_files(sample.path)
    page.locator("[data-relation=more]").tap()
    page.locator("#teach").uncheck()

    def lose(route: Route) -> None:
        route.fetch()
        route.abort()

    page.route(f"{deck}/more", lose, times=1)
    page.locator("#save button.main").tap()
    expect(page.locator("#save-says")).to_be_visible()
    page.reload()
    page.wait_for_selector("html[data-ready]")
    page.locator("#teach").uncheck()
    save(page)
    expect(page.locator(".tally b")).to_contain_text(str(2 * first))
