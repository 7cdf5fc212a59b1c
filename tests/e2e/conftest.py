"""A running paiyan and a phone-sized browser before it.

PAIYAN_CHROMIUM names the browser. PAIYAN_E2E_READER=truth lets the demo photos answer for themselves instead of the
networks of `models`, to work on the page while these are being trained.
"""

from __future__ import annotations

import logging
import os
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from playwright.sync_api import (
    Browser,
    BrowserContext,
    Page,
    Playwright,
    ViewportSize,
    expect,
    sync_playwright,
)
from werkzeug.serving import make_server

from tests.e2e.samples import Sample, TruthReader, samples
from webui import create_app

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
PHONE: ViewportSize = {"width": 390, "height": 844}
WAIT_MS = 60_000
"""For a machine that is busy with other things; nothing here measures time."""

expect.set_options(timeout=WAIT_MS)


UNFINISHED = "ignore:unclosed file .*static:ResourceWarning"
"""A page that is left early: werkzeug's own server, which only tests use, leaves open what was on its way."""


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Let no test fail by the files of another that was left early."""
    for item in items:
        if Path(__file__).parent in item.path.parents:
            item.add_marker(pytest.mark.filterwarnings(UNFINISHED))


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """Where a page with its data in this folder is served."""
    reader = TruthReader() if os.environ.get("PAIYAN_E2E_READER") == "truth" else None
    app = create_app({"DATA_DIR": folder}, reader=reader)
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    server = make_server("127.0.0.1", 0, app, threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join(10)


@pytest.fixture(scope="session")
def address(tmp_path_factory: pytest.TempPathFactory) -> Iterator[str]:
    """Where the page is served."""
    with served(tmp_path_factory.mktemp("data")) as url:
        yield url


@pytest.fixture(scope="session")
def playwright() -> Iterator[Playwright]:
    """The one driver of this process."""
    with sync_playwright() as driver:
        yield driver


@pytest.fixture(scope="session")
def browser(playwright: Playwright) -> Iterator[Browser]:
    """Debian's Chromium."""
    program = os.environ.get("PAIYAN_CHROMIUM", "/usr/bin/chromium")
    browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
    yield browser
    browser.close()


@pytest.fixture
def phone(browser: Browser, address: str) -> Iterator[BrowserContext]:
    """A phone that was never here before and speaks 简体."""
    context = browser.new_context(
        viewport=PHONE,
        device_scale_factor=2,
        has_touch=True,
        is_mobile=True,
        locale="zh-CN",
        base_url=address,
    )
    context.set_default_timeout(WAIT_MS)
    yield context
    context.close()


@pytest.fixture
def page(phone: BrowserContext) -> Iterator[Page]:
    """A page whose scripts must not complain."""
    page = phone.new_page()
    complaints: list[str] = []
    page.on("pageerror", lambda error: complaints.append(str(error)))
    page.on(
        "console",
        lambda line: complaints.append(line.text) if "Content Security Policy" in line.text else None,
    )
    yield page
    assert complaints == []


@pytest.fixture(scope="session")
def sample() -> Sample:
    """The first demo photo."""
    found = samples()
    assert found, "webui/static/samples holds no demo photo with its truth"
    return found[0]
