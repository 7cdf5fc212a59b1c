"""The games room on every database."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from flask import Flask

from tests.webui.databases import KINDS, fresh_url
from webui import create_app
from webui.store import kept


@pytest.fixture(params=KINDS)
def app(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Flask]:
    with fresh_url(str(request.param), tmp_path) as url:
        made = create_app(
            {"TESTING": True, "DATA_DIR": tmp_path, "DATABASE_URL": url, "SECRET_KEY": "k" * 32}
        )
        yield made
        made.extensions[kept.EXTENSION].close()
