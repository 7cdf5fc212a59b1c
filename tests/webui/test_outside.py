"""What comes from outside: JSON that breaks things, bodies of any size, any value where another belongs."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.hostile.asked import DEEP, Asked, requests
from tests.webui.page import make_app, reading
from webui.ledger import outside
from webui.store import kept

JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**63) + 1, 2**63 - 1) | st.text(st.characters(codec="utf-8")),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("abc"), inner, max_size=3),
    max_leaves=8,
)


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    made = make_app(tmp_path, reading(["rK", "rA"]))
    made.config["WTF_CSRF_ENABLED"] = False
    yield made
    made.extensions[kept.EXTENSION].close()


@settings(max_examples=40, deadline=None)
@given(JSON)
def test_json_of_ours_comes_in_as_it_is(value: object) -> None:
    assert outside.loads(json.dumps(value)) == value
    assert outside.loads(json.dumps(value, ensure_ascii=False).encode()) == value


@pytest.mark.parametrize(
    "text",
    [
        *(
            "",
            "{",
            DEEP,
            "[" * 40 + "]" * 40,
            '{"a":' * 40 + "1" + "}" * 40,
            "NaN",
            "-Infinity",
            "1e999",
            "9" * 5000,
        ),
        *(str(2**63), '"\\ud800"', '{"\\udfff": 1}', '["\\ud83d"]', "[" + "[]," * 2_000_001 + "1]"),
        *(b"\xff\xfe[\x001\x00]\x00", b'"\xed\xa0\x80"'),
    ],
)
def test_what_breaks_things_is_refused(text: str | bytes) -> None:
    with pytest.raises(outside.BadJson):
        outside.loads(text)


def some(app: Flask, every: int) -> list[Asked]:
    known = {"<table_id>": "none", "<deck_id>": "none", "<any(back, box):side>": "back"}
    return list(requests(app, known))[::every]


def test_every_address_answers_every_kind_of_value(app: Flask, client: FlaskClient) -> None:
    """A few of them; `make hostile` asks all, of tables that are there."""
    for one in some(app, 61):
        answer = one.send(client, {})
        assert answer.status_code < 500, one.name
        answer.close()


def test_the_description_names_every_address_of_the_api(app: Flask, client: FlaskClient) -> None:
    told = client.get("/api/openapi.json").get_json()
    there = {rule.rule for rule in app.url_map.iter_rules() if "POST" in (rule.methods or ())}
    assert set(told["paths"]) == {path for path in there if path.startswith("/api/")}
    names = {one.rpartition("/")[2] for one in re.findall(r'"\$ref": ?"([^"]+)"', json.dumps(told))}
    assert names <= set(told["components"]["schemas"])
    answer = client.open("/api/score", method="TRACE")
    assert (answer.status_code, "POST" in answer.headers["Allow"]) == (405, True)


@pytest.mark.parametrize(
    ("path", "most"),
    [("/api/score", 512), ("/decks/learn", 8192), ("/games/x/rounds", 8192), ("/games/new", 512)],
)
def test_a_body_is_no_larger_than_its_address_needs(client: FlaskClient, path: str, most: int) -> None:
    body = b'{"a": "' + b"x" * (most * 1024) + b'"}'
    answer = client.post(path, data=body, content_type="application/json")
    assert answer.status_code == 413
    assert client.post(path, data=body[: most * 512], content_type="application/json").status_code != 413
