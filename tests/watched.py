"""Run everything under strace and say what went out: ``python -m tests.watched`` (`make watched`; needs strace).

Every command and the page. Ends with status 1 where a name was asked, something but the watched server itself was
connected to, or a file was made beside the data folder.
"""

from __future__ import annotations

import os
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from tests import quiet
from tests.hostile.__main__ import Browser

SAMPLE = "webui/static/samples/shihu.jpg"
HAND = "rK rA rB rR rN rC rP yP gP yN yN yN gK gA gA wB wB wR wR wC wC"
COMMANDS: tuple[tuple[str, ...], ...] = (
    ("--help",),
    ("decks",),
    ("rules", "shihu"),
    ("read", SAMPLE),
    ("score", SAMPLE, "--rules", "shihu"),
    ("score", "--hand", HAND, "--rules", "shihu"),
    ("waits", "--hand", HAND[3:], "--rules", "shihu"),
    ("catalogue", SAMPLE),
    ("teach", "watched", SAMPLE),
    ("evaluate", "datasets/samples"),
)
CALLS = "trace=connect,sendto,sendmsg,sendmmsg,openat,creat,mkdir,mkdirat,rename,renameat,renameat2,link,linkat,unlink"
ELSEWHERE = re.compile(r"connect\(\d+, (\{sa_family=AF_INET6?[^}]*\})")
TO_A_NAME_SERVER = re.compile(r"htons\(53\)|nscd|resolve")
MADE = re.compile(
    r'(?:openat\(\S+ "([^"]+)", [^)]*O_CREAT|creat\("([^"]+)"|mkdir(?:at)?\((?:\S+, )?"([^"]+)")'
)
HARMLESS = ("/dev/null", "/dev/shm/", "/dev/pts", "/proc/")
"""No files: a device, and memory that processes share."""


def watched(words: list[str], place: Path, log: Path) -> subprocess.Popen[str]:
    """Begin a program under strace; what it calls is written to `log`."""
    return subprocess.Popen(
        ["strace", "-f", "-qq", "-s", "300", "-e", CALLS, "-o", str(log), sys.executable, "-B", *words],
        cwd=quiet.ROOT,
        env=quiet.surroundings(place / "home"),
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        encoding="utf-8",
        start_new_session=True,
    )


def judged(log: Path, place: Path) -> tuple[list[str], list[str], list[str]]:
    """Names asked, connections, and files made beside the data folder, as strace wrote them down."""
    names, connections, made = [], [], []
    for line in log.read_text("utf-8", "replace").splitlines():
        if "connect(" in line and TO_A_NAME_SERVER.search(line):
            names.append(line)
        elif ELSEWHERE.search(line):
            connections.append(line)
        found = MADE.search(line)
        if found and " = -1 " not in line:
            path = next(one for one in found.groups() if one)
            inside = Path(quiet.ROOT, path).is_relative_to(place / "data")
            if not inside and not path.startswith(HARMLESS):
                made.append(line)
    return names, connections, made


def at_the_page(place: Path, log: Path) -> None:
    """The server under strace, asked for its pages and a photo from outside of it."""
    server = watched(["-m", "webui.cli", "serve", "--port", "0"], place, log)
    assert server.stdout is not None
    address = server.stdout.readline().split()[-1]
    browser = Browser(address)
    for path in (
        "/",
        "/words.json",
        "/games",
        "/games/new",
        "/decks",
        "/decks/new",
        "/healthz",
        "/api/openapi.json",
    ):
        browser.ask(path, None, "text/plain")
    status, _ = browser.photo((quiet.ROOT / SAMPLE).read_bytes())
    assert status == 200
    browser.photo((quiet.ROOT / SAMPLE).read_bytes(), path="/decks/read")
    time.sleep(5)  # whatever waits for a quiet moment to report something
    os.killpg(server.pid, signal.SIGTERM)
    server.wait(60)


def main() -> int:
    """Everything, one after the other."""
    if not shutil.which("strace"):
        print("watched: strace is missing; install it with: apt install strace", file=sys.stderr)
        return 1 if os.environ.get("CI") == "true" else 0
    went_out = 0
    with tempfile.TemporaryDirectory(prefix="paiyan-watched.") as folder:
        place = Path(folder)
        for words in (*COMMANDS, ("serve",)):
            log = place / "log"
            if words == ("serve",):
                at_the_page(place, log)
            else:
                watched(["-m", "webui.cli", *words], place, log).communicate()
            found = judged(log, place)
            counts = ", ".join(
                f"{len(one)} {what}"
                for one, what in zip(found, ("names", "connections", "files"), strict=True)
            )
            print(f"paiyan {' '.join(words)[:60]}: {counts}", flush=True)
            for line in (line for one in found for line in one[:5]):
                print(f"    {line[:200]}")
            went_out += sum(map(len, found))
        left = [str(path.relative_to(place)) for path in (place / "home").rglob("*")]
        print(f"left in the home folder: {left}")
    return int(bool(went_out or left))


if __name__ == "__main__":
    sys.exit(main())
