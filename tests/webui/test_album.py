"""The album: notes, back and box, seeking, comparing, and the album to take along."""

import csv
import io
import re
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image
from werkzeug.test import TestResponse

from tests.webui.databases import KINDS, fresh_url
from tests.webui.test_decks import FakeReader, counted, photo_bytes, plain, save, token, whole
from vision import decode
from webui import create_app
from webui.decks import album, album_files
from webui.scanning.pictures import look, looks_same
from webui.store import kept


@pytest.fixture(params=KINDS)
def app(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Flask]:
    with fresh_url(str(request.param), tmp_path) as url:
        config = {"TESTING": True, "DATA_DIR": tmp_path, "DATABASE_URL": url, "SECRET_KEY": "k" * 32}
        made = create_app(config, reader=FakeReader())
        yield made
        made.extensions[kept.EXTENSION].close()


def saved(client: FlaskClient, name: str, *without: str) -> str:
    answer = save(client, name, counted(whole(*without)))
    assert answer.status_code == 201, answer.text
    return str(answer.get_json()["url"])


def note(client: FlaskClient, url: str, **texts: str) -> TestResponse:
    base = re.findall(r'name="base" value="(\d+)"', client.get(url).text)[0]
    return client.post(f"{url}/change", data={"base": base, **texts}, headers=crossing(client))


def side(client: FlaskClient, url: str, name: str, data: bytes) -> TestResponse:
    base = re.findall(r'name="base" value="(\d+)"', client.get(url).text)[0]
    sent = {"base": base, f"photo-{name}": (io.BytesIO(data), "x.jpg")}
    return client.post(f"{url}/change", data=sent, headers=crossing(client))


def crossing(client: FlaskClient) -> dict[str, str]:
    """The token alone, as a form sends it."""
    return {"X-CSRFToken": token(client)["X-CSRFToken"]}


def names(client: FlaskClient, **asked: str) -> list[str]:
    page = client.get("/decks", query_string=asked).text
    return re.findall(r'class="table-name">([^<]*)<', page)


def test_notes_are_kept_shown_and_changed(client: FlaskClient) -> None:
    url = saved(client, "grandmother")
    assert note(client, url, maker="成都扑克厂", tags="红背，旧", notes="一行\n两行").status_code == 303
    page = client.get(url).text
    assert 'value="成都扑克厂"' in page
    assert "一行\n两行" in page
    assert "成都扑克厂" in client.get("/decks").text
    assert '<span class="badge">红背</span> <span class="badge">旧</span>' in client.get("/decks").text
    note(client, url, maker="", notes="x")
    assert "成都扑克厂" not in client.get(url).text


def test_all_that_was_filled_in_is_saved_at_once(client: FlaskClient) -> None:
    url = saved(client, "a")
    base = re.findall(r'name="base" value="(\d+)"', client.get(url).text)[0]
    pictures = {f"photo-{side}": (io.BytesIO(photo_bytes()), "x.jpg") for side in ("back", "box")}
    filled = {"base": base, "name": "外婆的牌", "composition": "112", "maker": "成都扑克厂", **pictures}
    assert client.post(f"{url}/change", data=filled, headers=crossing(client)).status_code == 303
    page = client.get(url).text
    assert 'value="外婆的牌"' in page
    assert 'value="成都扑克厂"' in page
    assert [client.get(f"{url}/{side}.jpg").status_code for side in ("back", "box")] == [200, 200]


def test_notes_of_a_deck_that_changed_meanwhile_are_not_taken(client: FlaskClient) -> None:
    url = saved(client, "a")
    note(client, url, maker="first")
    late = client.post(f"{url}/change", data={"base": "1", "maker": "late"}, headers=crossing(client))
    assert client.get(late.location).status_code == 200
    assert 'value="first"' in client.get(url).text


def test_a_note_without_end_is_refused(client: FlaskClient) -> None:
    url = saved(client, "a")
    answer = note(client, url, maker="x" * (album.NOTE_LETTERS + 1))
    assert "2000" in plain(client.get(answer.location).text)
    assert "xxxx" not in client.get(url).text


def test_decks_are_sought_and_put_in_order(client: FlaskClient) -> None:
    one, two, three = saved(client, "b", "rK"), saved(client, "a"), saved(client, "c", "rK", "rA")
    note(client, one, maker="Élysée", year="1988", tags="红背")
    note(client, two, maker="Kwong", year="约1975年")
    assert names(client) == ["a", "b", "c"]
    assert names(client, order="name") == ["a", "b", "c"]
    assert names(client, order="year") == ["a", "b", "c"]
    assert names(client, order="maker") == ["b", "a", "c"]
    assert names(client, order="missing") == ["a", "b", "c"]
    assert names(client, words="elysee 红") == ["b"]
    assert names(client, words="elysee kwong") == []
    assert "c" in names(client, order="nonsense")
    assert three


