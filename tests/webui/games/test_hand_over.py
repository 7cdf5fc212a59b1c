"""What the scan page hands over to a table."""

import io
import re

import pytest
from flask.testing import FlaskClient
from PIL import Image

from tests.webui.games.forms import TEN, fields_of, hand_over, new_table, page, picture, plain, send, totals


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
    assert "丙 pays alone" in plain(page(client, table))
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
