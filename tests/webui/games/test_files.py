"""Tables as files: saved, brought back whole, refused where they do not fit."""

import csv
import io
import json
import re

import pytest
from flask import Flask
from flask.testing import FlaskClient

import scorer
from tests.hostile.tables import a_log, wounded_tables
from tests.webui.games.forms import (
    add_numbers,
    bring,
    change_people,
    evening,
    new_table,
    notice,
    page,
    send,
    totals,
)
from tests.webui.page import LANGUAGES
from webui.games import sheet_words
from webui.ledger import sheet
from webui.ledger.fold import fold
from webui.ledger.sheet import csv_text, to_rows
from webui.ledger.sheet_reader import rows_in
from webui.store import kept, tables


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


def test_a_false_call_by_numbers_is_named_in_the_csv_and_comes_back(client: FlaskClient) -> None:
    table = new_table(client)
    said: dict[str, object] = {"winner": "2", "dealer": "0", "each": "11"}
    assert send(client, f"{table}/rounds/new?how=numbers&way=false", said).status_code == 303
    text = client.get(f"{table}/export.csv").data.decode("utf-8-sig")
    assert ",False call (相公)," in text
    answer = bring(client, text.encode(), "table.csv")
    assert answer.status_code == 303, notice(answer)
    assert totals(client, answer.location) == totals(client, table) == [11, 11, -33, 11]
    assert state(client, answer.location) == state(client, table)


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
        ("vi", "Dòng,Giờ", ["Ten Hu", "bàn", "tướng đỏ, sĩ đỏ, tượng đỏ", "Players = 4", "Ghi bằng số"]),
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
@pytest.mark.parametrize("language", LANGUAGES)
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
    for option in scorer.rule_set(rules).options:
        asked = {choice for choice in option.choices if isinstance(choice, str) and choice.isascii()}
        assert set(option.words) == asked
        for said in option.words.values():
            assert {"zh-Hans", "zh-Hant", "en"} <= set(said.by_language)
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
    rows = rows_in(text)
    older = sheet.csv_text([row[:place] + row[place + 1 :] for row in rows])
    for one in (text, older):
        answer = bring(client, one.encode(), "x.csv")
        assert answer.status_code == 303, notice(answer)
        assert state(client, answer.location)[:4] == state(client, table)[:4]
        assert coded_csv(client, answer.location) == text


def resaved(text: str, encoding: str, separator: str) -> bytes:
    """A CSV file as a spreadsheet saves it again, cells set apart otherwise."""
    out = io.StringIO()
    csv.writer(out, delimiter=separator, lineterminator="\r\n").writerows(rows_in(text))
    return out.getvalue().encode(encoding)


@pytest.mark.parametrize(
    ("language", "encoding", "separator"),
    [
        ("zh-Hans", "gb18030", ","),
        ("zh-Hans", "utf-8", ";"),
        ("zh-Hans", "utf-16", "\t"),
        ("zh-Hant", "big5hkscs", ","),
        ("zh-Hant", "gb18030", "\t"),
        ("en", "utf-16", ";"),
    ],
)
def test_csv_that_went_through_a_spreadsheet(
    client: FlaskClient, language: str, encoding: str, separator: str
) -> None:
    table = evening(client)
    client.set_cookie("language", language)
    saved = client.get(f"{table}/export.csv")
    answer = bring(client, resaved(saved.text, encoding, separator), "x.csv")
    assert answer.status_code == 303, notice(answer)
    assert client.get(f"{answer.location}/export.csv").text == saved.text


def test_csv_with_the_times_of_a_chinese_spreadsheet(client: FlaskClient) -> None:
    table = new_table(client)
    add_numbers(client, table, 3, -1, -1, -1)
    text = re.sub(r"\d{4}-\d\d-\d\dT[0-9:.]+Z", "2026/3/1 7:05", client.get(f"{table}/export.csv").text)
    answer = bring(client, text.encode(), "x.csv")
    assert answer.status_code == 303, notice(answer)
    assert "2026-03-01T07:05:00.000Z" in client.get(f"{answer.location}/export.csv").text


@pytest.mark.parametrize("start", [b"PK\x03\x04", b"\xd0\xcf\x11\xe0"])
def test_a_spreadsheets_own_file_says_what_to_do(client: FlaskClient, start: bytes) -> None:
    answer = bring(client, start + bytes(100), "x.xlsx")
    assert answer.status_code == 422
    assert "CSV" in notice(answer)


@pytest.mark.parametrize("events", [{}, "a", None, 7])
def test_a_json_file_whose_events_are_no_list_brings_nothing(client: FlaskClient, events: object) -> None:
    saved = json.loads(client.get(f"{evening(client)}/export.json").data)
    answer = bring(client, json.dumps(saved | {"events": events}).encode())
    assert answer.status_code == 422
    assert notice(answer)


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
        (("events", 2, "body", "round", "amounts"), [1, 1, 0, 0, 0], "2 too much"),
        (("events", 1, "body", "round", "counted", "score", "lines"), [{"name": 1}], "missing or is not"),
        (("events", 1, "body", "round", "counted", "crops", 0, "code"), "zz", "missing or is not"),
        (("events", 0, "body", "rules"), "poker", "no game “poker”"),
        (("events", 0, "body", "settings", "seats"), 8, "not played by 8"),
        (
            ("events", 1, "body", "round", "counted", "score", "payment"),
            [{"code": "x", "numbers": {}}],
            "Who pays whom",
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


def test_rounds_are_counted_before_their_hands_are(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    head, first, *rounds, total = csv_text(to_rows(fold(a_log()))).splitlines()
    monkeypatch.setattr("webui.games.files.recount", None)
    answer = bring(client, "\n".join([head, first, *rounds * 600, total]).encode())
    assert answer.status_code == 422
    assert "more than 1000 rounds" in answer.text


def test_files_with_one_value_changed_are_brought_in_whole_or_refused_in_a_sentence(
    client: FlaskClient,
) -> None:
    for data in wounded_tables(60):
        answer = bring(client, data)
        assert answer.status_code in (303, 422)
        if answer.status_code == 303:
            for part in ("", "/export.csv", "/export.json", "/settle", "/log"):
                assert client.get(answer.headers["Location"] + part).status_code == 200
    assert client.get("/games").status_code == 200
