"""The pages: every view in every language, what the browser is told to refuse, the shell of the app."""

from __future__ import annotations

import gzip
import json
import os
import re
import secrets
from html.parser import HTMLParser
from pathlib import Path

import cv2
import numpy as np
import pytest
from flask.testing import FlaskClient

import scorer
from tests.webui.page import LANGUAGES, make_app, reading, speak
from webui.access.headers import CONTENT_SECURITY_POLICY

VIEWS = ("/", "/offline", "/no-such-page")
STATIC = Path(__file__).resolve().parents[2] / "webui" / "static"
MAX_PAGE_BYTES = 150_000


class Names(HTMLParser):
    """Collects tags and attributes of a page."""

    def __init__(self) -> None:
        super().__init__()
        self.tags: list[tuple[str, dict[str, str | None]]] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, dict(attrs)))


@pytest.fixture
def client(tmp_path: Path) -> FlaskClient:
    return make_app(tmp_path, reading([])).test_client()


def content(client: FlaskClient, path: str, encoding: str = "gzip") -> bytes:
    """The body, as a browser is sent it, of an answer that must be there; files are closed."""
    with client.get(path, headers={"Accept-Encoding": encoding}) as answer:
        assert answer.status_code == 200, path
        return answer.get_data()


@pytest.mark.parametrize("view", VIEWS)
@pytest.mark.parametrize("language", LANGUAGES)
def test_every_view_renders_in_every_language(client: FlaskClient, view: str, language: str) -> None:
    answer = speak(client, language).get(view)
    text = answer.get_data(as_text=True)
    assert answer.status_code == (404 if "no-such" in view else 200)
    assert f'<html lang="{language}">' in text
    shown = {"zh-Hans": "拍牌", "zh-Hant": "拍牌", "en": "Scan", "vi": "Chụp bài"}[language]
    assert f"<span>{shown}</span>" in text
    assert "Vary" in answer.headers


@pytest.mark.parametrize("view", VIEWS)
def test_nothing_inline_and_a_strict_policy(client: FlaskClient, view: str) -> None:
    answer = client.get(view)
    assert answer.headers["Content-Security-Policy"] == CONTENT_SECURITY_POLICY
    assert "unsafe" not in CONTENT_SECURITY_POLICY
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    page = Names()
    page.feed(answer.get_data(as_text=True))
    for tag, attributes in page.tags:
        assert tag != "style"
        assert "style" not in attributes
        assert not [name for name in attributes if name.startswith("on")]
        if tag == "script":
            assert (attributes.get("src") or "").startswith("/static/")


def test_every_button_and_picture_has_a_name(client: FlaskClient) -> None:
    page = Names()
    page.feed(client.get("/").get_data(as_text=True))
    for tag, attributes in page.tags:
        if tag == "img":
            assert "alt" in attributes
        if tag in ("dialog", "section") and attributes.get("class") != "stage":
            assert attributes.get("aria-labelledby") or attributes.get("aria-label")


@pytest.mark.parametrize(
    ("wish", "language"),
    [
        ("vi", "vi"),
        ("vi-VN,vi;q=0.9,en;q=0.8", "vi"),
        ("en-US", "en"),
        ("en-GB,zh-CN;q=0.9", "en"),
        ("zh-TW", "zh-Hant"),
        ("zh-HK,en;q=0.5", "zh-Hant"),
        ("zh-MO", "zh-Hant"),
        ("zh-Hant-CN", "zh-Hant"),
        ("zh-Hans-HK", "zh-Hans"),
        ("zh-CN", "zh-Hans"),
        ("zh", "zh-Hans"),
        ("zh-SG", "zh-Hans"),
        ("de-DE,de;q=0.9", "en"),
        ("fr,vi;q=0.3,zh;q=0.2", "vi"),
        ("zh;q=0,fr", "en"),
        ("vil,enx", "en"),
        ("*", "en"),
        ("", "en"),
    ],
)
def test_the_browser_decides_the_language(client: FlaskClient, wish: str, language: str) -> None:
    text = client.get("/", headers={"Accept-Language": wish}).get_data(as_text=True)
    assert f'<html lang="{language}">' in text


