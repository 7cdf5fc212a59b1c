"""The HTTP API: what DESIGN 3 promises to other programs."""

from __future__ import annotations

import threading
from pathlib import Path

import pytest
from flask.testing import FlaskClient

import scorer
import vision
from tests.webui.page import E_02, E_03, FakeReader, make_app, photo, reading
from webui import create_app
from webui.scanning import api
from webui.store import DamagedDatabase, kept

DEALT = "1-3 1-3 4-6 4-6 1-5 1-5 4-4 2-6 4-5 4-5 2-3 2-3 6-6 6-6 1-1 1-2 5-6 1-6 3-4 5-5"
"""20 cards of 幺地人 with nine 卯 and 44 陀."""


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    return make_app(tmp_path, reading(E_02.split())).test_client()


def error_of(answer: object) -> tuple[int, str]:
    """Status and code; the error object has exactly code and message, the message is one sentence."""
    status, body = answer.status_code, answer.get_json()  # type: ignore[attr-defined]
    assert set(body["error"]) == {"code", "message"}
    assert body["error"]["message"]
    assert "\n" not in body["error"]["message"]
    return status, body["error"]["code"]


def test_healthz(client: FlaskClient) -> None:
    assert client.get("/healthz").get_json() == {"status": "ok"}


def test_healthz_says_what_is_damaged(client: FlaskClient, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(
        client.application.extensions, kept.UNUSABLE, DamagedDatabase("/home/x/y.sqlite3", "torn")
    )
    monkeypatch.setattr(api, "weights_fault", lambda: "the network file x.onnx is missing")
    answer = client.get("/healthz")
    assert answer.status_code == 503
    assert answer.get_json() == {
        "status": "failing",
        "database": "damaged_database",
        "networks": "the network file x.onnx is missing",
    }


def test_read_gives_one_object_per_photo_and_never_the_clients_file_name(client: FlaskClient) -> None:
    answer = client.post("/api/read", data={"photo": [photo(), photo()], "deck": "sise"})
    assert answer.status_code == 200
    body = answer.get_json()
    assert set(body) == {"photos"}
    assert len(body["photos"]) == 2
    first = body["photos"][0]
    assert {"file", "width", "height", "deck", "cards", "others", "warnings", "timing_ms"} <= set(first)
    assert [card["code"] for card in first["cards"]] == E_02.split()
    assert "holiday" not in answer.get_data(as_text=True)


def test_read_passes_deck_and_taught_on(tmp_path: Path) -> None:
    reader = FakeReader(reading([]))
    client = create_app({"TESTING": True, "DATA_DIR": tmp_path}, reader=reader).test_client()
    client.post("/api/read", data={"photo": photo(), "deck": "zipai", "taught": "none"})
    client.post("/api/read", data={"photo": photo()})
    assert reader.asked == [("photo-1", "zipai", "none"), ("photo-1", "auto", "auto")]


@pytest.mark.parametrize(
    ("code", "status"),
    [
        ("empty_file", 400),
        ("not_an_image", 415),
        ("too_large", 413),
        ("too_many_pixels", 413),
        ("damaged_image", 422),
    ],
)
def test_a_photo_that_fails_names_why(tmp_path: Path, code: str, status: int) -> None:
    client = make_app(tmp_path, vision.PhotoError(code, "It fails.")).test_client()
    answer = client.post("/api/read", data={"photo": photo()})
    assert error_of(answer) == (status, code)
    assert answer.get_json()["photos"] == [
        {"file": "photo-1", "error": {"code": code, "message": "It fails."}}
    ]


def test_the_other_photos_are_still_read(tmp_path: Path) -> None:
    def read(data: bytes) -> vision.Reading:
        if data == b"bad":
            raise vision.PhotoError("not_an_image", "It is no image.")
        return reading(["rK"])

    client = make_app(tmp_path, read).test_client()
    answer = client.post("/api/read", data={"photo": [photo(b"bad"), photo(b"good")]})
    assert answer.status_code == 200
    first, second = answer.get_json()["photos"]
    assert first["error"]["code"] == "not_an_image"
    assert [card["code"] for card in second["cards"]] == ["rK"]


def test_photos_of_the_same_cards_are_read_as_one(tmp_path: Path) -> None:
    one, other = reading(E_02.split()), reading(["rK", "rA"])
    client = make_app(tmp_path, lambda data: other if data == b"other" else one).test_client()
    body = client.post("/api/read", data={"photo": [photo(), photo()], "same": "1"}).get_json()
    assert [len(found["cards"]) for found in body["photos"]] == [21]
    body = client.post("/api/read", data={"photo": [photo(), photo()]}).get_json()
    assert len(body["photos"]) == 2
    body = client.post("/api/read", data={"photo": [photo(), photo(b"other")], "same": "1"}).get_json()
    assert [len(found["cards"]) for found in body["photos"]] == [21, 2]


def test_one_bad_photo_of_the_same_cards_fails_all(tmp_path: Path) -> None:
    client = make_app(tmp_path, vision.PhotoError("not_an_image", "It is no image.")).test_client()
    answer = client.post("/api/read", data={"photo": [photo(), photo()], "same": "1"})
    assert error_of(answer) == (415, "not_an_image")


def test_read_refuses_what_it_cannot_use(client: FlaskClient) -> None:
    assert error_of(client.post("/api/read", data={})) == (400, "bad_request")
    assert error_of(client.post("/api/read", data={"photo": photo(), "deck": "tarot"})) == (
        400,
        "bad_request",
    )
    assert error_of(client.post("/api/read", data={"photo": [photo() for _ in range(7)]})) == (
        400,
        "bad_request",
    )
    assert error_of(client.get("/api/read")) == (405, "method_not_allowed")


def test_read_refuses_a_request_that_is_too_large(tmp_path: Path) -> None:
    app = make_app(tmp_path, reading([]))
    app.config["MAX_CONTENT_LENGTH"] = 1000
    answer = app.test_client().post("/api/read", data={"photo": photo(b"x" * 5000)})
    assert error_of(answer) == (413, "too_large")


def test_beyond_the_queue_there_is_a_plain_no(tmp_path: Path) -> None:
    started, go_on = threading.Event(), threading.Event()

    def read(data: bytes) -> vision.Reading:
        started.set()
        assert go_on.wait(20)
        return reading([])

    app = make_app(tmp_path, read)
    places = app.config["READ_AT_ONCE"] + app.config["READ_WAITING"]
    statuses: list[int] = []

    def ask() -> None:
        statuses.append(app.test_client().post("/api/read", data={"photo": photo()}).status_code)

    waiting = [threading.Thread(target=ask) for _ in range(places)]
    waiting[0].start()
    assert started.wait(20)
    for thread in waiting[1:]:
        thread.start()
    gate = app.extensions["paiyan_gate"]
    for _ in range(200):
        if gate.full():
            break
        threading.Event().wait(0.02)
    answer = app.test_client().post("/api/read", data={"photo": photo()})
    assert error_of(answer) == (429, "busy")
    assert int(answer.headers["Retry-After"]) >= 1
    go_on.set()
    for thread in waiting:
        thread.join(20)
    assert statuses == [200] * places
    assert app.test_client().post("/api/read", data={"photo": photo()}).status_code == 200


def test_a_reader_that_breaks_frees_its_place(tmp_path: Path) -> None:
    app = make_app(tmp_path, RuntimeError("boom"))
    app.config["TESTING"] = False
    client = app.test_client()
    for _ in range(8):
        assert error_of(client.post("/api/read", data={"photo": photo()})) == (500, "internal_error")


def test_score_e02_and_e03(client: FlaskClient) -> None:
    body = client.post("/api/score", json={"rules": "shihu", "hand": E_02}).get_json()
    assert (body["total"], body["wins"], body["settlement"]) == (10, True, [3, -1, -1, -1])
    keys = "rules wins fault total unit lines melds factor detail reason runner_up settlement warnings hand"
    assert set(keys.split()) <= set(body)
    body = client.post("/api/score", json={"rules": "shihu", "hand": E_03, "facts": {"seats": 3}}).get_json()
    assert (body["total"], body["fault"], body["settlement"]) == (8, True, [-22, 11, 11])


def test_score_takes_options(client: FlaskClient) -> None:
    hand = E_02.replace("wC wC", "wC !wC")
    plain = client.post(
        "/api/score", json={"rules": "shihu", "hand": hand, "options": {"stake": 5}}
    ).get_json()
    assert plain["settlement"][1] == -5


@pytest.mark.parametrize(
    ("hand", "code"),
    [
        ("rK(", "bad_notation"),
        ("rK zZ", "unknown_card"),
        ("跑(rK) rA", "unknown_kind"),
        ("rK rA", "wrong_card_count"),
        (E_02.replace("rA rB rR rN", "rK rK rK rK"), "too_many_copies"),
    ],
)
def test_a_bad_hand_is_named(client: FlaskClient, hand: str, code: str) -> None:
    assert error_of(client.post("/api/score", json={"rules": "shihu", "hand": hand})) == (422, code)
    assert error_of(client.post("/api/waits", json={"rules": "shihu", "hand": hand}))[0] == 422


@pytest.mark.parametrize(
    "body",
    [
        [],
        "text",
        {},
        {"rules": "shihu"},
        {"rules": 3, "hand": "rK"},
        {"rules": "shihu", "hand": ["rK"]},
        {"rules": "shihu", "hand": "rK", "facts": []},
        {"rules": "shihu", "hand": "rK", "options": "none"},
        {"rules": "shihu", "hand": "rK " * 2000},
    ],
)
@pytest.mark.parametrize("path", ["/api/score", "/api/waits", "/api/before-play"])
def test_a_bad_body_is_refused(client: FlaskClient, path: str, body: object) -> None:
    assert error_of(client.post(path, json=body)) == (400, "bad_request")


def test_a_body_that_is_no_json(client: FlaskClient) -> None:
    assert error_of(client.post("/api/score", data="{", content_type="application/json")) == (
        400,
        "bad_request",
    )
    assert error_of(client.post("/api/score", data="rules=shihu")) == (415, "unsupported_type")


def test_unknown_rules_facts_and_options(client: FlaskClient) -> None:
    ask = {"rules": "shihu", "hand": E_02}
    assert error_of(client.post("/api/score", json=ask | {"rules": "mahjong"})) == (422, "unknown_rules")
    assert error_of(client.post("/api/score", json=ask | {"facts": {"moon": 1}})) == (422, "unknown_fact")
    assert error_of(client.post("/api/score", json=ask | {"facts": {"seats": 9}})) == (422, "bad_fact")
    assert error_of(client.post("/api/score", json=ask | {"options": {"moon": 1}})) == (422, "unknown_option")


def test_waits(client: FlaskClient) -> None:
    hand = " ".join(E_02.replace("gK ", "").split())
    body = client.post("/api/waits", json={"rules": "shihu", "hand": hand}).get_json()
    assert {"rules", "hand", "waits", "warnings"} <= set(body)
    assert "gK" in [wait["code"] for wait in body["waits"]]


def piles(*groups: str, table: bool = False) -> list[dict[str, object]]:
    return [{"cards": group.split(), "table": table, "kind": None} for group in groups]


def test_piles_become_a_hand_and_its_count(client: FlaskClient) -> None:
    cards = E_02.replace("yN yN yN ", "")
    body = client.post(
        "/api/hand", json={"rules": "shihu", "piles": piles(cards) + piles("yN yN yN", table=True)}
    ).get_json()
    assert body["kinds"] == [[], ["碰"]]
    assert body["hand"].startswith("碰(yN yN yN)")
    assert body["score"]["total"] == 8
    body = client.post("/api/hand", json={"rules": "shihu", "piles": piles(E_02), "winning": "gK"}).get_json()
    assert body["hand"].endswith("!gK")


def test_piles_that_make_no_hand_say_why_and_what_they_wait_for(client: FlaskClient) -> None:
    body = client.post(
        "/api/hand", json={"rules": "shihu", "piles": piles(E_02.replace("gK ", ""))}
    ).get_json()
    assert body["error"]["code"] == "wrong_card_count"
    assert "gK" in [wait["code"] for wait in body["waits"]]
    body = client.post("/api/hand", json={"rules": "shihu", "piles": piles("rK")}).get_json()
    assert (body["error"]["code"], body["waits"]) == ("wrong_card_count", None)


@pytest.mark.parametrize(
    ("rules", "hand", "takes"),
    [
        ("shihu", "rK", [21, 21]),
        ("guangshui", "rK", [31, 31]),
        ("zipai", "s1", [21, 26]),
        ("chuanpai", "1-1", [16, 32]),
        ("yaodiren", "1-1", [21, 35]),
    ],
)
def test_a_wrong_number_of_cards_says_how_many_win(
    client: FlaskClient, rules: str, hand: str, takes: list[int]
) -> None:
    body = client.post("/api/hand", json={"rules": rules, "piles": piles(hand)}).get_json()
    assert body["error"]["takes"] == takes


def test_a_dealt_hand_is_checked_before_play(client: FlaskClient) -> None:
    ask = {"rules": "yaodiren", "hand": DEALT, "facts": {"dealer": True}}
    found = client.post("/api/before-play", json=ask).get_json()
    assert found == scorer.qualification_json(scorer.qualification(DEALT.split(), {"dealer": True}))
    assert (found["may_play"], found["mao"], found["tuo"], found["need"]) == (True, 9, 44, 34)
    assert sum(one["tuo"] for one in found["coming"]) == 44
    assert error_of(client.post("/api/before-play", json={"rules": "shihu", "hand": E_02})) == (
        422,
        "not_dealt",
    )
    short = {"rules": "yaodiren", "hand": "1-1 6-6"}
    assert error_of(client.post("/api/before-play", json=short)) == (422, "wrong_card_count")


def test_the_page_is_told_of_a_dealt_hand_alone(client: FlaskClient) -> None:
    def before(rules: str, laid: list[dict[str, object]], winning: str | None = None) -> object:
        ask = {"rules": rules, "piles": laid, "winning": winning}
        return client.post("/api/hand", json=ask).get_json()["before"]

    first, rest = DEALT[:11], DEALT[11:]
    found = before("yaodiren", piles(first, rest))
    assert isinstance(found, dict)
    assert found["may_play"]
    assert before("yaodiren", piles(rest)) is None, "too few cards"
    assert before("yaodiren", piles(DEALT), "1-3") is None, "a card has won"
    assert before("yaodiren", piles(DEALT) + piles("4-4 4-4 4-4", table=True)) is None, "play has begun"
    assert before("shihu", piles(E_02)) is None


@pytest.mark.parametrize(
    "changed",
    [
        {"piles": None},
        {"piles": ["rK"]},
        {"piles": [{"cards": "rK"}]},
        {"piles": [{"cards": [1]}]},
        {"piles": [{"cards": ["rK"], "kind": 2}]},
        {"piles": [{"cards": ["rK"] * 100}]},
        {"piles": [{"cards": ["rK"]}] * 100},
        {"winning": 4},
    ],
)
def test_bad_piles_are_refused(client: FlaskClient, changed: dict[str, object]) -> None:
    body = {"rules": "shihu", "piles": piles("rK"), "winning": None} | changed
    assert error_of(client.post("/api/hand", json=body)) == (400, "bad_request")


def test_a_foreign_host_is_refused(client: FlaskClient) -> None:
    assert client.get("/healthz", headers={"Host": "evil.example"}).status_code == 400
