"""The installed wheel, away from the tree: `.ci/run` copies this file into an empty folder to run it."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

TREE = Path(os.environ.get("PAIYAN_TREE", "/nonexistent"))


def paiyan(*words: str) -> subprocess.CompletedProcess[str]:
    command = Path(sys.executable).with_name("paiyan")
    return subprocess.run([command, *words], capture_output=True, text=True, timeout=300, check=False)


@pytest.mark.parametrize("room", ["vision", "models", "scorer", "webui"])
def test_rooms_come_from_the_wheel(room: str) -> None:
    origin = __import__(room).__file__
    assert origin is not None
    assert TREE not in Path(origin).parents


def test_app_is_made_and_answers() -> None:
    from webui import create_app

    client = create_app().test_client()
    assert client.get("/healthz").status_code == 200
    page = client.get("/", follow_redirects=True)
    assert page.status_code == 200
    assert "<html" in page.text


def test_the_samples_that_came_with_it_are_read() -> None:
    import webui

    samples = sorted((Path(str(webui.__file__)).parent / "static" / "samples").glob("*.jpg"))
    assert samples
    done = paiyan("read", "--json", "--taught", "none", str(samples[0]))
    assert done.returncode == 0, done.stderr
    reading = json.loads(done.stdout)
    assert reading["file"] == str(samples[0])
    assert len(reading["cards"]) > 10


def test_a_hand_is_scored() -> None:
    hand = "rK rA rB rR rN rC rP yP gP yN yN yN gK gA gA wB wB wR wR wC wC"
    done = paiyan("score", "--json", "--rules", "shihu", "--hand", hand)
    assert done.returncode == 0, done.stderr
    assert json.loads(done.stdout)["total"] == 10


def test_an_error_is_one_sentence() -> None:
    done = paiyan("read", "nowhere.jpg")
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == "paiyan: there is no file nowhere.jpg\n"