def test_back_and_box_are_kept_without_metadata_and_taken_away(client: FlaskClient) -> None:
    url = saved(client, "a")
    assert side(client, url, "back", photo_bytes()).status_code == 303
    jpeg = client.get(f"{url}/back.jpg").data
    assert jpeg.startswith(b"\xff\xd8\xff")
    assert b"secret place" not in jpeg
    assert client.get(f"{url}/box.jpg").status_code == 404
    note(client, url, maker="x")
    assert client.get(f"{url}/back.jpg").data == jpeg
    note(client, url, **{"away-back": "on"})
    assert client.get(f"{url}/back.jpg").status_code == 404
    assert client.get(f"{url}/lid.jpg").status_code == 404


@pytest.mark.parametrize("data", [b"", b"no picture"])
def test_a_back_that_is_no_picture_is_refused(client: FlaskClient, data: bytes) -> None:
    url = saved(client, "a")
    answer = side(client, url, "back", data)
    assert client.get(f"{url}/back.jpg").status_code == 404
    assert 'class="notice error"' in client.get(answer.location).text


def test_two_decks_are_compared_face_by_face(client: FlaskClient) -> None:
    one, other = saved(client, "one", "rK", "gP"), saved(client, "other", "gP")
    note(client, one, maker="甲厂")
    ids = [url.rsplit("/", 1)[1] for url in (one, other)]
    page = client.get("/decks/compare", query_string={"one": ids[0], "other": ids[1]}).text
    rows = [plain(row) for row in re.findall(r'<tr class="differs">(.*?)</tr>', page, re.DOTALL)]
    assert len(rows) == 1
    assert re.search(r"red general 3 4", rows[0])
    assert "甲厂" in plain(page)


def test_decks_of_two_kinds_are_not_compared(client: FlaskClient) -> None:
    one = saved(client, "one")
    other = save(client, "other", {"relation": "more", "cards": [{"code": "s1"}]}, deck="zipai")
    ids = [one.rsplit("/", 1)[1], other.get_json()["id"]]
    page = client.get("/decks/compare", query_string={"one": ids[0], "other": ids[1]})
    assert "notice warning" in page.text
    assert client.get("/decks/compare?one=nosuch&other=x").status_code == 200


def test_the_album_as_csv_has_what_is_sought(client: FlaskClient) -> None:
    note(client, saved(client, "a", "rK"), maker="=1+1", year="1975")
    saved(client, "b")
    text = client.get("/decks/album.csv?words=1975").data.decode("utf-8-sig")
    rows = list(csv.reader(io.StringIO(text)))
    assert [row[0] for row in rows[1:]] == ["a"]
    assert rows[1][3:6] == ["111", "1", "0"]
    assert "'=1+1" in rows[1]


def test_the_album_to_print_has_a_page_for_each_deck(client: FlaskClient) -> None:
    url = saved(client, "a")
    note(client, url, notes="很长的一行字" * 60)
    saved(client, "b")
    side(client, url, "box", photo_bytes())
    answer = client.get("/decks/album.pdf")
    assert answer.data.startswith(b"%PDF")
    assert len(re.findall(rb"/Type /Page\b(?!s)", answer.data)) == 2
    assert b"/MediaBox [ 0 0 595." in answer.data


def test_a_line_of_the_album_breaks_where_it_may() -> None:
    lines = list(album_files._lines("one two three four\n牌牌牌", 60))
    assert "".join(lines).replace(" ", "") == "onetwothreefour牌牌牌"
    assert all(not line.startswith(" ") for line in lines)
    assert "one" in lines[0]


def scene(seed: int, quality: int = 95, size: tuple[int, int] = (900, 700)) -> bytes:
    """A photo of coloured stripes and spots, saved at a quality and size."""
    rng = np.random.default_rng(seed)
    small = Image.fromarray(rng.integers(0, 255, (9, 12, 3), dtype=np.uint8)).resize((900, 700))
    out = io.BytesIO()
    small.resize(size).save(out, "JPEG", quality=quality)
    return out.getvalue()


def test_a_photo_is_known_again_after_it_was_saved_anew() -> None:
    own, smaller, other = (look(decode(data)) for data in (scene(1), scene(1, 40, (450, 350)), scene(2)))
    assert looks_same(own, smaller)
    assert not looks_same(own, other)


def test_a_saved_deck_knows_its_photos_again(client: FlaskClient) -> None:
    own = look(decode(scene(1)))
    answer = save(client, "a", counted(["rK"], look=own), counted(["rA"], look="nonsense"))
    photos = client.get(f"{answer.get_json()['url']}/catalogue.json").get_json()["photos"]
    assert [photo["look"] for photo in photos] == [own, None]
