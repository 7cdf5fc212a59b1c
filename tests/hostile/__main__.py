"""Do harm to a running paiyan and measure it: ``python -m tests.hostile`` (`make hostile`).

Files with flipped bytes, files and requests that lie, through HTTP and the command line, while a player sends photos;
then 400 damaged prints. Ends with status 1 where a bound is broken: nothing may crash, answer 5xx (but 503 and 507 with
their cause) or show a traceback, no answer may take five times a hand's, the memory stays under 1 GiB.
"""

from __future__ import annotations

import argparse
import contextlib
import http.cookiejar
import json
import re
import statistics
import subprocess
import sys
import tempfile
import threading
import time
import urllib.error
import urllib.parse
import urllib.request
import uuid
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from tests import quiet
from tests.hostile import asked, files, prints, tables

MOST_TIMES_A_HAND = 5.0
MOST_BYTES = 1024**3
EVERY = 20
"""Of the requests one in so many is sent."""

DAMAGED_PRINTS = 400
CAUSED = (503, 507)


@dataclass
class Report:
    """What happened: answers by status, what broke, and how long the slowest took."""

    statuses: dict[int, int] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    slowest: tuple[float, str] = (0.0, "")
    player: list[float] = field(default_factory=list)
    peak: int = 0

    def note(self, name: str, status: int, seconds: float) -> None:
        """One answer."""
        self.statuses[status] = self.statuses.get(status, 0) + 1
        self.slowest = max(self.slowest, (seconds, name))
        if status == 0 or (status >= 500 and status not in CAUSED):
            self.broken.append(f"{status} for {name}")


class Browser:
    """A client with cookies and the page's token."""

    def __init__(self, address: str) -> None:
        self.address = address
        self.opener = urllib.request.build_opener(
            urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        )
        page = self.opener.open(f"{address}/games/new", timeout=60).read().decode()
        found = re.search(r'name="csrf-token" content="([^"]+)"|name="csrf_token" value="([^"]+)"', page)
        self.token = (found[1] or found[2]) if found else ""

    def ask(self, path: str, body: bytes | None, kind: str, method: str | None = None) -> tuple[int, bytes]:
        """Status and body of an answer; status 0 where none came."""
        headers = {"Content-Type": kind, "X-CSRFToken": self.token}
        url = self.address + urllib.parse.quote(path, safe="/?=&%")
        request = urllib.request.Request(url, body, headers, method=method)
        try:
            with self.opener.open(request, timeout=120) as answer:
                return answer.status, answer.read()
        except urllib.error.HTTPError as error:
            return error.code, error.read()
        except OSError:
            return 0, b""

    def photo(self, data: bytes, *, path: str = "/api/read", **fields: str) -> tuple[int, bytes]:
        """The answer to one photo."""
        return self.upload(path, "photo", data, fields)

    def upload(self, path: str, name: str, data: bytes, fields: dict[str, str]) -> tuple[int, bytes]:
        """The answer to a form with one file."""
        edge = uuid.uuid4().hex
        parts = [
            f'--{edge}\r\nContent-Disposition: form-data; name="{k}"\r\n\r\n{v}\r\n'
            for k, v in fields.items()
        ]
        head = f'--{edge}\r\nContent-Disposition: form-data; name="{name}"; filename="x"\r\n\r\n'
        body = "".join([*parts, head]).encode() + data + f"\r\n--{edge}--\r\n".encode()
        return self.ask(path, body, f"multipart/form-data; boundary={edge}")


def tree(pid: int) -> list[int]:
    """A process and all below it."""
    below = [pid]
    for task in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in task.read_text().split():
            below += tree(int(child))
    return below


def memory(pid: int) -> int:
    """Bytes that a process and all below it hold, without what they share with files."""
    total = 0
    for one in tree(pid):
        with contextlib.suppress(OSError):
            found = re.search(r"RssAnon:\s+(\d+)", Path(f"/proc/{one}/status").read_text())
            total += int(found[1]) * 1024 if found else 0
    return total


