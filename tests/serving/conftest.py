"""The page behind a door to the network, and a device in it."""

from __future__ import annotations

from pathlib import Path

import pytest
from flask import Flask
from flask.testing import FlaskClient

from webui.access.serve import Door, guarded_app

HOST = "192.168.1.5"
PHONE = {"REMOTE_ADDR": "192.168.1.77"}


@pytest.fixture(autouse=True)
def data_folder(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Path:
    monkeypatch.setenv("PAIYAN_DATA", str(tmp_path / "data"))
    return tmp_path / "data"


@pytest.fixture
def app() -> Flask:
    """Let in by pairing, without HTTPS."""
    return guarded_app(Door(HOST, 8765, None, "123456"), ["localhost", HOST])[0]


@pytest.fixture
def phone(app: Flask) -> FlaskClient:
    client = app.test_client()
    client.environ_base.update(PHONE)
    client.set_cookie("language", "en", domain=HOST)
    return client
