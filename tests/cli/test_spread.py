"""`paiyan catalogue --dask`: photos read by the workers of a scheduler, as they are read here."""

from __future__ import annotations

import sys
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


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("place", ["tcp://127.0.0.1:9", "nonsense://x", "127.0.0.1:9"])
def test_a_scheduler_that_does_not_answer_is_one_sentence(
    capsys: Capture, reader: FakeReader, photo: Path, place: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr(spread, "CONNECT_SECONDS", 1)
    answer = run(capsys, "catalogue", str(photo / "hand.jpg"), "--dask", place, "--json")
    assert (answer.status, answer.json["error"]["code"]) == (2, "no_scheduler")
    assert place in answer.err
