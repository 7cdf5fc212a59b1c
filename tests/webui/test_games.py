"""The games room through the browser's eyes: tables, rounds, taking back, files; on every database."""

import base64
import io
import json
import re
from collections.abc import Iterator
from html import unescape
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image
from werkzeug.test import TestResponse

import scorer
import webui
from tests.webui.databases import KINDS, fresh_url
from webui import create_app, kept
from webui.games import sheet_words, words
from webui.ledger import sheet
from webui.store import tables

# RULES E-02: exactly 10, one point from each of the others.
TEN = "rK rA rB rR rN rC rP yP gP yN yN yN gK gA gA wB wB wR wR wC !wC"
# RULES E-03: the same with 碰 on the table: 8, a false call that pays 11 to each.
EIGHT = "碰(yN yN yN) rK rA rB rR rN rC rP yP gP gK gA gA wB wB wR wR wC !wC"


@pytest.fixture(params=KINDS)
def app(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Flask]:
    with fresh_url(str(request.param), tmp_path) as url:
        made = create_app(
            {"TESTING": True, "DATA_DIR": tmp_path, "DATABASE_URL": url, "SECRET_KEY": "k" * 32}
        )
        yield made
        made.extensions[kept.EXTENSION].close()


# --- a browser that fills in forms ------------------------------------------------------------------------


def page(client: FlaskClient, url: str, status: int = 200) -> str:
    answer = client.get(url)
    assert answer.status_code == status, answer.text
    return answer.text


def fields_of(text: str, action: str = "") -> dict[str, str]:
    """Hidden fields of the form with this action (a part of it), or of the only form."""
    forms = re.findall(r"<form.*?</form>", text, re.DOTALL)
    form = next(one for one in forms if action in one.split(">")[0])
    hidden = re.findall(r'<input type="hidden" name="([^"]+)" value="([^"]*)"', form)
    return {name: unescape(value) for name, value in hidden}


def send(client: FlaskClient, url: str, values: dict[str, object], seen: str = "") -> TestResponse:
    """Fill in and send the form of a page, as it is there or as it was `seen`."""
    hidden = fields_of(seen or page(client, url), url if seen else "")
    return client.post(url, data={**hidden, **values})


