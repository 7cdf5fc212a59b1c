"""Nothing goes out: no entry of the program opens a connection, asks for a name or writes beside the data folder."""

from __future__ import annotations

import ast
import subprocess
import sys
import urllib.request
from pathlib import Path

import pytest

from tests import quiet

pytestmark = pytest.mark.skipif(not quiet.available(), reason="needs Linux's filter of system calls")

SAMPLE = "webui/static/samples/shihu.jpg"
READ = (
    f"import pathlib, vision; print(len(vision.Reader().read(pathlib.Path({SAMPLE!r}).read_bytes()).cards))"
)


def left_behind(home: Path) -> list[str]:
    return [str(path.relative_to(home)) for path in home.rglob("*")]


@pytest.mark.parametrize(
    "words",
    [
        pytest.param(["-m", "webui.cli", "read", SAMPLE], id="read"),
        pytest.param(["-m", "webui.cli", "decks"], id="decks"),
        pytest.param(["-c", READ], id="import vision"),
        pytest.param(
            ["-c", "import models; models.load('card_faces'); import models.training.cache"], id="training"
        ),
        pytest.param(["-c", "import webui; webui.create_app().test_client().get('/')"], id="page"),
    ],
)
def test_every_entry_is_silent(words: list[str], tmp_path: Path) -> None:
    home = tmp_path / "home"
    done = quiet.run(words, home)
    assert (done.returncode, done.stderr) == (0, "")
    assert left_behind(home) == []


@pytest.mark.parametrize(
    "reaching",
    [
        "import socket; socket.getaddrinfo('example.invalid', 443)",
        "import socket; socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)",
    ],
)
def test_what_reaches_for_the_network_is_ended(reaching: str, tmp_path: Path) -> None:
    """The watch itself: names and connections that a library of C would ask for pass through the same calls."""
    assert quiet.run(["-c", reaching], tmp_path / "home").returncode == quiet.KILLED


def test_server_answers_and_connects_to_nothing(tmp_path: Path) -> None:
    home = tmp_path / "home"
    with subprocess.Popen(
        [sys.executable, "-B", "-m", "webui.cli", "serve", "--port", "0"],
        cwd=quiet.ROOT,
        env=quiet.surroundings(home),
        preexec_fn=quiet.forbid(quiet.CONNECT),
        stdout=subprocess.PIPE,
        encoding="utf-8",
    ) as server:
        assert server.stdout is not None
        try:
            address = server.stdout.readline().split()[-1]
            assert "幺地人" in asked(address)
            assert '"deck":"sise"' in asked(f"{address}/api/read", (quiet.ROOT / SAMPLE).read_bytes())
        finally:
            server.terminate()
    assert server.returncode == 0
    assert left_behind(home) == []


def asked(url: str, photo: bytes | None = None) -> str:
    body = None
    if photo is not None:
        head = b'--b\r\nContent-Disposition: form-data; name="photo"; filename="p"\r\n\r\n'
        body = head + photo + b"\r\n--b--\r\n"
    request = urllib.request.Request(url, body, {"Content-Type": "multipart/form-data; boundary=b"})
    with urllib.request.urlopen(request, timeout=60) as answer:
        return str(answer.read().decode())


def test_the_networks_library_is_told_to_be_silent_before_it_is_loaded() -> None:
    """It reads the variable once: what imports it lies behind the one place that sets it."""
    room = quiet.ROOT / "models"
    tree = ast.parse((room / "__init__.py").read_text("utf-8"))
    said = [node.lineno for node in tree.body if "ORT_DISABLE_TELEMETRY" in ast.unparse(node)]
    imports = [
        node.lineno
        for node in ast.walk(tree)
        if isinstance(node, ast.Import) and node.names[0].name == "onnxruntime"
    ]
    assert said
    assert said[0] < min(imports)
    for other in ("scorer", "vision", "webui"):
        for path in (quiet.ROOT / other).rglob("*.py"):
            assert "import onnxruntime" not in path.read_text("utf-8"), path
