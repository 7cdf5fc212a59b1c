"""What makes writing rounds down quick and safe: a stake of half a yuan, numbers, files that are known again."""

from __future__ import annotations

import re
from decimal import Decimal
from urllib.parse import unquote

import pytest
from flask.testing import FlaskClient

import scorer
from tests.webui.games.forms import (
    TEN,
    add_numbers,
    bring,
    evening,
    new_table,
    notice,
    page,
    plain,
    send,
    totals,
)
from webui.games.asked import BadMoney, parse_money


@pytest.mark.parametrize(
    ("typed", "amount"),
    [
        ("0.5", Decimal("0.5")),
        ("０，５", Decimal("0.5")),
        ("½", Decimal("0.5")),
        ("1½", Decimal("1.5")),
        ("−2.50", Decimal("-2.5")),
        ("+3", 3),
        ("3.00", 3),
        ("", None),
    ],
)
def test_money_is_read_as_people_type_it(typed: str, amount: object) -> None:
    assert parse_money(typed) == amount


@pytest.mark.parametrize("typed", ["1.234", "x", ".", "1/2", "1e3", "--1", "1" * 11])
def test_what_is_no_money_is_refused(typed: str) -> None:
    with pytest.raises(BadMoney):
        parse_money(typed)


def test_a_stake_of_half_a_yuan_pays_exactly_and_comes_back_from_every_file(client: FlaskClient) -> None:
    table = new_table(client, stake="0.1")
    for _ in range(3):
        send(client, f"{table}/rounds/new?how=hand", {"hand": TEN, "winner": "0", "dealer": "0"})
    assert totals(client, table) == [Decimal("0.9"), Decimal("-0.3"), Decimal("-0.3"), Decimal("-0.3")]
    add_numbers(client, table, "1.25", "-0.5", "-0.75", 0)
    assert totals(client, table) == [Decimal("2.15"), Decimal("-0.8"), Decimal("-1.05"), Decimal("-0.3")]
    text = plain(page(client, table))
    assert "1 × stake 0.1 = 0.1" in text
    assert "+2.15" in text
    assert "pays 1.05" in plain(page(client, f"{table}/settle"))
    for ending in ("json", "csv"):
        saved = client.get(f"{table}/export.{ending}")
        answer = bring(client, saved.data, f"x.{ending}")
        assert answer.status_code == 303, notice(answer)
        assert totals(client, answer.location) == totals(client, table)
        assert client.get(f"{answer.location}/export.{ending}").data == saved.data


@pytest.mark.parametrize("rules", scorer.rule_ids())
def test_where_two_stakes_multiply_the_same_one_is_asked_for(client: FlaskClient, rules: str) -> None:
    form = page(client, f"/games/new?rules={rules}")
    worth = [option for option in scorer.rule_set(rules).options if option.multiplies]
    assert form.count('name="stake"') == 1
    for option in worth:
        assert f'name="option-{option.name}"' not in form
        assert f'<label for="stake">{option.label.en}' in form
        said = {one.name: max(one.default or 0, one.least) for one in scorer.rule_set(rules).said}
        said |= {"tusac": {"lenh": 4}, "guangshui": {"hu": 43}}.get(rules, {})
        once, twice = (
            scorer.payment_json(rules, scorer.pay(rules, said, {}, {option.name: times}))["settlement"]
            for times in (1, 2)
        )
        assert [2 * one for one in once] == twice, "it multiplies"


def test_an_older_table_with_both_stakes_shows_and_keeps_their_product(client: FlaskClient) -> None:
    table = new_table(client, rules="zipai", names="甲乙丙", stake="5", **{"option-stake": "2"})
    form = page(client, f"{table}/settings")
    assert re.search('id="stake"[^>]*value="10"', form)
    send(client, f"{table}/settings", {"stake": "10", "seats": "3", "dealer_rule": "game", "title": "t"})
    said: dict[str, object] = {
        "winner": "0",
        "dealer": "0",
        "said-hu": "15",
        "said-xing": "0",
        "said-factor": "1",
    }
    send(client, f"{table}/rounds/new?how=numbers", said)
    assert totals(client, table) == [20, -10, -10]


def test_rounds_are_numbered_where_they_are_corrected_deleted_and_saved(client: FlaskClient) -> None:
    table = new_table(client)
    for amount in (1, 2):
        add_numbers(client, table, amount, -amount, 0, 0)
    assert "Correct round 2" in page(client, f"{table}/rounds/3/edit")
    shown = page(client, table)
    assert "Yes, delete round 2" in shown
    assert "Round 2," in client.get(f"{table}/export.csv").text
    send(client, f"{table}/rounds/3/delete", {}, shown)
    assert "Round 2 deleted" in page(client, table)


def test_the_same_file_twice_is_noticed(client: FlaskClient) -> None:
    table = evening(client)
    for ending in ("json", "csv"):
        saved = client.get(f"{table}/export.{ending}").data
        refused = bring(client, saved, f"x.{ending}", again=False)
        assert refused.status_code == 422
        assert "This table is here already" in notice(refused)
        assert re.search('class="notice error".*?href="/games/', refused.text, re.DOTALL)
        assert bring(client, saved, f"x.{ending}").status_code == 303


@pytest.mark.parametrize(
    ("title", "file"), [("周末打牌", "周末打牌 "), ('a/b:c*"d"', "a b c d"), ("..", "paiyan ")]
)
def test_files_are_named_after_the_table(client: FlaskClient, title: str, file: str) -> None:
    table = new_table(client, title=title)
    said = unquote(client.get(f"{table}/export.json").headers["Content-Disposition"])
    name = said.split("filename*=UTF-8''")[-1] if "filename*" in said else said.split('filename="')[-1]
    assert re.match(re.escape(file.split()[0]), name)
    assert not set(name.rstrip('"')) & set('/\\:*?<>|"')


def test_the_table_page_takes_a_round_by_its_number(client: FlaskClient) -> None:
    table = new_table(client)
    seen = page(client, table)
    assert re.findall('data-usual="([0-9]+)"', seen) == ["10", "11", "12", "13", "14", "15"]
    send(client, f"{table}/rounds/new", {"winner": "1", "said-hu": "23", "said-flower": "0"}, seen)
    assert totals(client, table) == [-14, 42, -14, -14]
    assert "23" in re.findall('data-usual="([0-9]+)"', page(client, table))


def test_who_sat_at_any_of_the_last_tables_is_offered(client: FlaskClient) -> None:
    new_table(client, names="甲乙丙丁")
    new_table(client, rules="zipai", names="乙丙戊")
    names = re.findall('data-known="([^"]+)"', page(client, "/games/new?rules=chuanpai"))
    assert names == ["乙", "丙", "戊", "甲", "丁"]


def test_a_wrong_field_is_named_as_the_page_calls_it(client: FlaskClient) -> None:
    table = new_table(client)
    values: dict[str, object] = {"stake": "1", "seats": "4", "dealer_rule": "never", "title": "t"}
    assert "“Who deals next” is missing" in notice(send(client, f"{table}/settings", values))
