"""Pairing: who gets in without a code, with one, and after too many wrong ones."""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from webui.access import pairing
from webui.access.addresses import is_loopback
from webui.access.pairing import Pairing, WrongCodes, new_code
from webui.store import devices

BASE = "http://192.168.1.5:8765"
WRONG = [f"{n:06d}" for n in range(50)]


def token(client: FlaskClient) -> str:
    found = re.search(r'name="csrf_token" value="([^"]+)"', client.get("/pair", base_url=BASE).text)
    assert found
    return found[1]


def enter(client: FlaskClient, code: str) -> int:
    form = {"code": code, "csrf_token": token(client)}
    return client.post("/pair", data=form, base_url=BASE).status_code


def test_this_computer_needs_no_code(app: Flask) -> None:
    assert app.test_client().get("/", base_url="http://localhost:8765").status_code == 200


def test_a_device_is_sent_to_the_code(phone: FlaskClient) -> None:
    answer = phone.get("/", base_url=BASE)
    assert (answer.status_code, answer.location) == (302, "/pair")
    assert "digits" in phone.get("/pair", base_url=BASE).text


@pytest.mark.parametrize("path", ["/api/read", "/api/score", "/api/waits", "/api/hand"])
def test_the_api_says_no_in_json(phone: FlaskClient, path: str) -> None:
    answer = phone.post(path, json={}, base_url=BASE)
    assert answer.status_code == 403
    assert answer.get_json()["error"]["code"] == "not_paired"


def test_every_view_but_the_named_ones_is_closed(app: Flask, phone: FlaskClient) -> None:
    open_without_code = set()
    for rule in app.url_map.iter_rules():
        if "GET" in (rule.methods or ()) and not rule.arguments:
            answer = phone.get(rule.rule, base_url=BASE)
            answer.close()
            if answer.location != "/pair" and answer.status_code != 403:
                open_without_code.add(rule.endpoint)
    assert open_without_code <= pairing.OPEN_ENDPOINTS


def test_health_and_styles_are_open(phone: FlaskClient) -> None:
    assert phone.get("/healthz", base_url=BASE).status_code == 200
    style = phone.get("/static/paiyan.css", base_url=BASE)
    style.close()
    assert style.status_code == 200


@pytest.mark.parametrize("typed", ["123456", "123 456", " 123-456 ", "１２３４５６"])
def test_the_code_lets_in_once_and_for_all(phone: FlaskClient, typed: str) -> None:
    assert enter(phone, typed) == 302
    assert phone.get("/", base_url=BASE).status_code == 200
    cookie = phone.get_cookie(pairing.COOKIE, domain="192.168.1.5")
    assert cookie is not None
    assert cookie.http_only
    assert cookie.same_site == "Lax"


def test_the_qr_code_pairs_at_once(phone: FlaskClient) -> None:
    answer = phone.get("/pair?code=123456", base_url=BASE)
    assert (answer.status_code, answer.location) == (302, "/")
    assert phone.get("/", base_url=BASE).status_code == 200


@pytest.mark.parametrize("typed", ["", "654321", "12345", "1234567", "一二三四五六"])
def test_a_wrong_code_does_not(phone: FlaskClient, typed: str) -> None:
    assert enter(phone, typed) == 403
    assert phone.get("/", base_url=BASE).status_code == 302


def test_the_form_needs_its_token(phone: FlaskClient) -> None:
    assert phone.post("/pair", data={"code": "123456"}, base_url=BASE).status_code == 400


def test_a_forged_cookie_does_not_pair(phone: FlaskClient) -> None:
    phone.set_cookie(pairing.COOKIE, "abc.def.ghi", domain="192.168.1.5")
    assert phone.get("/", base_url=BASE).status_code == 302


def test_after_five_wrong_codes_even_the_right_one_waits(phone: FlaskClient) -> None:
    statuses = [enter(phone, code) for code in WRONG[: pairing.TRIES_PER_DEVICE]]
    assert statuses == [403] * pairing.TRIES_PER_DEVICE
    assert enter(phone, "123456") == 429
    assert phone.get("/pair?code=123456", base_url=BASE).status_code == 429


