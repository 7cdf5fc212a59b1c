"""Kept photos: nothing is kept unless asked; what is kept is measured, taught from, given away, taken in, deleted."""

from __future__ import annotations

import io
import json
import secrets
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from flask import Flask
from flask.testing import FlaskClient
from PIL import Image
from werkzeug.test import TestResponse

import vision
from tests.readers import EachAlone
from tests.webui.databases import KINDS, fresh_url
from vision.evaluate import Counts, Judged
from vision.networks import weights_name
from vision.truth import TruthError, parse_truth
from webui import create_app
from webui.examples import figures, package
from webui.examples.measuring import own_temperature
from webui.examples.package import BadPackage, unpack
from webui.store import examples, kept
from webui.store.examples import Answer

SIZE = (2500, 700)
CARDS: list[dict[str, Any]] = [
    {"code": "rK", "pile": 0, "ends": [[[300, 300], [500, 300], [500, 500], [300, 500]]]},
    {"code": "gA", "pile": 0, "ends": [[[600, 300], [800, 300], [800, 500], [600, 500]]]},
    {"code": "wP", "pile": 1, "ends": [[[900, 300], [1100, 300], [1100, 500], [900, 500]]]},
]


class Reader(EachAlone):
    """Reads the three cards where they lie in the kept photo, the last one wrongly and unmarked."""

    def read(
        self, data: bytes, *, name: str, deck: str, taught: str, taught_dir: Path | None
    ) -> vision.Reading:
        height, width, _ = vision.decode(data).shape
        scale = width / SIZE[0]
        seen = tuple(
            vision.SeenCard(
                code, 0.97, False, (), (vision.CardEnd(np.array(card["ends"][0]) * scale, 0.9),), 0
            )
            for code, card in zip(("rK", "gA", "yP"), CARDS, strict=True)
        )
        return vision.Reading(name, width, height, "sise", seen, (), (), {"total": 1.0})


@pytest.fixture(params=KINDS)
def app(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Flask]:
    with fresh_url(str(request.param), tmp_path) as url:
        config = {"TESTING": True, "DATA_DIR": tmp_path, "DATABASE_URL": url, "SECRET_KEY": "k" * 32}
        made = create_app({**config, "WTF_CSRF_ENABLED": False}, reader=Reader())
        yield made
        made.extensions[kept.EXTENSION].close()


def photo_bytes(shade: int = 90) -> bytes:
    """A photo with a camera's name and a place in it."""
    picture = Image.new("RGB", SIZE, (shade, 120, 80))
    facts = Image.Exif()
    facts[271] = "Camera of Aunt Mei"
    out = io.BytesIO()
    picture.save(out, "JPEG", exif=facts)
    return out.getvalue()


def keep(client: FlaskClient, shade: int = 90, **changes: Any) -> TestResponse:
    said = {"key": secrets.token_hex(16), "deck": "sise", "name": "外婆", "cards": CARDS, "remarks": ["dark"]}
    form = {"photo": (io.BytesIO(photo_bytes(shade)), "IMG_1.jpg"), "data": json.dumps({**said, **changes})}
    return client.post("/examples", data=form, headers={"Accept": "application/json"})


def kept_id(client: FlaskClient, shade: int = 90, **changes: Any) -> str:
    answer = keep(client, shade, **changes)
    assert answer.status_code == 201, answer.text
    return str(answer.get_json()["id"])


def test_a_kept_photo_has_its_truth_and_no_metadata(client: FlaskClient, app: Flask) -> None:
    one = kept_id(client)
    jpeg = client.get(f"/examples/{one}.jpg").data
    assert b"Exif" not in jpeg
    assert b"Aunt Mei" not in jpeg
    assert Image.open(io.BytesIO(jpeg)).size == (2400, 672)
    (found,) = examples.listed(app.extensions[kept.EXTENSION])
    assert (found.name, found.deck, found.source) == ("外婆", "sise", "")
    photo = found.photo
    assert [card.code for card in photo.cards] == ["rK", "gA", "wP"]
    assert [card.pile for card in photo.cards] == [0, 0, 1]
    assert photo.groups == ("light dark",)
    np.testing.assert_allclose(photo.cards[0].ends[0].quad[0], [300 * 0.96, 300 * 0.96], atol=0.3)