def test_the_language_is_one_tap_and_never_leads_away(client: FlaskClient) -> None:
    answer = client.get("/language/en?next=/games%3Fa=1")
    assert (answer.status_code, answer.location) == (302, "/games?a=1")
    assert '<html lang="en">' in client.get("/", headers={"Accept-Language": "zh-TW"}).get_data(as_text=True)
    for away in ("https://evil.example/", "//evil.example/", "/\\evil.example", "javascript:alert(1)", ""):
        assert client.get("/language/en", query_string={"next": away}).location == "/"
    assert client.get("/language/xx").status_code == 404


def test_the_chosen_game_is_remembered(client: FlaskClient) -> None:
    assert (
        "checked" not in client.get("/").get_data(as_text=True).split("game-list")[1].split("</details>")[0]
    )
    client.set_cookie("rules", "shihu")
    assert 'value="shihu" checked' in client.get("/").get_data(as_text=True)
    client.set_cookie("rules", "<script>")
    assert "<script>" not in client.get("/").get_data(as_text=True).split("</head>")[1]


@pytest.mark.parametrize("language", LANGUAGES)
def test_words_hold_all_tables(client: FlaskClient, language: str) -> None:
    words = speak(client, language).get("/words.json").get_json()
    assert words["language"] == language
    assert [rules["id"] for rules in words["rules"]] == list(scorer.rule_ids())
    for rules in words["rules"]:
        assert rules["deck"] in scorer.deck_ids()
        assert {"name", "unit", "kinds", "facts", "options", "lines", "notices", "cards"} <= set(rules)
        playable = set(scorer.rule_set(rules["id"]).spellings.values())
        assert set(rules["most"]) == playable
    for deck in words["decks"]:
        assert [code for code, *_ in deck["faces"]] == [face.code for face in scorer.deck(deck["id"]).faces]
        assert [face[1] for face in deck["faces"]] == [
            face.name.get(language) for face in scorer.deck(deck["id"]).faces
        ]
    if language != "en":
        assert words["messages"]["The hand wins"] == ("Bài tới" if language == "vi" else "胡了")
        assert words["messages"]["No card was found in this photo."]


@pytest.mark.parametrize(
    "path", ["/words.json", "/static/paiyan.css", "/static/js/score.js", "/faces/sise.svg"]
)
def test_what_is_the_same_for_everybody_is_packed_for_those_who_can_unpack(
    client: FlaskClient, path: str
) -> None:
    with client.get(path) as plain, client.get(path, headers={"Accept-Encoding": "gzip"}) as packed:
        assert plain.content_encoding is None
        assert packed.content_encoding == "gzip"
        assert "Accept-Encoding" in plain.vary
        assert gzip.decompress(packed.get_data()) == plain.get_data()
        assert len(packed.get_data()) < len(plain.get_data()) * 0.55


def test_scripts_leave_their_comments_at_home_and_keep_their_lines(client: FlaskClient) -> None:
    for path in (STATIC / "js").glob("*.js"):
        written = path.read_text(encoding="utf-8")
        assert not [line for line in written.splitlines() if line.count("`") % 2], "a text over several lines"
        sent = content(client, f"/static/js/{path.name}", "identity").decode()
        assert "/**" not in sent
        assert sent.count("\n") == written.count("\n")
        code = [line.strip() for line in written.splitlines()]
        kept = [line for line in sent.splitlines() if line]
        assert kept == [line for line in code if line in set(kept)], path.name
        assert not [line for line in kept if line.startswith(("//", "*"))]


def test_a_page_with_a_token_is_not_packed(client: FlaskClient) -> None:
    assert client.get("/", headers={"Accept-Encoding": "gzip"}).content_encoding is None


def test_manifest_and_icons(client: FlaskClient) -> None:
    answer = client.get("/manifest.webmanifest")
    assert answer.mimetype == "application/manifest+json"
    manifest = json.loads(answer.get_data())
    assert manifest["start_url"] == "/"
    for entry in manifest["icons"]:
        picture = cv2.imdecode(np.frombuffer(client.get(entry["src"]).get_data(), np.uint8), cv2.IMREAD_COLOR)
        assert picture is not None
        assert f"{picture.shape[1]}x{picture.shape[0]}" == entry["sizes"]
    assert client.get("/icons/31.png").status_code == 404


