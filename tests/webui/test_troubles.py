"""A full disk, a folder that is closed, a database that somebody holds: said with its cause, the rest goes on."""

from __future__ import annotations

import errno
import json
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from tests.webui.page import E_02, make_app, photo, reading
from webui.store import engine, kept


@pytest.fixture
def app(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Flask]:
    monkeypatch.setattr(engine, "BUSY_SECONDS", 0)
    made = make_app(tmp_path, reading(["rK", "rA"]))
    made.config["WTF_CSRF_ENABLED"] = False
    yield made
    made.extensions[kept.EXTENSION].close()


def assert_the_rest_goes_on(client: FlaskClient) -> None:
    assert client.post("/api/read", data={"photo": photo()}).status_code == 200
    assert client.post("/api/score", json={"rules": "shihu", "hand": E_02}).status_code == 200


def test_a_database_that_somebody_holds(client: FlaskClient, tmp_path: Path) -> None:
    deck = {"name": "a", "key": "k" * 32, "deck": "sise", "photos": [{"relation": "more", "cards": []}]}
    with closing(sqlite3.connect(tmp_path / "paiyan.sqlite3")) as other:
        other.execute("BEGIN IMMEDIATE")
        answer = client.post(
            "/decks", data={"data": json.dumps(deck)}, headers={"Accept": "application/json"}
        )
        assert answer.status_code == 503
        assert "Another program holds paiyan's data" in answer.get_json()["error"]["sentence"]
        assert_the_rest_goes_on(client)
    assert client.post("/decks", data={"data": json.dumps(deck)}).status_code == 201


@pytest.mark.parametrize(
    ("number", "status", "said"),
    [
        (errno.ENOSPC, 507, "disk of the computer"),
        (errno.EROFS, 503, "write into its data folder"),
        (errno.EACCES, 503, "write into its data folder"),
    ],
)
def test_what_the_system_refuses(
    client: FlaskClient, monkeypatch: pytest.MonkeyPatch, number: int, status: int, said: str
) -> None:
    def refuse(*_: object) -> None:
        raise OSError(number, "refused")

    monkeypatch.setattr("webui.decks.learning.prints.forget_examples", refuse)
    answer = client.post("/decks/forget", data={"print": "x"}, headers={"Accept": "text/html"})
    assert answer.status_code == status
    assert said in answer.text.replace("&#39;", "'")
    told = client.post("/decks/forget", json={}, headers={"Accept": "application/json"}).get_json()
    assert told["error"]["code"] in ("no_room", "unavailable")
    assert_the_rest_goes_on(client)
