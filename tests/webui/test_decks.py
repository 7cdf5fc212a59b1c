"""The room of decks with a reader that sees what the test says: counting, saving, teaching, taking along."""

import base64
import csv
import io
import json
import re
import secrets
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import unescape
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image, ImageFont
from werkzeug.http import parse_options_header
from werkzeug.test import TestResponse

import scorer
import vision
from tests.readers import EachAlone
from tests.webui.databases import KINDS, fresh_url
from tests.webui.page import LANGUAGES
from webui import create_app
from webui.decks import contact, prints
from webui.decks.contact import PER_ROW, Cell, cells_of, contact_sheet
from webui.decks.counting import CountedCard, CountedPhoto, Relation, together
from webui.decks.looking import MAX_CARDS
from webui.scanning.pictures import cut
from webui.store import kept

SIZE = (900, 700)


def quad_at(x: float, y: float, width: float = 40) -> np.ndarray:
    return np.array([[x, y], [x + width, y], [x + width, y + width], [x, y + width]], float)


@dataclass
class FakeReader(EachAlone):
    """Reads any photo as the cards that were laid out for it."""

    laid: list[tuple[str, ...]] = field(default_factory=list)
    deck: str | None = "sise"
    others: int = 0
    asked: list[tuple[str, str]] = field(default_factory=list)

    def read(
        self, data: bytes, *, name: str, deck: str, taught: str, taught_dir: Path | None
    ) -> vision.Reading:
        vision.decode(data)
        self.asked.append((deck, taught))
        cards = tuple(
            vision.SeenCard(
                code,
                0.9,
                n == 0,
                ((code, 0.9), ("rA", 0.1)),
                (vision.CardEnd(quad_at(10 + 50 * (n % 16), 10 + 80 * (n // 16)), 0.8),),
                0,
            )
            for n, code in enumerate(self.laid.pop(0) if self.laid else ())
        )
        others = tuple(vision.CardEnd(quad_at(10 + 50 * n, 600), 0.7) for n in range(self.others))
        return vision.Reading(name, *SIZE, self.deck if cards else None, cards, others, (), {"total": 1.0})


@pytest.fixture
def reader() -> FakeReader:
    return FakeReader()


@pytest.fixture(params=KINDS)
def app(request: pytest.FixtureRequest, tmp_path: Path, reader: FakeReader) -> Iterator[Flask]:
    with fresh_url(str(request.param), tmp_path) as url:
        config = {"TESTING": True, "DATA_DIR": tmp_path, "DATABASE_URL": url, "SECRET_KEY": "k" * 32}
        made = create_app(config, reader=reader)
        yield made
        made.extensions[kept.EXTENSION].close()


def photo_bytes(kind: str = "JPEG") -> bytes:
    out = io.BytesIO()
    exif = Image.Exif()
    exif[0x010E] = "secret place"
    Image.new("RGB", SIZE, (200, 60, 40)).save(out, kind, exif=exif)
    return out.getvalue()


def token(client: FlaskClient) -> dict[str, str]:
    found = re.search(r'name="csrf-token" content="([^"]+)"', client.get("/decks").text)
    assert found
    return {"X-CSRFToken": found.group(1), "Accept": "application/json"}


def read(client: FlaskClient, data: bytes | None = None, **more: str) -> TestResponse:
    form = {"photo": (io.BytesIO(photo_bytes() if data is None else data), "x.jpg"), **more}
    return client.post("/decks/read", data=form, headers=token(client))


def counted(cards: Sequence[str], relation: Relation = "more", **more: object) -> dict[str, object]:
    return {"relation": relation, "cards": [{"code": code} for code in cards], **more}


def count(
    client: FlaskClient, *photos: dict[str, object], deck: str = "sise", **more: object
) -> TestResponse:
    return client.post(
        "/decks/count", json={"deck": deck, "photos": list(photos), **more}, headers=token(client)
    )


def save(
    client: FlaskClient, name: str, *photos: dict[str, object], files: int = 0, **more: object
) -> TestResponse:
    body = {"key": f"key of {name}", "name": name, "deck": "sise", "photos": list(photos), **more}
    form = {
        "data": json.dumps(body),
        "photo": [(io.BytesIO(photo_bytes()), f"{n}.jpg") for n in range(files)],
    }
    return client.post("/decks", data=form, headers=token(client))


def whole(*without: str) -> list[str]:
    """Every card of a 四色 deck, save those named."""
    cards = [code for code, number in scorer.deck("sise").copies["112"].items() for _ in range(number)]
    for code in without:
        cards.remove(code)
    return cards


def plain(text: str) -> str:
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", text)))


# --- counting ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("photos", "number"),
    [
        ([("more", 3)], 3),
        ([("more", 3), ("more", 1)], 4),
        ([("more", 3), ("same", 2)], 3),
        ([("more", 3), ("same", 4)], 4),
        ([("more", 2), ("more", 1), ("same", 3)], 3),
        ([("more", 2), ("some", 2)], 4),
    ],
)
def test_photos_are_put_together_as_the_user_says(photos: list[tuple[Relation, int]], number: int) -> None:
    shown = [CountedPhoto(relation, (CountedCard("rK"),) * copies) for relation, copies in photos]
    assert together(shown)["rK"] == number


def test_a_card_counted_already_does_not_count_again() -> None:
    again = CountedPhoto(
        "some", (CountedCard("rK", counts=False), CountedCard("rK"), CountedCard("rA", counts=False))
    )
    assert together([CountedPhoto("more", (CountedCard("rK"),)), again]) == {"rK": 2}


def test_the_count_names_missing_and_doubled_cards(client: FlaskClient) -> None:
    answer = count(client, counted(whole("rK", "rK", "gP")), counted(["wA"])).get_json()
    assert answer["missing"] == {"rK": 2, "gP": 1}
    assert answer["extra"] == {"wA": 1}
    assert (answer["composition"], answer["nearest"]) == ("112", True)
    assert answer["counts"]["wA"] == 5


@pytest.mark.parametrize(
    "body",
    [
        {"deck": "poker", "photos": [{"relation": "more", "cards": []}]},
        {"deck": "sise", "photos": []},
        {"deck": "sise", "photos": "x"},
        {"deck": "sise", "photos": [{"relation": "perhaps", "cards": []}]},
        {"deck": "sise", "photos": [{"relation": "more", "cards": [{"code": "1-1"}]}]},
        {"deck": "sise", "composition": "99", "photos": [{"relation": "more", "cards": []}]},
    ],
)
def test_a_count_of_nonsense_is_an_error_object(client: FlaskClient, body: dict[str, object]) -> None:
    answer = client.post("/decks/count", json=body, headers=token(client))
    assert answer.status_code == 400
    assert answer.get_json()["error"]["code"] == "bad_request"


# --- reading ----------------------------------------------------------------------------------------------


def test_a_photo_comes_back_with_a_picture_of_every_card(client: FlaskClient, reader: FakeReader) -> None:
    reader.laid, reader.others = [("rK", "yA", "wP")], 2
    answer = read(client, deck="sise").get_json()
    assert [card["code"] for card in answer["reading"]["cards"]] == ["rK", "yA", "wP"]
    assert (len(answer["crops"]), len(answer["others"])) == (3, 2)
    assert reader.asked == [("sise", "auto")]
    data = base64.b64decode(answer["crops"][0].partition(",")[2])
    with Image.open(io.BytesIO(data)) as picture:
        assert picture.format == "JPEG"
        assert not picture.getexif()
        red, green, _ = np.asarray(picture.convert("RGB")).reshape(-1, 3).mean(axis=0)
        assert red > 150 > green


@pytest.mark.parametrize("turned", [0, 1, 2, 3])
def test_a_picture_stands_upright_however_the_card_lies(turned: int) -> None:
    photo = np.zeros((300, 300, 3), np.uint8)
    colours = [(250, 0, 0), (0, 250, 0), (0, 0, 250), (250, 250, 0)]
    corners = np.array([[100, 100], [180, 100], [180, 180], [100, 180]], float)
    for (x, y), colour in zip(corners.astype(int), colours, strict=True):
        photo[y - 40 : y + 40, x - 40 : x + 40] = colour
    [data] = cut(photo, [vision.CardEnd(np.roll(corners, -turned, axis=0), 1.0)])
    with Image.open(io.BytesIO(data)) as picture:
        seen = np.asarray(picture.convert("RGB"), int)
    assert seen.shape[:2] == (116, 80)
    places = [(12, 12), (12, 68), (68, 68), (68, 12)]
    for (row, column), colour in zip(places, colours[turned:] + colours[:turned], strict=True):
        assert np.abs(seen[row, column] - colour).max() < 40


@pytest.mark.parametrize(
    ("data", "more", "status"),
    [(b"", {}, 400), (b"no photo", {}, 415), (None, {"deck": "poker"}, 400), (photo_bytes()[:300], {}, 422)],
)
def test_a_photo_that_cannot_be_read_is_an_error_object(
    client: FlaskClient, data: bytes | None, more: dict[str, str], status: int
) -> None:
    answer = read(client, data, **more)
    assert answer.status_code == status, answer.text
    assert answer.get_json()["error"]["message"]


def test_reading_needs_a_photo_and_a_token(client: FlaskClient) -> None:
    assert client.post("/decks/read", headers=token(client)).status_code == 400
    assert client.post("/decks/read", data={}).status_code == 400


# --- saving -----------------------------------------------------------------------------------------------


def picture(colour: str = "red") -> str:
    out = io.BytesIO()
    Image.new("RGB", (80, 116), colour).save(out, "JPEG")
    return "data:image/jpeg;base64," + base64.b64encode(out.getvalue()).decode()


def pictured(*codes: str) -> dict[str, object]:
    return {"relation": "more", "foreign": 1, "cards": [{"code": code, "image": picture()} for code in codes]}


def test_an_empty_room_says_what_to_do(client: FlaskClient) -> None:
    text = client.get("/decks").text
    assert "No deck yet" in text
    assert 'href="/decks/new"' in text
    assert client.get("/decks/new").status_code == 200


def test_a_catalogue_is_saved_shown_and_listed(client: FlaskClient) -> None:
    answer = save(client, "grandmother", counted(whole("rK")), {**counted(["wA"]), "foreign": 2})
    assert answer.status_code == 201, answer.text
    text = plain(client.get(answer.get_json()["url"]).text)
    assert "112 cards" in text
    assert "1 missing" in text
    assert "1 too many" in text
    assert "2 foreign cards" in text
    assert "2 photos" in text
    listed = plain(client.get("/decks").text)
    assert "grandmother" in listed
    assert "1 missing" in listed


def test_saving_twice_saves_once(client: FlaskClient) -> None:
    first, again = (save(client, "one", counted(["rK"])) for _ in range(2))
    assert first.get_json() == again.get_json()
    assert client.get("/decks").text.count("table-card") == 1


@pytest.mark.parametrize("name", ["", "auto", "../../etc", "x" * 41, ".hidden"])
def test_a_bad_name_is_refused(client: FlaskClient, name: str) -> None:
    answer = save(client, name, counted(["rK"]))
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (422, "bad_deck_name")


def test_a_name_is_given_once(client: FlaskClient) -> None:
    save(client, "Mine", counted(["rK"]))
    answer = save(client, "mine", counted(["rK"]))
    assert answer.get_json()["error"]["code"] == "name_taken"
    assert "Another deck is called" in answer.get_json()["error"]["sentence"]


def test_pictures_are_kept_only_where_they_were_sent(client: FlaskClient) -> None:
    url = save(client, "with", pictured("rK", "rK", "gA")).get_json()["url"]
    assert client.get(f"{url}/cards/1.jpg").mimetype == "image/jpeg"
    assert client.get(f"{url}/cards/9.jpg").status_code == 404
    bare = save(client, "without", counted(["rK"])).get_json()["url"]
    assert client.get(f"{bare}/cards/0.jpg").status_code == 404
    assert client.get(f"{url}/photos/0.jpg").status_code == 404


def busy_picture(rng: np.random.Generator) -> str:
    """A data URL of a card in print as dense as there is."""
    out = io.BytesIO()
    Image.fromarray(rng.integers(0, 255, (108, 72, 3), np.uint8)).save(out, "JPEG", quality=82)
    return "data:image/jpeg;base64," + base64.b64encode(out.getvalue()).decode()


def test_a_deck_of_as_many_cards_as_are_allowed_is_saved_whole(client: FlaskClient) -> None:
    image = busy_picture(np.random.default_rng(1))
    cards = [{"code": "rK", "image": image}] * (MAX_CARDS // 6)
    photos: list[dict[str, object]] = [{"relation": "more", "cards": cards}] * 6
    answer = save(client, "whole box", *photos)
    assert answer.status_code == 201, answer.text
    url = answer.get_json()["url"]
    found = client.get(f"{url}/export.json").get_json()
    assert found["counts"] == {"rK": MAX_CARDS}
    assert client.get(f"{url}/cards/{MAX_CARDS - 1}.jpg").status_code == 200
    more = save(client, "other box", *photos, photos[0])
    assert (more.status_code, more.get_json()["error"]["code"]) == (400, "too_many_cards")


def test_photos_are_kept_only_when_asked_and_without_exif(client: FlaskClient) -> None:
    url = save(client, "kept", counted(["rK"]), files=1, keep_photos=True).get_json()["url"]
    answer = client.get(f"{url}/photos/0.jpg")
    with Image.open(io.BytesIO(answer.data)) as kept_photo:
        assert (kept_photo.size, dict(kept_photo.getexif())) == (SIZE, {})
    assert b"secret" not in answer.data
    assert "/photos/0.jpg" in client.get(url).text


@pytest.mark.parametrize(
    "data", ["", "[]", "{", '{"name": "x", "deck": "sise", "photos": [{"relation": "more"}]}']
)
def test_a_catalogue_of_nonsense_is_an_error_object(client: FlaskClient, data: str) -> None:
    answer = client.post("/decks", data={"data": data}, headers=token(client))
    assert answer.status_code == 400
    assert answer.get_json()["error"]["code"] == "bad_request"


def change(client: FlaskClient, url: str, base: int = 1, **values: str) -> TestResponse:
    return client.post(f"{url}/change", data={"base": str(base), **values}, headers=token(client))


def test_a_deck_is_renamed_and_compared_otherwise(client: FlaskClient) -> None:
    cards = [{"code": "1-1"}]
    url = save(client, "old", {"relation": "more", "cards": cards}, deck="chuanpai").get_json()["url"]
    nearest, other = scorer.deck("chuanpai").copies, "105"
    assert change(client, url, name="new name", composition=other).status_code == 200
    text = client.get(url).text
    assert "new name" in text
    assert f'<option value="{other}" selected' in text
    assert change(client, url, name="stale").status_code == 409
    assert change(client, url, base=2, composition="none").status_code == 400
    assert len(nearest) > 1


def test_what_is_not_sent_of_a_deck_stays(client: FlaskClient) -> None:
    url = save(client, "old", counted(["rK"])).get_json()["url"]
    assert change(client, url, maker="成都扑克厂").status_code == 200
    assert change(client, url, base=2, name="new name").status_code == 200
    text = client.get(url).text
    assert 'value="成都扑克厂"' in text
    assert "new name" in text
    assert change(client, url, base=3, maker="").status_code == 200
    assert "成都扑克厂" not in client.get(url).text


def test_a_stale_form_says_that_the_deck_changed(client: FlaskClient) -> None:
    url = save(client, "old", counted(["rK"])).get_json()["url"]
    change(client, url, name="new")
    form = {"csrf_token": token(client)["X-CSRFToken"], "base": "1", "name": "newer"}
    page = client.post(f"{url}/change", data=form, follow_redirects=True).text
    assert "Somebody changed this deck meanwhile." in page
    assert "newer" not in page


def test_a_deck_is_deleted_only_when_sure(client: FlaskClient) -> None:
    url = save(client, "gone", pictured("rK")).get_json()["url"]
    form = {"csrf_token": token(client)["X-CSRFToken"]}
    assert client.get(f"{url}/delete").status_code == 200
    client.post(f"{url}/delete", data=form)
    assert client.get(url).status_code == 200
    client.post(f"{url}/delete", data={**form, "sure": "on"})
    assert client.get(url).status_code == 404
    assert client.get(f"{url}/cards/0.jpg").status_code == 404


# --- teaching ---------------------------------------------------------------------------------------------


@dataclass
class Teacher:
    """Stands in for the networks: keeps what it was taught, or refuses."""

    refuses: bool = False
    told: list[tuple[str, str, Sequence[prints.Lesson]]] = field(default_factory=list)

    def __call__(
        self, gate: object, lessons: Sequence[prints.Lesson], deck: str, folder: Path, name: str
    ) -> None:
        if self.refuses:
            raise vision.PhotoError("nothing_learned", "Nothing.")
        self.told.append((deck, name, lessons))
        (folder / name).mkdir(parents=True, exist_ok=True)
        (folder / name / "print.json").write_text("{}")


@pytest.fixture
def teacher(monkeypatch: pytest.MonkeyPatch) -> Teacher:
    stand_in = Teacher()
    monkeypatch.setattr(prints, "teach", stand_in)
    return stand_in


def test_saving_teaches_the_print_and_what_was_corrected(client: FlaskClient, teacher: Teacher) -> None:
    said = [{"quad": quad_at(1, 2).tolist(), "code": "rA"}, {"quad": quad_at(5, 6).tolist(), "code": None}]
    url = save(client, "mine", counted(["rK"], said=said), files=1, teach=True).get_json()["url"]
    [(deck, name, [lesson])] = teacher.told
    assert (deck, name) == ("sise", "mine")
    assert [code for _, code in lesson.answers] == ["rA", None]
    assert lesson.answers[0][0].tolist() == quad_at(1, 2).tolist()
    assert "print taught" in client.get(url).text


def test_a_print_that_cannot_be_learnt_loses_nothing(client: FlaskClient, teacher: Teacher) -> None:
    teacher.refuses = True
    url = save(client, "mine", counted(["rK"]), files=1, teach=True).get_json()["url"]
    text = client.get(url).text
    assert "its print could not be learnt" in text
    assert "print taught" not in text


def test_this_reader_cannot_be_taught_but_the_deck_is_saved(client: FlaskClient) -> None:
    url = save(client, "mine", counted(["rK"]), files=1, teach=True).get_json()["url"]
    assert "its print could not be learnt" in client.get(url).text


@pytest.mark.parametrize("quad", [[[0, 0]] * 3, "x", None, [[0, "x"]] * 4])
def test_an_answer_without_a_place_is_refused(client: FlaskClient, teacher: Teacher, quad: object) -> None:
    answer = save(client, "mine", counted(["rK"], said=[{"quad": quad, "code": "rA"}]), files=1, teach=True)
    assert answer.status_code == 400
    assert "table-card" not in client.get("/decks").text, "nothing is saved"
    untaught = save(client, "mine", counted(["rK"], said=[{"quad": quad, "code": "rA"}]), files=1)
    assert untaught.status_code == 201, "who does not want the print taught need not answer"


def test_the_print_follows_its_deck(client: FlaskClient, teacher: Teacher, tmp_path: Path) -> None:
    url = save(client, "mine", counted(["rK"]), files=1, teach=True).get_json()["url"]
    folder = tmp_path / "decks"
    assert change(client, url, base=2, name="yours").status_code == 200
    assert [one.name for one in folder.iterdir() if one.is_dir()] == ["yours"]
    (folder / "other").mkdir()
    assert change(client, url, base=3, name="other").get_json()["error"]["code"] == "name_taken"
    client.post(f"{url}/delete", data={"csrf_token": token(client)["X-CSRFToken"], "sure": "on"})
    assert [one.name for one in folder.iterdir() if one.is_dir()] == ["other"]


# --- later photos -----------------------------------------------------------------------------------------


def add(
    client: FlaskClient, url: str, *photos: dict[str, object], files: int = 0, **more: object
) -> TestResponse:
    form = {
        "data": json.dumps({"key": secrets.token_hex(8), "base": 1, "photos": list(photos), **more}),
        "photo": [(io.BytesIO(photo_bytes()), f"{n}.jpg") for n in range(files)],
    }
    return client.post(f"{url}/more", data=form, headers=token(client))


@pytest.mark.parametrize(
    ("photo", "number"),
    [
        (counted(["rK", "wA"]), 4),
        (counted(["rK", "rK", "rK"], "same"), 3),
        (counted(["rK"], "same"), 2),
        ({"relation": "some", "cards": [{"code": "rK", "counts": False}, {"code": "wA"}]}, 3),
    ],
)
def test_later_photos_are_counted_with_those_before(
    client: FlaskClient, photo: dict[str, object], number: int
) -> None:
    url = save(client, "mine", counted(["rK", "rK"])).get_json()["url"]
    answer = add(client, url, photo)
    assert (answer.status_code, answer.get_json()["url"]) == (200, url)
    text = plain(client.get(url).text)
    assert f"{number} cards" in text
    assert "2 photos" in text
    assert "1 photo added" in text


def test_the_page_takes_a_saved_deck_up_as_it_is(client: FlaskClient) -> None:
    again: dict[str, object] = {"relation": "some", "look": None, "cards": [{"code": "rA", "counts": False}]}
    url = save(client, "mine", pictured("rK"), again, composition="112").get_json()["url"]
    page = client.get(f"{url}/more").text
    assert f'data-saved="{url}"' in page
    assert 'name="name"' not in page
    assert client.get(f"{url}/catalogue.json").get_json() == {
        "deck": "sise",
        "composition": "112",
        "version": 1,
        "photos": [
            {
                "relation": "more",
                "look": None,
                "cards": [{"code": "rK", "counts": True, "image": f"{url}/cards/0.jpg"}],
            },
            {"relation": "some", "look": None, "cards": [{"code": "rA", "counts": False, "image": None}]},
        ],
    }


def test_the_same_photos_are_not_added_twice(client: FlaskClient) -> None:
    url = save(client, "mine", counted(["rK"])).get_json()["url"]
    add(client, url, counted(["rA"]))
    again = add(client, url, counted(["rA"]))
    assert (again.status_code, again.get_json()["error"]["code"]) == (409, "conflict")
    assert "Somebody changed this deck meanwhile." in again.get_json()["error"]["sentence"]
    assert "2 cards" in plain(client.get(url).text)


def test_an_answer_that_was_lost_adds_the_photos_once(client: FlaskClient, teacher: Teacher) -> None:
    """The page takes the deck up as it is now and sends the same photos again, with their key."""
    url = save(client, "mine", counted(["rK"])).get_json()["url"]
    first, later = (re.findall(r'data-key="(\w+)"', client.get(f"{url}/more").text) for _ in range(2))
    assert first != later
    for base in (1, 3):
        answer = add(client, url, *[counted(["rA"])] * 11, files=11, teach=True, base=base, key=first[0])
        assert (answer.status_code, answer.get_json()["url"]) == (200, url)
    assert "12 cards" in plain(client.get(url).text)
    assert len(teacher.told) == 1


def test_photos_without_a_key_are_refused(client: FlaskClient) -> None:
    url = save(client, "mine", counted(["rK"])).get_json()["url"]
    answer = add(client, url, counted(["rA"]), key=None)
    assert (answer.status_code, answer.get_json()["error"]["code"]) == (422, "bad_key")


def test_pictures_and_photos_of_later_ones_find_their_place(client: FlaskClient) -> None:
    url = save(client, "mine", pictured("rK"), files=1, keep_photos=True).get_json()["url"]
    blue: dict[str, object] = {
        "relation": "more",
        "cards": [{"code": "rA"}, {"code": "rA", "image": picture("blue")}],
    }
    add(client, url, blue, files=1, keep_photos=True)
    with Image.open(io.BytesIO(client.get(f"{url}/cards/2.jpg").data)) as kept_picture:
        assert kept_picture.getpixel((9, 9)) == pytest.approx((0, 0, 254), abs=3)
    assert client.get(f"{url}/cards/1.jpg").status_code == 404
    assert client.get(f"{url}/photos/1.jpg").status_code == 200
    exported = client.get(f"{url}/export.json").get_json()["photos"]
    assert [[card["code"] for card in photo["cards"]] for photo in exported] == [["rK"], ["rA", "rA"]]


def test_later_photos_teach_the_print_too(client: FlaskClient, teacher: Teacher) -> None:
    url = save(client, "mine", counted(["rK"])).get_json()["url"]
    add(client, url, counted(["rA"]), files=1, teach=True)
    assert [(deck, name, len(lessons)) for deck, name, lessons in teacher.told] == [("sise", "mine", 1)]
    assert "print taught" in client.get(url).text
    teacher.refuses = True
    add(client, url, counted(["rB"]), files=1, teach=True, base=3)
    assert "its print could not be learnt" in client.get(url).text


@pytest.mark.parametrize(
    ("photos", "more"),
    [
        ([], {}),
        ([counted(["1-1"])], {}),
        ([counted(["rK"], "more")] * 12, {}),
        ([counted(["rK"] * 599)], {}),
        ([counted(["rK"])], {"base": None}),
        ([{"cards": [{"code": "rK"}]}], {}),
    ],
)
def test_nonsense_is_not_added(
    client: FlaskClient, photos: list[dict[str, object]], more: dict[str, Any]
) -> None:
    url = save(client, "mine", counted(["rK", "rK"])).get_json()["url"]
    assert add(client, url, *photos, **more).status_code == 400
    assert "2 cards" in plain(client.get(url).text)


# --- taking along -----------------------------------------------------------------------------------------


def test_json_holds_counts_and_pictures(client: FlaskClient) -> None:
    url = save(client, "mine", pictured("rK", "gA")).get_json()["url"]
    body = client.get(f"{url}/export.json").get_json()
    assert (body["format"], body["name"], body["counts"]) == ("paiyan-deck", "mine", {"rK": 1, "gA": 1})
    assert body["others"] == 1
    assert base64.b64decode(body["photos"][0]["cards"][0]["picture"]).startswith(b"\xff\xd8")


def test_csv_has_a_line_for_every_face(client: FlaskClient) -> None:
    url = save(client, "mine", counted(["rK", "rK"])).get_json()["url"]
    text = client.get(f"{url}/export.csv").text.removeprefix("\ufeff")
    rows = {row["Card code"]: row for row in csv.DictReader(io.StringIO(text))}
    assert len(rows) == 28
    assert (rows["rK"]["Count"], rows["rK"]["Should be"], rows["rK"]["Missing"]) == ("2", "4", "2")
    client.set_cookie("language", "zh-Hant")
    assert "牌的代碼,名字,張數,應有,少的,多的" in client.get(f"{url}/export.csv").text


def test_files_bear_the_name_of_the_deck(client: FlaskClient) -> None:
    url = save(client, "外婆's", counted(["rK"]), key="a key of it").get_json()["url"]
    for file, ending in (("export.csv", "csv"), ("export.json", "json"), ("contact.png", "png")):
        header = client.get(f"{url}/{file}").headers["Content-Disposition"]
        assert header.isascii(), "a server can send no other"
        assert parse_options_header(header) == ("attachment", {"filename": f"外婆's.{ending}"})


def test_the_contact_sheet_shows_every_face(client: FlaskClient) -> None:
    url = save(client, "mine", pictured("rK")).get_json()["url"]
    answer = client.get(f"{url}/contact.png")
    with Image.open(io.BytesIO(answer.data)) as sheet:
        assert sheet.format == "PNG"
        assert sheet.getpixel((60, 60)) == pytest.approx((254, 0, 0), abs=3), "the first face has its picture"


@pytest.mark.parametrize(
    ("language", "font", "name"),
    [
        ("zh-Hans", True, "红将"),
        ("zh-Hant", True, "紅將"),
        ("en", True, "red general"),
        ("vi", True, "tướng đỏ"),
        ("zh-Hans", False, "red general"),
        ("vi", False, "red general"),
    ],
)
def test_a_contact_sheet_names_its_cards_in_words_that_can_be_written(
    monkeypatch: pytest.MonkeyPatch, language: str, font: bool, name: str
) -> None:
    monkeypatch.setattr(contact, "chinese_font", lambda: ImageFont.load_default(17) if font else None)
    assert [cell.name for cell in cells_of({"rK": 1}, {}, {}, scorer.deck("sise").faces, language)] == [name]


def test_a_contact_sheet_grows_with_its_faces() -> None:
    def height(cells: int) -> int:
        with Image.open(io.BytesIO(contact_sheet([Cell("rK", 1, 4, None)] * cells))) as sheet:
            return sheet.height

    assert height(1) == height(PER_ROW) < height(PER_ROW + 1)


@pytest.mark.parametrize(
    "path",
    [
        "",
        "/delete",
        "/export.json",
        "/export.csv",
        "/contact.png",
        "/more",
        "/catalogue.json",
        "/learnt/0.jpg",
    ],
)
def test_an_unknown_deck_is_not_found(client: FlaskClient, path: str) -> None:
    assert client.get(f"/decks/nothing{path}").status_code == 404


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_view_answers_in_every_language(client: FlaskClient, language: str) -> None:
    url = save(client, "mine", pictured("rK", "gA"), counted(["rA"])).get_json()["url"]
    client.set_cookie("language", language)
    for path in ("/decks", "/decks/new", url, f"{url}/more", f"{url}/delete"):
        text = client.get(path).text
        assert f'<html lang="{language}"' in text
        assert "style=" not in text
        assert not re.search(r"<script(?![^>]*src=)", text)