def plain(text: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", "", text)))


def new_table(client: FlaskClient, rules: str = "shihu", names: str = "甲乙丙丁", **more: object) -> str:
    values: dict[str, object] = {f"name-{number}": name for number, name in enumerate(names)}
    answer = send(
        client,
        f"/games/new?rules={rules}",
        {"stake": "1", "dealer": "0", "dealer_rule": "game", **values, **more},
    )
    assert answer.status_code == 303, answer.text
    return answer.location


def add_numbers(client: FlaskClient, table: str, *amounts: object, **more: object) -> TestResponse:
    values = {f"amount-{number}": str(amount) for number, amount in enumerate(amounts) if amount is not None}
    return send(client, f"{table}/rounds/new?how=numbers&way=money", {"dealer": "0", **values, **more})


def totals(client: FlaskClient, table: str) -> list[int]:
    with client.application.app_context():
        return list(tables.ledger(kept.store(), table.rsplit("/", 1)[1]).totals)


def notice(answer: TestResponse) -> str:
    found = re.search(r'class="notice error"[^>]*>(.*?)</p>', answer.text, re.DOTALL)
    assert found, answer.text
    return unescape(re.sub(r"<[^>]+>|\s+", " ", found.group(1))).strip()


def test_an_empty_room_says_what_to_do(client: FlaskClient) -> None:
    text = page(client, "/games")
    assert "No game yet" in text
    assert 'href="/games/new"' in text


def test_a_table_is_made_and_listed(client: FlaskClient) -> None:
    assert "/games/new?rules=shihu" in page(client, "/games/new")
    table = new_table(client, title="除夕")
    text = page(client, table)
    assert "除夕" in text
    assert "甲" in text
    assert "No round yet" in text
    assert "除夕" in page(client, "/games")
    assert 'value="甲"' in page(client, "/games/new?rules=shihu"), "the same people are offered again"


def test_a_new_table_is_named_by_its_game_and_day_and_numbered_where_that_is_taken(
    client: FlaskClient,
) -> None:
    def offered(rules: str) -> str:
        form = page(client, f"/games/new?rules={rules}")
        return unescape(str(re.findall(r'name="title"[^>]* value="([^"]*)"', form)[0]))

    first = offered("shihu")
    assert re.fullmatch(r"Ten Hu [A-Z][a-z]+ \d+", first)
    new_table(client, title=first)
    assert offered("shihu") == f"{first} (2)"
    new_table(client, title=f"{first} (2)")
    assert offered("shihu") == f"{first} (3)"
    assert offered("chuanpai").startswith("Chuanpai")


def test_a_new_table_says_how_many_names_are_enough(client: FlaskClient) -> None:
    assert "3 people are enough" in page(client, "/games/new?rules=zipai")
    assert "2 people are enough" in page(client, "/games/new?rules=shihu")


@pytest.mark.parametrize(
    ("values", "says"),
    [
        ({"name-1": "", "name-2": "", "name-3": ""}, "2 to 8 people"),
        ({"name-1": "甲"}, "Two people are called “甲”"),
        ({"stake": "0"}, "stake is a whole number"),
        ({"stake": "1.5"}, "“1.5” is no whole number"),
        ({"seats": "7"}, "not played by 7"),
        ({"name-2": "x" * 40}, "1 to 24 letters"),
    ],
)
def test_a_table_that_cannot_be_is_refused_with_what_was_typed(
    client: FlaskClient, values: dict[str, object], says: str
) -> None:
    names = {f"name-{number}": name for number, name in enumerate("甲乙丙丁")}
    answer = send(client, "/games/new?rules=shihu", {"stake": "1", "dealer": "0", **names, **values})
    assert answer.status_code == 422
    assert says in notice(answer)
    assert 'value="甲"' in answer.text
    assert "No game yet" in page(client, "/games")


def test_a_hand_is_counted_and_written_down(client: FlaskClient) -> None:
    table = new_table(client, stake="5")
    answer = send(client, f"{table}/rounds/new?how=hand", {"hand": TEN, "winner": "1", "dealer": "0"})
    assert answer.status_code == 303, notice(answer)
    assert totals(client, table) == [-5, 15, -5, -5]
    text = page(client, table)
    assert "Each pays: 10 胡 − 10 + base points 1 = 1" in text
    assert "1 × stake 5 = 5" in text
    assert "乙 won with 10" in text
    assert "乙 deals" in text, "the winner begins the next round"


def test_a_new_table_of_a_game_without_points_asks_what_a_group_is_worth(client: FlaskClient) -> None:
    form = page(client, "/games/new?rules=chuanpai")
    asked = form[form.index('id="option-unit_points"') :]
    assert 'value="1"' in asked[:120]
    assert form.index('id="option-unit_points"') < form.index("House rules")
    table = new_table(client, rules="chuanpai", **{"option-unit_points": "0", "option-fives_tens": "on"})
    assert "nothing is set, so nobody pays" in page(client, table)
    hand = "1-1 4-4 6-6 2-6 1-3 1-5 2-2 3-3 5-6 4-5 1-4 2-3 4-6 5-5 1-2 1-6"
    send(client, f"{table}/rounds/new?how=hand", {"hand": hand, "winner": "0", "dealer": "0"})
    assert "What a group is worth is not set" in page(client, table)
    paying = new_table(client, rules="chuanpai", **{"option-unit_points": "2", "option-fives_tens": "on"})
    send(client, f"{paying}/rounds/new?how=hand", {"hand": hand, "winner": "0", "dealer": "0"})
    assert totals(client, paying) == [48, -16, -16, -16]
    assert "Each pays: 8 groups × 2 = 16" in page(client, paying)


def test_a_false_call_pays(client: FlaskClient) -> None:
    table = new_table(client)
    send(client, f"{table}/rounds/new?how=hand", {"hand": EIGHT, "winner": "2", "dealer": "0"})
    assert totals(client, table) == [11, 11, -33, 11]
    assert "丙 called falsely" in page(client, table)


@pytest.mark.parametrize(
    ("language", "named"),
    [
        ("zh-Hans", "碰(黄马 黄马 黄马) 红将"),
        ("zh-Hant", "碰(黃馬 黃馬 黃馬) 紅將"),
        ("en", "碰(yellow horse, yellow horse, yellow horse), red general"),
    ],
)
def test_a_round_names_its_cards_by_their_names(client: FlaskClient, language: str, named: str) -> None:
    table = new_table(client)
    send(client, f"{table}/rounds/new?how=hand", {"hand": EIGHT, "winner": "2", "dealer": "0"})
    client.set_cookie("language", language)
    text = page(client, table)
    found = re.search(r'<p class="hint notation">(.*?)</p>', text)
    assert found
    assert plain(found[1]).startswith(named)


@pytest.mark.parametrize(
    ("hand", "winner", "says"),
    [
        (TEN.replace("!wC", ""), "0", "number of cards"),
        ("foo", "0", "foo"),
        ("rK " * 21, "0", "More of"),
        (TEN, "", "Say whose hand it is"),
        (TEN.replace("rK", "wP"), "0", "does not win"),
    ],
)
def test_a_hand_that_pays_nobody_is_refused_and_kept_in_the_form(
    client: FlaskClient, hand: str, winner: str, says: str
) -> None:
    table = new_table(client)
    answer = send(client, f"{table}/rounds/new?how=hand", {"hand": hand, "winner": winner, "dealer": "0"})
    assert answer.status_code == 422
    assert says in notice(answer)
    assert hand.strip()[:40] in answer.text
    assert totals(client, table) == [0, 0, 0, 0]


def test_the_hand_is_counted_while_it_is_typed(client: FlaskClient) -> None:
    table = new_table(client)
    seen = fields_of(page(client, f"{table}/rounds/new?how=hand"))
    asked = {**seen, "hand": TEN, "winner": "3", "dealer": "0"}
    count = client.post(f"{table}/count", data=asked).get_json()
    assert count["wins"]
    assert count["sentence"].startswith("10 ")
    assert count["amounts"] == ["甲\u00a0−1", "乙\u00a0−1", "丙\u00a0−1", "丁\u00a0+3"]
    assert count["payment"] == ["Each pays: 10 胡 − 10 + base points 1 = 1"]
    assert client.post(f"{table}/count", data={**asked, "winner": ""}).get_json()["amounts"] == []
    wrong = client.post(f"{table}/count", data={**asked, "hand": "rK"}).get_json()
    assert not wrong["wins"]
    assert "number of cards" in wrong["sentence"]
    assert totals(client, table) == [0, 0, 0, 0]


def test_a_hand_that_is_typed_comes_back_as_cards(client: FlaskClient) -> None:
    table = new_table(client)
    seen = fields_of(page(client, f"{table}/rounds/new?how=hand"))
    found = client.post(f"{table}/count", data={**seen, "hand": "碰(红马 红马 红马) 黄士 !绿将"}).get_json()
    assert not found["wins"]
    assert found["cards"] == {
        "melds": [{"kind": "碰", "cards": ["rN", "rN", "rN"]}],
        "loose": ["yA"],
        "winning": "gK",
    }
    assert client.post(f"{table}/count", data={**seen, "hand": "x"}).get_json()["cards"] is None


@pytest.mark.parametrize(
    ("amounts", "more", "expected"),
    [
        ((6, -2, -2, -2), {}, [6, -2, -2, -2]),
        ((None, 2, 2, 2), {f"side-{n}": "pays" for n in (1, 2, 3)}, [6, -2, -2, -2]),
        (("＋６", "−6", None, None), {}, [6, -6, 0, 0]),
    ],
)
def test_numbers_are_written_down_as_people_type_them(
    client: FlaskClient, amounts: tuple[object, ...], more: dict[str, object], expected: list[int]
) -> None:
    table = new_table(client)
    assert add_numbers(client, table, *amounts, **more).status_code == 303
    assert totals(client, table) == expected


@pytest.mark.parametrize(
    ("amounts", "says"),
    [
        ((1, 0, 0, 0), "add up to 0; \u22121 left to place"),
        ((1, None, None, 0), "do not balance"),
        (("x", 0, 0, 0), "“x” is no whole number"),
        ((2_000_000_000, -2_000_000_000, 0, 0), "No amount may be larger"),
    ],
)
def test_numbers_that_do_not_balance_are_refused(
    client: FlaskClient, amounts: tuple[object, ...], says: str
) -> None:
    table = new_table(client)
    answer = add_numbers(client, table, *amounts)
    assert answer.status_code == 422
    assert says in notice(answer)
    assert totals(client, table) == [0, 0, 0, 0]


def test_who_sits_out_has_no_part_in_the_numbers(client: FlaskClient) -> None:
    table = new_table(client, names="甲乙丙丁戊")
    answer = add_numbers(client, table, 4, -1, -1, 0, -2, out="4")
    assert answer.status_code == 422
    assert "戊 sits out this round" in notice(answer)
    assert (
        add_numbers(
            client, table, None, 1, 1, 1, None, out="4", **{f"side-{n}": "pays" for n in (1, 2, 3)}
        ).status_code
        == 303
    )
    assert totals(client, table) == [3, -1, -1, -1, 0]


SAID: list[tuple[str, dict[str, object], dict[str, object], list[int], str, str]] = [
    ("shihu", {}, {"hu": "13", "flower": "3"}, [-7, 21, -7, -7], "乙 won with 16 胡", "16 胡 − 10 + base points 1 = 7"),
    ("shihu", {}, {"hu": "9"}, [11, -33, 11, 11], "乙 called falsely", "10 + base points 1 = 11"),
    (
        "yaodiren", {"option-base": "2", "stake": "5"}, {"fan": "3"}, [-80, 160, -80], "乙 won with 3 番",
        "base 2 × 8 (3 番, each doubles) = 16",
    ),
    (
        "guangshui", {"option-lou_doubles": "on", "option-jia_at_least": "on"},
        {"hu": "60", "lou": "2", "grand": "on"}, [-5, 10, -5], "乙 won with 60 胡",
        "60 胡 with 2 楼 are a 甲: 5 牌",
    ),
    ("chuanpai", {"option-unit_points": "2"}, {}, [-16, 48, -16, -16], "乙 won with 16 points", "8 groups × 2 = 16"),
    (
        "zipai", {"option-drawer_pays": "on"}, {"hu": "18", "xing": "1", "factor": "4"}, [0, 24, -24],
        "乙 won with 12 颗子", "(2 颗子 + 1 醒) × 4 × stake 1 = 12",
    ),
]  # fmt: skip
"""Rule set, settings of the table, numbers of the count; who gets what, the round's title, a step of the payment."""


@pytest.mark.parametrize(("rules", "settings", "said", "paid", "title", "step"), SAID)
def test_a_count_that_is_said_is_paid_by_the_rules_of_the_table(
    client: FlaskClient,
    rules: str,
    settings: dict[str, object],
    said: dict[str, object],
    paid: list[int],
    title: str,
    step: str,
) -> None:
    table = new_table(client, rules, "甲乙丙丁"[: len(paid)], **settings)
    form = f"{table}/rounds/new?how=numbers"
    values: dict[str, object] = {"winner": "1", "dealer": "0"}
    values |= {f"said-{name}": value for name, value in said.items()}
    if rules == "zipai":
        assert "Say who drew" in notice(send(client, form, values))
        values["drawer"] = "2"
    live = client.post(f"{table}/count", data={**fields_of(page(client, form)), **values}).get_json()
    assert step in " ".join(live["payment"])
    assert live["amounts"] == [
        f"{name}\u00a0{words.signed(n)}" for name, n in zip("甲乙丙丁", paid, strict=False) if n
    ]
    assert send(client, form, values).status_code == 303
    assert totals(client, table) == paid
    shown = plain(page(client, table))
    assert title in shown
    assert step in shown
    again = page(client, f"{table}/rounds/2/edit")
    for name, value in said.items():
        assert re.search(rf'name="said-{name}" (value="{value}"|checked)', again), name
    assert send(client, f"{table}/rounds/2/edit", values | {"winner": "0", "drawer": "2"}).status_code == 303
    assert totals(client, table)[0] == paid[1]
    for ending in ("json", "csv"):
        saved = client.get(f"{table}/export.{ending}")
        back = bring(client, saved.data, f"x.{ending}")
        assert back.status_code == 303, back.text
        assert client.get(f"{back.location}/export.csv").data == client.get(f"{table}/export.csv").data
        assert step in plain(page(client, back.location))


@pytest.mark.parametrize(
    ("said", "language", "says"),
    [
        ({}, "en", "番: a whole number from 0 to 30."),
        ({"said-fan": "31"}, "zh-Hans", "番：要写 0 到 30 的整数。"),
        ({"said-fan": "three"}, "en", "“three” is no whole number."),
        ({"said-fan": "3", "winner": ""}, "en", "Say whose hand it is."),
    ],
)
def test_a_count_that_cannot_be_is_refused_and_kept_in_the_form(
    client: FlaskClient, said: dict[str, object], language: str, says: str
) -> None:
    table = new_table(client, "yaodiren", "甲乙丙")
    client.set_cookie("language", language)
    answer = send(client, f"{table}/rounds/new?how=numbers", {"winner": "1", "dealer": "0", **said})
    assert answer.status_code == 422
    assert notice(answer) == says
    assert 'name="way" value="count"' in answer.text
    assert totals(client, table) == [0, 0, 0]


def test_a_count_asks_only_for_what_its_table_pays_by(client: FlaskClient) -> None:
    table = new_table(client, "guangshui", "甲乙丙", **{"option-pay_by": "胡"})
    form = page(client, f"{table}/rounds/new?how=numbers")
    assert re.findall(r'name="(said-\w+|drawer|fact-\w+)"', form) == ["said-hu"]
    send(client, f"{table}/rounds/new?how=numbers", {"winner": "2", "dealer": "0", "said-hu": "56"})
    assert totals(client, table) == [-56, -56, 112]


@pytest.mark.parametrize(
    ("name", "short"),
    [
        ("外婆", "外婆"),
        ("一二三四五", "一二三四五"),
        ("一二三四五六", "一二三四…"),
        ("Grandma Li", "Grandma Li"),
        ("Grandmother Li", "Grandmoth…"),
    ],
)
def test_names_are_cut_to_fit(name: str, short: str) -> None:
    assert words.short_name(name) == short


def test_zipai_seats_the_opposite_out_of_play(client: FlaskClient) -> None:
    if "zipai" not in scorer.rule_ids():
        pytest.skip("the rule set is not there yet")
    table = new_table(client, rules="zipai")
    assert "丙 sits 坐醒" in page(client, table)
    seats = client.get(f"{table}/table.json").get_json()
    assert (seats["seats"], seats["playing"], seats["next"]["sitter"]) == (4, [0, 1, 3], 2)
    answer = add_numbers(client, table, -2, 4, 0, -2)
    assert answer.status_code == 303
    assert "乙 deals, 丁 sits 坐醒" in plain(page(client, table))


def test_who_sits_opposite_may_be_left_empty(client: FlaskClient) -> None:
    table = new_table(client, rules="zipai")
    answer = add_numbers(client, table, -4, None, None, -4)
    assert answer.status_code == 303, notice(answer)
    assert totals(client, table) == [-4, 8, 0, -4]
    assert add_numbers(client, table, -4, 6, -1, None, dealer="1").status_code == 303
    assert totals(client, table) == [-8, 14, -1, -5], "丁 sits and alone was left empty: the rest goes there"


def test_a_draw_costs_nothing_and_names_who_begins(client: FlaskClient) -> None:
    table = new_table(client)
    assert send(client, f"{table}/rounds/new?how=draw", {"dealer": "0", "last": "3"}).status_code == 303
    text = page(client, table)
    assert "draw" in text
    assert "丁 deals" in text


def test_a_past_round_is_corrected_and_deleted(client: FlaskClient) -> None:
    table = new_table(client)
    add_numbers(client, table, 3, -1, -1, -1)
    add_numbers(client, table, -2, 6, -2, -2)
    edited = send(
        client,
        f"{table}/rounds/2/edit?how=numbers&way=money",
        {f"amount-{n}": a for n, a in enumerate((-1, -1, 3, -1))},
    )
    assert edited.status_code == 303, notice(edited)
    assert totals(client, table) == [-3, 5, 1, -3]
    text = page(client, table)
    assert "corrected" in text
    assert send(client, f"{table}/rounds/2/delete", {}, text).status_code == 303
    assert totals(client, table) == [-2, 6, -2, -2]
    assert page(client, f"{table}/rounds/2/edit", 303) is not None


THIRTY_THREE = (
    "碰(1-1 1-1 1-1) 碰(4-4 4-4 4-4) 碰(1-4 1-4 1-4) 碰(3-3 3-3 3-3) 碰(2-2 2-2 2-2) "
    "吃(1-3 5-5 5-5) 吃(2-2 5-5 5-5)"
)
"""33 陀 where a red card of a 吃 counts 1: one short for a dealer."""


def test_a_correction_says_who_deals_later_rounds_now_and_what_that_changes(client: FlaskClient) -> None:
    table = new_table(client, "yaodiren", "甲乙丙", **{"option-chi_red_tuo": "1"})
    add_numbers(client, table, 2, -1, -1, winner="0")
    send(client, f"{table}/rounds/new?how=hand", {"winner": "1", "hand": THIRTY_THREE, "dealer": "0"})
    before = totals(client, table)
    assert before[1] > 0
    fixed: dict[str, object] = {
        "winner": "1",
        "dealer": "0",
        "amount-0": "-1",
        "amount-1": "2",
        "amount-2": "-1",
    }
    send(client, f"{table}/rounds/2/edit?how=numbers&way=money", fixed)
    said = plain(page(client, table))
    assert "Round 2: by the rule 乙 deals there now. Its hand counts otherwise then" in said
    assert totals(client, table) == [before[0] - 3, before[1] + 3, before[2]]
    mark = "Round 2: by the rule 乙 deals there now. Its hand counts otherwise then"
    assert mark in plain(page(client, table)), "said until the round is corrected"
    send(client, f"{table}/undo", {}, page(client, table))
    assert "Round 2: by the rule 甲 deals there now." in plain(page(client, table))
    send(client, f"{table}/redo", {}, page(client, table))
    assert mark in plain(page(client, table))
    send(client, f"{table}/rounds/3/edit", {"winner": "1", "hand": THIRTY_THREE, "dealer": "0"})
    assert mark not in plain(page(client, table))


def test_a_correction_keeps_the_stake_of_its_round(client: FlaskClient) -> None:
    table = new_table(client, stake="2")
    send(client, f"{table}/rounds/new?how=hand", {"hand": TEN, "winner": "0", "dealer": "0"})
    seen = page(client, f"{table}/settings")
    assert (
        send(client, f"{table}/settings", {"title": "x", "stake": "10", "seats": "4"}, seen).status_code
        == 303
    )
    edit = send(client, f"{table}/rounds/2/edit", {"hand": TEN, "winner": "1", "dealer": "0"})
    assert edit.status_code == 303
    assert totals(client, table) == [-2, 6, -2, -2]


def test_undo_and_redo(client: FlaskClient) -> None:
    table = new_table(client)
    add_numbers(client, table, 3, -1, -1, -1)
    text = page(client, table)
    assert send(client, f"{table}/undo", {}, text).status_code == 303
    assert totals(client, table) == [0, 0, 0, 0]
    after = page(client, table)
    assert "Taken back: Round added" in after
    assert send(client, f"{table}/redo", {}, after).status_code == 303
    assert totals(client, table) == [3, -1, -1, -1]


def test_a_form_sent_twice_counts_once(client: FlaskClient) -> None:
    table = new_table(client)
    seen = page(client, f"{table}/rounds/new?how=numbers&way=money")
    values: dict[str, object] = {f"amount-{n}": a for n, a in enumerate((3, -1, -1, -1))} | {"dealer": "0"}
    first = client.post(f"{table}/rounds/new", data={**fields_of(seen), **values})
    again = client.post(f"{table}/rounds/new", data={**fields_of(seen), **values})
    assert (first.status_code, again.status_code) == (303, 303)
    assert first.location == again.location
    assert totals(client, table) == [3, -1, -1, -1]
    other = client.post(
        f"{table}/rounds/new", data={**fields_of(seen), **values, "amount-0": "6", "amount-1": "-4"}
    )
    assert other.status_code == 409
    assert "already saved with other contents" in notice(other)
    third = client.post(f"{table}/rounds/new", data={**fields_of(other.text), **values})
    assert third.status_code == 303, "the form came back with a new key"


def test_two_browsers_do_not_write_over_each_other(client: FlaskClient) -> None:
    table = new_table(client)
    mine = page(client, f"{table}/rounds/new?how=numbers&way=money")
    add_numbers(client, table, 3, -1, -1, -1)
    values = {f"amount-{n}": a for n, a in enumerate((-1, 3, -1, -1))} | {"dealer": "0"}
    late = client.post(f"{table}/rounds/new", data={**fields_of(mine), **values})
    assert late.status_code == 409
    assert "Somebody else changed this table" in notice(late)
    assert "甲 won" in notice(late), "it says what is new"
    assert client.post(f"{table}/rounds/new", data={**fields_of(late.text), **values}).status_code == 303
    assert totals(client, table) == [2, 2, -2, -2]


def test_seats_can_be_set_by_hand(client: FlaskClient) -> None:
    table = new_table(client, names="甲乙丙丁戊")
    assert "sits out" in page(client, table)
    seen = page(client, f"{table}/seats")
    assert send(client, f"{table}/seats", {"dealer": "4", "out": "0"}, seen).status_code == 303
    text = page(client, table)
    assert "戊 deals" in text
    bad = client.post(
        f"{table}/seats", data={**fields_of(page(client, f"{table}/seats")), "dealer": "0", "out": "0"}
    )
    assert bad.status_code == 303
    assert "甲 sits out and cannot be the dealer" in page(client, table)


def change_people(client: FlaskClient, table: str, **values: object) -> TestResponse:
    seen = fields_of(page(client, f"{table}/seats"), f"{table}/people")
    return client.post(f"{table}/people", data={**seen, "person": "", **values})


def test_people_are_renamed_leave_and_join(client: FlaskClient) -> None:
    table = new_table(client)
    for values in (
        {"what": "rename", "person": "0", "name": "老大"},
        {"what": "away", "person": "1"},
        {"what": "join", "name": "戊"},
    ):
        assert change_people(client, table, **values).status_code == 303
    text = page(client, table)
    assert "老大" in text
    assert "left" in text
    assert totals(client, table) == [0, 0, 0, 0, 0]
    assert change_people(client, table, what="earlier", person="9").status_code == 303
    assert "person" in notice(client.get(table)), "nobody has that number"


def test_somebody_takes_the_seat_of_who_leaves_and_each_keeps_what_was_won(client: FlaskClient) -> None:
    table = new_table(client, rules="zipai")
    add_numbers(client, table, -2, 4, 0, -2)
    assert "乙 deals, 丁 sits 坐醒" in plain(page(client, table))
    assert change_people(client, table, what="join", person="1", name="戊").status_code == 303
    now = client.get(f"{table}/table.json").get_json()
    assert (now["order"], now["totals"]) == ([0, 1, 4, 2, 3], [-2, 4, 0, -2, 0])
    assert (now["next"]["dealer"], now["next"]["sitter"], now["playing"]) == (4, 3, [0, 4, 2])
    assert "戊 deals, 丁 sits 坐醒" in plain(page(client, table))
    assert "戊 took the seat of 乙" in page(client, f"{table}/log")
    assert change_people(client, table, what="earlier", person="3").status_code == 303
    now = client.get(f"{table}/table.json").get_json()
    assert (now["order"], now["next"]["sitter"]) == ([0, 1, 4, 3, 2], 2)
    assert sum(totals(client, table)) == 0


def test_a_round_of_somebody_who_left_can_be_corrected(client: FlaskClient) -> None:
    table = new_table(client)
    assert (
        send(client, f"{table}/rounds/new?how=hand", {"hand": TEN, "winner": "1", "dealer": "0"}).status_code
        == 303
    )
    change_people(client, table, what="join", person="1", name="戊")
    seen = page(client, f"{table}/rounds/2/edit")
    assert 'name="winner" value="1" checked' in seen
    assert 'name="winner" value="4"' not in seen, "who came later was not there"
    count = client.post(
        f"{table}/count?round=2", data={**fields_of(seen), "hand": TEN, "winner": "1", "dealer": "0"}
    ).get_json()
    assert count["amounts"] == ["甲\u00a0−1", "乙\u00a0+3", "丙\u00a0−1", "丁\u00a0−1"]
    edited = send(client, f"{table}/rounds/2/edit", {"hand": EIGHT, "winner": "1", "dealer": "0"})
    assert edited.status_code == 303, notice(edited)
    assert totals(client, table) == [11, -33, 11, 11, 0]


def test_settling_up_shows_the_fewest_payments(client: FlaskClient) -> None:
    table = new_table(client)
    add_numbers(client, table, 5, -5, 7, -7)
    text = re.sub(r"<[^>]+>|\s+", " ", page(client, f"{table}/settle"))
    assert re.search(r"乙\s+pays\s+5\s+to\s+甲", text)
    assert re.search(r"丁\s+pays\s+7\s+to\s+丙", text)


def test_the_log_tells_everything(client: FlaskClient) -> None:
    table = new_table(client)
    add_numbers(client, table, 3, -1, -1, -1)
    send(client, f"{table}/undo", {}, page(client, table))
    text = page(client, f"{table}/log")
    assert "Table made for 4 people" in text
    assert "Round added: 甲 won" in text
    assert "Taken back: Round added: 甲 won" in text


def test_a_table_is_deleted_only_when_sure(client: FlaskClient) -> None:
    table = new_table(client)
    assert send(client, f"{table}/delete", {}).status_code == 303
    assert totals(client, table) == [0, 0, 0, 0]
    assert send(client, f"{table}/delete", {"sure": "on"}).status_code == 303
    page(client, table, 404)


# --- what the scan page hands over ------------------------------------------------------------------------


def token(client: FlaskClient) -> dict[str, str]:
    found = re.search(r'name="csrf-token" content="([^"]+)"', page(client, "/games"))
    assert found
    return {"X-CSRFToken": found.group(1)}


def picture(colour: str, size: tuple[int, int] = (80, 120), kind: str = "PNG") -> str:
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E] = "where it was taken"
    Image.new("RGB", size, colour).save(out, kind, exif=exif)
    return f"data:image/{kind.lower()};base64," + base64.b64encode(out.getvalue()).decode()


