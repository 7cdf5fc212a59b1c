"""`paiyan catalogue --dask`: photos read by the workers of a scheduler, as they are read here."""

from __future__ import annotations

import socketserver
import sys
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from tests.cli.photos import FakeReader, run
from webui.commands import spread

Capture = pytest.CaptureFixture[str]


def test_without_the_package_a_sentence_says_what_to_install(
    capsys: Capture, reader: FakeReader, photo: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(sys.modules, "distributed", None)
    answer = run(capsys, "catalogue", str(photo / "hand.jpg"), "--dask", "tcp://127.0.0.1:9", "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, "no_dask")
    assert "paiyan[dask]" in answer.err


@pytest.fixture
def address(reader: FakeReader) -> Iterator[str]:
    """A scheduler with two workers' threads in this process."""
    distributed: Any = pytest.importorskip("distributed")
    spread._reader.cache_clear()
    with distributed.LocalCluster(
        n_workers=2,
        threads_per_worker=1,
        processes=False,
        protocol="tcp",
        host="127.0.0.1",
        dashboard_address=None,
    ) as cluster:
        yield str(cluster.scheduler_address)
    spread._reader.cache_clear()


@pytest.mark.filterwarnings("default")
def test_workers_read_the_same_as_this_process(
    capsys: Capture, reader: FakeReader, photo: Path, address: str
) -> None:
    files = [str(photo / f"{name}.jpg") for name in ("hand", "rest", "horses", "doubt", "hand", "back")]
    here = run(capsys, "catalogue", *files, "--json")
    reader.asked.clear()
    there = run(capsys, "catalogue", *files, "--dask", address, "--json")
    assert there.status == 0
    assert there.json == here.json
    assert sorted(name for name, _, _ in reader.asked) == sorted(files)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("name", ["text", "missing"])
def test_a_photo_that_cannot_be_read_ends_it_as_it_does_here(
    capsys: Capture, photo: Path, address: str, name: str
) -> None:
    files = [str(photo / "hand.jpg"), str(photo / f"{name}.jpg")]
    here = run(capsys, "catalogue", *files, "--json")
    there = run(capsys, "catalogue", *files, "--dask", address, "--json")
    assert (there.status, there.json) == (here.status, here.json) == (2, here.json)


@pytest.mark.filterwarnings("default")
def test_a_worker_that_fails_is_one_sentence(
    capsys: Capture, photo: Path, address: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken() -> None:
        raise RuntimeError("no networks here")

    monkeypatch.setattr(spread, "_reader", broken)
    answer = run(capsys, "catalogue", str(photo / "hand.jpg"), "--dask", address, "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, "worker_failed")
    assert "no networks here" in answer.json["error"]["message"]
    monkeypatch.undo()


def refused(capsys: Capture, photo: Path, place: str) -> str:
    """What is said where no scheduler answers; no client may be left that tries to close for long."""
    distributed: Any = pytest.importorskip("distributed")
    left = set(distributed.Client._instances)
    answer = run(capsys, "catalogue", str(photo / "hand.jpg"), "--dask", place, "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, "no_scheduler")
    assert set(distributed.Client._instances) <= left
    return answer.err


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("place", ["tcp://127.0.0.1:9", "nonsense://x", "127.0.0.1:9", "127.0.0.1"])
def test_a_scheduler_that_does_not_answer_is_one_sentence(
    capsys: Capture, reader: FakeReader, photo: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spread, "CONNECT_SECONDS", 1)
    assert refused(capsys, photo, place) == f"paiyan: no Dask scheduler answers at {place}\n"


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("answer", [b"", b"HTTP/1.0 400 Bad Request\r\n\r\n", b"\xff" * 64])
def test_something_else_that_listens_there_is_one_sentence(
    capsys: Capture, reader: FakeReader, photo: Path, answer: bytes, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(spread, "CONNECT_SECONDS", 1)
    with socketserver.ThreadingTCPServer(("127.0.0.1", 0), says(answer)) as other:
        threading.Thread(target=other.serve_forever, daemon=True).start()
        assert refused(capsys, photo, f"tcp://127.0.0.1:{other.server_address[1]}").count("\n") == 1
        other.shutdown()


def says(answer: bytes) -> type[socketserver.BaseRequestHandler]:
    """A service that says one thing, whatever it is asked."""

    class Says(socketserver.BaseRequestHandler):
        def handle(self) -> None:
            self.request.sendall(answer)

    return Says
