"""The browser of the rooms that have a database; a module brings its own ``app``."""

import pytest
from flask import Flask
from flask.testing import FlaskClient


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    browser = app.test_client()
    browser.set_cookie("language", "en")
    return browser