def hand_over(client: FlaskClient, table: str, **more: object) -> TestResponse:
    body = {
        "key": "0123456789",
        "base": 1,
        "rules": "shihu",
        "hand": TEN,
        "facts": {},
        "winner": 1,
        "total": 10,
    }
    return client.post(f"{table}/rounds", json={**body, **more}, headers=token(client))


def test_the_scan_page_learns_of_the_tables(client: FlaskClient) -> None:
    table = new_table(client, stake="3")
    known = client.get("/games/tables.json").get_json()["tables"]
    assert known == [client.get(f"{table}/table.json").get_json()]
    assert known[0]["people"][0] == {"name": "甲", "away": False}
    assert known[0]["next"] == {"dealer": 0, "sitter": None, "out": []}
    assert (known[0]["rules"], known[0]["version"], known[0]["playing"]) == ("shihu", 1, [0, 1, 2, 3])


def test_a_counted_hand_is_handed_over_once(client: FlaskClient) -> None:
    table = new_table(client)
    first = hand_over(client, table)
    assert first.status_code == 201, first.text
    assert first.get_json()["url"] == table
    again = hand_over(client, table)
    assert again.status_code == 200
    assert again.get_json()["repeated"]
    assert totals(client, table) == [-1, 3, -1, -1]


def test_pictures_are_kept_small_and_without_exif(client: FlaskClient) -> None:
    table = new_table(client)
    crops = [
        {"code": "rK", "image": picture("red", (300, 450))},
        {"code": "rA", "image": picture("blue", kind="JPEG")},
    ]
    assert hand_over(client, table, crops=crops).status_code == 201
    links = re.findall(rf'src="({table}/crops/[0-9a-f]+\.jpg)"', page(client, table))
    assert len(links) == 2
    for link in links:
        with Image.open(io.BytesIO(client.get(link).data)) as kept_picture:
            assert kept_picture.format == "JPEG"
            assert max(kept_picture.size) <= 160
            assert not kept_picture.getexif()
    assert client.get(f"{table}/crops/{'0' * 64}.jpg").status_code == 404


