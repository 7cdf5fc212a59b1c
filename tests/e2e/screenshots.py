"""Take README's pictures from the running program: `make screenshots`.

Each picture is one room at phone size; what is scanned is a demo photo, read by the networks.
"""

from __future__ import annotations

import logging
import os
import tempfile
import threading
from pathlib import Path

import cv2
import numpy as np
from playwright.sync_api import Page, sync_playwright
from werkzeug.serving import make_server

from tests.e2e import steps
from tests.e2e.conftest import ARGUMENTS, PHONE
from tests.e2e.samples import Sample, TruthReader, samples
from tests.e2e.test_save import sit_down
from webui import create_app

DOCS = Path(__file__).resolve().parents[2] / "docs"
GAP_PX = 24
SCALE = 2


def picture(page: Page) -> cv2.typing.MatLike:
    """The page as it stands, as an image."""
    page.wait_for_timeout(600)
    shown = cv2.imdecode(np.frombuffer(page.screenshot(), np.uint8), cv2.IMREAD_COLOR)
    assert shown is not None
    return shown


def side_by_side(name: str, pictures: list[cv2.typing.MatLike]) -> None:
    """Write some phone screens next to each other, each half its pixels."""
    gap = np.full((pictures[0].shape[0], GAP_PX * SCALE, 3), 255, np.uint8)
    row = cv2.hconcat([part for shown in pictures for part in (shown, gap)][:-1])
    small = cv2.resize(row, None, fx=0.6, fy=0.6, interpolation=cv2.INTER_AREA)
    DOCS.mkdir(exist_ok=True)
    cv2.imwrite(str(DOCS / f"{name}.png"), small, [cv2.IMWRITE_PNG_COMPRESSION, 9])


def scan_check_score(page: Page, sample: Sample) -> None:
    """The way of one hand."""
    steps.open_page(page)
    page.locator(f"input[value={sample.rules}]").check(force=True)
    page.evaluate("window.scrollTo(0, 0)")
    shown = [picture(page)]
    steps.scan(page, sample)
    steps.put_right(page, sample)
    page.evaluate("window.scrollTo(0, 0)")
    shown.append(picture(page))
    page.locator("#score-bar").tap()
    shown.append(picture(page))
    side_by_side("scan-check-score", shown)


def games(page: Page, sample: Sample) -> None:
    """A table with two rounds."""
    table = sit_down(page, sample.rules)
    for winner in (1, 0):
        steps.open_page(page, f"/?game={table.rsplit('/', 1)[1]}")
        steps.scan(page, sample)
        steps.put_right(page, sample)
        page.locator("#score-bar").tap()
        page.locator("#save-round").tap()
        page.locator(f"[data-person='{winner}']").tap()
        page.wait_for_url(f"{table}**")
    page.goto(table)
    shown = [picture(page)]
    page.goto(f"{table}/settle")
    shown.append(picture(page))
    page.goto("/decks")
    shown.append(picture(page))
    side_by_side("games-decks", shown)


def main() -> None:
    """Serve, take all pictures, stop."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    reader = TruthReader() if os.environ.get("PAIYAN_E2E_READER") == "truth" else None
    sample = samples()[0]
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = make_server("127.0.0.1", 0, create_app({"DATA_DIR": folder}, reader=reader), threaded=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        program = os.environ.get("PAIYAN_CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        context = browser.new_context(
            viewport=PHONE,
            device_scale_factor=SCALE,
            has_touch=True,
            is_mobile=True,
            locale="zh-CN",
            base_url=f"http://127.0.0.1:{server.server_port}",
        )
        page = context.new_page()
        scan_check_score(page, sample)
        games(page, sample)
        browser.close()
        server.shutdown()


if __name__ == "__main__":
    main()
