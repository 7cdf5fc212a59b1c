"""What a player puts right goes into the print of a saved deck, is shown there, and can be forgotten."""

import base64
import io
import json
import multiprocessing
import re
from collections.abc import Iterator
from dataclasses import replace
from functools import partial
from multiprocessing.synchronize import Barrier
from pathlib import Path

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image
from werkzeug.test import TestResponse

import vision
from tests.vision.painted import CODES, INK, networks_for, photo_of
from tests.vision.world import Laid
from tests.webui.test_decks import plain, token
from vision.teach import PutRight, learned, propose
from webui import create_app
from webui.access import pairing
from webui.decks import changing, prints
from webui.scanning import pictures
from webui.scanning.recognise import Gate
from webui.store import kept

DECK = [Laid(code, 90 + 140 * i, 250) for i, code in enumerate(CODES)]
OWN = {**INK, "s1": (228, 92, 24)}
"""A deck whose s1 is nearly the orange of other decks' b2, and is taken for one."""


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    reader = vision.Reader(networks=networks_for(DECK))
    made = create_app({"TESTING": True, "DATA_DIR": tmp_path, "SECRET_KEY": "k" * 32}, reader=reader)
    yield made
    made.extensions[kept.EXTENSION].close()


@pytest.fixture
def url(client: FlaskClient) -> str:
    """A saved deck with a print that knows all but s1."""
    return save(client, "grandmother")


def save(client: FlaskClient, name: str, ink: dict[str, tuple[int, int, int]] = INK) -> str:
    said = [{"quad": DECK[0].end_centres()[0] + np.array([[-9, -9], [9, -9], [9, 9], [-9, 9]]), "code": None}]
    said[0]["quad"] = said[0]["quad"].tolist()
    photo = {"relation": "more", "cards": [{"code": code} for code in CODES], "said": said}
    body = {"key": f"key of {name}", "name": name, "deck": "zipai", "teach": True, "photos": [photo]}
    form = {"data": json.dumps(body), "photo": [(io.BytesIO(photo_of(DECK, ink=ink)), "x.jpg")]}
    answer = client.post("/decks", data=form, headers=token(client))
    assert answer.status_code == 201, answer.text
    return str(answer.get_json()["url"])


def end(code: str, place: int = 0, which: int = 0, **more: object) -> dict[str, object]:
    """An end of a card of `OWN` as the page sends it: a piece of the photo, and where in it the end lies."""
    centre = DECK[place].end_centres()[which]
    left, top = (centre - 80).astype(int)
    with Image.open(io.BytesIO(photo_of(DECK, ink=OWN))) as photo:
        out = io.BytesIO()
        photo.crop((left, top, left + 160, top + 160)).save(out, "JPEG", quality=93)
    corners = np.array([[-30, -30], [30, -30], [30, 30], [-30, 30]]) * (1 - 2 * which)
    quad = (centre - (left, top) + corners).tolist()
    image = "data:image/jpeg;base64," + base64.b64encode(out.getvalue()).decode()
    return {"code": code, "quad": quad, "image": image, **more}


def learn(client: FlaskClient, *ends: object, name: str = "grandmother", **more: object) -> TestResponse:
    return client.post(
        "/decks/learn", json={"print": name, "ends": list(ends), **more}, headers=token(client)
    )


def read(client: FlaskClient, taught: str = "grandmother") -> list[str]:
    """The codes of a photo of `OWN`, as the page reads it."""
    form = {"photo": (io.BytesIO(photo_of(DECK, ink=OWN)), "x.jpg"), "deck": "zipai", "taught": taught}
    [answer] = client.post("/api/read", data=form).get_json()["photos"]
    return [card["code"] for card in answer["cards"]]


def forget(client: FlaskClient, *examples: str, name: str = "grandmother") -> TestResponse:
    form = {"print": name, "example": list(examples)}
    return client.post("/decks/forget", data=form, headers=token(client))


def test_what_was_put_right_is_read_the_next_time_and_can_be_forgotten(client: FlaskClient, url: str) -> None:
    before = read(client)
    assert before[0] != "s1"
    answer = learn(client, end("s1"), end("s1", which=1))
    assert answer.status_code == 200, answer.text
    assert answer.get_json()["url"] == url
    assert read(client)[0] == "s1"
    examples = answer.get_json()["examples"]
    assert len(examples) == 2
    assert forget(client, *examples).get_json() == {"url": url, "forgotten": 2}
    assert read(client) == before


def test_one_wrong_word_changes_no_reading(client: FlaskClient, url: str) -> None:
    before = read(client)
    assert learn(client, end("b1", place=2)).status_code == 200
    assert read(client) == before


def test_a_reading_says_which_deck_it_knew(client: FlaskClient, url: str) -> None:
    form = {"photo": (io.BytesIO(photo_of(DECK, ink=OWN)), "x.jpg"), "deck": "zipai", "taught": "grandmother"}
    [answer] = client.post("/api/read", data=form).get_json()["photos"]
    assert answer["taught"] == "grandmother"