def test_a_correction_keeps_the_pictures_of_the_cards_that_stay(client: FlaskClient) -> None:
    table = new_table(client)
    crops = [{"code": code, "image": picture("red")} for code in ("rK", "yN", "yN", "yN")]
    assert hand_over(client, table, crops=crops).status_code == 201
    seen = page(client, f"{table}/rounds/2/edit")
    assert seen.count("/crops/") == 4
    hand = TEN.replace("yN", "wP", 1)
    assert (
        send(client, f"{table}/rounds/2/edit", {"hand": hand, "winner": "1", "dealer": "0"}).status_code
        == 303
    )
    assert page(client, table).count("/crops/") == 3


@pytest.mark.parametrize(
    ("more", "status", "code"),
    [
        ({"base": 0}, 409, "conflict"),
        ({"total": 11}, 409, "counted_otherwise"),
        ({"winner": None}, 422, "no_winner"),
        ({"winner": 9}, 422, "bad_winner"),
        ({"rules": "zipai"}, 422, "bad_field"),
        ({"hand": "rK"}, 422, "wrong_card_count"),
        ({"hand": 7}, 422, "bad_field"),
        ({"facts": {"nonsense": 1}}, 422, "unknown_fact"),
        ({"key": "x"}, 422, "bad_key"),
        ({"base": "1"}, 422, "bad_field"),
        ({"seating": {"dealer": "甲"}}, 422, "bad_field"),
        ({"crops": [{"code": "zz", "image": "data:image/png;base64,AA=="}]}, 422, "bad_field"),
        ({"crops": [{"code": "rK", "image": "data:image/png;base64,AA=="}]}, 422, "bad_picture"),
        ({"crops": [{"code": "rK", "image": "http://elsewhere/x.png"}]}, 422, "bad_picture"),
        ({"crops": [{"code": "rK", "image": picture("red", (4000, 4000))}]}, 422, "bad_picture"),
    ],
)
def test_a_hand_over_that_does_not_fit_is_an_error_object(
    client: FlaskClient, more: dict[str, object], status: int, code: str
) -> None:
    table = new_table(client)
    answer = hand_over(client, table, **more)
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (status, code)
    assert answer.get_json()["error"]["message"]
    assert totals(client, table) == [0, 0, 0, 0]