def play(address: str, report: Report, over: threading.Event) -> None:
    """A player's photo every few seconds."""
    browser, hand = Browser(address), files.SAMPLE.read_bytes()
    while not over.wait(3):
        start = time.monotonic()
        status, _ = browser.photo(hand)
        report.player.append(time.monotonic() - start)
        if status != 200:
            report.broken.append(f"{status} for a player's photo")


def watch(pid: int, report: Report, over: threading.Event) -> None:
    """The largest memory."""
    while not over.wait(0.2):
        with contextlib.suppress(OSError):
            report.peak = max(report.peak, memory(pid))


def through_http(address: str, report: Report, photos: dict[str, bytes]) -> None:
    """Every photo and some of the requests, one after the other."""
    browser = Browser(address)
    for name, data in photos.items():
        start = time.monotonic()
        status, _ = browser.photo(data, path="/decks/read" if hash(name) % 4 == 0 else "/api/read")
        report.note(name, status, time.monotonic() - start)
    from webui import create_app

    with tempfile.TemporaryDirectory() as folder:
        rules = create_app({"DATA_DIR": folder})
        known = {"<table_id>": "none", "<deck_id>": "none", "<any(back, box):side>": "back"}
        listed = list(asked.requests(rules, known))[::EVERY]
    for one in listed:
        if "/delete" in one.path:
            continue
        kind = "application/json" if one.json is not None else "application/x-www-form-urlencoded"
        text = one.json if one.json is not None else urllib.parse.urlencode(one.form or {}, errors="replace")
        start = time.monotonic()
        body = text.replace(asked.KEY, uuid.uuid4().hex).encode("utf-8", "surrogatepass")
        status, _ = browser.ask(one.path, body if one.method == "POST" else None, kind, one.method)
        report.note(one.name, status, time.monotonic() - start)
    for number, data in enumerate(tables.wounded_tables(60)):
        start = time.monotonic()
        status, _ = browser.upload(
            "/games/import", "file", data, {"key": uuid.uuid4().hex, "csrf_token": browser.token}
        )
        report.note(f"table {number}", status, time.monotonic() - start)


def through_commands(report: Report, photos: dict[str, bytes], folder: Path) -> int:
    """Every photo by one command; says how many it read."""
    for name, data in photos.items():
        (folder / name).write_bytes(data)
    words = [sys.executable, "-m", "webui.cli", "read", "--json", *map(str, sorted(folder.iterdir()))]
    done = subprocess.run(
        words,
        cwd=quiet.ROOT,
        env=quiet.surroundings(folder.parent / "home"),
        capture_output=True,
        check=False,
    )
    said = done.stderr.decode("utf-8", "replace")
    if (
        done.returncode != 2
        or "Traceback" in said
        or any(not line.startswith("paiyan: ") for line in said.splitlines())
    ):
        report.broken.append(f"the command ended {done.returncode}: {said[-500:]}")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    if len(lines) != len(photos):
        report.broken.append(f"the command said something of {len(lines)} of {len(photos)} photos")
    return sum("error" not in line for line in lines)


def damaged_prints(report: Report, folder: Path) -> dict[str, int]:
    """How often a damaged print was called what, while `auto` reads on; painted networks, or it would take hours."""
    from tests.vision.painted import CODES, networks_for, photo_of
    from tests.vision.world import Laid
    from vision.read import Reader
    from vision.taught import PrintError, load_print, save_print
    from vision.teach import learned, propose

    laid = [Laid(code, 90 + 140 * i, 250) for i, code in enumerate(CODES)]
    reader, photo = Reader(networks=networks_for(laid)), photo_of(laid)
    own = learned([propose(reader, photo)], reader.networks)
    save_print(folder, "whole", own)
    rng, called = np.random.default_rng(7), {"whole still": 0}
    for number in range(DAMAGED_PRINTS):
        name = f"print {number}"
        save_print(folder, name, own)
        kind = prints.damage(folder / name, rng)
        try:
            load_print(folder, name, reader.networks)
            code = "whole still"
        except PrintError as error:
            code = error.code
        called[code] = called.get(code, 0) + 1
        if number % 20 == 19:  # with all those that are damaged so far
            found = reader.read(photo, taught="auto", taught_dir=folder)
            if len(found.cards) != len(laid) or found.taught is None:
                report.broken.append(f"reading stopped after {kind}")
    return called