def test_the_same_key_keeps_once(client: FlaskClient, app: Flask) -> None:
    key = secrets.token_hex(16)
    assert kept_id(client, key=key) == kept_id(client, key=key)
    assert len(examples.listed(app.extensions[kept.EXTENSION])) == 1


@pytest.mark.parametrize(
    "changes",
    [
        {"cards": []},
        {"cards": [{**CARDS[0], "code": "s1"}]},
        {"cards": [{**CARDS[0], "ends": []}]},
        {"cards": [{**CARDS[0], "ends": [[[0, 0], [9e9, 0], [1, 1], [0, 1]]]}]},
        {"cards": [{**CARDS[0], "ends": [[[0, 0], [float("nan"), 0], [1, 1], [0, 1]]]}]},
        {"cards": "all of them"},
        {"deck": "tarot"},
        {"key": "short"},
        {"name": "../../etc"},
    ],
)
def test_what_is_no_truth_is_refused_and_nothing_kept(
    client: FlaskClient, app: Flask, changes: dict[str, Any]
) -> None:
    answer = keep(client, **changes)
    assert 400 <= answer.status_code < 500
    assert answer.get_json()["error"]["message"]
    assert examples.listed(app.extensions[kept.EXTENSION]) == ()


def test_a_photo_is_listed_looked_at_named_and_deleted(client: FlaskClient) -> None:
    assert "No photo is kept" in client.get("/examples").text
    one = kept_id(client, name="")
    assert one in client.get("/examples").text
    page = client.get(f"/examples/{one}").text
    assert page.count("<polygon") == 3
    client.post(f"/examples/{one}/name", data={"name": "牌"})
    assert "牌" in client.get("/examples").text
    assert client.post(f"/examples/{one}/delete").status_code == 303
    assert client.get(f"/examples/{one}.jpg").status_code == 404
    assert "No photo is kept" in client.get("/examples").text
    assert client.get("/examples/nowhere").status_code == 404


def test_what_it_is_worth_is_measured_and_said(client: FlaskClient, app: Flask) -> None:
    one, two = kept_id(client), kept_id(client, 91, remarks=[])
    assert "2 photos have not been measured yet" in client.get("/examples").text
    for id_ in (one, two):
        assert client.post(f"/examples/{id_}/measure", json={}).status_code == 200
    page = client.get("/examples").text
    assert "4 of 6 right" in page
    assert "2 wrong and not marked" in page
    assert "white soldier → yellow soldier ×2" in page
    store = app.extensions[kept.EXTENSION]
    found = figures.report(examples.listed(store), examples.answers(store))
    assert [(row.name, row.counts.right, row.silent) for row in found.lights] == [
        ("dark", 2, 1),
        ("plain", 2, 1),
    ]
    assert found.unmeasured == ()


def answer(example_id: str, weights: str, how: str, right: int, silent: int, at_ms: int) -> Answer:
    counts = Counts(photos=1, cards=10, found=10, right=right, wrong=10 - right, silent=silent)
    return Answer(example_id, weights, how, counts, (Judged("rK", "rK", 0.9, False),), at_ms)


def test_an_update_that_reads_worse_is_seen(client: FlaskClient, app: Flask) -> None:
    """Both states on the photos that both have read, though the new one has read more."""
    store, now = app.extensions[kept.EXTENSION], weights_name()
    one, two = kept_id(client), kept_id(client, 91)
    assert "before the last update" not in client.get("/examples").text
    examples.put_answer(store, answer(one, "old weights", "plain", 9, 0, 1))
    for id_ in (one, two):
        examples.put_answer(store, answer(id_, now, "plain", 7, 2, 2))
    found = figures.report(examples.listed(store), examples.answers(store))
    assert [(row.name, row.counts.right, row.counts.cards) for row in found.rows] == [("plain", 14, 20)]
    assert [(row.name, row.counts.right, row.silent) for row in found.update] == [
        ("before", 9, 0),
        ("now", 7, 2),
    ]
    assert "as it was before the last update" in client.get("/examples").text


