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


def test_a_sample_is_read() -> None:
    photo = sorted((TREE / "datasets" / "samples").glob("*.jpg"))[0]
    done = paiyan("read", "--json", "--taught", "none", str(photo))
    assert done.returncode == 0, done.stderr
    reading = json.loads(done.stdout)
    assert reading["file"].endswith(photo.name)
    assert reading["cards"]


def test_a_hand_is_scored() -> None:
    done = paiyan("rules", "--json")
    assert done.returncode == 0, done.stderr
    assert {"yaodiren", "zipai", "chuanpai", "guangshui", "shihu"} >= {
        one["id"] for one in json.loads(done.stdout)
    }