B_01 = "碰(b5 b5 b5) 偎(b6 b6 b6) s1 s2 s3 s2 s7 s10 s4 s5 s6 s8 s8 b8 s9 s9 !b9"
"""RULES B-01: one 颗子."""


def test_where_the_drawer_pays_alone_that_one_must_be_named(client: FlaskClient) -> None:
    table = new_table(client, "zipai", "甲乙丙", **{"option-drawer_pays": "on"})
    hand = {"rules": "zipai", "hand": B_01, "total": 1, "winner": 1}
    refused = hand_over(client, table, **hand)
    assert (refused.status_code, refused.get_json()["error"]["code"]) == (422, "no_drawer")
    assert hand_over(client, table, **hand, drawer="甲").get_json()["error"]["code"] == "bad_field"
    assert hand_over(client, table, **hand, drawer=1).get_json()["error"]["code"] == "bad_drawer"
    assert hand_over(client, table, **hand, drawer=2).status_code == 201
    assert totals(client, table) == [0, 2, -2]
    assert "丙 drew the winning card" in plain(page(client, table))
    drawn = {**hand, "facts": {"self_drawn": True}, "total": 2, "key": "0123456799", "base": 2}
    assert hand_over(client, table, **drawn).status_code == 201
    assert totals(client, table) == [-2, 6, -4]


