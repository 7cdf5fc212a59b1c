"""Every command ends in a sentence: whatever the terminal, the disk and the files are like."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hostile.pictures import greedy_png, layers
from webui.commands.photos import file_bytes
from webui.commands.terminal import CommandError

ROOT = Path(__file__).resolve().parent.parent.parent
HALF = layers(8000, 0)[:300]
NEEDS_FULL = pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a disk that is always full")


def paiyan(*words: str, out: int = subprocess.PIPE, **settings: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        [sys.executable, "-m", "webui.cli", *words],
        cwd=ROOT,
        env=os.environ | settings,
        stdout=out,
        stderr=subprocess.PIPE,
        stdin=subprocess.DEVNULL,
        timeout=120,
        check=False,
    )


def assert_one_sentence(done: subprocess.CompletedProcess[bytes]) -> str:
    said = done.stderr.decode("utf-8", "replace")
    assert done.returncode == 2, said
    assert said.startswith("paiyan: ")
    assert len(said.splitlines()) == 1
    return said


@pytest.mark.parametrize("encoding", ["latin-1", "cp437", "cp1252", "gbk"])
@pytest.mark.parametrize(
    "words", [["--help"], ["rules", "zipai"], ["decks", "sise"]], ids=lambda words: words[0]
)
def test_every_terminal_shows_what_it_can(encoding: str, words: list[str]) -> None:
    done = paiyan(*words, PYTHONIOENCODING=encoding, PYTHONUTF8="0")
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode(encoding)
    assert ("牌" in text) == (encoding == "gbk")


@NEEDS_FULL
@pytest.mark.parametrize("words", [["--help"], ["rules", "--json"], ["decks"]], ids=lambda words: words[0])
def test_a_full_disk_is_said(words: list[str]) -> None:
    with open("/dev/full", "wb") as full:
        assert "No space left" in assert_one_sentence(paiyan(*words, out=full.fileno()))


def test_a_data_folder_that_is_a_file_is_said(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("")
    said = assert_one_sentence(paiyan("serve", "--port", "0", PAIYAN_DATA=str(tmp_path / "data")))
    assert str(tmp_path / "data") in said


def test_what_is_no_file_is_not_waited_for(tmp_path: Path) -> None:
    if not hasattr(os, "mkfifo"):
        pytest.skip("this system has no named pipes")
    os.mkfifo(tmp_path / "pipe.jpg")
    for place in (tmp_path / "pipe.jpg", Path("/dev/zero")):
        with pytest.raises(CommandError, match="no file that can be read to its end"):
            file_bytes(place)


def test_what_cannot_be_opened_needs_no_networks(tmp_path: Path) -> None:
    watched = "import sys, webui.cli\ntry: webui.cli.main(sys.argv[1:])\nfinally: print('onnxruntime' in sys.modules)"
    done = subprocess.run(
        [sys.executable, "-c", watched, "read", str(tmp_path / "gone.jpg")],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (done.returncode, done.stdout) == (2, "False\n")
    assert "there is no file" in done.stderr


@pytest.mark.parametrize("data", [HALF, greedy_png()], ids=["half a JPEG", "greedy PNG"])
def test_decoders_keep_their_words_to_themselves(data: bytes, tmp_path: Path) -> None:
    (tmp_path / "photo.jpg").write_bytes(data)
    assert "damaged" in assert_one_sentence(paiyan("read", str(tmp_path / "photo.jpg")))


DEEP = "[" * 100_000


@pytest.mark.parametrize(
    "text",
    [DEEP, '[{"quad": ' + DEEP, "[" + "9" * 5000 + "]", "NaN", '[{"quad": [[1e999]], "code": "\\ud800"}]'],
)
def test_answers_and_truth_of_any_text_end_in_a_sentence(text: str, tmp_path: Path) -> None:
    (tmp_path / "annotations.json").write_text(text)
    sample = str(ROOT / "webui/static/samples/zipai.jpg")
    data = str(tmp_path / "data")
    assert_one_sentence(
        paiyan("teach", "x", sample, "--confirm", str(tmp_path / "annotations.json"), PAIYAN_DATA=data)
    )
    assert_one_sentence(paiyan("evaluate", str(tmp_path), PAIYAN_DATA=data))


@pytest.mark.parametrize("rows", [[7], {"a": []}, [[]], None, [{"id": []}], "x", [{"id": 1, "name": 2}]])
@pytest.mark.parametrize("field", ["categories", "images", "annotations"])
def test_truth_of_another_kind_is_said(field: str, rows: object, tmp_path: Path) -> None:
    from vision.truth import TruthError, read_truth

    truth = {"categories": [], "images": [], "annotations": [], field: rows}
    (tmp_path / "annotations.json").write_text(json.dumps(truth))
    try:
        assert read_truth(tmp_path) == {}
    except TruthError as error:
        assert "is no COCO file" in str(error)  # noqa: PT017 - a table of nothing is fine, too
