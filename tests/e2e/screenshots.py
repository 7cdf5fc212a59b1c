"""README's pictures, taken from the running program at the size of a phone: `make screenshots`."""

from __future__ import annotations

import logging
import os
import tempfile
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from PIL import Image
from playwright.sync_api import Page, sync_playwright
from werkzeug.serving import make_server

from tests.e2e import steps
from tests.e2e.conftest import ARGUMENTS
from tests.e2e.samples import Sample, TruthReader, samples
from webui import create_app

ROOT = Path(__file__).resolve().parent.parent.parent
PICTURES = ROOT / "docs"
CHROMIUM = os.environ.get("PAIYAN_CHROMIUM", "/usr/bin/chromium")
SHOWN = "shihu"
"""The game of the sample that is shown."""

SHARPNESS = 2
"""Device pixels per CSS pixel."""

SETTLE_MS = 500
"""Fades and late pictures."""

GAP = 24
COLOURS = 128
"""A screenshot has few; a palette makes the file a third."""


@contextmanager
def served(folder: Path) -> Iterator[str]:
    """The address of a fresh page, read by the networks or, as in the tests, by the samples' truth."""
    reader = TruthReader() if os.environ.get("PAIYAN_E2E_READER") == "truth" else None
    server = make_server("127.0.0.1", 0, create_app({"DATA_DIR": folder}, reader=reader), threaded=True)
    thread = threading.Thread(target=server.serve_forever, daemon=True)
    thread.start()
    yield f"http://127.0.0.1:{server.server_port}"
    server.shutdown()
    thread.join(10)


def shots(page: Page, sample: Sample, folder: Path) -> list[Path]:
    """Scan, check and score of one sample, a picture each."""
    taken: list[Path] = []

    def take(name: str) -> None:
        page.wait_for_timeout(SETTLE_MS)
        taken.append(folder / f"{name}.png")
        page.screenshot(path=taken[-1])

    steps.open_page(page)
    take("scan")
    steps.scan(page, sample)
    take("check")
    page.locator("#score-bar").tap()
    page.wait_for_selector("#verdict *")
    take("score")
    return taken


def side_by_side(paths: Sequence[Path], target: Path) -> None:
    """The pictures in a row, with a gap, as a small PNG."""
    pictures = [Image.open(path).convert("RGB") for path in paths]
    wide = sum(one.width for one in pictures) + GAP * (len(pictures) - 1)
    row = Image.new("RGB", (wide, max(one.height for one in pictures)), "white")
    left = 0
    for one in pictures:
        row.paste(one, (left, 0))
        left += one.width + GAP
    half = row.resize((row.width * 2 // 3, row.height * 2 // 3), Image.Resampling.LANCZOS)
    half.quantize(COLOURS, dither=Image.Dither.NONE).save(target, optimize=True)


def main() -> None:
    """Take them all."""
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    PICTURES.mkdir(exist_ok=True)
    target = PICTURES / "scan-check-score.png"
    with (
        tempfile.TemporaryDirectory() as folder,
        served(Path(folder)) as address,
        sync_playwright() as playwright,
        playwright.chromium.launch(executable_path=CHROMIUM, args=ARGUMENTS) as browser,
    ):
        phone = browser.new_context(
            viewport={"width": 390, "height": 844},
            device_scale_factor=SHARPNESS,
            has_touch=True,
            is_mobile=True,
            locale="zh-CN",
            base_url=address,
        )
        (sample,) = (one for one in samples() if one.rules == SHOWN)
        side_by_side(shots(phone.new_page(), sample, Path(folder)), target)
        phone.close()
    print(f"wrote {target.relative_to(ROOT)}")


if __name__ == "__main__":
    main()
