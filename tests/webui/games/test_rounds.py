"""Rounds written down in a table's room: by the hand, by numbers, by what was counted, and draws."""

import re

import pytest
from flask.testing import FlaskClient

import scorer
from tests.webui.games.forms import (
    EIGHT,
    TEN,
    add_numbers,
    bring,
    fields_of,
    new_table,
    notice,
    page,
    plain,
    send,
    totals,
)
from webui.games import words


def test_a_hand_is_counted_and_written_down(client: FlaskClient) -> None:
    table = new_table(client, stake="5")
    answer = send(client, f"{table}/rounds/new?how=hand", {"hand": TEN, "winner": "1", "dealer": "0"})
    assert answer.status_code == 303, notice(answer)
    assert totals(client, table) == [-5, 15, -5, -5]
    text = page(client, table)
    assert "Each pays: 10 胡 − 10 + base points 1 = 1" in plain(text)
    assert "1 × stake 5 = 5" in text
    assert "乙 won with 10" in text
    assert "乙 deals" in text, "the winner begins the next round"


def test_a_false_call_pays(client: FlaskClient) -> None:
    table = new_table(client)
    send(client, f"{table}/rounds/new?how=hand", {"hand": EIGHT, "winner": "2", "dealer": "0"})
    assert totals(client, table) == [11, 11, -33, 11]
    assert "丙 called falsely" in page(client, table)


def test_the_form_of_a_false_call_begins_with_what_the_house_rules_say(client: FlaskClient) -> None:
    for rules, each in (("shihu", "5.5"), ("zipai", "")):
        table = new_table(client, rules=rules, names="甲乙丙", stake="0.5")
        field = re.search(
            r'<input [^>]*id="each"[^>]*>', page(client, f"{table}/rounds/new?how=numbers&way=false")
        )
        assert field
        assert f'value="{each}"' in field[0]


@pytest.mark.parametrize(
    ("language", "named"),
    [
        ("zh-Hans", "碰(黄马 黄马 黄马) 红将"),
        ("zh-Hant", "碰(黃馬 黃馬 黃馬) 紅將"),
        ("en", "碰(yellow horse, yellow horse, yellow horse), red general"),
        ("vi", "碰(mã vàng, mã vàng, mã vàng), tướng đỏ"),
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
        ((1, 0, 0, 0), "add up to 0; 1 too much"),
        ((1, None, None, 0), "do not balance"),
        (("x", 0, 0, 0), "“x” is no amount"),
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
        assert "Say who gave" in notice(send(client, form, values))
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
