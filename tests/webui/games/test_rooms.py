"""The games room through the browser's eyes: tables, rounds, taking back."""

import re
from html import unescape

import pytest
from flask.testing import FlaskClient

from tests.webui.games.forms import (
    EIGHT,
    TEN,
    add_numbers,
    change_people,
    evening,
    fields_of,
    new_table,
    notice,
    page,
    plain,
    send,
    totals,
)
from tests.webui.page import LANGUAGES
from webui.games import words


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
        ({"stake": "0"}, "stake is a number from 0.01"),
        ({"stake": "1.555"}, "“1.555” is no amount"),
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


def test_a_new_table_of_a_game_without_points_asks_what_a_group_is_worth(client: FlaskClient) -> None:
    form = page(client, "/games/new?rules=chuanpai")
    assert "option-unit_points" not in form, "the stake multiplies the same"
    assert re.search('<label for="stake">Points for each unit.*?id="stake"[^>]*value="1"', form, re.DOTALL)
    table = new_table(client, rules="chuanpai", **{"option-unit_points": "0", "option-fives_tens": "on"})
    assert "nothing is set, so nobody pays" in page(client, table)
    hand = "1-1 4-4 6-6 2-6 1-3 1-5 2-2 3-3 5-6 4-5 1-4 2-3 4-6 5-5 1-2 1-6"
    send(client, f"{table}/rounds/new?how=hand", {"hand": hand, "winner": "0", "dealer": "0"})
    assert "What a group is worth is not set" in page(client, table)
    paying = new_table(client, rules="chuanpai", **{"option-unit_points": "2", "option-fives_tens": "on"})
    send(client, f"{paying}/rounds/new?how=hand", {"hand": hand, "winner": "0", "dealer": "0"})
    assert totals(client, paying) == [48, -16, -16, -16]
    assert "Each pays: 8 groups × 2 = 16" in page(client, paying)


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
    assert "Undone: Round added" in after
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
    assert "“Name”" in notice(client.get(table)), "nobody has that number"


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
    assert "Undone: Round added: 甲 won" in text


def test_a_table_is_deleted_only_when_sure(client: FlaskClient) -> None:
    table = new_table(client)
    assert send(client, f"{table}/delete", {}).status_code == 303
    assert totals(client, table) == [0, 0, 0, 0]
    assert send(client, f"{table}/delete", {"sure": "on"}).status_code == 303
    page(client, table, 404)


def test_changes_need_a_token(client: FlaskClient) -> None:
    table = new_table(client)
    assert client.post(f"{table}/rounds", json={}).status_code == 400
    assert client.post(f"{table}/undo", data={}).status_code == 400


@pytest.mark.parametrize(
    "path", ["", "/table.json", "/version.json", "/settle", "/log", "/seats", "/settings", "/rounds/new"]
)
def test_an_unknown_table_is_not_found(client: FlaskClient, path: str) -> None:
    assert client.get(f"/games/nothing{path}").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
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