def usual_seconds(browser: Browser) -> float:
    """How long a hand takes, while nothing else is asked; the first photo waits for the networks."""
    times = []
    for _ in range(6):
        start = time.monotonic()
        browser.photo(files.SAMPLE.read_bytes())
        times.append(time.monotonic() - start)
    return statistics.median(times[1:])


def at_a_server(folder: Path, report: Report, photos: dict[str, bytes]) -> float:
    """Everything through HTTP, at a server of its own; says how long a hand takes there."""
    over = threading.Event()
    with (folder / "stderr").open("w") as errors:
        server = subprocess.Popen(
            [sys.executable, "-m", "webui.cli", "serve", "--port", "0"],
            cwd=quiet.ROOT,
            env=quiet.surroundings(folder / "home"),
            stdout=subprocess.PIPE,
            stderr=errors,
            encoding="utf-8",
        )
    assert server.stdout is not None
    address = server.stdout.readline().split()[-1]
    usual = usual_seconds(Browser(address))
    helpers = [
        threading.Thread(target=play, args=(address, report, over)),
        threading.Thread(target=watch, args=(server.pid, report, over)),
    ]
    for helper in helpers:
        helper.start()
    try:
        through_http(address, report, photos)
    finally:
        over.set()
        for helper in helpers:
            helper.join()
    if server.poll() is not None:
        report.broken.append("the server ended")
    server.terminate()
    server.wait(30)
    said = (folder / "stderr").read_text()
    if "Traceback" in said:
        report.broken.append(f"a traceback: {said[-2000:]}")
    return usual


def main() -> int:
    """Everything, with what it came to."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--few", type=int, default=1, help="only one in so many of the flipped files")
    given = parser.parse_args()
    photos = dict(list(files.flips())[:: given.few]) | {f"lie {k}": v for k, v in files.lies().items()}
    report = Report()
    with tempfile.TemporaryDirectory(prefix="paiyan-hostile.") as place:
        folder = Path(place)
        usual = at_a_server(folder, report, photos)
        (folder / "photos").mkdir()
        read = through_commands(report, photos, folder / "photos")
        called = damaged_prints(report, folder / "prints")
    slowest, name = report.slowest
    if slowest > MOST_TIMES_A_HAND * usual:
        report.broken.append(f"{name[:80]} took {slowest / usual:.1f} times a hand's")
    if report.peak > MOST_BYTES:
        report.broken.append(f"{report.peak / 1024**2:.0f} MB at once")
    waits = sorted(report.player)
    print(
        f"photos {len(photos)}, answers {sum(report.statuses.values())}: {dict(sorted(report.statuses.items()))}"
    )
    print(f"a hand {usual:.2f} s, slowest answer {slowest:.2f} s ({slowest / usual:.1f} times): {name[:80]}")
    print(
        f"a player's photos answered {len(waits)}, median {statistics.median(waits):.2f} s, longest {waits[-1]:.2f} s"
    )
    print(
        f"peak memory {report.peak / 1024**2:.0f} MB; by the command {read} of {len(photos)} read, others refused"
    )
    print(f"damaged prints {DAMAGED_PRINTS}: {called}")
    for one in report.broken:
        print(f"broken: {one}")
    print(f"{len(report.broken)} bounds broken")
    return int(bool(report.broken))


if __name__ == "__main__":
    sys.exit(main())