def test_the_service_worker_keeps_no_photos_and_no_answers(client: FlaskClient) -> None:
    with client.get("/service-worker.js") as answer:
        assert answer.mimetype == "text/javascript"
    text = content(client, "/service-worker.js").decode()
    assert "/api/" not in text
    for path in re.findall(r'"(/[^"]*[^"/])"', text):
        assert content(client, path)


def test_the_page_is_light(client: FlaskClient) -> None:
    """HTML, styles and scripts: under 150 kB (issue 5); over the line, with the words, half of that."""
    page = client.get("/").get_data(as_text=True)
    linked = set(re.findall(r'(?:src|href)="(/static/[^"#?]+)"', page)) | {
        f"/static/js/{path.name}" for path in (STATIC / "js").glob("*.js") if f"/js/{path.name}" in page
    }
    sizes = {path: len(content(client, path, "identity")) for path in sorted(linked)}
    assert sum(sizes.values()) + len(page.encode()) < MAX_PAGE_BYTES, sizes
    sent = {path: len(content(client, path)) for path in sorted(linked | {"/words.json"})}
    assert sum(sent.values()) + len(page.encode()) < MAX_PAGE_BYTES / 2, sent


def test_the_preloaded_scripts_are_all_that_the_page_imports() -> None:
    template = (STATIC.parent / "templates" / "scan.html").read_text(encoding="utf-8")
    listed = set(re.search(r"for name in \[([^]]+)\]", template)[1].replace("'", "").split(", "))  # type: ignore[index]
    wanted: set[str] = set()
    todo = ["scan"]
    while todo:
        name = todo.pop()
        text = (STATIC / "js" / f"{name}.js").read_text(encoding="utf-8")
        found = set(re.findall(r'from "\./(\w+)\.js"', text)) - wanted
        wanted |= found
        todo += found
    assert listed == wanted


def test_an_unexpected_error_is_a_sentence(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    app = make_app(tmp_path, reading([]))
    app.config["TESTING"] = False

    def broken() -> str:
        raise RuntimeError("secret detail")

    monkeypatch.setitem(app.view_functions, "shell.offline", broken)
    answer = speak(app.test_client(), "en").get("/offline")
    assert answer.status_code == 500
    assert "Something went wrong" in answer.get_data(as_text=True)
    assert "secret detail" not in answer.get_data(as_text=True)


def test_cookies_are_signed_with_a_key_of_the_data_folder(tmp_path: Path) -> None:
    first = make_app(tmp_path, reading([])).config["SECRET_KEY"]
    assert make_app(tmp_path, reading([])).config["SECRET_KEY"] == first
    assert (tmp_path / "secret.key").stat().st_mode & 0o077 == 0
    assert len(first) >= 32


def test_of_two_processes_that_start_at_once_both_sign_with_the_same_key(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    others: list[str] = []

    def made_meanwhile(size: int) -> str:
        monkeypatch.setattr(secrets, "token_hex", token_hex)
        others.append(str(make_app(tmp_path, reading([])).config["SECRET_KEY"]))
        return token_hex(size)

    token_hex = secrets.token_hex
    monkeypatch.setattr(secrets, "token_hex", made_meanwhile)
    own = make_app(tmp_path, reading([])).config["SECRET_KEY"]
    assert others == [own]
    assert len(own) == 64
    assert [path.name for path in tmp_path.glob("secret*")] == ["secret.key"]


def test_a_key_is_kept_where_files_cannot_be_linked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*_: object) -> None:
        raise PermissionError("no links here")

    monkeypatch.setattr(os, "link", refused)
    first = make_app(tmp_path, reading([])).config["SECRET_KEY"]
    assert make_app(tmp_path, reading([])).config["SECRET_KEY"] == first
    assert [path.name for path in tmp_path.glob("secret*")] == ["secret.key"]