def test_the_deck_shows_what_was_learnt(client: FlaskClient, url: str) -> None:
    assert "Learnt while checking" not in client.get(url).text
    assert "7 of 20 faces are known" in plain(client.get(url).text), "a deck without 王 lacks none"
    learn(client, end("s3", place=2, which=1), end("s1"))
    page = client.get(url).text
    assert "Learnt while checking" in page
    assert page.count("still alone") == 1, "s3 agrees with the photo of the deck, s1 with nothing yet"
    found = re.findall(r'name="example" value="(\w+)"', page)
    assert len(found) == 2
    answer = client.get(f"{url}/learnt/{found[0]}.jpg")
    with Image.open(io.BytesIO(answer.data)) as picture:
        assert picture.size == (64, 96)
        middle = np.asarray(picture.convert("RGB"), float)[30, 32]
        assert middle == pytest.approx(OWN["s1"], abs=12), "the newest first"
    assert client.get(f"{url}/learnt/{'0' * 16}.jpg").status_code == 404
    form = {"print": "grandmother", "example": found[0], "csrf_token": token(client)["X-CSRFToken"]}
    gone = client.post("/decks/forget", data=form)
    assert (gone.status_code, gone.location) == (303, url)
    page = client.get(url).text
    assert "1 card forgotten" in page
    assert found[0] not in page
    assert found[1] in page


def test_learning_twice_learns_once(client: FlaskClient, url: str) -> None:
    for _ in range(2):
        learn(client, end("s1"))
    assert client.get(url).text.count('name="example"') == 1


def test_the_last_word_on_a_crop_counts(client: FlaskClient, url: str, tmp_path: Path) -> None:
    learn(client, end("b2"))
    learn(client, end("s1"))
    own = prints.stored(tmp_path / "decks", "grandmother")
    assert own is not None
    assert [one.code for one in prints.learnt(own)] == ["s1"]


def test_what_photos_taught_is_never_forgotten_so(client: FlaskClient, url: str, tmp_path: Path) -> None:
    from vision.taught import example_ids, stored_print

    taught = stored_print(tmp_path / "decks", "grandmother")
    assert forget(client, *example_ids(taught)).get_json()["forgotten"] == 0
    assert stored_print(tmp_path / "decks", "grandmother").codes == taught.codes


def test_the_next_page_says_that_it_learnt(client: FlaskClient, url: str) -> None:
    learn(client, end("s1"), flash=True)
    assert "“grandmother” has learnt 1 card that you put right." in client.get("/games").text


@pytest.mark.parametrize(
    ("ends", "code"),
    [
        ([], "bad_request"),
        ("x", "bad_request"),
        ([3], "bad_request"),
        ([end("rK")], "bad_request"),
        ([end("s1")] * 61, "bad_request"),
        ([end("s1", image=None)], "bad_picture"),
        ([end("s1", image="data:image/jpeg;base64,AAAA")], "bad_picture"),
        ([end("s1", image="data:image/jpeg;base64," + "A" * 2_000_000)], "bad_picture"),
        ([end("s1", quad=None)], "bad_request"),
        ([end("s1", quad=[[1, 2]])], "bad_request"),
        ([end("s1", quad=[[0, 0], [9, 0], [9, float("nan")], [0, 9]])], "bad_field"),  # no JSON
        ([end("s1", quad=[[0, 0], [1e9, 0], [1e9, 1e9], [0, 1e9]])], "bad_request"),
        ([end("s1", quad=[[5, 5]] * 4)], "bad_request"),
        ([end("s1", quad=[[0, 0], [30, 30], [30, 0], [0, 30]])], "bad_request"),
    ],
)
def test_nonsense_teaches_nothing(client: FlaskClient, url: str, ends: object, code: str) -> None:
    body = {"print": "grandmother", "ends": ends}
    answer = client.post("/decks/learn", json=body, headers=token(client))
    assert answer.status_code in (400, 422), answer.text
    assert answer.get_json()["error"]["code"] == code
    assert "Learnt while checking" not in client.get(url).text


def test_a_large_picture_is_refused_by_its_header(client: FlaskClient, url: str) -> None:
    out = io.BytesIO()
    Image.new("RGB", (4000, 4000)).save(out, "PNG")
    image = "data:image/png;base64," + base64.b64encode(out.getvalue()).decode()
    assert learn(client, end("s1", image=image)).get_json()["error"]["code"] == "bad_picture"


def test_what_nobody_taught_does_not_learn(client: FlaskClient, url: str) -> None:
    for name in ("nobody", "../x", ""):
        answer = learn(client, end("s1"), name=name)
        assert (answer.status_code, answer.get_json()["error"]["code"][-5:]) in (
            (422, "print"),
            (422, "_name"),
        )