def test_a_conflict_tells_the_new_version(client: FlaskClient) -> None:
    table = new_table(client)
    assert hand_over(client, table, base=0).get_json()["version"] == 1
    assert hand_over(client, table, total=99).get_json()["score"]["total"] == 10


def test_scripts_are_told_why_a_table_or_its_settings_are_refused(client: FlaskClient) -> None:
    hidden = fields_of(page(client, "/games/new?rules=shihu"))
    names = {"name-0": "甲", "name-1": "甲", "stake": "1"}
    made = client.post("/games/new", data={**hidden, **names}, headers={"Accept": "application/json"})
    assert (made.status_code, made.get_json()["error"]["sentence"][:17]) == (422, "Two people are ca")
    settings = f"{new_table(client)}/settings"
    asked = {**fields_of(page(client, settings), settings), "stake": "0"}
    refused = client.post(settings, data=asked, headers={"Accept": "application/json"})
    assert (refused.status_code, "stake" in refused.get_json()["error"]["sentence"]) == (422, True)


def test_changes_need_a_token(client: FlaskClient) -> None:
    table = new_table(client)
    assert client.post(f"{table}/rounds", json={}).status_code == 400
    assert client.post(f"{table}/undo", data={}).status_code == 400


@pytest.mark.parametrize(
    "path", ["", "/table.json", "/version.json", "/settle", "/log", "/seats", "/settings", "/rounds/new"]
)
def test_an_unknown_table_is_not_found(client: FlaskClient, path: str) -> None:
    assert client.get(f"/games/nothing{path}").status_code == 404