def test_another_device_need_not_wait(app: Flask, phone: FlaskClient) -> None:
    for code in WRONG[:5]:
        enter(phone, code)
    other = app.test_client()
    other.environ_base["REMOTE_ADDR"] = "192.168.1.78"
    assert enter(other, "123456") == 302


def test_many_wrong_codes_bring_a_fresh_one_and_shut_nobody_out(app: Flask) -> None:
    said: list[str] = []
    pairing_of(app).say = said.append
    for number in range(pairing.TRIES_TOGETHER):
        guesser = app.test_client()
        guesser.environ_base["REMOTE_ADDR"] = f"192.168.1.{100 + number}"
        assert enter(guesser, WRONG[number % 40]) == 403
    fresh = "".join(re.findall(r"\d{4}", said[0]))
    assert len(said) == 1
    assert len(fresh) == pairing.FRESH_DIGITS
    owner = app.test_client()
    owner.environ_base["REMOTE_ADDR"] = "192.168.1.77"
    assert enter(owner, "123456") == 403
    assert enter(owner, fresh) == 302


def pairing_of(app: Flask) -> Pairing:
    found: Pairing = app.extensions[pairing.EXTENSION]
    return found


def test_a_forgotten_device_shows_the_code_again(app: Flask, phone: FlaskClient) -> None:
    enter(phone, "123456")
    page = phone.get("/devices", base_url=BASE).text
    (device,) = re.findall(r'name="device" value="([^"]+)"', page)
    form = {"device": device, "csrf_token": re.findall(r'name="csrf_token" value="([^"]+)"', page)[0]}
    assert phone.post("/devices", data=form, base_url=BASE).status_code == 303
    assert phone.get("/", base_url=BASE).status_code == 302


def test_a_device_that_was_not_there_for_two_months_shows_the_code_again(
    phone: FlaskClient, monkeypatch: pytest.MonkeyPatch
) -> None:
    enter(phone, "123456")
    now = pairing._now_ms()
    monkeypatch.setattr(pairing, "_now_ms", lambda: now + devices.UNUSED_MS - 1000)
    assert phone.get("/", base_url=BASE).status_code == 200
    monkeypatch.setattr(pairing, "_now_ms", lambda: now + 2 * devices.UNUSED_MS)
    assert phone.get("/", base_url=BASE).status_code == 302


def test_an_unpaired_device_is_not_told_the_names_of_decks(phone: FlaskClient, data_folder: Path) -> None:
    (data_folder / "decks" / "secret").mkdir(parents=True)
    (data_folder / "decks" / "secret" / "print.json").write_text("{}", encoding="utf-8")
    assert phone.get("/words.json", base_url=BASE).get_json()["prints"] == []
    enter(phone, "123456")
    assert phone.get("/words.json", base_url=BASE).get_json()["prints"] == ["secret"]


def test_waiting_ends() -> None:
    now = [0.0]
    wrong = WrongCodes(clock=lambda: now[0])
    for _ in range(pairing.TRIES_PER_DEVICE):
        wrong.add("phone")
    assert wrong.too_many("phone")
    now[0] = pairing.WINDOW_SECONDS + 1
    assert not wrong.too_many("phone")


@pytest.mark.parametrize("address", ["127.0.0.1", "127.8.9.1", "::1", "::ffff:127.0.0.1"])
def test_loopback(address: str) -> None:
    assert is_loopback(address)


@pytest.mark.parametrize("address", [None, "", "unknown", "192.168.1.5", "fe80::1%eth0", "::ffff:10.0.0.1"])
def test_not_loopback(address: str | None) -> None:
    assert not is_loopback(address)


def test_codes_are_six_digits_and_differ() -> None:
    codes = [new_code() for _ in range(200)]
    assert all(re.fullmatch(r"\d{6}", code) for code in codes)
    assert Counter(codes).most_common(1)[0][1] < 4


def test_a_foreign_host_name_is_refused(app: Flask) -> None:
    """DNS rebinding: a page of the internet that resolves to this computer."""
    assert app.test_client().get("/", base_url="http://evil.example:8765").status_code == 400