def test_a_print_that_the_command_line_taught_learns_too(client: FlaskClient, tmp_path: Path) -> None:
    reader = vision.Reader(networks=networks_for(DECK))
    first = propose(reader, photo_of(DECK))
    known = replace(first, proposals=first.proposals[1:])
    vision.save_print(tmp_path / "decks", "uncle", learned([known], reader.networks))
    assert client.get("/words.json").get_json()["prints"] == ["uncle"]
    before = read(client, "uncle")
    answer = learn(client, end("s1"), end("s1", which=1), name="uncle").get_json()
    assert answer["url"] is None, "there is no page that shows it"
    assert (before[0], read(client, "uncle")[0]) == ("b2", "s1")
    gone = forget(client, *answer["examples"], name="uncle").get_json()
    assert gone == {"url": None, "forgotten": 2}
    assert read(client, "uncle") == before
    form = {"print": "uncle", "csrf_token": token(client)["X-CSRFToken"]}
    assert client.post("/decks/forget", data=form).location == "/decks"


def say_in_turn(folder: Path, which: int, turn: Barrier) -> None:
    """Put every card of the deck right by one of its ends, each at the same time as the other process does."""
    gate = Gate(vision.Reader(networks=networks_for(DECK)), 1, 0)
    for place, code in enumerate(CODES):
        given = end(code, place, which)
        picture = pictures.piece(pictures.bytes_of(given["image"]))
        turn.wait(60)
        ends = [PutRight(code, picture, np.array(given["quad"]))]
        prints.put_right(gate, partial(list, ends), folder, "grandmother", 7)


def test_two_processes_that_teach_at_once_lose_no_word(url: str, tmp_path: Path) -> None:
    processes = multiprocessing.get_context("spawn")
    turn = processes.Barrier(2)
    folder = tmp_path / "decks"
    both = [processes.Process(target=say_in_turn, args=(folder, which, turn)) for which in (0, 1)]
    for one in both:
        one.start()
    for one in both:
        one.join(120)
    own = prints.stored(folder, "grandmother")
    assert own is not None
    assert len(prints.learnt(own)) == 2 * len(CODES)


def test_a_print_that_is_being_changed_all_the_time_is_an_error_object(
    client: FlaskClient, url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(changing, "PATIENCE_SECONDS", 0)
    with changing.changing(tmp_path / "decks"):
        answer = learn(client, end("s1"))
        client.set_cookie("language", "zh-Hans")
        in_chinese = learn(client, end("s1"))
    error = answer.get_json()["error"]
    assert (answer.status_code, error["code"]) == (422, "print_busy")
    assert error["sentence"].startswith("Somebody else is changing")
    assert in_chinese.get_json()["error"]["sentence"] == "别人正在改牌册的印法，过一会儿再试。"
    assert learn(client, end("s1")).status_code == 200


def test_learning_and_forgetting_need_a_token(client: FlaskClient, url: str) -> None:
    body = {"print": "grandmother", "ends": [end("s1")]}
    assert client.post("/decks/learn", json=body).status_code == 400
    assert client.post("/decks/forget", data={"print": "grandmother"}).status_code == 400


def test_learning_is_for_paired_devices(app: Flask, url: str) -> None:
    config = {"TESTING": True, "DATA_DIR": app.config["DATA_DIR"], "WTF_CSRF_ENABLED": False}
    guarded = create_app(config, reader=vision.Reader(networks=networks_for(DECK)))
    pairing.init_app(guarded, "123456", print)
    for path, body in (
        ("/decks/learn", {"print": "grandmother", "ends": [end("s1")]}),
        ("/decks/forget", {}),
    ):
        for address, status in (("192.168.1.9", {403}), ("127.0.0.1", {200, 422})):
            answer = guarded.test_client().post(path, json=body, environ_overrides={"REMOTE_ADDR": address})
            assert answer.status_code in status
    guarded.extensions[kept.EXTENSION].close()


def test_a_damaged_print_is_no_page_in_ruins(client: FlaskClient, url: str, tmp_path: Path) -> None:
    (tmp_path / "decks" / "grandmother" / "print.json").write_text("{}")
    page = client.get(url)
    assert page.status_code == 200
    assert "What this deck has learnt is damaged; teach it again from a photo." in plain(page.text)
    assert client.get(f"{url}/learnt/{'0' * 16}.jpg").status_code == 404
    assert learn(client, end("s1")).get_json()["error"]["code"] == "damaged_print"
    assert forget(client, "x").get_json()["error"]["code"] == "damaged_print"


def test_a_deck_saved_under_the_name_of_a_print_adds_to_it(client: FlaskClient, tmp_path: Path) -> None:
    from vision.taught import stored_print

    folder = tmp_path / "decks"
    reader = vision.Reader(networks=networks_for(DECK))
    lesson = propose(reader, photo_of(DECK))
    first = replace(lesson, proposals=lesson.proposals[:1])
    vision.save_print(folder, "grandmother", learned([first], reader.networks))
    save(client, "grandmother", OWN)
    assert set(stored_print(folder, "grandmother").codes) == set(CODES)
