"""The page under load: clients that send photos, one that sends what means harm, and connections that say nothing.

    python -m tests.load [--seconds 120] [--clients 8] [--silent 0]

Starts `paiyan serve` with an empty data folder, and stops it. Exit status 0 when no photo was answered by anything but
a reading or "busy", `/healthz` always answered within a second, and memory stayed where it was.
"""

from __future__ import annotations

import argparse
import http.client
import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from tests.hostile import pictures

ROOT = Path(__file__).resolve().parent.parent
ANSWER_SECONDS = 120
MOST_HEALTH_SECONDS = 1.0
GROWTH = 1.25
"""How much more memory the second half may take at its highest than the first."""

BUSY_SECONDS = 0.5


class LoadError(AssertionError):
    """An answer, a time or the memory is not what it must be."""


@dataclass
class Seen:
    """What came of it: answers by status, the times of `/healthz` (s), memory (bytes) as it went on."""

    answers: Counter[int] = field(default_factory=Counter)
    hostile: Counter[int] = field(default_factory=Counter)
    health: list[float] = field(default_factory=list)
    memory: list[int] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)


def form(photo: bytes) -> tuple[bytes, dict[str, str]]:
    """A form with one photo, and its headers."""
    mark = secrets.token_hex(16)
    head = f'--{mark}\r\nContent-Disposition: form-data; name="photo"; filename="x"\r\n\r\n'
    body = head.encode() + photo + f"\r\n--{mark}--\r\n".encode()
    return body, {"Content-Type": f"multipart/form-data; boundary={mark}"}


def ask(port: int, method: str, path: str, body: bytes = b"", headers: dict[str, str] | None = None) -> int:
    """The status of one answer."""
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWER_SECONDS)) as connection:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        answer.read()
        return answer.status


def send_photos(
    port: int, photos: list[bytes], answers: Counter[int], stop: threading.Event, lost: list[str]
) -> None:
    """Send one photo after another until told to stop."""
    while not stop.is_set():
        for photo in photos:
            try:
                status = ask(port, "POST", "/api/read", *form(photo))
            except (OSError, http.client.HTTPException) as error:
                lost.append(repr(error))
                continue
            answers[status] += 1
            if status == 429:
                stop.wait(BUSY_SECONDS)
            if stop.is_set():
                return


def watch(port: int, pid: int, seen: Seen, stop: threading.Event) -> None:
    """Ask for `/healthz` and look at the memory twice a second."""
    while not stop.wait(0.5):
        begin = time.monotonic()
        if ask(port, "GET", "/healthz") != 200:
            seen.lost.append("/healthz")
        seen.health.append(time.monotonic() - begin)
        seen.memory.append(memory_of(pid))


def memory_of(pid: int) -> int:
    """Bytes that a process and its children hold, each by itself."""
    with subprocess.Popen(["ps", "-o", "pid=,ppid=,rss=", "-A"], stdout=subprocess.PIPE, text=True) as listed:
        rows = [tuple(map(int, line.split())) for line in listed.communicate()[0].splitlines()]
    family = {pid}
    for one, parent, _ in rows:
        if parent in family:
            family.add(one)
    return sum(1024 * kilobytes for one, _, kilobytes in rows if one in family)


def harm() -> list[bytes]:
    """Photos that mean harm."""
    return [
        *(
            pictures.greedy_png(),
            pictures.layers(4_000_000, 2000),
            pictures.moving("WEBP"),
            pictures.moving("GIF"),
        ),
        *(
            b"",
            b"\xff\xd8\xff" + bytes(100_000),
            b"\x89PNG\r\n\x1a\n" + os.urandom(10_000),
            os.urandom(200_000),
        ),
    ]


@contextmanager
def served() -> Iterator[tuple[int, int]]:
    """`paiyan serve` with an empty data folder: its port and its process."""
    with tempfile.TemporaryDirectory() as data:
        command = [sys.executable, "-m", "webui.cli", "serve", "--port", "0"]
        environment = os.environ | {"PAIYAN_DATA": data, "PYTHONUTF8": "1"}
        with subprocess.Popen(
            command, cwd=ROOT, env=environment, stdout=subprocess.PIPE, text=True
        ) as process:
            assert process.stdout is not None
            found = re.search(r"localhost:(\d+)", process.stdout.readline())
            try:
                if found is None:
                    raise LoadError("the server does not start")
                yield int(found[1]), process.pid
            finally:
                process.send_signal(signal.SIGINT)


def run(seconds: float, clients: int, silent: int) -> Seen:
    """Load the page for so many seconds; raises `LoadError` where something is not as it must be."""
    photos = [path.read_bytes() for path in sorted((ROOT / "webui" / "static" / "samples").glob("*.jpg"))]
    seen, stop = Seen(), threading.Event()
    with served() as (port, pid):
        if ask(port, "POST", "/api/read", *form(photos[0])) != 200:
            raise LoadError("the first photo is not read")
        held = [socket.create_connection(("127.0.0.1", port)) for _ in range(silent)]
        work: list[Callable[[], None]] = [
            *([lambda: send_photos(port, photos, seen.answers, stop, seen.lost)] * clients),
            lambda: send_photos(port, harm(), seen.hostile, stop, []),
            lambda: watch(port, pid, seen, stop),
        ]
        threads = [threading.Thread(target=one) for one in work]
        for thread in threads:
            thread.start()
        time.sleep(seconds)
        stop.set()
        for thread in threads:
            thread.join(2 * ANSWER_SECONDS)
        for one in held:
            one.close()
    check(seen)
    return seen


def check(seen: Seen) -> None:
    """Raise `LoadError` where an answer, a time or the memory is not what it must be."""
    wrong = {status: number for status, number in seen.answers.items() if status not in (200, 429)}
    faults = {status: number for status, number in seen.hostile.items() if status >= 500}
    if wrong or faults or seen.lost or not seen.answers[200]:
        raise LoadError(
            f"answers {dict(seen.answers)}, to harm {dict(seen.hostile)}, without answer {seen.lost[:3]}"
        )
    if max(seen.health) > MOST_HEALTH_SECONDS:
        raise LoadError(f"/healthz took {max(seen.health):.2f} s")
    half = len(seen.memory) // 2
    if max(seen.memory[half:]) > GROWTH * max(seen.memory[:half]):
        raise LoadError(f"memory grew from {max(seen.memory[:half]):,} to {max(seen.memory[half:]):,} bytes")


def main() -> int:
    """Read the command line and run."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--seconds", type=float, default=120)
    parser.add_argument("--clients", type=int, default=8)
    parser.add_argument("--silent", type=int, default=0, help="connections that say nothing, all the time")
    asked = parser.parse_args()
    try:
        seen = run(asked.seconds, asked.clients, asked.silent)
    except LoadError as error:
        print(f"load: {error}", file=sys.stderr)
        return 1
    print(
        f"{seen.answers[200]} photos read, {seen.answers[429]} told to wait, no error; to harm {dict(seen.hostile)}; "
        f"/healthz at most {max(seen.health):.2f} s; memory at most {max(seen.memory) / 2**20:.0f} MiB"
    )
    return 0


if __name__ == "__main__":
    sys.exit(main())
