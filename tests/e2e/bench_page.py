"""How long a person waits: from a photo chosen to its score on the screen, `python -m tests.e2e.bench_page`.

Every demo photo is scanned some times in a phone-sized browser on this machine. Split into: sending and reading (the
request), of which the networks' own time; counting (the request); drawing (all the rest).
"""

from __future__ import annotations

import argparse
import logging
import os
import statistics
import tempfile
import threading
from collections.abc import Iterable

from playwright.sync_api import Page, sync_playwright
from werkzeug.serving import make_server

from tests.e2e import steps
from tests.e2e.conftest import ARGUMENTS, PHONE, WAIT_MS
from tests.e2e.samples import Sample, samples
from webui import create_app

WATCH = """
() => {
  const begin = performance.now();
  performance.clearResourceTimings();
  const bar = document.getElementById("score-bar");
  const took = (path) =>
    performance.getEntriesByName(location.origin + path).reduce((sum, entry) => sum + entry.duration, 0);
  const spent = () => ({ all: performance.now() - begin, read: took("/api/read"), count: took("/api/hand") });
  window.spent = new Promise((resolve) => {
    const watch = new MutationObserver(() => {
      if (bar.getAttribute("aria-busy") !== "false" || !took("/api/hand")) return;
      watch.disconnect();
      requestAnimationFrame(() => requestAnimationFrame(() => resolve(spent())));
    });
    watch.observe(bar, { childList: true, attributes: true });
  });
}
"""


def one(page: Page, sample: Sample) -> dict[str, float]:
    """Milliseconds of one scan, by part."""
    steps.open_page(page)
    page.evaluate("() => sessionStorage.clear()")
    steps.open_page(page)
    page.evaluate("() => { document.getElementById('game').open = true }")
    page.locator(f"input[value={sample.rules}]").check(force=True)
    page.evaluate(WATCH)
    page.set_input_files("#choose", sample.path)
    spent: dict[str, float] = page.evaluate("() => window.spent")
    return spent | {"draw": spent["all"] - spent["read"] - spent["count"]}


def line(name: str, values: Iterable[float]) -> str:
    """Median and p95 of some milliseconds."""
    ordered = sorted(values)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    return f"{name:28} median {statistics.median(ordered):7.0f} ms   p95 {p95:7.0f} ms"


def main() -> None:
    """Scan and print."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--times", type=int, default=4, help="scans of every demo photo")
    times = parser.parse_args().times
    logging.getLogger("werkzeug").setLevel(logging.ERROR)
    with tempfile.TemporaryDirectory() as folder, sync_playwright() as playwright:
        server = make_server("127.0.0.1", 0, create_app({"DATA_DIR": folder}), threaded=True)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        program = os.environ.get("PAIYAN_CHROMIUM", "/usr/bin/chromium")
        browser = playwright.chromium.launch(executable_path=program, args=ARGUMENTS)
        context = browser.new_context(
            viewport=PHONE,
            device_scale_factor=2,
            is_mobile=True,
            has_touch=True,
            base_url=f"http://127.0.0.1:{server.server_port}",
        )
        context.set_default_timeout(WAIT_MS)
        page = context.new_page()
        one(page, samples()[0])  # loads the networks
        found = [one(page, sample) for _ in range(times) for sample in samples()]
        browser.close()
        server.shutdown()
    print(f"{len(found)} scans of {len(samples())} demo photos")
    for name, part in (
        ("photo to score", "all"),
        ("sent and read", "read"),
        ("counted", "count"),
        ("drawn", "draw"),
    ):
        print(line(name, (spent[part] for spent in found)))


if __name__ == "__main__":
    main()