def test_with_and_without_a_print_are_of_the_same_photos(client: FlaskClient, app: Flask) -> None:
    store, now = app.extensions[kept.EXTENSION], weights_name()
    one, two = kept_id(client), kept_id(client, 91, name="")
    for id_ in (one, two):
        examples.put_answer(store, answer(id_, now, "plain", 7, 2, 2))
    examples.put_answer(store, answer(one, now, "own", 9, 0, 3))
    found = figures.report(examples.listed(store), examples.answers(store))
    assert [(row.name, row.counts.photos, row.counts.right) for row in found.rows] == [
        ("plain", 2, 14),
        ("own", 2, 16),
    ]
    assert {row["name"] for row in found.figures} == {
        "by itself",
        "with others' print",
        "deck 2",
        "sise",
        "light dark",
    }


def test_a_print_learns_only_what_does_no_harm(client: FlaskClient, app: Flask) -> None:
    store, now = app.extensions[kept.EXTENSION], weights_name()
    ids = [kept_id(client, 90 + i) for i in range(3)]
    for i, one in enumerate(ids):
        examples.put_answer(store, answer(one, now, "plain", 8, 1, i))
        examples.put_answer(store, answer(one, now, "own", 8, 1, i))
    there = examples.listed(store)
    assert figures.report(there, examples.answers(store)).teachable == ("外婆",)
    examples.put_answer(store, answer(ids[0], now, "own", 7, 1, 9))
    assert figures.report(there, examples.answers(store)).teachable == ()
    said = client.post("/examples/teach", data={"name": "外婆"}, follow_redirects=True).text
    assert "nothing was learnt" in said
    assert not list((app.config["DATA_DIR"]).glob("decks/*/print.json"))


def test_doubt_of_a_deck_follows_what_was_right() -> None:
    honest = [Judged("rK", "rK", 0.9, False)] * 90 + [Judged("rK", "rA", 0.9, False)] * 10
    assert own_temperature(honest) == 1
    boastful = [Judged("rK", "rK", 0.99, False)] * 80 + [Judged("rK", "rA", 0.99, False)] * 20
    assert own_temperature(boastful) > 1.8
    assert own_temperature(boastful[-1:]) == 1  # one misread card turns nothing around
    timid = [Judged("rK", "rK", 0.8, True)] * 100
    assert own_temperature(timid) < 0.7
    assert own_temperature([]) == 1


def exported(client: FlaskClient, ids: list[str], **changes: str) -> TestResponse:
    form = {"id": ids, "licence": "CC0-1.0", "mine": "on", **changes}
    return client.post("/examples/export", data=form)


def test_photos_are_given_away_and_taken_in(client: FlaskClient, app: Flask) -> None:
    one = kept_id(client)
    preview = client.get(f"/examples/give?id={one}&blur=1").text
    assert f"/examples/{one}/given.jpg?blur=1" in preview
    shown = client.get(f"/examples/{one}/given.jpg?blur=1").data
    data = exported(client, [one], blur="1").data
    with zipfile.ZipFile(io.BytesIO(data)) as archive:
        assert archive.namelist() == ["annotations.json", "LICENCE.txt", "001.jpg"]
        assert archive.read("001.jpg") == shown
        text = archive.read("annotations.json").decode()
        assert "外婆" not in text
        assert str(json.loads(text)["info"]["household"]).isalnum()
    found = unpack(data)
    (given,) = found.photos
    assert given.photo.cards[0].code == "rK"
    width, height = Image.open(io.BytesIO(given.jpeg)).size
    assert (width, height) == (1152, 576)  # three cards and the gaps between, with a card's width around
    client.post(f"/examples/{one}/delete")
    taken = client.post(
        "/examples/import", data={"package": (io.BytesIO(data), "a.zip")}, follow_redirects=True
    )
    assert "1 photo taken in" in taken.text
    (back,) = examples.listed(app.extensions[kept.EXTENSION])
    assert back.source.endswith("CC0-1.0")
    assert [card.code for card in back.photo.cards] == ["rK", "gA", "wP"]
    again = client.post("/examples/import", data={"package": (io.BytesIO(data), "a.zip")})
    assert again.status_code == 303
    assert len(examples.listed(app.extensions[kept.EXTENSION])) == 1
    assert (
        client.get(f"/examples/{back.id}/given.jpg").status_code == 400
    )  # others' photos are not one's own to give


