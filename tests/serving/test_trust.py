"""The page that tells how to trust this computer, and the way from plain HTTP to HTTPS."""

from __future__ import annotations

from pathlib import Path

import pytest
from cryptography import x509
from flask import Flask

from tests.webui.page import LANGUAGES
from webui.access.serve import Door, guarded_app

HOST = "192.168.1.5"
PLAIN, SECURE = f"http://{HOST}:8765", f"https://{HOST}:8766"
PHONE = {"REMOTE_ADDR": "192.168.1.77"}


@pytest.fixture
def app() -> Flask:
    return guarded_app(Door(HOST, 8765, 8766, "123456"), ["localhost", HOST])[0]


def test_certificate_comes_as_phones_want_it(app: Flask, data_folder: Path) -> None:
    answer = app.test_client().get("/trust/paiyan.crt", base_url=PLAIN, environ_base=PHONE)
    assert answer.status_code == 200
    assert answer.mimetype == "application/x-x509-ca-cert"
    given = x509.load_der_x509_certificate(answer.data)
    kept = x509.load_pem_x509_certificate((data_folder / "https" / "authority.crt").read_bytes())
    assert given == kept
    assert b"PRIVATE" not in answer.data


@pytest.mark.parametrize("language", LANGUAGES)
def test_page_says_how_in_three_languages(app: Flask, language: str) -> None:
    client = app.test_client()
    client.set_cookie("language", language, domain=HOST)
    answer = client.get("/trust", base_url=PLAIN, environ_base=PHONE)
    assert answer.status_code == 200
    assert f'lang="{language}"' in answer.text
    assert "/trust/paiyan.crt" in answer.text
    assert f'href="{SECURE}/"' in answer.text
    assert "iPhone" in answer.text
    assert ("安卓" if language.startswith("zh") else "Android") in answer.text


def test_fingerprint_is_the_one_of_the_terminal(data_folder: Path) -> None:
    app, authority = guarded_app(Door(HOST, 8765, 8766, "123456"), ["localhost", HOST])
    assert authority is not None
    page = app.test_client().get("/trust", base_url=PLAIN, environ_base=PHONE).text
    assert authority.fingerprint in "".join(page.split())


@pytest.mark.parametrize(("path", "target"), [("/", "/trust"), ("/pair?code=1", f"{SECURE}/pair?code=1")])
def test_plain_requests_of_devices_are_sent_on(app: Flask, path: str, target: str) -> None:
    answer = app.test_client().get(path, base_url=PLAIN, environ_base=PHONE)
    assert (answer.status_code, answer.location) == (302, target)


def test_plain_api_and_changes_are_refused(app: Flask) -> None:
    answer = app.test_client().post("/api/score", json={}, base_url=PLAIN, environ_base=PHONE)
    assert answer.status_code == 403
    assert answer.get_json()["error"]["code"] == "https_only"


def test_this_computer_may_stay_plain(app: Flask) -> None:
    assert app.test_client().get("/", base_url="http://localhost:8765").status_code == 200


def test_over_https_pairing_still_holds_and_cookies_are_secure(app: Flask) -> None:
    client = app.test_client()
    assert client.get("/", base_url=SECURE, environ_base=PHONE).location == "/pair"
    answer = client.get("/pair?code=123456", base_url=SECURE, environ_base=PHONE)
    assert answer.status_code == 302
    assert "Secure" in answer.headers["Set-Cookie"]
    assert client.get("/", base_url=SECURE, environ_base=PHONE).status_code == 200