# --- files ------------------------------------------------------------------------------------------------


def evening(client: FlaskClient) -> str:
    """A table with everything in it."""
    table = new_table(client, names="甲乙丙丁戊", stake="2", title='=周末, "好"')
    crops = [{"code": "rK", "image": picture("red")}]
    assert hand_over(client, table, crops=crops, note="+自摸").status_code == 201
    add_numbers(client, table, 4, -4, 0, 0, out="4")
    send(client, f"{table}/rounds/new?how=draw", {"dealer": "1", "last": "2", "out": "0"})
    add_numbers(client, table, 1, -1, 0, 0, out="4")
    send(client, f"{table}/undo", {}, page(client, table))
    change_people(client, table, what="away", person="3")
    return table


def bring(client: FlaskClient, data: bytes, name: str = "x.json") -> TestResponse:
    values: dict[str, object] = {"file": (io.BytesIO(data), name)}
    return send(client, "/games/import", values)


def state(client: FlaskClient, table: str) -> tuple[object, ...]:
    with client.application.app_context():
        ledger = tables.ledger(kept.store(), table.rsplit("/", 1)[1])
    return (
        ledger.settings,
        ledger.people,
        ledger.totals,
        ledger.coming,
        [(p.at_ms, p.round) for p in ledger.rounds],
    )


def test_json_brings_the_whole_table_back(client: FlaskClient) -> None:
    table = evening(client)
    saved = client.get(f"{table}/export.json")
    assert "attachment" in saved.headers["Content-Disposition"]
    answer = bring(client, saved.data)
    assert answer.status_code == 303, notice(answer)
    assert answer.location != table
    assert state(client, answer.location) == state(client, table)
    assert client.get(f"{answer.location}/export.json").data == saved.data
    assert "/crops/" in page(client, answer.location)


def coded_csv(client: FlaskClient, table: str) -> str:
    """The table as a CSV file in codes."""
    with client.application.app_context():
        return sheet.csv_text(sheet.to_rows(tables.ledger(kept.store(), table.rsplit("/", 1)[1])))


@pytest.mark.parametrize(
    ("language", "head", "cells"),
    [
        ("zh-Hans", "行,时间", ["十胡", "牌局", "红将 红士 红象", "人数 = 4", "押点 = 1", "记数"]),
        ("zh-Hant", "行,時間", ["十胡", "牌局", "紅將 紅士 紅象", "人數 = 4", "押點 = 1", "記數"]),
        (
            "en",
            "Line,Time",
            ["Ten Hu", "table", "red general, red advisor", "Players = 4", "points (押点) = 1", "By numbers"],
        ),
    ],
)
def test_csv_brings_the_rounds_back_from_every_language(
    client: FlaskClient, language: str, head: str, cells: list[str]
) -> None:
    table = evening(client)
    client.set_cookie("language", language)
    saved = client.get(f"{table}/export.csv")
    assert saved.text.startswith("\ufeff" + head)
    assert [cell for cell in cells if cell not in saved.text] == []
    assert "rK" not in saved.text
    assert "'=周末" in saved.text, "no cell begins like a formula"
    client.set_cookie("language", "en" if language != "en" else "zh-Hant")
    answer = bring(client, saved.data, "x.csv")
    assert answer.status_code == 303, notice(answer)
    assert state(client, answer.location)[:4] == state(client, table)[:4]
    client.set_cookie("language", language)
    assert client.get(f"{answer.location}/export.csv").data == saved.data


@pytest.mark.parametrize("rules", ["yaodiren", "zipai", "chuanpai", "guangshui", "shihu"])
@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant", "en"])
def test_every_card_and_house_rule_of_a_csv_is_read_again(app: Flask, rules: str, language: str) -> None:
    game = scorer.rule_set(rules)
    hand = (
        "碰("
        + " ".join(face.code for face in scorer.deck(game.deck).faces)
        + ") !"
        + scorer.deck(game.deck).faces[-1].code
    )
    for choose in (0, -1):
        options = {
            one.name: (one.choices or ((True, False) if one.type == "bool" else (3, 5)))[choose]
            for one in game.options
        }
        cells = {
            "row": "round",
            "rules": rules,
            "hand": hand,
            "options": json.dumps(options, ensure_ascii=False, sort_keys=True),
        }
        row = [cells.get(name, "") for name in sheet.COLUMNS]
        with app.test_request_context():
            said = sheet_words.worded([[*sheet.COLUMNS], row], language)
            assert sheet_words.coded(said) == [[*sheet.COLUMNS], row]


@pytest.mark.parametrize("rules", scorer.rule_ids())
def test_a_choice_of_a_house_rule_is_a_word_of_the_language(client: FlaskClient, rules: str) -> None:
    script = (Path(webui.__file__).parent / "static/js/facts.js").read_text("utf-8")
    for option in scorer.rule_set(rules).options:
        for choice in option.choices:
            if isinstance(choice, str) and choice.isascii():
                assert f"  {choice}: _(" in script
    table = new_table(client, rules)
    client.set_cookie("language", "zh-Hans")
    settings = page(client, f"{table}/settings").split('id="option-', 1)[-1]
    for label, shown in re.findall(
        r'<label for="option-[^>]*>([^<]+)|<option value="[^"]*"[^>]*>([^<]+)<', settings
    ):
        assert not re.search("[a-z]", label + shown), label + shown