def test_a_deck_is_called_the_same_in_every_package(client: FlaskClient) -> None:
    """Splits by deck would leak, were decks numbered as they happen to stand in the list."""
    first = kept_id(client)
    alone = unpack(exported(client, [first]).data).photos[0].more["print"]
    other = kept_id(client, 91, name="别的")
    both = unpack(exported(client, [other, first]).data)
    names = {str(one.more["print"]) for one in both.photos}
    assert alone in names
    assert len(names) == 2


def test_what_lies_outside_the_cards_is_blurred(client: FlaskClient, app: Flask) -> None:
    one = kept_id(client)
    store = app.extensions[kept.EXTENSION]
    noisy = np.random.default_rng(1).integers(0, 255, (672, 2400, 3)).astype(np.uint8)
    out = io.BytesIO()
    Image.fromarray(noisy).save(out, "JPEG", quality=95)
    photo = examples.load(store, one).photo
    made = package.given(out.getvalue(), photo, blurred=True, print_name="deck-1", light="plain")
    image = vision.decode(made.jpeg).astype(float)
    (x, y), far = photo_place(made.photo.cards[0].ends[0].quad), (30, 30)
    assert (
        image[y - 20 : y + 20, x - 20 : x + 20].std()
        > 3 * image[far[1] - 20 : far[1] + 20, far[0] - 20 : far[0] + 20].std()
    )


def photo_place(quad: np.ndarray) -> tuple[int, int]:
    x, y = quad.mean(axis=0)
    return round(x), round(y)


def test_giving_asks_for_licence_and_right(client: FlaskClient) -> None:
    one = kept_id(client)
    for changes in ({"licence": "mine alone"}, {"mine": ""}):
        assert exported(client, [one], **changes).status_code == 303
    assert exported(client, []).status_code == 303


def rewritten(data: bytes, change: dict[str, bytes | None]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(io.BytesIO(data)) as old, zipfile.ZipFile(out, "w") as new:
        entries = {name: old.read(name) for name in old.namelist()} | change
        for name, content in entries.items():
            if content is not None:
                new.writestr(name, content)
    return out.getvalue()


def refused(data: bytes) -> bool:
    try:
        unpack(data)
    except BadPackage:
        return True
    return False


def test_packages_are_checked(client: FlaskClient) -> None:
    good = exported(client, [kept_id(client)]).data
    text = json.loads(zipfile.ZipFile(io.BytesIO(good)).read("annotations.json"))
    wrong_code = json.dumps(
        {**text, "categories": [{**one, "name": "zz"} for one in text["categories"]]}
    ).encode()
    no_licence = json.dumps({**text, "info": {**text["info"], "licence": "none"}}).encode()
    bad: dict[str, bytes] = {
        "no ZIP": b"PK but no",
        "no annotations": rewritten(good, {"annotations.json": None}),
        "no photo": rewritten(good, {"001.jpg": None}),
        "one photo more": rewritten(good, {"002.jpg": photo_bytes()}),
        "metadata": rewritten(good, {"001.jpg": photo_bytes()}),
        "no licence": rewritten(good, {"annotations.json": no_licence}),
        "no such card": rewritten(good, {"annotations.json": wrong_code}),
        "no COCO": rewritten(good, {"annotations.json": b"[[[[["}),
        "a folder": rewritten(good, {"../evil.jpg": b"x"}),
    }
    for name, data in bad.items():
        assert refused(data), name
    said = client.post(
        "/examples/import", data={"package": (io.BytesIO(bad["metadata"]), "a.zip")}, follow_redirects=True
    )
    assert "The photo 001.jpg in it is damaged" in said.text
    no_zip = {"package": (io.BytesIO(b"PK but no"), "a.zip")}
    said = client.post("/examples/import", data=no_zip, follow_redirects=True)
    assert "no ZIP file" in said.text


def test_coco_must_be_whole() -> None:
    with pytest.raises(TruthError, match="x is no COCO file"):
        parse_truth(b'{"images": 3}', "x")
