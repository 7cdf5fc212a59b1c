"""The reader in a process of its own: what a photo does there ends with that photo."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

import vision
from tests.readers import EachAlone
from tests.webui.page import reading
from webui.ledger.errors import BadField
from webui.scanning import apart
from webui.scanning.apart import Apart, NoReader, Recogniser
from webui.scanning.recognise import BusyError, Gate


class Obedient(EachAlone):
    """A reader that does what the bytes of the photo say."""

    def read(
        self, data: bytes, *, name: str, deck: str, taught: str, taught_dir: Path | None
    ) -> vision.Reading:
        if data == b"sleep":
            time.sleep(600)
        if data == b"break":
            os.abort()
        if data == b"unknown":
            raise vision.PrintError("unknown_print", "No such deck.")
        if data == b"bug":
            raise KeyError("a fault of ours")
        return replace(reading(["rK"]), file=name)


def none_to_be_had() -> Recogniser:
    raise ValueError("the network file x.onnx is missing")


def where(_: Recogniser) -> int:
    return os.getpid()


def refuse(_: Recogniser) -> None:
    raise BadField({"field": "quad"})


@pytest.fixture
def eye() -> Iterator[Apart]:
    made = Apart(Obedient, seconds=2)
    yield made
    made.stop()


def read(eye: Apart, data: bytes) -> vision.Reading:
    return eye.read(data, name="photo-1", deck="auto", taught="none", taught_dir=None)


@pytest.mark.parametrize(("data", "code"), [(b"sleep", "took_too_long"), (b"break", "damaged_image")])
def test_a_photo_that_ends_its_reader_keeps_none_from_the_next(eye: Apart, data: bytes, code: str) -> None:
    before = eye.do(where)
    with pytest.raises(vision.PhotoError) as caught:
        read(eye, data)
    assert caught.value.code == code
    assert read(eye, b"hand").cards[0].code == "rK"
    assert eye.do(where) not in (before, os.getpid())


def test_errors_come_over_as_they_are(eye: Apart) -> None:
    with pytest.raises(vision.PrintError, match="No such deck") as caught:
        read(eye, b"unknown")
    assert caught.value.code == "unknown_print"
    with pytest.raises(BadField) as field:
        eye.do(refuse)
    assert field.value.values == {"field": "quad"}
    with pytest.raises(KeyError) as bug:
        read(eye, b"bug")
    assert "in read" in bug.value.__notes__[0]
    assert read(eye, b"hand").file == "photo-1", "it is the same process still"


def test_networks_that_cannot_be_loaded_are_said_each_time() -> None:
    broken = Apart(none_to_be_had)
    for _ in range(2):
        with pytest.raises(NoReader, match=r"x\.onnx is missing"):
            read(broken, b"hand")


def test_a_process_that_kept_too_much_is_replaced(eye: Apart, monkeypatch: pytest.MonkeyPatch) -> None:
    first = eye.do(where)
    assert eye.do(where) == first
    monkeypatch.setattr(apart, "MOST_KEPT_BYTES", -1)
    assert eye.do(where) == first
    assert eye.do(where) != first


def test_it_ends_with_the_process_that_asked(eye: Apart) -> None:
    """Also where that is killed and says nothing: all that is left of it is a pipe with no other end."""
    eye.start()
    process, pipe = eye._process, eye._pipe
    assert pipe is not None
    pipe.close()
    process.join(30)
    assert process.exitcode == 0


def test_the_gate_lends_as_many_as_read_at_once() -> None:
    gate = Gate(None, 2, 0)
    with gate.reader() as one, gate.reader() as other:
        assert isinstance(one, Apart)
        assert isinstance(other, Apart)
        assert one is not other
        with pytest.raises(BusyError), gate.reader():
            pass