def test_csv_in_codes_is_read_also_from_before_it_noted_who_drew_the_card(client: FlaskClient) -> None:
    table = evening(client)
    text = coded_csv(client, table)
    assert text.startswith("\ufeffrow,time,")
    place = sheet.COLUMNS.index("drawer")
    rows = sheet.rows_in(text)
    older = sheet.csv_text([row[:place] + row[place + 1 :] for row in rows])
    for one in (text, older):
        answer = bring(client, one.encode(), "x.csv")
        assert answer.status_code == 303, notice(answer)
        assert state(client, answer.location)[:4] == state(client, table)[:4]
        assert coded_csv(client, answer.location) == text


@pytest.mark.parametrize("ending", ["json", "csv"])
def test_files_keep_who_sits_where(client: FlaskClient, ending: str) -> None:
    table = new_table(client)
    add_numbers(client, table, 3, -1, -1, -1)
    change_people(client, table, what="join", person="1", name="戊")
    change_people(client, table, what="earlier", person="3")
    add_numbers(client, table, -2, None, 4, -1, -1, out="1")
    saved = client.get(f"{table}/export.{ending}")
    answer = bring(client, saved.data, f"x.{ending}")
    assert answer.status_code == 303, notice(answer)
    by_name: list[object] = []
    for one in (table, answer.location):
        now = client.get(f"{one}/table.json").get_json()
        names = [person["name"] for person in now["people"]]
        coming = {role: now["next"][role] and names[now["next"][role]] for role in ("dealer", "sitter")}
        by_name.append(
            ([names[number] for number in now["order"]], dict(zip(names, now["totals"], strict=True)), coming)
        )
    assert by_name[0] == by_name[1]
    assert by_name[0][0] == ["甲", "乙", "戊", "丁", "丙"]  # type: ignore[index]
    assert client.get(f"{answer.location}/export.csv").text == client.get(f"{table}/export.csv").text


def broken_json(client: FlaskClient, table: str, *path: object, value: object) -> bytes:
    body = client.get(f"{table}/export.json").get_json()
    place = body
    for step in path[:-1]:
        place = place[step]
    place[path[-1]] = value
    return json.dumps(body).encode()


@pytest.mark.parametrize(
    ("path", "value", "says"),
    [
        (("format",), "other", "no table that paiyan saved"),
        (("version",), 2, "newer paiyan"),
        (("events", 1, "seq"), 7, "number 7 is out of place"),
        (("events", 1, "kind"), "cheat", "no event of the kind"),
        (("events", 1, "body", "round", "amounts"), [1, 1, 0, -2, 0], "not those that the hand comes to"),
        (("events", 2, "body", "round", "amounts"), [1, 1, 0, 0, 0], "\u22122 left to place"),
        (("events", 1, "body", "round", "counted", "score", "lines"), [{"name": 1}], "missing or is not"),
        (("events", 1, "body", "round", "counted", "crops", 0, "code"), "zz", "missing or is not"),
        (("events", 0, "body", "rules"), "poker", "no game “poker”"),
        (("events", 0, "body", "settings", "seats"), 8, "not played by 8"),
        (
            ("events", 1, "body", "round", "counted", "score", "payment"),
            [{"code": "x", "numbers": {}}],
            "payment",
        ),
        (("crops",), {}, "picture of a card is missing"),
        (("crops",), {"0" * 64: "AAAA"}, "picture of a card can't be read"),
    ],
)
def test_a_json_file_that_does_not_fit_brings_nothing(
    client: FlaskClient, path: tuple[object, ...], value: object, says: str
) -> None:
    table = evening(client)
    answer = bring(client, broken_json(client, table, *path, value=value))
    assert answer.status_code == 422
    assert says in notice(answer)
    with client.application.app_context():
        assert tables.count(kept.store()) == 1


@pytest.mark.parametrize(
    ("old", "new", "says"),
    [
        ("round,", "cheat,", "Line 3 of the file"),
        (",4,-4,", ",5,-4,", "Line 4 of the file: What is won and what is paid must add up to 0"),
        (",10,", ",11,", "The hand counts 10, but the file says 11"),
        ("rK rA", "rK rK", "Line 3 of the file"),
        ("total,", "sum,", "no table that paiyan saved"),
        ("shihu", "poker", "no game “poker”"),
        ("甲,乙", "甲,甲", "Two people are called"),
    ],
)
def test_a_csv_file_that_does_not_fit_brings_nothing(
    client: FlaskClient, old: str, new: str, says: str
) -> None:
    table = evening(client)
    text = coded_csv(client, table)
    assert old in text
    answer = bring(client, text.replace(old, new, 1).encode(), "x.csv")
    assert answer.status_code == 422, answer.location
    assert says in notice(answer)


@pytest.mark.parametrize(
    ("data", "says"),
    [
        (b"", "Choose a file"),
        (b"\xff\xfe\x00", "no table that paiyan saved"),
        (b"{" * 100_000, "no table that paiyan saved"),
        (b"a,b\n1,2\n", "no table that paiyan saved"),
        (b'"', "no table that paiyan saved"),
        (b"row,\x00", "no table that paiyan saved"),
    ],
)
def test_a_file_that_is_no_table_is_refused(client: FlaskClient, data: bytes, says: str) -> None:
    answer = bring(client, data)
    assert answer.status_code == 422
    assert says in notice(answer)


@pytest.mark.parametrize("language", ["zh-Hans", "zh-Hant", "en"])
def test_every_view_answers_in_every_language(client: FlaskClient, language: str) -> None:
    table = evening(client)
    client.set_cookie("language", language)
    for path in ("/games", "/games/new", "/games/new?rules=shihu", "/games/import"):
        page(client, path)
    for path in ("", "/settle", "/log", "/seats", "/settings", "/delete", "/rounds/2/edit", "/rounds/new"):
        text = page(client, table + path)
        assert f'<html lang="{language}"' in text
        assert "style=" not in text
        assert not re.search(r"<script(?![^>]*src=)", text)
        assert not re.search(r"\son[a-z]+=", text)
    for how in ("hand", "numbers", "numbers&way=money", "draw"):
        page(client, f"{table}/rounds/new?how={how}")
